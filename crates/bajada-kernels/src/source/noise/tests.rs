//! The noise against what its docs promise.

use bajada_grid::{Digest, Domain, math};

use super::*;

const FRACTALS: [Fractal; 3] = [Fractal::Fbm, Fractal::Ridged, Fractal::Billow];

fn domain(side: u32, cell_size: f64, origin: [f64; 2]) -> Domain {
    Domain::new(side, side, cell_size, origin).expect("a legal test lattice")
}

fn made(domain: Domain, config: &NoiseConfig, seed: u64) -> Grid<f32> {
    let mut out = Grid::filled(domain, f32::NAN);
    fill(&Task::new(), &mut out, config, Stream::new(seed)).expect("nobody cancels");
    out
}

fn mean_and_deviation(values: impl Iterator<Item = f64> + Clone) -> [f64; 2] {
    let count = values.clone().count() as f64;
    let mean = values.clone().fold(0.0, |sum, value| sum + value) / count;
    let square = values.fold(0.0, |sum, value| sum + (value - mean) * (value - mean));
    [mean, (square / count).sqrt()]
}

fn statistics(grid: &Grid<f32>) -> [f64; 2] {
    mean_and_deviation(grid.as_slice().iter().map(|&value| f64::from(value)))
}

#[test]
fn a_map_and_a_point_have_the_same_bits() {
    for fractal in FRACTALS {
        for (side, cell_size, origin) in
            [(37, 12.0, [0.0; 2]), (20, 700.0, [-3e6, 1e7]), (9, 1e12, [-4e12, -4e12])]
        {
            let domain = domain(side, cell_size, origin);
            let config = NoiseConfig { fractal, band_limit: BandLimit::Off, ..Default::default() };
            let map = made(domain, &config, 3);
            let noise = Noise::new(&config, Stream::new(3), cell_size);
            for y in 0..map.height() {
                for x in 0..map.width() {
                    let place = (domain.world_x(x), domain.world_y(y));
                    let point = noise.value(place.0, place.1);
                    assert_eq!(map.at(x, y).to_bits(), point.to_bits(), "{fractal:?} {x} {y}");
                    let (value, _) = noise.value_with_gradient(place.0, place.1);
                    assert_eq!(value.to_bits(), point.to_bits());
                }
            }
        }
    }
}

#[test]
fn no_wavelength_is_zero_on_the_samples() {
    for cells in 2..64 {
        let config = NoiseConfig {
            wavelength: f64::from(cells) * 10.0,
            octaves: 1,
            band_limit: BandLimit::Off,
            ..Default::default()
        };
        let [_, deviation] = statistics(&made(domain(128, 10.0, [0.0; 2]), &config, 1));
        assert!(deviation > 0.15 * config.amplitude, "{cells} cells: {deviation}");
    }
}

#[test]
fn a_world_point_has_the_same_bits_on_any_map_that_holds_it() {
    let config = NoiseConfig { band_limit: BandLimit::Off, ..Default::default() };
    let whole = made(domain(65, 16.0, [1024.0, -512.0]), &config, 5);
    let moved = made(domain(33, 16.0, [1024.0 + 16.0 * 19.0, -512.0 + 16.0 * 7.0]), &config, 5);
    let fine = made(domain(129, 8.0, [1024.0, -512.0]), &config, 5);
    for y in 0..33 {
        for x in 0..33 {
            assert_eq!(moved.at(x, y).to_bits(), whole.at(x + 19, y + 7).to_bits());
            assert_eq!(fine.at(2 * x, 2 * y).to_bits(), whole.at(x, y).to_bits());
        }
    }
}

#[test]
fn octaves_of_four_cells_have_the_same_bits_at_half_the_cell_size() {
    for fractal in FRACTALS {
        let config = NoiseConfig { fractal, wavelength: 1024.0, octaves: 5, ..Default::default() };
        let (coarse, fine) = (
            made(domain(33, 16.0, [0.0; 2]), &config, 5),
            made(domain(65, 8.0, [0.0; 2]), &config, 5),
        );
        for y in 0..33 {
            for x in 0..33 {
                assert_eq!(fine.at(2 * x, 2 * y).to_bits(), coarse.at(x, y).to_bits());
            }
        }
    }
}

#[test]
fn a_coarse_map_lies_at_the_level_of_a_fine_one() {
    for fractal in FRACTALS {
        let config = NoiseConfig { fractal, wavelength: 800.0, ..Default::default() };
        let [coarse, _] = statistics(&made(domain(128, 100.0, [0.0; 2]), &config, 5));
        let [fine, _] = statistics(&made(domain(1024, 12.5, [0.0; 2]), &config, 5));
        assert!((coarse - fine).abs() < 0.02 * config.amplitude, "{fractal:?} {coarse} {fine}");
    }
}

