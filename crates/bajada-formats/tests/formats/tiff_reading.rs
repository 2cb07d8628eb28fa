//! TIFF files of every kind that is read equal their plain twin.

use bajada_formats::{DecodeOptions, SampleType, decode, probe};

use crate::samples::{sample, samples};
use crate::tiff_builder::{DEFLATE, LZW, Layout, NONE, PACK_BITS, Spec, Value};
use crate::{read, read_ok, refusal};

const KINDS: [SampleType; 7] = [
    SampleType::U8,
    SampleType::U16,
    SampleType::I16,
    SampleType::U32,
    SampleType::I32,
    SampleType::F32,
    SampleType::F64,
];

/// Values with structure, steps and noise that fit every kind of sample.
fn value(kind: SampleType) -> impl Fn(usize, usize, usize) -> f64 {
    move |x, y, c| {
        let noise = (x * 7919 + y * 104_729 + c * 15_485_863) % 97;
        match kind {
            SampleType::U8 => ((3 * x + 5 * y + c + noise % 3) % 251) as f64,
            SampleType::U16 | SampleType::U32 => (600 * x + 40 * y + 9 * c + noise) as f64,
            SampleType::I16 | SampleType::I32 => {
                500.0 * x as f64 - 400.0 * y as f64 + (c + noise) as f64
            }
            SampleType::F32 | SampleType::F64 => {
                let height = 1234.5 + 0.37 * x as f64 - 2.13 * y as f64 + 0.01 * noise as f64;
                f64::from((height + c as f64) as f32)
            }
        }
    }
}

fn check(spec: &Spec) {
    let value = value(spec.kind);
    let file = spec.build(&value);
    for channel in 0..spec.channels {
        let chosen = (spec.channels > 1).then_some(channel as u32);
        let options = DecodeOptions { channel: chosen, ..DecodeOptions::default() };
        let decoded = match decode(&file, "tif", &options) {
            Ok(decoded) => decoded,
            Err(error) => panic!("{error}: {spec:?}"),
        };
        assert_eq!(decoded.header.sample_type, spec.kind);
        assert_eq!(decoded.valid, None, "{spec:?}");
        for y in 0..spec.height {
            for x in 0..spec.width {
                let (found, expected) = (decoded.values[y * spec.width + x], value(x, y, channel));
                assert_eq!(f64::from(found), expected, "({x}, {y}, {channel}) of {spec:?}");
            }
        }
    }
}

/// Every legal predictor of a kind under a compression.
fn predictors(kind: SampleType, compression: u16) -> &'static [u16] {
    match (compression, kind.is_float()) {
        (NONE | PACK_BITS, _) => &[1],
        (_, true) => &[1, 2, 3],
        (_, false) => &[1, 2],
    }
}

#[test]
fn every_kind_compression_predictor_layout_and_order_equals_its_plain_twin() {
    for kind in KINDS {
        for compression in [NONE, LZW, DEFLATE, 32946, PACK_BITS] {
            for predictor in predictors(kind, compression) {
                for layout in [Layout::Strips(5), Layout::Strips(99), Layout::Tiles(16, 16)] {
                    for (big_endian, big_tiff) in
                        [(false, false), (true, false), (false, true), (true, true)]
                    {
                        check(&Spec {
                            compression,
                            predictor: *predictor,
                            layout,
                            big_endian,
                            big_tiff,
                            ..Spec::new(37, 21, kind)
                        });
                    }
                }
            }
        }
    }
}

#[test]
fn each_channel_of_a_multi_band_file_is_read_by_its_number() {
    for kind in [SampleType::U8, SampleType::I16, SampleType::F32] {
        for planar in [false, true] {
            for layout in [Layout::Strips(4), Layout::Tiles(16, 16)] {
                for (compression, predictor) in [(NONE, 1), (LZW, 2), (DEFLATE, 2)] {
                    let base = Spec::new(19, 35, kind);
                    check(&Spec { channels: 3, planar, layout, compression, predictor, ..base });
                }
            }
        }
    }
    // Colors with extra samples, which some readers drop too early.
    for channels in [3, 4, 5] {
        let base = Spec { channels, ..Spec::new(19, 35, SampleType::U16) };
        let spec = Spec { compression: LZW, predictor: 2, ..base };
        let extra = vec![0; channels - 3];
        check(&spec.with(262, 3, Value::Shorts(vec![2])).with(338, 3, Value::Shorts(extra)));
    }
    let base = Spec::new(19, 35, SampleType::F32);
    let tiles = Layout::Tiles(16, 16);
    check(&Spec { channels: 2, layout: tiles, compression: LZW, predictor: 3, ..base });
}

#[test]
fn a_strip_long_enough_for_every_code_width_of_lzw_is_read() {
    for predictor in [1, 2, 3] {
        let base = Spec::new(150, 120, SampleType::F32);
        check(&Spec { compression: LZW, predictor, layout: Layout::Strips(120), ..base });
    }
}

