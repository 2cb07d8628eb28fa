//! `relief`: the map from above, lit from one side.
//!
//! A picture of terrain for the eye: tinted by height, lit by a low sun and a
//! wide sky, with contour lines on gentle ground, deposits as sand, and water.
//! It carries no legend, no frame and no text. One pixel per sample, after an
//! optional enlargement of the *heights* and before an optional reduction of
//! the finished colours.
//!
//! Guarantees: the same bytes on any number of threads; level open ground shows
//! the palette's colour exactly; a map sampled at another resolution has the
//! same tones, because every radius is a share of the map's short side.

use std::borrow::Cow;

use bajada_grid::{Cancelled, Grid, Task, math};
use rayon::prelude::*;

use super::coarse::{LANES, WideRow};
use super::color::{Encoder, Linear, hex, linear, lit, soft_top};
use super::contour::{Contour, Contours};
use super::enlarge::{enlarged, enlarged_amount, scale_of};
use super::fields::{Fields, short_side};
use super::gradient::{GradientRow, length};
use super::ground::Palette;
use super::horizon::Direction;
use super::light::{Light, Look, LookSettings, lane};

/// How a relief picture is lit and drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReliefConfig {
    /// Where the sun stands, degrees clockwise from north. Snapped to the
    /// nearest of 16 directions that meet samples (0, 26.57, 45, 63.43, 90 ...),
    /// so that shadows are exact.
    pub sun_azimuth: f64,
    /// How high the sun stands above the horizon, degrees.
    pub sun_height: f64,
    /// Share of the sun in the light of a plain; the sky gives the rest.
    pub key_share: f64,
    /// Share of the sun's light that a cast shadow takes.
    pub shadow: f64,
    /// How far the light of gentle ground is stretched; 1 = not at all.
    pub contrast: f64,
    /// Contour lines on gentle ground.
    pub contour: Contour,
    /// Depth at which water is darkest, m.
    pub water_deep: f64,
    /// Enlarges the heights first, 1..=4; `None` = as far as 1300 pixels on the
    /// longer side.
    pub scale: Option<u32>,
    /// Averages blocks of this many pixels a side at the end; 1 = none. A
    /// remainder at the east and south edges is left out.
    pub shrink: u32,
}

impl Default for ReliefConfig {
    fn default() -> Self {
        Self {
            sun_azimuth: 315.0,
            sun_height: 33.0,
            key_share: 0.62,
            shadow: 0.55,
            contrast: 5.0,
            contour: Contour::Auto,
            water_deep: 25.0,
            scale: None,
            shrink: 1,
        }
    }
}

/// Colours for masks that bring none, by order: vegetation, snow, clay, wash.
pub const DEFAULT_TINTS: [[u8; 3]; 4] =
    [hex(0x76_85_5c), hex(0xec_ef_f2), hex(0xb9_8f_72), hex(0xd8_d2_c0)];

/// A mask that colours the ground.
#[derive(Clone, Copy, Debug)]
pub struct Tint<'a> {
    /// Where it applies, 0..1.
    pub mask: &'a Grid<f32>,
    /// Its colour in sRGB; see [`DEFAULT_TINTS`].
    pub color: [u8; 3],
}

/// What a picture shows: rasters of one size.
#[derive(Clone, Copy, Debug)]
pub struct Scene<'a> {
    /// Height of the ground (the bed where there is water), m.
    pub elevation: &'a Grid<f32>,
    /// Depth of water, m; 0 = dry.
    pub water: Option<&'a Grid<f32>>,
    /// Thickness of loose deposits, m.
    pub deposition: Option<&'a Grid<f32>>,
    /// Masks, painted in order.
    pub tints: &'a [Tint<'a>],
}

impl<'a> Scene<'a> {
    /// Bare ground.
    pub fn new(elevation: &'a Grid<f32>) -> Self {
        Self { elevation, water: None, deposition: None, tints: &[] }
    }
}

/// A finished picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// Pixels from west to east.
    pub width: usize,
    /// Pixels from north to south.
    pub height: usize,
    /// Three sRGB bytes a pixel, row by row from the north.
    pub rgb: Vec<u8>,
    /// Metres between contour lines; 0 = none.
    pub contour_interval: f64,
    /// Where the sun stood after snapping, degrees clockwise from north.
    pub sun_azimuth_snapped: f64,
}

