//! One droplet from where it stands to where it ends, or to the rim of the
//! ground it may touch.

use super::brush::Brush;
use super::law::Law;
use super::patch::{Patch, Place, Stroke};

/// A droplet on its way. Places are in cells of the patch it runs on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Droplet {
    pub(super) x: f64,
    pub(super) y: f64,
    /// Unit vector of the path, or zero before the first step.
    pub(super) heading: [f64; 2],
    /// m2/s2.
    pub(super) speed_squared: f64,
    /// m3 at the start of the path.
    pub(super) water: f64,
    /// Sediment carried, m over one cell, whole quanta.
    pub(super) load: f64,
    /// Steps taken.
    pub(super) walked: u32,
}

/// Why a droplet stopped running on this patch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// It came near the rim of the patch: another patch goes on with it.
    Strayed,
    /// Its path or its water came to an end, or it stands in a hollow.
    Rested,
    /// It left the map.
    Left,
    /// It came to ground under a mask of 0: to this cell of the patch.
    Crossed(usize),
}

/// Where on a patch a droplet may go, in cells: `west <= x <= east` and so on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    pub(super) west: f64,
    pub(super) east: f64,
    pub(super) north: f64,
    pub(super) south: f64,
}

impl Bounds {
    /// Whether (x, y) lies inside; never true for NaN.
    #[inline(always)]
    pub(super) fn hold(&self, x: f64, y: f64) -> bool {
        x >= self.west && x <= self.east && y >= self.north && y <= self.south
    }
}

/// Matter and water that moved on a patch.
#[derive(Debug)]
pub(super) struct Account<'a> {
    /// Quanta taken from the ground.
    pub(super) eroded: i64,
    /// Quanta laid down.
    pub(super) deposited: i64,
    /// For each cell: water passed (m3 a step), and water times speed.
    pub(super) flow: &'a mut [[f32; 2]],
}

/// What does not change from droplet to droplet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rules<'a> {
    pub(super) law: &'a Law,
    pub(super) brush: &'a Brush,
    pub(super) layer_brush: &'a Brush,
    /// Where a droplet may stand and still find all that it touches.
    pub(super) roam: Bounds,
    /// The map itself.
    pub(super) map: Bounds,
}

/// What a droplet will do on its next step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    next: (f64, f64),
    heading: [f64; 2],
    speed_squared: f64,
    /// The cell that the droplet stands on.
    cell: usize,
    /// Water, and water times speed.
    flow: [f32; 2],
    stroke: Stroke,
}

/// Looks at the ground around `droplet` and plans its next step, or says why
/// there is none. Changes nothing.
#[inline(always)]
pub(super) fn plan<const VARIED: bool>(
    rules: &Rules<'_>,
    patch: &Patch<'_>,
    droplet: &Droplet,
) -> Result<Plan, Stop> {
    let law = rules.law;
    if droplet.walked >= law.steps {
        return Err(Stop::Rested);
    }
    if !rules.roam.hold(droplet.x, droplet.y) {
        return Err(Stop::Strayed);
    }
    let here = patch.sample(droplet.x, droplet.y);
    let Some(mut heading) = steer(law, droplet, here) else { return Err(Stop::Rested) };
    let mut next = ahead(law, droplet, heading);
    if !rules.map.hold(next.0, next.1) {
        return Err(Stop::Left);
    }
    let mut arrival = patch.elevation(next.0, next.1);
    let mut speed_squared = law.speed_squared(droplet.speed_squared, here.elevation - arrival);
    if speed_squared <= 0.0 {
        // Too slow to get up there: the droplet stops and starts again down
        // the gradient, if that leads down at all.
        let Some(down) = downhill(here) else { return Err(Stop::Rested) };
        heading = down;
        next = ahead(law, droplet, heading);
        if !rules.map.hold(next.0, next.1) {
            return Err(Stop::Left);
        }
        arrival = patch.elevation(next.0, next.1);
        speed_squared = law.speed_squared(0.0, here.elevation - arrival);
        if speed_squared <= 0.0 {
            return Err(Stop::Rested);
        }
    }
    if VARIED {
        let cell = patch.nearest(next.0, next.1);
        if patch.acceptance[cell] <= 0.0 {
            return Err(Stop::Crossed(cell));
        }
    }
    let speed = speed_squared.sqrt();
    let water = droplet.water * law.water_left[droplet.walked as usize];
    let drop = here.elevation - arrival;
    let missing = law.capacity(water, drop, speed) - droplet.load;
    let stroke = exchange(rules, droplet, next, [here.elevation, arrival], missing);
    let flow = [water as f32, (water * speed) as f32];
    let cell = patch.nearest(droplet.x, droplet.y);
    Ok(Plan { next, heading, speed_squared, cell, flow, stroke })
}

