//! Gradient noise on an integer lattice.
//!
//! Model: Perlin's noise (2002 form: quintic fade) with unit gradients
//! whose angle is a hash of the corner. The cell is the floor of an
//! f64 coordinate, all of its bits enter the hash, and only the fraction is
//! narrowed to f32: there is no period and no loss of detail far from the
//! origin. Departures from Perlin: no permutation table, and gradients of one
//! length in all directions, so that none is preferred. The angle's sine and
//! cosine are short polynomials: vector units have no table look-up to wait for.
//!
//! Guarantees: a value is a function of (coordinate, key) with one sequence of
//! operations, whether asked for one point ([`value`]) or for a row ([`row`]);
//! |value| <= sqrt(1/2).

use super::octave::Octave;

/// Root mean square of the noise: `4 * I[w^2 t^2] * I[w^2]`, square root of,
/// with `w = 1 - fade`, over the unit cell.
pub(super) const DEVIATION: f64 = 0.215_710_802_759_740_53;

/// Mean of the absolute value, measured over 4,000,000 points.
pub(super) const MEAN_MAGNITUDE: f64 = 0.176_26;

/// Coordinates from here on have too few bits left for a fraction; the noise
/// is 0 there.
const REACH: f64 = 2_251_799_813_685_248.0;

/// 1.5 * 2^52: adding it rounds an f64 within [`REACH`] to a whole number that
/// can be read from the low bits, which vector units without a conversion to
/// i64 can do.
const SHIFT: f64 = 6_755_399_441_055_744.0;

/// Samples that a row works on at once: two vectors of the smallest unit.
const LANES: usize = 8;

/// 2^-23 of an eighth of a turn, in radians: 24 signed bits then span a quarter
/// turn, where five terms give sine and cosine to 4e-5.
const EIGHTH_OF_A_TURN: f32 = std::f32::consts::FRAC_PI_4 / 8_388_608.0;

/// The sign bit of an f32.
const SIGN: u32 = 1 << 31;

/// Multipliers of the two coordinates: odd, without pattern in their bits
/// (fractions of the golden ratio and of the square root of 3).
const FIRST: u32 = 0x9e37_79b1;
const SECOND: u32 = 0xbb67_ae85;

/// Multiplier of what lies above the low 32 bits of a coordinate.
const UPPER: u32 = 0x85eb_ca6b;

