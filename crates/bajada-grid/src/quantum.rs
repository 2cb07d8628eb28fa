//! Rounding amounts to whole quanta, so that sums of them are exact.
//!
//! Numbers that are whole multiples of one quantum, and smaller than 2^52 of
//! them, are added and subtracted in f64 without rounding, whatever the order:
//! matter can be neither made nor lost, at the speed of plain f64. A height
//! that is finer than the quantum must be rounded before it joins such a sum.

/// Rounding to whole quanta.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quantum {
    size: f64,
    half: f64,
    shift: f64,
    per_metre: f64,
}

impl Quantum {
    /// A quantum for heights up to `highest` metres either way: 2^-34 m (0.06
    /// nanometres) up to 65 km, coarser beyond.
    pub fn for_heights(highest: f64) -> Self {
        let two = |power: u32| (1_u64 << power) as f64;
        let mut size = 1.0 / two(34);
        // Two bits of room are left for sums. The end keeps an infinite
        // `highest` from looping for ever.
        while highest > size * two(50) && size < two(60) {
            size *= 2.0;
        }
        // Adding 1.5 * 2^52 quanta leaves f64 no bits below the quantum.
        Self { size, half: 0.5 * size, shift: 1.5 * two(52) * size, per_metre: 1.0 / size }
    }

    /// The nearest whole quantum.
    #[inline(always)]
    pub fn nearest(self, metres: f64) -> f64 {
        (metres + self.shift) - self.shift
    }

    /// The whole quantum at or below `metres` (one less at an exact tie): never
    /// more than there is.
    #[inline(always)]
    pub fn below(self, metres: f64) -> f64 {
        ((metres - self.half) + self.shift) - self.shift
    }

    /// How many quanta `metres` are.
    #[inline(always)]
    pub fn count(self, metres: f64) -> i64 {
        (metres * self.per_metre) as i64
    }

    /// Metres of `count` quanta.
    pub fn metres(self, count: i128) -> f64 {
        count as f64 * self.size
    }

    /// Largest amount that is booked exactly, m.
    pub fn limit(self) -> f64 {
        self.size * (1_u64 << 50) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Stream;

    /// The quanta for heights from a pond to beyond any world.
    fn check(claim: impl Fn(Quantum)) {
        for highest in [0.0, 1.0, 4_000.0, 65_535.0, 1e6, 1e12, f64::INFINITY] {
            claim(Quantum::for_heights(highest));
        }
    }

    #[test]
    fn a_quantum_is_a_tenth_of_a_nanometre_on_any_mountain() {
        for highest in [0.0, 9_000.0, 65_536.0] {
            let quantum = Quantum::for_heights(highest);
            assert_eq!(quantum.metres(1_i128 << 34), 1.0);
            assert_eq!(quantum.limit(), 65_536.0);
        }
        assert_eq!(Quantum::for_heights(65_537.0).metres(1_i128 << 33), 1.0);
        assert_eq!(Quantum::for_heights(f64::NAN), Quantum::for_heights(0.0));
    }

    #[test]
    fn rounding_lands_on_whole_quanta_next_to_the_amount() {
        check(|quantum| {
            let (stream, one) = (Stream::new(7), quantum.metres(1));
            for draw in 0..1_000 {
                let metres = (stream.uniform(draw, 0) - 0.5) * 1e6 * one;
                let (nearest, below) = (quantum.nearest(metres), quantum.below(metres));
                assert_eq!(quantum.metres(quantum.count(nearest).into()), nearest);
                assert_eq!(quantum.metres(quantum.count(below).into()), below);
                assert!((nearest - metres).abs() <= 0.5 * one);
                assert!(below <= metres && metres - below <= one);
                assert_eq!(quantum.nearest(nearest), nearest);
            }
        });
    }

    #[test]
    fn sums_of_whole_quanta_are_exact_in_any_order() {
        check(|quantum| {
            let stream = Stream::new(3);
            let amount = |draw| quantum.nearest((stream.uniform(draw, 0) - 0.5) * quantum.limit());
            let amounts: Vec<f64> = (0..1_000).map(|draw| 1e-3 * amount(draw)).collect();
            let amounts: Vec<f64> = amounts.into_iter().map(|a| quantum.nearest(a)).collect();
            let there: f64 = amounts.iter().sum();
            let back: f64 = amounts.iter().rev().sum();
            let counted: i128 = amounts.iter().map(|a| i128::from(quantum.count(*a))).sum();
            assert_eq!((there, there), (back, quantum.metres(counted)));
        });
    }
}
