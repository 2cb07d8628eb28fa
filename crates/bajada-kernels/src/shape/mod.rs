//! Shaping without a physical model: sums, curves, blurs.

pub mod blur;
pub mod combine;
pub mod erosion_filter;
pub mod mask;
pub mod remap;
pub mod terrace;
