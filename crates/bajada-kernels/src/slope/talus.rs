//! Loose ground comes to rest at its angle of repose, conservatively.
//!
//! # Model
//!
//! The resting surface is the one closest to the start that is nowhere steeper
//! than its repose: `min 1/2 |h - h0|^2` such that `|grad h| <= repose`
//! (Prigozhin & Zaltzman 2003: the long-time limit of a sandpile). Its dual
//! variable is the debris that crossed each edge between two cells, so that
//! `h = h0 + div(debris)`.
//!
//! # Discretisation
//!
//! The slope lives on the *corner* between four cells: the root mean square of
//! the two differences along x and of the two along y, joined as a vector. It
//! favors no direction (forward differences trim every summit on one side) and
//! no checkerboard escapes it. Each corner has one repose, from the mean
//! hardness of its four cells: between the angles, then the tangent. A corner
//! keeps the four fluxes along its edges and updates them as one vector: a
//! gradient step of 1/8, then shrunk by `repose * cell_size / 8`, with
//! Nesterov's momentum (FISTA, Beck & Teboulle 2009) and restarts when the
//! momentum points uphill (O'Donoghue & Candes 2015).
//!
//! # Guarantees
//!
//! - What leaves one cell enters another: the fluxes are whole multiples of a
//!   quantum at the end, so that the volume is kept to the bit in f64, whatever
//!   the number of sweeps. The map's edges are walls.
//! - A flux is exactly 0 where the slope was never too steep: such cells keep
//!   their bits, and so does a map that is legal within the tolerance.
//! - Each flux is computed by one task from what no task writes: the same bits
//!   on any number of threads.
//! - Sweeps needed grow with the length of the run-out in cells (explicit
//!   schemes: with its square).
//!
//! # Departures
//!
//! Prigozhin & Zaltzman use forward differences; see above. Everything below the
//! surface counts as one loose body: there is no separate rock surface that
//! debris runs out on.

use rayon::prelude::*;

use bajada_grid::lithology::{HARD_REPOSE_DEG, LOOSE_REPOSE_DEG};
use bajada_grid::{Cancelled, Grid, Ledger, Task, math, par};

/// How steep ground may stand and how hard to look for it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TalusConfig {
    /// Steepest slope of ground of hardness 0, rise over run.
    pub repose_loose: f64,
    /// Steepest slope of ground of hardness 1, rise over run.
    pub repose_hard: f64,
    /// Most sweeps over the map.
    pub sweeps: u32,
    /// Excess over the repose, as a share of it, that counts as rest.
    pub tolerance: f64,
    /// Share of the debris that moves, 0..1.
    pub amount: f64,
}

impl Default for TalusConfig {
    /// 32 degrees (scree) to 75 (granite), to 1 %. On real mountains at 12 m
    /// the steepest of a million corners is 2.5 % over after 240 sweeps and
    /// 1.2 % after 480: 300 are enough for the eye.
    fn default() -> Self {
        Self {
            repose_loose: math::tan_deg(LOOSE_REPOSE_DEG),
            repose_hard: math::tan_deg(HARD_REPOSE_DEG),
            sweeps: 300,
            tolerance: 0.01,
            amount: 1.0,
        }
    }
}

/// The ground that comes to rest. All grids share one domain.
#[derive(Clone, Copy, Debug)]
pub struct Slope<'a> {
    /// m.
    pub elevation: &'a Grid<f32>,
    /// Hardness of the surface, 0..1; none is 0 everywhere.
    pub hardness: Option<&'a Grid<f32>>,
    /// Where ground may move, 0..1; none is 1 everywhere. Nothing crosses an
    /// edge to a cell of mask 0; what crosses another is scaled by the lesser
    /// mask of its cells.
    pub mask: Option<&'a Grid<f32>>,
}

/// The ground at rest.
#[derive(Clone, Debug)]
pub struct Relaxed {
    /// m.
    pub elevation: Grid<f32>,
    /// Lowering, m, >= 0.
    pub erosion: Grid<f32>,
    /// Raising, m, >= 0.
    pub deposition: Grid<f32>,
    /// The matter account: `eroded` and `deposited` are net, cell by cell.
    pub ledger: Ledger,
    /// Sweeps that were made.
    pub sweeps: u32,
    /// Largest excess over the repose as a share of it, before `amount` and
    /// fractional masks hold debris back: 0 if nothing is too steep.
    pub steepest_excess: f64,
}

