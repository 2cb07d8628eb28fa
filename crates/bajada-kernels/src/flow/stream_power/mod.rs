//! Rivers carve ground that rises: dendritic valleys, sharp divides.
//!
//! # Model
//!
//! `dh/dt = U - K A^m S + kappa lap h` (Whipple & Tucker 1999, n = 1), with the
//! drainage area `A` in m2, and no ground steeper than an angle of repose. `K`
//! is scaled by what the hardness does to every rate
//! ([`crate::rock::erodibility_factor`]). What rivers and slides take leaves
//! the map at once over the base level; what creeps is laid down.
//!
//! Time is in years here and in this module's settings: a rate per second of a
//! mountain range would be nobody's number.
//!
//! # Discretisation
//!
//! - Each step routes water through the hollows of the surface as it is.
//!   The area spreads over all lower neighbors (Freeman 1991, p = 1.1); the
//!   erosion looks at *one* receiver, drawn anew at every step between the two
//!   of D-infinity. Both are needed: either one alone leaves valleys along the
//!   grid.
//! - The heights are solved from the outlets up, implicitly (Braun & Willett
//!   2013): stable for any step. Ground below its receiver (a lake's floor) is
//!   left alone.
//! - Creep is explicit, in as many parts of a step as it needs to be stable.
//!   Slides are the largest surface below the ground that is nowhere steeper
//!   than the repose, by two sweeps with the 16 neighbors of a knight's move
//!   (Borgefors 1986; off their directions up to 2.7 % steeper).
//! - Coarse to fine: the plan of the valleys is made on cells of about 50 m,
//!   then refined twice as fine at a time, by Catmull-Rom, without new noise.
//!
//! # Guarantees
//!
//! - Base level stands still: the map's edge (where it lets water out) and the
//!   cells where the uplift is 0 keep their bits.
//! - Uplift is brought in; all that is taken is booked where it is taken; the
//!   ledger closes to 1e-12. What resampling from level to level changes is
//!   booked as shaped.
//! - The same bits on any number of threads; never hangs, level or not.
//!
//! # Departures
//!
//! Volumes of coarse levels are booked as mean thickness over the final map.
//! With [`Uplift::Relief`] the coarse levels are run again with the rate scaled
//! by wanted over got relief, so that no height is ever stretched.

mod book;
mod hillslope;
mod level;
mod schedule;

use bajada_grid::{Cancelled, Grid, Ledger, Stream, Task, math, par, sample};

use super::{Edge, Nodata, Outlets};
use crate::change::erosion_and_deposition;
use book::Book;
use level::Level;

/// How fast the ground rises where the uplift mask is 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Uplift {
    /// So fast that the highest ground comes to stand so many metres above the
    /// mean base level.
    Relief(f64),
    /// At this rate, m/yr.
    Rate(f64),
}

/// How water finds its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Routing {
    /// One receiver drawn at every step; the area spreads. For terrain.
    Drawn,
    /// The steepest of eight, for the area too: comes to a standstill, so that
    /// results can be held against theory.
    Steepest,
}

/// Settings of [`carve`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StreamPowerConfig {
    /// How fast the ground rises.
    pub uplift: Uplift,
    /// Time that it rises for, yr.
    pub duration: f64,
    /// `K` of ground of hardness 0, m^(1-2m)/yr. At steady state only U/K
    /// counts; with a wanted relief it sets how fast the plan is made.
    pub erodibility: f64,
    /// `m`. More makes trunks flatter and small valleys steeper.
    pub area_exponent: f64,
    /// `kappa`, m2/yr: with `K` it sets the least spacing of ridges.
    pub diffusivity: f64,
    /// Steepest slope that stands, rise over run.
    pub repose: f64,
    /// What the map's edge is. Cells without uplift are base level either way.
    pub edge: Edge,
    /// How water finds its way.
    pub routing: Routing,
    /// Cells are at most this large on the first level, m. Above 50, trunk
    /// valleys lie along the grid for good.
    pub coarsest_cell: f64,
    /// Steps on the first level; later ones take their share of it.
    pub steps: u32,
}

impl Default for StreamPowerConfig {
    /// A range of 12 km in two million years. With m = 0.38 and U/K near 20 the
    /// steep end of the slopes stays near repose; 1400 m so near to the base
    /// level, or m = 0.45, makes one plane of all small valleys.
    fn default() -> Self {
        Self {
            uplift: Uplift::Relief(1000.0),
            duration: 2.05e6,
            erodibility: 5e-5,
            area_exponent: 0.38,
            diffusivity: 0.025,
            repose: math::tan_deg(34.0),
            edge: Edge::Outlet,
            routing: Routing::Drawn,
            coarsest_cell: 50.0,
            steps: 80,
        }
    }
}

/// The ground that rises. All grids share one domain.
#[derive(Clone, Copy, Debug)]
pub struct Ground<'a> {
    /// Where it starts, m: it decides where the valleys come to lie.
    pub elevation: &'a Grid<f32>,
    /// Hardness, 0..1; none is 0 everywhere.
    pub hardness: Option<&'a Grid<f32>>,
    /// Share of the uplift, 0..1; none is 1 everywhere. Where it is 0 lies the
    /// base level.
    pub uplift: Option<&'a Grid<f32>>,
}

/// The ground when its time is over.
#[derive(Clone, Debug)]
pub struct Carved {
    /// m.
    pub elevation: Grid<f32>,
    /// Thickness removed: how much lower the ground stands than it rose, m.
    pub erosion: Grid<f32>,
    /// Thickness laid down by creep, net, m.
    pub deposition: Grid<f32>,
    /// m2.
    pub drainage_area: Grid<f32>,
    /// The matter account: uplift is brought in, what rivers take is exported.
    pub ledger: Ledger,
    /// Rate of uplift where the mask is 1, m/yr.
    pub rate: f64,
    /// Highest ground above the mean base level, m.
    pub relief: f64,
}

