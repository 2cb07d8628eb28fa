//! Blur with a radius in metres, at a cost that does not grow with it.
//!
//! Three passes of a running mean per axis come close to a bell curve of a
//! standard deviation of half the radius. Edges are held: outside the map the
//! edge's value goes on.

use bajada_grid::{Cancelled, Grid, Task, math};
use rayon::prelude::*;

/// Columns that are swept side by side, so that a processor adds several at
/// once and a tile stays in its cache.
const LANES: usize = 32;

/// `grid` blurred by `radius` metres, but by three cells at least.
pub(super) fn blur(task: &Task, grid: &Grid<f32>, radius: f64) -> Result<Grid<f32>, Cancelled> {
    let reach = half_width(radius, grid.domain().cell_size());
    let (width, height) = (grid.width(), grid.height());
    let mut blurred = grid.like(0.0_f32);
    // A band re-reads three reaches of its neighbours on both sides. The size
    // depends on the reach alone: it decides last bits, threads must not.
    let band = math::max(64, 24 * reach);
    blurred.as_mut_slice().par_chunks_mut(band * width).enumerate().for_each(|(idx, rows)| {
        if task.is_cancelled() {
            return;
        }
        let top = idx * band;
        let bottom = top + rows.len() / width;
        let mut tiles = Tiles::default();
        for left in (0..width).step_by(LANES) {
            let lanes = LANES.min(width - left);
            tiles.sweep(grid, [left, lanes], [top, bottom, height], reach, rows);
        }
        let mut swap = [vec![0.0; width], vec![0.0; width]];
        for row in rows.chunks_exact_mut(width) {
            running_mean(row, &mut swap[0], reach);
            let [first, second] = &mut swap;
            running_mean(first, second, reach);
            running_mean(second, row, reach);
        }
    });
    task.check()?;
    Ok(blurred)
}

/// Cells on each side of a running mean whose three passes blur by `radius`.
fn half_width(radius: f64, cell_size: f64) -> usize {
    math::max((radius / (2.0 * cell_size) + 0.5) as usize, 1)
}

/// Mean of the `2 reach + 1` values around each value, edges held.
fn running_mean(from: &[f32], to: &mut [f32], reach: usize) {
    let last = from.len() - 1;
    let share = 1.0 / (2 * reach + 1) as f64;
    let mut sum = f64::from(from[0]) * (reach + 1) as f64;
    for idx in 1..=reach {
        sum += f64::from(from[idx.min(last)]);
    }
    for (idx, mean) in to.iter_mut().enumerate() {
        *mean = (sum * share) as f32;
        let (enters, leaves) = (from[(idx + reach + 1).min(last)], from[idx.saturating_sub(reach)]);
        sum += f64::from(enters) - f64::from(leaves);
    }
}

/// Scratch for three vertical passes over a tile of columns.
#[derive(Default)]
struct Tiles {
    first: Vec<[f32; LANES]>,
    second: Vec<[f32; LANES]>,
}

impl Tiles {
    /// Writes rows `top..bottom` of the columns from `left` into `rows`.
    fn sweep(
        &mut self,
        grid: &Grid<f32>,
        [left, lanes]: [usize; 2],
        [top, bottom, height]: [usize; 3],
        reach: usize,
        rows: &mut [f32],
    ) {
        let width = grid.width();
        let source = |y: usize| {
            let mut lane_values = [0.0; LANES];
            lane_values[..lanes].copy_from_slice(&grid.row(y)[left..left + lanes]);
            lane_values
        };
        let halo = |rows: usize| (top.saturating_sub(rows), (bottom + rows).min(height));
        let (first_top, first_bottom) = halo(2 * reach);
        self.first.clear();
        sweep_down(height, [first_top, first_bottom], reach, source, |row| self.first.push(row));
        let (second_top, second_bottom) = halo(reach);
        self.second.clear();
        let first = |y: usize| self.first[y - first_top];
        sweep_down(height, [second_top, second_bottom], reach, first, |row| self.second.push(row));
        let second = |y: usize| self.second[y - second_top];
        let mut out = rows.chunks_exact_mut(width);
        sweep_down(height, [top, bottom], reach, second, |row| {
            if let Some(target) = out.next() {
                target[left..left + lanes].copy_from_slice(&row[..lanes]);
            }
        });
    }
}

/// A running mean down a tile: hands rows `top..bottom` to `put`.
fn sweep_down(
    height: usize,
    [top, bottom]: [usize; 2],
    reach: usize,
    row_at: impl Fn(usize) -> [f32; LANES],
    mut put: impl FnMut([f32; LANES]),
) {
    let last = height - 1;
    let share = 1.0 / (2 * reach + 1) as f64;
    let mut sums = [0.0_f64; LANES];
    for offset in 0..=2 * reach {
        let row = row_at((top + offset).saturating_sub(reach).min(last));
        for (sum, value) in sums.iter_mut().zip(row) {
            *sum += f64::from(value);
        }
    }
    for y in top..bottom {
        put(sums.map(|sum| (sum * share) as f32));
        if y + 1 < bottom {
            let (enters, leaves) =
                (row_at((y + reach + 1).min(last)), row_at(y.saturating_sub(reach)));
            for ((sum, enter), leave) in sums.iter_mut().zip(enters).zip(leaves) {
                *sum += f64::from(enter) - f64::from(leave);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bajada_grid::{Domain, Stream};

    fn rough(width: u32, height: u32) -> Grid<f32> {
        let stream = Stream::new(3);
        let domain = Domain::new(width, height, 2.0, [0.0; 2]).expect("legal");
        Grid::from_fn(domain, |x, y| (stream.uniform(x as u64, y as u64) * 100.0) as f32)
    }

    /// Three means per axis, every window summed anew.
    fn obvious(grid: &Grid<f32>, reach: isize) -> Vec<f64> {
        let (width, height) = (grid.width() as isize, grid.height() as isize);
        let mut values: Vec<f64> = grid.as_slice().iter().map(|&value| f64::from(value)).collect();
        for (step_x, step_y) in [(0, 1), (0, 1), (0, 1), (1, 0), (1, 0), (1, 0)] {
            let before = values.clone();
            for y in 0..height {
                for x in 0..width {
                    let mean = (-reach..=reach).map(|k| {
                        let at_x = (x + k * step_x).clamp(0, width - 1);
                        let at_y = (y + k * step_y).clamp(0, height - 1);
                        before[(at_y * width + at_x) as usize]
                    });
                    values[(y * width + x) as usize] = mean.sum::<f64>() / (2 * reach + 1) as f64;
                }
            }
        }
        values
    }

    #[test]
    fn running_sums_give_what_full_sums_give() {
        for (width, height, reach) in [(37, 45, 1), (70, 150, 3), (5, 3, 4), (1, 1, 2), (2, 80, 1)]
        {
            let grid = rough(width, height);
            let radius = reach as f64 * 4.0;
            let found = blur(&Task::new(), &grid, radius).expect("nobody cancels");
            for (value, truth) in found.as_slice().iter().zip(obvious(&grid, reach)) {
                assert!((f64::from(*value) - truth).abs() < 1e-4, "{width} x {height}, {reach}");
            }
        }
    }

    #[test]
    fn a_radius_is_in_metres() {
        assert_eq!(half_width(100.0, 10.0), 5);
        assert_eq!(half_width(100.0, 5.0), 10);
        assert_eq!(half_width(0.1, 5.0), 1);
    }
}
