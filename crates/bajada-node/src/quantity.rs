//! What the numbers in a raster measure.

use std::fmt;

/// The quantity of a raster. Two rasters may be wired together only when their
/// quantities agree: metres of ground are not a share of an effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Quantity {
    /// Height of the ground surface above datum, m.
    Elevation,
    /// Thickness of a layer (erosion, deposition, sediment, water), m, >= 0.
    Thickness,
    /// Share of an effect, 0..1.
    Mask,
    /// Volume of water through a cell per time, m3/s.
    Discharge,
    /// Speed of flow, m/s.
    Velocity,
    /// Ground upstream of a cell, itself included, m2.
    Area,
    /// The number of a lake, a fan, a basin: whole, 1 and up; 0 is none.
    Label,
}

impl Quantity {
    /// Its name in messages and reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Elevation => "elevation",
            Self::Thickness => "thickness",
            Self::Mask => "mask",
            Self::Discharge => "discharge",
            Self::Velocity => "velocity",
            Self::Area => "drainage area",
            Self::Label => "label",
        }
    }

    /// Its SI unit; "1" for a pure number.
    pub fn unit(self) -> &'static str {
        match self {
            Self::Elevation | Self::Thickness => "m",
            Self::Mask | Self::Label => "1",
            Self::Discharge => "m3/s",
            Self::Velocity => "m/s",
            Self::Area => "m2",
        }
    }
}

impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mask => f.write_str("a mask (0..1)"),
            Self::Label => f.write_str("a label (0, 1, 2 ...)"),
            other => write!(f, "{} ({})", other.name(), other.unit()),
        }
    }
}
