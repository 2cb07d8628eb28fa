//! Wall times of the kernels beside their peers: `cargo bench -p bajada-benches`.
//!
//! Only ratios within one run count; machines and their load differ. Nothing
//! here is a test and no test is timed.
