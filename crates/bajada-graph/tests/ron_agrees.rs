//! What is accepted here without a diagnostic, the `ron` crate accepts too, and
//! reads the same numbers and texts.

mod generator;

use bajada_graph::{Expr, Spanned, parse};
use generator::{Draw, broken_text, count, graph_text, noise_text, value};
use ron::Value;

fn number(value: &ron::value::Number) -> f64 {
    value.into_f64()
}

/// Compares as far as `ron::Value` can tell: names of calls and choices are lost
/// in it.
fn assert_same(ours: &Expr, theirs: &Value, text: &str) {
    match (ours, theirs) {
        (Expr::Number(ours), Value::Number(theirs)) => {
            let theirs = number(theirs);
            // Floats come out of ron::Value as f32 where they fit one.
            let same = ours.value == theirs || ours.value as f32 as f64 == theirs;
            assert!(same, "{} {theirs} in {text:?}", ours.value);
        }
        (Expr::Link(link), Value::String(theirs)) => {
            let port = link.port.as_ref().map_or(String::new(), |port| format!(".{}", port.value));
            assert_eq!(&(link.node.value.clone() + &port), theirs, "in {text:?}");
        }
        (Expr::Text(ours), Value::String(theirs)) => assert_eq!(ours, theirs),
        (Expr::Char(ours), Value::Char(theirs)) => assert_eq!(ours, theirs),
        (Expr::Bool(ours), Value::Bool(theirs)) => assert_eq!(ours, theirs),
        (Expr::Name(name), Value::Option(None)) => assert_eq!(name, "None"),
        (Expr::Name(_), Value::Unit) | (Expr::Unit, Value::Unit) => {}
        (Expr::Unit, Value::Seq(theirs)) => assert!(theirs.is_empty()),
        (Expr::File(ours), Value::Seq(theirs)) => {
            assert_eq!(theirs.as_slice(), [Value::String(ours.value.clone())]);
        }
        (Expr::Tuple(ours) | Expr::List(ours), Value::Seq(theirs)) => {
            assert_eq!(ours.len(), theirs.len(), "in {text:?}");
            for (ours, theirs) in ours.iter().zip(theirs) {
                assert_same(&ours.value, theirs, text);
            }
        }
        (Expr::Struct(ours), Value::Map(theirs)) => {
            let ours: Vec<_> = ours.iter().map(|a| (a.name.value.clone(), &a.value)).collect();
            assert_same_fields(&ours, theirs, text);
        }
        (Expr::Call { arguments, .. }, theirs) => {
            let named: Vec<_> = arguments
                .iter()
                .filter_map(|a| a.name.as_ref().map(|name| (name.value.clone(), &a.value)))
                .collect();
            match theirs {
                Value::Map(theirs) => assert_same_fields(&named, theirs, text),
                Value::Seq(theirs) => {
                    assert_eq!(arguments.len(), theirs.len(), "in {text:?}");
                    for (ours, theirs) in arguments.iter().zip(theirs) {
                        assert_same(&ours.value.value, theirs, text);
                    }
                }
                other => assert!(arguments.is_empty(), "{other:?} in {text:?}"),
            }
        }
        (Expr::Map(ours), Value::Map(theirs)) => {
            // Their keys are in another order, so only texts are looked up.
            for (key, value) in ours {
                if let Expr::Text(key) = &key.value {
                    let theirs = &theirs[&Value::String(key.clone())];
                    assert_same(&value.value, theirs, text);
                }
            }
        }
        (ours, theirs) => panic!("{ours:?} is not {theirs:?} in {text:?}"),
    }
}

fn assert_same_fields(ours: &[(String, &Spanned<Expr>)], theirs: &ron::Map, text: &str) {
    assert_eq!(ours.len(), theirs.len(), "in {text:?}");
    for (name, value) in ours {
        assert_same(&value.value, &theirs[&Value::String(name.clone())], text);
    }
}

