//! How steeply the terrain rises toward a direction, at every sample.
//!
//! Model: the horizon of a sample in a grid direction is the steepest line of
//! sight to any sample further along the same grid line. Walking a line from
//! its far end, the samples that can still be somebody's horizon form an upper
//! convex hull; the one that counts for the next sample is found by dropping
//! hull points that it looks over. Every sample is pushed and dropped at most
//! once, so the whole map is exact at a constant cost per sample, with no
//! radius and no step length to choose.
//!
//! Only directions that meet samples are offered (the eight neighbours, and for
//! the sun the eight knight's moves), so nothing is interpolated.

use bajada_grid::{Cancelled, Grid, Task, math, par};
use rayon::prelude::*;

/// A direction on the grid, in cells: `dx` east, `dy` south.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Direction {
    pub(super) dx: isize,
    pub(super) dy: isize,
}

const fn toward(dx: isize, dy: isize) -> Direction {
    Direction { dx, dy }
}

/// The directions of the sky, clockwise from north.
pub(super) const SKY: [Direction; 8] = [
    toward(0, -1),
    toward(1, -1),
    toward(1, 0),
    toward(1, 1),
    toward(0, 1),
    toward(-1, 1),
    toward(-1, 0),
    toward(-1, -1),
];

/// The directions that a sun may stand in, clockwise from north.
pub(super) const SUN: [Direction; 16] = [
    toward(0, -1),
    toward(1, -2),
    toward(1, -1),
    toward(2, -1),
    toward(1, 0),
    toward(2, 1),
    toward(1, 1),
    toward(1, 2),
    toward(0, 1),
    toward(-1, 2),
    toward(-1, 1),
    toward(-2, 1),
    toward(-1, 0),
    toward(-2, -1),
    toward(-1, -1),
    toward(-1, -2),
];

impl Direction {
    /// The sun direction nearest to an azimuth (degrees clockwise from north).
    pub(super) fn nearest_sun(azimuth_deg: f64) -> Self {
        let angle = math::radians(azimuth_deg);
        let (east, south) = (math::sin(angle), -math::cos(angle));
        let mut best = (f64::NEG_INFINITY, SUN[0]);
        for direction in SUN {
            let [x, y] = direction.unit();
            let closeness = x * east + y * south;
            if closeness > best.0 {
                best = (closeness, direction);
            }
        }
        best.1
    }

    /// Length of one step, in cells.
    pub(super) fn length(self) -> f64 {
        ((self.dx * self.dx + self.dy * self.dy) as f64).sqrt()
    }

    /// Unit vector: east, south.
    pub(super) fn unit(self) -> [f64; 2] {
        [self.dx as f64 / self.length(), self.dy as f64 / self.length()]
    }

    /// Degrees clockwise from north, 0..360.
    pub(super) fn azimuth_deg(self) -> f64 {
        let angle = math::atan2(self.dx as f64, -self.dy as f64);
        let degrees = angle * (180.0 / std::f64::consts::PI);
        if degrees < 0.0 { degrees + 360.0 } else { degrees }
    }
}

/// Tangent of the horizon's height toward `direction` at every sample; 0 where
/// nothing rises above the sample. Heights are in metres.
pub(super) fn horizon(
    task: &Task,
    heights: &Grid<f32>,
    direction: Direction,
) -> Result<Grid<f32>, Cancelled> {
    let lines = Lines::new(heights, direction);
    // Each line is one task's own run of memory; the map is put together from
    // the lines afterwards, row by row.
    let mut along = heights.like(0.0_f32);
    let mut runs = Vec::with_capacity(lines.count().div_ceil(LINES_PER_TASK));
    let mut rest = along.as_mut_slice();
    for first in (0..lines.count()).step_by(LINES_PER_TASK) {
        let last = (first + LINES_PER_TASK).min(lines.count());
        let (run, tail) = rest.split_at_mut(lines.offsets[last] - lines.offsets[first]);
        runs.push((first, run));
        rest = tail;
    }
    let per_step = (1.0 / (direction.length() * heights.domain().cell_size())) as f32;
    runs.into_par_iter().for_each(|(first, mut run)| {
        if task.is_cancelled() {
            return;
        }
        let mut hull = Vec::with_capacity(lines.longest());
        let mut line = first;
        while !run.is_empty() {
            let length = lines.offsets[line + 1] - lines.offsets[line];
            let (tangents, tail) = run.split_at_mut(length);
            scan(heights.as_slice(), lines.first_index(line), lines.stride, tangents, &mut hull);
            for tangent in tangents {
                *tangent *= per_step;
            }
            (run, line) = (tail, line + 1);
        }
    });
    task.check()?;
    let mut tangents = heights.like(0.0_f32);
    par::rows(&mut tangents, |y, row| lines.gather_row(y, along.as_slice(), row));
    task.check()?;
    Ok(tangents)
}

