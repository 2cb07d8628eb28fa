//! Values between the samples.
//!
//! Coordinates are in cells from the north-west sample; outside the map the
//! edge's value goes on.

use crate::domain::Domain;
use crate::grid::Grid;
use crate::math;
use crate::memory::Cell;
use crate::par;

fn split(coordinate: f64, samples: usize) -> (usize, f64) {
    let last = samples - 1;
    let held = math::clamp(coordinate, 0.0, last as f64);
    let cell = math::min(held as usize, last.saturating_sub(1));
    (cell, held - cell as f64)
}

/// Bilinear value at column `x`, row `y` (both may lie between samples).
pub fn bilinear(grid: &Grid<f32>, x: f64, y: f64) -> f64 {
    let (x0, fx) = split(x, grid.width());
    let (y0, fy) = split(y, grid.height());
    let (x1, y1) = ((x0 + 1).min(grid.width() - 1), (y0 + 1).min(grid.height() - 1));
    let value = |x, y| f64::from(grid.at(x, y));
    let north = math::lerp(value(x0, y0), value(x1, y0), fx);
    let south = math::lerp(value(x0, y1), value(x1, y1), fx);
    math::lerp(north, south, fy)
}

/// Weights of the four samples around a fraction `t` of a cell, Catmull-Rom:
/// samples are kept, straight lines stay straight.
fn cubic_weights(t: f64) -> [f64; 4] {
    let (t2, t3) = (t * t, t * t * t);
    [
        0.5 * (-t3 + 2.0 * t2 - t),
        0.5 * (3.0 * t3 - 5.0 * t2 + 2.0),
        0.5 * (-3.0 * t3 + 4.0 * t2 + t),
        0.5 * (t3 - t2),
    ]
}

/// Catmull-Rom value at column `x`, row `y`. Beyond an edge the field goes on
/// straight (odd reflection), so that a plane stays a plane up to the border.
pub fn cubic(grid: &Grid<f32>, x: f64, y: f64) -> f64 {
    let (x0, fx) = split(x, grid.width());
    let (y0, fy) = split(y, grid.height());
    let (wx, wy) = (cubic_weights(fx), cubic_weights(fy));
    let row = |y: usize| {
        let at = |x: usize| f64::from(grid.at(x.min(grid.width() - 1), y));
        along(x0, grid.width(), at, &wx)
    };
    let column = |y: usize| row(y.min(grid.height() - 1));
    along(y0, grid.height(), column, &wy)
}

fn along(first: usize, samples: usize, at: impl Fn(usize) -> f64, weights: &[f64; 4]) -> f64 {
    let (b, c) = (at(first), at(first + 1));
    let a = if first > 0 { at(first - 1) } else { 2.0 * b - c };
    let d = if first + 2 < samples { at(first + 2) } else { 2.0 * c - b };
    a * weights[0] + b * weights[1] + c * weights[2] + d * weights[3]
}

/// `grid` resampled (Catmull-Rom) to `samples` points over the same extent.
/// Points that both lattices share keep their value to the bit.
pub fn resize(grid: &Grid<f32>, domain: Domain) -> Grid<f32> {
    let mut resized = grid.like_on(domain, 0.0_f32);
    let scale = |from: usize, to: usize| {
        if to > 1 { (from as f64 - 1.0) / (to as f64 - 1.0) } else { 0.0 }
    };
    let step_x = scale(grid.width(), domain.width());
    let step_y = scale(grid.height(), domain.height());
    // Where each column reads is the same in every row.
    let columns: Vec<(usize, [f64; 4])> = (0..domain.width())
        .map(|x| {
            let (x0, fx) = split(x as f64 * step_x, grid.width());
            (x0, cubic_weights(fx))
        })
        .collect();
    par::rows(&mut resized, |y, row| {
        // Down the columns first: once per source column, not once per cell.
        let (y0, fy) = split(y as f64 * step_y, grid.height());
        let down = cubic_weights(fy);
        let last = grid.height() - 1;
        let blended = (0..grid.width())
            .map(|x| along(y0, grid.height(), |y| f64::from(grid.at(x, y.min(last))), &down));
        let blended = continued(blended, grid.width());
        for (cell, (x0, across)) in row.iter_mut().zip(&columns) {
            let &[a, b, c, d] = blended[*x0..].first_chunk().expect("two more than the samples");
            *cell = (a * across[0] + b * across[1] + c * across[2] + d * across[3]) as f32;
        }
    });
    resized
}

