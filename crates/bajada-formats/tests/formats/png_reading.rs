//! PNG heightmaps are read code by code, or refused in words.

use bajada_formats::{DecodeOptions, Decoded, FormatError, SampleType, decode, probe};

use crate::png_builder::PngSpec;
use crate::samples::{sample, samples};
use crate::{read, read_ok, refusal};

fn read_channel(file: &[u8], channel: u32) -> Result<Decoded, FormatError> {
    decode(file, "png", &DecodeOptions { channel: Some(channel), ..DecodeOptions::default() })
}

#[test]
fn grey_of_every_depth_gives_its_exact_codes_interlaced_or_not() {
    for depth in [1, 2, 4, 8, 16] {
        let most = (1_u32 << depth) - 1;
        for (width, height) in [(1, 1), (3, 2), (5, 9), (17, 16)] {
            let code = |x: usize, y: usize, _| (x as u32 * 2753 + y as u32 * 40_961) & most;
            for interlaced in [false, true] {
                let spec = PngSpec { interlaced, ..PngSpec::grey(width, height, depth) };
                let decoded = read_ok(&spec.build(code), "png");
                let expected: Vec<f32> = (0..height as usize)
                    .flat_map(|y| (0..width as usize).map(move |x| code(x, y, 0) as f32))
                    .collect();
                assert_eq!(decoded.values, expected, "{depth} bits, {width} x {height}");
                assert_eq!(decoded.header.bits, u32::from(depth));
                assert_eq!(decoded.header.max_code(), Some(most));
                let kind = if depth == 16 { SampleType::U16 } else { SampleType::U8 };
                assert_eq!((decoded.header.sample_type, decoded.header.channels), (kind, 1));
            }
        }
    }
}

#[test]
fn all_65536_codes_of_16_bits_stay_distinct() {
    let file = PngSpec::grey(256, 256, 16).build(|x, y, _| (256 * y + x) as u32);
    let values = read_ok(&file, "png").values;
    assert!(values.iter().enumerate().all(|(code, value)| *value == code as f32));
}

#[test]
fn a_color_picture_is_refused_without_a_channel_and_read_with_one() {
    for (color, channels) in [(2, 3), (4, 2), (6, 4)] {
        for depth in [8, 16] {
            for interlaced in [false, true] {
                let spec = PngSpec { color, interlaced, ..PngSpec::grey(5, 3, depth) };
                let file = spec.build(|x, y, c| (x + 10 * y + 50 * c) as u32);
                let message = refusal(read(&file, "png"));
                let named = message.contains(&format!("{channels} channels"));
                assert!(named && message.contains("`channel: 0`"), "{message}");
                for channel in 0..channels {
                    let values = read_channel(&file, channel).expect("sound").values;
                    assert_eq!(values[6], (1 + 10 + 50 * channel) as f32);
                }
                assert!(refusal(read_channel(&file, channels)).starts_with("channel:"));
            }
        }
    }
}

#[test]
fn a_palette_is_refused_without_a_channel_and_read_through_its_colors_with_one() {
    let colors = vec![9, 8, 7, 100, 101, 102];
    let before = vec![(*b"PLTE", colors)];
    let spec = PngSpec { color: 3, before, ..PngSpec::grey(3, 1, 2) };
    let file = spec.build(|x, _, _| [0, 1, 0][x]);
    assert!(refusal(read(&file, "png")).contains("`channel: 0`"));
    assert_eq!(read_channel(&file, 1).expect("sound").values, [8.0, 101.0, 8.0]);
    let beyond = spec.build(|x, _, _| x as u32);
    assert!(refusal(read_channel(&beyond, 0)).contains("row 0, column 2"));
}

#[test]
fn the_transparent_code_of_a_grey_picture_is_no_data() {
    let before = vec![(*b"gAMA", vec![0, 0, 1, 0]), (*b"tRNS", vec![0, 7])];
    let spec = PngSpec { before, ..PngSpec::grey(3, 1, 16) };
    let decoded = read_ok(&spec.build(|x, _, _| [7, 8, 7][x]), "png");
    assert_eq!(decoded.header.nodata, Some(7.0));
    assert_eq!(decoded.valid, Some(vec![false, true, false]));
    assert_eq!(decoded.values, [0.0, 8.0, 0.0]);
}

#[test]
fn chunks_that_hold_no_pixels_are_skipped_whatever_their_size() {
    let before = vec![
        (*b"tEXt", vec![b'a'; 18 << 20]),
        (*b"eXIf", vec![0; 3 << 20]),
        (*b"zTXt", b"broken\0\0not a zlib stream".to_vec()),
        (*b"iCCP", b"name\0\0neither".to_vec()),
        (*b"acTL", vec![0, 0, 0, 2, 0, 0, 0, 0]),
    ];
    let spec = PngSpec { before, ..PngSpec::grey(4, 4, 16) };
    let decoded = read_ok(&spec.build(|x, y, _| (1000 * y + x) as u32), "png");
    assert_eq!(decoded.values[5], 1001.0);
}

