//! From bytes to a raster: which format it is, and which reader takes it.
//!
//! The content decides. An extension counts only where the content cannot
//! speak for itself: the headerless r16, r32 and hgt, and text.

use crate::cells::Decoded;
use crate::error::FormatError;
use crate::header::{Format, Header};
use crate::{ascii_grid, png_read, raw, tiff_read};

/// Order of the bytes of a number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ByteOrder {
    /// Least significant byte first: "Windows", "PC".
    #[default]
    Little,
    /// Most significant byte first: "Mac".
    Big,
}

/// How to read what a file leaves open.
#[derive(Clone, Debug, PartialEq)]
pub struct DecodeOptions {
    /// Which channel of a color or multi-band file to read, from 0. A file of
    /// several channels is refused without it.
    pub channel: Option<u32>,
    /// Samples `[width, height]` of an r16, r32 or hgt file; without it their
    /// number must be a square.
    pub raw_samples: Option<[u32; 2]>,
    /// Byte order of an r16 or r32 file.
    pub raw_byte_order: ByteOrder,
    /// Most values (samples times channels) that a header may ask for.
    pub max_samples: u64,
    /// The value that stands for "no data", in place of what the file says.
    pub nodata: Option<f64>,
}

impl Default for DecodeOptions {
    fn default() -> Self {
        Self {
            channel: None,
            raw_samples: None,
            raw_byte_order: ByteOrder::Little,
            // 16,384 samples squared: the values fill 1 GiB.
            max_samples: 1 << 28,
            nodata: None,
        }
    }
}

/// Reads the header of `bytes` under the default options. No pixel is decoded.
///
/// ```
/// let bytes = b"ncols 2\nnrows 1\nxllcenter 0\nyllcenter 0\ncellsize 30\n1.5 2.5\n";
/// let header = bajada_formats::probe(bytes, "asc")?;
/// assert_eq!((header.width, header.height), (2, 1));
/// # Ok::<(), bajada_formats::FormatError>(())
/// ```
pub fn probe(bytes: &[u8], extension: &str) -> Result<Header, FormatError> {
    probe_with(bytes, extension, &DecodeOptions::default())
}

/// Reads the header of `bytes`. No pixel is decoded.
pub fn probe_with(
    bytes: &[u8],
    extension: &str,
    options: &DecodeOptions,
) -> Result<Header, FormatError> {
    let mut header = match format_of(bytes, extension)? {
        Format::Png => png_read::probe(bytes, options)?,
        Format::Tiff => tiff_read::probe(bytes, options)?,
        Format::Asc => ascii_grid::probe(bytes, options)?,
        format @ (Format::R16 | Format::R32 | Format::Hgt) => raw::probe(bytes, format, options)?,
    };
    if options.nodata.is_some() {
        header.nodata = options.nodata.filter(|value| value.is_finite());
        header.nodata_assumed = false;
    }
    Ok(header)
}

/// Reads the first raster of `bytes`.
///
/// Values come as they are stored: heights of a floating-point or signed file,
/// codes of an unsigned one. Cells that hold the no-data value, NaN or an
/// infinity are masked and hold 0; that *all* are is the caller's to refuse
/// ([`crate::RasterStats::is_all_nodata`]).
pub fn decode(
    bytes: &[u8],
    extension: &str,
    options: &DecodeOptions,
) -> Result<Decoded, FormatError> {
    let header = probe_with(bytes, extension, options)?;
    match header.format {
        Format::Png => png_read::decode(bytes, header, options),
        Format::Tiff => tiff_read::decode(bytes, header, options),
        Format::Asc => ascii_grid::decode(bytes, header),
        Format::R16 | Format::R32 | Format::Hgt => raw::decode(bytes, header, options),
    }
}

/// The first bytes of files that people take for heightmaps.
const OTHER_FILES: &[(&[u8], &str)] = &[
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF8", "a GIF picture"),
    (b"BM", "a BMP picture"),
    (b"RIFF", "a RIFF file (WebP or sound)"),
    (b"\x76\x2f\x31\x01", "an OpenEXR picture"),
    (b"PK\x03\x04", "a ZIP archive"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"7z\xbc\xaf", "a 7z archive"),
    (b"%PDF", "a PDF document"),
    (b"\x89HDF", "an HDF5 file"),
    (b"CDF", "a netCDF file"),
    (b"TERRAGEN", "a Terragen terrain"),
    (b"HF2\0", "an HF2 terrain"),
    (b"DDS ", "a DDS texture"),
    (b"8BPS", "a Photoshop document"),
    (b"P5", "a PGM picture"),
    (b"P6", "a PPM picture"),
];

const WAY_OUT: &str = "give a PNG, TIFF, ESRI ASCII grid, r16, r32 or hgt file";

fn format_of(bytes: &[u8], extension: &str) -> Result<Format, FormatError> {
    if bytes.is_empty() {
        return Err(FormatError::wrong_file("the file is empty", WAY_OUT));
    }
    if bytes.starts_with(png_read::SIGNATURE) {
        return Ok(Format::Png);
    }
    if tiff_read::SIGNATURES.iter().any(|signature| bytes.starts_with(signature)) {
        return Ok(Format::Tiff);
    }
    let by_name = Format::from_extension(extension);
    if let Some(format @ (Format::R16 | Format::R32 | Format::Hgt)) = by_name {
        return Ok(format);
    }
    // Text has no magic number: under another format's name it is refused.
    let maybe_grid = match by_name {
        Some(Format::Asc) => is_text(bytes),
        Some(_) => false,
        None => ascii_grid::starts_like_one(bytes),
    };
    if maybe_grid {
        return Ok(Format::Asc);
    }
    let found = OTHER_FILES
        .iter()
        .find(|(start, _)| bytes.starts_with(start))
        .map(|(_, what)| *what)
        .unwrap_or(if is_text(bytes) { "text" } else { "not a raster file" });
    let found = match by_name {
        Some(format) if found == "not a raster file" => {
            format!("the content does not start like a {}", format.name())
        }
        Some(format) => format!("the content is {found}, not a {}", format.name()),
        None => format!("the content is {found} (extension '{extension}')"),
    };
    Err(FormatError::wrong_file(found, WAY_OUT))
}

/// Whether the first bytes are printable ASCII or UTF-8 text.
fn is_text(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(512)];
    head.iter().all(|byte| *byte >= 0x20 || matches!(byte, b'\t' | b'\n' | b'\r' | 0x0c))
}
