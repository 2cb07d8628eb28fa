//! Slow twin of talus: explicit exchange with the eight neighbours.
//!
//! Each pair of neighbours that is too steep exchanges a share of its excess;
//! all exchanges of a sweep are computed from the same heights. Needs sweeps
//! in proportion to the square of the run-out, keeps the volume by
//! construction, and bounds eight directions instead of the gradient: its
//! cones are faintly eight-sided.

use bajada_grid::neighbors::{D8, D8_LENGTH, step};
use bajada_grid::{Grid, math};

/// Share of an excess that one exchange moves: the sum over eight neighbours
/// stays below 1, which keeps the sweeps stable.
const SHARE: f64 = 0.118;

/// Heights at rest for a `repose` (rise over run) that is the same everywhere,
/// after at most `sweeps` sweeps or when no pair exceeds it by more than
/// `tolerance` of it.
pub fn rest(start: &Grid<f32>, repose: f64, tolerance: f64, sweeps: u32) -> Grid<f64> {
    let domain = *start.domain();
    let mut heights = start.to_f64();
    for _ in 0..sweeps {
        let mut next = heights.clone();
        let mut worst = 0.0;
        for y in 0..domain.height() {
            for x in 0..domain.width() {
                let here = domain.index(x, y);
                for (direction, offset) in D8.into_iter().enumerate() {
                    let Some(there) = step(&domain, x, y, offset) else { continue };
                    let allowed = repose * domain.cell_size() * D8_LENGTH[direction];
                    let excess = heights[here] - heights[there] - allowed;
                    if excess > 0.0 {
                        next[here] -= SHARE * excess;
                        next[there] += SHARE * excess;
                        worst = math::max(worst, excess / allowed);
                    }
                }
            }
        }
        heights = next;
        if worst <= tolerance {
            break;
        }
    }
    heights
}
