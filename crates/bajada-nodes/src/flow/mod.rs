//! Nodes that follow water over the ground, and the rivers that carve it.

pub mod depressions;
// The node is named after its group.
#[allow(clippy::module_inception)]
pub mod flow;
pub mod stream_power;
pub mod watershed;
