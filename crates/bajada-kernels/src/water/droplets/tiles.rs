//! The tiles that droplets run on: how large, and which is where.

use bajada_grid::{Domain, math};

use super::brush::Brush;

/// Side of a tile, samples, if the map is cut into tiles enough. With the halo
/// of a usual brush a copy is about 128 samples wide: 0.25 MiB with its flow,
/// inside any second level cache.
const TILE: usize = 96;

/// Tiles along the longer side of a smaller map: enough of each color for several
/// threads; and the smallest tile that a droplet seldom leaves, samples.
const FEWEST_TILES: usize = 6;
const SMALLEST_TILE: usize = 42;

/// Samples that a droplet may stray into the halo before it is handed over:
/// fewer, and droplets along a border change hands at every bend.
const STRAY: usize = 8;

/// Tiles of a map.
#[derive(Debug)]
pub(super) struct Tiles {
    /// Samples of a tile along a side.
    side: usize,
    /// Samples around it that its droplets may touch.
    halo: usize,
    /// Cells around a droplet that one step may touch.
    pub(super) reach: usize,
    pub(super) across: usize,
    pub(super) down: usize,
}

impl Tiles {
    pub(super) fn new(domain: &Domain, brush: &Brush, layer_brush: &Brush) -> Self {
        // A step ahead, the brush about its end, one sample for the gradient.
        let widest = math::max(brush.span - brush.before, layer_brush.span - layer_brush.before);
        let reach = widest + 3;
        let halo = reach + STRAY;
        let longer = domain.width().max(domain.height());
        let side = TILE.min(longer.div_ceil(FEWEST_TILES).max(SMALLEST_TILE)).max(2 * halo);
        Self {
            side,
            halo,
            reach,
            across: domain.width().div_ceil(side),
            down: domain.height().div_ceil(side),
        }
    }

    /// The tile that the sample left of and above (x, y) lies in.
    pub(super) fn holding(&self, x: f64, y: f64) -> usize {
        let column = (x as usize / self.side).min(self.across - 1);
        let row = (y as usize / self.side).min(self.down - 1);
        row * self.across + column
    }

    pub(super) fn color(&self, tile: usize) -> usize {
        (tile / self.across % 2) * 2 + tile % self.across % 2
    }

    /// Samples of a tile with its halo along one side.
    pub(super) fn span(&self, tile: usize, samples: usize) -> (usize, usize) {
        let from = (tile * self.side).saturating_sub(self.halo);
        (from, samples.min((tile + 1) * self.side + self.halo))
    }
}
