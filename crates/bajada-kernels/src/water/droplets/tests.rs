//! Droplets against what their docs promise.

use std::sync::Arc;

use bajada_grid::{
    Cancelled, Digest, Domain, Grid, Lithology, NonFinite, Rock, Stream, Task, math, sample,
};
use bajada_testkit::plain_droplets::{self, PlainDroplets};
use bajada_testkit::terrain;

use super::schedule::rain;
use super::{CapacityLaw, DropletConfig, Eroded, Ground, erode};

fn bare(elevation: &Grid<f32>) -> Ground<'_> {
    Ground { elevation, hardness: None, mask: None }
}

fn run(ground: &Ground<'_>, config: &DropletConfig) -> Eroded {
    erode(&Task::new(), ground, config, Stream::new(7)).expect("nobody cancels")
}

fn hills(side: u32) -> Grid<f32> {
    terrain::hills(terrain::square(side, 12.0), 600.0, 3)
}

fn with_threads<R: Send>(threads: usize, run: impl FnOnce() -> R + Send) -> R {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool").install(run)
}

/// A field of 0..1 that is 0 on the left third and 1 on the right third.
fn ramp(domain: Domain) -> Grid<f32> {
    let third = domain.width() as f32 / 3.0;
    Grid::from_fn(domain, |x, _| math::clamp(x as f32 / third - 1.0, 0.0, 1.0))
}

/// Rock that is the same at every depth.
fn map(hardness: &Grid<f32>) -> Lithology {
    Lithology::Map(Arc::new(hardness.clone()))
}

/// What every result must be, whatever the input.
fn check_sound(ground: &Ground<'_>, result: &Eroded) {
    let before = ground.elevation;
    let residual = result.ledger.residual_relative();
    assert!(residual <= 1e-12, "residual {residual:e}: {:?}", result.ledger);
    let lowest = before.as_slice().iter().copied().fold(f32::INFINITY, math::min);
    let highest = before.as_slice().iter().copied().fold(0.0, |a: f32, b| math::max(a, b.abs()));
    for index in 0..before.as_slice().len() {
        let (after, erosion, deposition) =
            (result.elevation[index], result.erosion[index], result.deposition[index]);
        assert!(after.is_finite() && after >= lowest, "cell {index}: {after}, lowest {lowest}");
        assert!(erosion >= 0.0 && deposition >= 0.0 && erosion * deposition == 0.0);
        let gap = (after - before[index]) - (deposition - erosion);
        assert!(gap.abs() <= 1e-6 * (1.0 + highest), "cell {index}: {gap}");
        assert!(result.discharge[index].is_finite() && result.flow_velocity[index].is_finite());
    }
}

#[test]
fn all_matter_is_accounted_for() {
    let elevation = hills(150);
    let soft = ramp(*elevation.domain());
    let rock = map(&soft);
    for (hardness, mask) in [(None, None), (Some(&rock), None), (None, Some(&soft))] {
        let ground = Ground { elevation: &elevation, hardness, mask };
        let result = run(&ground, &DropletConfig::default());
        assert!(result.ledger.eroded > 1e5 && result.ledger.exported > 0.0);
        check_sound(&ground, &result);
    }
}

#[test]
fn one_lost_deposit_opens_the_ledger() {
    let elevation = hills(64);
    let config = DropletConfig::default();
    let mut shed =
        rain::<false>(&Task::new(), &bare(&elevation), &config, Stream::new(7)).expect("runs");
    let fullest = (0..elevation.as_slice().len())
        .max_by_key(|index| shed.bed[*index] - shed.start[*index])
        .expect("the map has cells");
    shed.bed[fullest] = shed.start[fullest];
    let result = shed.into_eroded(&elevation);
    assert!(result.ledger.residual_relative() > 1e-6);
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let elevation = hills(300);
    let mask = ramp(*elevation.domain());
    let ground = Ground { elevation: &elevation, hardness: None, mask: Some(&mask) };
    let config = DropletConfig { density: 0.002, ..DropletConfig::default() };
    let one = with_threads(1, || run(&ground, &config));
    for threads in [2, 3, 8] {
        let other = with_threads(threads, || run(&ground, &config));
        assert_eq!(one.elevation, other.elevation);
        assert_eq!(one.discharge, other.discharge);
        assert_eq!(one.flow_velocity, other.flow_velocity);
        assert_eq!(one.supply, other.supply);
        assert_eq!(one.ledger, other.ledger);
    }
}

