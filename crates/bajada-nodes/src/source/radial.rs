//! `radial`: a round hill.

use bajada_kernels::source::radial::{RadialConfig, radial};
use bajada_node::{
    Conserves, EvalCtx, Gives, Locality, Node, NodeError, NodeSpec, OutputSpec, Outputs, Params,
    Quantity,
};

/// Parameters of `radial`.
#[derive(Params)]
pub struct RadialParams {
    /// The middle, east and south of the map's north-west sample. Left out, the
    /// middle of the map.
    #[param(unit = "m", default = none, range = -10_000_000.0..=10_000_000.0)]
    pub center_m: Option<[f64; 2]>,
    /// Distance from the middle at which the hill has come down to 0.
    #[param(unit = "m", default = 4000.0, range = 0.01..=10_000_000.0)]
    pub radius_m: f64,
    /// Elevation of the middle; below 0 it is a bowl.
    #[param(unit = "m", default = 500.0, range = -20_000.0..=20_000.0)]
    pub elevation_m: f64,
}

static SPEC: NodeSpec = NodeSpec {
    id: "radial",
    version: 1,
    group: "source",
    title: "a round hill, the seed of an island",
    doc: "Falls smoothly from the middle to exactly 0 at the radius. Add noise and take a mask of \
          it with `remap`, and it is the plan of an island.",
    inputs: &[],
    outputs: &[OutputSpec::new("elevation", Gives::Raster(Quantity::Elevation), "The hill.")],
    params: RadialParams::SPECS,
    extensions: &[],
    locality: Locality::Global,
    conserves: Conserves::NoGround,
    random: false,
    drift: Some(0.0),
    bytes_per_sample: 4,
    nanoseconds_per_sample: 5,
    citations: &[],
    example: include_str!("../../../../graphs/nodes/radial.ron"),
};

/// The node.
pub struct Radial;

impl Node for Radial {
    fn spec(&self) -> &'static NodeSpec {
        &SPEC
    }

    fn eval(&self, ctx: &EvalCtx<'_>) -> Result<Outputs, NodeError> {
        let params: RadialParams = ctx.params();
        let domain = ctx.world().domain;
        let ([west, north], [width, height]) = (domain.origin(), domain.extent());
        let [east, south] = params.center_m.unwrap_or([0.5 * width, 0.5 * height]);
        let config = RadialConfig {
            center: [west + east, north + south],
            radius: params.radius_m,
            height: params.elevation_m,
        };
        Ok(ctx.outputs().raster("elevation", radial(domain, &config)))
    }
}
