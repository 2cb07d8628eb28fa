//! What one droplet does over one step: speed, capacity, exchange.
//!
//! All rates are given per metre of path and integrated exactly over the
//! step, so that a shorter step is the same physics.

use std::ops::{Add, Mul};

use bajada_grid::math;

use super::{CapacityLaw, DropletConfig};

/// Speed at which the capacity factor is quoted, m/s.
const REFERENCE_SPEED: f64 = 1.0;

/// A [`DropletConfig`] worked out for one cell size and one quantum: heights,
/// drops and loads are in quanta.
#[derive(Clone, Debug)]
pub(super) struct Law {
    /// Length of a step, cells.
    pub(super) step: f32,
    /// Steps after which a droplet has run its path.
    pub(super) steps: u32,
    /// Speed at the start of the path, m/s.
    pub(super) start_speed: f32,
    /// Share of the old heading that one step keeps.
    pub(super) heading_kept: f32,
    /// Share of speed squared that one step keeps.
    pub(super) speed_kept: f32,
    /// Gain of speed squared per quantum of drop.
    pub(super) drive: f32,
    /// Capacity per m3 of water, m/s and quantum of drop.
    pub(super) capacity_by_slope: f32,
    /// Capacity per m3 of water and (m/s)2. One of the two is 0.
    pub(super) capacity_by_speed: f32,
    /// Drop of a step below which capacity falls no further.
    pub(super) min_drop: f32,
    /// Share of the missing load that one step picks up.
    pub(super) erosion_share: f32,
    /// Share of the excess load that one step lays down.
    pub(super) deposition_share: f32,
    /// Largest cut of a step as a share of its drop.
    pub(super) erosion_cap: f32,
    /// Thickest layer of a step as a share of its drop.
    pub(super) deposition_cap: f32,
    /// Share of a droplet's water that is left in the middle of each step.
    pub(super) water_left: Vec<f32>,
    /// Radius of the brush, cells.
    pub(super) brush_radius: f64,
    /// Radius of the brush that lays down, cells.
    pub(super) layer_radius: f64,
}

impl Law {
    /// The law of `config` on cells of `cell_size` metres, in quanta of
    /// `quantum` metres.
    pub(super) fn new(config: &DropletConfig, cell_size: f64, quantum: f64) -> Self {
        let step = math::clamp(config.step, 0.1, 1.0);
        let length = step * cell_size;
        let steps = math::clamp(config.path_length / length + 0.5, 1.0, MOST_STEPS);
        let gravity = not_below(config.gravity, 0.0);
        let (speed_kept, drive) = friction(gravity, config.friction_length, length);
        let share = |lag: f64| one_minus_exp(length / not_below(lag, 1e-3 * length));
        // Quanta over one cell for each m3 a step of slope 1, then of 1 quantum.
        let volume = cell_size * cell_size * quantum;
        let slope = quantum / length;
        let gain = not_below(config.capacity_factor, 0.0) / (volume * REFERENCE_SPEED);
        let (by_slope, by_speed) = match config.capacity_law {
            CapacityLaw::SlopeSpeed => (gain * slope, 0.0),
            CapacityLaw::SpeedSquared => (0.0, gain / REFERENCE_SPEED),
        };
        Self {
            step: step as f32,
            steps: steps as u32,
            start_speed: math::clamp(config.start_speed, 0.0, MOST_SPEED) as f32,
            heading_kept: (1.0 - share(config.inertia_length)) as f32,
            speed_kept: speed_kept as f32,
            drive: (drive * quantum) as f32,
            capacity_by_slope: by_slope as f32,
            capacity_by_speed: by_speed as f32,
            min_drop: (math::clamp(config.min_slope, 0.0, 1.0) / slope) as f32,
            erosion_share: share(config.erosion_length) as f32,
            deposition_share: share(config.deposition_length) as f32,
            erosion_cap: math::clamp(config.erosion_cap, 0.0, 1.0) as f32,
            deposition_cap: math::clamp(config.deposition_cap, 0.0, 1.0) as f32,
            water_left: water_left(config, length, steps as u32),
            brush_radius: not_below(config.brush_radius / cell_size, SMALLEST_BRUSH),
            layer_radius: not_below(config.layer_radius / cell_size, SMALLEST_BRUSH),
        }
    }
}

/// What a step of `length` keeps of speed squared, and what it gains of it per
/// metre of drop.
fn friction(gravity: f64, friction_length: f64, length: f64) -> (f64, f64) {
    let friction = not_below(friction_length, 1e-3 * length);
    // e^(-2 s / l) of the speed is kept and the drop drives the rest; the
    // limit of no friction at all is free fall.
    let lost = one_minus_exp(2.0 * length / friction);
    let drive =
        if friction.is_finite() { gravity * friction * lost / length } else { 2.0 * gravity };
    (1.0 - lost, drive)
}

/// Speed squared after a step that falls by `drop`; below 0 where the droplet
/// cannot get that far. Exact for `dE/ds = 2 g S - 2 E / l`.
#[inline(always)]
pub(super) fn speed_squared<N>(before: N, drop: N, kept: N, drive: N) -> N
where
    N: Mul<Output = N> + Add<Output = N>,
{
    before * kept + drive * drop
}

