//! Sediment fills hollows, with a floor that still drains.
//!
//! # Model
//!
//! Sediment runs together like water and is at rest where water would be: which
//! hollows get how much is what fill, spill, merge says of it (see
//! [`crate::water::lakes`]). A hollow's share is then laid down as a floor that
//! rises from its *sump*, the lowest cell of the old ground, with the floor's
//! slope: level ground to the eye, and yet water finds its way. The floor never
//! rises above the rim: from any cell around the hollow it may climb inward by
//! the floor's slope and no more. A brimful hollow is thus lower than its pass
//! at the sump, higher far from both, and has no step at its edge.
//!
//! # Guarantees
//!
//! - The height of the floor is the exact inverse of the volume
//!   ([`Hypsometry`] between old ground and rim), so the volume is kept to 1e-12,
//!   whatever the slope. What finds no hollow leaves the map and is booked.
//! - Nothing is cut. Ground outside the filled hollows keeps its bits.
//! - One hollow is laid down by one thread in a fixed order: the same bits on
//!   any number of threads.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use bajada_grid::neighbors::D8_LENGTH;
use bajada_grid::{Cancelled, Grid, Ledger, Supply, Task, math, par};

use crate::flow::{around, narrow};
use crate::hypsometry::Hypsometry;
use crate::water::lakes::hierarchy::Hierarchy;
use crate::water::lakes::pour::{Body, pour};
use crate::water::lakes::{Fill, LakesConfig, lakes, levels_and_cells, runoff};

/// How much comes from outside.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Outside {
    /// So many m3, evenly from all ground.
    Volume(f64),
    /// As much as fills every hollow to its pass.
    Spill,
    /// As much as fills hollows to this level, m.
    Level(f64),
}

/// How hollows fill.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BasinFillConfig {
    /// What comes from outside, beside the supply.
    pub outside: Outside,
    /// Slope of the floor toward its sump, rise over run.
    pub floor_slope: f64,
}

impl Default for BasinFillConfig {
    /// Playas fall by 1e-4 to 1e-3.
    fn default() -> Self {
        Self { outside: Outside::Volume(0.0), floor_slope: 3e-4 }
    }
}

/// The ground with its hollows filled.
#[derive(Clone, Debug)]
pub struct Filled {
    /// m.
    pub elevation: Grid<f32>,
    /// Thickness laid down, m.
    pub deposition: Grid<f32>,
    /// How often the floor is wet: the share of it that lies farther from the
    /// sump; 0 off the floors.
    pub playa: Grid<f32>,
    /// The matter account.
    pub ledger: Ledger,
}

/// The cells that a hollow's sediment covers, lowest first, and its m3.
struct Floor {
    cells: Vec<u32>,
    volume: f64,
}

/// Floors of fewer cells are too small to be a playa.
const PLAYA_CELLS: usize = 16;

/// Fills the hollows of `elevation` with `supply` and what comes from outside.
///
/// # Errors
///
/// [`Cancelled`] when `task` is called off.
pub fn basin_fill(
    task: &Task,
    elevation: &Grid<f32>,
    supply: Option<&Supply>,
    config: &BasinFillConfig,
) -> Result<Filled, Cancelled> {
    let ground = elevation.to_f64();
    let outside = match config.outside {
        Outside::Volume(volume) => volume,
        Outside::Spill | Outside::Level(_) => 0.0,
    };
    let mut ledger = Ledger {
        brought_in: outside,
        taken_up: supply.map_or(0.0, Supply::volume),
        ..Ledger::default()
    };
    let mut deposit = ground.like(0.0_f64);
    let mut playa = ground.like(0.0_f32);
    if ledger.brought_in + ledger.taken_up > 0.0 {
        let hierarchy = Hierarchy::new(task, &ground)?;
        let mut sediment = runoff(&hierarchy, outside);
        let nowhere = supply.map_or(0.0, |supply| by_basin(supply, &hierarchy, &mut sediment));
        let poured = pour(task, &hierarchy, &sediment, |_| true)?;
        ledger.exported = poured.exported + nowhere;
        let floors = floors(&ground, &hierarchy, &poured.bodies);
        lay(task, &ground, &floors, config.floor_slope, &mut deposit, &mut playa)?;
    }
    if !matches!(config.outside, Outside::Volume(_)) {
        let mut after = ground.clone();
        par::map(&mut after, |cell| ground[cell] + deposit[cell]);
        let floors = topped_up(task, &after, config.outside)?;
        ledger.brought_in = floors.iter().map(|floor| floor.volume).sum();
        lay(task, &after, &floors, config.floor_slope, &mut deposit, &mut playa)?;
    }
    let (area, len) = (ground.domain().cell_area(), ground.domain().len());
    ledger.deposited = area * par::sum(len, |cell| deposit[cell]);
    let mut exact = ground.clone();
    par::map(&mut exact, |cell| ground[cell] + deposit[cell]);
    ledger.measure(elevation, &exact);
    let elevation = ledger.round_to_port(&exact);
    Ok(Filled { elevation, deposition: deposit.to_f32(), playa, ledger })
}

/// Adds the parcels of `supply` to the basins that they lie in; what lies on no
/// cell of the map comes back.
fn by_basin(supply: &Supply, hierarchy: &Hierarchy, sediment: &mut [f64]) -> f64 {
    let mut nowhere = 0.0;
    for parcel in supply.parcels() {
        match hierarchy.labels.as_slice().get(parcel.index as usize) {
            Some(&basin) => sediment[basin as usize] += parcel.volume,
            None => nowhere += parcel.volume,
        }
    }
    nowhere
}

