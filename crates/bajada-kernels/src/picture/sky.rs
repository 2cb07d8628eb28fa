//! How much sky each node of the coarse grid sees, and from where.
//!
//! Light from the sky is a sum over eight directions, each open from its
//! horizon up to the zenith. For any slope it is a dot product with a vector
//! that does not depend on the slope, so it is made once for a neighbourhood;
//! the single cell brings its own normal later. The sky is a little brighter on
//! the sun's side, which keeps form in slopes that the sun does not reach.

use std::f32::consts::{FRAC_PI_2, FRAC_PI_4};

use bajada_grid::{Cancelled, Grid, Task};

use super::horizon::{Direction, SKY, horizon};

/// One row of the sky: what each node receives.
#[derive(Debug, Default)]
pub(super) struct SkyRow {
    /// Light on a level surface; 1 under an open sky.
    pub(super) level: Vec<f32>,
    /// What is gained by leaning one to one toward the east ...
    pub(super) east: Vec<f32>,
    /// ... and toward the south.
    pub(super) south: Vec<f32>,
    /// Share of the sky that no slope hides.
    pub(super) open: Vec<f32>,
}

/// The horizons of the coarse grid in the eight directions.
#[derive(Debug)]
pub(super) struct Sky {
    horizons: Vec<Grid<f32>>,
    weights: [f32; SKY.len()],
}

impl Sky {
    /// Scans `heights`. `lean` is how much brighter than its mean the sky is
    /// on the sun's side.
    pub(super) fn new(
        task: &Task,
        heights: &Grid<f32>,
        sun: Direction,
        lean: f32,
    ) -> Result<Self, Cancelled> {
        let horizons =
            SKY.iter().map(|&toward| horizon(task, heights, toward)).collect::<Result<_, _>>()?;
        let [sun_x, sun_y] = sun.unit();
        let weights = SKY.map(|toward| {
            let [x, y] = toward.unit();
            0.125 * (1.0 + lean * (x * sun_x + y * sun_y) as f32)
        });
        Ok(Self { horizons, weights })
    }

    /// Sets `row` to row `y` of the coarse grid. The directions are added in
    /// their fixed order.
    pub(super) fn read(&self, y: usize, row: &mut SkyRow) {
        for part in [&mut row.level, &mut row.east, &mut row.south, &mut row.open] {
            part.clear();
            part.resize(self.horizons[0].width(), 0.0);
        }
        for ((horizon, toward), &weight) in self.horizons.iter().zip(SKY).zip(&self.weights) {
            let [x, y_unit] = toward.unit().map(|part| part as f32);
            let cells = row.level.iter_mut().zip(&mut row.east).zip(&mut row.south);
            for ((((level, east), south), open), &t) in cells.zip(&mut row.open).zip(horizon.row(y))
            {
                let seen = 1.0 / (1.0 + t * t);
                let side = 2.0 * weight * (FRAC_PI_4 - 0.5 * arc_tangent(t) - 0.5 * t * seen);
                *level += weight * seen;
                *east += x * side;
                *south += y_unit * side;
                *open += 0.125 * seen;
            }
        }
    }
}

/// Arc tangent of `t` >= 0, within 0.001: a polynomial, the same everywhere.
#[inline]
fn arc_tangent(t: f32) -> f32 {
    let steep = t > 1.0;
    let x = if steep { 1.0 / t } else { t };
    let x2 = x * x;
    let angle = x * (0.9953 - x2 * (0.2886 - 0.0788 * x2));
    if steep { FRAC_PI_2 - angle } else { angle }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bajada_grid::math;
    use bajada_testkit::terrain;

    #[test]
    fn the_arc_tangent_is_within_a_thousandth() {
        for step in 0..20_000 {
            let t = step as f32 * 0.001;
            let error = f64::from(arc_tangent(t)) - math::atan(f64::from(t));
            assert!(error.abs() < 0.001, "{t}: {error}");
        }
    }

    #[test]
    fn a_plain_sees_the_whole_sky() {
        let plain = terrain::plane(terrain::square(9, 10.0), 0.0, 0.0, 0.0);
        let sun = Direction::nearest_sun(315.0);
        let sky = Sky::new(&Task::new(), &plain, sun, 0.45).expect("nobody cancels");
        let mut row = SkyRow::default();
        sky.read(4, &mut row);
        assert!((row.level[4] - 1.0).abs() < 1e-6 && (row.open[4] - 1.0).abs() < 1e-6);
        assert!(row.east[4] < 0.0 && row.south[4] < 0.0, "brighter toward the north-west");
    }

    #[test]
    fn the_floor_of_a_pit_sees_less_sky_than_its_rim() {
        let domain = terrain::square(65, 10.0);
        let hill = terrain::cone(domain, 300.0, 1.0);
        let pit = Grid::from_fn(domain, |x, y| -hill.at(x, y));
        let sun = Direction::nearest_sun(0.0);
        let sky = Sky::new(&Task::new(), &pit, sun, 0.45).expect("nobody cancels");
        let (mut floor, mut rim) = (SkyRow::default(), SkyRow::default());
        sky.read(32, &mut floor);
        sky.read(0, &mut rim);
        assert!(floor.open[32] < 0.6 && rim.open[0] > 0.99);
    }
}
