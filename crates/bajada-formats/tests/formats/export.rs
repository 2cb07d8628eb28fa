//! What is written comes back: import(export(x)) == x.

use bajada_formats::{
    DecodeOptions, Picture, clamped_cells, decode, encode_asc, encode_picture, encode_png8,
    encode_png16, encode_r16, encode_r32, encode_tiff_f32, height_of_code, step_of_codes,
    thumbnail,
};
use bajada_grid::{Domain, Grid};

use crate::{ramp, read_ok};

const RANGE: [f64; 2] = [0.0, 200.0];

fn read_sized(bytes: &[u8], extension: &str) -> Vec<f32> {
    let options = DecodeOptions { raw_samples: Some([3, 2]), ..DecodeOptions::default() };
    decode(bytes, extension, &options).expect("sound").values
}

#[test]
fn an_asymmetric_ramp_comes_back_the_same_way_round_from_every_float_format() {
    let grid = ramp();
    let expected = grid.as_slice();
    let tiff = encode_tiff_f32(&grid, None).expect("can be written");
    assert_eq!(read_ok(&tiff, "tif").values, expected);
    let asc = encode_asc(&grid, None).expect("can be written");
    assert_eq!(read_ok(&asc, "asc").values, expected);
    let r32 = encode_r32(&grid).expect("can be written");
    assert_eq!(read_sized(&r32, "r32"), expected);
}

#[test]
fn an_asymmetric_ramp_comes_back_the_same_way_round_from_every_format_of_codes() {
    let grid = ramp();
    let files = [
        ("png", encode_png16(&grid, RANGE), 65_535),
        ("r16", encode_r16(&grid, RANGE), 65_535),
        ("png", encode_png8(&grid, RANGE), 255),
    ];
    for (extension, file, max_code) in files {
        let codes = read_sized(&file.expect("can be written"), extension);
        let half_step = 0.5 * step_of_codes(max_code, RANGE);
        for (code, height) in codes.iter().zip(grid.as_slice()) {
            let back = height_of_code(f64::from(*code), max_code, RANGE);
            assert!((back - f64::from(*height)).abs() <= half_step + 1e-9, "{extension}: {back}");
        }
    }
}

/// The bytes themselves, so that a mirrored pair of writer and reader is seen.
#[test]
fn the_bytes_of_the_ramp_are_in_the_documented_order() {
    let r16 = encode_r16(&ramp(), RANGE).expect("can be written");
    let golden =
        [[0x00, 0x00], [0x00, 0x80], [0xff, 0xff], [0x00, 0x40], [0x48, 0x01], [0x8f, 0x02]];
    assert_eq!(r16, golden.concat());
    let r32 = encode_r32(&ramp()).expect("can be written");
    assert_eq!(r32[4..8], 100.0_f32.to_le_bytes());
    assert_eq!(r32[12..16], 50.0_f32.to_le_bytes());
}

#[test]
fn all_65536_codes_come_back_from_png16_and_r16() {
    let domain = Domain::new(256, 256, 1.0, [0.0; 2]).expect("legal");
    let range = [-100.0, 3_000.0];
    let height = |code: usize| height_of_code(code as f64, 65_535, range) as f32;
    let grid = Grid::from_fn(domain, |x, y| height(256 * y + x));
    let files = [("png", encode_png16(&grid, range)), ("r16", encode_r16(&grid, range))];
    for (extension, file) in files {
        let codes = read_ok(&file.expect("can be written"), extension).values;
        assert!(codes.iter().enumerate().all(|(code, found)| *found == code as f32), "{extension}");
        let heights: Vec<f32> = codes.iter().map(|code| height(*code as usize)).collect();
        assert_eq!(heights, grid.as_slice());
    }
}

#[test]
fn heights_beyond_the_range_are_held_and_counted_and_halves_round_up() {
    let domain = Domain::new(5, 1, 1.0, [0.0; 2]).expect("legal");
    let grid = Grid::from_vec(domain, vec![-5.0, 0.5, 1.5, 254.5, 900.0]).expect("five cells");
    let file = encode_png8(&grid, [0.0, 255.0]).expect("can be written");
    assert_eq!(read_ok(&file, "png").values, [0.0, 1.0, 2.0, 255.0, 255.0]);
    assert_eq!(clamped_cells(&grid, [0.0, 255.0]), 2);
}

