//! Rain gathers to running water that carves, carries and lays down.
//!
//! # Model
//!
//! *Water*: the local inertial form of the shallow water equations (Bates et al.
//! 2010; de Almeida & Bates 2013): gravity and Manning's friction on the unit
//! discharge, without the convective term. Lakes, backwater and flood waves are
//! those of the full equations while the current is well below the speed of
//! waves; a bore over shallow water is not (see the tests for how far off). Flow
//! is held to a greatest Froude number: steep streams do not stay far above 1
//! (Grant 1997).
//!
//! *Sediment*: current cuts the bed by its excess shear, `k (tau - tau_c)` with
//! `tau = rho g n^2 q^2 / d^(7/3)`, and grains settle out of the water by
//! `w c`; what the water carries goes where the water goes. Cutting scales with
//! the erodibility of the rock, or takes what lies loose on it first; all that
//! is laid down is loose. Ground steeper than its repose slides down, and what
//! currents cut is spread over a width of bank, for a channel that is as wide on
//! any lattice.
//!
//! # Discretisation
//!
//! - One signed discharge on each face between two cells. Gravity pushes first;
//!   then friction, taken at the step's end as the root of a square equation, and
//!   the Froude number slow both directions alike, by what is pushed over the
//!   face and along it: nothing turns flow towards an axis, or away from it.
//!   Depth at a face is water over the higher bed: a wet cell beside a wall is at
//!   rest, to the bit.
//! - Shear is measured once in eight steps and blurred over the banks (see
//!   `shear`).
//! - Positivity: no more leaves over a face in a step than a quarter of what the
//!   cell holds; steps are short enough that this is the exception. Sediment
//!   leaves in the same share as water: it is never negative and needs no step
//!   of its own. Exchange with the bed is taken at the step's end.
//! - Heights are whole quanta of 2^-34 m in f64, discharges are f32. Sums are
//!   exact, in any order: nothing is made or lost.
//! - The step is chosen anew every eight steps from the deepest water and the
//!   fastest current. Between, tiles of the map run alone (see `tiles`), with
//!   the bits of steps over the whole map.
//! - Coarse to fine: most of the time passes on the coarsest lattice, whose cells
//!   are about `coarsest_cell`; each finer one gets what is left in the same
//!   manner (see `stage`). Maps whose sides have no odd number of samples run on
//!   their own lattice all the time.
//!
//! # Guarantees
//!
//! - Water and sediment are accounted for to 1e-12. What coarse cells along a
//!   wall hold beyond the map's edge, and what rounding to quanta changes from
//!   lattice to lattice, is booked as shaped.
//! - A lake at rest stays so, to the bit. No depth is negative.
//! - Ground where `mask` is 0, beside an open side and where no water shears it
//!   keeps its bits. Cells that are no number are walls.
//! - The same bits on any number of threads; turned ground gives turned bits on
//!   one lattice.
//!
//! # Departures
//!
//! Friction is not that of de Almeida & Bates, with the speed before the step: on
//! steep ground it turns thin water to the diagonals (discharges on a cone differed
//! by a factor of 2.5 between the axes and the diagonals, and now by 1 %).
//! Water keeps its volume when the bed below it rises or sinks. Sediment does not
//! add to the volume or the weight of the water. Pits are filled, never dug: no
//! cell is cut below its lowest neighbor.

mod fields;
mod law;
mod level;
mod shear;
mod stage;
mod sweep;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod theory_tests;
mod tiles;

use bajada_grid::quantum::Quantum;
use bajada_grid::{Cancelled, Domain, Grid, Ledger, Lithology, Task, math, par};

use crate::change::erosion_and_deposition;
use level::{Done, Level};
use stage::Plan;

/// Water shallower than this has no velocity, m: a film stands.
const LEAST_CURRENT: f64 = 1e-3;

/// What lies beyond a side of the map.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Side {
    /// Nothing passes.
    Wall,
    /// The slope goes on: water and what it carries leaves. The ground there is
    /// base level.
    Outflow,
    /// Water that stands at this elevation, m.
    Fixed(f64),
}

/// Settings of [`wash`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShallowWaterConfig {
    /// Time that it rains and water runs, s.
    pub duration: f64,
    /// Rain where the field of it is 1, m/s.
    pub rain: f64,
    /// What the ground takes in of standing and running water, m/s.
    pub infiltration: f64,
    /// What the air takes of it, m/s.
    pub evaporation: f64,
    /// Manning's roughness, s/m^(1/3).
    pub manning: f64,
    /// Greatest Froude number.
    pub froude: f64,
    /// How fast the softest ground is cut for a shear of one pascal, m/s.
    pub erodibility: f64,
    /// Shear below which nothing is cut, Pa.
    pub critical_shear: f64,
    /// How fast grains settle, m/s.
    pub settling: f64,
    /// Steepest slope of loose ground, rise over run.
    pub repose: f64,
    /// Width over which banks yield to what the current cuts, m.
    pub bank_width: f64,
    /// What lies beyond the north, east, south and west side.
    pub sides: [Side; 4],
    /// Cells are at most this large on the coarsest lattice, m.
    pub coarsest_cell: f64,
    /// Share of the time left that a lattice hands on to the finer one.
    pub refined_share: f64,
    /// Most steps on each lattice.
    pub steps: u32,
}

