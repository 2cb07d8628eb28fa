//! The gradient of a field, row by row: a 3 x 3 stencil of weights 3, 10, 3.
//!
//! The weights make the error the same in all directions, so that a cone has no
//! cross in its light. Beyond an edge the field goes on straight (odd
//! reflection), so that a plane has one gradient up to the border.

use bajada_grid::Grid;

/// Rise per metre to the east and to the **south** along one row, with the
/// scratch that the next row uses again.
#[derive(Debug, Default)]
pub(super) struct GradientRow {
    pub(super) east: Vec<f32>,
    pub(super) south: Vec<f32>,
    /// The rows above, at and below, one reflected sample longer on both ends.
    padded: [Vec<f32>; 3],
}

impl GradientRow {
    /// Sets both parts to those of row `y` of `grid`.
    pub(super) fn read(&mut self, grid: &Grid<f32>, y: usize) {
        let width = grid.width();
        let (y, last) = (y as isize, grid.height() as isize - 1);
        for (offset, padded) in (-1..=1).zip(&mut self.padded) {
            pad(grid, y + offset, last, padded);
        }
        self.east.resize(width, 0.0);
        self.south.resize(width, 0.0);
        let scale = (1.0 / (32.0 * grid.domain().cell_size())) as f32;
        let [above, here, below] = &self.padded;
        let (above, here, below) = (&above[..width + 2], &here[..width + 2], &below[..width + 2]);
        let (east, south) = (&mut self.east[..width], &mut self.south[..width]);
        // Differences come first: they are small and exact, sums of heights
        // are neither.
        for x in 0..width {
            let middle = 10.0 * (here[x + 2] - here[x]);
            east[x] =
                (3.0 * ((above[x + 2] - above[x]) + (below[x + 2] - below[x])) + middle) * scale;
            let middle = 10.0 * (below[x + 1] - above[x + 1]);
            south[x] =
                (3.0 * ((below[x] - above[x]) + (below[x + 2] - above[x + 2])) + middle) * scale;
        }
    }
}

/// Row `y`, which may lie one row outside, with one more sample on both ends.
fn pad(grid: &Grid<f32>, y: isize, last: isize, padded: &mut Vec<f32>) {
    let width = grid.width();
    let held = y.clamp(0, last);
    padded.clear();
    padded.push(0.0);
    padded.extend_from_slice(grid.row(held as usize));
    padded.push(0.0);
    if held != y {
        let inner = (2 * held - y).clamp(0, last) as usize;
        for (value, &inner) in padded[1..].iter_mut().zip(grid.row(inner)) {
            *value = 2.0 * *value - inner;
        }
    }
    let second = width.min(2);
    padded[0] = 2.0 * padded[1] - padded[second];
    padded[width + 1] = 2.0 * padded[width] - padded[width + 1 - second];
}

/// Length of a gradient: rise over run of the steepest way.
#[inline]
pub(super) fn length(east: f32, south: f32) -> f32 {
    (east * east + south * south).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use bajada_grid::Domain;
    use bajada_testkit::terrain;

    #[test]
    fn a_plane_has_one_gradient_up_to_its_border() {
        for (width, height) in [(2, 2), (2, 9), (9, 2), (7, 5)] {
            let domain = Domain::new(width, height, 5.0, [0.0; 2]).expect("legal");
            let plane = terrain::plane(domain, 10.0, 0.25, -0.5);
            let mut gradient = GradientRow::default();
            for y in 0..plane.height() {
                gradient.read(&plane, y);
                assert!(gradient.east.iter().all(|east| (east - 0.25).abs() < 1e-6));
                assert!(gradient.south.iter().all(|south| (south + 0.5).abs() < 1e-6));
            }
        }
    }

    #[test]
    fn a_single_row_is_flat_across() {
        let domain = Domain::new(4, 1, 1.0, [0.0; 2]).expect("legal");
        let mut gradient = GradientRow::default();
        gradient.read(&terrain::plane(domain, 0.0, 1.0, 0.0), 0);
        assert_eq!((gradient.east[1], gradient.south[1]), (1.0, 0.0));
        let dot = Domain::new(1, 1, 1.0, [0.0; 2]).expect("legal");
        gradient.read(&terrain::plane(dot, 7.0, 0.0, 0.0), 0);
        assert_eq!((gradient.east[0], gradient.south[0]), (0.0, 0.0));
    }
}
