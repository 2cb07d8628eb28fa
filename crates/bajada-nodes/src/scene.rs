//! What a picture node shows: the ports, the masks' colours, the encoded file.

use bajada_formats::encode_picture;
use bajada_kernels::picture::{Contour, DEFAULT_TINTS, Picture, Scene, Tint};
use bajada_node::{Accepts, EvalCtx, InputSpec, NodeError, Quantity};

/// The ports of a picture node.
pub const PORTS: &[InputSpec] = &[
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
    tint(TINTS[0], "Where the ground is green."),
    tint(TINTS[1], "Where the ground is white."),
    tint(TINTS[2], "Where the ground is reddish."),
    tint(TINTS[3], "Where the ground is pale gravel."),
];

/// The masks that colour the ground, in the order of the default tints.
const TINTS: [&str; 4] = ["vegetation", "snow", "clay", "wash"];

const fn tint(name: &'static str, doc: &'static str) -> InputSpec {
    InputSpec::optional(name, Accepts::Raster(Quantity::Mask), doc)
}

/// Hands `paint` the scene that is linked to [`PORTS`].
pub fn with_scene<T>(
    ctx: &EvalCtx<'_>,
    paint: impl FnOnce(&Scene<'_>) -> T,
) -> Result<T, NodeError> {
    let tints: Vec<Tint<'_>> = TINTS
        .iter()
        .zip(DEFAULT_TINTS)
        .filter_map(|(name, color)| Some(Tint { mask: ctx.optional_raster(name)?, color }))
        .collect();
    let elevation = ctx.copy(ctx.raster("elevation")?);
    Ok(paint(&Scene {
        elevation: &elevation,
        water: ctx.optional_raster("water"),
        deposition: ctx.optional_raster("deposition"),
        tints: &tints,
    }))
}

/// What `contour_m` says: nothing, none, or metres.
pub fn contour(interval: Option<f64>) -> Contour {
    match interval {
        None => Contour::Auto,
        Some(interval) if interval > 0.0 => Contour::Every(interval),
        Some(_) => Contour::Off,
    }
}

/// `picture` as a file, with the numbers that it carries no legend for, and
/// `more` of them, in its text chunks.
pub fn encoded(
    ctx: &EvalCtx<'_>,
    picture: Picture,
    sun_height: f64,
    more: &[(&str, String)],
) -> Result<Vec<u8>, NodeError> {
    let [east, south] = ctx.world().domain.extent();
    let texts = [
        ("Extent", format!("{east} x {south} m")),
        ("Contour interval", format!("{} m", picture.contour_interval)),
        ("Sun", format!("{:.2} deg, {sun_height} deg high", picture.sun_azimuth_snapped)),
    ];
    let texts: Vec<(String, String)> =
        texts.iter().chain(more).map(|(key, text)| ((*key).to_owned(), text.clone())).collect();
    let file = bajada_formats::Picture {
        width: picture.width as u32,
        height: picture.height as u32,
        rgb: picture.rgb,
    };
    encode_picture(&file, &texts).map_err(|error| NodeError::Broken(error.to_string()))
}
