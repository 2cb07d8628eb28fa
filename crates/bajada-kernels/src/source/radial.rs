//! A round hill: the seed of an island, a volcano, a crater rim.
//!
//! Model: height falls from the middle to 0 at the radius along smoothstep, so
//! that it starts and ends level. Guarantees: exactly 0 from the radius on; a
//! function of the place in the world.

use bajada_grid::{Domain, Grid, math, par};

/// Settings of [`radial`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RadialConfig {
    /// The middle, metres east and south in the world.
    pub center: [f64; 2],
    /// Distance from the middle at which it has come down to 0, m, above 0.
    pub radius: f64,
    /// Height of the middle, m.
    pub height: f64,
}

/// The hill on `domain`, m.
pub fn radial(domain: Domain, config: &RadialConfig) -> Grid<f32> {
    let mut hill = Grid::filled(domain, 0.0_f32);
    let radius = math::max(config.radius, f64::MIN_POSITIVE);
    par::rows(&mut hill, |y, row| {
        let south = domain.world_y(y) - config.center[1];
        for (x, cell) in row.iter_mut().enumerate() {
            let east = domain.world_x(x) - config.center[0];
            let way = (east * east + south * south).sqrt() / radius;
            *cell = (config.height * (1.0 - math::smoothstep(0.0, 1.0, way))) as f32;
        }
    });
    hill
}

#[cfg(test)]
mod tests {
    use super::*;
    use bajada_testkit::terrain;

    #[test]
    fn it_is_whole_in_the_middle_half_half_way_and_gone_at_the_radius() {
        let config = RadialConfig { center: [500.0, 300.0], radius: 200.0, height: 80.0 };
        let hill = radial(terrain::square(101, 10.0), &config);
        assert_eq!((hill.at(50, 30), hill.at(60, 30), hill.at(70, 30)), (80.0, 40.0, 0.0));
        assert_eq!(hill.at(50, 20), hill.at(40, 30));
        assert_eq!(hill.at(90, 90), 0.0);
    }
}
