//! Alluvial fans: what a canyon delivers comes to rest as a cone of concave
//! profile, around obstacles, and its volume is exact.
//!
//! # Model
//!
//! The surface of a fan is one curve of elevation over the *shortest way from
//! its apex around obstacles* (Chiu, Chen & Capart 2026): `Z = z_apex - F(D)`,
//! `|grad D| = 1` over ground that lies below `Z`. `F` is steep at the head and
//! flat at the toe (see `profile.rs`). Several fans are the highest of their
//! surfaces; where two meet lies an interfan low.
//!
//! - *Aggrade*: the apex rises until the volume fits. The canyon is back-filled
//!   with half the slope of the head, and where that fill buries a divide it
//!   *spills*: `D` starts below 0 there and the surface goes on without a step.
//! - *Anchored*: the apex stays on the channel's bed; `F` is flattened until the
//!   volume fits. What even the flattest fan cannot hold is surplus. A volume
//!   too small for the steepest moves the apex down the channel (intersection
//!   point).
//!
//! # Discretisation
//!
//! `D` by [`crate::geodesic`], marched anew as obstacles drown and as neighbors
//! grow: volumes of 35, 60, 80, 92 and 100 %, then rounds of all fans against
//! each other. Between marches each volume is solved by Newton's method with a
//! bracket. A last factor on each fan's thickness makes its volume exact; a fan
//! that would have to grow by more than a quarter keeps a surplus. Only the cells that a fan reaches cost anything.
//!
//! # Guarantees
//!
//! - `deposited + surplus = received` for each fan, and the ledger, to 1e-12.
//! - An anchored apex keeps the elevation of its bed. No deposit where the way
//!   around an obstacle brings the surface below ground.
//! - The order in which apices are given changes no bit, nor does the number of
//!   threads.
//! - Scallops, lobes and braids move no volume between fans.
//!
//! # Departures
//!
//! The map's edge is a wall: a fan that reaches it grows thicker, nothing is
//! lost over it. What parcels no apex drains goes to the nearest.

mod body;
mod catchment;
mod character;
mod coalesce;
mod front_apices;
mod grains;
mod profile;
mod rest;
mod supply;
#[cfg(test)]
mod tests;

use bajada_grid::{Cancelled, Grid, Ledger, Parcel, Stream, Supply, Task, math, par};

use crate::change::erosion_and_deposition;
use crate::deposit::apices::Apex;
use body::{Body, Site, Way};
use coalesce::Envelope;

pub use front_apices::{FrontConfig, along_front, at_points};
pub use profile::Profile;

/// Where the sediment comes from.
#[derive(Clone, Copy, Debug)]
pub enum Source<'a> {
    /// Cut from each catchment: mean depth over it, m.
    Denudation(f64),
    /// What lies loose on each catchment.
    Loose,
    /// What another node handed on.
    Parcels(&'a Supply),
    /// A volume from outside the map, m3, shared by drainage area.
    Outside(f64),
}

/// What gives way to the volume.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Emplacement {
    /// Anchored where there is room for all of the volume, else aggrading.
    Auto,
    /// The apex stays on the bed.
    Anchored,
    /// The apex rises.
    Aggrade,
}

/// Settings of [`build`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FanConfig {
    /// What gives way to the volume.
    pub emplacement: Emplacement,
    /// Slope at the apex below a catchment of 1 km2, rise over run.
    pub head_slope: f64,
    /// The head's slope falls with the catchment's area to this power.
    pub slope_exponent: f64,
    /// Steepest head.
    pub steepest_head: f64,
    /// Slope that the profile tends to.
    pub toe_slope: f64,
    /// Way over which the excess of slope halves below 1 km2, m.
    pub half_length: f64,
    /// Flattest profile of an anchored fan, as a share of the profile's slope.
    pub least_flatness: f64,
    /// Slope of the canyon's back-fill as a share of the head's.
    pub back_fill: f64,
    /// How strong scallops, lobes and braids are, 0..1.
    pub roughness: f64,
    /// Steepest slope of the deposit at the end, rise over run.
    pub repose: f64,
    /// Shares of gravel and sand; the rest is silt.
    pub gravel: f64,
    /// See [`FanConfig::gravel`].
    pub sand: f64,
}

