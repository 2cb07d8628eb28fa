//! Pictures of terrain, made of nothing but + - * / and square roots.
//!
//! [`relief`] looks straight down, [`oblique`] from a hill beside the map.
//! Colours are mixed in linear light, heights
//! and light come from exact arithmetic, and so a picture has the same bytes on
//! every machine. Nothing here knows a file format.

mod blur;
mod coarse;
mod color;
mod contour;
mod enlarge;
mod fields;
mod gradient;
mod ground;
mod horizon;
mod light;
mod oblique;
mod paint;
mod relief;
mod sky;

pub use contour::Contour;
pub use oblique::{ObliqueConfig, ObliquePicture, oblique};
pub use paint::{DEFAULT_TINTS, Scene, Tint};
pub use relief::{Picture, ReliefConfig, relief};
