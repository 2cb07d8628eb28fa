//! Receivers from the direction of steepest descent, of which there are
//! infinitely many (D-infinity).
//!
//! Model (Tarboton 1997): of the eight triangles between a cell and two
//! neighbors beside each other, the steepest gives the direction. Where it
//! points between the two, both receive.
//!
//! Departure: Tarboton shares the water by the angle to either neighbor. Here
//! the diagonal neighbor gets `s2 / s1` (the ratio of the slopes across and
//! along), so that the *mean step* of the water, (1, s2 / s1), points exactly
//! down the gradient. It needs no arc tangent, and one receiver drawn with
//! these weights is unbiased in direction: redrawn at every step of an erosion
//! model, it leaves no valleys along the grid.
//!
//! Guarantee: every receiver is strictly lower, so there are no loops.

use bajada_grid::{Grid, Stream, par};

use super::mfd::{SHARES, Spread};
use super::{OUT, SLOPING, ring};

/// The cardinal and the diagonal neighbor of each triangle, as directions.
const TRIANGLES: [(u8, u8); 8] = [(1, 0), (3, 0), (1, 2), (4, 2), (3, 5), (6, 5), (4, 7), (6, 7)];

/// Two receivers beside each other and the share of the second, 0..1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Pair {
    pub first: u8,
    pub second: u8,
    pub share: f64,
}

/// The receivers on the steepest triangle; `first` is [`OUT`] if no neighbor
/// is lower.
#[inline(always)]
pub(crate) fn pair(here: f64, ring: &[f64; 8]) -> Pair {
    let mut best = 0.0;
    let mut pair = Pair { first: OUT, second: OUT, share: 0.0 };
    for direction in [1_u8, 3, 4, 6] {
        let drop = here - ring[usize::from(direction)];
        if drop > 0.0 && drop * drop > best {
            best = drop * drop;
            pair = Pair { first: direction, second: direction, share: 0.0 };
        }
    }
    for direction in [0_u8, 2, 5, 7] {
        let drop = here - ring[usize::from(direction)];
        if drop > 0.0 && 0.5 * drop * drop > best {
            best = 0.5 * drop * drop;
            pair = Pair { first: direction, second: direction, share: 0.0 };
        }
    }
    for (first, second) in TRIANGLES {
        let near = ring[usize::from(first)];
        let along = here - near;
        let across = near - ring[usize::from(second)];
        // Both neighbors are lower, the second lowest.
        if across > 0.0 && across < along {
            let steep = along * along + across * across;
            if steep > best {
                best = steep;
                pair = Pair { first, second, share: across / along };
            }
        }
    }
    pair
}

/// One receiver per cell, drawn between the two of D-infinity with their
/// weights; level ground drains as `flats` says. `step` counts the draws:
/// another step, another draw.
pub fn drawn(filled: &Grid<f64>, flats: &Grid<u8>, stream: Stream, step: u64) -> Grid<u8> {
    let mut directions = filled.like(OUT);
    par::rows(&mut directions, |y, row| {
        let start = y * row.len();
        for (x, cell) in row.iter_mut().enumerate() {
            let index = start + x;
            *cell = match flats[index] {
                SLOPING => {
                    let Pair { first, second, share } = pair(filled[index], &ring(filled, x, y));
                    if share > 0.0 && stream.uniform(index as u64, step) < share {
                        second
                    } else {
                        first
                    }
                }
                level => level,
            };
        }
    });
    directions
}

/// Both receivers of each cell with their shares.
pub fn spread(filled: &Grid<f64>, flats: &Grid<u8>) -> Spread {
    Spread::new(filled, flats, |here, ring| {
        let Pair { first, second, share } = pair(here, ring);
        let mut shares = [0; 8];
        if first < OUT {
            let to_second = (share * f64::from(SHARES)) as u16;
            shares[usize::from(first)] = SHARES - to_second;
            shares[usize::from(second)] += to_second;
        }
        shares
    })
}
