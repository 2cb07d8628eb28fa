//! Talus against known answers, its slow twin and its promises.

use super::tiles::Tiles;
use super::visits::{SOME, UNSEEN};
use super::*;
use bajada_grid::Domain;
use bajada_testkit::{jacobi_talus, terrain};

fn bare(elevation: &Grid<f32>) -> Slope<'_> {
    Slope { elevation, sediment: None, hardness: None, mask: None }
}

fn heap(ground: &Slope<'_>) -> Heap {
    let config = TalusConfig::default();
    Heap::new(&Scene::new(&Task::new(), ground, &config).expect("nobody cancels"), &config)
}

fn run(ground: &Slope<'_>, config: &TalusConfig) -> Relaxed {
    let rested = relax(&Task::new(), ground, config).expect("nobody cancels");
    check_sound(ground, config, &rested);
    rested
}

/// What every result must be, whatever the input.
pub(super) fn check_sound(ground: &Slope<'_>, config: &TalusConfig, rested: &Relaxed) {
    let residual = rested.ledger.residual_relative();
    assert!(residual <= 1e-12, "residual {residual:e}: {:?}", rested.ledger);
    let (ledger, at_rest) = (rested.ledger, rested.at_rest);
    let gap = ledger.eroded + ledger.brought_in - ledger.deposited;
    assert!(gap.abs() <= 1e-9 * math::max(ledger.eroded, ledger.brought_in), "{gap}");
    assert_eq!(ledger.exported, 0.0);
    assert!(rested.sweeps == config.sweeps || at_rest);
    let excess = rested.steepest_excess;
    assert!(
        ground.sediment.is_some() || !at_rest || excess <= config.tolerance + 1e-12,
        "{excess}"
    );
    for index in 0..ground.elevation.as_slice().len() {
        let (before, after) = (ground.elevation[index], rested.elevation[index]);
        let (erosion, deposition) = (rested.erosion[index], rested.deposition[index]);
        assert!(after.is_finite() && erosion >= 0.0 && deposition >= 0.0);
        let gap = (after - before) - (deposition - erosion);
        assert!(gap.abs() <= 1e-6 * (1.0 + before.abs() + after.abs()), "{gap}");
        let (sediment, debris) = (rested.sediment[index], rested.debris[index]);
        assert!(sediment >= 0.0 && debris >= 0.0);
        if ground.sediment.is_none() {
            assert_eq!(sediment, deposition);
            assert!(debris >= erosion && debris >= deposition);
        }
    }
}

/// Largest slope at the corners between four cells, rise over run.
fn steepest(elevation: &Grid<f32>) -> f64 {
    let cell = elevation.domain().cell_size();
    let at = |x, y| f64::from(elevation.at(x, y));
    let mut steepest = 0.0;
    for y in 0..elevation.height() - 1 {
        for x in 0..elevation.width() - 1 {
            let (a, b) = (at(x + 1, y) - at(x, y), at(x + 1, y + 1) - at(x, y + 1));
            let (c, d) = (at(x, y + 1) - at(x, y), at(x + 1, y + 1) - at(x + 1, y));
            let slope = ((a * a + b * b + c * c + d * d) / 2.0).sqrt() / cell;
            steepest = math::max(steepest, slope);
        }
    }
    steepest
}

pub(super) fn with_threads<R: Send>(threads: usize, run: impl FnOnce() -> R + Send) -> R {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool").install(run)
}

/// A column `radius` cells wide and `height` m high on level ground.
fn column(side: u32, radius: f64, height: f32) -> Grid<f32> {
    let middle = f64::from(side - 1) / 2.0;
    Grid::from_fn(terrain::square(side, 2.0), |x, y| {
        let (dx, dy) = (x as f64 - middle, y as f64 - middle);
        if dx * dx + dy * dy <= radius * radius { height } else { 0.0 }
    })
}

fn long() -> TalusConfig {
    TalusConfig { sweeps: 4000, tolerance: 1e-3, ..TalusConfig::default() }
}

