//! The engine and the codecs.

use std::hint::black_box;

use bajada::{BuildOptions, Session};
use bajada_formats::{DecodeOptions, decode, encode_png16, encode_tiff_f32};

use super::hills;
use super::table::{Peer, Row, Table, Unit};

/// A chain of fifty nodes, checked and found to be up to date.
pub(crate) fn engine(table: &Table) {
    const NAME: &str = "nothing dirty, graph read again";
    const NODES: usize = 50;
    if !table.wants_any(&[NAME]) {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder for a graph");
    let path = folder.path().join("chain.ron");
    let mut text = "(format: 1, seed: 1, world: (extent_m: (1024, 1024), samples: (65, 65)),\n\
                    nodes: {\n\"n0\": noise(wavelength_m: 500),\n"
        .to_owned();
    for node in 1..NODES {
        let before = node - 1;
        text.push_str(&format!("\"n{node}\": talus(elevation: \"n{before}\"),\n"));
    }
    text.push_str(&format!("}},\noutputs: {{ \"h.tif\": raster(field: \"n{}\") }})", NODES - 1));
    std::fs::write(&path, text).expect("a graph is written");
    let session = Session::new();
    let target = format!("n{}", NODES - 1);
    table.row(Row {
        name: NAME,
        unit: Unit::Nanoseconds,
        item: "node",
        items: NODES as f64,
        ours: &mut || {
            let options = BuildOptions { targets: vec![target.clone()], ..Default::default() };
            let build = session.build(&path, &options).expect("the chain builds");
            assert!(build.check.ok(), "the chain is legal");
        },
        peer: None,
        target: Some(1000.0),
    });
}

pub(crate) fn codecs(table: &Table) {
    use image::{ExtendedColorType, ImageEncoder as _, codecs::png::PngEncoder};

    const PNG_WRITE: &str = "PNG16, 4096^2 write";
    const TIFF_WRITE: &str = "TIFF f32, 4096^2 write";
    const TIFF_READ: &str = "TIFF f32, 4096^2 read";
    const SIDE: u32 = 4096;
    let pixels = f64::from(SIDE * SIDE);
    if !table.wants_any(&[PNG_WRITE, TIFF_WRITE, TIFF_READ]) {
        return;
    }
    let ground = hills(SIDE, 1500.0);
    let codes: Vec<u8> = ground
        .as_slice()
        .iter()
        .flat_map(|&height| ((f64::from(height) / 1500.0 * 65535.0) as u16).to_ne_bytes())
        .collect();
    table.row(Row {
        name: PNG_WRITE,
        unit: Unit::Millions,
        item: "px",
        items: pixels,
        ours: &mut || {
            black_box(encode_png16(&ground, [0.0, 1500.0]).expect("it is encoded"));
        },
        peer: Some(Peer {
            name: "image",
            items: pixels,
            run: &mut || {
                let mut file = Vec::new();
                PngEncoder::new(&mut file)
                    .write_image(&codes, SIDE, SIDE, ExtendedColorType::L16)
                    .expect("it is encoded");
                black_box(file);
            },
            besides: None,
        }),
        target: Some(75.0),
    });
    let file = encode_tiff_f32(&ground, None).expect("it is encoded");
    let values = ground.as_slice();
    table.row(Row {
        name: TIFF_WRITE,
        unit: Unit::Millions,
        item: "px",
        items: pixels,
        ours: &mut || {
            black_box(encode_tiff_f32(&ground, None).expect("it is encoded"));
        },
        peer: Some(Peer {
            name: "tiff",
            items: pixels,
            run: &mut || {
                let mut file = std::io::Cursor::new(Vec::new());
                let mut encoder = tiff::encoder::TiffEncoder::new(&mut file).expect("a header");
                encoder
                    .write_image::<tiff::encoder::colortype::Gray32Float>(SIDE, SIDE, values)
                    .expect("it is encoded");
                black_box(file);
            },
            besides: None,
        }),
        target: None,
    });
    table.row(Row {
        name: TIFF_READ,
        unit: Unit::Millions,
        item: "px",
        items: pixels,
        ours: &mut || {
            black_box(decode(&file, "tif", &DecodeOptions::default()).expect("it is decoded"));
        },
        peer: Some(Peer {
            name: "tiff",
            items: pixels,
            run: &mut || {
                let mut decoder =
                    tiff::decoder::Decoder::new(std::io::Cursor::new(&file)).expect("a header");
                black_box(decoder.read_image().expect("it is decoded"));
            },
            besides: None,
        }),
        target: None,
    });
}
