//! Rock that stands steeper than it can, and scarps too low to fall.
//!
//! Both come from the lower envelope of the ground: the highest surface below
//! it that rises nowhere more steeply than its repose, each cell being held by
//! its own. It is the eikonal equation with the ground itself as the source;
//! the upwind difference of Godunov takes the lesser neighbor along each axis.
//! Cells are lowered from the lowest on and again whenever a neighbor was, until
//! none is too high. Only cells that are too high are ever visited.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use bajada_grid::{Cancelled, Grid, Task, math, par};

/// Cells between two looks at whether the task is called off.
const CELLS_PER_CHECK: u64 = 8192;

/// The lower envelope of `ground`, on which a cell lies at most `rises[index]`
/// m above its neighbors. A cell is lowered only if it is more than `leeway` of
/// its rise too high; a rise of infinity keeps it as it is.
pub(super) fn envelope(
    task: &Task,
    ground: &Grid<f64>,
    rises: &Grid<f64>,
    leeway: f64,
) -> Result<Grid<f64>, Cancelled> {
    let mut lowered = ground.clone();
    let most = |heights: &Grid<f64>, index: usize| highest(heights, index, rises[index]);
    let too_high = |heights: &Grid<f64>, index: usize, most: f64| {
        heights[index] - most > leeway * rises[index]
    };
    let mut seeds = ground.like(0_u8);
    par::map(&mut seeds, |index| u8::from(too_high(ground, index, most(ground, index))));
    task.check()?;
    let place = |index: usize, most: f64| Reverse((in_order(most), index));
    let mut queue: BinaryHeap<Reverse<(i64, usize)>> = BinaryHeap::new();
    for index in (0..seeds.as_slice().len()).filter(|index| seeds[*index] != 0) {
        queue.push(place(index, most(ground, index)));
    }
    let mut visited = 0_u64;
    while let Some(Reverse((_, index))) = queue.pop() {
        visited += 1;
        if visited.is_multiple_of(CELLS_PER_CHECK) {
            task.check()?;
        }
        let now = most(&lowered, index);
        if !too_high(&lowered, index, now) {
            continue;
        }
        lowered[index] = now;
        for near in cross(&lowered, index).into_iter().flatten() {
            let most = most(&lowered, near);
            if too_high(&lowered, near, most) {
                queue.push(place(near, most));
            }
        }
    }
    Ok(lowered)
}

/// For each cell how far the highest of the scarp that it is part of rises above
/// what it would at its repose, m; 0 where nothing is too steep.
pub(super) fn scarps(
    task: &Task,
    ground: &Grid<f64>,
    rises: &Grid<f64>,
) -> Result<Grid<f32>, Cancelled> {
    let lowered = envelope(task, ground, rises, 1e-6)?;
    let (width, height) = (ground.width(), ground.height());
    let above = |index: usize| (ground[index] - lowered[index]) as f32;
    let mut scarps = ground.like(0.0_f32);
    let mut part = Vec::new();
    for first in 0..ground.as_slice().len() {
        if first.is_multiple_of(65_536) {
            task.check()?;
        }
        if above(first) <= 0.0 || scarps[first] > 0.0 {
            continue;
        }
        // The list of its cells is also what is still to be looked around from.
        part.clear();
        part.push(first);
        scarps[first] = above(first);
        let (mut next, mut highest) = (0, 0.0_f32);
        while let Some(index) = part.get(next).copied() {
            next += 1;
            highest = math::max(highest, above(index));
            let (x, y) = (index % width, index / width);
            for v in y.saturating_sub(1)..height.min(y + 2) {
                for u in x.saturating_sub(1)..width.min(x + 2) {
                    let near = v * width + u;
                    if above(near) > 0.0 && scarps[near] == 0.0 {
                        scarps[near] = above(near);
                        part.push(near);
                    }
                }
            }
        }
        for index in &part {
            scarps[*index] = highest;
        }
    }
    Ok(scarps)
}

/// The most that a cell may have above its four neighbors.
fn highest(heights: &Grid<f64>, index: usize, rise: f64) -> f64 {
    let lesser = |pair: [Option<usize>; 2]| {
        pair.into_iter().flatten().map(|near| heights[near]).fold(f64::INFINITY, math::min)
    };
    let [west, east, north, south] = cross(heights, index);
    let (a, b) = (lesser([west, east]), lesser([north, south]));
    let apart = a - b;
    // Also where one axis has no neighbor; a cell without any has no limit.
    if apart.abs() >= rise || !apart.is_finite() {
        math::min(a, b) + rise
    } else {
        0.5 * (a + b + (2.0 * rise * rise - apart * apart).sqrt())
    }
}

/// The neighbors to the west, east, north and south.
fn cross(heights: &Grid<f64>, index: usize) -> [Option<usize>; 4] {
    let (width, x) = (heights.width(), index % heights.width());
    [
        (x > 0).then(|| index - 1),
        (x + 1 < width).then(|| index + 1),
        index.checked_sub(width),
        (index + width < heights.as_slice().len()).then(|| index + width),
    ]
}

/// A whole number that sorts as `height` does.
fn in_order(height: f64) -> i64 {
    let bits = height.to_bits() as i64;
    bits ^ (((bits >> 63) as u64) >> 1) as i64
}
