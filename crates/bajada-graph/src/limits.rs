//! How large a graph may be. Each limit is a diagnostic, never a crash.

/// Bytes of text: a hundred times the largest graph seen, and small enough to
/// be read whole.
pub const MAX_TEXT_BYTES: usize = 8 << 20;

/// Open brackets around a value, the outermost included. Reading recurses this
/// deep and fits a stack of 256 KiB.
pub const MAX_DEPTH: usize = 64;

/// Nodes and outputs together.
pub const MAX_NODES: usize = 100_000;

/// Pieces of the tree (values, keys and the entries around them): bounds the
/// memory that a text of bare commas and digits takes.
pub(crate) const MAX_TREE_NODES: usize = 4_000_000;