/// Takes the step that was planned.
#[inline(always)]
pub(super) fn act<const VARIED: bool>(
    rules: &Rules<'_>,
    patch: &mut Patch<'_>,
    account: &mut Account<'_>,
    droplet: &mut Droplet,
    plan: &Plan,
) {
    let flow = &mut account.flow[plan.cell];
    flow[0] += plan.flow[0];
    flow[1] += plan.flow[1];
    let cuts = plan.stroke.sign < 0.0;
    let brush = if cuts { rules.brush } else { rules.layer_brush };
    let moved = patch.apply::<VARIED>(brush, &plan.stroke);
    let quanta = patch.quantum.count(moved);
    droplet.load -= plan.stroke.sign * moved;
    account.eroded += if cuts { quanta } else { 0 };
    account.deposited += if cuts { 0 } else { quanta };
    (droplet.x, droplet.y) = plan.next;
    droplet.heading = plan.heading;
    droplet.speed_squared = plan.speed_squared;
    droplet.walked += 1;
}

/// What a step from `departure` to `arrival` (m) is due to cut or lay.
///
/// Downhill, missing load is cut around where the droplet stands, down to the
/// next point at most. Excess load is laid around the next point, up to where
/// the water came from at most: a layer flattens a path, it does not dam it.
/// Uphill the hollow is filled, up to where the path leaves it.
#[inline(always)]
fn exchange(
    rules: &Rules<'_>,
    droplet: &Droplet,
    next: (f64, f64),
    [departure, arrival]: [f64; 2],
    missing: f64,
) -> Stroke {
    let law = rules.law;
    let drop = departure - arrival;
    let falls = drop > 0.0;
    let cuts = falls && missing > 0.0;
    let (share, cap, brush) = if cuts {
        (law.erosion_share, law.erosion_cap, rules.brush)
    } else {
        (law.deposition_share, law.deposition_cap, rules.layer_brush)
    };
    let due = if falls { missing.abs() * share } else { droplet.load };
    let most = drop.abs() * if falls { cap } else { 1.0 } * brush.most;
    let lays_ahead = falls && !cuts;
    Stroke {
        place: if lays_ahead { next } else { (droplet.x, droplet.y) },
        amount: if due < most { due } else { most },
        limit: if lays_ahead { departure } else { arrival },
        sign: if cuts { -1.0 } else { 1.0 },
    }
}

/// Unit vector down the gradient; `None` on level ground.
#[inline(always)]
fn downhill(here: Place) -> Option<[f64; 2]> {
    let squared = here.east * here.east + here.south * here.south;
    if squared <= LEVEL {
        return None;
    }
    let inverse = -1.0 / squared.sqrt();
    Some([here.east * inverse, here.south * inverse])
}

/// Square of the rise per cell below which ground has no direction.
const LEVEL: f64 = 1e-24;

/// The heading of the next step: the old one, turned downhill over the inertia
/// length. `None` for a droplet at rest on level ground.
#[inline(always)]
fn steer(law: &Law, droplet: &Droplet, here: Place) -> Option<[f64; 2]> {
    let old = droplet.heading;
    let squared = here.east * here.east + here.south * here.south;
    if squared > LEVEL {
        // The mean of two unit vectors, times the gradient's length: its
        // direction is all that counts, and a division is saved.
        let kept = law.heading_kept * squared.sqrt();
        let x = kept * old[0] - (1.0 - law.heading_kept) * here.east;
        let y = kept * old[1] - (1.0 - law.heading_kept) * here.south;
        let length_squared = x * x + y * y;
        if length_squared > 1e-12 * squared {
            let inverse = 1.0 / length_squared.sqrt();
            return Some([x * inverse, y * inverse]);
        }
        return downhill(here);
    }
    (old[0] != 0.0 || old[1] != 0.0).then_some(old)
}

#[inline(always)]
fn ahead(law: &Law, droplet: &Droplet, heading: [f64; 2]) -> (f64, f64) {
    (droplet.x + heading[0] * law.step, droplet.y + heading[1] * law.step)
}
