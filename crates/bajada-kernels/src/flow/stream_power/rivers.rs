//! Rivers: what a step takes from the ground, and what they lay down of it.
//!
//! # Model
//!
//! `U - K A^m S^n + G Q / A` (Davy & Lague 2009; Yuan et al. 2019): `Q` is the
//! sediment that comes down from all ground above, the cell's own included.
//! With G = 0 all that is taken leaves the map at once.
//!
//! # Discretisation
//!
//! - The heights are solved from the outlets up, one receiver each (see
//!   [`super::drop`]); the sediment runs from the ridges down, along the spread
//!   that made the area, so that `Q = U A` at steady state wherever a receiver
//!   was drawn.
//! - The two are repeated in turn until neither moves the other, from what
//!   was laid down in the step before.
//! - What enters a lake fills it, all of its depth by the same share; the rest
//!   runs on past the sill.

use bajada_grid::{Grid, math, par};

use super::super::basins::NO_BASIN;
use super::super::mfd::SHARES;
use super::super::power::raise;
use super::super::{OUT, Outlets, strides, toward};
use super::StreamPowerConfig;
use super::bedrock::PerCell;
use super::drop::drop_left;
use super::level::{Carriage, Routes};

/// Most turns of erosion and deposition in one step: each leaves
/// G / (1 + G) of the miss, and the next step begins where this one ended.
const MOST_TURNS: u32 = 8;

/// Change of what is laid down that ends the turns, as a share of its mean.
const CLOSE: f64 = 1e-4;

/// The rivers of one level.
pub(super) struct Rivers<'a> {
    config: &'a StreamPowerConfig,
    /// `F` of each cell in this step.
    factors: Grid<f64>,
    /// Where rivers carry sediment.
    load: Option<Load>,
}

/// Sediment on its way.
struct Load {
    /// Ground at the start of the step, m.
    start: Grid<f64>,
    /// Thickness laid down in the step, m.
    laid: Grid<f64>,
    /// What leaves each cell in the step, as thickness over it, m.
    sent: Grid<f64>,
}

impl<'a> Rivers<'a> {
    /// Rivers that carry nothing yet, on the lattice of `like`.
    pub(super) fn new(config: &'a StreamPowerConfig, like: &Grid<f64>) -> Self {
        let zero = || like.like(0.0_f64);
        let load =
            (config.deposition > 0.0).then(|| Load { start: zero(), laid: zero(), sent: zero() });
        Self { config, factors: zero(), load }
    }

    /// Thickness that the rivers laid down on a cell in the last step, m.
    pub(super) fn laid(&self, index: usize) -> f64 {
        self.load.as_ref().map_or(0.0, |load| load.laid[index])
    }

    /// Uplift and the rivers' work of one step; `lift` tells how far each cell
    /// rises, `pull` what the rock says (see [`super::bedrock`]).
    pub(super) fn step(
        &mut self,
        heights: &mut Grid<f64>,
        routes: &Routes,
        outlets: &Outlets,
        lift: impl Fn(usize) -> f64 + Sync,
        pull: &PerCell,
    ) {
        let (areas, slopes) = (self.config.area_exponent as f32, self.config.slope_exponent);
        // A diagonal step is longer.
        let diagonal = math::pow(std::f64::consts::FRAC_1_SQRT_2, slopes);
        par::rows(&mut self.factors, |y, row| {
            let first = y * row.len();
            let mut powers: Vec<f32> = routes.area.row(y).iter().map(|&area| area as f32).collect();
            raise(&mut powers, areas);
            for (x, (factor, power)) in row.iter_mut().zip(powers).enumerate() {
                let is_diagonal = matches!(routes.directions[first + x], 0 | 2 | 5 | 7);
                let length = if is_diagonal { diagonal } else { 1.0 };
                *factor = pull.at(first + x) * f64::from(power) * length;
            }
        });
        let factors = &self.factors;
        let (Some(load), Some(carriage)) = (&mut self.load, &routes.carriage) else {
            incise(heights, routes, factors, slopes, |cell, here| here + lift(cell));
            return;
        };
        load.start.as_mut_slice().copy_from_slice(heights.as_slice());
        load.forget_lakes(carriage);
        for _ in 0..MOST_TURNS {
            let (start, laid) = (&load.start, &load.laid);
            incise(heights, routes, factors, slopes, |cell, _| {
                start[cell] + lift(cell) + laid[cell]
            });
            if load.lay(heights, routes, carriage, outlets, &lift, self.config.deposition) {
                break;
            }
        }
        let (start, laid) = (&load.start, &load.laid);
        incise(heights, routes, factors, slopes, |cell, _| start[cell] + lift(cell) + laid[cell]);
    }
}