/// Share of the water that is left in the middle of each step: evaporation all
/// along the path, and seepage, straight down to nothing at the path's end,
/// over its last part.
fn water_left(config: &DropletConfig, length: f64, steps: u32) -> Vec<f32> {
    let seep_from = math::clamp(config.seepage_start, 0.0, 1.0);
    let evaporation = not_below(config.evaporation_length, 1e-3 * length);
    let left = |walked: u32| {
        let walked = f64::from(walked) + 0.5;
        let share = walked / f64::from(steps);
        let unseeped = if share > seep_from { (1.0 - share) / (1.0 - seep_from) } else { 1.0 };
        (math::exp(-walked * length / evaporation) * unseeped) as f32
    };
    (0..steps).map(left).collect()
}

/// Narrowest brush, cells: below it a cut is one cell wide and stands out as a
/// scratch along the grid.
pub(super) const SMALLEST_BRUSH: f64 = 1.5;

/// Fastest start, m/s: its square still has room.
const MOST_SPEED: f64 = 1e6;

/// Ends any path: a droplet that circles for ever is a droplet that never ends.
const MOST_STEPS: f64 = 1e5;

/// `value`, or `least` where it is less or not a number.
fn not_below(value: f64, least: f64) -> f64 {
    if value > least { value } else { least }
}

/// `1 - e^-x` without the cancellation near 0.
fn one_minus_exp(x: f64) -> f64 {
    if x < 1e-3 {
        x * (1.0 - x / 2.0 * (1.0 - x / 3.0 * (1.0 - x / 4.0)))
    } else {
        1.0 - math::exp(-x)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Quantum of the tests, m.
    const QUANTUM: f64 = 1.0 / 524_288.0;

    /// Speed (m/s), load and capacity (m) after `metres` down a plane of slope
    /// `slope`.
    fn descend(config: &DropletConfig, slope: f64, metres: f64) -> (f64, f64, f64) {
        let law = Law::new(config, 10.0, QUANTUM);
        let length = f64::from(law.step) * 10.0;
        let drop = (slope * length / QUANTUM) as f32;
        let (mut energy, mut load, mut capacity) = (0.0_f32, 0.0, 0.0);
        for _ in 0..(metres / length + 0.5) as u32 {
            energy = speed_squared(energy, drop, law.speed_kept, law.drive);
            let speed = energy.sqrt();
            let by_slope = law.capacity_by_slope * drop;
            capacity = (by_slope + law.capacity_by_speed * speed) * 60.0 * speed;
            load += (capacity - load) * law.erosion_share;
        }
        (f64::from(energy).sqrt(), f64::from(load) * QUANTUM, f64::from(capacity) * QUANTUM)
    }

    #[test]
    fn on_a_plane_speed_becomes_the_root_of_gravity_slope_and_friction_length() {
        for slope in [0.05, 0.3, 1.0] {
            for step in [0.25, 0.75, 1.0] {
                let config = DropletConfig { step, ..DropletConfig::default() };
                let (speed, _, _) = descend(&config, slope, 10.0 * config.friction_length);
                let truth = f64::sqrt(9.81 * slope * config.friction_length);
                assert!((speed / truth - 1.0).abs() < 1e-3, "{slope} {step}: {speed} {truth}");
            }
        }
    }

    #[test]
    fn a_load_reaches_capacity_after_ten_erosion_lengths() {
        let config = DropletConfig::default();
        let metres = 10.0 * (config.friction_length + config.erosion_length);
        let (_, load, capacity) = descend(&config, 0.4, metres);
        assert!((load / capacity - 1.0).abs() < 5e-3);
        // 1.2 * 60 m3 * 0.4 * v over 100 m2.
        let truth = 1.2 * 60.0 * 0.4 * f64::sqrt(9.81 * 0.4 * 20.0) / 100.0;
        assert!((capacity / truth - 1.0).abs() < 1e-3);
    }

    #[test]
    fn the_other_capacity_law_grows_with_the_square_of_the_speed() {
        let capacity_law = CapacityLaw::SpeedSquared;
        let config = DropletConfig { capacity_law, ..DropletConfig::default() };
        let (speed, _, capacity) = descend(&config, 0.4, 500.0);
        // 1.2 * 60 m3 * v2 over 100 m2.
        assert!((capacity / (1.2 * 60.0 * speed * speed / 100.0) - 1.0).abs() < 1e-5);
        let (slow, _, less) = descend(&config, 0.1, 500.0);
        assert!((capacity / less / (speed / slow) / (speed / slow) - 1.0).abs() < 1e-5);
    }

    #[test]
    fn without_friction_a_drop_of_ten_metres_gives_the_speed_of_free_fall() {
        let (kept, drive) = friction(9.81, f64::INFINITY, 10.0);
        let falls = (0..100).fold(0.0, |energy, _| speed_squared(energy, 0.1, kept, drive));
        assert!((falls.sqrt() - f64::sqrt(2.0 * 9.81 * 10.0)).abs() < 1e-9);
    }

    #[test]
    fn the_exact_law_does_not_depend_on_the_step() {
        let speeds = [0.1, 0.5, 1.0].map(|step| {
            let (kept, drive) = friction(9.81, 20.0, 10.0 * step);
            let steps = (3.0 / step + 0.5) as u32;
            (0..steps).fold(0.0, |energy, _| speed_squared(energy, 5.0 * step, kept, drive))
        });
        assert!((speeds[0] - speeds[2]).abs() < 1e-9 && (speeds[1] - speeds[2]).abs() < 1e-9);
    }
}
