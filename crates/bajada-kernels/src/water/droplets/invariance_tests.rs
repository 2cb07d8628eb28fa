//! Droplets must not see how the map is turned, cut into cells or bounded.

use bajada_grid::{Domain, Grid, Ledger, Stream, Task, math, sample};
use bajada_testkit::terrain;

use super::{CapacityLaw, DropletConfig, Eroded, Ground, erode};

fn run(elevation: &Grid<f32>, config: &DropletConfig) -> Eroded {
    let ground = Ground { elevation, hardness: None, mask: None };
    erode(&Task::new(), &ground, config, Stream::new(7)).expect("nobody cancels")
}

/// A massif with spurs and hollows, turned by an angle; level far from its
/// middle, so that turning it loses no ground.
fn massif(domain: Domain, turned_deg: f64) -> Grid<f32> {
    let [east, south] = domain.extent();
    let (c, s) = (math::cos(math::radians(turned_deg)), math::sin(math::radians(turned_deg)));
    Grid::from_fn(domain, |x, y| {
        let (x, y) = (domain.world_x(x) - 0.5 * east, domain.world_y(y) - 0.5 * south);
        let (u, v) = ((c * x - s * y) / 330.0, (s * x + c * y) / 290.0);
        let waves = math::sin(u + 0.4) * math::cos(v) + 0.6 * math::sin(2.1 * u - 1.3 * v);
        let far = (x * x + y * y).sqrt() / (0.5 * east);
        (math::smoothstep(0.95, 0.1, far) * (500.0 + 160.0 * waves)) as f32
    })
}

fn eroded(result: &Eroded) -> f64 {
    let lowered: f64 = result.erosion.as_slice().iter().map(|cut| f64::from(*cut)).sum();
    lowered * result.erosion.domain().cell_area()
}

/// Sums over blocks of `side` samples.
fn blocks(map: &Grid<f32>, side: usize) -> Vec<f64> {
    let across = map.width() / side;
    let mut sums = vec![0.0; across * (map.height() / side)];
    for y in 0..map.height() / side * side {
        for x in 0..across * side {
            sums[y / side * across + x / side] += f64::from(map.at(x, y));
        }
    }
    sums
}

fn correlation(a: &[f64], b: &[f64]) -> f64 {
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let (mean_a, mean_b) = (mean(a), mean(b));
    let sum = |f: &dyn Fn(f64, f64) -> f64| -> f64 {
        a.iter().zip(b).map(|(a, b)| f(a - mean_a, b - mean_b)).sum()
    };
    sum(&|a, b| a * b) / (sum(&|a, _| a * a) * sum(&|_, b| b * b)).sqrt()
}

#[test]
fn a_map_turned_by_90_degrees_erodes_alike() {
    let domain = terrain::square(193, 12.0);
    // Rain falls on other places of the ground: enough of it for that not to show.
    let config = DropletConfig { density: 0.02, ..DropletConfig::default() };
    let [plain, turned] = [0.0, 90.0].map(|angle| run(&massif(domain, angle), &config));
    let volumes = eroded(&turned) / eroded(&plain) - 1.0;
    println!("volume {:+.2} %", 100.0 * volumes);
    assert!(volumes.abs() < 0.03, "{volumes}");
    // Where water runs, block by block, after turning one map back.
    let last = domain.width() - 1;
    let back = Grid::from_fn(domain, |x, y| turned.discharge.at(last - y, x));
    let forth = Grid::from_fn(domain, |x, y| turned.discharge.at(y, last - x));
    let alike =
        [back, forth].map(|map| correlation(&blocks(&map, 8), &blocks(&plain.discharge, 8)));
    let alike = math::max(alike[0], alike[1]);
    println!("flow {alike:.4}");
    assert!(alike > 0.98, "{alike}");
}

#[test]
fn a_map_turned_by_45_degrees_erodes_as_much() {
    let domain = terrain::square(193, 12.0);
    let [plain, turned] = [0.0, 45.0].map(|angle| run(&massif(domain, angle), &Default::default()));
    let volumes = eroded(&turned) / eroded(&plain) - 1.0;
    println!("volume {:+.2} %", 100.0 * volumes);
    assert!(volumes.abs() < 0.03, "{volumes}");
}

