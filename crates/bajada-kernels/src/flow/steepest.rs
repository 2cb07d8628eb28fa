//! One receiver: the neighbor with the steepest way down (D8).
//!
//! Of equally steep ways the first in the order of
//! [`bajada_grid::neighbors::D8`] is taken. O'Callaghan & Mark 1984.

use bajada_grid::{Grid, par};

use super::{OUT, Outlets, SLOPING, ring};

/// 1 over the length of each step, in cells.
const INVERSE_LENGTH: [f64; 8] = {
    use std::f64::consts::FRAC_1_SQRT_2 as D;
    [D, 1.0, D, 1.0, 1.0, D, 1.0, D]
};

/// The steepest way down from `here` into `ring`; [`OUT`] if none is lower.
#[inline(always)]
pub(crate) fn steepest(here: f64, ring: &[f64; 8]) -> u8 {
    let mut best = 0.0;
    let mut direction = OUT;
    for k in 0..8 {
        let drop = (here - ring[k]) * INVERSE_LENGTH[k];
        if drop > best {
            best = drop;
            direction = k as u8;
        }
    }
    direction
}

/// Steepest directions on heights as they are: [`OUT`] at outlets, in hollows
/// and on level ground.
pub(crate) fn downhill(heights: &Grid<f64>, outlets: &Outlets) -> Grid<u8> {
    let mut directions = heights.like(OUT);
    par::rows(&mut directions, |y, row| {
        let first = y * row.len();
        for (x, cell) in row.iter_mut().enumerate() {
            if outlets.is_inner(first + x) {
                *cell = steepest(heights[first + x], &ring(heights, x, y));
            }
        }
    });
    directions
}

/// Steepest directions on a surface without hollows (see [`super::fill`]);
/// level ground drains as `flats` says (see [`super::flats::directions`]).
pub fn directions(filled: &Grid<f64>, flats: &Grid<u8>) -> Grid<u8> {
    let mut directions = filled.like(OUT);
    par::rows(&mut directions, |y, row| {
        let first = y * row.len();
        for (x, cell) in row.iter_mut().enumerate() {
            *cell = match flats[first + x] {
                SLOPING => steepest(filled[first + x], &ring(filled, x, y)),
                level => level,
            };
        }
    });
    directions
}