/// Solves for the heights from the outlets up; `lifted` is where a cell would
/// stand without rivers.
fn incise(
    heights: &mut Grid<f64>,
    routes: &Routes,
    factors: &Grid<f64>,
    exponent: f64,
    lifted: impl Fn(usize, f64) -> f64,
) {
    if exponent == 1.0 {
        solve(heights, routes, lifted, |cell, lifted, below| {
            (lifted + factors[cell] * below) / (1.0 + factors[cell])
        });
    } else {
        solve(heights, routes, lifted, |cell, lifted, below| {
            below + drop_left(lifted - below, factors[cell], exponent)
        });
    }
}

fn solve(
    heights: &mut Grid<f64>,
    routes: &Routes,
    lifted: impl Fn(usize, f64) -> f64,
    settled: impl Fn(usize, f64, f64) -> f64,
) {
    let strides = strides(heights.domain());
    let cells = heights.as_mut_slice();
    for cell in routes.order.upstream() {
        let direction = routes.directions[cell];
        if direction >= OUT {
            continue;
        }
        let lifted = lifted(cell, cells[cell]);
        let below = cells[toward(cell, direction, &strides)];
        cells[cell] = if lifted > below { settled(cell, lifted, below) } else { lifted };
    }
}

impl Load {
    /// Takes back what the last step laid into lakes: this step's are others.
    fn forget_lakes(&mut self, carriage: &Carriage) {
        let (start, filled) = (&self.start, &carriage.filled);
        par::rows(&mut self.laid, |y, row| {
            for ((laid, filled), start) in row.iter_mut().zip(filled.row(y)).zip(start.row(y)) {
                *laid = if filled > start { 0.0 } else { *laid };
            }
        });
    }

    /// Lays down what the sediment from `heights` leaves on its way; whether
    /// that is what the heights were solved for.
    fn lay(
        &mut self,
        heights: &Grid<f64>,
        routes: &Routes,
        carriage: &Carriage,
        outlets: &Outlets,
        lift: &impl Fn(usize) -> f64,
        deposition: f64,
    ) -> bool {
        let domain = *heights.domain();
        let strides = strides(&domain);
        let unit = 1.0 / f64::from(SHARES);
        let rate = deposition * domain.cell_area();
        let lake = |cell: usize| {
            let flooded = carriage.filled[cell] > self.start[cell];
            if flooded { carriage.labels[cell] } else { NO_BASIN }
        };
        let mut lakes = Lakes::new(carriage.basins);
        for cell in (0..domain.len()).filter(|&cell| lake(cell) != NO_BASIN) {
            lakes.room[lake(cell) as usize] += carriage.filled[cell] - self.start[cell];
        }
        let (mut moved, mut sum) = (0.0, 0.0);
        for cell in routes.order.downstream() {
            let mine = lake(cell);
            let lifted = self.start[cell] + lift(cell) + self.laid[cell];
            let inner = outlets.is_inner(cell);
            let mut arrived = if inner { lifted - heights[cell] } else { 0.0 };
            for k in carriage.spread.donors(cell) {
                let donor = cell.wrapping_add_signed(strides[k]);
                let share = carriage.spread.sent(donor, k);
                let theirs = lake(donor);
                if theirs == NO_BASIN {
                    arrived += f64::from(share) * unit * self.sent[donor];
                } else if theirs != mine {
                    arrived += lakes.spill(theirs);
                }
            }
            if mine != NO_BASIN {
                lakes.arrived[mine as usize] += arrived;
            } else {
                // In proportion to what leaves the cell, not to what arrives;
                // all of it where no water comes.
                let share = if inner { rate / (routes.area[cell] + rate) } else { 0.0 };
                let laid = arrived * share;
                moved += (laid - self.laid[cell]).abs();
                sum += laid;
                self.sent[cell] = arrived - laid;
                self.laid[cell] = laid;
            }
        }
        for cell in 0..domain.len() {
            let depth = carriage.filled[cell] - self.start[cell];
            if depth > 0.0 {
                let laid = depth * lakes.filled(carriage.labels[cell]);
                moved += (laid - self.laid[cell]).abs();
                sum += laid;
                self.laid[cell] = laid;
            }
        }
        moved <= CLOSE * sum
    }
}

/// The lakes of a step, by basin, in thickness over a cell.
struct Lakes {
    /// What would fill them.
    room: Vec<f64>,
    arrived: Vec<f64>,
    spilled: Vec<f64>,
}

impl Lakes {
    fn new(basins: usize) -> Self {
        let zero = || vec![0.0; basins];
        Self { room: zero(), arrived: zero(), spilled: zero() }
    }

    /// What a lake can no longer hold and has not sent on yet. A cell beyond a
    /// sill comes after all of the lake that drains to it.
    fn spill(&mut self, lake: u32) -> f64 {
        let lake = lake as usize;
        let rest = math::max(self.arrived[lake] - self.room[lake] - self.spilled[lake], 0.0);
        self.spilled[lake] += rest;
        rest
    }

    /// Share of its depth that a lake is filled by.
    fn filled(&self, lake: u32) -> f64 {
        let lake = lake as usize;
        math::clamp(self.arrived[lake] / self.room[lake], 0.0, 1.0)
    }
}