#[test]
fn a_full_mask_and_soft_rock_change_no_bit() {
    let elevation = hills(130);
    let (full, soft) = (elevation.like(1.0_f32), elevation.like(0.0_f32));
    let ground = Ground { elevation: &elevation, hardness: Some(&map(&soft)), mask: Some(&full) };
    let config = DropletConfig { density: 0.003, ..DropletConfig::default() };
    assert_eq!(run(&ground, &config).elevation, run(&bare(&elevation), &config).elevation);
}

#[test]
fn level_ground_does_not_change() {
    let elevation = Grid::filled(terrain::square(70, 12.0), 123.4_f32);
    let result = run(&bare(&elevation), &DropletConfig::default());
    assert_eq!(result.elevation, elevation);
    assert_eq!(result.ledger.eroded, 0.0);
}

#[test]
fn no_rain_changes_nothing() {
    let elevation = hills(40);
    let dry = DropletConfig { density: 0.0, ..DropletConfig::default() };
    let nowhere = elevation.like(0.0_f32);
    let masked = Ground { elevation: &elevation, hardness: None, mask: Some(&nowhere) };
    for result in [run(&bare(&elevation), &dry), run(&masked, &DropletConfig::default())] {
        assert_eq!(result.elevation, elevation);
        assert_eq!(result.ledger, bajada_grid::Ledger::default());
        assert!(result.discharge.as_slice().iter().all(|water| *water == 0.0));
    }
}

#[test]
fn ground_under_a_mask_of_zero_keeps_its_bits() {
    let elevation = hills(120);
    let mask = ramp(*elevation.domain());
    let result = run(
        &Ground { elevation: &elevation, hardness: None, mask: Some(&mask) },
        &DropletConfig::default(),
    );
    let mut changed = 0;
    for index in 0..elevation.as_slice().len() {
        if mask[index] == 0.0 {
            assert_eq!(elevation[index].to_bits(), result.elevation[index].to_bits());
        } else {
            changed += usize::from(elevation[index] != result.elevation[index]);
        }
    }
    assert!(changed > 5_000 && result.ledger.handed_on > 0.0);
}

#[test]
fn what_crosses_the_rim_of_the_mask_is_handed_on_to_the_last_quantum() {
    // Cells of 256 m2: volumes are whole quanta times a power of two, so that
    // sums of them are exact and can be held with `==`.
    let domain = terrain::square(160, 16.0);
    let rough = terrain::hills(domain, 100.0, 3);
    let elevation = Grid::from_fn(domain, |x, y| 0.4 * 16.0 * (160 - x) as f32 + rough.at(x, y));
    let rim = |y: usize| 100 + (y / 10) % 7;
    let mask = Grid::from_fn(domain, |x, y| if x < rim(y) { 1.0 } else { 0.0 });
    let ground = Ground { elevation: &elevation, hardness: None, mask: Some(&mask) };
    let config = DropletConfig::default();
    let one = with_threads(1, || run(&ground, &config));
    let ledger = one.ledger;
    assert!(ledger.handed_on > 0.05 * ledger.eroded && ledger.exported > 0.0, "{ledger:?}");
    assert_eq!(ledger.eroded, ledger.deposited + ledger.handed_on + ledger.exported);
    assert_eq!(one.supply.volume(), ledger.handed_on);
    check_sound(&ground, &one);
    for parcel in one.supply.parcels() {
        let index = parcel.index as usize;
        let (x, y) = domain.column_row(index);
        let mut around = bajada_grid::neighbors::around(&domain, x, y, &bajada_grid::neighbors::D8);
        assert!(mask[index] == 0.0 && around.any(|(_, cell)| mask[cell] > 0.0), "{x} {y}");
    }
    assert!(one.supply.parcels().len() > 100);
    for threads in [2, 3, 7] {
        assert_eq!(one.supply, with_threads(threads, || run(&ground, &config)).supply);
    }
    assert!(run(&bare(&elevation), &config).supply.parcels().is_empty());
}

/// Soft ground as thick as `depth` over rock that never yields.
#[derive(Debug)]
struct Skin {
    surface: Grid<f32>,
    depth: f64,
}

