//! A rectangle of ground that droplets run on: what it looks like from a
//! place, and strokes of the brush with exact bookkeeping.
//!
//! Heights are whole quanta and what moves is added to one side and taken from
//! the other: nothing is made or lost. Differences of heights near each other
//! are all that a droplet sees, and those fit f32.

use super::brush::{Brush, LANE};
use super::run::{Each, LANES};
use super::scale::{CELL_LIMIT, nearest};

/// Ground under droplets: `width` x `height` samples, row by row.
#[derive(Debug)]
pub(super) struct Patch<'a> {
    /// Samples from west to east, at least 2.
    pub(super) width: usize,
    /// Samples from north to south, at least 2.
    pub(super) height: usize,
    /// Heights, quanta.
    pub(super) bed: &'a mut [i32],
    /// Share of a cut that each cell lets happen; unused unless `VARIED`.
    pub(super) erodibility: &'a [f32],
    /// Share of a layer that each cell accepts; unused unless `VARIED`.
    pub(super) acceptance: &'a [f32],
}

/// Ground at a place: height above `base` and gradient (rise per cell), quanta.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) base: i32,
    pub(super) above: f32,
    pub(super) east: f32,
    pub(super) south: f32,
}

/// What one step does to the ground.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stroke {
    /// Cell that the middle of the brush lies in, and the stamp for where.
    pub(super) column: usize,
    pub(super) row: usize,
    pub(super) stamp: usize,
    /// Most that may move, quanta over one cell.
    pub(super) amount: f32,
    /// Height that no cell is cut below, or raised above, quanta.
    pub(super) limit: i32,
}

/// The cells that hold the places of droplets side by side, and where in them
/// they lie.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spots {
    pub(super) column: Each<i32>,
    pub(super) row: Each<i32>,
    pub(super) east: Each<f32>,
    pub(super) south: Each<f32>,
}

/// The cell whose square holds a coordinate, and where in it. On a line between
/// two cells it may be either.
#[inline(always)]
fn split(coordinate: f32, samples: usize) -> (usize, f32) {
    let cell = nearest(coordinate - 0.5).max(0).min(samples as i32 - 2);
    (cell as usize, coordinate - cell as f32)
}

