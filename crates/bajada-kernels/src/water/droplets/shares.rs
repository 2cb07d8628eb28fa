//! How far each cell yields to a cut and accepts a layer.

use bajada_grid::{Domain, Grid, math, par};

use super::Ground;
use crate::rock::erodibility_factor;

/// Steps of the table of erodibility over hardness 0..1; between them it is
/// taken as straight, 1e-6 off at most.
const TABLE: usize = 1024;

/// What hardness and mask do.
pub(super) struct Shares {
    factors: Vec<f32>,
}

impl Shares {
    pub(super) fn new() -> Self {
        let factor = |step: usize| erodibility_factor(step as f64 / TABLE as f64) as f32;
        Self { factors: (0..=TABLE).map(factor).collect() }
    }

    /// Erodibility and acceptance of every cell; a single cell unless `VARIED`.
    pub(super) fn of<const VARIED: bool>(&self, ground: &Ground<'_>) -> (Grid<f32>, Grid<f32>) {
        let elevation = ground.elevation;
        let nothing = Domain::new(1, 1, 1.0, [0.0; 2]);
        if let (false, Ok(nothing)) = (VARIED, nothing) {
            return (elevation.like_on(nothing, 1.0), elevation.like_on(nothing, 1.0));
        }
        let mut acceptance = elevation.like(1.0_f32);
        if let Some(mask) = ground.mask {
            par::map(&mut acceptance, |index| math::clamp(mask[index], 0.0, 1.0));
        }
        let erodibility = match ground.hardness {
            Some(lithology) => self.yielding(lithology.at_surface(elevation), &acceptance),
            None => acceptance.clone(),
        };
        (erodibility, acceptance)
    }

    /// Share of a cut that ground of `hardness` lets happen where the mask is
    /// `acceptance`.
    pub(super) fn yielding(&self, hardness: Grid<f32>, acceptance: &Grid<f32>) -> Grid<f32> {
        let mut shares = hardness;
        par::rows(&mut shares, |y, row| {
            for (cell, accepted) in row.iter_mut().zip(acceptance.row(y)) {
                let place = math::clamp(*cell, 0.0, 1.0) * TABLE as f32;
                let step = (place as usize).min(TABLE - 1);
                let (low, high) = (self.factors[step], self.factors[step + 1]);
                *cell = (low + (high - low) * (place - step as f32)) * accepted;
            }
        });
        shares
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_the_law_of_the_house() {
        let shares = Shares::new();
        let domain = Domain::new(1001, 1, 1.0, [0.0; 2]).expect("legal");
        let hardness = Grid::from_fn(domain, |x, _| x as f32 / 1000.0);
        let yields = shares.yielding(hardness.clone(), &hardness.like(1.0_f32));
        for x in 0..=1000 {
            let truth = erodibility_factor(f64::from(hardness[x]));
            assert!((f64::from(yields[x]) - truth).abs() < 2e-6, "{x}");
        }
        assert_eq!((yields[0], yields[1000]), (1.0, 0.0));
    }
}
