//! What running water carves and lays down.

pub mod droplets;
