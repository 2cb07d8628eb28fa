//! What the law says of steady states, of waves and of sediment.

use bajada_grid::{Domain, neighbors};
use bajada_testkit::terrain;

use super::tests::{bare, concavity, run, theory};
use super::*;
use crate::flow::{Order, flats, receiver, steepest};

fn rough() -> Grid<f32> {
    terrain::hills(terrain::square(65, 100.0), 5.0, 3)
}

/// Each cell with a receiver: itself, its receiver, the distance, and the area
/// that `supply` (m2 of each cell) adds up to.
fn links(elevation: &Grid<f32>, supply: impl Fn(usize) -> f64) -> Vec<(usize, usize, f64, f64)> {
    let heights = elevation.to_f64();
    let outlets = Outlets::at_edge(&heights);
    let tree = steepest::directions(&heights, &flats::directions(&heights, &outlets));
    let order = Order::of_tree(&tree);
    let mut area: Vec<f64> = (0..heights.domain().len()).map(supply).collect();
    let mut links = Vec::new();
    for cell in order.downstream() {
        let Some(down) = receiver(&tree, cell) else { continue };
        let length = neighbors::D8_LENGTH[usize::from(tree[cell])] * heights.domain().cell_size();
        area[down] += area[cell];
        links.push((cell, down, length, area[cell]));
    }
    links
}

/// The largest miss of `truth(area)` by a slope of the map, as a share of it.
fn worst(elevation: &Grid<f32>, supply: impl Fn(usize) -> f64, truth: impl Fn(f64) -> f64) -> f64 {
    let misses = links(elevation, supply).into_iter().map(|(cell, down, length, area)| {
        let slope = f64::from(elevation[cell] - elevation[down]) / length;
        (slope / truth(area) - 1.0).abs()
    });
    misses.fold(0.0, math::max)
}

#[test]
fn slope_falls_with_area_to_the_power_of_m_over_n() {
    for exponent in [2.0, 0.7] {
        let config = StreamPowerConfig { slope_exponent: exponent, ..theory(300) };
        let carved = run(&bare(&rough()), &config);
        let area = |index: usize| f64::from(carved.drainage_area[index]);
        let theta = concavity(&carved.elevation, area, 1.0);
        assert!((theta * exponent / 0.45 - 1.0).abs() < 0.02, "{exponent}: {theta}");
        let truth =
            |area: f64| math::pow(1e-3 / 2e-5, 1.0 / exponent) * math::pow(area, -0.45 / exponent);
        let worst = worst(&carved.elevation, |_| 1e4, truth);
        assert!(worst < 0.02, "{exponent}: {worst}");
    }
}

#[test]
fn rivers_that_lay_down_stand_steeper_by_1_plus_g() {
    let start = terrain::hills(terrain::square(33, 100.0), 5.0, 3);
    for (deposition, exponent, steps) in [(0.4, 1.0, 200), (2.0, 1.0, 200), (1.0, 1.5, 600)] {
        let config = StreamPowerConfig { deposition, slope_exponent: exponent, ..theory(steps) };
        let carved = run(&bare(&start), &config);
        let steep = math::pow(1e-3 * (1.0 + deposition) / 2e-5, 1.0 / exponent);
        let truth = |area: f64| steep * math::pow(area, -0.45 / exponent);
        let worst = worst(&carved.elevation, |_| 1e4, truth);
        assert!(worst < 0.02, "{deposition} {exponent}: {worst}");
    }
}

#[test]
fn all_that_rises_leaves_though_rivers_lay_some_of_it_down() {
    let start = terrain::hills(terrain::square(33, 100.0), 5.0, 3);
    let config = |steps| StreamPowerConfig { deposition: 1.0, ..theory(steps) };
    let [before, after] = [200, 201].map(|steps| run(&bare(&start), &config(steps)).ledger);
    let rose = after.brought_in - before.brought_in;
    let left = after.exported - before.exported;
    assert!((left / rose - 1.0).abs() < 1e-6, "{left} of {rose}");
    assert!(after.deposited > 0.5 * after.exported, "{after:?}");
}

#[test]
fn drawn_rivers_that_lay_down_keep_the_ledger_and_the_bits() {
    let hills = terrain::hills(terrain::square(65, 24.0), 60.0, 3);
    let config = StreamPowerConfig { deposition: 0.7, steps: 12, ..Default::default() };
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let carved = pool.expect("a pool").install(|| run(&bare(&hills), &config));
        (carved.elevation, carved.ledger)
    };
    assert_eq!(on(1), on(3));
}

