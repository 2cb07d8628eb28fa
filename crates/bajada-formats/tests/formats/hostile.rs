//! No bytes panic, hang or fill memory: every one ends in a raster or in one
//! sentence.

use bajada_formats::{DecodeOptions, SampleType, decode, encode_asc, encode_tiff_f32, probe};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use crate::png_builder::PngSpec;
use crate::samples::{extension, samples};
use crate::tiff_builder::{DEFLATE, LZW, Layout, NONE, PACK_BITS, Spec, Value};
use crate::{ramp, read, refusal};

/// Reads in every way that the options open; only the absence of a panic and
/// the form of a refusal are claimed.
fn survive(bytes: &[u8], extension: &str) {
    for channel in [None, Some(1)] {
        let options = DecodeOptions { channel, max_samples: 1 << 22, ..DecodeOptions::default() };
        match decode(bytes, extension, &options) {
            Ok(decoded) => {
                let len = decoded.header.width as usize * decoded.header.height as usize;
                assert_eq!(decoded.values.len(), len);
                assert!(decoded.values.iter().all(|value| value.is_finite()));
            }
            Err(error) => {
                refusal(Err(error));
            }
        }
    }
}

fn small_files() -> Vec<(&'static str, Vec<u8>)> {
    let code = |x: usize, y: usize, c: usize| (3 * x + 5 * y + c) as u32 % 2;
    let mut files = Vec::new();
    for (color, depth, interlaced) in [(0, 16, false), (0, 1, true), (3, 4, false), (6, 8, true)] {
        let before = vec![(*b"PLTE", vec![1, 2, 3, 4, 5, 6]), (*b"tEXt", b"a\0b".to_vec())];
        let spec = PngSpec { color, interlaced, before, ..PngSpec::grey(5, 4, depth) };
        files.push(("png", spec.build(code)));
    }
    let transparent = vec![(*b"tRNS", vec![0, 1])];
    files.push(("png", PngSpec { before: transparent, ..PngSpec::grey(5, 4, 8) }.build(code)));
    for (compression, predictor, layout, big_tiff) in [
        (NONE, 1, Layout::Strips(2), false),
        (DEFLATE, 3, Layout::Tiles(16, 16), true),
        (LZW, 2, Layout::Strips(4), false),
        (PACK_BITS, 1, Layout::Tiles(16, 16), false),
    ] {
        let spec = Spec {
            compression,
            predictor,
            layout,
            big_tiff,
            more_pages: 1,
            ..Spec::new(5, 4, SampleType::F32)
        };
        let spec = spec.with(42113, 2, Value::Text("-9999"));
        files.push(("tif", spec.build(|x, y, _| (3 * x + y) as f64)));
    }
    let bands = Spec { channels: 2, planar: true, ..Spec::new(5, 4, SampleType::U16) };
    files.push(("tif", bands.build(|x, y, c| (3 * x + y + c) as f64)));
    files.push(("tif", encode_tiff_f32(&ramp(), None).expect("can be written")));
    files.push(("asc", encode_asc(&ramp(), None).expect("can be written")));
    files
}

#[test]
fn every_truncation_of_every_kind_of_file_is_survived() {
    for (extension, file) in small_files() {
        for len in 0..file.len() {
            survive(&file[..len], extension);
        }
    }
}

#[test]
fn every_byte_set_to_its_worst_is_survived() {
    for (extension, file) in small_files() {
        for at in 0..file.len() {
            for value in [0, 1, 0x7f, 0x80, 0xff, file[at] ^ 1, !file[at], file[at].wrapping_add(1)]
            {
                let mut broken = file.clone();
                broken[at] = value;
                survive(&broken, extension);
            }
        }
    }
}

