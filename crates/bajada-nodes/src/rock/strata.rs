//! `strata`: tilted layers of hard and soft rock, met as the ground is cut.

use std::sync::Arc;

use bajada_grid::{Lithology, math};
use bajada_kernels::rock::{self, Deposit, Exposure, StrataConfig};
use bajada_kernels::shape::mask::Band;
use bajada_node::{
    Accepts, Choice, Complaint, Conserves, EvalCtx, Gives, InputSpec, Locality, Node, NodeError,
    NodeSpec, OutputSpec, Outputs, ParamValue, Params, Quantity, Value, Wiring,
};

/// Which layer is made of what.
#[derive(Choice)]
pub enum Sequence {
    /// Anything between `soft` and `hard`, by chance.
    Mixed,
    /// Soft and hard by turns: ledges and caps.
    Alternating,
}

impl From<Sequence> for rock::Sequence {
    fn from(sequence: Sequence) -> Self {
        match sequence {
            Sequence::Mixed => Self::Mixed,
            Sequence::Alternating => Self::Alternating,
        }
    }
}

/// Parameters of `strata`.
#[derive(Params)]
pub struct StrataParams {
    /// Mean thickness of a layer. Thinner than the ground drops from one
    /// sample to the next, layers come out as chance.
    #[param(unit = "m", default = 110.0, range = 0.1..=100_000.0)]
    pub layer_thickness_m: f64,
    /// How much thicker or thinner a layer may be, as a share of that.
    #[param(unit = "1", default = 0.6, range = 0.0..=0.95)]
    pub variation: f64,
    /// Angle of the layers: 0 lie level, 90 stand upright.
    #[param(unit = "deg", default = 35.0, range = 0.0..=90.0)]
    pub dip_deg: f64,
    /// Direction in which they go down, clockwise from north.
    #[param(unit = "deg", default = 85.0, range = 0.0..=360.0)]
    pub dip_azimuth_deg: f64,
    /// How far the layers are bent, at most.
    #[param(unit = "m", default = 60.0, range = 0.0..=10_000.0)]
    pub bend_m: f64,
    /// Distance from one fold to the next.
    #[param(unit = "m", default = 2500.0, range = 1.0..=1_000_000.0)]
    pub bend_wavelength_m: f64,
    /// How far the layers are moved up, across their own plane.
    #[param(unit = "m", default = 0.0, range = -100_000.0..=100_000.0)]
    pub offset_m: f64,
    /// Way over which a layer changes into the next.
    #[param(unit = "m", default = 10.0, range = 0.0..=10_000.0)]
    pub contact_m: f64,
    /// Hardness of the softest layer.
    #[param(unit = "1", default = 0.1, range = 0.0..=1.0)]
    pub soft: f64,
    /// Hardness of the hardest layer.
    #[param(unit = "1", default = 0.6, range = 0.0..=1.0)]
    pub hard: f64,
    /// Which layer is made of what.
    #[param(default = Sequence::Mixed)]
    pub sequence: Sequence,
    /// Bare rock by steepness: where it begins, and from where all is rock;
    /// the rest is covered by loose ground. Left out, and with no other rule,
    /// rock shows everywhere.
    #[param(unit = "deg", default = none, range = 0.0..=89.0)]
    pub slope_deg: Option<[f64; 2]>,
    /// Bare rock by convexity: mean curvature of a ridge that is all rock; 0
    /// turns the rule off.
    #[param(unit = "per m", default = 0.0, range = 0.0..=10.0)]
    pub ridge_per_m: f64,
    /// Bare rock by elevation: lowest and highest ground that is all rock.
    #[param(unit = "m", default = none, range = -20_000.0..=20_000.0)]
    pub elevation_m: Option<[f64; 2]>,
    /// Way from rock to none below and above that band.
    #[param(unit = "m", default = 100.0, range = 0.0..=20_000.0)]
    pub falloff_m: f64,
    /// Size of the forms whose steepness and convexity count.
    #[param(unit = "m", default = 40.0, range = 0.0..=10_000.0)]
    pub form_scale_m: f64,
    /// Thickness of `deposition` that hides the rock below it.
    #[param(unit = "m", default = 1.0, range = 0.001..=1000.0)]
    pub cover_m: f64,
}

/// Slope and curvature reach as far as the forms, rounded to whole cells; at
/// an edge the parabola reaches twice as far.
fn radius(params: &[ParamValue], cell_size: f64) -> f64 {
    let params = StrataParams::read(params);
    2.0 * math::max(params.form_scale_m, cell_size) + 2.0 * cell_size
}

