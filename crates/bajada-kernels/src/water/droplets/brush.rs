//! The cone-shaped brush, tabulated for places between the samples.
//!
//! A brush about the nearest *sample* would shift every cut by up to half a
//! cell in a direction that depends on the rounding. This one is centred on
//! the droplet's own place, held to 1/8 of a cell (1/4 if it is wide); the middles of those steps
//! are used, so that what the table rounds away points nowhere on average.

/// Places per cell side for a brush of `radius` cells: a wide one needs fewer,
/// and its table must not push the ground out of the nearest cache.
fn places(radius: f64) -> usize {
    if radius < 2.5 { 8 } else { 4 }
}

/// Weights of the cells around a place, for `places` x `places` places.
#[derive(Clone, Debug)]
pub(super) struct Brush {
    /// Cells along one side of a stamp.
    pub(super) side: usize,
    /// Cells of a stamp west (and north) of the place's own cell.
    pub(super) before: usize,
    /// Amount, in m over one cell, of which the heaviest cell of any stamp
    /// takes 1 m.
    pub(super) most: f64,
    /// Places per cell side.
    places: usize,
    weights: Vec<f64>,
}

impl Brush {
    /// The brush of `radius` cells: weights fall straight from the middle to
    /// the rim and sum to 1 in every stamp.
    pub(super) fn new(radius: f64) -> Self {
        let before = radius as usize;
        // An even side, since cells are worked on in pairs.
        let side = (before + 1 + (radius + 1.0) as usize).next_multiple_of(2);
        let places = places(radius);
        let mut weights = Vec::with_capacity(places * places * side * side);
        let middle = |place: usize| (place as f64 + 0.5) / places as f64;
        let mut peak = 0.0;
        for place in 0..places * places {
            let (east, south) = (middle(place % places), middle(place / places));
            let first = weights.len();
            let mut sum = 0.0;
            for cell in 0..side * side {
                let x = (cell % side) as f64 - before as f64 - east;
                let y = (cell / side) as f64 - before as f64 - south;
                let height = 1.0 - (x * x + y * y).sqrt() / radius;
                let weight = if height > 0.0 { height } else { 0.0 };
                sum += weight;
                weights.push(weight);
            }
            for weight in &mut weights[first..] {
                *weight /= sum;
                peak = if *weight > peak { *weight } else { peak };
            }
        }
        Self { side, before, most: 1.0 / peak, places, weights }
    }

    /// The stamp for a place `east` and `south` of its cell's sample, both in
    /// 0..1 cells; `side` rows of `side` weights.
    pub(super) fn stamp(&self, east: f64, south: f64) -> &[f64] {
        let place = |t: f64| ((t * self.places as f64) as u32 as usize).min(self.places - 1);
        let cells = self.side * self.side;
        let first = (place(south) * self.places + place(east)) * cells;
        &self.weights[first..first + cells]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_stamp_sums_to_one_and_together_they_point_nowhere() {
        for radius in [1.5, 1.67, 2.0, 3.3, 7.0] {
            let brush = Brush::new(radius);
            let (places, mut pull) = (brush.places, 0.0);
            let corner = |place: usize| place as f64 / places as f64;
            for place in 0..places * places {
                let (east, south) = (corner(place % places), corner(place / places));
                let stamp = brush.stamp(east, south);
                assert!((stamp.iter().sum::<f64>() - 1.0).abs() < 1e-14);
                for (cell, weight) in stamp.iter().enumerate() {
                    let x = (cell % brush.side) as f64 - brush.before as f64;
                    pull += weight * (x - east - 0.5 / places as f64);
                }
            }
            assert!(pull.abs() < 1e-9, "radius {radius}: {pull}");
        }
    }

    #[test]
    fn the_rim_of_the_cone_lies_on_the_stamp() {
        for radius in [1.5, 1.94, 2.0, 2.5, 6.99] {
            let brush = Brush::new(radius);
            for place in [0.0, 0.99] {
                let held =
                    (((place * brush.places as f64) as usize) as f64 + 0.5) / brush.places as f64;
                assert!(held + brush.before as f64 + 1.0 >= radius);
                assert!((brush.side - brush.before) as f64 - held >= radius);
            }
        }
    }
}
