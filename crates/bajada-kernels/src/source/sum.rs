//! How octaves add up: fBm, ridged, billow, hybrid.
//!
//! Each octave's noise becomes a *signal*; where the samples cannot carry an
//! octave, its signal is faded to its mean, so that a coarse map lies at the
//! same level as a fine one.

use bajada_grid::math;

/// Statistics of a lattice whose values lie within +-[`BOUND`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Character {
    /// Root mean square.
    pub(super) deviation: f64,
    /// Mean of the absolute value.
    pub(super) mean_magnitude: f64,
}

/// Largest absolute value of gradient noise with unit gradients.
pub(super) const BOUND: f64 = std::f64::consts::FRAC_1_SQRT_2;

/// 1 / [`BOUND`]: brings a lattice to +-1.
const TO_UNIT: f32 = std::f32::consts::SQRT_2;

/// Share of the amplitude that the standard deviation of fBm is given: the
/// highest of some hundred hills stands three deviations out, near the
/// amplitude. At 0.4 a tenth of the map would be bent by the limit.
const DEVIATION_SHARE: f64 = 0.3;

/// Share of the amplitude from which values are bent to stay within it. Lower,
/// ordinary summits flatten; higher, the bend gets visible.
const BENT_FROM: f32 = 0.75;

/// Level of billow at which its octaves' mean magnitude lies. With it the
/// highest billows reach the amplitude as fBm's hills do.
const BILLOW_LEVEL: f64 = 0.35;

/// Level of hybrid at which its octaves' mean would lie if none were weighed down.
/// With it the highest hills come near the amplitude.
const HYBRID_LEVEL: f64 = 0.4;

/// How much one ridged octave's signal opens the next (Musgrave's gain): at 1
/// only crests are rough, at 4 all is.
const OPENING: f32 = 2.0;

/// The same of hybrid, whose mean signal is 0.27: the lower half of the ground is
/// smoother than the upper, the lowest is smooth.
const HYBRID_OPENING: f32 = 4.0;

/// A way to sum octaves. All functions are pure and branch-free, so that a loop
/// over samples becomes vector code.
pub(super) trait Sum: Copy + Sync {
    /// What an octave contributes before any weight.
    fn signal(noise: f32) -> f32;

    /// Derivative of [`Sum::signal`].
    fn signal_slope(noise: f32) -> f32;

    /// Mean of the signal over a lattice.
    fn mean(character: Character) -> f32;

    /// Factor that brings the sum of octaves with these shares to units of the
    /// amplitude.
    fn scale(character: Character, shares: &[f64]) -> f64;

    /// Weight of the next octave after one that gave `signal` at its own
    /// weight.
    fn next_weight(signal: f32) -> f32;

    /// Derivative of [`Sum::next_weight`].
    fn next_weight_slope(signal: f32) -> f32;

    /// The finished level, in units of the amplitude.
    fn limit(level: f32) -> f32;

    /// Derivative of [`Sum::limit`].
    fn limit_slope(level: f32) -> f32;
}

/// Fractional Brownian motion: the octaves as they are.
#[derive(Clone, Copy)]
pub(super) struct Fbm;

/// Musgrave's ridged multifractal (Ebert et al., Texturing and Modeling, 2003):
/// squared distance from the zero line, rough only where the octave above is
/// high.
#[derive(Clone, Copy)]
pub(super) struct Ridged;

/// Absolute values: round hills with creases between.
#[derive(Clone, Copy)]
pub(super) struct Billow;

/// Musgrave's hybrid multifractal (Ebert et al. 2003), squared: each octave
/// weighed by how high the ones before lie.
#[derive(Clone, Copy)]
pub(super) struct Hybrid;

fn total(shares: &[f64]) -> f64 {
    shares.iter().fold(0.0, |sum, share| sum + share)
}

/// 1 over `x`, and 0 for a sum of nothing.
fn inverse(x: f64) -> f64 {
    if x > 0.0 { 1.0 / x } else { 0.0 }
}

/// The identity up to [`BENT_FROM`], then bent to stay below 1, smooth to the
/// second derivative.
#[inline(always)]
fn bend(level: f32) -> f32 {
    let beyond = math::max(level.abs() - BENT_FROM, 0.0) / (1.0 - BENT_FROM);
    let bent = BENT_FROM + (1.0 - BENT_FROM) * (beyond / (1.0 + beyond * beyond).sqrt());
    if level > BENT_FROM {
        bent
    } else if level < -BENT_FROM {
        -bent
    } else {
        level
    }
}

