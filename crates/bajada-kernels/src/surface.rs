//! What a surface is like at each sample: gradient, slope, curvature.
//!
//! Model: central differences inside, one-sided ones at the edges (second
//! order where three samples allow it), in f64. Pointwise in a halo of one
//! sample, or of the scale for curvature. A plane has its exact gradient and no
//! curvature everywhere, edges included.
//!
//! Signs: `x` runs east and `y` south. Curvature is positive where the ground
//! is convex (ridges, noses), negative where it is concave (hollows, channels).

use bajada_grid::{Grid, math, par};

/// Rise over run east and south.
#[derive(Clone, Debug)]
pub struct Gradient {
    /// Rise over run going east.
    pub east: Grid<f32>,
    /// Rise over run going south.
    pub south: Grid<f32>,
}

/// The gradient of `elevation` at each sample. Along a side of one sample it
/// is 0.
pub fn gradient(elevation: &Grid<f32>) -> Gradient {
    let (mut east, mut south) = (elevation.like(0.0_f32), elevation.like(0.0_f32));
    let stencil = Stencil::new(elevation, 1);
    par::rows2(&mut east, &mut south, |y, row_east, row_south| {
        for (x, (cell_east, cell_south)) in row_east.iter_mut().zip(row_south).enumerate() {
            *cell_east = stencil.first_east(x, y) as f32;
            *cell_south = stencil.first_south(x, y) as f32;
        }
    });
    Gradient { east, south }
}

/// Steepest slope of `elevation` at each sample, rise over run, >= 0.
pub fn slope(elevation: &Grid<f32>) -> Grid<f32> {
    slope_over(elevation, 0.0)
}

/// As [`slope`], taken over a distance of `scale` m to both sides: at least one
/// cell, rounded to whole cells and to what the map holds.
pub fn slope_over(elevation: &Grid<f32>, scale: f64) -> Grid<f32> {
    let mut out = elevation.like(0.0_f32);
    let stencil = Stencil::new(elevation, cells(elevation, scale));
    par::rows(&mut out, |y, row| {
        for (x, cell) in row.iter_mut().enumerate() {
            let (p, q) = (stencil.first_east(x, y), stencil.first_south(x, y));
            *cell = (p * p + q * q).sqrt() as f32;
        }
    });
    out
}

/// Which way the ground is measured to bend.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Bend {
    /// Mean curvature of the surface: half the sum of both main curvatures.
    #[default]
    Mean,
    /// Across the slope: curvature of the contour line. Positive on noses,
    /// negative in hollows, 0 on level ground.
    Plan,
    /// Down the slope: positive where it steepens downwards. 0 on level
    /// ground.
    Profile,
}

/// Settings of [`curvature`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CurvatureConfig {
    /// Which way the ground is measured to bend.
    pub bend: Bend,
    /// Distance to the samples that are compared, m: forms much smaller do not
    /// count if the surface was smoothed before. At least one cell; rounded to
    /// whole cells, and to what the map holds.
    pub scale: f64,
}

/// Curvature of `elevation` at each sample, 1/m, positive where convex. The
/// formulas are those of Evans 1980 and Mitasova & Hofierka 1993. Within
/// `scale` of an edge the nearest place whose neighbours the map holds gives
/// the second derivatives; along a side of less than three samples they are 0.
pub fn curvature(elevation: &Grid<f32>, config: &CurvatureConfig) -> Grid<f32> {
    match config.bend {
        Bend::Mean => bend(elevation, config, |[p, q, r, s, t]| {
            let area = 1.0 + p * p + q * q;
            let sum = (1.0 + q * q) * r - 2.0 * p * q * s + (1.0 + p * p) * t;
            -sum / (2.0 * area * area.sqrt())
        }),
        Bend::Plan => bend(elevation, config, |[p, q, r, s, t]| {
            let steep = p * p + q * q;
            let sum = q * q * r - 2.0 * p * q * s + p * p * t;
            -over(sum, steep * steep.sqrt())
        }),
        Bend::Profile => bend(elevation, config, |[p, q, r, s, t]| {
            let (steep, area) = (p * p + q * q, 1.0 + p * p + q * q);
            let sum = p * p * r + 2.0 * p * q * s + q * q * t;
            -over(sum, steep * area * area.sqrt())
        }),
    }
}

