//! Cellular noise (Worley 1996): distances to scattered points.
//!
//! Every cell holds one point, anywhere but in the outer twentieth on each side.
//! With that rim the second nearest point of a place always lies in the 4 x 4
//! cells around the corner nearest to it: what lies beyond is 1.55 cells away or
//! more, and two points are at most 1.52 away. (With 3 x 3 cells, as often done,
//! the pattern shows rips along the lattice; without a rim, rarely.)

use std::f32::consts::FRAC_1_SQRT_2;

use bajada_grid::math;

use super::tile::{Row, WIDTH};
use super::{Corners, Stencil};

/// The distance to the nearest point.
pub(super) struct First;
/// The distance to the second nearest point.
pub(super) struct Second;
/// The second distance over the first.
pub(super) struct Border;

/// Share of a cell's side that its point may lie in, and what is left on each
/// side of it.
const JITTER: f32 = 0.9;
const RIM: f32 = 0.05;

/// 2^-16, for the halves of a hash.
const HALF: f32 = 1.0 / 65_536.0;

/// Mean distance and half the range of each kind, in cells, measured over
/// 4,000,000 places. One place in some thousands lies farther out and is cut
/// off, so that the ordinary ones can use the whole range.
const FIRST: (f32, f32) = (0.4219, 0.6);
const SECOND: (f32, f32) = (0.6992, 0.6);
const BORDER: (f32, f32) = (0.2773, 0.75);

#[inline(always)]
fn point(bits: u32) -> [f32; 2] {
    [bits & 0xffff, bits >> 16].map(|half| RIM + JITTER * HALF * (half as i32 as f32))
}

/// Squares of the two shortest ways.
#[inline(always)]
fn nearest(fx: f32, fy: f32, corners: &impl Corners) -> [f32; 2] {
    let (mut first, mut second) = (f32::MAX, f32::MAX);
    for k in 0..16 {
        let [x, y] = way(fx, fy, k, corners.at(k));
        let square = x * x + y * y;
        second = math::min(second, math::max(first, square));
        first = math::min(first, square);
    }
    [first, second]
}

/// As [`nearest`] for a row, point after point over all samples: so it becomes
/// vector code.
#[inline(always)]
fn nearest_in_row(row: &Row) -> [[f32; WIDTH]; 2] {
    let [mut first, mut second] = [[f32::MAX; WIDTH]; 2];
    let [fx, fy] = &row.fractions;
    for (k, [xs, ys]) in row.around.iter().enumerate() {
        for column in 0..WIDTH {
            let [x, y] = way(fx[column], fy[column], k, [xs[column], ys[column]]);
            let square = x * x + y * y;
            second[column] = math::min(second[column], math::max(first[column], square));
            first[column] = math::min(first[column], square);
        }
    }
    [first, second]
}

/// Way from the point of cell `k` to the place.
#[inline(always)]
fn way(fx: f32, fy: f32, k: usize, point: [f32; 2]) -> [f32; 2] {
    // The lattice is moved by half a cell: the place lies within half a cell of
    // the corner in the middle of the 4 x 4 cells.
    let (column, row) = ((k % 4) as f32 - 2.0, (k / 4) as f32 - 2.0);
    [fx - 0.5 - column - point[0], fy - 0.5 - row - point[1]]
}

/// Directions of the two shortest ways.
#[inline(always)]
fn directions(fx: f32, fy: f32, corners: &impl Corners) -> [[f32; 2]; 2] {
    let (mut first, mut second) = ([0.0, 0.0, f32::MAX], [0.0, 0.0, f32::MAX]);
    for k in 0..16 {
        let [x, y] = way(fx, fy, k, corners.at(k));
        let here = [x, y, x * x + y * y];
        if here[2] < first[2] {
            (first, second) = (here, first);
        } else if here[2] < second[2] {
            second = here;
        }
    }
    // At the point itself the cone has no slope.
    [first, second].map(|[x, y, square]| {
        let length = math::max(square.sqrt(), f32::MIN_POSITIVE);
        [x / length, y / length]
    })
}

/// A distance as noise within +-sqrt(1/2).
#[inline(always)]
fn level(distance: f32, (mean, half_range): (f32, f32)) -> f32 {
    (distance - mean) * (FRAC_1_SQRT_2 / half_range)
}

#[inline(always)]
fn cut(level: f32) -> f32 {
    math::clamp(level, -FRAC_1_SQRT_2, FRAC_1_SQRT_2)
}

