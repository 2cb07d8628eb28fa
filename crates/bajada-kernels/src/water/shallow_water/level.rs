//! One lattice and the time that it runs for.

use bajada_grid::quantum::Quantum;
use bajada_grid::{Cancelled, Grid, Task, math, par, sample};

use super::fields::{Fields, WALL};
use super::law::{GRAVITY, Step};
use super::shear::Blur;
use super::stage::Stage;
use super::tiles::{STEPS_PER_ROUND, Tally, Tiles};
use super::{Basin, ShallowWaterConfig, Side};
use crate::rock::erodibility_factor;

/// Share of the time in which a wave crosses a cell that a step takes: 0.7 is
/// the limit, and depths grow between two choices.
const WAVE_COURANT: f64 = 0.6;

/// Share of the time in which a current crosses a cell that a step takes: what
/// leaves over a face is held to a quarter, and would be cut off.
const CURRENT_COURANT: f64 = 0.22;

/// Depth that a step of time is chosen for at least, m: a dry map is to be
/// ready for what falls on it.
const LEAST_DEPTH: f64 = 0.02;

/// Velocity that a step of time is chosen for at least, m/s: so much a current
/// gains before the next choice.
const LEAST_VELOCITY: f64 = 0.5;

/// How often rock that changes with depth is asked for at the surface reached.
const LOOKS_AT_ROCK: f64 = 24.0;

/// A lattice while water runs over it.
pub(super) struct Level<'a> {
    basin: &'a Basin<'a>,
    config: &'a ShallowWaterConfig,
    quantum: Quantum,
    pub(super) fields: Fields,
    domain: bajada_grid::Domain,
    time: f64,
    carries: bool,
}

/// What a level did.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Done {
    pub(super) tally: Tally,
    pub(super) steps: u32,
    /// Time that the steps did not suffice for, s.
    pub(super) left: f64,
}

impl<'a> Level<'a> {
    /// A lattice that `stage` describes, with what is `suspended` at the start.
    pub(super) fn new(
        basin: &'a Basin<'a>,
        config: &'a ShallowWaterConfig,
        quantum: Quantum,
        stage: &Stage,
        suspended: Option<&Grid<f64>>,
    ) -> Self {
        let domain = stage.domain;
        let mut fields = Fields::new(domain.width() + 2, domain.height() + 2);
        fields.bed.fill(WALL);
        let rain = basin.rain.map(|rain| sample::onto(rain, &stage.bed));
        for y in 0..domain.height() {
            let start = fields.span(y + 1, &(1..2)).start;
            for x in 0..domain.width() {
                let (cell, index) = (start + x, domain.index(x, y));
                if stage.void[index] {
                    continue;
                }
                fields.bed[cell] = stage.bed[index];
                fields.water[cell] = stage.water[index];
                fields.loose[cell] = stage.loose[index];
                fields.suspended[cell] = suspended.map_or(0.0, |suspended| suspended[index]);
                fields.free[cell] = stage.free[index];
                fields.rock[cell] = 1.0;
                let share = rain.as_ref().map_or(1.0, |rain| math::max(rain[index], 0.0));
                fields.rain[cell] = math::max(config.rain, 0.0) as f32 * share;
            }
        }
        let carries = config.erodibility > 0.0 || suspended.is_some();
        let mut level = Self { basin, config, quantum, fields, domain, time: stage.time, carries };
        level.surround(stage);
        level
    }

    /// Puts beyond the map's edge what its sides ask for.
    fn surround(&mut self, stage: &Stage) {
        let (width, height) = (self.domain.width(), self.domain.height());
        let ring = self.fields.width;
        let padded = |x: usize, y: usize| y * ring + x;
        // Each ghost with its side, the cell beside it and the next one inwards.
        let columns = (0..width).flat_map(|x| {
            let (in_north, in_south) = (1.min(height - 1), height.saturating_sub(2));
            [
                (padded(x + 1, 0), 0, [x, 0], [x, in_north]),
                (padded(x + 1, height + 1), 2, [x, height - 1], [x, in_south]),
            ]
        });
        let rows = (0..height).flat_map(|y| {
            let (in_west, in_east) = (1.min(width - 1), width.saturating_sub(2));
            [
                (padded(width + 1, y + 1), 1, [width - 1, y], [in_east, y]),
                (padded(0, y + 1), 3, [0, y], [in_west, y]),
            ]
        });
        for (ghost, side, [x, y], [inner_x, inner_y]) in columns.chain(rows) {
            if stage.void.at(x, y) {
                continue;
            }
            let edge = stage.bed.at(x, y);
            let inner =
                if stage.void.at(inner_x, inner_y) { edge } else { stage.bed.at(inner_x, inner_y) };
            match self.config.sides[side] {
                Side::Wall => {}
                // The slope goes on; where the ground rises outwards it does not.
                Side::Outflow => self.fields.bed[ghost] = edge - math::max(inner - edge, 0.0),
                Side::Fixed(level) => {
                    self.fields.bed[ghost] = edge;
                    let depth = math::clamp(level - edge, 0.0, self.quantum.limit());
                    self.fields.water[ghost] = self.quantum.nearest(depth);
                }
            }
        }
    }

