//! `noise`: hills out of nothing.

use bajada_kernels::source::noise::{self, BandLimit, NoiseConfig};
use bajada_node::{
    Choice, Conserves, EvalCtx, Gives, Locality, Node, NodeError, NodeSpec, OutputSpec, Outputs,
    Params, Quantity,
};

/// How octaves add up.
#[derive(Choice)]
pub enum Fractal {
    /// Rolling ground, as rough in its valleys as on its hills: within
    /// `amplitude_m` above and below 0.
    Fbm,
    /// Sharp crests over smooth valleys: from 0 to `amplitude_m`.
    Ridged,
    /// Round hills with creases between: from 0 to `amplitude_m`.
    Billow,
}

impl From<Fractal> for noise::Fractal {
    fn from(fractal: Fractal) -> Self {
        match fractal {
            Fractal::Fbm => Self::Fbm,
            Fractal::Ridged => Self::Ridged,
            Fractal::Billow => Self::Billow,
        }
    }
}

/// Parameters of `noise`.
#[derive(Params)]
pub struct NoiseParams {
    /// How octaves add up.
    #[param(default = Fractal::Fbm)]
    pub fractal: Fractal,
    /// Wavelength of the first octave: the distance between large hills.
    #[param(unit = "m", default = 4000.0, range = 0.01..=10_000_000.0)]
    pub wavelength_m: f64,
    /// Bound of the elevation above (Fbm: and below) 0.
    #[param(unit = "m", default = 600.0, range = 0.0..=20_000.0)]
    pub amplitude_m: f64,
    /// How many octaves; those that the samples cannot carry fade out.
    #[param(unit = "1", default = 8, range = 1..=20)]
    pub octaves: u32,
    /// Amplitude of an octave over that of the one before: roughness.
    #[param(unit = "1", default = 0.5, range = 0.01..=1.0)]
    pub gain: f64,
    /// Wavelength of an octave over that of the one after.
    #[param(unit = "1", default = 2.0, range = 1.01..=8.0)]
    pub lacunarity: f64,
    /// How far the pattern is moved: east, south.
    #[param(unit = "m", default = [0.0, 0.0], range = -100_000_000.0..=100_000_000.0)]
    pub offset_m: [f64; 2],
}

static SPEC: NodeSpec = NodeSpec {
    id: "noise",
    version: 1,
    group: "source",
    title: "hills out of nothing: fractal gradient noise",
    doc: "Octaves of gradient noise in world coordinates: maps of other sizes, places and \
          resolutions meet without a seam, and a preview shows the hills of the full build. \
          The pattern has no period and no wavelength at which it vanishes on the samples.",
    inputs: &[],
    outputs: &[OutputSpec::new("elevation", Gives::Raster(Quantity::Elevation), "The hills.")],
    params: NoiseParams::SPECS,
    extensions: &[],
    locality: Locality::Pointwise,
    conserves: Conserves::NoGround,
    random: true,
    bytes_per_sample: 4,
    nanoseconds_per_sample: 50,
    citations: &["Perlin 2002, Improving Noise", "Ebert et al. 2003, Texturing and Modeling"],
    example: include_str!("../../../../graphs/nodes/noise.ron"),
};

/// The node.
pub struct Noise;

impl Node for Noise {
    fn spec(&self) -> &'static NodeSpec {
        &SPEC
    }

    fn eval(&self, ctx: &EvalCtx<'_>) -> Result<Outputs, NodeError> {
        let params: NoiseParams = ctx.params();
        let config = NoiseConfig {
            fractal: params.fractal.into(),
            wavelength: params.wavelength_m,
            amplitude: params.amplitude_m,
            octaves: params.octaves,
            gain: params.gain,
            lacunarity: params.lacunarity,
            offset: params.offset_m,
            base: 0.0,
            band_limit: BandLimit::On,
        };
        let mut elevation = ctx.grid(0.0_f32);
        noise::fill(ctx.task(), &mut elevation, &config, ctx.stream())?;
        Ok(ctx.outputs().raster("elevation", elevation))
    }
}
