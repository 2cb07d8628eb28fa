//! `oblique`: a picture from a hill beside the map.

use bajada_kernels::picture::{ObliqueConfig, oblique};
use bajada_node::{
    Conserves, EvalCtx, Extension, Gives, Locality, Node, NodeError, NodeSpec, OutputSpec, Outputs,
    Params, Value,
};

use crate::scene;

/// Parameters of `oblique`.
#[derive(Params)]
pub struct ObliqueParams {
    /// Where the camera looks to, clockwise from north. Left out, it stands on
    /// the side of the map whose border is lowest and looks across.
    #[param(unit = "deg", default = none, range = 0.0..=360.0)]
    pub bearing_deg: Option<f64>,
    /// How far the middle of the picture lies below the horizon.
    #[param(unit = "deg", default = 12.0, range = 3.0..=35.0)]
    pub pitch_deg: f64,
    /// Angle between the left and the right edge of the picture.
    #[param(unit = "deg", default = 40.0, range = 20.0..=70.0)]
    pub field_deg: f64,
    /// Distance from the camera to its target, in short sides of the map.
    #[param(unit = "1", default = 0.85, range = 0.2..=2.0)]
    pub distance: f64,
    /// Elevation of the camera, held above the ground. Left out, as high as
    /// brings the target into the middle of the picture.
    #[param(unit = "m", default = none, range = -12000.0..=100000.0)]
    pub eye_elevation_m: Option<f64>,
    /// The place that the camera looks at, east and south of the map's
    /// north-west sample. Left out, the middle of the map.
    #[param(unit = "m", default = none, range = -1e7..=1e7)]
    pub target_m: Option<[f64; 2]>,
    /// Width and height of the picture in whole pixels. Left out, 1600 x 900,
    /// and less for a map of fewer than 200 samples.
    #[param(unit = "px", default = none, range = 16.0..=3840.0)]
    pub size_px: Option<[f64; 2]>,
    /// Share of its light that the far edge of the map loses to haze.
    #[param(unit = "1", default = 0.42, range = 0.0..=0.7)]
    pub haze: f64,
    /// Elevation between contour lines on gentle ground; 0 draws none. Left
    /// out, a round number that suits the extent.
    #[param(unit = "m", default = none, range = 0.0..=1000.0)]
    pub contour_m: Option<f64>,
    /// Where the sun stands, clockwise from north; snapped to the nearest of 16
    /// directions that meet samples. Left out, behind the left shoulder.
    #[param(unit = "deg", default = none, range = 0.0..=360.0)]
    pub sun_azimuth_deg: Option<f64>,
    /// How high the sun stands above the horizon.
    #[param(unit = "deg", default = 27.0, range = 15.0..=60.0)]
    pub sun_height_deg: f64,
    /// Depth at which water is darkest.
    #[param(unit = "m", default = 25.0, range = 1.0..=1000.0)]
    pub water_deep_m: f64,
}

static SPEC: NodeSpec = NodeSpec {
    id: "oblique",
    version: 2,
    group: "output",
    title: "a picture from a hill beside the map",
    doc: "The lit map seen from its lowest side, with haze, a sky, and water that mirrors it. \
          Verticals stay vertical. All lengths of the look are shares of the map, so a preview \
          has the camera and the tones of the full build. No frame, no text; the numbers lie in \
          the file's text chunks.",
    inputs: scene::PORTS,
    outputs: &[OutputSpec::new("file", Gives::Bytes, "The picture, as PNG.")],
    params: ObliqueParams::SPECS,
    extensions: &[Extension { name: "png", container: None }],
    locality: Locality::Global,
    conserves: Conserves::NoGround,
    random: false,
    drift: None,
    bytes_per_sample: 80,
    nanoseconds_per_sample: 700,
    citations: &[
        "Kennelly & Stewart 2014, General sky models for illuminating terrains",
        "Schlick 1994, An inexpensive BRDF model for physically-based rendering",
    ],
    example: include_str!("../../../../graphs/nodes/oblique.ron"),
};

/// The node.
pub struct Oblique;

impl Node for Oblique {
    fn spec(&self) -> &'static NodeSpec {
        &SPEC
    }

    fn eval(&self, ctx: &EvalCtx<'_>) -> Result<Outputs, NodeError> {
        let params: ObliqueParams = ctx.params();
        let config = ObliqueConfig {
            bearing: params.bearing_deg,
            pitch: params.pitch_deg,
            field: params.field_deg,
            distance: params.distance,
            eye_elevation: params.eye_elevation_m,
            target: params.target_m,
            size: params.size_px.map(|size| size.map(|side| (side + 0.5) as u32)),
            haze: params.haze,
            contour: scene::contour(params.contour_m),
            sun_azimuth: params.sun_azimuth_deg,
            sun_height: params.sun_height_deg,
            water_deep: params.water_deep_m,
        };
        let taken = scene::with_scene(ctx, |scene| oblique(ctx.task(), scene, &config))??;
        let camera = format!(
            "bearing {} deg, {:.0} m, pitch {} deg, field {} deg",
            taken.bearing, taken.eye_elevation, config.pitch, config.field
        );
        let bytes = scene::encoded(ctx, taken.picture, config.sun_height, &[("Camera", camera)])?;
        let outputs = ctx.outputs().value("file", Value::Bytes(bytes.into()));
        Ok(if taken.edges_show {
            outputs.note(
                "the picture shows where the map ends: narrow `field_deg`, or move `target_m` \
                 nearer to the middle",
            )
        } else {
            outputs
        })
    }
}