/// A column that collapses at 33 degrees to a cone twice as wide, `radius` cells
/// of `cell` m wide itself: the result, and the height of the cone.
fn collapse(radius: f64, cell: f64, tolerance: f64) -> (Relaxed, f64) {
    let side = 2 * (2.15 * radius) as u32 + 1;
    let repose = math::tan_deg(33.0);
    // The volume of the cone in a cylinder of half its radius.
    let height = (4.0 / 3.0 * repose * 2.0 * radius * cell) as f32;
    let middle = f64::from(side / 2);
    let start = Grid::from_fn(terrain::square(side, cell), |x, y| {
        let (dx, dy) = (x as f64 - middle, y as f64 - middle);
        if dx * dx + dy * dy <= radius * radius { height } else { 0.0 }
    });
    let config = TalusConfig { repose_loose: repose, sweeps: 20_000, tolerance, ..long() };
    let volume = cell * cell * start.as_slice().iter().map(|h| f64::from(*h)).sum::<f64>();
    let cone = math::pow(3.0 * volume * repose * repose / std::f64::consts::PI, 1.0 / 3.0);
    (run(&bare(&start), &config), cone)
}

#[test]
fn a_column_collapses_to_the_cone_of_its_volume() {
    let (cell, repose) = (2.0, math::tan_deg(33.0));
    let (rested, cone) = collapse(20.0, cell, 1e-3);
    let side = rested.elevation.width();
    let middle = (side / 2) as f64;
    let apex = f64::from(rested.elevation.at(side / 2, side / 2));
    // Outward along 16 azimuths, to where the cone is a tenth of its height.
    let mut reaches = Vec::new();
    for azimuth in 0..16 {
        let angle = f64::from(azimuth) * std::f64::consts::PI / 8.0;
        let (s, c) = (math::sin(angle), math::cos(angle));
        let height = |reach: f64| {
            bajada_grid::sample::bilinear(&rested.elevation, middle + reach * c, middle + reach * s)
        };
        let mut reach = 0.0;
        while height(reach) > 0.1 * cone {
            reach += 0.01;
        }
        reaches.push(reach);
    }
    let longest = reaches.iter().copied().fold(0.0, math::max);
    let shortest = reaches.iter().copied().fold(f64::INFINITY, math::min);
    let len = side * side;
    let square = |index: usize| {
        let (dx, dy) = ((index % side) as f64 - middle, (index / side) as f64 - middle);
        let truth = cone - repose * cell * (dx * dx + dy * dy).sqrt();
        let gap = f64::from(rested.elevation[index]) - math::max(truth, 0.0);
        gap * gap
    };
    let rms = (par::sum(len, square) / len as f64).sqrt();
    println!(
        "apex {:+.2} %, rms {:.2} % of the height, radius spread {:.2} cells",
        100.0 * (apex / cone - 1.0),
        100.0 * rms / cone,
        longest - shortest
    );
    assert!((apex / cone - 1.0).abs() < 0.01, "{apex} {cone}");
    assert!(rms <= 0.005 * cone, "{rms}");
    assert!(longest - shortest <= 1.5, "{reaches:?}");
    assert!((longest * cell / (0.9 * cone / repose) - 1.0).abs() < 0.03, "{longest}");
}

#[test]
fn cells_half_as_wide_give_a_cone_as_high() {
    let apex = |radius: f64, cell: f64| {
        let (rested, cone) = collapse(radius, cell, 1e-3);
        let middle = rested.elevation.width() / 2;
        f64::from(rested.elevation.at(middle, middle)) / cone
    };
    let (wide, narrow) = (apex(12.0, 4.0), apex(24.0, 2.0));
    println!("apex {wide:.5} and {narrow:.5} of the cone's");
    assert!((wide / narrow - 1.0).abs() < 0.01);
}

