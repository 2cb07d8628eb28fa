//! What running water carves and lays down, and where it stands.

pub mod droplets;
pub mod lake_level;
pub mod lakes;
pub mod shallow_water;
