//! Fans against known answers and their promises.

use super::*;
use crate::surface::{self, Bend, CurvatureConfig};
use bajada_grid::{Domain, sample};

/// Smooth fans of one slope.
fn plain_config() -> FanConfig {
    FanConfig { roughness: 0.0, emplacement: Emplacement::Aggrade, ..FanConfig::default() }
}

fn apex(cell: usize, area: f64) -> Apex {
    Apex { cell, bearing: [0.0, 1.0], catchment_area: area, width: 20.0, score: 1.0 }
}

fn run(elevation: &Grid<f32>, apices: &[Apex], source: &Source<'_>, config: &FanConfig) -> Fans {
    let ground = Ground { elevation, sediment: None, mask: None };
    let fans = build(&Task::new(), &ground, apices, &[*source], config, Stream::new(5))
        .expect("nobody cancels");
    check_sound(elevation, &fans);
    fans
}

/// What every result must be, whatever the input.
fn check_sound(before: &Grid<f32>, fans: &Fans) {
    let residual = fans.ledger.residual_relative();
    assert!(residual <= 1e-12, "residual {residual:e}: {:?}", fans.ledger);
    for fan in &fans.fans {
        let gap = (fan.deposited + fan.surplus - fan.supply).abs();
        assert!(gap <= 1e-12 * fan.supply, "{gap:e} of {:e}", fan.supply);
    }
    for cell in 0..before.domain().len() {
        assert!(fans.elevation[cell].is_finite());
        assert!(fans.deposition[cell] >= 0.0 && fans.erosion[cell] >= 0.0);
        let sum = fans.gravel[cell] + fans.sand[cell] + fans.silt[cell];
        let covered = fans.owner[cell] > 0.0;
        assert!((sum - if covered { 1.0 } else { 0.0 }).abs() < 1e-6, "{sum}");
        assert!((0.0..=1.0).contains(&fans.distance[cell]));
    }
}

/// A front that faces south: a plain that falls by 1 %, and a mountain with
/// V-shaped canyons every `every` m that rise by 10 %.
fn front(samples: u32, extent: f64, every: f64, drop: f64) -> Grid<f32> {
    let domain = Domain::over_extent([samples; 2], [extent; 2], [0.0; 2]).expect("legal");
    let line = FRONT * extent;
    Grid::from_fn(domain, |x, y| {
        let (x, y) = (domain.world_x(x), domain.world_y(y));
        let plain = 200.0 - 0.01 * (y - line) - drop;
        let across = (x / every - (x / every).floor() - 0.5).abs() * every;
        let inside = line - y;
        let canyon = 200.0 + 0.1 * inside + 0.6 * across;
        let face = 200.0 + 0.5 * (inside + 40.0);
        math::max(plain, math::min(canyon, face)) as f32
    })
}

/// Place of the front, as a share of the extent.
const FRONT: f64 = 0.375;

fn mouths(ground: &Grid<f32>, every: f64, area: f64) -> Vec<Apex> {
    let domain = ground.domain();
    let y = (FRONT * domain.extent()[1] / domain.cell_size() + 0.5) as usize;
    let count = (domain.extent()[0] / every) as usize;
    (0..count)
        .map(|place| {
            let x = ((place as f64 + 0.5) * every / domain.cell_size() + 0.5) as usize;
            apex(domain.index(x, y), area)
        })
        .collect()
}

fn with_threads<R: Send>(threads: usize, run: impl FnOnce() -> R + Send) -> R {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool").install(run)
}

#[test]
fn on_level_ground_a_fan_is_the_cone_of_its_volume() {
    let domain = Domain::new(513, 513, 4.0, [0.0; 2]).expect("legal");
    let level = Grid::filled(domain, 100.0_f32);
    let slope = 0.1;
    let config =
        FanConfig { head_slope: slope, toe_slope: slope, slope_exponent: 0.0, ..plain_config() };
    let radius = 800.0_f64;
    let volume = std::f64::consts::PI * slope * radius * radius * radius / 3.0;
    let center = domain.index(256, 256);
    let fans = run(&level, &[apex(center, 1e6)], &Source::Outside(volume), &config);
    let height = fans.fans[0].elevation - 100.0;
    println!("apex off by {:.3} %", 100.0 * (height / (slope * radius) - 1.0));
    assert!((height / (slope * radius) - 1.0).abs() < 0.01, "{height}");
    let mut reaches = Vec::new();
    for azimuth in 0..16 {
        let angle = f64::from(azimuth) * std::f64::consts::PI / 8.0;
        let (s, c) = (math::sin(angle), math::cos(angle));
        let mut reach = 0.0;
        let at =
            |reach: f64| sample::bilinear(&fans.elevation, 256.0 + reach * c, 256.0 + reach * s);
        while at(reach) > 104.0 {
            reach += 0.01;
        }
        reaches.push(reach);
    }
    let longest = reaches.iter().copied().fold(0.0, math::max);
    let shortest = reaches.iter().copied().fold(f64::INFINITY, math::min);
    println!("isotropy {:.3} cells at {longest:.1}", longest - shortest);
    assert!(longest - shortest <= 1.5, "{reaches:?}");
}

