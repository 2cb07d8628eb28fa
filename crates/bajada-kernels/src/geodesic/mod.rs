//! Shortest distance around obstacles.
//!
//! # Model
//!
//! `|grad D| = 1` inside the open ground, `D` given at the seeds, infinity where
//! no way leads. The ground may close by its distance: whether a cell is open is
//! asked once, when its distance is known, so that "lower than a surface that
//! falls with the way from here" is solved in one march.
//!
//! # Discretisation
//!
//! - Each cell looks into the eight triangles of its neighbors (an edge neighbor
//!   `a`, a corner neighbor `b`). The slope of `D` from `a` to `b` is known, the
//!   other follows from `|grad D| = 1`: one square root, no quadratic.
//! - With a *center*, `D = |x - center| + u`, and the triangles are solved for
//!   `u` (Fomel, Luo & Zhao 2009). What sees the center gets its straight
//!   distance to the last bits, at any radius: cones are round.
//! - A way past the corner of an obstacle needs the edge neighbor to be open, so
//!   that walls one cell thick are tight along diagonals too.
//! - In a triangle `D` is at least 0.7 cells above both corners. Queues of half
//!   a cell are therefore processed in any order with one result, and no heap
//!   is kept (after Kim 2001).
//!
//! # Guarantees
//!
//! Same input, same bits; one thread; cells that are not reached cost nothing.
//! Behind a corner the distance is first order: within a cell of the detour at
//! 200 cells.

use bajada_grid::{Cancelled, Domain, Grid, Task};

/// Width of a queue, cells: less than the least step of `D` within a triangle.
const QUEUE_WIDTH: f64 = 0.5;

/// Queues that are open at once. A step is at most 1.5 cells.
const QUEUES: i64 = 8;

const FAR: u8 = 0;
const QUEUED: u8 = 1;
const SEED: u8 = 2;
const OPEN: u8 = 3;
const CLOSED: u8 = 4;

/// Distances on a map, and the scratch space to find them; one march after the
/// other pays only for the cells that it reaches.
#[derive(Clone, Debug)]
pub struct March {
    domain: Domain,
    /// Distance from the seeds, m.
    distance: Grid<f64>,
    /// What it has over the straight distance from the center, m.
    excess: Grid<f64>,
    state: Grid<u8>,
    touched: Vec<u32>,
    reached: Vec<u32>,
    queues: [Vec<u32>; QUEUES as usize],
}

/// Where a march starts.
#[derive(Clone, Copy, Debug)]
pub struct Seeds<'a> {
    /// Cells and their distance, m. They are open, whatever the ground says.
    pub cells: &'a [(usize, f64)],
    /// The cell that distances come from where nothing is in the way.
    pub center: Option<usize>,
}

impl March {
    /// Scratch space on the lattice of `model`, counted by its memory.
    pub fn new(model: &Grid<f32>) -> Self {
        Self {
            domain: *model.domain(),
            distance: model.like(f64::INFINITY),
            excess: model.like(0.0_f64),
            state: model.like(FAR),
            touched: Vec::new(),
            reached: Vec::new(),
            queues: std::array::from_fn(|_| Vec::new()),
        }
    }

