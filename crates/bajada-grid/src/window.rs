//! Parts of a grid, with a halo around them.
//!
//! A node that looks at most `r` metres far gives on a window with a halo of
//! `r` metres exactly what it gives on the whole map: that is how such nodes
//! are tiled, and how the contract tests prove that they may be.

use crate::domain::Domain;
use crate::grid::Grid;
use crate::memory::Cell;

/// A rectangle of samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Westernmost column.
    pub x: usize,
    /// Northernmost row.
    pub y: usize,
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
}

impl Window {
    /// This window and `halo` more samples on every side where the map has them.
    pub fn with_halo(self, domain: &Domain, halo: usize) -> Self {
        let (x, y) = (self.x.saturating_sub(halo), self.y.saturating_sub(halo));
        let right = (self.x + self.width + halo).min(domain.width());
        let bottom = (self.y + self.height + halo).min(domain.height());
        Self { x, y, width: right - x, height: bottom - y }
    }

    /// The lattice of this window: the same points of the world.
    pub fn domain(self, whole: &Domain) -> Option<Domain> {
        let fits = self.x + self.width <= whole.width() && self.y + self.height <= whole.height();
        let origin = [whole.world_x(self.x), whole.world_y(self.y)];
        let (width, height) = (u32::try_from(self.width).ok()?, u32::try_from(self.height).ok()?);
        fits.then(|| Domain::new(width, height, whole.cell_size(), origin).ok()).flatten()
    }
}

impl<T: Cell> Grid<T> {
    /// A copy of the samples inside `window`; `None` unless the map holds it
    /// whole.
    pub fn crop(&self, window: Window) -> Option<Grid<T>> {
        let domain = window.domain(self.domain())?;
        let mut part = self.like_on(domain, T::default());
        for y in 0..window.height {
            let row = &self.row(window.y + y)[window.x..window.x + window.width];
            part.row_mut(y).copy_from_slice(row);
        }
        Some(part)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_keeps_its_place_in_the_world() {
        let domain = Domain::new(8, 6, 2.5, [100.0, 200.0]).expect("legal");
        let grid = Grid::from_fn(domain, |x, y| (y * 8 + x) as u32);
        let inner = Window { x: 3, y: 2, width: 2, height: 2 };
        let part = grid.crop(inner.with_halo(&domain, 2)).expect("it lies inside");
        assert_eq!(part.domain().samples(), [6, 6]);
        assert_eq!(part.domain().world_x(0), domain.world_x(1));
        assert_eq!(part.at(2, 2), grid.at(3, 2));
    }

    #[test]
    fn a_halo_stops_at_the_edge_and_a_window_outside_is_refused() {
        let domain = Domain::new(8, 6, 1.0, [0.0; 2]).expect("legal");
        let corner = Window { x: 0, y: 0, width: 3, height: 3 }.with_halo(&domain, 9);
        assert_eq!(corner, Window { x: 0, y: 0, width: 8, height: 6 });
        let grid = Grid::filled(domain, 0_u8);
        assert!(grid.crop(Window { x: 7, y: 0, width: 2, height: 1 }).is_none());
    }
}