#[test]
fn a_multi_band_file_is_refused_with_the_way_out() {
    let file = Spec { channels: 3, ..Spec::new(4, 4, SampleType::U8) }.build(|_, _, c| c as f64);
    let message = refusal(read(&file, "tif"));
    assert!(message.contains("3 channels") && message.contains("channel: 0"), "{message}");
    let options = DecodeOptions { channel: Some(3), ..DecodeOptions::default() };
    let message = refusal(decode(&file, "tif", &options));
    assert!(message.starts_with("channel: 3"), "{message}");
}

#[test]
fn the_first_page_is_read_and_all_are_counted() {
    let spec = Spec { more_pages: 2, ..Spec::new(6, 5, SampleType::I16) };
    let decoded = read_ok(&spec.build(value(SampleType::I16)), "tif");
    assert_eq!(decoded.header.pages, 3);
    assert_eq!(decoded.values[7], 500.0 - 400.0 + ((7919 + 104_729) % 97) as f32);
}

#[test]
fn overviews_are_no_pages_and_a_mask_is_refused() {
    let overview = Spec { more_pages: 1, ..Spec::new(6, 5, SampleType::I16) }.with(
        254,
        4,
        Value::Longs(vec![1]),
    );
    let file = overview.build(|_, _, _| 1.0);
    assert_eq!(probe(&file, "tif").expect("sound").pages, 1);
    let mask = Spec { more_pages: 1, ..Spec::new(6, 5, SampleType::I16) }.with(
        254,
        4,
        Value::Longs(vec![4]),
    );
    let message = refusal(read(&mask.build(|_, _, _| 1.0), "tif"));
    assert!(message.contains("tag 254 of directory 2"), "{message}");
}

#[test]
fn the_nodata_tag_masks_its_cells_and_one_that_no_cell_has_masks_none() {
    let heights = |x: usize, y: usize, _| if (x, y) == (1, 0) { -9999.0 } else { x as f64 };
    let spec = Spec::new(3, 2, SampleType::F32).with(42113, 2, Value::Text("-9999"));
    let decoded = read_ok(&spec.build(heights), "tif");
    assert_eq!(decoded.header.nodata, Some(-9999.0));
    assert!(!decoded.header.nodata_assumed);
    assert_eq!(decoded.valid, Some(vec![true, false, true, true, true, true]));
    assert_eq!((decoded.values[1], decoded.stats.nodata_count), (0.0, 1));
    assert_eq!((decoded.stats.min, decoded.stats.max), (0.0, 2.0));

    let spec = Spec::new(3, 2, SampleType::F32).with(42113, 2, Value::Text("32767"));
    let decoded = read_ok(&spec.build(heights), "tif");
    assert_eq!((decoded.valid, decoded.header.nodata), (None, Some(32767.0)));
}

#[test]
fn a_nodata_value_rounded_by_its_text_still_masks_a_float() {
    let spec =
        Spec::new(2, 1, SampleType::F32).with(42113, 2, Value::Text("-3.40282346638529e+38"));
    let decoded = read_ok(&spec.build(|x, _, _| [f64::from(f32::MIN), 5.0][x]), "tif");
    assert_eq!(decoded.valid, Some(vec![false, true]));
}

#[test]
fn an_srtm_void_is_masked_without_a_tag_and_data_under_another_tag() {
    let heights = |x: usize, _, _| [-32768.0, 12.0][x];
    let decoded = read_ok(&Spec::new(2, 1, SampleType::I16).build(heights), "tif");
    assert_eq!((decoded.header.nodata, decoded.header.nodata_assumed), (Some(-32768.0), true));
    assert_eq!(decoded.valid, Some(vec![false, true]));
    let spec = Spec::new(2, 1, SampleType::I16).with(42113, 2, Value::Text("-1"));
    assert_eq!(read_ok(&spec.build(heights), "tif").values, [-32768.0, 12.0]);
}

#[test]
fn the_callers_nodata_value_replaces_the_files() {
    let spec = Spec::new(2, 1, SampleType::I16).with(42113, 2, Value::Text("none"));
    let file = spec.build(|x, _, _| x as f64);
    assert!(refusal(read(&file, "tif")).contains("tag 42113"));
    let options = DecodeOptions { nodata: Some(1.0), ..DecodeOptions::default() };
    let decoded = decode(&file, "tif", &options).expect("sound");
    assert_eq!(decoded.valid, Some(vec![true, false]));
}

#[test]
fn what_is_not_finite_is_masked_and_counted_and_all_of_it_is_reported() {
    for kind in [SampleType::F32, SampleType::F64] {
        let odd = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300];
        let decoded = read_ok(
            &Spec::new(5, 1, kind).build(|x, _, _| if x < 4 { odd[x] } else { 7.0 }),
            "tif",
        );
        assert_eq!(decoded.stats.nonfinite_count, 4);
        assert_eq!(decoded.values, [0.0, 0.0, 0.0, 0.0, 7.0]);
        assert_eq!((decoded.stats.min, decoded.stats.max), (7.0, 7.0));
        let empty = read_ok(&Spec::new(5, 3, kind).build(|_, _, _| f64::NAN), "tif");
        assert!(empty.stats.is_all_nodata());
    }
}

