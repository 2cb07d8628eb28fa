//! Tokens: the whole text in pieces, from which the text can be built again.
//!
//! No copy of the text is kept. A token is a kind; punctuation is its kind, and
//! what can be spelled in more than one way keeps its spelling.

use crate::diagnostic::Span;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    /// A byte order mark at the very start.
    ByteOrderMark,
    Whitespace,
    LineComment,
    BlockComment,
    /// `#![..]`; reported by the lexer, skipped by the parser.
    Attribute,
    /// Characters that mean nothing; reported by the lexer, skipped by the parser.
    Unknown,
    /// A text over the size limit, in one piece.
    Unread,
    /// A name, or `true`, `false`, `None`.
    Name,
    Number,
    /// `"text"`, closed and with known escapes only.
    String,
    /// `r#"text"#`, closed.
    RawString,
    /// `'c'`.
    Char,
    /// Something that stands where a value does and has been reported.
    Faulty,
    OpenParen,
    CloseParen,
    OpenBracket,
    CloseBracket,
    OpenBrace,
    CloseBrace,
    Comma,
    Colon,
    Semicolon,
    Equals,
    /// Behind the last token.
    End,
}

impl TokenKind {
    /// The one spelling of the kind, if it has only one.
    fn spelling(self) -> Option<&'static str> {
        Some(match self {
            Self::OpenParen => "(",
            Self::CloseParen => ")",
            Self::OpenBracket => "[",
            Self::CloseBracket => "]",
            Self::OpenBrace => "{",
            Self::CloseBrace => "}",
            Self::Comma => ",",
            Self::Colon => ":",
            Self::Semicolon => ";",
            Self::Equals => "=",
            Self::ByteOrderMark => "\u{feff}",
            _ => return None,
        })
    }

    /// Whether the parser passes over it.
    pub(crate) fn is_trivia(self) -> bool {
        matches!(
            self,
            Self::ByteOrderMark
                | Self::Whitespace
                | Self::LineComment
                | Self::BlockComment
                | Self::Attribute
                | Self::Unknown
                | Self::Unread
        )
    }

    /// Whether a value can begin with it.
    pub(crate) fn starts_value(self) -> bool {
        self.closer().is_some()
            || matches!(
                self,
                Self::Name
                    | Self::Number
                    | Self::String
                    | Self::RawString
                    | Self::Char
                    | Self::Faulty
            )
    }

    pub(crate) fn is_text(self) -> bool {
        matches!(self, Self::String | Self::RawString)
    }

    /// What closes this opening bracket; nothing for every other token.
    pub(crate) fn closer(self) -> Option<Self> {
        match self {
            Self::OpenParen => Some(Self::CloseParen),
            Self::OpenBracket => Some(Self::CloseBracket),
            Self::OpenBrace => Some(Self::CloseBrace),
            _ => None,
        }
    }

    pub(crate) fn is_closer(self) -> bool {
        matches!(self, Self::CloseParen | Self::CloseBracket | Self::CloseBrace)
    }

    /// The spelling of punctuation, for messages; empty for other tokens.
    pub(crate) fn as_str(self) -> &'static str {
        self.spelling().unwrap_or("")
    }
}

/// Where a token starts, in the text and in the spellings: 12 bytes each, since
/// a text of 8 MiB may be 8 million commas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Token {
    kind: TokenKind,
    start: u32,
    spelling: u32,
}

/// All tokens of a text, in order and without gaps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tokens {
    list: Vec<Token>,
    spellings: String,
    length: usize,
}

impl Tokens {
    /// One token that holds a text over the size limit.
    pub(crate) fn unread(text: &str) -> Self {
        let list = vec![Token { kind: TokenKind::Unread, start: 0, spelling: 0 }];
        Self { list, spellings: text.to_owned(), length: text.len() }
    }

    /// Adds the next token. The text so far is below the size limit, so offsets
    /// fit their 32 bits.
    pub(crate) fn push(&mut self, kind: TokenKind, text: &str) {
        self.list.push(Token {
            kind,
            start: self.length as u32,
            spelling: self.spellings.len() as u32,
        });
        if kind.spelling().is_none() {
            self.spellings.push_str(text);
        }
        self.length += text.len();
    }

    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    pub(crate) fn kind(&self, token: usize) -> TokenKind {
        self.list.get(token).map_or(TokenKind::End, |token| token.kind)
    }

    pub(crate) fn span(&self, token: usize) -> Span {
        let start = |token: usize| self.list.get(token).map_or(self.length, |t| t.start as usize);
        start(token)..start(token + 1)
    }

    pub(crate) fn text(&self, token: usize) -> &str {
        let start = |token: usize| {
            self.list.get(token).map_or(self.spellings.len(), |t| t.spelling as usize)
        };
        match self.kind(token).spelling() {
            Some(spelling) => spelling,
            None => &self.spellings[start(token)..start(token + 1)],
        }
    }

    /// The text again, token by token.
    pub(crate) fn print(&self) -> String {
        let mut text = String::with_capacity(self.length);
        for token in 0..self.list.len() {
            text.push_str(self.text(token));
        }
        text
    }
}
