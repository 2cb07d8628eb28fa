//! Pouring water into hollows bucket by bucket, to judge the product by.
//!
//! Every basin starts with a pond of no depth at its lowest cell. A bucket
//! raises its pond until a cell of the rim is reached. The cell joins the pond
//! if it drains there; else the rest of the bucket runs on to the pond that it
//! drains to, and two ponds that stand at one level become one. No hierarchy,
//! no sorting: the rim is searched anew each time. Heights must all differ; two
//! passes over one cell still can tie, and then the lesser cells decide.

use bajada_grid::Grid;
use bajada_grid::neighbors::{D8, around};

struct Pond {
    cells: Vec<usize>,
    level: f64,
}

/// The water surface (the ground where it is dry) after `buckets` of (basin,
/// volume) are poured, and what left the map. `basins` says where each cell
/// drains to; 0 is off the map. Volumes count cells times metres.
pub fn pour(heights: &Grid<f64>, basins: &Grid<u32>, buckets: &[(u32, f64)]) -> (Grid<f64>, f64) {
    let len = heights.domain().len();
    let count = (0..len).map(|cell| basins[cell] as usize + 1).max().unwrap_or(1);
    let mut ponds: Vec<Pond> = (0..count)
        .map(|basin| {
            let inside = (0..len).filter(|&cell| basins[cell] as usize == basin);
            let lowest = inside.reduce(|a, b| if heights[b] < heights[a] { b } else { a });
            let cells: Vec<usize> = lowest.into_iter().collect();
            Pond { level: cells.first().map_or(0.0, |&cell| heights[cell]), cells }
        })
        .collect();
    let mut pond_of: Vec<usize> = (0..count).collect();
    let mut exported = 0.0;
    for &(basin, volume) in buckets {
        exported += add(heights, basins, &mut ponds, &mut pond_of, (basin, volume));
    }
    let mut surface = heights.clone();
    for &pond in &pond_of[1..] {
        for &cell in &ponds[pond].cells {
            surface[cell] = ponds[pond].level;
        }
    }
    (surface, exported)
}

fn add(
    heights: &Grid<f64>,
    basins: &Grid<u32>,
    ponds: &mut [Pond],
    pond_of: &mut [usize],
    (basin, mut volume): (u32, f64),
) -> f64 {
    let mut pond = pond_of[basin as usize];
    while pond != 0 && volume > 0.0 {
        let Pond { cells, level } = &mut ponds[pond];
        let steps = cells.iter().flat_map(|&cell| {
            let (x, y) = heights.domain().column_row(cell);
            around(heights.domain(), x, y, &D8)
                .map(|(_, beside)| (cell, beside))
                .filter(|(_, beside)| !cells.contains(beside))
                .collect::<Vec<_>>()
        });
        // The lowest step out; of several, the one between the least cells.
        let key = |&(cell, beside): &(usize, usize)| {
            let higher = if heights[beside] > heights[cell] { beside } else { cell };
            (heights[higher], cell.min(beside), cell.max(beside))
        };
        let Some(pass) = steps.reduce(|a, b| if key(&b) < key(&a) { b } else { a }) else {
            return volume;
        };
        let (height, lowest) = (key(&pass).0, pass.1);
        if height > *level {
            let room = cells.len() as f64 * (height - *level);
            if volume < room {
                *level += volume / cells.len() as f64;
                return 0.0;
            }
            volume -= room;
            *level = height;
        }
        let other = pond_of[basins[lowest] as usize];
        if other == pond {
            cells.push(lowest);
        } else if other != 0 && ponds[other].level == ponds[pond].level {
            let theirs = std::mem::take(&mut ponds[other].cells);
            ponds[pond].cells.extend(theirs);
            for of in pond_of.iter_mut().filter(|of| **of == other) {
                *of = pond;
            }
        } else {
            pond = other;
        }
    }
    volume
}
