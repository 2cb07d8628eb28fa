//! Where finished values are kept.
