//! How far a fan's surface lies below its apex.
//!
//! `F(D) = S_inf D + (S_0 - S_inf) L (1 - e^(-D/L))`: steep at the head, flat at
//! the toe, as gravel thins out with the way (Stock et al. 2008: the excess of
//! slope halves every 0.2 to 1.4 km). Above the apex (`D < 0`) the slope of the
//! head goes on.

use bajada_grid::math;

use super::FanConfig;

/// The profile of one fan.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Profile {
    /// Slope at the apex, rise over run.
    pub head: f64,
    /// Slope that it tends to.
    pub toe: f64,
    /// Way over which the excess falls to 1/e, m.
    pub length: f64,
}

impl Profile {
    /// The profile of a fan below a catchment of `area` m2: large catchments
    /// send water that carries the same gravel down a gentler slope.
    pub fn of_catchment(area: f64, config: &FanConfig) -> Self {
        let square_km = math::max(area * 1e-6, 1e-6);
        let head = config.head_slope * math::pow(square_km, -config.slope_exponent);
        let head =
            math::clamp(head, config.toe_slope, math::max(config.steepest_head, config.toe_slope));
        let half = config.half_length * math::pow(square_km, 0.15);
        let half = math::max(half, 0.5 * config.half_length);
        Self { head, toe: config.toe_slope, length: half / std::f64::consts::LN_2 }
    }

    /// `F(distance)`, m.
    pub fn drop(&self, distance: f64) -> f64 {
        if distance <= 0.0 {
            return self.head * distance;
        }
        let faded = 1.0 - math::exp(-distance / self.length);
        self.toe * distance + (self.head - self.toe) * self.length * faded
    }

    /// Slope at `distance`, rise over run.
    pub fn slope(&self, distance: f64) -> f64 {
        let faded = math::exp(-math::max(distance, 0.0) / self.length);
        self.toe + (self.head - self.toe) * faded
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_catchments_have_steep_fans_and_all_flatten_outwards() {
        let config = FanConfig::default();
        let heads: Vec<f64> = [0.01e6, 1e6, 9e6]
            .iter()
            .map(|&area| Profile::of_catchment(area, &config).head)
            .collect();
        assert_eq!(heads[0], 0.22);
        assert!((heads[1] - 0.12).abs() < 1e-12 && heads[2] < 0.08, "{heads:?}");
        let profile = Profile::of_catchment(1e6, &config);
        let half = 900.0;
        assert!((profile.slope(half) - (0.03 + 0.09 / 2.0)).abs() < 1e-12);
        for step in 0..100 {
            let (a, b) = (f64::from(step) * 40.0, f64::from(step + 1) * 40.0);
            let mean = (profile.drop(b) - profile.drop(a)) / 40.0;
            assert!(profile.slope(b) < mean && mean < profile.slope(a));
        }
        assert_eq!(profile.drop(-10.0), -1.2);
    }
}
