//! The lattices from coarse to fine, and what passes from one to the next.
//!
//! Every second sample of a lattice is a sample of the coarser one. Going down,
//! the ground is taken at those samples, so that a preview on the coarser
//! lattice starts from the same ground. Coming up, only *changes* are handed on,
//! each coarse cell's to the nine fine ones around it (by 1, 1/2 and 1/4): the
//! detail of the finer ground stays, no new extremes appear, and the volume is
//! that of the coarse cells to the last quantum, but for the half cell by which
//! they reach over the map's edge.

use bajada_grid::quantum::Quantum;
use bajada_grid::{Domain, Grid, math, par};

use super::{Basin, ShallowWaterConfig, Side, volume};

/// Least samples along a side of a coarse lattice: fewer hold no valley.
const LEAST_SIDE: u32 = 9;

/// What a lattice starts from.
pub(super) struct Stage {
    pub(super) domain: Domain,
    /// Time that it runs for, s.
    pub(super) time: f64,
    /// Ground, m; 0 where there is none.
    pub(super) bed: Grid<f64>,
    /// Whether there is no ground.
    pub(super) void: Grid<bool>,
    /// Share of all changes that the ground takes.
    pub(super) free: Grid<f32>,
    pub(super) water: Grid<f64>,
    pub(super) loose: Grid<f64>,
}

/// The stages from coarse to fine; the last is the map itself.
pub(super) struct Plan {
    /// The coarsest.
    pub(super) stage: Stage,
    /// Those that follow.
    pub(super) finer: Vec<Stage>,
    /// Water on the map at the start, m3.
    pub(super) poured: f64,
}

/// Makes the plan. The time of each stage but the last is what its finer ones
/// are not handed on.
pub(super) fn plan(basin: &Basin<'_>, config: &ShallowWaterConfig, quantum: Quantum) -> Plan {
    let mut stage = finest(basin, config, quantum);
    let poured = volume(&stage.water);
    let mut finer = Vec::new();
    while let Some(domain) = coarser(&stage.domain, config.coarsest_cell) {
        let coarse = stage.coarsened(domain, config, quantum);
        finer.push(std::mem::replace(&mut stage, coarse));
    }
    finer.reverse();
    let share = math::clamp(config.refined_share, 0.0, 1.0);
    let mut left = config.duration;
    let last = finer.len();
    for (place, stage) in std::iter::once(&mut stage).chain(&mut finer).enumerate() {
        stage.time = if place == last { left } else { (1.0 - share) * left };
        left -= stage.time;
    }
    Plan { stage, finer, poured }
}

/// The lattice of every second sample, if it holds the map's edges and its
/// cells are no larger than `coarsest`.
fn coarser(domain: &Domain, coarsest: f64) -> Option<Domain> {
    let [width, height] = domain.samples();
    let half = |samples: u32| (samples % 2 == 1).then_some(samples / 2 + 1);
    let (width, height) = (half(width)?, half(height)?);
    let cell_size = 2.0 * domain.cell_size();
    if width < LEAST_SIDE || height < LEAST_SIDE || cell_size > coarsest {
        return None;
    }
    Domain::new(width, height, cell_size, domain.origin()).ok()
}

fn finest(basin: &Basin<'_>, config: &ShallowWaterConfig, quantum: Quantum) -> Stage {
    let elevation = basin.elevation;
    let mut stage = Stage {
        domain: *elevation.domain(),
        time: 0.0,
        bed: elevation.like(0.0_f64),
        void: elevation.like(false),
        free: elevation.like(1.0_f32),
        water: elevation.like(0.0_f64),
        loose: elevation.like(0.0_f64),
    };
    let whole = |field: Option<&Grid<f32>>, index: usize| {
        let depth = field.map_or(0.0, |field| f64::from(field[index]));
        if depth > 0.0 && elevation[index].is_finite() {
            quantum.nearest(math::min(depth, quantum.limit()))
        } else {
            0.0
        }
    };
    par::map(&mut stage.void, |index| !elevation[index].is_finite());
    par::map(&mut stage.bed, |index| {
        let z = elevation[index];
        if z.is_finite() { quantum.nearest(f64::from(z)) } else { 0.0 }
    });
    par::map(&mut stage.water, |index| whole(basin.water, index));
    par::map(&mut stage.loose, |index| whole(basin.sediment, index));
    par::map(&mut stage.free, |index| match basin.mask {
        _ if !elevation[index].is_finite() => 0.0,
        Some(mask) => math::clamp(mask[index], 0.0, 1.0),
        None => 1.0,
    });
    stage.hold_base_level(config);
    stage
}

impl Stage {
    /// Ground beside an open side stands still.
    fn hold_base_level(&mut self, config: &ShallowWaterConfig) {
        let (right, bottom) = (self.domain.width() - 1, self.domain.height() - 1);
        let [north, east, south, west] = config.sides.map(|side| side != Side::Wall);
        par::rows(&mut self.free, |y, row| {
            if (north && y == 0) || (south && y == bottom) {
                row.fill(0.0);
            }
            if west {
                row[0] = 0.0;
            }
            if east {
                row[right] = 0.0;
            }
        });
    }

