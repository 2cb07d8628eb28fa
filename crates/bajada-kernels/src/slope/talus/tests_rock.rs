//! Talus on rock: what slides is what lies there.

use super::tests::{check_sound, with_threads};
use super::*;
use bajada_grid::Domain;
use bajada_testkit::{jacobi_talus, terrain};

fn on_rock<'a>(elevation: &'a Grid<f32>, sediment: &'a Grid<f32>) -> Slope<'a> {
    Slope { elevation, sediment: Some(sediment), hardness: None, mask: None }
}

fn run(ground: &Slope<'_>, config: &TalusConfig) -> Relaxed {
    let rested = relax(&Task::new(), ground, config).expect("nobody cancels");
    check_sound(ground, config, &rested);
    rested
}

/// `rock(x)` m high, with a layer of `loose(x)` m on it: the ground and the layer.
fn section(
    width: u32,
    rock: impl Fn(usize) -> f32,
    loose: impl Fn(usize) -> f32,
) -> [Grid<f32>; 2] {
    let domain = Domain::new(width, 5, 2.0, [0.0; 2]).expect("legal");
    let ground = Grid::from_fn(domain, |x, _| rock(x) + loose(x));
    [ground, Grid::from_fn(domain, |x, _| loose(x))]
}

/// A plateau of rock above a plain, with 5 m of debris on it and 1 m below.
fn cliff() -> [Grid<f32>; 2] {
    let above = |x: usize| x < 45;
    section(
        90,
        move |x| if above(x) { 60.0 } else { 0.0 },
        move |x| if above(x) { 5.0 } else { 1.0 },
    )
}

fn long() -> TalusConfig {
    TalusConfig { sweeps: 4000, repose_hard: math::tan_deg(89.0), ..TalusConfig::default() }
}

/// A map that has some of everything: steep rock, hollows and a patchy layer.
fn rough() -> [Grid<f32>; 2] {
    let ground = terrain::hills(terrain::square(90, 6.0), 500.0, 4);
    let sediment = Grid::from_fn(*ground.domain(), |x, y| ((x / 9 + y / 7) % 3) as f32 * 1.5);
    [ground, sediment]
}

#[test]
fn a_cliff_sheds_what_lies_at_its_brink_and_stands() {
    let [ground, sediment] = cliff();
    let config = long();
    let rested = run(&on_rock(&ground, &sediment), &config);
    assert!(rested.at_rest, "{}", rested.sweeps);
    let step = 2.0 * config.repose_loose;
    // The layer at the brink is gone, and rises from there at its repose.
    for (back, x) in (38..45).rev().enumerate() {
        let truth = math::min(5.0, back as f64 * step);
        let layer = f64::from(rested.sediment.at(x, 2));
        assert!((layer - truth).abs() < 0.1, "{x}: {layer} {truth}");
    }
    // What fell lies at the foot as a wedge at repose on the layer there.
    let fallen: f64 = (0..45).map(|x| f64::from(rested.erosion.at(x, 2))).sum();
    let wedge: f64 = (45..90).map(|x| f64::from(rested.sediment.at(x, 2)) - 1.0).sum();
    assert!(fallen > 10.0 && (fallen - wedge).abs() < 1e-3 * fallen);
    for x in 45..48 {
        let fall = f64::from(rested.elevation.at(x, 2) - rested.elevation.at(x + 1, 2));
        assert!((fall / step - 1.0).abs() < 0.05, "{x}: {fall}");
    }
    for x in 0..90 {
        let rock = rested.elevation.at(x, 2) - rested.sediment.at(x, 2);
        assert!((rock - if x < 45 { 60.0 } else { 0.0 }).abs() < 1e-4, "{x}: {rock}");
    }
    // As one loose body the plateau would go with it.
    let body = run(&Slope { sediment: None, ..on_rock(&ground, &sediment) }, &config);
    assert!(body.ledger.eroded > 10.0 * rested.ledger.eroded);
}

