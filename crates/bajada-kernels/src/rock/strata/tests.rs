//! Held: the geometry of planes, one pile for the whole world, what covers it.

use super::*;
use bajada_grid::{Domain, Lithology};
use bajada_testkit::terrain::{hills, plane, square};

/// Layers of 10 m, soft 0.2 and hard 0.8 by turns, level and plain.
const LEVEL: StrataConfig = StrataConfig {
    thickness: 10.0,
    variation: 0.0,
    dip_deg: 0.0,
    dip_azimuth_deg: 0.0,
    offset: 0.0,
    bend: 0.0,
    bend_wavelength: 1000.0,
    contact: 0.0,
    soft: 0.2,
    hard: 0.8,
    sequence: Sequence::Alternating,
    exposure: Exposure { steep_deg: None, ridge: None, elevation: None, scale: 40.0 },
};

fn made(config: &StrataConfig) -> Strata {
    Strata::new(config, None, Stream::new(11))
}

fn seen(config: &StrataConfig, elevation: &Grid<f32>) -> Grid<f32> {
    made(config).at_surface(elevation, None)
}

#[test]
fn level_layers_follow_the_contours_and_the_next_one_is_met_below() {
    let ground = plane(square(9, 10.0), 1.0, 1.0, 0.0);
    let surface = seen(&LEVEL, &ground);
    for x in 0..9 {
        assert_eq!(surface.at(x, 5), if x % 2 == 0 { 0.2 } else { 0.8 });
    }
    let lowered = seen(&LEVEL, &plane(square(9, 10.0), -9.0, 1.0, 0.0));
    for (before, after) in surface.as_slice().iter().zip(lowered.as_slice()) {
        assert_eq!(before + after, 1.0);
    }
}

#[test]
fn moving_the_pile_up_moves_every_layer_up() {
    let moved = StrataConfig { offset: 4.0, ..LEVEL };
    for (z, hardness) in [(3.9, 0.8), (4.1, 0.2), (13.9, 0.2), (14.1, 0.8)] {
        assert_eq!(made(&moved).hardness(0.0, 0.0, z), hardness);
    }
}

#[test]
fn ground_that_dips_with_the_layers_lies_in_one_of_them() {
    for azimuth in [0.0, 85.0, 180.0, 250.0] {
        for dip in [5.0, 35.0, 70.0] {
            let config = StrataConfig { dip_deg: dip, dip_azimuth_deg: azimuth, ..LEVEL };
            // Down the way of the azimuth: east by its sine, north by its cosine.
            let (fall, way) = (math::tan_deg(dip), math::radians(azimuth));
            let ground =
                plane(square(33, 10.0), 2.0, -fall * math::sin(way), fall * math::cos(way));
            let surface = seen(&config, &ground);
            let first = surface[0];
            assert!(surface.as_slice().iter().all(|&hardness| hardness == first), "{azimuth}");
        }
    }
}

#[test]
fn level_ground_cuts_dipping_layers_into_bands_as_wide_as_the_dip_makes_them() {
    for (dip, width) in [(30.0, 20.0), (90.0, 10.0)] {
        let config = StrataConfig { dip_deg: dip, dip_azimuth_deg: 90.0, ..LEVEL };
        // Off the contacts by half a cell: a cosine of 90 degrees is not quite 0.
        let ground = Grid::filled(Domain::new(401, 401, 1.0, [0.5; 2]).expect("legal"), 0.0_f32);
        let surface = seen(&config, &ground);
        let changes = (1..401).filter(|&x| surface.at(x, 7) != surface.at(x - 1, 7)).count();
        assert!((changes as f64 - 400.0 / width).abs() <= 1.0, "{dip}: {changes}");
        assert!((0..401).all(|x| surface.at(x, 0) == surface.at(x, 400)));
    }
}

