//! A hard cap over soft ground: what a hardness of x, y and z is for.

use std::sync::Arc;

use bajada_grid::{Digest, Domain, NonFinite, Rock};
use bajada_testkit::terrain;

use super::*;
use crate::rock::{Sequence, Strata, StrataConfig, erodibility_factor};

/// Soft ground under a cap.
#[derive(Debug)]
struct Cap {
    /// Height of the cap's lower face, m.
    from: f64,
    hardness: f64,
}

impl Rock for Cap {
    fn hardness(&self, _x: f64, _y: f64, z: f64) -> f64 {
        if z > self.from { self.hardness } else { 0.0 }
    }

    fn digest(&self) -> Result<Digest, NonFinite> {
        Ok(Digest::of_bytes(&[]))
    }

    fn bytes(&self) -> u64 {
        0
    }
}

/// Top of the plateau, m.
const TOP: f64 = 100.0;

/// Rivers alone, one receiver, nothing rises, waves of one celerity.
fn wearing(duration: f64, steps: u32) -> StreamPowerConfig {
    StreamPowerConfig {
        uplift: Uplift::Rate(0.0),
        duration,
        erodibility: 1e-3,
        area_exponent: 0.0,
        diffusivity: 0.0,
        repose: f64::INFINITY,
        repose_hard: f64::INFINITY,
        edge: Edge::Wall,
        margin: 0.0,
        routing: Routing::Steepest,
        coarsest_cell: 0.0,
        steps,
        ..StreamPowerConfig::default()
    }
}

/// How far the rim of a plateau under `cap` has retreated after `time`, m: a
/// strip that drains west, over a base level of 0.
fn retreat(cap: &Cap, time: f64, steps: u32) -> f64 {
    let domain = Domain::new(80, 3, 10.0, [0.0; 2]).expect("legal");
    let start =
        Grid::from_fn(domain, |x, _| if x < 5 { 0.0 } else { TOP as f32 + 1e-3 * x as f32 });
    let rises = Grid::from_fn(domain, |x, _| if x == 0 { 0.0 } else { 1.0 });
    let rock = Lithology::Rock(Arc::new(Cap { ..*cap }));
    let ground = Ground {
        elevation: &start,
        hardness: Some(&rock),
        uplift: Some(&rises),
        subsidence: None,
        rain: None,
    };
    let worn = carve(&Task::new(), &ground, &wearing(time, steps), Stream::new(1)).expect("runs");
    // Where the profile crosses the middle of the cap, between two samples.
    let middle = 0.5 * (cap.from + TOP) as f32;
    let row = worn.elevation.row(1);
    let east = (1..80).find(|&x| row[x] >= middle).expect("there is a cap left");
    let (low, high) = (row[east - 1], row[east]);
    10.0 * (east as f64 - 1.0 + f64::from((middle - low) / (high - low)) - 4.5)
}

/// Rate at which the rim retreats, m/yr, once it does so steadily: over the
/// second half of the time in which a rim retreats by some 300 m.
fn rate(from: f64, hardness: f64, celerity: f64) -> f64 {
    let time = 300.0 / (celerity * 1e-3 * erodibility_factor(hardness));
    let cap = Cap { from, hardness };
    (retreat(&cap, time, 600) - retreat(&cap, 0.5 * time, 300)) / (0.5 * time)
}

#[test]
fn a_step_in_one_rock_retreats_with_the_celerity_of_its_erodibility() {
    for hardness in [0.0, 0.5, 0.75] {
        let celerity = rate(-1.0, hardness, 1.0) / (1e-3 * erodibility_factor(hardness));
        assert!((celerity - 1.0).abs() < 0.01, "{hardness}: {celerity}");
    }
}

#[test]
fn the_rims_of_two_caps_retreat_as_their_erodibilities_are() {
    // Water falls over the rim into the soft ground that was cut out below: the
    // thinner the cap, the faster, by 1 / ln(height / height below the cap). The
    // soft ground takes its time too, which shows where the cap is thin and not
    // that hard.
    for (from, celerity, caps) in [(80.0, 4.5, [0.85, 0.95]), (40.0, 1.1, [0.7, 0.9])] {
        let [soft, hard] = caps.map(|hardness| rate(from, hardness, celerity));
        let truth = erodibility_factor(caps[0]) / erodibility_factor(caps[1]);
        assert!(truth > 3.0);
        assert!((soft / hard / truth - 1.0).abs() < 0.1, "{from}: {} {truth}", soft / hard);
    }
}

/// Share of a mesa of 300 x 300 m, 100 m high, that still stands to within a
/// metre of its top after `duration` years of rain on it and on the plain.
fn standing(hardness: Option<&Lithology>) -> f64 {
    let domain = terrain::square(61, 10.0);
    let within = |x: usize, y: usize| (16..=44).contains(&x) && (16..=44).contains(&y);
    let rough = terrain::hills(domain, 1.0, 5);
    let start =
        Grid::from_fn(domain, |x, y| rough.at(x, y) + if within(x, y) { TOP as f32 } else { 0.0 });
    let config = StreamPowerConfig {
        erodibility: 5e-5,
        area_exponent: 0.4,
        repose: math::tan_deg(34.0),
        edge: Edge::Outlet,
        ..wearing(2e4, 40)
    };
    let ground = Ground { elevation: &start, hardness, uplift: None, subsidence: None, rain: None };
    let worn = carve(&Task::new(), &ground, &config, Stream::new(1)).expect("runs").elevation;
    let stands = |index: &usize| {
        let (x, y) = domain.column_row(*index);
        within(x, y) && worn[*index] > start[*index] - 1.0
    };
    (0..domain.len()).filter(stands).count() as f64 / (29.0 * 29.0)
}

#[test]
fn a_mesa_keeps_its_cap_and_without_one_it_is_gone() {
    let cap = Lithology::Rock(Arc::new(Cap { from: 80.0, hardness: 0.95 }));
    // The same from level strata that alternate: hard from 80 m to 160 m.
    let config = StrataConfig {
        thickness: 80.0,
        variation: 0.0,
        dip_deg: 0.0,
        bend: 0.0,
        contact: 0.0,
        soft: 0.0,
        hard: 0.95,
        sequence: Sequence::Alternating,
        ..StrataConfig::default()
    };
    let strata = Lithology::Rock(Arc::new(Strata::new(&config, None, Stream::new(1))));
    let [capped, layered, bare] = [Some(&cap), Some(&strata), None].map(standing);
    assert_eq!(capped, layered);
    assert!(capped > 0.9 && bare < 0.01, "{capped} {bare}");
}
