//! Which droplet runs when and on which tile: the same on any number of threads.
//!
//! The map is cut into tiles of a fixed number of *samples*. A tile works on a
//! copy of itself and of a halo around it; a droplet may touch nothing else,
//! and when it comes near the rim of the halo it waits in the queue of the tile
//! that it stands in. Tiles of one of four colours are at least two halos
//! apart, so that their copies are written back without meeting, and may run
//! at the same time; inside a tile droplets run one after the other in the
//! order of the queue. Nothing in this depends on who runs a tile.
//!
//! Rain comes in [`SHOWERS`], each spread over the whole map, so that no tile
//! is carved to its end before its neighbours begin.

use std::collections::BTreeMap;

use rayon::prelude::*;

use bajada_grid::quantum::Quantum;
use bajada_grid::{Cancelled, Domain, Grid, Ledger, Parcel, Stream, Supply, Task, math, par};

use super::brush::Brush;
use super::clouds::Clouds;
use super::law::Law;
use super::patch::Patch;
use super::run::{Account, Bounds, Droplet, Rules, Stop, act, plan};
use super::settle::settle;
use super::tiles::Tiles;
use super::{DropletConfig, Ground, Shed};
use crate::rock::erodibility_factor;

/// Parts that the rain comes in. A constant of the *results*. With one, tile
/// edges show; above 16 nothing more changes to the eye.
const SHOWERS: u64 = 16;

/// Droplets of one tile that take turns, a step each. A constant of the
/// *results*.
const TURNS: usize = 8;

/// What every tile works from.
struct Field {
    law: Law,
    brush: Brush,
    layer_brush: Brush,
    tiles: Tiles,
    domain: Domain,
    quantum: Quantum,
    /// Empty unless `VARIED`, both.
    erodibility: Grid<f32>,
    acceptance: Grid<f32>,
}

/// A tile's copy after its droplets ran.
struct Visit {
    x: usize,
    y: usize,
    width: usize,
    height: usize,
    bed: Vec<f64>,
    flow: Vec<[f32; 2]>,
    eroded: i64,
    deposited: i64,
    exported: i64,
    /// Loads carried to ground under a mask of 0: quanta by cell of the map.
    handed_on: BTreeMap<usize, i64>,
    ended: u64,
    /// Droplets that go on elsewhere, in cells of the map.
    strayed: Vec<Droplet>,
    /// Last loads that found no room within the copy.
    stranded: Vec<Droplet>,
}

/// Sums of [`Visit`]s, in quanta.
#[derive(Default)]
struct Totals {
    eroded: i128,
    deposited: i128,
    exported: i128,
    handed_on: BTreeMap<usize, i128>,
}

