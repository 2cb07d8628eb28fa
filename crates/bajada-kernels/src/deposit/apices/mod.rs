//! Fan apices: cells where confined flow leaves its valley.
//!
//! Model: along each stream, the width of the valley is measured on cross
//! sections normal to the flow, as what lies less than `wall_height` above the
//! bed. A cell is an apex when, compared over a window up and a window down the
//! stream, the valley opens (`expansion`, `open_width`), the bed flattens
//! (`slope_ratio`) and the ground around it is less rugged (`relief_ratio`).
//! Of cells that say so along one stream or in one valley, the strongest is
//! kept. No coordinate is typed and every length is in metres.
//!
//! A cell's strength is the larger the more of the window's sections fall on
//! the right side of a width between narrow and open; since the mean slopes up
//! and down differ most at a break of the bed, it has its peak at the mouth.
//!
//! Guarantees: the map's edge is no evidence. Where a section runs off the map,
//! the unseen part counts as open upstream and as closed downstream, and a
//! window that leaves the map downstream is no window. A function of the map
//! alone, on any number of threads.
//!
//! Departure: windows are fixed lengths, not multiples of the valley's width,
//! so that one wide section does not move them.

mod section;
mod stems;

use bajada_grid::{Cancelled, Grid, Task, math};
use rayon::prelude::*;

use section::Sections;
use stems::{Reach, Stems};

/// Where confined flow leaves its valley.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Apex {
    /// Index of the cell.
    pub cell: usize,
    /// Unit vector down the valley: east, south.
    pub bearing: [f64; 2],
    /// Ground upstream, the cell itself included, m2.
    pub catchment_area: f64,
    /// Width of the valley above it, m.
    pub width: f64,
    /// How sure it is, > 0; only the order of scores means anything.
    pub score: f64,
}

/// What counts as a valley's end. The defaults part synthetic canyons from
/// synthetic hills (see the tests): they lie between the strongest score among
/// hills, 0.92, and the weakest of a mouth, 1.34. Which features they weigh was
/// learnt on one real range front; on ground without fans about one drainage in
/// ten still shows a mouth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ApexConfig {
    /// Least ground that drains through an apex, m2.
    pub min_area: f64,
    /// Height above the bed that a valley's width is measured at, m.
    pub wall_height: f64,
    /// Width at which a valley counts as open to that side, m.
    pub max_width: f64,
    /// Length of stream that is looked at up and down, m.
    pub window: f64,
    /// Least median width down over median width up.
    pub expansion: f64,
    /// Least median width down, m.
    pub open_width: f64,
    /// Most mean slope of the bed down over that up.
    pub slope_ratio: f64,
    /// Most local relief down over that up.
    pub relief_ratio: f64,
    /// Least length of stream between two apices, m.
    pub separation: f64,
    /// Least score.
    pub least_score: f64,
}

impl Default for ApexConfig {
    fn default() -> Self {
        Self {
            min_area: 2e5,
            wall_height: 15.0,
            max_width: 2000.0,
            window: 750.0,
            expansion: 5.0,
            open_width: 500.0,
            slope_ratio: 0.9,
            relief_ratio: 0.7,
            separation: 400.0,
            least_score: 0.95,
        }
    }
}

/// Cells that one task looks at between two looks at the stop button.
const CHUNK: usize = 256;

/// The apices of `elevation`, the strongest first; of equal ones the lesser
/// cell first.
///
/// # Errors
/// [`Cancelled`]: nothing is returned.
pub fn find(
    task: &Task,
    elevation: &Grid<f32>,
    config: &ApexConfig,
) -> Result<Vec<Apex>, Cancelled> {
    let stems = Stems::new(task, elevation, config.min_area)?;
    let breaks: Vec<Break> =
        each(task, stems.cells(), |cell, look: &mut Look| look.bed_break(cell, &stems, config))?;
    let sections = Sections::around(task, elevation, &stems, &breaks, config)?;
    let mut found: Vec<Apex> =
        each(task, &breaks, |found, look: &mut Look| look.judge(found, &stems, &sections, config))?;
    found.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.cell.cmp(&b.cell)));
    task.check()?;
    let mut kept = strongest(found, &stems, config);
    for apex in &mut kept {
        apex.cell = settle(apex.cell, &stems, config);
    }
    Ok(kept)
}