#[test]
fn a_band_points_upstream_where_layers_dip_upstream() {
    // A valley that falls west, in layers that dip east, upstream: the trace
    // of a layer bends up the valley, which the rule of the Vs says.
    let config = StrataConfig { dip_deg: 20.0, dip_azimuth_deg: 90.0, thickness: 200.0, ..LEVEL };
    let ground = Grid::from_fn(square(201, 10.0), |x, y| {
        0.5 * x as f32 + 4.0 * (y as f32 - 100.0).abs() - 200.0
    });
    let surface = seen(&config, &ground);
    let first = |y: usize| (1..201).find(|&x| surface.at(x, y) != surface.at(x - 1, y));
    let (floor, flank) = (first(100).expect("a contact"), first(60).expect("a contact"));
    assert!(floor > flank + 10, "{floor} {flank}");
}

#[test]
fn maps_of_other_sizes_places_and_cells_meet_the_same_layers_to_the_bit() {
    let config = StrataConfig { sequence: Sequence::Mixed, variation: 0.7, contact: 2.0, ..LEVEL };
    let config = StrataConfig { dip_deg: 35.0, dip_azimuth_deg: 85.0, bend: 60.0, ..config };
    let fine = Domain::new(129, 97, 12.5, [-700.0, 2000.0]).expect("legal");
    let ground = hills(fine, 500.0, 3);
    let whole = seen(&config, &ground);
    let coarse = Domain::new(65, 49, 25.0, [-700.0, 2000.0]).expect("legal");
    let halved = seen(&config, &Grid::from_fn(coarse, |x, y| ground.at(2 * x, 2 * y)));
    let place = [fine.world_x(40), fine.world_y(20)];
    let part = Domain::new(51, 33, 12.5, place).expect("legal");
    let cropped = seen(&config, &Grid::from_fn(part, |x, y| ground.at(x + 40, y + 20)));
    for (x, y) in (0..49).flat_map(|y| (0..65).map(move |x| (x, y))) {
        assert_eq!(halved.at(x, y).to_bits(), whole.at(2 * x, 2 * y).to_bits());
    }
    for (x, y) in (0..33).flat_map(|y| (0..51).map(move |x| (x, y))) {
        assert_eq!(cropped.at(x, y).to_bits(), whole.at(x + 40, y + 20).to_bits());
    }
}

#[test]
fn a_surface_has_the_bits_of_its_points_on_any_number_of_threads() {
    let strata = made(&StrataConfig::default());
    let ground = hills(Domain::new(77, 50, 20.0, [1e6, -3e5]).expect("legal"), 900.0, 5);
    let domain = *ground.domain();
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.expect("a pool").install(|| strata.at_surface(&ground, None))
    };
    let one = run(1);
    for index in 0..domain.len() {
        let (x, y) = domain.column_row(index);
        let point = strata.hardness(domain.world_x(x), domain.world_y(y), f64::from(ground[index]));
        assert_eq!(one[index].to_bits(), (point as f32).to_bits());
    }
    for threads in [2, 3, 7] {
        assert_eq!(one, run(threads));
    }
}

#[test]
fn hardness_lies_between_soft_and_hard_on_maps_of_any_size() {
    let config = StrataConfig { thickness: 30.0, contact: 20.0, ..StrataConfig::default() };
    for (width, height) in [(1, 1), (1, 7), (7, 1), (2, 2), (9, 3)] {
        let domain = Domain::new(width, height, 50.0, [0.0; 2]).expect("legal");
        let ground = Grid::from_fn(domain, |x, y| ((x * 31 + y * 17) % 13) as f32 * 40.0);
        let surface = seen(&config, &ground);
        assert!(surface.as_slice().iter().all(|value| (0.1..=0.6).contains(value)));
    }
}

#[test]
fn cover_is_soft_where_no_rule_shows_rock() {
    let steep = Exposure { steep_deg: Some([20.0, 30.0]), scale: 10.0, ..Exposure::default() };
    let config = StrataConfig { soft: 0.8, exposure: steep, ..LEVEL };
    let step = Grid::from_fn(square(21, 10.0), |x, _| if x < 10 { 0.0 } else { 20.0 });
    let surface = seen(&config, &step);
    assert_eq!((surface.at(2, 9), surface.at(10, 9), surface.at(18, 9)), (0.0, 0.8, 0.0));
}

