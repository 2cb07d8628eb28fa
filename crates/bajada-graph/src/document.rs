//! The document: what a graph says, each piece with its place, and the tokens
//! from which the text can be written again, byte for byte.

use crate::code::Code;
use crate::decode::decode;
use crate::diagnostic::{Diagnostic, Sink, Span, Spanned};
use crate::expr::Argument;
use crate::lexer::lex;
use crate::limits::MAX_TEXT_BYTES;
use crate::parser::parse_tokens;
use crate::token::Tokens;

/// The format that this version reads and writes.
pub const FORMAT: u32 = 1;

/// A graph as it was written. It knows no node kind: whether the graph makes
/// sense is the plan's question.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Document {
    /// `format: 1`
    pub format: Option<Spanned<u32>>,
    /// `seed: 7`; nothing stands for 0.
    pub seed: Option<Spanned<u64>>,
    /// `world: (..)`
    pub world: Option<Spanned<WorldDecl>>,
    /// The nodes in the order of the text; of two with one name, the first.
    pub nodes: Vec<NodeDecl>,
    /// The outputs in the order of the text; their names are file names.
    pub outputs: Vec<NodeDecl>,
    pub(crate) tokens: Tokens,
}

/// Where the world comes from.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WorldDecl {
    /// Size in meters, east and south.
    pub extent_m: Option<Spanned<[f64; 2]>>,
    /// Samples, east and south.
    pub samples: Option<Spanned<[u32; 2]>>,
    /// The node whose raster gives the world; the span lies inside the quotes.
    pub from: Option<Spanned<String>>,
    /// Easting and northing of the north-west corner.
    pub origin_m: Option<Spanned<[f64; 2]>>,
}

/// A node or an output: `"name": kind(argument: value)`.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeDecl {
    /// The node's name, or the output's file name; the span includes the quotes.
    pub name: Spanned<String>,
    /// The kind.
    pub kind: Spanned<String>,
    /// The arguments in the order of the text; of two with one name, the first.
    pub arguments: Vec<Argument>,
    /// The whole entry, from the name to the closing bracket.
    pub span: Span,
}

impl NodeDecl {
    /// The argument of that name.
    pub fn argument(&self, name: &str) -> Option<&Argument> {
        self.arguments.iter().find(|argument| argument.name.value == name)
    }
}

impl Document {
    /// The text again, the same as [`print()`].
    pub fn text(&self) -> String {
        self.tokens.print()
    }

    /// The seed, 0 if none is written.
    pub fn seed_value(&self) -> u64 {
        self.seed.as_ref().map_or(0, |seed| seed.value)
    }

    /// The node of that name.
    pub fn node(&self, name: &str) -> Option<&NodeDecl> {
        self.nodes.iter().find(|node| node.name.value == name)
    }
}

/// Reads a graph: all of it that can be read, and all that is wrong with its
/// text, by place and without consequences of one mistake posing as another.
///
/// Never fails, never panics, takes time in proportion to the text.
///
/// ```
/// let (document, diagnostics) = bajada_graph::parse(
///     "(format: 1, nodes: { \"hills\": noise(kind: Ridged) }, outputs: {})",
/// );
/// assert!(diagnostics.is_empty());
/// assert_eq!(document.nodes[0].kind.value, "noise");
/// ```
pub fn parse(text: &str) -> (Document, Vec<Diagnostic>) {
    if text.len() > MAX_TEXT_BYTES {
        let message = format!(
            "the graph has {} bytes; {} MiB are the most that is read",
            text.len(),
            MAX_TEXT_BYTES >> 20
        );
        let document = Document { tokens: Tokens::unread(text), ..Document::default() };
        return (document, vec![Diagnostic::error(Code::TEXT_TOO_LARGE, 0..0, message)]);
    }
    let mut lexed = lex(text);
    let parsed = parse_tokens(&lexed);
    let (mut document, decoded) = decode(&lexed.tokens, &parsed, lexed.swallowed);
    let mut all = std::mem::take(&mut lexed.diagnostics);
    all.append(reliable(parsed.diagnostics, &lexed.unreliable));
    all.append(reliable(decoded, &lexed.unreliable));
    document.tokens = lexed.tokens;
    (document, all.sorted())
}

/// The mistakes that do not stand on a line with an unclosed string: such a line
/// is cut into words at the wrong quotes.
fn reliable(mut diagnostics: Sink, unreliable: &[Span]) -> Sink {
    diagnostics.found.retain(|diagnostic| {
        let start = diagnostic.span().start;
        let line = unreliable.partition_point(|line| line.end < start);
        unreliable.get(line).is_none_or(|line| line.start > start)
    });
    diagnostics
}

/// The text of a document, built from its tokens: `print(&parse(text).0) == text`.
pub fn print(document: &Document) -> String {
    document.text()
}
