//! The map, lit from above, as something to be looked up at any place.

use bajada_grid::{Cancelled, Domain, Grid, Stream, Task, par};
use rayon::prelude::*;

use super::super::blur::blur;
use super::super::color::Linear;
use super::super::paint::{PaintScratch, Painter};

/// Lit colours, heights and water of one map.
pub(super) struct Texture {
    /// The visible surface above `base`, m.
    surface: Grid<f32>,
    base: f64,
    water: Option<Grid<f32>>,
    colors: Vec<Linear>,
    per_metre: f64,
    /// Samples for each one of the map's own, along a side.
    pub(super) scale: f64,
}

/// Cells on the short side from which a map is fine enough.
const FINE_ENOUGH: usize = 700;
/// Largest enlargement.
const MOST: usize = 8;
/// Most samples that an enlargement may make.
const MOST_SAMPLES: usize = 1 << 25;

/// How far the heights are enlarged before they are lit: until a cell is about
/// 1/700 of the short side.
pub(super) fn scale_of(domain: &Domain) -> usize {
    let cells = [domain.width() - 1, domain.height() - 1];
    let wanted = FINE_ENOUGH.div_ceil(cells[0].min(cells[1]).max(1)).clamp(1, MOST);
    let samples = |scale: usize| {
        cells.iter().map(|cells| cells.saturating_mul(scale)).fold(1, usize::saturating_mul)
    };
    (1..=wanted).rev().find(|&scale| samples(scale) <= MOST_SAMPLES).unwrap_or(1)
}

/// How strongly the grain shows.
const GRAIN: f32 = 0.04;
/// The grain's coarser part.
const COARSE_GRAIN: f32 = 2.2;

impl Texture {
    /// Paints the whole map.
    pub(super) fn new(task: &Task, painter: Painter<'_>) -> Result<Self, Cancelled> {
        let [width, height] = painter.samples();
        let grain = Grain::new(task, &painter.fields.surface)?;
        let mut colors = vec![[0.0_f32; 3]; width * height];
        colors.par_chunks_mut(width).enumerate().for_each_init(
            PaintScratch::default,
            |scratch, (y, row)| {
                if task.is_cancelled() {
                    return;
                }
                painter.paint_row(y, scratch);
                let water = painter.water.as_ref().map(|water| water.row(y));
                for (x, (color, &painted)) in row.iter_mut().zip(&scratch.pixels).enumerate() {
                    let dry = water.is_none_or(|water| water[x] <= 0.0);
                    let grain = if dry { grain.at(x, y) } else { 1.0 };
                    *color = painted.map(|channel| channel * grain);
                }
            },
        );
        task.check()?;
        let per_metre = 1.0 / painter.fields.surface.domain().cell_size();
        let (scale, base) = (painter.scale as f64, painter.fields.base);
        let water = painter.water.map(std::borrow::Cow::into_owned);
        Ok(Self { surface: painter.fields.surface, base, water, colors, per_metre, scale })
    }

    /// The samples around a place (m east and south of the first one).
    #[inline]
    pub(super) fn patch(&self, [east, south]: [f64; 2]) -> Patch {
        let (width, height) = (self.surface.width(), self.surface.height());
        let (x, fx) = split(east * self.per_metre, width);
        let (y, fy) = split(south * self.per_metre, height);
        Patch {
            index: y * width + x,
            right: usize::from(width > 1),
            down: if height > 1 { width } else { 0 },
            fx,
            fy,
        }
    }

    /// Height of the visible surface at a place, m.
    #[inline]
    pub(super) fn surface_at(&self, place: [f64; 2]) -> f64 {
        self.base + f64::from(self.patch(place).read(self.surface.as_slice()))
    }

    #[inline]
    pub(super) fn color(&self, patch: &Patch) -> Linear {
        let [a, b, c, d] = patch.corners(&self.colors);
        std::array::from_fn(|i| patch.between([a[i], b[i], c[i], d[i]]))
    }

    /// Depth of water, m.
    #[inline]
    pub(super) fn water(&self, patch: &Patch) -> f32 {
        self.water.as_ref().map_or(0.0, |water| patch.read(water.as_slice()))
    }
}

/// The sample before a coordinate that has another after it, and the way
/// between them.
#[inline]
fn split(coordinate: f64, samples: usize) -> (usize, f32) {
    let last = samples - 1;
    // A conversion holds what lies before 0 and what is no number at 0.
    let cell = (coordinate as usize).min(last.saturating_sub(1));
    let way = (coordinate - cell as f64) as f32;
    (cell, bajada_grid::math::clamp(way, 0.0, 1.0))
}

/// Four neighbouring samples and a place between them.
pub(super) struct Patch {
    index: usize,
    right: usize,
    down: usize,
    fx: f32,
    fy: f32,
}

impl Patch {
    #[inline]
    fn corners<T: Copy>(&self, cells: &[T]) -> [T; 4] {
        let below = self.index + self.down;
        [cells[self.index], cells[self.index + self.right], cells[below], cells[below + self.right]]
    }

    #[inline]
    fn between(&self, [a, b, c, d]: [f32; 4]) -> f32 {
        let north = a + (b - a) * self.fx;
        let south = c + (d - c) * self.fx;
        north + (south - north) * self.fy
    }

    #[inline]
    fn read(&self, cells: &[f32]) -> f32 {
        self.between(self.corners(cells))
    }
}

/// A faint grain on the ground: smooth ground would look like wax from close by.
struct Grain {
    noise: Grid<f32>,
    smooth: Grid<f32>,
}

impl Grain {
    fn new(task: &Task, like: &Grid<f32>) -> Result<Self, Cancelled> {
        let stream = Stream::new(0).named("grain");
        let mut noise = like.like(0.0_f32);
        par::map(&mut noise, |idx| (stream.uniform(idx as u64, 0) - 0.5) as f32);
        task.check()?;
        let smooth = blur(task, &noise, 0.0)?;
        Ok(Self { noise, smooth })
    }

    #[inline]
    fn at(&self, x: usize, y: usize) -> f32 {
        1.0 + GRAIN * (self.noise.at(x, y) + COARSE_GRAIN * self.smooth.at(x, y))
    }
}
