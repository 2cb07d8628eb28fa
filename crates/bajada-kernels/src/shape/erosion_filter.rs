//! Gullies without water: an erosion look as a function of place.
//!
//! # Model
//!
//! Every octave lays stripes of one wavelength over the ground, with their beds
//! running down its slope. A stripe is a wave across the slope whose phase starts
//! anew in every cell of a jittered lattice; waves of the cells around are faded
//! into one another, so that stripes branch and end where the slope turns, as
//! gullies do. The wave only cuts: its crests keep the ground, its beds lie lower
//! by twice `depth * wavelength * sin(slope)`. Peaks, saddles and floors, where
//! the slope is 0, are thereby kept. The gradient of what was cut is added to that
//! of the ground, so that the next octave's stripes run into the beds of the last.
//!
//! The slope is that of the ground smoothed to half a wavelength of the first
//! octave: gullies follow the hillside, not the pebbles on it.
//!
//! # Guarantees
//!
//! Never raises ground; never more than [`deepest`] is cut. A cell depends on the
//! ground nearby and on its world place alone, so that tiles meet, and coarse and
//! fine maps get the same gullies: octaves fade out between four and two cells a
//! wavelength. Nothing flows and no matter is booked: for that there are droplets.
//!
//! # Sources
//!
//! Own reading of an idea of Clay John (2018), refined by Fewes (2023) and
//! Johansen (2026): stripes along the gradient, octave on octave. The phase of
//! mixed waves is taken as in phasor noise (Tricard et al. 2019).

use bajada_grid::{Cancelled, Grid, Stream, Task, math, par};

use super::blur::{BlurConfig, blur};
use super::combine::blend;
use crate::source::noise::{BandLimit, MAX_OCTAVES, NoiseConfig};
use crate::source::octave::{Octave, octaves};

mod stripes;

use stripes::{LANES, Slopes, stripes};

/// Settings of [`erosion_filter`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ErosionFilterConfig {
    /// Distance between gullies of the first octave, m, above 0.
    pub wavelength: f64,
    /// How many octaves of gullies.
    pub octaves: u32,
    /// Depth of a bed on a steep slope, over twice the wavelength.
    pub depth: f64,
    /// `depth` of an octave over that of the one before: 1 is as deep for its
    /// width, 0 leaves the first octave alone.
    pub gain: f64,
    /// Wavelength of an octave over that of the one after, above 1.
    pub lacunarity: f64,
}

impl Default for ErosionFilterConfig {
    fn default() -> Self {
        Self { wavelength: 500.0, octaves: 4, depth: 0.1, gain: 0.8, lacunarity: 2.0 }
    }
}

/// What [`erosion_filter`] made.
#[derive(Clone, Debug)]
pub struct Filtered {
    /// The ground with gullies.
    pub elevation: Grid<f32>,
    /// 1 in the beds of the gullies, 0 on the ribs between and on level ground.
    pub gullies: Grid<f32>,
}

/// Share of the first wavelength to which ground is smoothed before its slope is
/// taken, as the deviation of a bell.
const SMOOTH: f64 = 0.25;

/// Side of a lattice cell over the wavelength. Smaller, stripes break into
/// dots; larger, they run on where the slope turns.
const CELL: f64 = 1.4;

/// Slope from which the mask of the gullies is whole: they are seen from far
/// gentler ground than they are deep on.
const CLEAR: f32 = 0.1;

/// The most that any place can lose, m.
pub fn deepest(config: &ErosionFilterConfig) -> f64 {
    let mut share = 2.0 * config.depth * config.wavelength;
    (0..config.octaves.min(MAX_OCTAVES)).fold(0.0, |sum, _| {
        let own = share;
        share *= config.gain / config.lacunarity;
        sum + own
    })
}

/// How far away ground can be that matters to a place, m.
pub fn reach(config: &ErosionFilterConfig, cell_size: f64) -> f64 {
    // Three boxes of the blur, each at most 1.8 deviations and a cell to a side.
    3.0 * (1.8 * SMOOTH * config.wavelength + cell_size) + cell_size
}

