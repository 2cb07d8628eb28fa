//! Several fans at once: the highest surface counts.

use std::sync::{Mutex, PoisonError};

use bajada_grid::{Cancelled, Grid, Task};
use rayon::prelude::*;

use super::body::{Body, Site, Way};
use super::{Emplacement, FanConfig};
use crate::geodesic::March;

/// Shares of the volume at which all ways are found anew while fans grow.
const STAGES: [f64; 5] = [0.35, 0.6, 0.8, 0.92, 1.0];

/// Rounds with new ways after growth.
const ROUNDS: usize = 5;

/// Most that an apex rises or sinks in one exchange, m, while ways are found
/// anew, and at the end.
const STEP: f64 = 15.0;
const LAST_STEP: f64 = 0.5;

/// Rounds after which a fan may change from anchored to aggrading, and the miss
/// of its volume that makes it.
const MAY_RISE: std::ops::Range<usize> = 5..8;
const NO_ROOM: f64 = 0.02;

/// Rounds of volumes against each other between two searches for ways.
const EXCHANGES: usize = 4;

/// Rounds of volumes at the end, and the miss of a volume that ends them.
const LAST_EXCHANGES: usize = 60;
const MISS: f64 = 1e-4;

/// The highest and the second highest surface over each cell, and whose the
/// highest is. Of two at one elevation the lower label is the higher.
pub(super) struct Envelope {
    best: Option<Grid<f64>>,
    second: Option<Grid<f64>>,
    owner: Option<Grid<u32>>,
    covered: Vec<u32>,
    bodies: usize,
}

impl Envelope {
    /// Nothing yet, over the lattice of `heights` if there are `bodies`.
    pub(super) fn empty(heights: &Grid<f64>, bodies: usize) -> Self {
        let some = bodies > 0;
        Self {
            best: some.then(|| heights.like(f64::NEG_INFINITY)),
            second: some.then(|| heights.like(f64::NEG_INFINITY)),
            owner: some.then(|| heights.like(0_u32)),
            covered: Vec::new(),
            bodies,
        }
    }

    /// Takes the surfaces of `bodies` as they stand.
    pub(super) fn renew(&mut self, bodies: &[Body]) {
        let (Some(best), Some(second), Some(owner)) =
            (&mut self.best, &mut self.second, &mut self.owner)
        else {
            return;
        };
        for &cell in &self.covered {
            best[cell as usize] = f64::NEG_INFINITY;
            second[cell as usize] = f64::NEG_INFINITY;
            owner[cell as usize] = 0;
        }
        self.covered.clear();
        for body in bodies {
            for (place, &cell) in body.cells.iter().enumerate() {
                let (index, surface) = (cell as usize, body.surface(place));
                if owner[index] == 0 {
                    self.covered.push(cell);
                }
                if surface > best[index] {
                    second[index] = best[index];
                    best[index] = surface;
                    owner[index] = body.label;
                } else if surface > second[index] {
                    second[index] = surface;
                }
            }
        }
    }

    /// The highest surface but that of `label`, m; minus infinity if none.
    #[inline(always)]
    pub(super) fn without(&self, cell: usize, label: u32) -> f64 {
        match (&self.best, &self.second, &self.owner) {
            (Some(best), Some(second), Some(owner)) => {
                if owner[cell] == label {
                    second[cell]
                } else {
                    best[cell]
                }
            }
            _ => f64::NEG_INFINITY,
        }
    }

