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

use bajada_grid::{Cancelled, Grid, Ledger, Parcel, Stream, Supply, Task, par};

use super::brush::Brush;
use super::clouds::Clouds;
use super::law::Law;
use super::patch::Patch;
use super::run::Droplet;
use super::scale::Scale;
use super::settle::settle;
use super::shares::Shares;
use super::tiles::Tiles;
use super::visit::{Copies, Field, Visit, visit};
use super::{DropletConfig, Ground, Shed};

/// Parts that the rain comes in. A constant of the *results*. With one, tile
/// edges show; above 16 nothing more changes to the eye.
const SHOWERS: u64 = 8;

/// Tiles that run before their copies are written back: bounds the memory that
/// copies take, and changes nothing.
const BATCH: usize = 64;

/// Droplets that are placed at once.
const CLOUD: u64 = 1 << 12;

/// Sums of [`Visit`]s, in quanta.
#[derive(Default)]
struct Totals {
    eroded: i128,
    deposited: i128,
    /// Over the west, east, north and south edge, and what found no room.
    exported: [i128; 4],
    homeless: i128,
    handed_on: BTreeMap<usize, i128>,
}

impl Totals {
    fn add(&mut self, visit: &Visit) {
        self.eroded += i128::from(visit.eroded);
        self.deposited += i128::from(visit.deposited);
        for (total, quanta) in self.exported.iter_mut().zip(visit.exported) {
            *total += i128::from(quanta);
        }
        for (&cell, &quanta) in &visit.handed_on {
            *self.handed_on.entry(cell).or_default() += i128::from(quanta);
        }
    }
}

/// Rains on `ground`; `VARIED` if it has a hardness or a mask.
pub(super) fn rain<const VARIED: bool>(
    task: &Task,
    ground: &Ground<'_>,
    config: &DropletConfig,
    stream: Stream,
) -> Result<Shed, Cancelled> {
    rain_between::<VARIED>(task, ground, None, config, stream)
}

/// The same, where some cells under a mask of 0 are barriers.
pub(super) fn rain_between<const VARIED: bool>(
    task: &Task,
    ground: &Ground<'_>,
    barriers: Option<&Grid<bool>>,
    config: &DropletConfig,
    stream: Stream,
) -> Result<Shed, Cancelled> {
    let elevation = ground.elevation;
    let domain = *elevation.domain();
    let scale = scale_of(elevation);
    let mut start = elevation.like(0_i32);
    par::map(&mut start, |index| scale.height(f64::from(elevation[index])));
    let mut bed = start.clone();
    let mut water = elevation.like(0.0_f32);
    let mut momentum = elevation.like(0.0_f32);
    let shares = Shares::new();
    let (erodibility, acceptance) = shares.of::<VARIED>(ground);
    let layered = ground.hardness.filter(|lithology| lithology.changes_with_depth());
    let layered = layered.map(|lithology| (lithology, lithology.columns(ground.elevation)));
    let law = Law::new(config, domain.cell_size(), scale.quantum);
    let brush = Brush::new(law.brush_radius);
    let layer_brush = Brush::new(law.layer_radius);
    let tiles = Tiles::new(&domain, &brush, &layer_brush);
    let tile_count = tiles.across * tiles.down;
    let mut field =
        Field { law, brush, layer_brush, tiles, domain, scale, erodibility, acceptance, barriers };

    let clouds = Clouds::new(config, &domain, stream);
    task.set_total(clouds.droplets);
    let mut totals = Totals::default();
    let mut queues: Vec<Vec<Droplet>> = vec![Vec::new(); tile_count];
    let mut spare: Vec<Copies> = Vec::new();
    let mut shower = 0;
    while shower < SHOWERS || queues.iter().any(|queue| !queue.is_empty()) {
        task.check()?;
        if let Some((lithology, columns)) = &layered
            && (1..SHOWERS).contains(&shower)
        {
            // The shower before has cut into other layers.
            let mut surface = elevation.like(0.0_f32);
            par::map(&mut surface, |index| scale.elevation(bed[index]) as f32);
            let hardness = lithology.at_surface_in(&surface, columns);
            field.erodibility = shares.yielding(hardness, &field.acceptance);
        }
        if shower < SHOWERS {
            let skipped = pour::<VARIED>(&clouds, shower, &field, &mut queues);
            task.advance(skipped);
            shower += 1;
        }
        for color in 0..4 {
            let mut jobs: Vec<(usize, Vec<Droplet>)> = (0..tile_count)
                .filter(|tile| field.tiles.color(*tile) == color)
                .map(|tile| (tile, std::mem::take(&mut queues[tile])))
                .filter(|(_, queue)| !queue.is_empty())
                .collect();
            while !jobs.is_empty() {
                let batch = jobs.split_off(jobs.len().saturating_sub(BATCH));
                let batch: Vec<_> =
                    batch.into_iter().map(|job| (job, spare.pop().unwrap_or_default())).collect();
                let visits: Vec<Visit> = batch
                    .into_par_iter()
                    .with_max_len(1)
                    .map(|((tile, queue), copies)| {
                        let visit = visit::<VARIED>(task, &field, &bed, tile, &queue, copies);
                        task.advance(visit.ended);
                        visit
                    })
                    .collect();
                task.check()?;
                write_back(&visits, &mut bed, &mut water, &mut momentum);
                for visit in visits {
                    totals.add(&visit);
                    for droplet in visit.strayed {
                        queues[field.tiles.holding(droplet.x, droplet.y)].push(droplet);
                    }
                    for droplet in visit.stranded {
                        strand::<VARIED>(&field, &mut bed, &droplet, &mut totals);
                    }
                    spare.push(visit.copies);
                }
            }
        }
    }
    let volume = |quanta: i128| scale.metres(quanta) * domain.cell_area();
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
        exported: volume(totals.exported.iter().sum::<i128>() + totals.homeless),
        ..Ledger::default()
    };
    let (step, exported_over) = (field.law.step, totals.exported.map(volume));
    Ok(Shed { scale, start, bed, water, momentum, step, supply, exported_over, ledger })
}