/// What `judge` makes of `items`, in their order, whatever the number of
/// threads.
fn each<I: Copy + Sync, L: Default, T: Send + Clone>(
    task: &Task,
    items: &[I],
    judge: impl Fn(I, &mut L) -> Option<T> + Sync,
) -> Result<Vec<T>, Cancelled> {
    let chunks: Result<Vec<Vec<T>>, Cancelled> = items
        .par_chunks(CHUNK)
        .map(|items| {
            task.check()?;
            let mut look = L::default();
            Ok(items.iter().filter_map(|&item| judge(item, &mut look)).collect())
        })
        .collect();
    Ok(chunks?.concat())
}

/// A cell where the bed flattens enough.
#[derive(Clone, Copy)]
struct Break {
    cell: u32,
    slope_ratio: f64,
}

/// What is seen from one cell; kept from cell to cell for its memory.
#[derive(Default)]
struct Look {
    up: Reach,
    down: Reach,
    values: Vec<f64>,
}

impl Look {
    /// The windows up and down `cell`; `false` if the map does not hold them.
    fn follow(&mut self, cell: usize, stems: &Stems, config: &ApexConfig) -> bool {
        let cell_size = stems.cell_size();
        let window = math::max(config.window, 4.0 * cell_size);
        self.down.follow(stems.downstream(cell), window);
        self.up.follow(stems.upstream(cell), window);
        self.down.length + 1.5 * cell_size >= window && self.up.length >= window / 3.0
    }

    fn bed_break(&mut self, cell: u32, stems: &Stems, config: &ApexConfig) -> Option<Break> {
        let index = cell as usize;
        if stems.area(index) < config.min_area || !self.follow(index, stems, config) {
            return None;
        }
        let here = stems.bed(index);
        let slope_up = (stems.bed(self.up.end) - here) / self.up.length;
        let slope_down = (here - stems.bed(self.down.end)) / self.down.length;
        let slope_ratio = slope_down / slope_up;
        let flattens = slope_up > 0.0 && slope_ratio <= config.slope_ratio;
        flattens.then_some(Break { cell, slope_ratio })
    }

    fn judge(
        &mut self,
        Break { cell, slope_ratio }: Break,
        stems: &Stems,
        sections: &Sections,
        config: &ApexConfig,
    ) -> Option<Apex> {
        let cell = cell as usize;
        self.follow(cell, stems, config);
        let section = |cell: u32| sections.at(cell);
        let values = &mut self.values;
        let width = median(values, &self.up.cells, |cell| section(cell).at_most);
        let open = median(values, &self.down.cells, |cell| section(cell).at_least);
        let width = math::max(width, stems.cell_size());
        let expansion = open / width;
        if !(expansion >= config.expansion && open >= config.open_width) {
            return None;
        }
        let relief_up = median(values, &self.up.cells, |cell| section(cell).relief);
        let relief_down = quartile(values, &self.down.cells, |cell| section(cell).relief);
        let relief_ratio = relief_down / math::max(relief_up, f64::MIN_POSITIVE);
        let is_calmer = relief_ratio <= config.relief_ratio;
        if !is_calmer {
            return None;
        }
        // Above the sill between narrow and open the valley is narrow, below
        // it is not: as many sections as possible.
        let sill = (width * open).sqrt();
        let narrow = self.up.cells.iter().filter(|&&cell| section(cell).at_most < sill).count();
        let wide = self.down.cells.iter().filter(|&&cell| section(cell).at_least > sill).count();
        let seen = self.up.cells.len() + self.down.cells.len();
        let agreement = (narrow + wide) as f64 / seen as f64;
        let score = agreement
            * agreement
            * math::ln(expansion)
            * (1.0 - 0.5 * slope_ratio)
            * (1.0 - 0.5 * relief_ratio);
        let catchment_area = stems.area(cell);
        let bearing = stems.bearing(self.up.half(), cell);
        let sure = score >= config.least_score;
        sure.then_some(Apex { cell, bearing, catchment_area, width, score })
    }
}