/// The unit gradient of a corner. `lattice` is the exclusive or of what its
/// coordinates hash to. Mixer: `lowbias32` of Wellons's hash prospector (2018),
/// with half of the key before and half inside, so that all 64 bits count.
#[inline(always)]
fn gradient(lattice: u32, key: [u32; 2]) -> [f32; 2] {
    let mut bits = lattice ^ key[0];
    bits = (bits ^ (bits >> 16)).wrapping_mul(0x21f0_aaad) ^ key[1];
    bits = (bits ^ (bits >> 15)).wrapping_mul(0x735a_2d97);
    bits ^= bits >> 15;
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

/// Low 32 bits of the floor, and the fraction.
#[inline(always)]
fn split(coordinate: f64) -> (u32, f32) {
    let shifted = coordinate + SHIFT;
    let nearest = shifted - SHIFT;
    let above = nearest > coordinate;
    let floor = if above { nearest - 1.0 } else { nearest };
    ((shifted.to_bits() as u32).wrapping_sub(u32::from(above)), (coordinate - floor) as f32)
}

/// Which span of 2^32 cells a cell lies in. The first span is centred on 0, so
/// that maps around the origin, which have cells of both signs, lie in one.
fn span(cell: i64) -> i64 {
    (cell + (1 << 31)) >> 32
}

/// Hash of what the low 32 bits of a cell do not tell.
fn upper(cell: i64) -> u32 {
    (span(cell) as u32).wrapping_mul(UPPER)
}

fn cell(coordinate: f64) -> i64 {
    coordinate.floor() as i64
}

fn within_reach(coordinate: f64) -> bool {
    coordinate.abs() < REACH
}

#[inline(always)]
fn fade(t: f32) -> f32 {
    t * t * t * (t * (t * 6.0 - 15.0) + 10.0)
}

#[inline(always)]
fn fade_slope(t: f32) -> f32 {
    30.0 * t * t * (t * (t - 2.0) + 1.0)
}

/// Noise inside a cell, from the gradients of its corners: north-west,
/// north-east, south-west, south-east.
#[inline(always)]
fn blend(fx: f32, fy: f32, corners: [[f32; 2]; 4]) -> f32 {
    let [nw, ne, sw, se] = heights(fx, fy, corners);
    let (sx, sy) = (fade(fx), fade(fy));
    let north = nw + (ne - nw) * sx;
    let south = sw + (se - sw) * sx;
    north + (south - north) * sy
}

/// The planes of the four corners, at a point of the cell.
#[inline(always)]
fn heights(fx: f32, fy: f32, [nw, ne, sw, se]: [[f32; 2]; 4]) -> [f32; 4] {
    let (gx, gy) = (fx - 1.0, fy - 1.0);
    [
        nw[0] * fx + nw[1] * fy,
        ne[0] * gx + ne[1] * fy,
        sw[0] * fx + sw[1] * gy,
        se[0] * gx + se[1] * gy,
    ]
}

/// Derivatives of [`blend`] along the two coordinates.
fn blend_slope(fx: f32, fy: f32, corners: [[f32; 2]; 4]) -> [f32; 2] {
    let [nw, ne, sw, se] = heights(fx, fy, corners);
    let (sx, sy) = (fade(fx), fade(fy));
    let along = |axis: usize| {
        let [nw, ne, sw, se] = corners.map(|gradient| gradient[axis]);
        let north = nw + (ne - nw) * sx;
        let south = sw + (se - sw) * sx;
        north + (south - north) * sy
    };
    let east = (ne - nw) + ((se - sw) - (ne - nw)) * sy;
    let south = (sw - nw) + ((se - ne) - (sw - nw)) * sx;
    [along(0) + fade_slope(fx) * east, along(1) + fade_slope(fy) * south]
}

/// Gradients around a place within reach, and the fractions there.
fn around(place: [f64; 2], key: [u32; 2]) -> (f32, f32, [[f32; 2]; 4]) {
    let ((_, fx), (_, fy)) = (split(place[0]), split(place[1]));
    let (x, y) = (cell(place[0]), cell(place[1]));
    let corner = |x: i64, y: i64| {
        let first = (x as u32).wrapping_mul(FIRST) ^ upper(x);
        let second = (y as u32).wrapping_mul(SECOND) ^ upper(y).rotate_left(16);
        gradient(first ^ second, key)
    };
    (fx, fy, [corner(x, y), corner(x + 1, y), corner(x, y + 1), corner(x + 1, y + 1)])
}

/// Noise at a place of an octave's lattice.
pub(super) fn value(place: [f64; 2], key: [u32; 2]) -> f32 {
    if !(within_reach(place[0]) && within_reach(place[1])) {
        return 0.0;
    }
    let (fx, fy, corners) = around(place, key);
    blend(fx, fy, corners)
}

/// As [`value`], with the derivatives along the lattice's coordinates.
pub(super) fn value_with_slope(place: [f64; 2], key: [u32; 2]) -> (f32, [f32; 2]) {
    if !(within_reach(place[0]) && within_reach(place[1])) {
        return (0.0, [0.0; 2]);
    }
    let (fx, fy, corners) = around(place, key);
    (blend(fx, fy, corners), blend_slope(fx, fy, corners))
}

/// Noise of an octave at the world points (`xs[i]`, `y`), `xs` ascending: the
/// bits of [`value`], about three times as fast.
pub(super) fn row(octave: &Octave, xs: &[f64], y: f64, noise: &mut [f32]) {
    let slow = |xs: &[f64], noise: &mut [f32]| {
        for (cell, &x) in noise.iter_mut().zip(xs) {
            *cell = value(octave.place(x, y), octave.key);
        }
    };
    let Some(key) = row_key(octave, xs, y) else { return slow(xs, noise) };
    let row = octave.row(y);
    let (blocks, rest) = noise.as_chunks_mut::<LANES>();
    let (block_xs, rest_xs) = xs.as_chunks::<LANES>();
    for (block, xs) in blocks.iter_mut().zip(block_xs) {
        *block = lanes(octave, row, key, xs);
    }
    slow(rest_xs, rest);
}

/// The key of a row that lies in one span of both coordinates, with the spans
/// hashed into it. Coordinates change steadily
/// along a row, so its two ends tell for all.
fn row_key(octave: &Octave, xs: &[f64], y: f64) -> Option<[u32; 2]> {
    let (first, last) = (octave.place(*xs.first()?, y), octave.place(*xs.last()?, y));
    let mut uppers = [0; 2];
    for axis in 0..2 {
        let (a, b) = (first[axis], last[axis]);
        if !(within_reach(a) && within_reach(b)) {
            return None;
        }
        let (low, high) = if a < b { (cell(a), cell(b)) } else { (cell(b), cell(a)) };
        if span(low) != span(high + 1) {
            return None;
        }
        uppers[axis] = upper(low);
    }
    Some([octave.key[0] ^ uppers[0] ^ uppers[1].rotate_left(16), octave.key[1]])
}

/// Noise at eight points of a row. Short loops over arrays, one kind of work
/// each: that is what the compiler turns into vector code by itself.
#[inline(always)]
fn lanes(octave: &Octave, row: [f64; 2], key: [u32; 2], xs: &[f64; LANES]) -> [f32; LANES] {
    let (mut cell_x, mut cell_y) = ([0_u32; LANES], [0_u32; LANES]);
    let (mut fx, mut fy) = ([0_f32; LANES], [0_f32; LANES]);
    for lane in 0..LANES {
        (cell_x[lane], fx[lane]) = split(xs[lane] * octave.axes[0][0] + row[0]);
    }
    for lane in 0..LANES {
        (cell_y[lane], fy[lane]) = split(xs[lane] * octave.axes[1][0] + row[1]);
    }
    let mut differ = 0;
    for lane in 1..LANES {
        differ |= (cell_x[lane] ^ cell_x[0]) | (cell_y[lane] ^ cell_y[0]);
    }
    let mut noise = [0.0; LANES];
    if differ == 0 {
        // Waves much longer than a cell: one cell of the lattice for all.
        let corners = cell_gradients(cell_x[0], cell_y[0], key);
        for lane in 0..LANES {
            noise[lane] = blend(fx[lane], fy[lane], corners);
        }
        return noise;
    }
    let (mut west, mut north) = ([0_u32; LANES], [0_u32; LANES]);
    let (mut east, mut south) = ([0_u32; LANES], [0_u32; LANES]);
    for lane in 0..LANES {
        west[lane] = cell_x[lane].wrapping_mul(FIRST);
        north[lane] = cell_y[lane].wrapping_mul(SECOND);
        east[lane] = west[lane].wrapping_add(FIRST);
        south[lane] = north[lane].wrapping_add(SECOND);
    }
    let corners = [
        lane_gradients(&west, &north, key),
        lane_gradients(&east, &north, key),
        lane_gradients(&west, &south, key),
        lane_gradients(&east, &south, key),
    ];
    for lane in 0..LANES {
        noise[lane] = blend(
            fx[lane],
            fy[lane],
            [
                [corners[0][0][lane], corners[0][1][lane]],
                [corners[1][0][lane], corners[1][1][lane]],
                [corners[2][0][lane], corners[2][1][lane]],
                [corners[3][0][lane], corners[3][1][lane]],
            ],
        );
    }
    noise
}

/// Gradients of one corner of eight cells.
#[inline(always)]
fn lane_gradients(x: &[u32; LANES], y: &[u32; LANES], key: [u32; 2]) -> [[f32; LANES]; 2] {
    let mut gradients = [[0.0; LANES]; 2];
    for lane in 0..LANES {
        let [gx, gy] = gradient(x[lane] ^ y[lane], key);
        gradients[0][lane] = gx;
        gradients[1][lane] = gy;
    }
    gradients
}

/// Gradients of the four corners of a cell.
#[inline(always)]
fn cell_gradients(x: u32, y: u32, key: [u32; 2]) -> [[f32; 2]; 4] {
    let (west, north) = (x.wrapping_mul(FIRST), y.wrapping_mul(SECOND));
    let (east, south) = (west.wrapping_add(FIRST), north.wrapping_add(SECOND));
    [
        gradient(west ^ north, key),
        gradient(east ^ north, key),
        gradient(west ^ south, key),
        gradient(east ^ south, key),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gradients_have_length_one_and_no_direction_is_preferred() {
        let (mut sum, mut product) = ([0.0_f64; 2], [0.0_f64; 3]);
        let mut quarters = [0_u32; 8];
        for corner in 0..100_000_u32 {
            let [x, y] = gradient(corner.wrapping_mul(FIRST), [7, 9]).map(f64::from);
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

    #[test]
    fn a_row_that_crosses_two_to_the_32_cells_has_the_bits_of_its_points() {
        for border in [0.0, 2_147_483_648.0, -2_147_483_648.0, 6_442_450_944.0] {
            let octave = Octave {
                axes: [[1.0, 0.0], [0.0, 1.0]],
                phase: [border - 20.0, border],
                key: [5, 6],
                share: 1.0,
                clarity: 1.0,
            };
            let xs: Vec<f64> = (0..163).map(|x| f64::from(x) * 0.25).collect();
            let mut noise = vec![0.0; xs.len()];
            row(&octave, &xs, -0.3, &mut noise);
            for (&x, noise) in xs.iter().zip(noise) {
                let point = value(octave.place(x, -0.3), octave.key);
                assert_eq!(noise.to_bits(), point.to_bits());
            }
        }
    }
}
