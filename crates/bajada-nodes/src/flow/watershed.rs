//! `watershed`: which ground drains to where, and the divides between.

use bajada_grid::par;
use bajada_kernels::flow::watershed::{End, WatershedConfig, watersheds};
use bajada_node::{
    Accepts, Choice, Conserves, EvalCtx, Gives, InputSpec, Locality, Node, NodeError, NodeSpec,
    OutputSpec, Outputs, Params, Quantity,
};

/// What a basin is the ground of.
#[derive(Choice)]
pub enum DrainsTo {
    /// A cell of the map's edge; hollows spill.
    Edge,
    /// A hollow; ground that runs off the map belongs to none.
    Hollow,
}

/// Parameters of `watershed`.
#[derive(Params)]
pub struct WatershedParams {
    /// What a basin is the ground of.
    #[param(default = DrainsTo::Edge)]
    pub drains_to: DrainsTo,
    /// Basins smaller than this have the label 0.
    #[param(unit = "m2", default = 100_000.0, range = 0.0..=1e12)]
    pub min_area_m2: f64,
    /// Distance from a divide at which its mask is 0. Below a cell the divide
    /// is a line one cell wide.
    #[param(unit = "m", default = 0.0, range = 0.0..=2000.0)]
    pub divide_reach_m: f64,
}

static SPEC: NodeSpec = NodeSpec {
    id: "watershed",
    version: 1,
    group: "flow",
    title: "which ground drains to where",
    doc: "Follows the steepest way down from each cell and numbers the basins: 1 is the largest, \
          of equal ones the one whose end comes first from the north-west; 0 is no basin. With \
          `Edge`, hollows spill and every cell of the map's edge has a basin of its own; with \
          `Hollow`, every hollow has one. `divide` marks the higher cell of each two neighbors of \
          different basins.",
    inputs: &[InputSpec::required(
        "elevation",
        Accepts::Raster(Quantity::Elevation),
        "The ground.",
    )],
    outputs: &[
        OutputSpec::new("basin", Gives::Raster(Quantity::Label), "Number of each cell's basin."),
        OutputSpec::new("divide", Gives::Raster(Quantity::Mask), "1 on the crests between basins."),
    ],
    params: WatershedParams::SPECS,
    extensions: &[],
    locality: Locality::Global,
    conserves: Conserves::NoGround,
    random: false,
    drift: Some(0.7),
    bytes_per_sample: 44,
    nanoseconds_per_sample: 200,
    citations: &[
        "O'Callaghan & Mark 1984, The extraction of drainage networks from digital elevation data",
    ],
    example: include_str!("../../../../graphs/nodes/watershed.ron"),
};

/// The node.
pub struct Watershed;

impl Node for Watershed {
    fn spec(&self) -> &'static NodeSpec {
        &SPEC
    }

    fn eval(&self, ctx: &EvalCtx<'_>) -> Result<Outputs, NodeError> {
        let params: WatershedParams = ctx.params();
        let config = WatershedConfig {
            end: match params.drains_to {
                DrainsTo::Edge => End::Edge,
                DrainsTo::Hollow => End::Hollow,
            },
            least_area: params.min_area_m2,
            divide_reach: params.divide_reach_m,
        };
        let elevation = ctx.copy(ctx.raster("elevation")?);
        let found = watersheds(ctx.task(), &elevation, &config)?;
        let mut basin = ctx.grid(0.0_f32);
        // Labels go up to 2^24, which f32 counts without a gap.
        par::map(&mut basin, |index| found.labels[index] as f32);
        Ok(ctx.outputs().raster("basin", basin).raster("divide", found.divide))
    }
}
