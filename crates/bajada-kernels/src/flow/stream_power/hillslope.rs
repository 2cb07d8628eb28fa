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
    match rise {
        PerCell::Same(rise) if rise.is_nan() || *rise >= 1e9 => {}
        PerCell::Same(rise) => slide_by(heights, outlets, |_| *rise),
        PerCell::Each(rises) => slide_by(heights, outlets, |index| f64::from(rises[index])),
    }
}

fn slide_by(heights: &mut Grid<f64>, outlets: &Outlets, rise: impl Fn(usize) -> f64) {
    let (width, height) = (heights.width(), heights.height());
    let cells = heights.as_mut_slice();
    // The second sweep is the first on the map turned by half a circle.
    for turned in [false, true] {
        let place = |index: usize| if turned { width * height - 1 - index } else { index };
        let steps = PASSED.map(|(dx, up, length)| {
            let stride = dx - up as isize * width as isize;
            (if turned { -stride } else { stride }, length)
        });
        for y in 0..height {
            for x in 0..width {
                let here = place(y * width + x);
                if !outlets.is_inner(here) {
                    continue;
                }
                let mut least = cells[here];
                let rise = rise(here);
                let inside = x >= 2 && y >= 2 && x + 2 < width;
                for ((dx, up, _), (stride, length)) in PASSED.into_iter().zip(steps) {
                    if inside || (x.wrapping_add_signed(dx) < width && up <= y) {
                        let limit = cells[here.wrapping_add_signed(stride)] + rise * length;
                        least = if limit < least { limit } else { least };
                    }
                }
                cells[here] = least;
            }
        }
    }
}

/// Rises of the steps to the neighbors that a sweep has passed: column and row
/// from here, and length.
const PASSED: [(isize, usize, f64); 8] = [
    (-1, 1, std::f64::consts::SQRT_2),
    (0, 1, 1.0),
    (1, 1, std::f64::consts::SQRT_2),
    (-2, 1, SQRT_5),
    (2, 1, SQRT_5),
    (-1, 2, SQRT_5),
    (1, 2, SQRT_5),
    (-1, 0, 1.0),
];

const SQRT_5: f64 = 2.236_067_977_499_79;
