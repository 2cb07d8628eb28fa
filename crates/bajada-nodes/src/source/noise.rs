//! `noise`: hills out of nothing.

use bajada_kernels::source::noise::{self, BandLimit, NoiseConfig, Warp};
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
    /// Rough heights over smooth low ground: from 0 to `amplitude_m`.
    Hybrid,
}

/// What an octave is made of.
#[derive(Choice)]
pub enum Lattice {
    /// Hills and hollows of all directions.
    Perlin,
    /// Rounder hills, more of one height.
    Simplex,
    /// Lumps in rows: plainer, and a little faster.
    Value,
    /// Bowls between creased ridges.
    WorleyF1,
    /// Bowls cut by ridges.
    WorleyF2,
    /// Domes between cracks.
    WorleyF2MinusF1,
}

impl From<Fractal> for noise::Fractal {
    fn from(fractal: Fractal) -> Self {
        match fractal {
            Fractal::Fbm => Self::Fbm,
            Fractal::Ridged => Self::Ridged,
            Fractal::Billow => Self::Billow,
            Fractal::Hybrid => Self::Hybrid,
        }
    }
}

impl From<Lattice> for noise::Lattice {
    fn from(lattice: Lattice) -> Self {
        match lattice {
            Lattice::Perlin => Self::Perlin,
            Lattice::Simplex => Self::Simplex,
            Lattice::Value => Self::Value,
            Lattice::WorleyF1 => Self::WorleyF1,
            Lattice::WorleyF2 => Self::WorleyF2,
            Lattice::WorleyF2MinusF1 => Self::WorleyF2MinusF1,
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
    /// What an octave is made of.
    #[param(default = Lattice::Perlin)]
    pub lattice: Lattice,
    /// Farthest that the pattern is bent, along either axis; a tenth of
    /// `warp_wavelength_m` is gentle, a third folds it.
    #[param(unit = "m", default = 0.0, range = 0.0..=1_000_000.0)]
    pub warp_m: f64,
    /// Wavelength of the bends; that of the first octave if left out.
    #[param(unit = "m", default = none, range = 0.01..=10_000_000.0)]
    pub warp_wavelength_m: Option<f64>,
    /// 1 bends the pattern; 2 bends the bends too, which swirls.
    #[param(unit = "1", default = 1, range = 1..=2)]
    pub warp_levels: u32,
}

static SPEC: NodeSpec = NodeSpec {
    id: "noise",
    version: 1,
    group: "source",
    title: "hills out of nothing: fractal noise",
    doc: "Octaves of noise in world coordinates: maps of other sizes, places and \
          resolutions meet without a seam, and a preview shows the hills of the full build. \
          The pattern has no period and no wavelength at which it vanishes on the samples. \
          `lattice` sets what a hill looks like, `fractal` how small hills sit on large ones, \
          `warp_m` bends all of it; hills of the smooth lattices are equally wide.",
    inputs: &[],
    outputs: &[OutputSpec::new("elevation", Gives::Raster(Quantity::Elevation), "The hills.")],
    params: NoiseParams::SPECS,
    extensions: &[],
    locality: Locality::Pointwise,
    conserves: Conserves::NoGround,
    random: true,
    drift: Some(0.025),
    bytes_per_sample: 4,
    nanoseconds_per_sample: 50,
    citations: &[
        "Perlin 2002, Improving Noise",
        "Gustavson 2005, Simplex noise demystified",
        "Worley 1996, A cellular texture basis function",
        "Ebert et al. 2003, Texturing and Modeling",
    ],
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
            lattice: params.lattice.into(),
            fractal: params.fractal.into(),
            wavelength: params.wavelength_m,
            amplitude: params.amplitude_m,
            octaves: params.octaves,
            gain: params.gain,
            lacunarity: params.lacunarity,
            offset: params.offset_m,
            base: 0.0,
            band_limit: BandLimit::On,
            warp: Warp {
                distance: params.warp_m,
                wavelength: params.warp_wavelength_m.unwrap_or(params.wavelength_m),
                levels: params.warp_levels,
            },
        };
        let mut elevation = ctx.grid(0.0_f32);
        noise::fill(ctx.task(), &mut elevation, &config, ctx.stream())?;
        Ok(ctx.outputs().raster("elevation", elevation))
    }
}
