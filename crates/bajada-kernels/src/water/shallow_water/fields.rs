//! What is known of every cell while water runs, with a ring of ghosts around.

use std::ops::Range;

/// Height of a wall, m: more than any water, less than f32 holds.
pub(super) const WALL: f64 = 1e30;

/// The state of a map or of a part of it, row by row. Cells of a map's outer
/// ring stand still: they are what lies beyond its edge. `bed`, `water`,
/// `suspended` and `loose` are whole quanta, so that sums of them are exact.
#[derive(Clone, Debug, Default)]
pub(super) struct Fields {
    pub(super) width: usize,
    pub(super) height: usize,
    /// Elevation of the ground, m.
    pub(super) bed: Vec<f64>,
    /// Depth of the water, m.
    pub(super) water: Vec<f64>,
    /// Carried by the water, as thickness over the cell, m.
    pub(super) suspended: Vec<f64>,
    /// Loose on the rock, m.
    pub(super) loose: Vec<f64>,
    /// Unit discharge to the next cell east, m2/s.
    pub(super) east: Vec<f32>,
    /// Unit discharge to the next cell south, m2/s.
    pub(super) south: Vec<f32>,
    /// What the current could cut of the softest ground in a step, m.
    pub(super) cut: Vec<f32>,
    /// How readily the rock yields, 0..1.
    pub(super) rock: Vec<f32>,
    /// Share of all changes that the ground takes, 0..1.
    pub(super) free: Vec<f32>,
    /// m/s.
    pub(super) rain: Vec<f32>,
}

impl Fields {
    /// Nothing but zeros.
    pub(super) fn new(width: usize, height: usize) -> Self {
        let len = width * height;
        Self {
            width,
            height,
            bed: vec![0.0; len],
            water: vec![0.0; len],
            suspended: vec![0.0; len],
            loose: vec![0.0; len],
            east: vec![0.0; len],
            south: vec![0.0; len],
            cut: vec![0.0; len],
            rock: vec![0.0; len],
            free: vec![0.0; len],
            rain: vec![0.0; len],
        }
    }

    /// The cells of row `y` in `columns`.
    pub(super) fn span(&self, y: usize, columns: &Range<usize>) -> Range<usize> {
        y * self.width + columns.start..y * self.width + columns.end
    }

    /// Unit discharge through a cell, from the squares of those over its faces,
    /// m2/s. The cell is none of the ring.
    pub(super) fn current(&self, cell: usize) -> f64 {
        let mean =
            |a: f32, b: f32| 0.5 * (f64::from(a) * f64::from(a) + f64::from(b) * f64::from(b));
        let across = mean(self.east[cell - 1], self.east[cell]);
        (across + mean(self.south[cell - self.width], self.south[cell])).sqrt()
    }

    /// Takes over the part of `whole` that begins at `[row, column]`; what never
    /// changes only if `still` says so.
    pub(super) fn load(&mut self, whole: &Self, [row, column]: [usize; 2], still: bool) {
        for y in 0..self.height {
            let from = whole.span(row + y, &(column..column + self.width));
            let to = self.span(y, &(0..self.width));
            self.bed[to.clone()].copy_from_slice(&whole.bed[from.clone()]);
            self.water[to.clone()].copy_from_slice(&whole.water[from.clone()]);
            self.suspended[to.clone()].copy_from_slice(&whole.suspended[from.clone()]);
            self.loose[to.clone()].copy_from_slice(&whole.loose[from.clone()]);
            self.east[to.clone()].copy_from_slice(&whole.east[from.clone()]);
            self.south[to.clone()].copy_from_slice(&whole.south[from.clone()]);
            self.cut[to.clone()].copy_from_slice(&whole.cut[from.clone()]);
            if still {
                self.rock[to.clone()].copy_from_slice(&whole.rock[from.clone()]);
                self.free[to.clone()].copy_from_slice(&whole.free[from.clone()]);
                self.rain[to].copy_from_slice(&whole.rain[from]);
            }
        }
    }
}