/// Rains on `ground`; `VARIED` if it has a hardness or a mask.
pub(super) fn rain<const VARIED: bool>(
    task: &Task,
    ground: &Ground<'_>,
    config: &DropletConfig,
    stream: Stream,
) -> Result<Shed, Cancelled> {
    let elevation = ground.elevation;
    let domain = *elevation.domain();
    let len = domain.len();
    let quantum = Quantum::for_heights(par::max(len, 0.0, |i| f64::from(elevation[i]).abs()));
    let mut start = elevation.like(0.0_f64);
    par::map(&mut start, |index| quantum.nearest(f64::from(elevation[index])));
    let mut bed = start.clone();
    let mut water = elevation.like(0.0_f32);
    let mut momentum = elevation.like(0.0_f32);
    let (erodibility, acceptance) = shares::<VARIED>(ground);
    let layered = ground.hardness.filter(|lithology| lithology.changes_with_depth());
    let layered = layered.map(|lithology| (lithology, lithology.columns(ground.elevation)));
    let law = Law::new(config, domain.cell_size(), quantum.limit());
    let brush = Brush::new(law.brush_radius);
    let layer_brush = Brush::new(law.layer_radius);
    let tiles = Tiles::new(&domain, &brush, &layer_brush);
    let tile_count = tiles.across * tiles.down;
    let mut field =
        Field { law, brush, layer_brush, tiles, domain, quantum, erodibility, acceptance };

    let clouds = Clouds::new(config, &domain, stream);
    task.set_total(clouds.droplets);
    let mut totals = Totals::default();
    let mut queues: Vec<Vec<Droplet>> = vec![Vec::new(); tile_count];
    let mut shower = 0;
    while shower < SHOWERS || queues.iter().any(|queue| !queue.is_empty()) {
        task.check()?;
        if let Some((lithology, columns)) = &layered
            && (1..SHOWERS).contains(&shower)
        {
            // The shower before has cut into other layers.
            let hardness = lithology.at_surface_in(&bed.to_f32(), columns);
            field.erodibility = yielding(&hardness, &field.acceptance);
        }
        if shower < SHOWERS {
            let skipped = pour::<VARIED>(&clouds, shower, &field, &mut queues);
            task.advance(skipped);
            shower += 1;
        }
        for color in 0..4 {
            let jobs: Vec<(usize, Vec<Droplet>)> = (0..tile_count)
                .filter(|tile| field.tiles.color(*tile) == color)
                .map(|tile| (tile, std::mem::take(&mut queues[tile])))
                .filter(|(_, queue)| !queue.is_empty())
                .collect();
            if jobs.is_empty() {
                continue;
            }
            let cells = bed.as_slice();
            let visits: Vec<Visit> = jobs
                .into_par_iter()
                .map(|(tile, queue)| {
                    let visit = visit::<VARIED>(task, &field, cells, tile, queue);
                    task.advance(visit.ended);
                    visit
                })
                .collect();
            task.check()?;
            write_back(&visits, &mut bed, &mut water, &mut momentum);
            for visit in visits {
                totals.eroded += i128::from(visit.eroded);
                totals.deposited += i128::from(visit.deposited);
                totals.exported += i128::from(visit.exported);
                for (cell, quanta) in visit.handed_on {
                    *totals.handed_on.entry(cell).or_default() += i128::from(quanta);
                }
                for droplet in visit.strayed {
                    queues[field.tiles.holding(droplet.x, droplet.y)].push(droplet);
                }
                for droplet in visit.stranded {
                    strand::<VARIED>(&field, &mut bed, &droplet, &mut totals);
                }
            }
        }
    }
    let volume = |quanta: i128| quantum.metres(quanta) * domain.cell_area();
    let parcels = totals.handed_on.iter();
    let parcels = parcels.map(|(&cell, &quanta)| Parcel {
        // A map has fewer than 2^32 cells: its sides are 65,536 at most.
        index: cell as u32,
        volume: volume(quanta),
    });
    let supply = Supply::new(parcels.collect());
    let ledger = Ledger {
        eroded: volume(totals.eroded),
        deposited: volume(totals.deposited),
        handed_on: volume(totals.handed_on.values().sum()),
        exported: volume(totals.exported),
        ..Ledger::default()
    };
    Ok(Shed { start, bed, water, momentum, step: field.law.step, supply, ledger })
}

/// Erodibility and acceptance of every cell; empty unless `VARIED`.
fn shares<const VARIED: bool>(ground: &Ground<'_>) -> (Grid<f32>, Grid<f32>) {
    let elevation = ground.elevation;
    let nothing = Domain::new(1, 1, 1.0, [0.0; 2]);
    if let (false, Ok(nothing)) = (VARIED, nothing) {
        return (elevation.like_on(nothing, 1.0), elevation.like_on(nothing, 1.0));
    }
    let mask = |index: usize| {
        ground.mask.map_or(1.0, |mask| math::clamp(f64::from(mask[index]), 0.0, 1.0))
    };
    let mut acceptance = elevation.like(1.0_f32);
    par::map(&mut acceptance, |index| mask(index) as f32);
    let erodibility = match ground.hardness {
        Some(lithology) => yielding(&lithology.at_surface(elevation), &acceptance),
        None => acceptance.clone(),
    };
    (erodibility, acceptance)
}

/// Share of a cut that ground of `hardness` lets happen where the mask is
/// `acceptance`.
fn yielding(hardness: &Grid<f32>, acceptance: &Grid<f32>) -> Grid<f32> {
    let mut shares = acceptance.like(0.0_f32);
    par::map(&mut shares, |index| {
        let factor = erodibility_factor(f64::from(hardness[index]));
        (factor * f64::from(acceptance[index])) as f32
    });
    shares
}