/// Lines that one task walks: neighbours share cache lines.
const LINES_PER_TASK: usize = 64;

/// Walks one line from its far end; writes rise per step.
fn scan(
    heights: &[f32],
    first: usize,
    stride: isize,
    tangents: &mut [f32],
    hull: &mut Vec<(f32, f32)>,
) {
    hull.clear();
    let mut index = first;
    for (step, tangent) in tangents.iter_mut().enumerate() {
        let (place, height) = (step as f32, heights[index]);
        // Slopes are compared crosswise, so that only the one that is kept
        // costs a division.
        let mut rise = 0.0;
        let mut run = 1.0;
        if let Some(&(near_place, near_height)) = hull.last() {
            (rise, run) = (near_height - height, place - near_place);
            while let Some(&[(far_place, far_height), _]) = hull.last_chunk::<2>() {
                let (far_rise, far_run) = (far_height - height, place - far_place);
                if far_rise * run < rise * far_run {
                    break;
                }
                hull.pop();
                (rise, run) = (far_rise, far_run);
            }
        }
        *tangent = if rise > 0.0 { rise / run } else { 0.0 };
        hull.push((place, height));
        index = index.wrapping_add_signed(stride);
    }
}

/// All grid lines of one direction. A line starts at a sample from which one
/// step toward the direction leaves the map. Those are the rows next to the
/// edge (`rows` of them) and, in all other rows, the columns next to the edge.
struct Lines {
    width: usize,
    height: usize,
    direction: Direction,
    /// From one sample of a line to the next, away from the direction.
    stride: isize,
    rows: usize,
    columns: usize,
    /// Where each line begins in memory that holds line after line.
    offsets: Vec<usize>,
}

impl Lines {
    fn new(heights: &Grid<f32>, direction: Direction) -> Self {
        let (width, height) = (heights.width(), heights.height());
        let mut lines = Self {
            width,
            height,
            direction,
            stride: -(direction.dy * width as isize + direction.dx),
            rows: direction.dy.unsigned_abs().min(height),
            columns: direction.dx.unsigned_abs().min(width),
            offsets: Vec::new(),
        };
        let count = lines.rows * width + lines.columns * (height - lines.rows);
        lines.offsets.reserve(count + 1);
        let mut total = 0;
        for line in 0..count {
            lines.offsets.push(total);
            let (x, y) = lines.first(line);
            let away_x = steps_to_edge(x, width, -direction.dx);
            let away_y = steps_to_edge(y, height, -direction.dy);
            total += 1 + away_x.min(away_y);
        }
        lines.offsets.push(total);
        lines
    }

    fn count(&self) -> usize {
        self.offsets.len() - 1
    }

    fn longest(&self) -> usize {
        self.width.max(self.height)
    }

    /// Column and row of a line's first sample.
    fn first(&self, line: usize) -> (usize, usize) {
        let in_rows = self.rows * self.width;
        if line < in_rows {
            let top = if self.direction.dy > 0 { self.height - self.rows } else { 0 };
            return (line % self.width, top + line / self.width);
        }
        let left = if self.direction.dx > 0 { self.width - self.columns } else { 0 };
        let top = if self.direction.dy > 0 { 0 } else { self.rows };
        let rest = line - in_rows;
        (left + rest % self.columns, top + rest / self.columns)
    }

    fn first_index(&self, line: usize) -> usize {
        let (x, y) = self.first(line);
        y * self.width + x
    }

    /// The inverse of [`Lines::first`].
    fn line_from(&self, x: usize, y: usize) -> usize {
        let strip_top = if self.direction.dy > 0 { self.height - self.rows } else { 0 };
        if y >= strip_top && y - strip_top < self.rows {
            return (y - strip_top) * self.width + x;
        }
        let left = if self.direction.dx > 0 { self.width - self.columns } else { 0 };
        let top = if self.direction.dy > 0 { 0 } else { self.rows };
        self.rows * self.width + (y - top) * self.columns + (x - left)
    }

