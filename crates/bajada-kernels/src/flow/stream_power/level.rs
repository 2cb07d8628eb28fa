//! One level: the fields on its lattice, and its steps.

use bajada_grid::{Cancelled, Grid, Stream, Task, math, par, sample};

use super::super::power::power;
use super::super::{
    OUT, Order, Outlets, basins, dinf, drainage_area, drainage_cells, flats, mfd, steepest,
    strides, toward,
};
use super::book::Pages;
use super::hillslope::{Creep, slide};
use super::schedule::Stage;
use super::{Ground, Routing, StreamPowerConfig, base_level};

/// Where the water of a surface goes.
pub(super) struct Routes {
    pub directions: Grid<u8>,
    pub order: Order,
    /// Drainage area, m2.
    pub area: Grid<f64>,
}

/// The fields of one level.
pub(super) struct Level<'a> {
    config: &'a StreamPowerConfig,
    stage: Stage,
    outlets: Outlets,
    /// Share of the uplift; 0 on the base level.
    shares: Grid<f32>,
    /// `K` times the length of a step over the size of a cell.
    pull: Grid<f32>,
}

impl<'a> Level<'a> {
    /// The fields of `ground` on the lattice of `stage`, where it has come to
    /// stand at `heights`.
    pub(super) fn new(
        ground: &Ground<'_>,
        heights: &Grid<f64>,
        config: &'a StreamPowerConfig,
        stage: &Stage,
    ) -> Self {
        let here = |field: &Grid<f32>| {
            if *field.domain() == stage.domain {
                field.clone()
            } else {
                sample::resize(field, stage.domain)
            }
        };
        let uplift = ground.uplift.map(here);
        let outlets = base_level(heights, uplift.as_ref(), config.edge);
        let mut shares = heights.like(0.0_f32);
        par::map(&mut shares, |index| match &uplift {
            _ if !outlets.is_inner(index) => 0.0,
            Some(uplift) => math::clamp(uplift[index], 0.0, 1.0),
            None => 1.0,
        });
        let hardness = ground.hardness.map(here);
        let full = config.erodibility * stage.step / stage.domain.cell_size();
        let mut pull = heights.like(full as f32);
        if let Some(hardness) = hardness {
            par::map(&mut pull, |index| {
                (full * crate::rock::erodibility_factor(f64::from(hardness[index]))) as f32
            });
        }
        Self { config, stage: *stage, outlets, shares, pull }
    }

    /// Share of the uplift that a cell gets.
    pub(super) fn share(&self, index: usize) -> f64 {
        f64::from(self.shares[index])
    }

    /// Highest ground above the mean base level, m.
    pub(super) fn relief(&self, heights: &Grid<f64>) -> f64 {
        let len = heights.domain().len();
        let held = |index: usize| self.outlets.is_outlet(index);
        let count = par::sum(len, |index| if held(index) { 1.0 } else { 0.0 });
        let sum = par::sum(len, |index| if held(index) { heights[index] } else { 0.0 });
        // Every map has an outlet.
        par::max(len, f64::NEG_INFINITY, |index| heights[index]) - sum / count
    }

    /// Where the water of `heights` goes; `step` counts the draws.
    pub(super) fn route(&self, heights: &Grid<f64>, stream: Stream, step: u64) -> Routes {
        let filled = basins(heights, &self.outlets).fill(heights);
        let flats = flats::directions(&filled, &self.outlets);
        match self.config.routing {
            Routing::Drawn => {
                let directions = dinf::drawn(&filled, &flats, stream, step);
                let spread = mfd::spread(&filled, &flats, mfd::FREEMAN);
                // An order of the spread is one of the tree: every receiver
                // that can be drawn has a share.
                let order = Order::of_spread(&spread, &filled);
                let area = drainage_area(&spread, &order, &filled);
                Routes { directions, order, area }
            }
            Routing::Steepest => {
                let directions = steepest::directions(&filled, &flats);
                let order = Order::of_tree(&directions);
                let cells = drainage_cells(&directions, &order);
                let mut area = filled;
                let cell_area = area.domain().cell_area();
                par::map(&mut area, |index| cells[index] as f64 * cell_area);
                Routes { directions, order, area }
            }
        }
    }

    /// Runs all steps from `heights` with an uplift of `rate`.
    pub(super) fn run(
        &self,
        task: &Task,
        mut heights: Grid<f64>,
        rate: f64,
        stream: Stream,
    ) -> Result<(Grid<f64>, Pages), Cancelled> {
        let len = heights.domain().len();
        let mut pages = Pages { cells: len, ..Pages::default() };
        let creep = Creep::new(&heights, &self.outlets, self.config.diffusivity, self.stage.step);
        let lift = rate * self.stage.step;
        let lifted_in_a_step = lift * par::sum(len, |index| self.share(index));
        let mut before = heights.like(0.0_f64);
        let mut scratch = heights.like(0.0_f64);
        for step in 0..u64::from(self.stage.steps) {
            task.check()?;
            let routes = self.route(&heights, stream, step);
            task.check()?;
            before.as_mut_slice().copy_from_slice(heights.as_slice());
            self.incise(&mut heights, &routes, lift, &mut scratch);
            pages.brought_in += lifted_in_a_step;
            let taken =
                par::sum(len, |index| (before[index] + lift * self.share(index)) - heights[index]);
            pages.eroded += taken;
            pages.exported += taken;

            before.as_mut_slice().copy_from_slice(heights.as_slice());
            let left = creep.step(&mut heights, &mut scratch, &self.outlets);
            if left > 0.0 {
                pages.exported += left;
            } else {
                pages.brought_in -= left;
            }
            pages.eroded += par::sum(len, |index| math::max(before[index] - heights[index], 0.0));
            pages.deposited +=
                par::sum(len, |index| math::max(heights[index] - before[index], 0.0));

            task.check()?;
            before.as_mut_slice().copy_from_slice(heights.as_slice());
            slide(&mut heights, &self.outlets, self.config.repose);
            let slid = par::sum(len, |index| before[index] - heights[index]);
            pages.eroded += slid;
            pages.exported += slid;
            task.advance(len as u64);
        }
        Ok((heights, pages))
    }

    /// Uplift and the rivers' work of one step, from the outlets up.
    fn incise(&self, heights: &mut Grid<f64>, routes: &Routes, lift: f64, factors: &mut Grid<f64>) {
        const DIAGONAL: f64 = std::f64::consts::FRAC_1_SQRT_2;
        let strides = strides(heights.domain());
        let exponent = self.config.area_exponent;
        par::map(factors, |index| {
            let direction = routes.directions[index];
            let diagonal = matches!(direction, 0 | 2 | 5 | 7);
            let pull = f64::from(self.pull[index]) * power(routes.area[index], exponent);
            if diagonal { pull * DIAGONAL } else { pull }
        });
        let cells = heights.as_mut_slice();
        for cell in routes.order.upstream() {
            let direction = routes.directions[cell];
            if direction >= OUT {
                continue;
            }
            let lifted = cells[cell] + lift * f64::from(self.shares[cell]);
            let below = cells[toward(cell, direction, &strides)];
            let factor = factors[cell];
            cells[cell] =
                if lifted > below { (lifted + factor * below) / (1.0 + factor) } else { lifted };
        }
    }
}
