//! Waves across a direction, the phase of each cell its own.

use crate::source::lattice::hash::{cell, first, mix, second, split, within_reach};
use crate::source::octave::Octave;

/// Places that are worked on at once.
pub(super) const LANES: usize = 8;

/// Side of the square of cells whose waves meet at a place, and how many lie
/// before the place's own corner.
const SIDE: usize = 4;
const BEFORE: i64 = 2;

/// Cells from which a wave is gone: nearer to the place than anything outside
/// of the square.
const GONE: f32 = 1.5;

/// Share of a mixed wave's full height that is added to its own before it is
/// divided by it: where waves cancel each other the stripe fades, rather than
/// jump.
const CALM: f32 = 0.15;

/// 1.5 * 2^23: adding it rounds an f32 to a whole number.
const SHIFT: f32 = 12_582_912.0;

/// Gradients of eight places, rise over run.
#[derive(Clone, Copy)]
pub(super) struct Slopes {
    pub(super) east: [f32; LANES],
    pub(super) south: [f32; LANES],
}

impl Slopes {
    pub(super) fn from_fn(gradient: impl Fn(usize) -> [f32; 2]) -> Self {
        let mut slopes = Self { east: [0.0; LANES], south: [0.0; LANES] };
        for lane in 0..LANES {
            [slopes.east[lane], slopes.south[lane]] = gradient(lane);
        }
        slopes
    }

    /// How steep, and the unit vectors across the slope: with the beds running
    /// down, waves run along the contour. Level ground has none.
    pub(super) fn split(&self) -> ([f32; LANES], [[f32; LANES]; 2]) {
        let (mut steepness, mut across) = ([0.0; LANES], [[0.0; LANES]; 2]);
        for lane in 0..LANES {
            let (east, south) = (self.east[lane], self.south[lane]);
            let slope = (east * east + south * south).sqrt();
            let inverse = if slope > 0.0 { 1.0 / slope } else { 0.0 };
            steepness[lane] = slope;
            across[0][lane] = -south * inverse;
            across[1][lane] = east * inverse;
        }
        (steepness, across)
    }
}

/// Stripes at eight places.
pub(super) struct Waves {
    /// From -1 in a bed to 1 on a rib.
    pub(super) height: [f32; LANES],
    /// Rise of `height` per metre of the way across.
    pub(super) slope: [f32; LANES],
}

/// The stripes of an octave, `across` being the way from rib to rib and
/// `waves_per_cell` how many there are to a cell of its lattice.
pub(super) fn stripes(
    octave: &Octave,
    xs: [f64; LANES],
    y: f64,
    across: &[[f32; LANES]; 2],
    waves_per_cell: f32,
) -> Waves {
    let mut waves = Waves { height: [1.0; LANES], slope: [0.0; LANES] };
    let mut fractions = [[0.0_f32; LANES]; 2];
    let mut hashes = [[[0_u32; LANES]; SIDE]; 2];
    for lane in 0..LANES {
        let place = octave.place(xs[lane], y);
        if !(within_reach(place[0]) && within_reach(place[1])) {
            return waves;
        }
        let corner = place.map(|coordinate| cell(coordinate) - BEFORE);
        for axis in 0..2 {
            fractions[axis][lane] = split(place[axis]).1;
            for (step, hashes) in hashes[axis].iter_mut().enumerate() {
                let at = corner[axis] + step as i64;
                hashes[lane] = if axis == 0 { first(at) } else { second(at) };
            }
        }
    }
    // The way across, in the octave's own turned axes.
    let length =
        (octave.axes[0][0] * octave.axes[0][0] + octave.axes[0][1] * octave.axes[0][1]).sqrt();
    let turn = octave.axes.map(|axis| axis.map(|part| (part / length) as f32 * waves_per_cell));
    let per_metre = std::f32::consts::TAU * length as f32 * waves_per_cell;
    let mut along = [[0.0_f32; LANES]; 2];
    for axis in 0..2 {
        for lane in 0..LANES {
            along[axis][lane] = turn[axis][0] * across[0][lane] + turn[axis][1] * across[1][lane];
        }
    }
    let (mut cosines, mut sines, mut full) = ([0.0_f32; LANES], [0.0_f32; LANES], [0.0; LANES]);
    for row in 0..SIDE {
        for column in 0..SIDE {
            for lane in 0..LANES {
                let bits = mix(hashes[0][column][lane] ^ hashes[1][row][lane], octave.key);
                let x = fractions[0][lane] - 0.5 - (column as f32 - 2.0) - half(bits & 0xffff);
                let y = fractions[1][lane] - 0.5 - (row as f32 - 2.0) - half(bits >> 16);
                let near = 1.0 - (x * x + y * y) * (1.0 / (GONE * GONE));
                let near = if near > 0.0 { near } else { 0.0 };
                let weight = near * near * near;
                let (sine, cosine) = wave(x * along[0][lane] + y * along[1][lane]);
                cosines[lane] += weight * cosine;
                sines[lane] += weight * sine;
                full[lane] += weight;
            }
        }
    }
    for lane in 0..LANES {
        let (c, s) = (cosines[lane], sines[lane]);
        let mixed = (c * c + s * s).sqrt() + CALM * full[lane];
        let scale = if mixed > 0.0 { (1.0 + CALM) / mixed } else { 0.0 };
        waves.height[lane] = scale * c;
        waves.slope[lane] = -per_metre * scale * s;
    }
    waves
}

/// 0..1 from sixteen bits.
#[inline(always)]
fn half(bits: u32) -> f32 {
    bits as i32 as f32 * (1.0 / 65_536.0)
}

/// Sine and cosine of a number of turns, to 1e-5: those of half the angle by
/// their series, then doubled.
#[inline(always)]
pub(super) fn wave(turns: f32) -> (f32, f32) {
    let whole = (turns + SHIFT) - SHIFT;
    let angle = (turns - whole) * std::f32::consts::PI;
    let square = angle * angle;
    let sine = angle
        * (1.0
            - square
                * (1.0 / 6.0
                    - square
                        * (1.0 / 120.0 - square * (1.0 / 5040.0 - square * (1.0 / 362_880.0)))));
    let cosine = 1.0
        - square
            * (0.5
                - square
                    * (1.0 / 24.0
                        - square
                            * (1.0 / 720.0
                                - square * (1.0 / 40_320.0 - square * (1.0 / 3_628_800.0)))));
    (2.0 * sine * cosine, 1.0 - 2.0 * sine * sine)
}
