//! A mountain front before rivers carve it: a block that will rise, a basin
//! whose floor will fall.
//!
//! # Model
//!
//! A line crosses the map, oblique to the grid, bent by noise at the scale of
//! bays and spurs and warped at that of single canyons, so that it is the graph
//! of no coordinate. Behind it lies the block: the share of the uplift rises
//! within a ramp at the fault, tilts and varies. Before it lies the basin: its
//! floor falls gently to a sump line, rises again behind it and a little toward
//! both ends, so that the basin is closed. It *starts*
//! higher by the throw of the fault, which is what [`Front::subsidence`] takes
//! away: rivers grade to the high floor first, cut after it as it drops, and
//! find room for their fans.
//!
//! # Guarantees
//!
//! - A function of the place in the world and of the map's extent: the same
//!   front at every sample count, but for the noise that coarse samples cannot
//!   carry.
//! - The uplift is exactly 0 in the basin and the subsidence exactly 0 on the
//!   block, so that the fault is a line between samples.
//! - The finished floor is the planned one, whatever the throw.

use bajada_grid::{Cancelled, Domain, Grid, Stream, Task, math, par};

use super::noise::{self, NoiseConfig};

/// Settings of [`front`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrontConfig {
    /// Where the front looks to, degrees clockwise from north. Off the axes: a
    /// front along one of them shows every habit of the grid.
    pub facing: f64,
    /// How far the front lies from the middle of the map, the way it looks, m.
    pub offset: f64,
    /// Bound of the bays and spurs, m.
    pub line_amplitude: f64,
    /// Their wavelength, m.
    pub line_wavelength: f64,
    /// Bound of the hills that the block starts with, m. They alone decide the
    /// plan of the valleys.
    pub roughness: f64,
    /// Their wavelength, m.
    pub roughness_wavelength: f64,
    /// Mean throw of the fault, m.
    pub throw: f64,
    /// Fall of the floor from the front to the sump, rise over run.
    pub floor_slope: f64,
    /// Distance of the sump from the front, m.
    pub sump_distance: f64,
    /// Rise of the floor behind the sump, rise over run.
    pub far_slope: f64,
}

impl Default for FrontConfig {
    /// A front of 12 km before a block that takes 60 % of the map.
    fn default() -> Self {
        Self {
            facing: 240.0,
            offset: 1100.0,
            line_amplitude: 900.0,
            line_wavelength: 5000.0,
            roughness: 150.0,
            roughness_wavelength: 3500.0,
            throw: 140.0,
            floor_slope: 0.01,
            sump_distance: 3400.0,
            far_slope: 0.016,
        }
    }
}

/// A block and its basin.
#[derive(Clone, Debug)]
pub struct Front {
    /// The ground at the start, m above the floor at the front.
    pub elevation: Grid<f32>,
    /// Share of the uplift, 0..1; 0 in the basin.
    pub uplift: Grid<f32>,
    /// How far the floor falls, m; 0 on the block.
    pub subsidence: Grid<f32>,
    /// 1 on the block, 0 in the basin, softened over one cell.
    pub block: Grid<f32>,
}

/// Bound and wavelength of the warp that single canyons see, m.
const WARP: (f64, f64) = (350.0, 1500.0);

/// Width of the ramp of the uplift at the fault, m.
const RAMP: f64 = 250.0;

/// More uplift far behind the front, less at it, as a share: over this width,
/// m. A level crest would be a table.
const TILT: (f64, f64) = (0.2, 7600.0);

/// Bound of the change of the uplift from place to place, as a share, and its
/// wavelength, m.
const UPLIFT_NOISE: (f64, f64) = (0.25, 5000.0);

/// Rise of the block from the front to its back at the start, m, and the width
/// that it takes, m: without it the first rivers run along the fault.
const RISE: (f64, f64, f64) = (5.0, 20.0, 7600.0);

/// Width over which the hills of the start fade in behind the front, m.
const FADE: f64 = 600.0;

/// Bound of the change of the throw along the fault, as a share, its
/// wavelength, m, and the least and largest throw that are left. A throw that
/// is the same everywhere leaves a pedestal of one width along the range.
const THROW_NOISE: (f64, f64, [f64; 2]) = (0.8, 4500.0, [0.4, 1.6]);

/// Rise of the floor at this distance along the front from its middle, m, m;
/// it grows with the square.
const CLOSING: (f64, f64) = (40.0, 6000.0);

