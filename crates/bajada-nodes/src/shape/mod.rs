//! Nodes that shape without a physical model.

pub mod blur;
pub mod combine;
pub mod erosion_filter;
pub mod remap;
pub mod terrace;
