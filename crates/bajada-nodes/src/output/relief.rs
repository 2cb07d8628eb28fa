//! `relief`: a shaded picture from above.

use bajada_formats::{Picture, encode_picture};
use bajada_kernels::picture::{Contour, DEFAULT_TINTS, ReliefConfig, Scene, Tint, relief};
use bajada_node::{
    Accepts, Conserves, EvalCtx, Extension, Gives, InputSpec, Locality, Node, NodeError, NodeSpec,
    OutputSpec, Outputs, Params, Quantity, Value,
};

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
    /// Enlarges small maps so many times. Left out, up to 1300 pixels.
    #[param(unit = "1", default = none, range = 1..=4)]
    pub scale: Option<u32>,
    /// Averages so many pixels a side into one.
    #[param(unit = "1", default = 1, range = 1..=4)]
    pub shrink: u32,
}

const fn tint(name: &'static str, doc: &'static str) -> InputSpec {
    InputSpec::optional(name, Accepts::Raster(Quantity::Mask), doc)
}

/// The masks that colour the ground, in the order of the default tints.
const TINTS: [&str; 4] = ["vegetation", "snow", "clay", "wash"];

static SPEC: NodeSpec = NodeSpec {
    id: "relief",
    version: 1,
    group: "output",
    title: "a shaded picture from above",
    doc: "Sun, sky, cast shadows and contour lines, with a light that stretches on gentle ground, \
          so that a fan of three degrees reads beside a mountain of forty. All radii are shares \
          of the map, so a preview has the tones of the full build. No frame, no text; the \
          numbers lie in the file's text chunks.",
    inputs: &[
        InputSpec::required(
            "elevation",
            Accepts::Raster(Quantity::Elevation),
            "The ground, or the bed where there is water.",
        ),
        InputSpec::optional("water", Accepts::Raster(Quantity::Thickness), "Depth of water."),
        InputSpec::optional(
            "deposition",
            Accepts::Raster(Quantity::Thickness),
            "Thickness of loose deposits; painted in sand.",
        ),
        tint("vegetation", "Where the ground is green."),
        tint("snow", "Where the ground is white."),
        tint("clay", "Where the ground is reddish."),
        tint("wash", "Where the ground is pale gravel."),
    ],
    outputs: &[OutputSpec::new("file", Gives::Bytes, "The picture, as PNG.")],
    params: ReliefParams::SPECS,
    extensions: &[Extension { name: "png", container: None }],
    locality: Locality::Global,
    conserves: Conserves::NoGround,
    random: false,
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
            contour: match params.contour_m {
                None => Contour::Auto,
                Some(interval) if interval > 0.0 => Contour::Every(interval),
                Some(_) => Contour::Off,
            },
            water_deep: params.water_deep_m,
            scale: params.scale,
            shrink: params.shrink,
        };
        let tints: Vec<Tint<'_>> = TINTS
            .iter()
            .zip(DEFAULT_TINTS)
            .filter_map(|(name, color)| Some(Tint { mask: ctx.optional_raster(name)?, color }))
            .collect();
        let elevation = ctx.copy(ctx.raster("elevation")?);
        let scene = Scene {
            elevation: &elevation,
            water: ctx.optional_raster("water"),
            deposition: ctx.optional_raster("deposition"),
            tints: &tints,
        };
        let painted = relief(ctx.task(), &scene, &config)?;
        let [east, south] = ctx.world().domain.extent();
        let texts = [
            ("Extent", format!("{east} x {south} m")),
            ("Contour interval", format!("{} m", painted.contour_interval)),
            (
                "Sun",
                format!("{:.2} deg, {} deg high", painted.sun_azimuth_snapped, config.sun_height),
            ),
        ];
        let texts = texts.map(|(key, text)| (key.to_owned(), text));
        let picture = Picture {
            width: painted.width as u32,
            height: painted.height as u32,
            rgb: painted.rgb,
        };
        let bytes = encode_picture(&picture, &texts)
            .map_err(|error| NodeError::Broken(error.to_string()))?;
        Ok(ctx.outputs().value("file", Value::Bytes(bytes.into())))
    }
}
