//! From the noise of each octave to metres.

use super::super::octave::{MAX_OCTAVES, Octave};
use super::super::sum::{Billow, Character, Fbm, Hybrid, Ridged, Sum};
use super::{Fractal, NoiseConfig};

/// What turns a sum of octaves into metres.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Finish {
    scale: f32,
    amplitude: f32,
    base: f32,
    character: Character,
}

impl Finish {
    pub(crate) fn new(config: &NoiseConfig, character: Character) -> Self {
        // All octaves of the config count, also those that these samples cannot
        // carry: the coarse map must not come out higher than the fine one.
        let mut share = 1.0;
        let shares: Vec<f64> = (0..config.octaves.min(MAX_OCTAVES))
            .map(|_| {
                let own = share;
                share *= config.gain;
                own
            })
            .collect();
        let scale = match config.fractal {
            Fractal::Fbm => Fbm::scale(character, &shares),
            Fractal::Ridged => Ridged::scale(character, &shares),
            Fractal::Billow => Billow::scale(character, &shares),
            Fractal::Hybrid => Hybrid::scale(character, &shares),
        };
        Self {
            scale: scale as f32,
            amplitude: config.amplitude as f32,
            base: config.base as f32,
            character,
        }
    }

    /// Height for a sum of octaves.
    #[inline(always)]
    pub(crate) fn height<S: Sum>(&self, sum: f32) -> f32 {
        self.base + self.amplitude * S::limit(sum * self.scale)
    }

    /// Derivative of [`Finish::height`].
    pub(crate) fn height_slope<S: Sum>(&self, sum: f32) -> f64 {
        let level = sum * self.scale;
        f64::from(self.amplitude) * f64::from(S::limit_slope(level)) * f64::from(self.scale)
    }

    /// Mean of an octave's signal.
    pub(crate) fn mean<S: Sum>(&self) -> f32 {
        S::mean(self.character)
    }

    /// Height from the noise of each octave at one point.
    pub(crate) fn height_of<S: Sum>(
        &self,
        octaves: &[Octave],
        noise: impl Fn(&Octave) -> f32,
    ) -> f32 {
        let mean = self.mean::<S>();
        let (mut sum, mut weight) = (0.0, 1.0);
        for octave in octaves {
            let value = if octave.clarity > 0.0 { noise(octave) } else { 0.0 };
            add::<S>(value, mean, octave, &mut sum, &mut weight);
        }
        self.height::<S>(sum)
    }
}

/// The signal as far as the samples can carry it, else its mean.
#[inline(always)]
pub(super) fn carried<S: Sum>(noise: f32, mean: f32, clarity: f32) -> f32 {
    mean + clarity * (S::signal(noise) - mean)
}

/// Adds an octave's noise to a sum, and sets the weight of the next.
#[inline(always)]
pub(super) fn add<S: Sum>(noise: f32, mean: f32, octave: &Octave, sum: &mut f32, weight: &mut f32) {
    let signal = carried::<S>(noise, mean, octave.clarity) * *weight;
    *sum += octave.share * signal;
    *weight = S::next_weight(signal);
}
