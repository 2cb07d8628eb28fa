//! Hollows within hollows: which join over which pass, and what each holds.
//!
//! The basins of the map are the leaves. Passes are crossed from the lowest up
//! (Kruskal's order): where one joins two hollows that do not spill out of the
//! map yet, the two become one larger hollow; where one side does, the other is
//! whole, and spills there. This is the depression hierarchy of Barnes,
//! Callaghan & Wickert (2020). A hollow's numbers count the cells of its basins
//! that lie below its pass.
//!
//! Cells are visited in the order of (height, index) and passes in the order of
//! (height, cells), so the forest is a function of the map alone. Parents have
//! greater numbers than their children: a loop over the list needs no recursion.

use bajada_grid::{Cancelled, Grid, Task, math};

use crate::flow::passes::{Pass, lowest_passes};
use crate::flow::{Basins, Outlets, basins};
use crate::hypsometry::Exact;

/// No hollow.
pub const NONE: u32 = u32::MAX;

/// A hollow: a basin, or two hollows that fill as one above the pass between.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hollow {
    /// The larger hollow that it is part of, or [`NONE`].
    pub parent: u32,
    /// The hollow that fills with it to be its parent, or [`NONE`].
    pub sibling: u32,
    /// The two that it is made of; none for a basin.
    pub children: Option<[u32; 2]>,
    /// Height of its lowest pass, m.
    pub spill: f64,
    /// The basin beyond that pass; 0 where water leaves the map.
    pub beyond: u32,
    /// Volume below the pass, m3.
    pub capacity: f64,
    /// Cells below the pass.
    pub cells: u64,
    /// Height of its lowest cell, m.
    pub lowest: f64,
}

/// All hollows of a map.
#[derive(Clone, Debug)]
pub struct Hierarchy {
    /// Basin of each cell: 0 where water leaves the map.
    pub labels: Grid<u32>,
    /// The hollows: first the basins by label, where the place 0 stands for
    /// what lies outside, then those made of others, children first.
    pub hollows: Vec<Hollow>,
    /// Those that are part of no other, in the order in which passes open them
    /// to the outside: each spills into one before it.
    pub roots: Vec<u32>,
    /// Cells that the roots can flood, by (height, index).
    pub cells: Vec<u32>,
}

/// A growing hollow: the cells met so far, filled to `level`.
#[derive(Clone, Copy, Debug, Default)]
struct Growing {
    cells: u64,
    depth: Exact,
    level: f64,
}

impl Growing {
    fn rise_to(&mut self, level: f64) {
        if self.cells > 0 {
            self.depth.add(self.cells as f64 * (level - self.level));
        }
        self.level = level;
    }
}

struct Forest {
    hollows: Vec<Hollow>,
    growing: Vec<Growing>,
    /// Toward the largest hollow made so far; outside is 0.
    above: Vec<u32>,
    cell_area: f64,
}

impl Forest {
    fn root(&mut self, hollow: u32) -> u32 {
        let mut hollow = hollow as usize;
        while self.above[hollow] as usize != hollow {
            self.above[hollow] = self.above[self.above[hollow] as usize];
            hollow = self.above[hollow] as usize;
        }
        hollow as u32
    }

    fn enter(&mut self, basin: u32, height: f64) {
        let hollow = self.root(basin) as usize;
        if hollow == 0 {
            return;
        }
        let (growing, hollow) = (&mut self.growing[hollow], &mut self.hollows[hollow]);
        growing.rise_to(height);
        growing.cells += 1;
        hollow.lowest = math::min(hollow.lowest, height);
    }

    /// The hollow is full at `spill`.
    fn close(&mut self, hollow: u32, spill: f64, beyond: u32, parent: u32, sibling: u32) {
        let index = hollow as usize;
        self.growing[index].rise_to(spill);
        let growing = self.growing[index];
        let closed = &mut self.hollows[index];
        *closed = Hollow {
            parent,
            sibling,
            spill,
            beyond,
            capacity: self.cell_area * growing.depth.value(),
            cells: growing.cells,
            ..*closed
        };
    }

    /// Crosses a pass. The hollow that it opens to the outside, if it does.
    fn cross(&mut self, pass: &Pass) -> Option<u32> {
        let [left, right] = pass.basins;
        let [a, b] = [self.root(left), self.root(right)];
        if a == b {
            return None;
        }
        if a == 0 || b == 0 {
            let (hollow, beyond) = if a == 0 { (b, left) } else { (a, right) };
            self.close(hollow, pass.height, beyond, NONE, NONE);
            self.above[hollow as usize] = 0;
            return Some(hollow);
        }
        let parent = self.hollows.len() as u32;
        self.close(a, pass.height, right, parent, b);
        self.close(b, pass.height, left, parent, a);
        let [one, other] = [a, b].map(|child| self.growing[child as usize]);
        let mut both = one;
        both.cells += other.cells;
        both.depth.join(other.depth);
        let lowest = math::min(self.hollows[a as usize].lowest, self.hollows[b as usize].lowest);
        self.hollows.push(Hollow { children: Some([a, b]), lowest, ..OPEN });
        self.growing.push(both);
        self.above.push(parent);
        self.above[a as usize] = parent;
        self.above[b as usize] = parent;
        None
    }
}

const OPEN: Hollow = Hollow {
    parent: NONE,
    sibling: NONE,
    children: None,
    spill: f64::INFINITY,
    beyond: 0,
    capacity: 0.0,
    cells: 0,
    lowest: f64::INFINITY,
};

impl Hierarchy {
    /// Finds the hollows of `heights`, from which water leaves over the map's
    /// edge.
    ///
    /// # Errors
    ///
    /// [`Cancelled`] when `task` is called off.
    pub fn new(task: &Task, heights: &Grid<f64>) -> Result<Self, Cancelled> {
        task.check()?;
        let outlets = Outlets::at_edge(heights);
        let Basins { labels, levels, .. } = basins(heights, &outlets);
        task.check()?;
        if levels.len() <= 1 {
            return Ok(Self { labels, hollows: vec![OPEN], roots: vec![], cells: vec![] });
        }
        let passes = lowest_passes(heights, &labels, &outlets);
        let cells = flooded(heights, |cell| levels[labels[cell] as usize]);
        task.check()?;
        let basin_count = levels.len();
        let mut forest = Forest {
            hollows: vec![OPEN; basin_count],
            growing: vec![Growing::default(); basin_count],
            above: (0..basin_count as u32).collect(),
            cell_area: heights.domain().cell_area(),
        };
        let (mut roots, mut next) = (Vec::new(), cells.iter().copied().peekable());
        for (turn, pass) in passes.iter().enumerate() {
            if turn % 4096 == 0 {
                task.check()?;
            }
            while let Some(cell) = next.next_if(|&cell| heights[cell as usize] < pass.height) {
                forest.enter(labels[cell as usize], heights[cell as usize]);
            }
            roots.extend(forest.cross(pass));
        }
        Ok(Self { labels, hollows: forest.hollows, roots, cells })
    }
}

/// The cells below the level that `level_of` gives for them, by (height, index).
pub(super) fn flooded(heights: &Grid<f64>, level_of: impl Fn(usize) -> f64) -> Vec<u32> {
    use rayon::prelude::*;
    let mut cells: Vec<(f64, u32)> = (0..heights.domain().len())
        .filter(|&cell| heights[cell] < level_of(cell))
        // Both zeros are one height.
        .map(|cell| (heights[cell] + 0.0, cell as u32))
        .collect();
    cells.par_sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    cells.into_iter().map(|(_, cell)| cell).collect()
}
