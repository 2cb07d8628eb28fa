//! tmp.
