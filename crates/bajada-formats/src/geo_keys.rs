//! Where a GeoTIFF's samples lie: the tags 33550, 33922, 34264 and the key
//! directory 34735, read into a [`Georeference`] and written from one.
//!
//! Only north-up rasters pass: row 0 is north by this project's convention,
//! and a rotated or south-up raster would be a silent mirror.

use bajada_grid::Domain;

use crate::error::FormatError;
use crate::header::{Georeference, LengthUnit, PixelIs};
use crate::tiff_directory::Directory;

/// `ModelPixelScale`: spacing east, south, up.
pub(crate) const PIXEL_SCALE: u16 = 33550;
/// `ModelTiepoint`: column, row, layer, east, north, up.
pub(crate) const TIEPOINT: u16 = 33922;
const TRANSFORMATION: u16 = 34264;
/// `GeoKeyDirectory`.
pub(crate) const KEY_DIRECTORY: u16 = 34735;

const MODEL_TYPE: u16 = 1024;
const RASTER_TYPE: u16 = 1025;
const GEOGRAPHIC_TYPE: u16 = 2048;
const ANGULAR_UNITS: u16 = 2054;
const PROJECTED_TYPE: u16 = 3072;
const LINEAR_UNITS: u16 = 3076;
const VERTICAL_UNITS: u16 = 4099;

const MODEL_PROJECTED: u16 = 1;
const MODEL_GEOGRAPHIC: u16 = 2;
const RASTER_AREA: u16 = 1;
const RASTER_POINT: u16 = 2;
const USER_DEFINED: u16 = 32767;
const METRE: u16 = 9001;
const FOOT: u16 = 9002;
const US_FOOT: u16 = 9003;
const DEGREE: u16 = 9102;

/// More keys than any file has: a directory of u16 counts up to 65,535.
const MAX_KEY_VALUES: u64 = 4 + 4 * 65_535;

/// Georeference and vertical unit of the first image.
pub(crate) fn read(
    directory: &Directory<'_>,
) -> Result<(Option<Georeference>, LengthUnit), FormatError> {
    let keys = Keys(directory.uints(KEY_DIRECTORY, MAX_KEY_VALUES)?.unwrap_or_default());
    let vertical_unit = linear_unit(keys.get(VERTICAL_UNITS));
    let Some(place) = placement(directory)? else {
        return Ok((None, vertical_unit));
    };
    let pixel_is = match keys.get(RASTER_TYPE) {
        Some(RASTER_POINT) => PixelIs::Point,
        _ => PixelIs::Area,
    };
    let shift = if pixel_is == PixelIs::Area { 0.5 } else { 0.0 };
    let (epsg, unit) = system(&keys);
    let georeference = Georeference {
        epsg,
        easting: place.west + shift * place.cell[0],
        northing: place.north - shift * place.cell[1],
        cell: place.cell,
        unit,
        pixel_is,
    };
    check_georeference(&georeference).map_err(|problem| {
        FormatError::unsupported(
            "tags 33550, 33922 or 34264",
            problem,
            "warp the raster to north-up first, for example with gdalwarp",
        )
    })?;
    Ok((Some(georeference), vertical_unit))
}

/// Coordinates of raster position (0, 0), and the spacing.
struct Placement {
    west: f64,
    north: f64,
    cell: [f64; 2],
}

fn placement(directory: &Directory<'_>) -> Result<Option<Placement>, FormatError> {
    if let Some(matrix) = directory.doubles(TRANSFORMATION, 16)? {
        return match matrix.as_slice() {
            [east, 0.0, _, west, 0.0, south, _, north, ..] if matrix.len() == 16 => {
                Ok(Some(Placement { west: *west, north: *north, cell: [*east, -*south] }))
            }
            _ => Err(FormatError::unsupported(
                "tag 34264 (ModelTransformation)",
                "a rotated or sheared raster",
                "warp it to north-up first, for example with gdalwarp",
            )),
        };
    }
    let Some(scale) = directory.doubles(PIXEL_SCALE, 3)? else {
        return Ok(None);
    };
    let Some(tiepoints) = directory.doubles(TIEPOINT, 6)? else {
        return Ok(None);
    };
    match (scale.as_slice(), tiepoints.as_slice()) {
        ([east, south, ..], [column, row, _, x, y, _]) => Ok(Some(Placement {
            west: x - column * east,
            north: y + row * south,
            cell: [*east, *south],
        })),
        _ => Err(FormatError::damaged(
            "tags 33550 and 33922",
            format!("{} scales and {} tie point values", scale.len(), tiepoints.len()),
        )),
    }
}

struct Keys(Vec<u64>);

impl Keys {
    /// Value of a key that is stored in the directory itself.
    fn get(&self, key: u16) -> Option<u16> {
        let entries = self.0.get(4..).unwrap_or_default();
        entries
            .chunks_exact(4)
            .find(|entry| entry[0] == u64::from(key) && entry[1] == 0)
            .and_then(|entry| u16::try_from(entry[3]).ok())
    }
}

