//! Which hollows hold standing water, and how high it stands.
//!
//! Model: [`hierarchy`] finds the hollows of a map and how they nest; [`mod@pour`]
//! says where a volume of water ends. A *lake* is what is connected (over the
//! eight neighbors) and lies under one water plane. No two lakes touch: where
//! two hollows meet, the lower of their passes is not below either plane.
//!
//! The plane of a lake may be held under its pass by a clearance, and to whole
//! multiples of a pitch, so that files and engines can tell water from ground.
//! Planes are then equal or at least four clearances apart: the higher of two
//! that are nearer is lowered to the other.
//!
//! Guarantees: one thread and fixed orders where an order counts, so the same
//! bits on any number of threads. O(n log n), no recursion.

pub mod hierarchy;
pub mod pour;
#[cfg(test)]
mod tests;

use bajada_grid::{Cancelled, Grid, Task, math};

use crate::flow::{around, narrow};
use crate::hypsometry::{Exact, Hypsometry};
use hierarchy::{Hierarchy, NONE, flooded};
use pour::{Body, pour};

/// What decides how high water stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fill {
    /// Every hollow is full to its pass.
    Spill,
    /// All ground below this level, m, is under water unless the water would
    /// reach the map's edge.
    Level(f64),
    /// As [`Fill::Level`], and the map's edge is a coast.
    Sea(f64),
    /// So much water, m3, falls evenly on the map and runs together.
    Volume(f64),
}

/// Which lakes there are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LakesConfig {
    /// What decides how high water stands.
    pub fill: Fill,
    /// Smallest lake, m2.
    pub min_area: f64,
    /// Shallowest lake at its deepest cell, m.
    pub min_depth: f64,
    /// How far a plane stays under the pass, m.
    pub clearance: f64,
    /// Planes are whole multiples of this, m; 0 leaves them as they are.
    pub pitch: f64,
}

impl Default for LakesConfig {
    /// All hollows, brimful.
    fn default() -> Self {
        Self { fill: Fill::Spill, min_area: 0.0, min_depth: 0.0, clearance: 0.0, pitch: 0.0 }
    }
}

/// A body of standing water.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lake {
    /// Its water plane, m.
    pub plane: f64,
    /// Cells under water.
    pub cells: u64,
    /// m3 between the ground and the plane.
    pub volume: f64,
    /// Its lowest cell, the first of several.
    pub deepest: usize,
}

/// The lakes of a map.
#[derive(Clone, Debug)]
pub struct Lakes {
    /// Lake of each cell, 1 and up by the height of the deepest cell; 0 is dry.
    pub labels: Grid<u32>,
    /// The lakes; label 1 is the first.
    pub lakes: Vec<Lake>,
    /// What ran off the map, m3; 0 unless water was poured.
    pub exported: f64,
}

impl Lakes {
    /// The lake at a cell.
    pub fn at(&self, cell: usize) -> Option<&Lake> {
        self.lakes.get((self.labels[cell] as usize).checked_sub(1)?)
    }
}

/// What could be under water: each cell's body, and the plane of each body.
struct Waters {
    cells: Vec<u32>,
    body_of: Grid<u32>,
    planes: Vec<f64>,
    exported: f64,
}

/// Level and cells of the bodies that `poured` left: for each, its level and
/// its cells by (height, index).
pub(crate) fn levels_and_cells(
    heights: &Grid<f64>,
    hierarchy: &Hierarchy,
    bodies: &[Body],
) -> Vec<(f64, Vec<u32>)> {
    let body_of = body_of_basins(hierarchy, bodies);
    let mut lists = vec![Vec::new(); bodies.len()];
    for &cell in &hierarchy.cells {
        if let Some(body) = body_of[hierarchy.labels[cell as usize] as usize].checked_sub(1) {
            lists[body as usize].push(cell);
        }
    }
    let area = heights.domain().cell_area();
    let level_of = |body: &Body, cells: &[u32]| {
        let spill = hierarchy.hollows[body.hollow as usize].spill;
        if body.full {
            return spill;
        }
        let floors = Hypsometry::new(cells.iter().map(|&cell| heights[cell as usize]), area);
        floors.level(body.volume).map_or(spill, |level| math::min(level, spill))
    };
    bodies
        .iter()
        .zip(lists)
        .map(|(body, mut cells)| {
            let level = level_of(body, &cells);
            cells.retain(|&cell| heights[cell as usize] < level);
            (level, cells)
        })
        .collect()
}

