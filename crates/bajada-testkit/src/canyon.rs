//! A canyon cut into a mountain front, whose mouth is known.

use bajada_grid::{Domain, Grid, math};

use crate::terrain;

/// A straight mountain front with one canyon through it and a plain before it.
#[derive(Clone, Copy, Debug)]
pub struct Canyon {
    /// Where the canyon ends and the plain begins, m east and south of the
    /// first sample.
    pub mouth: [f64; 2],
    /// Down the canyon, clockwise from north.
    pub azimuth_deg: f64,
    /// Width of its level floor, m; 0 is a V.
    pub floor: f64,
    /// Slope of its walls.
    pub wall: f64,
    /// Slope of its bed.
    pub bed: f64,
    /// Half width of its bends, m, 1500 m long.
    pub bend: f64,
    /// Slope of the mountain's face.
    pub front: f64,
    /// Height of the mountain, m.
    pub relief: f64,
    /// What lies before the front.
    pub plain: Plain,
    /// Height of random hills on the mountain and, a tenth of it, on the
    /// plain, m.
    pub rough: f64,
}

/// What lies before the front.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Plain {
    /// A plane that falls away from the front.
    Falling(f64),
    /// A plane that falls away from the front and rises again at half its
    /// slope from so many metres on: a closed basin.
    Closed(f64, f64),
    /// A cone of such a slope with its top at the mouth, on a plane that falls
    /// by a hundredth from 60 m below it. Its channel goes on straight, 3 m
    /// deep at the mouth and gone after 1500 m.
    Fan(f64),
}

/// Depth of the channel at the head of a fan, m.
const CHANNEL: f64 = 3.0;

/// Where a fan ends, m below its top.
const TOE: f64 = -60.0;

impl Default for Canyon {
    fn default() -> Self {
        Self {
            mouth: [4000.0, 4000.0],
            azimuth_deg: 90.0,
            floor: 0.0,
            wall: 0.6,
            bed: 0.1,
            bend: 0.0,
            front: 0.6,
            relief: 500.0,
            plain: Plain::Falling(0.02),
            rough: 2.0,
        }
    }
}

impl Canyon {
    /// Unit vector down the canyon: east, south.
    pub fn bearing(&self) -> [f64; 2] {
        let angle = math::radians(self.azimuth_deg);
        [math::sin(angle), -math::cos(angle)]
    }

    /// The ground on `domain`.
    pub fn ground(&self, domain: Domain) -> Grid<f32> {
        let hills = terrain::hills(domain, 1.0, 17);
        let [east, south] = self.bearing();
        let cell = domain.cell_size();
        Grid::from_fn(domain, |x, y| {
            let (dx, dy) = (x as f64 * cell - self.mouth[0], y as f64 * cell - self.mouth[1]);
            let (along, across) = (dx * east + dy * south, dy * east - dx * south);
            let hill = self.rough * f64::from(hills.at(x, y));
            let ground = if along > 0.0 {
                self.before(along, across) + 0.1 * hill
            } else {
                self.mountain(-along, across, hill)
            };
            (1000.0 + ground) as f32
        })
    }

    fn before(&self, along: f64, across: f64) -> f64 {
        match self.plain {
            Plain::Falling(slope) => -slope * along,
            Plain::Closed(slope, lowest) if along > lowest => {
                -slope * lowest + 0.5 * slope * (along - lowest)
            }
            Plain::Closed(slope, _) => -slope * along,
            Plain::Fan(slope) => {
                let radius = (along * along + across * across).sqrt();
                let off = math::max(across, -across) - 0.5 * self.floor;
                let bank = math::clamp(1.0 - off / 40.0, 0.0, 1.0);
                let depth = CHANNEL * bank * math::max(1.0 - along / 1500.0, 0.0);
                math::max(-slope * radius, TOE - 0.01 * along) - depth
            }
        }
    }

    fn mountain(&self, inward: f64, across: f64, hill: f64) -> f64 {
        let foot = match self.plain {
            Plain::Fan(slope) => math::max(-slope * math::max(across, -across), TOE),
            Plain::Falling(_) | Plain::Closed(..) => 0.0,
        };
        let face = foot + self.front * inward;
        let top = self.relief + 0.03 * inward + hill;
        let phase = inward * (2.0 * std::f64::consts::PI / 1500.0);
        let off = across - self.bend * math::sin(phase);
        let beside = math::max(math::max(off, -off) - 0.5 * self.floor, 0.0);
        let cut = if matches!(self.plain, Plain::Fan(_)) { CHANNEL } else { 0.0 };
        let valley = self.bed * inward - cut + self.wall * beside + 0.1 * hill;
        math::min(math::min(face, top), valley)
    }
}
