//! The sidecar `<name>.bajada.json`: what a file of codes or heights cannot
//! say about itself, and the numbers to type into the target's dialog.
//!
//! It holds no time and no path, so equal exports give equal sidecars.

use bajada_grid::Domain;
use serde::{Deserialize, Serialize};

use crate::header::{Format, Georeference};
use crate::targets::{UnityNumbers, UnrealNumbers, unity, unreal};

/// How the heights of an exported file are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Encoding {
    /// Grey PNG of 16 bits.
    Png16,
    /// Grey PNG of 8 bits.
    Png8,
    /// Headerless u16, little endian.
    R16,
    /// Headerless f32, little endian.
    R32,
    /// TIFF of f32.
    TiffF32,
    /// ESRI ASCII grid.
    Asc,
}

impl Encoding {
    /// The format of the file.
    pub fn format(self) -> Format {
        match self {
            Self::Png16 | Self::Png8 => Format::Png,
            Self::R16 => Format::R16,
            Self::R32 => Format::R32,
            Self::TiffF32 => Format::Tiff,
            Self::Asc => Format::Asc,
        }
    }

    /// The code that stands for `z_max`; `None` where heights are stored.
    pub fn max_code(self) -> Option<u32> {
        match self {
            Self::Png16 | Self::R16 => Some(65_535),
            Self::Png8 => Some(255),
            Self::R32 | Self::TiffF32 | Self::Asc => None,
        }
    }

    fn byte_order(self) -> Option<&'static str> {
        match self {
            Self::R16 | Self::R32 | Self::TiffF32 => Some("little_endian"),
            Self::Png16 => Some("big_endian"),
            Self::Png8 | Self::Asc => None,
        }
    }
}

/// What a sidecar is made from.
#[derive(Clone, Copy, Debug)]
pub struct SidecarSource<'a> {
    /// Name of the exported file without its extension.
    pub name: &'a str,
    /// Where the samples lie.
    pub domain: &'a Domain,
    /// How they are stored.
    pub encoding: Encoding,
    /// For codes: heights of the least and the greatest code; else the least
    /// and the greatest height. Metres.
    pub z_range_m: [f64; 2],
    /// Place in a coordinate reference system, if there is one.
    pub georeference: Option<&'a Georeference>,
    /// Hash of the raster's values, in hexadecimal.
    pub value_hash: &'a str,
    /// Hash of the file's bytes, in hexadecimal.
    pub file_hash: &'a str,
    /// Hash of the graph that made it, in hexadecimal.
    pub graph_hash: Option<&'a str>,
}

/// The content of a sidecar file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sidecar {
    /// Version of this layout.
    pub sidecar_version: u32,
    /// Name of the exported file, with its extension.
    pub file: String,
    /// How the heights are stored.
    pub encoding: Encoding,
    /// Samples from west to east.
    pub width: u32,
    /// Samples from north to south.
    pub height: u32,
    /// Spacing of the samples, m.
    pub cell_size_m: f64,
    /// Length of the sides, m: (samples - 1) * cell size.
    pub extent_m: [f64; 2],
    /// Place of the north-west sample: metres east, metres south.
    pub origin_m: [f64; 2],
    /// Least height, or height of code 0, m.
    pub z_min_m: f64,
    /// Greatest height, or height of the greatest code, m.
    pub z_max_m: f64,
    /// Height between two codes, m; absent where heights are stored.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub step_m: Option<f64>,
    /// Order of the bytes of a sample; absent where a sample has one byte or
    /// is text.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub byte_order: Option<String>,
    /// Always `north_to_south`: row 0 is north.
    pub row_order: String,
    /// Always `west_to_east`: column 0 is west.
    pub column_order: String,
    /// Always `points`: a sample is the height at a point.
    pub samples_are: String,
    /// Place in a coordinate reference system.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub georeference: Option<Georeference>,
    /// Hash of the raster's values.
    pub value_hash: String,
    /// Hash of the file's bytes.
    pub file_hash: String,
    /// Hash of the graph that made it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub graph_hash: Option<String>,
    /// For files of 16-bit codes: the numbers for Unreal.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub unreal: Option<UnrealNumbers>,
    /// For r16 files: the numbers for Unity.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub unity: Option<UnityNumbers>,
    /// What is likely to go wrong on import, in sentences.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub warnings: Vec<String>,
}

/// The sidecar of an exported file.
pub fn sidecar(source: &SidecarSource<'_>) -> Sidecar {
    let SidecarSource { name, domain, encoding, z_range_m, georeference, .. } = *source;
    let [width, height] = domain.samples();
    let sixteen_bits = encoding.max_code() == Some(65_535);
    let step = |max_code: u32| (z_range_m[1] - z_range_m[0]) / f64::from(max_code);
    Sidecar {
        sidecar_version: 1,
        file: format!("{name}.{}", encoding.format().extension()),
        encoding,
        width,
        height,
        cell_size_m: domain.cell_size(),
        extent_m: domain.extent(),
        origin_m: domain.origin(),
        z_min_m: z_range_m[0],
        z_max_m: z_range_m[1],
        step_m: encoding.max_code().map(step),
        byte_order: encoding.byte_order().map(str::to_owned),
        row_order: "north_to_south".to_owned(),
        column_order: "west_to_east".to_owned(),
        samples_are: "points".to_owned(),
        georeference: georeference.copied(),
        value_hash: source.value_hash.to_owned(),
        file_hash: source.file_hash.to_owned(),
        graph_hash: source.graph_hash.map(str::to_owned),
        unreal: sixteen_bits.then(|| unreal(domain, z_range_m)),
        unity: (encoding == Encoding::R16).then(|| unity(domain, z_range_m)),
        warnings: warnings(name, sixteen_bits),
    }
}

fn warnings(name: &str, sixteen_bits: bool) -> Vec<String> {
    let mut warnings = Vec::new();
    if sixteen_bits && looks_tiled(name) {
        warnings.push(format!(
            "Unreal takes '{name}' for one tile of many because an x is followed by a digit in it"
        ));
    }
    warnings
}

/// Whether `x` is followed by a digit, which Unreal reads as a tile's column.
fn looks_tiled(name: &str) -> bool {
    name.as_bytes()
        .windows(2)
        .any(|pair| pair[0].eq_ignore_ascii_case(&b'x') && pair[1].is_ascii_digit())
}

impl Sidecar {
    /// The file's text: JSON, indented, fields in the order of this type, a
    /// line break at the end.
    pub fn to_json(&self) -> String {
        let mut text = serde_json::to_string_pretty(self)
            .expect("a sidecar holds text, numbers and lists, which JSON can hold");
        text.push('\n');
        text
    }
}