/// 1 + the place in `bodies` for each basin; 0 for none.
fn body_of_basins(hierarchy: &Hierarchy, bodies: &[Body]) -> Vec<u32> {
    let mut body_of = vec![0_u32; hierarchy.hollows.len()];
    for (place, body) in bodies.iter().enumerate() {
        body_of[body.hollow as usize] = narrow(place) + 1;
    }
    for hollow in (1..body_of.len()).rev() {
        let parent = hierarchy.hollows[hollow].parent;
        if body_of[hollow] == 0 && parent != NONE {
            body_of[hollow] = body_of[parent as usize];
        }
    }
    body_of
}

/// Finds the lakes of `heights`; of those that `config` asks for, the ones
/// whose deepest cell `wanted` holds for.
///
/// # Errors
///
/// [`Cancelled`] when `task` is called off.
pub fn lakes(
    task: &Task,
    heights: &Grid<f64>,
    config: &LakesConfig,
    wanted: impl Fn(usize) -> bool,
) -> Result<Lakes, Cancelled> {
    let mut waters = match config.fill {
        Fill::Level(level) | Fill::Sea(level) => at_level(heights, nearest(level, config.pitch)),
        Fill::Spill | Fill::Volume(_) => in_hollows(task, heights, config)?,
    };
    let mut found = connect(task, heights, &waters, config, &wanted)?;
    if part_planes(&mut waters, &found, config.clearance) {
        waters.cells.retain(|&cell| found.labels[cell as usize] != 0);
        found = connect(task, heights, &waters, config, &wanted)?;
    }
    Ok(found)
}

fn at_level(heights: &Grid<f64>, level: f64) -> Waters {
    let body_of = heights.like(1_u32);
    Waters { cells: flooded(heights, |_| level), body_of, planes: vec![level], exported: 0.0 }
}

fn in_hollows(task: &Task, heights: &Grid<f64>, config: &LakesConfig) -> Result<Waters, Cancelled> {
    let hierarchy = Hierarchy::new(task, heights)?;
    let area = heights.domain().cell_area();
    let (bodies, exported) = if let Fill::Volume(volume) = config.fill {
        let water = runoff(&hierarchy, volume);
        let poured = pour(task, &hierarchy, &water, |hollow| {
            hollow.spill - hollow.lowest >= config.min_depth
                && hollow.cells as f64 * area >= config.min_area
        })?;
        (poured.bodies, poured.exported)
    } else {
        let full = |&hollow: &u32| Body {
            hollow,
            volume: hierarchy.hollows[hollow as usize].capacity,
            full: true,
        };
        (hierarchy.roots.iter().map(full).collect(), 0.0)
    };
    task.check()?;
    let mut body_of = heights.like(0_u32);
    let (mut cells, mut planes) = (Vec::new(), Vec::with_capacity(bodies.len()));
    for (body, (level, its_cells)) in
        bodies.iter().zip(levels_and_cells(heights, &hierarchy, &bodies))
    {
        let spill = hierarchy.hollows[body.hollow as usize].spill;
        let highest = below(spill - config.clearance, config.pitch);
        planes.push(math::min(nearest(level, config.pitch), highest));
        for cell in its_cells {
            body_of[cell as usize] = narrow(planes.len());
            cells.push(cell);
        }
    }
    // Lakes are numbered by their deepest cells.
    cells.sort_unstable_by(|&a, &b| {
        (heights[a as usize] + 0.0).total_cmp(&(heights[b as usize] + 0.0)).then(a.cmp(&b))
    });
    Ok(Waters { cells, body_of, planes, exported })
}