/// Bound of the floor's own relief and its wavelength, m.
const FLOOR_NOISE: (f64, f64) = (6.0, 3500.0);

/// How many fields of noise a front is made of.
const NOISES: u64 = 7;

/// The block and the basin of `stream` on `domain`.
///
/// # Errors
///
/// [`Cancelled`] when `task` is called off.
pub fn front(
    task: &Task,
    domain: Domain,
    config: &FrontConfig,
    stream: Stream,
) -> Result<Front, Cancelled> {
    let plan = Plan::new(task, domain, config, stream)?;
    let blank = || Grid::filled(domain, 0.0_f32);
    let mut front =
        Front { elevation: blank(), uplift: blank(), subsidence: blank(), block: blank() };
    par::rows2(&mut front.elevation, &mut front.uplift, |y, elevations, uplifts| {
        for (x, (elevation, uplift)) in elevations.iter_mut().zip(uplifts).enumerate() {
            let spot = plan.spot(x, y);
            *elevation = plan.elevation(&spot) as f32;
            *uplift = plan.uplift(&spot) as f32;
        }
    });
    task.check()?;
    let cell = domain.cell_size();
    par::rows2(&mut front.subsidence, &mut front.block, |y, depths, blocks| {
        for (x, (depth, block)) in depths.iter_mut().zip(blocks).enumerate() {
            let spot = plan.spot(x, y);
            *depth = if spot.before > 0.0 { plan.throw(&spot) as f32 } else { 0.0 };
            *block = math::clamp(0.5 - spot.before / cell, 0.0, 1.0) as f32;
        }
    });
    Ok(front)
}

/// A place of the map, seen from the front.
struct Spot {
    /// Its sample.
    index: usize,
    /// Distance before the front, m; < 0 on the block.
    before: f64,
    /// Distance along the front from its middle, m.
    along: f64,
}

/// What the front is made of, sample by sample.
struct Plan {
    config: FrontConfig,
    domain: Domain,
    middle: [f64; 2],
    /// The way the front looks: east, south.
    facing: [f64; 2],
    line: Grid<f32>,
    warp: [Grid<f32>; 2],
    hills: Grid<f32>,
    uplift: Grid<f32>,
    throw: Grid<f32>,
    floor: Grid<f32>,
}

impl Plan {
    fn new(
        task: &Task,
        domain: Domain,
        config: &FrontConfig,
        stream: Stream,
    ) -> Result<Self, Cancelled> {
        task.set_total(NOISES);
        let noise = |name: &str, amplitude: f64, wavelength: f64, octaves: u32, gain: f64| {
            let config = NoiseConfig { amplitude, wavelength, octaves, gain, ..Default::default() };
            let mut field = Grid::filled(domain, 0.0_f32);
            noise::fill(&task.part(), &mut field, &config, stream.named(name))?;
            task.advance(1);
            Ok(field)
        };
        let warp = |name| noise(name, WARP.0, WARP.1, 4, 0.5);
        let ([west, north], [width, height]) = (domain.origin(), domain.extent());
        let angle = math::radians(config.facing);
        Ok(Self {
            config: *config,
            domain,
            middle: [west + 0.5 * width, north + 0.5 * height],
            facing: [math::sin(angle), -math::cos(angle)],
            line: noise("line", config.line_amplitude, config.line_wavelength, 3, 0.5)?,
            warp: [warp("warp east")?, warp("warp south")?],
            hills: noise("hills", config.roughness, config.roughness_wavelength, 6, 0.55)?,
            uplift: noise("uplift", UPLIFT_NOISE.0, UPLIFT_NOISE.1, 3, 0.5)?,
            throw: noise("throw", THROW_NOISE.0, THROW_NOISE.1, 2, 0.5)?,
            floor: noise("floor", FLOOR_NOISE.0, FLOOR_NOISE.1, 4, 0.5)?,
        })
    }

    fn spot(&self, x: usize, y: usize) -> Spot {
        let index = y * self.domain.width() + x;
        let [east, south] = [self.domain.world_x(x), self.domain.world_y(y)];
        let warped = [
            east + f64::from(self.warp[0][index]) - self.middle[0],
            south + f64::from(self.warp[1][index]) - self.middle[1],
        ];
        let ahead = warped[0] * self.facing[0] + warped[1] * self.facing[1];
        let along = warped[1] * self.facing[0] - warped[0] * self.facing[1];
        let before = ahead - self.config.offset - f64::from(self.line[index]);
        Spot { index, before, along }
    }

