//! Heights and amounts as whole numbers of quanta.
//!
//! Sums of whole numbers are exact in any order: matter can be neither made nor
//! lost by rounding. In 32 bits they are half the size of f64, and a processor
//! works on four at once.

use bajada_grid::math;

/// What one quantum is and where heights are counted from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Scale {
    /// m, a power of two.
    pub(super) quantum: f64,
    /// The lowest height of the start, m.
    lowest: f64,
}

/// Quanta of the lowest height of the start: no ground is ever cut below it.
pub(super) const FLOOR: i32 = -(1 << 29);

/// Quanta that no ground is raised above: as much again as the start may be
/// high.
pub(super) const CEILING: i32 = 1 << 30;

/// Largest load of a droplet, quanta.
pub(super) const LOAD_LIMIT: f32 = 1_073_741_824.0;

/// Most that one cell gives or takes in one step, quanta: what rounding by
/// [`ROUND`] allows; 64 m on most maps.
pub(super) const CELL_LIMIT: f32 = 4_190_000.0;

/// Adding 1.5 * 2^23 leaves f32 no bits below 1.
const ROUND: f32 = 12_582_912.0;

/// The nearest whole number, of -2^22 to 2^22.
#[inline(always)]
pub(super) fn nearest(x: f32) -> i32 {
    ((x + ROUND).to_bits() as i32).wrapping_sub(ROUND.to_bits() as i32)
}

impl Scale {
    /// For a start between two heights, m: 2^-16 m (15 micrometres) for a relief
    /// of 64 m to 8 km, finer below, so that no quantum is much of a ripple;
    /// coarser above, so that all heights fit.
    pub(super) fn between(lowest: f64, highest: f64) -> Self {
        let relief = highest - lowest;
        let two = |power: u32| f64::from(1_u32 << power);
        let mut quantum = 1.0 / two(24);
        while relief > quantum * two(22) && quantum < 1.0 / two(16) {
            quantum *= 2.0;
        }
        // The end keeps an infinite relief from looping for ever.
        while relief > quantum * two(29) && quantum < f64::MAX / 4.0 {
            quantum *= 2.0;
        }
        Self { quantum, lowest: if lowest.is_finite() { lowest } else { 0.0 } }
    }

    /// The height of `metres` in quanta.
    pub(super) fn height(&self, metres: f64) -> i32 {
        let above = math::clamp((metres - self.lowest) / self.quantum, 0.0, f64::from(1_u32 << 30));
        FLOOR + (above + 0.5) as i32
    }

    /// Height of a surface that stands at `quanta`, m.
    pub(super) fn elevation(&self, quanta: i32) -> f64 {
        self.lowest + self.change(FLOOR, quanta)
    }

    /// From one height to another, m.
    pub(super) fn change(&self, from: i32, to: i32) -> f64 {
        (f64::from(to) - f64::from(from)) * self.quantum
    }

    /// Metres of `count` quanta.
    pub(super) fn metres(&self, count: i128) -> f64 {
        count as f64 * self.quantum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quanta_are_micrometres_on_any_mountain() {
        for (relief, power) in [(0.0, 24), (1.0, 22), (64.0, 16), (8000.0, 16), (16_000.0, 15)] {
            let scale = Scale::between(-400.0, -400.0 + relief);
            assert_eq!(scale.metres(1 << power), 1.0, "{relief}");
            assert_eq!(scale.height(-400.0), FLOOR);
            let top = -400.0 + relief;
            assert!((scale.elevation(scale.height(top)) - top).abs() <= 0.5 * scale.quantum);
            assert!(scale.height(top) <= 0);
        }
    }

    #[test]
    fn heights_of_any_size_have_a_scale() {
        for (lowest, highest) in
            [(0.0, 7e38), (f64::NEG_INFINITY, f64::INFINITY), (f64::INFINITY, 0.0)]
        {
            let scale = Scale::between(lowest, highest);
            assert!(scale.quantum.is_finite() && scale.quantum > 0.0);
            assert!(scale.height(f64::NAN) == FLOOR && scale.height(7e38) <= CEILING);
        }
    }

    #[test]
    fn rounding_lands_on_the_nearest_whole_number() {
        for (x, whole) in [(0.0, 0), (0.4, 0), (-0.6, -1), (7.3, 7), (-4.0e6, -4_000_000)] {
            assert_eq!(nearest(x), whole);
        }
    }
}
