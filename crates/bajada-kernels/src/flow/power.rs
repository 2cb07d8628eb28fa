//! Powers of positive numbers, in a dozen multiplications.
//!
//! The routing takes several powers per cell and step, where the full `pow` of
//! the maths library would be most of the time. Model: `x^e = 2^(e log2 x)`,
//! with the area-hyperbolic-tangent series for the logarithm and Taylor's for
//! the exponential, each on half an octave. Only `+ - * /` and bit fields, so
//! the same bits everywhere; relative error below 1e-10 for results within
//! 1e-30..1e30.

use std::f64::consts::{LN_2, SQRT_2};

/// `x` to the power of `exponent`; 0 for `x` that is not a normal number above
/// 0.
#[inline(always)]
pub(crate) fn power(x: f64, exponent: f64) -> f64 {
    if !(f64::MIN_POSITIVE..=f64::MAX).contains(&x) {
        return 0.0;
    }
    exp2(exponent * log2(x))
}

#[inline(always)]
fn log2(x: f64) -> f64 {
    let bits = x.to_bits();
    let mut octave = (bits >> 52) as i64 - 1023;
    let mut mantissa = f64::from_bits((bits & 0x000f_ffff_ffff_ffff) | 0x3ff0_0000_0000_0000);
    if mantissa > SQRT_2 {
        mantissa *= 0.5;
        octave += 1;
    }
    // |t| <= 0.172: the first term left out is below 1e-11.
    let t = (mantissa - 1.0) / (mantissa + 1.0);
    let t2 = t * t;
    let series = 1.0
        + t2 * (1.0 / 3.0
            + t2 * (1.0 / 5.0 + t2 * (1.0 / 7.0 + t2 * (1.0 / 9.0 + t2 * (1.0 / 11.0)))));
    octave as f64 + t * series * (2.0 / LN_2)
}

#[inline(always)]
fn exp2(x: f64) -> f64 {
    if !(-1000.0..=1000.0).contains(&x) {
        return if x > 0.0 { f64::MAX } else { 0.0 };
    }
    let shifted = x + 1024.5;
    let whole = shifted as i64;
    // -1/2 ..= 1/2, exactly.
    let f = (x - (whole - 1024) as f64) * LN_2;
    let series = 1.0
        + f * (1.0
            + f * (1.0 / 2.0
                + f * (1.0 / 6.0
                    + f * (1.0 / 24.0
                        + f * (1.0 / 120.0
                            + f * (1.0 / 720.0
                                + f * (1.0 / 5040.0 + f * (1.0 / 40320.0 + f / 362880.0))))))));
    series * f64::from_bits(((whole - 1) as u64) << 52)
}

/// Raises each of `values` (0..=1) to the power of `exponent` (0..=20), to
/// about one part in a million; what is below 1e-6 counts as that. Without a
/// branch, so that it runs in lanes.
pub(crate) fn raise(values: &mut [f32], exponent: f32) {
    /// Adding it rounds to a whole number in the low bits.
    const ROUND: f32 = 12_582_912.0;
    for value in values {
        let held = if *value > 1e-6 { *value } else { 1e-6 };
        let bits = held.to_bits();
        // The mantissa within sqrt(1/2)..sqrt(2), the octave to match.
        let octave = (bits.wrapping_sub(0x3f35_04f3) as i32) >> 23;
        let mantissa = f32::from_bits(bits.wrapping_sub((octave as u32) << 23));
        let t = (mantissa - 1.0) / (mantissa + 1.0);
        let t2 = t * t;
        let series = 1.0 + t2 * (1.0 / 3.0 + t2 * (1.0 / 5.0 + t2 * (1.0 / 7.0)));
        let log = octave as f32 + t * series * (std::f32::consts::LOG2_E * 2.0);
        let scaled = exponent * log;
        let held = if scaled > -120.0 { scaled } else { -120.0 };
        let rounded = held + ROUND;
        let f = (held - (rounded - ROUND)) * std::f32::consts::LN_2;
        let series = 1.0
            + f * (1.0
                + f * (1.0 / 2.0
                    + f * (1.0 / 6.0 + f * (1.0 / 24.0 + f * (1.0 / 120.0 + f * (1.0 / 720.0))))));
        let whole = rounded.to_bits().wrapping_sub(ROUND.to_bits());
        *value = f32::from_bits(series.to_bits().wrapping_add(whole << 23));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bajada_grid::{Stream, math};

    #[test]
    fn it_agrees_with_the_maths_library() {
        let stream = Stream::new(3);
        for item in 0..200_000 {
            let x = math::exp((stream.uniform(item, 0) - 0.5) * 60.0);
            let exponent = stream.uniform(item, 1) * 2.0;
            let (fast, slow) = (power(x, exponent), math::pow(x, exponent));
            assert!((fast / slow - 1.0).abs() < 1e-10, "{x} ^ {exponent}: {fast} {slow}");
        }
    }

    #[test]
    fn many_at_once_agree_with_it() {
        let stream = Stream::new(4);
        for item in 0..2_000 {
            let start: Vec<f32> =
                (0..64).map(|k| math::expf(-13.0 * stream.uniform(item, k) as f32)).collect();
            let exponent = 0.5 + stream.uniform(item, 99) as f32 * 2.0;
            let mut raised = start.clone();
            raise(&mut raised, exponent);
            for (x, fast) in start.into_iter().zip(raised) {
                let slow = math::pow(f64::from(x), f64::from(exponent));
                assert!((f64::from(fast) / slow - 1.0).abs() < 6e-6, "{x} ^ {exponent}: {fast}");
            }
        }
        let mut ones = [1.0; 8];
        raise(&mut ones, 1.1);
        assert_eq!(ones, [1.0; 8]);
    }

    #[test]
    fn what_is_no_positive_number_is_zero() {
        for x in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e-310] {
            assert_eq!(power(x, 0.5), 0.0);
        }
        assert_eq!((power(1.0, 1.1), power(4.0, 0.0)), (1.0, 1.0));
    }
}
