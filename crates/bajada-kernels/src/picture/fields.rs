//! What is worked out about the terrain before a pixel is painted.
//!
//! Everything here is a field of the *visible* surface, water included: with
//! the bed, lake floors would print through. All radii are shares of the map's
//! short side, never pixels, so that a preview has the tones of the full build.

use bajada_grid::{Cancelled, Domain, Grid, Task, math, par};
use rayon::prelude::*;

use super::blur::blur;
use super::coarse::{Coarse, LANES};
use super::color::Fade;
use super::gradient::{GradientRow, length};
use super::ground::range;
use super::horizon::{Direction, horizon};
use super::light::lane;
use super::sky::{Sky, SkyRow};

/// Radii in shares of the short side.
const SMOOTH_RADIUS: f64 = 0.010;
const NEARBY_RADIUS: f64 = 0.024;
const FORM_RADIUS: f64 = 0.060;
/// Slopes that are gentle, and those that are not.
const STEEP: Fade = Fade::new(0.10, 0.30);

/// The fields of one map.
#[derive(Debug)]
pub(super) struct Fields {
    /// The visible surface above `base`, m.
    pub(super) surface: Grid<f32>,
    /// The same, blurred.
    pub(super) smooth: Grid<f32>,
    /// Height of the fields' zero, m.
    pub(super) base: f64,
    /// Tangent of the horizon under the sun.
    pub(super) sun_horizon: Grid<f32>,
    pub(super) coarse: Coarse,
    /// [`LANES`] values for each coarse node, named in [`lane`].
    pub(super) lanes: Grid<f32>,
}

/// Length that all radii are shares of. A map of a single row has no short
/// side; its cell stands in.
pub(super) fn short_side(domain: &Domain) -> f64 {
    math::max(domain.short_side(), domain.cell_size())
}

impl Fields {
    /// How many steps [`Fields::new`] adds to a task's progress.
    pub(super) const STEPS: u64 = 4;

    /// The fields of a map under a sun; the sky is `sky_lean` brighter than its
    /// mean on the sun's side.
    pub(super) fn new(
        task: &Task,
        elevation: &Grid<f32>,
        water: Option<&Grid<f32>>,
        sun: Direction,
        sky_lean: f32,
    ) -> Result<Self, Cancelled> {
        let side = short_side(elevation.domain());
        let (surface, base) = water_surface(elevation, water);
        task.check()?;
        let smooth = blur(task, &surface, SMOOTH_RADIUS * side)?;
        task.advance(1);
        let sun_horizon = horizon(task, &surface, sun)?;
        task.advance(1);

        let coarse = Coarse::new(*elevation.domain());
        let [heights, slopes, gentle] = coarse_panes(&coarse, &surface, &smooth);
        task.check()?;
        task.advance(1);
        let sky = Sky::new(task, &heights, sun, sky_lean)?;
        let steepness = blur(task, &slopes, NEARBY_RADIUS * side)?;
        let gentle = blur(task, &gentle, NEARBY_RADIUS * side)?;
        let form = blur(task, &heights, FORM_RADIUS * side)?;
        let lanes = interleave(&coarse, &sky, &steepness, &gentle, &form);
        task.advance(1);
        Ok(Self { surface, smooth, base, sun_horizon, coarse, lanes })
    }
}

/// Elevation and water above the middle of the range. Heights near 0 leave
/// more of an f32 to the slopes of a plain at 4000 m.
pub(super) fn water_surface(elevation: &Grid<f32>, water: Option<&Grid<f32>>) -> (Grid<f32>, f64) {
    let (least, most) = range(elevation.as_slice());
    let base = 0.5 * (least + most);
    let mut surface = elevation.like(0.0_f32);
    match water {
        Some(water) => par::map(&mut surface, |idx| (elevation[idx] - base) + water[idx]),
        None => par::map(&mut surface, |idx| elevation[idx] - base),
    }
    (surface, f64::from(base))
}

/// Heights, slopes and share of gentle ground on the coarse grid.
fn coarse_panes(coarse: &Coarse, surface: &Grid<f32>, smooth: &Grid<f32>) -> [Grid<f32>; 3] {
    let mut across = surface.like_on(coarse.panes(3, surface.height()), 0.0_f32);
    let pane_width = coarse.domain().width();
    let width = across.width();
    across.as_mut_slice().par_chunks_mut(width).enumerate().for_each_init(
        || (GradientRow::default(), Vec::new(), Vec::new()),
        |(gradient, slopes, gentle), (y, panes)| {
            let (height_pane, rest) = panes.split_at_mut(pane_width);
            let (slope_pane, gentle_pane) = rest.split_at_mut(pane_width);
            coarse.reduce_row(surface.row(y), height_pane);
            let lengths = |gradient: &GradientRow, to: &mut Vec<f32>| {
                to.clear();
                to.extend(gradient.east.iter().zip(&gradient.south).map(|(&e, &s)| length(e, s)));
            };
            // The fine slope: blurred ones would call a narrow ridge gentle.
            gradient.read(surface, y);
            lengths(gradient, slopes);
            coarse.reduce_row(slopes, slope_pane);
            gradient.read(smooth, y);
            lengths(gradient, gentle);
            for (gentle, &slope) in gentle.iter_mut().zip(slopes.iter()) {
                *gentle = 1.0 - STEEP.at(math::max(slope, *gentle));
            }
            coarse.reduce_row(gentle, gentle_pane);
        },
    );
    let panes = coarse.reduce_rows(&across, 3);
    [0, 1, 2].map(|idx| coarse.pane(&panes, idx))
}

/// All wide fields, node by node.
fn interleave(
    coarse: &Coarse,
    sky: &Sky,
    steepness: &Grid<f32>,
    gentle: &Grid<f32>,
    form: &Grid<f32>,
) -> Grid<f32> {
    let mut lanes = form.like_on(coarse.panes(LANES, form.height()), 0.0_f32);
    let width = lanes.width();
    lanes.as_mut_slice().par_chunks_mut(width).enumerate().for_each_init(
        || (SkyRow::default(), GradientRow::default()),
        |(sky_row, form_row), (y, row)| {
            sky.read(y, sky_row);
            form_row.read(form, y);
            let (steepness, gentle) = (steepness.row(y), gentle.row(y));
            for (x, node) in row.as_chunks_mut::<LANES>().0.iter_mut().enumerate() {
                node[lane::SKY_LEVEL] = sky_row.level[x];
                node[lane::SKY_EAST] = sky_row.east[x];
                node[lane::SKY_SOUTH] = sky_row.south[x];
                node[lane::OPEN] = sky_row.open[x];
                node[lane::STEEPNESS] = steepness[x];
                node[lane::GENTLE] = gentle[x];
                node[lane::FORM_EAST] = form_row.east[x];
                node[lane::FORM_SOUTH] = form_row.south[x];
            }
        },
    );
    lanes
}
