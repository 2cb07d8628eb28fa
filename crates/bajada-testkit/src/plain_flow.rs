//! Filling and draining by the slowest obvious rules, to judge the product by.
//!
//! Filling is relaxation from above (Planchon & Darboux 2001, without their
//! epsilon): start with water at infinity and lower it until nothing changes.

use bajada_grid::Grid;
use bajada_grid::neighbors::{D8, D8_LENGTH, around};

/// The surface that `heights` fill to when water leaves from `outlets` and
/// nothing enters `walls`.
pub fn fill(heights: &Grid<f64>, outlets: &Grid<bool>, walls: &Grid<bool>) -> Grid<f64> {
    let domain = *heights.domain();
    let mut filled = Grid::from_fn(domain, |x, y| {
        let index = domain.index(x, y);
        if outlets[index] || walls[index] { heights[index] } else { f64::INFINITY }
    });
    let mut changed = true;
    while changed {
        changed = false;
        for y in 0..domain.height() {
            for x in 0..domain.width() {
                let here = domain.index(x, y);
                if walls[here] {
                    continue;
                }
                for (_, there) in around(&domain, x, y, &D8) {
                    if walls[there] {
                        continue;
                    }
                    let through =
                        if filled[there] > heights[here] { filled[there] } else { heights[here] };
                    if through < filled[here] {
                        filled[here] = through;
                        changed = true;
                    }
                }
            }
        }
    }
    filled
}

/// Cells that drain through each cell when every cell sends its water along
/// `receiver`, by walking every way to its end. `None` if a way never ends.
pub fn drainage_cells(
    like: &Grid<f64>,
    receiver: impl Fn(usize) -> Option<usize>,
) -> Option<Grid<u64>> {
    let mut cells = like.like(0_u64);
    for start in 0..like.domain().len() {
        let mut cell = start;
        let mut steps = 0;
        loop {
            cells[cell] += 1;
            steps += 1;
            if steps > like.domain().len() {
                return None;
            }
            match receiver(cell) {
                Some(next) => cell = next,
                None => break,
            }
        }
    }
    Some(cells)
}

/// The cell that water of each cell ends at when it always takes the steepest
/// way down: a cell without a lower neighbor, or of the map's edge.
pub fn sinks(heights: &Grid<f64>) -> Vec<usize> {
    let domain = *heights.domain();
    (0..domain.len())
        .map(|start| {
            let mut cell = start;
            loop {
                let (x, y) = domain.column_row(cell);
                if x == 0 || y == 0 || x + 1 == domain.width() || y + 1 == domain.height() {
                    return cell;
                }
                let mut steepest = (0.0, cell);
                for (direction, beside) in around(&domain, x, y, &D8) {
                    let slope = (heights[cell] - heights[beside]) / D8_LENGTH[direction];
                    if slope > steepest.0 {
                        steepest = (slope, beside);
                    }
                }
                if steepest.1 == cell {
                    return cell;
                }
                cell = steepest.1;
            }
        })
        .collect()
}
