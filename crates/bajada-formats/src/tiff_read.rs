//! TIFF rasters: u8, i16, u16, i32, u32, f32 and f64, in strips or tiles.
//!
//! The first full-resolution image is read, [`crate::Header::pages`] says how
//! many there are. Chunks are decoded one at a time by the `tiff` crate, after
//! [`crate::tiff_image`] has checked the layout, so that memory beyond the
//! result is one chunk. A raster of i16 that names no no-data value takes
//! -32768 for it, which is how SRTM marks a void. A chunk that the writer left
//! out, as GDAL does with empty ones, has no data.

use std::ops::Range;

use tiff::decoder::DecodingResult;

use crate::bytes::Bytes;
use crate::cells::{Cells, Decoded};
use crate::decode::DecodeOptions;
use crate::error::FormatError;
use crate::header::{Header, SampleType};
use crate::tiff_chunk;
use crate::tiff_image::Image;

/// TIFF and BigTIFF in both byte orders.
pub(crate) const SIGNATURES: [&[u8]; 4] = [b"II\x2a\0", b"MM\0\x2a", b"II\x2b\0", b"MM\0\x2b"];

pub(crate) fn probe(bytes: &[u8], options: &DecodeOptions) -> Result<Header, FormatError> {
    Ok(Image::read(bytes, options)?.header)
}

pub(crate) fn decode(
    bytes: &[u8],
    header: Header,
    options: &DecodeOptions,
) -> Result<Decoded, FormatError> {
    let image = Image::read(bytes, options)?;
    let channel = channel(&header, options)?;
    let (width, height) = (header.width as usize, header.height as usize);
    let sample_type = header.sample_type;
    let mut cells = Cells::new(header);
    let bytes = Bytes { data: bytes, order: image.order };
    let first = image.first_chunk(channel);
    let lane = Lane {
        step: image.interleaved(),
        start: if image.planar { 0 } else { channel as usize },
        stride: image.chunk_width as usize * image.interleaved(),
    };
    for y in (0..height).step_by(image.chunk_height as usize) {
        for x in (0..width).step_by(image.chunk_width as usize) {
            let row = y as u64 / image.chunk_height;
            let index = first + row * image.chunks_across() + x as u64 / image.chunk_width;
            let chunk_width = (width - x).min(image.chunk_width as usize);
            let rows = y..height.min(y + image.chunk_height as usize);
            let span = image.spans.get(index as usize).copied();
            let span = span.ok_or_else(|| FormatError::damaged("tag 273 or 324", "too short"))?;
            if span.is_absent() {
                for y in rows {
                    cells.clear_row(x, y, chunk_width);
                }
                continue;
            }
            let stored = bytes.slice(span.offset, span.len).ok_or_else(|| {
                FormatError::damaged(format!("chunk {index}"), "it ends beyond the file")
            })?;
            let chunk = tiff_chunk::decode(&image, index, stored, rows.len() as u64)?;
            let patch = Patch { x, rows, width: chunk_width };
            put_chunk(&mut cells, patch, &chunk, sample_type, lane).ok_or_else(|| {
                FormatError::damaged(format!("chunk {index}"), "it decodes to another type")
            })?;
        }
    }
    Ok(cells.finish())
}

/// Which values of an interleaved row belong to the channel.
#[derive(Clone, Copy)]
struct Lane {
    step: usize,
    start: usize,
    /// Values of a row of a chunk, padding included.
    stride: usize,
}

/// The part of the raster that a chunk covers.
struct Patch {
    x: usize,
    rows: Range<usize>,
    width: usize,
}

fn put_chunk(
    cells: &mut Cells,
    patch: Patch,
    chunk: &DecodingResult,
    sample_type: SampleType,
    lane: Lane,
) -> Option<()> {
    let Patch { x, rows, width } = patch;
    macro_rules! put {
        ($samples:expr) => {{
            let stored = $samples.chunks_exact(lane.stride);
            for (y, row) in rows.zip(stored) {
                let samples = row.iter().skip(lane.start).step_by(lane.step).take(width);
                cells.put_row(x, y, samples.map(|sample| f64::from(*sample)));
            }
        }};
    }
    match (chunk, sample_type) {
        (DecodingResult::U8(samples), SampleType::U8) => put!(samples),
        (DecodingResult::U16(samples), SampleType::U16) => put!(samples),
        (DecodingResult::I16(samples), SampleType::I16) => put!(samples),
        (DecodingResult::I32(samples), SampleType::I32) => put!(samples),
        (DecodingResult::U32(samples), SampleType::U32) => put!(samples),
        (DecodingResult::F32(samples), SampleType::F32) => put!(samples),
        (DecodingResult::F64(samples), SampleType::F64) => put!(samples),
        _ => return None,
    }
    Some(())
}

/// The channel to read: the only one, or the one that is asked for.
pub(crate) fn channel(header: &Header, options: &DecodeOptions) -> Result<u32, FormatError> {
    let channels = header.channels;
    match options.channel {
        Some(channel) if channel < channels => Ok(channel),
        Some(channel) => Err(FormatError::wrong_setting(
            "channel",
            format!("{channel} is not one of the {channels} channel(s), which count from 0"),
        )),
        None if channels == 1 => Ok(0),
        None => Err(FormatError::needs_choice(
            format!("the {} has {channels} channels and a raster takes one", header.format.name()),
            format!("give `channel: 0` (to {}) or convert the file to grey", channels - 1),
        )),
    }
}