fn system(keys: &Keys) -> (Option<u32>, LengthUnit) {
    let code = |key| keys.get(key).filter(|code| !matches!(*code, 0 | USER_DEFINED));
    let geographic =
        keys.get(MODEL_TYPE) == Some(MODEL_GEOGRAPHIC) && keys.get(PROJECTED_TYPE).is_none();
    if geographic {
        let unit = match keys.get(ANGULAR_UNITS) {
            None | Some(DEGREE) => LengthUnit::Degree,
            Some(_) => LengthUnit::Unknown,
        };
        return (code(GEOGRAPHIC_TYPE).map(u32::from), unit);
    }
    let epsg = code(PROJECTED_TYPE).map(u32::from);
    let unit = match (keys.get(LINEAR_UNITS), epsg) {
        (None, Some(epsg)) if is_metric(epsg) => LengthUnit::Metre,
        (unit, _) => linear_unit(unit),
    };
    (epsg, unit)
}

fn linear_unit(code: Option<u16>) -> LengthUnit {
    match code {
        Some(METRE) => LengthUnit::Metre,
        Some(FOOT) => LengthUnit::Foot,
        Some(US_FOOT) => LengthUnit::UsFoot,
        _ => LengthUnit::Unknown,
    }
}

/// Systems that are in metres by definition, for files that leave the unit
/// out: UTM on WGS 84, NAD83 and ETRS89, and web Mercator.
fn is_metric(epsg: u32) -> bool {
    matches!(epsg, 32601..=32660 | 32701..=32760 | 26901..=26923 | 25828..=25838 | 3857)
}

/// The problem that keeps a georeference from being used, as a sentence.
pub(crate) fn check_georeference(georeference: &Georeference) -> Result<(), String> {
    let [east, south] = georeference.cell;
    if !(east.is_finite() && south.is_finite() && east > 0.0 && south > 0.0) {
        return Err(format!(
            "a raster of cells of {east} x {south} (both above 0 where row 0 is north)"
        ));
    }
    if !(georeference.easting.is_finite() && georeference.northing.is_finite()) {
        return Err("a first sample at a place that is not finite".to_owned());
    }
    Ok(())
}

/// The domain's own place: metres, no coordinate system. `y` of a domain runs
/// south, a northing runs north.
pub(crate) fn local_georeference(domain: &Domain) -> Georeference {
    let [east, south] = domain.origin();
    Georeference {
        epsg: None,
        easting: east,
        // 0 - x keeps the zero positive.
        northing: 0.0 - south,
        cell: [domain.cell_size(); 2],
        unit: LengthUnit::Metre,
        pixel_is: PixelIs::Point,
    }
}

/// Values of the tags that say where the samples lie.
pub(crate) struct GeoTags {
    pub(crate) pixel_scale: [f64; 3],
    pub(crate) tiepoint: [f64; 6],
    pub(crate) key_directory: Vec<u16>,
}

/// The tags for a georeference. Without an EPSG code the system is written as
/// user-defined; the unit is written when it is known.
pub(crate) fn write(georeference: &Georeference) -> Result<GeoTags, FormatError> {
    let unwritable = |problem: String| {
        FormatError::cannot_write("the georeference", problem, "correct it or write without one")
    };
    check_georeference(georeference).map_err(unwritable)?;
    let code = match georeference.epsg {
        None => USER_DEFINED,
        Some(epsg) => u16::try_from(epsg)
            .map_err(|_| unwritable(format!("EPSG {epsg} does not fit a GeoTIFF key")))?,
    };
    let (raster_type, shift) = match georeference.pixel_is {
        PixelIs::Area => (RASTER_AREA, 0.5),
        PixelIs::Point => (RASTER_POINT, 0.0),
    };
    let mut keys = vec![];
    if georeference.unit == LengthUnit::Degree {
        keys.push((MODEL_TYPE, MODEL_GEOGRAPHIC));
        keys.push((RASTER_TYPE, raster_type));
        keys.push((GEOGRAPHIC_TYPE, code));
        keys.push((ANGULAR_UNITS, DEGREE));
    } else {
        keys.push((MODEL_TYPE, MODEL_PROJECTED));
        keys.push((RASTER_TYPE, raster_type));
        keys.push((PROJECTED_TYPE, code));
        let unit = match georeference.unit {
            LengthUnit::Metre => Some(METRE),
            LengthUnit::Foot => Some(FOOT),
            LengthUnit::UsFoot => Some(US_FOOT),
            LengthUnit::Degree | LengthUnit::Unknown => None,
        };
        keys.extend(unit.map(|unit| (LINEAR_UNITS, unit)));
    }
    // Version 1, revision 1.0, then the count.
    let mut key_directory = vec![1, 1, 0, keys.len() as u16];
    for (key, value) in keys {
        key_directory.extend([key, 0, 1, value]);
    }
    let [east, south] = georeference.cell;
    let west = georeference.easting - shift * east;
    let north = georeference.northing + shift * south;
    Ok(GeoTags {
        pixel_scale: [east, south, 0.0],
        tiepoint: [0.0, 0.0, 0.0, west, north, 0.0],
        key_directory,
    })
}
