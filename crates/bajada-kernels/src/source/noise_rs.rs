//! The lattices of the `noise` crate (0.9, Apache-2.0 or MIT), under the
//! octaves and sums of [`super::noise`].
//!
//! What this adds to the crate: its permutation table repeats every 256 cells,
//! is shuffled by `rand` and takes 32 bits of seed, so it is not used. The
//! crate's 2-D kernels are called with a hash of our own instead: no period
//! within 2^31 cells, 64-bit streams, no generator whose algorithm may change.
//! Coordinates are folded to +-2^31 cells before the crate sees them (it panics
//! on NaN, infinities and from 2^63 on), and each octave is turned and moved as
//! in our own noise, so that no wavelength is zero on every sample.
//!
//! Left out: OpenSimplex and SuperSimplex use `powi`, whose last bits are not
//! specified; Worley and the rest are no terrain lattices. What is offered uses
//! `+ - * /` and square roots alone. Known of the crate's lattices: its Perlin
//! has four diagonal gradients and shows them at 45 degrees to the lattice; its
//! Value noise is blocky. Cost: some 40 ns for a sample of an
//! octave.

use bajada_grid::{Cancelled, Grid, Stream, Task, par};
use noise::Vector2;
use noise::core::{perlin::perlin_2d, simplex::simplex_2d, value::value_2d};
use noise::permutationtable::NoiseHasher;

use super::noise::{Finish, Fractal, NoiseConfig};
use super::octave::{Octave, octaves};
use super::sum::{BOUND, Billow, Character, Fbm, Hybrid, Ridged, Sum};

/// Which lattice of the crate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LibraryLattice {
    /// Perlin's gradient noise on squares, four gradients.
    #[default]
    Perlin,
    /// Gustavson's simplex noise on triangles, eight gradients.
    Simplex,
    /// Values at the corners of squares, faded between.
    Value,
}

/// Cells after which coordinates are folded.
const FOLD: f64 = 2_147_483_648.0;

/// The crate's place of a permutation table: a hash of ours, eight bits of it,
/// which is what its kernels can take.
struct Corners([u32; 2]);

impl NoiseHasher for Corners {
    fn hash(&self, corner: &[isize]) -> usize {
        let mut bits = self.0[0];
        for &coordinate in corner {
            // Folded coordinates and their neighbours differ in these 32 bits.
            bits = (bits ^ coordinate as u32).wrapping_mul(0x9e37_79b1);
            bits = (bits ^ (bits >> 16)).wrapping_mul(0x21f0_aaad) ^ self.0[1];
            bits = (bits ^ (bits >> 15)).wrapping_mul(0x735a_2d97);
        }
        (bits >> 24) as usize
    }
}

/// Within +-[`FOLD`], whatever comes in. The remainder is exact, and the same
/// number for all coordinates that a map has in practice.
fn fold(coordinate: f64) -> f64 {
    if coordinate.is_finite() { coordinate % FOLD } else { 0.0 }
}

impl LibraryLattice {
    /// Measured over 4,000,000 points, in units where the lattice reaches
    /// +-[`BOUND`].
    fn character(self) -> Character {
        match self {
            Self::Perlin => Character { deviation: 0.3032, mean_magnitude: 0.2439 },
            Self::Simplex => Character { deviation: 0.2710, mean_magnitude: 0.2276 },
            Self::Value => Character { deviation: 0.3208, mean_magnitude: 0.2684 },
        }
    }

    /// Noise at a place of a lattice, within +-[`BOUND`].
    fn noise(self, place: [f64; 2], key: [u32; 2]) -> f32 {
        let (point, corners) = (Vector2::new(fold(place[0]), fold(place[1])), Corners(key));
        let unit = match self {
            Self::Perlin => perlin_2d(point, &corners),
            Self::Simplex => simplex_2d(point, &corners).0,
            Self::Value => value_2d(point, &corners),
        };
        (unit * BOUND) as f32
    }
}

/// Sets every cell of `out` to the noise at its world point, m, with the
/// crate's lattice in place of `config.lattice`. Places are not moved; the rest
/// of `config` means what it means there.
///
/// # Errors
/// [`Cancelled`], with whatever `out` then holds.
pub fn fill(
    task: &Task,
    out: &mut Grid<f32>,
    lattice: LibraryLattice,
    config: &NoiseConfig,
    stream: Stream,
) -> Result<(), Cancelled> {
    match config.fractal {
        Fractal::Fbm => fill_as::<Fbm>(task, out, lattice, config, stream),
        Fractal::Ridged => fill_as::<Ridged>(task, out, lattice, config, stream),
        Fractal::Billow => fill_as::<Billow>(task, out, lattice, config, stream),
        Fractal::Hybrid => fill_as::<Hybrid>(task, out, lattice, config, stream),
    }
}

