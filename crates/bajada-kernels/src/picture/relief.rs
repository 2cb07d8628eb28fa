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

use bajada_grid::{Cancelled, Domain, Task, math};
use rayon::prelude::*;

use super::color::Encoder;
use super::contour::Contour;
use super::enlarge::scale_of;
use super::fields::Fields;
use super::horizon::Direction;
use super::light::LookSettings;
use super::paint::{PaintScratch, Painter, Scene, Style};

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
    /// longer side. What `shrink` would take back again is not enlarged.
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
    let (_, shrink) = sides(config, scene.elevation.domain());
    task.set_total(Fields::STEPS + 1);
    let painter = Painter::new(task, scene, &style(config, scene.elevation.domain()))?;
    let encoder = Encoder::new();
    let [width, height] = painter.samples();
    let [out_width, out_height] = out_sides(config, scene.elevation.domain());
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
                *pixel = sum.map(|channel| encoder.byte(channel * share));
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

/// How far the heights are enlarged, and the finished colours shrunk.
fn sides(config: &ReliefConfig, domain: &Domain) -> (usize, usize) {
    let (mut scale, mut shrink) = asked(config, domain);
    while config.scale.is_none() && scale % 2 == 0 && shrink % 2 == 0 {
        (scale, shrink) = (scale / 2, shrink / 2);
    }
    (scale, shrink)
}

/// The same, were all of it carried out.
fn asked(config: &ReliefConfig, domain: &Domain) -> (usize, usize) {
    (scale_of(domain, config.scale), config.shrink.max(1) as usize)
}

/// Pixels of the picture, which do not depend on how it is painted.
fn out_sides(config: &ReliefConfig, domain: &Domain) -> [usize; 2] {
    let (scale, shrink) = asked(config, domain);
    [domain.width(), domain.height()].map(|side| (((side - 1) * scale + 1) / shrink).max(1))
}

/// How the map from above is painted. Its numbers were found by looking.
fn style(config: &ReliefConfig, domain: &Domain) -> Style {
    let (scale, shrink) = sides(config, domain);
    let cells = scale * (domain.width().min(domain.height()) - 1);
    let sun = Direction::nearest_sun(config.sun_azimuth);
    Style {
        scale,
        sun,
        sky_lean: 0.45,
        look: LookSettings {
            toward_sun: sun.unit(),
            sun_height: math::radians(config.sun_height),
            key_share: config.key_share,
            shadow: config.shadow,
            contrast: config.contrast,
            hill_share: 0.15,
            form_share: 0.20,
            // A shadow is soft where its edge is cast from: the half shade
            // widens with distance by itself.
            half_shade: [0.90, 1.30],
            shoulder: 0.5,
            // Far-away lowlands look hazier (Imhof's aerial perspective).
            lowland_contrast: 0.85,
            light_colors: [0xff_f1_d6, 0xc4_cf_f5],
        },
        contour: config.contour,
        // Large maps are looked at as a whole, so their lines grow with them.
        thickness: math::max(cells as f32 / 1024.0, shrink as f32),
        water_deep: config.water_deep,
        tone: |color| color,
    }
}

#[cfg(test)]
mod tests;
