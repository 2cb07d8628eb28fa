//! A tiny TIFF writer for tests: slow, obvious, and independent of the crate.

use bajada_formats::SampleType;

use crate::tiff_packing::{deflate, lzw, pack_bits};

pub(crate) const NONE: u16 = 1;
pub(crate) const LZW: u16 = 5;
pub(crate) const DEFLATE: u16 = 8;
pub(crate) const PACK_BITS: u16 = 32773;

#[derive(Clone, Copy, Debug)]
pub(crate) enum Layout {
    /// Rows of a strip.
    Strips(usize),
    /// Width and height of a tile.
    Tiles(usize, usize),
}

/// A field beyond those of the image: tag, type, values as bytes in file order.
pub(crate) type Extra = (u16, u16, Value);

#[derive(Clone, Debug)]
pub(crate) enum Value {
    Shorts(Vec<u16>),
    Longs(Vec<u32>),
    Doubles(Vec<f64>),
    Text(&'static str),
}

#[derive(Clone, Debug)]
pub(crate) struct Spec {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) channels: usize,
    pub(crate) planar: bool,
    pub(crate) kind: SampleType,
    pub(crate) big_endian: bool,
    pub(crate) big_tiff: bool,
    pub(crate) layout: Layout,
    pub(crate) compression: u16,
    pub(crate) predictor: u16,
    pub(crate) extra: Vec<Extra>,
    /// Copies of the directory that follow the first.
    pub(crate) more_pages: usize,
    /// Chunks left out the way GDAL does.
    pub(crate) absent: Vec<usize>,
}

impl Spec {
    pub(crate) fn new(width: usize, height: usize, kind: SampleType) -> Self {
        Self {
            width,
            height,
            channels: 1,
            planar: false,
            kind,
            big_endian: false,
            big_tiff: false,
            layout: Layout::Strips(5),
            compression: NONE,
            predictor: 1,
            extra: Vec::new(),
            more_pages: 0,
            absent: Vec::new(),
        }
    }

    pub(crate) fn with(mut self, tag: u16, kind: u16, value: Value) -> Self {
        self.extra.push((tag, kind, value));
        self
    }

    /// The file whose sample in column `x`, row `y`, channel `c` is
    /// `value(x, y, c)`.
    pub(crate) fn build(&self, value: impl Fn(usize, usize, usize) -> f64) -> Vec<u8> {
        let (chunk_width, chunk_height, tiled) = match self.layout {
            Layout::Strips(rows) => (self.width, rows, false),
            Layout::Tiles(width, height) => (width, height, true),
        };
        let planes = if self.planar { self.channels } else { 1 };
        let mut file = vec![0; if self.big_tiff { 16 } else { 8 }];
        let (mut offsets, mut lens) = (Vec::new(), Vec::new());
        for plane in 0..planes {
            for top in (0..self.height).step_by(chunk_height) {
                for left in (0..self.width).step_by(chunk_width) {
                    if self.absent.contains(&offsets.len()) {
                        offsets.push(0);
                        lens.push(0);
                        continue;
                    }
                    let rows =
                        if tiled { chunk_height } else { chunk_height.min(self.height - top) };
                    let mut data = Vec::new();
                    for y in top..top + rows {
                        let mut words = Vec::new();
                        for x in left..left + chunk_width {
                            let channels =
                                if self.planar { plane..plane + 1 } else { 0..self.channels };
                            for c in channels {
                                // Beyond the edge a tile holds what it likes.
                                let inside = x < self.width && y < self.height;
                                words.push(self.word(if inside { value(x, y, c) } else { 77.0 }));
                            }
                        }
                        data.extend(self.row(&words));
                    }
                    let packed = match self.compression {
                        LZW => lzw(&data),
                        DEFLATE | 32946 => deflate(&data),
                        PACK_BITS => pack_bits(&data),
                        _ => data,
                    };
                    offsets.push(file.len() as u64);
                    lens.push(packed.len() as u64);
                    file.extend(packed);
                    file.resize(file.len().next_multiple_of(8), 0);
                }
            }
        }
        self.finish(file, &offsets, &lens)
    }

    fn size(&self) -> usize {
        match self.kind {
            SampleType::U8 => 1,
            SampleType::U16 | SampleType::I16 => 2,
            SampleType::U32 | SampleType::I32 | SampleType::F32 => 4,
            SampleType::F64 => 8,
        }
    }

    /// The bits of a sample.
    fn word(&self, value: f64) -> u64 {
        match self.kind {
            SampleType::U8 => u64::from(value as u8),
            SampleType::U16 => u64::from(value as u16),
            SampleType::I16 => u64::from(value as i16 as u16),
            SampleType::U32 => u64::from(value as u32),
            SampleType::I32 => u64::from(value as i32 as u32),
            SampleType::F32 => u64::from((value as f32).to_bits()),
            SampleType::F64 => value.to_bits(),
        }
    }

    fn in_order(&self, word: u64, size: usize) -> Vec<u8> {
        match self.big_endian {
            true => word.to_be_bytes()[8 - size..].to_vec(),
            false => word.to_le_bytes()[..size].to_vec(),
        }
    }