#[test]
fn one_two_and_seven_fans_lay_down_what_they_receive() {
    let extent = 6144.0;
    let ground = front(257, extent, extent / 7.0, 0.0);
    let all = mouths(&ground, extent / 7.0, 0.8e6);
    for count in [1, 2, 7] {
        for emplacement in [Emplacement::Auto, Emplacement::Anchored, Emplacement::Aggrade] {
            let config = FanConfig { emplacement, ..FanConfig::default() };
            let apices = &all[..count];
            let fans = run(&ground, apices, &Source::Denudation(10.0), &config);
            assert_eq!(fans.fans.len(), count);
            let supply: f64 = fans.fans.iter().map(|fan| fan.supply).sum();
            assert!((fans.ledger.eroded / supply - 1.0).abs() < 1e-12);
            let surplus: f64 = fans.fans.iter().map(|fan| fan.surplus).sum();
            if emplacement == Emplacement::Anchored {
                assert!((fans.surplus.volume() - surplus).abs() <= 1e-12 * supply);
            } else {
                assert!(surplus <= 1e-12 * supply, "{emplacement:?}: {surplus:e}");
            }
            let outside = run(&ground, apices, &Source::Outside(2e7), &config);
            assert!((outside.ledger.brought_in / 2e7 - 1.0).abs() < 1e-12);
        }
    }
}

#[test]
fn the_depth_taken_is_the_depth_asked_for_and_makes_no_pit() {
    let extent = 6144.0;
    let ground = front(257, extent, extent / 3.0, 0.0);
    let apices = mouths(&ground, extent / 3.0, 2e6);
    let fans = run(&ground, &apices, &Source::Denudation(10.0), &plain_config());
    let start = ground.to_f64();
    let catchments = catchment::catchments(&start, &apices);
    let mut lowered = start.clone();
    for label in 1..=3 {
        let area = catchments.cells(label) as f64 * ground.domain().cell_area();
        let mean = fans.fans[label as usize - 1].supply / area;
        assert!((mean - 10.0).abs() < 1e-5, "{mean}");
    }
    let source = Source::Denudation(10.0);
    let given = Ground { elevation: &ground, sediment: None, mask: None };
    let received = supply::receive(&given, &start, &catchments, &apices, &[source]);
    let cuts = received.cuts.expect("ground is cut");
    for cell in 0..start.domain().len() {
        lowered[cell] -= cuts[cell];
    }
    let strides = crate::flow::strides(start.domain());
    for cell in 0..start.domain().len() {
        let direction = catchments.directions[cell];
        if direction < crate::flow::OUT {
            let receiver = crate::flow::toward(cell, direction, &strides);
            if start[cell] > start[receiver] {
                assert!(lowered[cell] > lowered[receiver], "{cell}");
            }
        }
    }
    assert!(apices.iter().all(|apex| cuts[apex.cell] == 0.0));
}

#[test]
fn below_a_slope_steeper_than_itself_a_fan_is_a_sheet_and_no_pillar() {
    // A gorge that ends in a slope of one in five above a plain.
    let ground = Grid::from_fn(bajada_testkit::terrain::square(129, 30.0), |x, y| {
        let (x, y) = (x as f32, y as f32);
        let wall = if x < 30.0 { 40.0 * (y - 64.0).abs() } else { 0.0 };
        let slope = if x < 60.0 { 180.0 + 6.0 * (60.0 - x) } else { 1.8 * (160.0 - x) };
        slope + math::min(wall, 400.0)
    });
    let at = ground.domain().index(30, 64);
    for volume in [5e5, 5e6, 2e7] {
        let config = FanConfig { emplacement: Emplacement::Aggrade, ..plain_config() };
        let fans = run(&ground, &[apex(at, 1e6)], &Source::Outside(volume), &config);
        let fan = fans.fans[0];
        let thickest = fans.deposition.as_slice().iter().copied().fold(0.0, math::max);
        assert!(fan.area > 50.0 * 900.0, "{volume}: {fan:?}");
        assert!(f64::from(thickest) < 12.0 * volume / fan.area, "{volume}: {thickest} {fan:?}");
        assert!(fan.surplus < 0.35 * volume, "{fan:?}");
    }
}

