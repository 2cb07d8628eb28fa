//! Nodes that let loose ground come to rest.

pub mod talus;
