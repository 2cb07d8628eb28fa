//! Shaping without a physical model: sums, curves, blurs.
