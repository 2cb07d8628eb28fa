//! Where the samples of a grid lie: count, spacing, place.
//!
//! Samples are points. Row 0 is north and column 0 is west, `x` runs east and
//! `y` runs **south**, so that a cell's index, its row in a file and its world
//! coordinate all grow the same way. The extent is `(samples - 1) * cell_size`,
//! which is why 513, 1025 and 2049 samples share their points.

use thiserror::Error;

/// Most samples along one side.
pub const MAX_SAMPLES_PER_SIDE: u32 = 65_536;

/// The lattice that a grid is sampled on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Domain {
    width: u32,
    height: u32,
    cell_size: f64,
    origin: [f64; 2],
}

/// Why a lattice cannot be made.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum DomainError {
    /// A side has no sample, or more than [`MAX_SAMPLES_PER_SIDE`].
    #[error("{width} x {height} samples: each side takes 1 to {MAX_SAMPLES_PER_SIDE}")]
    Samples {
        /// Samples from west to east.
        width: u32,
        /// Samples from north to south.
        height: u32,
    },
    /// The spacing is zero, negative or not a number.
    #[error("a cell size of {0} m: it must be a finite length above 0")]
    CellSize(f64),
    /// A coordinate of the origin is not a number.
    #[error("an origin at {0:?}: both coordinates must be finite")]
    Origin([f64; 2]),
    /// Width and height ask for different spacings.
    #[error(
        "{width} x {height} samples over {} x {} m make cells of {:.6} x {:.6} m: cells must be square",
        extent[0], extent[1], cell[0], cell[1]
    )]
    NotSquare {
        /// Samples from west to east.
        width: u32,
        /// Samples from north to south.
        height: u32,
        /// Length of the sides, m.
        extent: [f64; 2],
        /// Spacing along the sides, m.
        cell: [f64; 2],
    },
}

impl Domain {
    /// A lattice of `width` x `height` samples, `cell_size` metres apart,
    /// whose north-west sample lies at `origin` (metres east, metres south).
    pub fn new(
        width: u32,
        height: u32,
        cell_size: f64,
        origin: [f64; 2],
    ) -> Result<Self, DomainError> {
        if !(1..=MAX_SAMPLES_PER_SIDE).contains(&width)
            || !(1..=MAX_SAMPLES_PER_SIDE).contains(&height)
        {
            return Err(DomainError::Samples { width, height });
        }
        if !(cell_size.is_finite() && cell_size > 0.0) {
            return Err(DomainError::CellSize(cell_size));
        }
        if !(origin[0].is_finite() && origin[1].is_finite()) {
            return Err(DomainError::Origin(origin));
        }
        Ok(Self { width, height, cell_size, origin })
    }

    /// The lattice that puts `samples` points on a rectangle of `extent`
    /// metres. Refused unless the cells come out square to one part in 10^6.
    pub fn over_extent(
        samples: [u32; 2],
        extent: [f64; 2],
        origin: [f64; 2],
    ) -> Result<Self, DomainError> {
        let [width, height] = samples;
        if width < 2 || height < 2 {
            return Err(DomainError::Samples { width, height });
        }
        let cell = [extent[0] / f64::from(width - 1), extent[1] / f64::from(height - 1)];
        if (cell[0] - cell[1]).abs() > 1e-6 * cell[0].abs() {
            return Err(DomainError::NotSquare { width, height, extent, cell });
        }
        Self::new(width, height, cell[0], origin)
    }

    /// Samples from west to east.
    pub fn width(&self) -> usize {
        self.width as usize
    }

    /// Samples from north to south.
    pub fn height(&self) -> usize {
        self.height as usize
    }

    /// Samples along both sides, west to east first.
    pub fn samples(&self) -> [u32; 2] {
        [self.width, self.height]
    }

    /// How many samples there are.
    pub fn len(&self) -> usize {
        self.width() * self.height()
    }

    /// Never true: a lattice has at least one sample.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// Edge of the square cell that a sample stands for, m.
    pub fn cell_size(&self) -> f64 {
        self.cell_size
    }

    /// Area that a sample stands for, m2: one full cell, at the map's edge too.
    pub fn cell_area(&self) -> f64 {
        self.cell_size * self.cell_size
    }

    /// World place of the north-west sample: metres east, metres south.
    pub fn origin(&self) -> [f64; 2] {
        self.origin
    }

    /// Length of the sides, m: `(samples - 1) * cell_size`.
    pub fn extent(&self) -> [f64; 2] {
        [f64::from(self.width - 1) * self.cell_size, f64::from(self.height - 1) * self.cell_size]
    }

    /// Length of the shorter side, m.
    pub fn short_side(&self) -> f64 {
        let [a, b] = self.extent();
        if a < b { a } else { b }
    }

    /// Metres east of column `x`.
    pub fn world_x(&self, x: usize) -> f64 {
        self.origin[0] + x as f64 * self.cell_size
    }

    /// Metres south of row `y`.
    pub fn world_y(&self, y: usize) -> f64 {
        self.origin[1] + y as f64 * self.cell_size
    }

    /// Index of the sample in column `x` of row `y`.
    pub fn index(&self, x: usize, y: usize) -> usize {
        debug_assert!(x < self.width() && y < self.height());
        y * self.width() + x
    }

    /// Column and row of a sample.
    pub fn column_row(&self, index: usize) -> (usize, usize) {
        (index % self.width(), index / self.width())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubling_the_samples_keeps_every_second_point() {
        let coarse = Domain::over_extent([513, 513], [12288.0; 2], [100.0, -50.0]).expect("legal");
        let fine = Domain::over_extent([1025, 1025], [12288.0; 2], [100.0, -50.0]).expect("legal");
        for x in [0, 1, 200, 512] {
            assert_eq!(coarse.world_x(x), fine.world_x(2 * x));
            assert_eq!(coarse.world_y(x), fine.world_y(2 * x));
        }
    }

    #[test]
    fn cells_that_are_not_square_are_refused() {
        let made = Domain::over_extent([513, 513], [12288.0, 12000.0], [0.0; 2]);
        assert!(matches!(made, Err(DomainError::NotSquare { .. })));
    }

    #[test]
    fn nonsense_is_refused() {
        assert!(Domain::new(0, 5, 1.0, [0.0; 2]).is_err());
        assert!(Domain::new(5, 65_537, 1.0, [0.0; 2]).is_err());
        for cell_size in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(Domain::new(5, 5, cell_size, [0.0; 2]).is_err());
        }
        assert!(Domain::new(5, 5, 1.0, [f64::NAN, 0.0]).is_err());
    }
}
