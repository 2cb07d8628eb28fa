//! How rough the ground is at each wavelength: the slope of its power spectrum.
//!
//! A square in the middle of the map, as large as a power of two allows, has its
//! plane taken out, is faded out at the rim (Hann) and transformed; power is
//! averaged over rings of wave number, eight to a doubling. Ground that is its own
//! enlargement falls as `k^-beta`; fractional Brownian ground of Hurst exponent H
//! has `beta = 2 H + 2`.

use bajada_grid::{Grid, math, par};
use rayon::prelude::*;

/// Shortest and longest wavelength that count, in cells and as a share of the
/// square's side: shorter ones are what sampling made of them, longer ones too few.
const SHORTEST: f64 = 6.0;
const LONGEST: f64 = 0.2;

/// Smallest square that says something, and the largest that is needed, samples.
const SMALLEST: usize = 64;
const LARGEST: usize = 4096;

/// Rings to a doubling of the wave number.
const RINGS: f64 = 8.0;

/// `beta`; `None` for a map that is too small, or level.
pub fn spectral_slope(elevation: &Grid<f32>) -> Option<f64> {
    let shorter = elevation.width().min(elevation.height());
    if shorter < SMALLEST {
        return None;
    }
    let side = (1_usize << shorter.ilog2()).min(LARGEST);
    let [left, top] = [(elevation.width() - side) / 2, (elevation.height() - side) / 2];
    let at = |x: usize, y: usize| f64::from(elevation.at(left + x, top + y));
    let [mean, east, south] = plane(side, &at);
    let middle = (side as f64 - 1.0) / 2.0;
    let fade: Vec<f64> = (0..side)
        .map(|k| 0.5 - 0.5 * math::cos(std::f64::consts::TAU * (k as f64 + 0.5) / side as f64))
        .collect();
    let trend =
        |x: usize, y: usize| mean + east * (x as f64 - middle) + south * (y as f64 - middle);
    // What is less than the last bit of a height is no ground.
    let most = |value: &(dyn Fn(usize, usize) -> f64 + Sync)| {
        par::max(side * side, 0.0, |place| value(place % side, place / side).abs())
    };
    if most(&|x, y| at(x, y) - trend(x, y)) <= f64::from(f32::EPSILON) * most(&at) {
        return None;
    }
    let mut waves = vec![[0.0; 2]; side * side];
    let transform = Transform::new(side);
    waves.par_chunks_mut(side).enumerate().for_each(|(y, row)| {
        for (x, wave) in row.iter_mut().enumerate() {
            *wave = [(at(x, y) - trend(x, y)) * fade[x] * fade[y], 0.0];
        }
        transform.run(row);
    });
    let mut turned = vec![[0.0; 2]; side * side];
    turned.par_chunks_mut(side).enumerate().for_each(|(x, column)| {
        for (y, wave) in column.iter_mut().enumerate() {
            *wave = waves[y * side + x];
        }
        transform.run(column);
    });
    let mut rings: Vec<[f64; 3]> = Vec::new();
    let number = |k: usize| (if k > side / 2 { side - k } else { k }) as f64;
    for (x, column) in turned.chunks(side).enumerate() {
        for (y, [re, im]) in column.iter().enumerate() {
            let k = (number(x) * number(x) + number(y) * number(y)).sqrt();
            if k < 1.0 / LONGEST || k > side as f64 / SHORTEST {
                continue;
            }
            let ring = (RINGS * math::ln(k) / std::f64::consts::LN_2) as usize;
            if rings.len() <= ring {
                rings.resize(ring + 1, [0.0; 3]);
            }
            let terms = [1.0, math::ln(k), re * re + im * im];
            for (sum, term) in rings[ring].iter_mut().zip(terms) {
                *sum += term;
            }
        }
    }
    let points: Vec<[f64; 2]> = rings
        .iter()
        .filter(|[count, _, power]| *count > 0.0 && *power > 0.0)
        .map(|[count, k, power]| [k / count, math::ln(power / count)])
        .collect();
    (points.len() >= 3).then(|| -super::network::slope_of(&points))
}

