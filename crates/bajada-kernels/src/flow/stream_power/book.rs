//! What each level books, and the one account of them all.

use bajada_grid::{Domain, Grid, Ledger, par};

/// Matter moved on one level, as thickness summed over its cells, m.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Pages {
    pub brought_in: f64,
    pub eroded: f64,
    pub deposited: f64,
    pub exported: f64,
    /// Cells of the level.
    pub cells: usize,
}

/// The account of the whole run: mean thicknesses over the map, m.
#[derive(Clone, Copy, Debug)]
pub(super) struct Book {
    sums: Ledger,
    volume: f64,
}

impl Book {
    /// An empty account for a map on `domain`.
    pub(super) fn new(domain: &Domain) -> Self {
        Self { sums: Ledger::default(), volume: domain.cell_area() * domain.len() as f64 }
    }

    /// Enters a level.
    pub(super) fn add(&mut self, pages: &Pages) {
        let mean = |sum: f64| sum / pages.cells as f64;
        self.sums.brought_in += mean(pages.brought_in);
        self.sums.eroded += mean(pages.eroded);
        self.sums.deposited += mean(pages.deposited);
        self.sums.exported += mean(pages.exported);
    }

    /// Enters what another lattice makes of the same ground.
    pub(super) fn resampled(&mut self, before: &Grid<f64>, after: &Grid<f64>) {
        if before.domain() != after.domain() {
            self.sums.shaped += mean(after) - mean(before);
        }
    }

    /// The account in m3.
    pub(super) fn ledger(&self) -> Ledger {
        Ledger {
            brought_in: self.sums.brought_in * self.volume,
            eroded: self.sums.eroded * self.volume,
            deposited: self.sums.deposited * self.volume,
            exported: self.sums.exported * self.volume,
            shaped: self.sums.shaped * self.volume,
            ..Ledger::default()
        }
    }
}

fn mean(heights: &Grid<f64>) -> f64 {
    let len = heights.domain().len();
    par::sum(len, |index| heights[index]) / len as f64
}
