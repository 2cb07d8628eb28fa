//! Parallel loops whose result does not depend on who ran what.
//!
//! Two shapes serve every kernel: *gather* (each output cell is written by one
//! task, which reads what no task writes) and *ordered sums* (fixed blocks,
//! summed in a tree of fixed shape). `rayon`'s own `sum` and `reduce` on floats
//! follow the work stealing and are not used anywhere in this house.

use rayon::prelude::*;

use crate::grid::Grid;
use crate::memory::Cell;

/// Cells per block of an ordered sum. A constant of the *results*: another
/// value gives other last bits.
pub const BLOCK: usize = 4096;

/// Sets every cell to `value_at(index)`.
pub fn map<T: Cell>(grid: &mut Grid<T>, value_at: impl Fn(usize) -> T + Sync) {
    grid.as_mut_slice().par_chunks_mut(BLOCK).enumerate().for_each(|(block, cells)| {
        for (offset, cell) in cells.iter_mut().enumerate() {
            *cell = value_at(block * BLOCK + offset);
        }
    });
}

/// Hands each row to one task.
pub fn rows<T: Cell>(grid: &mut Grid<T>, fill: impl Fn(usize, &mut [T]) + Sync) {
    let width = grid.width();
    grid.as_mut_slice().par_chunks_mut(width).enumerate().for_each(|(y, row)| fill(y, row));
}

/// Hands each row of two grids of one size to one task.
pub fn rows2<T: Cell, U: Cell>(
    a: &mut Grid<T>,
    b: &mut Grid<U>,
    fill: impl Fn(usize, &mut [T], &mut [U]) + Sync,
) {
    let width = a.width();
    debug_assert_eq!(a.domain().samples(), b.domain().samples());
    a.as_mut_slice()
        .par_chunks_mut(width)
        .zip(b.as_mut_slice().par_chunks_mut(width))
        .enumerate()
        .for_each(|(y, (row_a, row_b))| fill(y, row_a, row_b));
}

/// Sums `term(0) .. term(len - 1)` in f64: blocks of [`BLOCK`] terms in order,
/// then the block sums pairwise. The same bits on any number of threads.
pub fn sum(len: usize, term: impl Fn(usize) -> f64 + Sync) -> f64 {
    let [total] = sums(len, |index| [term(index)]);
    total
}

/// Several sums in one pass, each to the bit what [`sum`] gives. A sum waits for
/// its last addition, so four cost little more than one.
pub fn sums<const N: usize>(len: usize, terms: impl Fn(usize) -> [f64; N] + Sync) -> [f64; N] {
    let blocks: Vec<[f64; N]> = (0..len.div_ceil(BLOCK))
        .into_par_iter()
        .map(|block| {
            let mut totals = [0.0; N];
            for index in block * BLOCK..len.min((block + 1) * BLOCK) {
                for (total, term) in totals.iter_mut().zip(terms(index)) {
                    *total += term;
                }
            }
            totals
        })
        .collect();
    std::array::from_fn(|place| {
        let column: Vec<f64> = blocks.iter().map(|totals| totals[place]).collect();
        pairwise(&column)
    })
}

/// Sums in a tree whose shape depends on the length alone.
pub fn pairwise(terms: &[f64]) -> f64 {
    match terms {
        [] => 0.0,
        [one] => *one,
        _ => {
            let (left, right) = terms.split_at(terms.len().div_ceil(2));
            pairwise(left) + pairwise(right)
        }
    }
}

/// The largest of `term(0) .. term(len - 1)`, or `floor` if none is larger.
/// NaN is never larger.
pub fn max(len: usize, floor: f64, term: impl Fn(usize) -> f64 + Sync) -> f64 {
    let larger = |a: f64, b: f64| if b > a { b } else { a };
    (0..len.div_ceil(BLOCK))
        .into_par_iter()
        .map(|block| (block * BLOCK..len.min((block + 1) * BLOCK)).map(&term).fold(floor, larger))
        .reduce(|| floor, larger)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Stream;

    fn with_threads<R: Send>(threads: usize, run: impl FnOnce() -> R + Send) -> R {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool").install(run)
    }

    #[test]
    fn a_sum_has_the_same_bits_on_any_number_of_threads() {
        let stream = Stream::new(1);
        let term = |index: usize| (stream.uniform(index as u64, 0) - 0.5) * 1e6;
        let one = with_threads(1, || sum(100_001, term));
        for threads in [2, 3, 7] {
            assert_eq!(one.to_bits(), with_threads(threads, || sum(100_001, term)).to_bits());
        }
    }

    #[test]
    fn a_sum_of_nothing_is_zero_and_of_integers_exact() {
        assert_eq!(sum(0, |_| 1.0), 0.0);
        assert_eq!(sum(10_001, |index| index as f64), 10_001.0 * 5_000.0);
    }

    #[test]
    fn the_largest_ignores_nan() {
        assert_eq!(max(3, 0.0, |index| [1.0, f64::NAN, 3.0][index]), 3.0);
        assert_eq!(max(0, -1.0, |_| 9.0), -1.0);
    }
}
