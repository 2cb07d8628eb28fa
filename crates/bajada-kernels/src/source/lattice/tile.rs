//! An octave at all samples of a tile.
//!
//! What the corners under a tile carry is worked out once, into a table, and
//! each sample reads its corners there: a wavelength of two cells has as many
//! samples as corners, and longer ones have more. Each kind of work is a loop of
//! its own over the samples of a row: that is what the compiler turns into vector
//! code by itself, with the same bits on every machine.

use super::super::octave::Octave;
use super::hash::{cell, first, mix, second, split, within_reach};
use super::{Corners, Lattice, MOST_CORNERS, Stencil};

/// Most samples of a tile, east and south, and in all. Nearly square, so that a
/// turned lattice has few corners under it.
pub(crate) const WIDTH: usize = 64;
pub(crate) const HEIGHT: usize = 32;
pub(crate) const AREA: usize = WIDTH * HEIGHT;

/// Samples that are asked at once whether they share a cell.
const GROUP: usize = 8;

/// Most corners that a table holds, a power of two. Where more lie under a tile
/// than it has samples, a table saves nothing.
const ROOM: usize = 4096;

/// Most columns of a table.
const MOST_COLUMNS: usize = 256;

/// The world points of a tile's samples. Columns past the map's end repeat the
/// last.
pub(crate) trait Places {
    /// Rows that count.
    fn rows(&self) -> usize;

    /// Lattice coordinates of a row's samples, by column.
    fn row(&self, octave: &Octave, row: usize) -> impl Fn(usize) -> [f64; 2];

    /// Lowest and highest lattice coordinates of all samples, for each axis.
    fn bounds(&self, octave: &Octave) -> [[f64; 2]; 2];
}

/// Samples in straight rows.
pub(crate) struct Straight<'a> {
    /// Metres east of each column.
    pub(crate) xs: &'a [f64; WIDTH],
    /// Metres south of each row.
    pub(crate) ys: &'a [f64],
}

/// Samples anywhere.
pub(crate) struct Warped<'a> {
    pub(crate) xs: &'a [f64; AREA],
    pub(crate) ys: &'a [f64; AREA],
    pub(crate) rows: usize,
}

impl Places for Straight<'_> {
    fn rows(&self) -> usize {
        self.ys.len()
    }

    #[inline(always)]
    fn row(&self, octave: &Octave, row: usize) -> impl Fn(usize) -> [f64; 2] {
        let (xs, axes, shared) = (self.xs, octave.axes, octave.row(self.ys[row]));
        move |column| [xs[column] * axes[0][0] + shared[0], xs[column] * axes[1][0] + shared[1]]
    }

    fn bounds(&self, octave: &Octave) -> [[f64; 2]; 2] {
        // Rounding keeps order, so that the corners tell for all.
        let mut bounds = [[f64::INFINITY, f64::NEG_INFINITY]; 2];
        for x in [self.xs[0], self.xs[WIDTH - 1]] {
            for y in [self.ys.first(), self.ys.last()].into_iter().flatten() {
                widen(&mut bounds, octave.place(x, *y));
            }
        }
        bounds
    }
}

impl Places for Warped<'_> {
    fn rows(&self) -> usize {
        self.rows
    }

    #[inline(always)]
    fn row(&self, octave: &Octave, row: usize) -> impl Fn(usize) -> [f64; 2] {
        let xs = &self.xs.as_chunks::<WIDTH>().0[row];
        let ys = &self.ys.as_chunks::<WIDTH>().0[row];
        let octave = *octave;
        move |column| octave.place(xs[column], ys[column])
    }

    fn bounds(&self, octave: &Octave) -> [[f64; 2]; 2] {
        let mut bounds = [[f64::INFINITY, f64::NEG_INFINITY]; 2];
        for (&x, &y) in self.xs.iter().zip(self.ys).take(self.rows * WIDTH) {
            widen(&mut bounds, octave.place(x, y));
        }
        bounds
    }
}

