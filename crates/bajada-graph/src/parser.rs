//! From tokens to the tree. A mistake is reported once and what follows it is
//! read as well as it can be: at the next comma, closing bracket or `name:` all
//! is in order again. See `recovery` for how a bracket that is missing or too
//! many is found.

use crate::code::Code;
use crate::diagnostic::{Diagnostic, Sink, Span, visible};
use crate::lexer::{Lexed, is_name};
use crate::limits::{MAX_DEPTH, MAX_TREE_NODES};
use crate::literal::unquote;
use crate::token::{TokenKind, Tokens};
use crate::tree::{NodeId, NodeKind, Tree};

/// The tree of a text, and what was wrong with its form.
pub(crate) struct Parsed {
    pub(crate) tree: Tree,
    /// The graph itself, if there was one.
    pub(crate) root: Option<NodeId>,
    pub(crate) diagnostics: Sink,
}

/// Reads the one value that a graph is.
pub(crate) fn parse_tokens(lexed: &Lexed) -> Parsed {
    let tokens = &lexed.tokens;
    let significant =
        (0..tokens.len()).filter(|token| !tokens.kind(*token).is_trivia()).map(|t| t as u32);
    let mut parser = Parser {
        tokens,
        significant: significant.collect(),
        at: 0,
        tree: Tree::default(),
        diagnostics: Sink::default(),
        open: Vec::new(),
        close_to: usize::MAX,
        silent_end: lexed.swallowed,
        full: false,
        deep: false,
    };
    let root = parser.document();
    Parsed { tree: parser.tree, root, diagnostics: parser.diagnostics }
}

/// A bracket that is open where the parser stands.
pub(crate) struct Open {
    pub(crate) kind: TokenKind,
    pub(crate) token: usize,
}

pub(crate) struct Parser<'t> {
    pub(crate) tokens: &'t Tokens,
    /// The tokens that are not trivia.
    significant: Vec<u32>,
    pub(crate) at: usize,
    tree: Tree,
    diagnostics: Sink,
    pub(crate) open: Vec<Open>,
    /// Brackets above this depth count as closed here: one was found missing.
    pub(crate) close_to: usize,
    /// The end of the text has been explained already.
    pub(crate) silent_end: bool,
    /// The limit of values is reached; the rest is passed over.
    full: bool,
    /// The limit of depth has been reported.
    deep: bool,
}

