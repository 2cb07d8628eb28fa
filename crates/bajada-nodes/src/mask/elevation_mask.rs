//! `elevation_mask`: where the ground lies so high.

use bajada_kernels::shape::mask::{self, Band};
use bajada_node::{
    Accepts, Complaint, Conserves, EvalCtx, Gives, InputSpec, Locality, Node, NodeError, NodeSpec,
    OutputSpec, Outputs, Params, Quantity, Wiring,
};

/// Parameters of `elevation_mask`.
#[derive(Params)]
pub struct ElevationMaskParams {
    /// Lowest and highest ground that counts in full.
    #[param(unit = "m", default = [1000.0, 20_000.0], range = -20_000.0..=20_000.0)]
    pub band_m: [f64; 2],
    /// Way from full to nothing below and above the band.
    #[param(unit = "m", default = 100.0, range = 0.0..=20_000.0)]
    pub falloff_m: f64,
}

static SPEC: NodeSpec = NodeSpec {
    id: "elevation_mask",
    version: 1,
    group: "mask",
    title: "where the ground lies so high",
    doc: "1 where the elevation lies within the band, falling off smoothly below and above it.",
    inputs: &[InputSpec::required(
        "elevation",
        Accepts::Raster(Quantity::Elevation),
        "The ground.",
    )],
    outputs: &[OutputSpec::new(
        "mask",
        Gives::Raster(Quantity::Mask),
        "1 inside of the band, 0 far outside.",
    )],
    params: ElevationMaskParams::SPECS,
    extensions: &[],
    locality: Locality::Pointwise,
    conserves: Conserves::NoGround,
    random: false,
    drift: Some(0.035),
    bytes_per_sample: 8,
    nanoseconds_per_sample: 5,
    citations: &[],
    example: include_str!("../../../../graphs/nodes/elevation_mask.ron"),
};

/// The node.
pub struct ElevationMask;

impl Node for ElevationMask {
    fn spec(&self) -> &'static NodeSpec {
        &SPEC
    }

    fn check(&self, wiring: &Wiring<'_>) -> Result<(), Complaint> {
        super::rising("band_m", ElevationMaskParams::read(wiring.params).band_m)
    }

    fn eval(&self, ctx: &EvalCtx<'_>) -> Result<Outputs, NodeError> {
        let params: ElevationMaskParams = ctx.params();
        let [low, high] = params.band_m;
        let band = Band { low, high, falloff: params.falloff_m };
        let elevation = ctx.copy(ctx.raster("elevation")?);
        Ok(ctx.outputs().raster("mask", mask::elevation_mask(&elevation, &band)))
    }
}
