//! What each level books, and the one account of them all.

use bajada_grid::{Grid, Ledger, par};

use super::course::Course;
use super::frame::Frame;

/// Matter moved on one level, as thickness summed over its cells, m.
#[derive(Clone, Copy, Debug)]
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
    /// What all before and on this level was scaled by.
    pub scaled: f64,
    /// How the relief grew.
    pub course: Course,
}

impl Pages {
    /// Nothing booked yet on a level of so many `cells`.
    pub(super) fn new(cells: f64) -> Self {
        Self {
            brought_in: 0.0,
            eroded: 0.0,
            deposited: 0.0,
            exported: 0.0,
            shaped: 0.0,
            cells,
            raised: 0.0,
            scaled: 1.0,
            course: Course::default(),
        }
    }

    /// What would have been booked at an uplift `factor` times as fast.
    pub(super) fn scale(&mut self, factor: f64) {
        self.brought_in *= factor;
        self.eroded *= factor;
        self.deposited *= factor;
        self.exported *= factor;
        self.raised *= factor;
        self.scaled *= factor;
    }
}

/// The account of the whole run: mean thicknesses over the map, m.
#[derive(Clone, Copy, Debug)]
pub(super) struct Book {
    sums: Ledger,
    volume: f64,
    /// Mean elevation of the map at the start.
    start: f64,
}

impl Book {
    /// An empty account for a map.
    pub(super) fn new(map: &Grid<f64>) -> Self {
        let domain = map.domain();
        let volume = domain.cell_area() * domain.len() as f64;
        let start = par::sum(domain.len(), |index| map[index]) / domain.len() as f64;
        Self { sums: Ledger::default(), volume, start }
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

    /// Enters that what had risen above the ground at the `start`, on the lattice
    /// of a level, and above its subsidence (the mean of which is `fallen`) came
    /// to be scaled by `factor` on that level.
    ///
    /// What the start loses to resampling and to subsidence is scaled by nothing;
    /// the rest of what was shaped, with all else.
    pub(super) fn scale(&mut self, factor: f64, frame: &Frame, start: &Grid<f64>, fallen: f64) {
        let of_start = (mean(frame, start) - self.start) - fallen;
        let sums = &mut self.sums;
        sums.brought_in *= factor;
        sums.eroded *= factor;
        sums.deposited *= factor;
        sums.exported *= factor;
        sums.shaped = of_start + factor * (sums.shaped - of_start);
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
