//! What makes a fan look grown: a scalloped toe, lobes, braids.
//!
//! Scallops bend the *way*: they are part of the profile, so the volume is
//! solved with them. Lobes and braids lie on the deposit, fade where it is thin,
//! and sum up to 0 over each fan. Patterns follow the bearing from the apex, and
//! the bearing wanders with the place, so that nothing runs in straight spokes.

use bajada_grid::{Domain, Stream, math};
use rayon::prelude::*;

use super::body::{Body, Site};
use super::{FanConfig, Layer};
use crate::source::noise::{BandLimit, Fractal, Noise, NoiseConfig};

/// Share of the way that scallops add or take.
const SCALLOP: f64 = 0.12;

/// Ways between which scallops set in, m.
const SCALLOP_START: [f64; 2] = [50.0, 500.0];

/// Scallops around the apex: radius of the circle on which noise of wavelength
/// 1 is looked up (6.28 waves around for 1), and its part.
const SCALLOP_SCALES: [(f64, f64); 3] = [(1.1, 0.55), (2.7, 0.45), (6.5, 0.2)];

/// Wandering of the bearing, radians, and the length it changes over, m.
const WANDER: f64 = 0.16;
const WANDER_LENGTH: f64 = 450.0;

/// Way from the apex beyond which the wandering moves a place no farther to the
/// side, m: it would fold the pattern over itself and fray the toe.
const WANDER_REACH: f64 = 600.0;

/// Lobes are as many per fan as this times (0.5 + root of its area in km2).
const LOBES: f64 = 26.0;

/// Deposit under this fades the relief out, m.
const THIN: f64 = 4.0;

/// Height of the braids, m, and the distance between them.
const BRAID: f64 = 0.5;
const BRAID_SPACING: f64 = 80.0;

/// Noise of about -1..1 with a standard deviation of a half.
fn noise(stream: Stream) -> Noise {
    let config = NoiseConfig {
        fractal: Fractal::Fbm,
        wavelength: 1.0,
        amplitude: 1.6,
        octaves: 1,
        band_limit: BandLimit::Off,
        ..NoiseConfig::default()
    };
    Noise::new(&config, stream, 1.0)
}

/// The bearing of places from an apex, with its wandering.
struct Bearing {
    domain: Domain,
    x: f64,
    y: f64,
    wander: Noise,
}

impl Bearing {
    fn new(domain: Domain, apex: usize, stream: Stream) -> Self {
        let (x, y) = domain.column_row(apex);
        let (x, y) = (domain.world_x(x), domain.world_y(y));
        Self { domain, x, y, wander: noise(stream.named("wander")) }
    }

    /// Offset of a cell from the apex, m.
    fn offset(&self, cell: usize) -> [f64; 2] {
        let (x, y) = self.domain.column_row(cell);
        [self.domain.world_x(x) - self.x, self.domain.world_y(y) - self.y]
    }

    /// Unit vector to a cell, turned by the wandering there, and its distance.
    fn at(&self, cell: usize) -> ([f64; 2], f64) {
        let [dx, dy] = self.offset(cell);
        let length = (dx * dx + dy * dy).sqrt();
        if length == 0.0 {
            return ([1.0, 0.0], 0.0);
        }
        let place = [(self.x + dx) / WANDER_LENGTH, (self.y + dy) / WANDER_LENGTH];
        let most = WANDER * math::min(1.0, WANDER_REACH / length);
        let turn = most * f64::from(self.wander.value(place[0], place[1]));
        // A small turn, made a unit vector again.
        let (ux, uy) = (dx - turn * dy, dy + turn * dx);
        let stretched = length * (1.0 + turn * turn).sqrt();
        ([ux / stretched, uy / stretched], length)
    }
}

/// Bends the way from an apex.
pub(super) struct Scallops {
    amount: f64,
    bearing: Bearing,
    noise: Noise,
    /// Where this fan looks its noise up.
    place: [f64; 2],
}

impl Scallops {
    pub(super) fn new(site: &Site<'_>, apex: usize, config: &FanConfig, stream: Stream) -> Self {
        let stream = stream.named("scallops");
        let bearing = Bearing::new(*site.heights.domain(), apex, stream);
        // By the world, not by the cell: the same at any cell size.
        let place = [bearing.x * 0.173 + 31.7, bearing.y * 0.173 - 12.9];
        let amount = SCALLOP * math::clamp(config.roughness, 0.0, 1.0);
        Self { amount, bearing, noise: noise(stream), place }
    }

    /// The way that the profile sees at a cell, m.
    pub(super) fn bend(&self, cell: usize, way: f64) -> f64 {
        let start = SCALLOP_START;
        if self.amount == 0.0 || way <= start[0] {
            return way;
        }
        let (toward, _) = self.bearing.at(cell);
        let mut sum = 0.0;
        for (radius, part) in SCALLOP_SCALES {
            let x = self.place[0] + radius * toward[0];
            let y = self.place[1] + radius * toward[1];
            sum += part * f64::from(self.noise.value(x, y));
        }
        way * (1.0
            + self.amount * math::clamp(sum, -1.0, 1.0) * math::smoothstep(start[0], start[1], way))
    }
}

/// A tongue of debris: it runs along a ray and ends.
struct Lobe {
    toward: [f64; 2],
    start: f64,
    end: f64,
    half_width: f64,
    spread: f64,
    height: f64,
    /// Row of the noise that its course wanders by.
    row: f64,
}

