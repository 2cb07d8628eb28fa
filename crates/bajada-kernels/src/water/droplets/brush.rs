//! The cone-shaped brush, tabulated for places between the samples.
//!
//! A brush about the nearest *sample* would shift every cut by up to half a
//! cell in a direction that depends on the rounding. This one is centred on
//! the droplet's own place, held to 1/8 of a cell (1/4 if it is wide); the middles of those steps
//! are used, so that what the table rounds away points nowhere on average.

use super::scale::CELL_LIMIT;

/// Places per cell side for a brush of `radius` cells: a wide one needs fewer,
/// and its table must not push the ground out of the nearest cache.
fn places(radius: f64) -> usize {
    if radius < 2.5 { 8 } else { 4 }
}

/// Cells of a row that are worked on at once.
pub(super) const LANE: usize = 8;

/// Stamps count as whole numbers of these cells wide. A constant of the
/// *results*: where tiles hand droplets over depends on it.
const SPAN: usize = 4;

/// Weights of the cells around a place, for `places` x `places` places.
#[derive(Clone, Debug)]
pub(super) struct Brush {
    /// Cells along a row of a stamp: whole lanes.
    pub(super) columns: usize,
    /// Rows of a stamp, and cells of a row that may have a weight.
    pub(super) rows: usize,
    /// Cells that a stamp counts as wide where it must lie on a patch.
    pub(super) span: usize,
    /// Cells of a stamp west (and north) of the place's own cell.
    pub(super) before: usize,
    /// Amount over one cell of which the heaviest cell of any stamp takes 1.
    pub(super) most: f32,
    /// Largest amount of a stroke, quanta over one cell.
    pub(super) amount_limit: f32,
    /// Most that rounding adds to an amount, quanta over one cell.
    pub(super) slack: f32,
    /// Places per cell side.
    pub(super) places: usize,
    weights: Vec<[f32; LANE]>,
}

impl Brush {
    /// The brush of `radius` cells: weights fall straight from the middle to
    /// the rim and sum to 1 in every stamp.
    pub(super) fn new(radius: f64) -> Self {
        let places = places(radius);
        let middle = |place: usize| (place as f64 + 0.5) / places as f64;
        // A place lies east and south of its own cell's sample, so the brush
        // reaches one cell less to the west and north.
        let before = (radius.ceil() as usize).saturating_sub(1).max(1);
        let rows = before + (radius + middle(places - 1)).ceil() as usize;
        let columns = rows.next_multiple_of(LANE);
        let mut weights = Vec::with_capacity(places * places * rows * columns / LANE);
        let mut peak = 0.0;
        for place in 0..places * places {
            let (east, south) = (middle(place % places), middle(place / places));
            let heights: Vec<f64> = (0..rows * columns)
                .map(|cell| {
                    let x = (cell % columns) as f64 - before as f64 - east;
                    let y = (cell / columns) as f64 - before as f64 - south;
                    let height = 1.0 - (x * x + y * y).sqrt() / radius;
                    if height > 0.0 { height } else { 0.0 }
                })
                .collect();
            let sum: f64 = heights.iter().sum();
            for lane in heights.chunks_exact(LANE) {
                let lane: [f64; LANE] = std::array::from_fn(|index| lane[index] / sum);
                peak = lane.iter().fold(peak, |a, b| if *b > a { *b } else { a });
                weights.push(lane.map(|weight| weight as f32));
            }
        }
        let most = (1.0 / peak) as f32;
        let amount_limit = most * CELL_LIMIT;
        let largest = 536_870_912.0;
        Self {
            columns,
            rows,
            span: rows.next_multiple_of(SPAN),
            before,
            most,
            amount_limit: if amount_limit < largest { amount_limit } else { largest },
            slack: 0.5 * (rows * rows) as f32,
            places,
            weights,
        }
    }

    /// The number of the stamp for a place `east` and `south` of its cell's
    /// sample, both in 0..1 cells.
    #[inline(always)]
    pub(super) fn stamp_at(&self, east: f32, south: f32) -> usize {
        let place = |t: f32| ((t * self.places as f32) as i32 as usize).min(self.places - 1);
        place(south) * self.places + place(east)
    }

    /// Stamp `number`, row by row.
    #[inline(always)]
    pub(super) fn stamp(&self, number: usize) -> &[[f32; LANE]] {
        let lanes = self.rows * (self.columns / LANE);
        &self.weights[number * lanes..][..lanes]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_stamp_sums_to_one_and_together_they_point_nowhere() {
        for radius in [1.5, 1.67, 2.0, 3.0, 3.3, 7.0] {
            let brush = Brush::new(radius);
            let (places, mut pull) = (brush.places, 0.0);
            let corner = |place: usize| place as f32 / places as f32;
            for place in 0..places * places {
                let (east, south) = (corner(place % places), corner(place / places));
                let stamp = brush.stamp(brush.stamp_at(east, south)).as_flattened();
                let sum: f64 = stamp.iter().map(|weight| f64::from(*weight)).sum();
                assert!((sum - 1.0).abs() < 1e-6);
                for (cell, weight) in stamp.iter().enumerate() {
                    let x = (cell % brush.columns) as f64 - brush.before as f64;
                    pull += f64::from(*weight) * (x - f64::from(east) - 0.5 / places as f64);
                }
            }
            assert!(pull.abs() < 1e-5, "radius {radius}: {pull}");
        }
    }

    #[test]
    fn the_rim_of_the_cone_lies_on_the_stamp() {
        for radius in [1.5, 1.94, 2.0, 2.5, 3.0, 6.99] {
            let brush = Brush::new(radius);
            for place in [0.0, 0.99] {
                let held =
                    (((place * brush.places as f64) as usize) as f64 + 0.5) / brush.places as f64;
                assert!(held + brush.before as f64 + 1.0 >= radius);
                assert!((brush.rows - brush.before) as f64 - held >= radius);
            }
        }
    }
}
