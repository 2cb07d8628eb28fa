//! Nodes that carve with running water.

pub mod droplets;
pub mod lake_level;
pub mod shallow_water;
