//! Fractal noise in world coordinates.
//!
//! Model: octaves of lattice noise (see `lattice`), summed as fBm, as Musgrave's
//! ridged or hybrid multifractal or as billow, at places that other noise may
//! have moved (domain warp). A height is a function of (config, stream, world
//! point) alone, and of the cell size where the band limit is on: tiles, maps of
//! another size and other resolutions meet without a seam.
//!
//! Guarantees: no period, no direction preferred, no lattice or axis to be
//! seen; the same bits for one point ([`Noise::value`]) and for a map
//! ([`fill`]), on any number of threads; never NaN for a finite config. An
//! octave whose lattice would be 2^51 cells away is flat there. Sources: Perlin
//! 2002; Ebert et al. 2003 for the sums; Quilez 2002 for the warp of a warp.

mod finish;
mod plain;
mod tiles;
mod warp;

use bajada_grid::{Cancelled, Grid, Stream, Task};

use plain::Plain;
use warp::Moves;

pub(super) use finish::Finish;

pub use super::lattice::Lattice;
pub use super::octave::MAX_OCTAVES;
pub use warp::MAX_WARP_LEVELS;

/// How octaves add up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fractal {
    /// Rolling ground, as rough in its valleys as on its heights: `base` +-
    /// `amplitude`, with a standard deviation of 0.3 amplitudes. The highest
    /// hills of a map come near the amplitude; the last quarter is bent so that
    /// none passes it.
    #[default]
    Fbm,
    /// Sharp crests over smooth valleys: `base` to `base + amplitude`, on
    /// average half an amplitude high, the main crests near the top.
    Ridged,
    /// Round hills with creases between: `base` to `base + amplitude`, on
    /// average 0.35 amplitudes high.
    Billow,
    /// Rough on its heights, smooth in its valleys: `base` to `base + amplitude`,
    /// on average a third of an amplitude high.
    Hybrid,
}

/// What happens to octaves that the samples cannot carry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BandLimit {
    /// Octaves fade out between four and two cells per wavelength: coarse and
    /// fine maps agree, and nothing flickers.
    #[default]
    On,
    /// All octaves count, so that a point has the same bits at any cell size.
    Off,
}

/// How the places of a noise are moved before it is asked for them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Warp {
    /// Farthest that a place is moved along either axis, m; 0 moves none.
    pub distance: f64,
    /// Wavelength of the movement, m, above 0.
    pub wavelength: f64,
    /// How often: 1 bends the pattern, 2 moves it by movements that are moved
    /// themselves, which swirls. More than [`MAX_WARP_LEVELS`] count as that many.
    pub levels: u32,
}

impl Default for Warp {
    fn default() -> Self {
        Self { distance: 0.0, wavelength: 4000.0, levels: 1 }
    }
}

/// Settings of the noise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NoiseConfig {
    /// What an octave is made of.
    pub lattice: Lattice,
    /// How octaves add up.
    pub fractal: Fractal,
    /// Wavelength of the first octave, m, above 0.
    pub wavelength: f64,
    /// Bound of the height above (fBm: on both sides of) `base`, m.
    pub amplitude: f64,
    /// How many octaves; more than [`MAX_OCTAVES`] count as that many.
    pub octaves: u32,
    /// Amplitude of an octave over that of the one before, above 0. In fBm
    /// `lacunarity^-H` gives a surface of Hurst exponent `H`.
    pub gain: f64,
    /// Wavelength of an octave over that of the one after, above 1.
    pub lacunarity: f64,
    /// How far the pattern is moved: metres east, metres south.
    pub offset: [f64; 2],
    /// Height that the noise stands on, m.
    pub base: f64,
    /// What happens to octaves that the samples cannot carry.
    pub band_limit: BandLimit,
    /// How places are moved.
    pub warp: Warp,
}

impl Default for NoiseConfig {
    fn default() -> Self {
        Self {
            lattice: Lattice::Perlin,
            fractal: Fractal::Fbm,
            wavelength: 4000.0,
            amplitude: 600.0,
            octaves: 8,
            gain: 0.5,
            lacunarity: 2.0,
            offset: [0.0; 2],
            base: 0.0,
            band_limit: BandLimit::On,
            warp: Warp::default(),
        }
    }
}

/// Noise that can be asked for any point of the world.
#[derive(Clone, Debug)]
pub struct Noise {
    offset: [f64; 2],
    moves: Moves,
    plain: Plain,
}

impl Noise {
    /// The noise of `stream` under `config`, for samples `cell_size` metres
    /// apart (which matters to the band limit alone).
    pub fn new(config: &NoiseConfig, stream: Stream, cell_size: f64) -> Self {
        Self {
            offset: config.offset,
            moves: Moves::new(config, stream, cell_size),
            plain: Plain::new(config, stream, cell_size),
        }
    }

    /// Height at a world point (metres east, metres south), m.
    pub fn value(&self, x: f64, y: f64) -> f32 {
        let [x, y] = self.moves.place(x - self.offset[0], y - self.offset[1]);
        self.plain.value(x, y)
    }

    /// Height at a world point, m, to the bit that of [`Noise::value`], and
    /// its exact derivative, rise over run east and south. On a crease it is
    /// that of one of the two sides.
    pub fn value_with_gradient(&self, x: f64, y: f64) -> (f32, [f64; 2]) {
        self.value_with_gradient_at([x - self.offset[0], y - self.offset[1]])
    }

    /// The same at a point that the offset was taken from.
    fn value_with_gradient_at(&self, [x, y]: [f64; 2]) -> (f32, [f64; 2]) {
        let (place, bend) = self.moves.place_with_derivative(x, y);
        let (value, gradient) = self.plain.value_with_gradient(place[0], place[1]);
        (value, warp::through(gradient, bend))
    }
}

/// Sets every cell of `out` to the noise at its world point, m. Progress is
/// counted in rows.
///
/// # Errors
/// [`Cancelled`], with whatever `out` then holds.
pub fn fill(
    task: &Task,
    out: &mut Grid<f32>,
    config: &NoiseConfig,
    stream: Stream,
) -> Result<(), Cancelled> {
    let noise = Noise::new(config, stream, out.domain().cell_size());
    tiles::fill(task, out, &noise)
}

/// As [`fill`], with the noise's exact derivative in `gradient`: rise over run
/// east, and south. The three rasters have one domain.
///
/// # Errors
/// [`Cancelled`], with whatever the rasters then hold.
pub fn fill_with_gradient(
    task: &Task,
    out: &mut Grid<f32>,
    gradient: [&mut Grid<f32>; 2],
    config: &NoiseConfig,
    stream: Stream,
) -> Result<(), Cancelled> {
    let noise = Noise::new(config, stream, out.domain().cell_size());
    tiles::fill_with_gradient(task, out, gradient, &noise)
}

#[cfg(test)]
mod tests;
