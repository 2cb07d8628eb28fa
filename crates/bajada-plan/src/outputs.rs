//! The files that a graph makes: safe names, no collisions, known extensions.

use std::collections::BTreeMap;

use bajada_graph::{Code, Diagnostic, NodeDecl, Span, nearest};
use bajada_node::{NodeSpec, ParamKind, ParamValue};

use crate::arguments::Decoded;
use crate::params::one_of;

/// The parameter that an output's extension sets.
const CONTAINER: &str = "container";

/// Names that some systems keep for devices, whatever their extension.
const RESERVED: [&str; 4] = ["con", "prn", "aux", "nul"];

/// The path of the description that stands beside an output.
pub fn sidecar_path(path: &str) -> String {
    format!("{path}.bajada.json")
}

/// Checks the names of the outputs against each other.
pub(crate) fn check_paths(outputs: &[NodeDecl], found: &mut Vec<Diagnostic>) {
    let mut taken: BTreeMap<String, Span> = BTreeMap::new();
    for output in outputs {
        let path = output.name.value.as_str();
        let span = output.name.span.clone();
        if let Some(why) = unsafe_path(path) {
            let message = format!("an output cannot be called `{path}`: {why}");
            let hint = "write a relative path such as `height.tif` or `masks/rock.png`";
            found.push(Diagnostic::error(Code::OUTPUT_PATH_ESCAPES, span, message).with_hint(hint));
            continue;
        }
        // Some file systems do not tell case apart; a graph must build on all.
        let folded = path.to_lowercase();
        if let Some(first) = taken.get(&folded) {
            let message = format!("`{path}` would overwrite another output");
            found.push(
                Diagnostic::error(Code::OUTPUT_PATH_COLLIDES, span, message)
                    .with_label(first.clone(), "the other one")
                    .with_hint("give it a name of its own"),
            );
            continue;
        }
        taken.insert(folded, span);
    }
}

fn unsafe_path(path: &str) -> Option<&'static str> {
    if path.chars().any(|c| c.is_control()) {
        return Some("it has control characters");
    }
    if path.contains(['\\', ':', '*', '?', '"', '<', '>', '|']) {
        return Some("it has characters that some systems refuse");
    }
    if path.len() > 200 {
        return Some("it is longer than 200 bytes");
    }
    if path.starts_with('/') || path.starts_with('~') {
        return Some("it is not relative");
    }
    path.split('/').find_map(|part| {
        let stem = part.split('.').next().unwrap_or(part).to_lowercase();
        let device = RESERVED.contains(&stem.as_str())
            || (stem.len() == 4 && (stem.starts_with("com") || stem.starts_with("lpt")));
        match part {
            "" => Some("a part of it is empty"),
            "." | ".." => Some("it leaves its folder"),
            _ if part.ends_with('.') || part.ends_with(' ') || part.starts_with(' ') => {
                Some("a part of it starts or ends with a space or a dot")
            }
            _ if part.starts_with('$') => Some("it looks like a variable"),
            _ if device => Some("it is the name of a device on some systems"),
            _ => None,
        }
    })
}

/// Sets the container of an output node from its file name.
pub(crate) fn set_container(
    output: &NodeDecl,
    spec: &NodeSpec,
    decoded: &mut Decoded,
    found: &mut Vec<Diagnostic>,
) {
    let path = output.name.value.as_str();
    let file = path.rsplit('/').next().unwrap_or(path);
    let extension = file.rsplit_once('.').map_or("", |(_, end)| end).to_lowercase();
    let known: Vec<&str> = spec.extensions.iter().map(|extension| extension.name).collect();
    let Some(kind) = spec.extensions.iter().find(|kind| kind.name == extension) else {
        let message = if extension.is_empty() {
            format!("`{path}` does not say what kind of file it is")
        } else {
            format!("`{}` does not write `.{extension}` files", spec.id)
        };
        let near = nearest(&extension, known.iter().copied());
        found.push(
            Diagnostic::error(Code::OUTPUT_EXTENSION_UNKNOWN, output.name.span.clone(), message)
                .with_hint(format!("end it in {}", one_of(&known)))
                .did_you_mean(&near),
        );
        return;
    };
    let (Some(container), Some(index)) = (kind.container, spec.param_index(CONTAINER)) else {
        return;
    };
    let ParamKind::Choice { options } = spec.params[index].kind else { return };
    if let Some(option) = options.iter().position(|option| option.name == container) {
        if let (Some(ParamValue::Choice(written)), Some(span)) =
            (&decoded.params[index], &decoded.param_spans[index])
            && *written != option
        {
            let message = format!("`{path}` is a {container} file by its name");
            let hint = format!("leave `{CONTAINER}` out: the file's name sets it");
            found.push(Diagnostic::error(Code::WRONG_TYPE, span.clone(), message).with_hint(hint));
        }
        decoded.params[index] = Some(ParamValue::Choice(option));
    }
}
