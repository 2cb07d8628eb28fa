//! The algorithms, as plain functions on grids.
//!
//! One model per file, usable without any graph. Inside the kernels everything
//! is SI and slopes are rise over run, so names carry no unit. A kernel gets
//! its [`bajada_grid::Task`] first, then its data, then a config struct; it
//! reads no file, no clock and no global, and it gives the same bits on any
//! number of threads.

mod change;
pub mod deposit;
pub mod flow;
pub mod geodesic;
pub mod hypsometry;
pub mod metrics;
pub mod picture;
pub mod rock;
pub mod shape;
pub mod slope;
pub mod source;
pub mod surface;
pub mod water;
