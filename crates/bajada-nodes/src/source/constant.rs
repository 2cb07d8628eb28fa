//! `constant`: level ground.

use bajada_node::{
    Conserves, EvalCtx, Gives, Locality, Node, NodeError, NodeSpec, OutputSpec, Outputs, Params,
    Quantity,
};

/// Parameters of `constant`.
#[derive(Params)]
pub struct ConstantParams {
    /// Height of the ground.
    #[param(unit = "m", default = 0.0, range = -20_000.0..=20_000.0)]
    pub elevation_m: f64,
}

static SPEC: NodeSpec = NodeSpec {
    id: "constant",
    version: 1,
    group: "source",
    title: "level ground",
    doc: "The same elevation everywhere: a sea floor to build on, a plane to compare with.",
    inputs: &[],
    outputs: &[OutputSpec::new(
        "elevation",
        Gives::Raster(Quantity::Elevation),
        "The level ground.",
    )],
    params: ConstantParams::SPECS,
    extensions: &[],
    locality: Locality::Pointwise,
    conserves: Conserves::NoGround,
    random: false,
    drift: Some(0.0),
    bytes_per_sample: 4,
    nanoseconds_per_sample: 1,
    citations: &[],
    example: include_str!("../../../../graphs/nodes/constant.ron"),
};

/// The node.
pub struct Constant;

impl Node for Constant {
    fn spec(&self) -> &'static NodeSpec {
        &SPEC
    }

    fn eval(&self, ctx: &EvalCtx<'_>) -> Result<Outputs, NodeError> {
        let params: ConstantParams = ctx.params();
        Ok(ctx.outputs().raster("elevation", ctx.grid(params.elevation_m as f32)))
    }
}
