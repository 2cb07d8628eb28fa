//! Value noise: a number at every corner of a square lattice, faded between.

use std::f32::consts::FRAC_1_SQRT_2;

use super::gradient::{fade, fade_slope};
use super::{Corners, Stencil};

pub(super) struct Value;

/// Cells to a wavelength. A hill of value noise sits on a corner and takes two
/// cells, one of gradient noise lies between corners: of all sizes this one
/// has the same root mean square of slope over that of height, 4.09 to a
/// wavelength.
pub(super) const CELLS: f64 = 1.516;

/// 2^-31 of the bound.
const UNIT: f32 = FRAC_1_SQRT_2 / 2_147_483_648.0;

impl Stencil for Value {
    const SIDE: usize = 2;
    const BEFORE: u32 = 0;

    #[inline(always)]
    fn corner(bits: u32) -> [f32; 2] {
        [bits as i32 as f32 * UNIT, 0.0]
    }

    #[inline(always)]
    fn blend(fx: f32, fy: f32, corners: &impl Corners) -> f32 {
        let [nw, ne, sw, se] = values(corners);
        let north = nw + (ne - nw) * fade(fx);
        let south = sw + (se - sw) * fade(fx);
        north + (south - north) * fade(fy)
    }

    #[inline(always)]
    fn blend_slope(fx: f32, fy: f32, corners: &impl Corners) -> [f32; 2] {
        let [nw, ne, sw, se] = values(corners);
        let (sx, sy) = (fade(fx), fade(fy));
        let east = (ne - nw) + ((se - sw) - (ne - nw)) * sy;
        let south = (sw - nw) + ((se - ne) - (sw - nw)) * sx;
        [fade_slope(fx) * east, fade_slope(fy) * south]
    }
}

#[inline(always)]
fn values(corners: &impl Corners) -> [f32; 4] {
    [corners.at(0)[0], corners.at(1)[0], corners.at(2)[0], corners.at(3)[0]]
}
