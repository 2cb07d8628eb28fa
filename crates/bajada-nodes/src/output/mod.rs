//! Nodes that encode files.

pub mod oblique;
pub mod raster;
pub mod relief;
pub mod table;
