//! PNG heightmaps: grey of 1, 2, 4, 8 or 16 bits as exact codes, or one
//! channel of a color picture when `channel` says which.
//!
//! Gamma, color profiles, text and every other ancillary chunk are skipped
//! unread: they cannot change a height, and inflating them is how small files
//! fill memory. One is kept: in a grey picture the code that `tRNS` declares
//! transparent is the no-data value. Checksums of all
//! chunks that are used, and of the pixel stream, must be right; bytes after
//! `IEND` are ignored.

use std::io::{BufRead, Error, ErrorKind, Read, Result as IoResult, Seek, SeekFrom};

use png::{BitDepth, ColorType, DecodingError, Reader};

use crate::bytes::Bytes;
use crate::cells::{Cells, Decoded, check_size};
use crate::decode::{ByteOrder, DecodeOptions};
use crate::error::FormatError;
use crate::header::{Format, Header, SampleType};
use crate::tiff_read::channel;

/// The first eight bytes of every PNG file.
pub(crate) const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";

const GREY: u8 = 0;
const PALETTE: u8 = 3;

/// One chunk, in place.
struct Chunk<'a> {
    name: [u8; 4],
    data: &'a [u8],
    /// Length, name, data and checksum together.
    whole: &'a [u8],
    checksum: u32,
}

impl Chunk<'_> {
    fn check(&self) -> Result<(), FormatError> {
        match crc32(&self.whole[4..8 + self.data.len()]) == self.checksum {
            true => Ok(()),
            false => Err(FormatError::damaged(self.place(), "its checksum is wrong")),
        }
    }

    fn place(&self) -> String {
        format!("PNG chunk {}", self.name.escape_ascii())
    }

    /// Chunks without which the picture cannot be read have a capital initial.
    fn is_critical(&self) -> bool {
        self.name[0].is_ascii_uppercase()
    }
}

/// The chunk at `at`.
fn chunk(data: &[u8], at: usize) -> Result<Chunk<'_>, FormatError> {
    let cut = || FormatError::damaged(format!("the PNG chunk at byte {at}"), "the file ends early");
    let bytes = Bytes { data, order: ByteOrder::Big };
    let len = bytes.u32(at as u64).ok_or_else(cut)?;
    let whole = bytes.slice(at as u64, u64::from(len) + 12).ok_or_else(cut)?;
    let (name, rest) = whole[4..].split_first_chunk::<4>().ok_or_else(cut)?;
    let (data, checksum) = rest.split_last_chunk::<4>().ok_or_else(cut)?;
    Ok(Chunk { name: *name, data, whole, checksum: u32::from_be_bytes(*checksum) })
}

pub(crate) fn probe(bytes: &[u8], options: &DecodeOptions) -> Result<Header, FormatError> {
    let start = chunk(bytes, SIGNATURE.len())?;
    let bad = |problem: String| FormatError::damaged("PNG chunk IHDR", problem);
    if &start.name != b"IHDR" {
        return Err(bad(format!("{} stands in its place", start.name.escape_ascii())));
    }
    start.check()?;
    let &[w0, w1, w2, w3, h0, h1, h2, h3, depth, color, _, _, _] = start.data else {
        return Err(bad(format!("{} bytes where 13 belong", start.data.len())));
    };
    let width = u32::from_be_bytes([w0, w1, w2, w3]);
    let height = u32::from_be_bytes([h0, h1, h2, h3]);
    let channels = match (color, depth) {
        (GREY, 1 | 2 | 4 | 8 | 16) => 1,
        (2, 8 | 16) | (PALETTE, 1 | 2 | 4 | 8) => 3,
        (4, 8 | 16) => 2,
        (6, 8 | 16) => 4,
        _ => return Err(bad(format!("{depth} bits of color type {color} do not exist"))),
    };
    check_size("PNG chunk IHDR", width.into(), height.into(), channels, options.max_samples)?;
    let sample_type = if depth == 16 { SampleType::U16 } else { SampleType::U8 };
    let mut header = Header::plain(Format::Png, [width, height], sample_type);
    header.bits = depth.into();
    header.channels = channels as u32;
    header.nodata = if color == GREY { transparent_code(bytes, start.whole.len())? } else { None };
    Ok(header)
}

