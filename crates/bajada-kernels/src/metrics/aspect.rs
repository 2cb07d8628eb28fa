//! Whether slopes look along the grid.

use bajada_grid::{Grid, par};

use crate::surface;

/// Length of the mean of exp(4 i aspect) over the counted cells that slope:
/// 0 where all directions are alike, 1 where every slope looks along one pair of
/// axes. Real ranges measure 0.02 to 0.03; single-direction routing makes 0.07.
///
/// The fourth power of the unit vector needs no angle: with `c + i s` the unit
/// vector down the slope, `(c + i s)^4` is two squarings.
pub fn fourfold_anisotropy(elevation: &Grid<f32>, counted: &(dyn Fn(usize) -> bool + Sync)) -> f64 {
    let gradient = surface::gradient(elevation);
    let [real, imaginary, count] = par::sums(elevation.domain().len(), |index| {
        let (east, south) = (f64::from(gradient.east[index]), f64::from(gradient.south[index]));
        let steep = east * east + south * south;
        if !counted(index) || steep <= 0.0 {
            return [0.0; 3];
        }
        let twice = [(east * east - south * south) / steep, 2.0 * east * south / steep];
        [twice[0] * twice[0] - twice[1] * twice[1], 2.0 * twice[0] * twice[1], 1.0]
    });
    if count > 0.0 { (real * real + imaginary * imaginary).sqrt() / count } else { 0.0 }
}
