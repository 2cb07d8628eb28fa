//! What the routing must be, on ground that is rough, level, full of holes or
//! no ground at all.

use bajada_grid::{Domain, Grid, Stream};
use bajada_testkit::{plain_flow, terrain};

use super::*;

fn integers(width: u32, height: u32, seed: u64, levels: f64) -> Grid<f64> {
    let domain = Domain::new(width, height, 10.0, [0.0; 2]).expect("legal");
    let stream = Stream::new(seed);
    Grid::from_fn(domain, |x, y| (stream.uniform(domain.index(x, y) as u64, 0) * levels).floor())
}

fn with_threads<R: Send>(threads: usize, run: impl FnOnce() -> R + Send) -> R {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool").install(run)
}

/// Every way of routing ends at outlets and loses nothing.
fn check_routes(heights: &Grid<f64>, outlets: &Outlets) {
    let len = heights.domain().len();
    let holds = (0..len).filter(|&i| !outlets.is_wall(i)).count() as u64;
    let filled = fill(heights, outlets);
    let flats = flats::directions(&filled, outlets);
    let walled = outlets.walled(&filled).unwrap_or_else(|| filled.clone());
    let trees = [
        carve(heights, outlets),
        steepest::directions(&walled, &flats),
        dinf::drawn(&walled, &flats, Stream::new(4), 7),
    ];
    for (kind, tree) in trees.iter().enumerate() {
        let truth = plain_flow::drainage_cells(heights, |index| receiver(tree, index))
            .unwrap_or_else(|| panic!("tree {kind} has a loop"));
        let order = Order::of_tree(tree);
        assert_eq!(drainage_cells(tree, &order), truth, "tree {kind}");
        let out: u64 = (0..len).filter(|&i| outlets.is_outlet(i)).map(|i| truth[i]).sum();
        assert_eq!(out, holds, "tree {kind} does not drain");
        let one = heights.like(1.0_f64);
        let sums = order::accumulate(tree, &order, &one);
        assert!((0..len).all(|i| sums[i] == truth[i] as f64));
    }
    for spread in [mfd::spread(&walled, &flats, 1.1), dinf::spread(&walled, &flats)] {
        let order = Order::of_spread(&spread, heights);
        assert_eq!(order.downstream().count(), len, "a spread has a loop");
        let area = drainage_area(&spread, &order, heights);
        let out: f64 = (0..len).filter(|&i| outlets.is_outlet(i)).map(|i| area[i]).sum();
        let whole = holds as f64 * heights.domain().cell_area();
        assert!((out / whole - 1.0).abs() < 1e-12 || holds == 0, "{out} of {whole}");
    }
}

#[test]
fn a_thousand_maps_of_ties_and_pits_fill_as_the_slow_twin_fills_them() {
    for seed in 0..1000_u64 {
        let stream = Stream::new(seed).named("shape");
        let side = |draw| 1 + (stream.uniform(0, draw) * 14.0) as u32;
        let heights = integers(side(0), side(1), seed, 2.0 + stream.uniform(0, 2) * 12.0);
        let len = heights.domain().len();
        let drawn = |draw: u64, share: f64| {
            let mut grid = heights.like(false);
            for index in 0..len {
                grid[index] = stream.uniform(1 + index as u64, draw) < share;
            }
            grid
        };
        let (nodata, given) = (drawn(0, 0.15), drawn(1, 0.03));
        let all = [
            Outlets::at_edge(&heights),
            Outlets::new(&heights, Edge::Wall, None, Nodata::Wall, Some(&given)),
            Outlets::new(&heights, Edge::Wall, Some(&nodata), Nodata::Wall, None),
            Outlets::new(&heights, Edge::Outlet, Some(&nodata), Nodata::Outlet, Some(&given)),
        ];
        for outlets in all {
            let (mut out, mut walls) = (heights.like(false), heights.like(false));
            for index in 0..len {
                out[index] = outlets.is_outlet(index);
                walls[index] = outlets.is_wall(index);
            }
            let truth = plain_flow::fill(&heights, &out, &walls);
            let filled = fill(&heights, &outlets);
            for index in 0..len {
                assert_eq!(filled[index].to_bits(), truth[index].to_bits(), "seed {seed}");
            }
            check_routes(&heights, &outlets);
        }
    }
}

