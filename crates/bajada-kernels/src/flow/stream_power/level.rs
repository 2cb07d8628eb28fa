//! One level: the fields on its lattice, and its steps.

use bajada_grid::{Cancelled, Grid, Stream, Task, math, par, sample};

use super::super::mfd::Spread;
use super::super::order::{accumulate, accumulate_spread};
use super::super::{
    Order, Outlets, basins, dinf, drainage_area, drainage_cells, flats, mfd, steepest,
};
use super::bedrock::Bedrock;
use super::book::Pages;
use super::course::Course;
use super::frame::Frame;
use super::hillslope::{Creep, slide};
use super::rivers::Rivers;
use super::schedule::Stage;
use super::{Ground, Routing, StreamPowerConfig, base_level};

/// Where the water of a surface goes.
pub(super) struct Routes {
    pub directions: Grid<u8>,
    pub order: Order,
    /// Drainage area, weighted by the rain, m2.
    pub area: Grid<f64>,
    /// Where sediment goes, if rivers lay any down.
    pub carriage: Option<Carriage>,
}

/// What sediment meets on its way.
pub(super) struct Carriage {
    pub spread: Spread,
    /// The ground with its hollows filled, m.
    pub filled: Grid<f64>,
    /// Basin of each cell.
    pub labels: Grid<u32>,
    /// How many basins there are.
    pub basins: usize,
}

/// What a level keeps to.
pub(super) struct Steered<'a> {
    pub course: &'a Course,
    /// The ground before all began, on the level's lattice, m.
    pub start: Grid<f64>,
}

/// The fields of one level.
pub(super) struct Level<'a> {
    config: &'a StreamPowerConfig,
    stage: Stage,
    outlets: Outlets,
    /// Cells that belong to the map, not to its margin.
    counted: Grid<bool>,
    /// How many they are.
    count: f64,
    /// Share of the uplift; 0 on the base level.
    shares: Grid<f32>,
    /// How far each cell falls by the end, m.
    subsidence: Option<Grid<f32>>,
    /// Area of each cell times its rain over the mean, m2; none is plain area.
    supply: Option<Grid<f64>>,
    rock: Bedrock<'a>,
}

impl<'a> Level<'a> {
    /// The fields of `ground` on the lattice of `stage`, where it has come to
    /// stand at `heights`.
    pub(super) fn new(
        ground: &Ground<'a>,
        heights: &Grid<f64>,
        frame: &Frame,
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
        let subsidence = ground.subsidence.map(|field| {
            let mut depth = here(field);
            for cell in depth.as_mut_slice() {
                *cell = math::max(*cell, 0.0);
            }
            depth
        });
        let counted = frame.counted(heights);
        let count =
            par::sum(counted.domain().len(), |index| if counted[index] { 1.0 } else { 0.0 });
        let supply = ground.rain.map(|rain| supply(&here(rain)));
        let rock = Bedrock::new(ground.hardness, heights, config, stage);
        Self { config, stage: *stage, outlets, counted, count, shares, subsidence, supply, rock }
    }

    /// Share of the uplift that a cell gets.
    pub(super) fn share(&self, index: usize) -> f64 {
        f64::from(self.shares[index])
    }

    /// How far a cell falls by the end, m.
    pub(super) fn subsidence(&self, index: usize) -> f64 {
        self.subsidence.as_ref().map_or(0.0, |depth| f64::from(depth[index]))
    }

    /// Highest ground of the map above the mean base level, m.
    pub(super) fn relief(&self, heights: &Grid<f64>) -> f64 {
        let crest = par::max(heights.domain().len(), f64::NEG_INFINITY, |index| {
            if self.counted[index] { heights[index] } else { f64::NEG_INFINITY }
        });
        crest - self.mean_of_base(|index| heights[index])
    }

    /// Relief that the base level's fall after `steps` of this level adds, m.
    fn relief_to_come(&self, steps: u64) -> f64 {
        let left = 1.0 - self.stage.fallen_after(steps);
        math::max(left, 0.0) * self.mean_of_base(|index| self.subsidence(index))
    }

