//! Headerless files: size, byte order, voids.

use bajada_formats::{ByteOrder, DecodeOptions, Format, decode, probe};

use crate::samples::sample;
use crate::{read, read_ok, refusal};

#[test]
fn a_square_is_assumed_and_anything_else_must_be_said() {
    let bytes: Vec<u8> = (0..9_u16).flat_map(|code| (1000 * code).to_le_bytes()).collect();
    let decoded = read_ok(&bytes, "r16");
    assert_eq!((decoded.header.width, decoded.header.height), (3, 3));
    assert_eq!(decoded.values[8], 8000.0);
    let message = refusal(read(&bytes[..12], "r16"));
    assert!(message.contains("raw_samples: [width, height]"), "{message}");
    let options = DecodeOptions { raw_samples: Some([3, 2]), ..DecodeOptions::default() };
    let decoded = decode(&bytes[..12], ".RAW", &options).expect("sound");
    assert_eq!((decoded.header.width, decoded.values[3]), (3, 3000.0));
    assert!(refusal(decode(&bytes, "r16", &options)).starts_with("raw_samples: 3 x 2"));
    assert!(refusal(read(&bytes[..17], "r16")).contains("17 bytes"));
}

#[test]
fn the_other_byte_order_is_a_setting() {
    let options = DecodeOptions { raw_byte_order: ByteOrder::Big, ..DecodeOptions::default() };
    let codes: Vec<u8> =
        [1_u16, 258, 515, 772].iter().flat_map(|code| code.to_be_bytes()).collect();
    let decoded = decode(&codes, "r16", &options).expect("sound");
    assert_eq!(decoded.values, [1.0, 258.0, 515.0, 772.0]);
    let heights: Vec<u8> = [1.5_f32, -2.5, 0.1, 9e3].iter().flat_map(|h| h.to_be_bytes()).collect();
    assert_eq!(decode(&heights, "r32", &options).expect("sound").values, [1.5, -2.5, 0.1, 9e3]);
}

#[test]
fn an_r32_masks_what_is_not_finite() {
    let heights = [1.5_f32, f32::NAN, f32::INFINITY, -4.0];
    let bytes: Vec<u8> = heights.iter().flat_map(|height| height.to_le_bytes()).collect();
    let decoded = read_ok(&bytes, "r32");
    assert_eq!(decoded.valid, Some(vec![true, false, false, true]));
    assert_eq!((decoded.stats.min, decoded.stats.max), (-4.0, 1.5));
}

#[test]
fn the_void_of_an_hgt_tile_is_masked() {
    let heights = [10_i16, 20, 30, 40, -32768, 60, 70, 80, -90];
    let bytes: Vec<u8> = heights.iter().flat_map(|height| height.to_be_bytes()).collect();
    let decoded = read_ok(&bytes, "hgt");
    assert_eq!((decoded.header.format, decoded.header.nodata), (Format::Hgt, Some(-32768.0)));
    assert_eq!((decoded.stats.min, decoded.stats.max), (-90.0, 80.0));
    assert_eq!(decoded.valid.map(|valid| valid[4]), Some(false));
    if let Some(file) = sample("cases/own/hgt_3x3_void.hgt") {
        assert_eq!(read_ok(&file, "hgt").stats.nodata_count, 1);
    }
}

#[test]
fn a_file_beyond_the_limit_is_refused_by_its_length() {
    let options = DecodeOptions { max_samples: 8, ..DecodeOptions::default() };
    assert!(refusal(decode(&[0; 18], "r16", &options)).contains("the limit is 8 samples"));
    assert!(probe(&[0; 18], "r16").is_ok());
}
