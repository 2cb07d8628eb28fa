//! The picture against the probe values of its specification, and its guarantees.

use bajada_grid::{Digest, Grid};
use bajada_testkit::terrain;

use super::super::color::{hex, linear};
use super::super::paint::{DEFAULT_TINTS, NodePlace, Tint};
use super::*;

/// The map of the probes: 257 samples over 12 km.
fn probe_domain() -> Domain {
    terrain::square(257, 12_000.0 / 256.0)
}

fn plain_config() -> ReliefConfig {
    ReliefConfig { contour: Contour::Off, scale: Some(1), ..ReliefConfig::default() }
}

/// A plane that faces the sun at 315 degrees (`tilt` > 0) or turns its back.
fn tilted(tilt_deg: f64) -> Grid<f32> {
    let slope = math::tan_deg(tilt_deg) / 2.0_f64.sqrt();
    terrain::plane(probe_domain(), 0.0, slope, slope)
}

fn paint(scene: &Scene<'_>, config: &ReliefConfig) -> Picture {
    relief(&Task::new(), scene, config).expect("nobody cancels")
}

fn pixel(picture: &Picture, x: usize, y: usize) -> [u8; 3] {
    picture.rgb.as_chunks::<3>().0[y * picture.width + x]
}

fn steps_between(a: [u8; 3], b: [u8; 3]) -> u8 {
    std::array::from_fn::<u8, 3, _>(|i| a[i].abs_diff(b[i])).into_iter().fold(0, u8::max)
}

/// Lightness before the shoulder in the middle of a scene.
fn middle_lightness(scene: &Scene<'_>) -> f32 {
    let style = style(&plain_config(), scene.elevation.domain());
    let painter = Painter::new(&Task::new(), scene, &style).expect("nobody cancels");
    let mut scratch = PaintScratch::default();
    painter.begin_row(128, &mut scratch);
    let mut place = NodePlace::new(painter.fields.coarse.factor);
    (0..128).for_each(|_| place.step());
    let wide = scratch.wide.at(place.node, place.share);
    painter.light(128, 128, &wide, &scratch).level()
}

const PROBES: [(f64, f32, u32); 15] = [
    (0.0, 1.000, 0x93_94_7f),
    (1.0, 1.091, 0xb5_ad_92),
    (2.0, 1.173, 0xc6_ba_9f),
    (4.0, 1.306, 0xce_c1_a3),
    (8.0, 1.328, 0xcf_c2_a4),
    (20.0, 1.347, 0xd0_c3_a5),
    (35.0, 1.498, 0xd5_c7_aa),
    (45.0, 1.545, 0xd3_c5_ad),
    (-1.0, 0.902, 0xa5_9f_88),
    (-2.0, 0.799, 0xa6_9d_8a),
    (-4.0, 0.590, 0x8f_89_7c),
    (-8.0, 0.557, 0x8c_87_7b),
    (-20.0, 0.548, 0x8a_86_7b),
    (-35.0, 0.291, 0x63_64_68),
    (-45.0, 0.269, 0x5e_5f_66),
];

#[test]
fn tilted_planes_show_the_probed_light_and_color() {
    let mut off = Vec::new();
    for (tilt, lightness, code) in PROBES {
        let plane = tilted(tilt);
        let scene = Scene::new(&plane);
        let found = middle_lightness(&scene);
        let color = pixel(&paint(&scene, &plain_config()), 128, 128);
        if (found - lightness).abs() > 0.001 || steps_between(color, hex(code)) > 1 {
            off.push(format!("{tilt}: {found:.4} for {lightness}, {color:02x?} for {code:06x}"));
        }
    }
    assert!(off.is_empty(), "{off:#?}");
}

fn level() -> Grid<f32> {
    terrain::plane(probe_domain(), 0.0, 0.0, 0.0)
}

#[test]
fn water_and_deposits_on_level_ground_show_the_probed_colors() {
    let ground = level();
    let waters = [
        (0.1, 0x93_a6_9f),
        (1.0, 0x9e_bd_bc),
        (3.0, 0x83_af_b5),
        (10.0, 0x55_7f_97),
        (25.0, 0x36_5a_78),
    ];
    for (depth, code) in waters {
        let water = ground.like(depth);
        let scene = Scene { water: Some(&water), ..Scene::new(&ground) };
        let color = pixel(&paint(&scene, &plain_config()), 128, 128);
        assert!(steps_between(color, hex(code)) <= 1, "{depth} m: {color:02x?}");
    }
    let deposits = [(0.5, 0x94_95_80), (1.0, 0x9c_9a_83), (2.0, 0xb3_ab_8f), (4.0, 0xd0_c1_9f)];
    for (thickness, code) in deposits {
        let deposition = ground.like(thickness);
        let scene = Scene { deposition: Some(&deposition), ..Scene::new(&ground) };
        let color = pixel(&paint(&scene, &plain_config()), 128, 128);
        assert!(steps_between(color, hex(code)) <= 1, "{thickness} m: {color:02x?}");
    }
}

