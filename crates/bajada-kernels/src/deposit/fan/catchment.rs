//! Whose water each cell is.

use bajada_grid::{Grid, par};

use crate::deposit::apices::Apex;
use crate::flow::{self, OUT, Order, Outlets, strides, toward};

/// Way of the water, and the apex that each cell drains to.
#[derive(Clone, Debug)]
pub(super) struct Catchments {
    /// Where each cell drains to.
    pub directions: Grid<u8>,
    /// From ridges to outlets.
    pub order: Order,
    /// The first apex downstream, counted from 1 in the order of the apices;
    /// 0 where there is none. An apex belongs to itself.
    pub labels: Grid<u32>,
    /// Label of the next apex below each apex.
    below: Vec<u32>,
    /// Cells of each label.
    counts: Vec<usize>,
    /// Drainage area by steepest descent that spreads, m2; how far the water
    /// has come, over the cell size.
    pub area: Grid<f64>,
}

/// Routes the water of `ground` and finds who drains to which of `apices`.
pub(super) fn catchments(ground: &Grid<f64>, apices: &[Apex]) -> Catchments {
    let outlets = Outlets::at_edge(ground);
    let basins = flow::basins(ground, &outlets);
    let filled = basins.fill(ground);
    let flats = flow::flats::directions(&filled, &outlets);
    let spread = flow::mfd::spread(&filled, &flats, flow::mfd::FREEMAN);
    let area = flow::drainage_area(&spread, &Order::of_spread(&spread, &filled), &filled);
    let directions = basins.carve(&outlets);
    let order = Order::of_tree(&directions);
    let strides = strides(ground.domain());
    let mut labels = ground.like(0_u32);
    for (place, apex) in apices.iter().enumerate() {
        labels[apex.cell] = place as u32 + 1;
    }
    let mut below = vec![0; apices.len() + 1];
    let mut counts = vec![0; apices.len() + 1];
    for cell in order.upstream() {
        let from = match directions[cell] {
            OUT => 0,
            direction => labels[toward(cell, direction, &strides)],
        };
        if labels[cell] == 0 {
            labels[cell] = from;
        } else {
            below[labels[cell] as usize] = from;
        }
        counts[labels[cell] as usize] += 1;
    }
    Catchments { directions, order, labels, below, counts, area }
}

impl Catchments {
    /// Whether the water of `cell` passes the apex of `label`.
    pub(super) fn drains_through(&self, cell: usize, label: u32) -> bool {
        let mut at = self.labels[cell];
        // Labels below have apices further down: the chain ends.
        while at != label && at != 0 {
            at = self.below[at as usize];
        }
        at == label
    }

    /// How many apices there are.
    pub(super) fn apices(&self) -> usize {
        self.counts.len() - 1
    }

    /// Cells of a label, without those of apices above it.
    pub(super) fn cells(&self, label: u32) -> usize {
        self.counts[label as usize]
    }

    /// The cells downstream of `cell`, itself first.
    pub(super) fn channel(&self, cell: usize) -> impl Iterator<Item = usize> + '_ {
        let strides = strides(self.directions.domain());
        std::iter::successors(Some(cell), move |&cell| {
            let direction = self.directions[cell];
            (direction < OUT).then(|| toward(cell, direction, &strides))
        })
    }
}

/// `value(cell)` summed over the cells of each label, in fixed order.
pub(super) fn sums_by_label(
    labels: &Grid<u32>,
    count: usize,
    value: impl Fn(usize) -> f64 + Sync,
) -> Vec<f64> {
    use rayon::prelude::*;
    let len = labels.domain().len();
    let blocks: Vec<Vec<(u32, f64)>> = (0..len.div_ceil(par::BLOCK))
        .into_par_iter()
        .map(|block| {
            let mut sums: Vec<(u32, f64)> = Vec::new();
            for cell in block * par::BLOCK..len.min((block + 1) * par::BLOCK) {
                let label = labels[cell];
                if label == 0 {
                    continue;
                }
                match sums.iter_mut().rev().find(|entry| entry.0 == label) {
                    Some(entry) => entry.1 += value(cell),
                    None => sums.push((label, value(cell))),
                }
            }
            sums
        })
        .collect();
    let mut sums = vec![0.0; count + 1];
    for (label, sum) in blocks.into_iter().flatten() {
        sums[label as usize] += sum;
    }
    sums
}
