//! One value for each sample of a [`Domain`].

use std::ops::{Index, IndexMut};
use std::sync::Arc;

use crate::domain::Domain;
use crate::memory::{Buffer, Cell, Memory};

/// A raster: `domain.len()` cells, row by row from the north, each row from
/// the west. Cell `(x, y)` has the index `y * width + x`.
#[derive(Clone)]
pub struct Grid<T: Cell> {
    domain: Domain,
    cells: Buffer<T>,
}

impl<T: Cell> std::fmt::Debug for Grid<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Grid").field("domain", &self.domain).finish_non_exhaustive()
    }
}

impl<T: Cell> PartialEq for Grid<T> {
    fn eq(&self, other: &Self) -> bool {
        self.domain == other.domain && self.as_slice() == other.as_slice()
    }
}

impl<T: Cell> Grid<T> {
    /// A grid with `value` everywhere, outside any count of memory.
    pub fn filled(domain: Domain, value: T) -> Self {
        Self { domain, cells: Buffer::filled(None, domain.len(), value) }
    }

    /// A grid with `value` everywhere, counted by `memory`. Grids made from it
    /// with [`Grid::like`] are counted there too.
    pub fn filled_in(memory: &Arc<Memory>, domain: Domain, value: T) -> Self {
        Self { domain, cells: Buffer::filled(Some(Arc::clone(memory)), domain.len(), value) }
    }

    /// A grid that takes `values` over. `None` unless there is one for each
    /// sample of `domain`.
    pub fn from_vec(domain: Domain, values: Vec<T>) -> Option<Self> {
        (values.len() == domain.len()).then(|| Self { domain, cells: Buffer::from_vec(values) })
    }

    /// A grid whose cell `(x, y)` holds `value_at(x, y)`.
    pub fn from_fn(domain: Domain, mut value_at: impl FnMut(usize, usize) -> T) -> Self {
        let mut grid = Self::filled(domain, T::default());
        for y in 0..domain.height() {
            for (x, cell) in grid.row_mut(y).iter_mut().enumerate() {
                *cell = value_at(x, y);
            }
        }
        grid
    }

    /// A grid on the same domain, counted by the same memory, with `value`
    /// everywhere: the way to make scratch space inside a kernel.
    pub fn like<U: Cell>(&self, value: U) -> Grid<U> {
        self.like_on(self.domain, value)
    }

    /// As [`Grid::like`], on another domain.
    pub fn like_on<U: Cell>(&self, domain: Domain, value: U) -> Grid<U> {
        Grid { domain, cells: Buffer::filled(self.cells.memory().cloned(), domain.len(), value) }
    }

    /// A copy counted by `memory` instead.
    pub fn copy_in(&self, memory: &Arc<Memory>) -> Self {
        let mut copy = Self::filled_in(memory, self.domain, T::default());
        copy.as_mut_slice().copy_from_slice(self.as_slice());
        copy
    }

    /// Where the samples lie.
    pub fn domain(&self) -> &Domain {
        &self.domain
    }

    /// The same cells at another place or spacing; `None` unless the sample
    /// counts are equal.
    pub fn with_domain(self, domain: Domain) -> Option<Self> {
        (domain.samples() == self.domain.samples()).then_some(Self { domain, cells: self.cells })
    }

    /// Samples from west to east.
    pub fn width(&self) -> usize {
        self.domain.width()
    }

    /// Samples from north to south.
    pub fn height(&self) -> usize {
        self.domain.height()
    }

    /// Memory that its cells take, bytes.
    pub fn bytes(&self) -> u64 {
        size_of_val(self.as_slice()) as u64
    }

    /// All cells, row by row.
    pub fn as_slice(&self) -> &[T] {
        self.cells.as_slice()
    }

    /// All cells, row by row.
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        self.cells.as_mut_slice()
    }

    /// Row `y`, from the west.
    pub fn row(&self, y: usize) -> &[T] {
        let width = self.width();
        &self.as_slice()[y * width..(y + 1) * width]
    }

    /// Row `y`, from the west.
    pub fn row_mut(&mut self, y: usize) -> &mut [T] {
        let width = self.width();
        &mut self.as_mut_slice()[y * width..(y + 1) * width]
    }

    /// The cell in column `x` of row `y`.
    pub fn at(&self, x: usize, y: usize) -> T {
        self.as_slice()[self.domain.index(x, y)]
    }

    /// Puts `value` in column `x` of row `y`.
    pub fn set(&mut self, x: usize, y: usize, value: T) {
        let index = self.domain.index(x, y);
        self.as_mut_slice()[index] = value;
    }
}

impl<T: Cell> Index<usize> for Grid<T> {
    type Output = T;
    fn index(&self, index: usize) -> &T {
        &self.as_slice()[index]
    }
}

impl<T: Cell> IndexMut<usize> for Grid<T> {
    fn index_mut(&mut self, index: usize) -> &mut T {
        &mut self.as_mut_slice()[index]
    }
}

impl Grid<f32> {
    /// The same heights in f64, for kernels that move matter.
    pub fn to_f64(&self) -> Grid<f64> {
        let mut wide = self.like(0.0_f64);
        crate::par::map(&mut wide, |index| f64::from(self[index]));
        wide
    }
}

impl Grid<f64> {
    /// Rounded to what a port carries.
    pub fn to_f32(&self) -> Grid<f32> {
        let mut narrow = self.like(0.0_f32);
        crate::par::map(&mut narrow, |index| self[index] as f32);
        narrow
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn domain(width: u32, height: u32) -> Domain {
        Domain::new(width, height, 2.0, [0.0; 2]).expect("legal")
    }

    #[test]
    fn cells_run_west_to_east_then_south() {
        let grid = Grid::from_fn(domain(3, 2), |x, y| (10 * y + x) as u32);
        assert_eq!(grid.as_slice(), [0, 1, 2, 10, 11, 12]);
        assert_eq!(grid.at(2, 1), 12);
        assert_eq!(grid.row(1), [10, 11, 12]);
    }

    #[test]
    fn a_vector_of_the_wrong_length_is_refused() {
        assert!(Grid::from_vec(domain(3, 2), vec![0.0_f32; 5]).is_none());
    }

    #[test]
    fn scratch_is_counted_where_its_model_is() {
        let memory = Memory::new();
        let grid = Grid::filled_in(&memory, domain(4, 4), 0.0_f32);
        let scratch = grid.like(0_u8);
        assert_eq!(memory.used(), 64 + 16);
        drop((grid, scratch));
        assert_eq!((memory.used(), memory.peak()), (0, 80));
    }
}