/// Queues the droplets of one shower; returns how many fell on ground
/// under a mask of 0 and are not needed.
fn pour<const VARIED: bool>(
    clouds: &Clouds,
    shower: u64,
    field: &Field,
    queues: &mut [Vec<Droplet>],
) -> u64 {
    let first = (u128::from(clouds.droplets) * u128::from(shower) / u128::from(SHOWERS)) as u64;
    let end = (u128::from(clouds.droplets) * u128::from(shower + 1) / u128::from(SHOWERS)) as u64;
    let (width, height) = (field.domain.width(), field.domain.height());
    let mut skipped = 0;
    for index in first..end {
        let [x, y] = clouds.place(index);
        let mut water = clouds.water;
        if VARIED {
            let column = ((x + 0.5) as usize).min(width - 1);
            let row = ((y + 0.5) as usize).min(height - 1);
            water *= f64::from(field.acceptance[row * width + column]);
            if water <= 0.0 {
                skipped += 1;
                continue;
            }
        }
        queues[field.tiles.holding(x, y)].push(Droplet {
            x,
            y,
            heading: [0.0; 2],
            speed_squared: 0.0,
            water,
            load: 0.0,
            walked: 0,
        });
    }
    skipped
}

/// Runs the droplets of one tile on a copy of it.
fn visit<const VARIED: bool>(
    task: &Task,
    field: &Field,
    cells: &[f64],
    tile: usize,
    queue: Vec<Droplet>,
) -> Visit {
    let tiles = &field.tiles;
    let (map_width, map_height) = (field.domain.width(), field.domain.height());
    let (x, east) = tiles.span(tile % tiles.across, map_width);
    let (y, south) = tiles.span(tile / tiles.across, map_height);
    let (width, height) = (east - x, south - y);
    let mut bed = Vec::with_capacity(width * height);
    let copy = |all: &Grid<f32>| {
        let mut part = Vec::new();
        if VARIED {
            part.reserve(width * height);
            for row in y..south {
                part.extend_from_slice(&all.row(row)[x..east]);
            }
        }
        part
    };
    for row in y..south {
        bed.extend_from_slice(&cells[row * map_width + x..row * map_width + east]);
    }
    let (erodibility, acceptance) = (copy(&field.erodibility), copy(&field.acceptance));
    let mut flow = vec![[0.0_f32; 2]; width * height];
    let rules = Rules {
        law: &field.law,
        brush: &field.brush,
        layer_brush: &field.layer_brush,
        roam: roam(tiles.reach, [x, east], [y, south], map_width, map_height),
        map: Bounds {
            west: -(x as f64),
            east: (map_width - 1) as f64 - x as f64,
            north: -(y as f64),
            south: (map_height - 1) as f64 - y as f64,
        },
    };
    let mut patch = Patch {
        width,
        height,
        bed: &mut bed,
        erodibility: &erodibility,
        acceptance: &acceptance,
        quantum: field.quantum,
    };
    let mut account = Account { eroded: 0, deposited: 0, flow: &mut flow };
    let (mut exported, mut ended) = (0, 0);
    let mut handed_on = BTreeMap::new();
    let (mut strayed, mut stranded) = (Vec::new(), Vec::new());
    let mut waiting = queue.into_iter().map(|droplet| Droplet {
        x: droplet.x - x as f64,
        y: droplet.y - y as f64,
        ..droplet
    });
    let mut running: Vec<Droplet> = waiting.by_ref().take(TURNS).collect();
    let mut plans = Vec::with_capacity(TURNS);
    let mut turns = 0_u32;
    while !running.is_empty() {
        turns += 1;
        if turns.is_multiple_of(4096) && task.is_cancelled() {
            break;
        }
        // All look before any acts: a processor can work on several looks at
        // once, but not past a step that changes the ground.
        plans.clear();
        plans.extend(running.iter().map(|droplet| plan::<VARIED>(&rules, &patch, droplet)));
        let mut lane = 0;
        for plan in &plans {
            let stop = match plan {
                Ok(plan) => {
                    act::<VARIED>(&rules, &mut patch, &mut account, &mut running[lane], plan);
                    lane += 1;
                    continue;
                }
                Err(stop) => *stop,
            };
            let mut droplet = running[lane];
            match waiting.next() {
                Some(fresh) => {
                    running[lane] = fresh;
                    lane += 1;
                }
                None => {
                    running.remove(lane);
                }
            }
            if stop == Stop::Rested {
                let carried = droplet.load;
                droplet.load = settle::<VARIED>(
                    &mut patch,
                    (droplet.x, droplet.y),
                    carried,
                    field.domain.cell_size(),
                    field.law.layer_radius,
                    room_around(&rules, &droplet, tiles.reach),
                );
                account.deposited += field.quantum.count(carried - droplet.load);
            }
            droplet.x += x as f64;
            droplet.y += y as f64;
            match stop {
                Stop::Strayed => strayed.push(droplet),
                Stop::Left => exported += field.quantum.count(droplet.load),
                Stop::Crossed(cell) => {
                    let cell = (y + cell / width) * map_width + x + cell % width;
                    *handed_on.entry(cell).or_default() += field.quantum.count(droplet.load);
                }
                Stop::Rested if droplet.load > 0.0 => stranded.push(droplet),
                Stop::Rested => {}
            }
            ended += u64::from(stop != Stop::Strayed);
        }
    }
    let (eroded, deposited) = (account.eroded, account.deposited);
    Visit {
        x,
        y,
        width,
        height,
        bed,
        flow,
        eroded,
        deposited,
        exported,
        handed_on,
        ended,
        strayed,
        stranded,
    }
}