#[test]
fn a_layer_on_rock_too_steep_for_it_ends_at_the_foot() {
    let [ground, sediment] =
        section(90, |x| 2.0 * (40 - x.min(40)) as f32, |x| if x < 30 { 1.5 } else { 0.0 });
    let rested = run(&on_rock(&ground, &sediment), &long());
    let left: f64 = (0..28).map(|x| f64::from(rested.sediment.at(x, 2))).sum();
    assert!(left < 0.02 * 45.0, "{left}");
    // All that came down passed the foot of the layer.
    assert!((f64::from(rested.debris.at(30, 2)) - 45.0).abs() < 1.0);
    let top = (0..90).map(|x| rested.elevation.at(x, 2) - ground.at(x, 2)).fold(0.0, math::max);
    assert!(top > 5.0, "{top}");
}

#[test]
fn no_more_slides_than_lies_there() {
    let [ground, sediment] = rough();
    for (amount, sweeps) in [(1.0, 20), (1.0, 1500), (0.4, 300)] {
        let config = TalusConfig { amount, sweeps, ..long() };
        let rested = run(&on_rock(&ground, &sediment), &config);
        for index in 0..ground.as_slice().len() {
            let layer = sediment[index] + rested.deposition[index];
            assert!(rested.erosion[index] <= sediment[index], "{index}");
            let left = layer - rested.erosion[index] - rested.sediment[index];
            assert!(left.abs() <= 1e-4, "{index}: {left}");
        }
        assert!(rested.ledger.eroded > 1e3);
    }
}

#[test]
fn the_slow_twin_on_rock_leaves_the_same_layer() {
    let [ground, sediment] = cliff();
    let config = long();
    let rested = run(&on_rock(&ground, &sediment), &config);
    let slow = jacobi_talus::rest_on_rock(&ground, &sediment, config.repose_loose, 1e-3, 5_000);
    for index in 0..slow.as_slice().len() {
        let gap = f64::from(rested.sediment[index]) - slow[index];
        assert!(gap.abs() < 0.15, "{index}: {gap}");
    }
}

#[test]
fn rock_too_steep_for_itself_becomes_debris_and_the_rest_never_fails_again() {
    let [ground, sediment] = section(60, |x| if x < 30 { 60.0 } else { 0.0 }, |_| 0.0);
    for bulking in [1.0, 1.3] {
        let config = TalusConfig { repose_hard: math::tan_deg(75.0), bulking, ..long() };
        let rested = run(&on_rock(&ground, &sediment), &config);
        // What stands above a line at 75 degrees from the foot of the wall.
        let step = 2.0 * config.repose_hard;
        let rock = |x: usize| math::min(60.0, (30 - x) as f64 * step);
        let failed: f64 = (0..30).map(|x| 60.0 - rock(x)).sum::<f64>() * 5.0 * 4.0;
        let brought_in = (bulking - 1.0) * failed;
        assert!((rested.ledger.brought_in - brought_in).abs() <= 1e-9 * failed);
        let loose: f64 = rested.sediment.as_slice().iter().map(|s| f64::from(*s) * 4.0).sum();
        assert!((loose / (bulking * failed) - 1.0).abs() < 1e-5, "{loose} {failed}");
        for x in 0..30 {
            let stands = f64::from(rested.elevation.at(x, 2) - rested.sediment.at(x, 2));
            assert!((stands - rock(x)).abs() < 1e-3, "{x}: {stands}");
        }
        let again = run(&on_rock(&rested.elevation, &rested.sediment), &config);
        assert_eq!(again.ledger.brought_in, 0.0);
    }
}

#[test]
fn hard_rock_under_a_layer_keeps_its_bits_where_all_is_legal() {
    let spire = terrain::cone(terrain::square(64, 2.0), 100.0, math::tan_deg(70.0));
    let hardness = spire.like(1.0_f32);
    let sediment = Grid::from_fn(*spire.domain(), |x, _| if x < 10 { 0.5 } else { 0.0 });
    let ground = Slope { hardness: Some(&hardness), ..on_rock(&spire, &sediment) };
    let rested = run(&ground, &TalusConfig::default());
    assert_eq!((&rested.elevation, &rested.sediment), (&spire, &sediment));
    assert_eq!((rested.sweeps, rested.ledger), (0, Ledger::default()));
}

