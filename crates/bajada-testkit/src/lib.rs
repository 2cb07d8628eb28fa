//! Synthetic terrains with known answers, slow obvious twins, and assertions.
//!
//! A dev-dependency only: nothing of it reaches the product.

pub mod canyon;
pub mod jacobi_talus;
pub mod plain_droplets;
pub mod plain_flow;
pub mod plain_pour;
pub mod terrain;
