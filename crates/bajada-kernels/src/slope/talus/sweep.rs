//! One accelerated step after another, on a window of the map.

use bajada_grid::{math, par};

use super::heap::{Heap, STEP, square_at};
use super::lanes::{Cells, Fluxes, LANES, Lanes, cells};
use super::layout::{Layout, Window, grid};
use super::supply::{Supply, cap, gate, hold};
use super::visits::{SOME, due, learn};

/// Pieces that are shrunk together. The root and the division that a piece
/// waits for take longer than the rest of its step; those of several overlap.
const BATCH: usize = 16;

/// The fluxes of the last two sweeps over a window and what they do to its
/// cells.
pub(super) struct Bench {
    window: Window,
    layout: Layout,
    debris: Vec<Fluxes>,
    before: Vec<Fluxes>,
    /// What is known of each piece.
    known: Vec<u8>,
    /// Change of each cell under `debris`.
    change: Vec<Lanes>,
    /// The same under the fluxes that the next sweep starts from.
    lead: Vec<Lanes>,
    /// What each cell can give away, if there is rock below.
    supply: Option<Supply>,
    /// How far the last round came.
    pub(super) progress: Progress,
    /// The pieces that are seen and not owned.
    margin: Vec<usize>,
    /// The pieces that a sweep works on; nothing holds anything but these.
    visits: Vec<Visit>,
}

/// A piece of corners as its window hands it to others.
#[derive(Clone, Copy, Debug)]
pub(super) struct Handed {
    place: [usize; 2],
    known: u8,
    debris: Fluxes,
    before: Fluxes,
}

/// A piece that a sweep works on.
#[derive(Clone, Copy, Debug)]
struct Visit {
    /// Its index on the bench, and on the map.
    place: [u32; 2],
    /// Rows from those that the task answers for.
    away: u16,
    /// Whether the window's task answers for it.
    own: bool,
    /// Whether its cells get matter from corners of other tasks.
    rim: bool,
}

impl Visit {
    #[inline(always)]
    fn here(&self) -> usize {
        self.place[0] as usize
    }

    #[inline(always)]
    fn there(&self) -> usize {
        self.place[1] as usize
    }
}

/// How far the sweeps have come.
#[derive(Clone, Copy, Debug)]
pub(super) struct Progress {
    /// Whether the momentum of the last sweep pointed uphill: > 0.
    pub(super) uphill: f64,
    /// Largest excess over the repose as a share of it.
    pub(super) excess: f64,
    /// Most that a step without momentum would change a flux, as a share of
    /// what the flux is shrunk by: no less than the excess, and > 0 also where
    /// debris went so far that the slope it left is too gentle.
    pub(super) unrest: f64,
}

impl Bench {
    /// A window that no sweep has seen, of which so much is `known`.
    pub(super) fn new(heap: &Heap, window: Window, known: u8) -> Self {
        let layout = Layout { rows: window.seen[0].len(), columns: window.seen[1].len() };
        let len = layout.len();
        let mut bench = Self {
            layout,
            debris: vec![[[0.0; LANES]; 4]; len],
            before: vec![[[0.0; LANES]; 4]; len],
            known: vec![0; len],
            change: vec![[0.0; LANES]; len],
            lead: vec![[0.0; LANES]; len],
            supply: heap.has_rock().then(|| Supply::new(len)),
            progress: Progress { uphill: 0.0, excess: 0.0, unrest: f64::INFINITY },
            visits: Vec::new(),
            margin: Vec::new(),
            window,
        };
        let margin = bench.window.margin();
        bench.margin = margin.map(|(row, column)| bench.index(row, column)).collect();
        for (row, column) in grid(&bench.window.seen) {
            let here = bench.index(row, column);
            bench.known[here] = known;
            if let Some(supply) = &mut bench.supply {
                supply.fill(here, heap.loose(heap.layout.piece(row, column)));
            }
        }
        bench.list(heap);
        bench
    }