/// Runs of each level, the last included, in search of a relief; the last holds
/// for all that follow. A finer level adds valley heads, and with them relief.
const TRIES: [usize; 3] = [4, 2, 1];

/// Miss of the wanted relief, as a share of it, that is good enough.
const RELIEF_TOLERANCE: f64 = 0.02;

/// Lets `ground` rise and rivers carve it.
///
/// # Errors
///
/// [`Cancelled`] when `task` is called off.
pub fn carve(
    task: &Task,
    ground: &Ground<'_>,
    config: &StreamPowerConfig,
    stream: Stream,
) -> Result<Carved, Cancelled> {
    let domain = *ground.elevation.domain();
    let plan = schedule::plan(&domain, config);
    let work = |stage: &schedule::Stage| u64::from(stage.steps) * stage.domain.len() as u64;
    task.set_total(plan.iter().map(work).sum());

    let start = ground.elevation.to_f64();
    let held = held_cells(ground, &start, config);
    let mut heights = start.clone();
    let mut book = Book::new(&domain);
    let mut raised = 0.0;
    let mut rate = match config.uplift {
        Uplift::Rate(rate) => rate,
        Uplift::Relief(relief) => guess(relief, &domain, config),
    };
    for (place, stage) in plan.iter().enumerate() {
        task.check()?;
        let refined = refine(&heights, stage.domain, &start, &held);
        book.resampled(&heights, &refined);
        heights = refined;
        let level = Level::new(ground, &heights, config, stage);
        let streams = stream.part(place as u64);
        let (mut run, mut pages) = level.run(task, heights.clone(), rate, streams)?;
        if let Uplift::Relief(wanted) = config.uplift {
            for _ in 1..TRIES[math::min(place, TRIES.len() - 1)] {
                let got = level.relief(&run);
                if (got - wanted).abs() <= RELIEF_TOLERANCE * wanted || got <= 0.0 {
                    break;
                }
                rate *= math::clamp(wanted / got, 0.25, 4.0);
                (run, pages) = level.run(&task.part(), heights.clone(), rate, streams)?;
            }
        }
        heights = run;
        book.add(&pages);
        raised += rate * stage.step * f64::from(stage.steps);
    }
    finish(ground, config, heights, book, rate, raised, &plan)
}

fn finish(
    ground: &Ground<'_>,
    config: &StreamPowerConfig,
    heights: Grid<f64>,
    book: Book,
    rate: f64,
    raised: f64,
    plan: &[schedule::Stage],
) -> Result<Carved, Cancelled> {
    // A plan has a stage, and its last lies on the ground's own domain.
    let level = Level::new(ground, &heights, config, &plan[plan.len() - 1]);
    let routes = level.route(&heights, Stream::new(0), 0);
    let relief = level.relief(&heights);
    let mut ledger = book.ledger();
    ledger.measure(ground.elevation, &heights);
    let elevation = ledger.round_to_port(&heights);
    let (erosion, deposition) = erosion_and_deposition(&elevation, |index| {
        heights[index] - (f64::from(ground.elevation[index]) + raised * level.share(index))
    });
    let drainage_area = routes.area.to_f32();
    Ok(Carved { elevation, erosion, deposition, drainage_area, ledger, rate, relief })
}

/// Cells of the ground's own domain that are base level.
fn held_cells(ground: &Ground<'_>, start: &Grid<f64>, config: &StreamPowerConfig) -> Grid<bool> {
    let outlets = base_level(start, ground.uplift, config.edge);
    let mut held = start.like(false);
    par::map(&mut held, |index| outlets.is_outlet(index));
    held
}

fn base_level(heights: &Grid<f64>, uplift: Option<&Grid<f32>>, edge: Edge) -> Outlets {
    let still = uplift.map(|uplift| {
        let mut still = heights.like(false);
        par::map(&mut still, |index| math::max(uplift[index], 0.0) == 0.0);
        still
    });
    Outlets::new(heights, edge, None, Nodata::Wall, still.as_ref())
}

/// `heights` on another domain; on the ground's own, the base level as it was.
fn refine(
    heights: &Grid<f64>,
    domain: bajada_grid::Domain,
    start: &Grid<f64>,
    held: &Grid<bool>,
) -> Grid<f64> {
    if *heights.domain() == domain {
        return heights.clone();
    }
    let mut refined = sample::resize(&heights.to_f32(), domain).to_f64();
    if *start.domain() == domain {
        par::rows(&mut refined, |y, row| {
            for (x, cell) in row.iter_mut().enumerate() {
                if held.at(x, y) {
                    *cell = start.at(x, y);
                }
            }
        });
    }
    refined
}

/// A first rate for a wanted relief: at steady state U/K of 19 made 1400 m of
/// it 7 km from the base level, and relief grows with (distance)^(1 - 2m).
fn guess(relief: f64, domain: &bajada_grid::Domain, config: &StreamPowerConfig) -> f64 {
    let reach = math::max(domain.short_side() / 2.0, domain.cell_size());
    let longer = math::pow(7000.0 / reach, 1.0 - 2.0 * config.area_exponent);
    let steady = config.erodibility * relief * 19.0 / 1400.0 * longer;
    // No slower than what raises half of it as a block.
    math::max(steady, 0.5 * relief / config.duration)
}

#[cfg(test)]
mod tests;
