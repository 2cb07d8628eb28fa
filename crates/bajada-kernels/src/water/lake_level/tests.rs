//! Clearance, shores and accounts.

use bajada_grid::{Domain, Grid, Stream, Task};
use bajada_testkit::terrain;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::*;
use crate::flow::around;

/// Hills with hollows, whose heights are whole multiples of 2^-10 m, so that a
/// shift to any height below 16 km keeps every bit of them.
fn hills(side: u32, cell_size: f64, relief: f64, seed: u64, bottom: f32) -> Grid<f32> {
    let domain = Domain::new(side, side, cell_size, [0.0; 2]).expect("a legal lattice");
    let hills = terrain::hills(domain, relief, seed);
    Grid::from_fn(domain, |x, y| (hills.at(x, y) * 1024.0).round() / 1024.0 + bottom)
}

fn level(elevation: &Grid<f32>, config: &LakeLevelConfig) -> Leveled {
    lake_level(&Task::new(), elevation, None, config).expect("nobody stops it")
}

/// Cells nearer than the clearance to any water plane, after `stored` is done
/// to the ground and to the planes.
fn too_near(leveled: &Leveled, stored: impl Fn(f64) -> f64) -> usize {
    let ground = leveled.elevation.as_slice();
    let near = |height: f64| {
        leveled.lakes.iter().any(|lake| (height - stored(lake.plane)).abs() < leveled.clearance)
    };
    ground.iter().filter(|&&height| near(stored(f64::from(height)))).count()
}

/// What a code of 16 bits between `low` and `low + range` makes of a height.
fn png16(low: f64, range: f64) -> impl Fn(f64) -> f64 {
    move |height| low + ((height - low) / range * 65_535.0).round() * (range / 65_535.0)
}

#[test]
fn no_cell_lies_near_a_plane_at_sea_level_and_in_high_mountains() {
    for bottom in [0.0, 4000.0, 8000.0] {
        let ground = hills(120, 10.0, 300.0, 5, bottom);
        for fill in [Fill::Spill, Fill::Level(f64::from(bottom) + 100.0), Fill::Volume(2e6)] {
            let config = LakeLevelConfig { fill, ..LakeLevelConfig::default() };
            let leveled = level(&ground, &config);
            assert!(!leveled.lakes.is_empty(), "{fill:?} gives no lake: the test is void");
            assert_eq!(leveled.clearance, 0.02);
            assert_eq!(too_near(&leveled, |height| height), 0, "{fill:?} at {bottom}");
            for lake in &leveled.lakes {
                assert_eq!(f64::from(lake.plane as f32), lake.plane, "f32 moves the plane");
            }
        }
    }
}

#[test]
fn no_cell_lies_near_a_plane_after_codes_of_16_bits_when_the_step_is_declared() {
    for bottom in [0.0, 4000.0, 8000.0] {
        let ground = hills(120, 10.0, 300.0, 5, bottom);
        let (low, range) = (f64::from(bottom) - 173.2, 3000.0);
        let step = range / 65_535.0;
        for fill in [Fill::Spill, Fill::Sea(f64::from(bottom) + 100.0)] {
            let config = LakeLevelConfig { fill, export_step: step, ..LakeLevelConfig::default() };
            let leveled = level(&ground, &config);
            assert!(!leveled.lakes.is_empty() && leveled.clearance == 2.0 * step);
            assert_eq!(too_near(&leveled, png16(low, range)), 0, "{fill:?} at {bottom}");
            let undeclared = level(&ground, &LakeLevelConfig { export_step: 0.0, ..config });
            assert!(too_near(&undeclared, png16(low, range)) > 0, "the test sees nothing");
        }
    }
}

#[test]
fn a_shift_to_8000_m_shifts_the_result_by_two_units_of_f32_at_most() {
    let unit = f64::from(f32::EPSILON) * 8192.0;
    let [low, high] = [0.0, 8000.0].map(|bottom| {
        let fill = Fill::Volume(2e6);
        level(
            &hills(120, 10.0, 300.0, 5, bottom),
            &LakeLevelConfig { fill, ..LakeLevelConfig::default() },
        )
    });
    assert_eq!(low.lake, high.lake);
    for cell in 0..low.elevation.domain().len() {
        let shift = f64::from(high.elevation[cell]) - f64::from(low.elevation[cell]);
        assert!((shift - 8000.0).abs() <= 2.0 * unit, "{shift}");
    }
    for (low, high) in low.lakes.iter().zip(&high.lakes) {
        assert!((high.plane - low.plane - 8000.0).abs() <= 2.0 * unit);
    }
}

