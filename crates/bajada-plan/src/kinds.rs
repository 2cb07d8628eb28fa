//! Whether what a link carries is what its input takes.

use bajada_graph::{Code, Diagnostic, Span};
use bajada_node::{Accepts, Gives, NodeSpec, Quantity, ValueKind};

/// The kinds of a node's outputs, given what its inputs carry. `None` where
/// that depends on an input that is broken.
pub(crate) fn output_kinds(
    spec: &NodeSpec,
    inputs: &[Option<ValueKind>],
) -> Vec<Option<ValueKind>> {
    let gives = |gives: Gives| match gives {
        Gives::Raster(quantity) => Some(ValueKind::Raster(quantity)),
        Gives::SameAs(input) => spec.input_index(input).and_then(|index| inputs[index]),
        Gives::Lithology => Some(ValueKind::Lithology),
        Gives::Supply => Some(ValueKind::Supply),
        Gives::Table => Some(ValueKind::Table),
        Gives::Bytes => Some(ValueKind::Bytes),
    };
    spec.outputs.iter().map(|output| gives(output.gives)).collect()
}

/// What is wrong with a link that carries `carried` into input `index`.
pub(crate) fn mismatch(
    spec: &NodeSpec,
    index: usize,
    inputs: &[Option<ValueKind>],
    carried: ValueKind,
    span: Span,
    linked: &str,
) -> Option<Diagnostic> {
    let input = &spec.inputs[index];
    let other = |name: &str| spec.input_index(name).and_then(|index| inputs[index]);
    let (fits, takes) = match input.accepts {
        Accepts::Raster(quantity) => {
            let wanted = ValueKind::Raster(quantity);
            (carried == wanted, wanted.to_string())
        }
        Accepts::AnyRaster => (matches!(carried, ValueKind::Raster(_)), "a raster".to_owned()),
        Accepts::SameAs(name) => {
            let wanted = other(name)?;
            (carried == wanted, format!("what `{name}` carries, {wanted}"))
        }
        Accepts::SameAsOrMask(name) => {
            let wanted = other(name)?;
            let mask = ValueKind::Raster(Quantity::Mask);
            (
                carried == wanted || carried == mask,
                format!("what `{name}` carries, {wanted}, or a mask"),
            )
        }
        Accepts::Lithology => (carried == ValueKind::Lithology, ValueKind::Lithology.to_string()),
        Accepts::Supply => (carried == ValueKind::Supply, ValueKind::Supply.to_string()),
        Accepts::Table => (carried == ValueKind::Table, ValueKind::Table.to_string()),
    };
    if fits {
        return None;
    }
    let message = format!("`{}` takes {takes}, but `{linked}` is {carried}", input.name);
    let hint = hint(spec, input.accepts, carried)
        .unwrap_or_else(|| format!("link `{}` to something that is {takes}", input.name));
    Some(Diagnostic::error(Code::QUANTITY_MISMATCH, span, message).with_hint(hint))
}

fn hint(spec: &NodeSpec, accepts: Accepts, carried: ValueKind) -> Option<String> {
    match (accepts, carried) {
        (Accepts::Raster(Quantity::Mask), ValueKind::Raster(_)) => {
            Some("make a mask of it with `remap(field: ..., from: (low, high))`".to_owned())
        }
        (Accepts::Lithology, ValueKind::Raster(Quantity::Mask)) => {
            Some("make rock of it with `hardness_mask(elevation: ..., painted: ...)`".to_owned())
        }
        (Accepts::Raster(Quantity::Elevation), ValueKind::Raster(Quantity::Mask)) => {
            spec.input_index("mask").map(|_| "did you mean to link it to `mask`?".to_owned())
        }
        _ => None,
    }
}
