//! Cells of a coordinate, and the hash of a corner.

/// Coordinates from here on have too few bits left for a fraction; the noise
/// is 0 there.
pub(crate) const REACH: f64 = 2_251_799_813_685_248.0;

/// 1.5 * 2^52: adding it rounds an f64 within [`REACH`] to a whole number that
/// can be read from the low bits, which vector units without a conversion to
/// i64 can do.
const SHIFT: f64 = 6_755_399_441_055_744.0;

/// Multipliers of the two coordinates: odd, without pattern in their bits
/// (fractions of the golden ratio and of the square root of 3).
const FIRST: u32 = 0x9e37_79b1;
const SECOND: u32 = 0xbb67_ae85;

/// Multiplier of what lies above the low 32 bits of a coordinate.
const UPPER: u32 = 0x85eb_ca6b;

/// Hash of a corner. `lattice` is the exclusive or of [`first`] and [`second`].
/// Mixer: `lowbias32` of Wellons's hash prospector (2018), with half of the key
/// before and half inside, so that all 64 bits count.
#[inline(always)]
pub(crate) fn mix(lattice: u32, key: [u32; 2]) -> u32 {
    let mut bits = lattice ^ key[0];
    bits = (bits ^ (bits >> 16)).wrapping_mul(0x21f0_aaad) ^ key[1];
    bits = (bits ^ (bits >> 15)).wrapping_mul(0x735a_2d97);
    bits ^ (bits >> 15)
}

/// What the first coordinate of a corner gives its hash.
#[inline(always)]
pub(crate) fn first(cell: i64) -> u32 {
    (cell as u32).wrapping_mul(FIRST) ^ upper(cell)
}

/// What the second coordinate of a corner gives its hash.
#[inline(always)]
pub(crate) fn second(cell: i64) -> u32 {
    (cell as u32).wrapping_mul(SECOND) ^ upper(cell).rotate_left(16)
}

/// Hash of the corner at two coordinates.
#[inline(always)]
pub(crate) fn corner_bits(x: i64, y: i64, key: [u32; 2]) -> u32 {
    mix(first(x) ^ second(y), key)
}

/// Hash of what the low 32 bits of a cell do not tell: which span of 2^32 cells
/// it lies in. The first span is centred on 0, so that maps around the origin,
/// which have cells of both signs, lie in one.
fn upper(cell: i64) -> u32 {
    (((cell + (1 << 31)) >> 32) as u32).wrapping_mul(UPPER)
}

/// Low 32 bits of the floor, and the fraction.
#[inline(always)]
pub(crate) fn split(coordinate: f64) -> (u32, f32) {
    let nearest = (coordinate + SHIFT) - SHIFT;
    let floor = nearest - if nearest > coordinate { 1.0 } else { 0.0 };
    ((floor + SHIFT).to_bits() as u32, (coordinate - floor) as f32)
}

/// The cell of a coordinate within reach.
pub(crate) fn cell(coordinate: f64) -> i64 {
    coordinate.floor() as i64
}

pub(crate) fn within_reach(coordinate: f64) -> bool {
    coordinate.abs() < REACH
}
