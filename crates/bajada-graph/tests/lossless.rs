//! The text comes back byte for byte, whatever it was, and places are places.

mod generator;

use bajada_graph::{RenderStyle, parse, print, render};
use generator::{Draw, broken_text, count, graph_text, noise_text};

/// Prints back what was read, and holds what every diagnostic promises.
fn check(text: &str) -> usize {
    let (document, diagnostics) = parse(text);
    assert_eq!(print(&document), text);
    for diagnostic in &diagnostics {
        for label in &diagnostic.labels {
            let span = label.span.clone();
            assert!(text.get(span).is_some(), "{diagnostic:?} in {text:?}");
        }
        assert!(diagnostic.labels[0].primary);
        assert!(!diagnostic.message.ends_with('.'));
        assert!(!diagnostic.message.contains(char::is_control));
    }
    assert!(diagnostics.windows(2).all(|d| d[0].span().start <= d[1].span().start));
    diagnostics.len()
}

#[test]
fn every_generated_text_prints_as_it_was_read() {
    let mut accepted = 0;
    let n = count(10_000, 100_000);
    for seed in 0..n {
        let draw = &mut Draw::new(seed);
        let text = match seed % 3 {
            0 => graph_text(draw),
            1 => broken_text(draw),
            _ => noise_text(draw),
        };
        accepted += u64::from(check(&text) == 0);
    }
    println!("{accepted} accepted");
    assert!(accepted > n / 20 && accepted < n / 2, "the generator is one-sided: {accepted}");
}

#[test]
fn every_diagnostic_of_a_generated_text_renders_without_control_characters() {
    let unseen = |c: char| c.is_control() && c != '\n';
    for seed in 0..count(1_000, 20_000) {
        let draw = &mut Draw::new(seed);
        let text = if seed % 2 == 0 { broken_text(draw) } else { noise_text(draw) };
        let (_, diagnostics) = parse(&text);
        let shown = render(&diagnostics, "g.ron", &text, RenderStyle::Plain);
        assert!(!shown.contains(unseen), "{shown:?}");
        assert_eq!(shown.matches("error[BJ").count(), diagnostics.len());
        let colored = render(&diagnostics, "g.ron", &text, RenderStyle::Ansi);
        assert!(colored.replace('\u{1b}', "").len() >= shown.len());
    }
}

const SAMPLE: &str = include_str!("sample.ron");

#[test]
fn the_sample_is_accepted() {
    assert_eq!(check(SAMPLE), 0);
}

#[test]
fn any_byte_of_a_graph_may_be_lost() {
    for at in 0..SAMPLE.len() {
        let mut bytes = SAMPLE.as_bytes().to_vec();
        bytes.remove(at);
        check(&String::from_utf8_lossy(&bytes));
    }
}

#[test]
fn any_byte_of_a_graph_may_be_flipped() {
    for at in 0..SAMPLE.len() {
        for flip in [0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, 0xff] {
            let mut bytes = SAMPLE.as_bytes().to_vec();
            bytes[at] ^= flip;
            check(&String::from_utf8_lossy(&bytes));
        }
    }
}

#[test]
fn a_graph_may_end_anywhere() {
    for at in (0..SAMPLE.len()).filter(|at| SAMPLE.is_char_boundary(*at)) {
        check(&SAMPLE[..at]);
    }
}

#[test]
fn line_endings_and_a_byte_order_mark_change_nothing_but_places() {
    let (plain, _) = parse(SAMPLE);
    let windows = format!("\u{feff}{}", SAMPLE.replace('\n', "\r\n"));
    assert_eq!(check(&windows), 0);
    let (other, _) = parse(&windows);
    let names = |d: &bajada_graph::Document| {
        d.nodes
            .iter()
            .map(|node| (node.name.value.clone(), node.arguments.len()))
            .collect::<Vec<_>>()
    };
    assert_eq!(names(&plain), names(&other));
}
