//! What the ground is made of, as colour: height, rock, sand, masks, water.

use bajada_grid::{Grid, math};
use rayon::prelude::*;

use super::color::{Fade, Linear, Ramp, hex, linear, lit, mix};
use super::light::{Light, Look};

/// Sand lies where something was deposited, but on no cliff.
const SAND_DEPTH: Fade = Fade::new(0.2, 4.0);
const CLIFF: Fade = Fade::new(0.55, 0.85);
/// Slopes that shed their soil.
const BARE: Fade = Fade::new(0.45, 1.0);
const ROCK_SHARE: f32 = 0.7;
const SAND_SHARE: f32 = 0.85;
const MASK_SHARE: f32 = 0.8;
/// Water thinner than this is wet ground.
const WET: Fade = Fade::new(0.0, 0.15);
/// A darker line where water meets land.
const SHORE_BEGINS: Fade = Fade::new(0.0, 0.02);
const SHORE_ENDS: Fade = Fade::new(0.15, 0.8);
const SHORE_DARKENS: f32 = 0.25;

/// The colours of a picture, and the heights that they span.
#[derive(Debug)]
pub(super) struct Palette {
    low: f32,
    /// One over the heights from the lowest to the highest tint.
    height_rate: f32,
    heights: Ramp<5>,
    rock: Linear,
    sand: Linear,
    ink: Linear,
    water: Ramp<4>,
    /// One over the depth of the darkest water.
    depth_rate: f32,
}

impl Palette {
    /// Colours for an elevation on a map of this short side (m); water is
    /// darkest at the depth `water_deep` (m). Each colour of the ground and of
    /// the water is changed by `tone`.
    pub(super) fn new(
        elevation: &Grid<f32>,
        short_side: f64,
        water_deep: f64,
        tone: fn(Linear) -> Linear,
    ) -> Self {
        let [low, high] = percentiles(elevation.as_slice(), [0.01, 0.99]);
        // A fan of 300 m must not wear the colours of a summit.
        let least = (0.035 * short_side) as f32;
        let span = math::max(math::max(high - low, least), f32::MIN_POSITIVE);
        // Low stops are olive-grey: green turns minty under a blue sky. The top
        // is no white, which would be snow on hills of 1000 m.
        Self {
            low,
            height_rate: 1.0 / span,
            heights: Ramp::new([
                (0.0, 0x93_94_7f),
                (0.18, 0xa4_a1_89),
                (0.42, 0xb6_ac_92),
                (0.70, 0xbe_b2_a0),
                (1.0, 0xd0_ca_c1),
            ])
            .map(tone),
            rock: tone(linear(hex(0xb0_a6_9a))),
            sand: tone(linear(hex(0xd9_c8_a4))),
            ink: linear(hex(0x4f_3f_2c)),
            water: Ramp::new([
                (0.0, 0xa9_c4_c0),
                (0.12, 0x83_af_b5),
                (0.40, 0x55_7f_97),
                (1.0, 0x36_5a_78),
            ])
            .map(tone),
            depth_rate: (1.0 / math::max(water_deep, 1e-3)) as f32,
        }
    }

    /// Where an elevation lies between the lowest (0) and the highest (1) tint.
    #[inline]
    pub(super) fn height_share(&self, elevation: f32) -> f32 {
        math::clamp((elevation - self.low) * self.height_rate, 0.0, 1.0)
    }

    /// Dry ground at a share of the heights, of `slope` itself and `steepness` nearby.
    #[inline]
    pub(super) fn ground(&self, height_share: f32, slope: f32, steepness: f32) -> Linear {
        let bare = ROCK_SHARE * BARE.at(0.5 * (steepness + slope));
        mix(self.heights.at(height_share), self.rock, bare)
    }

    /// Ground under a deposit of this thickness (m).
    #[inline]
    pub(super) fn with_sand(&self, ground: Linear, thickness: f32, slope: f32) -> Linear {
        let share = SAND_SHARE * SAND_DEPTH.at(thickness) * (1.0 - CLIFF.at(slope));
        mix(ground, self.sand, share)
    }

    /// Ground where a mask (0..1) paints it.
    #[inline]
    pub(super) fn with_mask(ground: Linear, color: Linear, mask: f32) -> Linear {
        mix(ground, color, MASK_SHARE * math::clamp(mask, 0.0, 1.0))
    }

    /// Lit ground under a contour line's ink.
    #[inline]
    pub(super) fn with_ink(&self, color: Linear, ink: f32) -> Linear {
        mix(color, self.ink, ink)
    }

