//! The manual of the nodes, printed from their tables.

use std::fmt::Write as _;

use bajada_node::{
    Accepts, Conserves, Gives, Locality, NodeSpec, ParamKind, ParamSpec, ParamValue, Quantity,
    Registry, ValueKind,
};
use serde_json::{Value, json};

/// Characters of a line of the manual.
const WIDTH: usize = 96;

/// One line for each kind, by group.
pub fn node_list(registry: &Registry) -> String {
    let mut specs: Vec<&NodeSpec> = registry.iter().map(|node| node.spec()).collect();
    specs.sort_by_key(|spec| (spec.group, spec.id));
    let widest = specs.iter().map(|spec| spec.id.len()).max().unwrap_or(0);
    let mut text = String::new();
    let mut group = "";
    for spec in specs {
        if spec.group != group {
            group = spec.group;
            let gap = if text.is_empty() { "" } else { "\n" };
            let _ = writeln!(text, "{gap}{group}");
        }
        let _ = writeln!(text, "  {:widest$}  {}", spec.id, spec.title);
    }
    text
}

/// The kinds whose names are nearest to `name`.
pub fn nearest_kinds(registry: &Registry, name: &str) -> Vec<&'static str> {
    let kinds: Vec<&'static str> = registry.iter().map(|node| node.spec().id).collect();
    let near = bajada_graph::nearest(name, kinds.iter().copied());
    kinds.into_iter().filter(|kind| near.contains(kind)).collect()
}

/// The page of one kind.
pub fn node_page(spec: &NodeSpec) -> String {
    let title = format!("{} (version {}): {}", spec.id, spec.version, spec.title);
    let mut text = format!("{title}\n\n{}", wrapped(spec.doc, 0));
    if !spec.inputs.is_empty() {
        text.push_str("\ninputs\n");
        for input in spec.inputs {
            let need = if input.required { "" } else { ", optional" };
            let _ = writeln!(text, "  {}: {}{need}", input.name, accepts(input.accepts));
            text.push_str(&wrapped(input.doc, 6));
        }
    }
    text.push_str("\noutputs\n");
    for output in spec.outputs {
        let _ = writeln!(text, "  {}: {}", output.name, gives(output.gives));
        text.push_str(&wrapped(output.doc, 6));
    }
    if !spec.params.is_empty() {
        text.push_str("\nparameters\n");
        for param in spec.params {
            let _ = writeln!(text, "  {}: {}", param.name, allowed(param));
            text.push_str(&wrapped(param.doc, 6));
            if let ParamKind::Choice { options } = param.kind {
                for option in options {
                    text.push_str(&wrapped(&format!("{}: {}", option.name, option.doc), 8));
                }
            }
        }
    }
    if !spec.extensions.is_empty() {
        let names: Vec<String> =
            spec.extensions.iter().map(|end| format!(".{}", end.name)).collect();
        let _ = writeln!(text, "\nfiles: {}", names.join(" "));
    }
    let _ = writeln!(text, "\nmatter: {}", conserves(spec.conserves));
    let _ = writeln!(text, "looks: {}", locality(spec.locality));
    let random = if spec.random { "yes; `stream: text(\"name\")` pins its stream" } else { "no" };
    let _ = writeln!(text, "random: {random}");
    if let Some(drift) = spec.drift {
        let _ = writeln!(
            text,
            "drift: up to {} % between the example and twice as many cells a side",
            (1000.0 * drift).round() / 10.0
        );
    }
    let _ = writeln!(
        text,
        "cost: about {} ns and {} bytes a sample",
        spec.nanoseconds_per_sample, spec.bytes_per_sample
    );
    for citation in spec.citations {
        let _ = writeln!(text, "source: {citation}");
    }
    let _ = writeln!(text, "\nexample\n{}", spec.example.trim_end());
    text
}

