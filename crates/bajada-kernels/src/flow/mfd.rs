//! Many receivers: water spreads over all lower neighbors (MFD).
//!
//! Model (Freeman 1991): each lower neighbor gets a share in proportion to
//! `slope^p`. With p = 1.1 a cone's drainage area has round contours; large p
//! comes near the single steepest receiver.
//!
//! Shares are whole numbers of 1/65535 that add up to one exactly, so what
//! arrives is what was sent, and every lower neighbor gets at least one, so
//! that an order in which the spread flows is also one for any single lower
//! receiver. Guarantee: receivers are strictly lower, or one step nearer to
//! where a level patch drains: no loops.

use bajada_grid::Grid;
use rayon::prelude::*;

use super::power::raise;
use super::{OUT, SLOPING, ring};

/// How many shares the water of a cell is cut into.
pub const SHARES: u16 = u16::MAX;

/// Exponent for which a cone spreads evenly (Freeman 1991).
pub const FREEMAN: f64 = 1.1;

/// Shares of each cell's water that go to each of its neighbors.
#[derive(Clone, Debug)]
pub struct Spread {
    pub(crate) shares: Vec<[u16; 8]>,
}

impl Spread {
    /// Shares from `share(height, ring)` on sloping ground; level ground sends
    /// all its water as `flats` says.
    pub(crate) fn new(
        filled: &Grid<f64>,
        flats: &Grid<u8>,
        share: impl Fn(f64, &[f64; 8]) -> [u16; 8] + Sync,
    ) -> Self {
        let width = filled.width();
        let mut shares = vec![[0_u16; 8]; filled.domain().len()];
        shares.par_chunks_mut(width).enumerate().for_each(|(y, row)| {
            for (x, cell) in row.iter_mut().enumerate() {
                let index = y * width + x;
                match flats[index] {
                    SLOPING => *cell = share(filled[index], &ring(filled, x, y)),
                    level if level < OUT => cell[usize::from(level)] = SHARES,
                    _ => {}
                }
            }
        });
        Self { shares }
    }

    /// All of each cell's water to its one receiver.
    pub(crate) fn of_tree(directions: &Grid<u8>) -> Self {
        let shares = directions.as_slice().iter().map(|&direction| {
            let mut shares = [0; 8];
            if direction < OUT {
                shares[usize::from(direction)] = SHARES;
            }
            shares
        });
        Self { shares: shares.collect() }
    }

    /// Share 0..1 of a cell's water that goes in `direction`.
    pub fn share(&self, index: usize, direction: usize) -> f64 {
        f64::from(self.shares[index][direction]) / f64::from(SHARES)
    }
}

/// Spreads each cell's water in proportion to `slope^exponent`.
pub fn spread(filled: &Grid<f64>, flats: &Grid<u8>, exponent: f64) -> Spread {
    let width = filled.width();
    let mut shares = vec![[0_u16; 8]; filled.domain().len()];
    // Row by row in three loops, so that the powers run in lanes.
    shares.par_chunks_mut(width).enumerate().for_each_init(
        || vec![0.0_f32; 8 * width],
        |weights, (y, row)| {
            let flats = flats.row(y);
            for (x, weights) in weights.as_chunks_mut::<8>().0.iter_mut().enumerate() {
                *weights = if flats[x] == SLOPING {
                    slopes(filled.at(x, y), &ring(filled, x, y))
                } else {
                    [0.0; 8]
                };
            }
            let mut powers = weights.clone();
            raise(&mut powers, exponent as f32);
            let powers = powers.as_chunks::<8>().0.iter().zip(weights.as_chunks::<8>().0);
            for ((cell, (powers, slopes)), &level) in row.iter_mut().zip(powers).zip(flats) {
                match level {
                    SLOPING => *cell = whole_shares(powers, slopes),
                    level if level < OUT => cell[usize::from(level)] = SHARES,
                    _ => {}
                }
            }
        },
    );
    Spread { shares }
}

/// Slopes down to each neighbor as shares of the steepest, 0 where none.
#[inline(always)]
fn slopes(here: f64, ring: &[f64; 8]) -> [f32; 8] {
    const D: f64 = std::f64::consts::FRAC_1_SQRT_2;
    const INVERSE_LENGTH: [f64; 8] = [D, 1.0, D, 1.0, 1.0, D, 1.0, D];
    let slopes: [f64; 8] = std::array::from_fn(|k| {
        let slope = (here - ring[k]) * INVERSE_LENGTH[k];
        if slope > 0.0 { slope } else { 0.0 }
    });
    let larger = |a: f64, b: f64| if b > a { b } else { a };
    let half: [f64; 4] = std::array::from_fn(|k| larger(slopes[k], slopes[k + 4]));
    let scale = 1.0 / larger(larger(half[0], half[2]), larger(half[1], half[3]));
    // A slope above 0 must stay above it in f32.
    slopes.map(|slope| {
        let scaled = (slope * scale) as f32;
        // No more than 1, whatever heights of 1e-310 m do to the scale.
        let scaled = if scaled < 1.0 { scaled } else { 1.0 };
        if slope > 0.0 && scaled < f32::MIN_POSITIVE { f32::MIN_POSITIVE } else { scaled }
    })
}

/// `powers` of the `slopes` above 0 as whole shares.
#[inline(always)]
fn whole_shares(powers: &[f32; 8], slopes: &[f32; 8]) -> [u16; 8] {
    /// Adding it rounds to a whole number in the low bits.
    const ROUND: f32 = 8_388_608.0;
    let held: [f32; 8] = std::array::from_fn(|k| if slopes[k] > 0.0 { powers[k] } else { 0.0 });
    let half: [f32; 4] = std::array::from_fn(|k| held[k] + held[k + 4]);
    let unit = f32::from(SHARES - 16) / ((half[0] + half[2]) + (half[1] + half[3]));
    let mut shares: [u16; 8] = std::array::from_fn(|k| {
        ((held[k] * unit + ROUND).to_bits() & 0xffff) as u16 + u16::from(slopes[k] > 0.0)
    });
    // The steepest has at least an eighth and takes what rounding left over.
    let mut steepest = 0;
    for k in (0..8).rev() {
        if powers[k] > powers[steepest] || (powers[k] == powers[steepest] && slopes[k] > 0.0) {
            steepest = k;
        }
    }
    let sum: u16 = shares.iter().sum();
    shares[steepest] += SHARES - sum;
    shares
}