#[test]
fn half_the_cell_size_erodes_as_much_in_the_same_places() {
    let config = DropletConfig { brush_radius: 36.0, density: 0.016, ..DropletConfig::default() };
    let [coarse, fine] = [(129, 12.0), (257, 6.0)].map(|(samples, cell_size)| {
        let before = massif(terrain::square(samples, cell_size), 0.0);
        (run(&before, &config), before)
    });
    let volumes = eroded(&fine.0) / eroded(&coarse.0) - 1.0;
    let mean = eroded(&coarse.0) / (1536.0 * 1536.0);
    // Mean change of blocks of 96 m about the same middles.
    let change = |(result, before): &(Eroded, Grid<f32>)| {
        Grid::from_fn(*before.domain(), |x, y| result.elevation.at(x, y) - before.at(x, y))
    };
    let a = blocks(&change(&coarse), 8).into_iter().map(|sum| sum / 64.0);
    let fine = sample::resize(&change(&fine), *coarse.1.domain());
    let b = blocks(&fine, 8).into_iter().map(|sum| sum / 64.0);
    let (a, b): (Vec<f64>, Vec<f64>) = (a.collect(), b.collect());
    let squares: f64 = a.iter().zip(&b).map(|(a, b)| (a - b) * (a - b)).sum();
    let rms = (squares / a.len() as f64).sqrt() / mean;
    println!("volume {:+.2} %, blocks {:.1} % of the mean erosion", 100.0 * volumes, 100.0 * rms);
    assert!(volumes.abs() < 0.01, "{volumes}");
    assert!(rms < 0.05, "{rms}");
}

#[test]
fn a_cell_that_is_not_a_number_stays_one_such_cell() {
    let whole = massif(terrain::square(97, 12.0), 0.0);
    let mut holed = whole.clone();
    holed.set(40, 50, f32::NAN);
    holed.set(70, 30, f32::INFINITY);
    let result = run(&holed, &DropletConfig::default());
    for index in 0..whole.as_slice().len() {
        assert_eq!(result.elevation[index].is_finite(), holed[index].is_finite(), "{index}");
        assert!(result.discharge[index].is_finite() && result.deposition[index].is_finite());
    }
    assert_eq!(result.erosion.at(40, 50), 0.0);
    assert!(result.ledger.eroded > 1e5 && result.ledger.residual_relative() <= 1e-12);
    assert_eq!(result.ledger.handed_on, 0.0);
    let nothing = Grid::filled(*whole.domain(), f32::NAN);
    assert_eq!(run(&nothing, &DropletConfig::default()).ledger, Ledger::default());
}

#[test]
fn each_edge_books_what_crosses_it() {
    let domain = terrain::square(97, 16.0);
    let plane = Grid::from_fn(domain, |x, y| {
        2000.0 - 8.0 * x as f32 - 0.5 * y as f32 + ((x * 37 + y * 61) % 5) as f32
    });
    let result = run(&plane, &DropletConfig { path_length: 3000.0, ..DropletConfig::default() });
    let [west, east, north, south] = result.exported_over;
    assert!([west, north, south].iter().all(|other| east > 10.0 * other), "{east} {south}");
    assert_eq!(west + east + north + south, result.ledger.exported);
}

#[test]
fn the_other_capacity_law_carries_load_out_onto_level_ground() {
    let domain = terrain::square(129, 12.0);
    let ramp = terrain::hills(domain, 30.0, 3);
    let ramp = Grid::from_fn(domain, |x, y| {
        ramp.at(x, y) + math::max(0.5 * 12.0 * (64.0 - x as f32), 0.0) - 0.2 * x as f32
    });
    let reached = |capacity_law, capacity_factor| {
        let config = DropletConfig { capacity_law, capacity_factor, ..DropletConfig::default() };
        let result = run(&ramp, &config);
        assert!(result.ledger.residual_relative() <= 1e-12);
        // Share of all layers that lies beyond the foot.
        let laid = |from: usize| -> f64 {
            let cells = (0..domain.len()).filter(|index| index % 129 >= from);
            cells.map(|index| f64::from(result.deposition[index])).sum()
        };
        laid(72) / laid(0)
    };
    let [slope, speed] = [(CapacityLaw::SlopeSpeed, 1.2), (CapacityLaw::SpeedSquared, 0.1)]
        .map(|(law, factor)| reached(law, factor));
    assert!(speed > 1.2 * slope, "{speed} {slope}");
}

#[test]
fn classic_settings_count_in_cells() {
    // The same numbers on cells of 1 m and of 10 m: shapes ten times as large.
    let small = massif(terrain::square(97, 12.0), 0.0);
    let domain = terrain::square(97, 120.0);
    let large = Grid::from_fn(domain, |x, y| 10.0 * small.at(x, y));
    let classic = |map: &Grid<f32>, density: f64| {
        let base = DropletConfig { density, ..DropletConfig::default() };
        run(map, &base.classic(map.domain().cell_size()))
    };
    let (small, large) = (classic(&small, 0.005), classic(&large, 0.00005));
    assert!(small.ledger.eroded > 1e5 && small.ledger.residual_relative() <= 1e-12);
    let ratio = eroded(&large) / eroded(&small) / 1000.0;
    assert!((ratio - 1.0).abs() < 0.01, "{ratio}");
}