    /// The corners of row `y` that the window owns and that have a flux: x and
    /// the four fluxes.
    pub(super) fn corners(&self, y: usize) -> impl Iterator<Item = (usize, [f64; 4])> + '_ {
        self.window.own[1].clone().flat_map(move |column| {
            let [west, north, south, east] = &self.debris[self.index(y, column)];
            let corner = |lane: usize| [west[lane], north[lane], south[lane], east[lane]];
            let corners = (0..LANES).map(move |lane| (column * LANES + lane, corner(lane)));
            corners.filter(|(_, fluxes)| *fluxes != [0.0; 4])
        })
    }

    /// Index on the bench of a piece of the map.
    #[inline(always)]
    fn index(&self, row: usize, column: usize) -> usize {
        self.layout.piece(row - self.window.seen[0].start, column - self.window.seen[1].start)
    }

    /// What others may see of this window: pieces that something is known of.
    pub(super) fn hand(&self) -> Vec<Handed> {
        let mut handed = Vec::new();
        for (row, column) in self.window.shared() {
            let here = self.index(row, column);
            if self.known[here] != 0 {
                let (debris, before) = (self.debris[here], self.before[here]);
                let known = self.known[here];
                handed.push(Handed { place: [row, column], known, debris, before });
            }
        }
        handed
    }

    /// Makes the margin what other windows have made of it. `push` is the share
    /// of the last sweep's gain that the next one adds in advance.
    pub(super) fn take<'a>(
        &mut self,
        heap: &Heap,
        handed: impl Iterator<Item = &'a Handed>,
        push: f64,
    ) {
        let old: Vec<u8> = self.margin.iter().map(|here| self.known[*here]).collect();
        for here in &self.margin {
            if self.known[*here] & SOME != 0 {
                self.debris[*here] = [[0.0; LANES]; 4];
                self.before[*here] = [[0.0; LANES]; 4];
            }
            self.known[*here] = 0;
            self.change[*here] = [0.0; LANES];
            self.lead[*here] = [0.0; LANES];
        }
        if let Some(supply) = &mut self.supply {
            for (row, column) in self.window.margin() {
                let here = self
                    .layout
                    .piece(row - self.window.seen[0].start, column - self.window.seen[1].start);
                supply.fill(here, heap.loose(heap.layout.piece(row, column)));
            }
        }
        for piece in handed {
            let [row, column] = piece.place;
            if self.window.sees(row, column) && !self.window.owns(row, column) {
                let here = self.index(row, column);
                self.known[here] = piece.known;
                self.debris[here] = piece.debris;
                self.before[here] = piece.before;
            }
        }
        if self.margin.iter().zip(old).any(|(here, old)| self.known[*here] != old) {
            self.list(heap);
        }
        for visit in self.visits.iter().filter(|visit| visit.rim) {
            let here = visit.here();
            for debris in [&self.before, &self.debris] {
                let around = around(debris, here, self.layout.stride());
                follow(around, push, &mut self.change[here], &mut self.lead[here]);
            }
            if let Some(supply) = &mut self.supply {
                let around = around(&self.debris, here, self.layout.stride());
                supply.follow(around, here, heap.loose(visit.there()), &self.change[here]);
            }
        }
    }

    /// Forgets the momentum.
    pub(super) fn stop(&mut self) {
        for here in self.visits.iter().map(Visit::here) {
            self.lead[here] = self.change[here];
        }
    }

    /// Sweeps once for each of `pushes` but the last, which is that of the
    /// sweep to come. Every sweep makes one more ring of corners around the
    /// window's rim worthless.
    pub(super) fn run(&mut self, heap: &Heap, pushes: &[f64]) {
        let mut uphill = 0.0;
        for (sweep, pair) in pushes.windows(2).enumerate() {
            // The last sweep must be right one ring around what is kept.
            let reach = pushes.len() - 1 - sweep;
            let news = if reach > 1 {
                self.step::<false>(heap, pair[0], reach, &mut uphill)
            } else {
                self.step::<true>(heap, pair[0], reach, &mut uphill)
            };
            if news {
                self.list(heap);
            }
            self.follow(heap, pair[1], reach);
        }
        self.progress = Progress { uphill, ..self.look(heap) };
    }

    /// Lists what a sweep must visit, row by row.
    fn list(&mut self, heap: &Heap) {
        self.visits.clear();
        let stride = self.layout.stride();
        let ([rows, columns], own) = (&self.window.seen, &self.window.own);
        for row in rows.clone() {
            let away = own[0].start.saturating_sub(row) + (row + 1).saturating_sub(own[0].end);
            let here = self.index(row, columns.start);
            let there = heap.layout.piece(row, columns.start);
            let line = |at: usize| &self.known[at - 1..=at + columns.len()];
            let due = due(line(here - stride), line(here), line(here + stride));
            for (offset, column) in columns.clone().enumerate().filter(|(offset, _)| due[*offset]) {
                let mine = away == 0 && own[1].contains(&column);
                self.visits.push(Visit {
                    place: [(here + offset) as u32, (there + offset) as u32],
                    away: away as u16,
                    own: mine,
                    rim: !mine || row == own[0].start || column == own[1].start,
                });
            }
        }
    }

    /// Steps down the gradient, shrinks, and makes the result the new fluxes.
    /// Returns whether a corner has a flux that never had one before, and adds
    /// up how far uphill the momentum pointed if it shall `LOOK`. Rows further
    /// than `reach` away are left alone.
    fn step<const LOOK: bool>(
        &mut self,
        heap: &Heap,
        push: f64,
        reach: usize,
        uphill: &mut f64,
    ) -> bool {
        let stride = self.layout.stride();
        let mut news = false;
        let mut pushed = [[[0.0; LANES]; 4]; BATCH];
        let mut shares = [[0.0; LANES]; BATCH];
        for batch in self.visits.chunks(BATCH) {
            let near = |visit: &&Visit| usize::from(visit.away) <= reach;
            for (visit, pushed) in batch.iter().filter(near).zip(&mut pushed) {
                let here = visit.here();
                let cells = cells(&self.lead, here, stride);
                let fluxes = [&self.debris[here], &self.before[here]];
                advance(heap, visit.there(), cells, fluxes, push, pushed);
                if let Some(supply) = &self.supply {
                    gate(pushed, supply.cells(here, stride));
                }
            }
            for ((visit, pushed), shares) in batch.iter().filter(near).zip(&pushed).zip(&mut shares)
            {
                shrink(pushed, heap.limits(visit.there()), shares);
            }
            for ((visit, pushed), shares) in batch.iter().filter(near).zip(&pushed).zip(&shares) {
                let here = visit.here();
                let before = &mut self.before[here];
                let last = if LOOK { *before } else { [[0.0; LANES]; 4] };
                scale(pushed, shares, before);
                if let Some(supply) = &self.supply {
                    cap(before, &self.debris[here], supply.cells(here, stride));
                }
                if LOOK && visit.own {
                    *uphill += pointing(&last, &self.debris[here], before, push);
                }
                let learnt = learn(self.known[here], shares);
                news |= learnt != self.known[here];
                self.known[here] = learnt;
            }
        }
        std::mem::swap(&mut self.before, &mut self.debris);
        news
    }

    /// Moves the cells after the fluxes and looks ahead to where the next sweep
    /// starts, up to `reach` rows away.
    fn follow(&mut self, heap: &Heap, push: f64, reach: usize) {
        let near = |visit: &&Visit| usize::from(visit.away) <= reach;
        for here in self.visits.iter().filter(near).map(Visit::here) {
            let around = around(&self.debris, here, self.layout.stride());
            follow(around, push, &mut self.change[here], &mut self.lead[here]);
        }
        let Some(supply) = &mut self.supply else { return };
        for visit in self.visits.iter().filter(near) {
            let here = visit.here();
            let around = around(&self.debris, here, self.layout.stride());
            supply.follow(around, here, heap.loose(visit.there()), &self.change[here]);
        }
    }

    /// The excess and the unrest of the window's own corners.
    fn look(&self, heap: &Heap) -> Progress {
        let stride = self.layout.stride();
        let (mut steepest, mut widest) = ([1.0; LANES], [0.0; LANES]);
        let (mut rises, mut shares) = ([[0.0; LANES]; 4], [0.0; LANES]);
        for visit in self.visits.iter().filter(|visit| visit.own) {
            let cells = cells(&self.change, visit.here(), stride);
            let (debris, limits) = (&self.debris[visit.here()], heap.limits(visit.there()));
            heap.rises(visit.there(), cells, &mut rises);
            if let Some(supply) = &self.supply {
                hold(&mut rises, supply.cells(visit.here(), stride), limits);
            }
            raise(&mut steepest, &rises, limits, STEP);
            let mut step = rises;
            advance(heap, visit.there(), cells, [debris; 2], 0.0, &mut step);
            if let Some(supply) = &self.supply {
                gate(&mut step, supply.cells(visit.here(), stride));
            }
            shrink(&step, limits, &mut shares);
            let pushed = step;
            scale(&pushed, &shares, &mut step);
            if let Some(supply) = &self.supply {
                cap(&mut step, debris, supply.cells(visit.here(), stride));
            }
            for edge in 0..4 {
                for lane in 0..LANES {
                    step[edge][lane] -= debris[edge][lane];
                }
            }
            raise(&mut widest, &step, limits, 1.0);
        }
        let excess = steepest.into_iter().map(|ratio| ratio - 1.0);
        let unrest = widest.into_iter();
        Progress {
            uphill: 0.0,
            excess: excess.fold(0.0, math::max),
            unrest: unrest.fold(0.0, math::max),
        }
    }
}