/// A valley floor 5 m up, a hollow 20 m deep across it, and a slope that feeds
/// it; water leaves in the west.
fn dammed() -> (Grid<f32>, Grid<f32>) {
    let domain = Domain::new(60, 9, 50.0, [0.0; 2]).expect("legal");
    let start = Grid::from_fn(domain, |x, _| match x {
        0 => 0.0,
        1..10 => 5.0 + 0.01 * x as f32,
        10..30 => -15.0 + 0.01 * x as f32,
        _ => 5.0 + 4.0 * (x as f32 - 29.0),
    });
    let rises = Grid::from_fn(domain, |x, _| match x {
        0 => 0.0,
        1..30 => 1e-6,
        _ => 1.0,
    });
    (start, rises)
}

#[test]
fn a_lake_is_filled_by_what_enters_it_and_the_rest_runs_on() {
    let (start, rises) = dammed();
    let ground = Ground { uplift: Some(&rises), ..bare(&start) };
    let config = |duration, deposition| StreamPowerConfig {
        uplift: Uplift::Rate(1e-3),
        duration,
        deposition,
        diffusivity: 0.0,
        edge: Edge::Wall,
        margin: 0.0,
        routing: Routing::Steepest,
        coarsest_cell: 0.0,
        steps: 20,
        ..StreamPowerConfig::default()
    };
    let lake = |carved: &Carved| {
        let cells = (0..60 * 9).filter(|cell| (10..30).contains(&(cell % 60)));
        cells.map(|cell| f64::from(carved.elevation[cell] - start[cell]) * 2500.0).sum::<f64>()
    };
    let room = 20.0 * 50.0 * 20.0 * 9.0 * 50.0;
    let none = run(&ground, &config(2e4, 0.0));
    assert!(lake(&none).abs() < 0.01 * room, "{}", lake(&none));
    // Little time: all that comes down stays. Much: the lake is full.
    let young = run(&ground, &config(2e3, 1e-9));
    let old = run(&ground, &config(1e5, 1e-9));
    let (some, all) = (lake(&young), lake(&old));
    assert!(some > 0.005 * room && some < all, "{some} of {room}");
    // By then the sill is worn down by some metres.
    assert!((0.8..1.0).contains(&(all / room)), "{all} of {room}");
    let eroded = young.ledger.eroded - young.ledger.deposited;
    assert!(eroded < 0.5 * some, "{eroded} ran on past the sill, {some} stayed");
    assert!(old.ledger.exported > 0.0);
}

#[test]
fn where_no_rain_falls_nothing_is_carried_and_all_stays_finite() {
    // `run` holds that.
    let start = terrain::hills(terrain::square(33, 24.0), 60.0, 3);
    let half = Grid::from_fn(*start.domain(), |x, _| if x < 16 { 0.0 } else { 1.0 });
    for (rain, deposition) in [(&half, 0.0), (&half, 1.0), (&start.like(0.0_f32), 1.0)] {
        let ground = Ground { rain: Some(rain), ..bare(&start) };
        let uplift = Uplift::Rate(4e-4);
        run(&ground, &StreamPowerConfig { uplift, deposition, steps: 20, ..Default::default() });
    }
}

#[test]
fn only_the_ratio_of_the_rain_to_its_mean_counts() {
    let start = rough();
    let even = start.like(0.25_f32);
    let config = theory(300);
    let ground = bare(&start);
    let plain = run(&ground, &config);
    let same = run(&Ground { rain: Some(&even), ..ground }, &config);
    assert_eq!(plain.elevation, same.elevation);
    // Rain on the east only twice that of the west: the law holds for water.
    let wet = |index: usize| if index % 65 < 32 { 0.5 } else { 1.0 };
    let rain = Grid::from_fn(*start.domain(), |x, _| wet(x) as f32);
    let carved = run(&Ground { rain: Some(&rain), ..ground }, &config);
    let mean = (0..65 * 65).map(wet).sum::<f64>() / (65.0 * 65.0);
    let truth = |area: f64| 1e-3 / 2e-5 * math::pow(area, -0.45);
    let worst = worst(&carved.elevation, |index| 1e4 * wet(index) / mean, truth);
    assert!(worst < 0.01, "{worst}");
    // What it gives as drainage area is ground, not water.
    let most = links(&carved.elevation, |_| 1e4).into_iter().all(|(cell, _, _, area)| {
        (f64::from(carved.drainage_area[cell]) / area - 1.0).abs() < 1e-5
    });
    assert!(most);
}

