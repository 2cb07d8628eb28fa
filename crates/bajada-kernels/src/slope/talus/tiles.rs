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

/// Share of the tolerance at which a tile sleeps. It wakes at the whole: were
/// both the same, tiles would wake each other all the time.
const CALM: f64 = 0.7;

/// The fluxes of the whole map, and the momentum of its sweeps.
pub(super) struct Tiles {
    /// Rows, and columns of pieces, of a tile.
    size: [usize; 2],
    /// Tiles from west to east.
    across: usize,
    tiles: Vec<Bench>,
    momentum: f64,
    /// The unrest at which a tile sleeps, and at which it wakes.
    calm: [f64; 2],
}

impl Tiles {
    /// Nothing has moved yet. Tiles sleep whose unrest is well within
    /// `tolerance`.
    pub(super) fn new(heap: &Heap, tolerance: f64) -> Self {
        let mut tiles = Self::of_size(heap, TILE, UNSEEN);
        tiles.calm = [CALM * tolerance, tolerance];
        tiles
    }

    /// In tiles of `size` that never sleep, each piece of which is taken to be
    /// `known`.
    pub(super) fn of_size(heap: &Heap, size: [usize; 2], known: u8) -> Self {
        let map = heap.layout;
        let (across, down) = (map.columns.div_ceil(size[1]), map.rows.div_ceil(size[0]));
        let tiles = (0..across * down).into_par_iter().map(|tile| {
            let first = [tile / across * size[0], tile % across * size[1]];
            Bench::new(heap, Window::new(&map, first, size, MARGIN), known)
        });
        Self { size, across, tiles: tiles.collect(), momentum: 1.0, calm: [-1.0; 2] }
    }

    /// The corners of row `y` that have a flux: x and the four fluxes.
    pub(super) fn corners(&self, y: usize) -> impl Iterator<Item = (usize, [f32; 4])> + '_ {
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
            pushes.push(((momentum - 1.0) / later) as f32);
            momentum = later;
        }
        let handed: Vec<Vec<Handed>> = self.tiles.par_iter().map(Bench::hand).collect();
        let (across, [calm, tolerance]) = (self.across, self.calm);
        let stirs: Vec<bool> = self.tiles.iter().map(|tile| tile.progress.moved).collect();
        let run = |(index, tile): (usize, &mut Bench)| {
            let (row, column) = (index / across, index % across);
            let near = |row_of_tiles: usize| {
                let first = row_of_tiles * across + column.saturating_sub(1);
                first..(row_of_tiles * across + across).min(first + 2 + column.min(1))
            };
            let down = stirs.len() / across;
            let near = (row.saturating_sub(1)..down.min(row + 2)).flat_map(near);
            let asleep = !tile.awake;
            if asleep && sweeps > 0 && near.clone().all(|near| !stirs[near]) {
                return;
            }
            tile.take(heap, near.flat_map(|near| &handed[near]), pushes[0]);
            if !(asleep && tile.rests(heap, tolerance)) {
                tile.run(heap, &pushes, [calm, tolerance / momentum]);
            }
        };
        self.tiles.par_iter_mut().enumerate().for_each(run);
        let moved = || self.tiles.iter().map(|tile| tile.progress).filter(|tile| tile.moved);
        let uphill: Vec<f64> = moved().map(|tile| tile.uphill).collect();
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
