//! Droplets from where they stand to where they end, or to the rim of the
//! ground they may touch: [`LANES`] of them side by side, a step each.
//!
//! All look before any acts, so that one instruction serves several droplets
//! and none waits for another's ground; then those that cut do so, in order,
//! then those that lay down.

use super::brush::Brush;
use super::law::{Law, speed_squared};
use super::patch::{Patch, Place, Stroke};
use super::scale::{FLOOR, LOAD_LIMIT};

/// Droplets of one tile that take turns. A constant of the *results*.
pub(super) const LANES: usize = 8;

/// A droplet on its way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Droplet {
    /// Cells of the map.
    pub(super) x: f64,
    pub(super) y: f64,
    /// Unit vector of the path, or zero before the first step.
    pub(super) heading: [f32; 2],
    /// m2/s2.
    pub(super) speed_squared: f32,
    /// m3 at the start of the path.
    pub(super) water: f32,
    /// Sediment carried, quanta over one cell.
    pub(super) load: i32,
    /// Steps taken.
    pub(super) walked: u32,
}

impl Droplet {
    /// A fresh droplet of `water` m3 at (x, y).
    pub(super) fn fallen(x: f64, y: f64, water: f32, speed: f32) -> Self {
        let speed_squared = speed * speed;
        Self { x, y, heading: [0.0; 2], speed_squared, water, load: 0, walked: 0 }
    }
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
    /// It came to ground under a mask of 0, or to a barrier: to this cell of
    /// the patch.
    Crossed(usize),
}

/// Where on a patch a droplet may go, in cells: `west <= x <= east` and so on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    pub(super) west: f32,
    pub(super) east: f32,
    pub(super) north: f32,
    pub(super) south: f32,
}

