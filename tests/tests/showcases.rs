//! Whole graphs: the same bits everywhere, matter accounted for, place kept.

use std::path::{Path, PathBuf};

use bajada::{Build, BuildOptions, SamplesOverride, Session};
use bajada_formats::{Georeference, LengthUnit, PixelIs, encode_tiff_f32, probe};
use bajada_grid::Grid;
use bajada_testkit::terrain;
use bajada_tests::{files, golden, harness, root};

/// Samples that the showcases are held at: small enough for every run.
const SAMPLES: u32 = 257;

/// The showcase whose ground is not in the repository.
const ABROAD: &str = "graphs/showcase/real_front.ron";

fn showcases() -> Vec<PathBuf> {
    let mut found = files(&root().join("graphs/showcase"), "ron");
    found.retain(|graph| *graph != root().join(ABROAD));
    assert!(found.len() >= 4, "the showcases are gone");
    found
}

fn build(graph: &Path, out: &Path, samples: Option<u32>, threads: usize) -> Build {
    let options = BuildOptions {
        out: Some(out.to_owned()),
        samples: samples.map(SamplesOverride::Longer),
        threads: Some(threads),
        use_cache: false,
        ..BuildOptions::default()
    };
    let build = Session::new().build(graph, &options).expect("the graph can be read");
    let style = bajada::RenderStyle::Plain;
    assert!(build.check.ok(), "{}", build.check.render(style));
    let failed: Vec<_> = build.report.nodes.iter().filter(|node| node.outputs.is_empty()).collect();
    assert!(build.report.ok, "{}: {failed:?}", graph.display());
    build
}

/// Name and hash of every output of every node.
fn hashes(build: &Build) -> Vec<(String, String)> {
    let nodes = build.report.nodes.iter();
    nodes
        .flat_map(|node| {
            node.outputs
                .iter()
                .map(|(port, stats)| (format!("{} {port}", node.name), stats.hash.clone()))
        })
        .collect()
}

#[test]
fn ground_that_is_not_there_is_asked_for_and_ground_that_is_gets_its_fans() {
    let folder = tempfile::tempdir().expect("a folder");
    let (showcase, data) = (folder.path().join("showcase"), folder.path().join("data"));
    std::fs::create_dir(&showcase).expect("a folder");
    std::fs::create_dir(&data).expect("a folder");
    let graph = showcase.join("real_front.ron");
    std::fs::copy(root().join(ABROAD), &graph).expect("the showcase");
    let refused = Session::new()
        .check(&graph, &bajada::CheckOptions::default())
        .expect("the graph can be read");
    let text = refused.render(bajada::RenderStyle::Plain);
    let sentence = "there is no file `../data/bigtujunga.tif`";
    assert!(text.contains("BJ0230") && text.contains(sentence), "{text}");

    // A front of our own on the lattice that the graph asks for.
    let (width, height) = (1197_u32, 643_u32);
    let domain = bajada_grid::Domain::new(width, height, 30.0, [0.0; 2]).expect("legal");
    let real = root().join("../shared/dem/bigtujunga.tif");
    let bytes = match std::fs::read(&real) {
        Ok(bytes) => bytes,
        Err(_) => encode_tiff_f32(&terrain::hills(domain, 900.0, 5), None).expect("hills"),
    };
    std::fs::write(data.join("bigtujunga.tif"), bytes).expect("it can be written");
    let built = build(&graph, &folder.path().join("out"), None, 2);
    let residuals = built.report.nodes.iter().filter_map(|node| node.ledger);
    assert!(residuals.into_iter().all(|ledger| ledger.residual_relative <= 1e-9));
    let table = std::fs::read_to_string(folder.path().join("out/fans.csv")).expect("the table");
    println!("{table}");
    if real.exists() {
        assert!(table.lines().count() > 5, "{table}");
    }
}

#[test]
fn every_example_builds() {
    let out = tempfile::tempdir().expect("a folder");
    for graph in files(&root().join("graphs/nodes"), "ron") {
        let build = build(&graph, out.path(), None, 2);
        for output in &build.report.outputs {
            assert!(Path::new(&output.path).exists(), "{}", output.path);
        }
    }
}

#[test]
fn showcases_have_the_same_bits_on_any_number_of_threads_and_their_matter_closes() {
    let out = tempfile::tempdir().expect("a folder");
    let mut goldens = Vec::new();
    for graph in showcases() {
        let one = build(&graph, out.path(), Some(SAMPLES), 1);
        for threads in [2, 3, 7] {
            let many = build(&graph, out.path(), Some(SAMPLES), threads);
            assert_eq!(hashes(&one), hashes(&many), "{} on {threads}", graph.display());
        }
        let mut moved = 0.0;
        for node in &one.report.nodes {
            if let Some(ledger) = node.ledger {
                let residual = ledger.residual_relative;
                assert!(residual <= 1e-9, "{} of {}: {residual:e}", node.name, graph.display());
                moved += ledger.eroded_m3;
            }
        }
        let whole = one.report.ledger.expect("a showcase moves matter");
        assert!(whole.residual_relative <= 1e-9 && moved > 0.0);

        // The name carries every version and the graph, so that a hash may
        // change only where one of them has.
        let text = std::fs::read(&graph).expect("it was built");
        let text = bajada_grid::Digest::of_bytes(&text).to_string();
        let stem = graph.file_stem().expect("a name").to_string_lossy();
        let stem = format!("{stem}#{}", &text[..8]);
        let registry = bajada_nodes::registry();
        let mut kinds: Vec<String> = one
            .report
            .nodes
            .iter()
            .filter_map(|node| registry.get(node.kind))
            .map(|node| format!("{}@{}", node.spec().id, node.spec().version))
            .collect();
        kinds.sort();
        kinds.dedup();
        for output in &one.report.outputs {
            let name = Path::new(&output.path).file_name().expect("a name").to_string_lossy();
            goldens.push((format!("{stem} {} {name}", kinds.join(",")), output.hash.clone()));
        }
    }
    golden::hold("showcase", &goldens);
}