/// The scale that fits the heights of `elevation`.
fn scale_of(elevation: &Grid<f32>) -> Scale {
    let len = elevation.as_slice().len();
    let highest = par::max(len, f64::NEG_INFINITY, |index| f64::from(elevation[index]));
    let lowest = -par::max(len, f64::NEG_INFINITY, |index| -f64::from(elevation[index]));
    Scale::between(lowest, highest)
}

/// Queues the droplets of one shower; returns how many fell on ground
/// under a mask of 0 and are not needed.
fn pour<const VARIED: bool>(
    clouds: &Clouds,
    shower: u64,
    field: &Field<'_>,
    queues: &mut [Vec<Droplet>],
) -> u64 {
    let first = (u128::from(clouds.droplets) * u128::from(shower) / u128::from(SHOWERS)) as u64;
    let end = (u128::from(clouds.droplets) * u128::from(shower + 1) / u128::from(SHOWERS)) as u64;
    let (width, height) = (field.domain.width(), field.domain.height());
    // By the droplet's number, in pieces, and put together in order.
    let pieces = (end - first).div_ceil(CLOUD);
    let fallen: Vec<Vec<(u32, Droplet)>> = (0..pieces)
        .into_par_iter()
        .map(|piece| {
            let from = first + piece * CLOUD;
            let droplets = (from..end.min(from + CLOUD)).filter_map(|index| {
                let [x, y] = clouds.place(index);
                let mut water = clouds.water as f32;
                if VARIED {
                    let column = ((x + 0.5) as usize).min(width - 1);
                    let row = ((y + 0.5) as usize).min(height - 1);
                    water *= field.acceptance[row * width + column];
                }
                let tile = field.tiles.holding(x, y) as u32;
                (!VARIED || water > 0.0)
                    .then(|| (tile, Droplet::fallen(x, y, water, field.law.start_speed)))
            });
            droplets.collect()
        })
        .collect();
    let mut skipped = end - first;
    for piece in &fallen {
        skipped -= piece.len() as u64;
        for (tile, droplet) in piece {
            queues[*tile as usize].push(*droplet);
        }
    }
    skipped
}

/// Writes the copies of one color back; flow is added, ground replaced.
fn write_back(
    visits: &[Visit],
    bed: &mut Grid<i32>,
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
                row[visit.x..visit.x + visit.width].copy_from_slice(&visit.copies.bed[part]);
            }
        }
    });
    par::rows2(water, momentum, |y, water, momentum| {
        for visit in visits {
            if let Some(part) = rows(visit, y) {
                let span = visit.x..visit.x + visit.width;
                let sums = water[span.clone()].iter_mut().zip(&mut momentum[span]);
                for ((water, momentum), flow) in sums.zip(&visit.copies.flow[part]) {
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
    field: &Field<'_>,
    bed: &mut Grid<i32>,
    droplet: &Droplet,
    totals: &mut Totals,
) {
    let mut patch = Patch {
        width: field.domain.width(),
        height: field.domain.height(),
        bed: bed.as_mut_slice(),
        erodibility: field.erodibility.as_slice(),
        acceptance: field.acceptance.as_slice(),
    };
    let reach = 2.0 * (field.domain.width() + field.domain.height()) as f64;
    let rest = field.rest(droplet.x, droplet.y, reach);
    let left = settle::<VARIED>(&mut patch, &field.layer_brush, &rest, droplet.load);
    totals.deposited += i128::from(droplet.load - left);
    totals.homeless += i128::from(left);
}
