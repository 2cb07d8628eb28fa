//! What one droplet does over one step: speed, capacity, exchange.
//!
//! All rates are given per metre of path and integrated exactly over the
//! step, so that a shorter step is the same physics.

use bajada_grid::math;

use super::DropletConfig;

/// Standard gravity, m/s2.
const GRAVITY: f64 = 9.81;

/// Speed at which the capacity factor is quoted, m/s.
const REFERENCE_SPEED: f64 = 1.0;

/// A [`DropletConfig`] worked out for one cell size.
#[derive(Clone, Debug)]
pub(super) struct Law {
    /// Length of a step, cells.
    pub(super) step: f64,
    /// Steps after which a droplet has run its path.
    pub(super) steps: u32,
    /// Share of the old heading that one step keeps.
    pub(super) heading_kept: f64,
    /// Share of speed squared that one step keeps.
    speed_kept: f64,
    /// Gain of speed squared per metre of drop.
    drive: f64,
    /// Inverse of the step's length, 1/m.
    per_step: f64,
    /// Capacity, m over one cell, per m3 of water, unit slope and m/s.
    capacity_gain: f64,
    /// Slope below which capacity falls no further.
    min_slope: f64,
    /// Largest load, m over one cell.
    pub(super) load_limit: f64,
    /// Share of the missing load that one step picks up.
    pub(super) erosion_share: f64,
    /// Share of the excess load that one step lays down.
    pub(super) deposition_share: f64,
    /// Largest cut of a step as a share of its drop.
    pub(super) erosion_cap: f64,
    /// Thickest layer of a step as a share of its drop.
    pub(super) deposition_cap: f64,
    /// Share of a droplet's water that is left after each number of steps.
    pub(super) water_left: Vec<f64>,
    /// Radius of the brush, cells.
    pub(super) brush_radius: f64,
    /// Radius of the brush that lays down, cells.
    pub(super) layer_radius: f64,
}

impl Law {
    /// The law of `config` on cells of `cell_size` metres. `load_limit` is the
    /// largest load whose bookkeeping is exact.
    pub(super) fn new(config: &DropletConfig, cell_size: f64, load_limit: f64) -> Self {
        let step = math::clamp(config.step, 0.1, 1.0);
        let length = step * cell_size;
        let steps = math::clamp(config.path_length / length + 0.5, 1.0, MOST_STEPS);
        let friction = not_below(config.friction_length, 1e-3 * length);
        // e^(-2 s / l) of the speed is kept and the drop drives the rest; the
        // limit of no friction at all is free fall.
        let lost = one_minus_exp(2.0 * length / friction);
        let drive =
            if friction.is_finite() { GRAVITY * friction * lost / length } else { 2.0 * GRAVITY };
        let share = |lag: f64| one_minus_exp(length / not_below(lag, 1e-3 * length));
        let cell_area = cell_size * cell_size;
        Self {
            step,
            steps: steps as u32,
            heading_kept: 1.0 - share(config.inertia_length),
            speed_kept: 1.0 - lost,
            drive,
            per_step: 1.0 / length,
            capacity_gain: not_below(config.capacity_factor, 0.0) / (cell_area * REFERENCE_SPEED),
            min_slope: math::clamp(config.min_slope, 0.0, 1.0),
            load_limit,
            erosion_share: share(config.erosion_length),
            deposition_share: share(config.deposition_length),
            erosion_cap: math::clamp(config.erosion_cap, 0.0, 1.0),
            deposition_cap: math::clamp(config.deposition_cap, 0.0, 1.0),
            water_left: water_left(config, length, steps as u32),
            brush_radius: not_below(config.brush_radius / cell_size, SMALLEST_BRUSH),
            layer_radius: not_below(config.layer_radius / cell_size, SMALLEST_BRUSH),
        }
    }

    /// Speed squared after a step that falls by `drop` metres; below 0 where
    /// the droplet cannot get that far. Exact for `dE/ds = 2 g S - 2 E / l`.
    pub(super) fn speed_squared(&self, before: f64, drop: f64) -> f64 {
        before * self.speed_kept + self.drive * drop
    }

    /// Most sediment, m over one cell, that `water` m3 carry down a step that
    /// falls by `drop` metres.
    pub(super) fn capacity(&self, water: f64, drop: f64, speed: f64) -> f64 {
        let slope = math::max(drop * self.per_step, self.min_slope);
        math::min(self.capacity_gain * water * slope * speed, self.load_limit)
    }
}

/// Share of the water that is left after each number of steps: evaporation all
/// along the path, and seepage, straight down to nothing at the path's end,
/// over its last part.
fn water_left(config: &DropletConfig, length: f64, steps: u32) -> Vec<f64> {
    let seep_from = math::clamp(config.seepage_start, 0.0, 1.0);
    let evaporation = not_below(config.evaporation_length, 1e-3 * length);
    let left = |walked: u32| {
        let share = f64::from(walked) / f64::from(steps);
        let unseeped = if share > seep_from { (1.0 - share) / (1.0 - seep_from) } else { 1.0 };
        math::exp(-f64::from(walked) * length / evaporation) * unseeped
    };
    (0..steps).map(left).collect()
}

/// Narrowest brush, cells: below it a cut is one cell wide and stands out as a
/// scratch along the grid.
pub(super) const SMALLEST_BRUSH: f64 = 1.5;

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

    /// Speed squared and load after `metres` down a plane of slope `slope`.
    fn descend(config: &DropletConfig, slope: f64, metres: f64) -> (f64, f64, f64) {
        let law = Law::new(config, 10.0, 1e5);
        let length = law.step * 10.0;
        let (mut speed_squared, mut load, mut capacity) = (0.0, 0.0, 0.0);
        for _ in 0..(metres / length + 0.5) as u32 {
            speed_squared = law.speed_squared(speed_squared, slope * length);
            capacity = law.capacity(60.0, slope * length, f64::sqrt(speed_squared));
            load += (capacity - load) * law.erosion_share;
        }
        (f64::sqrt(speed_squared), load, capacity)
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
    fn without_friction_a_drop_of_ten_metres_gives_the_speed_of_free_fall() {
        let config = DropletConfig { friction_length: f64::INFINITY, ..DropletConfig::default() };
        let law = Law::new(&config, 10.0, 1e5);
        let falls = (0..100).fold(0.0, |energy, _| law.speed_squared(energy, 0.1));
        assert!((falls.sqrt() - f64::sqrt(2.0 * 9.81 * 10.0)).abs() < 1e-9);
    }

    #[test]
    fn the_exact_law_does_not_depend_on_the_step() {
        let speeds = [0.1, 0.5, 1.0].map(|step| {
            let config = DropletConfig { step, ..DropletConfig::default() };
            descend(&config, 0.5, 30.0).0
        });
        assert!((speeds[0] - speeds[2]).abs() < 1e-9 && (speeds[1] - speeds[2]).abs() < 1e-9);
    }
}
