//! Where loose matter comes to lie, and from where it comes.

pub mod apices;
pub mod basin_fill;
pub mod fan;
