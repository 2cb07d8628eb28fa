//! Diagnostics as a person reads them in a terminal: message, place, the line
//! itself with carets, help. Nothing in a graph can steer the terminal.
//!
//! The snippet that `annotate-snippets` sees is a copy of only the lines that
//! the labels touch, with control characters made visible; so the time does not
//! grow with the text, and the line and column are stated by us.

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Renderer, Snippet};

use crate::diagnostic::{Diagnostic, Label, Severity, Span, push_visible};
use crate::position::{LineIndex, Position};

/// Labels further apart than this get a snippet each: between them lie only
/// lines that would be folded away.
const SNIPPET_LINES: usize = 100;

/// Bytes of a line that are shown around its labels. Longer lines are cut; the
/// renderer trims the rest to its width.
const LINE_CONTEXT: usize = 400;

/// Bytes of a line that one label may underline.
const LABEL_BYTES: usize = 400;

/// Stands for the path until the block is drawn. A private-use character, which
/// [`shown`] spells out wherever else it comes from.
const PATH_MARK: char = '\u{e000}';

/// Whether colors are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RenderStyle {
    /// Text only.
    Plain,
    /// With ANSI colors.
    Ansi,
}

/// All diagnostics of one text, each as a block, an empty line between two.
/// Ends with a line break, unless there is nothing to say.
pub fn render(diagnostics: &[Diagnostic], path: &str, text: &str, style: RenderStyle) -> String {
    let index = LineIndex::new(text);
    let renderer = match style {
        RenderStyle::Plain => Renderer::plain(),
        RenderStyle::Ansi => Renderer::styled().hyperlink(false),
    };
    let blocks: Vec<String> = diagnostics
        .iter()
        .map(|diagnostic| render_one(diagnostic, path, text, &index, &renderer) + "\n")
        .collect();
    blocks.join("\n")
}

fn render_one(
    diagnostic: &Diagnostic,
    path: &str,
    text: &str,
    index: &LineIndex<'_>,
    renderer: &Renderer,
) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let title = level.primary_title(shown(&diagnostic.message)).id(diagnostic.code.to_string());
    let clusters = clusters(&diagnostic.labels, index);
    let mut group = Group::with_title(title);
    for cluster in &clusters {
        group = group.element(snippet(cluster, text, index));
    }
    if let Some(hint) = &diagnostic.hint {
        group = group.element(Level::HELP.message(shown(hint)));
    }
    let places = clusters.iter().map(|cluster| {
        let Position { line, column } = index.position(cluster[0].span.start);
        format!("{}:{line}:{column}", shown(path))
    });
    with_places(&renderer.render(&[group]), places)
}

/// The rendered text with our places in the order of the snippets, each instead
/// of the mark and of the line and column that the renderer counted in its copy.
fn with_places(rendered: &str, places: impl Iterator<Item = String>) -> String {
    let mut pieces = rendered.split(PATH_MARK);
    let mut text = pieces.next().unwrap_or_default().to_owned();
    for (place, piece) in places.zip(pieces) {
        text.push_str(&place);
        text.push_str(piece.trim_start_matches(|c: char| c == ':' || c.is_ascii_digit()));
    }
    text
}

/// Labels that share a snippet; the primary label is the first of the first.
fn clusters<'d>(labels: &'d [Label], index: &LineIndex<'_>) -> Vec<Vec<&'d Label>> {
    let mut clusters: Vec<Vec<&Label>> = Vec::new();
    for label in labels {
        let line = index.line(label.span.start);
        let near = clusters
            .iter_mut()
            .find(|cluster| index.line(cluster[0].span.start).abs_diff(line) <= SNIPPET_LINES);
        match near {
            Some(cluster) => cluster.push(label),
            None => clusters.push(vec![label]),
        }
    }
    clusters
}

fn snippet<'d>(
    cluster: &[&Label],
    text: &'d str,
    index: &LineIndex<'_>,
) -> Snippet<'d, Annotation<'d>> {
    let mut marks: Vec<(usize, Span, &Label)> = cluster
        .iter()
        .map(|label| {
            let (line, span) = on_one_line(&label.span, index);
            (line, span, *label)
        })
        .collect();
    marks.sort_by_key(|(line, span, _)| (*line, span.start));
    let first = marks.first().map_or(0, |(line, _, _)| *line);
    let last = marks.last().map_or(first, |(line, _, _)| *line);
    let mut source = String::new();
    let mut annotations = Vec::new();
    for line in first..=last {
        if line > first {
            source.push('\n');
        }
        let here: Vec<&(usize, Span, &Label)> =
            marks.iter().filter(|(at, _, _)| *at == line).collect();
        let kept = kept_part(line, here.iter().map(|(_, span, _)| span), index);
        let base = source.len();
        for (_, span, label) in here {
            let at = |offset: usize| {
                let offset = offset.clamp(kept.start, kept.end);
                base + shown(&text[kept.start..offset]).len()
            };
            let kind =
                if label.primary { AnnotationKind::Primary } else { AnnotationKind::Context };
            let annotation = kind.span(at(span.start)..at(span.end));
            annotations.push(if label.text.is_empty() {
                annotation
            } else {
                annotation.label(shown(&label.text))
            });
        }
        source.push_str(&shown(&text[kept]));
    }
    Snippet::source(source)
        .path(PATH_MARK.to_string())
        .line_start(first + 1)
        .annotations(annotations)
}

/// The line of a span, and the part of the span on that line.
fn on_one_line(span: &Span, index: &LineIndex<'_>) -> (usize, Span) {
    let start = index.clamp(span.start);
    let line = index.line(start);
    let range = index.range(line);
    let start = start.clamp(range.start, range.end);
    let most = start.saturating_add(LABEL_BYTES).min(range.end);
    (line, start..index.clamp(span.end.clamp(start, most)).max(start))
}

/// The part of a line that is shown: around its labels where it is long.
fn kept_part<'s>(
    line: usize,
    spans: impl Iterator<Item = &'s Span>,
    index: &LineIndex<'_>,
) -> Span {
    let range = index.range(line);
    let (mut start, mut end) = (range.end, range.start);
    for span in spans {
        start = start.min(span.start);
        end = end.max(span.end);
    }
    if start > end {
        (start, end) = (range.start, range.start);
    }
    // A label at the far end of a very long line is dropped to the part that is kept.
    let end = end.min(start.saturating_add(2 * LABEL_BYTES));
    let start = index.clamp(start.saturating_sub(LINE_CONTEXT).max(range.start));
    start..index.clamp((end + LINE_CONTEXT).min(range.end)).max(start)
}

/// Tabs stay (the renderer knows their width); what else is unseen is spelled out.
fn shown(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if c == '\t' {
            shown.push(c);
        } else {
            push_visible(&mut shown, c);
        }
    }
    shown
}
