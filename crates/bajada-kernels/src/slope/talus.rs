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
//! # Rock below
//!
//! With a layer of `sediment`, no more slides than lies there. Rock that is
//! steeper than its own repose fails first: what stands above the lower
//! envelope of the rock becomes debris where it stands, looser by `bulking`.
//! What is left never fails again, whatever slides off it. Then the debris
//! slides as above, but what leaves a cell is held to what lay there and what
//! came: bare rock stands as steep as it is, and debris runs over it. Prigozhin
//! (1996) asks the same of a pile on rough ground. The hold is no projection,
//! and so momentum helps less: such sweeps need about as many as the longest
//! way down has cells, several times over.
//!
//! # Cohesion
//!
//! A scarp is ground that is too steep, with all that would have to move if it
//! fell: where the ground lies above its lower envelope. A scarp that would have
//! to sink by less than `cohesion` (a cell's rise at repose counts in) stands as
//! steep as it is, and no steeper.
//!
//! # Guarantees
//!
//! - What leaves one cell enters another: the fluxes are whole multiples of a
//!   quantum at the end, so that the volume is kept to the bit in f64, whatever
//!   the number of sweeps. The map's edges are walls.
//! - A flux is exactly 0 where the slope was never too steep: such cells keep
//!   their bits, and so does a map that is legal within the tolerance.
//! - The layer of `sediment` never becomes thinner than nothing.
//! - Only corners that have a flux, or border on one, are computed: the others
//!   would come out unchanged. The map is swept in tiles that overlap, several
//!   sweeps at a time, with the bits of sweeps over the whole map.
//! - Each flux is computed by one task from what no task writes, and sums are
//!   in fixed order: the same bits on any number of threads.
//! - Sweeps needed grow with the length of the run-out in cells (explicit
//!   schemes: with its square): some eight for each cell. Fluxes are f64 for
//!   that: in f32 the last steps of long run-outs are lost to rounding, and
//!   heaps of 256 cells never come to rest.
//!
//! # Departures
//!
//! Prigozhin & Zaltzman bound the gradient on triangles; a bound on forward
//! differences trims every summit on one side, hence the corners.

mod heap;
mod lanes;
mod layout;
mod moved;
mod rock;
mod scene;
mod supply;
mod sweep;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_rock;
mod tiles;
mod visits;

use bajada_grid::lithology::{HARD_REPOSE_DEG, LOOSE_REPOSE_DEG};
use bajada_grid::quantum::Quantum;
use bajada_grid::{Cancelled, Grid, Ledger, Task, math, par};

use crate::change::erosion_and_deposition;
use heap::Heap;
use moved::Moved;
use scene::Scene;
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
    /// Share of the debris that moves, and of the rock that fails, 0..1.
    pub amount: f64,
    /// Scarps lower than this stand, m.
    pub cohesion: f64,
    /// Volume of debris that a volume of failed rock makes, >= 1.
    pub bulking: f64,
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
            cohesion: 0.0,
            bulking: 1.0,
        }
    }
}

/// The ground that comes to rest. All grids share one domain.
#[derive(Clone, Copy, Debug)]
pub struct Slope<'a> {
    /// m.
    pub elevation: &'a Grid<f32>,
    /// Loose thickness on rock, m; none is loose all the way down.
    pub sediment: Option<&'a Grid<f32>>,
    /// Hardness 0..1 of the ground or, under `sediment`, of its rock; none is 0
    /// everywhere, but 1 under `sediment`.
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
    /// What lies loose, m, >= 0: without a layer at the start, the deposition.
    pub sediment: Grid<f32>,
    /// Debris that left each cell or came to it, whichever is more, as thickness
    /// over the cell, m, >= 0: what only passes counts once.
    pub debris: Grid<f32>,
    /// The matter account: `eroded` and `deposited` are net, cell by cell.
    pub ledger: Ledger,
    /// Sweeps that were made.
    pub sweeps: u32,
    /// Largest excess over the repose as a share of it, before `amount` and
    /// fractional masks hold debris back: 0 if nothing is too steep.
    pub steepest_excess: f64,
    /// Whether the sweeps sufficed.
    pub at_rest: bool,
}

