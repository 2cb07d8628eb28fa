//! How hard the ground is, and what follows from it.
