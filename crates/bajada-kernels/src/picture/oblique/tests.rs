//! The camera against its formulas, and the guarantees of the picture.

use bajada_grid::{Digest, Grid};
use bajada_testkit::terrain;

use super::super::color::{hex, linear, mix};
use super::super::paint::Tint;
use super::*;

const WIDTH: usize = 160;
const HEIGHT: usize = 120;

fn small() -> ObliqueConfig {
    let size = Some([WIDTH as u32, HEIGHT as u32]);
    ObliqueConfig { size, contour: Contour::Off, ..ObliqueConfig::default() }
}

fn shoot(scene: &Scene<'_>, config: &ObliqueConfig) -> ObliquePicture {
    oblique(&Task::new(), scene, config).expect("nobody cancels")
}

fn pixel(taken: &ObliquePicture, x: usize, y: usize) -> [u8; 3] {
    taken.picture.rgb.as_chunks::<3>().0[y * taken.picture.width + x]
}

/// Level ground of 12 km.
fn plain() -> Grid<f32> {
    terrain::plane(terrain::square(61, 200.0), 0.0, 0.0, 0.0)
}

/// Rise per depth of the middle of a row, from the numbers of the docs.
fn rise_of(config: &ObliqueConfig, y: f64) -> f64 {
    let half_height = math::tan_deg(config.field / 2.0) * HEIGHT as f64 / WIDTH as f64;
    -math::tan_deg(config.pitch) + half_height * (1.0 - 2.0 * (y + 0.5) / HEIGHT as f64)
}

/// The row in which a rise per depth lies.
fn row_of(config: &ObliqueConfig, rise: f64) -> f64 {
    let (top, bottom) = (rise_of(config, -0.5), rise_of(config, HEIGHT as f64 - 0.5));
    (top - rise) / (top - bottom) * HEIGHT as f64
}

fn is_near(a: [u8; 3], b: [u8; 3], steps: u8) -> bool {
    a.iter().zip(b).all(|(a, b)| a.abs_diff(b) <= steps)
}

fn byte_of(color: Linear) -> [u8; 3] {
    color.map(|channel| (255.0 * transfer(channel) + 0.5) as u8)
}

#[test]
fn the_far_edge_of_a_plain_lies_where_the_formula_says() {
    let ground = plain();
    let config = ObliqueConfig { haze: 0.0, ..small() };
    let taken = shoot(&Scene::new(&ground), &config);
    let distance = 0.85 * 12_000.0;
    let eye = distance * math::tan_deg(12.0);
    assert!((taken.eye_elevation - eye).abs() < 1e-6 && !taken.edges_show);
    let edge = row_of(&config, -eye / (distance + 6000.0));
    for x in [0, 40, 80, 159] {
        let row = (0..HEIGHT).find(|&y| {
            let [r, _, b] = pixel(&taken, x, y);
            r >= b
        });
        let row = row.expect("there is ground") as f64;
        assert!((row - edge).abs() <= 1.0, "column {x}: {row} for {edge}");
    }
    // Below it the color of the deepened palette, and no sky anywhere.
    let low = linear(hex(0x93_94_7f)).map(|a| 1.06 * a * a.sqrt().sqrt());
    for y in edge as usize + 2..HEIGHT {
        let found = pixel(&taken, 77, y);
        assert!(is_near(found, byte_of(low), 8), "row {y}: {found:02x?}");
    }
}