/// The steepest slope that ground of `hardness` 0..1 rests at, rise over run:
/// straight between the two *angles*.
pub fn repose(config: &TalusConfig, hardness: f64) -> f64 {
    let (loose, hard) = (math::atan_deg(config.repose_loose), math::atan_deg(config.repose_hard));
    math::tan_deg(math::lerp(loose, hard, math::clamp(hardness, 0.0, 1.0)))
}

/// Lets `ground` come to rest.
///
/// # Errors
///
/// [`Cancelled`] when `task` is called off.
pub fn relax(task: &Task, ground: &Slope<'_>, config: &TalusConfig) -> Result<Relaxed, Cancelled> {
    let heap = Heap::new(ground, config);
    let tolerance = math::max(config.tolerance, 1e-9);
    let mut state = State::new(&heap);
    let mut excess = heap.excess(&state.debris);
    let mut sweeps = 0;
    task.set_total(u64::from(config.sweeps));
    while excess > tolerance && sweeps < config.sweeps {
        task.check()?;
        state.sweep(&heap);
        task.advance(1);
        sweeps += 1;
        if sweeps.is_multiple_of(SWEEPS_PER_LOOK) || sweeps == config.sweeps {
            excess = heap.excess(&state.debris);
        }
    }
    task.check()?;
    Ok(heap.finish(ground, config, &state.debris, sweeps, excess))
}

/// Sweeps between two looks at the steepest slope. A look costs as much as a
/// sweep.
const SWEEPS_PER_LOOK: u32 = 8;

/// Rows of corners that one task works on at a time, with two more rows of
/// fluxes that its neighbors compute too.
const STRIP: usize = 16;

/// Fluxes along the north, south, west and east edge of a corner, m of height;
/// > 0 moves matter west or north.
type Flux = [f32; 4];

/// The start and its limits.
struct Heap<'a> {
    elevation: &'a Grid<f32>,
    /// Corners along x and y.
    across: usize,
    down: usize,
    /// For each corner: what the length of its flux is shrunk by.
    limits: Vec<f32>,
    /// For each corner: 1 for an edge that matter may cross, else 0. Empty if
    /// there is no mask.
    gates: Vec<Flux>,
}

/// Step of the gradient on the fluxes as they are stored here, each edge
/// counted for its two corners.
const STEP: f32 = 1.0 / 16.0;

impl<'a> Heap<'a> {
    fn new(ground: &Slope<'a>, config: &TalusConfig) -> Self {
        let elevation = ground.elevation;
        let domain = elevation.domain();
        let (across, down) = (domain.width() - 1, domain.height() - 1);
        let corners = across * down;
        let cells = move |corner: usize| {
            let first = corner / across * (across + 1) + corner % across;
            [first, first + 1, first + across + 1, first + across + 2]
        };
        // The length of the vector of four differences is sqrt(2) slopes.
        let limit = |repose: f64| {
            let steepest = std::f64::consts::SQRT_2 * repose * domain.cell_size();
            (math::max(steepest, 1e-6) * f64::from(STEP)) as f32
        };
        let limits = match ground.hardness {
            None => vec![limit(repose(config, 0.0)); corners],
            Some(hardness) => (0..corners)
                .into_par_iter()
                .map(|corner| {
                    let held = |cell: usize| math::clamp(f64::from(hardness[cell]), 0.0, 1.0);
                    let sum: f64 = cells(corner).map(held).iter().sum();
                    limit(repose(config, sum / 4.0))
                })
                .collect(),
        };
        let gates = match ground.mask {
            None => Vec::new(),
            Some(mask) => (0..corners)
                .into_par_iter()
                .map(|corner| {
                    lesser_masks(mask, cells(corner)).map(|mask| if mask > 0.0 { 1.0 } else { 0.0 })
                })
                .collect(),
        };
        Self { elevation, across, down, limits, gates }
    }

    /// Heights of row `y` of cells under the fluxes of the corners above and
    /// below it.
    fn row(&self, y: usize, above: &[Flux], below: &[Flux], heights: &mut [f64]) {
        let start = &self.elevation.row(y)[..=self.across];
        let heights = &mut heights[..=self.across];
        let (above, below) = (&above[..self.across], &below[..self.across]);
        // What a corner gives to its eastern cells waits for the next column.
        let mut carried = 0.0;
        for x in 0..self.across {
            let ([_, south, upper_west, upper_east], [north, _, west, east]) = (above[x], below[x]);
            let own = (north + west) + (south - upper_west);
            heights[x] = f64::from(start[x]) + f64::from(own + carried);
            carried = (east - north) - (south + upper_east);
        }
        heights[self.across] = f64::from(start[self.across]) + f64::from(carried);
    }