/// Below this slope squared, no direction is down: a millionth of a percent.
const LEVEL: f64 = 1e-16;

fn over(sum: f64, divisor: f64) -> f64 {
    if divisor > LEVEL { sum / divisor } else { 0.0 }
}

fn bend(
    elevation: &Grid<f32>,
    config: &CurvatureConfig,
    formula: impl Fn([f64; 5]) -> f64 + Sync,
) -> Grid<f32> {
    let mut out = elevation.like(0.0_f32);
    let stencil = Stencil::new(elevation, cells(elevation, config.scale));
    par::rows(&mut out, |y, row| {
        for (x, cell) in row.iter_mut().enumerate() {
            *cell = formula(stencil.derivatives(x, y)) as f32;
        }
    });
    out
}

/// A distance of `scale` m in whole cells, at least one.
fn cells(elevation: &Grid<f32>, scale: f64) -> usize {
    let cells = (scale / elevation.domain().cell_size() + 0.5).floor();
    let most = elevation.width().max(elevation.height()) as f64;
    math::clamp(cells, 1.0, most) as usize
}

/// Differences between samples some whole cells apart.
struct Stencil<'a> {
    elevation: &'a Grid<f32>,
    reach_x: usize,
    reach_y: usize,
}

impl<'a> Stencil<'a> {
    fn new(elevation: &'a Grid<f32>, cells: usize) -> Self {
        // Three samples must fit: reach to both sides of some place.
        let held = |samples: usize| cells.min((samples - 1) / 2);
        Self { elevation, reach_x: held(elevation.width()), reach_y: held(elevation.height()) }
    }

    fn z(&self, x: usize, y: usize) -> f64 {
        f64::from(self.elevation.at(x, y))
    }

    fn length(&self, cells: usize) -> f64 {
        cells as f64 * self.elevation.domain().cell_size()
    }

    fn first_east(&self, x: usize, y: usize) -> f64 {
        let at = |x: usize| self.z(x, y);
        first(at, x, self.elevation.width(), self.reach_x) / self.elevation.domain().cell_size()
    }

    fn first_south(&self, x: usize, y: usize) -> f64 {
        let at = |y: usize| self.z(x, y);
        first(at, y, self.elevation.height(), self.reach_y) / self.elevation.domain().cell_size()
    }

    /// p, q, r, s, t: the first derivatives east and south, the second ones
    /// east, mixed and south.
    fn derivatives(&self, x: usize, y: usize) -> [f64; 5] {
        let (p, q) = (self.first_east(x, y), self.first_south(x, y));
        let (rx, ry) = (self.reach_x, self.reach_y);
        let cx = x.clamp(rx, self.elevation.width() - 1 - rx);
        let cy = y.clamp(ry, self.elevation.height() - 1 - ry);
        let (dx, dy) = (self.length(rx), self.length(ry));
        let second = |before: f64, here: f64, after: f64, step: f64| {
            over_step(before - 2.0 * here + after, step * step)
        };
        let r = second(self.z(cx - rx, cy), self.z(cx, cy), self.z(cx + rx, cy), dx);
        let t = second(self.z(cx, cy - ry), self.z(cx, cy), self.z(cx, cy + ry), dy);
        let mixed = (self.z(cx + rx, cy + ry) - self.z(cx - rx, cy + ry))
            - (self.z(cx + rx, cy - ry) - self.z(cx - rx, cy - ry));
        [p, q, r, over_step(mixed, 4.0 * dx * dy), t]
    }
}

/// A difference over a distance that is 0 where a side is too short for it.
fn over_step(difference: f64, distance: f64) -> f64 {
    if distance > 0.0 { difference / distance } else { 0.0 }
}