#[test]
fn the_sky_shows_the_probed_colors() {
    let ground = plain();
    let config = ObliqueConfig { pitch: 3.0, field: 60.0, ..small() };
    let taken = shoot(&Scene::new(&ground), &config);
    let (pale, zenith) = (linear(hex(0xcb_d7_de)), linear(hex(0x6f_9b_c8)));
    let horizon = -taken.eye_elevation / (1.35 * 12_000.0);
    for y in [0, 10, 25, 40] {
        let q = 1.0 - math::min(1.0, (rise_of(&config, y as f64) - horizon) / 0.24) as f32;
        let wanted = byte_of(mix(zenith, pale, q * q * (0.35 + 0.65 * q)));
        let found = pixel(&taken, 30, y);
        assert!(is_near(found, wanted, 1), "row {y}: {found:02x?} for {wanted:02x?}");
    }
    assert!(is_near(pixel(&taken, 30, 0), [0x6f, 0x9b, 0xc8], 1));
    // Toward the sun the horizon is warmer.
    let evening = shoot(&Scene::new(&ground), &ObliqueConfig { sun_azimuth: Some(0.0), ..config });
    let row = row_of(&config, horizon) as usize - 1;
    let (cold, warm) = (pixel(&taken, 80, row), pixel(&evening, 80, row));
    assert!(warm[0] > cold[0] + 10, "{warm:02x?} {cold:02x?}");
}

/// A plain with one block on it, from west to east and from north to south (m),
/// and the block as a mask.
fn with_block(
    ground: &Grid<f32>,
    [west, east]: [f64; 2],
    [north, south]: [f64; 2],
    height: f32,
) -> (Grid<f32>, Grid<f32>) {
    let domain = *ground.domain();
    let inside = |x, y| {
        (west..=east).contains(&domain.world_x(x)) && (north..=south).contains(&domain.world_y(y))
    };
    let mask = Grid::from_fn(domain, |x, y| if inside(x, y) { 1.0 } else { 0.0 });
    let raised = |x, y| if inside(x, y) { height } else { ground.at(x, y) };
    (Grid::from_fn(domain, raised), mask)
}

/// Rows and columns in which a picture is painted red.
fn painted(ground: &Grid<f32>, mask: &Grid<f32>, config: &ObliqueConfig) -> Vec<(usize, usize)> {
    let tints = [Tint { mask, color: [255, 0, 0] }];
    let taken = shoot(&Scene { tints: &tints, ..Scene::new(ground) }, config);
    let all = (0..HEIGHT).flat_map(|y| (0..WIDTH).map(move |x| (x, y)));
    all.filter(|&(x, y)| {
        let [r, g, _] = pixel(&taken, x, y);
        f32::from(r) > 1.8 * f32::from(g)
    })
    .collect()
}

#[test]
fn the_top_of_a_pillar_lies_in_the_row_of_its_height_and_its_sides_are_vertical() {
    let config = ObliqueConfig { haze: 0.0, sun_azimuth: Some(180.0), ..small() };
    // Fine enough not to be enlarged: a cubic would swing above the roof.
    let ground = terrain::plane(terrain::square(901, 12_000.0 / 900.0), 0.0, 0.0, 0.0);
    // 400 m wide and higher than the eye, its front 1000 m north of the middle.
    let (ground, _) = with_block(&ground, [8000.0, 8400.0], [4680.0, 5000.0], 2700.0);
    let taken = shoot(&Scene::new(&ground), &config);
    let distance = 0.85 * 12_000.0;
    let eye = distance * math::tan_deg(12.0);
    let depth = distance + 1000.0;
    // Before the sky its outline is all there is.
    let span = |y: usize| {
        let is_ground = |&x: &usize| {
            let [r, _, b] = pixel(&taken, x, y);
            r >= b
        };
        Some(((0..WIDTH).find(is_ground)?, (0..WIDTH).rfind(is_ground)?))
    };
    let found = (0..HEIGHT).find(|&y| span(y).is_some()).expect("it is seen");
    let top = row_of(&config, (2700.0 - eye) / depth);
    assert!((found as f64 - top).abs() <= 1.0, "{found} for {top}");
    let horizon = row_of(&config, -eye / (distance + 6000.0)) as usize;
    let column = |east: f64| (1.0 + east / depth / math::tan_deg(20.0)) * WIDTH as f64 / 2.0;
    for y in found + 1..horizon - 1 {
        let (left, right) = span(y).expect("it has no holes");
        assert!((left as f64 - column(2000.0)).abs() <= 1.5, "{y}: from {left}");
        assert!((right as f64 + 1.0 - column(2400.0)).abs() <= 1.5, "{y}: to {right}");
    }
    assert!(horizon > found + 30);
}