impl Rock for Skin {
    fn hardness(&self, x: f64, y: f64, z: f64) -> f64 {
        let rock = sample::at_world(&self.surface, x, y) - self.depth;
        if z <= rock { 1.0 } else { 0.0 }
    }

    fn digest(&self) -> Result<Digest, NonFinite> {
        Digest::of_grid("skin", &self.surface)
    }

    fn bytes(&self) -> u64 {
        self.surface.bytes()
    }
}

#[test]
fn rock_below_a_soft_skin_is_met_while_it_rains() {
    let elevation = hills(120);
    let depth = 0.5;
    let skin = Lithology::Rock(Arc::new(Skin { surface: elevation.clone(), depth }));
    let cut = |hardness| {
        let ground = Ground { elevation: &elevation, hardness, mask: None };
        let result = run(&ground, &DropletConfig::default());
        check_sound(&ground, &result);
        let below = |cut: f32| math::max(f64::from(cut) - depth, 0.0);
        result.erosion.as_slice().iter().map(|&cut| below(cut)).sum::<f64>()
    };
    let (held, free) = (cut(Some(&skin)), cut(None));
    // Each cell is cut into once before the rock is seen: by a shower of sixteen.
    assert!(free > 1000.0 && held < 0.3 * free, "{held} {free}");
}

#[test]
fn rock_of_hardness_one_is_never_eroded() {
    let elevation = hills(120);
    let hardness = ramp(*elevation.domain());
    let result = run(
        &Ground { elevation: &elevation, hardness: Some(&map(&hardness)), mask: None },
        &DropletConfig::default(),
    );
    for index in 0..elevation.as_slice().len() {
        assert!(hardness[index] < 1.0 || result.erosion[index] == 0.0);
    }
}

#[test]
fn extreme_settings_on_cliffs_give_finite_ground_that_is_accounted_for() {
    let domain = terrain::square(60, 12.0);
    let cliffs = Grid::from_fn(domain, |x, y| {
        (if (x / 7 + y / 9) % 2 == 0 { 10_000.0 } else { -500.0 }) + (x * y) as f32
    });
    let needle = Grid::from_fn(domain, |x, y| if (x, y) == (30, 30) { 9_000.0 } else { 0.1 });
    let plain = DropletConfig { density: 0.001, ..DropletConfig::default() };
    let wild = [
        DropletConfig { capacity_factor: 1e6, rain_depth: 1e4, ..plain },
        DropletConfig { friction_length: 1e9, inertia_length: 1e9, ..plain },
        DropletConfig {
            friction_length: 0.0,
            erosion_length: 0.0,
            deposition_length: 0.0,
            ..plain
        },
        DropletConfig { erosion_cap: 1.0, deposition_cap: 1.0, min_slope: 1.0, ..plain },
        DropletConfig { evaporation_length: 1e-3, path_length: 0.0, ..plain },
        DropletConfig { brush_radius: 2000.0, layer_radius: 0.0, density: 1e-4, ..plain },
        DropletConfig { step: 0.1, seepage_start: 1.0, path_length: 5000.0, ..plain },
        DropletConfig { rain_depth: f64::NAN, step: f64::NAN, capacity_factor: f64::NAN, ..plain },
    ];
    for elevation in [&cliffs, &needle] {
        for config in &wild {
            check_sound(&bare(elevation), &run(&bare(elevation), config));
        }
    }
}

#[test]
fn maps_of_any_size_are_served() {
    for (width, height) in [(2, 2), (2, 9), (9, 2), (3, 5), (5, 3), (1, 6), (200, 3)] {
        let domain = Domain::new(width, height, 12.0, [0.0; 2]).expect("legal");
        let elevation = Grid::from_fn(domain, |x, y| 100.0 + ((x * 37 + y * 61) % 23) as f32 * 3.0);
        let config = DropletConfig { density: 0.1, ..DropletConfig::default() };
        check_sound(&bare(&elevation), &run(&bare(&elevation), &config));
    }
}

/// Cells more than `depth` metres below all of their eight neighbours.
fn pits(elevation: &Grid<f32>, depth: f32) -> usize {
    let domain = *elevation.domain();
    (0..domain.len())
        .filter(|index| {
            let (x, y) = domain.column_row(*index);
            let around = bajada_grid::neighbors::around(&domain, x, y, &bajada_grid::neighbors::D8);
            let rim = around.map(|(_, cell)| elevation[cell]).fold(f32::INFINITY, math::min);
            elevation[*index] < rim - depth
        })
        .count()
}

