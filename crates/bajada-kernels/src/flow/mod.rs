//! Where water goes: receivers, ways out of depressions, drainage area.
//!
//! The order of work is always the same. [`Outlets`] say where water leaves;
//! [`mod@basins`] finds what every hollow spills over; the filled surface has no
//! hollow left; [`flats`] gives level ground a direction; [`steepest`],
//! [`dinf`] and [`mfd`] choose receivers; [`order`] sums along them.
//!
//! A receiver is stored as a *direction*: its place in
//! [`bajada_grid::neighbors::D8`], or [`OUT`]. A direction takes one byte and
//! cannot point off the map. Nothing here recurses, adds an epsilon or asks the
//! thread pool for an order: every result is a function of the map alone.

pub mod basins;
pub mod dinf;
pub mod flats;
pub mod mfd;
pub mod order;
mod outlets;
pub(crate) mod passes;
mod power;
pub mod steepest;
pub mod stream_power;
pub mod watershed;

use bajada_grid::{Domain, Grid};

pub use basins::{Basins, basins, carve, fill};
pub use order::{Order, drainage_area, drainage_cells};
pub use outlets::{Edge, Nodata, Outlets};

/// Direction of a cell that has no receiver: an outlet, or no ground at all.
pub const OUT: u8 = 8;

/// Mark of a cell that has a strictly lower neighbor, where level ground is
/// told apart.
pub const SLOPING: u8 = 9;

/// Heights of the eight neighbors in the order of
/// [`bajada_grid::neighbors::D8`]; infinity beyond the map's edge.
#[inline(always)]
pub(crate) fn ring(heights: &Grid<f64>, x: usize, y: usize) -> [f64; 8] {
    let (width, height) = (heights.width(), heights.height());
    if x > 0 && y > 0 && x + 1 < width && y + 1 < height {
        let north = &heights.row(y - 1)[x - 1..x + 2];
        let here = &heights.row(y)[x - 1..x + 2];
        let south = &heights.row(y + 1)[x - 1..x + 2];
        return [north[0], north[1], north[2], here[0], here[2], south[0], south[1], south[2]];
    }
    let mut all = [f64::INFINITY; 8];
    for (direction, index) in around(heights.domain(), x, y) {
        all[direction] = heights[index];
    }
    all
}

/// The neighbors on the map: direction and index.
pub(crate) fn around(domain: &Domain, x: usize, y: usize) -> impl Iterator<Item = (usize, usize)> {
    bajada_grid::neighbors::around(domain, x, y, &bajada_grid::neighbors::D8)
}

/// What to add to an index to go one step in each direction of
/// [`bajada_grid::neighbors::D8`].
pub(crate) fn strides(domain: &Domain) -> [isize; 8] {
    let width = domain.width() as isize;
    bajada_grid::neighbors::D8.map(|(dx, dy)| dy * width + dx)
}

/// The cell that `direction` leads to from `index`; `direction` is below
/// [`OUT`] and was made for a cell that has this neighbor.
#[inline(always)]
pub(crate) fn toward(index: usize, direction: u8, strides: &[isize; 8]) -> usize {
    index.wrapping_add_signed(strides[usize::from(direction)])
}

/// The direction that leads back.
#[inline(always)]
pub(crate) fn back(direction: usize) -> u8 {
    7 - direction as u8
}

/// The index of a cell as it is stored in lists.
#[inline(always)]
pub(crate) fn narrow(index: usize) -> u32 {
    debug_assert!(u32::try_from(index).is_ok(), "a lattice has at most 2^32 samples");
    index as u32
}

/// The cell that `index` drains to along `directions`; `None` for an outlet.
pub fn receiver(directions: &Grid<u8>, index: usize) -> Option<usize> {
    let direction = directions[index];
    (direction < OUT).then(|| toward(index, direction, &strides(directions.domain())))
}

#[cfg(test)]
mod tests;