/// `BAJADA_FULL=1` takes a heap of 256 cells in too.
#[test]
fn sweeps_grow_with_the_runout_and_not_with_its_square() {
    let sweeps = |radius: f64| {
        let sweeps = f64::from(collapse(radius, 2.0, 0.01).0.sweeps);
        println!("radius {radius} cells: {sweeps} sweeps to 1 %");
        sweeps
    };
    let full = std::env::var_os("BAJADA_FULL").is_some();
    let radii = [32.0, 64.0, 128.0, 256.0].into_iter().take(if full { 4 } else { 3 });
    let points: Vec<(f64, f64)> =
        radii.map(|radius| (math::ln(radius), math::ln(sweeps(radius)))).collect();
    // The straight line of least squares through the logarithms.
    let count = points.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / count;
    let (x, y) = (mean(|point| point.0), mean(|point| point.1));
    let along: f64 = points.iter().map(|point| (point.0 - x) * (point.1 - y)).sum();
    let exponent = along / points.iter().map(|point| (point.0 - x) * (point.0 - x)).sum::<f64>();
    println!("exponent {exponent:.3}");
    assert!(exponent <= 1.15, "{exponent}");
}

#[test]
fn a_cliff_becomes_a_straight_slope_through_its_middle() {
    let domain = Domain::new(80, 5, 2.0, [0.0; 2]).expect("legal");
    let cliff = Grid::from_fn(domain, |x, _| if x < 40 { 40.0 } else { 0.0 });
    let config = long();
    let rested = run(&bare(&cliff), &config);
    for x in 30..50 {
        let truth = 20.0 - config.repose_loose * (x as f64 - 39.5) * 2.0;
        for y in 0..5 {
            assert!((f64::from(rested.elevation.at(x, y)) - truth).abs() < 0.1, "{x} {y}");
        }
    }
    // Mirror images to the last bit: no direction is favored.
    for x in 0..80 {
        let sum = rested.elevation.at(x, 2) + rested.elevation.at(79 - x, 2);
        assert!((sum - 40.0).abs() < 1e-3, "{x}: {sum}");
    }
}

#[test]
fn legal_ground_keeps_its_bits() {
    let gentle = terrain::hills(terrain::square(64, 12.0), 30.0, 1);
    let rested = run(&bare(&gentle), &TalusConfig::default());
    assert_eq!((rested.sweeps, &rested.elevation), (0, &gentle));
    assert_eq!(rested.ledger, Ledger::default());
    // Beside ground that moves, too: a heap far away touches nothing here.
    let mut heap = gentle.clone();
    heap.set(50, 50, 200.0);
    let rested = run(&bare(&heap), &TalusConfig::default());
    assert!(rested.sweeps > 0);
    for y in 0..30 {
        assert_eq!(rested.elevation.row(y), gentle.row(y));
    }
}

#[test]
fn rest_is_reached_and_is_nowhere_steeper_than_the_repose() {
    let rough = terrain::hills(terrain::square(129, 6.0), 900.0, 4);
    for tolerance in [0.05, 0.01] {
        let config = TalusConfig { tolerance, sweeps: 3000, ..TalusConfig::default() };
        let rested = run(&bare(&rough), &config);
        assert!(rested.steepest_excess <= tolerance);
        assert!(
            steepest(&rested.elevation) <= config.repose_loose * (1.0 + tolerance) * (1.0 + 1e-4)
        );
    }
}

#[test]
fn rest_is_rest() {
    let rough = terrain::hills(terrain::square(65, 6.0), 400.0, 4);
    let config = TalusConfig { sweeps: 3000, ..TalusConfig::default() };
    let once = run(&bare(&rough), &config).elevation;
    let looser = TalusConfig { tolerance: 0.0101, ..config };
    assert_eq!(run(&bare(&once), &looser).elevation, once);
    // Also where the map is of many tiles.
    let wide = terrain::hills(terrain::square(400, 6.0), 1500.0, 4);
    let once = run(&bare(&wide), &config);
    assert!(once.at_rest && once.ledger.eroded > 1e5);
    assert_eq!(run(&bare(&once.elevation), &looser).elevation, once.elevation);
}