#[test]
fn a_wall_hides_what_lies_behind_it_and_nothing_else() {
    let config = ObliqueConfig { haze: 0.0, ..small() };
    let (flat, mask) = with_block(&plain(), [5000.0, 7000.0], [2000.0, 4000.0], 0.0);
    let open = painted(&flat, &mask, &config).len();
    assert!(open > 50, "{open}");
    let (beside, _) = with_block(&flat, [1000.0, 3000.0], [4600.0, 5000.0], 1500.0);
    let still = painted(&beside, &mask, &config).len();
    assert!(still.abs_diff(open) <= open / 20, "{still} of {open} beside the wall");
    let (before, _) = with_block(&flat, [3000.0, 9000.0], [4600.0, 5000.0], 1500.0);
    assert_eq!(painted(&before, &mask, &config), []);
}

/// Everything a scene can hold.
fn full_scene(cells: u32, size: f64) -> (Grid<f32>, Grid<f32>) {
    let ground = terrain::hills(terrain::square(cells, size), 900.0, 4);
    let water = Grid::from_fn(*ground.domain(), |x, y| math::max(0.0, 300.0 - ground.at(x, y)));
    (ground, water)
}

#[test]
fn a_picture_has_the_same_bytes_on_any_number_of_threads() {
    let (ground, water) = full_scene(61, 100.0);
    let scene = Scene { water: Some(&water), deposition: Some(&water), ..Scene::new(&ground) };
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        pool.install(|| shoot(&scene, &small()))
    };
    let one = on(1);
    assert!([2, 3, 7].into_iter().all(|threads| one == on(threads)));
}

#[test]
fn twice_the_samples_give_the_same_camera_and_the_same_tones() {
    let coarse = terrain::hills(terrain::square(257, 40.0), 1500.0, 9);
    let fine = terrain::hills(terrain::square(513, 20.0), 1500.0, 9);
    let (a, b) = (shoot(&Scene::new(&coarse), &small()), shoot(&Scene::new(&fine), &small()));
    assert_eq!(a.bearing, b.bearing);
    assert!((a.eye_elevation - b.eye_elevation).abs() < 5.0);
    let (mut off, mut signed) = (0.0, 0.0);
    for (&p, &q) in a.picture.rgb.iter().zip(&b.picture.rgb) {
        off += f64::from(p.abs_diff(q));
        signed += f64::from(p) - f64::from(q);
    }
    let count = a.picture.rgb.len() as f64;
    assert!(
        off / count < 3.0 && (signed / count).abs() < 0.4,
        "{} {}",
        off / count,
        signed / count
    );
}

#[test]
fn any_size_and_any_camera_makes_a_picture() {
    for (width, height) in [(1, 1), (1, 2), (2, 2), (3, 2), (1, 9), (9, 1), (9, 9), (200, 3)] {
        for top in [0.0, 0.01, 8000.0] {
            let domain = Domain::new(width, height, 0.5, [7.0, -3.0]).expect("legal");
            let ground =
                Grid::from_fn(domain, |x, y| top * (((x * 7 + y * 13) % 11) as f32 / 5.0 - 1.0));
            let water = ground.like(top + 1.0);
            let scene = Scene { water: Some(&water), ..Scene::new(&ground) };
            for (bearing, distance, eye_elevation) in
                [(None, 0.85, None), (Some(37.0), 0.0, Some(0.0)), (Some(270.0), 2.0, Some(-1e5))]
            {
                let config = ObliqueConfig {
                    bearing,
                    distance,
                    eye_elevation,
                    size: Some([17, 9]),
                    ..ObliqueConfig::default()
                };
                let taken = shoot(&scene, &config);
                assert_eq!(taken.picture.rgb.len(), 3 * 17 * 9);
            }
        }
    }
}