/// `volume` m3 shared among the basins by their areas.
pub(crate) fn runoff(hierarchy: &Hierarchy, volume: f64) -> Vec<f64> {
    let mut cells = vec![0_u64; hierarchy.hollows.len()];
    for &label in hierarchy.labels.as_slice() {
        cells[label as usize] += 1;
    }
    let all = hierarchy.labels.domain().len() as f64;
    cells.into_iter().map(|cells| volume * (cells as f64 / all)).collect()
}

/// The nearest whole multiple of `pitch`.
fn nearest(level: f64, pitch: f64) -> f64 {
    if pitch > 0.0 { (level / pitch).round() * pitch } else { level }
}

/// The whole multiple of `pitch` at or below `level`.
fn below(level: f64, pitch: f64) -> f64 {
    if pitch > 0.0 { (level / pitch).floor() * pitch } else { level }
}

/// Connects the cells under water to lakes and drops those not asked for.
fn connect(
    task: &Task,
    heights: &Grid<f64>,
    waters: &Waters,
    config: &LakesConfig,
    wanted: impl Fn(usize) -> bool,
) -> Result<Lakes, Cancelled> {
    const DROPPED: u32 = u32::MAX;
    let domain = *heights.domain();
    let (right, bottom) = (domain.width() - 1, domain.height() - 1);
    let mut labels = heights.like(0_u32);
    let (mut lakes, mut lake_cells) = (Vec::new(), Vec::new());
    for &seed in &waters.cells {
        let deepest = seed as usize;
        let body = waters.body_of[deepest];
        let plane = waters.planes[body as usize - 1];
        if labels[deepest] != 0 || heights[deepest] >= plane {
            continue;
        }
        let label = narrow(lakes.len()) + 1;
        labels[deepest] = label;
        lake_cells.push(seed);
        let (mut head, mut depth, mut at_edge) = (0, Exact::default(), false);
        while let Some(&cell) = lake_cells.get(head) {
            if head % 65_536 == 0 {
                task.check()?;
            }
            head += 1;
            depth.add(plane - heights[cell as usize]);
            let (x, y) = domain.column_row(cell as usize);
            at_edge |= x == 0 || y == 0 || x == right || y == bottom;
            for (_, beside) in around(&domain, x, y) {
                let wet = waters.body_of[beside] == body && heights[beside] < plane;
                if wet && labels[beside] == 0 {
                    labels[beside] = label;
                    lake_cells.push(narrow(beside));
                }
            }
        }
        let kept = lake_cells.len() as f64 * domain.cell_area() >= config.min_area
            && plane - heights[deepest] >= config.min_depth
            && !(at_edge && matches!(config.fill, Fill::Level(_)))
            && wanted(deepest);
        if kept {
            let volume = domain.cell_area() * depth.value();
            lakes.push(Lake { plane, cells: lake_cells.len() as u64, volume, deepest });
        } else {
            for &cell in &lake_cells {
                labels[cell as usize] = DROPPED;
            }
        }
        lake_cells.clear();
    }
    for label in labels.as_mut_slice() {
        *label = if *label == DROPPED { 0 } else { *label };
    }
    Ok(Lakes { labels, lakes, exported: waters.exported })
}

/// Lowers planes until those of two lakes are equal or four clearances apart.
/// Whether any was lowered.
fn part_planes(waters: &mut Waters, found: &Lakes, clearance: f64) -> bool {
    let mut bodies: Vec<usize> =
        found.lakes.iter().map(|lake| waters.body_of[lake.deepest] as usize - 1).collect();
    bodies.sort_unstable_by(|&a, &b| waters.planes[a].total_cmp(&waters.planes[b]).then(a.cmp(&b)));
    bodies.dedup();
    let (mut last, mut lowered) = (f64::NEG_INFINITY, false);
    for body in bodies {
        let plane = &mut waters.planes[body];
        if *plane - last < 4.0 * clearance {
            lowered |= *plane != last;
            *plane = last;
        }
        last = *plane;
    }
    lowered
}
