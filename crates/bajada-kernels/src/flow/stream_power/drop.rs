//! How far a cell comes to stand above its receiver: one unknown per cell.
//!
//! An implicit step asks for the drop `d` with `d + F d^n = D`: `D` is the drop
//! that the ground would have without rivers, `F = K dt A^m / L^n`. For n = 1
//! it is `D / (1 + F)`. Else Newton's method, on `d` for n > 1 and on `d^n` for
//! n < 1: either way the left side is convex and rises, so that from above
//! the root no step leaves the bracket `0..=D`. It begins less than
//! twice as far out as the root and ends at the first step that is no longer
//! felt.

use bajada_grid::math;

/// Most steps of Newton's method; a handful is taken.
const MOST_STEPS: u32 = 30;

/// Share of the unknown below which a step counts as none.
const CLOSE: f64 = 1e-12;

/// The `d` within `0..=whole` for which `d + factor d^exponent = whole`, to
/// 1e-10 of `whole`.
#[inline]
pub(super) fn drop_left(whole: f64, factor: f64, exponent: f64) -> f64 {
    if exponent >= 1.0 {
        return math::clamp(root(1.0, factor, exponent, whole), 0.0, whole);
    }
    let raised = root(factor, 1.0, 1.0 / exponent, whole);
    math::clamp(math::pow(raised, 1.0 / exponent), 0.0, whole)
}

/// The root of `linear x + bent x^exponent = whole`, exponent >= 1.
#[inline]
fn root(linear: f64, bent: f64, exponent: f64, whole: f64) -> f64 {
    // Either term alone makes all of it: the root lies below both.
    let alone = if bent > 0.0 { math::pow(whole / bent, 1.0 / exponent) } else { f64::INFINITY };
    let mut x = if linear > 0.0 { math::min(whole / linear, alone) } else { alone };
    for _ in 0..MOST_STEPS {
        let steep = bent * math::pow(x, exponent - 1.0);
        let miss = x * (linear + steep) - whole;
        let next = x - miss / (linear + exponent * steep);
        if next.is_nan() || next >= x * (1.0 - CLOSE) {
            break;
        }
        x = next;
    }
    x
}

#[cfg(test)]
mod tests {
    use bajada_grid::Stream;

    use super::*;

    #[test]
    fn known_roots_are_found() {
        assert!((drop_left(2.0, 1.0, 1.0) - 1.0).abs() < 1e-10);
        assert!((drop_left(6.0, 1.0, 2.0) - 2.0).abs() < 6e-10);
        assert!((drop_left(6.0, 1.0, 0.5) - 4.0).abs() < 6e-10);
        assert_eq!(drop_left(5.0, 0.0, 2.0), 5.0);
        assert_eq!(drop_left(5.0, 0.0, 0.5).round(), 5.0);
        assert_eq!(drop_left(5.0, f64::INFINITY, 2.0), 0.0);
        assert_eq!(drop_left(5.0, f64::INFINITY, 0.5), 0.0);
    }

    #[test]
    fn the_equation_holds_and_the_bracket_is_never_left() {
        let stream = Stream::new(5);
        for item in 0..50_000 {
            let draw = |place| stream.uniform(item, place);
            let whole = math::exp(18.0 * draw(0) - 9.0);
            let factor = math::exp(40.0 * draw(1) - 20.0);
            let exponent = 0.5 + 2.5 * draw(2);
            let left = drop_left(whole, factor, exponent);
            assert!((0.0..=whole).contains(&left), "{left} of {whole}");
            let miss = left + factor * math::pow(left, exponent) - whole;
            assert!(miss.abs() <= 1e-10 * whole, "{whole} {factor} {exponent}: {miss:e}");
        }
    }
}
