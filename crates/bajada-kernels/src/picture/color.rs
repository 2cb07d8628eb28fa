//! Colours: from sRGB to linear light and back, and ramps between stops.
//!
//! All mixing, lighting and averaging of a picture happens in linear light.
//! The way back needs no power function: four square roots in a row stand in
//! for it, with a worst error of a quarter of one 8-bit step, so that a picture
//! has the same bytes on every machine.

use bajada_grid::math;

/// Red, green and blue in linear light; 1 is the brightest that a screen shows.
pub(super) type Linear = [f32; 3];

/// A colour written as in a style sheet: `0xrrggbb`.
pub(super) const fn hex(code: u32) -> [u8; 3] {
    [(code >> 16) as u8, (code >> 8) as u8, code as u8]
}

/// An sRGB colour in linear light.
pub(super) fn linear(srgb: [u8; 3]) -> Linear {
    srgb.map(|byte| {
        let x = f64::from(byte) / 255.0;
        let y = if x <= 0.040_45 { x / 12.92 } else { math::pow((x + 0.055) / 1.055, 2.4) };
        y as f32
    })
}

/// A colour as a tint of light: linear, divided by its own luminance, so that
/// light of this colour is neither brighter nor darker than white light.
pub(super) fn chroma(srgb: [u8; 3]) -> Linear {
    let [r, g, b] = linear(srgb);
    let luminance = 0.2126 * r + 0.7152 * g + 0.0722 * b;
    [r / luminance, g / luminance, b / luminance]
}

/// `a` with the share `t` of it replaced by `b`.
#[inline]
pub(super) fn mix(a: Linear, b: Linear, t: f32) -> Linear {
    [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t, a[2] + (b[2] - a[2]) * t]
}

/// `color` under `light`, channel by channel.
#[inline]
pub(super) fn lit(color: Linear, light: Linear) -> Linear {
    [color[0] * light[0], color[1] * light[1], color[2] * light[2]]
}

/// Bends everything above 0.75 toward 1, so that a bright slope keeps its hue
/// and its texture instead of clipping to white.
#[inline]
pub(super) fn soft_top(x: f32) -> f32 {
    // Written so that a row of it runs without a branch: below the bend the
    // excess is 0 and x stays x.
    let excess = if x > 0.75 { (x - 0.75) * 4.0 } else { 0.0 };
    let held = if x > 0.75 { 0.75 } else { x };
    held + 0.25 * excess / (1.0 + excess)
}

/// Linear light 0..1 as the sRGB value 0..1.
#[inline]
pub(super) fn transfer(x: f32) -> f32 {
    if x <= 0.003_130_8 {
        return 12.92 * x;
    }
    let r1 = x.sqrt();
    let r2 = r1.sqrt();
    let r3 = r2.sqrt();
    0.662_002_7 * r1 + 0.684_122_1 * r2 - 0.323_583_6 * r3 - 0.022_541_147 * x
}

/// The transfer curve as a table: a picture has millions of channels, and a
/// look-up costs a tenth of three square roots.
#[derive(Debug)]
pub(super) struct Encoder {
    table: Vec<u8>,
}

impl Encoder {
    /// 8192 entries: one byte step off at the very most, in the darkest tones.
    const LAST: usize = 8191;

    pub(super) fn new() -> Self {
        let byte = |entry: usize| {
            let y = transfer(entry as f32 / Self::LAST as f32);
            (255.0 * y + 0.5) as u8
        };
        Self { table: (0..=Self::LAST).map(byte).collect() }
    }

    /// The sRGB byte of linear light, held within 0..1.
    #[inline]
    pub(super) fn byte(&self, x: f32) -> u8 {
        let entry = (x * Self::LAST as f32 + 0.5) as usize;
        self.table[if entry < Self::LAST { entry } else { Self::LAST }]
    }
}

/// Colours at rising places, piecewise linear between them.
#[derive(Debug)]
pub(super) struct Ramp<const N: usize> {
    places: [f32; N],
    colors: [Linear; N],
    /// One over the distance to the next place.
    rates: [f32; N],
}