#[test]
fn the_rest_of_a_rest_is_the_same_to_a_micrometre() {
    let config = TalusConfig { sweeps: 6000, tolerance: 1e-8, ..TalusConfig::default() };
    let once = run(&bare(&column(61, 6.0, 10.0)), &config).elevation;
    let twice = run(&bare(&once), &config).elevation;
    let widest = par::max(once.as_slice().len(), 0.0, |i| f64::from(once[i] - twice[i]).abs());
    println!("{widest:e} m apart");
    assert!(widest <= 1e-6, "{widest:e}");
}

#[test]
fn a_granite_spire_stands_while_loose_ground_beside_it_slides() {
    let domain = terrain::square(96, 2.0);
    let mut ground = terrain::plane(domain, 10.0, 0.0, 0.0);
    let mut hardness = ground.like(0.0_f32);
    let slope = math::tan_deg(70.0);
    for y in 0..96 {
        for x in 0..96 {
            let (dx, dy) = (x as f64 - 30.0, y as f64 - 48.0);
            let cells = (dx * dx + dy * dy).sqrt();
            let height = 60.0 - slope * 2.0 * cells;
            if height > 0.0 {
                ground.set(x, y, 10.0 + height as f32);
            }
            if cells <= 60.0 / (2.0 * slope) + 2.5 {
                hardness.set(x, y, 1.0);
            }
            if x > 70 {
                ground.set(x, y, 45.0);
            }
        }
    }
    let slope = Slope { elevation: &ground, sediment: None, hardness: Some(&hardness), mask: None };
    let rested = run(&slope, &TalusConfig { sweeps: 2000, ..TalusConfig::default() });
    let mut changed = 0;
    for index in 0..domain.len() {
        if hardness[index] == 1.0 {
            assert_eq!(ground[index].to_bits(), rested.elevation[index].to_bits());
        }
        changed += usize::from(ground[index] != rested.elevation[index]);
    }
    assert!(changed > 1_000, "{changed}");
}

#[test]
fn ground_under_a_mask_of_zero_keeps_its_bits() {
    let rough = terrain::hills(terrain::square(90, 6.0), 900.0, 4);
    let mask =
        Grid::from_fn(*rough.domain(), |x, _| math::clamp((x as f32 - 40.0) / 20.0, 0.0, 1.0));
    let slope = Slope { elevation: &rough, sediment: None, hardness: None, mask: Some(&mask) };
    let rested = run(&slope, &TalusConfig { sweeps: 1000, ..TalusConfig::default() });
    for index in 0..rough.as_slice().len() {
        assert!(mask[index] > 0.0 || rough[index].to_bits() == rested.elevation[index].to_bits());
    }
    assert!(rested.ledger.eroded > 1e4);
    let nowhere = rough.like(0.0_f32);
    let slope = Slope { elevation: &rough, sediment: None, hardness: None, mask: Some(&nowhere) };
    let rested = run(&slope, &TalusConfig::default());
    assert_eq!((rested.elevation, rested.sweeps), (rough, 0));
}

#[test]
fn half_the_amount_moves_half_the_debris() {
    let start = column(61, 6.0, 40.0);
    let whole = run(&bare(&start), &long());
    let half = run(&bare(&start), &TalusConfig { amount: 0.5, ..long() });
    let none = run(&bare(&start), &TalusConfig { amount: 0.0, ..long() });
    assert!((half.ledger.eroded / whole.ledger.eroded - 0.5).abs() < 1e-6);
    assert_eq!(none.elevation, start);
}

#[test]
fn the_slow_twin_comes_to_the_same_rest() {
    let start = column(81, 8.0, 60.0);
    let config = long();
    let rested = run(&bare(&start), &config);
    let slow = jacobi_talus::rest(&start, config.repose_loose, 1e-3, 20_000);
    let len = start.as_slice().len();
    let square = |index: usize| {
        let gap = f64::from(rested.elevation[index]) - slow[index];
        gap * gap
    };
    let rms = (par::sum(len, square) / len as f64).sqrt();
    let apex = slow.at(40, 40);
    assert!(rms < 0.01 * apex, "{rms} of {apex}");
}

