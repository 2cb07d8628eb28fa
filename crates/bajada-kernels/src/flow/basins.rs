//! Hollows, what they spill over, and the way out of each.
//!
//! Model: every cell runs down the steepest way to an outlet or to a sink (a
//! cell, or a level patch of cells, without a lower neighbor). The cells of one
//! sink are a *basin*; all outlets together are the basin 0. Where two basins
//! touch, their lowest pass counts; the minimum spanning tree of the passes
//! holds the lowest way from every basin to an outlet (Cordonnier, Bovy & Braun
//! 2019), and the highest pass on it is the level that the basin fills to.
//!
//! Guarantees: only heights of the map are compared and chosen, none computed,
//! so the filled surface is that of a priority flood (Barnes, Lehman & Mulla
//! 2014) to the bit. Kruskal's order is by (height of the pass, lesser cell,
//! greater cell), which no two passes share: ties have one answer. O(n log n)
//! at worst, no recursion.

use bajada_grid::{Grid, par};

use super::passes::{Pass, lowest_passes};
use super::steepest::downhill;
use super::{OUT, Outlets, around, back, narrow, strides, toward};

/// The basins of a map.
#[derive(Clone, Debug)]
pub struct Basins {
    /// Basin of each cell: 0 where water leaves the map without meeting a
    /// sink, else 1 and up in the order of the sinks' least cells. Walls are
    /// [`NO_BASIN`].
    pub labels: Grid<u32>,
    /// Level that each basin fills to before it spills, m; minus infinity for
    /// basin 0.
    pub levels: Vec<f64>,
    /// Where each basin spills: its own cell, and the cell beyond. `None` for
    /// basin 0.
    pub spills: Vec<Option<[usize; 2]>>,
    /// Steepest directions; [`OUT`] at outlets and sinks.
    downhill: Grid<u8>,
}

/// Label of cells that belong to no basin.
pub const NO_BASIN: u32 = u32::MAX;

const UNKNOWN: u32 = u32::MAX - 1;

/// Finds the basins of `heights`.
pub fn basins(heights: &Grid<f64>, outlets: &Outlets) -> Basins {
    let walled = outlets.walled(heights);
    let heights = walled.as_ref().unwrap_or(heights);
    let downhill = downhill(heights, outlets);
    let (labels, count) = label(heights, outlets, &downhill);
    let mut found = Basins {
        labels,
        levels: vec![f64::NEG_INFINITY; count],
        spills: vec![None; count],
        downhill,
    };
    if count > 1 {
        let passes = lowest_passes(heights, &found.labels, outlets);
        found.spill(spanning_tree(passes, count));
    }
    found
}

/// The surface that water would fill `heights` to: each cell at the least
/// height from which a way leads to an outlet without a step up. Walls keep
/// their height.
pub fn fill(heights: &Grid<f64>, outlets: &Outlets) -> Grid<f64> {
    basins(heights, outlets).fill(heights)
}

/// Directions that lead every cell to an outlet: the steepest way down, and
/// out of each sink back up the way that leads to its spill, as if a gorge were
/// cut through the rim.
pub fn carve(heights: &Grid<f64>, outlets: &Outlets) -> Grid<u8> {
    basins(heights, outlets).carve(outlets)
}

fn label(heights: &Grid<f64>, outlets: &Outlets, downhill: &Grid<u8>) -> (Grid<u32>, usize) {
    let domain = *heights.domain();
    let strides = strides(&domain);
    let mut labels = heights.like(UNKNOWN);
    par::map(&mut labels, |index| {
        if outlets.is_inner(index) {
            UNKNOWN
        } else if outlets.is_wall(index) {
            NO_BASIN
        } else {
            0
        }
    });
    let mut count = 1;
    let mut path = Vec::new();
    // Sinks first: a level patch is one sink.
    for start in 0..domain.len() {
        if downhill[start] != OUT || labels[start] != UNKNOWN {
            continue;
        }
        let sink = count;
        count += 1;
        labels[start] = sink;
        path.push(narrow(start));
        while let Some(cell) = path.pop() {
            let (x, y) = domain.column_row(cell as usize);
            for (_, beside) in around(&domain, x, y) {
                let level = heights[beside] == heights[start] && downhill[beside] == OUT;
                if level && labels[beside] == UNKNOWN {
                    labels[beside] = sink;
                    path.push(narrow(beside));
                }
            }
        }
    }
    if count == 1 {
        par::rows(&mut labels, |_, row| {
            for label in row {
                *label = if *label == UNKNOWN { 0 } else { *label };
            }
        });
        return (labels, 1);
    }
    for start in 0..domain.len() {
        let mut cell = start;
        while labels[cell] == UNKNOWN {
            path.push(narrow(cell));
            cell = toward(cell, downhill[cell], &strides);
        }
        let label = labels[cell];
        for cell in path.drain(..) {
            labels[cell as usize] = label;
        }
    }
    (labels, count as usize)
}

