//! The noise against what its docs promise.

mod spectra;

use bajada_grid::{Digest, Domain, math};

use super::*;

const FRACTALS: [Fractal; 4] = [Fractal::Fbm, Fractal::Ridged, Fractal::Billow, Fractal::Hybrid];

const LATTICES: [Lattice; 6] = [
    Lattice::Perlin,
    Lattice::Simplex,
    Lattice::Value,
    Lattice::WorleyF1,
    Lattice::WorleyF2,
    Lattice::WorleyF2MinusF1,
];

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

const SWIRL: Warp = Warp { distance: 700.0, wavelength: 3000.0, levels: 2 };

/// Every lattice with every sum, in straight and in moved places.
fn all_kinds() -> Vec<NoiseConfig> {
    let mut kinds = Vec::new();
    for lattice in LATTICES {
        for fractal in FRACTALS {
            for warp in [Warp::default(), SWIRL] {
                kinds.push(NoiseConfig { lattice, fractal, warp, ..Default::default() });
            }
        }
    }
    kinds
}

#[test]
fn a_map_and_a_point_have_the_same_bits() {
    for kind in all_kinds() {
        for (side, cell_size, origin) in
            [(70, 12.0, [0.0; 2]), (20, 700.0, [-3e6, 1e7]), (9, 1e12, [-4e12, -4e12])]
        {
            let domain = domain(side, cell_size, origin);
            let config = NoiseConfig { band_limit: BandLimit::Off, ..kind };
            let map = made(domain, &config, 3);
            let mut rasters = [map.like(0.0), map.like(0.0), map.like(0.0)];
            let [heights, east, south] = &mut rasters;
            fill_with_gradient(&Task::new(), heights, [east, south], &config, Stream::new(3))
                .expect("nobody cancels");
            let noise = Noise::new(&config, Stream::new(3), cell_size);
            for y in 0..map.height() {
                for x in 0..map.width() {
                    let place = (domain.world_x(x), domain.world_y(y));
                    let point = noise.value(place.0, place.1);
                    assert_eq!(map.at(x, y).to_bits(), point.to_bits(), "{config:?} {x} {y}");
                    let (value, gradient) = noise.value_with_gradient(place.0, place.1);
                    let with = [f64::from(value), gradient[0], gradient[1]];
                    for (raster, value) in rasters.iter().zip(with) {
                        assert_eq!(raster.at(x, y).to_bits(), (value as f32).to_bits());
                    }
                    assert_eq!(value.to_bits(), point.to_bits());
                }
            }
        }
    }
}

#[test]
fn no_wavelength_is_zero_on_the_samples() {
    for lattice in LATTICES {
        for cells in 2..64 {
            let config = NoiseConfig {
                lattice,
                wavelength: f64::from(cells) * 10.0,
                octaves: 1,
                band_limit: BandLimit::Off,
                ..Default::default()
            };
            let [_, deviation] = statistics(&made(domain(128, 10.0, [0.0; 2]), &config, 1));
            assert!(deviation > 0.15 * config.amplitude, "{lattice:?}, {cells} cells: {deviation}");
        }
    }
}

