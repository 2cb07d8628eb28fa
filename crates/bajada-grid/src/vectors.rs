//! Loops that use the widest vectors that the processor at hand has.
//!
//! A program is compiled for the processors of 2003, which work on four `f32`
//! at once; those since 2013 work on eight. Code inside [`wide`] is compiled for
//! both and the right one is chosen as it runs.
//!
//! The bits are the same: the compiler neither reorders nor contracts
//! floating-point operations, so a wider vector does the same operations on
//! more cells at once.

use fearless_simd::{Level, Simd};

/// Runs `work` compiled for the widest vectors at hand. Mark the closure and
/// what it calls `#[inline(always)]`: what is not inlined here is compiled for
/// the baseline alone.
#[inline(always)]
pub fn wide<R>(work: impl FnOnce() -> R) -> R {
    at(Level::new(), work)
}

#[inline(always)]
fn at<R>(level: Level, work: impl FnOnce() -> R) -> R {
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    if let Some(avx2) = level.as_avx2() {
        return avx2.vectorize(work);
    }
    let _ = level;
    work()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Products and sums that a contraction would round once instead of twice,
    /// quotients, roots, choices and rounding.
    #[inline(always)]
    fn mixed(cells: &mut [f32]) -> f64 {
        let mut sum = 0.0;
        for cell in cells {
            let x = *cell;
            let bent = x * x + 0.7;
            let bent = if bent > 1.3 { bent.sqrt() } else { x / bent };
            *cell = bent * 3.1 - x * 0.3;
            sum += f64::from(*cell) * 1.1 + f64::from(x);
        }
        sum
    }

    #[test]
    fn wide_vectors_give_the_bits_of_narrow_ones() {
        let start: Vec<f32> = (0..10_007).map(|i| (i as f32 * 0.618).fract() * 4.0 - 2.0).collect();
        let run = |level: Level| {
            let mut cells = start.clone();
            let sum = at(
                level,
                #[inline(always)]
                || mixed(&mut cells),
            );
            (cells.iter().map(|cell| cell.to_bits()).collect::<Vec<_>>(), sum.to_bits())
        };
        assert_eq!(run(Level::baseline()), run(Level::new()));
        assert_ne!(run(Level::new()).1, 0);
    }
}
