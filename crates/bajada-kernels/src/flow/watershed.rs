//! Which ground drains to where, and the divides between.
//!
//! Model: every cell runs down one way, the steepest, to an outlet at the map's
//! edge or to the hollow it lies in (O'Callaghan & Mark 1984). All cells with
//! one end are a basin. Basins are numbered from 1 by descending area, of equal
//! ones the one whose end has the lesser index first; ground of basins below
//! `least_area` has the label 0.
//!
//! A *divide* is where neighbors bear different labels: of each such pair the
//! higher cell, so that the line runs on the crest, one cell wide. A soft divide
//! falls from 1 on that line to 0 at `divide_reach` from it, straight with the
//! distance.
//!
//! Guarantees: whole numbers only but for the soft divide; no two basins share
//! a label; every cell has the label of its receiver, or both have none.

use bajada_grid::{Cancelled, Domain, Grid, Task, math, neighbors, par};

use super::{Order, Outlets, basins, fill, flats, receiver, steepest};

/// What a basin is the ground of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum End {
    /// A cell of the map's edge. Hollows spill.
    #[default]
    Edge,
    /// A hollow: a cell, or a level patch of cells, without a lower neighbor.
    /// Ground that runs off the map belongs to none.
    Hollow,
}

/// Settings of [`watersheds`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WatershedConfig {
    /// What a basin is the ground of.
    pub end: End,
    /// Area below which a basin counts as none, m2.
    pub least_area: f64,
    /// Distance from a divide at which its mask is 0, m; below a cell the
    /// divide is crisp.
    pub divide_reach: f64,
}

impl Default for WatershedConfig {
    /// Small enough to show the gullies of a map of a few kilometres.
    fn default() -> Self {
        Self { end: End::Edge, least_area: 1e5, divide_reach: 0.0 }
    }
}

/// Basins and what parts them.
#[derive(Clone, Debug, PartialEq)]
pub struct Watersheds {
    /// Basin of each cell; 0 is none.
    pub labels: Grid<u32>,
    /// Area of each basin, m2: that of label 1 first.
    pub areas: Vec<f64>,
    /// 1 on divides, falling to 0 beside them.
    pub divide: Grid<f32>,
}

/// Most basins that get a label: as far as f32 counts without a gap.
pub const MOST_LABELS: usize = 1 << 24;

/// Labels the basins of `elevation`.
///
/// # Errors
/// [`Cancelled`]: nothing is returned.
pub fn watersheds(
    task: &Task,
    elevation: &Grid<f32>,
    config: &WatershedConfig,
) -> Result<Watersheds, Cancelled> {
    task.check()?;
    let heights = elevation.to_f64();
    let outlets = Outlets::at_edge(&heights);
    let ends = match config.end {
        End::Edge => edges(task, &heights, &outlets)?,
        End::Hollow => hollows(&heights, &outlets),
    };
    task.check()?;
    let (labels, areas) = rank(ends, config.least_area);
    task.check()?;
    let line = divides(elevation, &labels);
    task.check()?;
    let divide = soften(&line, config.divide_reach);
    Ok(Watersheds { labels, areas, divide })
}

/// Mark of cells that belong to no end.
const NOWHERE: u32 = u32::MAX;

/// The outlet that each cell drains to.
fn edges(task: &Task, heights: &Grid<f64>, outlets: &Outlets) -> Result<Grid<u32>, Cancelled> {
    let filled = fill(heights, outlets);
    task.check()?;
    let tree = steepest::directions(&filled, &flats::directions(&filled, outlets));
    task.check()?;
    let mut ends = tree.like(NOWHERE);
    for cell in Order::of_tree(&tree).upstream() {
        ends[cell] = receiver(&tree, cell).map_or(super::narrow(cell), |below| ends[below]);
    }
    Ok(ends)
}

/// The least cell of the hollow that each cell drains to.
fn hollows(heights: &Grid<f64>, outlets: &Outlets) -> Grid<u32> {
    // Sinks are numbered in the order of their least cells already, and only
    // the order counts.
    let mut ends = basins(heights, outlets).labels;
    for end in ends.as_mut_slice() {
        *end = if *end == 0 { NOWHERE } else { *end };
    }
    ends
}

