//! Nested pits by hand, and random maps against the slow twin.

use bajada_grid::{Domain, Grid, Stream, Task};
use bajada_testkit::plain_pour;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::hierarchy::Hierarchy;
use super::pour::{Poured, pour};
use super::*;

fn grid(width: u32, cell_size: f64, heights: &[f64]) -> Grid<f64> {
    let height = heights.len() as u32 / width;
    let domain = Domain::new(width, height, cell_size, [0.0; 2]).expect("a legal lattice");
    Grid::from_vec(domain, heights.to_vec()).expect("one height for each sample")
}

/// Two pits, 0 and 2 m, with a pass of 6 m between them and one of 10 m to the
/// east; the walls are 20 m high.
#[rustfmt::skip]
fn two_pits(bottom: f64) -> Grid<f64> {
    let heights = [
        20.0, 20.0, 20.0, 20.0, 20.0,
        20.0,  0.0,  6.0,  2.0, 10.0,
        20.0, 20.0, 20.0, 20.0, 20.0,
    ];
    grid(5, 2.0, &heights.map(|height| height + bottom))
}

fn poured(heights: &Grid<f64>, water: &[f64]) -> (Hierarchy, Poured) {
    let hierarchy = Hierarchy::new(&Task::new(), heights).expect("nobody stops it");
    let poured = pour(&Task::new(), &hierarchy, water, |_| true).expect("nobody stops it");
    (hierarchy, poured)
}

/// The water surface; the ground where it is dry.
fn surface(heights: &Grid<f64>, hierarchy: &Hierarchy, poured: &Poured) -> Grid<f64> {
    let mut surface = heights.clone();
    for (level, cells) in levels_and_cells(heights, hierarchy, &poured.bodies) {
        for cell in cells {
            surface[cell as usize] = level;
        }
    }
    surface
}

#[test]
fn two_nested_pits_fill_spill_and_merge_as_by_hand() {
    for bottom in [0.0, 8000.0] {
        let heights = two_pits(bottom);
        // Cells of 4 m2: the first pit holds 6 * 4 m3, the second 4 * 4, both
        // together 10 * 4 + 4 * 4 + 8 * 4.
        for (water, levels, exported) in [
            ([12.0, 0.0], [3.0, 6.0, 2.0], 0.0),
            ([30.0, 0.0], [6.0, 6.0, 3.5], 0.0),
            ([0.0, 20.0], [1.0, 6.0, 6.0], 0.0),
            ([52.0, 0.0], [7.0, 7.0, 7.0], 0.0),
            ([40.0, 60.0], [10.0, 10.0, 10.0], 12.0),
        ] {
            let (hierarchy, poured) = poured(&heights, &[0.0, water[0], water[1]]);
            let surface = surface(&heights, &hierarchy, &poured);
            assert_eq!([6, 7, 8].map(|cell| surface[cell] - bottom), levels, "{water:?}");
            assert_eq!(poured.exported, exported);
        }
    }
}

#[test]
fn the_hierarchy_of_two_pits_is_that_drawn_by_hand() {
    let (hierarchy, _) = poured(&two_pits(0.0), &[]);
    let [first, second, both] = [hierarchy.hollows[1], hierarchy.hollows[2], hierarchy.hollows[3]];
    assert_eq!(hierarchy.roots, [3]);
    assert_eq!((first.spill, first.capacity, first.cells, first.beyond), (6.0, 24.0, 1, 2));
    assert_eq!((second.spill, second.capacity, second.cells, second.beyond), (6.0, 16.0, 1, 1));
    assert_eq!((both.spill, both.capacity, both.cells, both.beyond), (10.0, 88.0, 3, 0));
    assert_eq!((first.parent, second.parent, both.parent), (3, 3, NONE));
    assert_eq!((both.children, both.lowest), (Some([1, 2]), 0.0));
}

#[test]
fn a_hollow_that_is_not_kept_passes_its_water_on() {
    let heights = two_pits(0.0);
    let (hierarchy, _) = poured(&heights, &[]);
    let deep = |hollow: &hierarchy::Hollow| hollow.spill - hollow.lowest >= 5.0;
    let after = |water: &[f64]| {
        let poured = pour(&Task::new(), &hierarchy, water, deep).expect("nobody stops it");
        let surface = surface(&heights, &hierarchy, &poured);
        ([6, 7, 8].map(|cell| surface[cell]), poured.exported)
    };
    // The second pit is 4 m deep: its water runs through to the first.
    assert_eq!(after(&[0.0, 4.0, 8.0]), ([3.0, 6.0, 2.0], 0.0));
    // Both are one body once the first is full.
    assert_eq!(after(&[0.0, 0.0, 52.0]), ([7.0, 7.0, 7.0], 0.0));
    assert_eq!(after(&[0.0, 0.0, 100.0]), ([10.0, 10.0, 10.0], 12.0));
}

/// Heights that all differ, in an order drawn by `stream`.
fn shuffled(width: u32, height: u32, stream: Stream) -> Grid<f64> {
    let mut heights: Vec<f64> = (0..width * height).map(f64::from).collect();
    for last in (1..heights.len()).rev() {
        heights.swap(last, (stream.uniform(last as u64, 0) * (last + 1) as f64) as usize);
    }
    grid(width, 1.0, &heights)
}