#[test]
fn height_is_linear_in_chi_at_steady_state() {
    let carved = run(&bare(&rough()), &theory(300));
    let mut links = links(&carved.elevation, |_| 1e4);
    links.reverse();
    let mut chi = vec![0.0; 65 * 65];
    let mut base: Vec<f64> = carved.elevation.as_slice().iter().map(|&h| f64::from(h)).collect();
    let (mut n, mut sx, mut sy, mut sxx, mut sxy, mut syy) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
    for (cell, down, length, area) in links {
        chi[cell] = chi[down] + length * math::pow(1e6 / area, 0.45);
        base[cell] = base[down];
        let (x, y) = (chi[cell], f64::from(carved.elevation[cell]) - base[cell]);
        n += 1.0;
        sx += x;
        sy += y;
        sxx += x * x;
        sxy += x * y;
        syy += y * y;
    }
    let (covariance, spread) = (n * sxy - sx * sy, (n * sxx - sx * sx) * (n * syy - sy * sy));
    let r_squared = covariance * covariance / spread;
    assert!(r_squared > 0.999, "{r_squared}");
}

/// One river of `cells` cells of 10 m that runs west, rises and does not creep.
fn river(start: &Grid<f32>, uplift: f64, duration: f64, steps: u32) -> Grid<f32> {
    let rises = Grid::from_fn(*start.domain(), |x, _| if x == 0 { 0.0 } else { 1.0 });
    let ground = Ground { uplift: Some(&rises), ..bare(start) };
    let config = StreamPowerConfig {
        uplift: Uplift::Rate(uplift),
        duration,
        erodibility: 1e-4,
        edge: Edge::Wall,
        margin: 0.0,
        ..theory(steps)
    };
    run(&ground, &config).elevation
}

#[test]
fn a_knickpoint_climbs_with_the_celerity_of_its_area() {
    let domain = Domain::new(600, 1, 10.0, [0.0; 2]).expect("legal");
    let start = Grid::from_fn(domain, |x, _| if x == 0 { 0.0 } else { 100.0 + 1e-4 * x as f32 });
    // Time to climb from one cell's receiver to it, K A^m of each link.
    let climb = |x: usize| 10.0 / (1e-4 * math::pow((600 - x) as f64 * 100.0, 0.45));
    for time in [150_000.0, 300_000.0] {
        let worn = river(&start, 0.0, time, 600);
        let east = (1..600).find(|&x| worn[x] >= 50.0).expect("the plateau stands");
        let within = f64::from((50.0 - worn[east - 1]) / (worn[east] - worn[east - 1]));
        let whole: f64 = (1..east).map(climb).sum();
        let took = whole + within * climb(east);
        assert!(east > 100 && east < 590, "{east}");
        assert!((took / time - 1.0).abs() < 0.02, "{took} of {time}, at {east}");
    }
}

#[test]
fn halving_the_step_halves_the_error() {
    let domain = Domain::new(200, 1, 10.0, [0.0; 2]).expect("legal");
    let start = Grid::from_fn(domain, |x, _| 1e-3 * x as f32);
    let runs = [128, 256, 512].map(|steps| river(&start, 1e-3, 10_000.0, steps));
    let apart = |a: usize| {
        let square = |x: usize| f64::from(runs[a][x] - runs[a + 1][x]);
        (0..200).map(|x| square(x) * square(x)).sum::<f64>().sqrt()
    };
    let order = math::ln(apart(0) / apart(1)) / std::f64::consts::LN_2;
    assert!(order >= 0.95, "{order}: {} {}", apart(0), apart(1));
}

#[test]
fn a_wanted_relief_is_reached_whatever_the_law() {
    let start = terrain::hills(terrain::square(129, 24.0), 60.0, 3);
    for (slope_exponent, deposition) in [(2.0, 0.0), (0.7, 0.0), (1.0, 1.0)] {
        let uplift = Uplift::Relief(400.0);
        let config = StreamPowerConfig { uplift, slope_exponent, deposition, ..Default::default() };
        let relief = run(&bare(&start), &config).relief;
        assert!((relief / 400.0 - 1.0).abs() < 0.1, "{slope_exponent} {deposition}: {relief}");
    }
}
