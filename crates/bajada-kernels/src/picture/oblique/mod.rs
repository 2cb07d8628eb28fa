//! `oblique`: the land from a hill beside it.
//!
//! # Model
//!
//! The map is lit once, from above, into a texture; then each column of the
//! picture is swept from near to far. The picture plane is vertical, as with a
//! shift lens: verticals stay vertical, and a column of the picture is one
//! straight line on the map. Walking that line, the rows that the ground rises
//! over are filled with the exact crossing of their line of sight. There is no
//! march per pixel and no mesh.
//!
//! Haze thickens with distance and thins with height, the sky pales toward the
//! horizon, water mirrors it. Four samples make a pixel, averaged in linear
//! light; an ordered dither keeps the sky from showing bands.
//!
//! # Guarantees
//!
//! - The same bytes on any number of threads: columns know nothing of each
//!   other.
//! - All lengths of the look are shares of the map's short side, so a preview
//!   has the camera and the tones of the full build.
//! - Nothing is invented: where the map ends, the sky begins, or a cut wall.

use bajada_grid::{Cancelled, Domain, Task, math};
use rayon::prelude::*;

use super::color::{Linear, transfer};
use super::contour::Contour;
use super::fields::{Fields, water_surface};
use super::horizon::Direction;
use super::light::LookSettings;
use super::paint::{Painter, Scene, Style};
use super::relief::Picture;

mod air;
mod camera;
mod column;
mod texture;

use air::Air;
use camera::{Camera, Survey};
use column::Column;
use texture::Texture;

/// Where an oblique picture is taken from, and how it is lit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ObliqueConfig {
    /// Where the camera looks to, degrees clockwise from north. `None` stands
    /// it on the side of the map with the lowest border, looking across.
    pub bearing: Option<f64>,
    /// How far the middle of the picture lies below the horizon, degrees.
    pub pitch: f64,
    /// Angle between the left and the right edge of the picture, degrees.
    pub field: f64,
    /// Distance from the camera to its target, in short sides of the map.
    pub distance: f64,
    /// Elevation of the camera, m. `None` raises it until the target is in the
    /// middle of the picture. It never stands in the ground.
    pub eye_elevation: Option<f64>,
    /// What the camera looks at, m east and south of the map's north-west
    /// sample. `None` is the middle of the map.
    pub target: Option<[f64; 2]>,
    /// Width and height in pixels. `None` is 1600 x 900, and less for maps of
    /// few samples.
    pub size: Option<[u32; 2]>,
    /// Share of its light that the far edge of the map loses to haze.
    pub haze: f64,
    /// Contour lines on gentle ground: bowed lines tell a fan from the side.
    pub contour: Contour,
    /// Where the sun stands, degrees clockwise from north, snapped as in
    /// [`super::ReliefConfig::sun_azimuth`]. `None` is behind the left shoulder.
    pub sun_azimuth: Option<f64>,
    /// How high the sun stands above the horizon, degrees.
    pub sun_height: f64,
    /// Depth at which water is darkest, m.
    pub water_deep: f64,
}

impl Default for ObliqueConfig {
    fn default() -> Self {
        Self {
            bearing: None,
            pitch: 12.0,
            field: 40.0,
            distance: 0.85,
            eye_elevation: None,
            target: None,
            size: None,
            haze: 0.42,
            contour: Contour::Auto,
            sun_azimuth: None,
            sun_height: 27.0,
            water_deep: 25.0,
        }
    }
}

/// A finished picture and where it was taken from.
#[derive(Clone, Debug, PartialEq)]
pub struct ObliquePicture {
    /// The picture itself.
    pub picture: Picture,
    /// Where the camera looks to, degrees clockwise from north.
    pub bearing: f64,
    /// Elevation of the camera, m.
    pub eye_elevation: f64,
    /// Whether the picture shows where the map ends at a side or below.
    pub edges_show: bool,
}

/// The sun stands this much to the left of the view, degrees: behind the
/// photographer's shoulder, where shadows fall into the picture.
const SUN_FROM_VIEW: f64 = -120.0;

/// Samples to a pixel, along each side.
const FINE: usize = 2;

/// Takes a picture of `scene` from the side.
///
/// ```
/// use bajada_grid::{Domain, Grid, Task};
/// use bajada_kernels::picture::{ObliqueConfig, Scene, oblique};
///
/// let domain = Domain::new(65, 65, 30.0, [0.0; 2])?;
/// let ramp = Grid::from_fn(domain, |_, y| 10.0 * (64 - y) as f32);
/// let config = ObliqueConfig { size: Some([160, 90]), ..ObliqueConfig::default() };
/// let taken = oblique(&Task::new(), &Scene::new(&ramp), &config)?;
/// assert_eq!((taken.picture.width, taken.bearing), (160, 0.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`Cancelled`] when `task` is stopped; no picture then.
///
/// # Panics
/// If the rasters of the scene differ in size. A build has one lattice.
pub fn oblique(
    task: &Task,
    scene: &Scene<'_>,
    config: &ObliqueConfig,
) -> Result<ObliquePicture, Cancelled> {
    task.set_total(Fields::STEPS + 2);
    let [width, height] = size(config, scene.elevation.domain());
    // The camera stands on the map's own samples, so that enlarging them moves
    // nothing.
    let (surface, base) = water_surface(scene.elevation, scene.water);
    task.check()?;
    let survey = Survey::new(&surface, base);
    let camera = Camera::new(&surface, base, &survey, config, [width, height]);
    drop(surface);

    let sun = config.sun_azimuth.unwrap_or(camera.bearing + SUN_FROM_VIEW);
    let sun = Direction::nearest_sun(sun);
    let painter = Painter::new(task, scene, &style(config, sun, scene.elevation.domain()))?;
    let (contour_interval, sun_azimuth_snapped) =
        (painter.contour_interval, painter.sun.azimuth_deg());
    let texture = Texture::new(task, painter)?;
    task.advance(1);

    let air = Air::new(&camera, &survey, sun, config.haze);
    let columns = expose(task, &texture, &camera, &air, [width, height])?;
    let picture = Picture {
        width,
        height,
        rgb: turned(&columns, [width, height]),
        contour_interval,
        sun_azimuth_snapped,
    };
    let edges_show = edges_show(&texture, &camera, width);
    task.check()?;
    task.advance(1);
    let (bearing, eye_elevation) = (camera.bearing, camera.eye_height);
    Ok(ObliquePicture { picture, bearing, eye_elevation, edges_show })
}