    fn row(&self, words: &[u64]) -> Vec<u8> {
        let size = self.size();
        let stride = if self.planar { 1 } else { self.channels };
        match self.predictor {
            2 => (0..words.len())
                .flat_map(|i| {
                    let before = if i < stride { 0 } else { words[i - stride] };
                    self.in_order(words[i].wrapping_sub(before), size)
                })
                .collect(),
            3 => {
                let planes: Vec<u8> = (0..size)
                    .flat_map(|byte| {
                        words.iter().map(move |word| (word >> (8 * (size - 1 - byte))) as u8)
                    })
                    .collect();
                (0..planes.len())
                    .map(|i| {
                        planes[i].wrapping_sub(if i < stride { 0 } else { planes[i - stride] })
                    })
                    .collect()
            }
            _ => words.iter().flat_map(|word| self.in_order(*word, size)).collect(),
        }
    }

    fn finish(&self, mut file: Vec<u8>, offsets: &[u64], lens: &[u64]) -> Vec<u8> {
        let format = match self.kind {
            SampleType::U8 | SampleType::U16 | SampleType::U32 => 1,
            SampleType::I16 | SampleType::I32 => 2,
            SampleType::F32 | SampleType::F64 => 3,
        };
        let long = |value: usize| Value::Longs(vec![value as u32]);
        let short = |value: usize| Value::Shorts(vec![value as u16]);
        let longs =
            |values: &[u64]| Value::Longs(values.iter().map(|value| *value as u32).collect());
        let mut fields: Vec<Extra> = vec![
            (256, 4, long(self.width)),
            (257, 4, long(self.height)),
            (258, 3, Value::Shorts(vec![8 * self.size() as u16; self.channels])),
            (259, 3, Value::Shorts(vec![self.compression])),
            (262, 3, short(1)),
            (277, 3, short(self.channels)),
            (284, 3, short(if self.planar { 2 } else { 1 })),
            (317, 3, Value::Shorts(vec![self.predictor])),
            (339, 3, Value::Shorts(vec![format; self.channels])),
        ];
        match self.layout {
            Layout::Strips(rows) => {
                fields.extend([
                    (273, 4, longs(offsets)),
                    (278, 4, long(rows)),
                    (279, 4, longs(lens)),
                ]);
            }
            Layout::Tiles(width, height) => {
                fields.extend([(322, 4, long(width)), (323, 4, long(height))]);
                fields.extend([(324, 4, longs(offsets)), (325, 4, longs(lens))]);
            }
        }
        for extra in &self.extra {
            fields.retain(|field| field.0 != extra.0);
            fields.push(extra.clone());
        }
        fields.sort_by_key(|field| field.0);

        let mut first = None;
        let mut link = None;
        for _ in 0..=self.more_pages {
            let start = self.append_directory(&mut file, &fields);
            first = first.or(Some(start));
            if let Some(link) = link {
                self.patch(&mut file, link, start as u64);
            }
            link = Some(file.len() - self.word_size());
            // The link is the last word of a directory, and values precede it.
        }
        self.patch_header(&mut file, first.expect("one directory") as u64);
        file
    }

    fn word_size(&self) -> usize {
        if self.big_tiff { 8 } else { 4 }
    }

    fn patch(&self, file: &mut [u8], at: usize, value: u64) {
        let bytes = self.in_order(value, self.word_size());
        file[at..at + bytes.len()].copy_from_slice(&bytes);
    }

    fn patch_header(&self, file: &mut [u8], start: u64) {
        let order: &[u8] = if self.big_endian { b"MM" } else { b"II" };
        file[..2].copy_from_slice(order);
        let magic = self.in_order(if self.big_tiff { 43 } else { 42 }, 2);
        file[2..4].copy_from_slice(&magic);
        if self.big_tiff {
            let size = self.in_order(8, 2);
            file[4..6].copy_from_slice(&size);
            self.patch(file, 8, start);
        } else {
            self.patch(file, 4, start);
        }
    }

    /// Values first, then the table, so that the link to the next directory
    /// ends the file.
    fn append_directory(&self, file: &mut Vec<u8>, fields: &[Extra]) -> usize {
        let mut table = match self.big_tiff {
            true => self.in_order(fields.len() as u64, 8),
            false => self.in_order(fields.len() as u64, 2),
        };
        for (tag, kind, value) in fields {
            let (count, bytes): (usize, Vec<u8>) = match value {
                Value::Shorts(values) => (
                    values.len(),
                    values.iter().flat_map(|value| self.in_order(u64::from(*value), 2)).collect(),
                ),
                Value::Longs(values) => (
                    values.len(),
                    values.iter().flat_map(|value| self.in_order(u64::from(*value), 4)).collect(),
                ),
                Value::Doubles(values) => (
                    values.len(),
                    values.iter().flat_map(|value| self.in_order(value.to_bits(), 8)).collect(),
                ),
                Value::Text(text) => (text.len() + 1, [text.as_bytes(), b"\0"].concat()),
            };
            table.extend(self.in_order(u64::from(*tag), 2));
            table.extend(self.in_order(u64::from(*kind), 2));
            table.extend(self.in_order(count as u64, self.word_size()));
            if bytes.len() <= self.word_size() {
                let mut inline = bytes;
                inline.resize(self.word_size(), 0);
                table.extend(inline);
            } else {
                table.extend(self.in_order(file.len() as u64, self.word_size()));
                file.extend(bytes);
                file.resize(file.len().next_multiple_of(8), 0);
            }
        }
        table.resize(table.len() + self.word_size(), 0);
        let start = file.len();
        file.extend(table);
        start
    }
}
