//! Where a corner, or a cell, lies in memory: eight of a row side by side.

use std::ops::Range;

use rayon::prelude::*;

use super::lanes::LANES;

/// Rows and columns of pieces of [`LANES`] samples, with a rim one piece wide
/// and one row high that holds nothing: a neighbor can always be read.
///
/// Corner (x, y) lies between the cells (x, y) and (x + 1, y + 1), at the same
/// place as cell (x, y). Corners beyond the last cell never let anything pass.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Layout {
    /// Rows, without the rim.
    pub(super) rows: usize,
    /// Pieces of a row, without the rim.
    pub(super) columns: usize,
}

impl Layout {
    /// For a map of so many cells.
    pub(super) fn of_cells(width: usize, height: usize) -> Self {
        Self { rows: height, columns: width.div_ceil(LANES) }
    }

    /// Pieces from one row to the next.
    #[inline(always)]
    pub(super) fn stride(&self) -> usize {
        self.columns + 2
    }

    /// All pieces, the rim included.
    pub(super) fn len(&self) -> usize {
        self.stride() * (self.rows + 2)
    }

    /// Index of a piece.
    #[inline(always)]
    pub(super) fn piece(&self, row: usize, column: usize) -> usize {
        (row + 1) * self.stride() + column + 1
    }

    /// The map's values, `value_at(x, y)` at each of the first `across` samples
    /// of the first `down` rows and `rest` everywhere else.
    pub(super) fn fill<T: Copy + Send + Sync>(
        &self,
        [across, down]: [usize; 2],
        rest: T,
        value_at: impl Fn(usize, usize) -> T + Sync,
    ) -> Vec<[T; LANES]> {
        let mut pieces = vec![[rest; LANES]; self.len()];
        pieces.par_chunks_mut(self.stride()).skip(1).take(down).enumerate().for_each(|(y, row)| {
            let samples = row.as_flattened_mut()[LANES..].iter_mut().take(across);
            samples.enumerate().for_each(|(x, sample)| *sample = value_at(x, y));
        });
        pieces
    }
}

/// A part of the map that one task sweeps by itself.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Window {
    /// Rows and columns of pieces that the task answers for.
    pub(super) own: [Range<usize>; 2],
    /// The same with what its sweeps need around them.
    pub(super) seen: [Range<usize>; 2],
    /// Rows and columns of pieces that any window sees beyond its own.
    margin: [usize; 2],
}

impl Window {
    /// The part from (`row`, `column`) on of up to `size` rows and columns,
    /// seen with `margin` around it as far as the map reaches.
    pub(super) fn new(
        map: &Layout,
        [row, column]: [usize; 2],
        size: [usize; 2],
        margin: [usize; 2],
    ) -> Self {
        let range = |from: usize, size: usize, end: usize| from..end.min(from + size);
        let own = [range(row, size[0], map.rows), range(column, size[1], map.columns)];
        let wider = |own: &Range<usize>, by: usize, end: usize| {
            own.start.saturating_sub(by)..end.min(own.end + by)
        };
        let seen = [wider(&own[0], margin[0], map.rows), wider(&own[1], margin[1], map.columns)];
        Self { own, seen, margin }
    }

    /// Whether the task answers for a piece.
    #[inline(always)]
    pub(super) fn owns(&self, row: usize, column: usize) -> bool {
        self.own[0].contains(&row) && self.own[1].contains(&column)
    }

    /// Whether its sweeps work on a piece.
    #[inline(always)]
    pub(super) fn sees(&self, row: usize, column: usize) -> bool {
        self.seen[0].contains(&row) && self.seen[1].contains(&column)
    }

    /// What is seen and not owned, row by row.
    pub(super) fn margin(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        grid(&self.seen).filter(|(row, column)| !self.owns(*row, *column))
    }

    /// What is owned and may be seen by other windows with the same margins.
    pub(super) fn shared(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        grid(&self.own).filter(|(row, column)| {
            let inner = |at: usize, own: &Range<usize>, by: usize| {
                at >= own.start + by && at + by < own.end
            };
            let [rows, columns] = &self.own;
            !(inner(*row, rows, self.margin[0]) && inner(*column, columns, self.margin[1]))
        })
    }
}

/// Every (row, column), row by row.
pub(super) fn grid(
    [rows, columns]: &[Range<usize>; 2],
) -> impl Iterator<Item = (usize, usize)> + use<> {
    let columns = columns.clone();
    rows.clone().flat_map(move |row| columns.clone().map(move |column| (row, column)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sample_has_a_place_inside_an_empty_rim() {
        for (width, height) in [(1, 1), (7, 2), (8, 5), (9, 40), (1025, 3)] {
            let layout = Layout::of_cells(width, height);
            let map = layout.fill([width, height], 0, |x, y| y * width + x + 1);
            for y in 0..height {
                let first = layout.piece(y, 0) * LANES;
                let row = &map.as_flattened()[first - LANES..][..layout.stride() * LANES];
                assert!((0..width).all(|x| row[LANES + x] == y * width + x + 1));
                assert!(row[..LANES].iter().chain(&row[LANES + width..]).all(|value| *value == 0));
            }
            let held = map.as_flattened().iter().filter(|value| **value > 0).count();
            assert_eq!(held, width * height);
        }
    }

    #[test]
    fn a_window_sees_its_margin_but_nothing_off_the_map() {
        let map = Layout { rows: 100, columns: 10 };
        let middle = Window::new(&map, [40, 4], [20, 4], [8, 1]);
        assert_eq!((&middle.own, &middle.seen), (&[40..60, 4..8], &[32..68, 3..9]));
        assert_eq!((middle.margin().count(), middle.shared().count()), (36 * 6 - 80, 80 - 8));
        let last = Window::new(&map, [80, 8], [40, 4], [8, 1]);
        assert_eq!((last.own.clone(), last.seen.clone()), ([80..100, 8..10], [72..100, 7..10]));
        assert_eq!(grid(&last.seen).filter(|(row, column)| last.owns(*row, *column)).count(), 40);
    }
}