/// `elevation` with gullies down its slopes, as far as `mask` lets them.
/// Progress is counted in rows.
///
/// # Errors
/// [`Cancelled`]: nothing is returned.
pub fn erosion_filter(
    task: &Task,
    elevation: &Grid<f32>,
    mask: Option<&Grid<f32>>,
    config: &ErosionFilterConfig,
    stream: Stream,
) -> Result<Filtered, Cancelled> {
    let domain = *elevation.domain();
    let smooth =
        blur(&task.part(), elevation, None, &BlurConfig { sigma: SMOOTH * config.wavelength })?;
    let lattice = NoiseConfig {
        wavelength: config.wavelength * CELL,
        octaves: config.octaves,
        gain: config.gain / config.lacunarity,
        lacunarity: config.lacunarity,
        band_limit: BandLimit::On,
        ..NoiseConfig::default()
    };
    let octaves = octaves(&lattice, stream, domain.cell_size() * CELL);
    let (mut out, mut gullies) = (elevation.clone(), elevation.like(0.0_f32));
    task.set_total(domain.height() as u64);
    par::rows2(&mut out, &mut gullies, |row, cells, beds| {
        if task.is_cancelled() {
            return;
        }
        let y = domain.world_y(row);
        for start in (0..domain.width()).step_by(LANES) {
            let column = |lane: usize| (start + lane).min(domain.width() - 1);
            let xs = std::array::from_fn(|lane| domain.world_x(column(lane)));
            let slopes = Slopes::from_fn(|lane| gradient(&smooth, column(lane), row));
            let carved = carve(&octaves, config, xs, y, slopes);
            for lane in 0..LANES.min(domain.width() - start) {
                let place = start + lane;
                let share = mask.map_or(1.0, |mask| mask.at(place, row));
                cells[place] = blend(cells[place], cells[place] - carved.cut[lane], share);
                beds[place] = blend(0.0, carved.bed[lane], share);
            }
        }
        task.advance(1);
    });
    task.check()?;
    Ok(Filtered { elevation: out, gullies })
}

/// Rise over run east and south, over two cells, or one at the map's edge.
fn gradient(ground: &Grid<f32>, x: usize, y: usize) -> [f32; 2] {
    let cell_size = ground.domain().cell_size();
    let rise = |low: [usize; 2], high: [usize; 2]| {
        let cells = (high[0] - low[0]) + (high[1] - low[1]);
        let [a, b] = [low, high].map(|[x, y]| f64::from(ground.at(x, y)));
        if cells == 0 { 0.0 } else { ((b - a) / (cells as f64 * cell_size)) as f32 }
    };
    let (last_x, last_y) = (ground.width() - 1, ground.height() - 1);
    [
        rise([x.saturating_sub(1), y], [(x + 1).min(last_x), y]),
        rise([x, y.saturating_sub(1)], [x, (y + 1).min(last_y)]),
    ]
}

/// What eight places lose, and how deep in a bed they lie.
struct Carved {
    cut: [f32; LANES],
    bed: [f32; LANES],
}

fn carve(
    octaves: &[Octave],
    config: &ErosionFilterConfig,
    xs: [f64; LANES],
    y: f64,
    mut slopes: Slopes,
) -> Carved {
    let mut carved = Carved { cut: [0.0; LANES], bed: [0.0; LANES] };
    let (mut shares, mut seen) = (0.0_f32, 1.0_f32);
    for octave in octaves {
        // Longest first: once one is gone all are.
        if octave.clarity <= 0.0 {
            break;
        }
        let (steepness, across) = slopes.split();
        let waves = stripes(octave, xs, y, &across, CELL as f32);
        let depth = octave.share * octave.clarity * (config.depth * config.wavelength) as f32;
        for lane in 0..LANES {
            let slope = steepness[lane];
            let sine = slope / (1.0 + slope * slope).sqrt();
            let own = depth * sine;
            carved.cut[lane] += own * (1.0 - waves.height[lane]);
            let clear = math::min(slope * (1.0 / CLEAR), 1.0);
            carved.bed[lane] += seen * octave.clarity * clear * 0.5 * (1.0 - waves.height[lane]);
            let steep = own * waves.slope[lane];
            slopes.east[lane] += steep * across[0][lane];
            slopes.south[lane] += steep * across[1][lane];
        }
        shares += seen;
        seen *= 0.5;
    }
    if shares > 0.0 {
        for bed in &mut carved.bed {
            *bed /= shares;
        }
    }
    carved
}

#[cfg(test)]
mod tests;
