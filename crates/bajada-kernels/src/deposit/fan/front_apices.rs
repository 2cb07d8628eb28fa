//! Apices where a mask or a person says so.

use bajada_grid::{Domain, Grid, math};

use crate::deposit::apices::Apex;
use crate::flow::{self, OUT, Order, Outlets, strides, toward};

/// Settings of [`along_front`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrontConfig {
    /// Least area that drains through an apex, m2.
    pub least_area: f64,
    /// Least distance between two apices, m.
    pub spacing: f64,
    /// The same where one of them drains more than 1 km2.
    pub large_spacing: f64,
}

impl Default for FrontConfig {
    /// Some 25 fans on a front of 12 km.
    fn default() -> Self {
        Self { least_area: 0.06e6, spacing: 220.0, large_spacing: 350.0 }
    }
}

/// Length over which a channel's bearing is measured, m.
const BEARING_LENGTH: f64 = 150.0;

/// Cells around a named point in which its channel is looked for.
const SNAP: usize = 5;

/// Channels of a map and what drains through them.
struct Channels {
    domain: Domain,
    directions: Grid<u8>,
    cells: Grid<u64>,
}

impl Channels {
    fn of(elevation: &Grid<f32>) -> Self {
        let ground = elevation.to_f64();
        let directions = flow::carve(&ground, &Outlets::at_edge(&ground));
        let order = Order::of_tree(&directions);
        let cells = flow::drainage_cells(&directions, &order);
        Self { domain: *elevation.domain(), directions, cells }
    }

    fn area(&self, cell: usize) -> f64 {
        self.cells[cell] as f64 * self.domain.cell_area()
    }

    fn apex(&self, cell: usize) -> Apex {
        let strides = strides(&self.domain);
        let steps = (BEARING_LENGTH / self.domain.cell_size()).ceil();
        let mut end = cell;
        for _ in 0..math::clamp(steps, 1.0, 1e4) as usize {
            match self.directions[end] {
                OUT => break,
                direction => end = toward(end, direction, &strides),
            }
        }
        let ((x, y), (ex, ey)) = (self.domain.column_row(cell), self.domain.column_row(end));
        let (dx, dy) = (ex as f64 - x as f64, ey as f64 - y as f64);
        let length = (dx * dx + dy * dy).sqrt();
        let bearing = if length > 0.0 { [dx / length, dy / length] } else { [1.0, 0.0] };
        Apex {
            cell,
            bearing,
            catchment_area: self.area(cell),
            width: self.domain.cell_size(),
            score: 1.0,
        }
    }
}

/// An apex wherever a channel leaves the ground where `front` is at least 0.5.
/// Of two that stand too close the one with the larger catchment counts.
pub fn along_front(elevation: &Grid<f32>, front: &Grid<f32>, config: &FrontConfig) -> Vec<Apex> {
    let channels = Channels::of(elevation);
    let domain = channels.domain;
    let strides = strides(&domain);
    let mut crossings: Vec<usize> = (0..domain.len())
        .filter(|&cell| {
            let direction = channels.directions[cell];
            front[cell] >= 0.5
                && direction < OUT
                && front[toward(cell, direction, &strides)] < 0.5
                && channels.area(cell) >= config.least_area
        })
        .collect();
    crossings.sort_by_key(|&cell| (std::cmp::Reverse(channels.cells[cell]), cell));
    let mut kept: Vec<usize> = Vec::new();
    for cell in crossings {
        let (x, y) = domain.column_row(cell);
        let free = kept.iter().all(|&other| {
            let (ox, oy) = domain.column_row(other);
            let (dx, dy) = (x.abs_diff(ox) as f64, y.abs_diff(oy) as f64);
            // Kept ones are the larger.
            let large = channels.area(other) > 1e6;
            let spacing = if large { config.large_spacing } else { config.spacing };
            (dx * dx + dy * dy).sqrt() * domain.cell_size() >= spacing
        });
        if free {
            kept.push(cell);
        }
    }
    kept.sort_unstable();
    kept.into_iter().map(|cell| channels.apex(cell)).collect()
}

/// An apex for each of `points` (metres east, metres south), on the largest
/// channel within five cells. Points off the map have none.
pub fn at_points(elevation: &Grid<f32>, points: &[[f64; 2]]) -> Vec<Apex> {
    let channels = Channels::of(elevation);
    let domain = channels.domain;
    let (width, height) = (domain.width(), domain.height());
    let snap = |point: &[f64; 2]| {
        let column = (point[0] - domain.origin()[0]) / domain.cell_size();
        let row = (point[1] - domain.origin()[1]) / domain.cell_size();
        let on_map = column > -1.0 && row > -1.0 && column < width as f64 && row < height as f64;
        if !on_map {
            return None;
        }
        let (x, y) = ((column + 0.5) as usize, (row + 0.5) as usize);
        let rows = y.saturating_sub(SNAP)..(y + SNAP + 1).min(height);
        rows.flat_map(|y| {
            (x.saturating_sub(SNAP)..(x + SNAP + 1).min(width)).map(move |x| y * width + x)
        })
        .max_by_key(|&cell| (channels.cells[cell], std::cmp::Reverse(cell)))
    };
    points.iter().filter_map(snap).map(|cell| channels.apex(cell)).collect()
}
