//! Nodes that encode files.

pub mod raster;
pub mod relief;
pub mod table;