#[test]
fn what_comes_from_several_sources_is_laid_down_together() {
    let extent = 3000.0;
    let ground = front(129, extent, extent, 0.0);
    let apices = mouths(&ground, extent, 3e6);
    let given = Ground { elevation: &ground, sediment: None, mask: None };
    let index = apices[0].cell as u32;
    let supply = Supply::new(vec![Parcel { index, volume: 3e5 }]);
    let all = |sources: &[Source<'_>]| {
        let fans = build(&Task::new(), &given, &apices, sources, &plain_config(), Stream::new(5));
        let fans = fans.expect("nobody cancels");
        check_sound(&ground, &fans);
        fans.fans.iter().map(|fan| fan.supply).sum::<f64>()
    };
    let parts = [Source::Denudation(2.0), Source::Parcels(&supply), Source::Outside(4e5)];
    let alone: f64 = parts.iter().map(|part| all(&[*part])).sum();
    assert!((all(&parts) / alone - 1.0).abs() < 1e-12);
    // Two cuts in one place would be two bites of one cake.
    assert_eq!(all(&[parts[0], parts[0]]), all(&[parts[0]]));
}

#[test]
fn the_order_of_apices_and_the_number_of_threads_change_no_bit() {
    let extent = 6144.0;
    let ground = front(193, extent, extent / 5.0, 0.0);
    let apices = mouths(&ground, extent / 5.0, 0.8e6);
    let build = |apices: &[Apex]| {
        let fans = run(&ground, apices, &Source::Denudation(12.0), &FanConfig::default());
        (fans.elevation, fans.owner, fans.distance, fans.gravel, fans.fans)
    };
    let first = with_threads(1, || build(&apices));
    let mut mixed = vec![apices[3], apices[0], apices[4], apices[2], apices[1], apices[3]];
    for threads in [2, 3, 7] {
        mixed.rotate_left(1);
        assert!(first == with_threads(threads, || build(&mixed)), "{threads}");
    }
}

#[test]
fn an_anchored_apex_stays_on_the_bed_of_its_channel() {
    let extent = 6144.0;
    for drop in [40.0, 90.0] {
        let ground = front(257, extent, extent, drop);
        let apices = mouths(&ground, extent, 3e6);
        let config = FanConfig { emplacement: Emplacement::Anchored, ..FanConfig::default() };
        for volume in [2e6, 2e7, 9e7, 4e8] {
            let fans = run(&ground, &apices, &Source::Outside(volume), &config);
            let fan = fans.fans[0];
            let bed = f64::from(ground[fan.cell]);
            assert!(fan.anchored && (fan.elevation - bed).abs() <= 1e-9, "{}", fan.elevation - bed);
            assert_eq!(fans.elevation[apices[0].cell], ground[apices[0].cell]);
            println!(
                "drop {drop} volume {volume:e}: surplus {:.2e}, radius {:.0}, slopes {:?}, moved {}",
                fan.surplus,
                fan.radius,
                fan.slopes,
                fan.cell != apices[0].cell
            );
            assert!(fan.deposited > 0.0);
        }
    }
    let ground = front(257, extent, extent, 90.0);
    let fans =
        run(&ground, &mouths(&ground, extent, 3e6), &Source::Outside(6e7), &FanConfig::default());
    assert!(fans.fans[0].anchored, "there is room for it");
    let ground = front(257, extent, extent, 0.0);
    let fans =
        run(&ground, &mouths(&ground, extent, 3e6), &Source::Outside(6e7), &FanConfig::default());
    assert!(!fans.fans[0].anchored, "there is no room for it");
}