    /// Runs the level's time.
    pub(super) fn run(&mut self, task: &Task) -> Result<Done, Cancelled> {
        let cell_size = self.domain.cell_size();
        let mut tiles = Tiles::new(&self.fields);
        let mut blur = Blur::new(self.config.bank_width, cell_size, self.fields.bed.len());
        let columns = self.basin.hardness.map(|rock| rock.columns(&self.surface()));
        let deepest = self.fields.water.iter().copied().fold(0.0, math::max);
        let mut done = Done { left: self.time, ..Done::default() };
        let mut tally = Tally { deepest: deepest as f32, ..Tally::default() };
        let mut looked = f64::INFINITY;
        while done.left > 0.0 && done.steps < self.config.steps {
            if let (Some(rock), Some(columns)) = (self.basin.hardness, &columns)
                && self.carries
                && looked - done.left >= self.time / LOOKS_AT_ROCK
                && (looked == f64::INFINITY || rock.changes_with_depth())
            {
                looked = done.left;
                let hardness = rock.at_surface_in(&self.surface(), columns);
                self.meet(&hardness);
                tiles.reload();
            }
            let wave = (GRAVITY * math::max(f64::from(tally.deepest), LEAST_DEPTH)).sqrt();
            let current = math::max(f64::from(tally.fastest), LEAST_VELOCITY);
            let time =
                math::min(WAVE_COURANT * cell_size / wave, CURRENT_COURANT * cell_size / current);
            let round = f64::from(STEPS_PER_ROUND) * time;
            let (time, left) = if round < done.left {
                (time, done.left - round)
            } else {
                (done.left / f64::from(STEPS_PER_ROUND), 0.0)
            };
            let step = Step::new(
                self.config,
                cell_size,
                time,
                STEPS_PER_ROUND,
                self.carries,
                self.quantum,
            );
            tally = tiles.round(task, &mut self.fields, &step, &mut blur)?;
            done.tally.add(&tally);
            done.steps = done.steps.saturating_add(STEPS_PER_ROUND);
            // One count for each of a thousand parts of the level's time.
            let part = |left: f64| (1000.0 * (1.0 - left / self.time)) as u64;
            task.advance(part(left).saturating_sub(part(done.left)));
            done.left = left;
        }
        Ok(done)
    }

    /// The map's cells of a field that has a ring around it.
    pub(super) fn inner(&self, of: impl Fn(&Fields, usize) -> f64 + Sync) -> Grid<f64> {
        let mut grid = self.basin.elevation.like_on(self.domain, 0.0_f64);
        par::rows(&mut grid, |y, row| {
            let start = self.fields.span(y + 1, &(1..2)).start;
            for (x, cell) in row.iter_mut().enumerate() {
                *cell = of(&self.fields, start + x);
            }
        });
        grid
    }

    /// How far each cell has risen above the `bed` of the start, m.
    pub(super) fn risen(&self, stage: &Stage) -> Grid<f64> {
        let mut risen = self.inner(|fields, cell| fields.bed[cell]);
        par::rows(&mut risen, |y, row| {
            for (x, cell) in row.iter_mut().enumerate() {
                *cell = if stage.void.at(x, y) { 0.0 } else { *cell - stage.bed.at(x, y) };
            }
        });
        risen
    }

    fn surface(&self) -> Grid<f32> {
        self.inner(|fields, cell| if fields.bed[cell] < WALL { fields.bed[cell] } else { 0.0 })
            .to_f32()
    }

    fn meet(&mut self, hardness: &Grid<f32>) {
        let mut yields = hardness.like(0.0_f32);
        par::map(&mut yields, |index| erodibility_factor(f64::from(hardness[index])) as f32);
        for y in 0..self.domain.height() {
            let row = self.fields.span(y + 1, &(1..self.domain.width() + 1));
            self.fields.rock[row].copy_from_slice(yields.row(y));
        }
    }
}
