//! Slow twin of talus: explicit exchange with the eight neighbours.
//!
//! Each pair of neighbours that is too steep exchanges a share of its excess;
//! all exchanges of a sweep are computed from the same heights. Needs sweeps
//! in proportion to the square of the run-out, keeps the volume by
//! construction, and bounds eight directions instead of the gradient: its
//! cones are faintly eight-sided. [`rest_on_rock`] has rock below: a cell gives
//! away no more than lies on it.

use bajada_grid::neighbors::{D8, D8_LENGTH, step};
use bajada_grid::{Grid, math};

/// Share of an excess that one exchange moves: the sum over eight neighbours
/// stays below 1, which keeps the sweeps stable.
const SHARE: f64 = 0.118;

/// Heights at rest for a `repose` (rise over run) that is the same everywhere,
/// after at most `sweeps` sweeps or when no pair exceeds it by more than
/// `tolerance` of it.
pub fn rest(start: &Grid<f32>, repose: f64, tolerance: f64, sweeps: u32) -> Grid<f64> {
    let endless = start.like(f32::INFINITY);
    settle(start.to_f64(), endless.to_f64(), repose, tolerance, sweeps).0
}

/// Thickness of the layer at rest that was `sediment` on rock at the start.
pub fn rest_on_rock(
    elevation: &Grid<f32>,
    sediment: &Grid<f32>,
    repose: f64,
    tolerance: f64,
    sweeps: u32,
) -> Grid<f64> {
    settle(elevation.to_f64(), sediment.to_f64(), repose, tolerance, sweeps).1
}

fn settle(
    mut heights: Grid<f64>,
    mut layer: Grid<f64>,
    repose: f64,
    tolerance: f64,
    sweeps: u32,
) -> (Grid<f64>, Grid<f64>) {
    let domain = *heights.domain();
    for _ in 0..sweeps {
        let mut change = heights.like(0.0_f64);
        let mut worst = 0.0;
        for y in 0..domain.height() {
            for x in 0..domain.width() {
                let here = domain.index(x, y);
                let mut leaving = [0.0; 8];
                for (direction, offset) in D8.into_iter().enumerate() {
                    let Some(there) = step(&domain, x, y, offset) else { continue };
                    let allowed = repose * domain.cell_size() * D8_LENGTH[direction];
                    let excess = heights[here] - heights[there] - allowed;
                    leaving[direction] = SHARE * math::max(excess, 0.0);
                }
                let sum: f64 = leaving.iter().sum();
                if sum == 0.0 {
                    continue;
                }
                let held = math::min(1.0, layer[here] / sum);
                for (direction, offset) in D8.into_iter().enumerate() {
                    let Some(there) = step(&domain, x, y, offset) else { continue };
                    let flux = held * leaving[direction];
                    change[here] -= flux;
                    change[there] += flux;
                    let allowed = repose * domain.cell_size() * D8_LENGTH[direction];
                    worst = math::max(worst, flux / (SHARE * allowed));
                }
            }
        }
        for index in 0..domain.len() {
            heights[index] += change[index];
            layer[index] += change[index];
        }
        if worst <= tolerance {
            break;
        }
    }
    (heights, layer)
}
