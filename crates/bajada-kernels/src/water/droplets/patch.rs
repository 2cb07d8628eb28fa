//! A rectangle of ground that droplets run on: what it looks like from a
//! place, and strokes of the brush with exact bookkeeping.
//!
//! Heights are whole quanta and what moves is added to one side and taken from
//! the other: nothing is made or lost. Differences of heights near each other
//! are all that a droplet sees, and those fit f32.

use super::brush::{Brush, LANE};
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
    /// Middle of the brush, cells.
    pub(super) x: f32,
    pub(super) y: f32,
    /// Most that may move, quanta over one cell.
    pub(super) amount: f32,
    /// Height that no cell is cut below, or raised above, quanta.
    pub(super) limit: i32,
}

/// The cell whose square holds a coordinate, and where in it. On a line between
/// two cells it may be either.
#[inline(always)]
fn split(coordinate: f32, samples: usize) -> (usize, f32) {
    let cell = nearest(coordinate - 0.5).clamp(0, samples as i32 - 2);
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

    /// Bilinear height and a gradient that is continuous across cells: central
    /// differences at the samples, bilinear between them. The gradient of the
    /// bilinear surface itself jumps at cell borders and combs the paths along
    /// the axes.
    #[inline(always)]
    pub(super) fn look(&self, x: f32, y: f32) -> Place {
        let (column, east) = split(x, self.width);
        let (row, south) = split(y, self.height);
        let inner = column >= 1 && row >= 1 && column + 2 < self.width && row + 2 < self.height;
        if !inner {
            return self.look_at_rim(column, row, east, south);
        }
        let first = (row - 1) * self.width + column - 1;
        let line = |index: usize| -> [i32; 4] {
            let start = first + index * self.width;
            let cells = &self.bed[start..start + 4];
            [cells[0], cells[1], cells[2], cells[3]]
        };
        let lines = [line(0), line(1), line(2), line(3)];
        let base = lines[1][1];
        place_from(base, lines.map(|line| line.map(|h| h.wrapping_sub(base) as f32)), east, south)
    }

    /// As [`Patch::look`] where samples are missing: the surface goes on
    /// straight beyond the rim.
    #[cold]
    fn look_at_rim(&self, column: usize, row: usize, east: f32, south: f32) -> Place {
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
        place_from(base, lines, east, south)
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
        let (column, east) = split(stroke.x, self.width);
        let (row, south) = split(stroke.y, self.height);
        let stamp = brush.stamp(east, south);
        let inner = column >= brush.before
            && row >= brush.before
            && column - brush.before + brush.columns <= self.width
            && row - brush.before + brush.rows <= self.height;
        if !inner {
            return self.apply_at_rim::<VARIED, CUT>(brush, stamp, stroke, column, row);
        }
        let start = (row - brush.before) * self.width + column - brush.before;
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
        let all_shares = if CUT { self.erodibility } else { self.acceptance };
        let mut gained = [0_i32; LANE];
        let mut start = start;
        for weights in stamp.as_chunks::<LANES>().0 {
            let (cells, _) = self.bed[start..start + LANES * LANE].as_chunks_mut::<LANE>();
            let (shares, _) = if VARIED {
                all_shares[start..start + LANES * LANE].as_chunks::<LANE>()
            } else {
                all_shares.as_chunks::<LANE>()
            };
            for lane in 0..LANES {
                let mut wanted = weights[lane].map(|weight| amount * weight);
                if VARIED {
                    for i in 0..LANE {
                        wanted[i] *= shares[lane][i];
                    }
                }
                let parts = parts::<CUT>(cells[lane], wanted, stroke.limit);
                for i in 0..LANE {
                    cells[lane][i] = cells[lane][i].wrapping_add(parts[i]);
                }
                for i in 0..LANE {
                    gained[i] = gained[i].wrapping_add(parts[i]);
                }
            }
            start += self.width;
        }
        gained[0].wrapping_add(gained[1]).wrapping_add(gained[2]).wrapping_add(gained[3])
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
            && column - brush.before + brush.columns <= self.width
            && row - brush.before + brush.rows <= self.height;
        let middle = self.nearest(x, y);
        if !inner || (VARIED && self.acceptance[middle] <= 0.0) {
            return 0;
        }
        let stamp = brush.stamp(east, south);
        let lanes = brush.columns / LANE;
        let start = (row - brush.before) * self.width + column - brush.before;
        let mut rooms = [0.0; LANE];
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
                for i in 0..LANE {
                    rooms[i] += depths[i];
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
        stamp: &[[f32; LANE]],
        stroke: &Stroke,
        column: usize,
        row: usize,
    ) -> i32 {
        let amount = if CUT { -stroke.amount } else { stroke.amount };
        let stamp = stamp.as_flattened();
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
fn mix(a: f32, b: f32, t: f32) -> f32 {
    a + (b - a) * t
}

#[inline(always)]
fn place_from(base: i32, lines: [[f32; 4]; 4], east: f32, south: f32) -> Place {
    let [north, upper, lower, below] = lines;
    let mut middle = [0.0; 4];
    let mut down = [0.0; 4];
    for i in 0..4 {
        middle[i] = mix(upper[i], lower[i], south);
        down[i] = mix(lower[i] - north[i], below[i] - upper[i], south);
    }
    Place {
        base,
        above: mix(middle[1], middle[2], east),
        east: 0.5 * mix(middle[2] - middle[0], middle[3] - middle[1], east),
        south: 0.5 * mix(down[1], down[2], east),
    }
}
