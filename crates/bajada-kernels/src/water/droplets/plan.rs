//! What droplets side by side will do on their next steps.
//!
//! All numbers of one kind lie side by side, so that one instruction serves
//! all droplets; only the ground is read droplet by droplet.

use super::brush::Brush;
use super::law::speed_squared;
use super::patch::{Patch, Place, Spots, Stroke, mix};
use super::run::{Each, LANES, Lanes, Rules, Stop};
use super::scale::{FLOOR, LOAD_LIMIT};

/// What each droplet will do on its next step.
#[derive(Debug, Default)]
pub(super) struct Plan {
    pub(super) x: Each<f32>,
    pub(super) y: Each<f32>,
    pub(super) heading_x: Each<f32>,
    pub(super) heading_y: Each<f32>,
    pub(super) speed_squared: Each<f32>,
    /// Water, and water times speed.
    pub(super) water: Each<f32>,
    pub(super) momentum: Each<f32>,
    /// All ones where the ground is cut, 0 where it is laid on.
    pub(super) cuts: Each<u32>,
    /// The stroke: its cell, its stamp, the most it moves and how far.
    column: Each<i32>,
    row: Each<i32>,
    stamp: Each<i32>,
    pub(super) amount: Each<f32>,
    limit: Each<i32>,
}

/// Ground at droplets, above `base`.
struct View {
    base: Each<i32>,
    above: Each<f32>,
    east: Each<f32>,
    south: Each<f32>,
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

#[inline(always)]
fn choose_whole(mask: u32, a: i32, b: i32) -> i32 {
    (a & mask as i32) | (b & !mask as i32)
}

/// Square of the rise per cell, in quanta, below which ground has no direction.
const LEVEL: f32 = 1e-4;

impl Plan {
    #[inline(always)]
    pub(super) fn stroke(&self, lane: usize) -> Stroke {
        Stroke {
            column: self.column[lane] as usize,
            row: self.row[lane] as usize,
            stamp: self.stamp[lane] as usize,
            amount: self.amount[lane],
            limit: self.limit[lane],
        }
    }

    /// Lets the droplet of a lane stay as it is and do nothing.
    #[inline(always)]
    fn rest(&mut self, lane: usize, lanes: &Lanes) {
        self.x[lane] = lanes.x[lane];
        self.y[lane] = lanes.y[lane];
        self.heading_x[lane] = lanes.heading_x[lane];
        self.heading_y[lane] = lanes.heading_y[lane];
        self.speed_squared[lane] = lanes.speed_squared[lane];
        self.water[lane] = 0.0;
        self.momentum[lane] = 0.0;
        self.amount[lane] = 0.0;
    }
}

impl Lanes {
    /// Looks at the ground around the droplets and plans their next steps, or
    /// notes why there is none. Changes no ground.
    #[inline(always)]
    pub(super) fn plan<const VARIED: bool>(
        &mut self,
        rules: &Rules<'_>,
        patch: &Patch<'_>,
    ) -> Plan {
        let law = rules.law;
        let mut plan = Plan::default();
        let view = self.look(patch);
        let mut left = [0.0; LANES];
        for (left, walked) in left.iter_mut().zip(&self.walked).take(self.running) {
            *left = law.water_left[*walked as usize];
        }
        let (kept, step) = (law.heading_kept, law.step);
        for lane in 0..LANES {
            let old = [self.heading_x[lane], self.heading_y[lane]];
            let [x, y] = steer(kept, old, view.east[lane], view.south[lane]);
            (plan.heading_x[lane], plan.heading_y[lane]) = (x, y);
            plan.x[lane] = self.x[lane] + x * step;
            plan.y[lane] = self.y[lane] + y * step;
        }
        let mut arrival = self.heights(patch, &view.base, &patch.spots(&plan.x, &plan.y));
        let (energy, speed_kept, drive) = (self.speed_squared, law.speed_kept, law.drive);
        for lane in 0..LANES {
            let drop = view.above[lane] - arrival[lane];
            plan.speed_squared[lane] = speed_squared(energy[lane], drop, speed_kept, drive);
        }
        let (mut odd, running, map) = (0, self.running as u32, rules.map);
        for lane in 0..LANES {
            let goes = map.hold(plan.x[lane], plan.y[lane]) & (plan.speed_squared[lane] > 0.0);
            odd |= u32::from(!goes) & u32::from((lane as u32) < running);
        }
        if VARIED || odd != 0 {
            for lane in 0..self.running {
                if let Err(stop) =
                    self.reconsider::<VARIED>(lane, rules, patch, &view, &mut arrival, &mut plan)
                {
                    self.stop(lane, stop);
                }
            }
        }
        let (mut x, mut y) = (self.x, self.y);
        for lane in 0..LANES {
            // Half a step off, and half the cell size would be other terrain.
            let falls = u32::from(view.above[lane] - arrival[lane] > 0.0).wrapping_neg();
            x[lane] = choose(falls, 0.5 * (x[lane] + plan.x[lane]), x[lane]);
            y[lane] = choose(falls, 0.5 * (y[lane] + plan.y[lane]), y[lane]);
        }
        let strokes = patch.spots(&x, &y);
        self.exchange(rules, &view, &strokes, &arrival, &left, &mut plan);
        if self.any_stopped {
            for lane in 0..self.running {
                if self.stops[lane].is_some() {
                    plan.rest(lane, self);
                }
            }
        }
        plan
    }

