//! Gradient noise on squares (Perlin 2002).
//!
//! Quintic fade; unit gradients whose angle is a hash of the corner. Departures
//! from Perlin: gradients of one length in all directions, so that none is
//! preferred. The angle's sine and cosine are short polynomials.

use super::{Corners, Stencil};

pub(super) struct Gradient;

/// 2^-23 of an eighth of a turn, in radians: 24 signed bits then span a quarter
/// turn, where five terms give sine and cosine to 4e-5.
const EIGHTH_OF_A_TURN: f32 = std::f32::consts::FRAC_PI_4 / 8_388_608.0;

/// The sign bit of an f32.
const SIGN: u32 = 1 << 31;

impl Stencil for Gradient {
    const SIDE: usize = 2;
    const BEFORE: u32 = 0;

    #[inline(always)]
    fn corner(bits: u32) -> [f32; 2] {
        unit_vector(bits)
    }

    #[inline(always)]
    fn blend(fx: f32, fy: f32, corners: &impl Corners) -> f32 {
        let [nw, ne, sw, se] = planes(fx, fy, corners);
        let (sx, sy) = (fade(fx), fade(fy));
        let north = nw + (ne - nw) * sx;
        let south = sw + (se - sw) * sx;
        north + (south - north) * sy
    }

    #[inline(always)]
    fn blend_slope(fx: f32, fy: f32, corners: &impl Corners) -> [f32; 2] {
        let [nw, ne, sw, se] = planes(fx, fy, corners);
        let (sx, sy) = (fade(fx), fade(fy));
        let along = [mix(corners, 0, sx, sy), mix(corners, 1, sx, sy)];
        let east = (ne - nw) + ((se - sw) - (ne - nw)) * sy;
        let south = (sw - nw) + ((se - ne) - (sw - nw)) * sx;
        [along[0] + fade_slope(fx) * east, along[1] + fade_slope(fy) * south]
    }
}

/// One part of the corners' gradients, faded between them.
#[inline(always)]
fn mix(corners: &impl Corners, part: usize, sx: f32, sy: f32) -> f32 {
    let (nw, ne) = (corners.at(0)[part], corners.at(1)[part]);
    let (sw, se) = (corners.at(2)[part], corners.at(3)[part]);
    let north = nw + (ne - nw) * sx;
    let south = sw + (se - sw) * sx;
    north + (south - north) * sy
}

/// The planes of the four corners, at a point of the cell.
#[inline(always)]
fn planes(fx: f32, fy: f32, corners: &impl Corners) -> [f32; 4] {
    let (gx, gy) = (fx - 1.0, fy - 1.0);
    let [nw, ne, sw, se] = [corners.at(0), corners.at(1), corners.at(2), corners.at(3)];
    [
        nw[0] * fx + nw[1] * fy,
        ne[0] * gx + ne[1] * fy,
        sw[0] * fx + sw[1] * gy,
        se[0] * gx + se[1] * gy,
    ]
}

/// From 0 to 1, level to the second derivative at both ends.
#[inline(always)]
pub(super) fn fade(t: f32) -> f32 {
    t * t * t * (t * (t * 6.0 - 15.0) + 10.0)
}

/// Derivative of [`fade`].
#[inline(always)]
pub(super) fn fade_slope(t: f32) -> f32 {
    30.0 * t * t * (t * (t - 2.0) + 1.0)
}

/// A unit vector of any direction.
#[inline(always)]
pub(super) fn unit_vector(bits: u32) -> [f32; 2] {
    // 24 bits are the angle within a quarter turn, three below them the quarter.
    let angle = (bits as i32 >> 8) as f32 * EIGHTH_OF_A_TURN;
    let square = angle * angle;
    let along = 1.0 - square * (0.5 - square * (1.0 / 24.0));
    let across = angle * (1.0 - square * (1.0 / 6.0 - square * (1.0 / 120.0)));
    let (sign_x, sign_y) = ((bits << 24) & SIGN, (bits << 25) & SIGN);
    // The exclusive or of two floats' bits, masked, swaps them without a branch.
    let swap = 0_u32.wrapping_sub((bits >> 5) & 1) & (along.to_bits() ^ across.to_bits());
    [
        f32::from_bits(along.to_bits() ^ swap ^ sign_x),
        f32::from_bits(across.to_bits() ^ swap ^ sign_y),
    ]
}

#[cfg(test)]
mod tests {
    use super::super::hash::corner_bits;
    use super::*;

    #[test]
    fn gradients_have_length_one_and_no_direction_is_preferred() {
        let (mut sum, mut product) = ([0.0_f64; 2], [0.0_f64; 3]);
        let mut quarters = [0_u32; 8];
        for corner in 0..100_000 {
            let [x, y] = Gradient::corner(corner_bits(corner, 0, [7, 9])).map(f64::from);
            assert!((x * x + y * y - 1.0).abs() < 1e-3, "{x} {y}");
            sum = [sum[0] + x, sum[1] + y];
            product = [product[0] + x * x, product[1] + x * y, product[2] + y * y];
            let octant = usize::from(x > 0.0) + 2 * usize::from(y > 0.0);
            quarters[octant + 4 * usize::from(x.abs() > y.abs())] += 1;
        }
        assert!(sum.iter().all(|part| part.abs() < 1000.0), "{sum:?}");
        assert!((product[0] / product[2] - 1.0).abs() < 0.02 && product[1].abs() < 500.0);
        assert!(quarters.iter().all(|count| (12_000..13_000).contains(count)), "{quarters:?}");
    }
}
