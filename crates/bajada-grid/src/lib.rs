//! Rasters in metres, and the exact arithmetic that every node shares.
//!
//! The promise of this crate is *same input, same bits*: on any number of
//! threads, in debug and in release. Everything above it relies on three
//! habits that live here and nowhere else: each output cell is written by one
//! task ([`par`]), sums run over a tree whose shape depends on the data alone
//! ([`par::sum`]), and no platform maths library is called ([`math`]).
//!
//! A [`Grid`] never exists without its [`Domain`]: how many samples, how far
//! apart in metres, and where in the world. Nothing here reads a file, a clock
//! or a global, but for how wide the processor's vectors are ([`vectors`]).

pub mod digest;
pub mod domain;
pub mod grid;
pub mod ledger;
pub mod lithology;
pub mod math;
pub mod memory;
pub mod neighbors;
pub mod par;
pub mod quantum;
pub mod random;
pub mod sample;
pub mod stats;
pub mod supply;
pub mod table;
pub mod task;
pub mod vectors;
pub mod window;

pub use digest::{Digest, NonFinite};
pub use domain::{Domain, DomainError};
pub use grid::Grid;
pub use ledger::Ledger;
pub use lithology::{Lithology, Rock};
pub use memory::{Cell, Memory};
pub use random::Stream;
pub use stats::Stats;
pub use supply::{Parcel, Supply};
pub use table::{Column, Table};
pub use task::{Cancelled, Task};
pub use window::Window;
