//! A diagnostic as machines take it: places as lines and columns, everything
//! else as in [`Diagnostic`].

use serde::Serialize;

use crate::code::Code;
use crate::diagnostic::{Diagnostic, Severity, Span};
use crate::position::{LineIndex, Position};

/// A [`Diagnostic`] with its file, ready for serde.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DiagnosticJson {
    /// The code, as `"BJ0103"`.
    pub code: Code,
    /// `"error"` or `"warning"`.
    pub severity: Severity,
    /// One lower-case sentence.
    pub message: String,
    /// The file, as the caller names it.
    pub file: String,
    /// Where the primary place starts.
    pub start: Position,
    /// Where the primary place ends (the first character behind it).
    pub end: Position,
    /// Every place, the primary one first.
    pub labels: Vec<LabelJson>,
    /// What could be typed, in backticks.
    pub hint: Option<String>,
}

/// A [`Label`](crate::Label) as lines and columns.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LabelJson {
    /// What is to be seen there; may be empty.
    pub text: String,
    /// Whether the mistake is here.
    pub primary: bool,
    /// Where it starts.
    pub start: Position,
    /// Where it ends (the first character behind it).
    pub end: Position,
}

impl Diagnostic {
    /// The form for machines. For many diagnostics of one text take
    /// [`diagnostics_to_json`], which counts the lines once.
    pub fn to_json(&self, path: &str, text: &str) -> DiagnosticJson {
        convert(self, path, &LineIndex::new(text))
    }
}

/// The form for machines of all diagnostics of one text.
pub fn diagnostics_to_json(
    diagnostics: &[Diagnostic],
    path: &str,
    text: &str,
) -> Vec<DiagnosticJson> {
    let index = LineIndex::new(text);
    diagnostics.iter().map(|diagnostic| convert(diagnostic, path, &index)).collect()
}

fn convert(diagnostic: &Diagnostic, path: &str, index: &LineIndex<'_>) -> DiagnosticJson {
    let place = |span: &Span| (index.position(span.start), index.position(span.end));
    let (start, end) = place(&diagnostic.span());
    let labels = diagnostic
        .labels
        .iter()
        .map(|label| {
            let (start, end) = place(&label.span);
            LabelJson { text: label.text.clone(), primary: label.primary, start, end }
        })
        .collect();
    DiagnosticJson {
        code: diagnostic.code,
        severity: diagnostic.severity,
        message: diagnostic.message.clone(),
        file: path.to_owned(),
        start,
        end,
        labels,
        hint: diagnostic.hint.clone(),
    }
}