#[test]
fn the_camera_stands_on_the_lowest_side() {
    for (east, south, bearing) in
        [(0.0, -0.1, 0.0), (0.1, 0.0, 90.0), (0.0, 0.1, 180.0), (-0.1, 0.0, 270.0), (0.0, 0.0, 0.0)]
    {
        let ramp = terrain::plane(terrain::square(33, 30.0), 100.0, east, south);
        assert_eq!(shoot(&Scene::new(&ramp), &small()).bearing, bearing, "{east} {south}");
    }
}

#[test]
fn edges_are_told_of_when_they_show() {
    let ground = plain();
    let told = |config: ObliqueConfig| shoot(&Scene::new(&ground), &config).edges_show;
    assert!(!told(small()));
    assert!(told(ObliqueConfig { field: 70.0, ..small() }));
    assert!(told(ObliqueConfig { target: Some([1000.0, 6000.0]), ..small() }));
    assert!(told(ObliqueConfig { pitch: 35.0, distance: 1.5, ..small() }));
}

#[test]
fn flat_water_mirrors_more_of_the_sky_from_afar() {
    let ground = plain();
    let water = ground.like(25.0);
    let scene = Scene { water: Some(&water), ..Scene::new(&ground) };
    let taken = shoot(&scene, &ObliqueConfig { haze: 0.0, ..small() });
    let blue = |y: usize| pixel(&taken, 80, y)[2];
    assert!(blue(60) > blue(110) + 8, "{} {}", blue(60), blue(110));
}

#[test]
fn the_haze_leaves_what_it_is_asked_to_leave() {
    let ground = plain();
    let taken = |haze| shoot(&Scene::new(&ground), &ObliqueConfig { haze, ..small() });
    let (clear, hazy) = (taken(0.0), taken(0.42));
    // The last row of ground, and the foreground.
    let config = small();
    let edge = row_of(&config, -clear.eye_elevation / (1.35 * 12_000.0)) as usize + 1;
    let (ground, veiled) = (linear(pixel(&clear, 80, edge))[1], linear(pixel(&hazy, 80, edge))[1]);
    let pale = linear(hex(0xcb_d7_de))[1];
    let left = (pale - veiled) / (pale - ground);
    assert!((left - 0.60).abs() < 0.04, "{left}");
    let foreground = |haze| {
        let config = ObliqueConfig { haze, pitch: 3.0, ..small() };
        pixel(&shoot(&Scene::new(&plain()), &config), 80, HEIGHT - 1)
    };
    assert_eq!(foreground(0.0), foreground(0.42));
}

#[test]
fn a_stopped_task_gives_no_picture() {
    let (task, ground) = (Task::new(), plain());
    task.cancel();
    assert_eq!(oblique(&task, &Scene::new(&ground), &small()), Err(Cancelled));
    let done = Task::new();
    oblique(&done, &Scene::new(&ground), &small()).expect("nobody cancels");
    assert_eq!(done.fraction(), 1.0);
}

/// Pins every constant of the look, to the bit. When this moves, so does every
/// picture that anybody has taken: say why.
#[test]
fn the_test_hills_have_the_picture_they_had() {
    let (ground, water) = full_scene(61, 100.0);
    let deposition = Grid::from_fn(*ground.domain(), |x, _| x as f32 * 0.03);
    let scene = Scene { water: Some(&water), deposition: Some(&deposition), ..Scene::new(&ground) };
    let taken = shoot(&scene, &ObliqueConfig { contour: Contour::Every(25.0), ..small() });
    let digest = Digest::of_bytes(&taken.picture.rgb).to_string();
    assert_eq!(digest, "fd8cf12dd89fb43fcaa72e65c96253beb82c9667b6fee112b4afb803c611602d");
}
