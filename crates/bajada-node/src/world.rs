//! The one lattice that every raster of a build shares, and its place on Earth.

use bajada_grid::Domain;

/// Whether a raster file's numbers stand for cells or for points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PixelIs {
    /// For the area of a cell.
    Area,
    /// For a point.
    Point,
}

/// Where on Earth the lattice lies. Eastings and northings are the domain's
/// origin: east, and minus south.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// EPSG code of the projected system, when known.
    pub epsg: Option<u32>,
    /// How files of this world state their place.
    pub pixel_is: PixelIs,
}

/// A graph's world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct World {
    /// The lattice.
    pub domain: Domain,
    /// Its place on Earth; `None` for invented ground.
    pub place: Option<Place>,
}

impl World {
    /// Canonical bytes for keys: two worlds with the same bytes give every
    /// node the same results.
    pub fn canonical_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for side in self.domain.samples() {
            bytes.extend(side.to_le_bytes());
        }
        let [east, south] = self.domain.origin();
        for number in [self.domain.cell_size(), east, south] {
            bytes.extend((number + 0.0).to_bits().to_le_bytes());
        }
        if let Some(place) = self.place {
            bytes.push(match place.pixel_is {
                PixelIs::Area => 1,
                PixelIs::Point => 2,
            });
            bytes.extend(place.epsg.unwrap_or(0).to_le_bytes());
        }
        bytes
    }
}