impl Default for FanConfig {
    /// Fans of 1 to 6 degrees below catchments of 0.05 to 10 km2.
    fn default() -> Self {
        Self {
            emplacement: Emplacement::Auto,
            head_slope: 0.12,
            slope_exponent: 0.20,
            steepest_head: 0.22,
            toe_slope: 0.03,
            half_length: 900.0,
            least_flatness: 0.5,
            back_fill: 0.5,
            roughness: 1.0,
            repose: 0.24,
            gravel: 0.65,
            sand: 0.25,
        }
    }
}

/// The ground that fans are built on. All grids share one domain.
#[derive(Clone, Copy, Debug)]
pub struct Ground<'a> {
    /// m.
    pub elevation: &'a Grid<f32>,
    /// What lies loose on it, m; needed for [`Source::Loose`].
    pub sediment: Option<&'a Grid<f32>>,
    /// Ground may rise where this is at least 0.5; everywhere if left out. An
    /// apex with no such ground near builds nothing, and nothing is cut for it.
    pub mask: Option<&'a Grid<f32>>,
}

/// One fan, as built.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fan {
    /// The apex.
    pub cell: usize,
    /// Surface at the apex, m.
    pub elevation: f64,
    /// Whether the apex stayed on the channel's bed.
    pub anchored: bool,
    /// Area that drains through it, m2.
    pub catchment_area: f64,
    /// What it received, m3.
    pub supply: f64,
    /// What it laid down, m3.
    pub deposited: f64,
    /// What it had no room for, m3.
    pub surplus: f64,
    /// m2.
    pub area: f64,
    /// Longest way from the apex to the toe, m.
    pub radius: f64,
    /// Slope at 5, 50 and 95 % of the radius, rise over run.
    pub slopes: [f64; 3],
}

/// The ground with its fans.
#[derive(Clone, Debug)]
pub struct Fans {
    /// m.
    pub elevation: Grid<f32>,
    /// Thickness laid down, net, m.
    pub deposition: Grid<f32>,
    /// Thickness removed, net, m.
    pub erosion: Grid<f32>,
    /// Whose deposit it is, from 1 in the order of [`Fans::fans`]; 0 is none.
    pub owner: Grid<f32>,
    /// Way from the apex over the radius of its fan, 0..1; 0 where there is no
    /// fan.
    pub distance: Grid<f32>,
    /// Share of gravel in the deposit, 0..1.
    pub gravel: Grid<f32>,
    /// Share of sand.
    pub sand: Grid<f32>,
    /// Share of silt.
    pub silt: Grid<f32>,
    /// What the fans had no room for, at their apices.
    pub surplus: Supply,
    /// One for each apex, by cell.
    pub fans: Vec<Fan>,
    /// The matter account.
    pub ledger: Ledger,
    /// What the user should know.
    pub notes: Vec<String>,
}

