//! Fan apices on ground that nobody made for the test: what is found, printed;
//! and on synthetic ground, where the truth is known, held.
//!
//! `cargo test -p bajada-tests --test apices -- --nocapture` prints the tables.
//! What the thresholds weigh was learnt on the front of the last test, too; see
//! the kernel.

use std::path::Path;

use bajada_formats::{DecodeOptions, decode};
use bajada_grid::{Domain, Grid, Task, math};
use bajada_kernels::deposit::apices::{Apex, ApexConfig, find};
use bajada_testkit::canyon::Canyon;
use bajada_tests::root;

fn read(path: &Path) -> Option<Grid<f32>> {
    let bytes = std::fs::read(path).ok()?;
    let extension = path.extension()?.to_string_lossy();
    let raster = decode(&bytes, &extension, &DecodeOptions::default()).expect("it can be read");
    let cell = raster.header.georeference.expect("it states its cells").cell[0];
    let domain = Domain::new(raster.header.width, raster.header.height, cell, [0.0; 2]);
    Grid::from_vec(domain.expect("a legal lattice"), raster.values)
}

fn table(name: &str, ground: &Grid<f32>) -> Vec<Apex> {
    let found = find(&Task::new(), ground, &ApexConfig::default()).expect("nobody stops it");
    println!("{name}: {} apices", found.len());
    println!("  column   row   area km2   width m   bearing deg   score");
    for apex in found.iter().take(10) {
        let (x, y) = ground.domain().column_row(apex.cell);
        let [east, south] = apex.bearing;
        let azimuth = (math::atan2(east, -south).to_degrees() + 360.0) % 360.0;
        let area = apex.catchment_area / 1e6;
        println!("  {x:6} {y:5} {area:10.2} {:9.0} {azimuth:13.0} {:7.2}", apex.width, apex.score,);
    }
    found
}

/// Metres from an apex to a canyon's mouth.
fn far(ground: &Grid<f32>, canyon: &Canyon, apex: &Apex) -> f64 {
    let (x, y) = ground.domain().column_row(apex.cell);
    let cell = ground.domain().cell_size();
    let (dx, dy) = (x as f64 * cell - canyon.mouth[0], y as f64 * cell - canyon.mouth[1]);
    (dx * dx + dy * dy).sqrt()
}

#[test]
fn a_front_of_canyons_has_an_apex_at_each_mouth_and_no_other() {
    let domain = Domain::new(401, 401, 24.0, [0.0; 2]).expect("a legal lattice");
    let front = Canyon { mouth: [5000.0, 4600.0], azimuth_deg: 240.0, ..Canyon::default() };
    let [east, south] = front.bearing();
    let along = |metres: f64| [5000.0 - metres * south, 4600.0 + metres * east];
    let canyons = [
        Canyon { mouth: along(-2600.0), floor: 60.0, ..front },
        Canyon { mouth: along(-1100.0), bed: 0.2, ..front },
        Canyon { bend: 100.0, ..front },
        Canyon { mouth: along(1500.0), wall: 0.8, bed: 0.15, ..front },
    ];
    let grounds = canyons.map(|canyon| canyon.ground(domain));
    let ground = Grid::from_fn(domain, |x, y| {
        grounds.iter().map(|ground| ground.at(x, y)).fold(f32::INFINITY, math::min)
    });
    let found = table("synthetic front", &ground);
    assert_eq!(found.len(), canyons.len());
    for canyon in canyons {
        let near = |apex: &Apex| far(&ground, &canyon, apex) <= 2.0 * 24.0 + 0.5 * canyon.floor;
        assert!(found.iter().any(near), "{canyon:?}");
    }
}

#[test]
fn real_ground_without_fans_has_hardly_an_apex() {
    let ground = read(&root().join("graphs/data/jacksboro.tif")).expect("it is in the tree");
    // There is no fan: both that are found are false.
    assert!(table("Jacksboro fault", &ground).len() <= 2);
}

#[test]
fn a_real_front_has_apices_where_its_canyons_open() {
    // Only where the collection of test inputs lies beside the tree.
    let Some(ground) = read(&root().join("../shared/dem/bigtujunga.tif")) else {
        println!("not here: bigtujunga.tif");
        return;
    };
    let found = table("Big Tujunga", &ground);
    let at_front = |apex: &&Apex| {
        let (x, y) = ground.domain().column_row(apex.cell);
        (170..=330).contains(&x) && (490..=640).contains(&y)
    };
    assert!(found.iter().take(10).filter(at_front).count() >= 6);
}
