//! What a mistake looks like to everyone but the terminal: a code, one sentence,
//! the places it concerns and something that could be typed.

use std::fmt::Write as _;

use serde::Serialize;

use crate::code::Code;

/// A half-open range of byte offsets in the text of a graph.
pub type Span = std::ops::Range<usize>;

/// A value and the place it was read from.
#[derive(Clone, Debug, PartialEq)]
pub struct Spanned<T> {
    /// What was read.
    pub value: T,
    /// Where it stands.
    pub span: Span,
}

impl<T> Spanned<T> {
    /// Ties a value to its place.
    pub fn new(value: T, span: Span) -> Self {
        Self { value, span }
    }
}

/// How much a diagnostic matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Nothing runs.
    Error,
    /// The graph runs, and may not do what was meant.
    Warning,
}

/// A place that a diagnostic points at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The bytes that are underlined; may be empty, for a place between two characters.
    pub span: Span,
    /// What is to be seen there; may be empty.
    pub text: String,
    /// Whether the mistake is here, or this only explains it.
    pub primary: bool,
}

/// One mistake of the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// What went wrong, for machines and searches.
    pub code: Code,
    /// How much it matters.
    pub severity: Severity,
    /// One lower-case sentence without a full stop.
    pub message: String,
    /// The places; the primary one comes first.
    pub labels: Vec<Label>,
    /// What could be typed, in backticks.
    pub hint: Option<String>,
}

impl Diagnostic {
    /// An error whose primary label is `span`.
    pub fn error(code: Code, span: Span, message: impl Into<String>) -> Self {
        Self::new(code, Severity::Error, span, message)
    }

    /// A warning whose primary label is `span`.
    pub fn warning(code: Code, span: Span, message: impl Into<String>) -> Self {
        Self::new(code, Severity::Warning, span, message)
    }

    fn new(code: Code, severity: Severity, span: Span, message: impl Into<String>) -> Self {
        let labels = vec![Label { span, text: String::new(), primary: true }];
        Self { code, severity, message: message.into(), labels, hint: None }
    }

    /// Says what is to be seen at the primary label.
    pub fn with_text(mut self, text: impl Into<String>) -> Self {
        if let Some(label) = self.labels.first_mut() {
            label.text = text.into();
        }
        self
    }

    /// Adds a place that explains the mistake.
    pub fn with_label(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push(Label { span, text: text.into(), primary: false });
        self
    }

    /// Adds what could be typed: a short phrase with the text in backticks.
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Adds the nearest names as the hint; none leaves the hint as it is.
    pub fn did_you_mean(mut self, nearest: &[&str]) -> Self {
        if let Some(names) = either(nearest) {
            self.hint = Some(format!("did you mean {names}?"));
        }
        self
    }

    /// The primary place.
    pub fn span(&self) -> Span {
        self.labels.first().map_or(0..0, |label| label.span.clone())
    }
}

/// Names in backticks with an `or` before the last; nothing when there are none.
fn either(names: &[&str]) -> Option<String> {
    let (last, rest) = names.split_last()?;
    let last = format!("`{}`", visible(last));
    if rest.is_empty() {
        return Some(last);
    }
    let rest: Vec<String> = rest.iter().map(|name| format!("`{}`", visible(name))).collect();
    Some(format!("{} or {last}", rest.join(", ")))
}

/// Longest piece of a user's text that a message repeats, in characters: the
/// snippet below the message shows the rest.
const LONGEST_QUOTE: usize = 60;

/// Text of a user made fit for a message: control characters, and those that
/// steer the direction of text or are not seen, become `\u{..}`; a long text is cut.
pub fn visible(text: &str) -> String {
    let mut shown = String::new();
    for (count, c) in text.chars().enumerate() {
        if count == LONGEST_QUOTE {
            shown.push('…');
            break;
        }
        push_visible(&mut shown, c);
    }
    shown
}

pub(crate) fn push_visible(shown: &mut String, c: char) {
    if is_unseen(c) {
        // Writing to a string cannot fail.
        let _ = write!(shown, "{}", c.escape_unicode());
    } else {
        shown.push(c);
    }
}

/// Control characters, steering and zero-width ones, and the one private-use
/// character that the renderer takes for itself.
fn is_unseen(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}'
            | '\u{61c}' | '\u{e000}' | '\u{feff}')
}

/// How many mistakes of one text are kept: a person mends the first few, and a
/// text of noise must not cost memory.
const MOST_DIAGNOSTICS: usize = 1000;

/// Diagnostics as they are found, up to the limit.
#[derive(Default)]
pub(crate) struct Sink {
    pub(crate) found: Vec<Diagnostic>,
    overflowed: bool,
}

impl Sink {
    pub(crate) fn push(&mut self, diagnostic: Diagnostic) {
        if self.found.len() < MOST_DIAGNOSTICS {
            self.found.push(diagnostic);
        } else {
            self.overflowed = true;
        }
    }

    pub(crate) fn append(&mut self, other: Sink) {
        self.overflowed |= other.overflowed;
        self.found.extend(other.found);
    }

    /// By place, each once, within the limit.
    pub(crate) fn sorted(mut self) -> Vec<Diagnostic> {
        self.found.sort_by(|a, b| {
            let key = |d: &Diagnostic| (d.span().start, d.span().end, d.code);
            key(a).cmp(&key(b)).then_with(|| a.message.cmp(&b.message))
        });
        self.found.dedup();
        if self.overflowed || self.found.len() > MOST_DIAGNOSTICS {
            self.found.truncate(MOST_DIAGNOSTICS);
            let end = self.found.last().map_or(0..0, Diagnostic::span);
            let message = format!("more than {MOST_DIAGNOSTICS} mistakes; the rest are not shown");
            self.found.push(Diagnostic::error(Code::TOO_MANY_DIAGNOSTICS, end, message));
        }
        self.found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_from_a_file_cannot_steer_a_terminal() {
        assert_eq!(visible("\u{1b}]2;HACKED\u{7}"), "\\u{1b}]2;HACKED\\u{7}");
        assert_eq!(visible("a\u{202e}b"), "a\\u{202e}b");
        assert_eq!(visible("grün ∂"), "grün ∂");
    }

    #[test]
    fn a_long_text_is_cut() {
        assert_eq!(visible(&"x".repeat(1000)).chars().count(), LONGEST_QUOTE + 1);
    }

    #[test]
    fn did_you_mean_reads_as_a_sentence() {
        let hint = |names: &[&str]| {
            Diagnostic::error(Code::UNKNOWN_KEY, 0..1, "").did_you_mean(names).hint
        };
        assert_eq!(hint(&[]), None);
        assert_eq!(hint(&["a"]).as_deref(), Some("did you mean `a`?"));
        assert_eq!(hint(&["a", "b", "c"]).as_deref(), Some("did you mean `a`, `b` or `c`?"));
    }

    #[test]
    fn diagnostics_come_by_place_and_once() {
        let mut sink = Sink::default();
        for start in [5, 3, 5, 1] {
            sink.push(Diagnostic::error(Code::UNEXPECTED, start..9, "x"));
        }
        let starts: Vec<usize> = sink.sorted().iter().map(|d| d.span().start).collect();
        assert_eq!(starts, [1, 3, 5]);
    }
}
