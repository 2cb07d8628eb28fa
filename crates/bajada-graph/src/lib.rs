//! The graph document: text in, every byte kept, diagnostics out.
//!
//! [`parse`] reads the text of a graph into a [`Document`] and a list of
//! [`Diagnostic`]s, all of them at once; [`print()`] writes the text again, byte
//! for byte; [`render()`] shows diagnostics to a person and
//! [`diagnostics_to_json`] to a machine. The text is RON as the `ron` crate
//! reads it: what is accepted here without a diagnostic, `ron` accepts too.
//!
//! **Invariants.** It never fails and never panics, whatever the text. It knows
//! no node kind, touches no file, and has no opinion on values. The stack that
//! it takes does not grow with the text, the time grows in proportion.

mod code;
mod decode;
mod decode_value;
mod diagnostic;
mod document;
mod expr;
mod json;
mod lexer;
mod limits;
mod literal;
mod parser;
mod position;
mod recovery;
mod render;
mod suggest;
mod token;
mod tree;

pub use code::{CODES, Code};
pub use diagnostic::{Diagnostic, Label, Severity, Span, Spanned, visible};
pub use document::{Document, FORMAT, NodeDecl, WorldDecl, parse, print};
pub use expr::{Argument, CallArgument, Expr, Link, Number};
pub use json::{DiagnosticJson, LabelJson, diagnostics_to_json};
pub use limits::{MAX_DEPTH, MAX_NODES, MAX_TEXT_BYTES};
pub use position::{Position, position};
pub use render::{RenderStyle, render};
pub use suggest::nearest;