static SPEC: NodeSpec = NodeSpec {
    id: "strata",
    version: 1,
    group: "rock",
    title: "tilted layers of hard and soft rock, met as the ground is cut",
    doc: "Hardness as a function of place and depth: layers that dip, bend and change in \
          thickness, the same on every map and at every number of samples. Nodes that erode meet \
          the next layer when they have cut through one: ledges, cliffs, mesas, and hogbacks \
          where layers stand steep. Rules can cover what is not steep, convex or high with loose \
          ground; what is linked to `deposition` is soft until it is cut through.",
    inputs: &[
        InputSpec::optional(
            "elevation",
            Accepts::Raster(Quantity::Elevation),
            "The ground that `mask` looks at and `deposition` lies on; level at 0 m if left out.",
        ),
        InputSpec::optional(
            "deposition",
            Accepts::Raster(Quantity::Thickness),
            "Loose material on that ground, its thickness included in the elevation.",
        ),
        InputSpec::optional(
            "hardness",
            Accepts::Lithology,
            "Other rock in the same place: the harder of the two counts.",
        ),
    ],
    outputs: &[
        OutputSpec::new("hardness", Gives::Lithology, "For nodes that erode."),
        OutputSpec::new(
            "mask",
            Gives::Raster(Quantity::Mask),
            "The hardness at the surface of `elevation` as a map, to look at.",
        ),
    ],
    params: StrataParams::SPECS,
    extensions: &[],
    locality: Locality::Neighborhood { radius },
    conserves: Conserves::NoGround,
    random: true,
    drift: Some(0.0),
    bytes_per_sample: 28,
    nanoseconds_per_sample: 120,
    citations: &["Whipple & Tucker 1999, Dynamics of the stream-power river incision model"],
    example: include_str!("../../../../graphs/nodes/strata.ron"),
};

/// The node.
pub struct Strata;

impl Node for Strata {
    fn spec(&self) -> &'static NodeSpec {
        &SPEC
    }

    fn check(&self, wiring: &Wiring<'_>) -> Result<(), Complaint> {
        let params = StrataParams::read(wiring.params);
        let bands = [("slope_deg", params.slope_deg), ("elevation_m", params.elevation_m)];
        for (name, band) in bands {
            band.map_or(Ok(()), |band| crate::mask::rising(name, band))?;
        }
        let linked =
            |name: &str| SPEC.input_index(name).is_some_and(|index| wiring.inputs[index].is_some());
        if linked("deposition") && !linked("elevation") {
            return Err(Complaint {
                about: "deposition",
                message: "`deposition` lies on an `elevation`, and none is linked".to_owned(),
                hint: Some("link `elevation` to the ground that it was laid on".to_owned()),
            });
        }
        Ok(())
    }

    fn eval(&self, ctx: &EvalCtx<'_>) -> Result<Outputs, NodeError> {
        let params: StrataParams = ctx.params();
        let config = StrataConfig {
            thickness: params.layer_thickness_m,
            variation: params.variation,
            dip_deg: params.dip_deg,
            dip_azimuth_deg: params.dip_azimuth_deg,
            offset: params.offset_m,
            bend: params.bend_m,
            bend_wavelength: params.bend_wavelength_m,
            contact: params.contact_m,
            soft: params.soft,
            hard: params.hard,
            sequence: params.sequence.into(),
            exposure: Exposure {
                steep_deg: params.slope_deg,
                ridge: (params.ridge_per_m > 0.0).then_some(params.ridge_per_m),
                elevation: params.elevation_m.map(|[low, high]| Band {
                    low,
                    high,
                    falloff: params.falloff_m,
                }),
                scale: params.form_scale_m,
            },
        };
        let elevation = ctx.optional_raster("elevation").map(|grid| Arc::new(ctx.copy(grid)));
        let surface = elevation.clone().unwrap_or_else(|| Arc::new(ctx.grid(0.0_f32)));
        let deposit = match (elevation, ctx.optional_raster("deposition")) {
            (Some(surface), Some(thickness)) => {
                let thickness = Arc::new(ctx.copy(thickness));
                Some(Deposit { surface, thickness, full: params.cover_m })
            }
            _ => None,
        };
        let strata = rock::Strata::new(&config, deposit, ctx.stream());
        let mut lithology = Lithology::Rock(Arc::new(strata));
        if let Some(other) = ctx.lithology("hardness") {
            lithology = lithology.or_harder(other);
        }
        ctx.task().check()?;
        let mask = lithology.at_surface(&surface);
        Ok(ctx
            .outputs()
            .value("hardness", Value::Lithology(Arc::new(lithology)))
            .raster("mask", mask))
    }
}
