//! Gradient noise on triangles (Perlin 2001, in the form of Gustavson 2005).
//!
//! Squares sheared along their diagonal become pairs of equilateral triangles:
//! the lattice is the square one in sheared coordinates, which the octave's axes
//! hold, so that a cell is found as any other. Each of a triangle's three
//! corners adds its plane under a round bump that ends at the opposite side, so
//! that the noise is smooth to the third derivative. Departure: gradients of
//! length one in any direction in place of eight.

use bajada_grid::math;

use super::gradient::unit_vector;
use super::{Corners, Stencil};

pub(super) struct Simplex;

/// (sqrt(3) - 1) / 2: how much of the sum of two coordinates the shear adds.
const SHEAR: f64 = 0.366_025_403_784_438_65;

/// (3 - sqrt(3)) / 6: how much of the sum of two sheared ones to take back.
const UNSHEAR: f32 = 0.211_324_87;

/// Triangle heights (times sqrt(1/2)) to a wavelength: of all sizes this one has
/// the same root mean square of slope over that of height as Perlin's lattice.
const CELLS: f64 = 0.6053;

/// 1 over the largest sum of three bumps and aligned gradients, times the bound
/// of sqrt(1/2): the maximum over a triangle, found on a lattice of 2001^2 points.
const SCALE: f32 = 70.148;

/// The axes of the sheared lattice.
pub(super) fn fitted(axes: [[f64; 2]; 2]) -> [[f64; 2]; 2] {
    let [first, second] = axes.map(|axis| axis.map(|part| part * CELLS));
    let shear = [SHEAR * (first[0] + second[0]), SHEAR * (first[1] + second[1])];
    [[first[0] + shear[0], first[1] + shear[1]], [second[0] + shear[0], second[1] + shear[1]]]
}

/// Way from each of the triangle's corners to the point, in plain coordinates,
/// and the gradient there.
#[inline(always)]
fn ways(fx: f32, fy: f32, corners: &impl Corners) -> [([f32; 2], [f32; 2]); 3] {
    let back = (fx + fy) * UNSHEAR;
    let (x, y) = (fx - back, fy - back);
    let east = fx > fy;
    let (step_x, step_y) = if east { (1.0, 0.0) } else { (0.0, 1.0) };
    let (ne, sw) = (corners.at(1), corners.at(2));
    let middle = [if east { ne[0] } else { sw[0] }, if east { ne[1] } else { sw[1] }];
    [
        ([x, y], corners.at(0)),
        ([x - step_x + UNSHEAR, y - step_y + UNSHEAR], middle),
        ([x - 1.0 + 2.0 * UNSHEAR, y - 1.0 + 2.0 * UNSHEAR], corners.at(3)),
    ]
}

impl Stencil for Simplex {
    const SIDE: usize = 2;
    const BEFORE: u32 = 0;

    #[inline(always)]
    fn corner(bits: u32) -> [f32; 2] {
        unit_vector(bits)
    }

    #[inline(always)]
    fn blend(fx: f32, fy: f32, corners: &impl Corners) -> f32 {
        let mut sum = 0.0;
        for ([x, y], gradient) in ways(fx, fy, corners) {
            let near = math::max(0.5 - x * x - y * y, 0.0);
            let square = near * near;
            sum += square * square * (gradient[0] * x + gradient[1] * y);
        }
        SCALE * sum
    }

    #[inline(always)]
    fn blend_slope(fx: f32, fy: f32, corners: &impl Corners) -> [f32; 2] {
        let (mut east, mut south) = (0.0, 0.0);
        for ([x, y], gradient) in ways(fx, fy, corners) {
            let near = math::max(0.5 - x * x - y * y, 0.0);
            let square = near * near;
            let bent = -8.0 * square * near * (gradient[0] * x + gradient[1] * y);
            east += square * square * gradient[0] + bent * x;
            south += square * square * gradient[1] + bent * y;
        }
        // A step along a sheared coordinate is a step in both plain ones.
        let back = (east + south) * UNSHEAR;
        [SCALE * (east - back), SCALE * (south - back)]
    }
}
