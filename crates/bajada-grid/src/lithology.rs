//! How hard the rock is, at any point of the ground.
//!
//! Hardness runs from 0 (crumbles) to 1 (never yields). It is a function of
//! x, y and z, not a map: layers must be met again as the surface lowers, or
//! there are no mesas. This release holds the map form; tilted layers come as
//! another variant.

use std::sync::Arc;

use crate::digest::{Digest, NonFinite};
use crate::grid::Grid;
use crate::math;
use crate::par;

/// Angle at which ground of hardness 0 rests, degrees: scree, dry sand.
pub const LOOSE_REPOSE_DEG: f64 = 32.0;

/// Angle at which ground of hardness 1 stands, degrees: sound granite.
pub const HARD_REPOSE_DEG: f64 = 75.0;

/// Hardness as a function of place.
#[derive(Clone, Debug)]
pub enum Lithology {
    /// The same at every depth: hardness 0..1 for each sample.
    Map(Arc<Grid<f32>>),
}

impl Lithology {
    /// Hardness for each sample of the surface `elevation`, 0..1. `elevation`
    /// must have the domain that the lithology was made for.
    pub fn at_surface(&self, elevation: &Grid<f32>) -> Grid<f32> {
        match self {
            Self::Map(map) => {
                let mut surface = elevation.like(0.0_f32);
                par::map(&mut surface, |index| math::clamp(map[index], 0.0, 1.0));
                surface
            }
        }
    }

    /// Hash of everything the hardness depends on.
    pub fn digest(&self) -> Result<Digest, NonFinite> {
        match self {
            Self::Map(map) => Digest::of_grid("lithology map", map),
        }
    }
}
