//! `combine`: two fields into one.

use bajada_grid::Ledger;
use bajada_kernels::shape::combine::{self, Operation};
use bajada_node::{
    Accepts, Choice, Complaint, Conserves, EvalCtx, Gives, InputSpec, Locality, Node, NodeError,
    NodeSpec, OutputSpec, Outputs, Params, Quantity, ValueKind, Wiring,
};

/// What becomes of the two.
#[derive(Choice)]
pub enum Op {
    /// `a + b`
    Add,
    /// `a - b`
    Subtract,
    /// `a * b`, where `b` is a mask.
    Multiply,
    /// The lower of both.
    Min,
    /// The higher of both.
    Max,
    /// The lower of both, without a crease.
    SmoothMin,
    /// The higher of both, without a crease.
    SmoothMax,
    /// `b`: with a mask, from `a` (0) to `b` (1).
    Lerp,
}

/// Parameters of `combine`.
#[derive(Params)]
pub struct CombineParams {
    /// What becomes of the two.
    #[param(default = Op::Add)]
    pub op: Op,
    /// Difference of the two within which the smooth forms round off.
    #[param(unit = "m", default = 50.0, range = 0.0..=10_000.0)]
    pub width_m: f64,
}

static SPEC: NodeSpec = NodeSpec {
    id: "combine",
    version: 1,
    group: "shape",
    title: "two fields into one",
    doc: "Adds, subtracts, multiplies by a mask, takes the lower or the higher (with or without a \
          crease) or goes from one to the other. Where `mask` is 0 the result is `a` to the bit; \
          between 0 and 1 it lies on the straight line from `a` to the result.",
    inputs: &[
        InputSpec::required(
            "a",
            Accepts::AnyRaster,
            "The first field; its quantity is that of the result.",
        ),
        InputSpec::required(
            "b",
            Accepts::SameAsOrMask("a"),
            "The second field; a mask for `Multiply`, the quantity of `a` for all else.",
        ),
        InputSpec::optional(
            "mask",
            Accepts::Raster(Quantity::Mask),
            "Where, and how much; everywhere if left out.",
        ),
    ],
    outputs: &[OutputSpec::new("field", Gives::SameAs("a"), "The two as one.")],
    params: CombineParams::SPECS,
    extensions: &[],
    locality: Locality::Pointwise,
    conserves: Conserves::Shapes,
    random: false,
    drift: Some(0.03),
    bytes_per_sample: 8,
    nanoseconds_per_sample: 5,
    citations: &["Quilez 2013, Smooth minimum"],
    example: include_str!("../../../../graphs/nodes/combine.ron"),
};

/// The node.
pub struct Combine;

impl Node for Combine {
    fn spec(&self) -> &'static NodeSpec {
        &SPEC
    }

    fn check(&self, wiring: &Wiring<'_>) -> Result<(), Complaint> {
        let params = CombineParams::read(wiring.params);
        let is_mask = |kind: Option<ValueKind>| kind == Some(ValueKind::Raster(Quantity::Mask));
        let [Some(a), Some(b)] = [wiring.inputs[0], wiring.inputs[1]] else { return Ok(()) };
        match params.op {
            Op::Multiply if !is_mask(Some(b)) => Err(Complaint {
                about: "b",
                message: format!("`Multiply` takes a mask as `b`, not {b}"),
                hint: Some("make a mask of it with `remap`".to_owned()),
            }),
            Op::Multiply => Ok(()),
            _ if is_mask(Some(b)) && a != b => Err(Complaint {
                about: "b",
                message: format!("`b` is a mask but `a` is {a}"),
                hint: Some("only `op: Multiply` takes a mask as `b`".to_owned()),
            }),
            _ => Ok(()),
        }
    }

    fn eval(&self, ctx: &EvalCtx<'_>) -> Result<Outputs, NodeError> {
        let params: CombineParams = ctx.params();
        let width = params.width_m as f32;
        let operation = match params.op {
            Op::Add => Operation::Add,
            Op::Subtract => Operation::Subtract,
            Op::Multiply => Operation::Multiply,
            Op::Min => Operation::Min,
            Op::Max => Operation::Max,
            Op::SmoothMin => Operation::SmoothMin { width },
            Op::SmoothMax => Operation::SmoothMax { width },
            Op::Lerp => Operation::Lerp,
        };
        let a = ctx.raster("a")?;
        let start = ctx.copy(a);
        let both =
            combine::combine(&start, ctx.raster("b")?, ctx.optional_raster("mask"), operation);
        let outputs = ctx.outputs();
        match ctx.quantity("a") {
            Some(Quantity::Elevation) => {
                let ledger = Ledger::shaped(a, &both);
                Ok(outputs.ledger(ledger).raster("field", both))
            }
            // Sums of masks leave 0..1, and differences of thicknesses 0.
            Some(Quantity::Mask) => Ok(outputs.raster("field", held(both, 0.0, 1.0))),
            _ => Ok(outputs.raster("field", held(both, 0.0, f32::MAX))),
        }
    }
}

fn held(mut field: bajada_grid::Grid<f32>, low: f32, high: f32) -> bajada_grid::Grid<f32> {
    for value in field.as_mut_slice() {
        *value = bajada_grid::math::clamp(*value, low, high);
    }
    field
}
