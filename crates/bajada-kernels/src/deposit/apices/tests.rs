//! Canyons whose mouths are known, and ground that has none.

use bajada_grid::{Domain, Window};
use bajada_testkit::canyon::{Canyon, Plain};
use bajada_testkit::terrain;

use super::*;

const BASE: Canyon = Canyon {
    mouth: [4000.0, 4000.0],
    azimuth_deg: 107.0,
    floor: 0.0,
    wall: 0.6,
    bed: 0.1,
    bend: 0.0,
    front: 0.6,
    relief: 500.0,
    plain: Plain::Falling(0.02),
    rough: 2.0,
};

/// Canyons that open on a plain or a closed basin.
fn on_plains() -> Vec<Canyon> {
    let steep = Canyon { azimuth_deg: 231.0, bed: 0.2, wall: 0.8, ..BASE };
    vec![
        BASE,
        Canyon { plain: Plain::Falling(0.05), ..steep },
        Canyon { azimuth_deg: 333.0, bend: 120.0, ..BASE },
        Canyon { azimuth_deg: 20.0, front: 0.35, bed: 0.07, ..BASE },
        Canyon { azimuth_deg: 161.0, floor: 100.0, ..BASE },
        Canyon { azimuth_deg: 74.0, floor: 200.0, bed: 0.06, plain: Plain::Falling(0.015), ..BASE },
        Canyon { azimuth_deg: 200.0, plain: Plain::Closed(0.03, 2000.0), ..BASE },
        Canyon { azimuth_deg: 250.0, rough: 60.0, ..BASE },
    ]
}

/// Canyons before which a fan lies already, nearly as steep as they are.
fn on_fans() -> Vec<Canyon> {
    let canyon =
        |azimuth_deg, slope, bed| Canyon { azimuth_deg, bed, plain: Plain::Fan(slope), ..BASE };
    vec![
        canyon(145.0, 0.06, 0.12),
        Canyon { floor: 60.0, ..canyon(287.0, 0.08, 0.12) },
        Canyon { floor: 100.0, ..canyon(197.0, 0.09, 0.13) },
        Canyon { relief: 350.0, ..canyon(37.0, 0.12, 0.25) },
    ]
}

/// Canyons of low fronts with gentle walls, before which a fan lies: the
/// ground before them is nearly as rugged as they are.
fn in_low_fronts() -> Vec<Canyon> {
    let low = |azimuth_deg, relief, wall, bed, slope| Canyon {
        azimuth_deg,
        relief,
        wall,
        bed,
        front: wall,
        plain: Plain::Fan(slope),
        rough: 20.0,
        ..BASE
    };
    vec![
        low(231.0, 180.0, 0.35, 0.13, 0.08),
        Canyon { floor: 60.0, ..low(215.0, 250.0, 0.4, 0.1, 0.08) },
        low(65.0, 150.0, 0.3, 0.14, 0.1),
        low(198.0, 220.0, 0.3, 0.12, 0.09),
    ]
}

fn square(cell_size: f64) -> Domain {
    terrain::square((8000.0 / cell_size) as u32 + 1, cell_size)
}

fn all(ground: &Grid<f32>) -> Vec<Apex> {
    find(&Task::new(), ground, &ApexConfig::default()).expect("nobody stops it")
}

/// Metres down the canyon and across it from its mouth to an apex.
fn off(ground: &Grid<f32>, canyon: &Canyon, apex: &Apex) -> [f64; 2] {
    let (x, y) = ground.domain().column_row(apex.cell);
    let cell_size = ground.domain().cell_size();
    let dx = x as f64 * cell_size - canyon.mouth[0];
    let dy = y as f64 * cell_size - canyon.mouth[1];
    let [east, south] = canyon.bearing();
    [dx * east + dy * south, dy * east - dx * south]
}

/// One apex, within two cells of the mouth, anywhere on the canyon's floor.
fn check_mouth(canyon: &Canyon, cell_size: f64) {
    let ground = canyon.ground(square(cell_size));
    let found = all(&ground);
    assert_eq!(found.len(), 1, "{cell_size} m, {canyon:?}: {found:?}");
    let [along, across] = off(&ground, canyon, &found[0]).map(|m| m / cell_size);
    let half_floor = 0.5 * canyon.floor / cell_size;
    assert!(along.abs() <= 2.0, "{cell_size} m, {canyon:?}: {along} cells along");
    assert!(across.abs() <= 2.0 + half_floor, "{cell_size} m, {canyon:?}: {across} cells across");
    let ([east, south], [be, bs]) = (canyon.bearing(), found[0].bearing);
    assert!(east * be + south * bs > 0.9, "{cell_size} m, {canyon:?}: {be} {bs}");
    let width = canyon.floor + 2.0 * 15.0 / canyon.wall;
    let wide = found[0].width;
    assert!((wide - width).abs() < 0.2 * width + cell_size, "{wide} for {width} m");
}

#[test]
fn mouths_of_canyons_are_found_within_two_cells() {
    for canyon in on_plains().into_iter().chain(on_fans()).chain(in_low_fronts()) {
        check_mouth(&canyon, 30.0);
    }
}

