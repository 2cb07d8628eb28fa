//! Hashes of values.
//!
//! A digest is blake3 over a tag, the sample counts and the canonical
//! little-endian bits of every cell: -0 is made +0, and a value that is not
//! finite is refused, so that equal digests mean equal numbers. Place and cell
//! size are not in it: they belong to the world, which is in every key.

use std::fmt;

use thiserror::Error;

use crate::grid::Grid;

/// 32 bytes that name a value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest(pub [u8; 32]);

/// A cell holds NaN or an infinity.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("{count} cells are not finite, the first in column {x} of row {y}")]
pub struct NonFinite {
    /// How many cells.
    pub count: u64,
    /// Column of the first.
    pub x: usize,
    /// Row of the first.
    pub y: usize,
}

impl Digest {
    /// Hash of a raster under a tag that says what it is.
    pub fn of_grid(tag: &str, grid: &Grid<f32>) -> Result<Self, NonFinite> {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&(tag.len() as u64).to_le_bytes());
        hasher.update(tag.as_bytes());
        for side in grid.domain().samples() {
            hasher.update(&side.to_le_bytes());
        }
        let mut bytes = Vec::with_capacity(4 * grid.width());
        for y in 0..grid.height() {
            let row = grid.row(y);
            if !row.iter().all(|value| value.is_finite()) {
                return Err(first_nonfinite(grid));
            }
            bytes.clear();
            // -0 + 0 is +0 in round-to-even, and x + 0 is x for every other x.
            bytes.extend(row.iter().flat_map(|value| (value + 0.0).to_bits().to_le_bytes()));
            hasher.update(&bytes);
        }
        Ok(Self(*hasher.finalize().as_bytes()))
    }

    /// Hash of bytes.
    pub fn of_bytes(bytes: &[u8]) -> Self {
        Self(*blake3::hash(bytes).as_bytes())
    }
}

fn first_nonfinite(grid: &Grid<f32>) -> NonFinite {
    let bad = |value: &f32| !value.is_finite();
    let count = grid.as_slice().iter().filter(|value| bad(value)).count() as u64;
    let index = grid.as_slice().iter().position(bad).unwrap_or(0);
    let (x, y) = grid.domain().column_row(index);
    NonFinite { count, x, y }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Digest({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Domain;

    fn grid(values: [f32; 4]) -> Grid<f32> {
        let domain = Domain::new(2, 2, 1.0, [0.0; 2]).expect("legal");
        Grid::from_vec(domain, values.to_vec()).expect("four cells")
    }

    #[test]
    fn both_zeros_are_one_value() {
        let (plus, minus) = (grid([0.0; 4]), grid([0.0, -0.0, 0.0, -0.0]));
        assert_eq!(Digest::of_grid("m", &plus), Digest::of_grid("m", &minus));
    }

    #[test]
    fn a_last_bit_or_another_tag_changes_the_digest() {
        let one = Digest::of_grid("m", &grid([1.0; 4]));
        let next = f32::from_bits(1.0_f32.to_bits() + 1);
        assert_ne!(one, Digest::of_grid("m", &grid([1.0, 1.0, 1.0, next])));
        assert_ne!(one, Digest::of_grid("n", &grid([1.0; 4])));
    }

    #[test]
    fn what_is_not_finite_is_refused_by_place() {
        let found = Digest::of_grid("m", &grid([1.0, 2.0, f32::NAN, f32::INFINITY]));
        assert_eq!(found, Err(NonFinite { count: 2, x: 0, y: 1 }));
    }
}