impl Bounds {
    /// Whether (x, y) lies inside; never true for NaN.
    #[inline(always)]
    pub(super) fn hold(&self, x: f32, y: f32) -> bool {
        (x >= self.west) & (x <= self.east) & (y >= self.north) & (y <= self.south)
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
    /// Of the patch's first sample, cells of the map.
    pub(super) origin: [f64; 2],
}

/// One number for each droplet.
type Each<T> = [T; LANES];

/// Droplets side by side. Places are in cells of the patch they run on.
#[derive(Debug, Default)]
pub(super) struct Lanes {
    /// How many run, from the first lane on.
    pub(super) running: usize,
    x: Each<f32>,
    y: Each<f32>,
    heading_x: Each<f32>,
    heading_y: Each<f32>,
    speed_squared: Each<f32>,
    water: Each<f32>,
    load: Each<i32>,
    walked: Each<u32>,
    stops: Each<Option<Stop>>,
    /// Whether any of them stopped.
    pub(super) any_stopped: bool,
}

/// What each droplet will do on its next step.
#[derive(Debug, Default)]
struct Plan {
    x: Each<f32>,
    y: Each<f32>,
    heading_x: Each<f32>,
    heading_y: Each<f32>,
    speed_squared: Each<f32>,
    /// Water, and water times speed.
    water: Each<f32>,
    momentum: Each<f32>,
    /// All ones where the ground is cut, 0 where it is laid on; and the stroke,
    /// whose limit is above `base`.
    cuts: Each<u32>,
    stroke_x: Each<f32>,
    stroke_y: Each<f32>,
    amount: Each<f32>,
    limit: Each<f32>,
    base: Each<i32>,
}

/// The smaller of two.
#[inline(always)]
fn least(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

/// `a` where `mask` is all ones, `b` where it is 0. A plain choice on which of
/// two things a droplet does is made a branch, and is close to a coin toss: a
/// processor that guesses wrong pays as much as for the whole stroke.
#[inline(always)]
fn choose(mask: u32, a: f32, b: f32) -> f32 {
    f32::from_bits((a.to_bits() & mask) | (b.to_bits() & !mask))
}

/// Square of the rise per cell, in quanta, below which ground has no direction.
const LEVEL: f32 = 1e-4;

impl Lanes {
    /// Puts `droplet` in a lane.
    pub(super) fn put(&mut self, lane: usize, rules: &Rules<'_>, droplet: &Droplet) {
        self.x[lane] = (droplet.x - rules.origin[0]) as f32;
        self.y[lane] = (droplet.y - rules.origin[1]) as f32;
        [self.heading_x[lane], self.heading_y[lane]] = droplet.heading;
        self.speed_squared[lane] = droplet.speed_squared;
        self.water[lane] = droplet.water;
        self.load[lane] = droplet.load;
        self.walked[lane] = droplet.walked;
        self.stops[lane] = None;
    }

    /// The droplet of a lane and why it stopped, if it did.
    pub(super) fn stopped(&self, lane: usize, rules: &Rules<'_>) -> Option<(Stop, Droplet)> {
        let stop = self.stops[lane]?;
        let droplet = Droplet {
            x: f64::from(self.x[lane]) + rules.origin[0],
            y: f64::from(self.y[lane]) + rules.origin[1],
            heading: [self.heading_x[lane], self.heading_y[lane]],
            speed_squared: self.speed_squared[lane],
            water: self.water[lane],
            load: self.load[lane],
            walked: self.walked[lane],
        };
        Some((stop, droplet))
    }

    #[inline(always)]
    fn stop(&mut self, lane: usize, stop: Stop) {
        self.stops[lane] = Some(stop);
        self.any_stopped = true;
    }

    /// Closes a lane: the last one's droplet moves there.
    pub(super) fn close(&mut self, lane: usize) {
        let last = self.running - 1;
        self.x[lane] = self.x[last];
        self.y[lane] = self.y[last];
        self.heading_x[lane] = self.heading_x[last];
        self.heading_y[lane] = self.heading_y[last];
        self.speed_squared[lane] = self.speed_squared[last];
        self.water[lane] = self.water[last];
        self.load[lane] = self.load[last];
        self.walked[lane] = self.walked[last];
        self.stops[lane] = self.stops[last];
        self.running = last;
    }

    /// Takes one step with every droplet that runs.
    #[inline(always)]
    pub(super) fn step<const VARIED: bool>(
        &mut self,
        rules: &Rules<'_>,
        patch: &mut Patch<'_>,
        account: &mut Account<'_>,
    ) {
        self.any_stopped = false;
        let plan = self.plan::<VARIED>(rules, patch);
        self.act::<VARIED>(rules, patch, account, &plan);
    }

    /// Looks at the ground around the droplets and plans their next steps, or
    /// notes why there is none. Changes no ground.
    #[inline(always)]
    fn plan<const VARIED: bool>(&mut self, rules: &Rules<'_>, patch: &Patch<'_>) -> Plan {
        let law = rules.law;
        let mut plan = Plan::default();
        let (mut east, mut south) = ([0.0; LANES], [0.0; LANES]);
        let (mut base, mut departure) = ([0; LANES], [0.0; LANES]);
        let mut left = [0.0; LANES];
        for lane in 0..self.running {
            let place = patch.look(self.x[lane], self.y[lane]);
            (base[lane], departure[lane]) = (place.base, place.above);
            (east[lane], south[lane]) = (place.east, place.south);
            left[lane] = law.water_left[self.walked[lane] as usize];
        }
        let (kept, step) = (law.heading_kept, law.step);
        for lane in 0..LANES {
            let old = [self.heading_x[lane], self.heading_y[lane]];
            let [x, y] = steer(kept, old, east[lane], south[lane]);
            (plan.heading_x[lane], plan.heading_y[lane]) = (x, y);
            plan.x[lane] = self.x[lane] + x * step;
            plan.y[lane] = self.y[lane] + y * step;
        }
        let mut arrival = [0.0; LANES];
        for lane in 0..self.running {
            arrival[lane] = patch.above(base[lane], plan.x[lane], plan.y[lane]);
        }
        for lane in 0..LANES {
            let drop = departure[lane] - arrival[lane];
            plan.speed_squared[lane] =
                speed_squared(self.speed_squared[lane], drop, law.speed_kept, law.drive);
        }
        for lane in 0..self.running {
            if !rules.map.hold(plan.x[lane], plan.y[lane]) {
                self.stop(lane, Stop::Left);
                continue;
            }
            if plan.speed_squared[lane] <= 0.0 {
                let (east, south) = (east[lane], south[lane]);
                let place = Place { base: base[lane], above: departure[lane], east, south };
                match self.restart(lane, rules, patch, place, &mut plan) {
                    Ok(above) => arrival[lane] = above,
                    Err(stop) => {
                        self.stop(lane, stop);
                        continue;
                    }
                }
            }
            if VARIED {
                let cell = patch.nearest(plan.x[lane], plan.y[lane]);
                if patch.acceptance[cell] <= 0.0 {
                    self.stop(lane, Stop::Crossed(cell));
                }
            }
        }
        self.exchange(rules, &base, [&departure, &arrival, &left], &mut plan);
        plan
    }

    /// What the steps are due to cut or lay.
    ///
    /// Downhill, missing load is cut around the middle of the step, down to its
    /// end at most, and excess load is laid there, up to where the water came
    /// from at most: a layer flattens a path, it does not dam it. Uphill the
    /// hollow that the droplet stands in is filled, up to where the path leaves
    /// it.
    #[inline(always)]
    fn exchange(
        &self,
        rules: &Rules<'_>,
        base: &Each<i32>,
        [departure, arrival, left]: [&Each<f32>; 3],
        plan: &mut Plan,
    ) {
        // Numbers and arrays of this function alone, not references: a choice
        // between two is then no branch, and nothing can share their memory.
        let law = rules.law;
        let (by_slope, by_speed, min_drop) =
            (law.capacity_by_slope, law.capacity_by_speed, law.min_drop);
        let (erosion_share, deposition_share) = (law.erosion_share, law.deposition_share);
        let (brush, layer_brush) = (rules.brush, rules.layer_brush);
        let (cut_most, cut_limit) = (law.erosion_cap * brush.most, brush.amount_limit);
        let (lay_most, lay_limit) =
            (law.deposition_cap * layer_brush.most, layer_brush.amount_limit);
        let (fill_most, slack) = (layer_brush.most, layer_brush.slack);
        let energy = plan.speed_squared;
        let (departure, arrival, left) = (*departure, *arrival, *left);
        let (here, there) = ([self.x, self.y], [plan.x, plan.y]);
        let (mut waters, loads) = (self.water, self.load);
        let (mut momentum, mut amounts, mut cutting) = ([0.0; LANES], [0.0; LANES], [0; LANES]);
        let (mut stroke, mut limit) = ([[0.0; LANES]; 2], [0.0; LANES]);
        let (mut drops, mut missing) = ([0.0; LANES], [0.0; LANES]);
        for lane in 0..LANES {
            let speed = energy[lane].sqrt();
            let water = waters[lane] * left[lane];
            waters[lane] = water;
            momentum[lane] = water * speed;
            let drop = departure[lane] - arrival[lane];
            drops[lane] = drop;
            let steep = if drop > min_drop { drop } else { min_drop };
            let capacity = least((by_slope * steep + by_speed * speed) * water * speed, LOAD_LIMIT);
            missing[lane] = capacity - loads[lane] as f32;
        }
        // Masks of all ones or none.
        let (mut falls, mut ahead) = ([0_u32; LANES], [0_u32; LANES]);
        for lane in 0..LANES {
            let fall = u32::from(drops[lane] > 0.0);
            let lacks = u32::from(missing[lane] > 0.0);
            falls[lane] = fall.wrapping_neg();
            cutting[lane] = (fall & lacks).wrapping_neg();
            ahead[lane] = (fall & (lacks ^ 1)).wrapping_neg();
        }
        let (mut cut, mut lay, mut fill) = ([0.0; LANES], [0.0; LANES], [0.0; LANES]);
        for lane in 0..LANES {
            let drop = drops[lane];
            // Rounding may lay a little more than is due: never more than all.
            let all = loads[lane] as f32 - slack;
            cut[lane] = least(least(missing[lane] * erosion_share, drop * cut_most), cut_limit);
            lay[lane] = least(all, least(-missing[lane] * deposition_share, drop * lay_most));
            fill[lane] = least(all, -drop * fill_most);
        }
        for lane in 0..LANES {
            let add = least(choose(falls[lane], lay[lane], fill[lane]), lay_limit);
            let amount = choose(cutting[lane], cut[lane], add);
            amounts[lane] = if amount > 0.0 { amount } else { 0.0 };
        }
        for lane in 0..LANES {
            // Half a step off, and half the cell size would be other terrain.
            for side in 0..2 {
                let middle = 0.5 * (here[side][lane] + there[side][lane]);
                stroke[side][lane] = choose(falls[lane], middle, here[side][lane]);
            }
            limit[lane] = choose(ahead[lane], departure[lane], arrival[lane]);
        }
        (plan.water, plan.momentum, plan.amount, plan.cuts) = (waters, momentum, amounts, cutting);
        [plan.stroke_x, plan.stroke_y] = stroke;
        (plan.limit, plan.base) = (limit, *base);
    }

    /// A droplet too slow to get up there stops and starts again down the
    /// gradient, if that leads down at all. Gives the height there.
    #[cold]
    #[inline(never)]
    fn restart(
        &self,
        lane: usize,
        rules: &Rules<'_>,
        patch: &Patch<'_>,
        place: Place,
        plan: &mut Plan,
    ) -> Result<f32, Stop> {
        let law = rules.law;
        let squared = place.east * place.east + place.south * place.south;
        if squared <= LEVEL {
            return Err(Stop::Rested);
        }
        let inverse = -1.0 / squared.sqrt();
        let heading = [place.east * inverse, place.south * inverse];
        let x = self.x[lane] + heading[0] * law.step;
        let y = self.y[lane] + heading[1] * law.step;
        if !rules.map.hold(x, y) {
            return Err(Stop::Left);
        }
        let above = patch.above(place.base, x, y);
        let speed_squared = speed_squared(0.0, place.above - above, law.speed_kept, law.drive);
        if speed_squared <= 0.0 {
            return Err(Stop::Rested);
        }
        (plan.x[lane], plan.y[lane]) = (x, y);
        [plan.heading_x[lane], plan.heading_y[lane]] = heading;
        plan.speed_squared[lane] = speed_squared;
        Ok(above)
    }

    /// Takes the steps that were planned.
    #[inline(always)]
    fn act<const VARIED: bool>(
        &mut self,
        rules: &Rules<'_>,
        patch: &mut Patch<'_>,
        account: &mut Account<'_>,
        plan: &Plan,
    ) {
        let (mut cutting, mut n_cutting) = ([0_u8; LANES], 0);
        let (mut laying, mut n_laying) = ([0_u8; LANES], 0);
        for lane in 0..self.running {
            if self.any_stopped && self.stops[lane].is_some() {
                continue;
            }
            let flow = &mut account.flow[patch.nearest(self.x[lane], self.y[lane])];
            flow[0] += plan.water[lane];
            flow[1] += plan.momentum[lane];
            let moves = plan.amount[lane] > 0.0;
            // Both are written, one is counted: no branch to guess.
            cutting[n_cutting % LANES] = lane as u8;
            n_cutting += usize::from((plan.cuts[lane] != 0) & moves);
            laying[n_laying % LANES] = lane as u8;
            n_laying += usize::from((plan.cuts[lane] == 0) & moves);
            (self.x[lane], self.y[lane]) = (plan.x[lane], plan.y[lane]);
            self.heading_x[lane] = plan.heading_x[lane];
            self.heading_y[lane] = plan.heading_y[lane];
            self.speed_squared[lane] = plan.speed_squared[lane];
            self.walked[lane] += 1;
            if self.walked[lane] >= rules.law.steps {
                self.stop(lane, Stop::Rested);
            } else if !rules.roam.hold(plan.x[lane], plan.y[lane]) {
                self.stop(lane, Stop::Strayed);
            }
        }
        for &lane in &cutting[..n_cutting] {
            let lane = usize::from(lane % LANES as u8);
            let stroke = plan.stroke(lane);
            let gained = patch.apply::<VARIED, true>(rules.brush, &stroke);
            self.load[lane] = self.load[lane].wrapping_sub(gained);
            account.eroded -= i64::from(gained);
        }
        for &lane in &laying[..n_laying] {
            let lane = usize::from(lane % LANES as u8);
            let stroke = plan.stroke(lane);
            let gained = patch.apply::<VARIED, false>(rules.layer_brush, &stroke);
            self.load[lane] = self.load[lane].wrapping_sub(gained);
            account.deposited += i64::from(gained);
        }
    }
}

impl Plan {
    #[inline(always)]
    fn stroke(&self, lane: usize) -> Stroke {
        let limit = self.base[lane].saturating_add(self.limit[lane] as i32);
        Stroke {
            x: self.stroke_x[lane],
            y: self.stroke_y[lane],
            amount: self.amount[lane],
            limit: if limit > FLOOR { limit } else { FLOOR },
        }
    }
}

/// The heading of the next step: the old one, turned downhill over the inertia
/// length; zero for a droplet at rest on level ground.
#[inline(always)]
fn steer(heading_kept: f32, old: [f32; 2], east: f32, south: f32) -> [f32; 2] {
    let squared = east * east + south * south;
    // The mean of two unit vectors, times the gradient's length: its direction
    // is all that counts, and a division is saved.
    let kept = heading_kept * squared.sqrt();
    let turn = 1.0 - heading_kept;
    let (x, y) = (kept * old[0] - turn * east, kept * old[1] - turn * south);
    // Against the gradient both may cancel.
    let cancels = x * x + y * y <= 1e-12 * squared;
    let (x, y) = if cancels { (-east, -south) } else { (x, y) };
    let (x, y) = if squared > LEVEL { (x, y) } else { (old[0], old[1]) };
    let length = (x * x + y * y).sqrt();
    let inverse = if length > 0.0 { 1.0 / length } else { 0.0 };
    [x * inverse, y * inverse]
}
