//! Masks from what the ground is like: steepness, height.
//!
//! A band is 1 from `low` to `high` and falls off smoothly to 0 within
//! `falloff` outside of it. Pointwise on the surface (and its slope), so exact
//! on tiles with a halo of one sample.

use bajada_grid::{Grid, math, par};

use crate::surface;

/// A range of a quantity, in that quantity's unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Band {
    /// Where the band is full.
    pub low: f64,
    /// Up to where it is full; infinite for a band without an upper end.
    pub high: f64,
    /// Way from full to nothing, outside of both ends; 0 for a sharp edge.
    pub falloff: f64,
}

impl Band {
    /// How much `value` lies in the band, 0..1. NaN lies outside.
    pub fn response(&self, value: f64) -> f64 {
        let outside = math::max(self.low - value, value - self.high);
        if outside <= 0.0 {
            1.0
        } else if outside < self.falloff {
            let t = 1.0 - outside / self.falloff;
            t * t * (3.0 - 2.0 * t)
        } else {
            0.0
        }
    }
}

/// 1 where the slope of `elevation` lies within `band_deg` (degrees), falling
/// off smoothly.
pub fn slope_mask(elevation: &Grid<f32>, band_deg: &Band) -> Grid<f32> {
    let slope = surface::slope(elevation);
    let mut out = elevation.like(0.0_f32);
    par::map(&mut out, |index| band_deg.response(math::atan_deg(f64::from(slope[index]))) as f32);
    out
}

/// 1 where `elevation` lies within `band` (m), falling off smoothly.
pub fn elevation_mask(elevation: &Grid<f32>, band: &Band) -> Grid<f32> {
    let mut out = elevation.like(0.0_f32);
    par::map(&mut out, |index| band.response(f64::from(elevation[index])) as f32);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use bajada_testkit::terrain::{plane, square};

    #[test]
    fn a_band_is_full_inside_half_way_through_its_falloff_and_empty_beyond() {
        let band = Band { low: 30.0, high: 40.0, falloff: 10.0 };
        let answers = [20.0, 25.0, 30.0, 35.0, 40.0, 45.0, 50.0].map(|x| band.response(x));
        assert_eq!(answers, [0.0, 0.5, 1.0, 1.0, 1.0, 0.5, 0.0]);
        assert_eq!(band.response(f64::NAN), 0.0);
        let open = Band { low: 30.0, high: f64::INFINITY, falloff: 0.0 };
        assert_eq!([29.999, 30.0, 1e9].map(|x| open.response(x)), [0.0, 1.0, 1.0]);
    }

    #[test]
    fn slopes_are_read_in_degrees_and_heights_in_metres() {
        let tilted = plane(square(9, 10.0), 100.0, math::tan_deg(35.0), 0.0);
        let band = Band { low: 34.5, high: 35.5, falloff: 1.0 };
        assert!(slope_mask(&tilted, &band).as_slice().iter().all(|&value| value == 1.0));
        let steeper = Band { low: 40.0, ..band };
        let steeper = Band { high: 50.0, ..steeper };
        assert!(slope_mask(&tilted, &steeper).as_slice().iter().all(|&value| value == 0.0));
        let low = Band { low: 0.0, high: 101.0, falloff: 1.0 };
        let mask = elevation_mask(&tilted, &low);
        assert_eq!((mask.at(0, 0), mask.at(8, 0)), (1.0, 0.0));
    }
}