#[test]
fn behind_a_wall_with_a_gap_lies_only_what_came_through_the_gap() {
    let domain = Domain::new(257, 257, 10.0, [0.0; 2]).expect("legal");
    let ground = Grid::from_fn(domain, |x, y| {
        let wall = y == 150 && !(40..=48).contains(&x);
        if wall { 400.0 } else { 100.0 - 0.02 * y as f32 }
    });
    let at = domain.index(128, 100);
    let config = plain_config();
    let fans = run(&ground, &[apex(at, 1e6)], &Source::Outside(1.6e8), &config);
    let profile = Profile::of_catchment(1e6, &config);
    let mut behind = 0;
    for y in 151..257 {
        for x in 0..257 {
            let thickness = f64::from(fans.deposition.at(x, y));
            if thickness <= 0.0 {
                continue;
            }
            behind += 1;
            let leg = |a: [f64; 2], b: [f64; 2]| {
                10.0 * ((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1])).sqrt()
            };
            // The shortest way there could be, over any cell of the gap.
            let way = (40..=48)
                .map(|gap| {
                    let gap = [f64::from(gap), 150.0];
                    leg([128.0, 100.0], gap) + leg(gap, [x as f64, y as f64])
                })
                .fold(f64::INFINITY, math::min);
            let most = fans.fans[0].elevation - profile.drop(way - 5.0);
            assert!(f64::from(fans.elevation.at(x, y)) <= most + 1e-3, "{x} {y}");
        }
    }
    println!("{behind} cells behind the wall");
    assert!(behind > 100, "the gap lets something through");
}

#[test]
fn contours_bow_outwards_and_slopes_are_those_of_fans() {
    let extent = 6144.0;
    let ground = front(513, extent, extent, 0.0);
    let config = plain_config();
    let fans = run(&ground, &mouths(&ground, extent, 3e6), &Source::Outside(4e7), &config);
    let bent =
        surface::curvature(&fans.elevation, &CurvatureConfig { bend: Bend::Plan, scale: 36.0 });
    let (mut outward, mut all) = (0, 0);
    for cell in 0..ground.domain().len() {
        // The back-fill has no way from the apex.
        if fans.distance[cell] > 0.0 {
            all += 1;
            outward += i32::from(bent[cell] > 0.0);
        }
    }
    println!("{:.1} % of {all} cells bow outward", 100.0 * f64::from(outward) / f64::from(all));
    assert!(f64::from(outward) >= 0.9 * f64::from(all));
    let fan = fans.fans[0];
    let mean = math::atan_deg(fan.slopes.iter().sum::<f64>() / 3.0);
    println!("slopes {:?}, mean {mean:.2} degrees, radius {:.0}", fan.slopes, fan.radius);
    assert!((1.0..=6.0).contains(&mean));
    assert!(fan.slopes[0] > fan.slopes[1] && fan.slopes[1] > fan.slopes[2]);
}

#[test]
fn a_canyon_is_filled_without_step_wall_or_plug() {
    let extent = 6144.0;
    for (samples, every) in [(257, extent), (257, extent / 4.0), (513, extent)] {
        let ground = front(samples, extent, every, 0.0);
        let apices = mouths(&ground, every, 2.5e6);
        let volume = Source::Outside(8e7);
        let fans = run(&ground, &apices, &volume, &plain_config());
        let slope = surface::slope(&fans.elevation);
        let domain = *ground.domain();
        let thick = |x: usize, y: usize| fans.deposition.at(x, y) > 1.0;
        let mut steepest = 0.0;
        for y in 1..domain.height() - 1 {
            for x in 1..domain.width() - 1 {
                let inside = (0..3).all(|dy| (0..3).all(|dx| thick(x + dx - 1, y + dy - 1)));
                if inside {
                    steepest = math::max(steepest, f64::from(slope.at(x, y)));
                }
            }
        }
        println!("{samples} {every}: steepest deposit {steepest:.3}");
        assert!(steepest <= 0.25, "{steepest}");
        for apex in &apices {
            let (x, mouth) = domain.column_row(apex.cell);
            assert!(thick(x, mouth - 3), "the canyon is filled");
            for y in 1..domain.height() {
                let (above, below) = (fans.elevation.at(x, y - 1), fans.elevation.at(x, y));
                assert!(above >= below, "{x} {y}: {above} {below}");
            }
        }
    }
}

#[test]
fn twice_and_four_times_the_samples_give_the_same_fan() {
    let extent = 6144.0;
    let full = std::env::var_os("BAJADA_FULL").is_some();
    let sizes: &[u32] = if full { &[513, 1025, 2049] } else { &[513, 1025] };
    let mut built = Vec::new();
    for &samples in sizes {
        let ground = front(samples, extent, extent, 0.0);
        let apices = mouths(&ground, extent, 3e6);
        let config = FanConfig { roughness: 0.0, ..FanConfig::default() };
        let fan = run(&ground, &apices, &Source::Outside(6e7), &config).fans[0];
        built.push((samples, fan.elevation - 200.0, fan.area));
    }
    println!("samples, rise of the apex, area: {built:?}");
    let (_, rise, area) = built[built.len() - 1];
    for (samples, other_rise, other_area) in built {
        assert!((other_rise / rise - 1.0).abs() <= 0.003, "{samples}: {other_rise} {rise}");
        assert!((other_area / area - 1.0).abs() <= 0.01, "{samples}: {other_area} {area}");
    }
}