    /// Differences along the edges of a corner that matter may cross.
    #[inline(always)]
    fn differences(&self, corner: usize, x: usize, upper: &[f64], lower: &[f64]) -> Flux {
        let all = [
            (upper[x + 1] - upper[x]) as f32,
            (lower[x + 1] - lower[x]) as f32,
            (lower[x] - upper[x]) as f32,
            (lower[x + 1] - upper[x + 1]) as f32,
        ];
        match self.gates.get(corner) {
            None => all,
            Some(gate) => std::array::from_fn(|edge| all[edge] * gate[edge]),
        }
    }

    /// Largest excess over the repose under `debris`, as a share of it.
    fn excess(&self, debris: &[Flux]) -> f64 {
        let strips = self.down.div_ceil(STRIP);
        let worst: Vec<f64> = (0..strips)
            .into_par_iter()
            .map(|strip| {
                let mut worst = 0.0;
                let fill = |first: usize, row: &mut [Flux]| {
                    row.copy_from_slice(&debris[first..first + row.len()]);
                };
                self.strip(strip, fill, |first, _, upper, lower| {
                    for x in 0..self.across {
                        let rise = self.differences(first + x, x, upper, lower);
                        let ratio = square(rise).sqrt() * STEP / self.limits[first + x];
                        worst = math::max(worst, f64::from(ratio) - 1.0);
                    }
                });
                worst
            })
            .collect();
        worst.into_iter().fold(0.0, math::max)
    }

    /// Calls `visit(first corner, fluxes, upper heights, lower heights)` for
    /// each row of corners of a strip; `fill(first corner, row)` gives the
    /// fluxes of a row.
    #[inline(always)]
    fn strip(
        &self,
        strip: usize,
        fill: impl Fn(usize, &mut [Flux]),
        mut visit: impl FnMut(usize, &[Flux], &[f64], &[f64]),
    ) {
        let nothing = vec![[0.0; 4]; self.across];
        let [mut above, mut here, mut below] = [(); 3].map(|()| nothing.clone());
        let mut upper = vec![0.0; self.across + 1];
        let mut lower = upper.clone();
        let first = strip * STRIP;
        let load = |y: usize, row: &mut Vec<Flux>| {
            if y < self.down { fill(y * self.across, row) } else { row.copy_from_slice(&nothing) }
        };
        if first > 0 {
            load(first - 1, &mut above);
        }
        load(first, &mut here);
        self.row(first, &above, &here, &mut upper);
        for y in first..self.down.min(first + STRIP) {
            load(y + 1, &mut below);
            self.row(y + 1, &here, &below, &mut lower);
            visit(y * self.across, &here, &upper, &lower);
            std::mem::swap(&mut upper, &mut lower);
            std::mem::swap(&mut here, &mut below);
        }
    }

    fn finish(
        &self,
        ground: &Slope<'_>,
        config: &TalusConfig,
        debris: &[Flux],
        sweeps: u32,
        steepest_excess: f64,
    ) -> Relaxed {
        let elevation = self.elevation;
        let amount = math::clamp(config.amount, 0.0, 1.0);
        let quantum = quantum(elevation);
        let width = self.across + 1;
        let moved: Vec<[f64; 4]> = debris
            .par_iter()
            .enumerate()
            .map(|(corner, flux)| {
                let first = corner / self.across * width + corner % self.across;
                let masks = ground.mask.map_or([1.0; 4], |mask| {
                    lesser_masks(mask, [first, first + 1, first + width, first + width + 1])
                });
                std::array::from_fn(|edge| {
                    let share = amount * f64::from(flux[edge]) * f64::from(masks[edge]);
                    (share + quantum.1) - quantum.1
                })
            })
            .collect();
        let mut change = elevation.like(0.0_f64);
        par::rows(&mut change, |y, row| {
            if y < self.down {
                for x in 0..self.across {
                    let [north, _, west, east] = moved[y * self.across + x];
                    row[x] += north + west;
                    row[x + 1] += east - north;
                }
            }
            if y > 0 {
                for x in 0..self.across {
                    let [_, south, west, east] = moved[(y - 1) * self.across + x];
                    row[x] += south - west;
                    row[x + 1] -= south + east;
                }
            }
        });
        let mut exact = elevation.like(0.0_f64);
        par::map(&mut exact, |index| f64::from(elevation[index]) + change[index]);
        let lowered = |index: usize| math::max(-change[index], 0.0);
        let raised = |index: usize| math::max(change[index], 0.0);
        let (area, len) = (elevation.domain().cell_area(), elevation.as_slice().len());
        let mut ledger = Ledger {
            eroded: area * par::sum(len, lowered),
            deposited: area * par::sum(len, raised),
            ..Ledger::default()
        };
        ledger.measure(elevation, &exact);
        let rested = ledger.round_to_port(&exact);
        let mut erosion = elevation.like(0.0_f32);
        par::map(&mut erosion, |index| lowered(index) as f32);
        let mut deposition = elevation.like(0.0_f32);
        par::map(&mut deposition, |index| raised(index) as f32);
        Relaxed { elevation: rested, erosion, deposition, ledger, sweeps, steepest_excess }
    }
}

