//! The sidecar says what the file cannot.

use bajada_formats::{
    Encoding, Georeference, LengthUnit, PixelIs, Sidecar, SidecarSource, sidecar,
};
use bajada_grid::Domain;

fn source(domain: &Domain, encoding: Encoding) -> SidecarSource<'_> {
    SidecarSource {
        name: "canyon",
        domain,
        encoding,
        z_range_m: [300.0, 812.0],
        georeference: None,
        value_hash: "0a",
        file_hash: "0b",
        graph_hash: None,
    }
}

#[test]
fn an_r16_carries_the_numbers_for_unreal_and_unity() {
    let domain = Domain::new(1009, 1009, 2.0, [0.0; 2]).expect("legal");
    let card = sidecar(&source(&domain, Encoding::R16));
    let unreal = card.unreal.expect("codes of 16 bits");
    assert_eq!((unreal.scale_x, unreal.scale_z_by_epic), (200.0, 100.0));
    assert_eq!(unreal.scale_z, 51_200.0 * 128.0 / 65_535.0);
    assert_eq!(unreal.location_z_cm, 30_000.0 + 256.0 * unreal.scale_z);
    assert!(unreal.size_is_legal && unreal.size_is_recommended);
    let unity = card.unity.expect("an r16");
    assert_eq!((unity.terrain_width, unity.terrain_height), (2016.0, 512.0));
    assert!(!unity.size_is_legal && unity.flip_vertically);
    assert_eq!((unity.nearest_legal_size, unity.byte_order.as_str()), (1025, "Windows"));
    assert_eq!(card.step_m, Some(512.0 / 65_535.0));
    assert_eq!(card.file, "canyon.r16");
}

#[test]
fn a_file_of_heights_carries_no_codes() {
    let domain = Domain::new(4, 3, 30.0, [0.0; 2]).expect("legal");
    for encoding in [Encoding::R32, Encoding::TiffF32, Encoding::Asc, Encoding::Png8] {
        let card = sidecar(&source(&domain, encoding));
        assert_eq!((card.unreal, card.unity), (None, None));
        assert_eq!(card.step_m.is_some(), encoding == Encoding::Png8);
    }
}

#[test]
fn the_json_is_stable_reads_back_and_names_no_time_or_path() {
    let domain = Domain::new(4, 3, 30.0, [10.0, 20.0]).expect("legal");
    let place = Georeference {
        epsg: Some(32611),
        easting: 376_328.655_454_263_5,
        northing: 3_807_902.827_628_375_5,
        cell: [30.0; 2],
        unit: LengthUnit::Metre,
        pixel_is: PixelIs::Point,
    };
    for encoding in [Encoding::Png16, Encoding::R16, Encoding::TiffF32] {
        let source = SidecarSource {
            georeference: Some(&place),
            graph_hash: Some("0c"),
            ..source(&domain, encoding)
        };
        let card = sidecar(&source);
        let json = card.to_json();
        assert_eq!(json, sidecar(&source).to_json());
        assert_eq!(serde_json::from_str::<Sidecar>(&json).ok(), Some(card));
        assert!(!json.contains("time") && !json.contains('/') && json.ends_with("}\n"));
        assert!(json.contains("\"extent_m\": [\n    90.0,\n    60.0\n  ]"), "{json}");
    }
}

#[test]
fn a_name_that_unreal_takes_for_a_tile_is_warned_of() {
    let domain = Domain::new(1009, 1009, 2.0, [0.0; 2]).expect("legal");
    let warnings = |name, encoding| {
        sidecar(&SidecarSource { name, ..source(&domain, encoding) }).warnings.len()
    };
    assert_eq!(warnings("hm4033x4033", Encoding::R16), 1);
    assert_eq!(warnings("hm4033x4033", Encoding::TiffF32), 0);
    assert_eq!(warnings("exit_to_fan", Encoding::R16), 0);
}
