//! Hardness from what the ground looks like.
//!
//! Model: bare rock shows where the ground is steep, where it stands out and
//! at certain heights. Each rule answers 0..1 for each sample; the strongest
//! answer counts, and hardness goes from `loose` (no rule answers) to `hard`
//! (one answers fully) in a straight line. The maximum, not a sum or a product:
//! a cliff is rock whether or not it is also a ridge, and a rule that is added
//! can only harden.
//!
//! Slope and bend are taken from the surface smoothed to the rules' scales in
//! metres, so that the map does not depend on the cell size or on a field's
//! roughness of the last metre.

use bajada_grid::{Cancelled, Grid, Task, math, par};

use super::exposure::{ramp, strengthen};
use crate::shape::blur::{BlurConfig, blur};
use crate::shape::mask::Band;
use crate::surface::{self, Bend, CurvatureConfig};

/// Rock where the ground is steep.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SteepRule {
    /// Angle up to which there is none, degrees.
    pub from_deg: f64,
    /// Angle from which all is rock, degrees.
    pub full_deg: f64,
    /// Standard deviation of the smoothing before the slope is taken, m.
    pub scale: f64,
}

/// Rock where the ground stands out: ridges, noses, edges.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RidgeRule {
    /// Mean curvature from which all is rock, 1/m; half of it answers half.
    pub full: f64,
    /// Size of the forms, m: half of it is the standard deviation of the
    /// smoothing before the curvature is taken over this distance.
    pub scale: f64,
}

/// Settings of [`hardness_mask`]. With no rule and nothing painted the ground
/// is `loose` everywhere.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HardnessConfig {
    /// Hardness where no rule answers, 0..1.
    pub loose: f64,
    /// Hardness where one answers fully, 0..1.
    pub hard: f64,
    /// Rock where the ground is steep.
    pub steep: Option<SteepRule>,
    /// Rock where the ground stands out.
    pub ridges: Option<RidgeRule>,
    /// Rock at certain heights, m.
    pub elevation: Option<Band>,
}

impl Default for HardnessConfig {
    fn default() -> Self {
        Self {
            loose: 0.1,
            hard: 0.9,
            steep: Some(SteepRule { from_deg: 28.0, full_deg: 42.0, scale: 20.0 }),
            ridges: Some(RidgeRule { full: 0.004, scale: 60.0 }),
            elevation: None,
        }
    }
}

/// Hardness 0..1 of each sample of `elevation` (m). `painted` (0..1, one size
/// with it) is one more answer.
///
/// # Errors
/// [`Cancelled`]: nothing is returned.
pub fn hardness_mask(
    task: &Task,
    elevation: &Grid<f32>,
    painted: Option<&Grid<f32>>,
    config: &HardnessConfig,
) -> Result<Grid<f32>, Cancelled> {
    let mut answer = elevation.like(0.0_f32);
    if let Some(rule) = config.steep {
        let smooth = blur(&task.part(), elevation, None, &BlurConfig { sigma: rule.scale })?;
        let slope = surface::slope(&smooth);
        strengthen(&mut answer, |index| {
            let degrees = math::atan_deg(f64::from(slope[index]));
            ramp(rule.from_deg, rule.full_deg, degrees)
        });
    }
    task.check()?;
    if let Some(rule) = config.ridges {
        let sigma = rule.scale / 2.0;
        let smooth = blur(&task.part(), elevation, None, &BlurConfig { sigma })?;
        let config = CurvatureConfig { bend: Bend::Mean, scale: rule.scale };
        let bent = surface::curvature(&smooth, &config);
        strengthen(&mut answer, |index| ramp(0.0, rule.full, f64::from(bent[index])));
    }
    task.check()?;
    if let Some(band) = config.elevation {
        strengthen(&mut answer, |index| band.response(f64::from(elevation[index])));
    }
    if let Some(painted) = painted {
        strengthen(&mut answer, |index| f64::from(painted[index]));
    }
    let (loose, hard) = (math::clamp(config.loose, 0.0, 1.0), math::clamp(config.hard, 0.0, 1.0));
    let mut hardness = elevation.like(0.0_f32);
    par::map(&mut hardness, |index| {
        // Not a lerp: both ends must come out exactly.
        let answer = f64::from(answer[index]);
        (loose * (1.0 - answer) + hard * answer) as f32
    });
    Ok(hardness)
}

