//! Where droplets fall: the same places at any number of samples.

use bajada_grid::{Domain, Stream, math};

use super::DropletConfig;

/// Where droplets come from.
pub(super) struct Clouds {
    /// How many droplets fall.
    pub(super) droplets: u64,
    /// m3 in each.
    pub(super) water: f64,
    extent: [f64; 2],
    /// Mean distance between droplets, as shares of the map's sides.
    spread: [f64; 2],
    offset: [u64; 2],
    stream: Stream,
}

/// Steps of the even sequence along both sides: 1/p and 1/p2 in units of 2^-64,
/// with p = 1.3247... the real root of p3 = p + 1 (Roberts 2018, "R2").
const EVEN: [u64; 2] = [0xC13F_A9A9_02A6_328F, 0x91E1_0DA5_C79E_7B1D];

impl Clouds {
    /// The rain of `config` on a map.
    pub(super) fn new(config: &DropletConfig, domain: &Domain, stream: Stream) -> Self {
        let extent = domain.extent();
        let area = extent[0] * extent[1];
        let density = if config.density > 0.0 { config.density } else { 0.0 };
        let droplets = math::clamp(area * density + 0.5, 0.0, MOST_DROPLETS) as u64;
        let rain = if config.rain_depth > 0.0 { config.rain_depth } else { 0.0 };
        let water = if droplets > 0 { rain * area / droplets as f64 } else { 0.0 };
        let apart = if droplets > 0 { (area / droplets as f64).sqrt() } else { 0.0 };
        let cell = domain.cell_size();
        Self {
            droplets,
            water,
            extent: [extent[0] / cell, extent[1] / cell],
            spread: [apart / extent[0], apart / extent[1]],
            offset: [stream.bits(0, 100), stream.bits(0, 101)],
            stream,
        }
    }

    /// Place of droplet `index`, cells: a point of an even sequence, shaken by
    /// about the distance to the next one, since the bare sequence is a
    /// lattice and would comb the slopes.
    pub(super) fn place(&self, index: u64) -> [f64; 2] {
        std::array::from_fn(|side| {
            let even = self.offset[side].wrapping_add(EVEN[side].wrapping_mul(index));
            let even = (even >> 11) as f64 * (1.0 / 9_007_199_254_740_992.0);
            let shaken = even + self.spread[side] * (self.stream.uniform(index, side as u64) - 0.5);
            let around = if shaken < 0.0 { shaken + 1.0 } else { shaken };
            let around = if around >= 1.0 { around - 1.0 } else { around };
            math::clamp(around, 0.0, 1.0) * self.extent[side]
        })
    }
}

/// Most droplets of one rain: what a loop can count, not what a person waits for.
const MOST_DROPLETS: f64 = 1e12;
