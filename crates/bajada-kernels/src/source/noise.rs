//! Fractal gradient noise in world coordinates.
//!
//! Model: octaves of Perlin-type gradient noise (see `lattice.rs`), summed as
//! fBm, as Musgrave's ridged multifractal or as billow. A height is a function
//! of (config, stream, world point) alone, and of the cell size where the band
//! limit is on: tiles, maps of another size and other resolutions meet without
//! a seam.
//!
//! Guarantees: no period, no direction preferred, no lattice or axis to be
//! seen; the same bits for one point ([`Noise::value`]) and for a map
//! ([`fill`]), on any number of threads; never NaN for a finite config. An
//! octave whose lattice would be 2^51 cells away is flat there. Sources: Perlin
//! 2002; Ebert et al. 2003 for the sums. Cost: about 10 ns for a sample of an
//! octave on one thread of a busy machine.

use bajada_grid::{Cancelled, Grid, Stream, Task, par};

use super::lattice;
use super::octave::{self, Octave};
use super::sum::{Billow, Character, Fbm, Ridged, Sum};

pub use super::octave::MAX_OCTAVES;

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

/// Settings of the noise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NoiseConfig {
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
}

impl Default for NoiseConfig {
    fn default() -> Self {
        Self {
            fractal: Fractal::Fbm,
            wavelength: 4000.0,
            amplitude: 600.0,
            octaves: 8,
            gain: 0.5,
            lacunarity: 2.0,
            offset: [0.0; 2],
            base: 0.0,
            band_limit: BandLimit::On,
        }
    }
}

/// Noise that can be asked for any point of the world.
#[derive(Clone, Debug)]
pub struct Noise {
    fractal: Fractal,
    octaves: Vec<Octave>,
    finish: Finish,
    offset: [f64; 2],
}

/// Our own lattice, as the sums need to know it.
const CHARACTER: Character =
    Character { deviation: lattice::DEVIATION, mean_magnitude: lattice::MEAN_MAGNITUDE };

impl Noise {
    /// The noise of `stream` under `config`, for samples `cell_size` metres
    /// apart (which matters to the band limit alone).
    pub fn new(config: &NoiseConfig, stream: Stream, cell_size: f64) -> Self {
        Self {
            fractal: config.fractal,
            octaves: octave::octaves(config, stream, cell_size),
            finish: Finish::new(config, CHARACTER),
            offset: config.offset,
        }
    }

    /// Height at a world point (metres east, metres south), m.
    pub fn value(&self, x: f64, y: f64) -> f32 {
        match self.fractal {
            Fractal::Fbm => self.value_as::<Fbm>(x, y),
            Fractal::Ridged => self.value_as::<Ridged>(x, y),
            Fractal::Billow => self.value_as::<Billow>(x, y),
        }
    }

    /// Height at a world point, m, to the bit that of [`Noise::value`], and
    /// its exact derivative, rise over run east and south. On a crease of
    /// ridged or billow it is that of one of the two sides.
    pub fn value_with_gradient(&self, x: f64, y: f64) -> (f32, [f64; 2]) {
        match self.fractal {
            Fractal::Fbm => self.gradient_as::<Fbm>(x, y),
            Fractal::Ridged => self.gradient_as::<Ridged>(x, y),
            Fractal::Billow => self.gradient_as::<Billow>(x, y),
        }
    }

    fn value_as<S: Sum>(&self, x: f64, y: f64) -> f32 {
        let (x, y) = (x - self.offset[0], y - self.offset[1]);
        let noise = |octave: &Octave| lattice::value(octave.place(x, y), octave.key);
        self.finish.height_of::<S>(&self.octaves, noise)
    }

