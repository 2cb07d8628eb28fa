//! Rivers carve ground that rises: dendritic valleys, sharp divides.
//!
//! # Model
//!
//! `dh/dt = U - K A^m S^n + G Q / A + kappa lap h` (Whipple & Tucker 1999; Yuan
//! et al. 2019), with the drainage area `A` in m2, weighted by the rain over its
//! mean, the sediment `Q` that comes down, and no ground steeper than an angle
//! of repose. `K` is scaled by what the hardness does to every rate
//! ([`crate::rock::erodibility_factor`]). What rivers and slides take leaves
//! the map at once over the base level, but for what rivers lay down on their
//! way and in lakes (with G > 0); what creeps is laid down.
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
//!   2013), by Newton's method where n is not 1: stable for any step. With G > 0
//!   erosion and deposition take turns until neither moves the other. Ground
//!   below its receiver (a lake's floor) is left alone.
//! - Creep is explicit, in as many parts of a step as it needs to be stable.
//!   Slides are the largest surface below the ground that is nowhere steeper
//!   than the repose, by two sweeps with the 16 neighbors of a knight's move
//!   (Borgefors 1986; off their directions up to 2.7 % steeper).
//! - A lithology is asked at every step for the rock at the surface reached.
//!   Rock rises with the ground: at the end it lies where the lithology says.
//! - Where the floor of a basin falls (see [`Ground::subsidence`]), it does so evenly over
//!   the last part of the time, and the rivers follow.
//! - Where the edge is a wall, a margin is carved with the map and cut off.
//! - Coarse to fine: the plan of the valleys is made on cells of about 50 m,
//!   then refined twice as fine at a time, by Catmull-Rom, without new noise.
//!
//! # Guarantees
//!
//! - Base level stands still but for its subsidence: the map's edge (where it
//!   lets water out) and the cells where the uplift is 0 keep their bits.
//! - Uplift is brought in; all that is taken is booked where it is taken; the
//!   ledger closes to 1e-12. Subsidence, and what resampling from level to
//!   level changes, is booked as shaped.
//! - The same bits on any number of threads; never hangs, level or not.
//!
//! # Departures
//!
//! Volumes of coarse levels are booked as mean thickness over the final map.
//! With [`Uplift::Relief`] a hurried twin of the first level (half the cells along
//! a side, a quarter of the steps) tells how the relief grows; with n = 1 it is
//! linear in the rate. In the second half of the first level and of the
//! next, what has risen and what was booked is scaled to keep to that course, and
//! the rate with it: what the model would have done at that rate from the
//! beginning (nearly so where n is not 1: relief goes with the n-th root of the
//! rate at steady state only). Rivers, creep and slides then go on for the rest
//! of the time.

mod bedrock;
mod book;
mod course;
mod drop;
mod frame;
mod hillslope;
mod level;
mod rivers;
mod schedule;

use bajada_grid::lithology::HARD_REPOSE_DEG;
use bajada_grid::{Cancelled, Grid, Ledger, Lithology, Stream, Task, math, par, sample};

use super::{Edge, Nodata, Outlets};
use crate::change::erosion_and_deposition;
use book::Book;
use course::Course;
use frame::Frame;
use level::{Level, Steered};

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
    /// `n`: more makes trunks steeper and valley heads flatter, and waves of
    /// erosion run up steep rivers faster. 0.5..=3.
    pub slope_exponent: f64,
    /// `G`: how readily rivers lay down what they carry. 0 is never.
    pub deposition: f64,
    /// `kappa`, m2/yr: with `K` it sets the least spacing of ridges.
    pub diffusivity: f64,
    /// Steepest slope of ground of hardness 0, rise over run.
    pub repose: f64,
    /// Steepest slope of ground of hardness 1, rise over run.
    pub repose_hard: f64,
    /// What the map's edge is. Cells without uplift are base level either way.
    pub edge: Edge,
    /// Width of the margin that is carved around a map whose edge is a wall,
    /// and cut off, m.
    pub margin: f64,
    /// Time that the subsidence takes, the last of the duration, yr.
    pub subsidence_time: f64,
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
            slope_exponent: 1.0,
            deposition: 0.0,
            diffusivity: 0.025,
            repose: math::tan_deg(34.0),
            repose_hard: math::tan_deg(HARD_REPOSE_DEG),
            edge: Edge::Outlet,
            margin: 384.0,
            subsidence_time: 150_000.0,
            routing: Routing::Drawn,
            coarsest_cell: 50.0,
            steps: 40,
        }
    }
}

