//! The start, and how steep each of its corners may stand.

use bajada_grid::{Grid, math};

use super::lanes::{Cells, Fluxes, LANES, Lanes, cells};
use super::layout::Layout;
use super::scene::Scene;
use super::{TalusConfig, repose};

/// Step of the gradient on the fluxes: 1/8 for fluxes on edges, halved since
/// each edge is counted for its two corners. A longer one may diverge.
pub(super) const STEP: f64 = 1.0 / 16.0;

/// The start and its limits.
pub(super) struct Heap {
    pub(super) layout: Layout,
    start: Vec<Lanes>,
    /// For each corner: what the length of its flux is shrunk by.
    limits: Vec<Lanes>,
    /// For each corner: 1 for an edge that matter may cross, else 0. Empty if
    /// there is no mask.
    gates: Vec<Fluxes>,
    /// For each cell: the thickness that may slide, m. Empty if all may.
    loose: Vec<Lanes>,
}

impl Heap {
    pub(super) fn new(scene: &Scene<'_>, config: &TalusConfig) -> Self {
        let elevation = scene.start.as_ref();
        let domain = elevation.domain();
        let (width, height) = (domain.width(), domain.height());
        let layout = Layout::of_cells(width, height);
        let corners = [width - 1, height - 1];
        // The length of the vector of four differences is sqrt(2) slopes.
        let limit = |repose: f64| {
            let steepest = std::f64::consts::SQRT_2 * repose * domain.cell_size();
            math::max(steepest, 1e-6) * STEP
        };
        let loose = limit(repose(config, 0.0));
        let limit_at = |x: usize, y: usize| {
            let Some(hardness) = scene.hardness else { return loose };
            let held = |cell: usize| math::clamp(f64::from(hardness[cell]), 0.0, 1.0);
            let sum: f64 = cells_of(x, y, width).map(held).iter().sum();
            limit(repose(config, sum / 4.0))
        };
        let limit_at = |x: usize, y: usize| {
            let limit = limit_at(x, y);
            let Some(scarp) = scene.scarp.as_ref() else { return limit };
            let cells = cells_of(x, y, width);
            // What a scarp rises above its repose, and what it may.
            let highest = cells.map(|cell| f64::from(scarp[cell])).into_iter().fold(0.0, math::max);
            let cell_at_repose = (limit / STEP) * std::f64::consts::FRAC_1_SQRT_2;
            if highest + cell_at_repose > config.cohesion {
                return limit;
            }
            math::max(limit, STEP * 1.0001 * length(cells.map(|cell| f64::from(elevation[cell]))))
        };
        let gates = scene.mask.map_or(Vec::new(), |mask| {
            let open = |x: usize, y: usize| {
                let lesser = lesser_masks(mask, cells_of(x, y, width));
                lesser.map(|mask| if mask > 0.0 { 1.0 } else { 0.0 })
            };
            let pieces = layout.fill(corners, [0.0; 4], open);
            pieces.iter().map(by_edge).collect()
        });
        Self {
            layout,
            start: layout.fill([width, height], 0.0, |x, y| f64::from(elevation.at(x, y))),
            limits: layout.fill(corners, f64::INFINITY, limit_at),
            gates,
            loose: scene.loose.as_ref().map_or(Vec::new(), |loose| {
                layout.fill([width, height], 0.0, |x, y| loose.at(x, y))
            }),
        }
    }

    /// Whether there is rock below that does not slide.
    pub(super) fn has_rock(&self) -> bool {
        !self.loose.is_empty()
    }

    /// The thickness at the start that may slide, of a piece of cells.
    #[inline(always)]
    pub(super) fn loose(&self, piece: usize) -> &Lanes {
        &self.loose[piece]
    }

    /// What the fluxes of a piece of corners are shrunk by.
    #[inline(always)]
    pub(super) fn limits(&self, piece: usize) -> &Lanes {
        &self.limits[piece]
    }

    /// Differences of height along those edges of a piece of corners that
    /// matter may cross, where its cells have changed by `change`.
    ///
    /// Differences of the start and of the change are taken apart: neither
    /// loses digits to a mountain's height.
    #[inline(always)]
    pub(super) fn rises(&self, piece: usize, change: Cells<'_>, rises: &mut Fluxes) {
        differences(cells(&self.start, piece, self.layout.stride()), change, rises);
        if let Some(gates) = self.gates.get(piece) {
            for (rises, gates) in rises.iter_mut().zip(gates) {
                for lane in 0..LANES {
                    rises[lane] *= gates[lane];
                }
            }
        }
    }
}

#[inline(always)]
fn differences([upper, lower]: Cells<'_>, [above, below]: Cells<'_>, rises: &mut Fluxes) {
    let [west, north, south, east] = rises;
    for lane in 0..LANES {
        west[lane] = (lower[lane] - upper[lane]) + (below[lane] - above[lane]);
    }
    for lane in 0..LANES {
        north[lane] = (upper[lane + 1] - upper[lane]) + (above[lane + 1] - above[lane]);
    }
    for lane in 0..LANES {
        south[lane] = (lower[lane + 1] - lower[lane]) + (below[lane + 1] - below[lane]);
    }
    for lane in 0..LANES {
        east[lane] = (lower[lane + 1] - upper[lane + 1]) + (below[lane + 1] - above[lane + 1]);
    }
}

/// Length of the vector of differences between the four cells around a corner.
fn length([a, b, c, d]: [f64; 4]) -> f64 {
    let [west, north, south, east] = [c - a, b - a, d - c, d - b];
    ((west * west + east * east) + (north * north + south * south)).sqrt()
}

/// Indices of the four cells around corner (x, y), row by row.
pub(super) fn cells_of(x: usize, y: usize, width: usize) -> [usize; 4] {
    let first = y * width + x;
    [first, first + 1, first + width, first + width + 1]
}

/// The lesser mask of the two cells at each edge of a corner, given its cells.
pub(super) fn lesser_masks(mask: &Grid<f32>, cells: [usize; 4]) -> [f32; 4] {
    let [a, b, c, d] = cells.map(|cell| math::clamp(mask[cell], 0.0, 1.0));
    [math::min(a, c), math::min(a, b), math::min(c, d), math::min(b, d)]
}

/// Squared length of the vector of a corner.
#[inline(always)]
pub(super) fn square_at([west, north, south, east]: &Fluxes, lane: usize) -> f64 {
    (west[lane] * west[lane] + east[lane] * east[lane])
        + (north[lane] * north[lane] + south[lane] * south[lane])
}

fn by_edge(corners: &[[f64; 4]; LANES]) -> Fluxes {
    [0, 1, 2, 3].map(|edge| corners.map(|corner| corner[edge]))
}
