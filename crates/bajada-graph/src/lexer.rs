//! From text to tokens, in one pass that cannot fail: every byte ends up in a
//! token, and what cannot be read is reported here, once.
//!
//! The words are those of RON (comments, white space, literals, raw names), with
//! one rule added: a string in plain quotes ends on its line, so that a lost
//! quote costs one line and not the rest of the text.

use crate::code::Code;
use crate::diagnostic::{Diagnostic, Sink, Span, visible};
use crate::literal::{NumberFault, Piece, read_escape, read_number};
use crate::position::BOM;
use crate::token::{TokenKind, Tokens};

/// What the lexer found.
pub(crate) struct Lexed {
    pub(crate) tokens: Tokens,
    pub(crate) diagnostics: Sink,
    /// Something that is not closed took the rest of the text with it.
    pub(crate) swallowed: bool,
    /// Lines with an unclosed string, in order: what else looks wrong on them
    /// follows from it.
    pub(crate) unreliable: Vec<Span>,
}

/// Cuts a text into tokens.
pub(crate) fn lex(text: &str) -> Lexed {
    let lexed = Lexed {
        tokens: Tokens::default(),
        diagnostics: Sink::default(),
        swallowed: false,
        unreliable: Vec::new(),
    };
    let mut lexer = Lexer { text, at: 0, lexed };
    if text.starts_with(BOM) {
        lexer.token(TokenKind::ByteOrderMark, BOM.len_utf8());
    }
    while let Some(c) = lexer.rest().chars().next() {
        lexer.next(c);
    }
    lexer.lexed
}

struct Lexer<'t> {
    text: &'t str,
    at: usize,
    lexed: Lexed,
}

