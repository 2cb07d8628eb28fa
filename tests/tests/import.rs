//! `import`: what comes out of files of every kind, and where it lies.

use bajada_formats::{encode_asc, encode_png16, encode_r16, encode_tiff_f32};
use bajada_grid::{Domain, Grid, Task};
use bajada_node::{Asset, Finished, Node as _, NodeError, ParamValue};
use bajada_nodes::source::import::Import;
use bajada_testkit::terrain;
use bajada_tests::harness;

/// Imports `bytes` into a world on `domain`, with some parameters set.
fn import(
    domain: Domain,
    extension: &str,
    bytes: Vec<u8>,
    set: &[(&str, ParamValue)],
) -> Result<Finished, NodeError> {
    let mut params = harness::default_params(&Import, domain);
    let spec = Import.spec();
    let index = |name: &str| spec.param_index(name).expect("it has that parameter");
    params[index("file")] = ParamValue::File(Asset::new(extension, bytes));
    for (name, value) in set {
        params[index(name)] = value.clone();
    }
    harness::run(&Import, domain, &params, &[], 2, &Task::new())
}

fn elevation(finished: &Finished) -> &Grid<f32> {
    &finished.values[0].as_raster().expect("the ground").grid
}

fn nodata(finished: &Finished) -> &Grid<f32> {
    &finished.values[1].as_raster().expect("the mask").grid
}

#[test]
fn heights_on_the_worlds_own_lattice_keep_their_bits() {
    let domain = harness::domain(33, 21, 30.0);
    let hills = terrain::hills(domain, 800.0, 2);
    for bytes in [encode_tiff_f32(&hills, None), encode_asc(&hills, None)] {
        let bytes = bytes.expect("hills can be written");
        let extension = if bytes.starts_with(b"II") { "tif" } else { "asc" };
        let found = import(domain, extension, bytes, &[]).expect("it can be read");
        assert_eq!(elevation(&found), &hills, "{extension}");
        assert!(nodata(&found).as_slice().iter().all(|&share| share == 0.0));
    }
}

#[test]
fn codes_become_heights_by_their_range_and_cover_the_world() {
    let coarse = harness::domain(17, 17, 60.0);
    let fine = harness::domain(33, 33, 30.0);
    let hills = terrain::hills(coarse, 800.0, 2);
    let range = [0.0, 1000.0];
    let set = [("range_m", ParamValue::Pair(range))];
    for (extension, bytes) in
        [("png", encode_png16(&hills, range)), ("r16", encode_r16(&hills, range))]
    {
        let bytes = bytes.expect("hills can be written");
        let found = import(fine, extension, bytes, &set).expect("it can be read");
        for y in 0..17 {
            for x in 0..17 {
                let gap = (elevation(&found).at(2 * x, 2 * y) - hills.at(x, y)).abs();
                assert!(gap <= 1000.0 / 65_535.0, "{extension}: {gap} at {x}, {y}");
            }
        }
    }
    let bytes = encode_tiff_f32(&hills, None).expect("hills can be written");
    let refused = import(coarse, "tif", bytes, &set).expect_err("heights have no range");
    assert!(refused.to_string().contains("leave `range_m` out"), "{refused}");
}

#[test]
fn a_smaller_file_lies_at_the_worlds_corner_and_the_rest_is_marked() {
    let file = harness::domain(11, 11, 30.0);
    let world = harness::domain(21, 11, 30.0);
    let hills = terrain::hills(file, 800.0, 2);
    let bytes = encode_tiff_f32(&hills, None).expect("hills can be written");
    let found = import(world, "tif", bytes, &[]).expect("it can be read");
    for y in 0..11 {
        assert_eq!(elevation(&found).row(y)[..11], *hills.row(y));
        assert_eq!(nodata(&found).row(y)[..11], [0.0; 11]);
        assert_eq!(nodata(&found).row(y)[11..], [1.0; 10]);
    }
    assert!(found.notes[0].contains("110 samples have no data"), "{:?}", found.notes);
}

#[test]
fn a_hole_becomes_a_mask_and_never_a_height() {
    let domain = harness::domain(5, 4, 30.0);
    let text = "ncols 5\nnrows 4\nxllcenter 0\nyllcenter -90\ncellsize 30\nNODATA_value -9999\n\
                10 10 10 10 10\n10 -9999 -9999 10 10\n10 10 nan 10 10\n10 10 10 10 10\n";
    let found = import(domain, "asc", text.into(), &[]).expect("it can be read");
    assert!(elevation(&found).as_slice().iter().all(|&height| height == 10.0));
    let holes: Vec<usize> = (0..20).filter(|&index| nodata(&found)[index] > 0.0).collect();
    assert_eq!(holes, [6, 7, 12]);
    // The option after `Fill`.
    let refuse = [("nodata", ParamValue::Choice(1))];
    let refused = import(domain, "asc", text.into(), &refuse).expect_err("it has holes");
    assert!(refused.to_string().contains("3 of its cells have no height"), "{refused}");
    let empty = text.replace("10", "-9999");
    let refused = import(domain, "asc", empty.into(), &[]).expect_err("there is nothing in it");
    assert!(refused.to_string().contains("no height anywhere"), "{refused}");
}

#[test]
fn degrees_are_refused_until_a_cell_in_metres_is_written() {
    let domain = harness::domain(3, 3, 90.0);
    let text = "ncols 3\nnrows 3\nxllcorner -105.4\nyllcorner 40.0\ncellsize 0.000833\n\
                1 2 3\n4 5 6\n7 8 9\n";
    let refused = import(domain, "asc", text.into(), &[]).expect_err("it is in degrees");
    assert!(refused.to_string().contains("degrees"), "{refused}");
    assert!(refused.to_string().contains("cell_m"), "{refused}");
    let set = [("cell_m", ParamValue::Number(90.0))];
    let found = import(domain, "asc", text.into(), &set).expect("a cell in metres is written");
    assert_eq!(elevation(&found).as_slice(), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]);
}

#[test]
fn a_coarser_world_sees_the_mean_and_not_every_third_sample() {
    let fine = harness::domain(121, 121, 10.0);
    let coarse = harness::domain(13, 13, 100.0);
    // Ripples of three samples would alias to a tilted plane.
    let ripples = Grid::from_fn(fine, |x, _| if x % 3 == 0 { 30.0 } else { 0.0 });
    let bytes = encode_tiff_f32(&ripples, None).expect("ripples can be written");
    let found = import(coarse, "tif", bytes, &[]).expect("it can be read");
    for &height in &elevation(&found).row(6)[2..11] {
        assert!((height - 10.0).abs() < 1.0, "{height}");
    }
}
