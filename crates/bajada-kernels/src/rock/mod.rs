//! How hard the ground is, and what follows from it.
//!
//! Hardness runs from 0 (crumbles) to 1 (never yields). What it does to the
//! kernels is decided in this module alone: [`erodibility_factor`] scales every
//! rate of erosion, [`repose_deg`] and [`repose`] say how steep the ground may
//! stand.

pub mod hardness;
mod response;

pub use hardness::{HardnessConfig, RidgeRule, SteepRule, hardness_mask};
pub use response::{HARDEST_TO_SOFTEST, erodibility_factor, repose, repose_deg};
