//! Nodes that say how hard the ground is.

pub mod hardness_mask;
pub mod strata;