    /// Marches from `seeds` over all cells for which `open(cell, distance)`.
    /// The cells reached, in the order of their distance to half a cell.
    ///
    /// # Errors
    ///
    /// [`Cancelled`] when `task` is called off.
    pub fn run(
        &mut self,
        task: &Task,
        seeds: &Seeds<'_>,
        mut open: impl FnMut(usize, f64) -> bool,
    ) -> Result<&[u32], Cancelled> {
        self.reset();
        let cell_size = self.domain.cell_size();
        let legal = |seed: &&(usize, f64)| seed.0 < self.domain.len() && seed.1.is_finite();
        let mut waiting: Vec<(usize, f64)> = seeds.cells.iter().filter(legal).copied().collect();
        // Last comes first; of two for one cell the nearer.
        waiting.sort_by(|a, b| b.1.total_cmp(&a.1).then(b.0.cmp(&a.0)));
        let queue_of = |distance: f64| (distance / (QUEUE_WIDTH * cell_size)).floor() as i64;
        let Some(first) = waiting.last() else { return Ok(&self.reached) };
        let center = seeds.center.filter(|&cell| cell < self.domain.len());
        let center = center.map(|cell| self.domain.column_row(cell));
        let mut now = queue_of(first.1);
        let mut done = 0;
        loop {
            while let Some(&(cell, distance)) = waiting.last()
                && queue_of(distance) <= now
            {
                waiting.pop();
                if distance < self.distance[cell] && self.state[cell] < OPEN {
                    let straight = self.toward_center(cell, center).0;
                    self.touch(cell);
                    self.distance[cell] = distance;
                    self.excess[cell] = distance - straight;
                    self.state[cell] = SEED;
                    self.queues[now.rem_euclid(QUEUES) as usize].push(cell as u32);
                }
            }
            let place = now.rem_euclid(QUEUES) as usize;
            let Some(cell) = self.queues[place].pop() else {
                let ahead = |step: &i64| {
                    !self.queues[((now + step).rem_euclid(QUEUES)) as usize].is_empty()
                };
                let next = (1..QUEUES).find(ahead).map(|step| now + step);
                let seed = waiting.last().map(|seed| queue_of(seed.1));
                now = match (next, seed) {
                    (Some(next), Some(seed)) => next.min(seed),
                    (Some(one), None) | (None, Some(one)) => one,
                    (None, None) => break,
                };
                continue;
            };
            let cell = cell as usize;
            match self.state[cell] {
                QUEUED if !open(cell, self.distance[cell]) => self.state[cell] = CLOSED,
                QUEUED | SEED => {
                    self.state[cell] = OPEN;
                    self.reached.push(cell as u32);
                    self.spread(cell, center, |distance| {
                        queue_of(distance).clamp(now, now + QUEUES - 1).rem_euclid(QUEUES) as usize
                    });
                }
                _ => {}
            }
            done += 1;
            if done % 65_536 == 0 {
                task.check()?;
            }
        }
        Ok(&self.reached)
    }

    /// Distance of a cell after the last march, m; infinity where no way leads.
    pub fn distance(&self, cell: usize) -> f64 {
        if self.state[cell] == OPEN { self.distance[cell] } else { f64::INFINITY }
    }

    /// The cells that the last march reached.
    pub fn reached(&self) -> &[u32] {
        &self.reached
    }

    fn reset(&mut self) {
        for &cell in &self.touched {
            self.distance[cell as usize] = f64::INFINITY;
            self.state[cell as usize] = FAR;
        }
        self.touched.clear();
        self.reached.clear();
        for queue in &mut self.queues {
            queue.clear();
        }
    }

    fn touch(&mut self, cell: usize) {
        if self.state[cell] == FAR {
            self.touched.push(cell as u32);
        }
    }

    /// Straight distance to the center, m, and the unit vector towards it.
    fn toward_center(&self, cell: usize, center: Option<(usize, usize)>) -> (f64, [f64; 2]) {
        let Some((cx, cy)) = center else { return (0.0, [0.0; 2]) };
        let (x, y) = self.domain.column_row(cell);
        let (dx, dy) = (cx as f64 - x as f64, cy as f64 - y as f64);
        let length = (dx * dx + dy * dy).sqrt();
        if length == 0.0 {
            return (0.0, [0.0; 2]);
        }
        (length * self.domain.cell_size(), [dx / length, dy / length])
    }

