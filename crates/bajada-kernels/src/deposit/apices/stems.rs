//! Streams as lines that can be followed up and down.
//!
//! Water runs down the steepest way and cuts through the rims of hollows, so a
//! pit in a canyon does not end it and no filled lake hides a mouth. The *bed*
//! is the ground as it would be after that cut. Upstream, a stream goes on
//! where most of its water comes from.

use bajada_grid::{Cancelled, Grid, Task, math, neighbors};

use crate::flow::{OUT, Order, Outlets, back, carve, drainage_cells, narrow, strides, toward};

/// Share of the least area of an apex that a stream above it begins at: the
/// window up a small canyon must not end on the slopes above its head.
const HEAD: f64 = 0.25;

/// The streams of a map.
pub(super) struct Stems {
    /// Where water goes.
    down: Grid<u8>,
    /// Where most water comes from.
    up: Grid<u8>,
    /// How many cells drain through each.
    drained: Grid<u64>,
    bed: Grid<f64>,
    /// Cells of streams in the order of their indices.
    cells: Vec<u32>,
    /// Least cells that drain through each of them.
    least: f64,
    strides: [isize; 8],
}

/// A piece of stream.
#[derive(Default)]
pub(super) struct Reach {
    /// Its cells in the order they were met, the cell it starts at not among
    /// them.
    pub cells: Vec<u32>,
    /// m along the stream.
    pub length: f64,
    /// The last cell.
    pub end: usize,
}

impl Reach {
    /// The first `length` metres of `stem`.
    pub(super) fn follow(&mut self, stem: impl Iterator<Item = (usize, f64)>, length: f64) {
        self.cells.clear();
        self.length = 0.0;
        for (cell, distance) in stem.take_while(|&(_, distance)| distance <= length) {
            self.cells.push(narrow(cell));
            self.length = distance;
            self.end = cell;
        }
    }

    /// The cell in its middle.
    pub(super) fn half(&self) -> usize {
        self.cells.get(self.cells.len() / 2).map_or(self.end, |&cell| cell as usize)
    }
}

impl Stems {
    pub(super) fn new(
        task: &Task,
        elevation: &Grid<f32>,
        min_area: f64,
    ) -> Result<Self, Cancelled> {
        task.check()?;
        let heights = elevation.to_f64();
        let down = carve(&heights, &Outlets::at_edge(&heights));
        task.check()?;
        let order = Order::of_tree(&down);
        let drained = drainage_cells(&down, &order);
        task.check()?;
        let domain = *elevation.domain();
        let strides = strides(&domain);
        let mut bed = heights;
        let mut up = down.like(OUT);
        for cell in order.downstream() {
            let direction = down[cell];
            if direction >= OUT {
                continue;
            }
            let receiver = toward(cell, direction, &strides);
            bed[receiver] = math::min(bed[receiver], bed[cell]);
            let best = up[receiver];
            let most = if best < OUT { drained[toward(receiver, best, &strides)] } else { 0 };
            let donor = back(usize::from(direction));
            if drained[cell] > most || (drained[cell] == most && donor < best) {
                up[receiver] = donor;
            }
        }
        let least = min_area * HEAD / domain.cell_area();
        let cells: Vec<u32> =
            (0..domain.len()).filter(|&cell| drained[cell] as f64 >= least).map(narrow).collect();
        Ok(Self { down, up, drained, bed, cells, least, strides })
    }

    /// Every cell of every stream.
    pub(super) fn cells(&self) -> &[u32] {
        &self.cells
    }

    pub(super) fn bed(&self, cell: usize) -> f64 {
        self.bed[cell]
    }

    /// Ground that drains through a cell, m2.
    pub(super) fn area(&self, cell: usize) -> f64 {
        self.drained[cell] as f64 * self.down.domain().cell_area()
    }

    pub(super) fn cell_size(&self) -> f64 {
        self.down.domain().cell_size()
    }

    /// Cells downstream of `cell` with their distance along the stream, m.
    pub(super) fn downstream(&self, cell: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        self.walk(&self.down, cell)
    }

    /// Cells upstream of `cell` to the head of its stream.
    pub(super) fn upstream(&self, cell: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        self.walk(&self.up, cell).take_while(|&(cell, _)| self.drained[cell] as f64 >= self.least)
    }

    fn walk<'a>(
        &'a self,
        directions: &'a Grid<u8>,
        start: usize,
    ) -> impl Iterator<Item = (usize, f64)> + 'a {
        std::iter::successors(Some((start, 0.0)), move |&(cell, distance)| {
            let direction = directions[cell];
            (direction < OUT).then(|| {
                let step = neighbors::D8_LENGTH[usize::from(direction)] * self.cell_size();
                (toward(cell, direction, &self.strides), distance + step)
            })
        })
        .skip(1)
    }

    /// Column and row of a cell.
    pub(super) fn column_row(&self, cell: usize) -> [f64; 2] {
        let (x, y) = self.down.domain().column_row(cell);
        [x as f64, y as f64]
    }

    /// Metres between two cells.
    pub(super) fn distance(&self, a: usize, b: usize) -> f64 {
        let ([ax, ay], [bx, by]) = (self.column_row(a), self.column_row(b));
        ((ax - bx) * (ax - bx) + (ay - by) * (ay - by)).sqrt() * self.cell_size()
    }

    /// Unit vector from one cell to another; east if they are one.
    pub(super) fn bearing(&self, from: usize, to: usize) -> [f64; 2] {
        let (a, b) = (self.column_row(from), self.column_row(to));
        unit([b[0] - a[0], b[1] - a[1]])
    }

    /// Unit vector of the flow at a cell, smoothed over `reach` metres up and
    /// down: from the middle of what lies above to the middle of what lies
    /// below.
    pub(super) fn direction(&self, cell: usize, reach: f64) -> [f64; 2] {
        let middle = |stem: &mut dyn Iterator<Item = (usize, f64)>| {
            let (mut sum, mut count) = (self.column_row(cell), 1.0);
            for (cell, _) in stem.take_while(|&(_, distance)| distance <= reach) {
                let [x, y] = self.column_row(cell);
                sum = [sum[0] + x, sum[1] + y];
                count += 1.0;
            }
            [sum[0] / count, sum[1] / count]
        };
        let above = middle(&mut self.upstream(cell));
        let below = middle(&mut self.downstream(cell));
        unit([below[0] - above[0], below[1] - above[1]])
    }

    /// A mark for each cell, not set.
    pub(super) fn mark(&self) -> Grid<bool> {
        self.down.like(false)
    }
}

fn unit([x, y]: [f64; 2]) -> [f64; 2] {
    let length = (x * x + y * y).sqrt();
    if length > 0.0 { [x / length, y / length] } else { [1.0, 0.0] }
}
