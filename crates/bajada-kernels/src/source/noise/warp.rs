//! Domain warp: noise asked for at places that other noise has moved.
//!
//! A move is a pair of fBm heights, east and south. With two levels the first
//! pair moves the places that the second is asked for (Quilez 2002): currents
//! that curl. Moves are smooth and a place's own, so tiles still meet.

use bajada_grid::Stream;

use super::super::lattice::Lattice;
use super::plain::Plain;
use super::{Fractal, NoiseConfig, Warp};

/// Most levels of a warp: beyond two nothing new is seen.
pub const MAX_WARP_LEVELS: u32 = 2;

/// Octaves of a move: more only roughen edges.
const OCTAVES: u32 = 3;

/// How places are moved, level by level.
#[derive(Clone, Debug)]
pub(super) struct Moves {
    pub(super) levels: Vec<[Plain; 2]>,
}

/// The derivative of a moved place: how far it goes east (first) and south for
/// a step east and a step south.
pub(super) type Bend = [[f64; 2]; 2];

const STRAIGHT: Bend = [[1.0, 0.0], [0.0, 1.0]];

impl Moves {
    pub(super) fn new(config: &NoiseConfig, stream: Stream, cell_size: f64) -> Self {
        let Warp { distance, wavelength, levels } = config.warp;
        let levels = if distance > 0.0 { levels.min(MAX_WARP_LEVELS) } else { 0 };
        let move_config = NoiseConfig {
            lattice: Lattice::Perlin,
            fractal: Fractal::Fbm,
            wavelength,
            amplitude: distance,
            octaves: OCTAVES,
            band_limit: config.band_limit,
            ..NoiseConfig::default()
        };
        let stream = stream.named("warp");
        let level = |level: u32| {
            [0, 1].map(|axis| {
                Plain::new(&move_config, stream.part(u64::from(2 * level + axis)), cell_size)
            })
        };
        Self { levels: (0..levels).map(level).collect() }
    }

    pub(super) fn place(&self, x: f64, y: f64) -> [f64; 2] {
        let mut place = [x, y];
        for [east, south] in &self.levels {
            let moved = [east.value(place[0], place[1]), south.value(place[0], place[1])];
            place = [x + f64::from(moved[0]), y + f64::from(moved[1])];
        }
        place
    }

    /// As [`Moves::place`], with its derivative.
    pub(super) fn place_with_derivative(&self, x: f64, y: f64) -> ([f64; 2], Bend) {
        let (mut place, mut bend) = ([x, y], STRAIGHT);
        for [east, south] in &self.levels {
            let (by_east, gradient_east) = east.value_with_gradient(place[0], place[1]);
            let (by_south, gradient_south) = south.value_with_gradient(place[0], place[1]);
            let (east, south) = (through(gradient_east, bend), through(gradient_south, bend));
            place = [x + f64::from(by_east), y + f64::from(by_south)];
            bend = [[1.0 + east[0], east[1]], [south[0], 1.0 + south[1]]];
        }
        (place, bend)
    }
}

/// The gradient of something that is asked for at moved places.
pub(super) fn through(gradient: [f64; 2], bend: Bend) -> [f64; 2] {
    [0, 1].map(|axis| gradient[0] * bend[0][axis] + gradient[1] * bend[1][axis])
}