    /// Offers `cell`, which was just reached, to all triangles that it is a
    /// corner of.
    fn spread(
        &mut self,
        cell: usize,
        center: Option<(usize, usize)>,
        place_of: impl Fn(f64) -> usize,
    ) {
        let width = self.domain.width();
        let (x, y) = self.domain.column_row(cell);
        let east = x + 1 < width;
        let south = y + 1 < self.domain.height();
        let beside = [
            (x > 0).then(|| cell - 1),
            east.then(|| cell + 1),
            (y > 0).then(|| cell - width),
            south.then(|| cell + width),
        ];
        const UNIT: [[f64; 2]; 4] = [[-1.0, 0.0], [1.0, 0.0], [0.0, -1.0], [0.0, 1.0]];
        let opened = beside.map(|beside| beside.is_some_and(|b| self.state[b] == OPEN));
        // Over an edge: this cell is the edge neighbor `a`.
        for (side, beside_cell) in beside.iter().enumerate() {
            let Some(target) = *beside_cell else { continue };
            if self.state[target] > QUEUED {
                continue;
            }
            let (straight, toward) = self.toward_center(target, center);
            let mut best = self.distance[cell] + self.domain.cell_size();
            let across = if side < 2 { [2, 3] } else { [0, 1] };
            for turn in across {
                if opened[turn]
                    && let Some(corner) = beside[turn]
                {
                    let axis = UNIT[side].map(|part| -part);
                    let found = self.triangle(straight, toward, [cell, corner], axis, UNIT[turn]);
                    if found < best {
                        best = found;
                    }
                }
            }
            self.offer(target, best, straight, &place_of);
        }
        // Over a corner: this cell is the corner neighbor `b`.
        for (side, turn) in [(0, 2), (0, 3), (1, 2), (1, 3)] {
            let (Some(over), Some(under)) = (beside[side], beside[turn]) else { continue };
            if !(opened[side] || opened[turn]) {
                continue;
            }
            // Row of one, column of the other.
            let target = over + under - cell;
            if self.state[target] > QUEUED {
                continue;
            }
            let (straight, toward) = self.toward_center(target, center);
            let mut best = f64::INFINITY;
            for (edge, first, second) in [(over, side, turn), (under, turn, side)] {
                if self.state[edge] == OPEN {
                    let axis = UNIT[second].map(|part| -part);
                    let across = UNIT[first].map(|part| -part);
                    let found = self.triangle(straight, toward, [edge, cell], axis, across);
                    if found < best {
                        best = found;
                    }
                }
            }
            self.offer(target, best, straight, &place_of);
        }
    }

    /// Distance of a cell seen through the triangle of its edge neighbor `a` and
    /// its corner neighbor `b`; `axis` leads from the cell to `a`, `across` from
    /// `a` to `b`.
    #[inline(always)]
    fn triangle(
        &self,
        straight: f64,
        toward: [f64; 2],
        [a, b]: [usize; 2],
        axis: [f64; 2],
        across: [f64; 2],
    ) -> f64 {
        let cell_size = self.domain.cell_size();
        let dot = |v: [f64; 2]| toward[0] * v[0] + toward[1] * v[1];
        // The center itself, and all cells where there is none, know no straight
        // way to lean on.
        let over = if toward == [0.0; 2] { &self.distance } else { &self.excess };
        let slope = dot(across) + (over[a] - over[b]) / cell_size;
        if slope <= 0.0 {
            return self.distance[a] + cell_size;
        }
        if slope >= std::f64::consts::FRAC_1_SQRT_2 {
            return self.distance[b] + cell_size * std::f64::consts::SQRT_2;
        }
        let along = (1.0 - slope * slope).sqrt();
        straight + (over[a] + cell_size * (along - dot(axis)))
    }

    fn offer(
        &mut self,
        target: usize,
        distance: f64,
        straight: f64,
        place_of: &impl Fn(f64) -> usize,
    ) {
        if distance < self.distance[target] {
            self.touch(target);
            // A cell in an older, later queue is met there once more, and passed.
            let moved =
                self.state[target] == FAR || place_of(distance) != place_of(self.distance[target]);
            self.distance[target] = distance;
            self.excess[target] = distance - straight;
            self.state[target] = QUEUED;
            if moved {
                self.queues[place_of(distance)].push(target as u32);
            }
        }
    }
}

/// Distance of every cell of `model`'s lattice from `seeds` over open ground, m.
///
/// # Errors
///
/// [`Cancelled`] when `task` is called off.
pub fn distance(
    task: &Task,
    model: &Grid<f32>,
    seeds: &Seeds<'_>,
    open: impl FnMut(usize, f64) -> bool,
) -> Result<Grid<f64>, Cancelled> {
    let mut march = March::new(model);
    march.run(task, seeds, open)?;
    let mut distance = model.like(f64::INFINITY);
    for &cell in &march.reached {
        distance[cell as usize] = march.distance[cell as usize];
    }
    Ok(distance)
}

#[cfg(test)]
mod tests;
