//! Shallow water against known solutions.

use bajada_grid::{Domain, Grid, Task, math};

use super::law::GRAVITY;
use super::{Basin, ShallowWaterConfig, Side, Washed, wash};

/// Water alone, between walls, without friction, on one lattice.
fn plain() -> ShallowWaterConfig {
    ShallowWaterConfig {
        rain: 0.0,
        manning: 0.0,
        erodibility: 0.0,
        froude: 10.0,
        sides: [Side::Wall; 4],
        coarsest_cell: 0.0,
        ..ShallowWaterConfig::default()
    }
}

fn flume(cells: u32, cell_size: f64) -> Domain {
    Domain::new(cells, 3, cell_size, [0.0; 2]).expect("legal")
}

fn run(elevation: &Grid<f32>, water: Option<&Grid<f32>>, config: &ShallowWaterConfig) -> Washed {
    let basin = Basin { elevation, water, sediment: None, hardness: None, rain: None, mask: None };
    let washed = wash(&Task::new(), &basin, config).expect("nobody cancels");
    assert!(washed.book.residual_relative() <= 1e-12, "{:?}", washed.book);
    washed
}

/// The root of a function that falls, between two bounds.
fn root(mut low: f64, mut high: f64, falls: impl Fn(f64) -> f64) -> f64 {
    for _ in 0..80 {
        let middle = 0.5 * (low + high);
        if falls(middle) > 0.0 { low = middle } else { high = middle }
    }
    low
}

/// Speed of the bore that runs into water of depth `low` when a dam before
/// water of depth `high` breaks: after Stoker (1957), and without convection.
fn bores(high: f64, low: f64) -> [f64; 2] {
    let (c, g) = ((GRAVITY * high).sqrt(), GRAVITY);
    // Velocity behind a bore, and behind the rarefaction, at one depth.
    let stoker = root(low, high, |depth| {
        let behind = (depth - low) * (0.5 * g * (depth + low) / (depth * low)).sqrt();
        2.0 * (c - (g * depth).sqrt()) - behind
    });
    let speed = (0.5 * g * stoker * (stoker + low) / low).sqrt();
    // The face at the front is as deep as the water behind it.
    let inertial = root(low, high, |depth| {
        let wave = 2.0 / 3.0 * g.sqrt() * (high * high.sqrt() - depth * depth.sqrt());
        wave - (g * depth).sqrt() * (depth - low)
    });
    [speed, (g * inertial).sqrt()]
}

/// Without convection a bore is too slow over shallow water: by less than 5 %
/// where the dam holds back water 1.3 times as deep, and more where it is deeper.
#[test]
fn the_front_of_a_dam_break_runs_as_far_as_theory_says() {
    for (high, off_stoker) in [(1.3_f32, 0.05), (4.0, 0.12)] {
        let domain = flume(800, 1.0);
        let bed = Grid::filled(domain, 10.0_f32);
        let water = Grid::from_fn(domain, |x, _| if x < 400 { high } else { 1.0 });
        let time = 60.0;
        let config = ShallowWaterConfig { duration: time, ..plain() };
        let washed = run(&bed, Some(&water), &config);
        let [stoker, inertial] = bores(f64::from(high), 1.0);
        let behind = washed.water.at(500, 1);
        let half = 0.5 * (behind + 1.0);
        let front = (400..800).rev().find(|x| washed.water.at(*x, 1) > half).expect("it runs");
        let speed = (front as f64 - 399.5) / time;
        println!("{high}: {speed:.4} m/s, Stoker {stoker:.4}, inertial {inertial:.4}");
        assert!((speed / inertial - 1.0).abs() < 0.035, "{speed} {inertial}");
        assert!((speed / stoker - 1.0).abs() < off_stoker, "{speed} {stoker}");
    }
}

#[test]
fn uniform_flow_has_the_depth_that_manning_gives_it() {
    let (cells, cell_size, slope, manning) = (400, 2.0, 0.01, 0.04);
    let domain = flume(cells, cell_size);
    let bed = Grid::from_fn(domain, |x, _| (20.0 - slope * cell_size * x as f64) as f32);
    // It rains on the upper quarter only; below, the discharge is uniform.
    let above = 100;
    let rain = Grid::from_fn(domain, |x, _| if x < above { 1.0 } else { 0.0 });
    let config = ShallowWaterConfig {
        duration: 4000.0,
        rain: 1e-3,
        manning,
        sides: [Side::Wall, Side::Outflow, Side::Wall, Side::Wall],
        ..plain()
    };
    let basin = Basin {
        elevation: &bed,
        water: None,
        sediment: None,
        hardness: None,
        rain: Some(&rain),
        mask: None,
    };
    let washed = wash(&Task::new(), &basin, &config).expect("nobody cancels");
    let unit = 1e-3 * cell_size * above as f64;
    let depth = math::pow(unit * manning / slope.sqrt(), 0.6);
    for x in [150, 250, 350] {
        let found = f64::from(washed.water.at(x, 1));
        assert!((found / depth - 1.0).abs() < 0.005, "column {x}: {found} for {depth}");
        let through = f64::from(washed.discharge.at(x, 1)) / cell_size;
        assert!((through / unit - 1.0).abs() < 0.005, "column {x}: {through} for {unit}");
    }
}

/// Water in a parabolic channel swings as a plane with `omega = sqrt(2 g h) / a`
/// (Thacker 1981).
#[test]
fn water_swings_in_a_parabolic_bowl_with_the_period_of_thacker() {
    let (depth, half, cell_size) = (10.0, 500.0, 10.0);
    let domain = flume(161, cell_size);
    let across = |x: usize| x as f64 * cell_size - 800.0;
    let bed = Grid::from_fn(domain, |x, _| (depth * across(x) * across(x) / (half * half)) as f32);
    let tilt = 0.02 * depth / half;
    let water = Grid::from_fn(domain, |x, _| {
        let surface = depth + tilt * across(x);
        math::max(surface - f64::from(bed.at(x, 1)), 0.0) as f32
    });
    let omega = (2.0 * GRAVITY * depth).sqrt() / half;
    let period = 2.0 * std::f64::consts::PI / omega;
    let center = |time: f64| {
        let config = ShallowWaterConfig { duration: time, ..plain() };
        let washed = run(&bed, Some(&water), &config);
        let moment = |power: u32| {
            let weight = |x: usize| if power == 0 { 1.0 } else { across(x) };
            (0..161).map(|x| f64::from(washed.water.at(x, 1)) * weight(x)).sum::<f64>()
        };
        moment(1) / moment(0)
    };
    // After four swings and an eighth, sine and cosine are alike.
    let eighth = period / 8.0;
    let (now, later) = (center(4.0 * period + eighth), center(4.0 * period + 3.0 * eighth));
    let phase = math::atan2(-later, now) / (2.0 * std::f64::consts::PI);
    // In step, the phase is an eighth; what is off came about in some four swings.
    let off = (phase - 0.125) / 4.25;
    println!("now {now:.3} m, later {later:.3} m, period off by {:.3} %", 100.0 * off);
    assert!(now > 0.5 * center(0.0) * 0.707 && off.abs() < 0.02, "{off}");
}
