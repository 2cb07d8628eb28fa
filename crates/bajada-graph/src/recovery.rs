//! Where brackets are missing or too many: read from what follows.
//!
//! - A closing bracket of another kind: if a bracket of its kind is open further
//!   out, those inside it were not closed; if not, it is the wrong kind.
//! - `"name": kind(` inside the arguments of a call belongs to the map outside.
//! - `nodes: {` and `outputs: {` belong to the graph itself.
//! - A closing bracket behind which the entries of this group go on is one too many.

use crate::code::Code;
use crate::diagnostic::{Diagnostic, visible};
use crate::parser::Parser;
use crate::token::TokenKind;

impl Parser<'_> {
    /// Whether the innermost group ends here; takes its closing bracket if there
    /// is one.
    pub(crate) fn at_group_end(&mut self, kind: TokenKind) -> bool {
        if self.open.len() > self.close_to {
            return true;
        }
        let next = self.peek();
        if next == TokenKind::End {
            self.unclosed(0);
            return true;
        }
        if Some(next) == kind.closer() {
            let goes_on = self.open.len() == 1 && self.entries_go_on(kind);
            if goes_on {
                self.stray_closer();
            } else {
                self.bump();
            }
            return !goes_on;
        }
        if next.is_closer() {
            return self.at_other_closer(kind, next);
        }
        if self.is_bracket_missing(kind) {
            let depth = self.depth_of_entry(kind);
            self.unclosed(depth);
            return true;
        }
        false
    }

    /// Whether the entry that starts here belongs to a group further out.
    pub(crate) fn is_bracket_missing(&self, kind: TokenKind) -> bool {
        self.depth_of_entry(kind) < self.open.len()
    }

    /// How many brackets are open around the group that the next entry belongs to.
    fn depth_of_entry(&self, kind: TokenKind) -> usize {
        let all = self.open.len();
        if self.peek_at(1) != TokenKind::Colon {
            return all;
        }
        let starts = |a, b| self.peek_at(2) == a && self.peek_at(3) == b;
        let section = matches!(self.peek_text(), "nodes" | "outputs");
        if section && self.peek_at(2) == TokenKind::OpenBrace && all > 1 {
            return 1;
        }
        // Right behind the bracket it is an argument in quotes by mistake.
        let is_first = self.previous() == self.open.last().map(|open| open.token);
        if kind == TokenKind::OpenParen
            && !is_first
            && self.peek().is_text()
            && starts(TokenKind::Name, TokenKind::OpenParen)
        {
            let map = self.open.iter().rposition(|open| open.kind == TokenKind::OpenBrace);
            return map.map_or(all, |map| map + 1);
        }
        all
    }

    fn at_other_closer(&mut self, kind: TokenKind, next: TokenKind) -> bool {
        if self.entries_go_on(kind) {
            self.stray_closer();
            return false;
        }
        let outer = self.open.iter().rposition(|open| open.kind.closer() == Some(next));
        if let Some(outer) = outer {
            self.unclosed(outer + 1);
            return true;
        }
        let expected = kind.closer().map_or("", TokenKind::as_str);
        let message = format!("`{}` is closed by `{}`", kind.as_str(), next.as_str());
        let mut error = Diagnostic::error(Code::WRONG_BRACKET, self.here(), message);
        if let Some(open) = self.open.last() {
            error = error.with_label(self.tokens.span(open.token), "opened here");
        }
        self.report(error.with_hint(format!("write `{expected}`")));
        self.bump();
        true
    }

    /// Whether a comma and another entry of this kind of group follow the
    /// closing bracket that the parser stands at.
    fn entries_go_on(&self, kind: TokenKind) -> bool {
        let key = self.peek_at(2);
        let fits = match kind {
            TokenKind::OpenBrace => key.is_text(),
            TokenKind::OpenParen => key == TokenKind::Name && self.open.len() == 1,
            _ => false,
        };
        fits && self.peek_at(1) == TokenKind::Comma && self.peek_at(3) == TokenKind::Colon
    }

    fn stray_closer(&mut self) {
        let bracket = self.peek().as_str();
        let message = format!("this `{bracket}` is one too many");
        let error = Diagnostic::error(Code::STRAY_BRACKET, self.here(), message);
        self.report(error.with_hint(format!("delete `{bracket}`")));
        self.bump();
        if self.peek() == TokenKind::Comma {
            self.bump();
        }
    }

    /// The brackets from `depth` on are not closed: they end here.
    fn unclosed(&mut self, depth: usize) {
        self.close_to = depth;
        if self.silent_end && self.peek() == TokenKind::End {
            return;
        }
        let missing = &self.open[depth.min(self.open.len())..];
        let closers: String = missing
            .iter()
            .rev()
            .filter_map(|open| open.kind.closer())
            .map(|c| c.as_str())
            .collect();
        let Some(outermost) = missing.first() else { return };
        let message = match (missing.len(), self.peek()) {
            (1, TokenKind::End) => {
                format!("the text ends before `{}` is closed", outermost.kind.as_str())
            }
            (count, TokenKind::End) => format!("the text ends before {count} brackets are closed"),
            (1, _) => {
                let next = visible(self.peek_text());
                format!("`{}` is not closed before `{next}`", outermost.kind.as_str())
            }
            (count, _) => {
                format!("{count} brackets are not closed before `{}`", visible(self.peek_text()))
            }
        };
        let mut error = Diagnostic::error(Code::UNCLOSED_BRACKET, self.gap(), message);
        for open in missing.iter().take(3) {
            error = error.with_label(self.tokens.span(open.token), "opened here");
        }
        self.report(error.with_hint(format!("add `{closers}`")));
    }
}
