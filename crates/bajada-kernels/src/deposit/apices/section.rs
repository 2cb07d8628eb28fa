//! Cross sections of valleys.

use bajada_grid::{Cancelled, Grid, Task, math, sample};

use super::stems::Stems;
use super::{ApexConfig, Break, CHUNK, Look, each};
use crate::flow::narrow;

/// Length of stream up and down that gives a section its bearing, m. Shorter
/// follows every step of the lattice, longer cuts across bends.
const BEARING_REACH: f64 = 200.0;

/// Half side of the square that local relief is taken in, m.
const RELIEF_REACH: f64 = 250.0;

/// Samples from the middle of that square to its side.
const RELIEF_SAMPLES: i32 = 6;

/// A valley at one cell of its stream.
#[derive(Clone, Copy, Debug)]
pub(super) struct Section {
    /// Width if what lies beyond the map is wall, m.
    pub at_least: f64,
    /// Width if what lies beyond the map is open, m.
    pub at_most: f64,
    /// Height between the lowest and the highest ground around, m.
    pub relief: f64,
}

/// The sections of the cells that matter.
pub(super) struct Sections {
    list: Vec<Section>,
    /// Place of each cell in the list.
    places: Grid<u32>,
}

impl Sections {
    /// The sections up and down all `breaks`: on open ground there are streams
    /// everywhere and breaks of the bed nowhere.
    pub(super) fn around(
        task: &Task,
        elevation: &Grid<f32>,
        stems: &Stems,
        breaks: &[Break],
        config: &ApexConfig,
    ) -> Result<Self, Cancelled> {
        let mut places = elevation.like(u32::MAX);
        let mut cells = Vec::new();
        let mut look = Look::default();
        for chunk in breaks.chunks(CHUNK) {
            task.check()?;
            for found in chunk {
                look.follow(found.cell as usize, stems, config);
                for &cell in look.up.cells.iter().chain(&look.down.cells) {
                    if places[cell as usize] == u32::MAX {
                        places[cell as usize] = narrow(cells.len());
                        cells.push(cell);
                    }
                }
            }
        }
        let list = each(task, &cells, |cell, _: &mut ()| {
            Some(section(elevation, stems, config, cell as usize))
        })?;
        Ok(Self { list, places })
    }

    pub(super) fn at(&self, cell: u32) -> &Section {
        &self.list[self.places[cell as usize] as usize]
    }
}

fn section(elevation: &Grid<f32>, stems: &Stems, config: &ApexConfig, cell: usize) -> Section {
    let cell_size = stems.cell_size();
    let [east, south] = stems.direction(cell, math::max(BEARING_REACH, 3.0 * cell_size));
    let place = stems.column_row(cell);
    let level = stems.bed(cell) + config.wall_height;
    if f64::from(elevation[cell]) >= level {
        // The way out of a hollow was cut here and nobody knows how wide.
        let relief = relief(elevation, place);
        return Section { at_least: 0.0, at_most: config.max_width, relief };
    }
    let most = 0.5 * config.max_width / cell_size;
    let left = to_wall(elevation, place, [south, -east], level, most);
    let right = to_wall(elevation, place, [-south, east], level, most);
    let at_least = (left.seen + right.seen) * cell_size;
    let open = |side: Side| if side.ends { most } else { side.seen };
    let at_most = (open(left) + open(right)) * cell_size;
    Section { at_least, at_most, relief: relief(elevation, place) }
}

/// One side of a section, in cells.
#[derive(Clone, Copy)]
struct Side {
    /// How far it is to ground above the level, or to the map's edge.
    seen: f64,
    /// Whether the map ends first.
    ends: bool,
}

fn to_wall(
    elevation: &Grid<f32>,
    [x, y]: [f64; 2],
    [dx, dy]: [f64; 2],
    level: f64,
    most: f64,
) -> Side {
    let last = [(elevation.width() - 1) as f64, (elevation.height() - 1) as f64];
    let mut before = sample::bilinear(elevation, x, y);
    let mut steps = 0.0;
    if before >= level {
        return Side { seen: 0.0, ends: false };
    }
    while steps < most {
        let (px, py) = (x + dx * (steps + 1.0), y + dy * (steps + 1.0));
        if !(0.0..=last[0]).contains(&px) || !(0.0..=last[1]).contains(&py) {
            return Side { seen: steps, ends: true };
        }
        let here = sample::bilinear(elevation, px, py);
        if here >= level {
            let seen = steps + (level - before) / (here - before);
            return Side { seen: math::min(seen, most), ends: false };
        }
        before = here;
        steps += 1.0;
    }
    Side { seen: most, ends: false }
}

/// Local relief around a place; beyond the map's edge the ground is taken to be
/// what it is at the opposite side of the place.
fn relief(elevation: &Grid<f32>, [x, y]: [f64; 2]) -> f64 {
    let step = RELIEF_REACH / (elevation.domain().cell_size() * f64::from(RELIEF_SAMPLES));
    let last = [(elevation.width() - 1) as f64, (elevation.height() - 1) as f64];
    let inside = |x: f64, y: f64| (0.0..=last[0]).contains(&x) && (0.0..=last[1]).contains(&y);
    let middle = sample::bilinear(elevation, x, y);
    let (mut low, mut high) = (middle, middle);
    for row in -RELIEF_SAMPLES..=RELIEF_SAMPLES {
        for column in -RELIEF_SAMPLES..=RELIEF_SAMPLES {
            let (dx, dy) = (f64::from(column) * step, f64::from(row) * step);
            let [px, py] = if inside(x + dx, y + dy) { [x + dx, y + dy] } else { [x - dx, y - dy] };
            if inside(px, py) {
                let height = sample::bilinear(elevation, px, py);
                low = math::min(low, height);
                high = math::max(high, height);
            }
        }
    }
    high - low
}
