//! Light on terrain: a low sun, a wide sky, and a contrast that adapts.
//!
//! Mountains of 40 degrees and fans of 2 degrees stand in one picture. Under one
//! light either the fans are blank or the mountains are black, so the *light*
//! (never the terrain) is stretched where the ground is gentle for some distance
//! around: up to fivefold on plains, not at all in mountains. Level open ground
//! always receives exactly (1, 1, 1), so that a palette's color is what a plain
//! shows.

use bajada_grid::math;

use super::coarse::LANES;
use super::color::{Fade, Linear, chroma, hex};

/// Places of the wide fields in a node.
pub(super) mod lane {
    /// Skylight on a level surface.
    pub(in super::super) const SKY_LEVEL: usize = 0;
    /// Skylight gained by leaning to the east.
    pub(in super::super) const SKY_EAST: usize = 1;
    /// Skylight gained by leaning to the south.
    pub(in super::super) const SKY_SOUTH: usize = 2;
    /// Share of the sky that is open.
    pub(in super::super) const OPEN: usize = 3;
    /// Mean slope nearby.
    pub(in super::super) const STEEPNESS: usize = 4;
    /// Share of gentle ground nearby.
    pub(in super::super) const GENTLE: usize = 5;
    /// Rise of the large form to the east.
    pub(in super::super) const FORM_EAST: usize = 6;
    /// Rise of the large form to the south.
    pub(in super::super) const FORM_SOUTH: usize = 7;
}

/// Everything that light does not take from the terrain.
#[derive(Clone, Debug)]
pub(super) struct Look {
    /// Unit vector to the sun: east, south, up.
    sun: [f32; 3],
    /// One over the height of that vector: the key is 1 on level ground.
    key_scale: f32,
    key_share: f32,
    shadow: f32,
    half_shade: Fade,
    contrast: f32,
    hill_contrast: f32,
    /// One over the range of the contrast; 0 when it is off.
    flat_rate: f32,
    form_share: f32,
    shoulder: f32,
    lowland_contrast: f32,
    key_color: Linear,
    sky_color: Linear,
}

/// The slope that the stretched light of gentle ground aims at.
const READABLE_SLOPE: f32 = 0.36;
/// Gentle ground must cover this much of the neighbourhood to be stretched:
/// a terrace in a mountain side must not be.
const GENTLE_SHARE: Fade = Fade::new(0.35, 0.90);
/// On plains this much of the shading comes from the smoothed surface, which
/// hides the 1 m steps of integer data; the rest keeps creases sharp.
const SMOOTH_SHARE: f32 = 0.55;
/// The massif's gradient is blurred and therefore weak; this makes up for it.
const FORM_GAIN: f32 = 1.5;
/// The darkest that the sky leaves anything.
const LEAST_SKY: f32 = 0.15;
/// Light that comes back from the slopes that hide the sky.
const RETURNED: f32 = 0.5;

/// The light that one cell receives, in parts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Light {
    /// From the sun, shadow included, in shares of what a plain gets.
    pub(super) key: f32,
    /// From the sky.
    pub(super) fill: f32,
    /// The sky alone, before its share is taken.
    pub(super) sky: f32,
    /// 1 in the sun, less in shadow.
    pub(super) shade: f32,
    /// 1 on stretched plains, 0 in mountains.
    pub(super) flat: f32,
}

/// What a picture may choose about its light; shares and ratios.
#[derive(Clone, Copy, Debug)]
pub(super) struct LookSettings {
    /// Unit vector toward the sun on the map: east, south.
    pub(super) toward_sun: [f64; 2],
    /// Height of the sun above the horizon, radians.
    pub(super) sun_height: f64,
    /// Share of the sun in the light of a plain.
    pub(super) key_share: f64,
    /// Share of the sun's light that a cast shadow takes.
    pub(super) shadow: f64,
    /// How far the light of plains is stretched; 1 = not at all.
    pub(super) contrast: f64,
    /// The part of that stretch which hills receive, 0..1.
    pub(super) hill_share: f32,
    /// How much of the shading of mountains comes from the massif: large forms
    /// stay readable under their own ravines.
    pub(super) form_share: f32,
    /// Where the half shade begins and ends, in tangents of the sun's height.
    pub(super) half_shade: [f64; 2],
    /// How fast light above that of a plain is held back. Without it a sunny
    /// slope burns out under a low sun.
    pub(super) shoulder: f32,
    /// Contrast of the lowest ground against that of the upper half.
    pub(super) lowland_contrast: f32,
    /// Colours of the sun and of the sky, sRGB.
    pub(super) light_colors: [u32; 2],
}