    fn mean_of_base(&self, value: impl Fn(usize) -> f64 + Sync) -> f64 {
        let len = self.shares.domain().len();
        let held = |index: usize| self.outlets.is_outlet(index);
        // Every map has an outlet.
        let count = par::sum(len, |index| if held(index) { 1.0 } else { 0.0 });
        par::sum(len, |index| if held(index) { value(index) } else { 0.0 }) / count
    }

    /// Sums over the cells of the map.
    fn sums<const N: usize>(&self, terms: impl Fn(usize) -> [f64; N] + Sync) -> [f64; N] {
        par::sums(self.counted.domain().len(), |index| {
            if self.counted[index] { terms(index) } else { [0.0; N] }
        })
    }

    /// Where the water of `heights` goes; `step` counts the draws.
    pub(super) fn route(&self, heights: &Grid<f64>, stream: Stream, step: u64) -> Routes {
        let basins = basins(heights, &self.outlets);
        let filled = basins.fill(heights);
        let flats = flats::directions(&filled, &self.outlets);
        let carries = self.config.deposition > 0.0;
        let (directions, order, area, spread) = match self.config.routing {
            Routing::Drawn => {
                let spread_out = || {
                    let spread = mfd::spread(&filled, &flats, mfd::FREEMAN);
                    // An order of the spread is one of the tree: every receiver
                    // that can be drawn has a share.
                    let order = Order::of_spread(&spread, &filled);
                    let area = match &self.supply {
                        Some(supply) => accumulate_spread(&spread, &order, supply),
                        None => drainage_area(&spread, &order, &filled),
                    };
                    (order, area, spread)
                };
                // The order is the work of one thread.
                let ((order, area, spread), directions) =
                    rayon::join(spread_out, || dinf::drawn(&filled, &flats, stream, step));
                (directions, order, area, carries.then_some(spread))
            }
            Routing::Steepest => {
                let directions = steepest::directions(&filled, &flats);
                let order = Order::of_tree(&directions);
                let area = match &self.supply {
                    Some(supply) => accumulate(&directions, &order, supply),
                    None => plain_area(&directions, &order, &filled),
                };
                let spread = carries.then(|| Spread::of_tree(&directions));
                (directions, order, area, spread)
            }
        };
        let count = basins.levels.len();
        let labels = basins.labels;
        let carriage = spread.map(|spread| Carriage { spread, filled, labels, basins: count });
        Routes { directions, order, area, carriage }
    }

    /// Drainage area of `heights` whatever the rain, m2.
    pub(super) fn drainage_area(mut self, heights: &Grid<f64>) -> Grid<f64> {
        self.supply = None;
        self.route(heights, Stream::new(0), 0).area
    }

    /// Mean over the map of how far the ground has fallen when the level begins, m.
    pub(super) fn mean_fallen(&self) -> f64 {
        let [sum] = self.sums(|index| [self.subsidence(index)]);
        self.stage.fallen * sum / self.count
    }

