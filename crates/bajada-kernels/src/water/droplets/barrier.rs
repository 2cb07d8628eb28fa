//! Ground that is not there: cells that are not a finite number.
//!
//! Droplets look two cells far, so the cells next to a barrier need heights. They
//! get that of their highest neighbour: the barrier is a bank that nothing runs
//! up. It takes and gives nothing.

use bajada_grid::neighbors::{D8, around};
use bajada_grid::{Grid, par};

use super::Ground;

/// Cells that a droplet looks beyond the cell it stands on.
const SIGHT: usize = 3;

/// Whether any cell is a barrier.
pub(super) fn is_needed(elevation: &Grid<f32>) -> bool {
    let len = elevation.as_slice().len();
    par::max(len, 0.0, |index| if elevation[index].is_finite() { 0.0 } else { 1.0 }) > 0.0
}

/// Which cells are barriers.
pub(super) fn cells(elevation: &Grid<f32>) -> Grid<bool> {
    let mut barriers = elevation.like(false);
    par::map(&mut barriers, |index| !elevation[index].is_finite());
    barriers
}

/// `elevation` with heights for the barriers.
pub(super) fn bridged(elevation: &Grid<f32>) -> Grid<f32> {
    let domain = *elevation.domain();
    let mut known = elevation.clone();
    for _ in 0..SIGHT {
        let mut wider = known.clone();
        par::map(&mut wider, |index| {
            if known[index].is_finite() {
                return known[index];
            }
            let (x, y) = domain.column_row(index);
            let near = around(&domain, x, y, &D8).map(|(_, cell)| known[cell]);
            let near = near.filter(|height| height.is_finite());
            near.fold(f32::NAN, |highest, height| if height <= highest { highest } else { height })
        });
        known = wider;
    }
    let len = domain.len();
    let height = |index: usize| -> f64 {
        if known[index].is_finite() { -f64::from(known[index]) } else { f64::NAN }
    };
    let lowest = -par::max(len, f64::NEG_INFINITY, height);
    let lowest = if lowest.is_finite() { lowest as f32 } else { 0.0 };
    for cell in known.as_mut_slice() {
        if !cell.is_finite() {
            *cell = lowest;
        }
    }
    known
}

/// The mask of `ground`, 0 on barriers.
pub(super) fn mask(ground: &Ground<'_>) -> Grid<f32> {
    let mut mask = ground.elevation.like(1.0_f32);
    par::map(&mut mask, |index| {
        let open = ground.mask.map_or(1.0, |mask| mask[index]);
        if ground.elevation[index].is_finite() { open } else { 0.0 }
    });
    mask
}

/// Puts the barriers of `before` back.
pub(super) fn restore(elevation: &mut Grid<f32>, before: &Grid<f32>) {
    for (cell, old) in elevation.as_mut_slice().iter_mut().zip(before.as_slice()) {
        if !old.is_finite() {
            *cell = *old;
        }
    }
}
