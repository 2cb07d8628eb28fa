//! Least, most, mean and how many cells are not finite.

use crate::grid::Grid;
use crate::math;
use crate::par;

/// A summary of a raster.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stats {
    /// Least finite value; 0 if there is none.
    pub min: f32,
    /// Largest finite value; 0 if there is none.
    pub max: f32,
    /// Mean of the finite values; 0 if there is none.
    pub mean: f64,
    /// Cells that hold NaN or an infinity.
    pub nonfinite: u64,
}

impl Stats {
    /// The summary of `grid`.
    pub fn of(grid: &Grid<f32>) -> Self {
        let cells = grid.as_slice();
        let finite = |index: usize| if cells[index].is_finite() { cells[index] } else { 0.0 };
        let nonfinite = cells.iter().filter(|value| !value.is_finite()).count();
        let extreme = |better: fn(f32, f32) -> f32| {
            cells.iter().copied().filter(|value| value.is_finite()).reduce(better).unwrap_or(0.0)
        };
        let count = math::max(cells.len() - nonfinite, 1) as f64;
        Self {
            min: extreme(math::min),
            max: extreme(math::max),
            mean: par::sum(cells.len(), |index| f64::from(finite(index))) / count,
            nonfinite: nonfinite as u64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Domain;

    #[test]
    fn what_is_not_finite_is_counted_and_left_out() {
        let domain = Domain::new(2, 2, 1.0, [0.0; 2]).expect("legal");
        let grid = Grid::from_vec(domain, vec![-1.0, f32::NAN, 5.0, f32::INFINITY]);
        let stats = Stats::of(&grid.expect("four cells"));
        assert_eq!(stats, Stats { min: -1.0, max: 5.0, mean: 2.0, nonfinite: 2 });
    }
}
