//! Steady states against theory, the ledger, and what must never happen.

use bajada_grid::{Domain, neighbors};
use bajada_testkit::terrain;

use super::*;
use crate::flow::{Order, drainage_cells, fill, flats, receiver, steepest};

pub(super) fn bare(elevation: &Grid<f32>) -> Ground<'_> {
    Ground { elevation, hardness: None, uplift: None, subsidence: None, rain: None }
}

pub(super) fn run(ground: &Ground<'_>, config: &StreamPowerConfig) -> Carved {
    let carved = carve(&Task::new(), ground, config, Stream::new(7)).expect("nobody cancels");
    let residual = carved.ledger.residual_relative();
    assert!(residual <= 1e-12, "residual {residual:e}: {:?}", carved.ledger);
    for index in 0..ground.elevation.as_slice().len() {
        assert!(carved.elevation[index].is_finite());
        assert!(carved.erosion[index] >= 0.0 && carved.deposition[index] >= 0.0);
        assert!(carved.drainage_area[index] > 0.0);
    }
    carved
}

/// One level, rivers alone, one fixed receiver.
pub(super) fn theory(steps: u32) -> StreamPowerConfig {
    StreamPowerConfig {
        uplift: Uplift::Rate(1e-3),
        duration: 1e5 * f64::from(steps),
        erodibility: 2e-5,
        area_exponent: 0.45,
        diffusivity: 0.0,
        repose: f64::INFINITY,
        routing: Routing::Steepest,
        coarsest_cell: 0.0,
        steps,
        ..StreamPowerConfig::default()
    }
}

/// The least-squares slope of ln S over ln A, S to the steepest receiver.
pub(super) fn concavity(
    elevation: &Grid<f32>,
    area: impl Fn(usize) -> f64,
    least_cells: f64,
) -> f64 {
    let heights = elevation.to_f64();
    let outlets = Outlets::at_edge(&heights);
    let filled = fill(&heights, &outlets);
    let tree = steepest::directions(&filled, &flats::directions(&filled, &outlets));
    let cell = heights.domain().cell_size();
    let (mut n, mut sx, mut sy, mut sxx, mut sxy) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for index in 0..heights.domain().len() {
        let Some(down) = receiver(&tree, index) else { continue };
        let length = neighbors::D8_LENGTH[usize::from(tree[index])] * cell;
        let slope = (heights[index] - heights[down]) / length;
        if slope <= 0.0 || area(index) < least_cells * cell * cell {
            continue;
        }
        let (x, y) = (math::ln(area(index)), math::ln(slope));
        n += 1.0;
        sx += x;
        sy += y;
        sxx += x * x;
        sxy += x * y;
    }
    -(n * sxy - sx * sy) / (n * sxx - sx * sx)
}

#[test]
fn at_steady_state_slope_falls_with_area_to_the_power_of_m() {
    let rough = terrain::hills(terrain::square(65, 100.0), 5.0, 3);
    let carved = run(&bare(&rough), &theory(300));
    let area = |index: usize| f64::from(carved.drainage_area[index]);
    let theta = concavity(&carved.elevation, area, 1.0);
    assert!((theta / 0.45 - 1.0).abs() < 0.01, "{theta}");
    // S = U/K A^-m itself, on the whole map.
    let heights = carved.elevation.to_f64();
    let outlets = Outlets::at_edge(&heights);
    let tree = steepest::directions(&heights, &flats::directions(&heights, &outlets));
    let cells = drainage_cells(&tree, &Order::of_tree(&tree));
    for index in 0..heights.domain().len() {
        let Some(down) = receiver(&tree, index) else { continue };
        let length = neighbors::D8_LENGTH[usize::from(tree[index])] * 100.0;
        let slope = (heights[index] - heights[down]) / length;
        let truth = 1e-3 / 2e-5 * math::pow(cells[index] as f64 * 1e4, -0.45);
        assert!((slope / truth - 1.0).abs() < 0.01, "{slope} {truth}");
    }
}

#[test]
fn at_steady_state_all_that_rises_leaves() {
    let rough = terrain::hills(terrain::square(65, 100.0), 5.0, 3);
    let [before, after] = [300, 301].map(|steps| run(&bare(&rough), &theory(steps)).ledger);
    let rose = after.brought_in - before.brought_in;
    let left = after.exported - before.exported;
    assert!((left / rose - 1.0).abs() < 1e-6, "{left} of {rose}");
    let inner = 63.0 * 63.0 * 1e4;
    assert!((rose / (1e-3 * 1e5 * inner) - 1.0).abs() < 1e-9);
}