#[test]
fn the_report_says_what_files_hold() {
    let out = tempfile::tempdir().expect("a folder");
    let graph = root().join("graphs/showcase/real_valley.ron");
    let build = build(&graph, out.path(), Some(65), 2);
    for output in &build.report.outputs {
        let bytes = std::fs::read(&output.path).expect("it was written");
        assert_eq!(output.file_hash, bajada_grid::Digest::of_bytes(&bytes).to_string());
        assert_eq!(output.samples, [65, 65]);
        assert_eq!(output.cell_m, 240.0);
    }
    let described = out.path().join("elevation.png.bajada.json");
    let text = std::fs::read_to_string(described).expect("a description lies beside");
    let json: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(json["file"], "elevation.png");
    assert_eq!(json["width"], 65);
    assert!(json["unreal"].is_object(), "{text}");
}

/// Imports `bytes` as `dem.tif`, lets its scree come to rest, and returns the
/// header of the TIFF that leaves.
fn through_talus(bytes: &[u8]) -> bajada_formats::Header {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("dem.tif"), bytes).expect("writes");
    let graph = folder.path().join("g.ron");
    let text = r#"(
        format: 1,
        world: from("dem"),
        nodes: {
            "dem": import(file: file("dem.tif")),
            "scree": talus(elevation: "dem"),
        },
        outputs: { "scree.tif": raster(field: "scree") },
    )"#;
    std::fs::write(&graph, text).expect("writes");
    build(&graph, &folder.path().join("out"), None, 2);
    let made = std::fs::read(folder.path().join("out/scree.tif")).expect("it was made");
    probe(&made, "tif").expect("it is a TIFF")
}

#[test]
fn a_raster_keeps_its_place_on_the_map() {
    let hills = terrain::hills(harness::domain(40, 30, 30.0), 900.0, 4);
    for pixel_is in [PixelIs::Area, PixelIs::Point] {
        let place = Georeference {
            epsg: Some(32_611),
            easting: 376_328.75,
            northing: 3_807_903.125,
            cell: [30.0, 30.0],
            unit: LengthUnit::Metre,
            pixel_is,
        };
        let bytes = encode_tiff_f32(&hills, Some(&place)).expect("hills can be written");
        assert_eq!(through_talus(&bytes).georeference, Some(place));
    }
}

#[test]
fn a_real_model_with_a_nodata_value_that_no_cell_has_keeps_its_place() {
    // Only where the collection of test inputs lies beside the tree; the test
    // above holds the same with ground of its own.
    let path = root().join("../shared/dem/bigtujunga.tif");
    let Ok(bytes) = std::fs::read(&path) else {
        println!("not here: {}", path.display());
        return;
    };
    let before = probe(&bytes, "tif").expect("it is a TIFF");
    let after = through_talus(&bytes);
    assert_eq!((after.width, after.height), (1197, 643));
    let (before, after) =
        (before.georeference.expect("placed"), after.georeference.expect("placed"));
    assert_eq!((before.epsg, before.pixel_is), (after.epsg, after.pixel_is));
    assert!((before.easting - after.easting).abs() < 1e-6);
    assert!((before.northing - after.northing).abs() < 1e-6);
}

#[test]
fn dropping_one_deposit_opens_the_ledger() {
    use bajada_grid::{Stream, Task};
    use bajada_kernels::water::droplets::{DropletConfig, Ground, erode};

    let ground = terrain::hills(harness::domain(65, 65, 12.0), 300.0, 4);
    let scene = Ground { elevation: &ground, hardness: None, mask: None };
    let config = DropletConfig::default();
    let done = erode(&Task::new(), &scene, &config, Stream::new(1)).expect("nobody stops it");
    assert!(done.ledger.residual_relative() <= 1e-12);

    let most = |deposits: &Grid<f32>| {
        let cells = deposits.as_slice().iter().enumerate();
        cells.max_by(|a, b| a.1.total_cmp(b.1)).map(|(index, _)| index).expect("cells")
    };
    let cell = most(&done.deposition);
    let mut robbed = done.elevation.to_f64();
    robbed[cell] -= f64::from(done.deposition[cell]);
    let mut ledger = done.ledger;
    ledger.measure(&ground, &robbed);
    assert!(ledger.residual_relative() > 1e-9, "{:e}", ledger.residual_relative());
}
