//! A change of the ground as the two masks that textures are made from.

use bajada_grid::{Grid, math, par};

/// Thickness removed and thickness laid down, net, m, both >= 0, on the domain
/// of `model`; `raised(index)` is how far a cell has risen, m.
pub(crate) fn erosion_and_deposition(
    model: &Grid<f32>,
    raised: impl Fn(usize) -> f64 + Sync,
) -> (Grid<f32>, Grid<f32>) {
    let (mut erosion, mut deposition) = (model.like(0.0_f32), model.like(0.0_f32));
    par::map(&mut erosion, |index| math::max(0.0, -raised(index)) as f32);
    par::map(&mut deposition, |index| math::max(0.0, raised(index)) as f32);
    (erosion, deposition)
}

#[cfg(test)]
mod tests {
    use super::*;
    use bajada_grid::Domain;

    #[test]
    fn what_rose_is_deposition_and_what_sank_erosion() {
        let model = Grid::filled(Domain::new(3, 1, 1.0, [0.0; 2]).expect("legal"), 0.0_f32);
        let (erosion, deposition) = erosion_and_deposition(&model, |index| [-2.0, 0.0, 3.0][index]);
        assert_eq!(erosion.as_slice(), [2.0, 0.0, 0.0]);
        assert_eq!(deposition.as_slice(), [0.0, 0.0, 3.0]);
    }
}
