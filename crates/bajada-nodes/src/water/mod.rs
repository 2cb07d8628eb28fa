//! Nodes that carve with running water.

pub mod droplets;