#[test]
fn tiles_and_skipped_ground_have_the_bits_of_sweeps_over_everything() {
    // Steep rough ground amid plains, larger than a tile and no multiple of
    // eight, under a mask and on rock of two kinds.
    let domain = terrain::square(203, 6.0);
    let rough = terrain::hills(domain, 900.0, 4);
    let ground =
        Grid::from_fn(
            domain,
            |x, y| if (x / 40 + y / 40) % 4 == 0 { rough.at(x, y) } else { 300.0 },
        );
    let hardness = Grid::from_fn(domain, |x, _| if x < 90 { 0.0 } else { 0.3 });
    let mask = Grid::from_fn(domain, |x, y| if x + y < 60 { 0.0 } else { 1.0 });
    for slope in [
        bare(&ground),
        Slope { elevation: &ground, sediment: None, hardness: Some(&hardness), mask: Some(&mask) },
    ] {
        let heap = heap(&slope);
        // One tile that skips nothing, and tiles that skip what they can.
        let all = [heap.layout.rows, heap.layout.columns];
        let mut whole = Tiles::of_size(&heap, all, SOME);
        let mut tiled =
            [[128, 16], [40, 3], [8, 1]].map(|size| Tiles::of_size(&heap, size, UNSEEN));
        for round in 0..12 {
            let sweeps = [0, 7, 7, 3][round % 4];
            let looked = whole.round(&heap, sweeps);
            for tiles in &mut tiled {
                assert_eq!(tiles.round(&heap, sweeps), looked, "{round}");
            }
        }
        let mut moved = 0;
        for y in 0..203 {
            let corners: Vec<_> = whole.corners(y).collect();
            moved += corners.len();
            for tiles in &tiled {
                assert!(tiles.corners(y).eq(corners.iter().copied()), "row {y}");
            }
        }
        assert!((2_000..20_000).contains(&moved), "{moved}");
    }
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let rough = terrain::hills(terrain::square(200, 6.0), 900.0, 4);
    let config = TalusConfig { sweeps: 60, ..TalusConfig::default() };
    let one = with_threads(1, || run(&bare(&rough), &config));
    for threads in [2, 3, 7] {
        let other = with_threads(threads, || run(&bare(&rough), &config));
        assert_eq!(one.elevation, other.elevation);
        assert_eq!(one.ledger, other.ledger);
    }
}

#[test]
fn maps_of_any_size_come_to_rest() {
    for width in 1..=9 {
        for height in 1..=9 {
            let domain = Domain::new(width, height, 12.0, [0.0; 2]).expect("legal");
            let rough = Grid::from_fn(domain, |x, y| ((x * 37 + y * 61) % 23) as f32 * 9.0);
            let config = TalusConfig { sweeps: 2000, ..TalusConfig::default() };
            let rested = run(&bare(&rough), &config);
            assert!(rested.steepest_excess <= config.tolerance, "{width} x {height}");
        }
    }
}

#[test]
fn steeper_hardness_stands_steeper_and_no_angle_breaks_it() {
    let config = TalusConfig::default();
    assert!((repose(&config, 0.5) - math::tan_deg(53.5)).abs() < 1e-12);
    let cliff = column(31, 5.0, 5_000.0);
    for repose_loose in [0.0, 1e-3, 50.0, f64::NAN] {
        let wild = TalusConfig { repose_loose, sweeps: 50, ..config };
        run(&bare(&cliff), &wild);
    }
}

#[test]
fn a_cancelled_rest_gives_no_ground() {
    let task = Task::new();
    task.cancel();
    let stopped = relax(&task, &bare(&column(31, 5.0, 50.0)), &TalusConfig::default());
    assert_eq!(stopped.err(), Some(Cancelled));
}