#[test]
fn level_open_ground_shows_the_color_of_the_palette_everywhere() {
    for height in [-8000.0, 0.0, 0.3, 8000.0] {
        let ground = terrain::plane(terrain::square(40, 1.0), height, 0.0, 0.0);
        let picture = paint(&Scene::new(&ground), &ReliefConfig::default());
        assert_eq!((picture.width, picture.height), (157, 157));
        for color in picture.rgb.as_chunks::<3>().0 {
            assert!(steps_between(*color, hex(0x93_94_7f)) <= 1, "{color:02x?} at {height} m");
        }
    }
}

#[test]
fn any_size_and_any_relief_makes_a_picture() {
    for (width, height) in [(1, 1), (2, 2), (2, 3), (1, 7), (3, 200), (200, 3), (90, 41), (1100, 4)]
    {
        for relief_height in [0.0, 0.01, 1.0, 8000.0] {
            let domain = Domain::new(width, height, 0.5, [0.0; 2]).expect("legal");
            let ground = Grid::from_fn(domain, |x, y| {
                relief_height * (((x * 7 + y * 13) % 11) as f32 / 5.0 - 1.0)
            });
            let water = Grid::from_fn(domain, |x, _| (x % 3) as f32);
            let scene = Scene { water: Some(&water), ..Scene::new(&ground) };
            for (scale, shrink) in [(None, 1), (Some(1), 4), (Some(3), 2)] {
                let config = ReliefConfig { scale, shrink, ..ReliefConfig::default() };
                let picture = paint(&scene, &config);
                assert_eq!(picture.rgb.len(), 3 * picture.width * picture.height);
            }
        }
    }
}

#[test]
fn a_picture_has_the_same_bytes_on_any_number_of_threads() {
    let ground = terrain::hills(terrain::square(301, 20.0), 1200.0, 4);
    let water = Grid::from_fn(*ground.domain(), |x, y| math::max(0.0, 300.0 - ground.at(x, y)));
    let scene = Scene { water: Some(&water), deposition: Some(&water), ..Scene::new(&ground) };
    let config =
        ReliefConfig { scale: Some(2), shrink: 2, sun_azimuth: 60.0, ..Default::default() };
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        pool.install(|| paint(&scene, &config))
    };
    let one = on(1);
    assert!(one == on(2) && one == on(7));
}

#[test]
fn half_the_resolution_has_the_same_tones() {
    let coarse = terrain::hills(terrain::square(257, 40.0), 1500.0, 9);
    let fine = terrain::hills(terrain::square(513, 20.0), 1500.0, 9);
    let (a, b) =
        (paint(&Scene::new(&coarse), &plain_config()), paint(&Scene::new(&fine), &plain_config()));
    let mut differences = [0.0; 3];
    let mut signed = 0.0;
    for y in 0..257 {
        for x in 0..257 {
            let (p, q) = (pixel(&a, x, y), pixel(&b, 2 * x, 2 * y));
            for i in 0..3 {
                differences[i] += f64::from(p[i].abs_diff(q[i]));
                signed += f64::from(p[i]) - f64::from(q[i]);
            }
        }
    }
    let count = 257.0 * 257.0;
    for difference in differences {
        assert!(difference / count < 2.0, "{:?}", differences.map(|sum| sum / count));
    }
    assert!((signed / (3.0 * count)).abs() < 0.3, "one is brighter by {}", signed / count);
}

#[test]
fn a_lone_cone_is_the_same_on_both_sides_of_the_sun() {
    let cone = terrain::cone(terrain::square(257, 40.0), 1500.0, 0.6);
    for (azimuth, mirrored) in [
        (315.0, (|x, y| (y, x)) as fn(usize, usize) -> (usize, usize)),
        (0.0, |x, y| (256 - x, y)),
        (90.0, |x, y| (x, 256 - y)),
    ] {
        let config = ReliefConfig { sun_azimuth: azimuth, ..plain_config() };
        let picture = paint(&Scene::new(&cone), &config);
        for y in 0..257 {
            for x in 0..257 {
                let (other_x, other_y) = mirrored(x, y);
                let (here, there) = (pixel(&picture, x, y), pixel(&picture, other_x, other_y));
                assert!(steps_between(here, there) <= 1, "{azimuth}: {x}, {y}");
            }
        }
        assert_ne!(pixel(&picture, 100, 100), pixel(&picture, 156, 156));
    }
}

#[test]
fn a_cast_shadow_falls_away_from_the_sun() {
    let tower = Grid::from_fn(probe_domain(), |x, y| {
        if x.abs_diff(128) < 6 && y.abs_diff(128) < 6 { 900.0 } else { 0.0 }
    });
    let config = ReliefConfig { sun_azimuth: 270.0, ..plain_config() };
    let picture = paint(&Scene::new(&tower), &config);
    let (east, west) = (pixel(&picture, 146, 128)[1], pixel(&picture, 110, 128)[1]);
    assert!(east + 20 < west, "{east} in the shadow, {west} before the tower");
    let bright = paint(&Scene::new(&tower), &ReliefConfig { shadow: 0.0, ..config });
    assert!(pixel(&bright, 146, 128)[1] > east + 15);
}

