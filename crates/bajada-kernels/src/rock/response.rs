//! What hardness does: rates of erosion, angles of repose, critical shear.
//!
//! Model: erodibility falls off exponentially with hardness, as rock strength
//! does over the classes of a field scale (soft rock to hard rock is one to two
//! orders of magnitude of erosion rate); the angle of repose grows linearly from
//! scree to granite, and so does the shear stress that water must reach before
//! it takes anything. Guarantees: all are pure functions of the hardness,
//! monotone, and exact at both ends.
//!
//! Departure from the plain `(1/30)^H`: that law leaves hardness 1 at 1/30,
//! while in this house hardness 1 *never yields*. The law is therefore shifted
//! and scaled so that it meets 0 there; at hardness 0.5 the two differ by less
//! than a sixth.

use bajada_grid::lithology::{HARD_REPOSE_DEG, LOOSE_REPOSE_DEG};
use bajada_grid::math;

/// Erodibility that the exponential law gives to the hardest rock, as a share
/// of that of the softest. The literature spans 1/3 to 1/100; nearer to 1,
/// hard layers do not stand out of a slope, nearer to 0, they hold up the
/// whole landscape.
pub const HARDEST_TO_SOFTEST: f64 = 1.0 / 30.0;

/// Share of the full rate at which ground of this hardness erodes: exactly 1
/// at hardness 0, exactly 0 at hardness 1, `(r^H - r) / (1 - r)` between, with
/// `r` = [`HARDEST_TO_SOFTEST`]. Hardness outside 0..1 is held to it, NaN
/// counts as 0.
///
/// It costs a power: kernels that ask often keep the answers in a grid.
pub fn erodibility_factor(hardness: f64) -> f64 {
    let hardness = math::clamp(hardness, 0.0, 1.0);
    let law = math::pow(HARDEST_TO_SOFTEST, hardness);
    math::max((law - HARDEST_TO_SOFTEST) / (1.0 - HARDEST_TO_SOFTEST), 0.0)
}

/// Steepest angle at which ground of this hardness rests, degrees: linear from
/// [`LOOSE_REPOSE_DEG`] at hardness 0 to [`HARD_REPOSE_DEG`] at hardness 1.
/// Hardness outside 0..1 is held to it, NaN counts as 0.
pub fn repose_deg(hardness: f64) -> f64 {
    math::lerp(LOOSE_REPOSE_DEG, HARD_REPOSE_DEG, math::clamp(hardness, 0.0, 1.0))
}

/// The slope of [`repose_deg`], rise over run. It costs a tangent: kernels
/// that ask often keep the answers in a grid.
pub fn repose(hardness: f64) -> f64 {
    math::tan_deg(repose_deg(hardness))
}

/// Shear stress that the hardest rock withstands, Pa: what a river three metres
/// deep exerts on a bed that falls by 0.17 %.
pub const HARDEST_CRITICAL_SHEAR: f64 = 50.0;

/// Shear stress below which water takes nothing from ground of this hardness,
/// Pa: linear from 0 at hardness 0 to [`HARDEST_CRITICAL_SHEAR`] at hardness 1.
/// Hardness outside 0..1 is held to it, NaN counts as 0.
pub fn critical_shear(hardness: f64) -> f64 {
    HARDEST_CRITICAL_SHEAR * math::clamp(hardness, 0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn soft_ground_erodes_at_the_full_rate_and_the_hardest_never() {
        assert_eq!(erodibility_factor(0.0), 1.0);
        assert_eq!(erodibility_factor(1.0), 0.0);
        assert_eq!(erodibility_factor(9.0), 0.0);
        assert_eq!(erodibility_factor(f64::NAN), 1.0);
        assert!((erodibility_factor(0.5) - 0.154_387_088_8).abs() < 1e-9);
    }

    #[test]
    fn harder_ground_always_erodes_less_and_stands_steeper() {
        for step in 0..1000 {
            let (softer, harder) = (f64::from(step) / 1000.0, f64::from(step + 1) / 1000.0);
            assert!(erodibility_factor(harder) < erodibility_factor(softer));
            assert!(repose_deg(harder) > repose_deg(softer));
            assert!(critical_shear(harder) > critical_shear(softer));
        }
    }

    #[test]
    fn scree_rests_at_32_degrees_and_granite_stands_at_75() {
        assert_eq!((repose_deg(0.0), repose_deg(1.0)), (LOOSE_REPOSE_DEG, HARD_REPOSE_DEG));
        assert_eq!(repose(1.0), math::tan_deg(75.0));
    }

    #[test]
    fn the_law_falls_off_as_the_power_of_30_that_it_is_made_from() {
        let span = 1.0 - HARDEST_TO_SOFTEST;
        for hardness in [0.1, 0.25, 0.5, 0.75] {
            let law = erodibility_factor(hardness) * span + HARDEST_TO_SOFTEST;
            assert!((law - math::pow(1.0 / 30.0, hardness)).abs() < 1e-15);
        }
    }

    #[test]
    fn critical_shear_runs_from_none_to_50_pascal() {
        let ends = [-1.0, 0.0, 0.5, 1.0, 2.0, f64::NAN].map(critical_shear);
        assert_eq!(ends, [0.0, 0.0, 25.0, 50.0, 50.0, 0.0]);
    }
}
