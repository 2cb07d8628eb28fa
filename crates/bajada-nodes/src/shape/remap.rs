//! `remap`: a field as a mask.

use bajada_kernels::shape::remap::{self, RemapConfig};
use bajada_node::{
    Accepts, Choice, Complaint, Conserves, EvalCtx, Gives, InputSpec, Locality, Node, NodeError,
    NodeSpec, OutputSpec, Outputs, Params, Quantity, ValueKind, Wiring,
};

/// How the way between the ends is gone.
#[derive(Choice)]
pub enum Curve {
    /// In a straight line.
    Linear,
    /// With flat ends.
    Smooth,
}

/// Parameters of `remap`. Exactly one of the ranges is written: the one in the
/// unit of the field.
#[derive(Params)]
pub struct RemapParams {
    /// For elevation and thickness: the values that become the ends of `to`.
    #[param(unit = "m", default = none, range = -20_000.0..=20_000.0)]
    pub from_m: Option<[f64; 2]>,
    /// For discharges: the values that become the ends of `to`.
    #[param(unit = "m3 per s", default = none, range = 0.0..=1e9)]
    pub from_m3_per_s: Option<[f64; 2]>,
    /// For velocities: the values that become the ends of `to`.
    #[param(unit = "m per s", default = none, range = 0.0..=1000.0)]
    pub from_m_per_s: Option<[f64; 2]>,
    /// For drainage areas: the values that become the ends of `to`.
    #[param(unit = "m2", default = none, range = 0.0..=1e13)]
    pub from_m2: Option<[f64; 2]>,
    /// For masks: the values that become the ends of `to`.
    #[param(unit = "1", default = none, range = 0.0..=1.0)]
    pub from: Option<[f64; 2]>,
    /// What the ends become; may fall.
    #[param(unit = "1", default = [0.0, 1.0], range = 0.0..=1.0)]
    pub to: [f64; 2],
    /// How the way between the ends is gone.
    #[param(default = Curve::Linear)]
    pub curve: Curve,
}

static SPEC: NodeSpec = NodeSpec {
    id: "remap",
    version: 1,
    group: "shape",
    title: "a field as a mask: one range onto another",
    doc: "Carries a stated range of a field onto a range of a mask; beyond the range the ends \
          hold. The range is in the field's own unit and never taken from the map at hand, so \
          that tiles and previews agree.",
    inputs: &[InputSpec::required("field", Accepts::AnyRaster, "What is carried over.")],
    outputs: &[OutputSpec::new("mask", Gives::Raster(Quantity::Mask), "The field as a mask.")],
    params: RemapParams::SPECS,
    extensions: &[],
    locality: Locality::Pointwise,
    conserves: Conserves::NoGround,
    random: false,
    drift: Some(0.03),
    bytes_per_sample: 8,
    nanoseconds_per_sample: 5,
    citations: &[],
    example: include_str!("../../../../graphs/nodes/remap.ron"),
};

/// The node.
pub struct Remap;

/// The range in the unit of `quantity`, and its parameter's name.
fn range_of(params: &RemapParams, quantity: Quantity) -> (&'static str, Option<[f64; 2]>) {
    match quantity {
        Quantity::Elevation | Quantity::Thickness => ("from_m", params.from_m),
        Quantity::Discharge => ("from_m3_per_s", params.from_m3_per_s),
        Quantity::Velocity => ("from_m_per_s", params.from_m_per_s),
        Quantity::Area => ("from_m2", params.from_m2),
        Quantity::Mask | Quantity::Label => ("from", params.from),
    }
}

impl Node for Remap {
    fn spec(&self) -> &'static NodeSpec {
        &SPEC
    }

    fn check(&self, wiring: &Wiring<'_>) -> Result<(), Complaint> {
        let Some(ValueKind::Raster(quantity)) = wiring.inputs[0] else { return Ok(()) };
        let params = RemapParams::read(wiring.params);
        let (name, range) = range_of(&params, quantity);
        let written = [
            ("from_m", params.from_m),
            ("from_m3_per_s", params.from_m3_per_s),
            ("from_m_per_s", params.from_m_per_s),
            ("from_m2", params.from_m2),
            ("from", params.from),
        ];
        let stray = written.iter().find(|(other, range)| *other != name && range.is_some());
        if let Some((other, _)) = stray {
            return Err(Complaint {
                about: other,
                message: format!("the field is {quantity}, which `{other}` does not measure"),
                hint: Some(format!("write `{name}: (low, high)`")),
            });
        }
        if range.is_none() {
            return Err(Complaint {
                about: "field",
                message: format!("the field is {quantity} and its range is not written"),
                hint: Some(format!("write `{name}: (low, high)`")),
            });
        }
        Ok(())
    }

    fn eval(&self, ctx: &EvalCtx<'_>) -> Result<Outputs, NodeError> {
        let params: RemapParams = ctx.params();
        let quantity = ctx.quantity("field").unwrap_or(Quantity::Mask);
        let config = RemapConfig {
            from: range_of(&params, quantity).1.unwrap_or([0.0, 1.0]),
            to: params.to,
            curve: match params.curve {
                Curve::Linear => remap::Curve::Linear,
                Curve::Smooth => remap::Curve::Smooth,
            },
        };
        let field = ctx.copy(ctx.raster("field")?);
        Ok(ctx.outputs().raster("mask", remap::remap(&field, None, &config)))
    }
}