#[test]
fn shrinking_averages_the_light_and_not_the_bytes() {
    // Left half dark, right half bright within each block of two.
    let ground = terrain::plane(terrain::square(64, 10.0), 0.0, 0.0, 0.0);
    let mask = Grid::from_fn(*ground.domain(), |x, _| (x % 2) as f32);
    let tints = [Tint { mask: &mask, color: [255, 255, 255] }];
    let scene = Scene { tints: &tints, ..Scene::new(&ground) };
    let full = paint(&scene, &plain_config());
    let small = paint(&scene, &ReliefConfig { shrink: 2, ..plain_config() });
    assert_eq!((small.width, small.height), (32, 32));
    let (dark, bright) = (pixel(&full, 20, 20), pixel(&full, 21, 20));
    for i in 0..3 {
        let mean = (linear([dark[i]; 3])[0] + linear([bright[i]; 3])[0]) / 2.0;
        let color = pixel(&small, 10, 10)[i];
        assert!(Encoder::new().byte(mean).abs_diff(color) <= 1);
    }
    let large = terrain::plane(terrain::square(129, 1.0), 0.0, 0.0, 0.0);
    let quarter = paint(&Scene::new(&large), &ReliefConfig { shrink: 4, ..plain_config() });
    assert_eq!(quarter.width, 32);
}

#[test]
fn contours_are_drawn_on_a_fan_and_on_multiples_of_the_interval() {
    // 3 degrees to the east; the surface is a plane, so its blur is itself.
    let slope = math::tan_deg(3.0);
    let fan = terrain::plane(terrain::square(257, 12_000.0 / 256.0), 3.0, slope, 0.0);
    let without = paint(&Scene::new(&fan), &plain_config());
    let with = paint(&Scene::new(&fan), &ReliefConfig { contour: Contour::Auto, ..plain_config() });
    assert_eq!((with.contour_interval, without.contour_interval), (10.0, 0.0));
    let mut lines = 0;
    for x in 20..237 {
        let height = f64::from(fan.at(x, 128));
        let off = (height / 10.0 - (height / 10.0 + 0.5).floor()).abs() * 10.0;
        let inked = pixel(&with, x, 128) != pixel(&without, x, 128);
        let cell_rise = slope * fan.domain().cell_size();
        if off < 0.4 * cell_rise {
            assert!(inked, "no line at {height}");
            lines += 1;
        }
        if off > 1.45 * cell_rise {
            assert!(!inked, "a line at {height}");
        }
    }
    assert!(lines > 30);
}

#[test]
fn a_stopped_task_gives_no_picture() {
    let task = Task::new();
    task.cancel();
    let ground = level();
    assert_eq!(relief(&task, &Scene::new(&ground), &plain_config()), Err(Cancelled));
    let done = Task::new();
    relief(&done, &Scene::new(&ground), &plain_config()).expect("nobody cancels");
    assert_eq!(done.fraction(), 1.0);
}

#[test]
fn masks_are_painted_in_order_and_held_to_their_range() {
    let ground = level();
    let (full, more) = (ground.like(1.0), ground.like(7.0));
    let tint = |mask, color| [Tint { mask, color }];
    let once = tint(&full, DEFAULT_TINTS[1]);
    let scene = Scene { tints: &once, ..Scene::new(&ground) };
    let snow = pixel(&paint(&scene, &plain_config()), 128, 128);
    assert!(snow[2] > 210 && snow[2] > snow[0], "{snow:02x?}");
    let over = tint(&more, DEFAULT_TINTS[1]);
    let held = paint(&Scene { tints: &over, ..Scene::new(&ground) }, &plain_config());
    assert_eq!(pixel(&held, 128, 128), snow);
}

/// Pins every constant of the look, to the bit. When this moves, so does every
/// picture that anybody has made: say why.
#[test]
fn the_test_hills_have_the_picture_they_had() {
    let ground = terrain::hills(terrain::square(193, 50.0), 1400.0, 11);
    let water = Grid::from_fn(*ground.domain(), |x, y| math::max(0.0, 420.0 - ground.at(x, y)));
    let deposition = Grid::from_fn(*ground.domain(), |x, _| x as f32 * 0.03);
    let mask = Grid::from_fn(*ground.domain(), |_, y| if y > 150 { 0.5 } else { 0.0 });
    let scene = Scene {
        elevation: &ground,
        water: Some(&water),
        deposition: Some(&deposition),
        tints: &[Tint { mask: &mask, color: DEFAULT_TINTS[1] }],
    };
    let config =
        ReliefConfig { scale: Some(1), contour: Contour::Every(25.0), ..Default::default() };
    let digest = Digest::of_bytes(&paint(&scene, &config).rgb).to_string();
    assert_eq!(digest, "5b4bbefa16fc2fdd90b3847ee745afd657f8378bf8597294a7b9e2e0c64d9b67");
}