/// How much coarser the tolerance is where rock lies below: the last traces of
/// a layer leave slowly.
const COARSER_ON_ROCK: f64 = 5.0;

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
    let scene = Scene::new(task, ground, config)?;
    let heap = Heap::new(&scene, config);
    let coarser = if heap.has_rock() { COARSER_ON_ROCK } else { 1.0 };
    let tolerance = coarser * math::max(config.tolerance, 1e-9);
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
    drop(heap);
    let settled = settle(ground, &scene, config, tiles);
    Ok(booked(ground, settled, sweeps, excess, unrest <= tolerance))
}

/// What has moved when the sweeps are over, m.
struct Settled {
    /// What each cell gains.
    change: Grid<f64>,
    /// What failed rock gains in becoming debris, and the layer that lies loose
    /// with it before anything slides; none without rock.
    layer: Option<[Grid<f64>; 2]>,
    debris: Grid<f32>,
}

/// The fluxes as far as `amount`, the masks and the layer let them, in whole
/// quanta, so that no sum is rounded.
fn settle(ground: &Slope<'_>, scene: &Scene<'_>, config: &TalusConfig, tiles: Tiles) -> Settled {
    let elevation = ground.elevation;
    let amount = math::clamp(config.amount, 0.0, 1.0);
    let highest = par::max(elevation.as_slice().len(), 0.0, |i| f64::from(elevation[i]).abs());
    let quantum = Quantum::for_heights(highest * math::max(1.0, config.bulking));
    let mut moved = Moved::new(elevation, scene.mask, amount, &tiles, quantum);
    // They hold more than all that follows.
    drop(tiles);
    let layer = ground.sediment.zip(scene.failed.as_ref()).map(|(sediment, failed)| {
        let (mut gained, mut layer) = (elevation.like(0.0_f64), elevation.like(0.0_f64));
        let bulking = math::max(1.0, config.bulking);
        par::map(&mut gained, |i| quantum.below((bulking - 1.0) * amount * failed[i]));
        par::map(&mut layer, |i| {
            math::max(f64::from(sediment[i]), 0.0) + amount * failed[i] + gained[i]
        });
        moved.keep_within(&layer, quantum);
        [gained, layer]
    });
    Settled { change: moved.change(), layer, debris: moved.debris() }
}

/// The ground once all has `settled`, and its account.
fn booked(
    ground: &Slope<'_>,
    settled: Settled,
    sweeps: u32,
    steepest_excess: f64,
    at_rest: bool,
) -> Relaxed {
    let (elevation, change) = (ground.elevation, &settled.change);
    let gained = settled.layer.as_ref().map(|[gained, _]| gained);
    let raised = |index: usize| change[index] + gained.map_or(0.0, |gained| gained[index]);
    let mut exact = elevation.like(0.0_f64);
    par::map(&mut exact, |index| f64::from(elevation[index]) + raised(index));
    let (area, len) = (elevation.domain().cell_area(), elevation.as_slice().len());
    let mut ledger = Ledger {
        brought_in: gained.map_or(0.0, |gained| area * par::sum(len, |index| gained[index])),
        eroded: area * par::sum(len, |index| math::max(-raised(index), 0.0)),
        deposited: area * par::sum(len, |index| math::max(raised(index), 0.0)),
        ..Ledger::default()
    };
    ledger.measure(elevation, &exact);
    let rested = ledger.round_to_port(&exact);
    let (erosion, deposition) = erosion_and_deposition(elevation, raised);
    let sediment = settled.layer.as_ref().map_or_else(
        || deposition.clone(),
        |[_, layer]| {
            let mut sediment = elevation.like(0.0_f32);
            par::map(&mut sediment, |i| math::max(layer[i] + change[i], 0.0) as f32);
            sediment
        },
    );
    Relaxed {
        elevation: rested,
        erosion,
        deposition,
        sediment,
        debris: settled.debris,
        ledger,
        sweeps,
        steepest_excess,
        at_rest,
    }
}