impl<const N: usize> Ramp<N> {
    pub(super) fn new(stops: [(f32, u32); N]) -> Self {
        let places = stops.map(|(place, _)| place);
        let rates = std::array::from_fn(|idx| match places.get(idx + 1) {
            Some(next) => 1.0 / (next - places[idx]),
            None => 0.0,
        });
        Self { places, colors: stops.map(|(_, code)| linear(hex(code))), rates }
    }

    /// The ramp with each of its colours changed.
    pub(super) fn map(self, change: impl Fn(Linear) -> Linear) -> Self {
        Self { colors: self.colors.map(change), ..self }
    }

    /// The colour at `x`; the end colours go on outside.
    #[inline]
    pub(super) fn at(&self, x: f32) -> Linear {
        let mut idx = 0;
        while idx + 2 < N && x >= self.places[idx + 1] {
            idx += 1;
        }
        let t = math::clamp((x - self.places[idx]) * self.rates[idx], 0.0, 1.0);
        mix(self.colors[idx], self.colors[idx + 1], t)
    }
}

/// A smoothstep whose ends are known ahead: a multiplication instead of a
/// division per cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fade {
    start: f32,
    rate: f32,
}

impl Fade {
    /// 0 below `start`, 1 above `end`.
    pub(super) const fn new(start: f32, end: f32) -> Self {
        Self { start, rate: 1.0 / (end - start) }
    }

    #[inline]
    pub(super) fn at(&self, x: f32) -> f32 {
        let t = math::clamp((x - self.start) * self.rate, 0.0, 1.0);
        t * t * (3.0 - 2.0 * t)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exact(x: f64) -> f64 {
        if x <= 0.003_130_8 { 12.92 * x } else { 1.055 * math::pow(x, 1.0 / 2.4) - 0.055 }
    }

    #[test]
    fn encoding_is_within_a_quarter_step_of_srgb_and_white_is_white() {
        let mut worst = 0.0;
        for step in 0..=200_000 {
            let x = step as f32 / 200_000.0;
            let error = (f64::from(transfer(x)) - exact(f64::from(x))).abs() * 255.0;
            worst = math::max(worst, error);
        }
        assert!(worst <= 0.252, "{worst} of a step");
        let encoder = Encoder::new();
        assert_eq!((encoder.byte(1.0), encoder.byte(0.0)), (255, 0));
        assert_eq!((encoder.byte(7.0), encoder.byte(-1.0), encoder.byte(f32::NAN)), (255, 0, 0));
    }

    #[test]
    fn every_srgb_byte_survives_the_way_to_linear_light_and_back() {
        let encoder = Encoder::new();
        for byte in 0..=255_u8 {
            let back = encoder.byte(linear([byte; 3])[0]);
            assert!(back.abs_diff(byte) <= 1, "{byte} came back as {back}");
        }
    }

    #[test]
    fn the_soft_top_bends_without_a_step_and_never_reaches_white() {
        assert_eq!(soft_top(0.6), 0.6);
        assert_eq!(soft_top(0.75), 0.75);
        assert!((soft_top(1.0) - 0.875).abs() < 1e-6);
        let mut before = 0.0;
        for step in 0..4000 {
            let now = soft_top(step as f32 * 0.001);
            assert!(now >= before && now < 1.0);
            before = now;
        }
    }

    #[test]
    fn a_ramp_passes_through_its_stops_and_goes_on_outside() {
        let ramp = Ramp::new([(0.0, 0x10_20_30), (0.5, 0x80_90_a0), (1.0, 0xff_ff_ff)]);
        for (x, code) in
            [(-1.0, 0x10_20_30), (0.0, 0x10_20_30), (0.5, 0x80_90_a0), (2.0, 0xff_ff_ff)]
        {
            assert_eq!(ramp.at(x), linear(hex(code)));
        }
        let middle = ramp.at(0.25)[1];
        let mean = (linear(hex(0x10_20_30))[1] + linear(hex(0x80_90_a0))[1]) / 2.0;
        assert!((middle - mean).abs() < 1e-6, "stops are mixed in linear light");
    }

    #[test]
    fn the_tint_of_light_neither_brightens_nor_darkens() {
        let [r, g, b] = chroma(hex(0xff_f1_d6));
        assert!((0.2126 * r + 0.7152 * g + 0.0722 * b - 1.0).abs() < 1e-6);
    }
}