fn fill_as<S: Sum>(
    task: &Task,
    out: &mut Grid<f32>,
    lattice: LibraryLattice,
    config: &NoiseConfig,
    stream: Stream,
) -> Result<(), Cancelled> {
    let domain = *out.domain();
    let octaves = octaves(config, stream, domain.cell_size());
    let finish = Finish::new(config, lattice.character());
    task.set_total(domain.height() as u64);
    par::rows(out, |row, cells| {
        if task.is_cancelled() {
            return;
        }
        let y = domain.world_y(row) - config.offset[1];
        for (column, cell) in cells.iter_mut().enumerate() {
            let x = domain.world_x(column) - config.offset[0];
            let noise = |octave: &Octave| lattice.noise(octave.place(x, y), octave.key);
            *cell = finish.height_of::<S>(&octaves, noise);
        }
        task.advance(1);
    });
    task.check()
}

#[cfg(test)]
mod tests {
    use bajada_grid::{Domain, Stats};

    use super::*;
    use crate::source::noise::BandLimit;

    const LATTICES: [LibraryLattice; 3] =
        [LibraryLattice::Perlin, LibraryLattice::Simplex, LibraryLattice::Value];

    fn made(side: u32, lattice: LibraryLattice, config: &NoiseConfig, seed: u64) -> Grid<f32> {
        let domain = Domain::new(side, side, 10.0, [0.0; 2]).expect("legal");
        let mut out = Grid::filled(domain, f32::NAN);
        let done = fill(&Task::new(), &mut out, lattice, config, Stream::new(seed));
        done.expect("nobody cancels");
        out
    }

    #[test]
    fn no_seed_and_no_offset_panics_or_leaves_the_finite() {
        let seeds = [0, 1, 8, 255, 1 << 31, u64::from(u32::MAX), u64::from(u32::MAX) + 1, u64::MAX];
        for lattice in LATTICES {
            for seed in seeds {
                for far in [0.0, -1e7, 1e15, 9.3e18, -1e19, 1e300, f64::MAX, f64::MIN] {
                    for octaves in [1, 24] {
                        let config =
                            NoiseConfig { octaves, offset: [far, -far], ..Default::default() };
                        let stats = Stats::of(&made(5, lattice, &config, seed));
                        assert_eq!(stats.nonfinite, 0);
                    }
                }
            }
            assert!(lattice.noise([f64::NAN, f64::INFINITY], [1, 2]).is_finite());
        }
    }

    #[test]
    fn no_wavelength_is_zero_on_the_samples() {
        for lattice in LATTICES {
            for cells in 2..64 {
                let config = NoiseConfig {
                    wavelength: 10.0 * f64::from(cells),
                    octaves: 1,
                    band_limit: BandLimit::Off,
                    ..Default::default()
                };
                let map = made(128, lattice, &config, 1);
                let power = par::sum(map.as_slice().len(), |index| {
                    f64::from(map[index]) * f64::from(map[index])
                });
                let deviation = (power / map.as_slice().len() as f64).sqrt();
                assert!(deviation > 0.15 * config.amplitude, "{lattice:?} {cells}: {deviation}");
            }
        }
    }

    #[test]
    fn each_lattice_has_the_statistics_that_the_sums_assume() {
        for lattice in LATTICES {
            let (mut square, mut magnitude, mut most) = (0.0, 0.0, 0.0_f32);
            let count = 400_000_u32;
            for index in 0..count {
                let place = [f64::from(index % 632) * 0.377, f64::from(index / 632) * 0.291];
                let noise = lattice.noise(place, [1, 2]);
                square += f64::from(noise) * f64::from(noise);
                magnitude += f64::from(noise.abs());
                most = bajada_grid::math::max(most, noise.abs());
            }
            let character = lattice.character();
            let deviation = (square / f64::from(count)).sqrt();
            let mean = magnitude / f64::from(count);
            assert!(f64::from(most) < BOUND + 1e-6, "{lattice:?} {most}");
            assert!(
                (deviation / character.deviation - 1.0).abs() < 0.02,
                "{lattice:?} {deviation} {mean} {most}"
            );
            assert!((mean / character.mean_magnitude - 1.0).abs() < 0.02, "{lattice:?} {mean}");
        }
    }

    #[test]
    fn the_number_of_threads_changes_no_bit() {
        for lattice in LATTICES {
            let run = |threads: usize| {
                let pool =
                    rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
                pool.install(|| made(41, lattice, &NoiseConfig::default(), 1))
            };
            let one = run(1);
            for threads in [2, 3, 7] {
                assert_eq!(one, run(threads));
            }
        }
    }

    #[test]
    fn the_pattern_does_not_repeat_after_256_cells() {
        for lattice in LATTICES {
            let (mut product, mut square) = (0.0, 0.0);
            for index in 0..20_000_u32 {
                let place = [f64::from(index % 141) * 0.73, f64::from(index / 141) * 0.61];
                let here = lattice.noise(place, [3, 4]);
                product += f64::from(here * lattice.noise([place[0] + 256.0, place[1]], [3, 4]));
                square += f64::from(here * here);
            }
            assert!((product / square).abs() < 0.1, "{lattice:?} {}", product / square);
        }
    }
}
