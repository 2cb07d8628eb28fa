//! Loose ground comes to rest at its angle of repose, conservatively.
//!
//! # Model
//!
//! The resting surface is the one closest to the start that is nowhere steeper
//! than its repose: `min 1/2 |h - h0|^2` such that `|grad h| <= repose`
//! (Prigozhin & Zaltzman 2003: the long-time limit of a sandpile). Its dual
//! variable is the debris that crossed each edge between two cells, so that
//! `h = h0 + div(debris)`.
//!
//! # Discretisation
//!
//! The slope lives on the *corner* between four cells: the root mean square of
//! the two differences along x and of the two along y, joined as a vector. It
//! favors no direction (forward differences trim every summit on one side) and
//! no checkerboard escapes it. Each corner has one repose, from the mean
//! hardness of its four cells: between the angles, then the tangent. A corner
//! keeps the four fluxes along its edges and updates them as one vector: a
//! gradient step of 1/8, then shrunk by `repose * cell_size / 8`, with
//! Nesterov's momentum (FISTA, Beck & Teboulle 2009) and restarts when the
//! momentum points uphill (O'Donoghue & Candes 2015).
//!
//! # Guarantees
//!
//! - What leaves one cell enters another: the fluxes are whole multiples of a
//!   quantum at the end, so that the volume is kept to the bit in f64, whatever
//!   the number of sweeps. The map's edges are walls.
//! - A flux is exactly 0 where the slope was never too steep: such cells keep
//!   their bits, and so does a map that is legal within the tolerance.
//! - Only corners that have a flux, or border on one, are computed: the others
//!   would come out unchanged. The map is swept in tiles that overlap, several
//!   sweeps at a time. Both give the bits of sweeps over the whole map.
//! - Each flux is computed by one task from what no task writes, and sums are
//!   in fixed order: the same bits on any number of threads.
//! - Sweeps needed grow with the length of the run-out in cells (explicit
//!   schemes: with its square).
//!
//! # Departures
//!
//! ALGORITHMS d.4 uses forward differences; see above. Everything below the
//! surface counts as one loose body: there is no separate rock surface that
//! debris runs out on.

mod heap;
mod lanes;
mod layout;
mod sweep;
#[cfg(test)]
mod tests;
mod tiles;
mod visits;

use bajada_grid::lithology::{HARD_REPOSE_DEG, LOOSE_REPOSE_DEG};
use bajada_grid::quantum::Quantum;
use bajada_grid::{Cancelled, Grid, Ledger, Task, math, par};

use crate::change::erosion_and_deposition;
use heap::{Heap, cells_of, lesser_masks};
use tiles::{SWEEPS_PER_ROUND, Tiles};

/// How steep ground may stand and how hard to look for it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TalusConfig {
    /// Steepest slope of ground of hardness 0, rise over run.
    pub repose_loose: f64,
    /// Steepest slope of ground of hardness 1, rise over run.
    pub repose_hard: f64,
    /// Most sweeps over the map.
    pub sweeps: u32,
    /// What counts as rest: excess over the repose as a share of it, and the
    /// same share below it where debris came to lie.
    pub tolerance: f64,
    /// Share of the debris that moves, 0..1.
    pub amount: f64,
}

impl Default for TalusConfig {
    /// 32 degrees (scree) to 75 (granite), to 1 %. Steep mountains at 12 m get
    /// there after 200 sweeps at 40 degrees, 280 at 35, 1030 at 32 and 1150 at
    /// 30, where two fifths of all ground moves.
    fn default() -> Self {
        Self {
            repose_loose: math::tan_deg(LOOSE_REPOSE_DEG),
            repose_hard: math::tan_deg(HARD_REPOSE_DEG),
            sweeps: 1200,
            tolerance: 0.01,
            amount: 1.0,
        }
    }
}

/// The ground that comes to rest. All grids share one domain.
#[derive(Clone, Copy, Debug)]
pub struct Slope<'a> {
    /// m.
    pub elevation: &'a Grid<f32>,
    /// Hardness of the surface, 0..1; none is 0 everywhere.
    pub hardness: Option<&'a Grid<f32>>,
    /// Where ground may move, 0..1; none is 1 everywhere. Nothing crosses an
    /// edge to a cell of mask 0; what crosses another is scaled by the lesser
    /// mask of its cells.
    pub mask: Option<&'a Grid<f32>>,
}

