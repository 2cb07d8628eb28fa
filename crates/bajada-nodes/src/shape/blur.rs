//! `blur`: smooths a field.

use bajada_grid::Ledger;
use bajada_kernels::shape::blur::{self, BlurConfig};
use bajada_node::{
    Accepts, Conserves, EvalCtx, Gives, InputSpec, Locality, Node, NodeError, NodeSpec, OutputSpec,
    Outputs, ParamValue, Params, Quantity,
};

/// Parameters of `blur`.
#[derive(Params)]
pub struct BlurParams {
    /// Standard deviation of the bell that it is smoothed with: detail much
    /// smaller than this goes.
    #[param(unit = "m", default = 60.0, range = 0.0..=100_000.0)]
    pub sigma_m: f64,
}

/// Three box passes reach three half widths; a box of deviation `s` has a half
/// width of at most `1.8 s` and a cell more for its fractional ends.
fn radius(params: &[ParamValue], cell_size: f64) -> f64 {
    3.0 * (1.8 * BlurParams::read(params).sigma_m + cell_size)
}

static SPEC: NodeSpec = NodeSpec {
    id: "blur",
    version: 1,
    group: "shape",
    title: "smooth a field",
    doc: "Very nearly a Gaussian, by three box passes whose width is exact for any cell size, so \
          that a preview is as smooth as the full build. Where `mask` is 0 the field is kept to \
          the bit.",
    inputs: &[
        InputSpec::required("field", Accepts::AnyRaster, "What is smoothed."),
        InputSpec::optional(
            "mask",
            Accepts::Raster(Quantity::Mask),
            "Where, and how much; everywhere if left out.",
        ),
    ],
    outputs: &[OutputSpec::new("field", Gives::SameAs("field"), "The smooth field.")],
    params: BlurParams::SPECS,
    extensions: &[],
    locality: Locality::Neighborhood { radius },
    conserves: Conserves::Shapes,
    random: false,
    drift: Some(0.002),
    bytes_per_sample: 24,
    nanoseconds_per_sample: 60,
    citations: &[
        "Gwosdek et al. 2011, Theoretical foundations of Gaussian convolution by extended box filtering",
    ],
    example: include_str!("../../../../graphs/nodes/blur.ron"),
};

/// The node.
pub struct Blur;

impl Node for Blur {
    fn spec(&self) -> &'static NodeSpec {
        &SPEC
    }

    fn eval(&self, ctx: &EvalCtx<'_>) -> Result<Outputs, NodeError> {
        let params: BlurParams = ctx.params();
        let field = ctx.raster("field")?;
        let config = BlurConfig { sigma: params.sigma_m };
        let start = ctx.copy(field);
        let smooth = blur::blur(ctx.task(), &start, ctx.optional_raster("mask"), &config)?;
        let outputs = ctx.outputs();
        let outputs = match ctx.quantity("field") {
            Some(Quantity::Elevation) => outputs.ledger(Ledger::shaped(field, &smooth)),
            _ => outputs,
        };
        Ok(outputs.raster("field", smooth))
    }
}
