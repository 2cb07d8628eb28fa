//! What each level books, and the one account of them all.

use bajada_grid::{Grid, Ledger, par};

use super::course::Course;
use super::frame::Frame;

/// Matter moved on one level, as thickness summed over its cells, m.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Pages {
    pub brought_in: f64,
    pub eroded: f64,
    pub deposited: f64,
    pub exported: f64,
    /// Moved without a cause on the map: subsidence, < 0.
    pub shaped: f64,
    /// Cells of the map on this level.
    pub cells: f64,
    /// How far ground with a share of 1 has risen, m.
    pub raised: f64,
    /// How the relief grew.
    pub course: Course,
}

impl Pages {
    /// What would have been booked at an uplift `factor` times as fast.
    pub(super) fn scale(&mut self, factor: f64) {
        self.brought_in *= factor;
        self.eroded *= factor;
        self.deposited *= factor;
        self.exported *= factor;
        self.raised *= factor;
    }
}

/// The account of the whole run: mean thicknesses over the map, m.
#[derive(Clone, Copy, Debug)]
pub(super) struct Book {
    sums: Ledger,
    volume: f64,
}

impl Book {
    /// An empty account for a map.
    pub(super) fn new(map: &Grid<f64>) -> Self {
        let domain = map.domain();
        Self { sums: Ledger::default(), volume: domain.cell_area() * domain.len() as f64 }
    }

    /// Enters a level.
    pub(super) fn add(&mut self, pages: &Pages) {
        let mean = |sum: f64| sum / pages.cells;
        self.sums.brought_in += mean(pages.brought_in);
        self.sums.eroded += mean(pages.eroded);
        self.sums.deposited += mean(pages.deposited);
        self.sums.exported += mean(pages.exported);
        self.sums.shaped += mean(pages.shaped);
    }

    /// Enters what another lattice makes of the same ground.
    pub(super) fn resampled(&mut self, frame: &Frame, before: &Grid<f64>, after: &Grid<f64>) {
        if before.domain() != after.domain() {
            self.sums.shaped += mean(frame, after) - mean(frame, before);
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

/// Mean over the cells of the map, without its margin.
fn mean(frame: &Frame, heights: &Grid<f64>) -> f64 {
    let (counted, len) = (frame.counted(heights), heights.domain().len());
    let sum = |term: &(dyn Fn(usize) -> f64 + Sync)| {
        par::sum(len, |index| if counted[index] { term(index) } else { 0.0 })
    };
    sum(&|index| heights[index]) / sum(&|_| 1.0)
}