/// `values` with one more at either end, on the straight line through the two
/// beside it: of a single value, three copies.
fn continued(values: impl Iterator<Item = f64>, len: usize) -> Vec<f64> {
    let mut all = Vec::with_capacity(len + 3);
    all.push(0.0);
    all.extend(values);
    if len == 1 {
        all.push(all[1]);
    }
    all[0] = 2.0 * all[1] - all[2];
    let last = all.len() - 1;
    all.push(2.0 * all[last] - all[last - 1]);
    all
}

/// `grid` read (bilinear) at the places in the world of the samples of `target`,
/// the edge's value going on outside: for fields whose lattice is another. On
/// one lattice every value keeps its bits.
pub fn onto<T: Cell>(grid: &Grid<f32>, target: &Grid<T>) -> Grid<f32> {
    let domain = *target.domain();
    let mut read = target.like(0.0_f32);
    if domain == *grid.domain() {
        read.as_mut_slice().copy_from_slice(grid.as_slice());
        return read;
    }
    par::rows(&mut read, |y, row| {
        for (x, cell) in row.iter_mut().enumerate() {
            *cell = at_world(grid, domain.world_x(x), domain.world_y(y)) as f32;
        }
    });
    read
}

/// Bilinear value at a place in the world (metres east, metres south).
pub fn at_world(grid: &Grid<f32>, x: f64, y: f64) -> f64 {
    let ([west, north], cell) = (grid.domain().origin(), grid.domain().cell_size());
    bilinear(grid, (x - west) / cell, (y - north) / cell)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn domain(width: u32, height: u32) -> Domain {
        Domain::new(width, height, 1.0, [0.0; 2]).expect("legal")
    }

    #[test]
    fn a_plane_is_read_exactly_everywhere() {
        let plane = Grid::from_fn(domain(7, 5), |x, y| (3 * x) as f32 - (2 * y) as f32 + 1.0);
        for (x, y) in [(0.0, 0.0), (0.25, 0.5), (5.75, 3.875), (6.0, 4.0), (2.0, 3.5)] {
            let truth = 3.0 * x - 2.0 * y + 1.0;
            assert!((bilinear(&plane, x, y) - truth).abs() < 1e-12);
            assert!((cubic(&plane, x, y) - truth).abs() < 1e-12, "{x} {y}");
        }
    }

    #[test]
    fn resizing_keeps_shared_points_to_the_bit() {
        let rough = Grid::from_fn(domain(9, 9), |x, y| ((x * 31 + y * 17) % 7) as f32 * 1.1);
        let fine = resize(&rough, domain(17, 17));
        for y in 0..9 {
            for x in 0..9 {
                assert_eq!(rough.at(x, y), fine.at(2 * x, 2 * y));
            }
        }
    }

    #[test]
    fn a_field_is_read_at_the_places_of_another_lattice() {
        let plane = Grid::from_fn(domain(7, 5), |x, y| (3 * x) as f32 - (2 * y) as f32);
        let shifted = Domain::new(4, 3, 0.5, [1.25, 2.0]).expect("legal");
        let read = onto(&plane, &Grid::filled(shifted, 0_u8));
        assert_eq!(read, Grid::from_fn(shifted, |x, y| 1.5 * x as f32 - y as f32 - 0.25));
        assert_eq!(onto(&plane, &plane), plane);
    }

    #[test]
    fn tiny_grids_are_read_too() {
        for (width, height) in [(1, 1), (1, 2), (2, 1), (2, 2)] {
            let grid = Grid::filled(domain(width, height), 5.0_f32);
            assert_eq!(cubic(&grid, 0.5, 0.5), 5.0);
            assert_eq!(bilinear(&grid, -3.0, 9.0), 5.0);
        }
    }
}
