//! The line where ground and water plane meet, between the samples.
//!
//! Ground is taken to run straight between neighbors, so the shore crosses an
//! edge of the lattice where height and plane are equal; within a cell of four
//! samples the crossings are joined by straight segments (marching squares,
//! after Lorensen & Cline 1987).
//! Water that touches at a corner is connected, as lakes are: there the dry
//! corners are cut off.

use bajada_grid::{Grid, math};
use rayon::prelude::*;

use crate::water::lakes::Lakes;

/// A piece of shore, in cells from the north-west sample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Segment {
    pub ends: [[f64; 2]; 2],
    pub lake: u32,
}

impl Segment {
    /// Square of the distance from a point, cells.
    #[inline(always)]
    pub(super) fn distance_squared(&self, [x, y]: [f64; 2]) -> f64 {
        let [[ax, ay], [bx, by]] = self.ends;
        let (along_x, along_y) = (bx - ax, by - ay);
        let (from_x, from_y) = (x - ax, y - ay);
        let length = along_x * along_x + along_y * along_y;
        let share = if length > 0.0 {
            math::clamp((from_x * along_x + from_y * along_y) / length, 0.0, 1.0)
        } else {
            0.0
        };
        let (off_x, off_y) = (from_x - share * along_x, from_y - share * along_y);
        off_x * off_x + off_y * off_y
    }
}

/// The corners of a cell of four samples, clockwise from the north-west.
const CORNERS: [[usize; 2]; 4] = [[0, 0], [1, 0], [1, 1], [0, 1]];

/// The corners that each edge joins.
const EDGES: [[usize; 2]; 4] = [[0, 1], [1, 2], [2, 3], [3, 0]];

/// The whole shore of all lakes, row by row.
pub(super) fn shoreline(heights: &Grid<f64>, lakes: &Lakes) -> Vec<Segment> {
    let (width, height) = (heights.width(), heights.height());
    let rows: Vec<Vec<Segment>> = (1..height)
        .into_par_iter()
        .map(|below| {
            let mut segments = Vec::new();
            for x in 1..width {
                let corners = CORNERS.map(|[dx, dy]| (below - 1 + dy) * width + x - 1 + dx);
                let labels = corners.map(|cell| lakes.labels[cell]);
                if labels != [labels[0]; 4] {
                    cut(heights, lakes, corners, [x - 1, below - 1], &mut segments);
                }
            }
            segments
        })
        .collect();
    rows.concat()
}

/// The shore within one cell of four samples.
fn cut(
    heights: &Grid<f64>,
    lakes: &Lakes,
    corners: [usize; 4],
    [x, y]: [usize; 2],
    segments: &mut Vec<Segment>,
) {
    let wet = corners.map(|cell| lakes.labels[cell] != 0);
    let Some(lake) = corners.iter().map(|&cell| lakes.labels[cell]).find(|&label| label != 0)
    else {
        return;
    };
    let plane = lakes.lakes[lake as usize - 1].plane;
    let crossing = |edge: usize| {
        let [from, to] = EDGES[edge];
        // Wet ground lies below the plane, dry ground not.
        let depth = (plane - heights[corners[from]]).abs();
        let rise = (plane - heights[corners[to]]).abs();
        let share = depth / (depth + rise);
        [0, 1].map(|axis| {
            let (a, b) = (CORNERS[from][axis] as f64, CORNERS[to][axis] as f64);
            [x, y][axis] as f64 + a + share * (b - a)
        })
    };
    let mut join = |edges: [usize; 2]| segments.push(Segment { ends: edges.map(crossing), lake });
    let crossed: Vec<usize> =
        (0..4).filter(|&edge| wet[EDGES[edge][0]] != wet[EDGES[edge][1]]).collect();
    match crossed[..] {
        [first, second] => join([first, second]),
        // Two dry corners face each other; each lies between two edges.
        [_, _, _, _] => {
            for corner in (0..4).filter(|&corner| !wet[corner]) {
                join([(corner + 3) % 4, corner]);
            }
        }
        _ => {}
    }
}
