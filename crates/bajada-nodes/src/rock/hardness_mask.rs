//! `hardness_mask`: how hard the ground is, from what it looks like.

use std::sync::Arc;

use bajada_grid::Lithology;
use bajada_kernels::rock::{HardnessConfig, RidgeRule, SteepRule, hardness_mask};
use bajada_kernels::shape::mask::Band;
use bajada_node::{
    Accepts, Complaint, Conserves, EvalCtx, Gives, InputSpec, Locality, Node, NodeError, NodeSpec,
    OutputSpec, Outputs, ParamValue, Params, Quantity, Value, Wiring,
};

/// Parameters of `hardness_mask`.
#[derive(Params)]
pub struct HardnessMaskParams {
    /// Hardness where no rule answers: 0 crumbles.
    #[param(unit = "1", default = 0.1, range = 0.0..=1.0)]
    pub loose: f64,
    /// Hardness where a rule answers in full: 1 never yields.
    #[param(unit = "1", default = 0.9, range = 0.0..=1.0)]
    pub hard: f64,
    /// Bare rock by steepness: where it begins, and from where all is rock.
    /// `(90, 90)` turns the rule off.
    #[param(unit = "deg", default = [28.0, 42.0], range = 0.0..=90.0)]
    pub slope_deg: [f64; 2],
    /// Size of the forms whose steepness counts.
    #[param(unit = "m", default = 20.0, range = 0.0..=10_000.0)]
    pub slope_scale_m: f64,
    /// Bare rock by convexity: mean curvature of a ridge that is all rock; 0
    /// turns the rule off.
    #[param(unit = "per m", default = 0.004, range = 0.0..=10.0)]
    pub ridge_per_m: f64,
    /// Size of the ridges that count.
    #[param(unit = "m", default = 60.0, range = 0.0..=10_000.0)]
    pub ridge_scale_m: f64,
    /// Bare rock by elevation: lowest and highest ground that is all rock.
    /// Left out, elevation does not count.
    #[param(unit = "m", default = none, range = -20_000.0..=20_000.0)]
    pub elevation_m: Option<[f64; 2]>,
    /// Way from rock to none below and above that band.
    #[param(unit = "m", default = 100.0, range = 0.0..=20_000.0)]
    pub falloff_m: f64,
}

/// Blur reaches `3 * (1.8 sigma + cell)`, and the curvature a scale further.
fn radius(params: &[ParamValue], cell_size: f64) -> f64 {
    let params = HardnessMaskParams::read(params);
    let blur = |sigma: f64| 3.0 * (1.8 * sigma + cell_size);
    let ridges = blur(0.5 * params.ridge_scale_m) + params.ridge_scale_m;
    bajada_grid::math::max(blur(params.slope_scale_m), ridges) + 2.0 * cell_size
}

static SPEC: NodeSpec = NodeSpec {
    id: "hardness_mask",
    version: 1,
    group: "rock",
    title: "how hard the ground is, from slope, ridges, elevation or paint",
    doc: "Bare rock shows where the ground is steep, where it stands out, at certain elevations, \
          and where it is painted. The strongest rule counts, from `loose` to `hard`. Hardness \
          slows erosion and steepens the angle of repose: from 32 degrees for loose ground to 75 \
          for granite.",
    inputs: &[
        InputSpec::required("elevation", Accepts::Raster(Quantity::Elevation), "The ground."),
        InputSpec::optional(
            "painted",
            Accepts::Raster(Quantity::Mask),
            "One more rule: where there is rock.",
        ),
    ],
    outputs: &[
        OutputSpec::new("hardness", Gives::Lithology, "For nodes that erode."),
        OutputSpec::new(
            "mask",
            Gives::Raster(Quantity::Mask),
            "The hardness as a map, to look at.",
        ),
    ],
    params: HardnessMaskParams::SPECS,
    extensions: &[],
    locality: Locality::Neighborhood { radius },
    conserves: Conserves::NoGround,
    random: false,
    drift: Some(0.2),
    bytes_per_sample: 32,
    nanoseconds_per_sample: 200,
    citations: &["Sklar & Dietrich 2001, Sediment and rock strength controls on river incision"],
    example: include_str!("../../../../graphs/nodes/hardness_mask.ron"),
};

/// The node.
pub struct HardnessMask;

impl Node for HardnessMask {
    fn spec(&self) -> &'static NodeSpec {
        &SPEC
    }

    fn check(&self, wiring: &Wiring<'_>) -> Result<(), Complaint> {
        let params = HardnessMaskParams::read(wiring.params);
        crate::mask::rising("slope_deg", params.slope_deg)?;
        params.elevation_m.map_or(Ok(()), |band| crate::mask::rising("elevation_m", band))
    }

    fn eval(&self, ctx: &EvalCtx<'_>) -> Result<Outputs, NodeError> {
        let params: HardnessMaskParams = ctx.params();
        let [from_deg, full_deg] = params.slope_deg;
        let steep = SteepRule { from_deg, full_deg, scale: params.slope_scale_m };
        let ridges = RidgeRule { full: params.ridge_per_m, scale: params.ridge_scale_m };
        let config = HardnessConfig {
            loose: params.loose,
            hard: params.hard,
            steep: (from_deg < 90.0).then_some(steep),
            ridges: (params.ridge_per_m > 0.0).then_some(ridges),
            elevation: params.elevation_m.map(|[low, high]| Band {
                low,
                high,
                falloff: params.falloff_m,
            }),
        };
        let elevation = ctx.copy(ctx.raster("elevation")?);
        let painted = ctx.optional_raster("painted");
        let map = hardness_mask(ctx.task(), &elevation, painted, &config)?;
        let lithology = Lithology::Map(Arc::new(map.clone()));
        Ok(ctx
            .outputs()
            .value("hardness", Value::Lithology(Arc::new(lithology)))
            .raster("mask", map))
    }
}
