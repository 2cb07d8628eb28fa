//! What a raster file says about itself before a pixel of it is decoded.

use serde::{Deserialize, Serialize};

/// A raster format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Format {
    /// Portable Network Graphics.
    Png,
    /// TIFF and BigTIFF, with or without GeoTIFF tags.
    Tiff,
    /// ESRI ASCII grid.
    Asc,
    /// Headerless u16 codes.
    R16,
    /// Headerless f32 heights.
    R32,
    /// SRTM tile: headerless big-endian i16 heights, void at -32768.
    Hgt,
}

impl Format {
    /// The format that a file name's extension stands for, in any case, with
    /// or without its dot.
    pub fn from_extension(extension: &str) -> Option<Self> {
        match extension.trim_start_matches('.').to_ascii_lowercase().as_str() {
            "png" => Some(Self::Png),
            "tif" | "tiff" | "gtiff" | "btf" | "tf8" => Some(Self::Tiff),
            "asc" | "agr" => Some(Self::Asc),
            "r16" | "raw" => Some(Self::R16),
            "r32" => Some(Self::R32),
            "hgt" => Some(Self::Hgt),
            _ => None,
        }
    }

    /// The extension that files of this format are written with, without a dot.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Tiff => "tif",
            Self::Asc => "asc",
            Self::R16 => "r16",
            Self::R32 => "r32",
            Self::Hgt => "hgt",
        }
    }

    /// How the format is called in a sentence.
    pub fn name(self) -> &'static str {
        match self {
            Self::Png => "PNG",
            Self::Tiff => "TIFF",
            Self::Asc => "ESRI ASCII grid",
            Self::R16 => "r16",
            Self::R32 => "r32",
            Self::Hgt => "hgt",
        }
    }
}

/// How one sample is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SampleType {
    /// Unsigned, up to 8 bits.
    U8,
    /// Unsigned, 16 bits.
    U16,
    /// Signed, 16 bits.
    I16,
    /// Signed, 32 bits; beyond 2^24 a value is rounded to the nearest f32.
    I32,
    /// Unsigned, 32 bits; beyond 2^24 a value is rounded to the nearest f32.
    U32,
    /// Floating point, 32 bits.
    F32,
    /// Floating point, 64 bits; a value is rounded to the nearest f32.
    F64,
}

impl SampleType {
    /// Whether samples are heights rather than codes of a range.
    pub fn is_float(self) -> bool {
        matches!(self, Self::F32 | Self::F64)
    }
}

/// What a stored sample stands for, as the file declares it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PixelIs {
    /// The mean over a cell; its place is the cell's centre.
    Area,
    /// The value at a point.
    Point,
}

/// A unit of length or angle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LengthUnit {
    /// Metre.
    Metre,
    /// Degree of arc.
    Degree,
    /// International foot, 0.3048 m.
    Foot,
    /// US survey foot, 1200/3937 m.
    UsFoot,
    /// The file does not say, or says what is not known here.
    Unknown,
}

impl LengthUnit {
    /// Metres in one unit; `None` for degrees and for what is not known.
    pub fn metres(self) -> Option<f64> {
        match self {
            Self::Metre => Some(1.0),
            Self::Foot => Some(0.3048),
            Self::UsFoot => Some(1200.0 / 3937.0),
            Self::Degree | Self::Unknown => None,
        }
    }
}

/// Where the samples lie in a coordinate reference system.
///
/// `easting` and `northing` are those of the *sample* in row 0, column 0: of a
/// file whose pixels are areas, the corner it gives is moved to the centre of
/// the cell on reading and back on writing.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Georeference {
    /// EPSG code of the coordinate reference system, if the file names one.
    pub epsg: Option<u32>,
    /// East coordinate of the north-west sample, in units of the system.
    pub easting: f64,
    /// North coordinate of the north-west sample, in units of the system.
    pub northing: f64,
    /// Spacing to the east and to the south, both above 0, in those units.
    pub cell: [f64; 2],
    /// The unit of the three fields above.
    pub unit: LengthUnit,
    /// How the file declares its pixels.
    pub pixel_is: PixelIs,
}

/// What a file holds, read from its header alone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// The format that the content shows, whatever the name says.
    pub format: Format,
    /// Samples from west to east.
    pub width: u32,
    /// Samples from north to south.
    pub height: u32,
    /// How a sample is stored.
    pub sample_type: SampleType,
    /// Bits of a stored sample: 1, 2, 4, 8 or 16 in a PNG, the size of
    /// [`Header::sample_type`] elsewhere.
    pub bits: u32,
    /// Values for each sample: 1, or more in a color or multi-band file. A
    /// PNG with a palette has 3.
    pub channels: u32,
    /// Where the samples lie, if the file says so.
    pub georeference: Option<Georeference>,
    /// The finite value that stands for "no data", if there is one.
    pub nodata: Option<f64>,
    /// Whether [`Header::nodata`] is not in the file: -32768 in a raster of
    /// i16 that names no such value is taken for SRTM's void.
    pub nodata_assumed: bool,
    /// Unit of the heights, if the file says so (GeoTIFF key 4099).
    pub vertical_unit: LengthUnit,
    /// Full-resolution images in the file; the first is read.
    pub pages: u32,
}

impl Header {
    /// The greatest code that an unsigned sample can hold, for mapping codes
    /// to heights; `None` for signed and floating-point samples.
    pub fn max_code(&self) -> Option<u32> {
        match self.sample_type {
            SampleType::U8 | SampleType::U16 | SampleType::U32 if self.bits <= 32 => {
                Some(u32::MAX >> (32 - self.bits.clamp(1, 32)))
            }
            _ => None,
        }
    }

    /// A header with nothing but its shape.
    pub(crate) fn plain(format: Format, size: [u32; 2], sample_type: SampleType) -> Self {
        let bits = match sample_type {
            SampleType::U8 => 8,
            SampleType::U16 | SampleType::I16 => 16,
            SampleType::I32 | SampleType::U32 | SampleType::F32 => 32,
            SampleType::F64 => 64,
        };
        Self {
            format,
            width: size[0],
            height: size[1],
            sample_type,
            bits,
            channels: 1,
            georeference: None,
            nodata: None,
            nodata_assumed: false,
            vertical_unit: LengthUnit::Unknown,
            pages: 1,
        }
    }
}
