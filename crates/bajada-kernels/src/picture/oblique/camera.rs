//! Where the camera stands, and which line on the map a column of the picture
//! is.
//!
//! Places are metres east and south of the map's north-west sample; heights are
//! metres above the datum.

use std::ops::Range;

use bajada_grid::{Grid, math, par, sample};

use super::super::fields::short_side;
use super::super::ground::percentiles;
use super::ObliqueConfig;

/// Heights that say where most of the ground lies.
pub(super) struct Survey {
    /// Half of the ground is lower, m.
    pub(super) median: f64,
    /// The valley floors, m: haze is thickest there.
    pub(super) low: f64,
    /// The summits, m.
    pub(super) high: f64,
}

impl Survey {
    /// Surveys a surface that is given above `base`.
    pub(super) fn new(surface: &Grid<f32>, base: f64) -> Self {
        let found = percentiles(surface.as_slice(), [0.5, 0.02, 0.995]);
        let [median, low, high] = found.map(|height| base + f64::from(height));
        Self { median, low, high }
    }
}

/// A camera with a vertical picture plane.
#[derive(Debug)]
pub(super) struct Camera {
    pub(super) eye: [f64; 2],
    pub(super) eye_height: f64,
    /// Degrees clockwise from north, 0..360.
    pub(super) bearing: f64,
    /// Unit vector of the view on the map: east, south.
    pub(super) forward: [f64; 2],
    /// Half the width of the picture at depth 1.
    half_width: f64,
    half_height: f64,
    /// Rise of the middle of the picture per depth; negative.
    middle: f64,
    /// Distance to the far edge of the map, as the haze counts it, m.
    pub(super) far: f64,
    /// Depth before which nothing is seen, m.
    nearest: f64,
    /// The map: metres east and south.
    extent: [f64; 2],
    pub(super) cell: f64,
}

/// The eye stands this far above the ground under it, in short sides; one that
/// was asked for may come lower.
const CLEARANCE: f64 = 0.02;
const ASKED_CLEARANCE: f64 = 0.002;

impl Camera {
    /// The camera of a picture of `size` pixels. `surface` is given above
    /// `base`.
    pub(super) fn new(
        surface: &Grid<f32>,
        base: f64,
        survey: &Survey,
        config: &ObliqueConfig,
        [width, height]: [usize; 2],
    ) -> Self {
        let domain = surface.domain();
        let (side, cell, extent) = (short_side(domain), domain.cell_size(), domain.extent());
        let bearing = config.bearing.unwrap_or_else(|| lowest_side(surface));
        let angle = math::radians(bearing);
        let forward = [math::sin(angle), -math::cos(angle)];
        let target = config.target.unwrap_or_else(|| extent.map(|length| 0.5 * length));
        let distance = side * math::clamp(config.distance, 0.05, 20.0);
        let eye = [0, 1].map(|axis| target[axis] - distance * forward[axis]);
        let pitch = math::tan(math::radians(math::clamp(config.pitch, -60.0, 60.0)));

        let height_at =
            |place: [f64; 2]| base + sample::bilinear(surface, place[0] / cell, place[1] / cell);
        let (wanted, clearance) = match config.eye_elevation {
            Some(asked) => (asked, ASKED_CLEARANCE * side),
            None => {
                let aim = 0.5 * (height_at(target) + survey.median);
                (aim + distance * pitch, CLEARANCE * side)
            }
        };
        let over_map = (0..2).all(|axis| (0.0..=extent[axis]).contains(&eye[axis]));
        let eye_height =
            if over_map { math::max(wanted, height_at(eye) + clearance) } else { wanted };
        let half_width = math::tan(math::radians(math::clamp(config.field, 1.0, 150.0)) / 2.0);
        Self {
            eye,
            eye_height,
            bearing: bearing - 360.0 * (bearing / 360.0).floor(),
            forward,
            half_width,
            half_height: half_width * height as f64 / width as f64,
            middle: -pitch,
            far: distance + 0.5 * side,
            nearest: 0.5 * cell,
            extent,
            cell,
        }
    }

    /// The line on the map under column `x` of `columns`.
    pub(super) fn line(&self, x: usize, columns: usize) -> Line {
        let u = self.half_width * ((2 * x + 1) as f64 / columns as f64 - 1.0);
        let [east, south] = self.forward;
        // Right of the view lies a quarter turn clockwise, seen from above.
        let toward = [east - u * south, south + u * east];
        Line { u, toward, span: self.span(toward) }
    }

    /// Rise per depth of the line of sight through row `y` of `rows`.
    #[inline]
    pub(super) fn rise(&self, y: usize, rows: usize) -> f64 {
        self.middle + self.half_height * (1.0 - (2 * y + 1) as f64 / rows as f64)
    }

    /// Rise per depth of the lower edge of the picture.
    pub(super) fn bottom(&self) -> f64 {
        self.middle - self.half_height
    }

    /// The depths at which a line runs over the map.
    fn span(&self, toward: [f64; 2]) -> Option<Span> {
        let (mut enters, mut leaves) = (f64::NEG_INFINITY, f64::INFINITY);
        for ((from, way), length) in self.eye.into_iter().zip(toward).zip(self.extent) {
            if way == 0.0 {
                if !(0.0..=length).contains(&from) {
                    return None;
                }
                continue;
            }
            let (a, b) = (-from / way, (length - from) / way);
            enters = math::max(enters, math::min(a, b));
            leaves = math::min(leaves, math::max(a, b));
        }
        let span = Span {
            near: math::max(enters, self.nearest),
            far: leaves,
            from_outside: enters > self.nearest,
        };
        // Not for a NaN either.
        (span.near < span.far).then_some(span)
    }
}

/// A column of the picture as a line on the map.
pub(super) struct Line {
    /// How far to the right of the middle the column lies, at depth 1.
    pub(super) u: f64,
    /// Metres east and south per metre of depth.
    toward: [f64; 2],
    /// Where it runs over the map, if it does.
    pub(super) span: Option<Span>,
}

/// A piece of a line, by depth.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    pub(super) near: f64,
    pub(super) far: f64,
    /// Whether the line comes onto the map at `near`: a cut wall stands there.
    pub(super) from_outside: bool,
}

impl Line {
    /// The place at a depth.
    #[inline]
    pub(super) fn place(&self, camera: &Camera, depth: f64) -> [f64; 2] {
        [camera.eye[0] + self.toward[0] * depth, camera.eye[1] + self.toward[1] * depth]
    }
}

/// The bearing from the side whose border is lowest on average: from the
/// plain toward the mountains. Of equal sides the south wins.
fn lowest_side(surface: &Grid<f32>) -> f64 {
    let (width, height) = (surface.width(), surface.height());
    let (across, down) = (width.div_ceil(8), height.div_ceil(8));
    let sides = [
        (0.0, 0..width, height - down..height),
        (90.0, 0..across, 0..height),
        (180.0, 0..width, 0..down),
        (270.0, width - across..width, 0..height),
    ];
    let mut best = (f64::INFINITY, 0.0);
    for (bearing, columns, rows) in sides {
        let mean = mean(surface, columns, rows);
        if mean < best.0 {
            best = (mean, bearing);
        }
    }
    best.1
}

fn mean(surface: &Grid<f32>, columns: Range<usize>, rows: Range<usize>) -> f64 {
    let count = columns.len() * rows.len();
    let height = |idx: usize| {
        let (x, y) = (columns.start + idx % columns.len(), rows.start + idx / columns.len());
        f64::from(surface.at(x, y))
    };
    par::sum(count, height) / count as f64
}
