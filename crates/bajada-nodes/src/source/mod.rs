//! Nodes that make ground: from nothing, or from a file.

pub mod constant;
pub mod front;
pub mod import;
pub mod noise;
pub mod noise_rs;
pub mod radial;
