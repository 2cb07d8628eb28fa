//! Texts made to break a reader: deep, huge, repetitive.

use bajada_graph::{
    Code, Expr, MAX_DEPTH, MAX_NODES, MAX_TEXT_BYTES, RenderStyle, diagnostics_to_json, parse,
    print, render,
};

/// Small enough that recursion over the text, however thin, would not fit.
const STACK_BYTES: usize = 256 * 1024;

/// Parses, prints and renders on a small stack; returns the codes.
fn check(text: String) -> Vec<Code> {
    let on_small_stack = move || {
        let (document, diagnostics) = parse(&text);
        assert!(print(&document) == text, "not lossless");
        let shown = render(&diagnostics, "g.ron", &text, RenderStyle::Plain);
        assert!(shown.len() < 4_000_000, "{} bytes are shown", shown.len());
        drop(document);
        diagnostics.iter().map(|diagnostic| diagnostic.code).collect()
    };
    std::thread::Builder::new()
        .stack_size(STACK_BYTES)
        .spawn(on_small_stack)
        .expect("a thread starts")
        .join()
        .expect("nothing panics")
}

fn nested(open: &str, close: &str, depth: usize) -> String {
    let (open, close) = (open.repeat(depth), close.repeat(depth));
    format!("(format: 1, nodes: {{ \"a\": noise(x: {open}1{close}) }})")
}

#[test]
fn nesting_up_to_the_limit_is_read() {
    // Three brackets are open around the value.
    for (open, close) in [("(", ",)"), ("[", "]"), ("a(", ")"), ("{1:", "}"), ("(a:", ")")] {
        assert_eq!(check(nested(open, close, MAX_DEPTH - 3)), [], "{open}");
        assert_eq!(check(nested(open, close, MAX_DEPTH - 2)), [Code::TOO_DEEP], "{open}");
    }
}

#[test]
fn nesting_of_a_million_is_one_mistake() {
    for (open, close) in [("(", ")"), ("[", "]"), ("{1:", "}"), ("a(", ")"), ("(a:", ")")] {
        assert_eq!(check(nested(open, close, 1_000_000)), [Code::TOO_DEEP], "{open}");
        let open_only = format!("(format: 1, unknown: {}", open.repeat(1_000_000));
        assert!(check(open_only).contains(&Code::TOO_DEEP));
        check(open.repeat(1_000_000));
    }
}

#[test]
fn comments_nested_a_million_deep_are_read() {
    let (open, close) = ("/*".repeat(1_000_000), "*/".repeat(1_000_000));
    assert_eq!(check(format!("(format: 1 {open}{close})")), []);
    assert_eq!(check(format!("(format: 1 {open})")), [Code::UNCLOSED_COMMENT]);
}

#[test]
fn a_text_over_the_limit_is_refused_and_kept() {
    let text = " ".repeat(MAX_TEXT_BYTES);
    assert_eq!(check(text.clone()), [Code::EMPTY]);
    assert_eq!(check(text + " "), [Code::TEXT_TOO_LARGE]);
}

#[test]
fn more_nodes_than_the_limit_are_one_mistake() {
    let nodes = |n: usize| {
        let nodes: String = (0..n).map(|i| format!("\"{i}\":a(),")).collect();
        format!("(format: 1, nodes: {{{nodes}}})")
    };
    assert_eq!(check(nodes(MAX_NODES)), []);
    assert_eq!(check(nodes(MAX_NODES + 1)), [Code::TOO_MANY_NODES]);
}

#[test]
fn more_values_than_the_limit_are_one_mistake() {
    let text = format!("(format: 1, nodes: {{ \"a\": noise(x: [{}]) }})", "1,".repeat(3_000_000));
    assert_eq!(check(text), [Code::TOO_MANY_VALUES]);
}

#[test]
fn noise_of_any_length_gives_a_bounded_list() {
    for word in [
        "@ ", "1e999,", ",", ")", "\"open\n", "'", "\"\\u{\"", "“", "#", "#!", "\"\\q\" ", "a:",
        ":", "=", "r#", "1.1.1 ", "}{", "([)]", "\"a\":b(", "nodes:{", "\u{0}", "/", "\"", "''",
        "b'", "\"\\", "x ",
    ] {
        let count = 400_000 / word.len();
        assert!(check(word.repeat(count)).len() <= 1001, "{word:?}");
        assert!(check(format!("(format: 1, nodes: {{{}", word.repeat(count))).len() <= 1001);
    }
}

#[test]
fn a_long_line_is_cut_around_its_mistake() {
    let filler = " ".repeat(100_000);
    let text = format!("(format: 1,{filler} sede: 7,{filler})");
    let (_, diagnostics) = parse(&text);
    let shown = render(&diagnostics, "g.ron", &text, RenderStyle::Plain);
    assert!(shown.contains("g.ron:1:100013") && shown.contains("sede: 7"), "{shown}");
    assert!(shown.len() < 1000, "{} bytes", shown.len());
}

#[test]
fn two_far_places_are_both_shown() {
    let text = format!("(format: 1,{}seed: 1, seed: 2)", "\n".repeat(5));
    let far = text.replacen("seed: 1,", &format!("seed: 1,{}", "\n".repeat(5000)), 1);
    for (text, line) in [(text, 6), (far, 5006)] {
        let (_, diagnostics) = parse(&text);
        let shown = render(&diagnostics, "g.ron", &text, RenderStyle::Plain);
        assert!(shown.contains(&format!("g.ron:{line}:")), "{shown}");
        assert!(shown.contains("first definition"), "{shown}");
        assert!(shown.lines().count() < 20, "{shown}");
    }
}

#[test]
fn any_span_renders() {
    let texts =
        ["", "\u{feff}", "\n", "a", "å\r\n", "\ta\n\n", "\u{feff}å\u{1b}\r", "ab\ncd\u{301}\n"];
    for text in texts {
        for start in 0..text.len() + 3 {
            for end in start..text.len() + 3 {
                let diagnostic =
                    bajada_graph::Diagnostic::error(Code::CYCLE, start..end, "a cycle")
                        .with_label(0..start, "here\u{7}");
                let list = [diagnostic];
                let shown = render(&list, "a\u{1b}b.ron", text, RenderStyle::Plain);
                assert!(shown.contains("a\\u{1b}b.ron:"), "{shown}");
                assert_eq!(diagnostics_to_json(&list, "x", text).len(), 1);
            }
        }
    }
}

#[test]
fn a_thousand_arguments_of_one_name_are_found() {
    let text = format!("(format: 1, nodes: {{ \"a\": noise({}) }})", "x: 1, ".repeat(1000));
    let codes = check(text);
    assert_eq!(codes.len(), 999);
    assert!(codes.iter().all(|code| *code == Code::DUPLICATE));
}

#[test]
fn the_value_at_the_limit_is_the_value() {
    let (document, _) = parse(&nested("[", "]", MAX_DEPTH - 3));
    let mut value = &document.nodes[0].arguments[0].value.value;
    let mut depth = 0;
    while let Expr::List(inner) = value {
        value = &inner[0].value;
        depth += 1;
    }
    assert_eq!(depth, MAX_DEPTH - 3);
    assert!(matches!(value, Expr::Number(number) if number.value == 1.0));
}