#[test]
fn every_aligned_word_set_to_its_worst_is_survived() {
    for (extension, file) in small_files() {
        for at in (0..file.len().saturating_sub(8)).step_by(2) {
            for len in [4, 8] {
                let mut broken = file.clone();
                broken[at..at + len].fill(0xff);
                survive(&broken, extension);
                broken[at..at + len].fill(0x00);
                survive(&broken, extension);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, rng_seed: RngSeed::Fixed(1), ..Default::default() })]

    #[test]
    fn noise_behind_a_magic_number_is_survived(
        magic in prop::sample::select(vec![
            b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR".to_vec(),
            b"II\x2a\0\x08\0\0\0".to_vec(),
            b"MM\0\x2a\0\0\0\x08".to_vec(),
            b"II\x2b\0\x08\0\0\0\x10\0\0\0\0\0\0\0".to_vec(),
            b"ncols 3\nnrows ".to_vec(),
            Vec::new(),
        ]),
        noise in prop::collection::vec(any::<u8>(), 0..300),
        extension in prop::sample::select(vec!["png", "tif", "asc", "r16", "r32", "hgt", ""]),
    ) {
        survive(&[magic, noise].concat(), extension);
    }

    #[test]
    fn several_changes_at_once_are_survived(
        which in 0..13_usize,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
    ) {
        let files = small_files();
        let (extension, mut file) = files[which % files.len()].clone();
        for (at, value) in changes {
            let at = at.index(file.len());
            file[at] = value;
        }
        survive(&file, extension);
    }
}

#[test]
fn a_header_that_lies_about_its_size_is_refused_before_any_room_is_made() {
    let long = |value: u32| Value::Longs(vec![value]);
    let lies = [
        Spec::new(4, 4, SampleType::F32).with(256, 4, long(u32::MAX)),
        Spec::new(4, 4, SampleType::F32).with(257, 4, long(u32::MAX)),
        Spec::new(4, 4, SampleType::F32).with(256, 4, long(u32::MAX)).with(257, 4, long(u32::MAX)),
        Spec::new(4, 4, SampleType::F32).with(257, 4, long(16_384)).with(256, 4, long(16_384)),
        Spec { layout: Layout::Tiles(16, 16), ..Spec::new(4, 4, SampleType::F32) }.with(
            322,
            4,
            long(u32::MAX),
        ),
        Spec::new(4, 4, SampleType::F32).with(278, 4, long(0)),
        Spec::new(4, 4, SampleType::F32).with(277, 3, Value::Shorts(vec![60_000])),
    ];
    for spec in lies {
        let file = spec.build(|_, _, _| 1.0);
        assert!(probe(&file, "tif").is_err(), "{spec:?}");
    }
    for (width, height) in [(30_000, 30_000), (100_000, 100_000), (0x7fff_ffff, 0x7fff_ffff)] {
        let mut file = PngSpec::grey(1, 1, 16).build(|_, _, _| 0);
        let header = [
            &b"\0"[..0],
            &[u32::to_be_bytes(width), u32::to_be_bytes(height)].concat(),
            &[16, 0, 0, 0, 0],
        ];
        let chunk = crate::png_builder::chunk(*b"IHDR", &header.concat());
        file.splice(8..8 + chunk.len(), chunk);
        assert!(refusal(read(&file, "png")).contains("the limit is 268435456 samples"));
    }
}

#[test]
fn a_chain_of_directories_that_bites_its_tail_is_refused() {
    for big_tiff in [false, true] {
        let spec = Spec { more_pages: 2, big_tiff, ..Spec::new(4, 4, SampleType::F32) };
        let mut file = spec.build(|_, _, _| 1.0);
        let word = if big_tiff { 8 } else { 4 };
        let first = file[word..2 * word].to_vec();
        let end = file.len();
        file[end - word..].copy_from_slice(&first);
        assert!(refusal(read(&file, "tif")).contains("its own successor"));
    }
}

#[test]
fn every_collected_file_is_read_or_refused() {
    for folder in ["tiff-fuzz", "png-bugfix", "own", "pngsuite", "tiff", "asc"] {
        for (name, file) in samples(&format!("cases/{folder}")) {
            survive(&file, extension(&name));
            if folder == "tiff-fuzz" {
                match read(&file, "tif") {
                    Ok(decoded) => println!("{name}: read as {:?}", decoded.header),
                    Err(error) => println!("{name}: {error}"),
                }
            }
        }
    }
}