/// The ground at rest.
#[derive(Clone, Debug)]
pub struct Relaxed {
    /// m.
    pub elevation: Grid<f32>,
    /// Lowering, m, >= 0.
    pub erosion: Grid<f32>,
    /// Raising, m, >= 0.
    pub deposition: Grid<f32>,
    /// The matter account: `eroded` and `deposited` are net, cell by cell.
    pub ledger: Ledger,
    /// Sweeps that were made.
    pub sweeps: u32,
    /// Largest excess over the repose as a share of it, before `amount` and
    /// fractional masks hold debris back: 0 if nothing is too steep.
    pub steepest_excess: f64,
}

/// The steepest slope that ground of `hardness` 0..1 rests at, rise over run:
/// straight between the two *angles*.
pub fn repose(config: &TalusConfig, hardness: f64) -> f64 {
    let (loose, hard) = (math::atan_deg(config.repose_loose), math::atan_deg(config.repose_hard));
    math::tan_deg(math::lerp(loose, hard, math::clamp(hardness, 0.0, 1.0)))
}

/// Lets `ground` come to rest.
///
/// # Errors
///
/// [`Cancelled`] when `task` is called off.
pub fn relax(task: &Task, ground: &Slope<'_>, config: &TalusConfig) -> Result<Relaxed, Cancelled> {
    let heap = Heap::new(ground, config);
    let tolerance = math::max(config.tolerance, 1e-9);
    let mut tiles = Tiles::new(&heap);
    let [mut excess, mut unrest] = tiles.round(&heap, 0);
    let mut sweeps = 0;
    task.set_total(u64::from(config.sweeps));
    while unrest > tolerance && sweeps < config.sweeps {
        task.check()?;
        let round = SWEEPS_PER_ROUND.min(config.sweeps - sweeps);
        [excess, unrest] = tiles.round(&heap, round);
        task.advance(u64::from(round));
        sweeps += round;
    }
    task.check()?;
    let change = change(ground, config, &tiles);
    // They hold more than all that follows.
    drop((heap, tiles));
    Ok(booked(ground.elevation, &change, sweeps, excess))
}

/// What each cell gains, m: the fluxes as far as `amount` and the masks let
/// them, in whole quanta, so that no sum is rounded.
fn change(ground: &Slope<'_>, config: &TalusConfig, tiles: &Tiles) -> Grid<f64> {
    let elevation = ground.elevation;
    let amount = math::clamp(config.amount, 0.0, 1.0);
    let highest = par::max(elevation.as_slice().len(), 0.0, |i| f64::from(elevation[i]).abs());
    let quantum = Quantum::for_heights(highest);
    let moved = |x: usize, y: usize, fluxes: [f32; 4]| -> [f64; 4] {
        let lesser = |mask| lesser_masks(mask, cells_of(x, y, elevation.width()));
        let masks = ground.mask.map_or([1.0; 4], lesser);
        std::array::from_fn(|edge| {
            quantum.nearest(amount * f64::from(fluxes[edge]) * f64::from(masks[edge]))
        })
    };
    let mut change = elevation.like(0.0_f64);
    par::rows(&mut change, |y, row| {
        for (x, fluxes) in tiles.corners(y) {
            let [west, north, _, east] = moved(x, y, fluxes);
            row[x] += north + west;
            row[x + 1] += east - north;
        }
        for (x, fluxes) in y.checked_sub(1).into_iter().flat_map(|above| tiles.corners(above)) {
            let [west, _, south, east] = moved(x, y - 1, fluxes);
            row[x] += south - west;
            row[x + 1] -= south + east;
        }
    });
    change
}

/// The ground after `change`, and its account.
fn booked(elevation: &Grid<f32>, change: &Grid<f64>, sweeps: u32, steepest_excess: f64) -> Relaxed {
    let mut exact = elevation.like(0.0_f64);
    par::map(&mut exact, |index| f64::from(elevation[index]) + change[index]);
    let lowered = |index: usize| math::max(-change[index], 0.0);
    let raised = |index: usize| math::max(change[index], 0.0);
    let (area, len) = (elevation.domain().cell_area(), elevation.as_slice().len());
    let mut ledger = Ledger {
        eroded: area * par::sum(len, lowered),
        deposited: area * par::sum(len, raised),
        ..Ledger::default()
    };
    ledger.measure(elevation, &exact);
    let rested = ledger.round_to_port(&exact);
    let (erosion, deposition) = erosion_and_deposition(elevation, |index| change[index]);
    Relaxed { elevation: rested, erosion, deposition, ledger, sweeps, steepest_excess }
}