#[test]
fn a_deposit_is_soft_until_the_surface_has_cut_through_it() {
    let domain = square(5, 10.0);
    let deposit = Deposit {
        surface: Arc::new(Grid::filled(domain, 100.0)),
        thickness: Arc::new(Grid::from_fn(domain, |x, _| if x < 2 { 0.0 } else { 4.0 })),
        full: 1.0,
    };
    let config = StrataConfig { soft: 0.8, ..LEVEL };
    let strata = Strata::new(&config, Some(deposit), Stream::new(1));
    for (z, bared) in
        [(103.0, 0.0), (100.0, 0.0), (97.0, 0.0), (96.5, 0.5), (96.0, 1.0), (50.0, 1.0)]
    {
        let surface = strata.at_surface(&Grid::filled(domain, z), None);
        assert_eq!((surface.at(0, 1), surface.at(4, 1)), (0.8, (0.8 * bared) as f32), "{z}");
        assert!((strata.hardness(40.0, 10.0, z.into()) - 0.8 * bared).abs() < 1e-12);
        // The same layers on a coarser lattice, where the deposit has none.
        let coarse = Domain::new(2, 2, 40.0, [0.0; 2]).expect("legal");
        let surface = strata.at_surface(&Grid::filled(coarse, z), None);
        assert_eq!((surface.at(0, 1), surface.at(1, 1)), (0.8, (0.8 * bared) as f32), "{z}");
    }
}

#[test]
fn the_harder_of_strata_and_a_map_counts() {
    let strata = Lithology::Rock(Arc::new(made(&LEVEL)));
    let map = Grid::from_fn(square(3, 10.0), |x, _| [0.0, 0.5, 1.0][x]);
    let both = strata.or_harder(&Lithology::Map(Arc::new(map)));
    let at = |z: f32| both.at_surface(&Grid::filled(square(3, 10.0), z)).row(1).to_vec();
    assert_eq!((at(5.0), at(15.0)), (vec![0.2, 0.5, 1.0], vec![0.8, 0.8, 1.0]));
}

#[test]
fn every_setting_is_in_the_digest() {
    let band = Some(Band { low: 0.0, high: 1.0, falloff: 2.0 });
    let with = |exposure: Exposure| StrataConfig { exposure, ..LEVEL };
    let plain = LEVEL.exposure;
    let configs = [
        LEVEL,
        StrataConfig { thickness: 11.0, ..LEVEL },
        StrataConfig { variation: 0.1, ..LEVEL },
        StrataConfig { dip_deg: 1.0, ..LEVEL },
        StrataConfig { dip_azimuth_deg: 1.0, ..LEVEL },
        StrataConfig { offset: 1.0, ..LEVEL },
        StrataConfig { bend: 1.0, ..LEVEL },
        StrataConfig { bend_wavelength: 1.0, ..LEVEL },
        StrataConfig { contact: 1.0, ..LEVEL },
        StrataConfig { soft: 0.1, ..LEVEL },
        StrataConfig { hard: 0.1, ..LEVEL },
        StrataConfig { sequence: Sequence::Mixed, ..LEVEL },
        with(Exposure { steep_deg: Some([0.0, 1.0]), ..plain }),
        with(Exposure { ridge: Some(0.0), ..plain }),
        with(Exposure { elevation: band, ..plain }),
        with(Exposure { scale: 1.0, ..plain }),
    ];
    let mut digests: Vec<Digest> =
        configs.iter().map(|config| made(config).digest().expect("finite")).collect();
    digests.push(Strata::new(&LEVEL, None, Stream::new(12)).digest().expect("finite"));
    let grid = |value: f32| Arc::new(Grid::filled(square(2, 1.0), value));
    for (surface, thickness, full) in
        [(0.0, 0.0, 1.0), (1.0, 0.0, 1.0), (0.0, 1.0, 1.0), (0.0, 0.0, 2.0)]
    {
        let deposit = Deposit { surface: grid(surface), thickness: grid(thickness), full };
        let strata = Strata::new(&LEVEL, Some(deposit), Stream::new(11));
        digests.push(strata.digest().expect("finite"));
    }
    for (index, digest) in digests.iter().enumerate() {
        assert!(!digests[..index].contains(digest), "{index}");
    }
}