impl Lobe {
    /// Height at `offset` from the apex, m.
    fn height(&self, offset: [f64; 2], wander: &Noise) -> f64 {
        let along = offset[0] * self.toward[0] + offset[1] * self.toward[1];
        if along <= self.start || along >= self.end {
            return 0.0;
        }
        let side = offset[0] * self.toward[1] - offset[1] * self.toward[0];
        let half = self.half_width + self.spread * along;
        let reach = WANDER * math::min(along, WANDER_REACH);
        if side.abs() > half + 2.0 * reach {
            return 0.0;
        }
        let course = reach * f64::from(wander.value(along / WANDER_LENGTH, self.row));
        let across = (side - course).abs() / half;
        if across >= 1.0 {
            return 0.0;
        }
        let dome = (1.0 - across * across) * (1.0 - across * across);
        let notch = 1.0 - 0.7 * (1.0 - math::smoothstep(0.0, 0.35, across));
        let length = self.end - self.start;
        let into = math::smoothstep(self.start, self.start + 0.3 * length, along);
        let out = 1.0 - math::smoothstep(self.end - 0.15 * length, self.end, along);
        self.height * dome * notch * into * out
    }
}

fn lobes(body: &Body, radius: f64, area: f64, stream: Stream) -> Vec<Lobe> {
    let count = LOBES * (0.5 + (area * 1e-6).sqrt());
    let key = body.label as u64;
    (0..math::min(count as u64, 400))
        .map(|lobe| {
            let draw = |index: u64| stream.part(key).uniform(lobe, index);
            // Within 110 degrees of the valley's direction.
            let turn = math::radians(110.0) * (2.0 * draw(0) - 1.0);
            let (s, c) = (math::sin(turn), math::cos(turn));
            let [bx, by] = body.bearing;
            let start = radius * (0.06 + 0.6 * draw(1));
            Lobe {
                toward: [bx * c - by * s, bx * s + by * c],
                start,
                end: start + radius * (0.15 + 0.35 * draw(2)),
                half_width: 18.0 + 22.0 * draw(3),
                spread: 0.02 + 0.03 * draw(4),
                height: 0.6 + 0.8 * draw(5),
                row: 7.3 * lobe as f64 + 1000.0 * key as f64,
            }
        })
        .collect()
}

/// Lays lobes and braids on the deposit.
pub(super) fn roughen(
    layer: &mut Layer,
    bodies: &[Body],
    site: &Site<'_>,
    config: &FanConfig,
    stream: Stream,
) {
    let amount = math::clamp(config.roughness, 0.0, 1.0);
    if amount == 0.0 {
        return;
    }
    let ways = super::body::ways(bodies, site.heights, layer);
    let area = site.heights.domain().cell_area();
    for body in bodies {
        let cells = &layer.cells[body.label as usize];
        let radius = cells.iter().fold(0.0, |far, &cell| math::max(far, ways[cell as usize]));
        let lobes = lobes(body, radius, area * cells.len() as f64, stream.named("lobes"));
        let braids = Braids::new(site, body.apex, stream);
        let wander = noise(stream.named("courses"));
        // Relief, and how much of it the deposit carries.
        let relief: Vec<(f64, f64)> = cells
            .par_iter()
            .map(|&cell| {
                let (cell, way) = (cell as usize, ways[cell as usize]);
                let fade = math::smoothstep(0.0, THIN, layer.thickness[cell])
                    * math::smoothstep(30.0, 200.0, way);
                if fade == 0.0 {
                    return (0.0, 0.0);
                }
                let offset = braids.bearing.offset(cell);
                let high = |sum: f64, lobe: &Lobe| math::max(sum, lobe.height(offset, &wander));
                (lobes.iter().fold(0.0, high) + braids.height(cell, way), fade)
            })
            .collect();
        let sums = relief
            .iter()
            .fold((0.0, 0.0), |sum, (height, fade)| (sum.0 + height * fade, sum.1 + fade));
        let mean = if sums.1 > 0.0 { sums.0 / sums.1 } else { 0.0 };
        for (&cell, (height, fade)) in cells.iter().zip(relief) {
            let thickness = &mut layer.thickness[cell as usize];
            // No relief eats more than half of what it lies on.
            let moved = amount * fade * (height - mean);
            *thickness += math::max(moved, -0.5 * *thickness);
        }
    }
}

/// Bars and channels along the way, as far apart at the toe as at the head.
struct Braids {
    bearing: Bearing,
    noise: Noise,
    place: [f64; 2],
}

impl Braids {
    fn new(site: &Site<'_>, apex: usize, stream: Stream) -> Self {
        let stream = stream.named("braids");
        let bearing = Bearing::new(*site.heights.domain(), apex, stream);
        let place = [bearing.x * 0.091 + 5.3, bearing.y * 0.091 - 7.7];
        Self { bearing, noise: noise(stream), place }
    }

    /// m.
    fn height(&self, cell: usize, way: f64) -> f64 {
        let (toward, length) = self.bearing.at(cell);
        let turns = math::max(length / BRAID_SPACING, 1.0);
        // Frequencies double with distance: one octave fades into the next.
        let octave = math::ln(turns) / std::f64::consts::LN_2;
        let low = octave.floor();
        let part = math::smoothstep(0.0, 1.0, octave - low);
        let at = |octave: f64| {
            let radius = math::exp(octave * std::f64::consts::LN_2);
            let x = self.place[0] + radius * toward[0] + 17.0 * octave;
            let y = self.place[1] + radius * toward[1];
            f64::from(self.noise.value(x, y))
        };
        let blended = (1.0 - part) * at(low) + part * at(low + 1.0);
        BRAID * blended * math::smoothstep(100.0, 400.0, way)
    }
}
