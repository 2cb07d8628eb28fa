//! The erosion filter against what its docs promise.

use bajada_grid::{Cancelled, Domain};

use super::*;
use crate::source::noise;

fn domain(side: u32, cell_size: f64, origin: [f64; 2]) -> Domain {
    Domain::new(side, side, cell_size, origin).expect("a legal test lattice")
}

fn hills(domain: Domain) -> Grid<f32> {
    let config = NoiseConfig { wavelength: 2000.0, octaves: 2, ..NoiseConfig::default() };
    let mut out = Grid::filled(domain, 0.0_f32);
    noise::fill(&Task::new(), &mut out, &config, Stream::new(5)).expect("nobody cancels");
    out
}

/// Ground that falls by `slope` to the east.
fn ramp(domain: Domain, slope: f64) -> Grid<f32> {
    let mut out = Grid::filled(domain, 0.0_f32);
    par::map(&mut out, |index| (-slope * domain.world_x(index % domain.width())) as f32);
    out
}

fn filtered(ground: &Grid<f32>, config: &ErosionFilterConfig) -> Filtered {
    erosion_filter(&Task::new(), ground, None, config, Stream::new(9)).expect("nobody cancels")
}

#[test]
fn a_wave_is_a_sine_and_a_cosine() {
    for step in -400..400 {
        let turns = f64::from(step) * 0.01;
        let (sine, cosine) = stripes::wave(turns as f32);
        let angle = std::f64::consts::TAU * turns;
        assert!((f64::from(sine) - math::sin(angle)).abs() < 2e-5, "{turns}: {sine}");
        assert!((f64::from(cosine) - math::cos(angle)).abs() < 2e-5, "{turns}: {cosine}");
    }
}

#[test]
fn level_ground_keeps_its_bits() {
    let ground = Grid::filled(domain(40, 25.0, [0.0; 2]), 123.456_f32);
    let done = filtered(&ground, &ErosionFilterConfig::default());
    assert_eq!(done.elevation, ground);
    assert!(done.gullies.as_slice().iter().all(|&bed| bed == 0.0));
}

#[test]
fn gullies_of_a_ramp_run_down_it_as_far_apart_as_was_asked() {
    let ground = ramp(domain(256, 10.0, [0.0; 2]), 0.5);
    let config =
        ErosionFilterConfig { wavelength: 200.0, octaves: 1, ..ErosionFilterConfig::default() };
    let done = filtered(&ground, &config);
    let (mut along, mut across, mut beds) = (0.0, 0.0, 0);
    let cut = |x: usize, y: usize| f64::from(ground.at(x, y)) - f64::from(done.elevation.at(x, y));
    for x in 40..216 {
        for y in 40..216 {
            along += (cut(x + 1, y) - cut(x, y)).abs();
            across += (cut(x, y + 1) - cut(x, y)).abs();
            let deeper = cut(x, y) > cut(x, y - 1) && cut(x, y) >= cut(x, y + 1);
            beds += usize::from(deeper);
        }
    }
    assert!(across > 4.0 * along, "{across} {along}");
    let apart = 176.0 * 176.0 * 10.0 / beds as f64;
    assert!((170.0..230.0).contains(&apart), "{apart} m from bed to bed");
}

#[test]
fn ground_is_only_ever_cut_and_never_deeper_than_stated() {
    let ground = hills(domain(128, 20.0, [-5e5, 3e6]));
    for depth in [0.02, 0.1, 0.5] {
        for gain in [0.0, 0.8, 1.0] {
            let config = ErosionFilterConfig { depth, gain, ..ErosionFilterConfig::default() };
            let done = filtered(&ground, &config);
            let mut most: f64 = 0.0;
            for (before, after) in ground.as_slice().iter().zip(done.elevation.as_slice()) {
                let cut = f64::from(*before) - f64::from(*after);
                assert!(cut >= 0.0 && cut <= deepest(&config), "{cut}");
                most = math::max(most, cut);
            }
            assert!(most > 0.05 * deepest(&config), "{most}");
            assert!(done.gullies.as_slice().iter().all(|bed| (0.0..=1.0).contains(bed)));
        }
    }
}

