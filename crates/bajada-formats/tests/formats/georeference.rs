//! The place of a raster survives the trip through a file.

use bajada_formats::{
    Georeference, LengthUnit, PixelIs, SampleType, encode_asc, encode_tiff_f32, probe,
};

use crate::tiff_builder::{Spec, Value};
use crate::{ramp, read, read_ok, refusal};

fn utm(pixel_is: PixelIs) -> Georeference {
    Georeference {
        epsg: Some(32611),
        easting: 376_328.655_454_263_5,
        northing: 3_807_902.827_628_375_5,
        cell: [30.0, 30.0],
        unit: LengthUnit::Metre,
        pixel_is,
    }
}

fn check_close(found: &Georeference, expected: &Georeference) {
    assert_eq!((found.epsg, found.unit), (expected.epsg, expected.unit));
    assert_eq!((found.pixel_is, found.cell), (expected.pixel_is, expected.cell));
    assert!((found.easting - expected.easting).abs() < 1e-9, "{found:?}");
    assert!((found.northing - expected.northing).abs() < 1e-9, "{found:?}");
}

#[test]
fn a_tiff_gives_its_place_back_for_areas_and_points_in_every_unit() {
    for pixel_is in [PixelIs::Area, PixelIs::Point] {
        let units = [
            (LengthUnit::Metre, Some(32611)),
            (LengthUnit::Foot, Some(2222)),
            (LengthUnit::UsFoot, Some(2229)),
            (LengthUnit::Degree, Some(4326)),
            (LengthUnit::Unknown, None),
        ];
        for (unit, epsg) in units {
            let place = Georeference { unit, epsg, ..utm(pixel_is) };
            let file = encode_tiff_f32(&ramp(), Some(&place)).expect("can be written");
            let found = probe(&file, "tif").expect("sound").georeference.expect("placed");
            check_close(&found, &place);
            assert_eq!(read_ok(&file, "tif").values, ramp().as_slice());
        }
    }
}

#[test]
fn an_ascii_grid_gives_its_place_back_without_the_system() {
    for pixel_is in [PixelIs::Area, PixelIs::Point] {
        let place = Georeference { epsg: None, unit: LengthUnit::Unknown, ..utm(pixel_is) };
        let file = encode_asc(&ramp(), Some(&utm(pixel_is))).expect("can be written");
        let found = probe(&file, "asc").expect("sound").georeference.expect("placed");
        check_close(&found, &place);
    }
}

#[test]
fn without_a_georeference_the_domains_own_metres_are_written() {
    let file = encode_tiff_f32(&ramp(), None).expect("can be written");
    let found = probe(&file, "tif").expect("sound").georeference.expect("placed");
    assert_eq!((found.easting, found.northing), (500.0, 700.0));
    assert_eq!((found.cell, found.unit, found.epsg), ([30.0; 2], LengthUnit::Metre, None));
}

#[test]
fn a_tie_point_inside_the_raster_places_the_first_sample() {
    let keys = vec![1, 1, 0, 2, 1024, 0, 1, 1, 1025, 0, 1, 2];
    let spec = Spec::new(3, 2, SampleType::F32)
        .with(33550, 12, Value::Doubles(vec![10.0, 20.0, 0.0]))
        .with(33922, 12, Value::Doubles(vec![1.0, 1.0, 0.0, 500.0, 900.0, 0.0]))
        .with(34735, 3, Value::Shorts(keys));
    let place = probe(&spec.build(|_, _, _| 0.0), "tif").expect("sound").georeference;
    let place = place.expect("placed");
    assert_eq!((place.easting, place.northing), (490.0, 920.0));
    assert_eq!((place.cell, place.pixel_is), ([10.0, 20.0], PixelIs::Point));
}

#[test]
fn a_transformation_matrix_places_a_north_up_raster_and_others_are_refused() {
    let matrix = |values: [f64; 4]| {
        let [east, shear, south, north] = values;
        let matrix = vec![
            east, shear, 0.0, 100.0, 0.0, south, 0.0, north, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0,
        ];
        let spec = Spec::new(3, 2, SampleType::F32).with(34264, 12, Value::Doubles(matrix));
        spec.build(|_, _, _| 0.0)
    };
    let header = probe(&matrix([5.0, 0.0, -5.0, 300.0]), "tif").expect("sound");
    let place = header.georeference.expect("placed");
    assert_eq!((place.easting, place.northing, place.cell), (102.5, 297.5, [5.0, 5.0]));
    let message = refusal(read(&matrix([5.0, 1.0, -5.0, 300.0]), "tif"));
    assert!(message.contains("34264") && message.contains("gdalwarp"), "{message}");
    let message = refusal(read(&matrix([5.0, 0.0, 5.0, 300.0]), "tif"));
    assert!(message.contains("row 0 is north"), "{message}");
}

#[test]
fn heights_in_feet_are_reported() {
    let keys = vec![1, 1, 0, 1, 4099, 0, 1, 9003];
    let spec = Spec::new(3, 2, SampleType::F32).with(34735, 3, Value::Shorts(keys));
    let header = probe(&spec.build(|_, _, _| 0.0), "tif").expect("sound");
    assert_eq!((header.vertical_unit, header.georeference), (LengthUnit::UsFoot, None));
}

#[test]
fn a_place_that_is_no_place_is_not_written() {
    for (cell, epsg) in [([0.0, 1.0], None), ([f64::NAN; 2], None), ([1.0; 2], Some(70_000))] {
        let place = Georeference { cell, epsg, ..utm(PixelIs::Point) };
        assert!(encode_tiff_f32(&ramp(), Some(&place)).is_err());
    }
    let oblong = Georeference { cell: [1.0, 2.0], ..utm(PixelIs::Point) };
    assert!(encode_asc(&ramp(), Some(&oblong)).is_err());
}
