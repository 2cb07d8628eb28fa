//! `front`: a block that will rise before a basin that will fall.

use bajada_kernels::source::front::{self, FrontConfig};
use bajada_node::{
    Conserves, EvalCtx, Gives, Locality, Node, NodeError, NodeSpec, OutputSpec, Outputs, Params,
    Quantity,
};

/// Parameters of `front`.
#[derive(Params)]
pub struct FrontParams {
    /// Where the front looks to, clockwise from north. One that looks south
    /// lies in its own shade in most pictures.
    #[param(unit = "deg", default = 240.0, range = 0.0..=360.0)]
    pub facing_azimuth_deg: f64,
    /// How far the front lies from the middle of the map, the way it looks.
    #[param(unit = "m", default = 1100.0, range = -100_000.0..=100_000.0)]
    pub offset_m: f64,
    /// How far bays and spurs reach to either side of the line.
    #[param(unit = "m", default = 900.0, range = 0.0..=20_000.0)]
    pub line_amplitude_m: f64,
    /// Distance from bay to bay.
    #[param(unit = "m", default = 5000.0, range = 100.0..=100_000.0)]
    pub line_wavelength_m: f64,
    /// Hills that the block starts with. They decide where valleys come to
    /// lie, no more.
    #[param(unit = "m", default = 150.0, range = 0.0..=2000.0)]
    pub roughness_m: f64,
    /// Distance from hill to hill.
    #[param(unit = "m", default = 3500.0, range = 100.0..=100_000.0)]
    pub roughness_wavelength_m: f64,
    /// How far the basin's floor drops along the fault, on the mean. It makes
    /// room for fans.
    #[param(unit = "m", default = 140.0, range = 0.0..=5000.0)]
    pub throw_m: f64,
    /// Fall of the floor from the front to its sump.
    #[param(unit = "deg", default = 0.57, range = 0.0..=10.0)]
    pub floor_slope_deg: f64,
    /// Distance of the sump from the front.
    #[param(unit = "m", default = 3400.0, range = 0.0..=100_000.0)]
    pub sump_distance_m: f64,
    /// Rise of the floor behind the sump.
    #[param(unit = "deg", default = 0.92, range = 0.0..=10.0)]
    pub far_slope_deg: f64,
}

static SPEC: NodeSpec = NodeSpec {
    id: "front",
    version: 1,
    group: "source",
    title: "a block that will rise, before a basin that will fall",
    doc: "The start of a mountain range, for `stream_power` to carve: a fault crosses the map, \
          oblique to it and bent. Link all three of `elevation`, `uplift` and `subsidence`, with \
          `edge: Closed`. The basin's floor starts higher by the throw of the fault: rivers grade \
          to it first and cut after it as it drops, which gives canyons that open onto a floor \
          with room for fans. Heights are metres above the floor at the front.",
    inputs: &[],
    outputs: &[
        OutputSpec::new(
            "elevation",
            Gives::Raster(Quantity::Elevation),
            "The ground before anything rises.",
        ),
        OutputSpec::new("uplift", Gives::Raster(Quantity::Mask), "Share of the uplift."),
        OutputSpec::new(
            "subsidence",
            Gives::Raster(Quantity::Thickness),
            "How far the floor will fall.",
        ),
        OutputSpec::new("block", Gives::Raster(Quantity::Mask), "1 on the block, 0 in the basin."),
    ],
    params: FrontParams::SPECS,
    extensions: &[],
    locality: Locality::Global,
    conserves: Conserves::NoGround,
    random: true,
    drift: Some(0.05),
    bytes_per_sample: 44,
    nanoseconds_per_sample: 300,
    citations: &[],
    example: include_str!("../../../../graphs/nodes/front.ron"),
};

/// The node.
pub struct Front;

impl Node for Front {
    fn spec(&self) -> &'static NodeSpec {
        &SPEC
    }

    fn eval(&self, ctx: &EvalCtx<'_>) -> Result<Outputs, NodeError> {
        let params: FrontParams = ctx.params();
        let config = FrontConfig {
            facing: params.facing_azimuth_deg,
            offset: params.offset_m,
            line_amplitude: params.line_amplitude_m,
            line_wavelength: params.line_wavelength_m,
            roughness: params.roughness_m,
            roughness_wavelength: params.roughness_wavelength_m,
            throw: params.throw_m,
            floor_slope: bajada_grid::math::tan_deg(params.floor_slope_deg),
            sump_distance: params.sump_distance_m,
            far_slope: bajada_grid::math::tan_deg(params.far_slope_deg),
        };
        let made = front::front(ctx.task(), ctx.world().domain, &config, ctx.stream())?;
        Ok(ctx
            .outputs()
            .raster("elevation", made.elevation)
            .raster("uplift", made.uplift)
            .raster("subsidence", made.subsidence)
            .raster("block", made.block))
    }
}
