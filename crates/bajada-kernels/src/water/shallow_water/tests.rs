//! Shallow water against what its docs promise.

use std::sync::Arc;

use bajada_grid::{Cancelled, Domain, Grid, Lithology, Stream, Task, math};
use bajada_testkit::terrain;

use super::{Basin, ShallowWaterConfig, Side, Washed, wash};

fn bare(elevation: &Grid<f32>) -> Basin<'_> {
    Basin { elevation, water: None, sediment: None, hardness: None, rain: None, mask: None }
}

fn run(basin: &Basin<'_>, config: &ShallowWaterConfig) -> Washed {
    wash(&Task::new(), basin, config).expect("nobody cancels")
}

fn hills(side: u32) -> Grid<f32> {
    terrain::hills(terrain::square(side, 12.0), 200.0, 3)
}

/// A quarter of an hour of heavy rain.
fn storm() -> ShallowWaterConfig {
    ShallowWaterConfig { duration: 900.0, rain: 1e-4, ..ShallowWaterConfig::default() }
}

fn with_threads<R: Send>(threads: usize, run: impl FnOnce() -> R + Send) -> R {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool").install(run)
}

/// What every result must be, whatever the input.
fn check_sound(basin: &Basin<'_>, washed: &Washed) {
    let residual = washed.ledger.residual_relative();
    assert!(residual <= 1e-12, "residual {residual:e}: {:?}", washed.ledger);
    let residual = washed.book.residual_relative();
    assert!(residual <= 1e-12, "residual {residual:e}: {:?}", washed.book);
    for index in 0..basin.elevation.as_slice().len() {
        if basin.elevation[index].is_finite() {
            assert!(washed.elevation[index].is_finite(), "cell {index}");
        }
        for field in [
            &washed.water,
            &washed.suspended,
            &washed.flow_velocity,
            &washed.discharge,
            &washed.erosion,
            &washed.deposition,
            &washed.sediment,
        ] {
            assert!(field[index] >= 0.0 && field[index].is_finite(), "cell {index}: {field:?}");
        }
    }
}

#[test]
fn a_lake_at_rest_stays_at_rest_to_the_bit() {
    let stream = Stream::new(5);
    let domain = terrain::square(40, 8.0);
    // Multiples of 1/1024 m, which f32 holds; islands stand out of 60 m.
    let bed = Grid::from_fn(domain, |x, y| {
        let draw = stream.uniform(x as u64, y as u64);
        (draw * 80.0 * 1024.0).floor() as f32 / 1024.0
    });
    let water = Grid::from_fn(domain, |x, y| math::max(60.0 - bed.at(x, y), 0.0));
    let basin = Basin { water: Some(&water), ..bare(&bed) };
    let config = ShallowWaterConfig {
        duration: 1e9,
        rain: 0.0,
        steps: 10_000,
        sides: [Side::Wall, Side::Fixed(60.0), Side::Wall, Side::Wall],
        coarsest_cell: 0.0,
        ..ShallowWaterConfig::default()
    };
    let washed = run(&basin, &config);
    assert!(washed.steps >= 10_000 && washed.time_left > 0.0);
    assert_eq!(washed.water, water);
    assert_eq!(washed.elevation, bed);
    assert!(washed.discharge.as_slice().iter().all(|flow| *flow == 0.0));
}

#[test]
fn all_matter_and_all_water_is_accounted_for() {
    let elevation = hills(65);
    let soft = terrain::hills(*elevation.domain(), 1.0, 8);
    let rock = Lithology::Map(Arc::new(soft.clone()));
    let basin = Basin {
        water: Some(&soft),
        sediment: Some(&soft),
        hardness: Some(&rock),
        rain: Some(&soft),
        mask: Some(&soft),
        ..bare(&elevation)
    };
    let wet = ShallowWaterConfig { infiltration: 1e-6, evaporation: 1e-7, ..storm() };
    let walls = ShallowWaterConfig { sides: [Side::Wall; 4], ..wet };
    let coarse = ShallowWaterConfig { coarsest_cell: 48.0, ..walls };
    let fixed = ShallowWaterConfig { sides: [Side::Fixed(100.0); 4], steps: 400, ..wet };
    for config in [storm(), wet, walls, coarse, fixed] {
        for basin in [&basin, &bare(&elevation)] {
            let washed = run(basin, &config);
            check_sound(basin, &washed);
            let ledger = washed.ledger;
            println!(
                "residual {:e}, water {:e}; {ledger:?} {:?}, {} steps",
                ledger.residual_relative(),
                washed.book.residual_relative(),
                washed.book,
                washed.steps
            );
            assert!(ledger.eroded > 10.0 && ledger.deposited > 10.0);
            assert!(washed.book.rained > 100.0);
        }
    }
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let elevation = hills(161);
    let config = ShallowWaterConfig { coarsest_cell: 24.0, duration: 200.0, ..storm() };
    let one = with_threads(1, || run(&bare(&elevation), &config));
    for threads in [2, 3, 8] {
        let other = with_threads(threads, || run(&bare(&elevation), &config));
        assert_eq!(one.elevation, other.elevation);
        assert_eq!(one.water, other.water);
        assert_eq!(one.suspended, other.suspended);
        assert_eq!(one.flow_velocity, other.flow_velocity);
        assert_eq!(one.discharge, other.discharge);
        assert_eq!((one.ledger, one.book), (other.ledger, other.book));
    }
}

