//! Between a world's place and what raster files say of theirs.

use bajada_formats as formats;
use bajada_formats::{Georeference, LengthUnit};
use bajada_grid::Domain;
use bajada_node::{PixelIs, Place, World};

/// Cells smaller than this, in a file that names no unit, are degrees: no one
/// surveys a mountain every ten centimetres.
const SMALLEST_METRIC_CELL: f64 = 0.1;

/// The lattice of a raster file, in metres; or why it has none.
pub fn world_of(georeference: &Georeference, samples: [u32; 2]) -> Result<World, String> {
    let [east, south] = georeference.cell;
    let degrees = match georeference.unit {
        LengthUnit::Degree => true,
        LengthUnit::Unknown => east < SMALLEST_METRIC_CELL,
        LengthUnit::Metre => false,
        LengthUnit::Foot | LengthUnit::UsFoot => {
            return Err("its cells are measured in feet; project it to metres first".to_owned());
        }
    };
    if degrees {
        return Err("its cells are measured in degrees; project it to metres first".to_owned());
    }
    if (east - south).abs() > 1e-6 * east {
        return Err(format!("its cells are {east} x {south} m; cells must be square"));
    }
    let origin = [georeference.easting, 0.0 - georeference.northing];
    let domain = Domain::new(samples[0], samples[1], east, origin).map_err(|e| e.to_string())?;
    let pixel_is = match georeference.pixel_is {
        formats::PixelIs::Area => PixelIs::Area,
        formats::PixelIs::Point => PixelIs::Point,
    };
    Ok(World { domain, place: Some(Place { epsg: georeference.epsg, pixel_is }) })
}

/// What a file of this world says of its place; `None` for invented ground.
pub fn georeference_of(world: &World) -> Option<Georeference> {
    let place = world.place?;
    let [easting, south] = world.domain.origin();
    let cell_size = world.domain.cell_size();
    Some(Georeference {
        epsg: place.epsg,
        easting,
        northing: 0.0 - south,
        cell: [cell_size, cell_size],
        unit: LengthUnit::Metre,
        pixel_is: match place.pixel_is {
            PixelIs::Area => formats::PixelIs::Area,
            PixelIs::Point => formats::PixelIs::Point,
        },
    })
}
