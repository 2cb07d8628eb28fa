//! Noise on an integer lattice: one octave of it.
//!
//! Model: the plane is cut into cells; every corner (or cell) carries two
//! numbers hashed from its place, and the noise of a point is a function of
//! where in its cell it lies and of what the corners around carry. What they
//! carry and what is made of it is the [`Stencil`]: gradients on squares
//! ([`gradient`]), on triangles ([`simplex`]), values ([`value`]) or the points
//! of a cellular pattern ([`worley`]). The cell is the floor of an f64
//! coordinate, all of its bits enter the hash, and only the fraction is
//! narrowed to f32: there is no period and no loss of detail far from the
//! origin. No permutation table: vector units have no table look-up to wait for.
//!
//! Guarantees: a value is a function of (coordinate, key) with one sequence of
//! operations, whether asked for one point ([`Lattice::value`]) or for a tile of
//! samples ([`Lattice::tile`]); |value| <= sqrt(1/2).

mod gradient;
pub(crate) mod hash;
mod simplex;
mod tile;
mod value;
mod worley;

use gradient::Gradient;
use hash::{cell, corner_bits, split, within_reach};
use simplex::Simplex;
pub(crate) use tile::{AREA, HEIGHT, Places, Scratch, Straight, WIDTH, Warped};
use tile::{Lane, Row};
use value::Value;
use worley::{Border, First, Second};

use super::octave::Octave;
use super::sum::Character;

/// What an octave is made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lattice {
    /// Perlin's gradient noise on squares, with gradients of any direction.
    #[default]
    Perlin,
    /// Gradient noise on triangles: rounder hills of more equal height.
    Simplex,
    /// Values at the corners of squares, faded between: lumps, and plainer.
    Value,
    /// Distance to the nearest of scattered points (Worley): bowls between
    /// creased ridges.
    WorleyF1,
    /// Distance to the second nearest point: bowls cut by ridges.
    WorleyF2,
    /// How much farther the second nearest point is than the nearest: domes
    /// between cracks.
    WorleyF2MinusF1,
}

/// What is made of the corners around a point.
trait Stencil {
    /// Corners on a side of the square that counts.
    const SIDE: usize;

    /// Columns (and rows) of that square before the point's own corner.
    const BEFORE: u32;

    /// What a corner carries, from its hash.
    fn corner(bits: u32) -> [f32; 2];

    /// Noise at (`fx`, `fy`) of a cell. `corners` are those of the square, in
    /// rows from the north-west.
    fn blend(fx: f32, fy: f32, corners: &impl Corners) -> f32;

    /// Noise at the samples of a row.
    #[inline(always)]
    fn blend_row(row: &Row, values: &mut [f32; WIDTH]) {
        let Row { fractions: [fx, fy], around, .. } = row;
        for (column, value) in values.iter_mut().enumerate() {
            *value = Self::blend(fx[column], fy[column], &Lane { around, column });
        }
    }

    /// Derivatives of [`Stencil::blend`] along the two coordinates.
    fn blend_slope(fx: f32, fy: f32, corners: &impl Corners) -> [f32; 2];
}

/// What the corners around a point carry. A trait, since closures of this kind are
/// not always inlined, and what is not inlined is no vector code.
trait Corners {
    /// What corner `k` of the square carries.
    fn at(&self, k: usize) -> [f32; 2];
}

impl Corners for [[f32; 2]; MOST_CORNERS] {
    #[inline(always)]
    fn at(&self, k: usize) -> [f32; 2] {
        self[k]
    }
}

/// Most corners that count for a point.
const MOST_CORNERS: usize = 16;

/// Runs `$body` with `$stencil` as the type that `$lattice` names.
macro_rules! with_stencil {
    ($lattice:expr, $stencil:ident => $body:expr) => {
        match $lattice {
            Lattice::Perlin => {
                type $stencil = Gradient;
                $body
            }
            Lattice::Simplex => {
                type $stencil = Simplex;
                $body
            }
            Lattice::Value => {
                type $stencil = Value;
                $body
            }
            Lattice::WorleyF1 => {
                type $stencil = First;
                $body
            }
            Lattice::WorleyF2 => {
                type $stencil = Second;
                $body
            }
            Lattice::WorleyF2MinusF1 => {
                type $stencil = Border;
                $body
            }
        }
    };
}