#[test]
fn drawn_receivers_keep_the_concavity() {
    let rough = terrain::hills(terrain::square(129, 50.0), 20.0, 3);
    let config = StreamPowerConfig { routing: Routing::Drawn, ..theory(200) };
    let carved = run(&bare(&rough), &config);
    let area = |index: usize| f64::from(carved.drainage_area[index]);
    let theta = concavity(&carved.elevation, area, 30.0);
    assert!((theta / 0.45 - 1.0).abs() < 0.12, "{theta}");
}

#[test]
fn the_default_run_reaches_its_relief_and_no_slope_exceeds_the_repose() {
    let rough = terrain::hills(terrain::square(129, 24.0), 60.0, 3);
    let config = StreamPowerConfig { uplift: Uplift::Relief(400.0), ..Default::default() };
    let carved = run(&bare(&rough), &config);
    assert!((carved.relief / 400.0 - 1.0).abs() < 0.1, "{}", carved.relief);
    let limit = config.repose * 24.0 * 1.001;
    for y in 1..128 {
        for x in 1..127 {
            let rise = carved.elevation.at(x, y) - carved.elevation.at(x + 1, y);
            assert!(f64::from(rise) <= limit || x == 127, "{x} {y}: {rise}");
        }
    }
}

#[test]
fn a_relief_is_reached_over_several_levels_and_the_account_closes() {
    // `run` holds the residual; the floor falls on both levels.
    let rough = terrain::hills(terrain::square(301, 24.0), 60.0, 3);
    let mask = Grid::from_fn(*rough.domain(), |x, _| math::max((x as f32 - 40.0) / 30.0, 0.0));
    let depth = Grid::from_fn(*rough.domain(), |x, _| if x <= 40 { 50.0_f32 } else { 0.0 });
    let ground = Ground { uplift: Some(&mask), subsidence: Some(&depth), ..bare(&rough) };
    let config = StreamPowerConfig {
        uplift: Uplift::Relief(900.0),
        subsidence_time: 1.9e6,
        edge: Edge::Wall,
        ..Default::default()
    };
    let carved = run(&ground, &config);
    println!("{} m", carved.relief);
    assert!((carved.relief / 900.0 - 1.0).abs() < 0.1, "{}", carved.relief);
}

#[test]
fn ground_that_does_not_rise_stays_finite_whatever_relief_is_wanted() {
    let flat = terrain::plane(terrain::square(33, 24.0), 5.0, 0.0, 0.0);
    let rough = terrain::hills(terrain::square(33, 24.0), 60.0, 3);
    for ground in [&flat, &rough] {
        for share in [0.0_f32, 1e-3] {
            let mask = ground.like(share);
            let uplift = Uplift::Relief(2000.0);
            let config = StreamPowerConfig { uplift, edge: Edge::Wall, ..Default::default() };
            let carved = run(&Ground { uplift: Some(&mask), ..bare(ground) }, &config);
            assert!(carved.rate.is_finite() && carved.relief.is_finite());
        }
    }
}

#[test]
fn base_level_keeps_its_bits() {
    let rough = terrain::hills(terrain::square(65, 24.0), 60.0, 3);
    let mask = Grid::from_fn(*rough.domain(), |x, _| math::max((x as f32 - 20.0) / 10.0, 0.0));
    for edge in [Edge::Outlet, Edge::Wall] {
        let ground = Ground { uplift: Some(&mask), ..bare(&rough) };
        let carved = run(&ground, &StreamPowerConfig { edge, ..Default::default() });
        for index in 0..rough.as_slice().len() {
            let (x, y) = rough.domain().column_row(index);
            let at_edge = x == 0 || y == 0 || x == 64 || y == 64;
            if mask[index] <= 0.0 || (at_edge && edge == Edge::Outlet) {
                assert_eq!(carved.elevation[index].to_bits(), rough[index].to_bits());
            }
        }
        assert!(carved.relief > 100.0);
    }
}

#[test]
fn a_margin_is_cut_off_and_its_matter_is_not_booked() {
    let rough = terrain::hills(terrain::square(97, 24.0), 60.0, 3);
    let mask = Grid::from_fn(*rough.domain(), |x, _| math::max((x as f32 - 20.0) / 10.0, 0.0));
    let ground = Ground { uplift: Some(&mask), ..bare(&rough) };
    let walled = StreamPowerConfig {
        uplift: Uplift::Rate(4e-4),
        edge: Edge::Wall,
        steps: 30,
        ..Default::default()
    };
    let carved = run(&ground, &walled);
    assert_eq!(carved.elevation.domain(), rough.domain());
    let share: f64 = mask.as_slice().iter().map(|&share| f64::from(math::min(share, 1.0))).sum();
    let lifted = carved.rate * walled.duration * share * 24.0 * 24.0;
    assert!((carved.ledger.brought_in / lifted - 1.0).abs() < 0.02, "{:?}", carved.ledger);
    // Without a margin the divide stands on the map's edge, on three sides.
    let rim = |carved: &Carved| {
        let over = |edge: [usize; 2], inner: [usize; 2]| {
            carved.elevation.at(edge[0], edge[1]) > carved.elevation.at(inner[0], inner[1])
        };
        let north = (30..94).filter(|&x| over([x, 0], [x, 2])).count();
        let south = (30..94).filter(|&x| over([x, 96], [x, 94])).count();
        north + south + (3..94).filter(|&y| over([96, y], [94, y])).count()
    };
    let bare_wall = run(&ground, &StreamPowerConfig { margin: 0.0, ..walled });
    assert!(rim(&carved) < rim(&bare_wall), "{} {}", rim(&carved), rim(&bare_wall));
}