/// `text` in lines of at most [`WIDTH`] characters, indented by `indent`.
fn wrapped(text: &str, indent: usize) -> String {
    let mut lines = String::new();
    let mut line = String::new();
    for word in text.split_whitespace() {
        if !line.is_empty() && indent + line.chars().count() + 1 + word.chars().count() > WIDTH {
            let _ = writeln!(lines, "{:indent$}{line}", "");
            line.clear();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    let _ = writeln!(lines, "{:indent$}{line}", "");
    lines
}

/// The table of one kind for a machine.
pub fn node_json(spec: &NodeSpec) -> Value {
    let inputs: Vec<Value> = spec
        .inputs
        .iter()
        .map(|input| {
            json!({
                "name": input.name, "accepts": accepts(input.accepts),
                "required": input.required, "doc": input.doc,
            })
        })
        .collect();
    let outputs: Vec<Value> = spec
        .outputs
        .iter()
        .map(|output| json!({ "name": output.name, "gives": gives(output.gives), "doc": output.doc }))
        .collect();
    json!({
        "id": spec.id, "version": spec.version, "group": spec.group,
        "title": spec.title, "doc": spec.doc,
        "inputs": inputs, "outputs": outputs,
        "parameters": spec.params.iter().map(param_json).collect::<Vec<_>>(),
        "extensions": spec.extensions.iter().map(|end| end.name).collect::<Vec<_>>(),
        "conserves": conserves(spec.conserves), "locality": locality(spec.locality),
        "random": spec.random, "drift": spec.drift, "bytes_per_sample": spec.bytes_per_sample,
        "nanoseconds_per_sample": spec.nanoseconds_per_sample,
        "citations": spec.citations, "example": spec.example,
    })
}

fn param_json(param: &ParamSpec) -> Value {
    let mut entry = json!({ "name": param.name, "unit": param.unit, "doc": param.doc });
    match param.kind {
        ParamKind::Number { low, high }
        | ParamKind::Pair { low, high }
        | ParamKind::Points { low, high } => {
            entry["range"] = json!([low, high]);
        }
        ParamKind::Integer { low, high } => entry["range"] = json!([low, high]),
        ParamKind::Choice { options } => {
            let option = |option: &bajada_node::ChoiceOption| json!({ "name": option.name, "doc": option.doc });
            entry["options"] = options.iter().map(option).collect();
        }
        ParamKind::Flag | ParamKind::File => {}
    }
    entry["type"] = json!(match param.kind {
        ParamKind::Number { .. } => "number",
        ParamKind::Integer { .. } => "integer",
        ParamKind::Pair { .. } => "pair",
        ParamKind::Points { .. } => "points",
        ParamKind::Flag => "flag",
        ParamKind::Choice { .. } => "choice",
        ParamKind::File => "file",
    });
    entry["default"] = match (&param.default, param.kind) {
        (Some(ParamValue::Number(value)), _) => json!(value),
        (Some(ParamValue::Integer(value)), _) => json!(value),
        (Some(ParamValue::Pair(value)), _) => json!(value),
        (Some(ParamValue::Points(points)), _) => json!(points),
        (Some(ParamValue::Flag(value)), _) => json!(value),
        (Some(ParamValue::Choice(index)), ParamKind::Choice { options }) => {
            json!(options[*index].name)
        }
        _ => Value::Null,
    };
    entry["required"] = json!(param.default.is_none());
    entry
}

fn raster(quantity: Quantity) -> String {
    ValueKind::Raster(quantity).to_string()
}

fn accepts(accepts: Accepts) -> String {
    match accepts {
        Accepts::Raster(quantity) => raster(quantity),
        Accepts::AnyRaster => "any raster".to_owned(),
        Accepts::SameAs(other) => format!("what `{other}` carries"),
        Accepts::SameAsOrMask(other) => format!("what `{other}` carries, or a mask"),
        Accepts::Lithology => ValueKind::Lithology.to_string(),
        Accepts::Supply => ValueKind::Supply.to_string(),
        Accepts::Table => ValueKind::Table.to_string(),
    }
}

fn gives(gives: Gives) -> String {
    match gives {
        Gives::Raster(quantity) => raster(quantity),
        Gives::SameAs(input) => format!("what `{input}` carries"),
        Gives::Lithology => ValueKind::Lithology.to_string(),
        Gives::Supply => ValueKind::Supply.to_string(),
        Gives::Table => ValueKind::Table.to_string(),
        Gives::Bytes => ValueKind::Bytes.to_string(),
    }
}

fn allowed(param: &ParamSpec) -> String {
    let unit = if param.unit == "1" { String::new() } else { format!(" {}", param.unit) };
    let range = |low: String, high: String| format!("{low} to {high}{unit}");
    let kind = match param.kind {
        ParamKind::Number { low, high } => range(low.to_string(), high.to_string()),
        ParamKind::Pair { low, high } => {
            format!("two numbers, {}", range(low.to_string(), high.to_string()))
        }
        ParamKind::Points { low, high } => {
            format!("a list of places, {}", range(low.to_string(), high.to_string()))
        }
        ParamKind::Integer { low, high } => {
            format!("whole number, {}", range(low.to_string(), high.to_string()))
        }
        ParamKind::Flag => "true or false".to_owned(),
        ParamKind::Choice { .. } => "a choice".to_owned(),
        ParamKind::File => "a file, `file(\"name\")`".to_owned(),
    };
    let default = match (&param.default, param.kind) {
        (Some(ParamValue::Number(value)), _) => format!("{value}"),
        (Some(ParamValue::Integer(value)), _) => format!("{value}"),
        (Some(ParamValue::Pair([a, b])), _) => format!("({a}, {b})"),
        (Some(ParamValue::Points(_)), _) => "none".to_owned(),
        (Some(ParamValue::Flag(value)), _) => format!("{value}"),
        (Some(ParamValue::Choice(index)), ParamKind::Choice { options }) => {
            options[*index].name.to_owned()
        }
        (Some(_), _) => return format!("{kind}; left out, the node decides"),
        (None, _) => return format!("{kind}; must be written"),
    };
    format!("{kind}; default {default}")
}

fn conserves(conserves: Conserves) -> &'static str {
    match conserves {
        Conserves::Matter => "conserved; the ledger closes",
        Conserves::Shapes => "not conserved; the ledger books the change as shaped",
        Conserves::NoGround => "none moved",
    }
}

fn locality(locality: Locality) -> &'static str {
    match locality {
        Locality::Pointwise => "at the same cell only",
        Locality::Neighborhood { .. } => "as far as its parameters say",
        Locality::Global => "at the whole map",
    }
}