fn floors(ground: &Grid<f64>, hierarchy: &Hierarchy, bodies: &[Body]) -> Vec<Floor> {
    let cells = levels_and_cells(ground, hierarchy, bodies);
    let floor = |(body, (_, cells)): (&Body, (f64, Vec<u32>))| Floor { cells, volume: body.volume };
    bodies.iter().zip(cells).map(floor).collect()
}

/// What hollows hold below their pass, or below a level.
fn topped_up(task: &Task, ground: &Grid<f64>, outside: Outside) -> Result<Vec<Floor>, Cancelled> {
    let fill = match outside {
        Outside::Level(level) => Fill::Level(level),
        Outside::Spill | Outside::Volume(_) => Fill::Spill,
    };
    let found = lakes(task, ground, &LakesConfig { fill, ..LakesConfig::default() }, |_| true)?;
    let mut floors: Vec<Floor> = found
        .lakes
        .iter()
        .map(|lake| Floor { cells: vec![narrow(lake.deepest)], volume: lake.volume })
        .collect();
    for (cell, &label) in found.labels.as_slice().iter().enumerate() {
        let floor = (label as usize).checked_sub(1).and_then(|place| floors.get_mut(place));
        if let Some(floor) = floor
            && floor.cells[0] as usize != cell
        {
            floor.cells.push(narrow(cell));
        }
    }
    Ok(floors)
}

/// Adds the floors to `deposit` and says in `playa` how wet they are.
fn lay(
    task: &Task,
    ground: &Grid<f64>,
    floors: &[Floor],
    slope: f64,
    deposit: &mut Grid<f64>,
    playa: &mut Grid<f32>,
) -> Result<(), Cancelled> {
    let domain = *ground.domain();
    let mut place_of = ground.like(NOT_HERE);
    for Floor { cells, volume } in floors {
        task.check()?;
        let Some(&sump) = cells.first() else { continue };
        // Heights over the sump: what is small is exact, on any mountain.
        let bottom = ground[sump as usize];
        let rims = rims(ground, cells, bottom, slope * domain.cell_size(), &mut place_of);
        let (sump_x, sump_y) = domain.column_row(sump as usize);
        let distances: Vec<f64> = cells
            .iter()
            .map(|&cell| {
                let (x, y) = domain.column_row(cell as usize);
                let (dx, dy) = (x as f64 - sump_x as f64, y as f64 - sump_y as f64);
                domain.cell_size() * (dx * dx + dy * dy).sqrt()
            })
            .collect();
        let columns = cells.iter().zip(&rims).zip(&distances).map(|((&cell, rim), distance)| {
            let rise = slope * distance;
            [ground[cell as usize] - bottom - rise, rim - rise]
        });
        let room = Hypsometry::between(columns, domain.cell_area());
        // Rounding aside, the rim holds what the hollow does.
        let level = room.level(*volume).unwrap_or(f64::INFINITY);
        for ((&cell, &rim), distance) in cells.iter().zip(&rims).zip(&distances) {
            let surface = math::min(level + slope * distance, rim);
            let height = ground[cell as usize] - bottom;
            deposit[cell as usize] += math::max(surface - height, 0.0);
        }
        wet(cells, &distances, playa);
    }
    Ok(())
}

fn wet(cells: &[u32], distances: &[f64], playa: &mut Grid<f32>) {
    if cells.len() < PLAYA_CELLS {
        return;
    }
    let mut order: Vec<usize> = (0..cells.len()).collect();
    order.sort_unstable_by(|&a, &b| {
        distances[a].total_cmp(&distances[b]).then(cells[a].cmp(&cells[b]))
    });
    for (nearer, place) in order.into_iter().enumerate() {
        let farther = (cells.len() - nearer) as f64 / cells.len() as f64;
        playa[cells[place] as usize] = farther as f32;
    }
}

const NOT_HERE: u32 = u32::MAX;

/// The highest that the floor may come at each of `cells`, m over `bottom`: the
/// least, over all ways out, of the rim's height and `rise` for each step in.
fn rims(
    ground: &Grid<f64>,
    cells: &[u32],
    bottom: f64,
    rise: f64,
    place_of: &mut Grid<u32>,
) -> Vec<f64> {
    let domain = *ground.domain();
    for (place, &cell) in cells.iter().enumerate() {
        place_of[cell as usize] = narrow(place);
    }
    let mut rims = vec![f64::INFINITY; cells.len()];
    let mut queue = BinaryHeap::new();
    // Heights over the bottom are positive: their bits sort as they do.
    let key = |height: f64, place: u32| Reverse((math::max(height, 0.0).to_bits(), place));
    for (place, &cell) in cells.iter().enumerate() {
        let (x, y) = domain.column_row(cell as usize);
        for (direction, beside) in around(&domain, x, y) {
            if place_of[beside] == NOT_HERE {
                let rim = ground[beside] - bottom + rise * D8_LENGTH[direction];
                rims[place] = math::min(rims[place], rim);
            }
        }
        if rims[place] < f64::INFINITY {
            queue.push(key(rims[place], narrow(place)));
        }
    }
    while let Some(Reverse((bits, place))) = queue.pop() {
        let here = rims[place as usize];
        if f64::from_bits(bits) > here {
            continue;
        }
        let (x, y) = domain.column_row(cells[place as usize] as usize);
        for (direction, beside) in around(&domain, x, y) {
            let there = place_of[beside];
            let rim = here + rise * D8_LENGTH[direction];
            if there != NOT_HERE && rim < rims[there as usize] {
                rims[there as usize] = rim;
                queue.push(key(rim, there));
            }
        }
    }
    for &cell in cells {
        place_of[cell as usize] = NOT_HERE;
    }
    rims
}

#[cfg(test)]
mod tests;
