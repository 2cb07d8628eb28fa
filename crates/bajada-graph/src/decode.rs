//! From the tree to the document: the keys of a graph, its nodes and outputs.
//! Everything that can be understood is, so that the plan can check the rest.

use indexmap::IndexMap;

use crate::code::Code;
use crate::diagnostic::{Diagnostic, Sink, Span, Spanned, visible};
use crate::document::{Document, FORMAT, NodeDecl};
use crate::expr::Expr;
use crate::limits::MAX_NODES;
use crate::literal::{content, unquote};
use crate::parser::Parsed;
use crate::suggest::nearest;
use crate::token::{TokenKind, Tokens};
use crate::tree::{NodeId, NodeKind, Tree};

/// The keys of a graph.
const KEYS: [&str; 8] =
    ["format", "seed", "world", "uses", "parameters", "nodes", "outputs", "asserts"];

/// Reads the document off the tree. Where `swallowed`, the end of the text was
/// not read, and nothing is reported as missing.
pub(crate) fn decode(tokens: &Tokens, parsed: &Parsed, swallowed: bool) -> (Document, Sink) {
    let mut decoder =
        Decoder { tokens, tree: &parsed.tree, diagnostics: Sink::default(), count: 0 };
    let mut document = Document::default();
    if let Some(root) = parsed.root {
        decoder.graph(root, &mut document, swallowed);
    }
    (document, decoder.diagnostics)
}

pub(crate) struct Decoder<'t> {
    pub(crate) tokens: &'t Tokens,
    pub(crate) tree: &'t Tree,
    diagnostics: Sink,
    /// Nodes and outputs so far.
    count: usize,
}

/// An entry of a group, taken apart.
#[derive(Clone, Copy)]
pub(crate) struct Entry {
    pub(crate) key: Option<NodeId>,
    pub(crate) value: NodeId,
}

/// Where each name was first seen, to find the second.
#[derive(Default)]
pub(crate) struct Seen(IndexMap<String, Span>);

impl<'t> Decoder<'t> {
    pub(crate) fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    pub(crate) fn kind(&self, id: NodeId) -> NodeKind {
        self.tree.node(id).kind
    }

    pub(crate) fn span(&self, id: NodeId) -> Span {
        let node = self.tree.node(id);
        let first = self.tokens.span(node.first as usize);
        first.start..self.tokens.span(node.last as usize).end
    }

    pub(crate) fn first_kind(&self, id: NodeId) -> TokenKind {
        self.tokens.kind(self.tree.node(id).first as usize)
    }

