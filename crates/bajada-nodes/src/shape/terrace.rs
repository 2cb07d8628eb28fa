//! `terrace`: steps in a slope.

use bajada_grid::Ledger;
use bajada_kernels::shape::terrace::{self, TerraceConfig};
use bajada_node::{
    Accepts, Conserves, EvalCtx, Gives, InputSpec, Locality, Node, NodeError, NodeSpec, OutputSpec,
    Outputs, Params, Quantity,
};

/// Parameters of `terrace`.
#[derive(Params)]
pub struct TerraceParams {
    /// Elevation between two treads.
    #[param(unit = "m", default = 60.0, range = 0.01..=5000.0)]
    pub step_m: f64,
    /// Elevation of one of the treads.
    #[param(unit = "m", default = 0.0, range = -20_000.0..=20_000.0)]
    pub offset_m: f64,
    /// How level the treads are: 0 leaves the slope, 1 makes them flat.
    #[param(unit = "1", default = 0.8, range = 0.0..=1.0)]
    pub sharpness: f64,
}

static SPEC: NodeSpec = NodeSpec {
    id: "terrace",
    version: 1,
    group: "shape",
    title: "steps in a slope: treads and risers",
    doc: "Bends the way up within each step, so that gentle treads lie between steep risers. \
          Whole steps keep their elevation, and higher ground stays higher. Where `mask` is 0 the \
          ground is kept to the bit.",
    inputs: &[
        InputSpec::required("elevation", Accepts::Raster(Quantity::Elevation), "The ground."),
        InputSpec::optional(
            "mask",
            Accepts::Raster(Quantity::Mask),
            "Where, and how much; everywhere if left out.",
        ),
    ],
    outputs: &[OutputSpec::new(
        "elevation",
        Gives::Raster(Quantity::Elevation),
        "The stepped ground.",
    )],
    params: TerraceParams::SPECS,
    extensions: &[],
    locality: Locality::Pointwise,
    conserves: Conserves::Shapes,
    random: false,
    drift: Some(0.28),
    bytes_per_sample: 8,
    nanoseconds_per_sample: 10,
    citations: &[],
    example: include_str!("../../../../graphs/nodes/terrace.ron"),
};

/// The node.
pub struct Terrace;

impl Node for Terrace {
    fn spec(&self) -> &'static NodeSpec {
        &SPEC
    }

    fn eval(&self, ctx: &EvalCtx<'_>) -> Result<Outputs, NodeError> {
        let params: TerraceParams = ctx.params();
        let config = TerraceConfig {
            step: params.step_m,
            offset: params.offset_m,
            sharpness: params.sharpness,
        };
        let before = ctx.copy(ctx.raster("elevation")?);
        let after = terrace::terrace(&before, ctx.optional_raster("mask"), &config);
        let ledger = Ledger::shaped(&before, &after);
        Ok(ctx.outputs().ledger(ledger).raster("elevation", after))
    }
}