impl Patch<'_> {
    /// Index of the sample nearest to (x, y).
    #[inline(always)]
    pub(super) fn nearest(&self, x: f32, y: f32) -> usize {
        let column = nearest(x).clamp(0, self.width as i32 - 1) as usize;
        let row = nearest(y).clamp(0, self.height as i32 - 1) as usize;
        row * self.width + column
    }

    /// Bilinear height at (x, y), which must lie on the patch, above `base`.
    #[inline(always)]
    pub(super) fn above(&self, base: i32, x: f32, y: f32) -> f32 {
        let (column, east) = split(x, self.width);
        let (row, south) = split(y, self.height);
        let first = row * self.width + column;
        let north = &self.bed[first..first + 2];
        let below = &self.bed[first + self.width..first + self.width + 2];
        let above = |height: i32| height.wrapping_sub(base) as f32;
        let a = mix(above(north[0]), above(north[1]), east);
        let b = mix(above(below[0]), above(below[1]), east);
        mix(a, b, south)
    }

    /// Splits the places of droplets side by side.
    #[inline(always)]
    pub(super) fn spots(&self, x: &Each<f32>, y: &Each<f32>) -> Spots {
        let (x, y) = (*x, *y);
        let (last_column, last_row) = (self.width as i32 - 2, self.height as i32 - 2);
        let (mut column, mut row) = ([0; LANES], [0; LANES]);
        let (mut east, mut south) = ([0.0; LANES], [0.0; LANES]);
        for lane in 0..LANES {
            column[lane] = nearest(x[lane] - 0.5).max(0).min(last_column);
            row[lane] = nearest(y[lane] - 0.5).max(0).min(last_row);
            east[lane] = x[lane] - column[lane] as f32;
            south[lane] = y[lane] - row[lane] as f32;
        }
        Spots { column, row, east, south }
    }

    /// Heights at the corners of a cell: two in the north, two in the south.
    #[inline(always)]
    pub(super) fn corners(&self, column: i32, row: i32) -> [[i32; 2]; 2] {
        let cells = &self.bed[row as usize * self.width + column as usize..];
        let below = &cells[self.width..];
        [[cells[0], cells[1]], [below[0], below[1]]]
    }

    /// Height of a cell's sample, and above it those of the 4 x 4 samples
    /// around it. A gradient of central differences at the samples, bilinear
    /// between them, is continuous across cells; that of the bilinear surface
    /// itself jumps at their borders and combs the paths along the axes.
    #[inline(always)]
    pub(super) fn around(&self, column: i32, row: i32) -> (i32, [[f32; 4]; 4]) {
        let (column, row) = (column as usize, row as usize);
        let inner = column >= 1 && row >= 1 && column + 2 < self.width && row + 2 < self.height;
        if !inner {
            return self.around_at_rim(column, row);
        }
        let first = (row - 1) * self.width + column - 1;
        let mut rest = &self.bed[first..];
        let mut lines = [[0; 4]; 4];
        for (index, line) in lines.iter_mut().enumerate() {
            let cells = &rest[..4];
            *line = [cells[0], cells[1], cells[2], cells[3]];
            if index < 3 {
                rest = &rest[self.width..];
            }
        }
        let base = lines[1][1];
        (base, lines.map(|line| line.map(|height| height.wrapping_sub(base) as f32)))
    }

    /// As [`Patch::around`] where samples are missing: the surface goes on
    /// straight beyond the rim.
    #[cold]
    fn around_at_rim(&self, column: usize, row: usize) -> (i32, [[f32; 4]; 4]) {
        let base = self.bed[row * self.width + column];
        let at = |x: usize, y: usize| self.bed[y * self.width + x].wrapping_sub(base) as f32;
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
        (base, lines)
    }

    /// Moves up to `stroke.amount` between the ground around a place and a
    /// load: each cell gives (`CUT`) or takes its share of the stamp, scaled by
    /// how far it yields or accepts, and none passes `stroke.limit`. Returns
    /// what the ground gained, quanta: not above 0 when it is cut, not below 0
    /// when it is laid on.
    #[inline(always)]
    pub(super) fn apply<const VARIED: bool, const CUT: bool>(
        &mut self,
        brush: &Brush,
        stroke: &Stroke,
    ) -> i32 {
        let stamp = brush.stamp(stroke.stamp);
        // Both wrap, to no place at all, where the stamp begins beyond the patch.
        let west = stroke.column.wrapping_sub(brush.before);
        let north = stroke.row.wrapping_sub(brush.before);
        let inner = west.saturating_add(brush.rows) <= self.width
            && north.saturating_add(brush.rows) <= self.height;
        let start = north.wrapping_mul(self.width).wrapping_add(west);
        let end = start.wrapping_add((brush.rows - 1) * self.width + brush.columns);
        if !inner || end > self.bed.len() {
            return self.apply_at_rim::<VARIED, CUT>(brush, stroke);
        }
        match brush.columns / LANE {
            1 => self.paint::<VARIED, CUT, 1>(stamp, stroke, start),
            2 => self.paint::<VARIED, CUT, 2>(stamp, stroke, start),
            3 => self.paint::<VARIED, CUT, 3>(stamp, stroke, start),
            _ => {
                let lanes = brush.columns / LANE;
                let mut gained = 0;
                for (line, weights) in stamp.chunks_exact(lanes).enumerate() {
                    for (lane, weights) in weights.chunks_exact(1).enumerate() {
                        let place = start + line * self.width + lane * LANE;
                        gained += self.paint::<VARIED, CUT, 1>(weights, stroke, place);
                    }
                }
                gained
            }
        }
    }

    /// Applies a stamp whose rows have `LANES` lanes, the first at `start`.
    #[inline(always)]
    fn paint<const VARIED: bool, const CUT: bool, const LANES: usize>(
        &mut self,
        stamp: &[[f32; LANE]],
        stroke: &Stroke,
        start: usize,
    ) -> i32 {
        let amount = if CUT { -stroke.amount } else { stroke.amount };
        let limit = stroke.limit;
        let mut shares: &[f32] = &[];
        if VARIED {
            shares = &(if CUT { self.erodibility } else { self.acceptance })[start..];
        }
        let mut gained = [0_i32; LANE];
        let width = self.width;
        let mut rest = &mut self.bed[start..];
        for weights in stamp.as_chunks::<LANES>().0 {
            let (cells, _) = rest[..LANES * LANE].as_chunks_mut::<LANE>();
            for lane in 0..LANES {
                let mut wanted = weights[lane].map(|weight| amount * weight);
                if VARIED {
                    let shares = &shares[..LANES * LANE].as_chunks::<LANE>().0[lane];
                    for i in 0..LANE {
                        wanted[i] *= shares[i];
                    }
                }
                let parts = parts::<CUT>(cells[lane], wanted, limit);
                for i in 0..LANE {
                    cells[lane][i] = cells[lane][i].wrapping_add(parts[i]);
                }
                for i in 0..LANE {
                    gained[i] = gained[i].wrapping_add(parts[i]);
                }
            }
            rest = rest.get_mut(width..).unwrap_or_default();
            if VARIED {
                shares = shares.get(width..).unwrap_or_default();
            }
        }
        gained.iter().fold(0, |sum, part| sum.wrapping_add(*part))
    }

    /// Puts all of `load` (quanta over one cell) down around a place, if that is
    /// at most a `share` of the room under `ceiling`; each cell takes its part of
    /// it by its room and by its weight. Returns what was put down: all or
    /// nothing.
    #[inline(always)]
    pub(super) fn fill<const VARIED: bool>(
        &mut self,
        brush: &Brush,
        (x, y): (f32, f32),
        ceiling: i32,
        share: f32,
        load: i32,
    ) -> i32 {
        let (column, east) = split(x, self.width);
        let (row, south) = split(y, self.height);
        let inner = column >= brush.before
            && row >= brush.before
            && column - brush.before + brush.span <= self.width
            && row - brush.before + brush.rows <= self.height;
        let start =
            (row.saturating_sub(brush.before)) * self.width + column.saturating_sub(brush.before);
        let inner =
            inner && start + (brush.rows - 1) * self.width + brush.columns <= self.bed.len();
        let middle = self.nearest(x, y);
        if !inner || (VARIED && self.acceptance[middle] <= 0.0) {
            return 0;
        }
        let stamp = brush.stamp(brush.stamp_at(east, south));
        let lanes = brush.columns / LANE;
        let mut rooms = [0.0; 4];
        for (line, weights) in stamp.chunks_exact(lanes).enumerate() {
            let first = start + line * self.width;
            let (cells, _) = self.bed[first..first + brush.columns].as_chunks::<LANE>();
            let (shares, _) = if VARIED {
                self.acceptance[first..first + brush.columns].as_chunks::<LANE>()
            } else {
                self.acceptance.as_chunks::<LANE>()
            };
            for (lane, weights) in weights.iter().enumerate() {
                let shares = if VARIED { shares[lane] } else { [1.0; LANE] };
                let depths = depths(cells[lane], *weights, shares, ceiling);
                // Four sums, in the order of the cells: a constant of the
                // *results*.
                for four in depths.as_chunks::<4>().0 {
                    for i in 0..4 {
                        rooms[i] += four[i];
                    }
                }
            }
        }
        let room = (rooms[0] + rooms[1]) + (rooms[2] + rooms[3]);
        // The heaviest cell counts in full.
        if load as f32 > share * brush.most * room {
            return 0;
        }
        let part_of_room = load as f32 / room;
        let mut placed = [0_i32; LANE];
        for (line, weights) in stamp.chunks_exact(lanes).enumerate() {
            let first = start + line * self.width;
            let (cells, _) = self.bed[first..first + brush.columns].as_chunks_mut::<LANE>();
            let (shares, _) = if VARIED {
                self.acceptance[first..first + brush.columns].as_chunks::<LANE>()
            } else {
                self.acceptance.as_chunks::<LANE>()
            };
            for (lane, weights) in weights.iter().enumerate() {
                let shares = if VARIED { shares[lane] } else { [1.0; LANE] };
                let depths = depths(cells[lane], *weights, shares, ceiling);
                let parts = depths.map(|depth| nearest(least(depth * part_of_room, CELL_LIMIT)));
                for i in 0..LANE {
                    cells[lane][i] = cells[lane][i].wrapping_add(parts[i]);
                }
                for i in 0..LANE {
                    placed[i] = placed[i].wrapping_add(parts[i]);
                }
            }
        }
        // What rounding kept back or laid too much: half a quantum a cell.
        let placed = placed.iter().fold(0_i32, |sum, part| sum.wrapping_add(*part));
        let rest = load.wrapping_sub(placed);
        self.bed[middle] = self.bed[middle].wrapping_add(rest);
        load
    }

    /// As [`Patch::apply`] where a part of the stamp lies beyond the patch.
    #[cold]
    fn apply_at_rim<const VARIED: bool, const CUT: bool>(
        &mut self,
        brush: &Brush,
        stroke: &Stroke,
    ) -> i32 {
        let amount = if CUT { -stroke.amount } else { stroke.amount };
        let (column, row) = (stroke.column, stroke.row);
        let stamp = brush.stamp(stroke.stamp).as_flattened();
        let part_of = |cell: usize, cells: usize, samples: usize| {
            (brush.before.saturating_sub(cell), cells.min(samples + brush.before - cell))
        };
        let (west, east) = part_of(column, brush.columns, self.width);
        let (north, south) = part_of(row, brush.rows, self.height);
        let mut gained = 0;
        for line in north..south {
            let start = (row + line - brush.before) * self.width + column;
            for place in west..east {
                let index = start + place - brush.before;
                let share = if !VARIED {
                    1.0
                } else if CUT {
                    self.erodibility[index]
                } else {
                    self.acceptance[index]
                };
                let wanted = amount * stamp[line * brush.columns + place] * share;
                let [part, ..] =
                    parts::<CUT>([self.bed[index]; LANE], [wanted; LANE], stroke.limit);
                self.bed[index] += part;
                gained += part;
            }
        }
        gained
    }
}