/// Derivative of the cut level from that of the distance.
#[inline(always)]
fn cut_slope(level: f32, direction: [f32; 2], (_, half_range): (f32, f32)) -> [f32; 2] {
    let scale = if level.abs() < FRAC_1_SQRT_2 { FRAC_1_SQRT_2 / half_range } else { 0.0 };
    direction.map(|part| scale * part)
}

/// What is made of the two shortest ways.
pub(super) trait Measure {
    /// Its mean and half its range, in cells.
    const RANGE: (f32, f32);

    /// Of the first and the second distance, or of a derivative of both.
    fn of(first: f32, second: f32) -> f32;
}

impl Measure for First {
    const RANGE: (f32, f32) = FIRST;

    #[inline(always)]
    fn of(first: f32, _: f32) -> f32 {
        first
    }
}

impl Measure for Second {
    const RANGE: (f32, f32) = SECOND;

    #[inline(always)]
    fn of(_: f32, second: f32) -> f32 {
        second
    }
}

impl Measure for Border {
    const RANGE: (f32, f32) = BORDER;

    #[inline(always)]
    fn of(first: f32, second: f32) -> f32 {
        second - first
    }
}

impl<M: Measure> Stencil for M {
    const SIDE: usize = 4;
    const BEFORE: u32 = 2;

    #[inline(always)]
    fn corner(bits: u32) -> [f32; 2] {
        point(bits)
    }

    #[inline(always)]
    fn blend(fx: f32, fy: f32, corners: &impl Corners) -> f32 {
        let [first, second] = nearest(fx, fy, corners);
        cut(level(M::of(first.sqrt(), second.sqrt()), M::RANGE))
    }

    #[inline(always)]
    fn blend_row(row: &Row, values: &mut [f32; WIDTH]) {
        let [first, second] = nearest_in_row(row);
        for (column, value) in values.iter_mut().enumerate() {
            *value = cut(level(M::of(first[column].sqrt(), second[column].sqrt()), M::RANGE));
        }
    }

    #[inline(always)]
    fn blend_slope(fx: f32, fy: f32, corners: &impl Corners) -> [f32; 2] {
        let [first, second] = nearest(fx, fy, corners);
        let [near, far] = directions(fx, fy, corners);
        let direction = [M::of(near[0], far[0]), M::of(near[1], far[1])];
        cut_slope(level(M::of(first.sqrt(), second.sqrt()), M::RANGE), direction, M::RANGE)
    }
}

#[cfg(test)]
mod tests {
    use super::super::hash::{cell, corner_bits, split};
    use super::super::{Lattice, around};
    use super::*;

    /// The two nearest points of all in the 8 x 8 cells around.
    #[test]
    fn four_by_four_cells_hold_the_two_nearest_points() {
        for index in 0..40_000_u32 {
            let place = [f64::from(index % 200) * 0.377, f64::from(index / 200) * 0.291];
            let ((_, fx), (_, fy)) = (split(place[0]), split(place[1]));
            let mut squares = Vec::new();
            for row in -4..4 {
                for column in -4..4 {
                    let bits = corner_bits(cell(place[0]) + column, cell(place[1]) + row, [5, 6]);
                    let [x, y] = point(bits);
                    let way = [fx - 0.5 - column as f32 - x, fy - 0.5 - row as f32 - y];
                    squares.push(way[0] * way[0] + way[1] * way[1]);
                }
            }
            squares.sort_by(f32::total_cmp);
            let (_, _, corners) = around::<First>(place, [5, 6]);
            let found = nearest(fx, fy, &corners);
            assert_eq!(found, squares[..2], "{place:?}");
        }
    }

    #[test]
    fn the_second_point_is_farther_than_the_first_by_the_border() {
        let distance = |kind: Lattice, place, (mean, half_range): (f32, f32)| {
            mean + kind.value(place, [1, 2]) * half_range / FRAC_1_SQRT_2
        };
        for index in 0..1000_u32 {
            let place = [f64::from(index % 31) * 0.377, f64::from(index / 31) * 0.291];
            let first = distance(Lattice::WorleyF1, place, FIRST);
            let second = distance(Lattice::WorleyF2, place, SECOND);
            let apart = distance(Lattice::WorleyF2MinusF1, place, BORDER);
            assert!(first >= -1e-6 && second >= first, "{first} {second}");
            assert!((second - first - apart).abs() < 1e-5 || apart > 1.02 || second > 1.29);
        }
    }
}
