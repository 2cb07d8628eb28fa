//! The map in tiles: several sweeps over one before the next.
//!
//! A sweep does so little to each corner that a processor waits for memory most
//! of the time. So each task takes a tile with a margin as wide as the sweeps
//! reach, makes a round of sweeps on it while it lies in the cache, and then
//! tells its neighbors what became of their margins. The bits are those of
//! sweeps over the whole map.

use rayon::prelude::*;

use bajada_grid::{math, par};

use super::heap::Heap;
use super::lanes::LANES;
use super::layout::Window;
use super::sweep::{Bench, Handed, Progress};
use super::visits::UNSEEN;

/// Most sweeps of a round. A margin of eight corners is right for seven, and
/// leaves one ring that the slopes at the tile's rim are measured with.
pub(super) const SWEEPS_PER_ROUND: u32 = 7;

/// Rows, and columns of pieces, of a margin: eight corners.
const MARGIN: [usize; 2] = [LANES, 1];

/// Rows, and columns of pieces, of a tile: 128 corners square. The part of it
/// that moves on rough ground, with its margin, fits a cache of half a megabyte.
const TILE: [usize; 2] = [128, 128 / LANES];

/// The fluxes of the whole map, and the momentum of its sweeps.
pub(super) struct Tiles {
    /// Rows, and columns of pieces, of a tile.
    size: [usize; 2],
    /// Tiles from west to east.
    across: usize,
    tiles: Vec<Bench>,
    momentum: f64,
}

impl Tiles {
    /// Nothing has moved yet.
    pub(super) fn new(heap: &Heap) -> Self {
        Self::of_size(heap, TILE, UNSEEN)
    }

    /// In tiles of `size`, each piece of which is taken to be `known`.
    pub(super) fn of_size(heap: &Heap, size: [usize; 2], known: u8) -> Self {
        let map = heap.layout;
        let (across, down) = (map.columns.div_ceil(size[1]), map.rows.div_ceil(size[0]));
        let tiles = (0..across * down).into_par_iter().map(|tile| {
            let first = [tile / across * size[0], tile % across * size[1]];
            Bench::new(heap, Window::new(&map, first, size, MARGIN), known)
        });
        Self { size, across, tiles: tiles.collect(), momentum: 1.0 }
    }

    /// The corners of row `y` that have a flux: x and the four fluxes.
    pub(super) fn corners(&self, y: usize) -> impl Iterator<Item = (usize, [f64; 4])> + '_ {
        let tiles = &self.tiles[y / self.size[0] * self.across..][..self.across];
        tiles.iter().flat_map(move |tile| tile.corners(y))
    }

    /// Makes `sweeps` sweeps, at most [`SWEEPS_PER_ROUND`], and returns the
    /// largest excess over the repose as a share of it, and the unrest (see
    /// [`Progress`]).
    ///
    /// The momentum falls to nothing when it pointed uphill at the last one.
    pub(super) fn round(&mut self, heap: &Heap, sweeps: u32) -> [f64; 2] {
        let mut pushes = Vec::new();
        let mut momentum = self.momentum;
        for _ in 0..=sweeps {
            self.momentum = momentum;
            let later = 0.5 * (1.0 + (1.0 + 4.0 * momentum * momentum).sqrt());
            pushes.push((momentum - 1.0) / later);
            momentum = later;
        }
        let handed: Vec<Vec<Handed>> = self.tiles.par_iter().map(Bench::hand).collect();
        let across = self.across;
        let down = self.tiles.len() / across;
        self.tiles.par_iter_mut().enumerate().for_each(|(index, tile)| {
            let (row, column) = (index / across, index % across);
            let near = |row_of_tiles: usize| {
                let first = row_of_tiles * across + column.saturating_sub(1);
                first..(row_of_tiles * across + across).min(first + 2 + column.min(1))
            };
            let near = (row.saturating_sub(1)..down.min(row + 2)).flat_map(near);
            tile.take(heap, near.flat_map(|near| &handed[near]), pushes[0]);
            tile.run(heap, &pushes);
        });
        let uphill: Vec<f64> = self.tiles.iter().map(|tile| tile.progress.uphill).collect();
        if par::pairwise(&uphill) > 0.0 {
            self.momentum = 1.0;
            self.tiles.par_iter_mut().for_each(Bench::stop);
        }
        let worst = |of: fn(&Progress) -> f64| {
            self.tiles.iter().map(|tile| of(&tile.progress)).fold(0.0, math::max)
        };
        [worst(|tile| tile.excess), worst(|tile| tile.unrest)]
    }
}
