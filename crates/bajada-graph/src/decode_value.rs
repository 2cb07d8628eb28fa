//! From the tree to the values of arguments, and to the world.

use crate::code::Code;
use crate::decode::{Decoder, Entry, Seen, node_name_fault};
use crate::diagnostic::{Diagnostic, Span, Spanned, visible};
use crate::document::WorldDecl;
use crate::expr::{Argument, CallArgument, Expr, Link};
use crate::literal::{read_number, unquote};
use crate::suggest::nearest;
use crate::token::TokenKind;
use crate::tree::{NodeId, NodeKind};

/// The fields of a world.
const WORLD_FIELDS: [&str; 4] = ["extent_m", "samples", "from", "origin_m"];

/// The name that wraps the path of a file.
const FILE: &str = "file";

impl Decoder<'_> {
    /// The named arguments of a node.
    pub(crate) fn arguments(&mut self, call: NodeId, kind: &str) -> Vec<Argument> {
        let mut arguments = Vec::new();
        let mut seen = Seen::default();
        for entry in self.entries(call) {
            let Some(key) = entry.key else {
                self.unnamed_argument(entry.value, kind);
                continue;
            };
            arguments.extend(self.argument(key, entry.value, &mut seen));
        }
        arguments
    }

    fn argument(&mut self, key: NodeId, value: NodeId, seen: &mut Seen) -> Option<Argument> {
        let value = self.expr(value);
        if self.kind(key) != NodeKind::Name {
            return None;
        }
        let name = self.name(key);
        self.is_new(seen, "the argument", &name).then_some(Argument { name, value })
    }

    fn unnamed_argument(&mut self, value: NodeId, kind: &str) {
        if self.kind(value) == NodeKind::Faulty {
            return;
        }
        let span = self.span(value);
        let message = format!("the arguments of `{}` are written with their names", visible(kind));
        let text = match self.kind(value) {
            NodeKind::Literal | NodeKind::Name => visible(self.first_text(value)),
            _ => "..".to_owned(),
        };
        let error = Diagnostic::error(Code::UNNAMED_ARGUMENT, span, message);
        self.report(error.with_hint(format!("write `name: {text}`")));
    }

    /// The value of an argument, where a string is a link.
    pub(crate) fn expr(&mut self, id: NodeId) -> Spanned<Expr> {
        let value = match self.kind(id) {
            NodeKind::Faulty | NodeKind::Entry => Expr::Error,
            NodeKind::Name => self.bare_name(id),
            NodeKind::Literal => self.literal(id),
            NodeKind::Tuple if self.tree.node(id).named => self.call(id),
            NodeKind::Tuple => self.tuple(id),
            NodeKind::List => Expr::List(self.entries(id).map(|e| self.expr(e.value)).collect()),
            NodeKind::Map => self.map(id),
        };
        Spanned::new(value, self.span(id))
    }

    fn bare_name(&mut self, id: NodeId) -> Expr {
        match self.first_text(id) {
            "true" => Expr::Bool(true),
            "false" => Expr::Bool(false),
            "Some" => {
                let message = "`Some` holds one value";
                self.report(
                    Diagnostic::error(Code::BAD_WRAPPER, self.span(id), message)
                        .with_hint("write the value on its own"),
                );
                Expr::Error
            }
            _ => Expr::Name(self.name(id).value),
        }
    }

    fn literal(&mut self, id: NodeId) -> Expr {
        let text = self.first_text(id);
        match self.first_kind(id) {
            TokenKind::Number => read_number(text).map_or(Expr::Error, Expr::Number),
            TokenKind::Char => unquote(text).chars().next().map_or(Expr::Error, Expr::Char),
            _ => self.link(id),
        }
    }

    fn link(&mut self, id: NodeId) -> Expr {
        let text = self.inner_text(id);
        let (node, port) = match text.value.split_once('.') {
            Some((node, port)) => (node, Some(port)),
            None => (text.value.as_str(), None),
        };
        let is_port = |port: &str| node_name_fault(port).is_none();
        if node_name_fault(node).is_some() || !port.is_none_or(is_port) {
            self.bad_link(&text);
            return Expr::Error;
        }
        // With an escape inside, the places of the parts are not known.
        let plain = text.span.len() == text.value.len();
        let part = |from: usize, to: usize| {
            if plain { text.span.start + from..text.span.start + to } else { text.span.clone() }
        };
        let whole = text.value.len();
        Expr::Link(Link {
            node: Spanned::new(node.to_owned(), part(0, node.len())),
            port: port.map(|port| Spanned::new(port.to_owned(), part(node.len() + 1, whole))),
        })
    }

    fn bad_link(&mut self, text: &Spanned<String>) {
        let shown = visible(&text.value);
        let message = format!("`{shown}` is not a link, which is what text in quotes stands for");
        let error = Diagnostic::error(Code::BAD_LINK, text.span.clone(), message);
        let is_path = text.value.contains(['/', '\\']);
        self.report(error.with_hint(if is_path {
            format!("write a file as `file(\"{shown}\")`")
        } else {
            "write `\"node\"` or `\"node.output\"`".to_owned()
        }));
    }

    fn tuple(&mut self, id: NodeId) -> Expr {
        let entries: Vec<Entry> = self.entries(id).collect();
        if entries.is_empty() {
            return Expr::Unit;
        }
        if self.is_mixed(&entries, id) {
            return Expr::Error;
        }
        if entries[0].key.is_none() {
            return Expr::Tuple(entries.iter().map(|entry| self.expr(entry.value)).collect());
        }
        let mut seen = Seen::default();
        let fields = entries.iter().filter_map(|entry| {
            let key = entry.key?;
            self.argument(key, entry.value, &mut seen)
        });
        Expr::Struct(fields.collect())
    }

    /// RON has no group with some entries named and some not.
    fn is_mixed(&mut self, entries: &[Entry], id: NodeId) -> bool {
        let named = entries.iter().filter(|entry| entry.key.is_some()).count();
        let mixed = named > 0 && named < entries.len();
        if mixed {
            let message = "either all of these have names or none has";
            let error = Diagnostic::error(Code::UNNAMED_ARGUMENT, self.span(id), message);
            self.report(error.with_hint("write `name: value` for each"));
        }
        mixed
    }

    fn map(&mut self, id: NodeId) -> Expr {
        let mut seen = Seen::default();
        let mut pairs = Vec::new();
        for entry in self.entries(id) {
            let Some(key) = entry.key else { continue };
            let is_text = self.is_text(key);
            let name = Spanned::new(self.first_text(key).to_owned(), self.span(key));
            let key = if is_text { self.wrapped_text(key) } else { self.expr(key) };
            let value = self.expr(entry.value);
            let name = match &key.value {
                Expr::Text(text) => Spanned::new(text.clone(), name.span),
                _ => name,
            };
            if self.is_new(&mut seen, "the key", &name) {
                pairs.push((key, value));
            }
        }
        Expr::Map(pairs)
    }

    fn wrapped_text(&self, id: NodeId) -> Spanned<Expr> {
        let text = self.text(id);
        Spanned::new(Expr::Text(text.value), text.span)
    }

    fn call(&mut self, id: NodeId) -> Expr {
        let name = self.name(id);
        let entries: Vec<Entry> = self.entries(id).collect();
        if name.value == FILE {
            return self.file(id, &entries);
        }
        if matches!(name.value.as_str(), "true" | "false" | "None" | "Some") {
            let message = format!("`{}` cannot be called", name.value);
            let error = Diagnostic::error(Code::BAD_WRAPPER, name.span, message);
            self.report(error.with_hint("write the value on its own"));
            return Expr::Error;
        }
        if self.is_mixed(&entries, id) {
            return Expr::Error;
        }
        let mut seen = Seen::default();
        let mut arguments = Vec::new();
        for entry in entries {
            match entry.key {
                Some(key) => {
                    if let Some(Argument { name, value }) =
                        self.argument(key, entry.value, &mut seen)
                    {
                        arguments.push(CallArgument { name: Some(name), value });
                    }
                }
                None => {
                    let is_text = self.is_text(entry.value);
                    let value = if is_text {
                        self.wrapped_text(entry.value)
                    } else {
                        self.expr(entry.value)
                    };
                    arguments.push(CallArgument { name: None, value });
                }
            }
        }
        Expr::Call { name, arguments }
    }

    fn file(&mut self, id: NodeId, entries: &[Entry]) -> Expr {
        match entries {
            [Entry { key: None, value }] if self.is_text(*value) => {
                return Expr::File(self.inner_text(*value));
            }
            [Entry { key: None, value }] if self.kind(*value) == NodeKind::Faulty => {}
            _ => {
                let message = "`file` takes the path of one file, in quotes";
                let error = Diagnostic::error(Code::BAD_WRAPPER, self.span(id), message);
                self.report(error.with_hint("write `file(\"name.tif\")`"));
            }
        }
        Expr::Error
    }

    /// `(extent_m: .., samples: ..)`, `(from: "dem")` or `from("dem")`.
    pub(crate) fn world(&mut self, id: NodeId) -> Option<Spanned<WorldDecl>> {
        const EXAMPLE: &str = "world: (extent_m: (12288, 12288), samples: (1025, 1025))";
        let node = self.tree.node(id);
        let mut world = WorldDecl::default();
        match node.kind {
            NodeKind::Faulty => return None,
            NodeKind::Tuple if !node.named => {
                let mut seen = Seen::default();
                for entry in self.entries(id) {
                    match entry.key {
                        Some(key) if self.kind(key) == NodeKind::Name => {
                            let name = self.name(key);
                            if self.is_new(&mut seen, "the field", &name) {
                                self.world_field(&mut world, &name, entry.value);
                            }
                        }
                        Some(_) => {}
                        None => self.unnamed_argument(entry.value, "world"),
                    }
                }
            }
            NodeKind::Tuple if self.name(id).value == "from" => {
                world.from = self.world_from(id);
            }
            _ => {
                let shape = "an extent with samples, or the node that it comes from";
                self.wrong_shape("world", shape, self.span(id), EXAMPLE);
                return None;
            }
        }
        Some(Spanned::new(world, self.span(id)))
    }

    fn world_from(&mut self, id: NodeId) -> Option<Spanned<String>> {
        let entries: Vec<Entry> = self.entries(id).collect();
        match entries.as_slice() {
            [Entry { key: None, value }] => self.world_source(*value),
            _ => {
                let example = "world: (from: \"dem\", samples: (513, 513))";
                self.wrong_shape("from", "the name of one node", self.span(id), example);
                None
            }
        }
    }

    fn world_source(&mut self, value: NodeId) -> Option<Spanned<String>> {
        if self.is_text(value) {
            return Some(self.inner_text(value));
        }
        if self.kind(value) != NodeKind::Faulty {
            let span = self.span(value);
            self.wrong_shape("from", "the name of one node", span, "from: \"dem\"");
        }
        None
    }

    fn world_field(&mut self, world: &mut WorldDecl, name: &Spanned<String>, value: NodeId) {
        match name.value.as_str() {
            "extent_m" => {
                let shape = "two numbers, the size to the east and to the south in meters";
                let example = "extent_m: (12288, 12288)";
                world.extent_m = self.pair("extent_m", shape, value, example, number);
            }
            "samples" => {
                let shape = "two whole numbers, the samples to the east and to the south";
                let example = "samples: (1025, 1025)";
                world.samples = self.pair("samples", shape, value, example, |expr| match expr {
                    Expr::Number(number) => number.integer.and_then(|n| u32::try_from(n).ok()),
                    _ => None,
                });
            }
            "origin_m" => {
                let shape = "two numbers, easting and northing of the north-west corner in meters";
                let example = "origin_m: (500000, 4000000)";
                world.origin_m = self.pair("origin_m", shape, value, example, number);
            }
            "from" => world.from = self.world_source(value),
            key => {
                let message = format!("`{}` is not a field of the world", visible(key));
                let error = Diagnostic::error(Code::UNKNOWN_KEY, name.span.clone(), message)
                    .with_hint(format!("the fields are `{}`", WORLD_FIELDS.join("`, `")));
                self.report(error.did_you_mean(&nearest(key, WORLD_FIELDS)));
            }
        }
    }

    fn pair<T: Copy>(
        &mut self,
        key: &str,
        shape: &str,
        value: NodeId,
        example: &str,
        read: fn(&Expr) -> Option<T>,
    ) -> Option<Spanned<[T; 2]>> {
        let expr = self.expr(value);
        let span: Span = expr.span;
        let parts = match expr.value {
            Expr::Tuple(parts) => parts,
            Expr::Error => return None,
            _ => Vec::new(),
        };
        if parts.iter().any(|part| part.value == Expr::Error) {
            return None;
        }
        if let [x, y] = parts.as_slice()
            && let (Some(x), Some(y)) = (read(&x.value), read(&y.value))
        {
            return Some(Spanned::new([x, y], span));
        }
        self.wrong_shape(key, shape, span, example);
        None
    }
}

fn number(expr: &Expr) -> Option<f64> {
    match expr {
        Expr::Number(number) => Some(number.value),
        _ => None,
    }
}