impl Default for ShallowWaterConfig {
    /// A cloudburst of two hours on ground that is cut some ten times as readily
    /// as bare loam: one storm stands for several. Sediment then fills about as
    /// much of a stream as water does; with more, the bed would move faster than
    /// the water.
    fn default() -> Self {
        Self {
            duration: 7200.0,
            rain: 150.0 / 3.6e6,
            infiltration: 0.0,
            evaporation: 0.0,
            manning: 0.05,
            froude: 2.0,
            erodibility: 100.0 / 3.6e6,
            critical_shear: 30.0,
            settling: 0.002,
            repose: math::tan_deg(34.0),
            bank_width: 40.0,
            sides: [Side::Outflow; 4],
            coarsest_cell: 16.0,
            refined_share: 0.25,
            steps: 100_000,
        }
    }
}

/// The ground that it rains on. All grids share one domain.
#[derive(Clone, Copy, Debug)]
pub struct Basin<'a> {
    /// m. What is no number is a wall.
    pub elevation: &'a Grid<f32>,
    /// Depth of water at the start, m; none is dry.
    pub water: Option<&'a Grid<f32>>,
    /// Loose thickness on rock, m; none is bare rock.
    pub sediment: Option<&'a Grid<f32>>,
    /// How hard the rock is, asked for at the surface reached; none is 0
    /// everywhere.
    pub hardness: Option<&'a Lithology>,
    /// How much it rains, as a share; none is 1 everywhere.
    pub rain: Option<&'a Grid<f32>>,
    /// Where ground may change, 0..1; none is 1 everywhere.
    pub mask: Option<&'a Grid<f32>>,
}

/// Where the water went, m3.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WaterBook {
    /// On the map at the start.
    pub before: f64,
    /// Rained on it.
    pub rained: f64,
    /// Infiltrated and evaporated.
    pub lost: f64,
    /// Left over the north, east, south and west side, what came in taken off.
    pub left: [f64; 4],
    /// Added by going from lattice to lattice.
    pub shaped: f64,
    /// On the map at the end.
    pub after: f64,
}

impl WaterBook {
    /// What is not accounted for, as a share of the largest term.
    pub fn residual_relative(&self) -> f64 {
        let left = par::pairwise(&self.left);
        let gap = (self.before + self.rained + self.shaped - self.lost - left - self.after).abs();
        let terms = [self.before, self.rained, self.lost, left.abs(), self.after];
        let scale = terms.into_iter().fold(0.0, math::max);
        if scale > 0.0 { gap / scale } else { gap }
    }
}

/// The ground and the water when the time is over.
#[derive(Clone, Debug)]
pub struct Washed {
    /// m.
    pub elevation: Grid<f32>,
    /// Depth, m, >= 0.
    pub water: Grid<f32>,
    /// Speed of the current, m/s, >= 0.
    pub flow_velocity: Grid<f32>,
    /// What the water still carries, as thickness over the cell, m, >= 0.
    pub suspended: Grid<f32>,
    /// Lowering, m, >= 0.
    pub erosion: Grid<f32>,
    /// Raising, m, >= 0.
    pub deposition: Grid<f32>,
    /// What lies loose, m, >= 0.
    pub sediment: Grid<f32>,
    /// Water through each cell, m3/s, >= 0.
    pub discharge: Grid<f32>,
    /// The matter account.
    pub ledger: Ledger,
    /// The account of the water.
    pub book: WaterBook,
    /// Steps on all lattices.
    pub steps: u64,
    /// Time that the steps did not suffice for, s.
    pub time_left: f64,
}

/// Sum of a field in m3.
fn volume(field: &Grid<f64>) -> f64 {
    field.domain().cell_area() * par::sum(field.as_slice().len(), |index| field[index])
}