#[test]
fn nested_pits_fill_to_the_level_that_they_spill_over() {
    // Two pits inside a bowl: rim 9, bowl 5, pits 1 and 2 with a sill of 4
    // between them; the bowl spills over the gap of 7 in the rim.
    let rows: [[f64; 9]; 7] = [
        [9.0, 9.0, 9.0, 9.0, 9.0, 9.0, 9.0, 9.0, 9.0],
        [9.0, 5.0, 5.0, 5.0, 5.0, 5.0, 5.0, 5.0, 9.0],
        [9.0, 5.0, 1.0, 5.0, 4.5, 5.0, 2.0, 5.0, 9.0],
        [9.0, 5.0, 1.0, 3.5, 4.0, 3.5, 2.0, 5.0, 7.0],
        [9.0, 5.0, 1.0, 5.0, 4.5, 5.0, 2.0, 5.0, 9.0],
        [9.0, 5.0, 5.0, 5.0, 5.0, 5.0, 5.0, 5.0, 9.0],
        [9.0, 9.0, 9.0, 9.0, 9.0, 9.0, 9.0, 9.0, 9.0],
    ];
    let domain = Domain::new(9, 7, 10.0, [0.0; 2]).expect("legal");
    let heights = Grid::from_fn(domain, |x, y| rows[y][x]);
    let outlets = Outlets::at_edge(&heights);
    let found = basins(&heights, &outlets);
    assert_eq!(found.levels, [f64::NEG_INFINITY, 7.0, 7.0]);
    assert_eq!((found.labels.at(2, 3), found.labels.at(6, 3)), (1, 2));
    assert_eq!(found.spills[2], Some([domain.index(7, 2), domain.index(8, 3)]));
    let [inside, beyond] = found.spills[1].expect("it spills");
    assert_eq!((found.labels[inside], found.labels[beyond]), (1, 2));
    let filled = found.fill(&heights);
    for y in 1..6 {
        assert!(filled.row(y)[1..8].iter().all(|&level| level == 7.0));
    }
    check_routes(&heights, &outlets);
    // The gorge leads from the deeper pit through the other one out of the gap.
    let tree = carve(&heights, &outlets);
    let order = Order::of_tree(&tree);
    assert!(drainage_cells(&tree, &order).at(8, 3) >= 35);
}

#[test]
fn level_ground_drains_toward_its_low_side() {
    let domain = Domain::new(41, 21, 10.0, [0.0; 2]).expect("legal");
    let heights = Grid::from_fn(domain, |x, y| {
        let at_edge = x == 0 || y == 0 || y == 20;
        if at_edge {
            9.0
        } else if x == 40 {
            0.0
        } else {
            5.0
        }
    });
    let outlets = Outlets::at_edge(&heights);
    let flats = flats::directions(&fill(&heights, &outlets), &outlets);
    for y in 1..20 {
        for x in 1..39 {
            let (dx, _) = bajada_grid::neighbors::D8[usize::from(flats.at(x, y))];
            assert_eq!(dx, 1, "{x} {y}");
        }
    }
    check_routes(&heights, &outlets);
}

/// A wall that winds through the map, so that one river visits every second
/// row from end to end: half a million cells.
#[test]
fn a_river_of_half_a_million_cells_needs_no_stack() {
    let side = 1024;
    let heights = Grid::from_fn(terrain::square(side, 10.0), |x, y| {
        let (last, row) = (side as usize - 1, y / 2);
        let at_edge = x == 0 || y == 0 || x == last || y >= last - 1;
        let open = if row % 2 == 0 { last - 1 } else { 1 };
        if at_edge || (y % 2 == 0 && x != open) {
            1e9
        } else if y % 2 == 0 {
            (row * 2 * side as usize) as f64 - 1.0
        } else {
            // Falls toward the opening to the row before.
            let along = if row % 2 == 0 { last - x } else { x };
            (row * 2 * side as usize + along) as f64
        }
    });
    let heights = {
        let mut heights = heights;
        let last = side as usize - 1;
        heights.set(last - 1, 0, -5.0);
        heights
    };
    let run = std::thread::Builder::new()
        .stack_size(256 * 1024)
        .spawn(move || {
            let outlets = Outlets::at_edge(&heights);
            let filled = fill(&heights, &outlets);
            let flats = flats::directions(&filled, &outlets);
            let tree = steepest::directions(&filled, &flats);
            let order = Order::of_tree(&tree);
            let cells = drainage_cells(&tree, &order);
            let mut longest = tree.like(0_u64);
            for cell in order.downstream() {
                if let Some(receiver) = receiver(&tree, cell) {
                    longest[receiver] = longest[receiver].max(longest[cell] + 1);
                }
            }
            let spread = mfd::spread(&filled, &flats, 1.1);
            let order = Order::of_spread(&spread, &filled);
            let area = drainage_area(&spread, &order, &filled);
            let longest = longest.as_slice().iter().copied().max();
            (cells.at(1022, 0), longest, area.at(1022, 0) / 100.0, carve(&heights, &outlets))
        })
        .expect("a thread");
    let (cells, longest, area, _) = run.join().expect("it ends");
    assert!(cells > 500_000, "{cells}");
    assert!(longest > Some(500_000), "{longest:?}");
    assert!(area > 500_000.0, "{area}");
}