impl Look {
    pub(super) fn new(settings: &LookSettings) -> Self {
        // Held off the horizon and the zenith, where the light has no meaning.
        let angle = math::clamp(settings.sun_height, math::radians(1.0), math::radians(89.0));
        let (up, level, tangent) = (math::sin(angle), math::cos(angle), math::tan(angle));
        let [east, south] = settings.toward_sun;
        let key_share = math::clamp(settings.key_share, 0.0, 0.95) as f32;
        let contrast = math::max(settings.contrast, 1.0) as f32;
        let [key, sky] = settings.light_colors.map(|code| chroma(hex(code)));
        let [shade_begins, shade_ends] = settings.half_shade.map(|at| (at * tangent) as f32);
        // What a plain receives is made white, whatever the two colours.
        let white: Linear =
            std::array::from_fn(|i| key_share * key[i] + (1.0 - key_share) * sky[i]);
        Self {
            sun: [(east * level) as f32, (south * level) as f32, up as f32],
            key_scale: (1.0 / up) as f32,
            key_share,
            shadow: settings.shadow as f32,
            // A shadow is soft where its edge is cast from: the half shade
            // widens with distance by itself.
            half_shade: Fade::new(shade_begins, shade_ends),
            contrast,
            hill_contrast: 1.0 + settings.hill_share * (contrast - 1.0),
            flat_rate: if contrast > 1.0 { 1.0 / (contrast - 1.0) } else { 0.0 },
            form_share: settings.form_share,
            shoulder: settings.shoulder,
            lowland_contrast: settings.lowland_contrast,
            key_color: std::array::from_fn(|i| key[i] / white[i]),
            sky_color: std::array::from_fn(|i| sky[i] / white[i]),
        }
    }

    /// Light on a cell with the gradients `fine` and `smooth` (east, south),
    /// the fields `wide` and the tangent of the horizon under the sun.
    #[inline]
    pub(super) fn light(
        &self,
        fine: [f32; 2],
        smooth: [f32; 2],
        wide: &[f32; LANES],
        sun_horizon: f32,
    ) -> Light {
        let gentle = GENTLE_SHARE.at(wide[lane::GENTLE]);
        let most = self.hill_contrast + (self.contrast - self.hill_contrast) * gentle;
        let wanted = READABLE_SLOPE / math::max(wide[lane::STEEPNESS], 1e-4);
        let stretch = math::clamp(wanted, 1.0, most);
        let flat = (stretch - 1.0) * self.flat_rate * gentle;

        let smooth_share = SMOOTH_SHARE * flat;
        let form_share = self.form_share * (1.0 - flat);
        let fine_share = stretch * (1.0 - smooth_share - form_share);
        let (smooth_share, form_share) = (stretch * smooth_share, stretch * FORM_GAIN * form_share);
        let lean = |fine: f32, smooth: f32, form: f32| {
            fine * fine_share + smooth * smooth_share + form * form_share
        };
        let east = lean(fine[0], smooth[0], wide[lane::FORM_EAST]);
        let south = lean(fine[1], smooth[1], wide[lane::FORM_SOUTH]);
        let normal = 1.0 / (1.0 + east * east + south * south).sqrt();

        let [sun_east, sun_south, sun_up] = self.sun;
        let facing = (sun_up - east * sun_east - south * sun_south) * normal * self.key_scale;
        let shade = 1.0 - self.shadow * self.half_shade.at(sun_horizon);
        let direct =
            wide[lane::SKY_LEVEL] - east * wide[lane::SKY_EAST] - south * wide[lane::SKY_SOUTH];
        let returned = RETURNED * (1.0 - wide[lane::OPEN]);
        let sky = math::max(LEAST_SKY, direct * normal) + returned;
        Light {
            key: self.key_share * math::max(0.0, facing) * shade,
            fill: (1.0 - self.key_share) * sky,
            sky,
            shade,
            flat,
        }
    }

    /// The light as a factor on linear colour; (1, 1, 1) on level open ground.
    /// `height_share` runs from 0 at the lowest ground to 1 at the highest.
    #[inline]
    pub(super) fn factor(&self, light: &Light, height_share: f32) -> Linear {
        let level = light.level();
        let over = math::max(0.0, level - 1.0);
        let held = math::min(level, 1.0) + over / (1.0 + self.shoulder * over);
        let lowland = self.lowland_contrast;
        let hazy = lowland + (1.0 - lowland) * math::min(1.0, 1.6 * height_share);
        let gain = (1.0 + (held - 1.0) * math::max(hazy, light.flat)) / level;
        std::array::from_fn(|i| {
            (light.key * self.key_color[i] + light.fill * self.sky_color[i]) * gain
        })
    }

    /// Light on water: half of it comes from within, so that shores in shadow
    /// do not turn black.
    #[inline]
    pub(super) fn on_water(&self, light: &Light) -> f32 {
        let sky = (1.0 - self.key_share) * math::min(1.0, light.sky);
        0.55 + 0.45 * (self.key_share * light.shade + sky)
    }
}

impl Light {
    /// Sun and sky together; 1 on level open ground.
    #[inline]
    pub(super) fn level(&self) -> f32 {
        self.key + self.fill
    }
}
