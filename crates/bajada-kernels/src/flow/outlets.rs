//! Where water leaves the map.

use bajada_grid::Grid;

use super::{around, narrow};

/// What the map's edge is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edge {
    /// Water leaves over every cell of the edge.
    Outlet,
    /// Nothing passes.
    Wall,
}

/// What cells without data are. They hold no water themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nodata {
    /// Water leaves from every cell of ground beside them, as from the sea's
    /// shore.
    Outlet,
    /// Nothing passes.
    Wall,
}

const GROUND: u8 = 0;
const OUTLET: u8 = 1;
const WALL: u8 = 2;

/// Which cells let water out and which hold none. Every piece of connected
/// ground has at least one outlet: where the caller gives it none, its lowest
/// cell is one.
#[derive(Clone, Debug)]
pub struct Outlets {
    kinds: Grid<u8>,
    has_walls: bool,
}

impl Outlets {
    /// Outlets along the whole edge of the map.
    pub fn at_edge(heights: &Grid<f64>) -> Self {
        Self::new(heights, Edge::Outlet, None, Nodata::Wall, None)
    }

    /// Outlets at the edge, beside `nodata` and where `given` is true.
    pub fn new(
        heights: &Grid<f64>,
        edge: Edge,
        nodata: Option<&Grid<bool>>,
        beside_nodata: Nodata,
        given: Option<&Grid<bool>>,
    ) -> Self {
        let domain = *heights.domain();
        let mut kinds = heights.like(GROUND);
        let (right, bottom) = (domain.width() - 1, domain.height() - 1);
        for y in 0..domain.height() {
            for x in 0..domain.width() {
                let index = domain.index(x, y);
                let void = |index: usize| nodata.is_some_and(|nodata| nodata[index]);
                let at_edge = x == 0 || y == 0 || x == right || y == bottom;
                kinds[index] = if void(index) {
                    WALL
                } else if (edge == Edge::Outlet && at_edge)
                    || given.is_some_and(|given| given[index])
                    || (beside_nodata == Nodata::Outlet
                        && nodata.is_some()
                        && around(&domain, x, y).any(|(_, beside)| void(beside)))
                {
                    OUTLET
                } else {
                    GROUND
                };
            }
        }
        let mut outlets = Self { kinds, has_walls: nodata.is_some() };
        if edge == Edge::Wall || nodata.is_some() {
            outlets.open_closed_pieces(heights);
        }
        outlets
    }

    /// Gives each piece of connected ground without an outlet one at its
    /// lowest cell.
    fn open_closed_pieces(&mut self, heights: &Grid<f64>) {
        let domain = *heights.domain();
        let mut seen = heights.like(false);
        let mut stack = Vec::new();
        for start in 0..domain.len() {
            if seen[start] || self.kinds[start] == WALL {
                continue;
            }
            let (mut lowest, mut open) = (start, false);
            seen[start] = true;
            stack.push(narrow(start));
            while let Some(cell) = stack.pop() {
                let cell = cell as usize;
                open |= self.kinds[cell] == OUTLET;
                if (heights[cell], cell) < (heights[lowest], lowest) {
                    lowest = cell;
                }
                let (x, y) = domain.column_row(cell);
                for (_, beside) in around(&domain, x, y) {
                    if !seen[beside] && self.kinds[beside] != WALL {
                        seen[beside] = true;
                        stack.push(narrow(beside));
                    }
                }
            }
            if !open {
                self.kinds[lowest] = OUTLET;
            }
        }
    }

    /// Whether water leaves from this cell.
    #[inline(always)]
    pub fn is_outlet(&self, index: usize) -> bool {
        self.kinds[index] == OUTLET
    }

    /// Whether this cell holds no water.
    #[inline(always)]
    pub fn is_wall(&self, index: usize) -> bool {
        self.kinds[index] == WALL
    }

    /// Whether this cell sends its water on.
    #[inline(always)]
    pub fn is_inner(&self, index: usize) -> bool {
        self.kinds[index] == GROUND
    }

    /// `heights` with walls of infinite height; `None` if there are no walls.
    pub(crate) fn walled(&self, heights: &Grid<f64>) -> Option<Grid<f64>> {
        self.has_walls.then(|| {
            let mut walled = heights.like(0.0_f64);
            bajada_grid::par::map(&mut walled, |index| {
                if self.is_wall(index) { f64::INFINITY } else { heights[index] }
            });
            walled
        })
    }
}