#[test]
fn maps_of_any_size_drain() {
    for width in 1..=9 {
        for height in 1..=9 {
            for levels in [1.0, 3.0, 1e6] {
                let heights = integers(width, height, 5, levels);
                for edge in [Edge::Outlet, Edge::Wall] {
                    let outlets = Outlets::new(&heights, edge, None, Nodata::Wall, None);
                    check_routes(&heights, &outlets);
                }
            }
        }
    }
}

#[test]
fn all_level_all_pits_and_all_nodata_come_to_an_end() {
    let level = integers(300, 300, 1, 1.0);
    check_ends(&level);
    check_ends(&integers(300, 300, 1, 2.0));
    let mut chess = level.clone();
    for index in 0..chess.domain().len() {
        let (x, y) = chess.domain().column_row(index);
        chess[index] = f64::from(u8::from(x % 2 == 0 && y % 2 == 0));
    }
    check_ends(&chess);
    let nodata = level.like(true);
    let outlets = Outlets::new(&level, Edge::Outlet, Some(&nodata), Nodata::Outlet, None);
    assert_eq!(fill(&level, &outlets), level);
}

fn check_ends(heights: &Grid<f64>) {
    for edge in [Edge::Outlet, Edge::Wall] {
        let outlets = Outlets::new(heights, edge, None, Nodata::Wall, None);
        let filled = fill(heights, &outlets);
        let flats = flats::directions(&filled, &outlets);
        let tree = steepest::directions(&filled, &flats);
        let out = order::at_outlets(
            &tree,
            &order::accumulate(&tree, &Order::of_tree(&tree), &heights.like(1.0)),
        );
        assert_eq!(out, heights.domain().len() as f64);
    }
}

#[test]
fn any_number_of_threads_routes_the_same_way() {
    let heights = terrain::hills(terrain::square(200, 12.0), 500.0, 3).to_f64();
    let run = || {
        let outlets = Outlets::at_edge(&heights);
        let found = basins(&heights, &outlets);
        let filled = found.fill(&heights);
        let flats = flats::directions(&filled, &outlets);
        let drawn = dinf::drawn(&filled, &flats, Stream::new(3), 2);
        let spread = mfd::spread(&filled, &flats, 1.1);
        let order = Order::of_spread(&spread, &filled);
        let area = drainage_area(&spread, &order, &filled);
        (found.labels.clone(), found.levels.clone(), found.carve(&outlets), filled, drawn, area)
    };
    let one = with_threads(1, run);
    for threads in [2, 3, 7] {
        assert!(one == with_threads(threads, run), "{threads} threads");
    }
}

#[test]
fn drawn_receivers_point_down_the_gradient_on_the_average() {
    for azimuth in [3.0, 20.0, 31.0, 45.0, 77.0, 151.0, 288.0] {
        let angle = bajada_grid::math::radians(azimuth);
        let (south, east) = (bajada_grid::math::sin(angle), bajada_grid::math::cos(angle));
        let plane = terrain::plane(terrain::square(200, 10.0), 1e4, -east, -south).to_f64();
        let outlets = Outlets::at_edge(&plane);
        let flats = flats::directions(&plane, &outlets);
        let drawn = dinf::drawn(&plane, &flats, Stream::new(1), 0);
        let (mut dx, mut dy) = (0.0, 0.0);
        for index in (0..plane.domain().len()).filter(|&index| outlets.is_inner(index)) {
            let (x, y) = bajada_grid::neighbors::D8[usize::from(drawn[index])];
            dx += x as f64;
            dy += y as f64;
        }
        let off = (dx * south - dy * east) / (dx * dx + dy * dy).sqrt();
        assert!(off.abs() < 0.01, "{azimuth}: {off}");
    }
}

/// On a cone the area through a ring depends on its radius only.
#[test]
fn a_cone_spreads_its_water_evenly() {
    let cone = terrain::cone(terrain::square(201, 10.0), 2000.0, 1.0).to_f64();
    let outlets = Outlets::at_edge(&cone);
    let flats = flats::directions(&cone, &outlets);
    let spread = mfd::spread(&cone, &flats, mfd::FREEMAN);
    let area = drainage_area(&spread, &Order::of_spread(&spread, &cone), &cone);
    let mut values = Vec::new();
    for step in 0..64 {
        let angle = f64::from(step) * std::f64::consts::PI / 32.0;
        let (dx, dy) = (60.0 * bajada_grid::math::cos(angle), 60.0 * bajada_grid::math::sin(angle));
        values.push(area.at((100.5 + dx) as usize, (100.5 + dy) as usize));
    }
    let mean = values.iter().sum::<f64>() / 64.0;
    let worst = values.iter().map(|v| (v / mean - 1.0).abs()).fold(0.0, bajada_grid::math::max);
    assert!(worst < 0.2, "{worst}");
}
