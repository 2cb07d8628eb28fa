//! Ground out of nothing: noise.