#[test]
fn a_range_without_codes_and_a_cell_without_height_are_refused() {
    for range in [[1.0, 1.0], [2.0, 1.0], [f64::NAN, 1.0], [0.0, f64::INFINITY]] {
        let message = encode_png16(&ramp(), range).expect_err("no range").to_string();
        assert!(message.starts_with("range: "), "{message}");
        assert!(encode_r16(&ramp(), range).is_err() && encode_png8(&ramp(), range).is_err());
    }
    let mut grid = ramp();
    grid.set(2, 1, f32::NAN);
    let failures = [
        encode_png16(&grid, RANGE),
        encode_png8(&grid, RANGE),
        encode_r16(&grid, RANGE),
        encode_r32(&grid),
        encode_asc(&grid, None),
        encode_tiff_f32(&grid, None),
    ];
    for failure in failures {
        let message = failure.expect_err("a cell is NaN").to_string();
        assert!(message.starts_with("column 2 of row 1: NaN"), "{message}");
    }
}

#[test]
fn a_tiff_of_many_strips_holds_every_row_in_its_place() {
    let domain = Domain::new(1000, 300, 1.0, [0.0; 2]).expect("legal");
    let grid = Grid::from_fn(domain, |x, y| (1000 * y + x) as f32);
    let file = encode_tiff_f32(&grid, None).expect("can be written");
    assert_eq!(read_ok(&file, "tif").values, grid.as_slice());
    for word in [b"Software".as_slice(), b"bajada", b"20"] {
        assert!(!file[..400].windows(word.len()).any(|found| found == word));
    }
}

fn gradient(width: u32, height: u32) -> Picture {
    let pixel = |x: u32, y: u32| [x as u8, y as u8, (x ^ y) as u8];
    let rgb = (0..height).flat_map(|y| (0..width).flat_map(move |x| pixel(x, y))).collect();
    Picture { width, height, rgb }
}

#[test]
fn a_picture_keeps_its_pixels_and_texts_and_holds_no_time() {
    let picture = gradient(7, 5);
    let text = |key: &str, value: &str| (key.to_owned(), value.to_owned());
    let texts = [text("Title", "Fächer am Ausgang"), text("Graph", "talus → fan")];
    let file = encode_picture(&picture, &texts).expect("can be written");
    assert_eq!(Ok(&file), encode_picture(&picture, &texts).as_ref());
    let has = |name: &[u8]| file.windows(name.len()).any(|found| found == name);
    assert!(has(b"tEXtTitle\0F\xe4cher am Ausgang"));
    assert!(has(b"iTXtGraph\0") && has("talus → fan".as_bytes()));
    assert!(!has(b"tIME") && !has(b"gAMA"));
    for channel in 0..3 {
        let options = DecodeOptions { channel: Some(channel as u32), ..DecodeOptions::default() };
        let values = decode(&file, "png", &options).expect("sound").values;
        let expected: Vec<f32> =
            picture.rgb.iter().skip(channel).step_by(3).map(|byte| f32::from(*byte)).collect();
        assert_eq!(values, expected);
    }
}

#[test]
fn a_picture_that_cannot_be_written_is_refused() {
    let short = Picture { width: 2, height: 2, rgb: vec![0; 11] };
    assert!(encode_picture(&short, &[]).is_err());
    assert!(encode_picture(&Picture { width: 0, height: 0, rgb: vec![] }, &[]).is_err());
    for keyword in ["", &"k".repeat(80), "a\0b"] {
        let texts = [(keyword.to_owned(), "text".to_owned())];
        assert!(encode_picture(&gradient(2, 2), &texts).is_err(), "{keyword:?}");
    }
}

#[test]
fn a_thumbnail_keeps_the_proportions_and_never_grows() {
    let cases = [((400, 200), 100, (100, 50)), ((3, 2), 100, (3, 2)), ((1000, 2), 10, (10, 1))];
    for ((width, height), longest, expected) in cases {
        let small = thumbnail(&gradient(width, height), longest);
        assert_eq!((small.width, small.height), expected);
        assert_eq!(small.rgb.len() as u32, 3 * small.width * small.height);
    }
    let grey = Picture { width: 64, height: 64, rgb: vec![77; 3 * 64 * 64] };
    assert!(thumbnail(&grey, 9).rgb.iter().all(|byte| *byte == 77));
}