    /// Runs all steps from `heights` with an uplift of `rate`, `steered` where
    /// that is given.
    pub(super) fn run(
        &self,
        task: &Task,
        mut heights: Grid<f64>,
        rate: &mut f64,
        steered: Option<&Steered<'_>>,
        stream: Stream,
    ) -> Result<(Grid<f64>, Pages), Cancelled> {
        let len = heights.domain().len();
        let mut pages = Pages::new(self.count);
        let creep = Creep::new(
            &heights,
            &self.outlets,
            &self.counted,
            self.config.diffusivity,
            self.stage.step,
        );
        let steps = u64::from(self.stage.steps);
        let [shares, subsidence] = self.sums(|index| [self.share(index), self.subsidence(index)]);
        let mut rock = self.rock.clone();
        let mut rivers = Rivers::new(self.config, &heights);
        let [mut before, mut cut, mut crept] = [(); 3].map(|()| heights.like(0.0_f64));
        for step in 0..steps {
            task.check()?;
            let lift = *rate * self.stage.step;
            pages.shaped -= self.subside(&mut heights, step) * subsidence;
            let to_rise = *rate * self.stage.time_left(step);
            let (routes, ()) = rayon::join(
                || self.route(&heights, stream, step),
                || rock.meet(&heights, |index| to_rise * self.share(index)),
            );
            task.check()?;
            before.as_mut_slice().copy_from_slice(heights.as_slice());
            let lifts = |index: usize| lift * self.share(index);
            rivers.step(&mut heights, &routes, &self.outlets, lifts, &rock.pull);
            cut.as_mut_slice().copy_from_slice(heights.as_slice());
            let left = creep.step(&mut heights, &mut crept, &self.outlets);
            crept.as_mut_slice().copy_from_slice(heights.as_slice());
            task.check()?;
            slide(&mut heights, &self.outlets, &rock.rise);

            let [laid, taken, lost, gained, slid] = self.sums(|index| {
                let moved = crept[index] - cut[index];
                [
                    rivers.laid(index),
                    (before[index] + lift * self.share(index)) - cut[index],
                    math::max(-moved, 0.0),
                    math::max(moved, 0.0),
                    crept[index] - heights[index],
                ]
            });
            pages.raised += lift;
            pages.brought_in += lift * shares;
            if left > 0.0 {
                pages.exported += left;
            } else {
                pages.brought_in -= left;
            }
            // Net of what rivers laid down, `taken` leaves the map.
            pages.eroded += taken + laid + lost + slid;
            pages.deposited += laid + gained;
            pages.exported += taken + slid;
            if let Some(part) = Course::part_after(step, steps) {
                let relief = self.relief(&heights) + self.relief_to_come(step + 1);
                pages.course.note(part, relief);
                if let Some(Steered { course, start }) = steered
                    && let Some(factor) = course.correction(part, relief)
                {
                    self.scale(&mut heights, start, factor, step + 1);
                    pages.scale(factor);
                    *rate *= math::pow(factor, self.config.slope_exponent);
                }
            }
            task.advance(len as u64);
        }
        Ok((heights, pages))
    }

    /// Scales what has risen above the ground at `start`, which has fallen with
    /// its base level for `steps`.
    fn scale(&self, heights: &mut Grid<f64>, start: &Grid<f64>, factor: f64, steps: u64) {
        let fallen = self.stage.fallen_after(steps);
        par::rows(heights, |y, row| {
            let first = y * row.len();
            for (x, cell) in row.iter_mut().enumerate() {
                let ground = start.row(y)[x] - fallen * self.subsidence(first + x);
                *cell = ground + factor * (*cell - ground);
            }
        });
    }

    /// Lets the ground fall by what the step asks for; returns that as a share
    /// of all subsidence.
    fn subside(&self, heights: &mut Grid<f64>, step: u64) -> f64 {
        let fall = self.stage.fall(step);
        if let Some(depth) = &self.subsidence
            && fall > 0.0
        {
            par::rows(heights, |y, row| {
                for (cell, &depth) in row.iter_mut().zip(depth.row(y)) {
                    *cell -= fall * f64::from(depth);
                }
            });
        }
        fall
    }
}

/// Area of each cell times its rain over the mean rain.
fn supply(rain: &Grid<f32>) -> Grid<f64> {
    let len = rain.domain().len();
    let fallen = |index: usize| math::max(f64::from(rain[index]), 0.0);
    let mean = par::sum(len, fallen) / len as f64;
    let cell_area = rain.domain().cell_area();
    let mut supply = rain.like(cell_area);
    if mean > 0.0 {
        par::map(&mut supply, |index| cell_area * (fallen(index) / mean));
    }
    supply
}

/// Drainage area along a tree, m2.
fn plain_area(directions: &Grid<u8>, order: &Order, like: &Grid<f64>) -> Grid<f64> {
    let cells = drainage_cells(directions, order);
    let cell_area = like.domain().cell_area();
    let mut area = like.like(0.0_f64);
    par::map(&mut area, |index| cells[index] as f64 * cell_area);
    area
}