#[inline(always)]
fn widen(bounds: &mut [[f64; 2]; 2], place: [f64; 2]) {
    for ([low, high], coordinate) in bounds.iter_mut().zip(place) {
        *low = if coordinate < *low { coordinate } else { *low };
        *high = if coordinate > *high { coordinate } else { *high };
    }
}

/// Room for the work on a tile, to be used again.
pub(crate) struct Scratch {
    corners: Box<[[f32; 2]; ROOM + MOST_CORNERS]>,
    row: Box<Row>,
}

/// The samples of a row: place in the table of the cell, where in it they lie,
/// and what the corners around carry.
pub(super) struct Row {
    index: [u32; WIDTH],
    pub(super) fractions: [[f32; WIDTH]; 2],
    pub(super) around: [[[f32; WIDTH]; 2]; MOST_CORNERS],
}

/// What the corners around one sample of a row carry.
pub(super) struct Lane<'a> {
    pub(super) around: &'a [[[f32; WIDTH]; 2]; MOST_CORNERS],
    pub(super) column: usize,
}

impl Corners for Lane<'_> {
    #[inline(always)]
    fn at(&self, k: usize) -> [f32; 2] {
        [self.around[k][0][self.column], self.around[k][1][self.column]]
    }
}

impl Scratch {
    pub(crate) fn new() -> Self {
        Self {
            corners: Box::new([[0.0; 2]; ROOM + MOST_CORNERS]),
            row: Box::new(Row {
                index: [0; WIDTH],
                fractions: [[0.0; WIDTH]; 2],
                around: [[[0.0; WIDTH]; 2]; MOST_CORNERS],
            }),
        }
    }
}

/// What the corners under a tile carry, in rows of a power of two.
struct Table<'a> {
    corners: &'a [[f32; 2]; ROOM + MOST_CORNERS],
    /// Low 32 bits of the first corner's coordinates, as those of the cell whose
    /// square of corners starts there.
    first_cell: [u32; 2],
    /// Two to the power of this are the columns.
    shift: u32,
}

/// The table of a tile, if its corners are few enough and within reach.
fn table<'a, S: Stencil>(
    octave: &Octave,
    bounds: [[f64; 2]; 2],
    corners: &'a mut [[f32; 2]; ROOM + MOST_CORNERS],
) -> Option<Table<'a>> {
    if !bounds.iter().flatten().all(|&coordinate| within_reach(coordinate)) {
        return None;
    }
    let low = bounds.map(|[low, _]| cell(low));
    let [columns, rows] =
        [0, 1].map(|axis| (cell(bounds[axis][1]) - low[axis]).unsigned_abs() + S::SIDE as u64);
    if columns > MOST_COLUMNS as u64 || rows > ROOM as u64 {
        return None;
    }
    let shift = columns.next_power_of_two().trailing_zeros();
    if (rows << shift) > ROOM as u64 {
        return None;
    }
    let start = low.map(|cell| cell - i64::from(S::BEFORE));
    let mut firsts = [0; MOST_COLUMNS];
    let firsts = &mut firsts[..columns as usize];
    for (hash, x) in firsts.iter_mut().zip(start[0]..) {
        *hash = first(x);
    }
    for (row, y) in corners.chunks_mut(1 << shift).zip(start[1]..).take(rows as usize) {
        let second = second(y);
        for (corner, first) in row.iter_mut().zip(&*firsts) {
            *corner = S::corner(mix(first ^ second, octave.key));
        }
    }
    Some(Table { corners, first_cell: low.map(|cell| cell as u32), shift })
}

