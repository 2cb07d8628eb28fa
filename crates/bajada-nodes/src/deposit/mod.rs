//! Nodes that lay down what others took.

pub mod basin_fill;
pub mod fan;
