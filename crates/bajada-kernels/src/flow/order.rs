//! An order in which water flows, and sums along it.
//!
//! Every cell comes after all cells that send it water. The order follows
//! rivers down (a cell whose last donor is done is next), which keeps the
//! memory near, and is a function of the map alone. Sums are *gathered*: a cell
//! adds its donors' shares in the order of
//! [`bajada_grid::neighbors::D8`], so any other order of flow gives the same
//! bits. Whole counts are exact.
//!
//! Neighbors are looked up by index alone: what lies beyond the end of a row is
//! a cell at the other side of the map, which sends nothing over the edge.
//!
//! The order is made and followed by one thread: with a handful of operations
//! per cell, the levels of a tree (thousands, most of them short) cost more to
//! hand out than to run.

use bajada_grid::{Grid, par};
use rayon::prelude::*;

use super::mfd::{SHARES, Spread};
use super::{OUT, back, narrow, strides, toward};

/// Cells, each after all of its donors.
#[derive(Clone, Debug, PartialEq)]
pub struct Order {
    cells: Grid<u32>,
}

impl Order {
    /// The order of one receiver per cell.
    pub fn of_tree(directions: &Grid<u8>) -> Self {
        let domain = *directions.domain();
        let strides = strides(&domain);
        let mut waiting = directions.like(0_u8);
        par::map(&mut waiting, |index| {
            let sends = |(k, &stride): (usize, &isize)| {
                let donor = directions.as_slice().get(index.wrapping_add_signed(stride));
                u8::from(donor == Some(&back(k)))
            };
            strides.iter().enumerate().map(sends).sum()
        });
        let mut cells = directions.like(0_u32);
        let mut done = 0;
        for source in 0..domain.len() {
            if waiting[source] != 0 {
                continue;
            }
            let mut cell = source;
            loop {
                // Not a source any more, or its turn would come again.
                waiting[cell] = DONE;
                cells[done] = narrow(cell);
                done += 1;
                let direction = directions[cell];
                if direction >= OUT {
                    break;
                }
                cell = toward(cell, direction, &strides);
                waiting[cell] -= 1;
                if waiting[cell] != 0 {
                    break;
                }
            }
        }
        debug_assert_eq!(done, domain.len(), "the directions have a loop");
        Self { cells }
    }

    /// The order of many receivers per cell, on the lattice of `like`.
    pub fn of_spread(spread: &Spread, like: &Grid<f64>) -> Self {
        let domain = *like.domain();
        let strides = strides(&domain);
        let mut waiting = like.like(0_u8);
        par::map(&mut waiting, |index| spread.donors(index).count());
        let mut cells = like.like(0_u32);
        let mut done = 0;
        // A stack. Whether a cell's last donor is done is as good as a coin's
        // toss, so every receiver is written and those that wait are not kept.
        let mut ready = like.like(0_u32);
        for source in 0..domain.len() {
            if waiting[source] != 0 {
                continue;
            }
            ready[0] = narrow(source);
            waiting[source] = DONE;
            let mut len = 1;
            while len > 0 {
                len -= 1;
                let cell = ready[len];
                cells[done] = cell;
                done += 1;
                let index = cell as usize;
                for k in spread.receivers(index) {
                    let receiver = index.wrapping_add_signed(strides[k]);
                    let left = waiting[receiver] - 1;
                    waiting[receiver] = if left == 0 { DONE } else { left };
                    ready[len] = narrow(receiver);
                    len += usize::from(left == 0);
                }
            }
        }
        debug_assert_eq!(done, domain.len(), "the spread has a loop");
        Self { cells }
    }

    /// From the ridges down.
    pub fn downstream(&self) -> impl Iterator<Item = usize> + '_ {
        self.cells.as_slice().iter().map(|&cell| cell as usize)
    }

    /// From the outlets up.
    pub fn upstream(&self) -> impl Iterator<Item = usize> + '_ {
        self.cells.as_slice().iter().rev().map(|&cell| cell as usize)
    }
}

/// Mark of a cell that has its place in the order; more donors than exist.
const DONE: u8 = u8::MAX;

/// How many cells drain through each cell, itself included: exact.
pub fn drainage_cells(directions: &Grid<u8>, order: &Order) -> Grid<u64> {
    let strides = strides(directions.domain());
    let mut cells = directions.like(1_u64);
    for cell in order.downstream() {
        let direction = directions[cell];
        if direction < OUT {
            let receiver = toward(cell, direction, &strides);
            cells[receiver] += cells[cell];
        }
    }
    cells
}

/// `source` of each cell and of all cells upstream of it, one receiver each.
pub fn accumulate(directions: &Grid<u8>, order: &Order, source: &Grid<f64>) -> Grid<f64> {
    let strides = strides(directions.domain());
    let mut sums = source.clone();
    let (cells, directions) = (sums.as_mut_slice(), directions.as_slice());
    for cell in order.downstream() {
        let mut sum = cells[cell];
        for (k, &stride) in strides.iter().enumerate() {
            let donor = cell.wrapping_add_signed(stride);
            if directions.get(donor) == Some(&back(k)) {
                sum += cells[donor];
            }
        }
        cells[cell] = sum;
    }
    sums
}

/// `source` of each cell and its share of what comes from upstream.
pub fn accumulate_spread(spread: &Spread, order: &Order, source: &Grid<f64>) -> Grid<f64> {
    let strides = strides(source.domain());
    let unit = 1.0 / f64::from(SHARES);
    let mut sums = source.clone();
    let cells = sums.as_mut_slice();
    for cell in order.downstream() {
        let mut sum = 0.0;
        for k in spread.donors(cell) {
            let donor = cell.wrapping_add_signed(strides[k]);
            sum += f64::from(spread.sent(donor, k)) * cells[donor];
        }
        cells[cell] += sum * unit;
    }
    sums
}

/// Area that drains through each cell, itself included, m2.
pub fn drainage_area(spread: &Spread, order: &Order, like: &Grid<f64>) -> Grid<f64> {
    accumulate_spread(spread, order, &like.like(like.domain().cell_area()))
}

/// The sum of `values` over the outlets, whatever the number of threads.
pub fn at_outlets(directions: &Grid<u8>, values: &Grid<f64>) -> f64 {
    let outlets: Vec<usize> =
        (0..values.domain().len()).into_par_iter().filter(|&i| directions[i] == OUT).collect();
    par::sum(outlets.len(), |place| values[outlets[place]])
}
