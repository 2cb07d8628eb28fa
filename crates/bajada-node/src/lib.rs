//! The contract between the engine and a node.