#[cfg(test)]
mod tests {
    use super::*;
    use bajada_grid::Domain;
    use bajada_testkit::terrain::{hills, plane, square};

    const NONE: HardnessConfig =
        HardnessConfig { loose: 0.2, hard: 0.8, steep: None, ridges: None, elevation: None };

    fn made(elevation: &Grid<f32>, config: &HardnessConfig) -> Grid<f32> {
        hardness_mask(&Task::new(), elevation, None, config).expect("nobody cancels")
    }

    #[test]
    fn without_a_rule_all_ground_is_loose() {
        let ground = hills(square(17, 20.0), 400.0, 1);
        assert!(made(&ground, &NONE).as_slice().iter().all(|&value| value == 0.2));
    }

    #[test]
    fn steep_ground_is_rock_and_level_ground_is_not() {
        let steep = Some(SteepRule { from_deg: 30.0, full_deg: 40.0, scale: 0.0 });
        let config = HardnessConfig { steep, ..NONE };
        for (degrees, hardness) in [(0.0, 0.2), (29.9, 0.2), (35.0, 0.5), (40.1, 0.8)] {
            let ground = plane(square(9, 10.0), 0.0, 0.0, math::tan_deg(degrees));
            let made = made(&ground, &config);
            assert!((made.at(4, 4) - hardness).abs() < 1e-4, "{degrees}: {}", made.at(4, 4));
        }
    }

    #[test]
    fn ridges_are_rock_and_channels_are_not() {
        let ridges = Some(RidgeRule { full: 0.002, scale: 40.0 });
        let roof = Grid::from_fn(square(81, 10.0), |x, _| {
            -(x as f32 - 20.0).abs().sqrt() * 10.0 + (x as f32 - 60.0).abs()
        });
        let made = made(&roof, &HardnessConfig { ridges, ..NONE });
        assert_eq!((made.at(20, 40), made.at(60, 40)), (0.8, 0.2));
    }

    #[test]
    fn the_strongest_answer_counts() {
        let ground = plane(square(9, 10.0), 0.0, 0.0, 0.0);
        let elevation = Some(Band { low: -1.0, high: 1.0, falloff: 0.0 });
        let painted = Grid::from_fn(square(9, 10.0), |x, _| if x < 4 { 0.5_f32 } else { 7.0 });
        let run = |config: &HardnessConfig| {
            hardness_mask(&Task::new(), &ground, Some(&painted), config).expect("nobody cancels")
        };
        let only = run(&NONE);
        assert_eq!((only.at(0, 0), only.at(8, 8)), (0.5, 0.8));
        assert_eq!(run(&HardnessConfig { elevation, ..NONE }).at(0, 0), 0.8);
    }

    #[test]
    fn hardness_is_the_same_at_half_the_cell_size() {
        let fine = hills(square(257, 5.0), 500.0, 4);
        let coarse = Grid::from_fn(square(129, 10.0), |x, y| fine.at(2 * x, 2 * y));
        let config = HardnessConfig::default();
        let (fine, coarse) = (made(&fine, &config), made(&coarse, &config));
        let difference = par::sum(coarse.as_slice().len(), |index| {
            let (x, y) = coarse.domain().column_row(index);
            f64::from((fine.at(2 * x, 2 * y) - coarse[index]).abs())
        });
        let mean = difference / coarse.as_slice().len() as f64;
        assert!(mean < 0.01, "{mean}");
    }

    #[test]
    fn hardness_stays_within_0_and_1_on_maps_of_any_size_and_any_thread_count() {
        for (width, height) in [(1, 1), (2, 2), (2, 9), (9, 2), (40, 33)] {
            let domain = Domain::new(width, height, 10.0, [0.0; 2]).expect("legal");
            let ground = Grid::from_fn(domain, |x, y| ((x * 31 + y * 17) % 13) as f32 * 9.0);
            let run = |threads: usize| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
                pool.expect("a pool").install(|| made(&ground, &HardnessConfig::default()))
            };
            let one = run(1);
            assert!(one.as_slice().iter().all(|&value| (0.1..=0.9).contains(&value)));
            for threads in [2, 3, 7] {
                assert_eq!(one, run(threads));
            }
        }
    }
}