    pub(crate) fn first_text(&self, id: NodeId) -> &'t str {
        self.tokens.text(self.tree.node(id).first as usize)
    }

    pub(crate) fn first_span(&self, id: NodeId) -> Span {
        self.tokens.span(self.tree.node(id).first as usize)
    }

    pub(crate) fn entries(&self, group: NodeId) -> impl Iterator<Item = Entry> + 't {
        let tree = self.tree;
        tree.children(group).filter_map(move |entry| {
            let mut children = tree.children(entry);
            let first = children.next()?;
            Some(match children.next() {
                Some(value) => Entry { key: Some(first), value },
                None => Entry { key: None, value: first },
            })
        })
    }

    /// A name, without the `r#` of a raw one and without quotes that should not
    /// be there.
    pub(crate) fn name(&self, id: NodeId) -> Spanned<String> {
        let text = self.first_text(id);
        let text = match self.first_kind(id) {
            kind if kind.is_text() => unquote(text),
            _ => text.strip_prefix("r#").unwrap_or(text).to_owned(),
        };
        Spanned::new(text, self.first_span(id))
    }

    pub(crate) fn is_text(&self, id: NodeId) -> bool {
        self.kind(id) == NodeKind::Literal && self.first_kind(id).is_text()
    }

    /// What a string says; the span includes the quotes.
    pub(crate) fn text(&self, id: NodeId) -> Spanned<String> {
        Spanned::new(unquote(self.first_text(id)), self.first_span(id))
    }

    /// What a string says; the span lies inside the quotes.
    pub(crate) fn inner_text(&self, id: NodeId) -> Spanned<String> {
        let span = self.first_span(id);
        let inner = content(self.first_text(id));
        let inner = span.start + inner.start..span.start + inner.end;
        Spanned::new(unquote(self.first_text(id)), inner)
    }

    /// Whether the name is new; reports it if not.
    pub(crate) fn is_new(&mut self, seen: &mut Seen, what: &str, name: &Spanned<String>) -> bool {
        let Some(first) = seen.0.get(&name.value) else {
            seen.0.insert(name.value.clone(), name.span.clone());
            return true;
        };
        let message = format!("{what} `{}` is defined twice", visible(&name.value));
        let diagnostic = Diagnostic::error(Code::DUPLICATE, name.span.clone(), message)
            .with_text("second definition")
            .with_label(first.clone(), "first definition");
        self.report(diagnostic);
        false
    }

    fn graph(&mut self, root: NodeId, document: &mut Document, swallowed: bool) {
        if self.kind(root) != NodeKind::Tuple {
            return;
        }
        let mut fields = Vec::new();
        let mut seen = Seen::default();
        for entry in self.entries(root) {
            match entry.key {
                None if self.kind(entry.value) == NodeKind::Faulty => {}
                None => {
                    let message = "what stands directly in a graph has a key";
                    let span = self.span(entry.value);
                    let error = Diagnostic::error(Code::UNKNOWN_KEY, span, message);
                    self.report(error.with_hint("add `nodes:`, or another key, before it"));
                }
                Some(key) if self.kind(key) != NodeKind::Name => {}
                Some(key) => {
                    let name = self.name(key);
                    if self.is_new(&mut seen, "the key", &name) {
                        fields.push((name, entry.value));
                    }
                }
            }
        }
        if self.is_format_unsupported(&fields, document) {
            return;
        }
        if document.format.is_none() && !seen.0.contains_key("format") && !swallowed {
            let open = self.first_span(root);
            let message = "the graph does not say which format it has";
            self.report(
                Diagnostic::error(Code::FORMAT_MISSING, open, message)
                    .with_hint(format!("add `format: {FORMAT},` behind the first `(`")),
            );
        }
        for (name, value) in fields {
            self.field(&name, value, document);
        }
    }

    /// Reads the format first: of a graph in another one nothing else is said.
    fn is_format_unsupported(
        &mut self,
        fields: &[(Spanned<String>, NodeId)],
        document: &mut Document,
    ) -> bool {
        let Some((name, value)) = fields.iter().find(|(name, _)| name.value == "format") else {
            return false;
        };
        let hint = format!("format: {FORMAT}");
        document.format = self.integer(&name.value, *value, &hint);
        let Some(format) = document.format.as_ref().filter(|format| format.value != FORMAT) else {
            return false;
        };
        let message = if format.value > FORMAT {
            format!(
                "the graph has format {}; bajada {} reads format {FORMAT}",
                format.value,
                env!("CARGO_PKG_VERSION")
            )
        } else {
            format!("there is no format {}; bajada reads format {FORMAT}", format.value)
        };
        let hint = if format.value > FORMAT {
            "open it with a newer bajada".to_owned()
        } else {
            format!("write `format: {FORMAT}`")
        };
        let error = Diagnostic::error(Code::FORMAT_UNSUPPORTED, format.span.clone(), message);
        self.report(error.with_hint(hint));
        true
    }

    fn field(&mut self, name: &Spanned<String>, value: NodeId, document: &mut Document) {
        match name.value.as_str() {
            "format" => {}
            "seed" => document.seed = self.integer(&name.value, value, "seed: 7"),
            "world" => document.world = self.world(value),
            "nodes" => document.nodes = self.declarations("nodes", value),
            "outputs" => document.outputs = self.declarations("outputs", value),
            key @ ("uses" | "parameters" | "asserts") => {
                let message = format!("`{key}` is not supported yet");
                let error = Diagnostic::error(Code::NOT_YET, name.span.clone(), message);
                self.report(error.with_hint("delete it; a later version will read it"));
            }
            key => {
                let message = format!("`{}` is not a key of a graph", visible(key));
                let error = Diagnostic::error(Code::UNKNOWN_KEY, name.span.clone(), message)
                    .with_hint("the keys are `format`, `seed`, `world`, `nodes`, `outputs`");
                self.report(error.did_you_mean(&nearest(key, KEYS)));
            }
        }
    }

    /// A whole number that fits, or a report.
    fn integer<T: TryFrom<i128>>(
        &mut self,
        key: &str,
        value: NodeId,
        example: &str,
    ) -> Option<Spanned<T>> {
        let expr = self.expr(value);
        let fits = match &expr.value {
            Expr::Number(number) => number.integer.and_then(|integer| T::try_from(integer).ok()),
            Expr::Error => return None,
            _ => None,
        };
        if fits.is_none() {
            self.wrong_shape(key, "a whole number, 0 or above", expr.span.clone(), example);
        }
        Some(Spanned::new(fits?, expr.span))
    }

    pub(crate) fn wrong_shape(&mut self, key: &str, shape: &str, span: Span, example: &str) {
        let message = format!("`{key}` takes {shape}");
        let error = Diagnostic::error(Code::WRONG_SHAPE, span, message);
        self.report(error.with_hint(format!("write `{example}`")));
    }

    fn declarations(&mut self, section: &str, group: NodeId) -> Vec<NodeDecl> {
        let mut declarations = Vec::new();
        if self.kind(group) != NodeKind::Map {
            if self.kind(group) != NodeKind::Faulty {
                let example = format!("{section}: {{ \"name\": kind() }}");
                let span = self.span(group);
                self.wrong_shape(section, "a map in `{ .. }`", span, &example);
            }
            return declarations;
        }
        let mut seen = Seen::default();
        for entry in self.entries(group) {
            let Some(key) = entry.key else { continue };
            if self.count == MAX_NODES {
                let message = format!("a graph has at most {MAX_NODES} nodes and outputs");
                let span = self.span(key);
                self.report(Diagnostic::error(Code::TOO_MANY_NODES, span, message));
            }
            self.count += 1;
            if self.count > MAX_NODES {
                break;
            }
            let what = if section == "nodes" { "the node" } else { "the output" };
            let Some(name) = self.declared_name(key, section == "nodes") else { continue };
            let is_new = self.is_new(&mut seen, what, &name);
            let declaration = self.declaration(name, entry.value, what);
            if is_new {
                declarations.extend(declaration);
            }
        }
        declarations
    }

    fn declared_name(&mut self, key: NodeId, is_node: bool) -> Option<Spanned<String>> {
        match self.kind(key) {
            _ if self.is_text(key) => {
                let name = self.text(key);
                if is_node {
                    self.check_node_name(&name);
                }
                Some(name)
            }
            NodeKind::Faulty => None,
            kind => {
                let message = "the name of a node is text in quotes";
                let span = self.span(key);
                let error = Diagnostic::error(Code::KEY_NOT_TEXT, span, message);
                let name = self.name(key);
                self.report(error.with_hint(format!("write `\"{}\"`", visible(&name.value))));
                (kind == NodeKind::Name).then_some(name)
            }
        }
    }

    fn check_node_name(&mut self, name: &Spanned<String>) {
        if let Some(fault) = node_name_fault(&name.value) {
            let message = format!("the node's name {fault}");
            let mut error = Diagnostic::error(Code::BAD_NODE_NAME, name.span.clone(), message);
            let mended: String = name
                .value
                .trim()
                .chars()
                .map(|c| if matches!(c, '.' | '/' | '"') || c.is_control() { '_' } else { c })
                .collect();
            if !mended.is_empty() {
                error = error.with_hint(format!("write `\"{}\"`", visible(&mended)));
            }
            self.report(error);
        }
    }

    fn declaration(
        &mut self,
        name: Spanned<String>,
        value: NodeId,
        what: &str,
    ) -> Option<NodeDecl> {
        let node = self.tree.node(value);
        let span = name.span.start..self.span(value).end;
        match node.kind {
            NodeKind::Faulty => return None,
            NodeKind::Tuple if node.named => {}
            _ => {
                let shown = visible(&name.value);
                let message = format!("{what} `{shown}` is written as a kind with its arguments");
                let kind =
                    if node.kind == NodeKind::Name { self.first_text(value) } else { "kind" };
                let error = Diagnostic::error(Code::NODE_NOT_CALL, self.span(value), message);
                self.report(error.with_hint(format!("write `{}()`", visible(kind))));
                if node.kind != NodeKind::Name {
                    return None;
                }
            }
        }
        let kind = self.name(value);
        let arguments = self.arguments(value, &kind.value);
        Some(NodeDecl { name, kind, arguments, span })
    }
}

/// What keeps a name from being linked to.
pub(crate) fn node_name_fault(name: &str) -> Option<&'static str> {
    if name.trim().is_empty() {
        return Some("is empty");
    }
    if name.trim() != name {
        return Some("starts or ends with a space");
    }
    if name.contains('.') {
        return Some("has a `.`, which separates a node from its output in a link");
    }
    if name.contains('/') {
        return Some("has a `/`");
    }
    if name.contains('"') {
        return Some("has a `\"`");
    }
    name.contains(char::is_control).then_some("has a control character")
}