/// Mean and slopes of the least-squares plane, about the middle of the square.
fn plane(side: usize, at: &(dyn Fn(usize, usize) -> f64 + Sync)) -> [f64; 3] {
    let middle = (side as f64 - 1.0) / 2.0;
    let rows: Vec<[f64; 4]> = (0..side)
        .into_par_iter()
        .map(|y| {
            let south = y as f64 - middle;
            let mut sums = [0.0; 4];
            for x in 0..side {
                let (east, z) = (x as f64 - middle, at(x, y));
                for (sum, term) in sums.iter_mut().zip([z, east * z, south * z, east * east]) {
                    *sum += term;
                }
            }
            sums
        })
        .collect();
    let total = |place: usize| rows.iter().map(|row| row[place]).sum::<f64>();
    let square = math::max(total(3), f64::MIN_POSITIVE);
    [total(0) / (side * side) as f64, total(1) / square, total(2) / square]
}

/// The discrete Fourier transform of a power of two of values (Cooley & Tukey
/// 1965), in a fixed order of operations: the same bits everywhere.
struct Transform {
    /// Roots of unity, half a circle.
    roots: Vec<[f64; 2]>,
}

impl Transform {
    fn new(len: usize) -> Self {
        let root = |k: usize| {
            let angle = -std::f64::consts::TAU * k as f64 / len as f64;
            [math::cos(angle), math::sin(angle)]
        };
        Self { roots: (0..len / 2).map(root).collect() }
    }

    fn run(&self, values: &mut [[f64; 2]]) {
        let len = values.len();
        let bits = len.ilog2();
        for index in 0..len {
            let other = index.reverse_bits() >> (usize::BITS - bits);
            if index < other {
                values.swap(index, other);
            }
        }
        let mut half = 1;
        while half < len {
            let stride = len / (2 * half);
            for block in values.chunks_exact_mut(2 * half) {
                let (low, high) = block.split_at_mut(half);
                for (k, (a, b)) in low.iter_mut().zip(high).enumerate() {
                    let [c, s] = self.roots[k * stride];
                    let turned = [b[0] * c - b[1] * s, b[0] * s + b[1] * c];
                    (*a, *b) = (
                        [a[0] + turned[0], a[1] + turned[1]],
                        [a[0] - turned[0], a[1] - turned[1]],
                    );
                }
            }
            half *= 2;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::noise::{BandLimit, Fractal, NoiseConfig, fill};
    use bajada_grid::{Stream, Task};
    use bajada_testkit::terrain;

    #[test]
    fn a_wave_has_its_power_at_its_own_number() {
        let transform = Transform::new(64);
        let wave = |k: usize| math::cos(std::f64::consts::TAU * 5.0 * k as f64 / 64.0);
        let mut values: Vec<[f64; 2]> = (0..64).map(|k| [wave(k), 0.0]).collect();
        transform.run(&mut values);
        for (k, [re, im]) in values.iter().enumerate() {
            let truth = if k == 5 || k == 59 { 32.0 } else { 0.0 };
            assert!((re - truth).abs() < 1e-12 && im.abs() < 1e-12, "{k}: {re} {im}");
        }
    }

    #[test]
    fn fractional_brownian_ground_has_the_slope_of_its_exponent() {
        for gain in [0.5, 0.62] {
            let mut ground = Grid::filled(terrain::square(513, 10.0), 0.0_f32);
            let config = NoiseConfig {
                fractal: Fractal::Fbm,
                wavelength: 2500.0,
                octaves: 12,
                gain,
                band_limit: BandLimit::Off,
                ..NoiseConfig::default()
            };
            fill(&Task::new(), &mut ground, &config, Stream::new(3)).expect("nobody cancels");
            // gain = 2^-H.
            let truth = 2.0 - 2.0 * math::ln(gain) / std::f64::consts::LN_2;
            let beta = spectral_slope(&ground).expect("large enough");
            println!("gain {gain}: {beta:.2}, in theory {truth:.2}");
            assert!((beta - truth).abs() < 0.2, "{beta} {truth}");
        }
    }

    #[test]
    fn a_tilted_plane_and_a_small_map_have_none() {
        let plane = terrain::plane(terrain::square(65, 10.0), 0.0, 0.25, -0.5);
        assert_eq!(spectral_slope(&plane), None);
        assert_eq!(spectral_slope(&Grid::filled(terrain::square(65, 10.0), 7.0)), None);
        assert_eq!(spectral_slope(&terrain::hills(terrain::square(40, 10.0), 50.0, 1)), None);
    }
}