/// `grid` turned by a quarter: east becomes south.
fn turned(grid: &Grid<f32>) -> Grid<f32> {
    let [width, height] = grid.domain().samples();
    let cell_size = grid.domain().cell_size();
    let domain = Domain::new(height, width, cell_size, [0.0; 2]).expect("legal");
    Grid::from_fn(domain, |x, y| grid.at(y, height as usize - 1 - x))
}

#[test]
fn turned_ground_gives_turned_bits() {
    let domain = Domain::new(150, 121, 12.0, [0.0; 2]).expect("legal");
    let elevation = terrain::hills(domain, 200.0, 3);
    let config = ShallowWaterConfig {
        coarsest_cell: 24.0,
        steps: 400,
        sides: [Side::Wall, Side::Outflow, Side::Outflow, Side::Fixed(90.0)],
        ..storm()
    };
    let [north, east, south, west] = config.sides;
    let across = ShallowWaterConfig { sides: [west, north, east, south], ..config };
    let washed = run(&bare(&elevation), &config);
    let other = run(&bare(&turned(&elevation)), &across);
    assert!(washed.ledger.eroded > 100.0);
    assert_eq!(turned(&washed.elevation), other.elevation);
    assert_eq!(turned(&washed.water), other.water);
    assert_eq!(turned(&washed.suspended), other.suspended);
    assert_eq!(turned(&washed.discharge), other.discharge);
}

#[test]
fn a_cone_is_cut_alike_along_the_axes_and_between_them() {
    let domain = terrain::square(97, 12.0);
    let cone = terrain::cone(domain, 300.0, 0.4);
    let config = ShallowWaterConfig { critical_shear: 5.0, ..storm() };
    let washed = run(&bare(&cone), &config);
    let mut sums = [(0.0, 0.0); 2];
    for index in 0..domain.len() {
        let (x, y) = domain.column_row(index);
        let (dx, dy) = (x as f64 - 48.0, y as f64 - 48.0);
        let distance = (dx * dx + dy * dy).sqrt();
        if (15.0..40.0).contains(&distance) {
            let (c, s) = (dx / distance, dy / distance);
            let double = c * c - s * s;
            let sector = usize::from(2.0 * double * double - 1.0 < 0.0);
            sums[sector].0 += f64::from(washed.erosion[index]);
            sums[sector].1 += 1.0;
        }
    }
    let [axes, between] = sums.map(|(sum, count)| sum / count);
    assert!(axes > 1e-3 && (axes / between - 1.0).abs() < 0.05, "{axes} {between}");
}

#[test]
fn cells_without_ground_are_walls() {
    let elevation = hills(48);
    let mut holed = elevation.clone();
    let hole = |x: usize, y: usize| (10..14).contains(&x) && y < 30 || (x, y) == (40, 47);
    for y in 0..48 {
        for x in (0..48).filter(|x| hole(*x, y)) {
            holed.set(x, y, if x % 2 == 0 { f32::NAN } else { f32::INFINITY });
        }
    }
    let washed = run(&bare(&holed), &storm());
    check_sound(&bare(&holed), &washed);
    assert!(washed.ledger.eroded > 1.0);
    for y in 0..48 {
        for x in (0..48).filter(|x| hole(*x, y)) {
            assert_eq!(washed.elevation.at(x, y).to_bits(), holed.at(x, y).to_bits());
            assert_eq!((washed.water.at(x, y), washed.discharge.at(x, y)), (0.0, 0.0));
        }
    }
}

#[test]
fn maps_of_any_size_are_served() {
    let config = ShallowWaterConfig { duration: 300.0, ..storm() };
    for (width, height) in (1..10).flat_map(|width| (1..10).map(move |height| (width, height))) {
        let domain = Domain::new(width, height, 12.0, [0.0; 2]).expect("legal");
        let elevation = Grid::from_fn(domain, |x, y| 100.0 + ((x * 37 + y * 61) % 23) as f32);
        check_sound(&bare(&elevation), &run(&bare(&elevation), &config));
    }
}

