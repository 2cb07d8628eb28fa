//! Concavity of rivers from chi plots.
//!
//! Model (Perron & Royden 2013): `chi = int (A0 / A)^theta dx` up the river, with
//! A0 = 1 m2. At the right concavity all rivers of a basin lie on one line over
//! chi; how far they are from it is measured without a line, by the *disorder*
//! (Hergarten et al. 2016; Gailleton et al. 2021): go through the cells of a
//! basin from the least chi to the largest and add up how far the heights go up
//! and down, beyond the way from the lowest to the highest.

use bajada_grid::neighbors::D8_LENGTH;
use bajada_grid::{Grid, math};

use crate::flow::{Order, receiver};

/// Concavities that are tried: 0.05 to 0.95.
const TRIES: usize = 37;
const STEP: f64 = 0.025;

/// Channel cells that a basin needs to count, and basins that are looked at.
const FEWEST: usize = 60;
const BASINS: usize = 32;

/// The concavity of the largest basins of `channel` cells, each of which has
/// `drained` m2: the median of theirs. `None` if no basin has channels enough.
pub(super) fn concavity(
    heights: &Grid<f64>,
    directions: &Grid<u8>,
    order: &Order,
    drained: &dyn Fn(usize) -> f64,
    channel: &dyn Fn(usize) -> bool,
) -> Option<f64> {
    let cell_size = heights.domain().cell_size();
    // The mouth that each channel cell drains to: itself, if what lies below is
    // no channel.
    let mut mouth = heights.like(u32::MAX);
    for cell in order.upstream().filter(|&cell| channel(cell)) {
        let below = receiver(directions, cell).filter(|&down| mouth[down] != u32::MAX);
        mouth[cell] = below.map_or(cell as u32, |down| mouth[down]);
    }
    let mut basins = std::collections::BTreeMap::<u32, Vec<usize>>::new();
    for cell in order.upstream().filter(|&cell| mouth[cell] != u32::MAX) {
        basins.entry(mouth[cell]).or_default().push(cell);
    }
    let mut basins: Vec<Vec<usize>> =
        basins.into_values().filter(|cells| cells.len() >= FEWEST).collect();
    basins.sort_by_key(|cells| std::cmp::Reverse(cells.len()));
    basins.truncate(BASINS);
    let mut chi = heights.like(0.0_f64);
    let mut best: Vec<f64> = basins
        .iter()
        .map(|cells| {
            let tries = (0..TRIES).map(|place| 0.05 + STEP * place as f64);
            let disorders = tries.map(|theta| {
                for &cell in cells {
                    let down = receiver(directions, cell).filter(|_| mouth[cell] != cell as u32);
                    chi[cell] = down.map_or(0.0, |down| {
                        let length = D8_LENGTH[usize::from(directions[cell])] * cell_size;
                        chi[down] + length * math::pow(drained(cell), -theta)
                    });
                }
                (disorder(cells, &chi, heights), theta)
            });
            let least = |a: (f64, f64), b: (f64, f64)| if b.0 < a.0 { b } else { a };
            disorders.fold((f64::INFINITY, 0.0), least).1
        })
        .collect();
    best.sort_by(f64::total_cmp);
    (!best.is_empty()).then(|| 0.5 * (best[(best.len() - 1) / 2] + best[best.len() / 2]))
}

/// How far the heights of `cells` go up and down over chi, beyond their range, as
/// a share of it.
fn disorder(cells: &[usize], chi: &Grid<f64>, heights: &Grid<f64>) -> f64 {
    let mut along: Vec<(f64, f64)> = cells.iter().map(|&c| (chi[c], heights[c])).collect();
    along.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let way: f64 = along.windows(2).map(|pair| (pair[1].1 - pair[0].1).abs()).sum();
    let high = along.iter().map(|place| place.1).fold(f64::NEG_INFINITY, math::max);
    let low = along.iter().map(|place| place.1).fold(f64::INFINITY, math::min);
    if high > low { way / (high - low) - 1.0 } else { f64::INFINITY }
}