/// What cells of `heights` gain of the `wanted` amounts, quanta, if they may not
/// pass `limit`. Written a stage at a time, for four cells an instruction.
#[inline(always)]
fn parts<const CUT: bool>(heights: [i32; LANE], wanted: [f32; LANE], limit: i32) -> [i32; LANE] {
    let room = heights.map(|height| limit.wrapping_sub(height) as f32);
    let mut parts = [0.0; LANE];
    for i in 0..LANE {
        // What is wanted has the sign of `CUT`; so must be what is moved.
        let beyond = if CUT { room[i] > wanted[i] } else { room[i] < wanted[i] };
        parts[i] = if beyond { room[i] } else { wanted[i] };
    }
    for part in &mut parts {
        let counter = if CUT { *part > 0.0 } else { *part < 0.0 };
        *part = if counter { 0.0 } else { *part };
    }
    parts.map(nearest)
}

/// Room under `ceiling`, by weight and share.
#[inline(always)]
fn depths(
    heights: [i32; LANE],
    weights: [f32; LANE],
    shares: [f32; LANE],
    ceiling: i32,
) -> [f32; LANE] {
    let mut depths = heights.map(|height| ceiling.wrapping_sub(height) as f32);
    for depth in &mut depths {
        *depth = if *depth > 0.0 { *depth } else { 0.0 };
    }
    for i in 0..LANE {
        depths[i] *= weights[i] * shares[i];
    }
    depths
}

#[inline(always)]
fn least(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

#[inline(always)]
pub(super) fn mix(a: f32, b: f32, t: f32) -> f32 {
    a + (b - a) * t
}
