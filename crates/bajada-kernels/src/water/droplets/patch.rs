//! A rectangle of ground that a droplet runs on, with exact bookkeeping.
//!
//! Heights are f64 values that are whole multiples of one *quantum*, and so is
//! every amount that moves. As long as they stay below 2^52 quanta, sums and
//! differences of such numbers are exact, whatever their order: matter can be
//! neither made nor lost by rounding, at the speed of plain f64.

use bajada_grid::quantum::Quantum;

use super::brush::Brush;

/// Ground under a droplet: `width` x `height` samples, row by row.
#[derive(Debug)]
pub(super) struct Patch<'a> {
    /// Samples from west to east, at least 2.
    pub(super) width: usize,
    /// Samples from north to south, at least 2.
    pub(super) height: usize,
    /// Heights, m, whole quanta.
    pub(super) bed: &'a mut [f64],
    /// Share of a cut that each cell lets happen; unused unless `VARIED`.
    pub(super) erodibility: &'a [f32],
    /// Share of a layer that each cell accepts; unused unless `VARIED`.
    pub(super) acceptance: &'a [f32],
    /// The quantum of all heights.
    pub(super) quantum: Quantum,
}

/// Height and gradient (rise per cell) at a place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) elevation: f64,
    pub(super) east: f64,
    pub(super) south: f64,
}

/// What one step does to the ground.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stroke {
    /// Middle of the brush, cells.
    pub(super) place: (f64, f64),
    /// Most that may move, m over one cell.
    pub(super) amount: f64,
    /// Height that no cell is cut below, or raised above.
    pub(super) limit: f64,
    /// -1 cuts, 1 lays.
    pub(super) sign: f64,
}

/// The part of a stamp that lies on the patch.
struct Clip {
    /// Columns and rows of the stamp that are used.
    columns: (usize, usize),
    rows: (usize, usize),
    /// Patch column of stamp column 0 and patch row of stamp row 0.
    x: isize,
    y: isize,
}