fn bend_slope(level: f32) -> f32 {
    let beyond = math::max(level.abs() - BENT_FROM, 0.0) / (1.0 - BENT_FROM);
    let root = (1.0 + beyond * beyond).sqrt();
    1.0 / (root * root * root)
}

fn sign(x: f32) -> f32 {
    if x < 0.0 { -1.0 } else { 1.0 }
}

impl Sum for Fbm {
    #[inline(always)]
    fn signal(noise: f32) -> f32 {
        noise
    }
    fn signal_slope(_: f32) -> f32 {
        1.0
    }
    fn mean(_: Character) -> f32 {
        0.0
    }
    fn scale(character: Character, shares: &[f64]) -> f64 {
        let power = shares.iter().fold(0.0, |sum, share| sum + share * share);
        DEVIATION_SHARE * inverse(character.deviation * power.sqrt())
    }
    #[inline(always)]
    fn next_weight(_: f32) -> f32 {
        1.0
    }
    fn next_weight_slope(_: f32) -> f32 {
        0.0
    }
    #[inline(always)]
    fn limit(level: f32) -> f32 {
        bend(level)
    }
    fn limit_slope(level: f32) -> f32 {
        bend_slope(level)
    }
}

impl Sum for Ridged {
    #[inline(always)]
    fn signal(noise: f32) -> f32 {
        let below = 1.0 - TO_UNIT * noise.abs();
        below * below
    }
    fn signal_slope(noise: f32) -> f32 {
        -2.0 * TO_UNIT * sign(noise) * (1.0 - TO_UNIT * noise.abs())
    }
    fn mean(character: Character) -> f32 {
        let (m, s) = (character.mean_magnitude / BOUND, character.deviation / BOUND);
        (1.0 - 2.0 * m + s * s) as f32
    }
    fn scale(_: Character, shares: &[f64]) -> f64 {
        inverse(total(shares))
    }
    #[inline(always)]
    fn next_weight(signal: f32) -> f32 {
        math::clamp(OPENING * signal, 0.0, 1.0)
    }
    fn next_weight_slope(signal: f32) -> f32 {
        let opened = OPENING * signal;
        if opened > 0.0 && opened < 1.0 { OPENING } else { 0.0 }
    }
    #[inline(always)]
    fn limit(level: f32) -> f32 {
        // Signals lie within 0..1, and so does their mean but for rounding.
        math::clamp(level, 0.0, 1.0)
    }
    fn limit_slope(_: f32) -> f32 {
        1.0
    }
}

impl Sum for Billow {
    #[inline(always)]
    fn signal(noise: f32) -> f32 {
        noise.abs()
    }
    fn signal_slope(noise: f32) -> f32 {
        sign(noise)
    }
    fn mean(character: Character) -> f32 {
        character.mean_magnitude as f32
    }
    fn scale(character: Character, shares: &[f64]) -> f64 {
        BILLOW_LEVEL * inverse(character.mean_magnitude * total(shares))
    }
    #[inline(always)]
    fn next_weight(_: f32) -> f32 {
        1.0
    }
    fn next_weight_slope(_: f32) -> f32 {
        0.0
    }
    #[inline(always)]
    fn limit(level: f32) -> f32 {
        bend(level)
    }
    fn limit_slope(level: f32) -> f32 {
        bend_slope(level)
    }
}

impl Sum for Hybrid {
    #[inline(always)]
    fn signal(noise: f32) -> f32 {
        // Musgrave's offset is the bound itself, so that no valley is cut off
        // flat; the square keeps valleys low all the same.
        let level = 0.5 + 0.5 * TO_UNIT * noise;
        level * level
    }
    fn signal_slope(noise: f32) -> f32 {
        TO_UNIT * (0.5 + 0.5 * TO_UNIT * noise)
    }
    fn mean(character: Character) -> f32 {
        let s = character.deviation / BOUND;
        (0.25 * (1.0 + s * s)) as f32
    }
    fn scale(character: Character, shares: &[f64]) -> f64 {
        HYBRID_LEVEL * inverse(f64::from(Self::mean(character)) * total(shares))
    }
    #[inline(always)]
    fn next_weight(signal: f32) -> f32 {
        math::clamp(HYBRID_OPENING * signal, 0.0, 1.0)
    }
    fn next_weight_slope(signal: f32) -> f32 {
        let opened = HYBRID_OPENING * signal;
        if opened > 0.0 && opened < 1.0 { HYBRID_OPENING } else { 0.0 }
    }
    #[inline(always)]
    fn limit(level: f32) -> f32 {
        bend(level)
    }
    fn limit_slope(level: f32) -> f32 {
        bend_slope(level)
    }
}
