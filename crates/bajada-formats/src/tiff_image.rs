//! The layout of a TIFF's first image, checked tag by tag.
//!
//! What comes out of [`Image::read`] is plain: one sample format, byte-sized
//! samples, a known compression, a predictor that fits, and as many strips or
//! tiles as the size asks for, each inside the file. Everything else is
//! refused by tag and value.

use crate::cells::check_size;
use crate::decode::{ByteOrder, DecodeOptions};
use crate::error::FormatError;
use crate::header::{Format, Header, SampleType};
use crate::tiff_directory::{Directory, File};
use crate::{geo_keys, tiff_directory};

const IMAGE_WIDTH: u16 = 256;
const IMAGE_LENGTH: u16 = 257;
const BITS_PER_SAMPLE: u16 = 258;
const COMPRESSION: u16 = 259;
const PHOTOMETRIC: u16 = 262;
const FILL_ORDER: u16 = 266;
const STRIP_OFFSETS: u16 = 273;
const ORIENTATION: u16 = 274;
const SAMPLES_PER_PIXEL: u16 = 277;
const ROWS_PER_STRIP: u16 = 278;
const STRIP_BYTE_COUNTS: u16 = 279;
const PLANAR_CONFIGURATION: u16 = 284;
const PREDICTOR: u16 = 317;
const TILE_WIDTH: u16 = 322;
const TILE_LENGTH: u16 = 323;
const TILE_OFFSETS: u16 = 324;
const TILE_BYTE_COUNTS: u16 = 325;
const SAMPLE_FORMAT: u16 = 339;
const GDAL_NODATA: u16 = 42113;

const BLACK_IS_ZERO: u64 = 1;
const RGB: u64 = 2;
pub(crate) const LZW: u64 = 5;
const NO_COMPRESSION: u64 = 1;
const PACK_BITS: u64 = 32773;

/// Channels beyond which a file is taken for damage: Landsat stacks have tens,
/// hyperspectral cubes hundreds.
const MAX_CHANNELS: u64 = 4096;

/// Where the values of a chunk lie in the file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    pub(crate) offset: u64,
    pub(crate) len: u64,
}

impl Span {
    /// GDAL leaves a chunk out (offset and length 0) when all of it is empty.
    pub(crate) fn is_absent(self) -> bool {
        self.offset == 0 && self.len == 0
    }
}

/// How the first image is cut up and stored.
#[derive(Debug)]
pub(crate) struct Image {
    pub(crate) header: Header,
    pub(crate) order: ByteOrder,
    pub(crate) compression: u64,
    pub(crate) predictor: u64,
    /// Whether each channel has chunks of its own.
    pub(crate) planar: bool,
    pub(crate) chunk_width: u64,
    pub(crate) chunk_height: u64,
    /// Chunks row by row, channel after channel when planar.
    pub(crate) spans: Vec<Span>,
}

impl Image {
    pub(crate) fn chunks_across(&self) -> u64 {
        u64::from(self.header.width).div_ceil(self.chunk_width)
    }

    fn chunks_of_plane(&self) -> u64 {
        self.chunks_across() * u64::from(self.header.height).div_ceil(self.chunk_height)
    }

    /// Index of the first chunk of a channel.
    pub(crate) fn first_chunk(&self, channel: u32) -> u64 {
        if self.planar { u64::from(channel) * self.chunks_of_plane() } else { 0 }
    }

    /// Channels that lie side by side in one chunk.
    pub(crate) fn interleaved(&self) -> usize {
        if self.planar { 1 } else { self.header.channels as usize }
    }

    /// Reads and checks the layout. The lists of strips or tiles are read with
    /// the rest, and are as long as the size asks for.
    pub(crate) fn read(data: &[u8], options: &DecodeOptions) -> Result<Self, FormatError> {
        let file = File::read(data)?;
        let tags = &file.first;
        let width = required(tags, IMAGE_WIDTH)?;
        let height = required(tags, IMAGE_LENGTH)?;
        let channels = tags.uint(SAMPLES_PER_PIXEL)?.unwrap_or(1);
        check_size("tags 256, 257 and 277", width, height, channels, options.max_samples)?;
        if channels > MAX_CHANNELS {
            return Err(refused(SAMPLES_PER_PIXEL, channels, "split the bands into files"));
        }
        let sample_type = sample_type(tags, channels)?;
        check_conventions(tags)?;
        let compression = compression(tags)?;
        let predictor = predictor(tags, compression, sample_type)?;
        let planar = match tags.uint(PLANAR_CONFIGURATION)?.unwrap_or(1) {
            1 => false,
            2 => channels > 1,
            other => return Err(refused(PLANAR_CONFIGURATION, other, "write 1 or 2")),
        };
        if let Some(number) = file.mask {
            return Err(FormatError::unsupported(
                format!("tag {} of directory {number}", tiff_directory::NEW_SUBFILE_TYPE),
                "a transparency mask",
                "burn it in as a no-data value, for example with gdal_translate -a_nodata",
            ));
        }
        let mut header = Header::plain(Format::Tiff, [width as u32, height as u32], sample_type);
        header.channels = channels as u32;
        header.pages = file.pages;
        (header.georeference, header.vertical_unit) = geo_keys::read(tags)?;
        (header.nodata, header.nodata_assumed) = nodata(tags, sample_type, options)?;
        let mut image = Self {
            header,
            order: file.order,
            compression,
            predictor,
            planar,
            chunk_width: width,
            chunk_height: height,
            spans: Vec::new(),
        };
        image.read_spans(data, tags)?;
        Ok(image)
    }

