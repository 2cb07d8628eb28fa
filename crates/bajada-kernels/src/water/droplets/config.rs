//! How much rain falls and what it does.

use bajada_grid::math;

/// What a droplet can carry, per m3 of its water.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CapacityLaw {
    /// In proportion to the slope and to the speed.
    #[default]
    SlopeSpeed,
    /// In proportion to the square of the speed, on any slope: droplets go on
    /// cutting where they run out onto level ground.
    SpeedSquared,
}

/// How much rain falls and what it does. Lengths are in metres, whatever the
/// cell size. Values out of range, NaN included, are held to what makes sense.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DropletConfig {
    /// Droplets per m2.
    pub density: f64,
    /// Depth of the rain that all droplets together are, m.
    pub rain_depth: f64,
    /// What a droplet can carry.
    pub capacity_law: CapacityLaw,
    /// Volume concentration that water of 1 m/s carries down a slope of 1.
    pub capacity_factor: f64,
    /// Pull of the ground, m/s2.
    pub gravity: f64,
    /// Speed that a droplet falls on the ground with, m/s.
    pub start_speed: f64,
    /// Path over which a droplet forgets its heading, m.
    pub inertia_length: f64,
    /// Path over which friction takes hold, m; terminal speed is
    /// `sqrt(gravity * slope * friction_length)`.
    pub friction_length: f64,
    /// Path over which a load grows to capacity, m.
    pub erosion_length: f64,
    /// Path over which a load falls to capacity, m.
    pub deposition_length: f64,
    /// Path over which water evaporates, m.
    pub evaporation_length: f64,
    /// Longest path, m.
    pub path_length: f64,
    /// Share of the longest path after which the water begins to seep away.
    pub seepage_start: f64,
    /// Radius of the cone that a droplet cuts with, m; at least 1.5 cells are
    /// used.
    pub brush_radius: f64,
    /// Radius of the cone that a droplet lays down with, m; likewise.
    pub layer_radius: f64,
    /// Length of a step, cells, 0.1 to 1.
    pub step: f64,
    /// Deepest cut of one step as a share of the drop to the next point.
    pub erosion_cap: f64,
    /// Thickest layer of one step as a share of the drop to the next point.
    pub deposition_cap: f64,
    /// Slope below which capacity falls no further.
    pub min_slope: f64,
}

impl Default for DropletConfig {
    /// Found by eye on real mountains of 1400 m relief at 12 m: dendritic rills
    /// on every flank, flat valley floors. A quarter of the rain is soft, half
    /// as much again is worms everywhere.
    fn default() -> Self {
        Self {
            density: 0.004,
            rain_depth: 0.6,
            capacity_law: CapacityLaw::SlopeSpeed,
            capacity_factor: 1.2,
            gravity: GRAVITY,
            start_speed: 0.0,
            inertia_length: 20.0,
            friction_length: 20.0,
            erosion_length: 15.0,
            deposition_length: 15.0,
            evaporation_length: 2500.0,
            path_length: 500.0,
            seepage_start: 0.3,
            brush_radius: 20.0,
            layer_radius: 60.0,
            step: 1.0,
            erosion_cap: 0.5,
            deposition_cap: 0.25,
            min_slope: 0.005,
        }
    }
}

/// Standard gravity, m/s2.
const GRAVITY: f64 = 9.81;

/// Cells that a height of 1 stands for in the classic programs: 10 units over
/// a map of 40 units and 255 cells.
const CLASSIC_HEIGHT: f64 = 63.75;

impl DropletConfig {
    /// The settings of the droplet programs after Beyer 2015, as Lague's has
    /// them, with as many droplets as `self` has: inertia 0.05, capacity 4 (at
    /// least 0.01), erosion and deposition 0.3, evaporation 0.01, gravity 4,
    /// speed and water 1 at the start, 30 steps of a cell, a brush of 3 cells.
    /// All are shares of a step or numbers of cells: another `cell_size` is
    /// another terrain. The sign of the speed law is put right, so that droplets
    /// run faster downhill; layers are laid as the house lays them.
    #[must_use]
    pub fn classic(&self, cell_size: f64) -> Self {
        // A share `k` a step is a length of `-1 / ln(1 - k)` steps.
        let kept_over = |kept: f64| -cell_size / math::ln(kept);
        let rain = if self.rain_depth > 0.0 { self.rain_depth } else { 1.0 };
        Self {
            capacity_law: CapacityLaw::SlopeSpeed,
            // A droplet there holds 1, whatever the rain: 4 cells of sediment
            // for a drop of a cell.
            capacity_factor: 4.0 * cell_size * cell_size * cell_size * self.density / rain,
            rain_depth: rain,
            // `v2 = v2 + 4 d` with `d` in heights of 1.
            gravity: 2.0 / (CLASSIC_HEIGHT * cell_size),
            start_speed: 1.0,
            inertia_length: kept_over(0.05),
            friction_length: f64::INFINITY,
            erosion_length: kept_over(0.7),
            deposition_length: kept_over(0.7),
            evaporation_length: kept_over(0.99),
            path_length: 30.0 * cell_size,
            seepage_start: 1.0,
            brush_radius: 3.0 * cell_size,
            layer_radius: 1.5 * cell_size,
            step: 1.0,
            // All of a drop over one cell is a tenth of it over the brush.
            erosion_cap: 0.1,
            deposition_cap: 0.25,
            // 0.01 / 4 heights of 1.
            min_slope: 0.0025 * CLASSIC_HEIGHT,
            density: self.density,
        }
    }
}