    /// Row `y` of the map, read from memory that holds line after line.
    fn gather_row(&self, y: usize, along: &[f32], row: &mut [f32]) {
        let Direction { dx, dy } = self.direction;
        let steps_y = steps_to_edge(y, self.height, dy);
        for (x, cell) in row.iter_mut().enumerate() {
            let steps = steps_to_edge(x, self.width, dx).min(steps_y);
            let first_x = x.wrapping_add_signed(dx * steps as isize);
            let first_y = y.wrapping_add_signed(dy * steps as isize);
            *cell = along[self.offsets[self.line_from(first_x, first_y)] + steps];
        }
    }
}

/// How many steps of `delta` cells stay on a side of `samples`. Asked for every
/// pixel: a division by a number that the compiler knows is none.
#[inline(always)]
fn steps_to_edge(place: usize, samples: usize, delta: isize) -> usize {
    let ahead = if delta > 0 { samples - 1 - place } else { place };
    match delta.unsigned_abs() {
        0 => usize::MAX,
        1 => ahead,
        2 => ahead / 2,
        wide => ahead / wide,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bajada_grid::{Domain, Stream};

    /// Looks along the line to every sample on it.
    fn obvious(heights: &Grid<f32>, direction: Direction, x: usize, y: usize) -> f64 {
        let (mut best, mut steps) = (0.0, 0.0);
        let (mut at_x, mut at_y) = (x, y);
        loop {
            let next =
                (at_x.checked_add_signed(direction.dx), at_y.checked_add_signed(direction.dy));
            let (Some(next_x), Some(next_y)) = next else { return best };
            if next_x >= heights.width() || next_y >= heights.height() {
                return best;
            }
            (at_x, at_y, steps) = (next_x, next_y, steps + 1.0);
            let rise = f64::from(heights.at(at_x, at_y)) - f64::from(heights.at(x, y));
            let run = steps * direction.length() * heights.domain().cell_size();
            best = math::max(best, rise / run);
        }
    }

    fn seen(heights: &Grid<f32>, direction: Direction) -> Grid<f32> {
        horizon(&Task::new(), heights, direction).expect("nobody cancels")
    }

    fn check(width: u32, height: u32) {
        let stream = Stream::new(7);
        let domain = Domain::new(width, height, 3.0, [0.0; 2]).expect("legal");
        let rough = Grid::from_fn(domain, |x, y| {
            (stream.uniform(x as u64, y as u64) * 40.0 + 0.5 * x as f64) as f32
        });
        for direction in SUN.into_iter().chain(SKY) {
            let found = seen(&rough, direction);
            for y in 0..rough.height() {
                for x in 0..rough.width() {
                    let truth = obvious(&rough, direction, x, y);
                    let error = (f64::from(found.at(x, y)) - truth).abs();
                    assert!(error < 1e-5 * (1.0 + truth), "{direction:?} at {x}, {y}: {truth}");
                }
            }
        }
    }

    #[test]
    fn the_scan_sees_what_a_look_at_every_sample_sees() {
        check(37, 29);
        check(16, 41);
    }

    #[test]
    fn narrow_maps_are_scanned_too() {
        for (width, height) in [(1, 1), (2, 2), (1, 9), (9, 1), (2, 30), (30, 2), (3, 3)] {
            check(width, height);
        }
    }

    #[test]
    fn a_plain_has_no_horizon_and_a_wall_has_its_slope() {
        let domain = Domain::new(9, 9, 10.0, [0.0; 2]).expect("legal");
        let wall = Grid::from_fn(domain, |x, _| if x == 8 { 20.0 } else { 0.0 });
        let east = seen(&wall, toward(1, 0));
        assert!((east.at(6, 4) - 1.0).abs() < 1e-6 && (east.at(4, 4) - 0.5).abs() < 1e-6);
        assert!(seen(&wall, toward(-1, 0)).as_slice().iter().all(|&tangent| tangent == 0.0));
    }

    #[test]
    fn a_sun_snaps_to_the_nearest_of_sixteen() {
        for (asked, given) in [
            (315.0, 315.0),
            (0.0, 0.0),
            (359.0, 0.0),
            (30.0, 26.565_051_177),
            (333.0, 333.434_948_823),
        ] {
            let azimuth = Direction::nearest_sun(asked).azimuth_deg();
            assert!((azimuth - given).abs() < 1e-6, "{asked} gave {azimuth}");
        }
        for direction in SUN {
            assert_eq!(Direction::nearest_sun(direction.azimuth_deg()), direction);
        }
    }
}