    /// Cells with a surface over them, in no order that matters.
    pub(super) fn covered(&self) -> impl Iterator<Item = usize> + '_ {
        self.covered.iter().map(|&cell| cell as usize)
    }

    /// The highest surface, m.
    pub(super) fn best(&self, cell: usize) -> f64 {
        self.best.as_ref().map_or(f64::NEG_INFINITY, |best| best[cell])
    }

    /// Whose it is.
    pub(super) fn owner(&self, cell: usize) -> u32 {
        self.owner.as_ref().map_or(0, |owner| owner[cell])
    }

    /// How many fans there are.
    pub(super) fn bodies(&self) -> usize {
        self.bodies
    }

    /// Volume that each fan holds, by label, m3.
    fn held(&self, site: &Site<'_>) -> Vec<f64> {
        let mut sums = vec![0.0; self.bodies + 1];
        for cell in self.covered() {
            let rise = self.best(cell) - site.heights[cell];
            if rise > 0.0 {
                sums[self.owner(cell) as usize] += rise;
            }
        }
        let cell_area = site.heights.domain().cell_area();
        sums.into_iter().map(|sum| cell_area * sum).collect()
    }

    /// Largest miss of a volume, as a share of it.
    fn miss(&self, site: &Site<'_>, bodies: &[Body]) -> f64 {
        let held = self.held(site);
        let miss = |body: &Body| {
            let held = held[body.label as usize];
            let short = body.is_full() && held <= body.volume;
            if short || body.at_jump || body.volume <= 0.0 {
                0.0
            } else {
                (held / body.volume - 1.0).abs()
            }
        };
        bodies.iter().map(miss).fold(0.0, bajada_grid::math::max)
    }
}

/// Scratch space for all who march at one time.
struct Marches {
    model: Grid<f32>,
    idle: Mutex<Vec<March>>,
}

impl Marches {
    fn new(heights: &Grid<f64>) -> Self {
        Self { model: heights.like(0.0_f32), idle: Mutex::default() }
    }

    /// Lends one to `walk`; who had it before does not matter.
    fn lend<R>(&self, walk: impl FnOnce(&mut March) -> R) -> R {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let march = idle().pop();
        let mut march = march.unwrap_or_else(|| March::new(&self.model));
        let result = walk(&mut march);
        idle().push(march);
        result
    }
}

/// Grows all fans to their volumes.
pub(super) fn grow(
    task: &Task,
    site: &Site<'_>,
    bodies: &mut [Body],
    config: &FanConfig,
) -> Result<Envelope, Cancelled> {
    let mut envelope = Envelope::empty(site.heights, bodies.len());
    if bodies.is_empty() {
        return Ok(envelope);
    }
    let marches = Marches::new(site.heights);
    task.set_total((STAGES.len() + ROUNDS + 1) as u64);
    bodies.par_iter_mut().try_for_each(|body| {
        marches.lend(|march| body.settle_way(task, site, march, config.emplacement))
    })?;
    let shares = STAGES.iter().copied().chain(std::iter::repeat_n(1.0, ROUNDS));
    for (round, share) in shares.enumerate() {
        // All ways against the same envelope: the order of fans does not count.
        bodies
            .par_iter_mut()
            .try_for_each(|body| marches.lend(|march| body.reach(task, site, march, &envelope)))?;
        envelope.renew(bodies);
        for _ in 0..EXCHANGES {
            exchange(site, bodies, &mut envelope, share, STEP);
        }
        if config.emplacement == Emplacement::Auto && MAY_RISE.contains(&round) {
            // Neighbors may have taken the room that there seemed to be.
            let held = envelope.held(site);
            for body in &mut *bodies {
                let miss = (held[body.label as usize] / body.volume - 1.0).abs();
                if body.way == Way::Anchored && miss > NO_ROOM {
                    body.let_rise(site);
                }
            }
        }
        task.advance(1);
    }
    bodies.par_iter_mut().try_for_each(|body| {
        marches.lend(|march| {
            if body.jumps(task, site, march, &envelope)? {
                body.stop_at_jump(task, site, march, &envelope)?;
            }
            Ok(())
        })
    })?;
    envelope.renew(bodies);
    for _ in 0..LAST_EXCHANGES {
        task.check()?;
        if envelope.miss(site, bodies) <= MISS {
            break;
        }
        exchange(site, bodies, &mut envelope, 1.0, LAST_STEP);
    }
    Ok(envelope)
}

/// Lets every fan find its volume against the others as they stood.
fn exchange(site: &Site<'_>, bodies: &mut [Body], envelope: &mut Envelope, share: f64, step: f64) {
    let others = &*envelope;
    bodies.par_iter_mut().for_each(|body| {
        if !body.at_jump {
            body.solve(site, others, share * body.volume, step);
        }
    });
    envelope.renew(bodies);
}