#[test]
fn the_pattern_does_not_repeat_after_256_cells() {
    let config = NoiseConfig {
        wavelength: 10.0,
        octaves: 1,
        band_limit: BandLimit::Off,
        ..Default::default()
    };
    // Steps of the rotated lattice: 256 cells along its own axes.
    let noise = Noise::new(&config, Stream::new(2), 10.0);
    for lag in [256.0, 512.0, 65_536.0] {
        for (east, south) in [(8.0 * lag, -6.0 * lag), (6.0 * lag, 8.0 * lag)] {
            let (mut product, mut square) = (0.0, 0.0);
            for index in 0..20_000 {
                let (x, y) = (f64::from(index % 141) * 7.3, f64::from(index / 141) * 6.1);
                let here = f64::from(noise.value(x, y));
                product += here * f64::from(noise.value(x + east, y + south));
                square += here * here;
            }
            assert!((product / square).abs() < 0.1, "{lag}: {}", product / square);
        }
    }
}

#[test]
fn ten_thousand_seeds_give_ten_thousand_maps() {
    let digest = |seed: u64| {
        let map = made(domain(16, 250.0, [0.0; 2]), &NoiseConfig::default(), seed);
        Digest::of_grid("elevation", &map).expect("finite")
    };
    let mut digests: Vec<Digest> = (0..9_997).map(digest).collect();
    digests.extend([1 << 31, u64::from(u32::MAX), u64::MAX].map(digest));
    digests.sort_unstable();
    digests.dedup();
    assert_eq!(digests.len(), 10_000);
}

#[test]
fn the_gradient_is_the_derivative() {
    for fractal in FRACTALS {
        let config = NoiseConfig { fractal, octaves: 4, ..Default::default() };
        let noise = Noise::new(&config, Stream::new(11), 1.0);
        let (mut off, step) = (0, 1.0);
        for index in 0..1000 {
            let (x, y) = (f64::from(index) * 37.7 - 9_000.0, f64::from(index) * 11.3);
            let (_, gradient) = noise.value_with_gradient(x, y);
            let rise = |dx: f64, dy: f64| {
                let ends = (noise.value(x + dx, y + dy), noise.value(x - dx, y - dy));
                (f64::from(ends.0) - f64::from(ends.1)) / (2.0 * step)
            };
            let (east, south) = (rise(step, 0.0), rise(0.0, step));
            let error = math::max((east - gradient[0]).abs(), (south - gradient[1]).abs());
            off += usize::from(error > 0.002);
        }
        // A finite difference over a crease, or over the edge of a ridge's
        // weight, is no derivative: those few points may differ.
        let most = if fractal == Fractal::Fbm { 0 } else { 25 };
        assert!(off <= most, "{fractal:?}: {off} of 1000 differ");
    }
}

#[test]
fn ground_is_smooth_ten_thousand_kilometres_from_the_origin() {
    let config =
        NoiseConfig { wavelength: 1000.0, amplitude: 1000.0, octaves: 1, ..Default::default() };
    let roughness = |origin: f64| {
        let noise = made(domain(256, 1.0, [origin; 2]), &config, 4);
        let mut most: f64 = 0.0;
        for y in 0..256 {
            for x in 1..255 {
                let [a, b, c] = [x - 1, x, x + 1].map(|x| f64::from(noise.at(x, y)));
                most = math::max(most, (a - 2.0 * b + c).abs());
            }
        }
        most
    };
    // The second difference of this wave is below 0.02 m; a stair step of an
    // f32 coordinate would be 1 m wide and 2 m high.
    let (near, far) = (roughness(0.0), roughness(1e7));
    assert!(near < 0.03 && far < 0.03, "{near} {far}");
}

#[test]
fn slopes_are_the_same_in_all_directions() {
    let mut power = [0.0_f64; 4];
    for seed in 0..40 {
        let config = NoiseConfig { octaves: 1, wavelength: 160.0, ..Default::default() };
        let map = made(domain(128, 10.0, [0.0; 2]), &config, seed);
        for y in 1..127_usize {
            for x in 1..127_usize {
                let difference = |dx: isize, dy: isize| {
                    let at = |sign: isize| {
                        let (x, y) = (
                            x.saturating_add_signed(sign * dx),
                            y.saturating_add_signed(sign * dy),
                        );
                        f64::from(map.at(x, y))
                    };
                    let length = 2.0 * ((dx * dx + dy * dy) as f64).sqrt();
                    (at(1) - at(-1)) / length
                };
                for (sum, (dx, dy)) in power.iter_mut().zip([(1, 0), (1, 1), (0, 1), (-1, 1)]) {
                    *sum += difference(dx, dy) * difference(dx, dy);
                }
            }
        }
    }
    let mean = power.iter().fold(0.0, |sum, part| sum + part) / 4.0;
    for part in power {
        assert!((part / mean - 1.0).abs() < 0.1, "{:?}", power.map(|part| part / mean));
    }
}

