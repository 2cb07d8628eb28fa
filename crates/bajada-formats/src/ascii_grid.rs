//! ESRI ASCII grids, read and written.
//!
//! A header of `key value` lines in any case and order (`ncols`, `nrows`,
//! `xllcorner` or `xllcenter`, `yllcorner` or `yllcenter`, `cellsize` or
//! `dx` and `dy`, `nodata_value`), then `ncols * nrows` numbers from the north
//! row on. Line breaks among the numbers mean nothing. The format names no
//! coordinate system and no unit.

use std::fmt::Write;

use bajada_grid::Grid;

use crate::cells::{Cells, Decoded, check_size};
use crate::decode::DecodeOptions;
use crate::error::FormatError;
use crate::geo_keys::{check_georeference, local_georeference};
use crate::header::{Format, Georeference, Header, LengthUnit, PixelIs, SampleType};
use crate::quantize::check_finite;

const KEYS: [&str; 10] = [
    "ncols",
    "nrows",
    "xllcorner",
    "xllcenter",
    "yllcorner",
    "yllcenter",
    "cellsize",
    "dx",
    "dy",
    "nodata_value",
];

/// Longest header that is looked at: ten keys need a few hundred bytes.
const MAX_HEADER_LINES: usize = 64;

/// Whether the first word is a key of this format.
pub(crate) fn starts_like_one(bytes: &[u8]) -> bool {
    tokens(&bytes[..bytes.len().min(256)])
        .next()
        .and_then(|word| std::str::from_utf8(word).ok())
        .is_some_and(|word| KEYS.iter().any(|key| word.eq_ignore_ascii_case(key)))
}

pub(crate) fn probe(bytes: &[u8], options: &DecodeOptions) -> Result<Header, FormatError> {
    let (found, body) = read_header(bytes)?;
    let count = |key: &'static str| -> Result<u64, FormatError> {
        let value = found.required(key)?;
        if value.fract() == 0.0 && (1.0..=f64::from(u32::MAX)).contains(&value) {
            Ok(value as u64)
        } else {
            Err(FormatError::damaged(format!("key {key}"), format!("{value} is no sample count")))
        }
    };
    let (width, height) = (count("ncols")?, count("nrows")?);
    check_size("keys ncols and nrows", width, height, 1, options.max_samples)?;
    // A number takes a character and a space: what cannot be there is refused
    // before room is made for it.
    if width * height > body.len().div_ceil(2) as u64 {
        return Err(FormatError::damaged(
            "the rows",
            format!("{width} x {height} values do not fit the {} bytes that follow", body.len()),
        ));
    }
    let mut header = Header::plain(Format::Asc, [width as u32, height as u32], SampleType::F32);
    header.nodata = found.get("nodata_value").filter(|value| value.is_finite());
    header.georeference = Some(found.georeference(height)?);
    Ok(header)
}

pub(crate) fn decode(bytes: &[u8], header: Header) -> Result<Decoded, FormatError> {
    let (_, body) = read_header(bytes)?;
    let (width, height) = (header.width as usize, header.height as usize);
    let mut cells = Cells::new(header);
    let mut words = tokens(body);
    let mut row = Vec::with_capacity(width);
    for y in 0..height {
        row.clear();
        for x in 0..width {
            let place = || format!("row {y}, column {x}");
            let word = words
                .next()
                .ok_or_else(|| FormatError::damaged(place(), "the file ends before this value"))?;
            row.push(f64::from(number(word).ok_or_else(|| {
                FormatError::damaged(place(), format!("'{}' is not a number", shown(word)))
            })?));
        }
        cells.put_row(0, y, row.iter().copied());
    }
    match words.next() {
        None => Ok(cells.finish()),
        Some(word) => Err(FormatError::damaged(
            "after the last row",
            format!("'{}' follows the {width} x {height} values of the header", shown(word)),
        )),
    }
}

