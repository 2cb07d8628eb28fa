//! `flow`: how much ground drains through each cell.

use bajada_kernels::flow::{Order, Outlets, drainage_area, fill, flats, mfd};
use bajada_node::{
    Accepts, Conserves, EvalCtx, Gives, InputSpec, Locality, Node, NodeError, NodeSpec, OutputSpec,
    Outputs, Params, Quantity,
};

/// Parameters of `flow`.
#[derive(Params)]
pub struct FlowParams {
    /// How strongly water prefers the steeper way: 1.1 spreads evenly on a
    /// cone, 10 is nearly one way only.
    #[param(unit = "1", default = 1.1, range = 0.1..=20.0)]
    pub convergence: f64,
}

static SPEC: NodeSpec = NodeSpec {
    id: "flow",
    version: 1,
    group: "flow",
    title: "how much ground drains through each cell",
    doc: "Water of every cell spreads over its lower neighbors, steeper ways first, and runs to \
          the map's edge; hollows spill over their lowest pass, and level ground drains toward \
          its low side. Nothing is lost: what leaves over the edge adds up to the map. Use \
          `remap` with `from_m2` to make a mask of the channels.",
    inputs: &[InputSpec::required(
        "elevation",
        Accepts::Raster(Quantity::Elevation),
        "The ground.",
    )],
    outputs: &[OutputSpec::new(
        "drainage_area",
        Gives::Raster(Quantity::Area),
        "Ground upstream of each cell, itself included.",
    )],
    params: FlowParams::SPECS,
    extensions: &[],
    locality: Locality::Global,
    conserves: Conserves::NoGround,
    random: false,
    drift: Some(1.4),
    bytes_per_sample: 70,
    nanoseconds_per_sample: 200,
    citations: &[
        "Freeman 1991, Calculating catchment area with divergent flow based on a regular grid",
        "Barnes, Lehman & Mulla 2014, An efficient assignment of drainage direction over flat surfaces",
    ],
    example: include_str!("../../../../graphs/nodes/flow.ron"),
};

/// The node.
pub struct Flow;

impl Node for Flow {
    fn spec(&self) -> &'static NodeSpec {
        &SPEC
    }

    fn eval(&self, ctx: &EvalCtx<'_>) -> Result<Outputs, NodeError> {
        let params: FlowParams = ctx.params();
        ctx.task().check()?;
        let heights = ctx.copy(ctx.raster("elevation")?).to_f64();
        let outlets = Outlets::at_edge(&heights);
        let filled = fill(&heights, &outlets);
        ctx.task().check()?;
        let flats = flats::directions(&filled, &outlets);
        let spread = mfd::spread(&filled, &flats, params.convergence);
        ctx.task().check()?;
        let order = Order::of_spread(&spread, &filled);
        ctx.task().check()?;
        let area = drainage_area(&spread, &order, &filled);
        Ok(ctx.outputs().raster("drainage_area", area.to_f32()))
    }
}
