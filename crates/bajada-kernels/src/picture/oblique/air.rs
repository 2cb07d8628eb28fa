//! Haze and sky.
//!
//! The foreground is clear; behind it light is lost to haze, blue most, so that
//! far ridges step back in blue. Valleys lie deeper in it than summits. What is
//! lost is replaced by the colour of the sky at the horizon.

use bajada_grid::math;

use super::super::color::{Linear, hex, linear, mix};
use super::super::horizon::Direction;
use super::camera::{Camera, Survey};

/// The air of one picture.
#[derive(Debug)]
pub(super) struct Air {
    pale: Linear,
    zenith: Linear,
    sunward: Linear,
    /// Where the sun stands in the picture, right of the middle at depth 1, if
    /// it stands before the camera.
    sun: Option<f64>,
    /// Rise per depth of the far edge of the map: where the sky begins.
    horizon: f64,
    /// Distance that is free of haze, m.
    clear: f64,
    /// Loss per metre behind it: red, green, blue.
    rates: Linear,
    /// Heights of the thickest and of the thinnest haze, m.
    low: f64,
    height_rate: f64,
}

/// Share of the far distance that is free of haze.
const CLEAR_SHARE: f64 = 0.28;
/// Loss of red, green and blue.
const RATES: [f64; 3] = [0.78, 1.00, 1.30];
/// Share of the haze that summits rise above.
const THINNING: f64 = 0.55;
/// Least difference of height between valleys and summits, in far distances.
const LEAST_SPAN: f64 = 0.01;
/// Rise above the horizon at which the sky has its deepest blue.
const SKY_RISE: f64 = 0.24;

impl Air {
    /// The air before `camera`. `haze` is the share of the light (of green) that
    /// the far edge of the map loses.
    pub(super) fn new(camera: &Camera, survey: &Survey, sun: Direction, haze: f64) -> Self {
        let [east, south] = sun.unit();
        let [forward_east, forward_south] = camera.forward;
        let ahead = east * forward_east + south * forward_south;
        let right = south * forward_east - east * forward_south;
        let clear = CLEAR_SHARE * camera.far;
        let rate = thickness(1.0 - math::clamp(haze, 0.0, 0.95)) / (camera.far - clear);
        // On a plain nothing rises out of the haze.
        let span = math::max(survey.high - survey.low, LEAST_SPAN * camera.far);
        Self {
            pale: linear(hex(0xcb_d7_de)),
            zenith: linear(hex(0x6f_9b_c8)),
            sunward: linear(hex(0xef_e3_d0)),
            sun: (ahead > 1e-6).then(|| right / ahead),
            horizon: (survey.median - camera.eye_height) / camera.far,
            clear,
            rates: RATES.map(|share| (share * rate) as f32),
            low: survey.low,
            height_rate: 1.0 / span,
        }
    }

    /// The sky at the horizon `u` to the right: warmer toward the sun.
    pub(super) fn pale(&self, u: f64) -> Linear {
        let Some(sun) = self.sun else { return self.pale };
        let near = math::max(0.0, 1.0 - (u - sun).abs() / 1.6);
        mix(self.pale, self.sunward, (0.5 * near * near) as f32)
    }

    /// The sky at a rise per depth, over the horizon's colour `pale`.
    #[inline]
    pub(super) fn sky(&self, rise: f64, pale: Linear) -> Linear {
        let above = math::max(0.0, rise - self.horizon) / SKY_RISE;
        let low = (1.0 - math::min(1.0, above)) as f32;
        mix(self.zenith, pale, low * low * (0.35 + 0.65 * low))
    }

    /// The part of the sky that water mirrors.
    pub(super) fn mirrored(&self, pale: Linear) -> Linear {
        mix(self.zenith, pale, 0.45)
    }

    /// `color` seen through `distance` metres of air; it lies at `height`.
    #[inline]
    pub(super) fn veil(&self, color: Linear, pale: Linear, distance: f64, height: f64) -> Linear {
        let behind = distance - self.clear;
        if behind <= 0.0 {
            return color;
        }
        let thin = THINNING * math::clamp((height - self.low) * self.height_rate, 0.0, 1.0);
        let amount = (behind * (1.0 - thin)) as f32;
        std::array::from_fn(|i| {
            let left = transmission(self.rates[i] * amount);
            pale[i] + (color[i] - pale[i]) * left
        })
    }
}

/// The light that a thickness of haze lets through: an exponential's first four
/// terms, turned over.
#[inline]
fn transmission(x: f32) -> f32 {
    1.0 / (1.0 + x * (1.0 + x * (0.5 + x * (1.0 / 6.0))))
}

/// The thickness that lets the share `left` through.
fn thickness(left: f64) -> f64 {
    let (mut low, mut high) = (0.0, 16.0);
    // Each halving settles one bit.
    for _ in 0..60 {
        let x: f64 = 0.5 * (low + high);
        let through = 1.0 / (1.0 + x * (1.0 + x * (0.5 + x / 6.0)));
        if through > left {
            low = x;
        } else {
            high = x;
        }
    }
    0.5 * (low + high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wanted_share_is_what_the_haze_lets_through() {
        assert!((thickness(0.58) - 0.547).abs() < 0.001);
        assert!(thickness(1.0) < 1e-9);
        for left in [0.1, 0.3, 0.58, 0.9] {
            assert!((f64::from(transmission(thickness(left) as f32)) - left).abs() < 1e-6);
        }
    }
}