#[test]
fn bytes_after_the_end_are_ignored_and_missing_ones_are_not() {
    let mut file = PngSpec::grey(4, 4, 16).build(|x, y, _| (4 * y + x) as u32);
    let whole = read_ok(&file, "png");
    file.extend(b"left by an uploader");
    assert_eq!(read_ok(&file, "png"), whole);
    for len in 0..file.len() - 19 {
        assert!(read(&file[..len], "png").is_err(), "{len} bytes were enough");
    }
}

#[test]
fn a_checksum_that_is_wrong_is_refused_by_chunk() {
    let file = PngSpec::grey(4, 4, 16).build(|x, y, _| (4 * y + x) as u32);
    for at in 29..33 {
        let mut broken = file.clone();
        broken[at] ^= 1;
        assert!(refusal(read(&broken, "png")).contains("IHDR"));
    }
    let pixels = file.windows(4).position(|name| name == b"IDAT").expect("there is one") + 12;
    let mut broken = file;
    broken[pixels] ^= 1;
    assert!(read(&broken, "png").is_err());
}

#[test]
fn the_name_of_a_file_does_not_decide_what_it_is() {
    let png = PngSpec::grey(2, 2, 8).build(|x, _, _| x as u32);
    for extension in ["png", "tif", "asc", "r16", "", "PNG", ".png"] {
        assert_eq!(read_ok(&png, extension).values, [0.0, 1.0, 0.0, 1.0]);
    }
    let cases = [
        (b"hello wo".as_slice(), "png", "the content is text, not a PNG"),
        (b"ncols 3\n", "png", "the content is text, not a PNG"),
        (b"\xff\xd8\xff\xe0\0\x10JFIF", "png", "a JPEG picture"),
        (b"\x76\x2f\x31\x01\x02\0\0\0", "exr", "an OpenEXR picture"),
        (b"", "png", "the file is empty"),
        (b"\0\x01\x02\x03", "tif", "does not start like a TIFF"),
        (b"\0\x01\x02\x03", "xyz", "not a raster file"),
    ];
    for (bytes, extension, words) in cases {
        let message = refusal(read(bytes, extension));
        assert!(message.contains(words), "{message}");
        assert!(message.contains("give a PNG, TIFF"), "{message}");
    }
}

#[test]
fn interlaced_files_of_the_png_suite_equal_their_plain_twins_bit_for_bit() {
    let mut pairs = 0;
    for (name, interlaced) in samples("cases/pngsuite") {
        let Some(stem) = name.strip_prefix("basi") else { continue };
        let Some(plain) = sample(&format!("cases/pngsuite/basn{stem}")) else { continue };
        let channels = probe(&plain, "png").expect("sound").channels;
        for channel in 0..channels {
            let twins =
                [&interlaced, &plain].map(|file| read_channel(file, channel).expect("sound"));
            assert_eq!(twins[0], twins[1], "{name}");
        }
        pairs += 1;
    }
    println!("{pairs} pairs compared");
}

#[test]
fn the_png_suite_is_read_or_refused_as_its_names_say() {
    for (name, file) in samples("cases/pngsuite") {
        if !name.ends_with(".png") {
            continue;
        }
        let result = read(&file, "png");
        if name.starts_with('x') {
            assert!(result.is_err(), "{name} is damaged");
        } else if &name[4..5] == "0" || name.starts_with("cm9") {
            let decoded = result.unwrap_or_else(|error| panic!("{name}: {error}"));
            let has_void = name.starts_with("tb");
            assert_eq!(decoded.valid.is_some(), has_void, "{name}");
            let most = decoded.header.max_code().map(f64::from);
            assert!(Some(f64::from(decoded.stats.max)) <= most, "{name}");
        } else {
            assert!(matches!(result, Err(FormatError::NeedsChoice { .. })), "{name}");
            read_channel(&file, 0).unwrap_or_else(|error| panic!("{name}: {error}"));
        }
    }
}

#[test]
fn the_projects_own_ramps_come_out_exactly() {
    let Some(file) = sample("cases/own/ramp8_g16.png") else { return };
    let expected: Vec<f32> = (0..64).map(|step| 1000.0 * step as f32).collect();
    assert_eq!(read_ok(&file, "png").values, expected);
    if let Some(file) = sample("cases/own/ztxt_64m.png") {
        read_ok(&file, "png");
    }
    for name in ["bad_crc_idat", "ramp8_trunc", "zero_w", "text_named", "empty", "hdr_2e31"] {
        let Some(file) = sample(&format!("cases/own/{name}.png")) else { continue };
        println!("{name}: {}", refusal(read(&file, "png")));
    }
    for name in ["bomb_30000_g1", "hdr_100k_x_100k_g16"] {
        let Some(file) = sample(&format!("cases/own/{name}.png")) else { continue };
        assert!(matches!(read(&file, "png"), Err(FormatError::TooLarge { .. })), "{name}");
    }
}
