//! Standing water on ground that is told apart from it everywhere.
//!
//! # Model
//!
//! [`super::lakes`] says which hollows hold water and where its plane stands. The
//! ground beside the shore becomes a bench (see [`bench`]): a ramp on either
//! side that falls toward the water everywhere, so that the strip in which
//! ground and water nearly coincide is narrow. Distances are those to the shore
//! between the samples, so benches follow smooth lines.
//!
//! # The clearance
//!
//! No cell of the map comes to lie nearer to any water plane than
//! `max(clearance, 8 ulp, 2 steps)`, where `ulp` is the spacing of f32 at the
//! highest ground and `step` that of the format it is exported to, also after
//! rounding to either. So that this holds after encoding, which moves ground and
//! water by half a step each, cells are held one step (and one unit of f32) more
//! away. Planes are whole multiples of 2^-10 m, which f32 holds up to 16 km: the
//! plane is exact, and the result does not depend on the datum. Ground within
//! two clearances of a plane is stretched away from it by at most one; the order
//! of heights stays what it was.
//!
//! A brimful lake's plane stands that much under its pass, which would be
//! coplanar with it. Planes of two lakes are equal or four clearances apart.
//!
//! # Guarantees
//!
//! - The bench moves matter within one lake and its shore; what does not fit is
//!   booked as brought in or exported, the stretching as shaped. The ledger
//!   closes to 1e-12.
//! - Wet cells stay wet, dry cells dry: connection is kept.
//! - The same bits on any number of threads: cells are gathered, sums are in the
//!   order of the cells.

mod bench;
mod distance;
mod shoreline;
#[cfg(test)]
mod tests;

use bajada_grid::{Cancelled, Grid, Ledger, Task, math, par};

use super::lakes::{Fill, Lake, Lakes, LakesConfig, lakes};

/// Which lakes, and what their shores are like.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LakeLevelConfig {
    /// What decides how high water stands.
    pub fill: Fill,
    /// Smallest lake, m2.
    pub min_area: f64,
    /// Shallowest lake at its deepest cell, m.
    pub min_depth: f64,
    /// How far the bench reaches from the shore, both ways, m; 0 makes none.
    pub shore_width: f64,
    /// Slope of the bench on land, rise over run.
    pub shore_slope: f64,
    /// Slope of the bench under water, rise over run.
    pub bed_slope: f64,
    /// Least distance between ground and a water plane, m.
    pub clearance: f64,
    /// Step of the format that the ground will be stored in, m; 0 for floats.
    pub export_step: f64,
}

impl Default for LakeLevelConfig {
    /// Brimful lakes of a hectare and a metre or more: what is smaller reads as
    /// puddles on a map of mountains. Beaches of 1 in 50 and beds of 1 in 20 are
    /// what waves leave of sand. From where 2 cm are seen, they are seen apart.
    fn default() -> Self {
        Self {
            fill: Fill::Spill,
            min_area: 10_000.0,
            min_depth: 1.0,
            shore_width: 15.0,
            shore_slope: 0.02,
            bed_slope: 0.05,
            clearance: 0.02,
            export_step: 0.0,
        }
    }
}

/// The ground and its lakes.
#[derive(Clone, Debug)]
pub struct Leveled {
    /// The ground, or the bed under water, m.
    pub elevation: Grid<f32>,
    /// Depth of water, m.
    pub water: Grid<f32>,
    /// The plane where there is water, the ground elsewhere, m.
    pub water_surface: Grid<f32>,
    /// Number of the lake, 1 and up; 0 is dry.
    pub lake: Grid<f32>,
    /// 1 on the bench, fading to 0.
    pub shore: Grid<f32>,
    /// The matter account of the ground.
    pub ledger: Ledger,
    /// The lakes, measured on the ground that came in; label 1 is the first.
    pub lakes: Vec<Lake>,
    /// Least distance between ground and planes that is kept, m.
    pub clearance: f64,
    /// Water that ran off the map, m3; 0 unless a volume was poured.
    pub exported: f64,
}

/// What the shore needs to know, SI.
#[derive(Clone, Copy, Debug)]
struct Surf {
    width: f64,
    shore_slope: f64,
    bed_slope: f64,
    /// With what encoding takes.
    clearance: f64,
}

/// Planes are whole multiples of this or of a greater power of two, m.
const PITCH: f64 = 1.0 / 1024.0;

/// Spacing of f32 at `highest`, m.
fn spacing_of_f32(highest: f64) -> f64 {
    // Ground beyond a thousand kilometres is no ground.
    let highest = math::clamp(highest, 0.0, 1e6) as f32;
    f64::from(f32::from_bits(highest.to_bits() + 1)) - f64::from(highest)
}

