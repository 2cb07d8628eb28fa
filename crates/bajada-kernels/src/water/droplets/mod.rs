//! Droplets that run over the ground, cut it and lay it down again, in metres.
//!
//! # Model
//!
//! A droplet has a place, a heading, a speed, water and a load, and takes steps
//! of a fixed share of a cell. Over a step of length `s` that falls by `d`:
//!
//! - the heading turns towards the steepest descent, keeping `e^(-s/inertia)`
//!   of itself;
//! - speed squared obeys `dE/ds = 2 g S - 2 E / friction`, integrated exactly:
//!   it tends to `g S friction` (Chezy) and needs no square root of a negative
//!   number. A droplet too slow to climb stops, turns straight downhill, and
//!   ends if that leads nowhere;
//! - capacity is `factor * water * max(d / s, min_slope) * speed / (1 m/s)`, or
//!   `factor * water * speed^2 / (1 m/s)^2`; load tends to it over the erosion
//!   or the deposition length;
//! - water evaporates by `e^(-s/evaporation)` and, on the last part of the
//!   path, seeps away in a straight line to nothing.
//!
//! Cuts are spread over a cone around the middle of the step, layers over a
//! wider one. A cut takes at most `erosion_cap` of the drop and no cell below the
//! next place; a layer adds at most `deposition_cap` of it and raises no cell
//! above the place that the water came from; uphill the load fills the hollow.
//! A droplet that comes to rest puts its load on the low ground around
//! it, in a circle that grows until all has room: no spikes.
//!
//! # Discretisation
//!
//! Bilinear heights; gradients that are central differences at the samples,
//! bilinear between them. Droplets start at an even sequence shaken by its own
//! spacing, in 8 showers that each cover the map. Tiles run in four colors on
//! copies of themselves, eight droplets of a tile side by side; droplets
//! migrate between tiles and travel as far as they like. Rock that differs with
//! depth is asked for again after each shower, at the surface that it left.
//!
//! # Guarantees
//!
//! - **Nothing is lost.** Heights, cuts, layers and loads are whole multiples
//!   of one quantum (15 micrometres on most maps), so that every sum is exact.
//!   What comes to ground under a mask of 0 is handed on as a supply, by the cell
//!   where it crossed; what leaves the map is exported.
//! - The same bits on any number of threads.
//! - A cell that is not a finite number is a barrier: droplets that come to it
//!   rest before it, and it spreads to no other.
//! - Ground under a mask of 0 keeps its bits; ground of hardness 1 is never
//!   cut; no cell ends below the lowest cell of the start.
//! - Half the cell size erodes the same, and a cone erodes alike along the axes
//!   and between them, both to 5 % (tested).
//!
//! # Source and departures
//!
//! After Beyer 2015 and the droplet programs that follow it, with the sign
//! of the speed law put right. Departures, all for the look at 12 m: the brush
//! that lays is *wider* (60 m) than the one that cuts (20 m) (a narrower one grows
//! dimples on the slopes: cutting and laying chase each other down the path),
//! both lag lengths are 15 m for the same reason, and water seeps away towards
//! the end of the path (ending it at full load paves the valleys with heaps).
//! Hardness scales cuts as it scales every rate ([`crate::rock`]).

mod barrier;
mod brush;
mod clouds;
mod config;
#[cfg(test)]
mod invariance_tests;
mod law;
mod patch;
mod plan;
mod run;
mod scale;
mod schedule;
mod settle;
mod shares;
#[cfg(test)]
mod tests;
mod tiles;
mod visit;

use bajada_grid::{Cancelled, Grid, Ledger, Lithology, Stream, Supply, Task, par};

pub use config::{CapacityLaw, DropletConfig};
use scale::Scale;

use crate::change::erosion_and_deposition;

/// The ground that rain falls on. Both grids share one domain.
#[derive(Clone, Copy, Debug)]
pub struct Ground<'a> {
    /// m; cells that are not a finite number are barriers, and stay as they are.
    pub elevation: &'a Grid<f32>,
    /// How hard it is; none is hardness 0 everywhere.
    pub hardness: Option<&'a Lithology>,
    /// Where rain falls and the ground may change, 0..1; none is 1 everywhere.
    pub mask: Option<&'a Grid<f32>>,
}