// The functions below are not inlined where that costs: alone, each of their
// loops becomes a few vector instructions, and merged into a larger body none.

/// Raises the `worst` ratios of `scale` times the length of a vector to the
/// limit of its corner to those of a piece.
#[inline(never)]
fn raise(worst: &mut Lanes, vectors: &Fluxes, limits: &Lanes, scale: f64) {
    for lane in 0..LANES {
        let ratio = square_at(vectors, lane).sqrt() * scale / limits[lane];
        worst[lane] = if ratio > worst[lane] { ratio } else { worst[lane] };
    }
}

/// Sets `pushed` to the fluxes of a piece a step further, not yet shrunk, from
/// those `now` and `before` and its `cells`; `there` is its place on the map.
#[inline(never)]
fn advance(
    heap: &Heap,
    there: usize,
    cells: Cells<'_>,
    [now, before]: [&Fluxes; 2],
    push: f64,
    pushed: &mut Fluxes,
) {
    heap.rises(there, cells, pushed);
    for edge in 0..4 {
        for lane in 0..LANES {
            let (now, before) = (now[edge][lane], before[edge][lane]);
            pushed[edge][lane] = (now + push * (now - before)) + STEP * pushed[edge][lane];
        }
    }
}

/// The `shares` of its fluxes that a piece keeps.
#[inline(always)]
fn shrink(pushed: &Fluxes, limits: &Lanes, shares: &mut Lanes) {
    for lane in 0..LANES {
        let (square, limit) = (square_at(pushed, lane), limits[lane]);
        let share = 1.0 - limit / square.sqrt();
        shares[lane] = if square > limit * limit { share } else { 0.0 };
    }
}