/// The ground that rises. All grids share one domain.
#[derive(Clone, Copy, Debug)]
pub struct Ground<'a> {
    /// Where it starts, m: it decides where the valleys come to lie.
    pub elevation: &'a Grid<f32>,
    /// How hard it is, asked for at the surface reached; none is 0 everywhere.
    pub hardness: Option<&'a Lithology>,
    /// Share of the uplift, 0..1; none is 1 everywhere. Where it is 0 lies the
    /// base level.
    pub uplift: Option<&'a Grid<f32>>,
    /// How far the ground falls, besides, by the end, m, >= 0.
    pub subsidence: Option<&'a Grid<f32>>,
    /// How much it rains; only its ratio to the mean counts; none is the same
    /// everywhere.
    pub rain: Option<&'a Grid<f32>>,
}

/// The ground when its time is over.
#[derive(Clone, Debug)]
pub struct Carved {
    /// m.
    pub elevation: Grid<f32>,
    /// Thickness removed: how much lower the ground stands than it rose, m.
    pub erosion: Grid<f32>,
    /// Thickness laid down by creep and rivers, net, m.
    pub deposition: Grid<f32>,
    /// m2.
    pub drainage_area: Grid<f32>,
    /// The matter account: uplift is brought in, what rivers take is exported.
    pub ledger: Ledger,
    /// Rate of uplift where the mask is 1, at the end, m/yr.
    pub rate: f64,
    /// Highest ground above the mean base level, m.
    pub relief: f64,
}

/// How much longer than a step of the first level those of the hurried twin are;
/// its cells are twice as large. The implicit steps stay stable.
const HURRY: u32 = 4;

/// Bounds of what the first guess of a rate is scaled by.
const FACTORS: [f64; 2] = [0.02, 50.0];

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
    let map = *ground.elevation.domain();
    let doublings = schedule::doublings(&map, config);
    let frame = Frame::new(&map, config, doublings);
    let plan = schedule::plan(&frame.whole, doublings, config);
    if frame.whole == map {
        return carve_whole(task, ground, &frame, &plan, config, stream);
    }
    let elevation = frame.surround_odd(ground.elevation);
    let uplift = ground.uplift.map(|field| frame.surround_even(field));
    let subsidence = ground.subsidence.map(|field| frame.surround_even(field));
    let rain = ground.rain.map(|field| frame.surround_even(field));
    let whole = Ground {
        elevation: &elevation,
        hardness: ground.hardness,
        uplift: uplift.as_ref(),
        subsidence: subsidence.as_ref(),
        rain: rain.as_ref(),
    };
    carve_whole(task, &whole, &frame, &plan, config, stream)
}