#[test]
fn base_level_falls_by_its_subsidence_and_rivers_follow() {
    let rough = terrain::hills(terrain::square(97, 24.0), 60.0, 3);
    let mask = Grid::from_fn(*rough.domain(), |x, _| math::max((x as f32 - 20.0) / 10.0, 0.0));
    let depth = Grid::from_fn(*rough.domain(), |x, _| if x <= 20 { 64.0_f32 } else { 0.0 });
    let ground = Ground { uplift: Some(&mask), ..bare(&rough) };
    let config = StreamPowerConfig {
        uplift: Uplift::Rate(4e-4),
        edge: Edge::Wall,
        steps: 30,
        ..Default::default()
    };
    let still = run(&ground, &config);
    let fell = run(&Ground { subsidence: Some(&depth), ..ground }, &config);
    for index in 0..rough.as_slice().len() {
        if mask[index] <= 0.0 {
            assert!((fell.elevation[index] - (rough[index] - 64.0)).abs() < 1e-4);
        }
    }
    let sunk = 97.0 * 21.0 * 64.0 * 24.0 * 24.0;
    let resampled = still.ledger.shaped;
    assert!((fell.ledger.shaped / -sunk - 1.0).abs() < 0.05, "{} {resampled}", fell.ledger.shaped);
    // The rivers have cut after the falling floor, well into the range.
    let lower = |x: usize| {
        (0..97).filter(|&y| fell.elevation.at(x, y) + 5.0 < still.elevation.at(x, y)).count()
    };
    assert!(lower(24) > 20, "{}", lower(24));
}

#[test]
fn harder_ground_stands_higher() {
    let flat = terrain::hills(terrain::square(65, 40.0), 10.0, 3);
    let hardness = Grid::from_fn(*flat.domain(), |x, _| if x < 32 { 0.0 } else { 0.5 });
    let hardness = Lithology::Map(std::sync::Arc::new(hardness));
    let ground = Ground { hardness: Some(&hardness), ..bare(&flat) };
    let config = StreamPowerConfig { uplift: Uplift::Rate(5e-4), ..Default::default() };
    let carved = run(&ground, &config);
    let mean = |from: usize| {
        let cells = (0..65 * 65).filter(|i| (from..from + 32).contains(&(i % 65)));
        cells.map(|i| f64::from(carved.elevation[i])).sum::<f64>()
    };
    assert!(mean(33) > 1.3 * mean(0), "{} {}", mean(33), mean(0));
}

#[test]
fn any_number_of_threads_carves_the_same_ground() {
    let rough = terrain::hills(terrain::square(97, 24.0), 60.0, 3);
    let config = StreamPowerConfig { steps: 20, ..Default::default() };
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let carved = pool.expect("a pool").install(|| run(&bare(&rough), &config));
        (carved.elevation, carved.drainage_area, carved.ledger)
    };
    let one = on(1);
    for threads in [2, 3, 7] {
        assert_eq!(one, on(threads), "{threads} threads");
    }
}

#[test]
fn level_ground_and_maps_of_any_size_come_to_an_end() {
    let config = StreamPowerConfig { steps: 10, ..Default::default() };
    run(&bare(&terrain::plane(terrain::square(129, 20.0), 5.0, 0.0, 0.0)), &config);
    for width in 1..=9 {
        for height in 1..=9 {
            let domain = Domain::new(width, height, 12.0, [0.0; 2]).expect("legal");
            let rough = Grid::from_fn(domain, |x, y| ((x * 37 + y * 61) % 23) as f32 * 9.0);
            for edge in [Edge::Outlet, Edge::Wall] {
                run(&bare(&rough), &StreamPowerConfig { edge, ..config });
            }
        }
    }
}

#[test]
fn a_cancelled_run_gives_no_ground() {
    let task = Task::new();
    task.cancel();
    let flat = terrain::plane(terrain::square(17, 20.0), 5.0, 0.0, 0.0);
    let stopped = carve(&task, &bare(&flat), &StreamPowerConfig::default(), Stream::new(1));
    assert_eq!(stopped.err(), Some(Cancelled));
}