#[test]
fn where_the_mask_is_zero_the_ground_keeps_its_bits() {
    let ground = hills(domain(64, 20.0, [0.0; 2]));
    let mut mask = ground.like(0.0_f32);
    par::map(&mut mask, |index| if index % 64 < 32 { 0.0 } else { 1.0 });
    let config = ErosionFilterConfig::default();
    let task = Task::new();
    let done = erosion_filter(&task, &ground, Some(&mask), &config, Stream::new(9));
    let done = done.expect("nobody cancels");
    let whole = filtered(&ground, &config);
    for y in 0..64 {
        for x in 0..64 {
            let same = if x < 32 { &ground } else { &whole.elevation };
            assert_eq!(done.elevation.at(x, y).to_bits(), same.at(x, y).to_bits());
        }
    }
}

#[test]
fn a_tile_with_enough_ground_around_it_meets_the_whole_map() {
    let config = ErosionFilterConfig { wavelength: 200.0, ..ErosionFilterConfig::default() };
    let whole = filtered(&hills(domain(160, 20.0, [0.0; 2])), &config);
    let tile = filtered(&hills(domain(100, 20.0, [40.0 * 20.0, 30.0 * 20.0])), &config);
    let rim = (reach(&config, 20.0) / 20.0).ceil() as usize;
    assert!(rim < 40, "{rim}");
    for y in rim..100 - rim {
        for x in rim..100 - rim {
            let (a, b) = (tile.elevation.at(x, y), whole.elevation.at(x + 40, y + 30));
            // The blur's running sums start elsewhere: its last bits differ.
            assert!((a - b).abs() < 1e-2, "{x} {y}: {a} {b}");
        }
    }
}

#[test]
fn a_coarse_map_has_the_gullies_of_a_fine_one() {
    let config = ErosionFilterConfig { octaves: 2, ..ErosionFilterConfig::default() };
    let coarse = filtered(&hills(domain(65, 40.0, [0.0; 2])), &config);
    let fine = filtered(&hills(domain(129, 20.0, [0.0; 2])), &config);
    let (mut differ, mut spread) = (0.0, 0.0);
    for y in 8..57 {
        for x in 8..57 {
            let (a, b) = (coarse.gullies.at(x, y), fine.gullies.at(2 * x, 2 * y));
            differ += f64::from((a - b) * (a - b));
            spread += f64::from((b - 0.5) * (b - 0.5));
        }
    }
    assert!(differ < 0.05 * spread, "{differ} {spread}");
}

#[test]
fn the_number_of_threads_changes_no_bit() {
    let ground = hills(domain(77, 20.0, [0.0; 2]));
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        pool.install(|| filtered(&ground, &ErosionFilterConfig::default()).elevation)
    };
    let one = run(1);
    for threads in [2, 3, 7] {
        assert_eq!(one, run(threads));
    }
}

#[test]
fn small_maps_and_absurd_settings_are_finite() {
    for (width, height) in (1..10).flat_map(|w| (1..10).map(move |h| (w, h))) {
        let domain = Domain::new(width, height, 30.0, [-1e9, 1e9]).expect("legal");
        let mut ground = Grid::filled(domain, 0.0_f32);
        par::map(&mut ground, |index| (index * index % 37) as f32 * 1e3);
        for (wavelength, depth, octaves) in
            [(500.0, 0.1, 4), (1e-9, 0.5, 4), (1e9, 0.5, 12), (90.0, 0.0, 0)]
        {
            let config = ErosionFilterConfig { wavelength, depth, octaves, ..Default::default() };
            let done = filtered(&ground, &config);
            let values = done.elevation.as_slice().iter().chain(done.gullies.as_slice());
            assert!(values.clone().all(|value| value.is_finite()), "{config:?}");
        }
    }
}

#[test]
fn a_cancelled_run_says_so() {
    let task = Task::new();
    task.cancel();
    let ground = hills(domain(9, 20.0, [0.0; 2]));
    let config = ErosionFilterConfig::default();
    let done = erosion_filter(&task, &ground, None, &config, Stream::new(1));
    assert_eq!(done.map(|done| done.elevation), Err(Cancelled));
}
