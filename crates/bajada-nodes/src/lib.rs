//! The built-in nodes.