/// Finds the lakes of `elevation` whose deepest cell has a `mask` of at least
/// one half, and shapes the ground at their shores.
///
/// # Errors
///
/// [`Cancelled`] when `task` is called off.
pub fn lake_level(
    task: &Task,
    elevation: &Grid<f32>,
    mask: Option<&Grid<f32>>,
    config: &LakeLevelConfig,
) -> Result<Leveled, Cancelled> {
    let before = elevation.to_f64();
    let len = before.domain().len();
    let level = match config.fill {
        Fill::Level(level) | Fill::Sea(level) => level.abs(),
        Fill::Spill | Fill::Volume(_) => 0.0,
    };
    let spacing = spacing_of_f32(par::max(len, level, |cell| before[cell].abs()));
    let pitch = math::max(PITCH, spacing);
    let clearance =
        [8.0 * spacing, 2.0 * config.export_step].into_iter().fold(config.clearance, math::max);
    let surf = Surf {
        width: config.shore_width,
        shore_slope: config.shore_slope,
        bed_slope: config.bed_slope,
        clearance: clearance + config.export_step + pitch,
    };
    let which = LakesConfig {
        fill: config.fill,
        min_area: config.min_area,
        min_depth: math::max(config.min_depth, 2.0 * surf.clearance),
        clearance: surf.clearance,
        pitch,
    };
    let wanted = |cell: usize| mask.is_none_or(|mask| mask[cell] >= 0.5);
    let found = lakes(task, &before, &which, wanted)?;
    let (heights, share, mut ledger) = shaped(task, &before, &found, &surf)?;
    ledger.measure(elevation, &heights);
    let ground = ledger.round_to_port(&heights);
    Ok(outputs(ground, &found, &share, ledger, clearance))
}

/// The ground with its benches, clear of every plane; how much of each cell is
/// bench; and what was moved.
fn shaped(
    task: &Task,
    before: &Grid<f64>,
    found: &Lakes,
    surf: &Surf,
) -> Result<(Grid<f64>, Grid<f64>, Ledger), Cancelled> {
    let (mut ground, nearest, mut ledger) = if surf.width > 0.0 && !found.lakes.is_empty() {
        let segments = shoreline::shoreline(before, found);
        let shore = distance::shore(task, before, &segments, bench::FADE * surf.width)?;
        let mut ground = bench::bench(before, found, &shore, surf);
        let ledger = bench::balance(before, found, &shore, surf, &mut ground);
        (ground, shore.lake, ledger)
    } else {
        let ground = bench::Bench { heights: before.clone(), share: before.like(0.0_f64) };
        (ground, before.like(0_u32), Ledger::default())
    };
    task.check()?;
    let mut planes: Vec<f64> = found.lakes.iter().map(|lake| lake.plane).collect();
    planes.sort_unstable_by(f64::total_cmp);
    planes.dedup();
    let mut cleared = before.like(0.0_f64);
    par::map(&mut cleared, |cell| {
        let height = ground.heights[cell];
        let Some(plane) = plane_near(&planes, height, 2.0 * surf.clearance) else {
            return height;
        };
        // The ramp of the bench keeps its distance by itself.
        let own =
            ground.share[cell] == 1.0 && found.lakes[nearest[cell] as usize - 1].plane == plane;
        if own { height } else { plane + clear(height - plane, surf.clearance) }
    });
    let (area, len) = (before.domain().cell_area(), before.domain().len());
    ledger.shaped = area * par::sum(len, |cell| cleared[cell] - ground.heights[cell]);
    ground.heights = cleared;
    Ok((ground.heights, ground.share, ledger))
}

/// The plane nearer than `within` to `height`; there is one at most.
fn plane_near(planes: &[f64], height: f64, within: f64) -> Option<f64> {
    let above = planes.partition_point(|&plane| plane <= height);
    let below = above.checked_sub(1).map(|place| planes[place]);
    below
        .filter(|&plane| height - plane < within)
        .or_else(|| planes.get(above).copied().filter(|&plane| plane - height < within))
}

/// Stretches heights over a plane, which are less than two clearances, to
/// between one and two.
fn clear(above: f64, clearance: f64) -> f64 {
    if above >= 0.0 { clearance + 0.5 * above } else { 0.5 * above - clearance }
}

fn outputs(
    elevation: Grid<f32>,
    found: &Lakes,
    share: &Grid<f64>,
    ledger: Ledger,
    clearance: f64,
) -> Leveled {
    let mut water_surface = elevation.like(0.0_f32);
    par::map(&mut water_surface, |cell| {
        found.at(cell).map_or(elevation[cell], |lake| lake.plane as f32)
    });
    let mut water = elevation.like(0.0_f32);
    par::map(&mut water, |cell| water_surface[cell] - elevation[cell]);
    let mut lake = elevation.like(0.0_f32);
    par::map(&mut lake, |cell| found.labels[cell] as f32);
    Leveled {
        water,
        water_surface,
        lake,
        shore: share.to_f32(),
        ledger,
        lakes: found.lakes.clone(),
        clearance,
        exported: found.exported,
        elevation,
    }
}