/// The code that `tRNS` of a grey picture declares transparent. Chunks are
/// looked at up to the first pixel data.
fn transparent_code(bytes: &[u8], header_len: usize) -> Result<Option<f64>, FormatError> {
    let mut at = SIGNATURE.len() + header_len;
    loop {
        let chunk = chunk(bytes, at)?;
        match &chunk.name {
            b"IDAT" | b"IEND" => return Ok(None),
            b"tRNS" => {
                chunk.check()?;
                return match chunk.data {
                    [high, low] => Ok(Some(f64::from(u16::from_be_bytes([*high, *low])))),
                    _ => Err(FormatError::damaged(
                        chunk.place(),
                        format!("{} bytes where 2 belong", chunk.data.len()),
                    )),
                };
            }
            _ => at += chunk.whole.len(),
        }
    }
}

pub(crate) fn decode(
    bytes: &[u8],
    header: Header,
    options: &DecodeOptions,
) -> Result<Decoded, FormatError> {
    let channel = channel(&header, options)? as usize;
    let (height, max_row) = (header.height as usize, header.width as usize * 8);
    let mut settings = png::DecodeOptions::default();
    settings.set_ignore_adler32(false);
    let mut decoder = png::Decoder::new_with_options(Slices::of_pixels(bytes)?, settings);
    // A row twice over, and room for the chunks that are left.
    decoder.set_limits(png::Limits { bytes: 2 * max_row + (1 << 20) });
    let mut reader = decoder.read_info().map_err(refusal)?;
    let lane = Lane::new(&reader, channel)?;
    let mut cells = Cells::new(header);
    if reader.info().interlaced {
        let len = reader.output_buffer_size().ok_or_else(too_large)?;
        let mut picture = vec![0; len];
        let info = reader.next_frame(&mut picture).map_err(refusal)?;
        for (y, row) in picture.chunks_exact(info.line_size).enumerate() {
            lane.put(&mut cells, y, row)?;
        }
    } else {
        let len = reader.output_line_size(reader.info().width).ok_or_else(too_large)?;
        let mut row = vec![0; len];
        for y in 0..height {
            let read = reader.read_row(&mut row).map_err(|error| in_row(y, error))?;
            if read.is_none() {
                return Err(FormatError::damaged(format!("row {y}"), "it is missing"));
            }
            lane.put(&mut cells, y, &row)?;
        }
        // Reads the rest of the stream, and so its checksums.
        reader.read_row(&mut row).map_err(refusal)?;
    }
    reader.finish().map_err(refusal)?;
    Ok(cells.finish())
}

/// How to take one channel out of a decoded row.
struct Lane {
    bits: usize,
    step: usize,
    start: usize,
    width: usize,
    /// For a palette: the chosen component of each entry.
    palette: Option<Vec<f64>>,
}

impl Lane {
    fn new<R: BufRead + Seek>(reader: &Reader<R>, channel: usize) -> Result<Self, FormatError> {
        let info = reader.info();
        let bits = match info.bit_depth {
            BitDepth::One => 1,
            BitDepth::Two => 2,
            BitDepth::Four => 4,
            BitDepth::Eight => 8,
            BitDepth::Sixteen => 16,
        };
        let palette = match info.color_type {
            ColorType::Indexed => {
                let entries = info.palette.as_deref().ok_or_else(|| {
                    FormatError::damaged("PNG chunk PLTE", "the palette is missing")
                })?;
                let component = entries.iter().skip(channel).step_by(3);
                Some(component.map(|value| f64::from(*value)).collect())
            }
            _ => None,
        };
        let (step, start) = match palette {
            Some(_) => (1, 0),
            None => (info.color_type.samples(), channel),
        };
        Ok(Self { bits, step, start, width: info.width as usize, palette })
    }

