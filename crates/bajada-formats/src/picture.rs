//! Pictures for people: RGB PNG files with texts, and thumbnails.

use image::RgbImage;
use image::imageops;
use png::{BitDepth, ColorType, Compression, Encoder};

use crate::error::FormatError;
use crate::png_write::write;

/// A picture of 8 bits for each of red, green and blue, row 0 at the top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Pixels from left to right.
    pub width: u32,
    /// Pixels from top to bottom.
    pub height: u32,
    /// `3 * width * height` bytes, red first.
    pub rgb: Vec<u8>,
}

/// A PNG of the picture with `text` (keyword, text) in it.
///
/// A text that fits Latin-1 becomes a `tEXt` chunk, another an uncompressed
/// `iTXt`. Keywords are 1 to 79 characters of Latin-1. There is no time in the
/// file: equal pictures give equal bytes under one version of the encoder.
///
/// ```
/// use bajada_formats::{Picture, encode_picture};
/// let red = Picture { width: 1, height: 1, rgb: vec![255, 0, 0] };
/// let png = encode_picture(&red, &[("Title".to_owned(), "one red pixel".to_owned())])?;
/// assert!(png.starts_with(b"\x89PNG"));
/// # Ok::<(), bajada_formats::FormatError>(())
/// ```
pub fn encode_picture(
    picture: &Picture,
    text: &[(String, String)],
) -> Result<Vec<u8>, FormatError> {
    let Picture { width, height, rgb } = picture;
    let expected = u64::from(*width) * u64::from(*height) * 3;
    if expected == 0 || expected != rgb.len() as u64 {
        return Err(FormatError::cannot_write(
            format!("a picture of {width} x {height} pixels"),
            format!("{} bytes where {expected} belong", rgb.len()),
            "give three bytes for each pixel",
        ));
    }
    let mut file = Vec::new();
    let mut encoder = Encoder::new(&mut file, *width, *height);
    encoder.set_color(ColorType::Rgb);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_compression(Compression::Fast);
    for (keyword, text) in text {
        if keyword.contains('\0') || text.contains('\0') {
            return Err(FormatError::cannot_write(
                format!("the text '{}'", keyword.escape_debug()),
                "a NUL would end it early",
                "leave it out",
            ));
        }
        let (keyword, text) = (keyword.clone(), text.clone());
        let added = if text.chars().all(|letter| u32::from(letter) < 256) {
            encoder.add_text_chunk(keyword, text)
        } else {
            encoder.add_itxt_chunk(keyword, text)
        };
        added.map_err(|error| {
            FormatError::cannot_write("the PNG", error.to_string(), "check its texts")
        })?;
    }
    write(encoder, rgb)?;
    Ok(file)
}

/// The picture with its longer side brought down to `longest` pixels by
/// averaging. A picture that is small enough already is returned as it is, and
/// so is one whose bytes do not fit its size, which [`encode_picture`] refuses.
pub fn thumbnail(picture: &Picture, longest: u32) -> Picture {
    let Picture { width, height, .. } = *picture;
    let side = width.max(height);
    let longest = longest.max(1);
    if side <= longest {
        return picture.clone();
    }
    let scaled = |length: u32| {
        let rounded =
            (u64::from(length) * u64::from(longest) + u64::from(side) / 2) / u64::from(side);
        (rounded as u32).max(1)
    };
    match RgbImage::from_raw(width, height, picture.rgb.clone()) {
        None => picture.clone(),
        Some(image) => {
            let small = imageops::thumbnail(&image, scaled(width), scaled(height));
            Picture { width: small.width(), height: small.height(), rgb: small.into_raw() }
        }
    }
}