impl Table<'_> {
    /// Finds the cells of a row's samples and reads what their corners carry.
    #[inline(always)]
    fn read<S: Stencil>(&self, place: impl Fn(usize) -> [f64; 2], row: &mut Row) {
        let Row { index, fractions, around } = row;
        let [first_column, first_row] = self.first_cell;
        for column in 0..WIDTH {
            let (cell, fraction) = split(place(column)[0]);
            index[column] = cell.wrapping_sub(first_column);
            fractions[0][column] = fraction;
        }
        for column in 0..WIDTH {
            let (cell, fraction) = split(place(column)[1]);
            index[column] = index[column].wrapping_add(cell.wrapping_sub(first_row) << self.shift);
            fractions[1][column] = fraction;
        }
        for group in (0..WIDTH).step_by(GROUP) {
            let cells = &index[group..group + GROUP];
            if cells.iter().fold(0, |differ, cell| differ | (cell ^ cells[0])) == 0 {
                // Waves much longer than a cell: one cell of the lattice for all.
                for (k, around) in around.iter_mut().take(S::SIDE * S::SIDE).enumerate() {
                    let [first, second] = self.corner::<S>(cells[0], k);
                    around[0][group..group + GROUP].fill(first);
                    around[1][group..group + GROUP].fill(second);
                }
                continue;
            }
            for (k, around) in around.iter_mut().take(S::SIDE * S::SIDE).enumerate() {
                let [first, second] = around;
                for column in group..group + GROUP {
                    [first[column], second[column]] = self.corner::<S>(index[column], k);
                }
            }
        }
    }

    /// What corner `k` around a cell carries; `cell` is the cell's place in the
    /// table.
    #[inline(always)]
    fn corner<S: Stencil>(&self, cell: u32, k: usize) -> [f32; 2] {
        let row = cell.wrapping_add(((k / S::SIDE) as u32) << self.shift) as usize;
        self.corners[row % ROOM + k % S::SIDE]
    }
}

/// [`Lattice::tile`] for one stencil.
pub(super) fn values<S: Stencil>(
    lattice: Lattice,
    octave: &Octave,
    places: &impl Places,
    scratch: &mut Scratch,
    values: &mut [f32; AREA],
) {
    let Scratch { corners, row: work } = scratch;
    let table = table::<S>(octave, places.bounds(octave), corners);
    let rows = values.as_chunks_mut::<WIDTH>().0.iter_mut().take(places.rows()).enumerate();
    for (row, values) in rows {
        let place = places.row(octave, row);
        let Some(table) = &table else {
            for (column, value) in values.iter_mut().enumerate() {
                *value = lattice.value(place(column), octave.key);
            }
            continue;
        };
        table.read::<S>(place, work);
        S::blend_row(work, values);
    }
}

/// [`Lattice::tile_with_slope`] for one stencil.
pub(super) fn values_with_slopes<S: Stencil>(
    lattice: Lattice,
    octave: &Octave,
    places: &impl Places,
    scratch: &mut Scratch,
    values: &mut [f32; AREA],
    slopes: &mut [[f32; AREA]; 2],
) {
    let Scratch { corners, row: work } = scratch;
    let table = table::<S>(octave, places.bounds(octave), corners);
    let [east, south] = slopes;
    let values = values.as_chunks_mut::<WIDTH>().0.iter_mut();
    let east = east.as_chunks_mut::<WIDTH>().0.iter_mut();
    let south = south.as_chunks_mut::<WIDTH>().0.iter_mut();
    for (row, ((values, east), south)) in
        values.zip(east).zip(south).take(places.rows()).enumerate()
    {
        let place = places.row(octave, row);
        let Some(table) = &table else {
            for column in 0..WIDTH {
                (values[column], [east[column], south[column]]) =
                    lattice.value_with_slope(place(column), octave.key);
            }
            continue;
        };
        table.read::<S>(place, work);
        let Row { fractions: [fx, fy], around, .. } = &**work;
        for column in 0..WIDTH {
            let corners = &Lane { around, column };
            values[column] = S::blend(fx[column], fy[column], corners);
            [east[column], south[column]] = S::blend_slope(fx[column], fy[column], corners);
        }
    }
}