#[test]
fn every_grain_class_keeps_its_volume() {
    let extent = 6144.0;
    let ground = front(257, extent, extent / 3.0, 0.0);
    let apices = mouths(&ground, extent / 3.0, 1.5e6);
    let config = FanConfig::default();
    let fans = run(&ground, &apices, &Source::Outside(9e7), &config);
    let wanted = [config.gravel, config.sand, 1.0 - config.gravel - config.sand];
    let classes = [&fans.gravel, &fans.sand, &fans.silt];
    for (label, _) in (1_u8..).zip(&fans.fans) {
        let mine = |cell: usize| fans.owner[cell] == f32::from(label);
        let sum = |share: &dyn Fn(usize) -> f64| -> f64 {
            (0..ground.domain().len())
                .filter(|&cell| mine(cell))
                .map(|cell| f64::from(fans.deposition[cell]) * share(cell))
                .sum()
        };
        let all = sum(&|_| 1.0);
        for (class, want) in classes.iter().zip(wanted) {
            let share = sum(&|cell| f64::from(class[cell])) / all;
            println!("fan {label}: {:.2e} off its share", (share - want).abs());
            // As ports carry it; in f64 it is exact to 1e-12.
            assert!((share - want).abs() < 1e-7, "{share} {want}");
        }
    }
}

#[test]
fn in_f64_every_grain_class_keeps_its_volume_to_the_last_bits() {
    let domain = Domain::new(60, 60, 10.0, [0.0; 2]).expect("legal");
    let level = Grid::filled(domain, 0.0_f64);
    let way = |x: usize, y: usize| 10.0 * ((x * x + y * y) as f64).sqrt();
    let ways = Grid::from_fn(domain, way);
    let layer = Layer {
        owner: level.like(1_u32),
        thickness: Grid::from_fn(domain, |x, y| math::max(60.0 - 0.1 * way(x, y), 0.0)),
        cells: vec![Vec::new(), (0..3600).collect()],
    };
    let ground = Grid::filled(domain, 0.0_f32);
    let mut fan = run(&ground, &[apex(0, 1e6)], &Source::Outside(1e6), &plain_config()).fans[0];
    fan.radius = 600.0;
    let config = FanConfig::default();
    let places = grains::transitions(&layer, &[fan], &ways, &config);
    let all = layer.sum(1, |cell| layer.thickness[cell]);
    for (class, want) in
        [config.gravel, config.sand, 1.0 - config.gravel - config.sand].into_iter().enumerate()
    {
        let term = |cell: usize| {
            let relative = math::clamp(ways[cell] / 600.0, 0.0, 1.0);
            layer.thickness[cell] * grains::shares(relative, places[0])[class]
        };
        let miss = (layer.sum(1, term) / all - want).abs();
        println!("class {class}: {miss:.1e} off its share");
        assert!(miss < 1e-12, "{miss:e}");
    }
    // Gravel ends where a cone holds its share: 3 r2 - 2 r3 = 0.65.
    assert!((places[0][0] - 0.6).abs() < 0.02 && places[0][1] > places[0][0], "{places:?}");
}

#[test]
fn parcels_go_downstream_or_to_the_nearest_apex() {
    let extent = 6144.0;
    let ground = front(129, extent, extent / 2.0, 0.0);
    let apices = mouths(&ground, extent / 2.0, 1e6);
    let domain = *ground.domain();
    let parcel =
        |x: usize, y: usize, volume: f64| Parcel { index: domain.index(x, y) as u32, volume };
    // Far up the first canyon, and on the plain nearer to the second.
    let supply = Supply::new(vec![parcel(32, 5, 3e6), parcel(100, 100, 5e6)]);
    let fans = run(&ground, &apices, &Source::Parcels(&supply), &plain_config());
    assert_eq!(fans.fans[0].supply, 3e6);
    assert_eq!(fans.fans[1].supply, 5e6);
    assert_eq!(fans.ledger.taken_up, 8e6);
    let nobody = run(&ground, &[], &Source::Parcels(&supply), &plain_config());
    assert_eq!((nobody.surplus.volume(), &nobody.elevation), (8e6, &ground));
}