/// Compares with the twin on one random map; the volume poured, m3.
fn check_against_twin(case: u64) -> f64 {
    let stream = Stream::new(case);
    let draw = |item: u64| stream.uniform(1_000_000 + item, 1);
    let (width, height) = (3 + (draw(0) * 12.0) as u32, 3 + (draw(1) * 12.0) as u32);
    let heights = shuffled(width, height, stream);
    let hierarchy = Hierarchy::new(&Task::new(), &heights).expect("nobody stops it");
    let basins = hierarchy.labels.as_slice().iter().copied().max().unwrap_or(0) + 1;
    let wetness = 4.0 * f64::from(width * height) * draw(2) * draw(2);
    let mut buckets = Vec::new();
    for bucket in 0..40 {
        let basin = (draw(10 + 2 * bucket) * f64::from(basins)) as u32;
        buckets.push((basin, draw(11 + 2 * bucket) * wetness));
    }
    let (want, want_exported) = plain_pour::pour(&heights, &hierarchy.labels, &buckets);
    let mut water = vec![0.0; basins as usize];
    for (basin, volume) in buckets {
        water[basin as usize] += volume;
    }
    let poured = pour(&Task::new(), &hierarchy, &water, |_| true).expect("nobody stops it");
    let got = surface(&heights, &hierarchy, &poured);
    for cell in 0..heights.domain().len() {
        let gap = (got[cell] - want[cell]).abs();
        assert!(gap < 1e-9, "case {case}, cell {cell}: {} for {}", got[cell], want[cell]);
    }
    let total: f64 = water.iter().sum();
    assert!((poured.exported - want_exported).abs() <= 1e-10 * total);
    let held: f64 = poured.bodies.iter().map(|body| body.volume).sum();
    assert!((held + poured.exported - total).abs() <= 1e-12 * total, "water was lost");
    total
}

#[test]
fn pouring_ends_where_pouring_bucket_by_bucket_ends() {
    let cases = if std::env::var_os("BAJADA_FULL").is_some() { 20_000 } else { 400 };
    let poured: f64 = (0..cases).map(check_against_twin).sum();
    assert!(poured > 0.0);
}

#[test]
fn brimful_lakes_stand_where_depressions_fill_to() {
    let heights = shuffled(40, 30, Stream::new(4));
    let filled = crate::flow::fill(&heights, &crate::flow::Outlets::at_edge(&heights));
    let found = lakes(&Task::new(), &heights, &LakesConfig::default(), |_| true);
    let found = found.expect("nobody stops it");
    for cell in 0..heights.domain().len() {
        let surface = found.at(cell).map_or(heights[cell], |lake| lake.plane);
        assert_eq!(surface, filled[cell]);
    }
}

#[test]
fn a_level_floods_what_it_encloses_and_the_sea_only_when_asked() {
    #[rustfmt::skip]
    let heights = grid(6, 1.0, &[
        9.0, 9.0, 9.0, 9.0, 9.0, 9.0,
        9.0, 1.0, 9.0, 9.0, 2.0, 2.0,
        9.0, 9.0, 1.0, 9.0, 9.0, 9.0,
        9.0, 9.0, 9.0, 9.0, 9.0, 9.0,
    ]);
    let at = |fill| {
        let config = LakesConfig { fill, ..LakesConfig::default() };
        lakes(&Task::new(), &heights, &config, |_| true).expect("nobody stops it").lakes
    };
    let cells = |lakes: Vec<Lake>| lakes.iter().map(|lake| lake.cells).collect::<Vec<_>>();
    // Cells that touch at a corner are one lake.
    assert_eq!(cells(at(Fill::Level(3.0))), [2]);
    assert_eq!(cells(at(Fill::Sea(3.0))), [2, 2]);
    assert_eq!(cells(at(Fill::Sea(1.0))), [] as [u64; 0]);
    assert_eq!(at(Fill::Level(3.0))[0].volume, 4.0);
}

#[test]
fn puddles_are_no_lakes() {
    let heights = two_pits(0.0);
    let count = |min_area, min_depth| {
        let config =
            LakesConfig { fill: Fill::Spill, min_area, min_depth, ..LakesConfig::default() };
        lakes(&Task::new(), &heights, &config, |_| true).expect("nobody stops it").lakes.len()
    };
    assert_eq!([count(12.0, 10.0), count(12.1, 0.0), count(0.0, 10.1)], [1, 0, 0]);
}

#[test]
fn planes_are_equal_or_four_clearances_apart_and_under_their_passes() {
    let heights = shuffled(64, 64, Stream::new(9));
    let config = LakesConfig { clearance: 0.3, pitch: 1.0 / 1024.0, ..LakesConfig::default() };
    let found = lakes(&Task::new(), &heights, &config, |_| true).expect("nobody stops it");
    let spills = crate::flow::fill(&heights, &crate::flow::Outlets::at_edge(&heights));
    let mut planes: Vec<f64> = found.lakes.iter().map(|lake| lake.plane).collect();
    planes.sort_by(f64::total_cmp);
    assert!(planes.len() > 50);
    assert!(planes.windows(2).all(|pair| pair[0] == pair[1] || pair[1] - pair[0] >= 1.2));
    for lake in &found.lakes {
        assert!(lake.plane <= spills[lake.deepest] - 0.3);
    }
}

proptest! {
    // The same cases in every run.
    #![proptest_config(ProptestConfig { rng_seed: RngSeed::Fixed(1), ..Default::default() })]
    #[test]
    fn a_poured_volume_is_held_or_exported(
        seed in 0_u64..1000, volume in 0.0..20_000.0, width in 1_u32..20, height in 1_u32..20,
    ) {
        let heights = shuffled(width, height, Stream::new(seed));
        let config = LakesConfig { fill: Fill::Volume(volume), ..LakesConfig::default() };
        let found = lakes(&Task::new(), &heights, &config, |_| true).expect("nobody stops it");
        let held: f64 = found.lakes.iter().map(|lake| lake.volume).sum();
        prop_assert!((held + found.exported - volume).abs() <= 1e-12 * volume);
    }
}
