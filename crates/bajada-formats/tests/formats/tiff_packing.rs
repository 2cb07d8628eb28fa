//! Compressors for the TIFF builder, written from the specifications and
//! sharing no line with the decoders under test.

use std::collections::BTreeMap;

/// zlib: one stored block for every other call's worth of bytes would hide the
/// Huffman decoder, so the first half is stored and the rest is coded.
pub(crate) fn deflate(data: &[u8]) -> Vec<u8> {
    let (stored, coded) = data.split_at((data.len() / 2).min(65_535));
    let mut bits = LowBits { bytes: vec![0x78, 0x01], count: 0 };
    bits.push(0, 1);
    bits.push(0, 2);
    bits.align();
    bits.bytes.extend((stored.len() as u16).to_le_bytes());
    bits.bytes.extend((!(stored.len() as u16)).to_le_bytes());
    bits.bytes.extend(stored);
    bits.push(1, 1);
    bits.push(1, 2);
    for byte in coded {
        match u32::from(*byte) {
            value @ 0..=143 => bits.push_code(0x30 + value, 8),
            value => bits.push_code(0x190 + value - 144, 9),
        }
    }
    bits.push_code(0, 7);
    bits.align();
    bits.bytes.extend(adler32(data).to_be_bytes());
    bits.bytes
}

struct LowBits {
    bytes: Vec<u8>,
    count: u32,
}

impl LowBits {
    fn push(&mut self, value: u32, bits: u32) {
        for bit in 0..bits {
            if self.count == 0 {
                self.bytes.push(0);
            }
            *self.bytes.last_mut().expect("just pushed") |=
                ((value >> bit & 1) as u8) << self.count;
            self.count = (self.count + 1) % 8;
        }
    }

    /// A Huffman code goes in from its most significant bit.
    fn push_code(&mut self, code: u32, bits: u32) {
        (0..bits).rev().for_each(|bit| self.push(code >> bit & 1, 1));
    }

    fn align(&mut self) {
        self.count = 0;
    }
}

pub(crate) fn adler32(data: &[u8]) -> u32 {
    let (mut a, mut b) = (1_u32, 0_u32);
    for byte in data {
        a = (a + u32::from(*byte)) % 65_521;
        b = (b + a) % 65_521;
    }
    b << 16 | a
}

/// LZW as in the TIFF 6.0 specification, with its early change of code width.
pub(crate) fn lzw(data: &[u8]) -> Vec<u8> {
    const CLEAR: u32 = 256;
    const END: u32 = 257;
    let mut out = HighBits::default();
    let fresh = || -> BTreeMap<Vec<u8>, u32> {
        (0..256_u32).map(|code| (vec![code as u8], code)).collect()
    };
    let (mut table, mut next, mut width) = (fresh(), 258, 9);
    out.push(CLEAR, width);
    let mut prefix: Vec<u8> = Vec::new();
    for byte in data {
        let mut longer = prefix.clone();
        longer.push(*byte);
        if table.contains_key(&longer) {
            prefix = longer;
            continue;
        }
        out.push(table[&prefix], width);
        table.insert(longer, next);
        match next {
            511 => width = 10,
            1023 => width = 11,
            2047 => width = 12,
            4094 => {
                out.push(CLEAR, width);
                (table, next, width) = (fresh(), 257, 9);
            }
            _ => {}
        }
        next += 1;
        prefix = vec![*byte];
    }
    if !prefix.is_empty() {
        out.push(table[&prefix], width);
        // The reader adds an entry here, too, and may change its width.
        width = match next {
            511 => 10,
            1023 => 11,
            2047 => 12,
            _ => width,
        };
    }
    out.push(END, width);
    out.bytes
}

#[derive(Default)]
struct HighBits {
    bytes: Vec<u8>,
    count: u32,
}

impl HighBits {
    fn push(&mut self, value: u32, bits: u32) {
        for bit in (0..bits).rev() {
            if self.count == 0 {
                self.bytes.push(0);
            }
            *self.bytes.last_mut().expect("just pushed") |=
                ((value >> bit & 1) as u8) << (7 - self.count);
            self.count = (self.count + 1) % 8;
        }
    }
}

/// PackBits with runs and literals.
pub(crate) fn pack_bits(data: &[u8]) -> Vec<u8> {
    let run = |at: usize| data[at..].iter().take(128).take_while(|byte| **byte == data[at]).count();
    let mut out = Vec::new();
    let mut at = 0;
    while at < data.len() {
        let same = run(at);
        if same > 1 {
            out.extend([(257 - same) as u8, data[at]]);
            at += same;
        } else {
            let start = at;
            while at < data.len() && at - start < 128 && run(at) == 1 {
                at += 1;
            }
            out.push((at - start - 1) as u8);
            out.extend(&data[start..at]);
        }
    }
    out
}