impl<'t> Lexer<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn token(&mut self, kind: TokenKind, length: usize) {
        self.lexed.tokens.push(kind, &self.rest()[..length]);
        self.at += length;
    }

    /// The span of the next `length` bytes.
    fn ahead(&self, length: usize) -> Span {
        self.at..self.at + length
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        self.lexed.diagnostics.push(diagnostic);
    }

    /// How many bytes from here on belong to the line.
    fn line_length(&self) -> usize {
        self.rest().find('\n').unwrap_or(self.rest().len())
    }

    fn next(&mut self, c: char) {
        let rest = self.rest();
        let punctuation = match c {
            '(' => TokenKind::OpenParen,
            ')' => TokenKind::CloseParen,
            '[' => TokenKind::OpenBracket,
            ']' => TokenKind::CloseBracket,
            '{' => TokenKind::OpenBrace,
            '}' => TokenKind::CloseBrace,
            ',' => TokenKind::Comma,
            ':' => TokenKind::Colon,
            ';' => TokenKind::Semicolon,
            '=' => TokenKind::Equals,
            _ => TokenKind::Unknown,
        };
        match c {
            _ if punctuation != TokenKind::Unknown => self.token(punctuation, 1),
            _ if is_whitespace(c) => {
                self.token(TokenKind::Whitespace, run_length(rest, is_whitespace));
            }
            '/' if rest.starts_with("//") => {
                self.token(TokenKind::LineComment, self.line_length());
            }
            '/' if rest.starts_with("/*") => self.block_comment(),
            '"' => self.string(),
            '\'' => self.quoted('\'', 1),
            '“' | '”' | '„' => self.quoted('”', c.len_utf8()),
            '#' if self.is_attribute() => self.attribute(),
            'r' | 'b' if is_prefixed(rest) => self.prefixed(),
            '0'..='9' | '+' | '-' | '.' => self.number(),
            _ if is_name_start(c) => self.name(),
            _ => self.unknown(),
        }
    }

    fn block_comment(&mut self) {
        let bytes = self.rest().as_bytes();
        let mut depth = 0_usize;
        let mut at = 0;
        while at < bytes.len() {
            match bytes.get(at..at + 2) {
                Some(b"/*") => {
                    depth += 1;
                    at += 2;
                }
                Some(b"*/") => {
                    depth -= 1;
                    at += 2;
                }
                _ => at += 1,
            }
            if depth == 0 {
                return self.token(TokenKind::BlockComment, at);
            }
        }
        self.swallow(
            TokenKind::BlockComment,
            Diagnostic::error(Code::UNCLOSED_COMMENT, self.ahead(2), "this comment is not closed")
                .with_hint("add `*/`"),
        );
    }

    /// Takes the rest of the text as one token.
    fn swallow(&mut self, kind: TokenKind, diagnostic: Diagnostic) {
        self.report(diagnostic);
        self.lexed.swallowed = true;
        self.token(kind, self.rest().len());
    }

    fn string(&mut self) {
        let rest = self.rest();
        let mut fault = None;
        let mut at = 1;
        while let Some(c) = rest[at..].chars().next() {
            match c {
                '"' => {
                    let length = at + 1;
                    return match fault {
                        None => self.token(TokenKind::String, length),
                        Some(span) => self.bad_escape(span, length),
                    };
                }
                '\n' => break,
                '\\' => {
                    let (piece, taken) = read_escape(&rest[at..]);
                    if matches!(piece, Piece::Unknown) {
                        fault = fault.or(Some(self.at + at..self.at + at + taken));
                    }
                    at += taken;
                }
                _ => at += c.len_utf8(),
            }
        }
        self.unclosed_string(1);
    }

    fn bad_escape(&mut self, span: Span, length: usize) {
        let escape = visible(&self.text[span.clone()]);
        let message = format!("`{escape}` has no meaning in a string");
        self.report(
            Diagnostic::error(Code::BAD_ESCAPE, span, message)
                .with_hint("write `\\\\` for one backslash, or `/` between folders"),
        );
        self.token(TokenKind::Faulty, length);
    }

    /// A string whose closing quote is not on its line; `quote` is the length of
    /// the opening one.
    fn unclosed_string(&mut self, quote: usize) {
        let line = self.line_length();
        let length = quote + string_end(&self.rest()[quote..line.max(quote)]);
        let line_start = self.text[..self.at].rfind('\n').map_or(0, |at| at + 1);
        self.lexed.unreliable.push(line_start..self.at + line);
        self.report(
            Diagnostic::error(
                Code::UNCLOSED_STRING,
                self.ahead(quote),
                "this string is not closed on its line",
            )
            .with_hint("add `\"`"),
        );
        self.token(TokenKind::Faulty, length);
    }

    /// `'c'`, and text in quotes that RON does not have for it: `'text'`, `“text”`.
    fn quoted(&mut self, closing: char, quote: usize) {
        let rest = self.rest();
        if let Some(length) = char_length(rest) {
            return self.token(TokenKind::Char, length);
        }
        let closes = |c: char| c == closing || closing != '\'' && matches!(c, '“' | '"');
        let Some((length, closer)) = self.find_in_line(quote, closes) else {
            return self.unclosed_string(quote);
        };
        let text = visible(&rest[quote..length]);
        let length = length + closer.len_utf8();
        self.report(
            Diagnostic::error(
                Code::BAD_QUOTES,
                self.ahead(length),
                "text is written in double quotes",
            )
            .with_hint(format!("write `\"{text}\"`")),
        );
        self.token(TokenKind::Faulty, length);
    }

    /// The first such character from here plus `skip` on, if it is on this line,
    /// and how far away it is. Looks no further than it, nor than the line.
    fn find_in_line(&self, skip: usize, wanted: impl Fn(char) -> bool) -> Option<(usize, char)> {
        let (at, c) = self.rest()[skip..].char_indices().find(|(_, c)| *c == '\n' || wanted(*c))?;
        (c != '\n').then_some((skip + at, c))
    }

    /// Raw strings, raw names and byte strings.
    fn prefixed(&mut self) {
        let rest = self.rest();
        let bytes = rest.starts_with('b');
        let prefix = if rest.starts_with("br") { 2 } else { 1 };
        let hashes = run_length(&rest[prefix..], |c| c == '#');
        let raw = !bytes || prefix == 2;
        match rest[prefix + hashes..].chars().next() {
            Some('"') if raw => {
                let closing = format!("\"{}", &rest[prefix..prefix + hashes]);
                let opening = prefix + hashes + 1;
                match rest[opening..].find(&closing) {
                    Some(inside) if bytes => self.byte_string(opening + inside + closing.len()),
                    Some(inside) => {
                        self.token(TokenKind::RawString, opening + inside + closing.len());
                    }
                    None => self.swallow(
                        TokenKind::Faulty,
                        Diagnostic::error(
                            Code::UNCLOSED_STRING,
                            self.ahead(opening),
                            "this raw string is not closed",
                        )
                        .with_hint(format!("add `{closing}`")),
                    ),
                }
            }
            Some(quote @ ('"' | '\'')) => match self.find_in_line(2, |c| c == quote) {
                Some((inside, _)) => self.byte_string(inside + 1),
                None => self.unclosed_string(2),
            },
            Some(c) if !bytes && hashes == 1 && is_name_start(c) => {
                let length = 2 + run_length(&rest[2..], is_raw_name_char);
                self.finish_name(length, &rest[2..length]);
            }
            _ => self.bad_name(prefix + hashes, None),
        }
    }

    fn byte_string(&mut self, length: usize) {
        self.report(
            Diagnostic::error(
                Code::BYTE_STRING,
                self.ahead(length),
                "byte strings have no use in a graph",
            )
            .with_hint("write text as `\"text\"`"),
        );
        self.token(TokenKind::Faulty, length);
    }

    /// `#![..]`: it changes how RON is read, so it is not passed over in silence.
    fn attribute(&mut self) {
        let line = &self.rest()[..self.line_length()];
        let length = line.find(']').map_or(line.len(), |at| at + 1);
        self.report(Diagnostic::error(
            Code::ATTRIBUTE,
            self.ahead(length),
            "RON attributes and extensions are not part of the graph text; delete this",
        ));
        self.token(TokenKind::Attribute, length);
    }

    fn is_attribute(&self) -> bool {
        self.rest()[1..].trim_start_matches([' ', '\t']).starts_with('!')
    }

    fn number(&mut self) {
        let length = run_length(self.rest(), is_raw_name_char);
        let text = &self.rest()[..length];
        match read_number(text) {
            Ok(_) => self.token(TokenKind::Number, length),
            Err(fault) => self.bad_number(fault, length),
        }
    }

    fn bad_number(&mut self, fault: NumberFault, length: usize) {
        let span = self.ahead(length);
        let text = visible(&self.rest()[..length]);
        self.report(match fault {
            NumberFault::Malformed => {
                let message = format!("`{text}` is not a number");
                Diagnostic::error(Code::BAD_NUMBER, span, message)
                    .with_hint("numbers look like `12`, `-0.5`, `1e-3` or `12_000`")
            }
            NumberFault::NotFinite => Diagnostic::error(
                Code::NOT_A_NUMBER,
                span,
                format!("`{text}` is not a finite number"),
            )
            .with_hint("write a number such as `0`"),
            NumberFault::TooLarge => {
                let message = format!("`{text}` is too large to be held");
                Diagnostic::error(Code::NUMBER_TOO_LARGE, span, message)
                    .with_hint("the largest number is about `1.7e308`")
            }
        });
        self.token(TokenKind::Faulty, length);
    }

    fn name(&mut self) {
        let length = run_length(self.rest(), is_raw_name_char);
        let text = &self.rest()[..length];
        if text == "NaN" || text == "inf" {
            return self.bad_number(NumberFault::NotFinite, length);
        }
        self.finish_name(length, text);
    }

    /// A name of `length` bytes that spells `text`.
    fn finish_name(&mut self, length: usize, text: &str) {
        let raw = self.rest().starts_with("r#");
        if is_name(text) || raw && text.is_ascii() {
            return self.token(TokenKind::Name, length);
        }
        // `rain.deposition` was meant as a link.
        let link =
            !text.contains(['+', '-']) && text.split('.').filter(|s| !s.is_empty()).count() == 2;
        self.bad_name(length, link.then_some(text));
    }

    fn bad_name(&mut self, length: usize, link: Option<&str>) {
        let text = visible(&self.rest()[..length]);
        let message =
            format!("`{text}` is not a name: names have the letters a-z, digits and `_` only");
        let diagnostic = Diagnostic::error(Code::BAD_NAME, self.ahead(length), message);
        self.report(match link {
            Some(link) => diagnostic.with_hint(format!("write a link as `\"{}\"`", visible(link))),
            None => diagnostic,
        });
        self.token(TokenKind::Faulty, length);
    }

    fn unknown(&mut self) {
        let length = run_length(self.rest(), is_unknown).max(self.first_length());
        let text = visible(&self.rest()[..length]);
        let message = format!("`{text}` has no meaning in a graph");
        self.report(Diagnostic::error(Code::UNKNOWN_CHARACTER, self.ahead(length), message));
        self.token(TokenKind::Unknown, length);
    }

    fn first_length(&self) -> usize {
        self.rest().chars().next().map_or(0, char::len_utf8)
    }
}

