//! How steep the ground is.

use bajada_grid::{Grid, math};

use crate::surface;

/// The distribution of slopes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slopes {
    /// Angles that 5, 25, 50, 75 and 95 % of the ground stay below, degrees.
    pub percentiles_deg: [f64; 5],
    /// Share of the ground above 35 degrees, the repose of scree.
    pub share_above_35: f64,
}

/// The slopes of the counted cells; all 0 if none counts.
pub fn slopes(elevation: &Grid<f32>, counted: &dyn Fn(usize) -> bool) -> Slopes {
    let slope = surface::slope(elevation);
    let cells = slope.as_slice().iter().enumerate();
    let mut all: Vec<f32> =
        cells.filter(|(index, _)| counted(*index)).map(|(_, &slope)| slope).collect();
    all.sort_by(f32::total_cmp);
    if all.is_empty() {
        return Slopes { percentiles_deg: [0.0; 5], share_above_35: 0.0 };
    }
    let at = |share: f64| math::atan_deg(f64::from(all[(share * (all.len() - 1) as f64) as usize]));
    let limit = math::tan_deg(35.0) as f32;
    let above = all.len() - all.partition_point(|&slope| slope <= limit);
    Slopes {
        percentiles_deg: [0.05, 0.25, 0.5, 0.75, 0.95].map(at),
        share_above_35: above as f64 / all.len() as f64,
    }
}