    /// A field of the next coarser lattice on this one; none where there is no
    /// ground.
    pub(super) fn taken_over(&self, coarse: &Grid<f64>, quantum: Quantum) -> Grid<f64> {
        let mut fine = prolonged(coarse, self.domain, quantum);
        par::rows(&mut fine, |y, row| {
            for (cell, void) in row.iter_mut().zip(self.void.row(y)) {
                *cell = if *void { 0.0 } else { *cell };
            }
        });
        fine
    }

    /// No change where the ground stands still.
    pub(super) fn keep_still(&self, change: &mut Grid<f64>) {
        par::rows(change, |y, row| {
            for (cell, free) in row.iter_mut().zip(self.free.row(y)) {
                *cell = if *free > 0.0 { *cell } else { 0.0 };
            }
        });
    }

    /// How much thicker `loose` is than at the start.
    pub(super) fn gained(&self, loose: &Grid<f64>) -> Grid<f64> {
        let mut gained = loose.like(0.0_f64);
        par::map(&mut gained, |index| {
            if self.void[index] { 0.0 } else { loose[index] - self.loose[index] }
        });
        gained
    }

    /// Sets what a coarser lattice has come to: how far the ground has `raised`,
    /// the `water`, and how much more lies loose.
    pub(super) fn begin_from(
        &mut self,
        raised: &Grid<f64>,
        water: Grid<f64>,
        loosened: &Grid<f64>,
    ) {
        let (bed, loose) = (&mut self.bed, &mut self.loose);
        par::rows2(bed, loose, |y, beds, thicknesses| {
            let changes = raised.row(y).iter().zip(loosened.row(y));
            for ((bed, loose), (raised, gained)) in beds.iter_mut().zip(thicknesses).zip(changes) {
                *bed += raised;
                *loose = math::max(*loose + gained, 0.0);
            }
        });
        self.water = water;
    }

    fn coarsened(&self, domain: Domain, config: &ShallowWaterConfig, quantum: Quantum) -> Self {
        let mut coarse = Self {
            domain,
            time: 0.0,
            bed: self.bed.like_on(domain, 0.0),
            void: self.bed.like_on(domain, false),
            free: self.bed.like_on(domain, 0.0),
            water: restricted(&self.water, domain, quantum),
            loose: restricted(&self.loose, domain, quantum),
        };
        let width = domain.width();
        let place = |index: usize| [2 * (index % width), 2 * (index / width)];
        par::map(&mut coarse.bed, |index| {
            let [x, y] = place(index);
            self.bed.at(x, y)
        });
        par::map(&mut coarse.void, |index| {
            let [x, y] = place(index);
            self.void.at(x, y)
        });
        // What changes here reaches the nine cells around: none may stand still.
        par::map(&mut coarse.free, |index| {
            let [x, y] = place(index);
            let still = around(&self.domain, x, y).any(|(cell, _)| self.free[cell] == 0.0);
            if still { 0.0 } else { self.free.at(x, y) }
        });
        par::map(&mut coarse.water, |index| {
            let [x, y] = place(index);
            let water = restricted_at(&self.water, x, y);
            if self.void.at(x, y) { 0.0 } else { quantum.nearest(water) }
        });
        coarse.hold_base_level(config);
        coarse
    }
}

/// The cells of the map among the nine around a place, each with the share of
/// it that a coarse cell there covers.
fn around(domain: &Domain, x: usize, y: usize) -> impl Iterator<Item = (usize, f64)> {
    let domain = *domain;
    let near = |at: usize, samples: usize| at.saturating_sub(1)..(at + 2).min(samples);
    near(y, domain.height()).flat_map(move |row| {
        near(x, domain.width()).map(move |column| {
            let share = |a: usize, b: usize| if a == b { 1.0 } else { 0.5 };
            (domain.index(column, row), share(row, y) * share(column, x))
        })
    })
}

fn restricted_at(field: &Grid<f64>, x: usize, y: usize) -> f64 {
    let (mut sum, mut shares) = (0.0, 0.0);
    for (cell, share) in around(field.domain(), x, y) {
        sum += share * field[cell];
        shares += share;
    }
    sum / shares
}

/// The mean of `field` over the cells of a lattice of every second sample.
fn restricted(field: &Grid<f64>, domain: Domain, quantum: Quantum) -> Grid<f64> {
    let mut coarse = field.like_on(domain, 0.0_f64);
    let width = domain.width();
    par::map(&mut coarse, |index| {
        quantum.nearest(restricted_at(field, 2 * (index % width), 2 * (index / width)))
    });
    coarse
}

/// `coarse` on a lattice that has it as every second sample, in whole quanta.
fn prolonged(coarse: &Grid<f64>, fine: Domain, quantum: Quantum) -> Grid<f64> {
    let mut field = coarse.like_on(fine, 0.0_f64);
    par::rows(&mut field, |y, row| {
        let (north, south) = (coarse.row(y / 2), coarse.row(y.div_ceil(2)));
        for (x, cell) in row.iter_mut().enumerate() {
            let (west, east) = (x / 2, x.div_ceil(2));
            let sum = (north[west] + north[east]) + (south[west] + south[east]);
            *cell = quantum.nearest(0.25 * sum);
        }
    });
    field
}