/// Labels in place of ends, and the area of each.
fn rank(mut ends: Grid<u32>, least_area: f64) -> (Grid<u32>, Vec<f64>) {
    let cell_area = ends.domain().cell_area();
    let mut counts = vec![0_u64; ends.domain().len() + 1];
    for &end in ends.as_slice() {
        if end != NOWHERE {
            counts[end as usize] += 1;
        }
    }
    let area = |end: u32| counts[end as usize] as f64 * cell_area;
    let mut ranked: Vec<u32> = (0..counts.len())
        .map(super::narrow)
        .filter(|&end| counts[end as usize] > 0 && area(end) >= least_area)
        .collect();
    ranked.sort_unstable_by_key(|&end| (std::cmp::Reverse(counts[end as usize]), end));
    ranked.truncate(MOST_LABELS);
    let areas = ranked.iter().map(|&end| area(end)).collect();
    let mut labels = vec![0_u32; counts.len()];
    for (place, &end) in ranked.iter().enumerate() {
        labels[end as usize] = super::narrow(place + 1);
    }
    for end in ends.as_mut_slice() {
        *end = if *end == NOWHERE { 0 } else { labels[*end as usize] };
    }
    (ends, areas)
}

/// The higher cell of each pair of neighbors with different labels.
fn divides(elevation: &Grid<f32>, labels: &Grid<u32>) -> Grid<bool> {
    let domain: Domain = *labels.domain();
    let mut line = labels.like(false);
    par::map(&mut line, |index| {
        let (x, y) = domain.column_row(index);
        neighbors::around(&domain, x, y, &neighbors::D4).any(|(_, beside)| {
            let (here, there) = (elevation[index], elevation[beside]);
            let higher = here > there || (here == there && index > beside);
            labels[beside] != labels[index] && higher
        })
    });
    line
}