    /// Lit ground under water of this depth (m).
    #[inline]
    pub(super) fn with_water(
        &self,
        color: Linear,
        depth: f32,
        look: &Look,
        light: &Light,
    ) -> Linear {
        let shore = SHORE_BEGINS.at(depth) * (1.0 - SHORE_ENDS.at(depth));
        let brightness = look.on_water(light) * (1.0 - SHORE_DARKENS * shore);
        let water = lit(self.water.at(depth * self.depth_rate), [brightness; 3]);
        mix(color, water, WET.at(depth))
    }
}

/// Bins of the histogram. A tint is 1/100 of the range wide to the eye, a bin
/// 1/4096.
const BINS: usize = 4096;

/// The heights below which these shares of the samples lie. Between 1 % and
/// 99 % outliers (a spike in the data, one deep pit) do not move the tints.
pub(super) fn percentiles<const N: usize>(cells: &[f32], shares: [f64; N]) -> [f32; N] {
    let (least, most) = range(cells);
    if most <= least {
        return [least; N];
    }
    let rate = BINS as f32 / (most - least);
    // Counts are integers: their sums have no order.
    let counts = cells
        .par_chunks(1 << 16)
        .map(|block| {
            let mut counts = vec![0_u64; BINS];
            for &value in block {
                counts[(((value - least) * rate) as usize).min(BINS - 1)] += 1;
            }
            counts
        })
        .reduce(
            || vec![0; BINS],
            |mut sums, counts| {
                for (sum, count) in sums.iter_mut().zip(counts) {
                    *sum += count;
                }
                sums
            },
        );
    let height_of = |share: f64| {
        let wanted = share * cells.len() as f64;
        let mut below = 0.0;
        for (bin, &count) in counts.iter().enumerate() {
            let count = count as f64;
            if below + count >= wanted && count > 0.0 {
                return least + ((bin as f64 + (wanted - below) / count) as f32) / rate;
            }
            below += count;
        }
        most
    };
    shares.map(height_of)
}

/// Least and largest of some values.
pub(super) fn range(values: &[f32]) -> (f32, f32) {
    let wider =
        |(low, high): (f32, f32), (a, b): (f32, f32)| (math::min(low, a), math::max(high, b));
    let none = || (f32::INFINITY, f32::NEG_INFINITY);
    // Least and largest do not depend on the order they are asked in.
    values
        .par_chunks(1 << 16)
        .map(|block| block.iter().fold(none(), |found, &value| wider(found, (value, value))))
        .reduce(none, wider)
}

#[cfg(test)]
mod tests {
    use super::*;
    use bajada_testkit::terrain;

    #[test]
    fn percentiles_ignore_a_spike_and_a_pit() {
        let mut ramp = terrain::plane(terrain::square(101, 1.0), 0.0, 1.0, 0.0);
        let [low, high] = percentiles(ramp.as_slice(), [0.01, 0.99]);
        assert!((low - 1.0).abs() < 0.1 && (high - 99.0).abs() < 0.1, "{low} {high}");
        ramp.set(3, 3, 8000.0);
        ramp.set(5, 5, -8000.0);
        let [low, high] = percentiles(ramp.as_slice(), [0.01, 0.99]);
        assert!((low - 1.0).abs() < 4.0 && (high - 99.0).abs() < 4.0, "{low} {high}");
    }

    #[test]
    fn a_low_map_does_not_wear_the_colors_of_summits() {
        let gentle = terrain::plane(terrain::square(65, 10.0), 0.0, 0.001, 0.0);
        let palette = Palette::new(&gentle, 640.0, 25.0, |color| color);
        assert!(palette.height_share(0.64) < 0.03);
        let level = terrain::plane(terrain::square(5, 10.0), 7.0, 0.0, 0.0);
        assert_eq!(Palette::new(&level, 0.0, 25.0, |color| color).height_share(7.0), 0.0);
    }

    #[test]
    fn nothing_loose_is_painted_on_a_cliff() {
        let level = terrain::plane(terrain::square(5, 10.0), 7.0, 0.0, 0.0);
        let palette = Palette::new(&level, 40.0, 25.0, |color| color);
        let ground = palette.ground(0.5, 1.0, 1.0);
        assert_eq!(palette.with_sand(ground, 100.0, 0.9), ground);
        assert_ne!(palette.with_sand(ground, 100.0, 0.3), ground);
    }
}