/// Where droplets may stand on a copy: a brush away from its rim, but up to the
/// edge where the rim is the map's.
fn roam(reach: usize, x: [usize; 2], y: [usize; 2], map_width: usize, map_height: usize) -> Bounds {
    let low = |from: usize| if from == 0 { 0.0 } else { reach as f64 };
    let high = |[from, to]: [usize; 2], samples: usize| {
        if to == samples { (to - 1 - from) as f64 } else { (to - 1 - from - reach) as f64 }
    };
    Bounds {
        west: low(x[0]),
        east: high(x, map_width),
        north: low(y[0]),
        south: high(y, map_height),
    }
}

/// Radius around a resting droplet that lies on the copy, cells; where the rim
/// is the map's edge there is nothing beyond it to miss.
fn room_around(rules: &Rules<'_>, droplet: &Droplet, reach: usize) -> f64 {
    let (roam, map) = (&rules.roam, &rules.map);
    let mut least = f64::INFINITY;
    let sides = [
        (droplet.x - roam.west, roam.west > map.west),
        (roam.east - droplet.x, roam.east < map.east),
        (droplet.y - roam.north, roam.north > map.north),
        (roam.south - droplet.y, roam.south < map.south),
    ];
    for (distance, open) in sides {
        if open && distance < least {
            least = distance;
        }
    }
    // A droplet at the end of its path may stand a step outside of its roam.
    least + reach as f64 - 2.0
}

/// Writes the copies of one color back; flow is added, ground replaced.
fn write_back(
    visits: &[Visit],
    bed: &mut Grid<f64>,
    water: &mut Grid<f32>,
    momentum: &mut Grid<f32>,
) {
    let rows = |visit: &Visit, y: usize| {
        (visit.y..visit.y + visit.height)
            .contains(&y)
            .then(|| (y - visit.y) * visit.width..(y - visit.y + 1) * visit.width)
    };
    par::rows(bed, |y, row| {
        for visit in visits {
            if let Some(part) = rows(visit, y) {
                row[visit.x..visit.x + visit.width].copy_from_slice(&visit.bed[part]);
            }
        }
    });
    par::rows2(water, momentum, |y, water, momentum| {
        for visit in visits {
            if let Some(part) = rows(visit, y) {
                let span = visit.x..visit.x + visit.width;
                let sums = water[span.clone()].iter_mut().zip(&mut momentum[span]);
                for ((water, momentum), flow) in sums.zip(&visit.flow[part]) {
                    *water += flow[0];
                    *momentum += flow[1];
                }
            }
        }
    });
}

/// Puts down a load that found no room on its tile, anywhere on the map; what
/// the whole map cannot take counts as exported.
fn strand<const VARIED: bool>(
    field: &Field,
    bed: &mut Grid<f64>,
    droplet: &Droplet,
    totals: &mut Totals,
) {
    let mut patch = Patch {
        width: field.domain.width(),
        height: field.domain.height(),
        bed: bed.as_mut_slice(),
        erodibility: field.erodibility.as_slice(),
        acceptance: field.acceptance.as_slice(),
        quantum: field.quantum,
    };
    let reach = 2.0 * (field.domain.width() + field.domain.height()) as f64;
    let left = settle::<VARIED>(
        &mut patch,
        (droplet.x, droplet.y),
        droplet.load,
        field.domain.cell_size(),
        field.law.layer_radius,
        reach,
    );
    totals.deposited += i128::from(field.quantum.count(droplet.load - left));
    totals.exported += i128::from(field.quantum.count(left));
}
