//! Whole-product benches.