#[test]
fn a_chunk_that_gdal_left_out_has_no_data() {
    let spec = Spec { absent: vec![1], ..Spec::new(2, 12, SampleType::F32) };
    let decoded = read_ok(&spec.build(|_, y, _| y as f64), "tif");
    assert_eq!(decoded.stats.nodata_count, 10);
    assert_eq!(decoded.values[8..10], [4.0, 4.0]);
    assert_eq!(decoded.values[20..22], [10.0, 10.0]);
}

#[test]
fn what_is_not_supported_names_its_tag_and_value() {
    let plain = || Spec::new(4, 4, SampleType::U16);
    let short = |value| Value::Shorts(vec![value]);
    let cases = [
        (plain().with(259, 3, short(7)), "tag 259", "7"),
        (plain().with(259, 3, short(50000)), "tag 259", "50000"),
        (plain().with(262, 3, short(0)), "tag 262", "0"),
        (plain().with(262, 3, short(3)), "tag 262", "3"),
        (plain().with(258, 3, short(12)), "258", "12 bits"),
        (plain().with(339, 3, short(6)), "339", "format 6"),
        (plain().with(274, 3, short(4)), "tag 274", "4"),
        (plain().with(266, 3, short(2)), "tag 266", "2"),
        (plain().with(317, 3, short(2)), "tag 317", "2"),
        (Spec { compression: LZW, ..plain() }.with(317, 3, short(3)), "tag 317", "3"),
    ];
    for (spec, tag, value) in cases {
        let message = refusal(read(&spec.build(|_, _, _| 1.0), "tif"));
        assert!(message.contains(tag) && message.contains(value), "{message}");
        assert!(message.contains("not supported; "), "{message}");
    }
}

#[test]
fn big_tujunga_is_1197_by_643_cells_of_30_m_in_utm_11_north() {
    let Some(file) = sample("dem/bigtujunga.tif") else { return };
    let header = probe(&file, "tif").expect("sound");
    assert_eq!((header.width, header.height, header.pages), (1197, 643, 1));
    assert_eq!((header.nodata, header.nodata_assumed), (Some(32767.0), false));
    let place = header.georeference.expect("it is placed");
    assert_eq!((place.epsg, place.cell), (Some(32611), [30.0, 30.0]));
    assert_eq!(place.unit, bajada_formats::LengthUnit::Metre);
    assert_eq!(place.easting, 376_313.655_454_263_5 + 15.0);
    assert_eq!(place.northing, 3_807_917.827_628_375_5 - 15.0);
    let decoded = read_ok(&file, "tif");
    assert_eq!((decoded.stats.min, decoded.stats.max), (315.0, 2295.0));
    assert_eq!((decoded.valid, decoded.stats.nodata_count), (None, 0));
    assert_eq!(decoded.values[..5], [945.0, 952.0, 960.0, 966.0, 969.0]);
    assert_eq!(decoded.values[1197 * 643 - 3..], [866.0, 869.0, 872.0]);
}

/// Most of the suite is one ramp of 16 x 16 stored in many ways.
#[test]
fn the_tiff_suite_is_one_ramp_in_all_its_guises_or_refused_by_tag() {
    for (name, file) in samples("cases/tiff") {
        let read = read(&file, "tif");
        let refused = ["hpredict", "logluv", "fp16", "-1b-", "-24b-", "palette"];
        if !name.contains(".tif") {
            assert!(read.is_err(), "{name}");
        } else if refused.iter().any(|part| name.contains(part)) {
            let message = refusal(read);
            assert!(message.contains("tag"), "{name}: {message}");
        } else {
            let decoded = read.unwrap_or_else(|error| panic!("{name}: {error}"));
            if name.starts_with("seq-") {
                // Whole numbers hold the ramp itself, floats a share of 1.
                let (low, top) = (decoded.stats.min, decoded.stats.max);
                let close = |(code, value): (usize, &f32)| {
                    ((value - low) / (top - low) * 255.0 - code as f32).abs() < 1e-4
                };
                assert!(decoded.values.iter().enumerate().all(close), "{name}: {decoded:?}");
                assert!([255.0, 127.0, 1.0, 65535.0].contains(&top), "{name}: {top}");
            }
            if name.starts_with("gradient-") {
                let rises = |pair: &[f32]| pair[0] < pair[1];
                assert!(decoded.values.windows(2).all(rises), "{name}");
            }
            assert_eq!(decoded.header.pages, if name.contains("multipage") { 3 } else { 1 });
        }
    }
}
