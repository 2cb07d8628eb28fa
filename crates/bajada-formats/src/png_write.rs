//! Grey PNG files of 16 and 8 bits.
//!
//! No gamma, no color profile, no time: the codes are heights or masks, and
//! equal grids give equal bytes under one version of the encoder. The fast
//! encoder is used; it is fifteen times as fast as the default for a file a
//! tenth larger.

use bajada_grid::Grid;
use png::{BitDepth, ColorType, Compression, Encoder};

use crate::error::FormatError;
use crate::quantize::codes;

/// A grey PNG of 16 bits: 0 at `range_m[0]`, 65,535 at `range_m[1]`, heights
/// beyond held at the ends, rounded half up.
pub fn encode_png16(grid: &Grid<f32>, range_m: [f64; 2]) -> Result<Vec<u8>, FormatError> {
    let mut bytes = Vec::with_capacity(2 * grid.domain().len());
    for code in codes(grid, range_m, u16::MAX.into())? {
        bytes.extend((code as u16).to_be_bytes());
    }
    encode_grey(grid, BitDepth::Sixteen, &bytes)
}

/// A grey PNG of 8 bits, for masks: 0 at `range[0]`, 255 at `range[1]`, values
/// beyond held at the ends, rounded half up.
pub fn encode_png8(grid: &Grid<f32>, range: [f64; 2]) -> Result<Vec<u8>, FormatError> {
    let bytes: Vec<u8> = codes(grid, range, u8::MAX.into())?.map(|code| code as u8).collect();
    encode_grey(grid, BitDepth::Eight, &bytes)
}

fn encode_grey(grid: &Grid<f32>, depth: BitDepth, samples: &[u8]) -> Result<Vec<u8>, FormatError> {
    let [width, height] = grid.domain().samples();
    let mut file = Vec::new();
    let mut encoder = Encoder::new(&mut file, width, height);
    encoder.set_color(ColorType::Grayscale);
    encoder.set_depth(depth);
    encoder.set_compression(Compression::Fast);
    write(encoder, samples)?;
    Ok(file)
}

/// Header, pixels, end.
pub(crate) fn write(encoder: Encoder<'_, &mut Vec<u8>>, samples: &[u8]) -> Result<(), FormatError> {
    let written = encoder.write_header().and_then(|mut writer| {
        writer.write_image_data(samples)?;
        writer.finish()
    });
    written.map_err(|error| {
        FormatError::cannot_write("the PNG", error.to_string(), "check its size and its texts")
    })
}
