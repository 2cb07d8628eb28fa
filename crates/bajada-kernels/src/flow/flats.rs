//! Which way level ground drains.
//!
//! On a surface without hollows, level ground has no lower neighbor and no
//! steepest way. Each level cell gets two integers: how many steps it is to
//! where the patch drains, and how many from where the ground rises. Twice the
//! first minus the second falls toward the low side and away from the high one
//! (Barnes, Lehman & Mulla 2014b), and no height is touched. The first counts
//! twice, so that a neighbor with a lower sum always exists: no loops.

use bajada_grid::{Grid, par};

use super::{OUT, Outlets, SLOPING, around, narrow, ring};

const LEVEL: u8 = 10;

/// For each cell: [`SLOPING`] if it has a strictly lower neighbor, [`OUT`] for
/// outlets and walls, else the direction that level ground drains in.
///
/// `filled` has no hollows: see [`super::fill`].
pub fn directions(filled: &Grid<f64>, outlets: &Outlets) -> Grid<u8> {
    let walled = outlets.walled(filled);
    let filled = walled.as_ref().unwrap_or(filled);
    let mut directions = filled.like(OUT);
    par::rows(&mut directions, |y, row| {
        let first = y * row.len();
        for (x, cell) in row.iter_mut().enumerate() {
            if outlets.is_inner(first + x) {
                let here = filled[first + x];
                // Without a branch: most cells have a lower neighbor, but which?
                let lower =
                    ring(filled, x, y).iter().fold(false, |any, &there| any | (there < here));
                *cell = if lower { SLOPING } else { LEVEL };
            }
        }
    });
    let level: Vec<u32> =
        (0..filled.domain().len()).filter(|&i| directions[i] == LEVEL).map(narrow).collect();
    if !level.is_empty() {
        direct(filled, outlets, &level, &mut directions);
    }
    directions
}

fn direct(filled: &Grid<f64>, outlets: &Outlets, level: &[u32], directions: &mut Grid<u8>) {
    let domain = *filled.domain();
    let beside = |cell: u32| {
        let (x, y) = domain.column_row(cell as usize);
        around(&domain, x, y)
    };
    let drains = |index: usize| directions[index] == SLOPING || outlets.is_outlet(index);
    let spread = |starts: Vec<u32>| {
        let mut steps = filled.like(0_u32);
        for &cell in &starts {
            steps[cell as usize] = 1;
        }
        let mut queue = starts;
        let mut head = 0;
        while let Some(&cell) = queue.get(head) {
            head += 1;
            let here = cell as usize;
            for (_, there) in beside(cell) {
                if directions[there] == LEVEL && steps[there] == 0 && filled[there] == filled[here]
                {
                    steps[there] = steps[here] + 1;
                    queue.push(narrow(there));
                }
            }
        }
        (steps, queue)
    };
    let starts = |test: &dyn Fn(usize, usize) -> bool| -> Vec<u32> {
        level
            .iter()
            .copied()
            .filter(|&cell| beside(cell).any(|(_, there)| test(cell as usize, there)))
            .collect()
    };
    let (to_low, order) =
        spread(starts(&|here, there| filled[there] == filled[here] && drains(there)));
    let (from_high, _) =
        spread(starts(&|here, there| filled[there] > filled[here] && !outlets.is_wall(there)));
    let sum = |index: usize| {
        if directions[index] == LEVEL {
            2 * i64::from(to_low[index]) - i64::from(from_high[index])
        } else {
            // Where the patch drains: below every sum, as seen from its rim.
            i64::MIN
        }
    };
    let chosen: Vec<u8> = order
        .iter()
        .map(|&cell| {
            let here = cell as usize;
            let mut best = (sum(here), OUT);
            for (direction, there) in beside(cell) {
                if filled[there] != filled[here] || outlets.is_wall(there) {
                    continue;
                }
                let there = sum(there);
                if there < best.0 {
                    best = (there, direction as u8);
                }
            }
            best.1
        })
        .collect();
    for (cell, direction) in order.into_iter().zip(chosen) {
        directions[cell as usize] = direction;
    }
}
