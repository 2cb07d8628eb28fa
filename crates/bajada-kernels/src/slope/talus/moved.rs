//! What crossed each edge between two cells, in whole quanta.

use std::collections::VecDeque;

use bajada_grid::quantum::Quantum;
use bajada_grid::{Grid, math, par};

use super::heap::{cells_of, lesser_masks};
use super::tiles::Tiles;

/// Looks at a cell that draws too much before it is made to keep everything.
/// Debris that runs in a ring could go on giving less for ever.
const LOOKS: u8 = 200;

/// Thickness that crossed each edge, net, m: > 0 went east, or south. Whole
/// quanta, so that no sum of them is rounded.
pub(super) struct Moved {
    east: Grid<f64>,
    south: Grid<f64>,
}

impl Moved {
    /// The fluxes as far as `amount` and the `mask` let them.
    pub(super) fn new(
        elevation: &Grid<f32>,
        mask: Option<&Grid<f32>>,
        amount: f64,
        tiles: &Tiles,
        quantum: Quantum,
    ) -> Self {
        let width = elevation.width();
        let moved = |x: usize, y: usize, fluxes: [f64; 4]| -> [f64; 4] {
            let lesser = |mask| lesser_masks(mask, cells_of(x, y, width));
            let masks = mask.map_or([1.0; 4], lesser);
            std::array::from_fn(|edge| {
                quantum.nearest(amount * fluxes[edge] * f64::from(masks[edge]))
            })
        };
        let (mut east, mut south) = (elevation.like(0.0_f64), elevation.like(0.0_f64));
        par::rows2(&mut east, &mut south, |y, east_row, south_row| {
            for (x, fluxes) in tiles.corners(y) {
                let [west, north, _, east] = moved(x, y, fluxes);
                east_row[x] -= north;
                south_row[x] -= west;
                south_row[x + 1] -= east;
            }
            for (x, fluxes) in y.checked_sub(1).into_iter().flat_map(|above| tiles.corners(above)) {
                let [_, _, south, _] = moved(x, y - 1, fluxes);
                east_row[x] -= south;
            }
        });
        Self { east, south }
    }

    /// What left a cell and what came, m.
    #[inline(always)]
    fn both_ways(&self, index: usize) -> [f64; 2] {
        let width = self.east.width();
        let out = |flux: f64| [math::max(flux, 0.0), math::max(-flux, 0.0)];
        let west = if !index.is_multiple_of(width) { self.east[index - 1] } else { 0.0 };
        let north = index.checked_sub(width).map_or(0.0, |north| self.south[north]);
        let sides = [out(self.east[index]), out(self.south[index]), out(-west), out(-north)];
        sides.into_iter().fold([0.0; 2], |[left, came], [l, c]| [left + l, came + c])
    }

    /// What each cell gains, m.
    pub(super) fn change(&self) -> Grid<f64> {
        let mut change = self.east.like(0.0_f64);
        par::map(&mut change, |index| {
            let [left, came] = self.both_ways(index);
            came - left
        });
        change
    }

    /// What left each cell or came to it, whichever is more, m.
    pub(super) fn debris(&self) -> Grid<f32> {
        let mut debris = self.east.like(0.0_f32);
        par::map(&mut debris, |index| {
            let [left, came] = self.both_ways(index);
            math::max(left, came) as f32
        });
        debris
    }

    /// Holds back what is more than the `layer` of its cell and what came to it.
    ///
    /// The sweeps leave little to do, and so it is done cell by cell.
    pub(super) fn keep_within(&mut self, layer: &Grid<f64>, quantum: Quantum) {
        let lacks = |moved: &Self, index: usize| {
            let [left, came] = moved.both_ways(index);
            (left > layer[index] + came).then_some([left, came])
        };
        let mut short = self.east.like(0_u8);
        par::map(&mut short, |index| u8::from(lacks(self, index).is_some()));
        let every = 0..short.as_slice().len();
        let mut queue: VecDeque<usize> = every.filter(|index| short[*index] != 0).collect();
        while let Some(index) = queue.pop_front() {
            let Some([left, came]) = lacks(self, index) else { continue };
            short[index] = short[index].saturating_add(1);
            let share = math::max(layer[index] + came, 0.0) / left;
            let share = if short[index] < LOOKS { share } else { 0.0 };
            queue.extend(self.scale_leaving(index, share, quantum).into_iter().flatten());
        }
    }

    /// Scales what leaves a cell, rounding down, and returns where it went.
    fn scale_leaving(&mut self, index: usize, share: f64, quantum: Quantum) -> [Option<usize>; 4] {
        let width = self.east.width();
        let less = |flux: f64| math::max(quantum.below(share * flux), 0.0);
        let mut to = [None; 4];
        if self.east[index] > 0.0 {
            self.east[index] = less(self.east[index]);
            to[0] = Some(index + 1);
        }
        if self.south[index] > 0.0 {
            self.south[index] = less(self.south[index]);
            to[1] = Some(index + width);
        }
        if !index.is_multiple_of(width) && self.east[index - 1] < 0.0 {
            self.east[index - 1] = -less(-self.east[index - 1]);
            to[2] = Some(index - 1);
        }
        if let Some(north) = index.checked_sub(width).filter(|north| self.south[*north] < 0.0) {
            self.south[north] = -less(-self.south[north]);
            to[3] = Some(north);
        }
        to
    }
}
