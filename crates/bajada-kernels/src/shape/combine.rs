//! Two fields into one.
//!
//! Pointwise: a cell of the result depends on that cell of the inputs alone.
//! Where a mask is 0 the result is `a` to the bit; elsewhere it goes from `a`
//! (0) to the operation's result (1) in a straight line. The smooth forms are
//! the quadratic polynomial minimum (Quilez 2013): where the two are `width` or
//! more apart it is the plain minimum to the bit, and nowhere is it more than
//! `width / 4` away from it.

use bajada_grid::{Grid, math, par};

/// What becomes of `a` and `b`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Operation {
    /// `a + b`
    #[default]
    Add,
    /// `a - b`
    Subtract,
    /// `a * b`
    Multiply,
    /// The lower of both.
    Min,
    /// The higher of both.
    Max,
    /// The lower of both, without a crease.
    SmoothMin {
        /// Height difference within which both count, m. At 0 the plain
        /// minimum.
        width: f32,
    },
    /// The higher of both, without a crease.
    SmoothMax {
        /// Height difference within which both count, m. At 0 the plain
        /// maximum.
        width: f32,
    },
    /// `b`: with a mask, from `a` to `b`.
    Lerp,
}

/// `a` and `b` put together cell by cell, on the domain of `a`. All grids must
/// have one size; a `mask` holds 0..1 and is held to it.
pub fn combine(
    a: &Grid<f32>,
    b: &Grid<f32>,
    mask: Option<&Grid<f32>>,
    operation: Operation,
) -> Grid<f32> {
    match operation {
        Operation::Add => apply(a, b, mask, |a, b| a + b),
        Operation::Subtract => apply(a, b, mask, |a, b| a - b),
        Operation::Multiply => apply(a, b, mask, |a, b| a * b),
        Operation::Min => apply(a, b, mask, math::min),
        Operation::Max => apply(a, b, mask, math::max),
        Operation::SmoothMin { width } => apply(a, b, mask, |a, b| smooth_min(a, b, width)),
        Operation::SmoothMax { width } => apply(a, b, mask, |a, b| smooth_max(a, b, width)),
        Operation::Lerp => apply(a, b, mask, |_, b| b),
    }
}

/// The lower of two heights, rounded off where they are less than `width`
/// apart.
pub fn smooth_min(a: f32, b: f32, width: f32) -> f32 {
    math::min(a, b) - rounding(a, b, width)
}

/// The higher of two heights, rounded off where they are less than `width`
/// apart.
pub fn smooth_max(a: f32, b: f32, width: f32) -> f32 {
    math::max(a, b) + rounding(a, b, width)
}

/// 0 from `width` on, `width / 4` where both are equal.
fn rounding(a: f32, b: f32, width: f32) -> f32 {
    let near = width - (a - b).abs();
    if near > 0.0 { near * (near / width) * 0.25 } else { 0.0 }
}

fn apply(
    a: &Grid<f32>,
    b: &Grid<f32>,
    mask: Option<&Grid<f32>>,
    operation: impl Fn(f32, f32) -> f32 + Sync,
) -> Grid<f32> {
    let mut out = a.like(0.0_f32);
    match mask {
        None => par::map(&mut out, |index| operation(a[index], b[index])),
        Some(mask) => {
            par::map(&mut out, |index| blend(a[index], operation(a[index], b[index]), mask[index]))
        }
    }
    out
}

/// From `before` (to the bit) where `mask` is 0 to `after` (to the bit) where
/// it is 1.
pub fn blend(before: f32, after: f32, mask: f32) -> f32 {
    if mask >= 1.0 {
        after
    } else if mask > 0.0 {
        before + (after - before) * mask
    } else {
        before
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bajada_grid::Domain;

    fn row(values: [f32; 3]) -> Grid<f32> {
        let domain = Domain::new(3, 1, 1.0, [0.0; 2]).expect("legal");
        Grid::from_vec(domain, values.to_vec()).expect("three cells")
    }

    #[test]
    fn each_operation_gives_its_known_answer() {
        let (a, b) = (row([1.0, 5.0, -2.0]), row([3.0, 2.0, -2.0]));
        let check = |operation, expected: [f32; 3]| {
            assert_eq!(combine(&a, &b, None, operation).as_slice(), expected, "{operation:?}");
        };
        check(Operation::Add, [4.0, 7.0, -4.0]);
        check(Operation::Subtract, [-2.0, 3.0, 0.0]);
        check(Operation::Multiply, [3.0, 10.0, 4.0]);
        check(Operation::Min, [1.0, 2.0, -2.0]);
        check(Operation::Max, [3.0, 5.0, -2.0]);
        check(Operation::SmoothMin { width: 2.0 }, [1.0, 2.0, -2.5]);
        check(Operation::SmoothMax { width: 2.0 }, [3.0, 5.0, -1.5]);
        check(Operation::SmoothMax { width: 0.0 }, [3.0, 5.0, -2.0]);
        check(Operation::Lerp, [3.0, 2.0, -2.0]);
    }

    #[test]
    fn a_mask_of_zero_keeps_a_and_a_mask_of_one_gives_the_result() {
        let (a, b) = (row([0.1, -0.0, 0.3]), row([7.7, 8.8, 9.9]));
        let mask = row([0.0, 0.0, 1.0]);
        let out = combine(&a, &b, Some(&mask), Operation::Add);
        assert_eq!(out[0].to_bits(), 0.1_f32.to_bits());
        assert_eq!(out[1].to_bits(), (-0.0_f32).to_bits());
        assert_eq!(out[2], 0.3 + 9.9);
        let half = combine(&a, &b, Some(&row([0.5; 3])), Operation::Lerp);
        assert!((half[2] - 5.1).abs() < 1e-6);
    }

    #[test]
    fn the_smooth_minimum_is_symmetric_below_both_and_without_a_crease() {
        let width = 10.0;
        let mut slope_before = None;
        for step in -3000..3000 {
            let (a, b) = (step as f32 * 0.01, 0.0);
            let low = smooth_min(a, b, width);
            assert_eq!(low, smooth_min(b, a, width));
            assert!(low <= math::min(a, b) && low >= math::min(a, b) - width / 4.0);
            if a.abs() >= width {
                assert_eq!(low, math::min(a, b));
            }
            let slope = smooth_min(a + 0.05, b, width) - smooth_min(a - 0.05, b, width);
            if let Some(before) = slope_before {
                let change: f32 = slope - before;
                assert!(change.abs() < 1e-3, "{a}");
            }
            slope_before = Some(slope);
        }
    }
}
