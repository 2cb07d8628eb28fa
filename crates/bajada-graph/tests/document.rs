//! What the document says of a text in good form, and what machines are told of
//! one that is not.

use bajada_graph::{
    Document, Expr, NodeDecl, RenderStyle, Severity, diagnostics_to_json, parse, position, render,
};

const SAMPLE: &str = include_str!("sample.ron");

fn read(text: &str) -> Document {
    let (document, diagnostics) = parse(text);
    assert_eq!(render(&diagnostics, "graph.ron", text, RenderStyle::Plain), "");
    document
}

fn argument<'d>(node: &'d NodeDecl, name: &str) -> &'d Expr {
    &node.argument(name).expect("the argument is there").value.value
}

#[test]
fn the_smallest_graph_of_two_nodes_is_read() {
    let document = read("(format:1,nodes:{\"a\":noise(),\"b\":talus(elevation:\"a\")})");
    let kinds: Vec<&str> = document.nodes.iter().map(|node| node.kind.value.as_str()).collect();
    assert_eq!(kinds, ["noise", "talus"]);
    assert_eq!(document.seed_value(), 0);
    assert_eq!(document.world, None);
}

#[test]
fn format_seed_and_world_are_decoded() {
    let document = read(SAMPLE);
    assert_eq!(document.format.as_ref().map(|format| format.value), Some(1));
    assert_eq!(document.seed_value(), 7);
    let world = document.world.expect("a world").value;
    assert_eq!(world.extent_m.map(|pair| pair.value), Some([12288.0, 12288.0]));
    assert_eq!(world.samples.map(|pair| pair.value), Some([1025, 1025]));
    assert_eq!(world.origin_m.map(|pair| pair.value), Some([-500_000.0, 4_000_000.0]));
    assert_eq!(world.from, None);
}

#[test]
fn a_world_comes_from_a_node_in_two_spellings() {
    for text in ["(format: 1, world: from(\"dem\"))", "(format: 1, world: (from: \"dem\"))"] {
        let world = read(text).world.expect("a world").value;
        let from = world.from.expect("a node");
        assert_eq!((from.value.as_str(), &text[from.span]), ("dem", "dem"));
    }
}

#[test]
fn nodes_keep_the_order_of_the_text() {
    let document = read(SAMPLE);
    let names: Vec<&str> = document.nodes.iter().map(|node| node.name.value.as_str()).collect();
    assert_eq!(names, ["dem", "rain", "scree", "edge", "blend", "raw name"]);
    let outputs: Vec<&str> = document.outputs.iter().map(|node| node.name.value.as_str()).collect();
    assert_eq!(outputs, ["height.tif", "front.png"]);
}

#[test]
fn of_two_nodes_with_one_name_the_first_is_kept() {
    let (document, _) = parse("(format: 1, nodes: { \"a\": noise(x: 1, x: 2), \"a\": talus() })");
    assert_eq!(document.nodes.len(), 1);
    assert_eq!(document.nodes[0].kind.value, "noise");
    assert!(matches!(argument(&document.nodes[0], "x"), Expr::Number(n) if n.value == 1.0));
}

#[test]
fn every_span_leads_to_its_text() {
    let document = read(SAMPLE);
    let scree = document.node("scree").expect("a node");
    assert_eq!(&SAMPLE[scree.name.span.clone()], "\"scree\"");
    assert_eq!(&SAMPLE[scree.kind.span.clone()], "talus");
    assert_eq!(
        &SAMPLE[scree.span.clone()],
        "\"scree\": talus(elevation: \"rain\", repose_angle_deg: 33)"
    );
    let repose = scree.argument("repose_angle_deg").expect("an argument");
    assert_eq!(&SAMPLE[repose.name.span.clone()], "repose_angle_deg");
    assert_eq!(&SAMPLE[repose.value.span.clone()], "33");
    assert_eq!(&SAMPLE[repose.span()], "repose_angle_deg: 33");
}

