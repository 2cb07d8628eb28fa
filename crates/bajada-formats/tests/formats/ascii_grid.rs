//! ESRI ASCII grids in the spellings that exist.

use bajada_formats::{PixelIs, encode_asc, probe};
use bajada_grid::{Domain, Grid};

use crate::samples::sample;
use crate::{ramp, read, read_ok, refusal};

const HEADER: &str = "ncols 3\nnrows 2\nxllcorner 100\nyllcorner 200\ncellsize 10\n";

#[test]
fn keys_are_read_in_any_case_and_order_and_the_corner_is_moved_to_the_sample() {
    let text = "NROWS 2\r\nNCols\t3\r\nCELLSIZE 10\r\nYLLCORNER 200.0\r\nXLLCORNER 1e2\r\n\
                nodata_VALUE -9999\r\n1 2 3\r\n4 -9999 6\r\n";
    let decoded = read_ok(text.as_bytes(), "asc");
    assert_eq!(decoded.values, [1.0, 2.0, 3.0, 4.0, 0.0, 6.0]);
    assert_eq!(decoded.valid, Some(vec![true, true, true, true, false, true]));
    let place = decoded.header.georeference.expect("placed");
    assert_eq!((place.easting, place.northing), (105.0, 215.0));
    assert_eq!((place.cell, place.pixel_is), ([10.0; 2], PixelIs::Area));
}

#[test]
fn line_breaks_among_the_numbers_mean_nothing() {
    let plain = read_ok(format!("{HEADER}1 2 3\n4 5 6\n").as_bytes(), "asc");
    for body in ["1\n2\n3\n4\n5\n6", " 1 2 3 4 5 6 ", "1 2\r3 4 5\r\n6\n\n"] {
        assert_eq!(read_ok(format!("{HEADER}{body}").as_bytes(), "txt"), plain);
    }
}

#[test]
fn a_first_value_that_is_not_a_number_is_no_key() {
    let decoded = read_ok(format!("{HEADER}nan 2 NaN\n-inf 1.#QNAN 6\n").as_bytes(), "asc");
    assert_eq!((decoded.stats.nonfinite_count, decoded.stats.valid_count), (4, 2));
    assert_eq!(decoded.values, [0.0, 2.0, 0.0, 0.0, 0.0, 6.0]);
    if let Some(file) = sample("cases/asc/gdal_starting_with_nan.asc") {
        let decoded = read_ok(&file, "asc");
        assert_eq!((decoded.stats.nonfinite_count, decoded.values[12]), (24, 1.0));
    }
}

#[test]
fn damage_is_named_by_line_row_and_column() {
    let cases = [
        (format!("{HEADER}1 2 3\n4 five 6\n"), "row 1, column 1"),
        (format!("{HEADER}1 2 3\n4 5,5 6\n"), "'5,5' is not a number"),
        (format!("{HEADER}1 2 3\n4 55\n"), "row 1, column 2"),
        (format!("{HEADER}1 2 3\n4 5 6 7\n"), "after the last row"),
        (HEADER.replace("cellsize", "cellsise") + "1 2 3 4 5 6", "header line 5"),
        (HEADER.replace("ncols 3", "ncols 3 4") + "1 2 3 4 5 6", "header line 1"),
        (HEADER.replace("cellsize 10\n", "") + "1 2 3 4 5 6", "the key cellsize is missing"),
        (HEADER.replace("nrows 2", "ncols 2") + "1 2 3 4 5 6", "given twice"),
        (HEADER.replace("nrows 2", "nrows 2.5") + "1 2 3 4 5 6", "key nrows"),
        (HEADER.replace("nrows 2", "nrows 0") + "1 2 3 4 5 6", "key nrows"),
        (HEADER.replace("cellsize 10", "cellsize -10") + "1 2 3 4 5 6", "above 0"),
        (HEADER.replace("nrows 2", "nrows 20000") + "1 2 3 4 5 6", "do not fit"),
        (HEADER.replace("nrows 2", "nrows 2000000000") + "1 2 3 4 5 6", "the limit is"),
    ];
    for (text, words) in cases {
        let message = refusal(read(text.as_bytes(), "asc"));
        assert!(message.contains(words), "{message}");
    }
}

#[test]
fn every_f32_comes_back_bit_for_bit() {
    let domain = Domain::new(64, 64, 1.0, [0.0; 2]).expect("legal");
    let mut bits = 7_u32;
    let grid = Grid::from_fn(domain, |_, _| {
        loop {
            bits = bits.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let value = f32::from_bits(bits);
            if value.is_finite() {
                return value;
            }
        }
    });
    let file = encode_asc(&grid, None).expect("can be written");
    assert_eq!(read_ok(&file, "asc").values, grid.as_slice());
}

#[test]
fn heights_are_written_plainly_and_always_with_a_point() {
    let file = encode_asc(&ramp(), None).expect("can be written");
    let text = String::from_utf8(file).expect("text");
    assert_eq!(
        text,
        "ncols 3\nnrows 2\nxllcenter 500\nyllcenter 670\ncellsize 30\nNODATA_value -9999\n\
         0.0 100.0 200.0\n50.0 1.0 2.0\n"
    );
    assert_eq!(probe(text.as_bytes(), "asc").expect("sound").nodata, Some(-9999.0));
}
