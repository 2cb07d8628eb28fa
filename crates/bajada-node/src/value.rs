//! What travels along the edges of a graph.

use std::fmt;
use std::sync::Arc;

use bajada_grid::{Digest, Grid, Lithology, NonFinite, Supply, Table};

use crate::quantity::Quantity;

/// A grid and what its numbers measure. Nobody writes into a raster that
/// someone else can see: a node makes a new one.
#[derive(Clone, Debug)]
pub struct Raster {
    /// The numbers, one for each sample of the world.
    pub grid: Arc<Grid<f32>>,
    /// What they measure.
    pub quantity: Quantity,
}

/// A value on an edge.
#[derive(Clone, Debug)]
pub enum Value {
    /// A field of numbers.
    Raster(Raster),
    /// How hard the ground is, as a function of place.
    Lithology(Arc<Lithology>),
    /// Matter that is not laid down yet.
    Supply(Arc<Supply>),
    /// Rows of numbers.
    Table(Arc<Table>),
    /// An encoded file.
    Bytes(Arc<Vec<u8>>),
}

impl Value {
    /// Its kind.
    pub fn kind(&self) -> ValueKind {
        match self {
            Self::Raster(raster) => ValueKind::Raster(raster.quantity),
            Self::Lithology(_) => ValueKind::Lithology,
            Self::Supply(_) => ValueKind::Supply,
            Self::Table(_) => ValueKind::Table,
            Self::Bytes(_) => ValueKind::Bytes,
        }
    }

    /// The raster, if it is one.
    pub fn as_raster(&self) -> Option<&Raster> {
        if let Self::Raster(raster) = self { Some(raster) } else { None }
    }

    /// Hash of the value; a raster that is not finite everywhere has none.
    pub fn digest(&self) -> Result<Digest, NonFinite> {
        match self {
            Self::Raster(raster) => Digest::of_grid(raster.quantity.name(), &raster.grid),
            Self::Lithology(lithology) => lithology.digest(),
            Self::Supply(supply) => Ok(supply.digest()),
            Self::Table(table) => Ok(table.digest()),
            Self::Bytes(bytes) => Ok(Digest::of_bytes(bytes)),
        }
    }
}

/// The kind of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueKind {
    /// A field of numbers that measure one quantity.
    Raster(Quantity),
    /// How hard the ground is.
    Lithology,
    /// Matter that is not laid down yet.
    Supply,
    /// Rows of numbers.
    Table,
    /// An encoded file.
    Bytes,
}

impl fmt::Display for ValueKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Raster(quantity) => quantity.fmt(f),
            Self::Lithology => f.write_str("a lithology (hardness of the ground)"),
            Self::Supply => f.write_str("a supply (matter on its way, m3)"),
            Self::Table => f.write_str("a table"),
            Self::Bytes => f.write_str("the bytes of a file"),
        }
    }
}