#[test]
fn a_world_point_has_the_same_bits_on_any_map_that_holds_it() {
    for kind in all_kinds() {
        let config = NoiseConfig { band_limit: BandLimit::Off, ..kind };
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
}

#[test]
fn octaves_of_four_cells_have_the_same_bits_at_half_the_cell_size() {
    for kind in all_kinds() {
        let config = NoiseConfig { wavelength: 1024.0, octaves: 5, ..kind };
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
fn the_pattern_does_not_repeat_after_256_cells_or_65536_or_four_billion() {
    for lattice in LATTICES {
        for lag in [256.0, 512.0, 65_536.0, 4_294_967_296.0] {
            for (east, south) in [(lag, 0.0), (0.0, lag), (lag, lag)] {
                let (mut product, mut square) = (0.0, 0.0);
                for index in 0..20_000 {
                    let (x, y) = (f64::from(index % 141) * 0.73, f64::from(index / 141) * 0.61);
                    let here = f64::from(lattice.value([x, y], [1, 2]));
                    product += here * f64::from(lattice.value([x + east, y + south], [1, 2]));
                    square += here * here;
                }
                let repeats = product / square;
                assert!(repeats.abs() < 0.1, "{lattice:?} {lag}: {repeats}");
            }
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
    for kind in all_kinds() {
        let config = NoiseConfig { octaves: 4, ..kind };
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
            // Warped ground bends sooner.
            let bound = if config.warp.distance > 0.0 { 0.01 } else { 0.002 };
            off += usize::from(error > bound);
        }
        // A finite difference over a crease, or over the edge of a ridge's
        // weight, is no derivative: those few points may differ.
        let smooth = matches!(config.lattice, Lattice::Perlin | Lattice::Simplex | Lattice::Value);
        let most = if smooth && config.fractal == Fractal::Fbm { 0 } else { 100 };
        assert!(off <= most, "{config:?}: {off} of 1000 differ");
    }
}

#[test]
fn ground_is_smooth_ten_thousand_kilometres_from_the_origin() {
    for lattice in [Lattice::Perlin, Lattice::Simplex, Lattice::Value] {
        let config = NoiseConfig {
            lattice,
            wavelength: 1000.0,
            amplitude: 100.0,
            octaves: 1,
            ..Default::default()
        };
        let noise = Noise::new(&config, Stream::new(4), 1.0);
        for line in 0..20 {
            let (start, y) = (1e7 + f64::from(line) * 173.0, -1e7 + f64::from(line) * 97.0);
            let mut last = noise.value_with_gradient(start, y).1;
            for step in 1..500 {
                // An f32 holds whole metres here: its ground would be stairs.
                let x = start + 0.01 * f64::from(step);
                let (_, gradient) = noise.value_with_gradient(x, y);
                for (now, before) in gradient.iter().zip(last) {
                    assert!((now - before).abs() < 1e-4, "{lattice:?} {now} {before}");
                }
                let rise = f64::from(noise.value(x + 1.0, y)) - f64::from(noise.value(x - 1.0, y));
                assert!((0.5 * rise - gradient[0]).abs() < 1e-4, "{lattice:?} {rise}");
                last = gradient;
            }
        }
    }
}

#[test]
fn heights_stay_within_the_amplitude_and_come_near_it() {
    for (fractal, low) in [
        (Fractal::Fbm, -100.0),
        (Fractal::Ridged, 0.0),
        (Fractal::Billow, 0.0),
        (Fractal::Hybrid, 0.0),
    ] {
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
fn the_number_of_threads_changes_no_bit() {
    for kind in all_kinds() {
        let run = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            pool.expect("a pool").install(|| made(domain(77, 30.0, [0.0; 2]), &kind, 1))
        };
        let one = run(1);
        for threads in [2, 3, 7] {
            assert_eq!(one, run(threads));
        }
    }
}

#[test]
fn small_maps_and_absurd_settings_are_finite() {
    for kind in all_kinds() {
        for (width, height) in (1..10).flat_map(|w| (1..10).map(move |h| (w, h))) {
            let domain = Domain::new(width, height, 30.0, [0.0; 2]).expect("legal");
            for far in [0.0, 1e18, f64::MAX] {
                let octaves = if far == 1e18 { u32::MAX } else { width % 3 };
                let config = NoiseConfig { octaves, offset: [far, -far], ..kind };
                let map = made(domain, &config, 1);
                assert!(map.as_slice().iter().all(|value| value.is_finite()), "{config:?}");
            }
        }
        for (distance, wavelength, levels) in
            [(1e300, 1e-300, u32::MAX), (f64::MAX, 1.0, 1), (-1.0, 1.0, 2), (1e6, 1e-3, 2)]
        {
            let warp = Warp { distance, wavelength, levels };
            let map = made(domain(9, 30.0, [0.0; 2]), &NoiseConfig { warp, ..kind }, 1);
            assert!(map.as_slice().iter().all(|value| value.is_finite()), "{warp:?}");
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
/// the node's version. Debug and release builds both run this.
#[test]
fn known_maps_keep_their_bits() {
    let digest = |config: NoiseConfig| {
        let map = made(domain(65, 40.0, [-500.0, 1e6]), &config, 42);
        Digest::of_grid("elevation", &map).expect("finite").to_string()[..16].to_owned()
    };
    let fractals = FRACTALS.map(|fractal| NoiseConfig { fractal, ..Default::default() });
    let lattices = LATTICES.map(|lattice| NoiseConfig { lattice, ..Default::default() });
    let warped = NoiseConfig { warp: SWIRL, ..Default::default() };
    let digests: Vec<String> =
        fractals.into_iter().chain(lattices).chain([warped]).map(digest).collect();
    assert_eq!(
        digests,
        [
            "8e28ac17a6fa7c96",
            "7fcf0a5a6a96df6a",
            "0e156d8214f918ef",
            "6de9916e15cb3d36",
            "8e28ac17a6fa7c96",
            "5cab38637e91053f",
            "976ee3dfb7d90626",
            "778342b9035d05f0",
            "8adddb3fea1470ee",
            "d88fadb780e6396e",
            "795cd4759fd85313",
        ]
    );
}