/// Sets `next` to the `shares` of the `pushed` fluxes.
#[inline(never)]
fn scale(pushed: &Fluxes, shares: &Lanes, next: &mut Fluxes) {
    for edge in 0..4 {
        for lane in 0..LANES {
            next[edge][lane] = pushed[edge][lane] * shares[lane];
        }
    }
}

/// How far uphill the momentum of a step of a piece pointed, given the fluxes
/// `last` but one and before and after the step.
#[inline(never)]
fn pointing(last: &Fluxes, now: &Fluxes, next: &Fluxes, push: f64) -> f64 {
    let mut uphill = [0.0; LANES];
    for lane in 0..LANES {
        let along = |edge: usize| {
            let (last, now, next) = (last[edge][lane], now[edge][lane], next[edge][lane]);
            ((now + push * (now - last)) - next) * (next - now)
        };
        uphill[lane] = (along(0) + along(3)) + (along(1) + along(2));
    }
    par::pairwise(&uphill)
}

/// The pieces of corners that a piece of cells gets matter from: its own, the
/// one above, and those west of both.
#[inline(always)]
fn around(debris: &[Fluxes], piece: usize, stride: usize) -> [&Fluxes; 4] {
    let above = piece - stride;
    [&debris[piece], &debris[above], &debris[piece - 1], &debris[above - 1]]
}

/// Sets the `change` of a piece of cells to what the corners `around` them give
/// and `lead` to `push` times further than it went from what it was.
#[inline(never)]
fn follow(around: [&Fluxes; 4], push: f64, change: &mut Lanes, lead: &mut Lanes) {
    let [own, upper, beside, above] = around;
    // The corner west of a cell is the sample before it; that of the first cell
    // lies in the piece beside. West is no edge that is read there, so that the
    // sample before the first of any other edge is some number.
    let (own, upper) = (own.as_flattened(), upper.as_flattened());
    let mut now = [0.0; LANES];
    for (lane, now) in now.iter_mut().enumerate() {
        let [west, north, south, east] = [lane, LANES + lane, 2 * LANES + lane, 3 * LANES + lane];
        let from_east = (own[west] + own[north]) + (upper[south] - upper[west]);
        let from_west = (own[east - 1] - own[north - 1]) - (upper[south - 1] + upper[east - 1]);
        *now = from_east + from_west;
    }
    let last = LANES - 1;
    let from_east = (own[0] + own[LANES]) + (upper[2 * LANES] - upper[0]);
    let from_west = (beside[3][last] - beside[1][last]) - (above[2][last] + above[3][last]);
    now[0] = from_east + from_west;
    for lane in 0..LANES {
        lead[lane] = now[lane] + push * (now[lane] - change[lane]);
    }
    *change = now;
}