#[test]
fn mouths_are_found_on_cells_of_12_m_and_of_90_m() {
    for canyon in [on_plains()[0], on_plains()[3], on_fans()[1]] {
        check_mouth(&canyon, 12.0);
    }
    for canyon in on_plains() {
        check_mouth(&canyon, 90.0);
    }
}

#[test]
fn canyons_beside_each_other_have_a_mouth_each() {
    let [east, south] = BASE.bearing();
    let other = Canyon { mouth: [4000.0 - 1500.0 * south, 4000.0 + 1500.0 * east], ..BASE };
    let (one, two) = (BASE.ground(square(30.0)), other.ground(square(30.0)));
    let ground = Grid::from_fn(square(30.0), |x, y| math::min(one.at(x, y), two.at(x, y)));
    let found = all(&ground);
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found[0].score >= found[1].score);
    for canyon in [BASE, other] {
        let near = |apex: &Apex| off(&ground, &canyon, apex).iter().all(|m| m.abs() <= 60.0);
        assert!(found.iter().any(near), "{found:?}");
    }
}

/// A valley across the whole map whose bed and width are functions of the
/// distance along it.
fn valley(bed: impl Fn(f64) -> f64, floor: impl Fn(f64) -> f64) -> Grid<f32> {
    let [east, south] = BASE.bearing();
    Grid::from_fn(square(30.0), |x, y| {
        let (dx, dy) = (x as f64 * 30.0 - 4000.0, y as f64 * 30.0 - 4000.0);
        let (along, across) = (dx * east + dy * south, dy * east - dx * south);
        let off = math::max(math::max(across, -across) - 0.5 * floor(along), 0.0);
        (2000.0 + bed(along) + math::min(0.6 * off, 500.0)) as f32
    })
}

#[test]
fn open_ground_hills_and_valleys_without_an_end_have_no_apex() {
    let domain = square(30.0);
    let mut grounds = vec![
        ("level", Grid::filled(domain, 7.0)),
        ("plain", terrain::plane(domain, 1000.0, -0.02, 0.013)),
        ("steep plain", terrain::plane(domain, 4000.0, -0.2, 0.13)),
        ("cone", terrain::cone(domain, 1500.0, 0.4)),
        ("narrow valley", valley(|along| -0.05 * along, |_| 0.0)),
        ("valley", valley(|along| -0.05 * along, |_| 80.0)),
        ("wide valley", valley(|along| -0.02 * along, |_| 400.0)),
        ("very wide valley", valley(|along| -0.01 * along, |_| 900.0)),
        ("trumpet", valley(|along| -0.05 * along, |along| 600.0 + 0.12 * along)),
        ("step", valley(|along| if along < 0.0 { -0.12 * along } else { -0.02 * along }, |_| 60.0)),
    ];
    for seed in 0..24 {
        grounds.push(("hills", terrain::hills(domain, 300.0 + 40.0 * seed as f64, seed)));
    }
    for (name, ground) in grounds {
        assert_eq!(all(&ground), [], "{name}");
    }
}

#[test]
fn the_edge_of_the_map_is_no_open_ground() {
    let canyon = Canyon { azimuth_deg: 90.0, ..BASE };
    let whole = canyon.ground(square(30.0));
    let (mouth, height) = (4000 / 30, whole.height());
    // The map ends at the mouth, or too close behind it to tell.
    for (width, count) in [(mouth - 1, 0), (mouth + 10, 0), (mouth + 40, 1)] {
        let window = Window { x: 0, y: 0, width, height };
        let part = whole.crop(window).expect("it lies inside");
        assert_eq!(all(&part).len(), count, "{width}");
    }
    // A valley beside the map's edge is not seen to be narrow.
    let window = Window { x: 0, y: mouth, width: whole.width(), height: height - mouth };
    let half = whole.crop(window).expect("it lies inside");
    assert_eq!(all(&half), []);
}

#[test]
fn any_number_of_threads_finds_the_same_apices() {
    let ground = on_plains()[7].ground(square(40.0));
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.expect("a pool").install(|| all(&ground))
    };
    let one = run(1);
    assert!(!one.is_empty());
    for threads in [2, 3, 7] {
        assert_eq!(one, run(threads), "{threads} threads");
    }
}

#[test]
fn maps_of_any_size_and_settings_of_any_kind_come_to_an_end() {
    let odd = [f64::NAN, f64::INFINITY, -1.0, 0.0, 1e300];
    for width in 1..=9 {
        for height in 1..=9 {
            let domain = Domain::new(width, height, 500.0, [0.0; 2]).expect("legal");
            let ground = Grid::from_fn(domain, |x, y| ((x * 31 + y * 17) % 7 * 100) as f32);
            all(&ground);
            for value in odd {
                let config = ApexConfig {
                    min_area: value,
                    wall_height: value,
                    max_width: value,
                    window: value,
                    expansion: value,
                    open_width: value,
                    slope_ratio: value,
                    relief_ratio: value,
                    separation: value,
                    least_score: value,
                };
                find(&Task::new(), &ground, &config).expect("nobody stops it");
            }
        }
    }
}

#[test]
fn a_stopped_search_finds_nothing() {
    let task = Task::new();
    task.cancel();
    assert_eq!(find(&task, &BASE.ground(square(90.0)), &ApexConfig::default()), Err(Cancelled));
}
