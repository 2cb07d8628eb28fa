//! TIFF of f32: little endian, uncompressed strips, GeoTIFF tags.
//!
//! Written by hand, because the file is the promise: the same grid and place
//! give the same bytes, with no program name and no date in them. Uncompressed,
//! because deflate without a predictor grows most heights.

use bajada_grid::Grid;

use crate::error::FormatError;
use crate::geo_keys::{self, KEY_DIRECTORY, PIXEL_SCALE, TIEPOINT, local_georeference};
use crate::header::Georeference;
use crate::quantize::check_finite;

/// Bytes that a strip aims at: large enough that a reader is not slowed down
/// by seeking, small enough that it need not hold the file.
const STRIP_BYTES: usize = 1 << 18;

/// A field of the directory: tag, type, count and value bytes.
struct Field {
    tag: u16,
    kind: u16,
    count: u32,
    value: Vec<u8>,
}

impl Field {
    fn shorts(tag: u16, values: &[u16]) -> Self {
        let value = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        Self { tag, kind: 3, count: values.len() as u32, value }
    }

    fn longs(tag: u16, values: &[u32]) -> Self {
        let value = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        Self { tag, kind: 4, count: values.len() as u32, value }
    }

    fn doubles(tag: u16, values: &[f64]) -> Self {
        let value = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        Self { tag, kind: 12, count: values.len() as u32, value }
    }
}

/// A TIFF of heights with the place of its samples.
///
/// With a georeference, the tie point is the sample in row 0, column 0 if its
/// pixels are points, and the corner half a cell north-west of it if they are
/// areas. Without one, the domain's own metres are written under a user-defined
/// coordinate system, so that cell size and origin come back on reading.
///
/// ```
/// use bajada_formats::{DecodeOptions, decode, encode_tiff_f32};
/// use bajada_grid::{Domain, Grid};
/// let grid = Grid::from_fn(Domain::new(3, 2, 30.0, [0.0; 2])?, |x, y| (10 * y + x) as f32);
/// let file = encode_tiff_f32(&grid, None)?;
/// let back = decode(&file, "tif", &DecodeOptions::default())?;
/// assert_eq!(back.values, grid.as_slice());
/// assert_eq!(back.header.georeference.map(|place| place.cell), Some([30.0, 30.0]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn encode_tiff_f32(
    grid: &Grid<f32>,
    georeference: Option<&Georeference>,
) -> Result<Vec<u8>, FormatError> {
    check_finite(grid)?;
    let local = local_georeference(grid.domain());
    let geo = geo_keys::write(georeference.unwrap_or(&local))?;
    let [width, height] = grid.domain().samples();
    let row_bytes = 4 * grid.width();
    let strip_rows = (STRIP_BYTES / row_bytes).clamp(1, grid.height());
    let strips = grid.height().div_ceil(strip_rows);

    let fields = |offsets: &[u32], lens: &[u32]| {
        vec![
            Field::longs(256, &[width]),
            Field::longs(257, &[height]),
            Field::shorts(258, &[32]),
            Field::shorts(259, &[1]),
            Field::shorts(262, &[1]),
            Field::longs(273, offsets),
            Field::shorts(277, &[1]),
            Field::longs(278, &[strip_rows as u32]),
            Field::longs(279, lens),
            Field::shorts(284, &[1]),
            Field::shorts(339, &[3]),
            Field::doubles(PIXEL_SCALE, &geo.pixel_scale),
            Field::doubles(TIEPOINT, &geo.tiepoint),
            Field::shorts(KEY_DIRECTORY, &geo.key_directory),
        ]
    };
    // The size of the directory does not depend on where the strips lie.
    let zeros = vec![0; strips];
    let start = directory(&fields(&zeros, &zeros)).len() + 8;
    let total = start as u64 + row_bytes as u64 * u64::from(height);
    if u32::try_from(total).is_err() {
        return Err(FormatError::cannot_write(
            format!("a TIFF of {width} x {height} samples"),
            format!("its {total} bytes are beyond the 4 GiB of the format"),
            "write r32 or tiles",
        ));
    }
    let strip_bytes = strip_rows * row_bytes;
    let offsets: Vec<u32> = (0..strips).map(|strip| (start + strip * strip_bytes) as u32).collect();
    let lens: Vec<u32> = (0..strips)
        .map(|strip| (strip_rows.min(grid.height() - strip * strip_rows) * row_bytes) as u32)
        .collect();

    let mut file = Vec::with_capacity(total as usize);
    file.extend(b"II\x2a\0\x08\0\0\0");
    file.extend(directory(&fields(&offsets, &lens)));
    file.extend(grid.as_slice().iter().flat_map(|value| value.to_le_bytes()));
    Ok(file)
}

/// The directory as it stands at byte 8, then the values that do not fit it.
fn directory(fields: &[Field]) -> Vec<u8> {
    let values_at = 8 + 2 + 12 * fields.len() + 4;
    let mut values = Vec::new();
    let mut table = (fields.len() as u16).to_le_bytes().to_vec();
    for field in fields {
        table.extend(field.tag.to_le_bytes());
        table.extend(field.kind.to_le_bytes());
        table.extend(field.count.to_le_bytes());
        if field.value.len() <= 4 {
            let mut inline = field.value.clone();
            inline.resize(4, 0);
            table.extend(inline);
        } else {
            table.extend(((values_at + values.len()) as u32).to_le_bytes());
            values.extend(&field.value);
            // Every value starts on an even byte; 8 keeps doubles aligned.
            let padding = values.len().next_multiple_of(8) - values.len();
            values.extend(std::iter::repeat_n(0, padding));
        }
    }
    // No next directory.
    table.extend([0; 4]);
    table.extend(values);
    table
}