/// Pixels of the picture. A map of few samples has no detail for 1600.
fn size(config: &ObliqueConfig, domain: &Domain) -> [usize; 2] {
    let longest = domain.width().max(domain.height()) - 1;
    let width = longest.saturating_mul(8).clamp(16, 1600);
    let [width, height] = config
        .size
        .map_or([width, width * 9 / 16], |size| size.map(|side| side.clamp(1, 16_384) as usize));
    [width, height]
}

/// How the map is painted for the side view: a lower, warmer sun, no stretch on
/// hills and no help from the massif, because form is seen here and need not be
/// drawn.
fn style(config: &ObliqueConfig, sun: Direction, domain: &Domain) -> Style {
    Style {
        scale: texture::scale_of(domain),
        sun,
        sky_lean: 0.40,
        look: LookSettings {
            toward_sun: sun.unit(),
            sun_height: math::radians(config.sun_height),
            key_share: 0.72,
            shadow: 0.90,
            contrast: 2.2,
            hill_share: 0.0,
            form_share: 0.0,
            half_shade: [0.92, 1.24],
            shoulder: 0.40,
            lowland_contrast: 1.0,
            light_colors: [0xff_ed_c8, 0xb9_c9_f5],
        },
        contour: config.contour,
        thickness: 1.0,
        water_deep: config.water_deep,
        // Deeper than on the map: haze will pale them.
        tone: |color: Linear| color.map(|a| 1.06 * a * a.sqrt().sqrt()),
    }
}

/// Every column of the picture as sRGB bytes, from its top down.
fn expose(
    task: &Task,
    texture: &Texture,
    camera: &Camera,
    air: &Air,
    [width, height]: [usize; 2],
) -> Result<Vec<u8>, Cancelled> {
    let mut columns = vec![0_u8; 3 * width * height];
    columns.par_chunks_mut(3 * height).enumerate().for_each_init(
        || (Column::default(), Vec::new()),
        |(column, sums), (x, bytes)| {
            if task.is_cancelled() {
                return;
            }
            sums.clear();
            sums.resize(height, [0.0_f32; 3]);
            for fine_x in 0..FINE {
                let line = camera.line(FINE * x + fine_x, FINE * width);
                column.sweep(texture, camera, &line, FINE * height);
                column.add_to(sums, texture, camera, air, &line);
            }
            for (y, (pixel, sum)) in bytes.as_chunks_mut::<3>().0.iter_mut().zip(sums).enumerate() {
                *pixel = sum.map(|channel| dithered(channel / (FINE * FINE) as f32, x, y));
            }
        },
    );
    task.check()?;
    Ok(columns)
}

/// Thresholds of a 4 x 4 ordered dither, in sixteenths of a step.
const DITHER: [[u8; 4]; 4] = [[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]];

/// The sRGB byte of linear light, up to half a step off in a fixed pattern
/// whose mean is exact.
fn dithered(x: f32, column: usize, row: usize) -> u8 {
    let threshold = (f32::from(DITHER[row % 4][column % 4]) + 0.5) / 16.0;
    let held = math::clamp(x, 0.0, 1.0);
    (255.0 * transfer(held) + threshold) as u8
}

/// Columns of pixels as rows of pixels.
fn turned(columns: &[u8], [width, height]: [usize; 2]) -> Vec<u8> {
    let mut rows = vec![0_u8; columns.len()];
    let pixels = columns.as_chunks::<3>().0;
    rows.par_chunks_mut(3 * width).enumerate().for_each(|(y, row)| {
        for (x, pixel) in row.as_chunks_mut::<3>().0.iter_mut().enumerate() {
            *pixel = pixels[x * height + y];
        }
    });
    rows
}

/// Columns whose ground ends before this share of the deepest one's show a side.
const SHORT: f64 = 0.7;

/// Whether a column meets no ground, ground that ends early, or the cut wall.
fn edges_show(texture: &Texture, camera: &Camera, width: usize) -> bool {
    let lines: Vec<_> = (0..width).map(|x| camera.line(x, width)).collect();
    let reach = |line: &camera::Line| line.span.map_or(0.0, |span| span.far);
    let deepest = lines.iter().map(reach).fold(0.0, math::max);
    lines.iter().any(|line| {
        let wall = line.span.is_some_and(|span| {
            let near = texture.surface_at(line.place(camera, span.near)) - camera.eye_height;
            span.from_outside && near / span.near > camera.bottom()
        });
        wall || reach(line) <= SHORT * deepest
    })
}

#[cfg(test)]
mod tests;