#[test]
fn droplets_dig_no_pits_and_pile_no_needles() {
    let elevation = hills(257);
    let result = run(&bare(&elevation), &DropletConfig::default());
    // Slopes here drop 6 m a cell. Hollows that the start had are being filled.
    assert!(pits(&result.elevation, 0.3) < pits(&elevation, 0.3));
    assert_eq!(pits(&result.elevation, 2.0), 0);
    let turned = Grid::from_fn(*elevation.domain(), |x, y| -result.elevation.at(x, y));
    assert_eq!(pits(&turned, 2.0), 0);
}

#[test]
fn a_cone_erodes_alike_along_the_axes_and_between_them() {
    let domain = terrain::square(257, 12.0);
    let cone = terrain::cone(domain, 700.0, 0.5);
    let result = run(&bare(&cone), &DropletConfig::default());
    let mut sums = [(0.0, 0.0); 2];
    for index in 0..domain.len() {
        let (x, y) = domain.column_row(index);
        let (dx, dy) = (x as f64 - 128.0, y as f64 - 128.0);
        let distance = (dx * dx + dy * dy).sqrt();
        if (20.0..100.0).contains(&distance) {
            // Angle to the nearest multiple of 45 degrees, by the cosine of
            // four times the angle: 1 on the axes, -1 between them.
            let (c, s) = (dx / distance, dy / distance);
            let double = c * c - s * s;
            let sector = usize::from(2.0 * double * double - 1.0 < 0.0);
            sums[sector].0 += f64::from(result.erosion[index]);
            sums[sector].1 += 1.0;
        }
    }
    let ratio = (sums[0].0 / sums[0].1) / (sums[1].0 / sums[1].1);
    assert!((ratio - 1.0).abs() < 0.05, "{ratio}");
}

/// What the kernel cuts of what the slow twin cuts.
fn share_of_twin(config: &DropletConfig) -> f64 {
    let elevation = hills(65);
    let [east, south] = elevation.domain().extent();
    let droplets = (east * south * config.density + 0.5) as u64;
    let capacities = match config.capacity_law {
        CapacityLaw::SlopeSpeed => [config.capacity_factor, 0.0],
        CapacityLaw::SpeedSquared => [0.0, config.capacity_factor],
    };
    let plain = PlainDroplets {
        droplets,
        water: config.rain_depth * east * south / droplets as f64,
        capacities,
        gravity: config.gravity,
        start_speed: config.start_speed,
        lags: [
            config.inertia_length,
            config.friction_length,
            config.erosion_length,
            config.deposition_length,
            config.evaporation_length,
        ],
        path: config.path_length,
        seepage_start: config.seepage_start,
        radii: [config.brush_radius, config.layer_radius],
        step: config.step,
        caps: [config.erosion_cap, config.deposition_cap],
        min_slope: config.min_slope,
    };
    let (_, slow) = plain_droplets::rain(&elevation, &plain, Stream::new(1));
    run(&bare(&elevation), config).ledger.eroded / slow
}

#[test]
fn the_slow_twin_cuts_as_much() {
    let density = 0.003;
    let slope_speed = DropletConfig { density, ..DropletConfig::default() };
    // Slopes of a third at 7 m/s: a twentieth carries as much. At the whole factor,
    // where droplets end with loads twenty times as large, the two differ by a
    // fifth.
    let speed_squared = DropletConfig {
        capacity_law: CapacityLaw::SpeedSquared,
        capacity_factor: 0.06,
        ..slope_speed
    };
    // The twin does not put down the loads that droplets end with, and a classic
    // one ends with a full load.
    let classic = slope_speed.classic(hills(65).domain().cell_size());
    let shares = [slope_speed, speed_squared, classic].map(|config| share_of_twin(&config));
    let close = |share: f64, most: f64| (share - 1.0).abs() < most;
    assert!(
        close(shares[0], 0.05) && close(shares[1], 0.05) && close(shares[2], 0.1),
        "{shares:?}"
    );
}

#[test]
fn a_cancelled_rain_gives_no_ground() {
    let task = Task::new();
    task.cancel();
    let elevation = hills(30);
    let stopped = erode(&task, &bare(&elevation), &DropletConfig::default(), Stream::new(1));
    assert_eq!(stopped.err(), Some(Cancelled));
}