#[test]
fn wet_cells_are_under_their_plane_and_dry_cells_beside_them_over_it() {
    let ground = hills(150, 8.0, 200.0, 9, 500.0);
    let leveled = level(&ground, &LakeLevelConfig::default());
    let domain = *ground.domain();
    let found = lakes(
        &Task::new(),
        &ground.to_f64(),
        &LakesConfig {
            min_area: 10_000.0,
            min_depth: 1.0,
            clearance: 0.02 + PITCH,
            pitch: PITCH,
            ..LakesConfig::default()
        },
        |_| true,
    );
    let found = found.expect("nobody stops it");
    let mut shores = 0;
    for cell in 0..domain.len() {
        assert_eq!(leveled.lake[cell], found.labels[cell] as f32, "the shore moved");
        let Some(lake) = found.at(cell) else {
            assert_eq!(
                (leveled.water[cell], leveled.water_surface[cell]),
                (0.0, leveled.elevation[cell])
            );
            continue;
        };
        assert_eq!(f64::from(leveled.water_surface[cell]), lake.plane);
        assert!(leveled.water[cell] >= 0.02);
        let (x, y) = domain.column_row(cell);
        for (_, beside) in around(&domain, x, y).filter(|&(_, beside)| found.labels[beside] == 0) {
            shores += 1;
            assert!(f64::from(leveled.elevation[beside]) >= lake.plane + 0.02);
        }
    }
    assert!(shores > 100);
}

#[test]
fn on_the_bench_ground_falls_toward_the_shore_with_its_slope() {
    let ground = hills(150, 4.0, 60.0, 9, 500.0);
    let config = LakeLevelConfig::default();
    let before = ground.to_f64();
    let leveled = level(&ground, &config);
    let which = LakesConfig {
        min_area: config.min_area,
        min_depth: config.min_depth,
        clearance: 0.02 + PITCH,
        pitch: PITCH,
        fill: Fill::Spill,
    };
    let found = lakes(&Task::new(), &before, &which, |_| true).expect("nobody stops it");
    let segments = shoreline::shoreline(&before, &found);
    let shore = distance::shore(&Task::new(), &before, &segments, 45.0).expect("nobody stops it");
    let domain = *ground.domain();
    let mut pairs = [0, 0];
    for cell in 0..domain.len() {
        let (x, y) = domain.column_row(cell);
        for (_, beside) in around(&domain, x, y) {
            let bench = |cell: usize| leveled.shore[cell] == 1.0;
            let same = shore.lake[cell] == shore.lake[beside]
                && found.labels[cell] == found.labels[beside];
            let farther = shore.distance[beside] - shore.distance[cell];
            // Rounding to f32 hides a hundredth of a millimetre.
            if !(bench(cell) && bench(beside) && same) || farther < 1e-2 {
                continue;
            }
            let wet = found.labels[cell] != 0;
            let height = |cell: usize| f64::from(leveled.elevation[cell]);
            let rise = height(beside) - height(cell);
            assert!(if wet { rise < 0.0 } else { rise > 0.0 }, "{rise} over {farther}");
            // Only the planes of other lakes bend the ramp.
            let own = found.lakes[shore.lake[cell] as usize - 1].plane;
            let foreign = |cell: usize| {
                found
                    .lakes
                    .iter()
                    .any(|lake| lake.plane != own && (height(cell) - lake.plane).abs() < 0.05)
            };
            if foreign(cell) || foreign(beside) {
                continue;
            }
            let slope = if wet { -config.bed_slope } else { config.shore_slope };
            assert!((rise - slope * farther).abs() < 1e-4, "{rise} over {farther}");
            pairs[usize::from(wet)] += 1;
        }
    }
    assert!(pairs.iter().all(|&count| count > 1000), "{pairs:?}");
}

#[test]
fn the_shore_of_a_round_lake_is_round() {
    let domain = terrain::square(161, 5.0);
    // A bowl with its middle between the samples.
    let from_middle = |x: usize, y: usize| {
        let (dx, dy) = (5.0 * x as f64 - 401.3, 5.0 * y as f64 - 398.1);
        (dx * dx + dy * dy).sqrt()
    };
    let bowl = Grid::from_fn(domain, |x, y| (0.1 * from_middle(x, y)) as f32).to_f64();
    let config = LakesConfig { fill: Fill::Level(20.0), ..LakesConfig::default() };
    let found = lakes(&Task::new(), &bowl, &config, |_| true).expect("nobody stops it");
    let segments = shoreline::shoreline(&bowl, &found);
    let shore = distance::shore(&Task::new(), &bowl, &segments, 60.0).expect("nobody stops it");
    for cell in 0..domain.len() {
        let (x, y) = domain.column_row(cell);
        let exact = (from_middle(x, y) - 200.0).abs();
        if exact < 59.0 {
            assert!((shore.distance[cell] - exact).abs() < 0.03, "{}", shore.distance[cell]);
        }
    }
}

