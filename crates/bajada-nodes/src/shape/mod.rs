//! Nodes that shape without a physical model.

pub mod blur;
pub mod combine;
pub mod remap;
pub mod terrace;