/// Kruskal's choice of `passes`, which come lowest first.
fn spanning_tree(passes: Vec<Pass>, count: usize) -> Vec<Pass> {
    let mut above: Vec<u32> = (0..narrow(count)).collect();
    fn root(above: &mut [u32], basin: u32) -> u32 {
        let mut basin = basin as usize;
        while above[basin] as usize != basin {
            above[basin] = above[above[basin] as usize];
            basin = above[basin] as usize;
        }
        basin as u32
    }
    let mut tree = Vec::with_capacity(count - 1);
    for pass in passes {
        let [a, b] = pass.basins.map(|basin| root(&mut above, basin));
        if a != b {
            above[b as usize] = a;
            tree.push(pass);
        }
    }
    tree
}

impl Basins {
    /// Walks the tree of passes from the outside in.
    fn spill(&mut self, tree: Vec<Pass>) {
        // Passes of each basin, as slices of one list.
        let mut firsts = vec![0_u32; self.levels.len() + 1];
        for basin in tree.iter().flat_map(|pass| pass.basins) {
            firsts[basin as usize + 1] += 1;
        }
        for basin in 1..firsts.len() {
            firsts[basin] += firsts[basin - 1];
        }
        let mut next = firsts.clone();
        let mut lists = vec![0_u32; 2 * tree.len()];
        for (index, pass) in tree.iter().enumerate() {
            for basin in pass.basins {
                lists[next[basin as usize] as usize] = narrow(index);
                next[basin as usize] += 1;
            }
        }
        let mut queue = vec![0_usize];
        while let Some(basin) = queue.pop() {
            for place in firsts[basin]..firsts[basin + 1] {
                let pass = &tree[lists[place as usize] as usize];
                let from_first = pass.basins[0] as usize == basin;
                let other = pass.basins[usize::from(from_first)] as usize;
                if other == 0 || self.spills[other].is_some() {
                    continue;
                }
                let [first, second] = pass.cells.map(|cell| cell as usize);
                self.spills[other] =
                    Some(if from_first { [second, first] } else { [first, second] });
                let level = self.levels[basin];
                self.levels[other] = if pass.height > level { pass.height } else { level };
                queue.push(other);
            }
        }
    }

    /// `heights`, which the basins were found on, filled to their levels.
    pub fn fill(&self, heights: &Grid<f64>) -> Grid<f64> {
        let mut filled = heights.like(0.0_f64);
        par::map(&mut filled, |index| {
            let here = heights[index];
            match self.levels.get(self.labels[index] as usize) {
                Some(&level) if level > here => level,
                _ => here,
            }
        });
        filled
    }

    /// See [`carve`].
    pub fn carve(self, outlets: &Outlets) -> Grid<u8> {
        let domain = *self.labels.domain();
        let strides = strides(&domain);
        let mut directions = self.downhill;
        let mut patch = Vec::new();
        for spill in self.spills.into_iter().flatten() {
            // From the spill down to the sink, turning each step round.
            let [mut cell, beyond] = spill;
            let (x, y) = domain.column_row(cell);
            let beyond = around(&domain, x, y).find(|&(_, index)| index == beyond);
            let mut turned = beyond.map_or(OUT, |(direction, _)| direction as u8);
            loop {
                let down = directions[cell];
                directions[cell] = turned;
                if down == OUT {
                    break;
                }
                turned = back(usize::from(down));
                cell = toward(cell, down, &strides);
            }
            // The rest of a level sink drains to where the way left it.
            patch.push(narrow(cell));
            while let Some(cell) = patch.pop() {
                let cell = cell as usize;
                let (x, y) = domain.column_row(cell);
                for (direction, beside) in around(&domain, x, y) {
                    let same = self.labels[beside] == self.labels[cell];
                    if same && directions[beside] == OUT && outlets.is_inner(beside) {
                        directions[beside] = back(direction);
                        patch.push(narrow(beside));
                    }
                }
            }
        }
        directions
    }
}
