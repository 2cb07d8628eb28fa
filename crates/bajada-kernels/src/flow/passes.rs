//! The lowest pass between each two basins that touch.

use bajada_grid::{Grid, math};
use rayon::prelude::*;

use super::{Outlets, strides};

/// A step from one basin into another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Pass {
    /// The two basins, the lesser first.
    pub basins: [u32; 2],
    /// The cell on either side, in the order of `basins`.
    pub cells: [u32; 2],
    /// The higher of the two cells, m.
    pub height: f64,
}

impl Pass {
    fn key(&self) -> (u32, u32) {
        let [a, b] = self.cells;
        (math::min(a, b), math::max(a, b))
    }

    /// Order by height, then by cells: no two passes are equal.
    pub(crate) fn order(&self, other: &Self) -> std::cmp::Ordering {
        (self.height + 0.0)
            .total_cmp(&(other.height + 0.0))
            .then_with(|| self.key().cmp(&other.key()))
    }
}

/// The lowest pass of each pair met so far: a table with open addressing,
/// whose content does not depend on the order of the insertions.
#[derive(Default)]
struct Table {
    passes: Vec<Pass>,
    /// 1 + place in `passes`; 0 is free. The length is a power of two.
    slots: Vec<u32>,
}

impl Table {
    fn slot(&self, basins: [u32; 2]) -> usize {
        let mask = self.slots.len() - 1;
        let pair = (u64::from(basins[0]) << 32) | u64::from(basins[1]);
        let mut slot = (pair.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize & mask;
        loop {
            match self.slots[slot] {
                0 => return slot,
                held if self.passes[held as usize - 1].basins == basins => return slot,
                _ => slot = (slot + 1) & mask,
            }
        }
    }

    fn insert(&mut self, pass: Pass) {
        if self.slots.len() < 2 * (self.passes.len() + 1) {
            self.slots = vec![0; math::max(64, 4 * self.slots.len())];
            for index in 0..self.passes.len() {
                let slot = self.slot(self.passes[index].basins);
                self.slots[slot] = index as u32 + 1;
            }
        }
        let slot = self.slot(pass.basins);
        match self.slots[slot] {
            0 => {
                self.passes.push(pass);
                self.slots[slot] = self.passes.len() as u32;
            }
            held => {
                let held = &mut self.passes[held as usize - 1];
                if pass.order(held).is_lt() {
                    *held = pass;
                }
            }
        }
    }
}

/// Rows that one task looks through.
const ROWS: usize = 32;

/// The lowest pass of each pair of basins that touch, lowest first.
pub(crate) fn lowest_passes(
    heights: &Grid<f64>,
    labels: &Grid<u32>,
    outlets: &Outlets,
) -> Vec<Pass> {
    let (width, height) = (heights.width(), heights.height());
    let strides = strides(heights.domain());
    let tables: Vec<Table> = (0..height.div_ceil(ROWS))
        .into_par_iter()
        .map(|block| {
            let mut table = Table::default();
            let mut look = |here: usize, there: usize| {
                let (a, b) = (labels[here], labels[there]);
                if a == b || outlets.is_wall(here) || outlets.is_wall(there) {
                    return;
                }
                let height = math::max(heights[here], heights[there]);
                let (here, there) = (here as u32, there as u32);
                table.insert(if a < b {
                    Pass { basins: [a, b], cells: [here, there], height }
                } else {
                    Pass { basins: [b, a], cells: [there, here], height }
                });
            };
            for y in block * ROWS..height.min((block + 1) * ROWS) {
                for x in 0..width {
                    let here = y * width + x;
                    let (west, east, south) = (x > 0, x + 1 < width, y + 1 < height);
                    for (there, on_map) in
                        [(4, east), (5, south && west), (6, south), (7, south && east)]
                    {
                        if on_map {
                            look(here, here.wrapping_add_signed(strides[there]));
                        }
                    }
                }
            }
            table
        })
        .collect();
    let mut tables = tables.into_iter();
    let mut whole = tables.next().unwrap_or_default();
    for pass in tables.flat_map(|table| table.passes) {
        whole.insert(pass);
    }
    let mut passes = whole.passes;
    passes.par_sort_unstable_by(Pass::order);
    passes
}
