//! `slope_mask`: where the ground is so steep.

use bajada_kernels::shape::mask::{self, Band};
use bajada_node::{
    Accepts, Complaint, Conserves, EvalCtx, Gives, InputSpec, Locality, Node, NodeError, NodeSpec,
    OutputSpec, Outputs, ParamValue, Params, Quantity, Wiring,
};

/// Parameters of `slope_mask`.
#[derive(Params)]
pub struct SlopeMaskParams {
    /// Gentlest and steepest ground that counts in full.
    #[param(unit = "deg", default = [35.0, 90.0], range = 0.0..=90.0)]
    pub band_deg: [f64; 2],
    /// Way from full to nothing outside of the band.
    #[param(unit = "deg", default = 5.0, range = 0.0..=90.0)]
    pub falloff_deg: f64,
}

/// Slope is measured between the neighbours of a sample.
fn radius(_: &[ParamValue], cell_size: f64) -> f64 {
    cell_size
}

static SPEC: NodeSpec = NodeSpec {
    id: "slope_mask",
    version: 1,
    group: "mask",
    title: "where the ground is so steep",
    doc: "1 where the steepness lies within the band, falling off smoothly outside of it. \
          Steepness is measured between neighbouring samples, so finer worlds see steeper ground.",
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
    params: SlopeMaskParams::SPECS,
    extensions: &[],
    locality: Locality::Neighborhood { radius },
    conserves: Conserves::NoGround,
    random: false,
    drift: Some(0.85),
    bytes_per_sample: 12,
    nanoseconds_per_sample: 40,
    citations: &[],
    example: include_str!("../../../../graphs/nodes/slope_mask.ron"),
};

/// The node.
pub struct SlopeMask;

impl Node for SlopeMask {
    fn spec(&self) -> &'static NodeSpec {
        &SPEC
    }

    fn check(&self, wiring: &Wiring<'_>) -> Result<(), Complaint> {
        super::rising("band_deg", SlopeMaskParams::read(wiring.params).band_deg)
    }

    fn eval(&self, ctx: &EvalCtx<'_>) -> Result<Outputs, NodeError> {
        let params: SlopeMaskParams = ctx.params();
        let [low, high] = params.band_deg;
        let band = Band { low, high, falloff: params.falloff_deg };
        let elevation = ctx.copy(ctx.raster("elevation")?);
        Ok(ctx.outputs().raster("mask", mask::slope_mask(&elevation, &band)))
    }
}
