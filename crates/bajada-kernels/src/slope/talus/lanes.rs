//! Eight corners (or cells) of a row side by side: what a visit works on.
//!
//! Plain arrays and plain loops over them: the compiler turns these into
//! whatever vectors a processor has, with the same bits on all of them.

/// Corners (and cells) of a row that are worked on at once. Four fit a vector
/// register on any processor; eight make one visit worth its bookkeeping, and
/// sixteen would visit a third more ground that does not move.
pub(super) const LANES: usize = 8;

/// One number for each of eight neighbors in a row.
pub(super) type Lanes = [f64; LANES];

/// Fluxes along the west, north, south and east edge of eight corners, m of
/// height; > 0 moves matter north or west.
pub(super) type Fluxes = [Lanes; 4];

/// What a piece of corners reads of its cells: both rows, one more to the east.
pub(super) type Cells<'a> = [&'a [f64; LANES + 1]; 2];

/// The cells of a piece of corners; `stride` pieces make a row.
#[inline(always)]
pub(super) fn cells(samples: &[Lanes], piece: usize, stride: usize) -> Cells<'_> {
    let samples = samples.as_flattened();
    [from(samples, piece * LANES), from(samples, (piece + stride) * LANES)]
}

#[inline(always)]
fn from(samples: &[f64], first: usize) -> &[f64; LANES + 1] {
    samples[first..].first_chunk().expect("a rim lies beyond the last piece")
}
