//! How far rock comes to the surface.
//!
//! Model: ground is covered by loose material except where it is steep, where
//! it stands out and at certain heights. Each rule answers 0..1 and the
//! strongest counts, as in [`super::hardness_mask`]; but these rules are made
//! to be asked again at every step of an erosion: slope and bend are
//! differences over a distance in metres, without a blur before them.

use bajada_grid::{Grid, math, par};

use crate::shape::mask::Band;
use crate::surface::{self, Bend, CurvatureConfig};

/// Where rock shows. With no rule it shows everywhere.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Exposure {
    /// Angle up to which there is none and from which all is rock, degrees.
    pub steep_deg: Option<[f64; 2]>,
    /// Mean curvature of ridges that are all rock, 1/m.
    pub ridge: Option<f64>,
    /// Heights that are all rock, m.
    pub elevation: Option<Band>,
    /// Distance over which slope and bend are taken, m.
    pub scale: f64,
}

impl Default for Exposure {
    fn default() -> Self {
        Self { steep_deg: None, ridge: None, elevation: None, scale: 40.0 }
    }
}

/// How far rock shows at each sample of `elevation` (m), 0..1; nothing if it
/// shows everywhere.
pub(super) fn exposed(elevation: &Grid<f32>, rules: &Exposure) -> Option<Grid<f32>> {
    let Exposure { steep_deg, ridge, elevation: band, scale } = *rules;
    if steep_deg.is_none() && ridge.is_none() && band.is_none() {
        return None;
    }
    let mut answer = elevation.like(0.0_f32);
    if let Some(angles) = steep_deg {
        let slope = surface::slope_over(elevation, scale);
        let [from, full] = angles.map(|degrees| math::tan_deg(math::clamp(degrees, 0.0, 89.0)));
        strengthen(&mut answer, |index| ramp(from, full, f64::from(slope[index])));
    }
    if let Some(full) = ridge {
        let bent = surface::curvature(elevation, &CurvatureConfig { bend: Bend::Mean, scale });
        strengthen(&mut answer, |index| ramp(0.0, full, f64::from(bent[index])));
    }
    if let Some(band) = band {
        strengthen(&mut answer, |index| band.response(f64::from(elevation[index])));
    }
    Some(answer)
}

/// 0 up to `from`, 1 from `full` on, a cubic with flat ends between. A ramp
/// whose end is not above its start is a step at its start.
pub(super) fn ramp(from: f64, full: f64, value: f64) -> f64 {
    if full > from {
        math::smoothstep(from, full, value)
    } else if value > from {
        1.0
    } else {
        0.0
    }
}

/// Raises every cell to what a rule answers, held to 0..1.
pub(super) fn strengthen(answer: &mut Grid<f32>, rule: impl Fn(usize) -> f64 + Sync) {
    par::rows(answer, |y, row| {
        let first = y * row.len();
        for (x, cell) in row.iter_mut().enumerate() {
            *cell = math::max(*cell, math::clamp(rule(first + x), 0.0, 1.0) as f32);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use bajada_testkit::terrain::{plane, square};

    #[test]
    fn steep_ground_shows_rock_and_level_ground_does_not() {
        let rules = Exposure { steep_deg: Some([30.0, 40.0]), ..Exposure::default() };
        let middle = math::atan_deg(0.5 * (math::tan_deg(30.0) + math::tan_deg(40.0)));
        for (degrees, answer) in [(0.0, 0.0), (29.9, 0.0), (middle, 0.5), (40.1, 1.0)] {
            let ground = plane(square(9, 10.0), 0.0, 0.0, math::tan_deg(degrees));
            let shown = exposed(&ground, &rules).expect("there is a rule");
            assert!((shown.at(4, 4) - answer).abs() < 1e-4, "{degrees}: {}", shown.at(4, 4));
        }
    }

    #[test]
    fn ridges_and_heights_show_rock_and_hollows_do_not() {
        let roof = Grid::from_fn(square(33, 10.0), |x, _| -10.0 * (x as f32 - 16.0).abs());
        let ridge = Exposure { ridge: Some(0.001), scale: 20.0, ..Exposure::default() };
        let shown = exposed(&roof, &ridge).expect("there is a rule");
        assert_eq!((shown.at(16, 16), shown.at(8, 16)), (1.0, 0.0));
        let band = Some(Band { low: -25.0, high: 0.0, falloff: 0.0 });
        let high = Exposure { elevation: band, ..Exposure::default() };
        let shown = exposed(&roof, &high).expect("there is a rule");
        assert_eq!([16, 14, 13, 0].map(|x| shown.at(x, 3)), [1.0, 1.0, 0.0, 0.0]);
    }

    #[test]
    fn without_a_rule_nothing_is_said() {
        assert_eq!(exposed(&plane(square(3, 1.0), 0.0, 0.0, 1.0), &Exposure::default()), None);
    }
}