/// Lets it rain on `basin`.
///
/// # Errors
///
/// [`Cancelled`] when `task` is called off.
pub fn wash(
    task: &Task,
    basin: &Basin<'_>,
    config: &ShallowWaterConfig,
) -> Result<Washed, Cancelled> {
    let config = &sane(config);
    let elevation = basin.elevation;
    let highest = par::max(elevation.as_slice().len(), 0.0, |index| {
        let height = f64::from(elevation[index]).abs();
        if height.is_finite() { height } else { 0.0 }
    });
    // Room for the water on top.
    let quantum = Quantum::for_heights(4.0 * highest + 1024.0);
    let Plan { mut stage, finer, poured } = stage::plan(basin, config, quantum);
    task.set_total(1000 * (1 + finer.len() as u64));
    let start = volume(&stage.water);
    let mut books = Books {
        water: WaterBook { before: poured, shaped: start - poured, ..WaterBook::default() },
        ..Books::default()
    };
    let mut level = Level::new(basin, config, quantum, &stage, None);
    books.add(&level.run(task)?, &stage.domain);
    let mut risen = level.risen(&stage);
    for mut next in finer {
        task.check()?;
        let suspended = level.inner(|fields, cell| fields.suspended[cell]);
        let water = level.inner(|fields, cell| fields.water[cell]);
        let loose = level.inner(|fields, cell| fields.loose[cell]);
        let was = [volume(&risen) + volume(&suspended), volume(&water)];
        let fine = |field: &Grid<f64>| next.taken_over(field, quantum);
        let (mut raised, suspended, water) = (fine(&risen), fine(&suspended), fine(&water));
        next.keep_still(&mut raised);
        let grown = next.taken_over(&stage.gained(&loose), quantum);
        next.begin_from(&raised, water, &grown);
        books.ledger.shaped += volume(&raised) + volume(&suspended) - was[0];
        books.water.shaped += volume(&next.water) - was[1];
        level = Level::new(basin, config, quantum, &next, Some(&suspended));
        books.add(&level.run(task)?, &next.domain);
        risen = level.risen(&next);
        par::rows(&mut risen, |y, row| {
            for (cell, raised) in row.iter_mut().zip(raised.row(y)) {
                *cell += raised;
            }
        });
        stage = next;
    }
    Ok(finished(basin, &level, &risen, books))
}

/// `config` with every number where its formula holds.
fn sane(config: &ShallowWaterConfig) -> ShallowWaterConfig {
    let held = |value: f64, most: f64| math::clamp(value, 0.0, most);
    ShallowWaterConfig {
        duration: held(config.duration, 1e9),
        rain: held(config.rain, 1.0),
        infiltration: held(config.infiltration, 1.0),
        evaporation: held(config.evaporation, 1.0),
        manning: held(config.manning, 10.0),
        froude: held(config.froude, 100.0),
        erodibility: held(config.erodibility, 1.0),
        critical_shear: held(config.critical_shear, 1e6),
        settling: held(config.settling, 100.0),
        repose: held(config.repose, 1e6),
        bank_width: held(config.bank_width, 1e6),
        ..*config
    }
}

/// The accounts while the lattices take turns.
#[derive(Clone, Copy, Debug, Default)]
struct Books {
    ledger: Ledger,
    water: WaterBook,
    steps: u64,
    time_left: f64,
}

impl Books {
    /// Adds what a lattice did, whose tally is in metres over its cells.
    fn add(&mut self, done: &Done, domain: &Domain) {
        let (area, tally) = (domain.cell_area(), &done.tally);
        self.ledger.eroded += area * tally.eroded;
        self.ledger.deposited += area * tally.deposited;
        self.ledger.exported += area * par::pairwise(&tally.suspended_out);
        self.water.rained += area * tally.rained;
        self.water.lost += area * tally.lost;
        for (left, out) in self.water.left.iter_mut().zip(tally.water_out) {
            *left += area * out;
        }
        self.steps += u64::from(done.steps);
        self.time_left += done.left;
    }
}

/// The outputs, once all lattices have had their time.
fn finished(basin: &Basin<'_>, level: &Level<'_>, risen: &Grid<f64>, books: Books) -> Washed {
    let elevation = basin.elevation;
    let Books { mut ledger, water: mut book, steps, time_left } = books;
    let suspended = level.inner(|fields, cell| fields.suspended[cell]);
    let water = level.inner(|fields, cell| fields.water[cell]);
    ledger.suspended = volume(&suspended);
    book.after = volume(&water);
    // Cells that are no number are 0 in the account, and come out as they were.
    let known = |index: usize| {
        let height = elevation[index];
        if height.is_finite() { height } else { 0.0 }
    };
    let (mut before, mut exact) = (elevation.like(0.0_f32), elevation.like(0.0_f64));
    par::map(&mut before, known);
    par::map(&mut exact, |index| f64::from(known(index)) + risen[index]);
    ledger.measure(&before, &exact);
    let mut washed = ledger.round_to_port(&exact);
    par::rows(&mut washed, |y, row| {
        for (cell, &was) in row.iter_mut().zip(elevation.row(y)) {
            *cell = if was.is_finite() { *cell } else { was };
        }
    });
    let (erosion, deposition) = erosion_and_deposition(elevation, |index| risen[index]);
    let flow = level.inner(|fields, cell| fields.current(cell));
    let mut flow_velocity = elevation.like(0.0_f32);
    par::map(&mut flow_velocity, |index| {
        (if water[index] > LEAST_CURRENT { flow[index] / water[index] } else { 0.0 }) as f32
    });
    let mut discharge = elevation.like(0.0_f32);
    let cell_size = elevation.domain().cell_size();
    par::map(&mut discharge, |index| (cell_size * flow[index]) as f32);
    Washed {
        elevation: washed,
        water: water.to_f32(),
        flow_velocity,
        suspended: suspended.to_f32(),
        erosion,
        deposition,
        sediment: level.inner(|fields, cell| fields.loose[cell]).to_f32(),
        discharge,
        ledger,
        book,
        steps,
        time_left,
    }
}