/// Paints `scene` from above.
///
/// ```
/// use bajada_grid::{Domain, Grid, Task};
/// use bajada_kernels::picture::{ReliefConfig, Scene, relief};
///
/// let domain = Domain::new(65, 65, 30.0, [0.0; 2])?;
/// let ramp = Grid::from_fn(domain, |x, _| 2.0 * x as f32);
/// let config = ReliefConfig { scale: Some(2), ..ReliefConfig::default() };
/// let picture = relief(&Task::new(), &Scene::new(&ramp), &config)?;
/// assert_eq!((picture.width, picture.rgb.len()), (129, 3 * 129 * 129));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`Cancelled`] when `task` is stopped; no picture then.
///
/// # Panics
/// If the rasters of the scene differ in size. A build has one lattice.
pub fn relief(task: &Task, scene: &Scene<'_>, config: &ReliefConfig) -> Result<Picture, Cancelled> {
    let shrink = config.shrink.max(1) as usize;
    task.set_total(Fields::STEPS + 1);
    let painter = Painter::new(task, scene, config)?;
    let [width, height] = painter.samples();
    let (out_width, out_height) = ((width / shrink).max(1), (height / shrink).max(1));
    let mut rgb = vec![0_u8; 3 * out_width * out_height];
    rgb.par_chunks_mut(3 * out_width).enumerate().for_each_init(
        PaintScratch::default,
        |scratch, (y, row)| {
            if task.is_cancelled() {
                return;
            }
            scratch.start(out_width);
            let rows = y * shrink..height.min((y + 1) * shrink);
            let columns = shrink.min(width);
            let share = 1.0 / (rows.len() * columns) as f32;
            for fine_y in rows {
                painter.paint_row(fine_y, scratch);
                scratch.add_row(columns);
            }
            for (pixel, sum) in row.as_chunks_mut::<3>().0.iter_mut().zip(&scratch.sums) {
                *pixel = sum.map(|channel| painter.encoder.byte(channel * share));
            }
        },
    );
    task.check()?;
    task.advance(1);
    Ok(Picture {
        width: out_width,
        height: out_height,
        rgb,
        contour_interval: painter.contour_interval,
        sun_azimuth_snapped: painter.sun.azimuth_deg(),
    })
}

/// Everything that a row of pixels is painted from.
struct Painter<'a> {
    elevation: Cow<'a, Grid<f32>>,
    water: Option<Cow<'a, Grid<f32>>>,
    deposition: Option<Cow<'a, Grid<f32>>>,
    tints: Vec<(Cow<'a, Grid<f32>>, Linear)>,
    fields: Fields,
    look: Look,
    palette: Palette,
    contours: Contours,
    contour_interval: f64,
    sun: Direction,
    encoder: Encoder,
}

/// Buffers that a thread uses for one row after another.
#[derive(Default)]
struct PaintScratch {
    fine: GradientRow,
    smooth: GradientRow,
    wide: WideRow,
    /// The painted row.
    pixels: Vec<Linear>,
    /// Sums of painted pixels for each pixel of the picture.
    sums: Vec<Linear>,
}

impl PaintScratch {
    fn start(&mut self, out_width: usize) {
        self.sums.clear();
        self.sums.resize(out_width, [0.0; 3]);
    }

    fn add_row(&mut self, columns: usize) {
        for (sum, block) in self.sums.iter_mut().zip(self.pixels.chunks(columns)) {
            for pixel in block {
                *sum = std::array::from_fn(|i| sum[i] + pixel[i]);
            }
        }
    }
}

