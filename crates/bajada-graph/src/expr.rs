//! The values that arguments have, as the grammar knows them: a number, a link,
//! a choice, a file. Which of them an argument may be is the plan's question.

use crate::diagnostic::{Span, Spanned};
pub use crate::literal::Number;

/// A value as it was written.
#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    /// `33`, `-0.5`
    Number(Number),
    /// `"rain"`, `"rain.deposition"`: every string that is not wrapped in a call.
    Link(Link),
    /// `Ridged`: a bare name is a choice.
    Name(String),
    /// `true`, `false`
    Bool(bool),
    /// `file("a.tif")`
    File(Spanned<String>),
    /// `(10, 20)`
    Tuple(Vec<Spanned<Expr>>),
    /// `(width: 10, height: 20)`
    Struct(Vec<Argument>),
    /// `[1, 2]`
    List(Vec<Spanned<Expr>>),
    /// `{ 0: 1 }`
    Map(Vec<(Spanned<Expr>, Spanned<Expr>)>),
    /// `name(..)`, when it is not `file`.
    Call {
        /// What is called.
        name: Spanned<String>,
        /// What it is given.
        arguments: Vec<CallArgument>,
    },
    /// A string that is no link: the key of a map, or what a call wraps.
    Text(String),
    /// `'c'`
    Char(char),
    /// `()`
    Unit,
    /// What could not be read and has been reported: check no further.
    Error,
}

impl Expr {
    /// What the value is, for a sentence such as "takes a number, not a link".
    pub fn describe(&self) -> &'static str {
        match self {
            Self::Number(_) => "a number",
            Self::Link(_) => "a link",
            Self::Name(_) => "a choice",
            Self::Bool(_) => "true or false",
            Self::File(_) => "a file",
            Self::Tuple(_) => "a tuple",
            Self::Struct(_) => "a group of fields",
            Self::List(_) => "a list",
            Self::Map(_) => "a map",
            Self::Call { .. } => "a call",
            Self::Text(_) => "a text",
            Self::Char(_) => "a character",
            Self::Unit => "an empty tuple",
            Self::Error => "something unreadable",
        }
    }
}

/// A link to an output of a node.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    /// The node; the span lies inside the quotes.
    pub node: Spanned<String>,
    /// The output; the node's first one if nothing is named.
    pub port: Option<Spanned<String>>,
}

/// `name: value`
#[derive(Clone, Debug, PartialEq)]
pub struct Argument {
    /// Which argument.
    pub name: Spanned<String>,
    /// Its value.
    pub value: Spanned<Expr>,
}

impl Argument {
    /// The whole of `name: value`.
    pub fn span(&self) -> Span {
        self.name.span.start..self.value.span.end
    }
}

/// An argument of a call inside an argument, which may do without a name.
#[derive(Clone, Debug, PartialEq)]
pub struct CallArgument {
    /// Which argument, if it is named.
    pub name: Option<Spanned<String>>,
    /// Its value.
    pub value: Spanned<Expr>,
}