#[test]
fn the_deep_bed_balances_what_the_bench_moves() {
    // A bowl of 60 m with a bump on its shore.
    let bowl = Grid::from_fn(terrain::square(121, 5.0), |x, y| {
        let (dx, dy) = (5.0 * x as f32 - 300.0, 5.0 * y as f32 - 300.0);
        let bump = if x > 85 && y > 70 { 3.0 } else { 0.0 };
        900.0 + bump + 60.0 * (dx * dx + dy * dy) / (250.0 * 250.0)
    });
    let leveled =
        level(&bowl, &LakeLevelConfig { fill: Fill::Level(940.0), ..LakeLevelConfig::default() });
    let ledger = leveled.ledger;
    assert!(ledger.eroded > 1000.0 && (ledger.eroded / ledger.deposited - 1.0).abs() < 1e-12);
    assert_eq!((ledger.brought_in, ledger.exported), (0.0, 0.0));
    assert!(ledger.residual_relative() <= 1e-12, "{:e}", ledger.residual_relative());
}

#[test]
fn what_the_bed_cannot_balance_is_booked() {
    // Ponds have no deep bed.
    let config = LakeLevelConfig { min_area: 1000.0, min_depth: 0.5, ..LakeLevelConfig::default() };
    let ledger = level(&hills(150, 8.0, 200.0, 9, 500.0), &config).ledger;
    assert!(ledger.eroded > 1000.0 && ledger.brought_in + ledger.exported > 1000.0);
    assert!(ledger.residual_relative() <= 1e-12, "{:e}", ledger.residual_relative());
}

#[test]
fn ground_without_lakes_keeps_its_bits() {
    let ground = terrain::plane(terrain::square(40, 5.0), 10.0, 0.1, 0.02);
    for fill in [Fill::Spill, Fill::Level(12.0), Fill::Volume(100.0)] {
        let leveled = level(&ground, &LakeLevelConfig { fill, ..LakeLevelConfig::default() });
        assert_eq!(leveled.elevation, ground);
        assert!(leveled.lakes.is_empty() && leveled.ledger.change == 0.0);
    }
    let hills = hills(60, 10.0, 100.0, 3, 0.0);
    let nowhere = hills.like(0.0_f32);
    let masked = lake_level(&Task::new(), &hills, Some(&nowhere), &LakeLevelConfig::default());
    assert_eq!(masked.expect("nobody stops it").elevation, hills);
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let ground = hills(150, 8.0, 200.0, 9, 500.0);
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let leveled = pool.expect("a pool").install(|| level(&ground, &LakeLevelConfig::default()));
        (leveled.elevation, leveled.water, leveled.lake, leveled.shore, leveled.ledger)
    };
    let one = on(1);
    for threads in [2, 3, 7] {
        assert_eq!(on(threads), one, "{threads} threads");
    }
}

proptest! {
    // The same cases in every run.
    #![proptest_config(ProptestConfig { rng_seed: RngSeed::Fixed(1), ..Default::default() })]
    #[test]
    fn any_ground_and_setting_keeps_its_distance_and_its_account(
        (width, height) in (1_u32..24, 1_u32..24), seed in 0_u64..1000, kind in 0..4,
        relief in 1.0..400.0, cell_size in 0.5..60.0, shore_width in 0.0..60.0, step in 0.0..0.1,
    ) {
        let domain = Domain::new(width, height, cell_size, [0.0; 2]).expect("a legal lattice");
        let stream = Stream::new(seed);
        let ground = Grid::from_fn(domain, |x, y| {
            let far = stream.uniform((x / 4 + 100 * (y / 4)) as u64, 0);
            (relief * (far + 0.2 * stream.uniform((x + 100 * y) as u64, 1))) as f32
        });
        let fill = match kind {
            0 => Fill::Spill,
            1 => Fill::Level(0.3 * relief),
            2 => Fill::Sea(0.3 * relief),
            _ => Fill::Volume(relief * cell_size * cell_size),
        };
        let config = LakeLevelConfig {
            fill, shore_width, export_step: step, min_area: 0.0, min_depth: 0.0,
            ..LakeLevelConfig::default()
        };
        let leveled = level(&ground, &config);
        prop_assert_eq!(too_near(&leveled, |height| height), 0);
        prop_assert!(leveled.elevation.as_slice().iter().all(|height| height.is_finite()));
        let ledger = leveled.ledger;
        let moved = [ledger.brought_in, ledger.eroded, ledger.deposited, ledger.exported];
        let moved = moved.into_iter().fold(0.0, math::max);
        // A bench of centimetres moves so little that the last bits of the
        // heights themselves count.
        let known = ground.domain().cell_area() * ground.domain().len() as f64 * 500.0 * 1e-15;
        prop_assert!(ledger.residual_relative() * moved <= 1e-12 * moved + known);
    }
}
