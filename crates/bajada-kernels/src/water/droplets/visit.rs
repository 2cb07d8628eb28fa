//! One tile's turn: its droplets run on a copy of it and of the halo around it.

use std::collections::BTreeMap;

use bajada_grid::{Domain, Grid, Task};

use super::brush::{Brush, LANE};
use super::law::Law;
use super::patch::Patch;
use super::run::{Account, Bounds, Droplet, LANES, Lanes, Rules, Stop};
use super::scale::Scale;
use super::settle::{LAYER_SLOPE, Rest, settle};
use super::tiles::Tiles;

/// What every tile works from.
pub(super) struct Field<'a> {
    pub(super) law: Law,
    pub(super) brush: Brush,
    pub(super) layer_brush: Brush,
    pub(super) tiles: Tiles,
    pub(super) domain: Domain,
    pub(super) scale: Scale,
    /// Empty unless `VARIED`, both.
    pub(super) erodibility: Grid<f32>,
    pub(super) acceptance: Grid<f32>,
    /// Cells that nothing may come to, if there are any.
    pub(super) barriers: Option<&'a Grid<bool>>,
}

impl Field<'_> {
    /// How the load of a droplet comes to rest at (x, y) of a patch.
    pub(super) fn rest(&self, x: f64, y: f64, reach: f64) -> Rest {
        let rise = LAYER_SLOPE * self.domain.cell_size() / self.scale.quantum;
        Rest { x, y, radius: self.law.layer_radius, reach, rise }
    }
}

/// Steps after which a tile looks whether its task is called off.
const TURNS: u32 = 4096;

/// Copies that a tile works on; kept from tile to tile, since fresh memory
/// costs more than the copying.
#[derive(Debug, Default)]
pub(super) struct Copies {
    pub(super) bed: Vec<i32>,
    pub(super) flow: Vec<[f32; 2]>,
    erodibility: Vec<f32>,
    acceptance: Vec<f32>,
}

/// A tile after its droplets ran.
pub(super) struct Visit {
    pub(super) x: usize,
    pub(super) y: usize,
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) copies: Copies,
    pub(super) eroded: i64,
    pub(super) deposited: i64,
    /// Over the west, east, north and south edge, quanta.
    pub(super) exported: [i64; 4],
    /// Loads carried to ground under a mask of 0: quanta by cell of the map.
    pub(super) handed_on: BTreeMap<usize, i64>,
    pub(super) ended: u64,
    /// Droplets that go on elsewhere.
    pub(super) strayed: Vec<Droplet>,
    /// Last loads that found no room within the copy.
    pub(super) stranded: Vec<Droplet>,
}

