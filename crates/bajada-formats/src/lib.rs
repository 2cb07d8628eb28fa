//! Codecs between bytes and rasters or pictures.
//!
//! Every function here is pure: bytes in, values out, and back. No file, no
//! clock, no global. What a file holds is read as it stands: heights are
//! metres, codes are codes, **row 0 is north** and samples are points; nothing
//! is scaled, flipped or cut to eight bits behind the reader's back.
//!
//! Bytes from outside are hostile until shown otherwise. [`probe`] looks at
//! headers only and allocates next to nothing; [`decode`] allocates after the
//! header has passed [`DecodeOptions::max_samples`]; no bytes make either of
//! them panic. A refusal is a [`FormatError`]: one sentence that names the
//! place and the way out.
//!
//! | format | read | written |
//! |---|---|---|
//! | PNG | grey 1 to 16 bits as exact codes, one channel of a color picture on request | grey 8 and 16 bits, RGB pictures |
//! | TIFF | u8, i16, u16, i32, u32, f32, f64; strips, tiles; none, deflate, LZW, PackBits; predictors 1, 2, 3; both byte orders; BigTIFF; GeoTIFF tags | f32, uncompressed, GeoTIFF tags |
//! | ESRI ASCII grid | yes | 9 significant digits |
//! | r16, r32 | either byte order | little endian |
//! | hgt | yes | no |
//! | CSV | no | tables |

mod ascii_grid;
mod bytes;
mod cells;
mod csv;
mod decode;
mod error;
mod geo_keys;
mod header;
mod picture;
mod png_read;
mod png_write;
mod quantize;
mod raw;
mod sidecar;
mod targets;
mod tiff_chunk;
mod tiff_directory;
mod tiff_image;
mod tiff_read;
mod tiff_write;

pub use ascii_grid::encode_asc;
pub use cells::{Decoded, RasterStats};
pub use csv::encode_csv;
pub use decode::{ByteOrder, DecodeOptions, decode, probe, probe_with};
pub use error::FormatError;
pub use header::{Format, Georeference, Header, LengthUnit, PixelIs, SampleType};
pub use picture::{Picture, encode_picture, thumbnail};
pub use png_write::{encode_png8, encode_png16};
pub use quantize::{clamped_cells, height_of_code, step_of_codes};
pub use raw::{encode_r16, encode_r32};
pub use sidecar::{Encoding, Sidecar, SidecarSource, sidecar};
pub use targets::{UnityNumbers, UnrealNumbers};
pub use tiff_write::encode_tiff_f32;