#[test]
fn a_link_names_a_node_and_perhaps_an_output() {
    let document = read(SAMPLE);
    let rain = document.node("rain").expect("a node");
    let Expr::Link(link) = argument(rain, "mask") else { panic!("not a link") };
    let port = link.port.as_ref().expect("an output");
    assert_eq!((link.node.value.as_str(), port.value.as_str()), ("block", "share"));
    assert_eq!(&SAMPLE[link.node.span.clone()], "block");
    assert_eq!(&SAMPLE[port.span.clone()], "share");
    let Expr::Link(link) = argument(rain, "elevation") else { panic!("not a link") };
    assert_eq!(link.port, None);
}

#[test]
fn every_kind_of_value_is_told_apart() {
    let document = read(SAMPLE);
    let node = |name: &str| document.node(name).expect("a node");
    assert_eq!(argument(node("edge"), "kind"), &Expr::Name("Ridged".to_owned()));
    assert_eq!(argument(node("edge"), "on"), &Expr::Bool(true));
    assert_eq!(argument(node("edge"), "mark"), &Expr::Char('x'));
    assert!(matches!(argument(node("edge"), "offset_m"), Expr::Tuple(pair) if pair.len() == 2));
    let Expr::File(path) = argument(node("dem"), "file") else { panic!("not a file") };
    assert_eq!((path.value.as_str(), &SAMPLE[path.span.clone()]), ("maps/åre.tif", "maps/åre.tif"));
    let Expr::List(inputs) = argument(node("blend"), "inputs") else { panic!("not a list") };
    assert!(inputs.iter().all(|input| matches!(input.value, Expr::Link(_))));
    let Expr::Map(pairs) = argument(node("blend"), "curve") else { panic!("not a map") };
    assert!(matches!(pairs[1].0.value, Expr::Text(_)) && pairs[1].1.value == Expr::Unit);
    let Expr::Call { name, arguments } = argument(node("raw name"), "text") else {
        panic!("not a call")
    };
    assert_eq!(name.value, "note");
    assert_eq!(arguments[0].value.value, Expr::Text("a\tb".to_owned()));
    let Expr::Number(hex) = argument(node("raw name"), "hex") else { panic!("not a number") };
    assert_eq!((hex.integer, hex.text.as_str()), (Some(255), "0xff"));
}

#[test]
fn what_is_right_is_read_beside_what_is_wrong() {
    let (document, diagnostics) = parse(
        "(format: 1, nodes: { \"a\": noise(x: 1..2, y: 2) \"b\": talus(z: (1,, 2), w: 3), c: d() })",
    );
    assert_eq!(diagnostics.len(), 4);
    let [a, b, c] = document.nodes.as_slice() else { panic!("{:?}", document.nodes) };
    assert_eq!(argument(a, "x"), &Expr::Error);
    assert!(matches!(argument(a, "y"), Expr::Number(_)));
    assert!(matches!(argument(b, "z"), Expr::Tuple(parts) if parts.len() == 2));
    assert!(matches!(argument(b, "w"), Expr::Number(_)));
    assert_eq!(c.name.value, "c");
}

#[test]
fn machines_get_lines_and_columns_and_the_hint() {
    let text = "(\n  format: 1,\n  sede: 7,\n)";
    let (_, diagnostics) = parse(text);
    let json = serde_json::to_string(&diagnostics_to_json(&diagnostics, "graph.ron", text))
        .expect("plain values");
    assert_eq!(
        json,
        concat!(
            r#"[{"code":"BJ0103","severity":"error","message":"`sede` is not a key of a graph","#,
            r#""file":"graph.ron","start":{"line":3,"column":3},"end":{"line":3,"column":7},"#,
            r#""labels":[{"text":"","primary":true,"start":{"line":3,"column":3},"#,
            r#""end":{"line":3,"column":7}}],"hint":"did you mean `seed`?"}]"#
        )
    );
    assert_eq!(diagnostics[0].to_json("graph.ron", text).start, position(text, 17));
}

#[test]
fn a_warning_renders_as_a_warning() {
    let warning =
        bajada_graph::Diagnostic::warning(bajada_graph::Code::UNUSED_NODE, 0..1, "unused");
    assert_eq!(warning.severity, Severity::Warning);
    let shown = render(&[warning], "g.ron", "()", RenderStyle::Plain);
    assert!(shown.starts_with("warning[BJ0214]: unused\n --> g.ron:1:1\n"), "{shown}");
}
