//! Between the rivers: creep, and slides down to the angle of repose.

use bajada_grid::neighbors::D4;
use bajada_grid::{Grid, math, neighbors, par};

use super::super::{Outlets, narrow};
use super::bedrock::PerCell;

/// Share of the difference to each of four neighbors that moves in one part of
/// a step: above 1/4 the scheme rings.
const SHARE: f64 = 0.2;

/// Most parts that a step is cut into. Only absurd settings ask for more; they
/// get less creep, not a hang.
const MOST_PARTS: f64 = 400.0;

/// Creep by linear diffusion between fixed cells.
pub(super) struct Creep {
    parts: u32,
    share: f64,
    /// Pairs of a free cell of the map and one beside it that is fixed or lies
    /// in the margin.
    rim: Vec<[u32; 2]>,
}

impl Creep {
    /// Creep of `diffusivity` over `step` years; cells that are not inner are
    /// fixed, the map's edge is a wall.
    pub(super) fn new(
        like: &Grid<f64>,
        outlets: &Outlets,
        counted: &Grid<bool>,
        diffusivity: f64,
        step: f64,
    ) -> Self {
        let domain = *like.domain();
        let number = math::max(diffusivity * step / domain.cell_area(), 0.0);
        let parts = math::clamp((number / SHARE).ceil(), 0.0, MOST_PARTS);
        let share = if parts > 0.0 { math::min(number / parts, SHARE) } else { 0.0 };
        let mut rim = Vec::new();
        let free = |cell: usize| outlets.is_inner(cell) && counted[cell];
        for cell in (0..domain.len()).filter(|&cell| free(cell)) {
            let (x, y) = domain.column_row(cell);
            for (_, beside) in neighbors::around(&domain, x, y, &D4) {
                if !free(beside) {
                    rim.push([narrow(cell), narrow(beside)]);
                }
            }
        }
        Self { parts: parts as u32, share, rim }
    }

    /// Lets `heights` creep for a step. Returns the thickness that left the
    /// map's free cells, summed over cells; < 0 if more came in.
    pub(super) fn step(
        &self,
        heights: &mut Grid<f64>,
        next: &mut Grid<f64>,
        outlets: &Outlets,
    ) -> f64 {
        let mut left = 0.0;
        for _ in 0..self.parts {
            left += self.share
                * par::sum(self.rim.len(), |place| {
                    let [cell, beside] = self.rim[place];
                    heights[cell as usize] - heights[beside as usize]
                });
            let from = &*heights;
            par::rows(next, |y, row| {
                let here = from.row(y);
                let north = from.row(y.saturating_sub(1));
                let south = from.row(math::min(y + 1, from.height() - 1));
                let last = row.len() - 1;
                for x in 0..row.len() {
                    let (west, east) = (here[x.saturating_sub(1)], here[math::min(x + 1, last)]);
                    let sum = ((north[x] - here[x]) + (south[x] - here[x]))
                        + ((west - here[x]) + (east - here[x]));
                    let inner = outlets.is_inner(y * (last + 1) + x);
                    row[x] = if inner { here[x] + self.share * sum } else { here[x] };
                }
            });
            std::mem::swap(heights, next);
        }
        left
    }
}

/// Lowers `heights` to the largest surface below them on which no cell stands
/// more than its `rise` per cell of distance above another; fixed cells stay.
pub(super) fn slide(heights: &mut Grid<f64>, outlets: &Outlets, rise: &PerCell) {
    if matches!(rise, PerCell::Same(rise) if rise.is_nan() || *rise >= 1e9) {
        return;
    }
    sweep::<false>(heights, outlets, rise);
    sweep::<true>(heights, outlets, rise);
}

/// Lowers each cell to what those before it allow: from north and west to south
/// and east, or, `TURNED` by half a circle, back.
fn sweep<const TURNED: bool>(heights: &mut Grid<f64>, outlets: &Outlets, rise: &PerCell) {
    let (width, height) = (heights.width(), heights.height());
    let cells = heights.as_mut_slice();
    let mut rises = vec![0.0; width];
    let mut limits = vec![0.0; width];
    for step in 0..height {
        let y = if TURNED { height - 1 - step } else { step };
        let first = y * width;
        match rise {
            PerCell::Same(rise) => rises.fill(*rise),
            PerCell::Each(field) => {
                for (to, &from) in rises.iter_mut().zip(field.row(y)) {
                    *to = f64::from(from);
                }
            }
        }
        let (row, passed) = if TURNED {
            let (head, tail) = cells.split_at_mut(first + width);
            let rows = tail.chunks_exact(width);
            (&mut head[first..], rows.take(2).collect::<Vec<_>>())
        } else {
            let (head, tail) = cells.split_at_mut(first);
            (&mut tail[..width], head.rchunks_exact(width).take(2).collect())
        };
        limit::<TURNED>(&mut limits, row, &passed, &rises);
        // Only the neighbor in the same row makes one wait for the other.
        let mut before = f64::INFINITY;
        for step in 0..width {
            let x = if TURNED { width - 1 - step } else { step };
            if outlets.is_inner(first + x) {
                row[x] = lesser(limits[x], before + rises[x]);
            }
            before = row[x];
        }
    }
}

/// How high each cell of a row may stand beside the rows `passed`, the nearer
/// first. In lanes, but for the ends of the row.
fn limit<const TURNED: bool>(limits: &mut [f64], row: &[f64], passed: &[&[f64]], rises: &[f64]) {
    let width = row.len();
    let shifts = PASSED.map(|(dx, up, length)| (if TURNED { -dx } else { dx }, up - 1, length));
    let mut ends = |from: usize, to: usize| {
        for x in from..to {
            let mut least = row[x];
            for (dx, place, length) in shifts {
                if let Some(passed) = passed.get(place)
                    && let Some(&beside) = passed.get(x.wrapping_add_signed(dx))
                {
                    least = lesser(least, beside + rises[x] * length);
                }
            }
            limits[x] = least;
        }
    };
    let &[near, far] = passed else { return ends(0, width) };
    let Some(inside) = width.checked_sub(4) else { return ends(0, width) };
    ends(0, 2);
    ends(width - 2, width);
    let beside = shifts.map(|(dx, place, _)| {
        let start = 2_usize.wrapping_add_signed(dx);
        &[near, far][place][start..start + inside]
    });
    let (limits, row) = (&mut limits[2..2 + inside], &row[2..2 + inside]);
    let rises = &rises[2..2 + inside];
    for x in 0..inside {
        let mut least = row[x];
        for (beside, (_, _, length)) in beside.iter().zip(shifts) {
            least = lesser(least, beside[x] + rises[x] * length);
        }
        limits[x] = least;
    }
}

#[inline(always)]
fn lesser(a: f64, b: f64) -> f64 {
    if b < a { b } else { a }
}

/// Rises of the steps to the neighbors in rows that a sweep has passed: columns
/// and rows from here, and length.
const PASSED: [(isize, usize, f64); 7] = [
    (-1, 1, std::f64::consts::SQRT_2),
    (0, 1, 1.0),
    (1, 1, std::f64::consts::SQRT_2),
    (-2, 1, SQRT_5),
    (2, 1, SQRT_5),
    (-1, 2, SQRT_5),
    (1, 2, SQRT_5),
];

const SQRT_5: f64 = 2.236_067_977_499_79;