/// `None` if we have something against the text.
fn check(text: &str) -> Option<()> {
    let (document, diagnostics) = parse(text);
    if !diagnostics.is_empty() {
        return None;
    }
    // ron refuses a byte order mark.
    let plain = text.strip_prefix('\u{feff}').unwrap_or(text);
    let theirs: Value = ron::from_str(plain)
        .unwrap_or_else(|error| panic!("ron refuses what we accept: {error}\n{text:?}"));
    let Value::Map(theirs) = theirs else { panic!("a graph is a struct: {text:?}") };
    let section = |name: &str| match theirs.get(&Value::String(name.to_owned())) {
        Some(Value::Map(map)) => map.len(),
        _ => 0,
    };
    assert_eq!(document.nodes.len(), section("nodes"), "in {text:?}");
    assert_eq!(document.outputs.len(), section("outputs"), "in {text:?}");
    if let Some(seed) = &document.seed {
        let theirs: SeedOnly = ron::from_str(plain).expect("a seed");
        assert_eq!(seed.value, theirs.seed);
    }
    for (name, declared) in [("nodes", &document.nodes), ("outputs", &document.outputs)] {
        for node in declared {
            let Some(Value::Map(map)) = theirs.get(&Value::String(name.to_owned())) else {
                panic!("{name} is no map: {text:?}");
            };
            let theirs = &map[&Value::String(node.name.value.clone())];
            if let Value::Map(theirs) = theirs {
                let ours: Vec<_> =
                    node.arguments.iter().map(|a| (a.name.value.clone(), &a.value)).collect();
                assert_same_fields(&ours, theirs, text);
            } else {
                assert!(node.arguments.is_empty(), "{theirs:?} in {text:?}");
            }
        }
    }
    Some(())
}

#[derive(serde::Deserialize)]
struct SeedOnly {
    seed: u64,
}

#[test]
fn what_we_accept_of_generated_texts_ron_reads_alike() {
    let n = count(10_000, 100_000);
    let mut accepted = 0;
    for seed in 0..n {
        let draw = &mut Draw::new(seed);
        let text = match seed % 4 {
            0 | 1 => graph_text(draw),
            2 => broken_text(draw),
            _ => format!("(format: 1, nodes: {{ \"a\": noise({}) }})", noise_text(draw)),
        };
        accepted += u64::from(check(&text).is_some());
    }
    println!("{accepted} accepted");
    assert!(accepted > n / 10, "too few graphs are accepted: {accepted} of {n}");
}

#[test]
fn what_we_accept_of_generated_values_ron_reads_alike() {
    let n = count(10_000, 100_000);
    let mut accepted = 0;
    for seed in 0..n {
        let draw = &mut Draw::new(seed ^ 0x5eed_0000_0000);
        let mut text = String::from("(format: 1, nodes: { \"a\": noise(x: ");
        value(draw, &mut text, 0);
        text.push_str(") })");
        accepted += u64::from(check(&text).is_some());
    }
    println!("{accepted} accepted");
    assert!(accepted > n / 3, "too few values are accepted: {accepted} of {n}");
}

#[test]
fn every_number_rounds_as_ron_rounds_it() {
    for text in generator::NUMBERS {
        let graph = format!("(format: 1, nodes: {{ \"a\": noise(x: {text}) }})");
        let (document, diagnostics) = parse(&graph);
        assert!(diagnostics.is_empty(), "{text}");
        let radix = text.trim_start_matches(['+', '-']).get(1..2).unwrap_or("");
        let theirs = match radix {
            "x" | "o" | "b" => ron::from_str::<i64>(text).expect("a whole number") as f64,
            _ => ron::from_str::<f64>(text).expect("a number"),
        };
        match &document.nodes[0].arguments[0].value.value {
            Expr::Number(number) => assert_eq!(number.value, theirs, "{text}"),
            other => panic!("{other:?}"),
        }
    }
}