    fn read_spans(&mut self, data: &[u8], tags: &Directory<'_>) -> Result<(), FormatError> {
        let strips = tags.has(STRIP_OFFSETS);
        if strips == tags.has(TILE_OFFSETS) {
            return Err(FormatError::damaged(
                "tags 273 and 324",
                "there must be strips or tiles, and not both",
            ));
        }
        let (name, offsets_tag, counts_tag) = if strips {
            let rows = tags.uint(ROWS_PER_STRIP)?.unwrap_or(self.chunk_height);
            self.chunk_height = rows.min(u64::from(self.header.height));
            ("strip", STRIP_OFFSETS, STRIP_BYTE_COUNTS)
        } else {
            self.chunk_width = required(tags, TILE_WIDTH)?;
            self.chunk_height = required(tags, TILE_LENGTH)?;
            ("tile", TILE_OFFSETS, TILE_BYTE_COUNTS)
        };
        // A tile is stored whole, so its size counts against memory although
        // the image may be small; 2^16 a side is beyond any writer's choice.
        let sides = 1..=65_536;
        let legal = self.chunk_height > 0
            && (strips
                || (sides.contains(&self.chunk_width) && sides.contains(&self.chunk_height)));
        if !legal {
            return Err(FormatError::damaged(
                if strips { "tag 278" } else { "tags 322 and 323" },
                format!("{name}s of {} x {} samples", self.chunk_width, self.chunk_height),
            ));
        }
        let planes = if self.planar { u64::from(self.header.channels) } else { 1 };
        let expected = self.chunks_of_plane() * planes;
        let list = |tag: u16| -> Result<Vec<u64>, FormatError> {
            let list = tags.uints(tag, expected)?.ok_or_else(|| missing(tag))?;
            if list.len() as u64 == expected {
                return Ok(list);
            }
            let problem = format!("{} values for {expected} {name}s", list.len());
            Err(FormatError::damaged(format!("tag {tag}"), problem))
        };
        let (offsets, lens) = (list(offsets_tag)?, list(counts_tag)?);
        self.spans =
            offsets.into_iter().zip(lens).map(|(offset, len)| Span { offset, len }).collect();
        self.check_spans(data, name)
    }

    /// That every chunk lies in the file, and is as long as it must be where
    /// that is known without decoding.
    fn check_spans(&self, data: &[u8], name: &str) -> Result<(), FormatError> {
        let sample_bytes = u64::from(self.header.bits / 8);
        let row = self.chunk_width * self.interleaved() as u64 * sample_bytes;
        let down = u64::from(self.header.height).div_ceil(self.chunk_height);
        for (index, span) in self.spans.iter().enumerate() {
            if span.is_absent() {
                continue;
            }
            let place = || format!("{name} {index}");
            let end = span.offset.checked_add(span.len);
            if end.is_none_or(|end| end > data.len() as u64) {
                return Err(FormatError::damaged(place(), "it ends beyond the file"));
            }
            let first_row = (index as u64 / self.chunks_across()) % down * self.chunk_height;
            let rows = self.chunk_height.min(u64::from(self.header.height) - first_row);
            let needed = rows * row;
            // A byte of PackBits repeats at most 128 times for two bytes; LZW
            // and deflate give at most about 1,400 bytes for one.
            let most = match self.compression {
                NO_COMPRESSION => span.len,
                PACK_BITS => span.len.saturating_mul(64),
                _ => span.len.saturating_mul(2048),
            };
            if most < needed {
                let problem =
                    format!("{} bytes cannot hold its {needed} bytes of samples", span.len);
                return Err(FormatError::damaged(place(), problem));
            }
        }
        Ok(())
    }
}

