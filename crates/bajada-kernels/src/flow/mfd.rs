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

use bajada_grid::neighbors::D8;
use bajada_grid::{Cell, Grid, par};

use super::power::raise;
use super::{OUT, SLOPING, ring};

/// How many shares the water of a cell is cut into.
pub const SHARES: u16 = u16::MAX;

/// Exponent for which a cone spreads evenly (Freeman 1991).
pub const FREEMAN: f64 = 1.1;

/// Shares of each cell's water that go to each of its neighbors.
#[derive(Clone, Debug)]
pub struct Spread {
    shares: Grid<[u16; 8]>,
    /// For each cell a bit for each direction that it sends water in.
    receivers: Grid<u8>,
    /// For each cell a bit for each direction that sends it water.
    donors: Grid<u8>,
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
        Self::of_rows(filled, |y, shares, receivers| {
            for (x, (cell, mask)) in shares.iter_mut().zip(receivers).enumerate() {
                let index = y * width + x;
                match flats[index] {
                    SLOPING => *cell = share(filled[index], &ring(filled, x, y)),
                    level if level < OUT => cell[usize::from(level)] = SHARES,
                    _ => {}
                }
                *mask = receivers_of(cell);
            }
        })
    }

    /// Shares and masks of receivers, all 0 at first, as `fill` sets them row by
    /// row, on the lattice of `like`.
    fn of_rows<T: Cell>(
        like: &Grid<T>,
        fill: impl Fn(usize, &mut [[u16; 8]], &mut [u8]) + Sync,
    ) -> Self {
        let mut shares = like.like([0_u16; 8]);
        let mut receivers = like.like(0_u8);
        par::rows2(&mut shares, &mut receivers, fill);
        let width = receivers.width();
        let mut donors = like.like(0_u8);
        par::rows(&mut donors, |y, row| {
            for (k, (dx, dy)) in D8.into_iter().enumerate() {
                let Some(from) = y.checked_add_signed(dy).filter(|&y| y < receivers.height())
                else {
                    continue;
                };
                // What stands beside them, as far as both are on the map.
                let first = usize::from(dx < 0);
                let held = width.saturating_sub(usize::from(dx != 0));
                let beside = &receivers.row(from)[usize::from(dx > 0)..];
                for (mask, there) in row[first..].iter_mut().zip(beside).take(held) {
                    *mask |= ((there >> (7 - k)) & 1) << k;
                }
            }
        });
        Self { shares, receivers, donors }
    }

    /// All of each cell's water to its one receiver.
    pub(crate) fn of_tree(directions: &Grid<u8>) -> Self {
        Self::of_rows(directions, |y, shares, receivers| {
            for ((cell, mask), &direction) in
                shares.iter_mut().zip(receivers).zip(directions.row(y))
            {
                if direction < OUT {
                    cell[usize::from(direction)] = SHARES;
                    *mask = 1 << direction;
                }
            }
        })
    }

    /// Directions that a cell sends water in.
    #[inline(always)]
    pub(crate) fn receivers(&self, index: usize) -> Directions {
        Directions(self.receivers[index])
    }

    /// Directions that send a cell water.
    #[inline(always)]
    pub(crate) fn donors(&self, index: usize) -> Directions {
        Directions(self.donors[index])
    }

    /// Whole shares of the water of `donor` that come from direction `k`.
    #[inline(always)]
    pub(crate) fn sent(&self, donor: usize, k: usize) -> u16 {
        self.shares[donor][7 - k]
    }

    /// Share 0..1 of a cell's water that goes in `direction`.
    pub fn share(&self, index: usize, direction: usize) -> f64 {
        f64::from(self.shares[index][direction]) / f64::from(SHARES)
    }
}

/// Some of the eight directions, in their order.
#[derive(Clone, Copy)]
pub(crate) struct Directions(u8);

impl Directions {
    /// How many they are.
    pub(crate) fn count(self) -> u8 {
        self.0.count_ones() as u8
    }
}

impl Iterator for Directions {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        let first = self.0.trailing_zeros() as usize;
        self.0 &= self.0.wrapping_sub(1);
        (first < 8).then_some(first)
    }
}

/// Spreads each cell's water in proportion to `slope^exponent`.
pub fn spread(filled: &Grid<f64>, flats: &Grid<u8>, exponent: f64) -> Spread {
    let width = filled.width();
    // Row by row in three loops, so that the powers run in lanes.
    Spread::of_rows(filled, |y, shares, receivers| {
        let flats = flats.row(y);
        let mut weights = vec![0.0_f32; 8 * width];
        for (x, weights) in weights.as_chunks_mut::<8>().0.iter_mut().enumerate() {
            if flats[x] == SLOPING {
                *weights = slopes(filled.at(x, y), &ring(filled, x, y));
            }
        }
        let mut powers = weights.clone();
        raise(&mut powers, exponent as f32);
        let powers = powers.as_chunks::<8>().0.iter().zip(weights.as_chunks::<8>().0);
        let cells = shares.iter_mut().zip(receivers).zip(flats);
        for (((cell, mask), &level), (powers, slopes)) in cells.zip(powers) {
            match level {
                SLOPING => {
                    *cell = whole_shares(powers, slopes);
                    *mask = receivers_of(cell);
                }
                level if level < OUT => {
                    cell[usize::from(level)] = SHARES;
                    *mask = 1 << level;
                }
                _ => {}
            }
        }
    })
}

/// A bit for each direction that gets a share.
#[inline(always)]
fn receivers_of(shares: &[u16; 8]) -> u8 {
    let bits: [u16; 8] = std::array::from_fn(|k| u16::from(shares[k] > 0) << k);
    bits.iter().sum::<u16>() as u8
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