#[test]
fn ground_under_a_mask_of_zero_and_beside_open_sides_keeps_its_bits() {
    let elevation = hills(65);
    let mask = Grid::from_fn(*elevation.domain(), |x, _| if x < 30 { 0.0 } else { 1.0 });
    let config = ShallowWaterConfig { coarsest_cell: 48.0, ..storm() };
    let washed = run(&Basin { mask: Some(&mask), ..bare(&elevation) }, &config);
    assert!(washed.ledger.eroded > 10.0);
    for y in 0..65 {
        for x in 0..65 {
            if x < 30 || x == 64 || y == 0 || y == 64 {
                assert_eq!(washed.elevation.at(x, y).to_bits(), elevation.at(x, y).to_bits());
            }
        }
    }
}

#[test]
fn the_hardest_rock_is_never_cut_and_what_lies_loose_on_it_is() {
    let elevation = hills(65);
    let hardest = Lithology::Map(Arc::new(elevation.like(1.0_f32)));
    let rock = Basin { hardness: Some(&hardest), ..bare(&elevation) };
    let washed = run(&rock, &storm());
    assert_eq!((washed.elevation, washed.ledger.eroded), (elevation.clone(), 0.0));
    let loose = elevation.like(0.25_f32);
    let washed = run(&Basin { sediment: Some(&loose), ..rock }, &storm());
    assert!(washed.ledger.eroded > 10.0);
    for index in 0..loose.as_slice().len() {
        assert!(washed.erosion[index] <= 0.25, "cell {index}: {}", washed.erosion[index]);
        let left = 0.25 - washed.erosion[index] + washed.deposition[index];
        // What came and went again was loose as well.
        assert!((washed.sediment[index] - left).abs() < 1e-5, "cell {index}");
    }
}

#[test]
fn extreme_settings_on_cliffs_give_finite_ground_that_is_accounted_for() {
    let domain = terrain::square(24, 12.0);
    let cliffs = Grid::from_fn(domain, |x, y| {
        (if (x / 3 + y / 5) % 2 == 0 { 8_000.0 } else { -500.0 }) + (x * y) as f32
    });
    let needle = Grid::from_fn(domain, |x, y| if (x, y) == (12, 12) { 9_000.0 } else { 0.1 });
    let plain = ShallowWaterConfig { steps: 400, ..storm() };
    let wild = [
        ShallowWaterConfig { rain: 1.0, erodibility: 1.0, ..plain },
        ShallowWaterConfig { manning: 0.0, froude: 100.0, ..plain },
        ShallowWaterConfig { froude: 0.0, settling: 0.0, ..plain },
        ShallowWaterConfig { repose: 0.0, bank_width: 1e9, critical_shear: 0.0, ..plain },
        ShallowWaterConfig { infiltration: 1.0, settling: 1e9, ..plain },
        ShallowWaterConfig { sides: [Side::Fixed(1e9); 4], ..plain },
        ShallowWaterConfig { sides: [Side::Fixed(f64::NAN); 4], rain: f64::NAN, ..plain },
        ShallowWaterConfig { duration: f64::NAN, manning: f64::NAN, repose: f64::NAN, ..plain },
    ];
    for elevation in [&cliffs, &needle] {
        for config in &wild {
            check_sound(&bare(elevation), &run(&bare(elevation), config));
        }
    }
}

#[test]
fn more_tiles_than_one_give_the_bits_of_one() {
    // A strip of 95 rows of the same ground lies in one row of tiles, turned or
    // not; 150 columns lie in two. What no tile's edge has reached is alike.
    let wide = terrain::hills(Domain::new(150, 60, 12.0, [0.0; 2]).expect("legal"), 80.0, 4);
    let window = bajada_grid::Window { x: 60, y: 0, width: 80, height: 60 };
    let part = wide.crop(window).expect("it lies inside");
    let config = ShallowWaterConfig {
        sides: [Side::Wall; 4],
        steps: 8,
        duration: 8.0,
        coarsest_cell: 0.0,
        ..storm()
    };
    let (all, some) = (run(&bare(&wide), &config), run(&bare(&part), &config));
    for y in 0..60 {
        for x in 12..68 {
            assert_eq!(all.water.at(60 + x, y).to_bits(), some.water.at(x, y).to_bits(), "{x} {y}");
        }
    }
}

#[test]
fn a_cancelled_storm_gives_no_ground() {
    let task = Task::new();
    task.cancel();
    let elevation = hills(20);
    assert_eq!(wash(&task, &bare(&elevation), &storm()).err(), Some(Cancelled));
}