/// The median of `value` over `cells`; 0 if there are none.
fn median(values: &mut Vec<f64>, cells: &[u32], value: impl Fn(u32) -> f64) -> f64 {
    values.clear();
    values.extend(cells.iter().map(|&cell| value(cell)));
    let middle = values.len() / 2;
    nth(values, middle)
}

/// The lower quartile of `value` over `cells`; 0 if there are none.
fn quartile(values: &mut Vec<f64>, cells: &[u32], value: impl Fn(u32) -> f64) -> f64 {
    values.clear();
    values.extend(cells.iter().map(|&cell| value(cell)));
    let quarter = values.len() / 4;
    nth(values, quarter)
}

fn nth(values: &mut [f64], place: usize) -> f64 {
    if values.is_empty() { 0.0 } else { *values.select_nth_unstable_by(place, f64::total_cmp).1 }
}

/// Of `found`, which come strongest first, those that no stronger one is near
/// along the stream or in the same valley.
fn strongest(found: Vec<Apex>, stems: &Stems, config: &ApexConfig) -> Vec<Apex> {
    let mut kept: Vec<Apex> = Vec::new();
    let mut is_kept = stems.mark();
    let mut below_kept = stems.mark();
    for apex in found {
        if below_kept[apex.cell] {
            continue;
        }
        let reach = math::max(config.separation, 3.0 * apex.width);
        let near = |distance: f64| distance <= reach;
        let mut above = stems.downstream(apex.cell).take_while(|&(_, distance)| near(distance));
        if above.any(|(cell, _)| is_kept[cell]) {
            continue;
        }
        let one_valley = |other: &Apex| {
            let wider = math::max(other.width, apex.width);
            stems.distance(other.cell, apex.cell) <= math::max(wider, 3.0 * stems.cell_size())
        };
        if kept.iter().any(one_valley) {
            continue;
        }
        is_kept[apex.cell] = true;
        below_kept[apex.cell] = true;
        for (cell, _) in stems.downstream(apex.cell).take_while(|&(_, distance)| near(distance)) {
            below_kept[cell] = true;
        }
        kept.push(apex);
    }
    kept
}

/// Walls of a valley are lower than `wall_height`, and no section sees them,
/// before they end: where they rise by one in this many, so many heights
/// before.
const FADING: f64 = 8.0;

/// Length of bed up and down that its break is looked for in, m.
const BREAK_REACH: f64 = 200.0;

/// The cell at or just below `cell` where the bed flattens most.
fn settle(cell: usize, stems: &Stems, config: &ApexConfig) -> usize {
    let reach = math::max(BREAK_REACH, 3.0 * stems.cell_size());
    let (mut up, mut down) = (Reach::default(), Reach::default());
    let mut best = (f64::NEG_INFINITY, cell);
    let fading = FADING * config.wall_height;
    let below = stems.downstream(cell).take_while(|&(_, distance)| distance <= fading);
    for (cell, _) in std::iter::once((cell, 0.0)).chain(below) {
        up.follow(stems.upstream(cell), reach);
        down.follow(stems.downstream(cell), reach);
        let (above, below) = (stems.bed(up.end), stems.bed(down.end));
        let here = stems.bed(cell);
        let flattens = (above - here) / up.length - (here - below) / down.length;
        if flattens > best.0 {
            best = (flattens, cell);
        }
    }
    best.1
}

#[cfg(test)]
mod tests;