/// Rise per cell at `place` of a line of `samples`: central over `reach` cells
/// to each side. At the ends the parabola through the three nearest samples so
/// far apart goes on, or the straight line through the two that there are.
fn first(at: impl Fn(usize) -> f64, place: usize, samples: usize, reach: usize) -> f64 {
    if reach == 0 {
        return if samples == 2 { at(1) - at(0) } else { 0.0 };
    }
    let center = place.clamp(reach, samples - 1 - reach);
    let (before, after, step) = (at(center - reach), at(center + reach), reach as f64);
    let rise = (after - before) / (2.0 * step);
    if center == place {
        return rise;
    }
    let bend = (before - 2.0 * at(center) + after) / (step * step);
    rise + bend * (place as f64 - center as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use bajada_grid::Domain;
    use bajada_testkit::terrain::{plane, square};

    const BENDS: [Bend; 3] = [Bend::Mean, Bend::Plan, Bend::Profile];

    #[test]
    fn a_plane_has_its_gradient_and_no_curvature_up_to_the_edge() {
        for (width, height) in (2..10).flat_map(|w| (2..10).map(move |h| (w, h))) {
            let domain = Domain::new(width, height, 4.0, [0.0; 2]).expect("legal");
            let field = plane(domain, 16.0, 0.5, -0.25);
            let Gradient { east, south } = gradient(&field);
            assert!(east.as_slice().iter().all(|&value| value == 0.5), "{width} x {height}");
            assert!(south.as_slice().iter().all(|&value| value == -0.25));
            let steep = 0.3125_f64.sqrt() as f32;
            assert!(slope(&field).as_slice().iter().all(|&value| value == steep));
            for bend in BENDS {
                for scale in [0.0, 4.0, 9.0, 1e9, f64::NAN] {
                    let bent = curvature(&field, &CurvatureConfig { bend, scale });
                    assert!(bent.as_slice().iter().all(|&value| value == 0.0));
                }
            }
        }
    }

    #[test]
    fn a_side_of_one_sample_is_level() {
        for (width, height) in [(1, 1), (1, 5), (5, 1)] {
            let domain = Domain::new(width, height, 2.0, [0.0; 2]).expect("legal");
            let field = Grid::from_fn(domain, |x, y| (x + y) as f32);
            let expected = if width * height == 1 { 0.0 } else { 0.5 };
            assert!(slope(&field).as_slice().iter().all(|&value| value == expected));
            let config = CurvatureConfig { bend: Bend::Mean, scale: 2.0 };
            assert!(curvature(&field, &config).as_slice().iter().all(|&value| value == 0.0));
        }
    }

    /// A sphere of radius R bends by 1/R in every direction, its contours by 1
    /// over their own radius.
    #[test]
    fn a_dome_has_the_curvature_of_its_sphere() {
        let radius = 1000.0_f64;
        for (cell_size, scale) in [(5.0, 5.0), (5.0, 40.0), (10.0, 40.0)] {
            let side = 1 + (400.0 / cell_size) as u32;
            let domain = Domain::new(side, side, cell_size, [0.0; 2]).expect("legal");
            let dome = Grid::from_fn(domain, |x, y| {
                let (dx, dy) = (domain.world_x(x) - 200.0, domain.world_y(y) - 200.0);
                (radius * radius - dx * dx - dy * dy).sqrt() as f32
            });
            let at = |bend, metres: f64| {
                let bent = curvature(&dome, &CurvatureConfig { bend, scale });
                let place = ((200.0 + metres) / cell_size) as usize;
                f64::from(bent.at(place, (200.0 / cell_size) as usize))
            };
            for metres in [-120.0, 0.0, 60.0] {
                let mean = at(Bend::Mean, metres) * radius;
                assert!((mean - 1.0).abs() < 0.03, "{cell_size} {scale} {metres}: {mean}");
            }
            assert!((at(Bend::Plan, 120.0) * 120.0 - 1.0).abs() < 0.03);
            assert!((at(Bend::Profile, -120.0) * radius - 1.0).abs() < 0.05);
        }
    }

    #[test]
    fn a_channel_is_concave_and_a_ridge_convex() {
        let valley = Grid::from_fn(square(21, 10.0), |x, y| {
            let across = x as f32 - 10.0;
            across * across + 3.0 * y as f32
        });
        for (bend, sign) in [(Bend::Mean, -1.0), (Bend::Plan, -1.0)] {
            let config = CurvatureConfig { bend, scale: 20.0 };
            assert!(sign * curvature(&valley, &config).at(10, 10) > 0.0, "{bend:?}");
        }
    }
}
