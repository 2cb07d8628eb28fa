//! Noise on a whole map, tile by tile.

use bajada_grid::{Cancelled, Domain, Grid, Task};
use rayon::prelude::*;

use super::super::lattice::{AREA, HEIGHT, Straight, WIDTH, Warped};
use super::Noise;
use super::plain::{Bench, Plain};

/// Room for the work of one thread.
struct Workshop {
    bench: Bench,
    /// Moved places of a tile.
    xs: Box<[f64; AREA]>,
    ys: Box<[f64; AREA]>,
    /// Moves along one axis.
    moves: Box<[f32; AREA]>,
}

impl Workshop {
    fn new() -> Self {
        let places = || Box::new([0.0; AREA]);
        Self { bench: Bench::new(), xs: places(), ys: places(), moves: Box::new([0.0; AREA]) }
    }
}

/// Sets every cell of `out` to `noise` at its world point.
pub(super) fn fill(task: &Task, out: &mut Grid<f32>, noise: &Noise) -> Result<(), Cancelled> {
    let domain = *out.domain();
    let width = domain.width();
    task.set_total(domain.height() as u64);
    let bands = out.as_mut_slice().par_chunks_mut(width * HEIGHT).enumerate();
    bands.for_each_init(Workshop::new, |workshop, (band, cells)| {
        let rows = cells.len() / width;
        let ys = lines(&domain, noise, band * HEIGHT, rows);
        for start in (0..width).step_by(WIDTH) {
            if task.is_cancelled() {
                return;
            }
            let xs = columns(&domain, noise, start);
            noise.tile(&Straight { xs: &xs, ys: &ys }, workshop);
            let heights = workshop.bench.heights.chunks(WIDTH);
            for (row, heights) in cells.chunks_mut(width).zip(heights) {
                let end = width.min(start + WIDTH);
                row[start..end].copy_from_slice(&heights[..end - start]);
            }
        }
        task.advance(rows as u64);
    });
    task.check()
}

/// Sets every cell of `out` to `noise` at its world point, and of `east` and
/// `south` to its rise over run.
pub(super) fn fill_with_gradient(
    task: &Task,
    out: &mut Grid<f32>,
    [east, south]: [&mut Grid<f32>; 2],
    noise: &Noise,
) -> Result<(), Cancelled> {
    let domain = *out.domain();
    let width = domain.width();
    task.set_total(domain.height() as u64);
    let band = width * HEIGHT;
    let bands = out
        .as_mut_slice()
        .par_chunks_mut(band)
        .zip(east.as_mut_slice().par_chunks_mut(band))
        .zip(south.as_mut_slice().par_chunks_mut(band))
        .enumerate();
    bands.for_each_init(Workshop::new, |workshop, (band, ((cells, east), south))| {
        let rows = cells.len() / width;
        let ys = lines(&domain, noise, band * HEIGHT, rows);
        for start in (0..width).step_by(WIDTH) {
            if task.is_cancelled() {
                return;
            }
            let xs = columns(&domain, noise, start);
            noise.tile_with_gradient(&Straight { xs: &xs, ys: &ys }, workshop);
            let Bench { heights, gradients, .. } = &workshop.bench;
            for row in 0..rows {
                for column in start..width.min(start + WIDTH) {
                    let (from, to) = (row * WIDTH + column - start, row * width + column);
                    cells[to] = heights[from];
                    [east[to], south[to]] = gradients[from].map(|slope| slope as f32);
                }
            }
        }
        task.advance(rows as u64);
    });
    task.check()
}

/// Metres south of the rows of a band.
fn lines(domain: &Domain, noise: &Noise, first: usize, rows: usize) -> Vec<f64> {
    (first..first + rows).map(|row| domain.world_y(row) - noise.offset[1]).collect()
}

/// Metres east of the columns of a tile, the last repeated.
fn columns(domain: &Domain, noise: &Noise, start: usize) -> [f64; WIDTH] {
    std::array::from_fn(|column| {
        domain.world_x((start + column).min(domain.width() - 1)) - noise.offset[0]
    })
}

impl Noise {
    fn tile(&self, straight: &Straight<'_>, workshop: &mut Workshop) {
        let rows = straight.ys.len();
        for (level, [east, south]) in self.moves.levels.iter().enumerate() {
            workshop.run(level, east, straight);
            workshop.moves.copy_from_slice(&*workshop.bench.heights);
            workshop.run(level, south, straight);
            let Workshop { bench, xs, ys, moves } = workshop;
            for place in 0..rows * WIDTH {
                xs[place] = straight.xs[place % WIDTH] + f64::from(moves[place]);
                ys[place] = straight.ys[place / WIDTH] + f64::from(bench.heights[place]);
            }
        }
        workshop.run(self.moves.levels.len(), &self.plain, straight);
    }

    fn tile_with_gradient(&self, straight: &Straight<'_>, workshop: &mut Workshop) {
        let bench = &mut workshop.bench;
        if self.moves.levels.is_empty() {
            return self.plain.tile_with_gradient(straight, bench);
        }
        // The chain of derivatives is followed point by point.
        bench.gradients.clear();
        for place in 0..straight.ys.len() * WIDTH {
            let at = [straight.xs[place % WIDTH], straight.ys[place / WIDTH]];
            let (value, gradient) = self.value_with_gradient_at(at);
            bench.heights[place] = value;
            bench.gradients.push(gradient);
        }
    }
}

impl Workshop {
    /// Heights of `plain` at a tile's places, which moved unless this is the
    /// first level.
    fn run(&mut self, level: usize, plain: &Plain, straight: &Straight<'_>) {
        let Self { bench, xs, ys, .. } = self;
        if level == 0 {
            plain.tile(straight, bench);
        } else {
            plain.tile(&Warped { xs, ys, rows: straight.ys.len() }, bench);
        }
    }
}
