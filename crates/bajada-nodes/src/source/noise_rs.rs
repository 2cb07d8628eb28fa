//! `noise_rs`: hills from the lattices of the `noise` crate.

use bajada_kernels::source::noise::{BandLimit, NoiseConfig};
use bajada_kernels::source::noise_rs::{self, LibraryLattice};
use bajada_node::{
    Choice, Conserves, EvalCtx, Gives, Locality, Node, NodeError, NodeSpec, OutputSpec, Outputs,
    Params, Quantity,
};

use super::noise::Fractal;

/// Which lattice.
#[derive(Choice)]
pub enum Lattice {
    /// Perlin's gradient noise on squares.
    Perlin,
    /// Simplex noise on triangles.
    Simplex,
    /// Values at the corners of squares, faded between: blocky.
    Value,
}

/// Parameters of `noise_rs`.
#[derive(Params)]
pub struct NoiseRsParams {
    /// Which lattice.
    #[param(default = Lattice::Perlin)]
    pub lattice: Lattice,
    /// How octaves add up.
    #[param(default = Fractal::Fbm)]
    pub fractal: Fractal,
    /// Wavelength of the first octave: the distance between large hills.
    #[param(unit = "m", default = 4000.0, range = 0.01..=10_000_000.0)]
    pub wavelength_m: f64,
    /// Bound of the elevation above (Fbm: and below) 0.
    #[param(unit = "m", default = 600.0, range = 0.0..=20_000.0)]
    pub amplitude_m: f64,
    /// How many octaves; those that the samples cannot carry fade out.
    #[param(unit = "1", default = 8, range = 1..=20)]
    pub octaves: u32,
    /// Amplitude of an octave over that of the one before: roughness.
    #[param(unit = "1", default = 0.5, range = 0.01..=1.0)]
    pub gain: f64,
    /// Wavelength of an octave over that of the one after.
    #[param(unit = "1", default = 2.0, range = 1.01..=8.0)]
    pub lacunarity: f64,
    /// How far the pattern is moved: east, south.
    #[param(unit = "m", default = [0.0, 0.0], range = -100_000_000.0..=100_000_000.0)]
    pub offset_m: [f64; 2],
}

static SPEC: NodeSpec = NodeSpec {
    id: "noise_rs",
    version: 1,
    group: "source",
    title: "hills from the lattices of the `noise` crate",
    doc: "The Perlin, Simplex and Value lattices of the `noise` crate under the octaves of \
          `noise`, for those who know their look. Guarded: no coordinate or seed makes it fail, \
          nothing repeats, and no wavelength vanishes on the samples. `noise` is faster and \
          shows no direction; prefer it.",
    inputs: &[],
    outputs: &[OutputSpec::new("elevation", Gives::Raster(Quantity::Elevation), "The hills.")],
    params: NoiseRsParams::SPECS,
    extensions: &[],
    locality: Locality::Pointwise,
    conserves: Conserves::NoGround,
    random: true,
    drift: Some(0.03),
    bytes_per_sample: 4,
    nanoseconds_per_sample: 250,
    citations: &["the `noise` crate 0.9", "Gustavson 2005, Simplex noise demystified"],
    example: include_str!("../../../../graphs/nodes/noise_rs.ron"),
};

/// The node.
pub struct NoiseRs;

impl Node for NoiseRs {
    fn spec(&self) -> &'static NodeSpec {
        &SPEC
    }

    fn eval(&self, ctx: &EvalCtx<'_>) -> Result<Outputs, NodeError> {
        let params: NoiseRsParams = ctx.params();
        let config = NoiseConfig {
            fractal: params.fractal.into(),
            wavelength: params.wavelength_m,
            amplitude: params.amplitude_m,
            octaves: params.octaves,
            gain: params.gain,
            lacunarity: params.lacunarity,
            offset: params.offset_m,
            base: 0.0,
            band_limit: BandLimit::On,
            ..NoiseConfig::default()
        };
        let lattice = match params.lattice {
            Lattice::Perlin => LibraryLattice::Perlin,
            Lattice::Simplex => LibraryLattice::Simplex,
            Lattice::Value => LibraryLattice::Value,
        };
        let mut elevation = ctx.grid(0.0_f32);
        noise_rs::fill(ctx.task(), &mut elevation, lattice, &config, ctx.stream())?;
        Ok(ctx.outputs().raster("elevation", elevation))
    }
}