/// Quantum of what moves, m, and the number that rounds to it when added and
/// taken away again: 2^-34 m up to 65 km, coarser beyond. Heights and changes
/// that are whole quanta below 2^52 of them add up without rounding.
fn quantum(elevation: &Grid<f32>) -> (f64, f64) {
    let two = |power: u32| (1_u64 << power) as f64;
    let highest = par::max(elevation.as_slice().len(), 0.0, |i| f64::from(elevation[i]).abs());
    let mut size = 1.0 / two(34);
    while highest > size * two(50) && size < two(60) {
        size *= 2.0;
    }
    (size, 1.5 * two(52) * size)
}

/// The lesser mask of the two cells at each edge of a corner, given its cells.
fn lesser_masks(mask: &Grid<f32>, cells: [usize; 4]) -> Flux {
    let [a, b, c, d] = cells.map(|cell| math::clamp(mask[cell], 0.0, 1.0));
    [math::min(a, b), math::min(c, d), math::min(a, c), math::min(b, d)]
}

#[inline(always)]
fn square(vector: Flux) -> f32 {
    let [a, b, c, d] = vector.map(|x| x * x);
    (a + c) + (b + d)
}

/// The fluxes of the last two sweeps.
struct State {
    debris: Vec<Flux>,
    before: Vec<Flux>,
    next: Vec<Flux>,
    momentum: f64,
}

impl State {
    fn new(heap: &Heap<'_>) -> Self {
        let corners = heap.across * heap.down;
        let none = vec![[0.0; 4]; corners];
        Self { debris: none.clone(), before: none.clone(), next: none, momentum: 1.0 }
    }

    /// One accelerated step.
    fn sweep(&mut self, heap: &Heap<'_>) {
        let later = 0.5 * (1.0 + (1.0 + 4.0 * self.momentum * self.momentum).sqrt());
        let push = ((self.momentum - 1.0) / later) as f32;
        let (debris, before) = (&self.debris, &self.before);
        let lead = |first: usize, row: &mut [Flux]| {
            let (now, old) = (&debris[first..first + row.len()], &before[first..first + row.len()]);
            for ((lead, now), old) in row.iter_mut().zip(now).zip(old) {
                *lead = std::array::from_fn(|edge| now[edge] + push * (now[edge] - old[edge]));
            }
        };
        let across = heap.across;
        let uphill: Vec<f64> = self
            .next
            .par_chunks_mut((STRIP * across).max(1))
            .enumerate()
            .map(|(strip, next)| {
                let mut uphill = 0.0;
                let mut rows = next.chunks_exact_mut(across);
                heap.strip(strip, lead, |first, lead, upper, lower| {
                    let Some(next) = rows.next() else { return };
                    let now = &debris[first..first + across];
                    let limits = &heap.limits[first..first + across];
                    let (upper, lower) = (&upper[..=across], &lower[..=across]);
                    for x in 0..across {
                        let rise = heap.differences(first + x, x, upper, lower);
                        let pushed = std::array::from_fn(|edge| lead[x][edge] + STEP * rise[edge]);
                        let shrunk = shrink(pushed, limits[x]);
                        let along: Flux = std::array::from_fn(|edge| {
                            (lead[x][edge] - shrunk[edge]) * (shrunk[edge] - now[x][edge])
                        });
                        uphill += f64::from((along[0] + along[2]) + (along[1] + along[3]));
                        next[x] = shrunk;
                    }
                });
                uphill
            })
            .collect();
        std::mem::swap(&mut self.before, &mut self.debris);
        std::mem::swap(&mut self.debris, &mut self.next);
        self.momentum = if par::pairwise(&uphill) > 0.0 { 1.0 } else { later };
    }
}

/// `vector`, shorter by `limit`, or zero.
#[inline(always)]
fn shrink(vector: Flux, limit: f32) -> Flux {
    let square = square(vector);
    if square <= limit * limit {
        return [0.0; 4];
    }
    let share = 1.0 - limit / square.sqrt();
    vector.map(|x| x * share)
}

#[cfg(test)]
mod tests;
