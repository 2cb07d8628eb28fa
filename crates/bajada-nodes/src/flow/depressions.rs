//! `depressions`: fills hollows to where they spill.

use bajada_grid::{Ledger, par};
use bajada_kernels::flow::{Outlets, fill};
use bajada_node::{
    Accepts, Choice, Conserves, EvalCtx, Gives, InputSpec, Locality, Node, NodeError, NodeSpec,
    OutputSpec, Outputs, Params, Quantity,
};

/// What becomes of a hollow.
#[derive(Choice)]
pub enum Mode {
    /// It is filled, level, to its lowest pass.
    Fill,
}

/// Parameters of `depressions`.
#[derive(Params)]
pub struct DepressionsParams {
    /// What becomes of a hollow.
    #[param(default = Mode::Fill)]
    pub mode: Mode,
}

static SPEC: NodeSpec = NodeSpec {
    id: "depressions",
    version: 1,
    group: "flow",
    title: "fill hollows to where they spill",
    doc: "Raises the ground of every hollow to its lowest pass, level, so that water runs from \
          each cell to the map's edge without a step up. Ground outside hollows keeps its bits. \
          `depth` is how deep the hollows were: lakes, if it rains enough.",
    inputs: &[InputSpec::required(
        "elevation",
        Accepts::Raster(Quantity::Elevation),
        "The ground.",
    )],
    outputs: &[
        OutputSpec::new(
            "elevation",
            Gives::Raster(Quantity::Elevation),
            "The ground without hollows.",
        ),
        OutputSpec::new("depth", Gives::Raster(Quantity::Thickness), "Thickness filled in."),
    ],
    params: DepressionsParams::SPECS,
    extensions: &[],
    locality: Locality::Global,
    conserves: Conserves::Shapes,
    random: false,
    drift: Some(0.05),
    bytes_per_sample: 36,
    nanoseconds_per_sample: 60,
    citations: &[
        "Cordonnier, Bovy & Braun 2019, A versatile, linear complexity algorithm for flow routing in topographies with depressions",
    ],
    example: include_str!("../../../../graphs/nodes/depressions.ron"),
};

/// The node.
pub struct Depressions;

impl Node for Depressions {
    fn spec(&self) -> &'static NodeSpec {
        &SPEC
    }

    fn eval(&self, ctx: &EvalCtx<'_>) -> Result<Outputs, NodeError> {
        let Mode::Fill = ctx.params::<DepressionsParams>().mode;
        ctx.task().check()?;
        let ground = ctx.copy(ctx.raster("elevation")?);
        let heights = ground.to_f64();
        // Levels are heights of the ground: they go back into f32 exactly.
        let filled = fill(&heights, &Outlets::at_edge(&heights)).to_f32();
        let mut depth = ctx.grid(0.0_f32);
        par::map(&mut depth, |index| filled[index] - ground[index]);
        let ledger = Ledger::shaped(&ground, &filled);
        Ok(ctx.outputs().raster("elevation", filled).raster("depth", depth).ledger(ledger))
    }
}