#[test]
fn loose_ground_is_what_rework_takes_and_a_mask_keeps_its_ground() {
    let extent = 6144.0;
    let ground = front(129, extent, extent, 0.0);
    let sediment = ground.like(2.0_f32);
    let mut mask = ground.like(1.0_f32);
    for y in 80..129 {
        mask.row_mut(y).fill(0.0);
    }
    let given = Ground { elevation: &ground, sediment: Some(&sediment), mask: Some(&mask) };
    let apices = mouths(&ground, extent, 3e6);
    let fans = build(
        &Task::new(),
        &given,
        &apices,
        &[Source::Loose],
        &FanConfig::default(),
        Stream::new(1),
    )
    .expect("nobody cancels");
    check_sound(&ground, &fans);
    assert!(fans.ledger.eroded > 0.0);
    for y in 0..129 {
        for x in 0..129 {
            assert!(fans.erosion.at(x, y) <= 2.0);
            assert!(y < 80 || fans.elevation.at(x, y) == ground.at(x, y));
        }
    }
}

#[test]
fn apices_lie_where_channels_leave_the_front() {
    let extent = 6144.0;
    let every = extent / 4.0;
    let ground = front(257, extent, every, 0.0);
    let mask = Grid::from_fn(*ground.domain(), |_, y| {
        if ground.domain().world_y(y) < FRONT * extent { 1.0 } else { 0.0 }
    });
    let found =
        along_front(&ground, &mask, &FrontConfig { spacing: 900.0, ..FrontConfig::default() });
    let truth = mouths(&ground, every, 1.0);
    assert_eq!(found.len(), 4);
    for (found, truth) in found.iter().zip(&truth) {
        let (a, b) =
            (ground.domain().column_row(found.cell), ground.domain().column_row(truth.cell));
        assert!(a.0.abs_diff(b.0) <= 2 && a.1.abs_diff(b.1) <= 2, "{a:?} {b:?}");
        assert!(found.bearing[1] > 0.9 && found.catchment_area > 1e6);
    }
    let (x, y) = ground.domain().column_row(found[1].cell);
    let near = [ground.domain().world_x(x) + 60.0, ground.domain().world_y(y) - 48.0];
    let named = at_points(&ground, &[near, [-1e9, 0.0]]);
    assert_eq!(named.len(), 1);
    assert!(named[0].catchment_area >= 1e6);
}

#[test]
fn small_maps_odd_settings_and_stopped_tasks_are_no_trouble() {
    for (width, height) in [(1, 1), (1, 9), (9, 1), (2, 2), (9, 9)] {
        let domain = Domain::new(width, height, 30.0, [0.0; 2]).expect("legal");
        let ground = Grid::from_fn(domain, |x, y| (x * y) as f32);
        for volume in [0.0, 1e5, 1e9, f64::NAN, -5.0] {
            for emplacement in [Emplacement::Auto, Emplacement::Anchored, Emplacement::Aggrade] {
                let config = FanConfig { emplacement, ..FanConfig::default() };
                let last = domain.len() - 1;
                let apices = [apex(0, 0.0), apex(last, 1e6), apex(usize::MAX, 1.0)];
                run(&ground, &apices, &Source::Outside(volume), &config);
                run(&ground, &apices, &Source::Denudation(volume), &config);
            }
        }
    }
    let task = Task::new();
    task.cancel();
    let ground = front(129, 6144.0, 6144.0, 0.0);
    let given = Ground { elevation: &ground, sediment: None, mask: None };
    let apices = mouths(&ground, 6144.0, 3e6);
    let config = FanConfig::default();
    assert!(
        build(&task, &given, &apices, &[Source::Outside(1e7)], &config, Stream::new(1)).is_err()
    );
}

/// The time of a front of 25 fans, with `BAJADA_FULL` on a map of 1025 samples.
#[test]
fn a_front_of_fans_is_built_in_seconds() {
    let full = std::env::var_os("BAJADA_FULL").is_some();
    let samples = if full { 1025 } else { 257 };
    let extent = 12_288.0;
    let ground = front(samples, extent, extent / 25.0, 0.0);
    let apices = mouths(&ground, extent / 25.0, 0.4e6);
    let fans = run(&ground, &apices, &Source::Denudation(10.0), &FanConfig::default());
    assert_eq!(fans.fans.len(), 25);
    assert!(fans.fans.iter().all(|fan| fan.surplus <= 1e-12 * fan.supply));
}
