//! The one door to maths beyond `+ - * / sqrt`.
//!
//! `f64::sin` and its kin call the platform's library and differ in the last
//! bits between systems; `min`, `max` and `clamp` leave the sign of zero (and
//! NaN) open. clippy denies them everywhere; what is needed lives here, on the
//! pinned pure-Rust `libm` crate. Functions on f32 carry C's `f` suffix.

/// Sine of an angle in radians.
pub fn sin(x: f64) -> f64 {
    libm::sin(x)
}

/// Sine of an angle in radians.
pub fn sinf(x: f32) -> f32 {
    libm::sinf(x)
}

/// Cosine of an angle in radians.
pub fn cos(x: f64) -> f64 {
    libm::cos(x)
}

/// Cosine of an angle in radians.
pub fn cosf(x: f32) -> f32 {
    libm::cosf(x)
}

/// Tangent of an angle in radians.
pub fn tan(x: f64) -> f64 {
    libm::tan(x)
}

/// Tangent of an angle in radians.
pub fn tanf(x: f32) -> f32 {
    libm::tanf(x)
}

/// Arc tangent, in radians.
pub fn atan(x: f64) -> f64 {
    libm::atan(x)
}

/// Arc tangent, in radians.
pub fn atanf(x: f32) -> f32 {
    libm::atanf(x)
}

/// e to the power of `x`.
pub fn exp(x: f64) -> f64 {
    libm::exp(x)
}

/// e to the power of `x`.
pub fn expf(x: f32) -> f32 {
    libm::expf(x)
}

/// Natural logarithm.
pub fn ln(x: f64) -> f64 {
    libm::log(x)
}

/// Natural logarithm.
pub fn lnf(x: f32) -> f32 {
    libm::logf(x)
}

/// `x` to the power of `y`.
pub fn pow(x: f64, y: f64) -> f64 {
    libm::pow(x, y)
}

/// `x` to the power of `y`.
pub fn powf(x: f32, y: f32) -> f32 {
    libm::powf(x, y)
}

/// Angle of the vector (`x`, `y`) in radians.
pub fn atan2(y: f64, x: f64) -> f64 {
    libm::atan2(y, x)
}

/// Degrees as radians.
pub fn radians(degrees: f64) -> f64 {
    degrees * (std::f64::consts::PI / 180.0)
}

/// Rise over run of a slope given in degrees.
pub fn tan_deg(degrees: f64) -> f64 {
    tan(radians(degrees))
}

/// Degrees of a slope given as rise over run.
pub fn atan_deg(slope: f64) -> f64 {
    atan(slope) * (180.0 / std::f64::consts::PI)
}

/// The smaller of two; `a` when they are equal or `b` is NaN.
pub fn min<T: PartialOrd>(a: T, b: T) -> T {
    if b < a { b } else { a }
}

/// The larger of two; `a` when they are equal or `b` is NaN.
pub fn max<T: PartialOrd>(a: T, b: T) -> T {
    if b > a { b } else { a }
}

/// `x` held within `low ..= high`; NaN becomes `low`.
pub fn clamp<T: PartialOrd>(x: T, low: T, high: T) -> T {
    if x > low { if x < high { x } else { high } } else { low }
}

/// From `a` at `t` = 0 to `b` at `t` = 1.
pub fn lerp(a: f64, b: f64, t: f64) -> f64 {
    a + (b - a) * t
}

/// 0 below `a`, 1 above `b`, a cubic with flat ends between.
pub fn smoothstep(a: f64, b: f64, x: f64) -> f64 {
    let t = clamp((x - a) / (b - a), 0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// As [`smoothstep`], in f32.
pub fn smoothstepf(a: f32, b: f32, x: f32) -> f32 {
    let t = clamp((x - a) / (b - a), 0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tangent_of_granite_is_steep() {
        assert!((tan_deg(75.0) - 3.732_050_807_568_877).abs() < 1e-12);
        assert!((atan_deg(tan_deg(33.0)) - 33.0).abs() < 1e-12);
    }

    #[test]
    fn nan_never_passes_a_clamp() {
        assert_eq!(clamp(f64::NAN, 1.0, 2.0), 1.0);
        assert_eq!(min(1.0, f64::NAN), 1.0);
        assert_eq!(max(1.0, f64::NAN), 1.0);
    }

    /// Last bits as the pinned version gives them: a change of `libm` that
    /// would move every golden is seen here first.
    #[test]
    fn the_pinned_library_gives_the_bits_it_gave() {
        let bits: Vec<u64> =
            [sin(0.7), cos(0.7), tan(0.7), exp(0.7), ln(0.7), pow(0.7, 1.3), atan(0.7)]
                .iter()
                .map(|value| value.to_bits())
                .collect();
        assert_eq!(bits, PINNED);
    }

    const PINNED: [u64; 7] = [
        4603977816617654712,
        4605064305524579731,
        4605761878818060462,
        4611716986771507591,
        13823468941351141200,
        4603840445317961188,
        4603676149996573869,
    ];
}
