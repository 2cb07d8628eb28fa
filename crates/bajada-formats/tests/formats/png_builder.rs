//! A tiny PNG writer for tests, of any color type, depth and interlacing.

use crate::tiff_packing::deflate;

#[derive(Clone)]
pub(crate) struct PngSpec {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) depth: u8,
    /// 0 grey, 2 RGB, 3 palette, 4 grey and alpha, 6 RGB and alpha.
    pub(crate) color: u8,
    pub(crate) interlaced: bool,
    /// Chunks between IHDR and IDAT.
    pub(crate) before: Vec<([u8; 4], Vec<u8>)>,
}

impl PngSpec {
    pub(crate) fn grey(width: u32, height: u32, depth: u8) -> Self {
        Self { width, height, depth, color: 0, interlaced: false, before: Vec::new() }
    }

    pub(crate) fn channels(&self) -> usize {
        match self.color {
            2 => 3,
            4 => 2,
            6 => 4,
            _ => 1,
        }
    }

    /// The file whose code at (x, y) in channel c is `code(x, y, c)`.
    pub(crate) fn build(&self, code: impl Fn(usize, usize, usize) -> u32) -> Vec<u8> {
        let mut header = [self.width.to_be_bytes(), self.height.to_be_bytes()].concat();
        header.extend([self.depth, self.color, 0, 0, u8::from(self.interlaced)]);
        let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
        file.extend(chunk(*b"IHDR", &header));
        for (name, data) in &self.before {
            file.extend(chunk(*name, data));
        }
        let data = deflate(&self.scan_lines(code));
        // In two pieces, as encoders do.
        let (first, second) = data.split_at(data.len() / 2);
        file.extend(chunk(*b"IDAT", first));
        file.extend(chunk(*b"IDAT", second));
        file.extend(chunk(*b"IEND", &[]));
        file
    }

    fn scan_lines(&self, code: impl Fn(usize, usize, usize) -> u32) -> Vec<u8> {
        // x start, y start, x step, y step of the passes of Adam7.
        let passes: &[[usize; 4]] = match self.interlaced {
            false => &[[0, 0, 1, 1]],
            true => &[
                [0, 0, 8, 8],
                [4, 0, 8, 8],
                [0, 4, 4, 8],
                [2, 0, 4, 4],
                [0, 2, 2, 4],
                [1, 0, 2, 2],
                [0, 1, 1, 2],
            ],
        };
        let mut lines = Vec::new();
        for [x0, y0, dx, dy] in passes {
            for y in (*y0..self.height as usize).step_by(*dy) {
                let columns: Vec<usize> = (*x0..self.width as usize).step_by(*dx).collect();
                if columns.is_empty() {
                    continue;
                }
                lines.push(0);
                let (mut byte, mut filled) = (0_u32, 0);
                for x in columns {
                    for c in 0..self.channels() {
                        let code = code(x, y, c);
                        if self.depth == 16 {
                            lines.extend((code as u16).to_be_bytes());
                            continue;
                        }
                        byte = byte << self.depth | code;
                        filled += self.depth;
                        if filled == 8 {
                            lines.push(byte as u8);
                            (byte, filled) = (0, 0);
                        }
                    }
                }
                if filled > 0 {
                    lines.push((byte << (8 - filled)) as u8);
                }
            }
        }
        lines
    }
}

pub(crate) fn chunk(name: [u8; 4], data: &[u8]) -> Vec<u8> {
    let mut body = name.to_vec();
    body.extend(data);
    let mut crc = u32::MAX;
    for byte in &body {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 };
        }
    }
    let mut chunk = (data.len() as u32).to_be_bytes().to_vec();
    chunk.extend(body);
    chunk.extend((!crc).to_be_bytes());
    chunk
}