/// A surface of Hurst exponent H has the variogram `E[(z(x) - z(x + d))^2] ~
/// d^2H`, and the spectral slope 2H + 2.
#[test]
fn the_gain_sets_the_spectral_slope() {
    for hurst in [0.5, 0.8] {
        let config = NoiseConfig {
            wavelength: 65_536.0,
            octaves: 16,
            gain: math::pow(2.0, -hurst),
            band_limit: BandLimit::Off,
            ..Default::default()
        };
        let variogram = |lag: f64| {
            let mut sum = 0.0;
            for seed in 0..4 {
                let noise = Noise::new(&config, Stream::new(seed), 1.0);
                for index in 0..4000 {
                    let (x, y) = (f64::from(index % 63) * 9_001.0, f64::from(index / 63) * 8_861.0);
                    let turn = f64::from(index) * 0.7;
                    let (dx, dy) = (lag * math::cos(turn), lag * math::sin(turn));
                    let d = f64::from(noise.value(x + dx, y + dy)) - f64::from(noise.value(x, y));
                    sum += d * d;
                }
            }
            sum
        };
        let slope = math::ln(variogram(1024.0) / variogram(32.0)) / math::ln(32.0);
        assert!((slope - 2.0 * hurst).abs() < 0.15, "H {hurst}: 2H measured {slope}");
    }
}

#[test]
fn heights_stay_within_the_amplitude_and_come_near_it() {
    for (fractal, low) in [(Fractal::Fbm, -100.0), (Fractal::Ridged, 0.0), (Fractal::Billow, 0.0)] {
        for octaves in [1, 2, 8, 24] {
            for gain in [0.4, 0.5, 0.7, 1.0] {
                let config = NoiseConfig {
                    fractal,
                    octaves,
                    gain,
                    wavelength: 100.0,
                    amplitude: 100.0,
                    base: 1000.0,
                    band_limit: BandLimit::Off,
                    ..Default::default()
                };
                let map = made(domain(256, 10.0, [0.0; 2]), &config, 6);
                let stats = bajada_grid::Stats::of(&map);
                let name = format!("{fractal:?}, {octaves} octaves of gain {gain}: {stats:?}");
                assert_eq!(stats.nonfinite, 0, "{name}");
                assert!(stats.min >= 1000.0 + low && stats.max <= 1100.0, "{name}");
                if gain < 0.6 {
                    assert!(stats.max > 1000.0 + 75.0, "{name}");
                    assert!(stats.min < 1000.0 + 0.75 * low + 25.0, "{name}");
                }
            }
        }
    }
}

#[test]
fn the_lattice_has_the_statistics_that_the_sums_assume() {
    let mut values = Vec::new();
    for index in 0..400_000_u32 {
        let place = [f64::from(index % 632) * 0.377, f64::from(index / 632) * 0.291];
        values.push(f64::from(lattice::value(place, [1, 2])));
    }
    let [mean, deviation] = mean_and_deviation(values.iter().copied());
    let [magnitude, _] = mean_and_deviation(values.iter().map(|value| value.abs()));
    assert!(mean.abs() < 0.01, "{mean}");
    assert!((deviation / lattice::DEVIATION - 1.0).abs() < 0.02, "{deviation}");
    assert!((magnitude / lattice::MEAN_MAGNITUDE - 1.0).abs() < 0.02, "{magnitude}");
}

#[test]
fn the_number_of_threads_changes_no_bit() {
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        pool.install(|| made(domain(77, 30.0, [0.0; 2]), &NoiseConfig::default(), 1))
    };
    let one = run(1);
    for threads in [2, 3, 7] {
        assert_eq!(one, run(threads));
    }
}

#[test]
fn small_maps_and_absurd_offsets_are_finite() {
    for fractal in FRACTALS {
        for (width, height) in (1..10).flat_map(|w| (1..10).map(move |h| (w, h))) {
            let domain = Domain::new(width, height, 30.0, [0.0; 2]).expect("legal");
            for far in [0.0, 1e18, -1e300, f64::MAX] {
                for octaves in [0, 8, u32::MAX] {
                    let config =
                        NoiseConfig { fractal, octaves, offset: [far, -far], ..Default::default() };
                    let map = made(domain, &config, 1);
                    assert!(map.as_slice().iter().all(|value| value.is_finite()));
                }
            }
        }
    }
}

#[test]
fn a_cancelled_fill_says_so() {
    let task = Task::new();
    task.cancel();
    let mut out = Grid::filled(domain(9, 1.0, [0.0; 2]), 0.0_f32);
    let done = fill(&task, &mut out, &NoiseConfig::default(), Stream::new(1));
    assert_eq!(done, Err(Cancelled));
}

/// A change of these is a change of every map that anyone made: it goes with
/// the node's version.
#[test]
fn known_maps_keep_their_bits() {
    let golden = |fractal| {
        let config = NoiseConfig { fractal, ..Default::default() };
        let map = made(domain(65, 40.0, [-500.0, 1e6]), &config, 42);
        Digest::of_grid("elevation", &map).expect("finite").to_string()[..16].to_owned()
    };
    assert_eq!(FRACTALS.map(golden), ["8e28ac17a6fa7c96", "7fcf0a5a6a96df6a", "0e156d8214f918ef"]);
}