/// Where an unclosed string probably ended: before a comment, before a comma at
/// the end of the line, and before brackets that it does not open itself.
fn string_end(line: &str) -> usize {
    let line = line.trim_end();
    let line = line.find(" //").map_or(line, |at| &line[..at]).trim_end();
    let mut depth = 0_usize;
    let mut closing_run = None;
    for (at, c) in line.char_indices() {
        let closes = matches!(c, ')' | ']' | '}');
        if closes && depth == 0 || closing_run.is_some() && (closes || matches!(c, ',' | ' ')) {
            closing_run = closing_run.or(Some(at));
            continue;
        }
        closing_run = None;
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
    }
    closing_run.unwrap_or_else(|| line.trim_end_matches(',').len())
}

/// The length of the character literal that the text starts with.
fn char_length(text: &str) -> Option<usize> {
    let inside = text.strip_prefix('\'')?;
    let length = match inside.chars().next()? {
        '\\' => match read_escape(inside) {
            (Piece::Char(_), taken) => taken,
            _ => return None,
        },
        '\n' => return None,
        c => c.len_utf8(),
    };
    inside[length..].starts_with('\'').then_some(length + 2)
}

fn run_length(text: &str, belongs: impl Fn(char) -> bool) -> usize {
    text.find(|c| !belongs(c)).unwrap_or(text.len())
}

