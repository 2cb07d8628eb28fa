//! Claims about the codecs, each held by bytes that the test makes itself and,
//! where the project's folder of sample files is at hand, by those too.

#![allow(missing_docs)]

mod ascii_grid;
mod export;
mod georeference;
mod hostile;
mod png_builder;
mod png_reading;
mod raw;
mod samples;
mod sidecar;
mod tiff_builder;
mod tiff_packing;
mod tiff_reading;

use bajada_formats::{DecodeOptions, Decoded, FormatError, decode};
use bajada_grid::{Domain, Grid};

/// Decodes under the default options.
fn read(bytes: &[u8], extension: &str) -> Result<Decoded, FormatError> {
    decode(bytes, extension, &DecodeOptions::default())
}

/// Decodes what must be sound.
fn read_ok(bytes: &[u8], extension: &str) -> Decoded {
    read(bytes, extension).expect("the bytes are sound")
}

/// The message of a refusal.
fn refusal(result: Result<Decoded, FormatError>) -> String {
    let message = match result {
        Ok(decoded) => panic!("read as {:?}", decoded.header),
        Err(error) => error.to_string(),
    };
    let first = message.chars().next().expect("a message is not empty");
    assert!(!message.contains('\n') && !message.ends_with('.'), "not one sentence: {message}");
    assert!(!first.is_uppercase() || message.starts_with("PNG") || message.starts_with("TIFF"));
    message
}

/// A raster that is no copy of itself under any flip, turn or transposition:
///
/// ```text
/// 0  100 200
/// 50   1   2
/// ```
fn ramp() -> Grid<f32> {
    let domain = Domain::new(3, 2, 30.0, [500.0, -700.0]).expect("a legal domain");
    Grid::from_vec(domain, vec![0.0, 100.0, 200.0, 50.0, 1.0, 2.0]).expect("six cells")
}
