//! `relief`: a shaded picture from above.

use bajada_kernels::picture::{ReliefConfig, relief};
use bajada_node::{
    Conserves, EvalCtx, Extension, Gives, Locality, Node, NodeError, NodeSpec, OutputSpec, Outputs,
    Params, Value,
};

use crate::scene;

/// Parameters of `relief`.
#[derive(Params)]
pub struct ReliefParams {
    /// Where the sun stands, clockwise from north; snapped to the nearest of 16
    /// directions that meet samples (0, 26.57, 45, 63.43, 90 and so on).
    #[param(unit = "deg", default = 315.0, range = 0.0..=360.0)]
    pub sun_azimuth_deg: f64,
    /// How high the sun stands above the horizon.
    #[param(unit = "deg", default = 33.0, range = 15.0..=60.0)]
    pub sun_height_deg: f64,
    /// Share of the sun in the light of a plain; the sky gives the rest.
    #[param(unit = "1", default = 0.62, range = 0.3..=0.85)]
    pub key_share: f64,
    /// Share of the sun's light that a cast shadow takes.
    #[param(unit = "1", default = 0.55, range = 0.0..=1.0)]
    pub shadow: f64,
    /// How far the light of gentle ground is stretched; 1 is not at all.
    #[param(unit = "1", default = 5.0, range = 1.0..=8.0)]
    pub contrast: f64,
    /// Elevation between contour lines on gentle ground; 0 draws none. Left
    /// out, a round number that suits the extent.
    #[param(unit = "m", default = none, range = 0.0..=1000.0)]
    pub contour_m: Option<f64>,
    /// Depth at which water is darkest.
    #[param(unit = "m", default = 25.0, range = 1.0..=1000.0)]
    pub water_deep_m: f64,
    /// Enlarges small maps so many times. Left out, up to 1300 pixels, less what
    /// `shrink` would take back.
    #[param(unit = "1", default = none, range = 1..=4)]
    pub scale: Option<u32>,
    /// Averages so many pixels a side into one.
    #[param(unit = "1", default = 1, range = 1..=4)]
    pub shrink: u32,
}

static SPEC: NodeSpec = NodeSpec {
    id: "relief",
    version: 3,
    group: "output",
    title: "a shaded picture from above",
    doc: "Sun, sky, cast shadows and contour lines, with a light that stretches on gentle ground, \
          so that a fan of three degrees reads beside a mountain of forty. All radii are shares \
          of the map, so a preview has the tones of the full build. No frame, no text; the \
          numbers lie in the file's text chunks.",
    inputs: scene::PORTS,
    outputs: &[OutputSpec::new("file", Gives::Bytes, "The picture, as PNG.")],
    params: ReliefParams::SPECS,
    extensions: &[Extension { name: "png", container: None }],
    locality: Locality::Global,
    conserves: Conserves::NoGround,
    random: false,
    drift: None,
    bytes_per_sample: 60,
    nanoseconds_per_sample: 250,
    citations: &[
        "Imhof 1965, Cartographic relief presentation",
        "Kennelly & Stewart 2014, General sky models for illuminating terrains",
    ],
    example: include_str!("../../../../graphs/nodes/relief.ron"),
};

/// The node.
pub struct Relief;

impl Node for Relief {
    fn spec(&self) -> &'static NodeSpec {
        &SPEC
    }

    fn eval(&self, ctx: &EvalCtx<'_>) -> Result<Outputs, NodeError> {
        let params: ReliefParams = ctx.params();
        let config = ReliefConfig {
            sun_azimuth: params.sun_azimuth_deg,
            sun_height: params.sun_height_deg,
            key_share: params.key_share,
            shadow: params.shadow,
            contrast: params.contrast,
            contour: scene::contour(params.contour_m),
            water_deep: params.water_deep_m,
            scale: params.scale,
            shrink: params.shrink,
        };
        let painted = scene::with_scene(ctx, |scene| relief(ctx.task(), scene, &config))??;
        let bytes = scene::encoded(ctx, painted, config.sun_height, &[])?;
        Ok(ctx.outputs().value("file", Value::Bytes(bytes.into())))
    }
}