impl Lattice {
    /// Its statistics, over whole cells. Those of Perlin and value noise are
    /// square roots of integrals over the unit cell, the others measured over
    /// 4,000,000 points.
    pub(super) fn character(self) -> Character {
        let (deviation, mean_magnitude) = match self {
            // 4 * I[w^2 t^2] * I[w^2] with w = 1 - fade.
            Self::Perlin => (0.215_710_802_759_740_53, 0.176_26),
            Self::Simplex => (0.3810, 0.3302),
            Self::Value => (0.3200, 0.2678),
            Self::WorleyF1 => (0.2161, 0.1773),
            Self::WorleyF2 => (0.1974, 0.1588),
            Self::WorleyF2MinusF1 => (0.1911, 0.1569),
        };
        Character { deviation, mean_magnitude }
    }

    /// The two axes of an octave, each in lattice coordinates per metre east
    /// and south, from those of a square lattice whose cells are a wavelength
    /// wide. Cells are made as large as gives every smooth lattice the same
    /// ratio of slope to height, so that one can replace another and hills stay
    /// as wide as they were. Worley's cells are a wavelength wide.
    pub(super) fn fitted(self, axes: [[f64; 2]; 2]) -> [[f64; 2]; 2] {
        match self {
            Self::Perlin | Self::WorleyF1 | Self::WorleyF2 | Self::WorleyF2MinusF1 => axes,
            Self::Simplex => simplex::fitted(axes),
            Self::Value => axes.map(|axis| axis.map(|part| part * value::CELLS)),
        }
    }

    /// Noise at a place of an octave's lattice.
    pub(super) fn value(self, place: [f64; 2], key: [u32; 2]) -> f32 {
        if !(within_reach(place[0]) && within_reach(place[1])) {
            return 0.0;
        }
        with_stencil!(self, S => {
            let (fx, fy, corners) = around::<S>(place, key);
            S::blend(fx, fy, &corners)
        })
    }

    /// As [`Lattice::value`], with the derivatives along the lattice's
    /// coordinates.
    pub(super) fn value_with_slope(self, place: [f64; 2], key: [u32; 2]) -> (f32, [f32; 2]) {
        if !(within_reach(place[0]) && within_reach(place[1])) {
            return (0.0, [0.0; 2]);
        }
        with_stencil!(self, S => {
            let (fx, fy, corners) = around::<S>(place, key);
            (S::blend(fx, fy, &corners), S::blend_slope(fx, fy, &corners))
        })
    }

    /// Noise of an octave at all samples of a tile, to `values`: the bits of
    /// [`Lattice::value`].
    pub(super) fn tile(
        self,
        octave: &Octave,
        places: &impl Places,
        scratch: &mut Scratch,
        values: &mut [f32; AREA],
    ) {
        with_stencil!(self, S => tile::values::<S>(self, octave, places, scratch, values));
    }

    /// As [`Lattice::tile`], with the derivatives along the lattice's
    /// coordinates.
    pub(super) fn tile_with_slope(
        self,
        octave: &Octave,
        places: &impl Places,
        scratch: &mut Scratch,
        values: &mut [f32; AREA],
        slopes: &mut [[f32; AREA]; 2],
    ) {
        with_stencil!(self, S => {
            tile::values_with_slopes::<S>(self, octave, places, scratch, values, slopes);
        });
    }
}

/// Where in its cell a place within reach lies, and what the corners carry.
fn around<S: Stencil>(place: [f64; 2], key: [u32; 2]) -> (f32, f32, [[f32; 2]; MOST_CORNERS]) {
    let ((_, fx), (_, fy)) = (split(place[0]), split(place[1]));
    let first = place.map(|coordinate| cell(coordinate) - i64::from(S::BEFORE));
    let mut corners = [[0.0; 2]; MOST_CORNERS];
    for (k, corner) in corners.iter_mut().take(S::SIDE * S::SIDE).enumerate() {
        let (column, row) = ((k % S::SIDE) as i64, (k / S::SIDE) as i64);
        *corner = S::corner(corner_bits(first[0] + column, first[1] + row, key));
    }
    (fx, fy, corners)
}
