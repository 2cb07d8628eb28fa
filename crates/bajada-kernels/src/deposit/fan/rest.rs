//! The last pass: where fans or back-fills meet, nothing stays too steep.

use bajada_grid::{Cancelled, Task, math, par};

use super::body::Site;
use super::{FanConfig, Layer};
use crate::slope::talus::{self, Slope, TalusConfig};

/// Deposit that may slide is at least so thick, m: thinner one lies on its
/// ground.
const THICK: f64 = 1.0;

/// Excess of slope, as a share, that is left alone.
const TOLERANCE: f64 = 0.02;

/// Slope that no ground has: what is not deposit stays.
const NEVER: f64 = 1e6;

/// Lets the deposit slide to the repose of `config`, keeping its volume but for
/// what [`Layer`]'s last factor puts right.
pub(super) fn settle(
    task: &Task,
    layer: &mut Layer,
    site: &Site<'_>,
    config: &FanConfig,
) -> Result<(), Cancelled> {
    let domain = *site.heights.domain();
    let (width, cell_size) = (domain.width(), domain.cell_size());
    let surface = |cell: usize| site.heights[cell] + layer.thickness[cell];
    let thick = |cell: usize| layer.thickness[cell] > THICK;
    let limit = config.repose * (1.0 + TOLERANCE) * cell_size;
    let mut too_steep = false;
    for &cell in layer.cells.iter().flatten() {
        let cell = cell as usize;
        let (x, y) = domain.column_row(cell);
        if x + 1 >= width || y + 1 >= domain.height() {
            continue;
        }
        let square = [cell, cell + 1, cell + width, cell + width + 1];
        if square.iter().all(|&corner| thick(corner)) {
            let [a, b, c, d] = square.map(surface);
            let sum = (b - a) * (b - a) + (d - c) * (d - c) + (c - a) * (c - a) + (d - b) * (d - b);
            too_steep |= sum > 2.0 * limit * limit;
        }
    }
    if !too_steep {
        return Ok(());
    }
    let mut elevation = site.heights.like(0.0_f32);
    par::map(&mut elevation, |cell| surface(cell) as f32);
    let mut mask = site.heights.like(0.0_f32);
    par::map(&mut mask, |cell| if thick(cell) { 1.0 } else { 0.0 });
    let mut hardness = site.heights.like(0.0_f32);
    par::map(&mut hardness, |cell| 1.0 - mask[cell]);
    let slope = Slope {
        elevation: &elevation,
        hardness: Some(&hardness),
        mask: Some(&mask),
        sediment: None,
    };
    let repose = TalusConfig {
        repose_loose: config.repose,
        repose_hard: NEVER,
        sweeps: 250,
        tolerance: TOLERANCE,
        ..TalusConfig::default()
    };
    let rested = talus::relax(&task.part(), &slope, &repose)?;
    for cells in &layer.cells {
        for &cell in cells {
            let cell = cell as usize;
            let moved = f64::from(rested.elevation[cell]) - f64::from(elevation[cell]);
            if moved != 0.0 {
                layer.thickness[cell] = math::max(layer.thickness[cell] + moved, 0.0);
            }
        }
    }
    Ok(())
}
