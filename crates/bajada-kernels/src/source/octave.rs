//! The octaves of a fractal sum: wavelength, turn, phase, share.
//!
//! Octave `o` has the wavelength `wavelength / lacunarity^o`. Each is turned by
//! another 36.87 degrees (the exact rotation (0.8, 0.6)) and moved by a hashed
//! phase, so that no two lattices share their corners, none follows the map's
//! axes, and no wavelength puts every sample on a corner, where gradient noise
//! is zero.

use bajada_grid::{Stream, math};

use super::noise::{BandLimit, NoiseConfig};

/// Most octaves that are summed: 2^24 in wavelength spans a continent down to
/// a pebble, and what lies beyond is lost in the rounding of an f32.
pub const MAX_OCTAVES: u32 = 24;

/// Cells per wavelength at which an octave is gone: below two, samples cannot
/// tell it from a longer wave.
const GONE_AT: f64 = 2.0;

/// Cells per wavelength from which an octave is whole. Octaves from here on
/// have the same bits at half the cell size.
const WHOLE_AT: f64 = 4.0;

/// One lattice of a fractal sum.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Octave {
    /// Lattice coordinates per metre east and south: `axes[0]` for the first
    /// coordinate, `axes[1]` for the second.
    pub(crate) axes: [[f64; 2]; 2],
    /// Lattice coordinates of the world's origin, 0..1.
    pub(crate) phase: [f64; 2],
    /// What the corners of this lattice are hashed with.
    pub(crate) key: [u32; 2],
    /// Amplitude relative to the first octave.
    pub(crate) share: f32,
    /// How much of the octave the samples can carry: 1 whole, 0 gone.
    pub(crate) clarity: f32,
}

impl Octave {
    /// Lattice coordinates of a world point. The order of the operations is
    /// part of the result: a row keeps what stands in the inner brackets.
    #[inline(always)]
    pub(crate) fn place(&self, x: f64, y: f64) -> [f64; 2] {
        let row = self.row(y);
        [x * self.axes[0][0] + row[0], x * self.axes[1][0] + row[1]]
    }

    /// The part of [`Octave::place`] that a row shares.
    #[inline(always)]
    pub(crate) fn row(&self, y: f64) -> [f64; 2] {
        [y * self.axes[0][1] + self.phase[0], y * self.axes[1][1] + self.phase[1]]
    }
}

/// The octaves of `config`, longest first, for samples `cell_size` apart.
pub(crate) fn octaves(config: &NoiseConfig, stream: Stream, cell_size: f64) -> Vec<Octave> {
    let (mut east, mut south) = (0.8, 0.6);
    let (mut wavelength, mut share) = (config.wavelength, 1.0);
    (0..config.octaves.min(MAX_OCTAVES))
        .map(|index| {
            let own = stream.part(u64::from(index));
            let key = own.bits(0, 0);
            let octave = Octave {
                axes: [
                    [east / wavelength, -south / wavelength],
                    [south / wavelength, east / wavelength],
                ],
                phase: [own.uniform(1, 0), own.uniform(1, 1)],
                key: [key as u32, (key >> 32) as u32],
                share: share as f32,
                clarity: match config.band_limit {
                    BandLimit::On => {
                        math::smoothstep(GONE_AT, WHOLE_AT, wavelength / cell_size) as f32
                    }
                    BandLimit::Off => 1.0,
                },
            };
            (east, south) = (0.8 * east - 0.6 * south, 0.6 * east + 0.8 * south);
            wavelength /= config.lacunarity;
            share *= config.gain;
            octave
        })
        .collect()
}