    fn at(noise: &Grid<f32>, spot: &Spot) -> f64 {
        f64::from(noise[spot.index])
    }

    fn throw(&self, spot: &Spot) -> f64 {
        let [least, most] = THROW_NOISE.2;
        self.config.throw * math::clamp(1.0 + Self::at(&self.throw, spot), least, most)
    }

    fn uplift(&self, spot: &Spot) -> f64 {
        let behind = -spot.before;
        let ramp = math::smoothstep(0.0, RAMP, behind);
        let tilt = TILT.0 * math::clamp(2.0 * behind / TILT.1 - 1.0, -1.0, 1.0);
        let share = (1.0 + tilt) * (1.0 + Self::at(&self.uplift, spot));
        ramp * share / ((1.0 + TILT.0) * (1.0 + UPLIFT_NOISE.0))
    }

    fn elevation(&self, spot: &Spot) -> f64 {
        let (before, behind) = (spot.before, -spot.before);
        let aside = spot.along / CLOSING.1;
        let line = self.throw(spot) + CLOSING.0 * aside * aside;
        if before > 0.0 {
            let near = math::min(before, self.config.sump_distance);
            let far = math::max(before - self.config.sump_distance, 0.0);
            let planned = far * self.config.far_slope - near * self.config.floor_slope;
            // The fault itself lies level, or the first step of the floor
            // would be a wall to some rivers.
            let shown = math::smoothstep(0.0, FADE, before);
            return line + planned + shown * Self::at(&self.floor, spot);
        }
        let rise = RISE.0 + (RISE.1 * math::min(behind / RISE.2, 1.0));
        let hills = math::smoothstep(0.0, FADE, behind) * Self::at(&self.hills, spot);
        line + rise + hills
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bajada_testkit::terrain;

    fn made(samples: u32, config: &FrontConfig) -> Front {
        let domain = terrain::square(samples, 12_288.0 / f64::from(samples - 1));
        front(&Task::new(), domain, config, Stream::new(3)).expect("nobody cancels")
    }

    #[test]
    fn the_basin_does_not_rise_and_the_block_does_not_fall() {
        let front = made(257, &FrontConfig::default());
        let mut blocks = 0;
        for index in 0..257 * 257 {
            let (uplift, depth) = (front.uplift[index], front.subsidence[index]);
            assert!((0.0..=1.0).contains(&uplift) && depth >= 0.0);
            assert!(uplift == 0.0 || depth == 0.0, "{uplift} {depth}");
            blocks += u32::from(front.block[index] >= 0.5);
        }
        let share = f64::from(blocks) / (257.0 * 257.0);
        assert!((0.5..0.7).contains(&share), "{share}");
    }

    #[test]
    fn the_floor_ends_where_it_was_planned_whatever_the_throw() {
        let config = FrontConfig::default();
        let [low, high] = [100.0, 180.0].map(|throw| made(129, &FrontConfig { throw, ..config }));
        let mut floor = 0;
        for index in 0..129 * 129 {
            if low.subsidence[index] > 0.0 {
                let ends = |front: &Front| front.elevation[index] - front.subsidence[index];
                assert!((ends(&low) - ends(&high)).abs() < 1e-3);
                floor += 1;
            }
        }
        assert!(floor > 1000);
    }

    #[test]
    fn a_preview_has_the_front_of_the_full_build() {
        let (coarse, fine) =
            (made(257, &FrontConfig::default()), made(513, &FrontConfig::default()));
        let mut off = 0;
        for y in 0..257 {
            for x in 0..257 {
                let (a, b) = (coarse.block.at(x, y), fine.block.at(2 * x, 2 * y));
                off += u32::from((a > 0.5) != (b > 0.5));
            }
        }
        assert!(off < 60, "{off} samples change sides");
    }

    #[test]
    fn the_front_looks_where_it_is_told_to() {
        for (facing, [x, y]) in [(0.0, [64, 0]), (90.0, [128, 64]), (180.0, [64, 128])] {
            let front = made(129, &FrontConfig { facing, ..Default::default() });
            assert_eq!(front.block.at(x, y), 0.0, "{facing}");
            assert_eq!(front.block.at(128 - x, 128 - y), 1.0, "{facing}");
        }
    }
}
