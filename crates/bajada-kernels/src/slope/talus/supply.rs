//! How much each cell can give away where the loose layer on the rock is thin.
//!
//! The debris that leaves a cell can be no more than what lay there and what
//! came. A sweep keeps to it with what it finds: an edge that debris already
//! leaves by keeps its share of what there is, and a quarter of what is left
//! over may leave by each edge on top. A corner takes no notice of rises whose
//! upper cell has nothing to give, so that a wall of bare rock does not drag
//! the debris along its foot.

use super::lanes::{Cells, Fluxes, LANES, Lanes, cells};

/// Share of what is left over that one sweep lets go by an edge. Debris leaves
/// by two edges, each of which is held by two corners; half as much is slower,
/// twice as much overdraws and swings.
const SHARE: f64 = 0.25;

/// A layer thinner than this (m) has nothing to give: a flux is no more exact.
const LEAST: f64 = 1e-9;

/// What each cell of a window can give away.
pub(super) struct Supply {
    /// Share of the debris leaving that is there, 0 if nothing is.
    ratio: Vec<Lanes>,
    /// What may leave on top by each edge, m.
    spare: Vec<Lanes>,
}

impl Supply {
    /// Nothing anywhere.
    pub(super) fn new(len: usize) -> Self {
        Self { ratio: vec![[0.0; LANES]; len], spare: vec![[0.0; LANES]; len] }
    }

    /// Sets a piece to what lies there at the start.
    pub(super) fn fill(&mut self, here: usize, loose: &Lanes) {
        self.set(here, loose, &[0.0; LANES]);
    }

    /// Makes a piece follow the fluxes of the corners `around` it (own, above,
    /// beside, above and beside), which have `change`d its cells.
    pub(super) fn follow(
        &mut self,
        around: [&Fluxes; 4],
        here: usize,
        loose: &Lanes,
        change: &Lanes,
    ) {
        let [own, upper, beside, above] = around;
        let mut layer = [0.0; LANES];
        let mut leaving = [0.0; LANES];
        for lane in 0..LANES {
            layer[lane] = loose[lane] + change[lane];
            let from_own = back(own[0][lane]) + back(own[1][lane]);
            let from_upper = back(upper[2][lane]) + forth(upper[0][lane]);
            leaving[lane] = from_own + from_upper;
        }
        let (north, east) = (west_of(&own[1], &beside[1]), west_of(&own[3], &beside[3]));
        let (south, upper_east) = (west_of(&upper[2], &above[2]), west_of(&upper[3], &above[3]));
        for lane in 0..LANES {
            let from_beside = back(east[lane]) + forth(north[lane]);
            let from_above = forth(south[lane]) + forth(upper_east[lane]);
            leaving[lane] += from_beside + from_above;
        }
        self.set(here, &layer, &leaving);
    }

    fn set(&mut self, here: usize, layer: &Lanes, leaving: &Lanes) {
        let (ratio, spare) = (&mut self.ratio[here], &mut self.spare[here]);
        for lane in 0..LANES {
            let there = layer[lane] + leaving[lane];
            let share = if layer[lane] < 0.0 { there / leaving[lane] } else { 1.0 };
            ratio[lane] = if there > LEAST { share } else { 0.0 };
            spare[lane] = SHARE * forth(layer[lane]);
        }
    }

    /// Ratio and spare of the cells of a piece of corners.
    #[inline(always)]
    pub(super) fn cells(&self, here: usize, stride: usize) -> [Cells<'_>; 2] {
        [cells(&self.ratio, here, stride), cells(&self.spare, here, stride)]
    }
}

#[inline(always)]
fn forth(flux: f64) -> f64 {
    if flux > 0.0 { flux } else { 0.0 }
}

#[inline(always)]
fn back(flux: f64) -> f64 {
    forth(-flux)
}

/// The samples one to the west of a piece, the first from the piece `beside`.
#[inline(always)]
fn west_of(own: &Lanes, beside: &Lanes) -> Lanes {
    std::array::from_fn(|lane| lane.checked_sub(1).map_or(beside[LANES - 1], |west| own[west]))
}

/// What the upper cell of each edge has, `flux` telling which it is.
#[inline(always)]
fn donor([upper, lower]: Cells<'_>, edge: usize, lane: usize, flux: f64) -> f64 {
    let [ahead, behind] = match edge {
        0 => [lower[lane], upper[lane]],
        1 => [upper[lane + 1], upper[lane]],
        2 => [lower[lane + 1], lower[lane]],
        _ => [lower[lane + 1], upper[lane + 1]],
    };
    if flux > 0.0 { ahead } else { behind }
}

/// Takes out of `pushed` what would leave a cell that has nothing.
#[inline(never)]
pub(super) fn gate(pushed: &mut Fluxes, [ratio, _]: [Cells<'_>; 2]) {
    for (edge, pushed) in pushed.iter_mut().enumerate() {
        for (lane, flux) in pushed.iter_mut().enumerate() {
            *flux = if donor(ratio, edge, lane, *flux) > 0.0 { *flux } else { 0.0 };
        }
    }
}

/// Cuts the `next` fluxes to what their cells can give, given those of `now`.
#[inline(never)]
pub(super) fn cap(next: &mut Fluxes, now: &Fluxes, [ratio, spare]: [Cells<'_>; 2]) {
    for edge in 0..4 {
        for lane in 0..LANES {
            let flux = next[edge][lane];
            let kept = if flux > 0.0 { forth(now[edge][lane]) } else { back(now[edge][lane]) };
            let most = kept * donor(ratio, edge, lane, flux) + donor(spare, edge, lane, flux);
            let over = if flux > most { most } else { flux };
            next[edge][lane] = if over < -most { -most } else { over };
        }
    }
}

/// Takes out of `rises` those whose upper cell is all but bare: its layer is
/// thinner than a thirtieth of what a cell at repose rises.
#[inline(never)]
pub(super) fn hold(rises: &mut Fluxes, [_, spare]: [Cells<'_>; 2], limits: &Lanes) {
    for (edge, rises) in rises.iter_mut().enumerate() {
        for (lane, rise) in rises.iter_mut().enumerate() {
            let bare = donor(spare, edge, lane, *rise) < 0.1 * limits[lane];
            *rise = if bare { 0.0 } else { *rise };
        }
    }
}
