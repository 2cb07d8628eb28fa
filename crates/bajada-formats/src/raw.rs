//! Headerless rasters: r16 (u16 codes), r32 (f32 heights) and hgt (big-endian
//! i16 heights, void at -32768).
//!
//! They say nothing about themselves, so their size is given or must be a
//! square, and their byte order is a setting; both go into the sidecar when
//! this crate writes one.

use bajada_grid::Grid;

use crate::cells::{Cells, Decoded, check_size};
use crate::decode::{ByteOrder, DecodeOptions};
use crate::error::FormatError;
use crate::header::{Format, Header, SampleType};
use crate::quantize::{check_finite, codes};

pub(crate) fn probe(
    bytes: &[u8],
    format: Format,
    options: &DecodeOptions,
) -> Result<Header, FormatError> {
    let sample_type = match format {
        Format::R32 => SampleType::F32,
        Format::Hgt => SampleType::I16,
        _ => SampleType::U16,
    };
    let sample_bytes = if format == Format::R32 { 4 } else { 2 };
    let len = bytes.len() as u64;
    let name = format.name();
    let size = match options.raw_samples {
        Some([width, height]) => {
            check_size("raw_samples", width.into(), height.into(), 1, options.max_samples)?;
            let expected = u64::from(width) * u64::from(height) * sample_bytes;
            if expected != len {
                return Err(FormatError::wrong_setting(
                    "raw_samples",
                    format!(
                        "{width} x {height} samples of {name} take {expected} bytes \
                         and the file has {len}"
                    ),
                ));
            }
            [width, height]
        }
        None => {
            let samples = len / sample_bytes;
            let side = samples.isqrt();
            if !len.is_multiple_of(sample_bytes) || side * side != samples {
                return Err(FormatError::needs_choice(
                    format!("{len} bytes of {name} are not a square of samples"),
                    "give their number from west to east and from north to south, \
                     `raw_samples: [width, height]`",
                ));
            }
            check_size(name, side, side, 1, options.max_samples)?;
            [side as u32; 2]
        }
    };
    let mut header = Header::plain(format, size, sample_type);
    if format == Format::Hgt {
        header.nodata = Some(-32768.0);
    }
    Ok(header)
}

pub(crate) fn decode(
    bytes: &[u8],
    header: Header,
    options: &DecodeOptions,
) -> Result<Decoded, FormatError> {
    let (format, order) = (header.format, options.raw_byte_order);
    let (width, height) = (header.width as usize, header.height as usize);
    let row_bytes = bytes.len() / height;
    let mut cells = Cells::new(header);
    for (y, row) in bytes.chunks_exact(row_bytes).enumerate() {
        debug_assert_eq!(row.len() % width, 0);
        match (format, order) {
            (Format::R32, ByteOrder::Little) => {
                cells.put_row(0, y, words(row).map(|word| f64::from(f32::from_le_bytes(word))));
            }
            (Format::R32, ByteOrder::Big) => {
                cells.put_row(0, y, words(row).map(|word| f64::from(f32::from_be_bytes(word))));
            }
            (Format::Hgt, _) => {
                cells.put_row(0, y, words(row).map(|word| f64::from(i16::from_be_bytes(word))));
            }
            (_, ByteOrder::Little) => {
                cells.put_row(0, y, words(row).map(|word| f64::from(u16::from_le_bytes(word))));
            }
            (_, ByteOrder::Big) => {
                cells.put_row(0, y, words(row).map(|word| f64::from(u16::from_be_bytes(word))));
            }
        }
    }
    Ok(cells.finish())
}

fn words<const N: usize>(row: &[u8]) -> impl Iterator<Item = [u8; N]> + '_ {
    row.chunks_exact(N).filter_map(|word| word.try_into().ok())
}

/// Codes of 16 bits, little endian, row 0 first: 0 at `range_m[0]`, 65,535 at
/// `range_m[1]`, heights beyond held at the ends, rounded half up.
pub fn encode_r16(grid: &Grid<f32>, range_m: [f64; 2]) -> Result<Vec<u8>, FormatError> {
    let mut bytes = Vec::with_capacity(2 * grid.domain().len());
    for code in codes(grid, range_m, u16::MAX.into())? {
        bytes.extend((code as u16).to_le_bytes());
    }
    Ok(bytes)
}

/// Heights as f32, little endian, row 0 first.
pub fn encode_r32(grid: &Grid<f32>) -> Result<Vec<u8>, FormatError> {
    check_finite(grid)?;
    Ok(grid.as_slice().iter().flat_map(|value| value.to_le_bytes()).collect())
}
