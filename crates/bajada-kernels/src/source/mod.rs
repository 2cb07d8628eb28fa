//! Ground out of nothing: noise.
//!
//! [`noise`] is the house's own noise, [`noise_rs`] the lattices of
//! the `noise` crate under the same octaves. Both are functions of a world
//! point in metres, so tiles and resolutions meet without a seam.

pub mod front;
pub(crate) mod lattice;
pub mod noise;
pub mod noise_rs;
pub(crate) mod octave;
pub mod radial;
mod sum;
