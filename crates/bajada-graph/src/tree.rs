//! The tree over the tokens: a flat arena, each node linked to its first child
//! and its next sibling, so that neither its depth nor its size costs a stack.

/// An index into the arena.
pub(crate) type NodeId = u32;

const NONE: NodeId = NodeId::MAX;

/// What a node of the tree is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NodeKind {
    /// A number, string or character: one token.
    Literal,
    /// A name on its own: one token.
    Name,
    /// `(..)`, or `name(..)`: starts with the name.
    Tuple,
    /// `[..]`
    List,
    /// `{..}`
    Map,
    /// What stands between two commas. Its children: a value, or a key and a value.
    Entry,
    /// Nothing, or what has been reported.
    Faulty,
}

/// A node: its kind, its tokens, its place in the tree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub(crate) kind: NodeKind,
    /// The first token.
    pub(crate) first: u32,
    /// The last token, the first one again when the node is empty.
    pub(crate) last: u32,
    /// Of a tuple: whether a name comes first. Of an entry: whether a key does.
    pub(crate) named: bool,
    child: NodeId,
    next: NodeId,
}

/// All nodes of a text.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    nodes: Vec<Node>,
}

impl Tree {
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(crate) fn add(&mut self, kind: NodeKind, first: usize) -> NodeId {
        let first = first as u32;
        self.nodes.push(Node { kind, first, last: first, named: false, child: NONE, next: NONE });
        (self.nodes.len() - 1) as NodeId
    }

    pub(crate) fn node(&self, id: NodeId) -> Node {
        self.nodes[id as usize]
    }

    pub(crate) fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id as usize]
    }

    /// Hangs `child` under `parent`, behind `last_child`.
    pub(crate) fn link(&mut self, parent: NodeId, last_child: &mut Option<NodeId>, child: NodeId) {
        match *last_child {
            Some(last) => self.node_mut(last).next = child,
            None => self.node_mut(parent).child = child,
        }
        *last_child = Some(child);
    }

    pub(crate) fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let some = |id: NodeId| (id != NONE).then_some(id);
        std::iter::successors(some(self.node(id).child), move |id| some(self.node(*id).next))
    }
}
