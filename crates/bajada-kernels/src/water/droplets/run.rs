//! Droplets from where they stand to where they end, or to the rim of the
//! ground they may touch: [`LANES`] of them side by side, a step each.
//!
//! All look before any acts, so that one instruction serves several droplets
//! and none waits for another's ground; then those that cut do so, in order,
//! then those that lay down.

use bajada_grid::vectors::wide;

use super::brush::Brush;
use super::law::Law;
use super::patch::Patch;
use super::plan::Plan;

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
pub(super) type Each<T> = [T; LANES];

/// Droplets side by side. Places are in cells of the patch they run on.
#[derive(Debug, Default)]
pub(super) struct Lanes {
    /// How many run, from the first lane on.
    pub(super) running: usize,
    pub(super) x: Each<f32>,
    pub(super) y: Each<f32>,
    pub(super) heading_x: Each<f32>,
    pub(super) heading_y: Each<f32>,
    pub(super) speed_squared: Each<f32>,
    pub(super) water: Each<f32>,
    pub(super) load: Each<i32>,
    pub(super) walked: Each<u32>,
    pub(super) stops: Each<Option<Stop>>,
    /// Whether any of them stopped.
    pub(super) any_stopped: bool,
}

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
    pub(super) fn stop(&mut self, lane: usize, stop: Stop) {
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

    /// Takes steps until a droplet stops, or `turns` of them.
    pub(super) fn run<const VARIED: bool>(
        &mut self,
        rules: &Rules<'_>,
        patch: &mut Patch<'_>,
        account: &mut Account<'_>,
        turns: u32,
    ) {
        wide(
            #[inline(always)]
            || {
                for _ in 0..turns {
                    self.any_stopped = false;
                    let plan = self.plan::<VARIED>(rules, patch);
                    self.act::<VARIED>(rules, patch, account, &plan);
                    if self.any_stopped {
                        break;
                    }
                }
            },
        );
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
        for lane in 0..self.running {
            let flow = &mut account.flow[patch.nearest(self.x[lane], self.y[lane])];
            *flow = [flow[0] + plan.water[lane], flow[1] + plan.momentum[lane]];
        }
        (self.x, self.y, self.speed_squared) = (plan.x, plan.y, plan.speed_squared);
        (self.heading_x, self.heading_y) = (plan.heading_x, plan.heading_y);
        let (mut ends, steps, roam) = (0, rules.law.steps, rules.roam);
        let running = self.running as u32;
        let (mut cutting, mut laying) = (0_u32, 0_u32);
        for lane in 0..LANES {
            self.walked[lane] = self.walked[lane].wrapping_add(1);
            let ended = (self.walked[lane] >= steps) | !roam.hold(plan.x[lane], plan.y[lane]);
            let runs = u32::from((lane as u32) < running);
            ends |= u32::from(ended) & runs;
            let moves = u32::from(plan.amount[lane] > 0.0) & runs;
            cutting |= (moves & plan.cuts[lane]) << lane;
            laying |= (moves & !plan.cuts[lane]) << lane;
        }
        if ends != 0 {
            for lane in 0..self.running {
                if self.stops[lane].is_some() {
                    continue;
                }
                if self.walked[lane] >= steps {
                    self.stop(lane, Stop::Rested);
                } else if !roam.hold(plan.x[lane], plan.y[lane]) {
                    self.stop(lane, Stop::Strayed);
                }
            }
        }
        let (mut eroded, mut deposited) = (0, 0);
        while cutting != 0 {
            let lane = cutting.trailing_zeros() as usize % LANES;
            cutting &= cutting - 1;
            let stroke = plan.stroke(lane);
            let gained = patch.apply::<VARIED, true>(rules.brush, &stroke);
            self.load[lane] = self.load[lane].wrapping_sub(gained);
            eroded -= i64::from(gained);
        }
        while laying != 0 {
            let lane = laying.trailing_zeros() as usize % LANES;
            laying &= laying - 1;
            let stroke = plan.stroke(lane);
            let gained = patch.apply::<VARIED, false>(rules.layer_brush, &stroke);
            self.load[lane] = self.load[lane].wrapping_sub(gained);
            deposited += i64::from(gained);
        }
        account.eroded += eroded;
        account.deposited += deposited;
    }
}