    /// The ground that each droplet stands on.
    #[inline(always)]
    fn look(&self, patch: &Patch<'_>) -> View {
        let here = patch.spots(&self.x, &self.y);
        let mut base = [0; LANES];
        // Droplet by droplet: a row of four heights is one vector.
        let (mut middle, mut down) = ([[0.0; 4]; LANES], [[0.0; 4]; LANES]);
        for lane in 0..self.running {
            let (height, lines) = patch.around(here.column[lane], here.row[lane]);
            let south = here.south[lane];
            let [north, upper, lower, below] = lines;
            base[lane] = height;
            for i in 0..4 {
                middle[lane][i] = mix(upper[i], lower[i], south);
            }
            for i in 0..4 {
                down[lane][i] = mix(lower[i] - north[i], below[i] - upper[i], south);
            }
        }
        let (mut above, mut slope_x, mut slope_y) = ([0.0; LANES], [0.0; LANES], [0.0; LANES]);
        for lane in 0..LANES {
            let (east, row, down) = (here.east[lane], middle[lane], down[lane]);
            above[lane] = mix(row[1], row[2], east);
            slope_x[lane] = 0.5 * mix(row[2] - row[0], row[3] - row[1], east);
            slope_y[lane] = 0.5 * mix(down[1], down[2], east);
        }
        View { base, above, east: slope_x, south: slope_y }
    }

    /// Heights at `spots` above `base`.
    #[inline(always)]
    fn heights(&self, patch: &Patch<'_>, base: &Each<i32>, spots: &Spots) -> Each<f32> {
        let (mut north, mut south) = ([[0; 2]; LANES], [[0; 2]; LANES]);
        for lane in 0..self.running {
            [north[lane], south[lane]] = patch.corners(spots.column[lane], spots.row[lane]);
        }
        let mut heights = [0.0; LANES];
        for lane in 0..LANES {
            let along = |[west, east]: [i32; 2]| {
                let (west, east) = (west.wrapping_sub(base[lane]), east.wrapping_sub(base[lane]));
                mix(west as f32, east as f32, spots.east[lane])
            };
            heights[lane] = mix(along(north[lane]), along(south[lane]), spots.south[lane]);
        }
        heights
    }

    /// Whether and how a droplet goes on that may leave the map, may be too
    /// slow to get where it is heading, or may come to ground under a mask.
    #[inline(always)]
    fn reconsider<const VARIED: bool>(
        &self,
        lane: usize,
        rules: &Rules<'_>,
        patch: &Patch<'_>,
        view: &View,
        arrival: &mut Each<f32>,
        plan: &mut Plan,
    ) -> Result<(), Stop> {
        if !rules.map.hold(plan.x[lane], plan.y[lane]) {
            return Err(Stop::Left);
        }
        if plan.speed_squared[lane] <= 0.0 {
            let (east, south) = (view.east[lane], view.south[lane]);
            let place = Place { base: view.base[lane], above: view.above[lane], east, south };
            arrival[lane] = self.restart(lane, rules, patch, place, plan)?;
        }
        if VARIED {
            let cell = patch.nearest(plan.x[lane], plan.y[lane]);
            if patch.acceptance[cell] <= 0.0 {
                return Err(Stop::Crossed(cell));
            }
        }
        Ok(())
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
        view: &View,
        strokes: &Spots,
        arrival: &Each<f32>,
        left: &Each<f32>,
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
        let (base, departure, arrival, left) = (view.base, view.above, *arrival, *left);
        let (mut waters, loads) = (self.water, self.load);
        let (mut momentum, mut amounts, mut cutting) = ([0.0; LANES], [0.0; LANES], [0; LANES]);
        let mut limit = [0; LANES];
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
            let above = choose(ahead[lane], departure[lane], arrival[lane]) as i32;
            let height = base[lane].saturating_add(above);
            limit[lane] = if height > FLOOR { height } else { FLOOR };
        }
        (plan.water, plan.momentum, plan.amount, plan.cuts) = (waters, momentum, amounts, cutting);
        plan.limit = limit;
        plan.place_strokes([brush, layer_brush], strokes);
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
}

impl Plan {
    /// Puts the strokes at their `spots`.
    #[inline(always)]
    fn place_strokes(&mut self, [brush, layer_brush]: [&Brush; 2], spots: &Spots) {
        let (cuts, spots) = (self.cuts, *spots);
        let (places, layer_places) = (brush.places as i32, layer_brush.places as i32);
        let mut stamp = [0; LANES];
        for lane in 0..LANES {
            let places = choose_whole(cuts[lane], places, layer_places);
            let place = |t: f32| ((t * places as f32) as i32).max(0).min(places - 1);
            stamp[lane] = place(spots.south[lane]) * places + place(spots.east[lane]);
        }
        (self.column, self.row, self.stamp) = (spots.column, spots.row, stamp);
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
