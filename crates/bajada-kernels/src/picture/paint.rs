//! From a scene to lit colour, row by row of the map.
//!
//! Both pictures are painted here; what differs between them is a [`Style`].

use std::borrow::Cow;

use bajada_grid::{Cancelled, Grid, Task};

use super::coarse::{LANES, WideRow};
use super::color::{Linear, hex, linear, lit, soft_top};
use super::contour::{Contour, Contours};
use super::enlarge::{enlarged, enlarged_amount};
use super::fields::{Fields, short_side};
use super::gradient::{GradientRow, length};
use super::ground::Palette;
use super::horizon::Direction;
use super::light::{Light, Look, LookSettings, lane};

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

/// What differs between one kind of picture and another.
pub(super) struct Style {
    /// Enlarges the heights so many times first.
    pub(super) scale: usize,
    /// Where the sun stands.
    pub(super) sun: Direction,
    /// How much brighter than its mean the sky is on the sun's side.
    pub(super) sky_lean: f32,
    pub(super) look: LookSettings,
    pub(super) contour: Contour,
    /// Thickness of a contour line of one pixel, in samples after enlarging.
    pub(super) thickness: f32,
    /// Depth at which water is darkest, m.
    pub(super) water_deep: f64,
    /// Changes every colour of ground and water.
    pub(super) tone: fn(Linear) -> Linear,
}

/// Everything that a row of pixels is painted from.
pub(super) struct Painter<'a> {
    pub(super) elevation: Cow<'a, Grid<f32>>,
    pub(super) water: Option<Cow<'a, Grid<f32>>>,
    deposition: Option<Cow<'a, Grid<f32>>>,
    tints: Vec<(Cow<'a, Grid<f32>>, Linear)>,
    pub(super) fields: Fields,
    look: Look,
    palette: Palette,
    contours: Contours,
    /// Metres between contour lines; 0 = none.
    pub(super) contour_interval: f64,
    pub(super) sun: Direction,
    /// Samples for each one of the scene's, along a side.
    pub(super) scale: usize,
}

/// Buffers that a thread uses for one row after another.
#[derive(Default)]
pub(super) struct PaintScratch {
    fine: GradientRow,
    smooth: GradientRow,
    pub(super) wide: WideRow,
    /// The painted row.
    pub(super) pixels: Vec<Linear>,
    /// Sums of painted pixels for each pixel of the picture.
    pub(super) sums: Vec<Linear>,
}

impl PaintScratch {
    pub(super) fn start(&mut self, out_width: usize) {
        self.sums.clear();
        self.sums.resize(out_width, [0.0; 3]);
    }

    pub(super) fn add_row(&mut self, columns: usize) {
        for (sum, block) in self.sums.iter_mut().zip(self.pixels.chunks(columns)) {
            for pixel in block {
                *sum = std::array::from_fn(|i| sum[i] + pixel[i]);
            }
        }
    }
}

impl<'a> Painter<'a> {
    pub(super) fn new(task: &Task, scene: &Scene<'a>, style: &Style) -> Result<Self, Cancelled> {
        let samples = scene.elevation.domain().samples();
        let others = scene.water.into_iter().chain(scene.deposition);
        for other in others.chain(scene.tints.iter().map(|tint| tint.mask)) {
            assert_eq!(samples, other.domain().samples(), "the rasters of a scene have one size");
        }
        task.check()?;
        let elevation = enlarged(scene.elevation, style.scale);
        let water = scene.water.map(|water| enlarged_amount(water, style.scale));
        let deposition = scene.deposition.map(|it| enlarged_amount(it, style.scale));
        let tints = scene
            .tints
            .iter()
            .map(|tint| (enlarged(tint.mask, style.scale), (style.tone)(linear(tint.color))));
        let tints = tints.collect();

        let fields = Fields::new(task, &elevation, water.as_deref(), style.sun, style.sky_lean)?;
        let side = short_side(elevation.domain());
        let contour_interval = style.contour.interval(side);
        let contours =
            Contours::new(contour_interval, fields.base, elevation.domain(), style.thickness);
        let look = Look::new(&style.look);
        let palette = Palette::new(&elevation, side, style.water_deep, style.tone);
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
            sun: style.sun,
            scale: style.scale,
        })
    }

    /// Pixels before shrinking: west to east, north to south.
    pub(super) fn samples(&self) -> [usize; 2] {
        [self.elevation.width(), self.elevation.height()]
    }

    /// Paints row `y` into `scratch.pixels`: linear light, held below 1.
    pub(super) fn paint_row(&self, y: usize, scratch: &mut PaintScratch) {
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

    pub(super) fn begin_row(&self, y: usize, scratch: &mut PaintScratch) {
        scratch.fine.read(&self.fields.surface, y);
        scratch.smooth.read(&self.fields.smooth, y);
        scratch.wide.read(&self.fields.coarse, &self.fields.lanes, y);
    }

    /// The light on one cell of the row that `scratch` was set to.
    #[inline]
    pub(super) fn light(
        &self,
        x: usize,
        y: usize,
        wide: &[f32; LANES],
        scratch: &PaintScratch,
    ) -> Light {
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
pub(super) struct NodePlace {
    pub(super) node: usize,
    pub(super) share: f32,
    step: usize,
    factor: usize,
    per_step: f32,
}

impl NodePlace {
    pub(super) fn new(factor: usize) -> Self {
        Self { node: 0, share: 0.0, step: 0, factor, per_step: 1.0 / factor as f32 }
    }

    #[inline]
    pub(super) fn step(&mut self) {
        self.step += 1;
        if self.step == self.factor {
            (self.step, self.node) = (0, self.node + 1);
        }
        self.share = self.step as f32 * self.per_step;
    }
}
