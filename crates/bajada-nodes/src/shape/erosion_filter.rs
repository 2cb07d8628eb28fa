//! `erosion_filter`: gullies without water.

use bajada_grid::Ledger;
use bajada_kernels::shape::erosion_filter::{self, ErosionFilterConfig};
use bajada_node::{
    Accepts, Conserves, EvalCtx, Gives, InputSpec, Locality, Node, NodeError, NodeSpec, OutputSpec,
    Outputs, ParamValue, Params, Quantity,
};

/// Parameters of `erosion_filter`.
#[derive(Params)]
pub struct ErosionFilterParams {
    /// Distance between the largest gullies.
    #[param(unit = "m", default = 500.0, range = 1.0..=100_000.0)]
    pub wavelength_m: f64,
    /// How many octaves of gullies; those that the samples cannot carry fade
    /// out.
    #[param(unit = "1", default = 4, range = 1..=12)]
    pub octaves: u32,
    /// Half the depth of a gully over its width, on a cliff; on a slope it is
    /// as much less as the sine of its angle says.
    #[param(unit = "1", default = 0.1, range = 0.0..=0.5)]
    pub depth: f64,
    /// `depth` of an octave over that of the one before: at 1 small gullies are
    /// as steep as large ones.
    #[param(unit = "1", default = 0.8, range = 0.0..=1.0)]
    pub gain: f64,
    /// Wavelength of an octave over that of the one after.
    #[param(unit = "1", default = 2.0, range = 1.1..=8.0)]
    pub lacunarity: f64,
}

impl ErosionFilterParams {
    fn config(&self) -> ErosionFilterConfig {
        ErosionFilterConfig {
            wavelength: self.wavelength_m,
            octaves: self.octaves,
            depth: self.depth,
            gain: self.gain,
            lacunarity: self.lacunarity,
        }
    }
}

fn radius(params: &[ParamValue], cell_size: f64) -> f64 {
    erosion_filter::reach(&ErosionFilterParams::read(params).config(), cell_size)
}

static SPEC: NodeSpec = NodeSpec {
    id: "erosion_filter",
    version: 1,
    group: "shape",
    title: "gullies down every slope, without water",
    doc: "Cuts branching gullies that run down the slopes, in a few milliseconds for what \
          `droplets` takes seconds: for previews, for worlds without end, and for detail on \
          ground that a simulation has shaped. It only looks like erosion: nothing flows, nothing \
          is laid down, and gullies need not meet. It never raises ground and keeps peaks, \
          floors and level ground; where `mask` is 0 the ground is kept to the bit. Gullies \
          follow the slope of the ground smoothed to half of `wavelength_m`: smooth hills of two \
          or three octaves show them best.",
    inputs: &[
        InputSpec::required("elevation", Accepts::Raster(Quantity::Elevation), "The ground."),
        InputSpec::optional(
            "mask",
            Accepts::Raster(Quantity::Mask),
            "Where, and how much; everywhere if left out.",
        ),
    ],
    outputs: &[
        OutputSpec::new("elevation", Gives::Raster(Quantity::Elevation), "The gullied ground."),
        OutputSpec::new(
            "gullies",
            Gives::Raster(Quantity::Mask),
            "1 in the beds, 0 on the ribs between and on level ground.",
        ),
    ],
    params: ErosionFilterParams::SPECS,
    extensions: &[],
    locality: Locality::Neighborhood { radius },
    conserves: Conserves::Shapes,
    random: true,
    drift: Some(0.08),
    bytes_per_sample: 32,
    nanoseconds_per_sample: 500,
    citations: &[
        "the erosion filters of C. John 2018, Fewes 2023 and R. S. Johansen 2026",
        "Tricard et al. 2019, Procedural phasor noise",
    ],
    example: include_str!("../../../../graphs/nodes/erosion_filter.ron"),
};

/// The node.
pub struct ErosionFilter;

impl Node for ErosionFilter {
    fn spec(&self) -> &'static NodeSpec {
        &SPEC
    }

    fn eval(&self, ctx: &EvalCtx<'_>) -> Result<Outputs, NodeError> {
        let params: ErosionFilterParams = ctx.params();
        let before = ctx.copy(ctx.raster("elevation")?);
        let mask = ctx.optional_raster("mask");
        let done = erosion_filter::erosion_filter(
            ctx.task(),
            &before,
            mask,
            &params.config(),
            ctx.stream(),
        )?;
        let ledger = Ledger::shaped(&before, &done.elevation);
        Ok(ctx
            .outputs()
            .ledger(ledger)
            .raster("elevation", done.elevation)
            .raster("gullies", done.gullies))
    }
}