/// The white space of RON.
fn is_whitespace(c: char) -> bool {
    matches!(
        c,
        ' ' | '\t'
            | '\n'
            | '\r'
            | '\u{b}'
            | '\u{c}'
            | '\u{85}'
            | '\u{200e}'
            | '\u{200f}'
            | '\u{2028}'
            | '\u{2029}'
    )
}

/// Whether the whole text is a name.
pub(crate) fn is_name(text: &str) -> bool {
    !text.is_empty()
        && !text.starts_with(|c: char| c.is_ascii_digit())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

fn is_name_start(c: char) -> bool {
    c == '_' || c.is_alphabetic()
}

/// What a word runs on over: more than names have, so that `rain.deposition`
/// and `33-deg` are one mistake and not three.
fn is_raw_name_char(c: char) -> bool {
    matches!(c, '_' | '.' | '+' | '-') || c.is_alphanumeric()
}

/// Raw strings, raw names, byte strings and bytes.
fn is_prefixed(rest: &str) -> bool {
    ["r\"", "r#", "b\"", "b'", "br\"", "br#"].iter().any(|prefix| rest.starts_with(prefix))
}

fn is_unknown(c: char) -> bool {
    !(is_whitespace(c)
        || is_raw_name_char(c)
        || matches!(c, '(' | ')' | '[' | ']' | '{' | '}' | ',' | ':' | ';' | '=')
        || matches!(c, '/' | '"' | '\'' | '#' | '“' | '”' | '„'))
}