/// The ground after the rain. `deposition - erosion` is the change of
/// elevation: both are *net* over all droplets, and one of them is 0.
#[derive(Clone, Debug)]
pub struct Eroded {
    /// m.
    pub elevation: Grid<f32>,
    /// Net lowering, m, >= 0.
    pub erosion: Grid<f32>,
    /// Net raising, m, >= 0.
    pub deposition: Grid<f32>,
    /// Water that passed through the cell in the whole rain, m3; there is no
    /// time in this model. A cell's width of path counts once.
    pub discharge: Grid<f32>,
    /// Mean speed of that water, m/s; 0 where none passed.
    pub flow_velocity: Grid<f32>,
    /// What droplets carried to ground under a mask of 0, by its cells.
    pub supply: Supply,
    /// What droplets carried over the map's west, east, north and south edge,
    /// m3.
    pub exported_over: [f64; 4],
    /// The matter account; `eroded` and `deposited` are gross: all that was
    /// taken and laid, often several times.
    pub ledger: Ledger,
}

/// Rains on `ground`: `config.density` droplets per m2 of extent, placed by
/// `stream`.
///
/// # Errors
///
/// [`Cancelled`] when `task` is called off.
pub fn erode(
    task: &Task,
    ground: &Ground<'_>,
    config: &DropletConfig,
    stream: Stream,
) -> Result<Eroded, Cancelled> {
    let nodata = barrier::is_needed(ground.elevation);
    if !nodata && ground.hardness.is_none() && ground.mask.is_none() {
        let shed = schedule::rain::<false>(task, ground, config, stream)?;
        return Ok(shed.into_eroded(ground.elevation));
    }
    if !nodata {
        let shed = schedule::rain::<true>(task, ground, config, stream)?;
        return Ok(shed.into_eroded(ground.elevation));
    }
    let elevation = &barrier::bridged(ground.elevation);
    let mask = &barrier::mask(ground);
    let bridged = Ground { elevation, mask: Some(mask), ..*ground };
    let barriers = barrier::cells(ground.elevation);
    let shed = schedule::rain_between::<true>(task, &bridged, Some(&barriers), config, stream)?;
    let mut eroded = shed.into_eroded(elevation);
    barrier::restore(&mut eroded.elevation, ground.elevation);
    Ok(eroded)
}

/// What the schedule hands back.
struct Shed {
    scale: Scale,
    /// Heights that the droplets started from and ended with, quanta.
    start: Grid<i32>,
    bed: Grid<i32>,
    water: Grid<f32>,
    momentum: Grid<f32>,
    step: f32,
    supply: Supply,
    exported_over: [f64; 4],
    ledger: Ledger,
}

impl Shed {
    fn into_eroded(self, before: &Grid<f32>) -> Eroded {
        let Self { scale, start, bed, water, momentum, step, supply, exported_over, mut ledger } =
            self;
        // The change is added to the input's own height: a cell that nothing
        // touched keeps its bits even where they are finer than the quantum.
        let mut exact = before.like(0.0_f64);
        par::map(&mut exact, |index| {
            f64::from(before[index]) + scale.change(start[index], bed[index])
        });
        ledger.measure(before, &exact);
        let elevation = ledger.round_to_port(&exact);
        let raised = |index: usize| exact[index] - f64::from(before[index]);
        let (erosion, deposition) = erosion_and_deposition(before, raised);
        let mut discharge = before.like(0.0_f32);
        par::map(&mut discharge, |index| water[index] * step);
        let mut flow_velocity = before.like(0.0_f32);
        par::map(&mut flow_velocity, |index| {
            if water[index] > 0.0 { momentum[index] / water[index] } else { 0.0 }
        });
        Eroded {
            elevation,
            erosion,
            deposition,
            discharge,
            flow_velocity,
            supply,
            exported_over,
            ledger,
        }
    }
}
