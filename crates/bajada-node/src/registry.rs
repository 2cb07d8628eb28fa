//! The kinds that a graph may use.

use std::collections::BTreeMap;

use thiserror::Error;

use crate::spec::Node;

/// Two nodes claim one kind.
#[derive(Debug, Error)]
#[error("two nodes are called `{0}`")]
pub struct DuplicateKind(pub &'static str);

/// The kinds that a graph may use, by name.
#[derive(Clone, Default)]
pub struct Registry {
    nodes: BTreeMap<&'static str, &'static dyn Node>,
}

impl Registry {
    /// The registry of a list of nodes.
    pub fn new(nodes: &[&'static dyn Node]) -> Result<Self, DuplicateKind> {
        let mut registry = Self::default();
        for &node in nodes {
            if registry.nodes.insert(node.spec().id, node).is_some() {
                return Err(DuplicateKind(node.spec().id));
            }
        }
        Ok(registry)
    }

    /// The node of a kind.
    pub fn get(&self, kind: &str) -> Option<&'static dyn Node> {
        self.nodes.get(kind).copied()
    }

    /// All nodes, by name.
    pub fn iter(&self) -> impl Iterator<Item = &'static dyn Node> + '_ {
        self.nodes.values().copied()
    }
}

impl std::fmt::Debug for Registry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.nodes.keys()).finish()
    }
}