    fn put(&self, cells: &mut Cells, y: usize, row: &[u8]) -> Result<(), FormatError> {
        let code = |index: usize| match self.bits {
            16 => f64::from(u16::from_be_bytes([row[2 * index], row[2 * index + 1]])),
            8 => f64::from(row[index]),
            bits => {
                let in_byte = 8 / bits;
                let shift = 8 - bits - bits * (index % in_byte);
                f64::from(row[index / in_byte] >> shift & ((1 << bits) - 1))
            }
        };
        let codes = (0..self.width).map(|x| code(x * self.step + self.start));
        let Some(palette) = &self.palette else {
            cells.put_row(0, y, codes);
            return Ok(());
        };
        let beyond = codes.clone().position(|code| code as usize >= palette.len());
        if let Some(x) = beyond {
            let problem = format!("its code is not one of the {} of the palette", palette.len());
            return Err(FormatError::damaged(format!("row {y}, column {x}"), problem));
        }
        cells.put_row(0, y, codes.map(|code| palette[code as usize]));
        Ok(())
    }
}

/// The parts of a file that hold pixels, as one stream.
struct Slices<'a> {
    parts: Vec<&'a [u8]>,
    current: usize,
}

impl<'a> Slices<'a> {
    /// The signature and the critical chunks up to `IEND`.
    fn of_pixels(bytes: &'a [u8]) -> Result<Self, FormatError> {
        let mut parts = Vec::new();
        let (mut kept, mut at) = (0, SIGNATURE.len());
        loop {
            let chunk = chunk(bytes, at)?;
            let end = at + chunk.whole.len();
            if !chunk.is_critical() {
                parts.push(&bytes[kept..at]);
                kept = end;
            }
            if &chunk.name == b"IEND" {
                parts.push(&bytes[kept..end]);
                parts.retain(|part| !part.is_empty());
                return Ok(Self { parts, current: 0 });
            }
            at = end;
        }
    }
}

impl Read for Slices<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> IoResult<usize> {
        let part = self.fill_buf()?;
        let len = part.len().min(buffer.len());
        buffer[..len].copy_from_slice(&part[..len]);
        self.consume(len);
        Ok(len)
    }
}

impl BufRead for Slices<'_> {
    fn fill_buf(&mut self) -> IoResult<&[u8]> {
        while self.parts.get(self.current).is_some_and(|part| part.is_empty()) {
            self.current += 1;
        }
        Ok(self.parts.get(self.current).copied().unwrap_or_default())
    }

    fn consume(&mut self, amount: usize) {
        if let Some(part) = self.parts.get_mut(self.current) {
            *part = part.get(amount..).unwrap_or_default();
        }
    }
}

/// The `png` crate asks for the trait and never seeks.
impl Seek for Slices<'_> {
    fn seek(&mut self, _: SeekFrom) -> IoResult<u64> {
        Err(Error::from(ErrorKind::Unsupported))
    }
}

fn too_large() -> FormatError {
    FormatError::damaged("PNG chunk IHDR", "a row is larger than memory")
}

fn refusal(error: DecodingError) -> FormatError {
    FormatError::damaged("the PNG stream", sentence(&error))
}

fn in_row(y: usize, error: DecodingError) -> FormatError {
    FormatError::damaged(format!("PNG row {y}"), sentence(&error))
}

/// A message of the `png` crate as the end of a sentence.
fn sentence(error: &DecodingError) -> String {
    let text = match error {
        DecodingError::IoError(_) => "the pixel data ends early".to_owned(),
        error => error.to_string(),
    };
    // Its own words for the two that are met in practice name Rust types.
    for (start, plainly) in [
        ("Corrupt deflate stream", "the compressed pixel data is corrupt"),
        ("CRC error", "the checksum of a chunk is wrong"),
    ] {
        if text.starts_with(start) {
            return plainly.to_owned();
        }
    }
    let mut letters = text.trim_end_matches('.').chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

/// The checksum of PNG chunks. Only short ones are checked here, bit by bit;
/// those of the pixel data are the `png` crate's.
fn crc32(bytes: &[u8]) -> u32 {
    let mut crc = u32::MAX;
    for byte in bytes {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 };
        }
    }
    !crc
}
