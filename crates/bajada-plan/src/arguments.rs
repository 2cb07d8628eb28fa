//! The arguments of one node against its kind's table.

use bajada_graph::{Argument, Code, Diagnostic, Expr, Link, NodeDecl, Span, Spanned, nearest};
use bajada_node::{NodeSpec, ParamKind, ParamValue};

use crate::assets::AssetIndex;
use crate::params::{decode, one_of};

/// The argument that pins the random stream of a node to a name.
const STREAM: &str = "stream";

/// A node's arguments, sorted out.
pub(crate) struct Decoded {
    /// One for each parameter; `None` where a diagnostic was given instead.
    pub(crate) params: Vec<Option<ParamValue>>,
    /// Where each parameter stands, if it is written.
    pub(crate) param_spans: Vec<Option<Span>>,
    /// The link written for each input.
    pub(crate) links: Vec<Option<Spanned<Link>>>,
    /// The name that the random stream is pinned to.
    pub(crate) stream: Option<String>,
}

/// Reads the arguments of `declaration`; mistakes go to `found`.
pub(crate) fn decode_arguments(
    declaration: &NodeDecl,
    spec: &NodeSpec,
    assets: &AssetIndex,
    found: &mut Vec<Diagnostic>,
) -> Decoded {
    let mut decoded = Decoded {
        params: vec![None; spec.params.len()],
        param_spans: vec![None; spec.params.len()],
        links: vec![None; spec.inputs.len()],
        stream: None,
    };
    for argument in &declaration.arguments {
        let name = argument.name.value.as_str();
        if let Some(index) = spec.param_index(name) {
            decoded.param_spans[index] = Some(argument.value.span.clone());
            match decode(&spec.params[index], &argument.value, assets) {
                Ok(value) => decoded.params[index] = Some(value),
                Err(diagnostic) => found.extend(diagnostic),
            }
        } else if let Some(index) = spec.input_index(name) {
            match &argument.value.value {
                Expr::Link(link) => {
                    let span = argument.value.span.clone();
                    decoded.links[index] = Some(Spanned::new(link.clone(), span));
                }
                other => {
                    // Kept out of the missing inputs: it is there, and wrong.
                    found.extend(not_a_link(argument, other));
                    decoded.links[index] = None;
                }
            }
        } else if name == STREAM && spec.random {
            match stream_name(&argument.value.value) {
                Some(name) => decoded.stream = Some(name),
                None => found.push(
                    Diagnostic::error(
                        Code::WRONG_TYPE,
                        argument.value.span.clone(),
                        "`stream` takes the name of a stream",
                    )
                    .with_hint("write `stream: text(\"name\")`"),
                ),
            }
        } else {
            found.push(unknown_argument(argument, spec));
        }
    }
    fill_in(declaration, spec, &mut decoded, found);
    decoded
}

fn written(declaration: &NodeDecl, name: &str) -> bool {
    declaration.arguments.iter().any(|argument| argument.name.value == name)
}

/// Defaults for what is not written; a diagnostic for what must be.
fn fill_in(
    declaration: &NodeDecl,
    spec: &NodeSpec,
    decoded: &mut Decoded,
    found: &mut Vec<Diagnostic>,
) {
    for (param, value) in spec.params.iter().zip(&mut decoded.params) {
        if written(declaration, param.name) {
            continue;
        }
        *value = param.default.clone();
        if value.is_none() {
            let example = match param.kind {
                ParamKind::File => format!("write `{}: file(\"name.tif\")`", param.name),
                _ => format!("write `{}: ...`", param.name),
            };
            let message = format!("`{}` needs the parameter `{}`", spec.id, param.name);
            let span = declaration.kind.span.clone();
            found
                .push(Diagnostic::error(Code::MISSING_PARAMETER, span, message).with_hint(example));
        }
    }
    for input in spec.inputs.iter().filter(|input| input.required) {
        if !written(declaration, input.name) {
            let message = format!("`{}` needs the input `{}`", spec.id, input.name);
            let hint = format!("write `{}: \"the node to read\"`", input.name);
            let span = declaration.kind.span.clone();
            found.push(Diagnostic::error(Code::MISSING_INPUT, span, message).with_hint(hint));
        }
    }
}

fn not_a_link(argument: &Argument, value: &Expr) -> Option<Diagnostic> {
    if matches!(value, Expr::Error) {
        return None;
    }
    let name = &argument.name.value;
    let message = format!("the input `{name}` takes a link, not {}", value.describe());
    let hint = match value {
        Expr::Number(number) => {
            format!("put a `constant(value_m: {})` among the nodes and link to it", number.text)
        }
        Expr::Name(word) => format!("write `{name}: \"{word}\"`"),
        _ => format!("write `{name}: \"the node to read\"`"),
    };
    let span = argument.value.span.clone();
    Some(Diagnostic::error(Code::WRONG_TYPE, span, message).with_hint(hint))
}

/// The text in `text("...")`.
fn stream_name(value: &Expr) -> Option<String> {
    let Expr::Call { name, arguments } = value else { return None };
    let [only] = arguments.as_slice() else { return None };
    match (name.value.as_str(), &only.value.value) {
        ("text", Expr::Text(text)) => Some(text.clone()),
        _ => None,
    }
}

/// A link as it is written.
pub(crate) fn link_text(link: &Link) -> String {
    match &link.port {
        Some(port) => format!("{}.{}", link.node.value, port.value),
        None => link.node.value.clone(),
    }
}

fn unknown_argument(argument: &Argument, spec: &NodeSpec) -> Diagnostic {
    let name = argument.name.value.as_str();
    let inputs = spec.inputs.iter().map(|input| input.name);
    let mut known: Vec<&str> = inputs.chain(spec.params.iter().map(|param| param.name)).collect();
    if spec.random {
        known.push(STREAM);
    }
    let message = format!("`{}` has no parameter or input `{name}`", spec.id);
    let mut near = nearest(name, known.iter().copied());
    // A name without its unit, or with another, is further away by letters
    // than by meaning.
    let stem = |word: &str| word.split('_').next().unwrap_or(word).to_owned();
    if near.is_empty() {
        near = known.iter().copied().filter(|other| stem(other) == stem(name)).take(3).collect();
    }
    let diagnostic =
        Diagnostic::error(Code::UNKNOWN_PARAMETER, argument.name.span.clone(), message);
    if known.is_empty() {
        return diagnostic.with_hint(format!("`{}` takes none: write `{}()`", spec.id, spec.id));
    }
    diagnostic.with_hint(format!("it takes {}", one_of(&known))).did_you_mean(&near)
}