impl Parser<'_> {
    pub(crate) fn token_at(&self, ahead: usize) -> usize {
        self.significant.get(self.at + ahead).map_or(self.tokens.len(), |token| *token as usize)
    }

    pub(crate) fn peek(&self) -> TokenKind {
        self.peek_at(0)
    }

    pub(crate) fn peek_at(&self, ahead: usize) -> TokenKind {
        self.tokens.kind(self.token_at(ahead))
    }

    pub(crate) fn peek_text(&self) -> &str {
        if self.peek() == TokenKind::End { "" } else { self.tokens.text(self.token_at(0)) }
    }

    /// The token before the one that the parser stands at.
    pub(crate) fn previous(&self) -> Option<usize> {
        let before = self.at.checked_sub(1)?;
        self.significant.get(before).map(|token| *token as usize)
    }

    pub(crate) fn previous_kind(&self) -> TokenKind {
        self.previous().map_or(TokenKind::End, |token| self.tokens.kind(token))
    }

    pub(crate) fn bump(&mut self) -> usize {
        let token = self.token_at(0);
        self.at = (self.at + 1).min(self.significant.len());
        token
    }

    pub(crate) fn here(&self) -> Span {
        self.tokens.span(self.token_at(0))
    }

    /// The empty span right behind the token before.
    pub(crate) fn gap(&self) -> Span {
        let end = self.previous().map_or(0, |token| self.tokens.span(token).end);
        end..end
    }

    /// Reports, unless what stands here has been reported by the lexer.
    pub(crate) fn report(&mut self, diagnostic: Diagnostic) {
        let faulty = TokenKind::Faulty;
        if !self.full && self.peek() != faulty && self.previous_kind() != faulty {
            self.diagnostics.push(diagnostic);
        }
    }

    fn document(&mut self) -> Option<NodeId> {
        let message = "a graph is written in `( .. )`";
        let example = "write `(format: 1, world: .., nodes: {}, outputs: {})`";
        let root = match (self.peek(), self.peek_at(1)) {
            (TokenKind::End, _) => {
                if !self.silent_end {
                    self.diagnostics.push(
                        Diagnostic::error(Code::EMPTY, self.here(), "the text holds no graph")
                            .with_hint(example),
                    );
                }
                return None;
            }
            (TokenKind::OpenParen, _) => self.group(None),
            (TokenKind::Name, TokenKind::OpenParen) => {
                let error = Diagnostic::error(Code::NOT_A_GRAPH, self.here(), message);
                self.report(error.with_hint(format!("delete `{}`", visible(self.peek_text()))));
                self.bump();
                self.group(None)
            }
            (TokenKind::Name, TokenKind::Colon) => {
                let error = Diagnostic::error(Code::NOT_A_GRAPH, self.here(), message);
                self.report(error.with_hint("add `(` before it and `)` at the end"));
                self.bare_entries()
            }
            _ => {
                let error = Diagnostic::error(Code::NOT_A_GRAPH, self.here(), message);
                self.report(error.with_hint(example));
                return None;
            }
        };
        if self.peek() != TokenKind::End && !self.full {
            self.report(
                Diagnostic::error(
                    Code::TRAILING_TEXT,
                    self.here(),
                    "the graph has ended, but the text goes on",
                )
                .with_hint("delete what follows, or the `)` that ended the graph too early"),
            );
        }
        Some(root)
    }

    /// The entries of a graph whose brackets are missing.
    fn bare_entries(&mut self) -> NodeId {
        let node = self.tree.add(NodeKind::Tuple, self.token_at(0));
        let mut last = None;
        while self.peek() != TokenKind::End {
            if self.peek().is_closer() {
                // The closing one may be there.
                self.bump();
                break;
            }
            self.item(node, TokenKind::OpenParen, &mut last);
        }
        self.end_node(node);
        node
    }

    fn end_node(&mut self, node: NodeId) {
        let first = self.tree.node(node).first;
        let last = self.previous().map_or(first, |token| token as u32);
        self.tree.node_mut(node).last = last.max(first);
    }

    /// `(..)`, `[..]` or `{..}`, the parser standing at the bracket.
    fn group(&mut self, name: Option<usize>) -> NodeId {
        let kind = self.peek();
        let node_kind = match kind {
            TokenKind::OpenBracket => NodeKind::List,
            TokenKind::OpenBrace => NodeKind::Map,
            _ => NodeKind::Tuple,
        };
        let node = self.tree.add(node_kind, name.unwrap_or(self.token_at(0)));
        self.tree.node_mut(node).named = name.is_some();
        if self.open.len() >= MAX_DEPTH {
            self.too_deep();
            self.tree.node_mut(node).kind = NodeKind::Faulty;
            self.end_node(node);
            return node;
        }
        let token = self.bump();
        self.open.push(Open { kind, token });
        let mut last = None;
        while !self.at_group_end(kind) {
            self.item(node, kind, &mut last);
        }
        self.open.pop();
        if self.open.len() <= self.close_to {
            self.close_to = usize::MAX;
        }
        self.end_node(node);
        node
    }

    fn too_deep(&mut self) {
        let message = format!("brackets are nested more than {MAX_DEPTH} deep");
        if !std::mem::replace(&mut self.deep, true) {
            self.report(Diagnostic::error(Code::TOO_DEEP, self.here(), message));
        }
        self.skip_group();
        self.silent_end |= self.peek() == TokenKind::End;
    }

    /// Passes over an opening bracket and all up to its closing one, whatever
    /// their kinds.
    fn skip_group(&mut self) {
        let mut depth = 0_usize;
        loop {
            let kind = self.peek();
            if kind == TokenKind::End {
                return;
            }
            self.bump();
            if kind.closer().is_some() {
                depth += 1;
            } else if kind.is_closer() {
                depth = depth.saturating_sub(1);
            }
            if depth == 0 {
                return;
            }
        }
    }

    /// One entry with the comma behind it, or what stands in its place.
    fn item(&mut self, group: NodeId, kind: TokenKind, last: &mut Option<NodeId>) {
        if !self.peek().starts_value() {
            return self.not_an_item();
        }
        if self.tree.len() >= MAX_TREE_NODES {
            return self.too_many_values();
        }
        let entry = self.entry(kind);
        self.tree.link(group, last, entry);
        match self.peek() {
            TokenKind::Comma => {
                self.bump();
            }
            TokenKind::Semicolon => {
                let message = "entries are separated by commas";
                let error = Diagnostic::error(Code::MISSING_COMMA, self.here(), message);
                self.report(error.with_hint("write `,`"));
                self.bump();
            }
            TokenKind::End => {}
            next if next.is_closer() => {}
            next if next.starts_value() => self.missing_comma(kind),
            _ => self.not_an_item(),
        }
    }

    fn missing_comma(&mut self, kind: TokenKind) {
        let after_value = !matches!(
            self.previous_kind(),
            TokenKind::Comma | TokenKind::Colon | TokenKind::Equals
        );
        if after_value && !self.is_bracket_missing(kind) {
            let next = visible(self.peek_text());
            let message = format!("a comma is missing before `{next}`");
            self.report(
                Diagnostic::error(Code::MISSING_COMMA, self.gap(), message).with_hint("add `,`"),
            );
        }
    }

    /// A comma without a value, or something that no entry starts with.
    fn not_an_item(&mut self) {
        if self.peek() == TokenKind::Comma {
            let message = "nothing stands before this comma";
            let error = Diagnostic::error(Code::MISSING_VALUE, self.here(), message);
            self.report(error.with_hint("delete `,`"));
            while self.peek() == TokenKind::Comma {
                self.bump();
            }
        } else {
            let message = format!("`{}` cannot stand here", self.peek().as_str());
            self.report(Diagnostic::error(Code::UNEXPECTED, self.here(), message));
            self.bump();
            self.recover();
        }
    }

    fn too_many_values(&mut self) {
        let message = "the graph holds too many values; the rest is not read";
        self.report(Diagnostic::error(Code::TOO_MANY_VALUES, self.here(), message));
        self.full = true;
        self.silent_end = true;
        self.at = self.significant.len();
    }

    /// Passes over what cannot be read, up to where an entry may start or end.
    fn recover(&mut self) {
        loop {
            match self.peek() {
                TokenKind::End => return,
                kind if kind.is_closer() => return,
                TokenKind::Comma => {
                    self.bump();
                    return;
                }
                TokenKind::Name | TokenKind::String | TokenKind::RawString
                    if self.peek_at(1) == TokenKind::Colon =>
                {
                    return;
                }
                kind if kind.closer().is_some() => self.skip_group(),
                _ => {
                    self.bump();
                }
            }
        }
    }

    fn entry(&mut self, group: TokenKind) -> NodeId {
        let entry = self.tree.add(NodeKind::Entry, self.token_at(0));
        let mut last = None;
        let keyed = match group {
            TokenKind::OpenBrace => true,
            TokenKind::OpenParen => self.is_keyed(),
            _ => false,
        };
        if keyed {
            self.tree.node_mut(entry).named = true;
            let key = self.key(group);
            self.tree.link(entry, &mut last, key);
            let shown = visible(self.tokens.text(self.tree.node(key).first as usize));
            self.colon(&shown);
            let next_key = self.peek() == TokenKind::Name && self.peek_at(1) == TokenKind::Colon;
            if self.peek().starts_value() && !next_key {
                let value = self.value();
                self.tree.link(entry, &mut last, value);
            } else {
                self.missing_value(&shown);
                let value = self.tree.add(NodeKind::Faulty, self.token_at(0));
                self.tree.link(entry, &mut last, value);
            }
        } else {
            let value = self.value();
            self.tree.link(entry, &mut last, value);
        }
        self.end_node(entry);
        entry
    }

    /// Whether the entry of a tuple that starts here has a key.
    fn is_keyed(&self) -> bool {
        let key = self.peek();
        match self.peek_at(1) {
            TokenKind::Colon | TokenKind::Equals => {
                matches!(key, TokenKind::Name | TokenKind::Faulty) || key.is_text()
            }
            // The colon is missing: two values do not follow each other otherwise.
            TokenKind::Number
            | TokenKind::String
            | TokenKind::RawString
            | TokenKind::OpenBracket
            | TokenKind::OpenBrace => key == TokenKind::Name,
            _ => false,
        }
    }

    fn key(&mut self, group: TokenKind) -> NodeId {
        if group == TokenKind::OpenBrace {
            return self.value();
        }
        let mut kind =
            if self.peek() == TokenKind::Name { NodeKind::Name } else { NodeKind::Faulty };
        if self.peek().is_text() {
            let name = unquote(self.peek_text());
            let message = "the name of an argument or a field has no quotes";
            let mut error = Diagnostic::error(Code::BAD_NAME, self.here(), message);
            if is_name(&name) {
                kind = NodeKind::Name;
                error = error.with_hint(format!("write `{}`", visible(&name)));
            }
            self.report(error);
        }
        let token = self.bump();
        self.tree.add(kind, token)
    }

    fn colon(&mut self, key: &str) {
        match self.peek() {
            TokenKind::Colon => {
                self.bump();
            }
            TokenKind::Equals => {
                let message = format!("`{key}` and its value are separated by a colon");
                let error = Diagnostic::error(Code::MISSING_COLON, self.here(), message);
                self.report(error.with_hint("write `:`"));
                self.bump();
            }
            kind if kind.starts_value() => {
                let message = format!("a colon is missing behind `{key}`");
                let error = Diagnostic::error(Code::MISSING_COLON, self.gap(), message);
                self.report(error.with_hint("add `:`"));
            }
            _ => {}
        }
    }

    fn missing_value(&mut self, key: &str) {
        if self.peek() == TokenKind::End && self.silent_end {
            return;
        }
        let message = format!("`{key}` has no value");
        self.report(Diagnostic::error(Code::MISSING_VALUE, self.gap(), message));
    }

    /// A value, the parser standing at what starts one.
    fn value(&mut self) -> NodeId {
        match self.peek() {
            TokenKind::Name | TokenKind::Faulty if self.peek_at(1) == TokenKind::OpenParen => {
                let kind = self.peek();
                let name = self.bump();
                let group = self.group(Some(name));
                if kind == TokenKind::Faulty {
                    self.tree.node_mut(group).kind = NodeKind::Faulty;
                }
                group
            }
            TokenKind::Name => self.leaf(NodeKind::Name),
            TokenKind::Faulty => self.leaf(NodeKind::Faulty),
            kind if kind.closer().is_some() => self.group(None),
            _ => self.leaf(NodeKind::Literal),
        }
    }

    fn leaf(&mut self, kind: NodeKind) -> NodeId {
        let token = self.bump();
        self.tree.add(kind, token)
    }
}