/// Carves the map and its margin, and cuts the margin off.
fn carve_whole(
    task: &Task,
    ground: &Ground<'_>,
    frame: &Frame,
    plan: &[schedule::Stage],
    config: &StreamPowerConfig,
    stream: Stream,
) -> Result<Carved, Cancelled> {
    let work = |stage: &schedule::Stage| u64::from(stage.steps) * stage.domain.len() as u64;
    task.set_total(plan.iter().map(work).sum());

    let start = ground.elevation.to_f64();
    let held = held_cells(ground, &start, config);
    let mut heights = start.clone();
    let mut book = Book::new(&frame.cut(&start));
    let mut raised = 0.0;
    let mut courses = None;
    let mut rate = match config.uplift {
        Uplift::Rate(rate) => rate,
        Uplift::Relief(relief) => guess(relief, &frame.whole, config),
    };
    for (place, stage) in plan.iter().enumerate() {
        task.check()?;
        let refined = refine(&heights, stage, ground, &held);
        book.resampled(frame, &heights, &refined);
        heights = refined;
        let streams = stream.part(place as u64);
        if let Uplift::Relief(wanted) = config.uplift
            && place == 0
        {
            let twins = twin(task, ground, &heights, frame, config, rate, streams)?;
            let (got, [least, most]) = (twins[1].end(), FACTORS);
            // Where nothing rises there is nothing to scale.
            let factor = if got > 0.0 { math::clamp(wanted / got, least, most) } else { 1.0 };
            rate *= math::pow(factor, config.slope_exponent);
            courses = Some(twins.map(|course| course.scaled(factor)));
        }
        let level = Level::new(ground, &heights, frame, config, stage);
        let steered = courses.as_ref().and_then(|courses| courses.get(place)).map(|course| {
            let start = sample::resize(ground.elevation, stage.domain).to_f64();
            Steered { course, start }
        });
        let (run, pages) = level.run(task, heights, &mut rate, steered.as_ref(), streams)?;
        heights = run;
        if let Some(Steered { start, .. }) = &steered {
            book.scale(pages.scaled, frame, start, level.mean_fallen());
            raised *= pages.scaled;
        }
        book.add(&pages);
        raised += pages.raised;
    }
    // A plan has a stage, and its last lies on the ground's own domain.
    let level = Level::new(ground, &heights, frame, config, &plan[plan.len() - 1]);
    let relief = level.relief(&heights);
    let rose = |index: usize| {
        let moved = raised * level.share(index) - level.subsidence(index);
        heights[index] - (f64::from(ground.elevation[index]) + moved)
    };
    let (erosion, deposition) = erosion_and_deposition(ground.elevation, rose);
    let area = level.drainage_area(&heights);
    let heights = frame.cut(&heights);
    let mut ledger = book.ledger();
    ledger.measure(&frame.cut(ground.elevation), &heights);
    let elevation = ledger.round_to_port(&heights);
    Ok(Carved {
        elevation,
        erosion: frame.cut(&erosion),
        deposition: frame.cut(&deposition),
        drainage_area: frame.cut(&area).to_f32(),
        ledger,
        rate,
        relief,
    })
}

/// The whole time from `heights`, on cells twice as large and in a quarter of the
/// steps, in two parts, the time of the first level and the rest: for how the
/// relief grows, not for how high it comes to stand.
fn twin(
    task: &Task,
    ground: &Ground<'_>,
    heights: &Grid<f64>,
    frame: &Frame,
    config: &StreamPowerConfig,
    mut rate: f64,
    stream: Stream,
) -> Result<[Course; 2], Cancelled> {
    let steps = config.steps.div_ceil(HURRY);
    let config = StreamPowerConfig { steps, ..*config };
    let plan = schedule::plan(&schedule::twice_as_coarse(heights.domain()), 0, &config);
    let mut coarse = sample::resize(&heights.to_f32(), plan[0].domain).to_f64();
    let mut courses = [Course::default(); 2];
    for (stage, course) in plan.iter().zip(&mut courses) {
        let level = Level::new(ground, &coarse, frame, &config, stage);
        let (run, pages) = level.run(&task.part(), coarse, &mut rate, None, stream)?;
        (coarse, *course) = (run, pages.course);
    }
    Ok(courses)
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

/// `heights` on the lattice of `stage`; on the ground's own, the base level is
/// where it has fallen to by then.
fn refine(
    heights: &Grid<f64>,
    stage: &schedule::Stage,
    ground: &Ground<'_>,
    held: &Grid<bool>,
) -> Grid<f64> {
    if *heights.domain() == stage.domain {
        return heights.clone();
    }
    let mut refined = sample::resize(&heights.to_f32(), stage.domain).to_f64();
    if *ground.elevation.domain() == stage.domain {
        par::rows(&mut refined, |y, row| {
            for (x, cell) in row.iter_mut().enumerate() {
                if held.at(x, y) {
                    let fallen = ground.subsidence.map_or(0.0, |depth| f64::from(depth.at(x, y)));
                    *cell = f64::from(ground.elevation.at(x, y)) - stage.fallen * fallen;
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
mod mesa_tests;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod theory_tests;