#[test]
fn a_scarp_lower_than_the_cohesion_stands_and_a_higher_one_falls() {
    let domain = Domain::new(60, 9, 0.5, [0.0; 2]).expect("legal");
    for (height, cells, stands) in
        [(1.9, 1, true), (2.1, 1, false), (1.9, 3, true), (9.0, 9, false)]
    {
        // Spread over more cells, no single step is higher than the cohesion.
        let scarp = Grid::from_fn(domain, |x, _| {
            height * (1.0 - math::clamp((x as f32 - 29.0) / cells as f32, 0.0, 1.0))
        });
        let slope = Slope { elevation: &scarp, sediment: None, hardness: None, mask: None };
        let config = TalusConfig { cohesion: 2.0, ..TalusConfig::default() };
        let rested = run(&slope, &config);
        assert_eq!(rested.elevation == scarp, stands, "{height} over {cells}");
        let loose = run(&slope, &TalusConfig { cohesion: 0.0, ..config });
        assert!(loose.ledger.eroded > 0.0);
        if !stands {
            assert_eq!(rested.elevation, loose.elevation);
        }
    }
}

#[test]
fn debris_is_what_passed() {
    let [ground, _] = section(80, |x| if x < 40 { 40.0 } else { 0.0 }, |_| 0.0);
    let slope = Slope { elevation: &ground, sediment: None, hardness: None, mask: None };
    let rested = run(&slope, &TalusConfig { sweeps: 4000, ..TalusConfig::default() });
    // Rows at the walls hold less back, and so a little debris also crosses from
    // row to row: what passes a column is that of its five rows.
    let column = |of: &Grid<f32>, x: usize| (0..5).map(|y| f64::from(of.at(x, y))).sum::<f64>();
    let mut passed = 0.0;
    for x in 0..40 {
        passed += column(&rested.erosion, x);
        let debris = column(&rested.debris, x);
        assert!(debris >= passed * (1.0 - 1e-6), "{x}: {debris} {passed}");
        assert!(debris <= passed * 1.1 + 1e-6, "{x}: {debris} {passed}");
    }
    assert!(passed > 100.0);
    assert_eq!(rested.debris.at(2, 2), 0.0);
}

#[test]
fn on_rock_too_any_number_of_threads_gives_the_same_bits() {
    let [ground, sediment] = rough();
    let config = TalusConfig { sweeps: 60, cohesion: 4.0, bulking: 1.2, ..TalusConfig::default() };
    for cover in [Some(&sediment), None] {
        let slope = Slope { sediment: cover, ..on_rock(&ground, &sediment) };
        let one = with_threads(1, || run(&slope, &config));
        for threads in [2, 3, 7] {
            let other = with_threads(threads, || run(&slope, &config));
            assert_eq!(one.elevation, other.elevation);
            assert_eq!((&one.sediment, &one.debris), (&other.sediment, &other.debris));
            assert_eq!(one.ledger, other.ledger);
        }
    }
}

#[test]
fn layers_on_maps_of_any_size_come_to_rest() {
    for width in 1..=9 {
        for height in 1..=9 {
            let domain = Domain::new(width, height, 12.0, [0.0; 2]).expect("legal");
            let ground = Grid::from_fn(domain, |x, y| ((x * 37 + y * 61) % 23) as f32 * 9.0);
            let sediment = Grid::from_fn(domain, |x, y| ((x * 5 + y * 3) % 4) as f32);
            let rested = run(&on_rock(&ground, &sediment), &long());
            assert!(rested.at_rest, "{width} x {height}");
        }
    }
    let wild = Domain::new(9, 9, 12.0, [0.0; 2]).expect("legal");
    let ground = Grid::from_fn(wild, |x, y| ((x * 37 + y * 61) % 23) as f32 * 900.0);
    let odd = Grid::from_fn(wild, |x, y| (x as f32 - 4.0) * 1e4 * (y as f32 - 4.0));
    for (bulking, cohesion) in [(f64::NAN, f64::NAN), (0.5, -1.0), (1e6, 1e9)] {
        run(&on_rock(&ground, &odd), &TalusConfig { bulking, cohesion, sweeps: 50, ..long() });
    }
}