impl Patch<'_> {
    /// The cell whose square holds (x, y), and where in it.
    #[inline(always)]
    fn split(coordinate: f64, samples: usize) -> (usize, f64) {
        let cell = (coordinate as u32 as usize).min(samples - 2);
        (cell, coordinate - cell as f64)
    }

    /// Index of the sample nearest to (x, y).
    #[inline(always)]
    pub(super) fn nearest(&self, x: f64, y: f64) -> usize {
        let column = ((x + 0.5) as u32 as usize).min(self.width - 1);
        let row = ((y + 0.5) as u32 as usize).min(self.height - 1);
        row * self.width + column
    }

    /// Bilinear height at (x, y), which must lie on the patch.
    #[inline(always)]
    pub(super) fn elevation(&self, x: f64, y: f64) -> f64 {
        let (column, east) = Self::split(x, self.width);
        let (row, south) = Self::split(y, self.height);
        let first = row * self.width + column;
        let north = &self.bed[first..first + 2];
        let below = &self.bed[first + self.width..first + self.width + 2];
        let a = north[0] + (north[1] - north[0]) * east;
        let b = below[0] + (below[1] - below[0]) * east;
        a + (b - a) * south
    }

    /// Bilinear height and a gradient that is continuous across cells: central
    /// differences at the samples, bilinear between them. The gradient of the
    /// bilinear surface itself jumps at cell borders and combs the paths along
    /// the axes.
    #[inline(always)]
    pub(super) fn sample(&self, x: f64, y: f64) -> Place {
        let (column, east) = Self::split(x, self.width);
        let (row, south) = Self::split(y, self.height);
        let inner = column >= 1 && row >= 1 && column + 2 < self.width && row + 2 < self.height;
        if !inner {
            return self.sample_at_rim(column, row, east, south);
        }
        let first = (row - 1) * self.width + column - 1;
        let line = |index: usize| -> [f64; 4] {
            let start = first + index * self.width;
            let cells = &self.bed[start..start + 4];
            [cells[0], cells[1], cells[2], cells[3]]
        };
        place_from([line(0), line(1), line(2), line(3)], east, south)
    }

    /// As [`Patch::sample`] where samples are missing: the surface goes on
    /// straight beyond the rim.
    #[cold]
    fn sample_at_rim(&self, column: usize, row: usize, east: f64, south: f64) -> Place {
        let at = |x: usize, y: usize| self.bed[y * self.width + x];
        let along = |x: isize, y: usize| {
            let last = self.width - 1;
            if x < 0 {
                2.0 * at(0, y) - at(1, y)
            } else if x as usize > last {
                2.0 * at(last, y) - at(last - 1, y)
            } else {
                at(x as usize, y)
            }
        };
        let any = |x: isize, y: isize| {
            let last = self.height - 1;
            if y < 0 {
                2.0 * along(x, 0) - along(x, 1)
            } else if y as usize > last {
                2.0 * along(x, last) - along(x, last - 1)
            } else {
                along(x, y as usize)
            }
        };
        let mut lines = [[0.0; 4]; 4];
        for (j, line) in lines.iter_mut().enumerate() {
            for (i, cell) in line.iter_mut().enumerate() {
                *cell = any((column + i) as isize - 1, (row + j) as isize - 1);
            }
        }
        place_from(lines, east, south)
    }

    /// Moves up to `stroke.amount` between the ground around a place and a
    /// load: each cell gives or takes its share of the stamp, scaled by how far
    /// it yields or accepts, and none passes `stroke.limit`. Returns what was
    /// moved, >= 0.
    ///
    /// Cutting and laying are one piece of code without a branch between them:
    /// which of the two a step does is close to a coin toss, and a processor
    /// that guesses wrong pays as much as the whole stroke.
    #[inline(always)]
    pub(super) fn apply<const VARIED: bool>(&mut self, brush: &Brush, stroke: &Stroke) -> f64 {
        let (column, east) = Self::split(stroke.place.0, self.width);
        let (row, south) = Self::split(stroke.place.1, self.height);
        let stamp = brush.stamp(east, south);
        let quantum = self.quantum;
        let Stroke { amount, limit, sign, .. } = *stroke;
        let part = |elevation: f64, weight: f64| {
            let wanted = amount * weight;
            let room = sign * (limit - elevation);
            let room = if room > 0.0 { room } else { 0.0 };
            quantum.below(if wanted < room { wanted } else { room })
        };
        let shares = if sign < 0.0 { self.erodibility } else { self.acceptance };
        let mut moved = 0.0;
        let inner = column >= brush.before
            && row >= brush.before
            && column - brush.before + brush.side <= self.width
            && row - brush.before + brush.side <= self.height;
        if inner {
            let mut start = (row - brush.before) * self.width + column - brush.before;
            for weights in stamp.chunks_exact(brush.side) {
                let cells = &mut self.bed[start..start + brush.side];
                let shares = if VARIED { &shares[start..start + brush.side] } else { shares };
                let (pairs, _) = cells.as_chunks_mut::<2>();
                let (weights, _) = weights.as_chunks::<2>();
                let (shares, _) = shares.as_chunks::<2>();
                for (index, (pair, weight)) in pairs.iter_mut().zip(weights).enumerate() {
                    let mut weight = *weight;
                    if VARIED {
                        let share = shares[index];
                        weight = [weight[0] * f64::from(share[0]), weight[1] * f64::from(share[1])];
                    }
                    let parts = [part(pair[0], weight[0]), part(pair[1], weight[1])];
                    *pair = [pair[0] + sign * parts[0], pair[1] + sign * parts[1]];
                    moved += parts[0] + parts[1];
                }
                start += self.width;
            }
            return moved;
        }
        let clip = self.clip(brush, column, row);
        let (from, to) = clip.columns;
        for line in clip.rows.0..clip.rows.1 {
            let weights = &stamp[line * brush.side + from..line * brush.side + to];
            let start = (clip.y + line as isize) * self.width as isize + clip.x + from as isize;
            for (index, weight) in (start as usize..).zip(weights) {
                let share = if VARIED { f64::from(shares[index]) } else { 1.0 };
                let part = part(self.bed[index], weight * share);
                self.bed[index] += sign * part;
                moved += part;
            }
        }
        moved
    }

    #[inline(always)]
    fn clip(&self, brush: &Brush, column: usize, row: usize) -> Clip {
        let part = |cell: usize, samples: usize| {
            let from = brush.before.saturating_sub(cell);
            (from, brush.side.min(samples + brush.before - cell))
        };
        Clip {
            columns: part(column, self.width),
            rows: part(row, self.height),
            x: column as isize - brush.before as isize,
            y: row as isize - brush.before as isize,
        }
    }
}

#[inline(always)]
fn place_from(lines: [[f64; 4]; 4], east: f64, south: f64) -> Place {
    let mix = |a: f64, b: f64, t: f64| a + (b - a) * t;
    let [north, upper, lower, below] = lines;
    let across = |line: [f64; 4]| mix(line[2] - line[0], line[3] - line[1], east);
    let down = |i: usize| mix(lower[i] - north[i], below[i] - upper[i], south);
    Place {
        elevation: mix(mix(upper[1], upper[2], east), mix(lower[1], lower[2], east), south),
        east: 0.5 * mix(across(upper), across(lower), south),
        south: 0.5 * mix(down(1), down(2), east),
    }
}