    fn gradient_as<S: Sum>(&self, x: f64, y: f64) -> (f32, [f64; 2]) {
        let (x, y) = (x - self.offset[0], y - self.offset[1]);
        let mean = S::mean(CHARACTER);
        let (mut sum, mut sum_slope) = (0.0, [0.0; 2]);
        let (mut weight, mut weight_slope) = (1.0, [0.0; 2]);
        for octave in &self.octaves {
            let (noise, along) = if octave.clarity > 0.0 {
                lattice::value_with_slope(octave.place(x, y), octave.key)
            } else {
                (0.0, [0.0; 2])
            };
            let faded = carried::<S>(noise, mean, octave.clarity);
            let signal = faded * weight;
            let steep = f64::from(octave.clarity * S::signal_slope(noise));
            let mut signal_slope = [0.0; 2];
            for axis in 0..2 {
                let noise_slope = f64::from(along[0]) * octave.axes[0][axis]
                    + f64::from(along[1]) * octave.axes[1][axis];
                signal_slope[axis] =
                    f64::from(faded) * weight_slope[axis] + f64::from(weight) * steep * noise_slope;
                sum_slope[axis] += f64::from(octave.share) * signal_slope[axis];
            }
            sum += octave.share * signal;
            weight = S::next_weight(signal);
            let opening = f64::from(S::next_weight_slope(signal));
            weight_slope = signal_slope.map(|slope| opening * slope);
        }
        let level = sum * self.finish.scale;
        let factor = f64::from(self.finish.amplitude)
            * f64::from(S::limit_slope(level))
            * f64::from(self.finish.scale);
        (self.finish.height::<S>(sum), sum_slope.map(|slope| factor * slope))
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
    match noise.fractal {
        Fractal::Fbm => fill_as::<Fbm>(task, out, &noise),
        Fractal::Ridged => fill_as::<Ridged>(task, out, &noise),
        Fractal::Billow => fill_as::<Billow>(task, out, &noise),
    }
}

fn fill_as<S: Sum>(task: &Task, out: &mut Grid<f32>, noise: &Noise) -> Result<(), Cancelled> {
    let domain = *out.domain();
    let xs: Vec<f64> = (0..domain.width()).map(|x| domain.world_x(x) - noise.offset[0]).collect();
    let mean = S::mean(CHARACTER);
    task.set_total(domain.height() as u64);
    par::rows(out, |row, sums| {
        if task.is_cancelled() {
            return;
        }
        let y = domain.world_y(row) - noise.offset[1];
        let mut values = vec![0.0_f32; xs.len()];
        let mut weights = vec![1.0_f32; xs.len()];
        sums.fill(0.0);
        for octave in &noise.octaves {
            if octave.clarity > 0.0 {
                lattice::row(octave, &xs, y, &mut values);
            } else {
                values.fill(0.0);
            }
            for ((sum, weight), &value) in sums.iter_mut().zip(&mut weights).zip(&values) {
                add::<S>(value, mean, octave, sum, weight);
            }
        }
        for sum in sums {
            *sum = noise.finish.height::<S>(*sum);
        }
        task.advance(1);
    });
    task.check()
}

/// What turns a sum of octaves into metres.
#[derive(Clone, Copy, Debug)]
pub(super) struct Finish {
    scale: f32,
    amplitude: f32,
    base: f32,
    character: Character,
}

impl Finish {
    pub(super) fn new(config: &NoiseConfig, character: Character) -> Self {
        // All octaves of the config count, also those that these samples cannot
        // carry: the coarse map must not come out higher than the fine one.
        let mut share = 1.0;
        let shares: Vec<f64> = (0..config.octaves.min(MAX_OCTAVES))
            .map(|_| {
                let own = share;
                share *= config.gain;
                own
            })
            .collect();
        let scale = match config.fractal {
            Fractal::Fbm => Fbm::scale(character, &shares),
            Fractal::Ridged => Ridged::scale(character, &shares),
            Fractal::Billow => Billow::scale(character, &shares),
        };
        Self {
            scale: scale as f32,
            amplitude: config.amplitude as f32,
            base: config.base as f32,
            character,
        }
    }

    #[inline(always)]
    fn height<S: Sum>(&self, sum: f32) -> f32 {
        self.base + self.amplitude * S::limit(sum * self.scale)
    }

    /// Height from the noise of each octave at one point.
    pub(super) fn height_of<S: Sum>(
        &self,
        octaves: &[Octave],
        noise: impl Fn(&Octave) -> f32,
    ) -> f32 {
        let mean = S::mean(self.character);
        let (mut sum, mut weight) = (0.0, 1.0);
        for octave in octaves {
            let value = if octave.clarity > 0.0 { noise(octave) } else { 0.0 };
            add::<S>(value, mean, octave, &mut sum, &mut weight);
        }
        self.height::<S>(sum)
    }
}

/// The signal as far as the samples can carry it, else its mean.
#[inline(always)]
fn carried<S: Sum>(noise: f32, mean: f32, clarity: f32) -> f32 {
    mean + clarity * (S::signal(noise) - mean)
}

#[inline(always)]
fn add<S: Sum>(noise: f32, mean: f32, octave: &Octave, sum: &mut f32, weight: &mut f32) {
    let signal = carried::<S>(noise, mean, octave.clarity) * *weight;
    *sum += octave.share * signal;
    *weight = S::next_weight(signal);
}

#[cfg(test)]
mod tests;
