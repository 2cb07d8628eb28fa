//! One range of values onto another.
//!
//! Pointwise and monotone; beyond the range given, the ends hold. Ranges are
//! always stated, never taken from the map at hand, so that tiles agree.

use bajada_grid::{Grid, math, par};

/// How the way between the ends is gone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Curve {
    /// In a straight line.
    #[default]
    Linear,
    /// With flat ends: the cubic `3 t^2 - 2 t^3`.
    Smooth,
}

/// Settings of [`remap`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RemapConfig {
    /// Values that become the ends of `to`, in order; may fall. If both are
    /// equal, values below become the first end and all others the second.
    pub from: [f64; 2],
    /// What they become; may fall.
    pub to: [f64; 2],
    /// How the way between is gone.
    pub curve: Curve,
}

/// Each value of `field` carried over. Where `mask` is 0 it is kept to the bit.
pub fn remap(field: &Grid<f32>, mask: Option<&Grid<f32>>, config: &RemapConfig) -> Grid<f32> {
    match config.curve {
        Curve::Linear => apply(field, mask, config, |t| t),
        Curve::Smooth => apply(field, mask, config, |t| t * t * (3.0 - 2.0 * t)),
    }
}

fn apply(
    field: &Grid<f32>,
    mask: Option<&Grid<f32>>,
    config: &RemapConfig,
    curve: impl Fn(f64) -> f64 + Sync,
) -> Grid<f32> {
    let [from, to] = [config.from, config.to];
    let span = from[1] - from[0];
    let carried = |value: f32| {
        let value = f64::from(value);
        let t = if span == 0.0 {
            if value < from[0] { 0.0 } else { 1.0 }
        } else {
            math::clamp((value - from[0]) / span, 0.0, 1.0)
        };
        // Not a lerp: both ends must come out exactly.
        let t = curve(t);
        (to[0] * (1.0 - t) + to[1] * t) as f32
    };
    let mut out = field.like(0.0_f32);
    match mask {
        None => par::map(&mut out, |index| carried(field[index])),
        Some(mask) => par::map(&mut out, |index| {
            super::combine::blend(field[index], carried(field[index]), mask[index])
        }),
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use bajada_grid::Domain;

    fn check(config: RemapConfig, values: [f32; 5], expected: [f32; 5]) {
        let domain = Domain::new(5, 1, 1.0, [0.0; 2]).expect("legal");
        let field = Grid::from_vec(domain, values.to_vec()).expect("five cells");
        assert_eq!(remap(&field, None, &config).as_slice(), expected, "{config:?}");
    }

    #[test]
    fn ends_are_met_exactly_and_hold_beyond() {
        let values = [-5.0, 0.0, 2.5, 10.0, 99.0];
        let [linear, smooth] = [Curve::Linear, Curve::Smooth];
        let config = |from, to, curve| RemapConfig { from, to, curve };
        check(config([0.0, 10.0], [0.1, 0.7], linear), values, [0.1, 0.1, 0.25, 0.7, 0.7]);
        check(config([0.0, 10.0], [0.0, 64.0], smooth), values, [0.0, 0.0, 10.0, 64.0, 64.0]);
        check(config([10.0, 0.0], [0.0, 1.0], linear), values, [1.0, 1.0, 0.75, 0.0, 0.0]);
        check(config([0.0, 10.0], [1.0, 0.0], linear), values, [1.0, 1.0, 0.75, 0.0, 0.0]);
        check(config([2.5, 2.5], [3.0, 4.0], linear), values, [3.0, 3.0, 4.0, 4.0, 4.0]);
    }

    #[test]
    fn where_the_mask_is_zero_nothing_changes() {
        let domain = Domain::new(2, 1, 1.0, [0.0; 2]).expect("legal");
        let field = Grid::from_vec(domain, vec![-0.0, 0.4]).expect("two cells");
        let mask = Grid::from_vec(domain, vec![0.0, 1.0]).expect("two cells");
        let config = RemapConfig { from: [0.0, 1.0], to: [5.0, 9.0], curve: Curve::Linear };
        let out = remap(&field, Some(&mask), &config);
        assert_eq!(out[0].to_bits(), (-0.0_f32).to_bits());
        assert!((out[1] - 6.6).abs() < 1e-6);
    }
}