struct HeaderKeys(Vec<(&'static str, f64)>);

impl HeaderKeys {
    fn get(&self, key: &str) -> Option<f64> {
        self.0.iter().find(|(found, _)| *found == key).map(|(_, value)| *value)
    }

    fn required(&self, key: &str) -> Result<f64, FormatError> {
        self.get(key)
            .ok_or_else(|| FormatError::damaged("the header", format!("the key {key} is missing")))
    }

    fn georeference(&self, height: u64) -> Result<Georeference, FormatError> {
        let cell = match (self.get("cellsize"), self.get("dx"), self.get("dy")) {
            (Some(cell), _, _) => [cell; 2],
            (None, Some(dx), Some(dy)) => [dx, dy],
            _ => [self.required("cellsize")?; 2],
        };
        let sample = |center: &str, corner: &str, cell: f64| match self.get(center) {
            Some(center) => Ok(center),
            None => self.required(corner).map(|corner| corner + 0.5 * cell),
        };
        let easting = sample("xllcenter", "xllcorner", cell[0])?;
        let south = sample("yllcenter", "yllcorner", cell[1])?;
        let georeference = Georeference {
            epsg: None,
            easting,
            northing: south + (height - 1) as f64 * cell[1],
            cell,
            unit: LengthUnit::Unknown,
            pixel_is: match self.get("xllcenter") {
                Some(_) => PixelIs::Point,
                None => PixelIs::Area,
            },
        };
        match check_georeference(&georeference) {
            Ok(()) => Ok(georeference),
            Err(problem) => Err(FormatError::damaged("the header", problem)),
        }
    }
}

/// The keys, and the bytes after the last of them.
fn read_header(bytes: &[u8]) -> Result<(HeaderKeys, &[u8]), FormatError> {
    let mut rest = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut keys = HeaderKeys(Vec::new());
    for line_number in 1..=MAX_HEADER_LINES {
        let end = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')).unwrap_or(rest.len());
        let line = &rest[..end];
        let mut words = tokens(line);
        let after = match &rest[end..] {
            [b'\r', b'\n', after @ ..] | [_, after @ ..] => after,
            [] => &[],
        };
        let Some(first) = words.next() else {
            if after.is_empty() {
                break;
            }
            rest = after;
            continue;
        };
        if number(first).is_some() || !first[0].is_ascii_alphabetic() {
            break;
        }
        let place = || format!("header line {line_number}");
        let key = KEYS.iter().find(|key| first.eq_ignore_ascii_case(key.as_bytes())).ok_or_else(
            || FormatError::damaged(place(), format!("'{}' is not a key", shown(first))),
        )?;
        let value = match (words.next(), words.next()) {
            (Some(word), None) => precise(word).ok_or_else(|| {
                FormatError::damaged(place(), format!("'{}' is not a number", shown(word)))
            })?,
            _ => {
                let problem = format!("{key} must be followed by one number");
                return Err(FormatError::damaged(place(), problem));
            }
        };
        if keys.get(key).is_some() {
            return Err(FormatError::damaged(place(), format!("{key} is given twice")));
        }
        keys.0.push((key, value));
        rest = after;
    }
    Ok((keys, rest))
}

fn tokens(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    bytes.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty())
}

/// A cell, parsed as f32 so that nine digits give the same bits back.
fn number(word: &[u8]) -> Option<f32> {
    let text = std::str::from_utf8(word).ok()?;
    text.parse().ok().or_else(|| is_microsoft_nan(text).then_some(f32::NAN))
}

fn precise(word: &[u8]) -> Option<f64> {
    let text = std::str::from_utf8(word).ok()?;
    text.parse().ok().or_else(|| is_microsoft_nan(text).then_some(f64::NAN))
}

/// What Microsoft's C library prints for NaN and infinities: `1.#QNAN`.
fn is_microsoft_nan(text: &str) -> bool {
    text.trim_start_matches('-').starts_with("1.#")
}

/// A word for a message: what is printable of its first 24 bytes.
fn shown(word: &[u8]) -> String {
    word[..word.len().min(24)].escape_ascii().to_string()
}

/// Writes a grid with 9 significant digits, which give every f32 back bit for
/// bit, and the place of its samples (`xllcenter`, or `xllcorner` when the
/// georeference says that pixels are areas). Without a georeference the
/// domain's own origin is written. The format holds no coordinate system.
pub fn encode_asc(
    grid: &Grid<f32>,
    georeference: Option<&Georeference>,
) -> Result<Vec<u8>, FormatError> {
    check_finite(grid)?;
    let local = local_georeference(grid.domain());
    let georeference = georeference.unwrap_or(&local);
    let unwritable = |problem: String, way_out: &str| {
        FormatError::cannot_write("the georeference", problem, way_out)
    };
    check_georeference(georeference)
        .map_err(|problem| unwritable(problem, "correct it or write without one"))?;
    let [cell, cell_south] = georeference.cell;
    if (cell - cell_south).abs() > 1e-9 * cell {
        return Err(unwritable(
            format!("cells of {cell} x {cell_south} do not fit the one key cellsize"),
            "write a TIFF",
        ));
    }
    let (word, shift) = match georeference.pixel_is {
        PixelIs::Point => ("center", 0.0),
        PixelIs::Area => ("corner", 0.5 * cell),
    };
    let west = georeference.easting - shift;
    let south = georeference.northing - (grid.height() - 1) as f64 * cell - shift;
    let mut text = format!(
        "ncols {}\nnrows {}\nxll{word} {west}\nyll{word} {south}\ncellsize {cell}\n\
         NODATA_value -9999\n",
        grid.width(),
        grid.height(),
    );
    for y in 0..grid.height() {
        for (x, value) in grid.row(y).iter().enumerate() {
            if *value == -9999.0 {
                return Err(FormatError::cannot_write(
                    format!("column {x} of row {y}"),
                    "a height of -9999 would read as no data",
                    "write a TIFF or shift the heights",
                ));
            }
            if x > 0 {
                text.push(' ');
            }
            push_number(&mut text, *value);
        }
        text.push('\n');
    }
    Ok(text.into_bytes())
}

/// Nine significant digits, plain where that is short. There is always a
/// point: GDAL takes a file whose first numbers have none for integers.
fn push_number(text: &mut String, value: f32) {
    let magnitude = value.abs();
    let start = text.len();
    // Writing to a String cannot fail.
    if magnitude == 0.0 {
        text.push_str("0.0");
    } else if (1e-4..1e9).contains(&magnitude) {
        let mut digits_left = 1;
        let mut bound = 10.0;
        while magnitude >= bound {
            digits_left += 1;
            bound *= 10.0;
        }
        let mut leading_zeros = 0;
        let mut bound = 1.0;
        while magnitude < bound {
            leading_zeros += 1;
            bound /= 10.0;
        }
        let decimals = 9_usize.saturating_sub(digits_left) + leading_zeros;
        let _ = write!(text, "{value:.decimals$}", decimals = decimals.max(1));
        let kept = text.trim_end_matches('0').len();
        text.truncate(kept.max(start));
        if text.ends_with('.') {
            text.push('0');
        }
    } else {
        let _ = write!(text, "{value:.8e}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nine_digits_give_every_kind_of_f32_back() {
        let mut bits = 1_u32;
        for _ in 0..200_000 {
            bits = bits.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let value = f32::from_bits(bits);
            if !value.is_finite() {
                continue;
            }
            let mut text = String::new();
            push_number(&mut text, value);
            let canonical = value + 0.0;
            assert_eq!(
                number(text.as_bytes()).map(f32::to_bits),
                Some(canonical.to_bits()),
                "{text}"
            );
            assert_eq!(
                text.parse::<f64>().map(|wide| (wide as f32).to_bits()),
                Ok(canonical.to_bits())
            );
        }
    }
}