fn sample_type(tags: &Directory<'_>, channels: u64) -> Result<SampleType, FormatError> {
    let uniform = |tag: u16, default: u64| -> Result<u64, FormatError> {
        let values = tags.uints(tag, MAX_CHANNELS)?.unwrap_or_else(|| vec![default]);
        let first = values.first().copied().unwrap_or(default);
        let count_fits = values.len() as u64 == channels || values.len() == 1;
        if !count_fits || values.iter().any(|value| *value != first) {
            let problem = format!("{values:?} for {channels} channel(s): all must be equal");
            return Err(FormatError::damaged(format!("tag {tag}"), problem));
        }
        Ok(first)
    };
    let bits = uniform(BITS_PER_SAMPLE, 1)?;
    let format = uniform(SAMPLE_FORMAT, 1)?;
    match (format, bits) {
        (1, 8) => Ok(SampleType::U8),
        (1, 16) => Ok(SampleType::U16),
        (1, 32) => Ok(SampleType::U32),
        (2, 16) => Ok(SampleType::I16),
        (2, 32) => Ok(SampleType::I32),
        (3, 32) => Ok(SampleType::F32),
        (3, 64) => Ok(SampleType::F64),
        _ => Err(FormatError::unsupported(
            "tags 258 (BitsPerSample) and 339 (SampleFormat)",
            format!("{bits} bits of format {format}"),
            "convert to f32, for example with gdal_translate -ot Float32",
        )),
    }
}

/// Tags that would turn, mirror, invert or recolor the samples.
fn check_conventions(tags: &Directory<'_>) -> Result<(), FormatError> {
    match required(tags, PHOTOMETRIC)? {
        BLACK_IS_ZERO | RGB => {}
        other => {
            return Err(refused(
                PHOTOMETRIC,
                other,
                "write the raster as black-is-zero (1), for example with \
                 gdal_translate -co PHOTOMETRIC=MINISBLACK",
            ));
        }
    }
    for tag in [FILL_ORDER, ORIENTATION] {
        match tags.uint(tag)? {
            None | Some(1) => {}
            Some(other) => return Err(refused(tag, other, "write the raster with 1")),
        }
    }
    Ok(())
}

fn compression(tags: &Directory<'_>) -> Result<u64, FormatError> {
    match tags.uint(COMPRESSION)?.unwrap_or(NO_COMPRESSION) {
        known @ (NO_COMPRESSION | LZW | 8 | 32946 | PACK_BITS) => Ok(known),
        other => Err(refused(
            COMPRESSION,
            other,
            "write none, LZW, deflate or PackBits, for example with \
             gdal_translate -co COMPRESS=DEFLATE",
        )),
    }
}

fn predictor(
    tags: &Directory<'_>,
    compression: u64,
    sample_type: SampleType,
) -> Result<u64, FormatError> {
    match tags.uint(PREDICTOR)?.unwrap_or(1) {
        1 => Ok(1),
        // libtiff ignores a predictor here and other readers undo it, so that
        // a file that has one means either thing.
        other if matches!(compression, NO_COMPRESSION | PACK_BITS) => {
            let way_out = format!("with compression {compression} it means nothing: drop the tag");
            Err(refused(PREDICTOR, other, &way_out))
        }
        2 => Ok(2),
        3 if sample_type.is_float() => Ok(3),
        other => Err(refused(PREDICTOR, other, "write predictor 1 or 2 for whole numbers")),
    }
}

fn nodata(
    tags: &Directory<'_>,
    sample_type: SampleType,
    options: &DecodeOptions,
) -> Result<(Option<f64>, bool), FormatError> {
    if options.nodata.is_some() {
        return Ok((options.nodata, false));
    }
    match tags.ascii(GDAL_NODATA, 256)? {
        None if sample_type == SampleType::I16 => Ok((Some(-32768.0), true)),
        None => Ok((None, false)),
        Some(text) => match text.parse::<f64>() {
            // NaN and infinities are never data, tag or no tag.
            Ok(value) => Ok((Some(value).filter(|value| value.is_finite()), false)),
            Err(_) => Err(FormatError::unsupported(
                format!("tag {GDAL_NODATA} (GDAL_NODATA)"),
                format!("'{}'", text.escape_debug().take(24).collect::<String>()),
                "write a number there, or give `nodata`",
            )),
        },
    }
}

fn required(tags: &Directory<'_>, tag: u16) -> Result<u64, FormatError> {
    tags.uint(tag)?.ok_or_else(|| missing(tag))
}

fn missing(tag: u16) -> FormatError {
    FormatError::damaged(format!("tag {tag}"), "it is missing")
}

fn refused(tag: u16, value: u64, way_out: &str) -> FormatError {
    FormatError::unsupported(format!("tag {tag}"), format!("value {value}"), way_out)
}