impl<'a> Painter<'a> {
    fn new(task: &Task, scene: &Scene<'a>, config: &ReliefConfig) -> Result<Self, Cancelled> {
        let samples = scene.elevation.domain().samples();
        let others = scene.water.into_iter().chain(scene.deposition);
        for other in others.chain(scene.tints.iter().map(|tint| tint.mask)) {
            assert_eq!(samples, other.domain().samples(), "the rasters of a scene have one size");
        }
        task.check()?;
        let scale = scale_of(scene.elevation.domain(), config.scale);
        let elevation = enlarged(scene.elevation, scale);
        let water = scene.water.map(|water| enlarged_amount(water, scale));
        let deposition = scene.deposition.map(|deposition| enlarged_amount(deposition, scale));
        let tints = scene.tints.iter();
        let tints = tints.map(|tint| (enlarged(tint.mask, scale), linear(tint.color))).collect();

        let sun = Direction::nearest_sun(config.sun_azimuth);
        let fields = Fields::new(task, &elevation, water.as_deref(), sun)?;
        let side = short_side(elevation.domain());
        let contour_interval = config.contour.interval(side);
        let shrink = config.shrink.max(1) as usize;
        let contours = Contours::new(contour_interval, fields.base, elevation.domain(), shrink);
        let look = Look::new(&LookSettings {
            toward_sun: sun.unit(),
            sun_height: math::radians(config.sun_height),
            key_share: config.key_share,
            shadow: config.shadow,
            contrast: config.contrast,
        });
        let palette = Palette::new(&elevation, side, config.water_deep);
        let encoder = Encoder::new();
        Ok(Self {
            elevation,
            water,
            deposition,
            tints,
            fields,
            look,
            palette,
            contours,
            contour_interval,
            sun,
            encoder,
        })
    }

    /// Pixels before shrinking: west to east, north to south.
    fn samples(&self) -> [usize; 2] {
        [self.elevation.width(), self.elevation.height()]
    }

    /// Paints row `y` into `scratch.pixels`: linear light, held below 1.
    fn paint_row(&self, y: usize, scratch: &mut PaintScratch) {
        self.begin_row(y, scratch);
        let mut pixels = std::mem::take(&mut scratch.pixels);
        pixels.clear();
        let mut place = NodePlace::new(self.fields.coarse.factor);
        for x in 0..self.elevation.width() {
            let color = self.pixel(x, y, &place, scratch);
            pixels.push(color.map(soft_top));
            place.step();
        }
        scratch.pixels = pixels;
    }

    fn begin_row(&self, y: usize, scratch: &mut PaintScratch) {
        scratch.fine.read(&self.fields.surface, y);
        scratch.smooth.read(&self.fields.smooth, y);
        scratch.wide.read(&self.fields.coarse, &self.fields.lanes, y);
    }

    /// The light on one cell of the row that `scratch` was set to.
    #[inline]
    fn light(&self, x: usize, y: usize, wide: &[f32; LANES], scratch: &PaintScratch) -> Light {
        let fine = [scratch.fine.east[x], scratch.fine.south[x]];
        let smooth = [scratch.smooth.east[x], scratch.smooth.south[x]];
        self.look.light(fine, smooth, wide, self.fields.sun_horizon.row(y)[x])
    }

    #[inline]
    fn pixel(&self, x: usize, y: usize, place: &NodePlace, scratch: &PaintScratch) -> Linear {
        let wide = scratch.wide.at(place.node, place.share);
        let light = self.light(x, y, &wide, scratch);
        let slope = length(scratch.fine.east[x], scratch.fine.south[x]);
        let height_share = self.palette.height_share(self.elevation.row(y)[x]);
        let mut ground = self.palette.ground(height_share, slope, wide[lane::STEEPNESS]);
        if let Some(deposition) = &self.deposition {
            ground = self.palette.with_sand(ground, deposition.row(y)[x], slope);
        }
        for (mask, color) in &self.tints {
            ground = Palette::with_mask(ground, *color, mask.row(y)[x]);
        }
        let color = lit(ground, self.look.factor(&light, height_share));
        let depth = self.water.as_ref().map_or(0.0, |water| water.row(y)[x]);
        if depth > 0.0 {
            return self.palette.with_water(color, depth, &self.look, &light);
        }
        let smooth_slope = length(scratch.smooth.east[x], scratch.smooth.south[x]);
        let smooth = self.fields.smooth.row(y)[x];
        let ink = self.contours.ink(smooth, smooth_slope, wide[lane::GENTLE]);
        self.palette.with_ink(color, ink)
    }
}

/// Where a column lies between two coarse nodes, kept by counting: a division
/// per pixel is saved.
struct NodePlace {
    node: usize,
    share: f32,
    step: usize,
    factor: usize,
    per_step: f32,
}

impl NodePlace {
    fn new(factor: usize) -> Self {
        Self { node: 0, share: 0.0, step: 0, factor, per_step: 1.0 / factor as f32 }
    }

    #[inline]
    fn step(&mut self) {
        self.step += 1;
        if self.step == self.factor {
            (self.step, self.node) = (0, self.node + 1);
        }
        self.share = self.step as f32 * self.per_step;
    }
}

#[cfg(test)]
mod tests;
