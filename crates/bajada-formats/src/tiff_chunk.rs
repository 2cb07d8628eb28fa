//! One strip or tile, decoded by the `tiff` crate.
//!
//! The chunk is handed over as the only strip of a file made for it: a header
//! and a directory of ten fields in front of the chunk's bytes, without copying
//! them. So the crate never sees what the real file declares, and two of its
//! faults (0.11.3) are out of reach: reading an LZW tile that sticks out beyond
//! the raster row by row, it takes a status of `weezl` for the end of the
//! data; and it drops extra samples before it undoes the predictor.

use std::io::{Read, Result as IoResult, Seek, SeekFrom};

use tiff::decoder::{Decoder, DecodingResult, Limits};

use crate::decode::ByteOrder;
use crate::error::FormatError;
use crate::header::SampleType;
use crate::tiff_image::{Image, LZW};

/// The samples of one chunk, `rows` rows of its full width.
pub(crate) fn decode(
    image: &Image,
    index: u64,
    stored: &[u8],
    rows: u64,
) -> Result<DecodingResult, FormatError> {
    let damaged = |problem: String| FormatError::damaged(format!("chunk {index}"), problem);
    check_lzw(image, index, stored)?;
    let samples = image.chunk_width * rows * image.interleaved() as u64;
    let bytes = samples * u64::from(image.header.bits / 8);
    let mut limits = Limits::default();
    // Both are bounded: the samples by the raster or by 2^16 a side, the
    // stored bytes by the file.
    limits.decoding_buffer_size =
        usize::try_from(bytes).map_err(|_| damaged("it is larger than memory".to_owned()))?;
    limits.intermediate_buffer_size = stored.len();
    let envelope = Envelope { head: head(image, stored, rows), stored, position: 0 };
    Decoder::new(envelope)
        .and_then(|decoder| decoder.with_limits(limits).read_chunk(0))
        .map_err(|error| damaged(sentence(&error)))
}

/// LZW as written before TIFF 5.0 runs its bits the other way and would decode
/// to noise.
fn check_lzw(image: &Image, index: u64, stored: &[u8]) -> Result<(), FormatError> {
    match stored {
        [0, second, ..] if image.compression == LZW && second & 1 == 1 => {
            Err(FormatError::unsupported(
                format!("chunk {index}"),
                "LZW of the kind before TIFF 5.0",
                "write the file again with a current program",
            ))
        }
        _ => Ok(()),
    }
}

/// A BigTIFF header and directory for one strip, which begins right behind.
fn head(image: &Image, stored: &[u8], rows: u64) -> Vec<u8> {
    const FIELDS: u64 = 11;
    const LEN: u64 = 16 + 8 + 20 * FIELDS + 8;
    let sample_format = match image.header.sample_type {
        SampleType::U8 | SampleType::U16 | SampleType::U32 => 1,
        SampleType::I16 | SampleType::I32 => 2,
        SampleType::F32 | SampleType::F64 => 3,
    };
    let fields: [(u16, u64); FIELDS as usize] = [
        (256, image.chunk_width),
        (257, rows),
        (258, image.header.bits.into()),
        (259, image.compression),
        (262, 1),
        (273, LEN),
        (277, image.interleaved() as u64),
        (278, rows),
        (279, stored.len() as u64),
        (317, image.predictor),
        (339, sample_format),
    ];
    let mut head = Numbers { bytes: Vec::with_capacity(LEN as usize), order: image.order };
    head.bytes.extend(match image.order {
        ByteOrder::Little => b"II",
        ByteOrder::Big => b"MM",
    });
    head.put(43, 2);
    head.put(8, 2);
    head.put(0, 2);
    head.put(16, 8);
    head.put(FIELDS, 8);
    for (tag, value) in fields {
        let (kind, size) = if value <= u64::from(u16::MAX) { (3, 2) } else { (16, 8) };
        head.put(tag.into(), 2);
        head.put(kind, 2);
        head.put(1, 8);
        head.put(value, size);
        head.bytes.resize(head.bytes.len() + 8 - size, 0);
    }
    // No next directory.
    head.put(0, 8);
    head.bytes
}

struct Numbers {
    bytes: Vec<u8>,
    order: ByteOrder,
}

impl Numbers {
    fn put(&mut self, value: u64, size: usize) {
        match self.order {
            ByteOrder::Little => self.bytes.extend(&value.to_le_bytes()[..size]),
            ByteOrder::Big => self.bytes.extend(&value.to_be_bytes()[8 - size..]),
        }
    }
}

/// A head and stored bytes, read as one.
struct Envelope<'a> {
    head: Vec<u8>,
    stored: &'a [u8],
    position: u64,
}

impl Read for Envelope<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> IoResult<usize> {
        let position = usize::try_from(self.position).unwrap_or(usize::MAX);
        let rest = match position.checked_sub(self.head.len()) {
            None => &self.head[position..],
            Some(behind) => self.stored.get(behind..).unwrap_or_default(),
        };
        let len = rest.len().min(buffer.len());
        buffer[..len].copy_from_slice(&rest[..len]);
        self.position += len as u64;
        Ok(len)
    }
}

impl Seek for Envelope<'_> {
    fn seek(&mut self, to: SeekFrom) -> IoResult<u64> {
        let end = (self.head.len() + self.stored.len()) as u64;
        self.position = match to {
            SeekFrom::Start(position) => position,
            SeekFrom::Current(offset) => self.position.saturating_add_signed(offset),
            SeekFrom::End(offset) => end.saturating_add_signed(offset),
        };
        Ok(self.position)
    }
}

/// A message of the `tiff` crate as the end of a sentence.
fn sentence(error: &tiff::TiffError) -> String {
    let text = match error {
        tiff::TiffError::IoError(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => {
            "its samples end early".to_owned()
        }
        error => error.to_string(),
    };
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}
