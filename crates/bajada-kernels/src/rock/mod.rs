//! How hard the ground is, and what follows from it.
//!
//! Hardness runs from 0 (crumbles) to 1 (never yields). What it does to the
//! kernels is decided in this module alone: [`erodibility_factor`] scales every
//! rate of erosion, [`repose_deg`] and [`repose`] say how steep the ground may
//! stand, [`critical_shear`] what water must exert to take any of it.

mod exposure;
pub mod hardness;
mod layers;
mod response;
pub mod strata;

pub use exposure::Exposure;
pub use hardness::{HardnessConfig, RidgeRule, SteepRule, hardness_mask};
pub use layers::Sequence;
pub use response::{
    HARDEST_CRITICAL_SHEAR, HARDEST_TO_SOFTEST, critical_shear, erodibility_factor, repose,
    repose_deg,
};
pub use strata::{Deposit, Strata, StrataConfig};