/// Builds fans at `apices` on `ground` from all `sources` together. Only the
/// first source that cuts ([`Source::Denudation`], [`Source::Loose`]) counts:
/// two cuts in one place could make a pit.
///
/// # Errors
///
/// [`Cancelled`] when `task` is called off.
pub fn build(
    task: &Task,
    ground: &Ground<'_>,
    apices: &[Apex],
    sources: &[Source<'_>],
    config: &FanConfig,
    stream: Stream,
) -> Result<Fans, Cancelled> {
    let apices = sorted(ground, apices);
    let start = ground.elevation.to_f64();
    let catchments = catchment::catchments(&start, &apices);
    task.check()?;
    let received = supply::receive(ground, &start, &catchments, &apices, sources);
    task.check()?;
    let mut heights = start;
    if let Some(cuts) = &received.cuts {
        par::map(&mut heights, |cell| f64::from(ground.elevation[cell]) - cuts[cell]);
    }
    let site = Site { heights: &heights, mask: ground.mask, catchments: &catchments };
    let mut bodies: Vec<Body> = apices
        .iter()
        .zip(received.volumes.iter().zip(1..))
        .map(|(apex, (&volume, label))| Body::new(&site, apex, volume, label, config, stream))
        .collect();
    let envelope = coalesce::grow(task, &site, &mut bodies, config)?;
    let mut layer = Layer::of(&envelope, &site);
    character::roughen(&mut layer, &bodies, &site, config, stream);
    rest::settle(task, &mut layer, &site, config)?;
    layer.make_exact(&bodies, heights.domain().cell_area());
    Ok(finish(ground, &heights, layer, &bodies, &received, config))
}

/// Most that the last factor thickens a fan by; what is left is surplus.
const MOST_GROWTH: f64 = 1.25;

/// How far around an apex some ground must be allowed to rise, cells.
const NEAR: usize = 2;

/// The apices that lie on the map and near ground that may rise, by cell, each
/// once.
fn sorted(ground: &Ground<'_>, apices: &[Apex]) -> Vec<Apex> {
    let mut sorted: Vec<Apex> = apices.to_vec();
    let domain = *ground.elevation.domain();
    let may_rise = |cell: usize| {
        let Some(mask) = ground.mask else { return true };
        let (x, y) = domain.column_row(cell);
        let rows = y.saturating_sub(NEAR)..(y + NEAR + 1).min(domain.height());
        let columns = x.saturating_sub(NEAR)..(x + NEAR + 1).min(domain.width());
        rows.flat_map(|y| columns.clone().map(move |x| (x, y))).any(|(x, y)| mask.at(x, y) >= 0.5)
    };
    sorted.retain(|apex| apex.cell < domain.len() && may_rise(apex.cell));
    // Two of one cell: the larger catchment counts, whoever came first.
    sorted.sort_by(|a, b| a.cell.cmp(&b.cell).then(b.catchment_area.total_cmp(&a.catchment_area)));
    sorted.dedup_by_key(|apex| apex.cell);
    sorted
}

/// The deposit: whose it is and how thick.
pub(in crate::deposit::fan) struct Layer {
    /// Label of the fan, 0 for none.
    pub owner: Grid<u32>,
    /// m; above 0 where there is an owner.
    pub thickness: Grid<f64>,
    /// Cells of each label, by cell.
    pub cells: Vec<Vec<u32>>,
}

impl Layer {
    fn of(envelope: &Envelope, site: &Site<'_>) -> Self {
        let mut layer = Self {
            owner: site.heights.like(0_u32),
            thickness: site.heights.like(0.0_f64),
            cells: vec![Vec::new(); envelope.bodies() + 1],
        };
        for cell in envelope.covered() {
            let rise = envelope.best(cell) - site.heights[cell];
            if rise > 0.0 {
                let owner = envelope.owner(cell);
                layer.owner[cell] = owner;
                layer.thickness[cell] = rise;
                layer.cells[owner as usize].push(cell as u32);
            }
        }
        for cells in &mut layer.cells {
            cells.sort_unstable();
        }
        layer
    }

    /// `value(cell)` summed over the deposit of `label`.
    pub(in crate::deposit::fan) fn sum(
        &self,
        label: usize,
        value: impl Fn(usize) -> f64 + Sync,
    ) -> f64 {
        let cells = &self.cells[label];
        par::sum(cells.len(), |place| value(cells[place] as usize))
    }

    /// Scales each fan to the volume that it has to hold.
    fn make_exact(&mut self, bodies: &[Body], cell_area: f64) {
        for body in bodies {
            let label = body.label as usize;
            let got = cell_area * self.sum(label, |cell| self.thickness[cell]);
            // What does not fit a fan that is as flat as it may be is surplus.
            if body.is_full() && got <= body.volume {
                continue;
            }
            if got > 0.0 {
                // A fan that its neighbors bury cannot grow for ever.
                let factor = math::min(body.volume / got, MOST_GROWTH);
                for &cell in &self.cells[label] {
                    self.thickness[cell as usize] *= factor;
                }
            }
        }
    }
}

fn finish(
    ground: &Ground<'_>,
    heights: &Grid<f64>,
    layer: Layer,
    bodies: &[Body],
    received: &supply::Received,
    config: &FanConfig,
) -> Fans {
    let domain = *heights.domain();
    let (cell_area, len) = (domain.cell_area(), domain.len());
    let way = body::ways(bodies, heights, &layer);
    let mut fans = Vec::with_capacity(bodies.len());
    let mut surplus = Vec::new();
    let mut lost = received.unclaimed;
    for body in bodies {
        let label = body.label as usize;
        let deposited = cell_area * layer.sum(label, |cell| layer.thickness[cell]);
        let left = body.volume - deposited;
        // The last bits of an exact volume are no surplus.
        let left = if left > 1e-13 * body.volume { left } else { 0.0 };
        lost += left;
        surplus.push(Parcel { index: body.apex as u32, volume: left });
        let radius = layer.cells[label].iter().fold(0.0, |far, &c| math::max(far, way[c as usize]));
        let slope = |share: f64| body.sigma * body.profile.slope(share * radius);
        fans.push(Fan {
            cell: body.apex,
            elevation: heights[body.apex] + layer.thickness[body.apex],
            anchored: body.way == Way::Anchored,
            catchment_area: body.catchment_area,
            supply: body.volume,
            deposited,
            surplus: left,
            area: cell_area * layer.cells[label].len() as f64,
            radius,
            slopes: [slope(0.05), slope(0.5), slope(0.95)],
        });
    }
    if received.unclaimed > 0.0 {
        surplus.push(Parcel { index: 0, volume: received.unclaimed });
    }
    let sorting = grains::sort(&layer, &fans, &way, heights, config);
    let mut after = heights.clone();
    par::map(&mut after, |cell| heights[cell] + layer.thickness[cell]);
    let eroded = received.cuts.as_ref().map_or(0.0, |cuts| par::sum(len, |cell| cuts[cell]));
    let mut ledger = Ledger {
        brought_in: received.brought_in,
        taken_up: received.taken_up,
        eroded: cell_area * eroded,
        deposited: cell_area * par::sum(len, |cell| layer.thickness[cell]),
        handed_on: lost,
        ..Ledger::default()
    };
    ledger.measure(ground.elevation, &after);
    let (erosion, deposition) = erosion_and_deposition(ground.elevation, |cell| {
        layer.thickness[cell] - received.cuts.as_ref().map_or(0.0, |cuts| cuts[cell])
    });
    let mut owner = ground.elevation.like(0.0_f32);
    par::map(&mut owner, |cell| layer.owner[cell] as f32);
    Fans {
        elevation: ledger.round_to_port(&after),
        deposition,
        erosion,
        owner,
        distance: sorting.distance,
        gravel: sorting.gravel,
        sand: sorting.sand,
        silt: sorting.silt,
        surplus: Supply::new(surplus),
        notes: notes(&fans, received, config),
        fans,
        ledger,
    }
}

fn notes(fans: &[Fan], received: &supply::Received, config: &FanConfig) -> Vec<String> {
    let mut notes = Vec::new();
    let anchored = fans.iter().filter(|fan| fan.anchored).count();
    let all = fans.len();
    if all == 0 {
        notes.push("there is no apex, so there is no fan".to_owned());
    } else if config.emplacement == Emplacement::Auto {
        notes.push(format!(
            "{anchored} of {all} fans are anchored to their channel; {} had no room and aggrade",
            all - anchored
        ));
    }
    let surplus: f64 = fans.iter().map(|fan| fan.surplus).sum();
    if surplus > 0.0 {
        notes.push(format!("the fans had no room for {surplus:.3e} m3, which is handed on"));
    }
    if received.unclaimed > 0.0 {
        notes.push(format!("{:.3e} m3 found no apex and is handed on", received.unclaimed));
    }
    notes
}
