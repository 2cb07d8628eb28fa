//! Volumes, floors and accounts.

use bajada_grid::{Domain, Parcel, Stream};
use bajada_testkit::terrain;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::*;

fn fill(ground: &Grid<f32>, supply: Option<&Supply>, config: &BasinFillConfig) -> Filled {
    basin_fill(&Task::new(), ground, supply, config).expect("nobody stops it")
}

fn volume(volume: f64) -> BasinFillConfig {
    BasinFillConfig { outside: Outside::Volume(volume), ..BasinFillConfig::default() }
}

/// A bowl of 40 m in a square of 600 m, with its rim at the map's edge.
fn bowl(bottom: f32) -> Grid<f32> {
    Grid::from_fn(terrain::square(61, 10.0), |x, y| {
        let (dx, dy) = (10.0 * x as f32 - 300.0, 10.0 * y as f32 - 310.0);
        bottom + 40.0 * (dx * dx + dy * dy) / (300.0 * 300.0)
    })
}

#[test]
fn a_supply_fills_the_hollow_that_it_runs_into_to_the_last_grain() {
    for bottom in [0.0, 4000.0, 8000.0] {
        let ground = bowl(bottom);
        let parcels = vec![
            Parcel { index: 30 * 61 + 20, volume: 7e4 },
            Parcel { index: 12 * 61 + 33, volume: 2e4 },
        ];
        let supply = Supply::new(parcels);
        let filled = fill(&ground, Some(&supply), &volume(1e4));
        let ledger = filled.ledger;
        assert_eq!((ledger.taken_up, ledger.brought_in, ledger.eroded), (9e4, 1e4, 0.0));
        assert!((ledger.deposited + ledger.exported - 1e5).abs() <= 1e-12 * 1e5);
        assert!(ledger.residual_relative() <= 1e-12, "{:e}", ledger.residual_relative());
        // Rain on the map's edge alone leaves it.
        assert!(ledger.exported < 1e3);
    }
}

#[test]
fn the_floor_rises_from_its_sump_by_its_slope() {
    let filled = fill(&bowl(0.0), None, &volume(2e5));
    let sump = 31 * 61 + 30;
    let (mut cells, mut lowest) = (0, f32::INFINITY);
    for cell in 0..filled.deposition.domain().len() {
        if filled.deposition[cell] < 0.01 {
            continue;
        }
        let (x, y) = filled.deposition.domain().column_row(cell);
        let (dx, dy) = (10.0 * (x as f64 - 30.0), 10.0 * (y as f64 - 31.0));
        let rise = f64::from(filled.elevation[cell]) - f64::from(filled.elevation[sump]);
        let want = 3e-4 * (dx * dx + dy * dy).sqrt();
        assert!((rise - want).abs() < 1e-5, "{rise} for {want}");
        cells += 1;
        lowest = math::min(lowest, filled.playa[cell]);
    }
    assert!(cells > 500 && lowest > 0.0 && filled.playa[sump] == 1.0);
}

#[test]
fn a_level_floor_is_level() {
    let config = BasinFillConfig { floor_slope: 0.0, outside: Outside::Level(11.5) };
    let ground = bowl(0.0);
    let filled = fill(&ground, None, &config);
    for cell in 0..ground.domain().len() {
        let want = math::max(ground[cell], 11.5);
        assert!((filled.elevation[cell] - want).abs() < 1e-5);
    }
    assert!(filled.ledger.residual_relative() <= 1e-12 && filled.ledger.brought_in > 1e5);
}

#[test]
fn brimful_hollows_take_what_depressions_take_and_meet_their_rim_without_a_step() {
    let domain = Domain::new(90, 70, 12.0, [0.0; 2]).expect("a legal lattice");
    let ground = terrain::hills(domain, 300.0, 5);
    let config = BasinFillConfig { outside: Outside::Spill, ..BasinFillConfig::default() };
    let filled = fill(&ground, None, &config);
    let heights = ground.to_f64();
    let level = crate::flow::fill(&heights, &crate::flow::Outlets::at_edge(&heights));
    let depth: f64 = (0..domain.len()).map(|cell| level[cell] - heights[cell]).sum();
    let want = depth * domain.cell_area();
    assert!((filled.ledger.brought_in / want - 1.0).abs() < 1e-12);
    assert!(filled.ledger.residual_relative() <= 1e-12);
    let mut rim = 0;
    for cell in (0..domain.len()).filter(|&cell| filled.deposition[cell] > 0.0) {
        let (x, y) = domain.column_row(cell);
        for (_, beside) in around(&domain, x, y) {
            if filled.deposition[beside] == 0.0 {
                rim += 1;
                let step = filled.elevation[cell] - filled.elevation[beside];
                assert!(step <= 3e-4 * 12.0 * 1.5 + 1e-4, "a step of {step}");
            }
        }
    }
    assert!(rim > 100);
}

#[test]
fn nothing_to_lay_down_keeps_every_bit() {
    let ground = bowl(100.0);
    let filled = fill(&ground, Some(&Supply::default()), &volume(0.0));
    assert_eq!((filled.elevation, filled.ledger.change), (ground, 0.0));
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let domain = Domain::new(90, 70, 12.0, [0.0; 2]).expect("a legal lattice");
    let ground = terrain::hills(domain, 300.0, 5);
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let filled = pool.expect("a pool").install(|| fill(&ground, None, &volume(3e6)));
        (filled.elevation, filled.deposition, filled.playa, filled.ledger)
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
    fn any_ground_takes_or_exports_all_it_is_given(
        (width, height) in (1_u32..20, 1_u32..20), seed in 0_u64..1000, volume in 1.0..1e5,
        floor_slope in 0.0..0.01, kind in 0..3, parcel in 0_u32..500,
    ) {
        let domain = Domain::new(width, height, 5.0, [0.0; 2]).expect("a legal lattice");
        let stream = Stream::new(seed);
        let ground = Grid::from_fn(domain, |x, y| {
            4096.0 + (30.0 * stream.uniform((x + 100 * y) as u64, 0)) as f32
        });
        let outside = match kind {
            0 => Outside::Volume(volume),
            1 => Outside::Spill,
            _ => Outside::Level(4110.0),
        };
        let supply = Supply::new(vec![Parcel { index: parcel, volume }]);
        let filled = fill(&ground, Some(&supply), &BasinFillConfig { outside, floor_slope });
        let ledger = filled.ledger;
        // A sum that starts at 4 km knows thicknesses to 1e-12 m.
        let known = 1e-12 * 25.0 * domain.len() as f64;
        let given = ledger.brought_in + ledger.taken_up;
        prop_assert!((ledger.deposited + ledger.exported - given).abs() <= 1e-12 * given);
        prop_assert!((ledger.change - ledger.deposited).abs() <= known + 1e-12 * given);
        prop_assert!(filled.deposition.as_slice().iter().all(|thickness| *thickness >= 0.0));
        prop_assert!(filled.elevation.as_slice().iter().all(|height| height.is_finite()));
    }
}