/// 1 on `line`, 0 at `reach` metres from it.
fn soften(line: &Grid<bool>, reach: f64) -> Grid<f32> {
    let (width, height) = (line.width(), line.height());
    let reach = reach / line.domain().cell_size();
    let mut divide = line.like(0.0_f32);
    let is_soft = reach > 1.0;
    if !is_soft {
        par::map(&mut divide, |index| if line[index] { 1.0 } else { 0.0 });
        return divide;
    }
    // Cells along the column to the line, then the nearest over the row.
    let far = f64::INFINITY;
    let mut column = line.like(far);
    for y in 0..height {
        for x in 0..width {
            let above = if y > 0 { column.at(x, y - 1) + 1.0 } else { far };
            column.set(x, y, if line.at(x, y) { 0.0 } else { above });
        }
    }
    for y in (1..height).rev() {
        for x in 0..width {
            let below = column.at(x, y) + 1.0;
            column.set(x, y - 1, math::min(column.at(x, y - 1), below));
        }
    }
    let most = math::min(reach, width as f64) as usize;
    par::rows(&mut divide, |y, row| {
        let column = column.row(y);
        for (x, cell) in row.iter_mut().enumerate() {
            let mut squared = far;
            for step in 0..=most {
                let across = step as f64 * step as f64;
                // Farther columns cannot be nearer than what is found.
                if across >= squared {
                    break;
                }
                for other in [x.checked_sub(step), Some(x + step)].into_iter().flatten() {
                    if let Some(&along) = column.get(other) {
                        squared = math::min(squared, across + along * along);
                    }
                }
            }
            *cell = math::max(1.0 - squared.sqrt() / reach, 0.0) as f32;
        }
    });
    divide
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use bajada_testkit::{plain_flow, terrain};

    use super::*;

    fn run(elevation: &Grid<f32>, config: &WatershedConfig) -> Watersheds {
        watersheds(&Task::new(), elevation, config).expect("nobody stops it")
    }

    fn all(end: End) -> WatershedConfig {
        WatershedConfig { end, least_area: 0.0, divide_reach: 0.0 }
    }

    /// Labels of `ends` by counting and sorting.
    fn ranked(ends: &[Option<usize>], least: u64) -> Vec<u32> {
        let mut counts: BTreeMap<usize, u64> = BTreeMap::new();
        for &end in ends.iter().flatten() {
            *counts.entry(end).or_default() += 1;
        }
        let mut order: Vec<(u64, usize)> = counts.into_iter().map(|(end, n)| (n, end)).collect();
        order.retain(|&(count, _)| count >= least);
        order.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
        let label = |end: usize| order.iter().position(|&(_, other)| other == end);
        ends.iter().map(|end| end.and_then(label).map_or(0, |place| place as u32 + 1)).collect()
    }

    #[test]
    fn a_roof_has_two_sides_and_a_ridge() {
        // The ridge runs from north to south inside a rim; each side spills
        // over one corner of it.
        let domain = Domain::new(13, 9, 10.0, [0.0; 2]).expect("legal");
        let elevation = Grid::from_fn(domain, |x, y| {
            let side = (x as f32 - 6.0).abs();
            if x == 0 || x == 12 || y == 0 || y == 8 {
                if y == 8 && (x == 0 || x == 12) { -1.0 } else { 50.0 }
            } else {
                20.0 - 3.0 * side - 0.5 * y as f32
            }
        });
        let found = run(&elevation, &WatershedConfig { least_area: 2000.0, ..all(End::Edge) });
        assert_eq!(found.areas.len(), 2);
        for y in 1..8 {
            assert_ne!(found.labels.at(2, y), found.labels.at(10, y));
            assert_eq!(found.divide.at(6, y), 1.0, "{y}");
            assert!(found.divide.row(y)[2..5].iter().all(|&mask| mask == 0.0));
        }
    }

    #[test]
    fn labels_are_those_of_the_slow_twin() {
        for seed in 0..40 {
            let domain = Domain::new(23, 17, 10.0, [0.0; 2]).expect("legal");
            let elevation = terrain::hills(domain, 60.0, seed);
            let heights = elevation.to_f64();
            let ends = plain_flow::sinks(&heights);
            let hollows: Vec<Option<usize>> = ends
                .iter()
                .map(|&end| {
                    let (x, y) = domain.column_row(end);
                    (x > 0 && y > 0 && x < 22 && y < 16).then_some(end)
                })
                .collect();
            let config = WatershedConfig { least_area: 700.0, ..all(End::Hollow) };
            let found = run(&elevation, &config);
            assert_eq!(found.labels.as_slice(), ranked(&hollows, 7), "hollows, seed {seed}");

            let outlets = Outlets::at_edge(&heights);
            let filled = fill(&heights, &outlets);
            let tree = steepest::directions(&filled, &flats::directions(&filled, &outlets));
            let edges: Vec<Option<usize>> = (0..domain.len())
                .map(|mut cell| {
                    while let Some(below) = receiver(&tree, cell) {
                        cell = below;
                    }
                    Some(cell)
                })
                .collect();
            let config = WatershedConfig { least_area: 700.0, ..all(End::Edge) };
            let found = run(&elevation, &config);
            assert_eq!(found.labels.as_slice(), ranked(&edges, 7), "edge, seed {seed}");
        }
    }

    #[test]
    fn areas_fall_and_add_up_to_the_map() {
        let elevation = terrain::hills(terrain::square(90, 20.0), 400.0, 5);
        let found = run(&elevation, &all(End::Edge));
        assert!(found.areas.is_sorted_by(|a, b| a >= b));
        assert_eq!(found.areas.iter().sum::<f64>(), 90.0 * 90.0 * 400.0);
        assert!(found.labels.as_slice().iter().all(|&label| label > 0));
    }

    #[test]
    fn a_soft_divide_falls_straight_with_the_distance() {
        let elevation = terrain::hills(terrain::square(40, 10.0), 200.0, 2);
        let config = WatershedConfig { least_area: 8000.0, ..all(End::Edge) };
        let crisp = run(&elevation, &config).divide;
        let soft = run(&elevation, &WatershedConfig { divide_reach: 65.0, ..config }).divide;
        for y in 0..40_usize {
            for x in 0..40_usize {
                let mut nearest = f64::INFINITY;
                for index in (0..1600).filter(|&index| crisp[index] > 0.0) {
                    let (dx, dy) =
                        ((index % 40).abs_diff(x) as f64, (index / 40).abs_diff(y) as f64);
                    nearest = math::min(nearest, 10.0 * (dx * dx + dy * dy).sqrt());
                }
                let truth = math::max(1.0 - nearest / 65.0, 0.0);
                assert!((f64::from(soft.at(x, y)) - truth).abs() < 1e-6, "{x} {y}");
            }
        }
    }

    #[test]
    fn any_size_any_setting_and_any_number_of_threads() {
        let odd = [f64::NAN, f64::INFINITY, -1.0, 1e300];
        for end in [End::Edge, End::Hollow] {
            for (width, height) in [(1, 1), (1, 9), (9, 1), (2, 3), (9, 9)] {
                let domain = Domain::new(width, height, 10.0, [0.0; 2]).expect("legal");
                let elevation = Grid::from_fn(domain, |x, y| ((x * 31 + y * 17) % 7) as f32);
                for value in odd {
                    run(
                        &elevation,
                        &WatershedConfig { end, least_area: value, divide_reach: value },
                    );
                }
            }
            let elevation = terrain::hills(terrain::square(120, 20.0), 400.0, 7);
            let config = WatershedConfig { end, least_area: 5000.0, divide_reach: 90.0 };
            let on = |threads| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
                pool.expect("a pool").install(|| run(&elevation, &config))
            };
            for threads in [2, 3, 7] {
                assert!(on(1) == on(threads), "{threads} threads");
            }
        }
    }
}