/// Runs the droplets of one tile on a copy of it.
pub(super) fn visit<const VARIED: bool>(
    task: &Task,
    field: &Field<'_>,
    cells: &Grid<i32>,
    tile: usize,
    queue: &[Droplet],
    mut copies: Copies,
) -> Visit {
    let tiles = &field.tiles;
    let (map_width, map_height) = (field.domain.width(), field.domain.height());
    let (x, east) = tiles.span(tile % tiles.across, map_width);
    let (y, south) = tiles.span(tile / tiles.across, map_height);
    let (width, height) = (east - x, south - y);
    let part = [x, east, y, south];
    copy(cells, part, &mut copies.bed);
    if VARIED {
        copy(&field.erodibility, part, &mut copies.erodibility);
        copy(&field.acceptance, part, &mut copies.acceptance);
    }
    copies.flow.clear();
    copies.flow.resize(width * height, [0.0; 2]);
    let rules = Rules {
        law: &field.law,
        brush: &field.brush,
        layer_brush: &field.layer_brush,
        roam: roam(tiles.reach, [x, east], [y, south], map_width, map_height),
        map: Bounds {
            west: -(x as f32),
            east: (map_width - 1 - x) as f32,
            north: -(y as f32),
            south: (map_height - 1 - y) as f32,
        },
        origin: [x as f64, y as f64],
    };
    let mut patch = Patch {
        width,
        height,
        bed: &mut copies.bed,
        erodibility: &copies.erodibility,
        acceptance: &copies.acceptance,
    };
    let mut account = Account { eroded: 0, deposited: 0, flow: &mut copies.flow };
    let (mut exported, mut ended) = ([0; 4], 0);
    let mut handed_on = BTreeMap::new();
    let (mut strayed, mut stranded) = (Vec::new(), Vec::new());
    let mut waiting = queue.iter();
    let mut lanes = Lanes::default();
    for droplet in waiting.by_ref().take(LANES) {
        lanes.put(lanes.running, &rules, droplet);
        lanes.running += 1;
    }
    while lanes.running > 0 && !task.is_cancelled() {
        lanes.run::<VARIED>(&rules, &mut patch, &mut account, TURNS);
        let mut lane = if lanes.any_stopped { 0 } else { lanes.running };
        while lane < lanes.running {
            let Some((stop, mut droplet)) = lanes.stopped(lane, &rules) else {
                lane += 1;
                continue;
            };
            let cell_of_map = |cell: usize| (y + cell / width) * map_width + x + cell % width;
            let stop = match (stop, field.barriers) {
                (Stop::Crossed(cell), Some(barriers)) if barriers[cell_of_map(cell)] => {
                    Stop::Rested
                }
                _ => stop,
            };
            match stop {
                Stop::Strayed => strayed.push(droplet),
                Stop::Left => {
                    exported[edge_near(&field.domain, &droplet)] += i64::from(droplet.load);
                }
                Stop::Crossed(cell) => {
                    let cell = cell_of_map(cell);
                    *handed_on.entry(cell).or_default() += i64::from(droplet.load);
                }
                Stop::Rested if droplet.load > 0 => {
                    let [x, y] = [droplet.x - x as f64, droplet.y - y as f64];
                    let reach = room_around(&rules, x as f32, y as f32, tiles.reach);
                    let rest = field.rest(x, y, reach);
                    let left =
                        settle::<VARIED>(&mut patch, &field.layer_brush, &rest, droplet.load);
                    account.deposited += i64::from(droplet.load - left);
                    if left > 0 {
                        droplet.load = left;
                        stranded.push(droplet);
                    }
                }
                Stop::Rested => {}
            }
            ended += u64::from(stop != Stop::Strayed);
            // A fresh droplet has its first look in the next round.
            match waiting.next() {
                Some(fresh) => {
                    lanes.put(lane, &rules, fresh);
                    lane += 1;
                }
                None => lanes.close(lane),
            }
        }
    }
    let (eroded, deposited) = (account.eroded, account.deposited);
    Visit {
        x,
        y,
        width,
        height,
        copies,
        eroded,
        deposited,
        exported,
        handed_on,
        ended,
        strayed,
        stranded,
    }
}

/// Which edge of the map is nearest: 0 west, 1 east, 2 north, 3 south.
fn edge_near(domain: &Domain, droplet: &Droplet) -> usize {
    let (last_x, last_y) = ((domain.width() - 1) as f64, (domain.height() - 1) as f64);
    let distances = [droplet.x, last_x - droplet.x, droplet.y, last_y - droplet.y];
    (0..4)
        .fold(0, |nearest, side| if distances[side] < distances[nearest] { side } else { nearest })
}

/// Copies the cells of `columns` and `rows`, from and to, row by row.
fn copy<T: bajada_grid::Cell + Default>(
    cells: &Grid<T>,
    [x, east, y, south]: [usize; 4],
    part: &mut Vec<T>,
) {
    part.clear();
    for row in y..south {
        part.extend_from_slice(&cells.row(row)[x..east]);
    }
    // A row of a stamp may overhang the last one; nothing there has a weight.
    part.resize(part.len() + LANE, T::default());
}

/// Where droplets may stand on a copy: a brush away from its rim, but up to the
/// edge where the rim is the map's.
fn roam(reach: usize, x: [usize; 2], y: [usize; 2], map_width: usize, map_height: usize) -> Bounds {
    let low = |from: usize| if from == 0 { 0.0 } else { reach as f32 };
    let high = |[from, to]: [usize; 2], samples: usize| {
        if to == samples { (to - 1 - from) as f32 } else { (to - 1 - from - reach) as f32 }
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
fn room_around(rules: &Rules<'_>, x: f32, y: f32, reach: usize) -> f64 {
    let (roam, map) = (&rules.roam, &rules.map);
    let mut least = 2.0 * (map.east - map.west + map.south - map.north);
    let sides = [
        (x - roam.west, roam.west > map.west),
        (roam.east - x, roam.east < map.east),
        (y - roam.north, roam.north > map.north),
        (roam.south - y, roam.south < map.south),
    ];
    for (distance, open) in sides {
        if open && distance < least {
            least = distance;
        }
    }
    // A droplet at the end of its path may stand a step outside of its roam.
    f64::from(least) + reach as f64 - 2.0
}
