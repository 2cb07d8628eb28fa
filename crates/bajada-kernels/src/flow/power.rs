//! Powers of many positive numbers, in lanes.
//!
//! The routing takes several powers per cell and step, where the `pow` of the
//! maths library would be most of the time. Model: `x^e = 2^(e log2 x)`, with
//! the area-hyperbolic-tangent series for the logarithm and Taylor's for the
//! exponential, each on half an octave. Only `+ - * /` and bit fields, so the
//! same bits everywhere.

/// Raises each of `values` (0..=1e30) to the power of `exponent`, such that the
/// result lies within 1e-30..=1e30, to about two parts in a million; what is
/// below 1e-30 counts as that. Without a branch, so that it runs in lanes.
pub(crate) fn raise(values: &mut [f32], exponent: f32) {
    /// Adding it rounds to a whole number in the low bits.
    const ROUND: f32 = 12_582_912.0;
    for value in values {
        let held = if *value > 1e-30 { *value } else { 1e-30 };
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
    fn they_agree_with_the_maths_library() {
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
    fn areas_of_any_map_can_be_raised() {
        let start: Vec<f32> = (0..60).map(|k| math::expf(0.6 * k as f32)).collect();
        let mut raised = start.clone();
        raise(&mut raised, 0.45);
        for (x, fast) in start.into_iter().zip(raised) {
            let slow = math::pow(f64::from(x), 0.45);
            assert!((f64::from(fast) / slow - 1.0).abs() < 3e-6, "{x}: {fast} {slow}");
        }
    }
}
