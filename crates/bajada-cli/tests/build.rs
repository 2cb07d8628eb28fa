//! `bajada build`: files, report, exit codes and manners.

mod common;

use common::{Desk, graph, ran, root};
use serde_json::Value;

const HILLS: &str = r#""a": noise(wavelength_m: 200, amplitude_m: 50), "b": talus(elevation: "a", repose_angle_deg: 20),"#;
const FILES: &str = r#""b.tif": raster(field: "b"), "b.png": relief(elevation: "b"),"#;

fn desk() -> Desk {
    let desk = Desk::new();
    desk.write("g.ron", graph(HILLS, FILES));
    desk
}

#[test]
fn files_go_to_a_folder_named_after_the_graph() {
    let desk = desk();
    let ran = desk.run(&["build", "g.ron"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    for name in ["b.tif", "b.png", "b.tif.bajada.json", "bajada.manifest.json"] {
        assert!(desk.path("out/g").join(name).exists(), "{name}");
    }
    assert!(ran.stdout.contains("out/g/b.tif"), "{}", ran.stdout);
    assert!(ran.stderr.contains("never built"), "{}", ran.stderr);
    assert!(!ran.stderr.contains('\u{1b}'), "no colours where there is no terminal");
}

#[test]
fn the_report_has_the_shape_that_others_read() {
    let desk = desk();
    let ran = desk.run(&["build", "g.ron", "--out", "made", "--report", "r.json", "--quiet"]);
    assert_eq!((ran.code, ran.stdout.as_str(), ran.stderr.as_str()), (0, "", ""));
    let report: Value = serde_json::from_slice(&desk.read("r.json")).expect("JSON");
    assert_eq!(report["ok"], true);
    let node = |name: &str| {
        let nodes = report["nodes"].as_array().expect("a list");
        nodes.iter().find(|node| node["name"] == name).cloned().expect("it is listed")
    };
    let talus = node("b");
    assert_eq!((talus["kind"].as_str(), talus["state"].as_str()), (Some("talus"), Some("ran")));
    assert!(talus["reason"].is_string() && talus["ms"].is_f64() && talus["peak_bytes"].is_u64());
    for term in [
        "in_m3",
        "eroded_m3",
        "deposited_m3",
        "suspended_m3",
        "exported_m3",
        "shaped_m3",
        "rounding_m3",
        "residual_relative",
    ] {
        assert!(talus["ledger"][term].is_f64(), "{term}");
        assert!(report["ledger"][term].is_f64(), "{term}");
    }
    assert!(node("a")["ledger"].is_null());
    let elevation = &talus["outputs"]["elevation"];
    assert_eq!(elevation["hash"].as_str().map(str::len), Some(64));
    assert!(elevation["min"].is_f64() && elevation["max"].is_f64() && elevation["mean"].is_f64());
    assert_eq!(elevation["nonfinite"], 0);
    let output = &report["outputs"][0];
    assert_eq!(output["path"], "made/b.tif");
    assert_eq!(output["hash"], elevation["hash"]);
    assert_eq!(output["samples"], serde_json::json!([65, 65]));
    assert_eq!(output["cell_m"], 10.0);
    assert!(output["file_hash"].is_string() && output["z_min_m"].is_f64());
    assert!(report["ms"].is_f64() && report["peak_bytes"].is_u64());
}

#[test]
fn samples_change_the_cell_and_not_the_extent() {
    let desk = desk();
    let ran = desk.run(&["build", "g.ron", "--samples", "33", "--report", "r.json"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let report: Value = serde_json::from_slice(&desk.read("r.json")).expect("JSON");
    assert_eq!(report["outputs"][0]["samples"], serde_json::json!([33, 33]));
    assert_eq!(report["outputs"][0]["cell_m"], 20.0);
    let ran = desk.run(&["build", "g.ron", "--samples", "33x65"]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("cells must be square (from `--samples`)"), "{}", ran.stderr);
}

#[test]
fn json_is_one_record_a_line_and_starts_with_the_version() {
    let desk = desk();
    let ran = desk.run(&["build", "g.ron", "--json"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    let records: Vec<Value> =
        ran.stdout.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(records[0]["type"], "version");
    let summary = records.last().expect("records");
    assert_eq!((&summary["type"], &summary["ok"]), (&"summary".into(), &true.into()));
    let finished = records.iter().filter(|record| record["type"] == "node_finished");
    assert_eq!(finished.count(), 4);
}

#[test]
fn a_failed_node_is_exit_1_and_named() {
    let desk = Desk::new();
    desk.write("bad.tif", b"II*\0 no tiff");
    desk.write(
        "g.ron",
        graph(r#""a": import(file: file("bad.tif")),"#, r#""a.tif": raster(field: "a"),"#),
    );
    let ran = desk.run(&["build", "g.ron", "--report", "r.json"]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    assert!(ran.stderr.contains("error: `a` (import) failed"), "{}", ran.stderr);
    let report: Value = serde_json::from_slice(&desk.read("r.json")).expect("JSON");
    assert_eq!(report["ok"], false);
    assert_eq!(report["nodes"][0]["state"], "failed");
}

#[test]
fn a_bad_command_line_is_exit_2() {
    let desk = desk();
    for arguments in [
        &["build"][..],
        &["build", "g.ron", "--samples", "1"],
        &["build", "g.ron", "--threads", "0"],
        &["build", "g.ron", "--target", "zz"],
        &["nonsense"],
        &["view", "x.tif", "-o", "x.jpg"],
        &["nodes", "nosie"],
    ] {
        let ran = desk.run(arguments);
        assert_eq!(ran.code, 2, "{arguments:?}: {}", ran.stderr);
        assert!(!ran.stderr.is_empty(), "{arguments:?} says nothing");
    }
    assert!(!desk.path("out").exists());
}

#[test]
fn what_cannot_be_written_is_exit_5_and_leaves_what_was_there() {
    let desk = desk();
    desk.write("file", "in the way");
    let ran = desk.run(&["build", "g.ron", "--out", "file"]);
    assert_eq!(ran.code, 5, "{}", ran.stderr);
    assert!(ran.stderr.contains("cannot write"), "{}", ran.stderr);
    assert_eq!(desk.read("file"), b"in the way");
}

#[test]
fn a_read_only_output_is_refused_until_it_may_be_replaced() {
    let desk = desk();
    assert_eq!(desk.run(&["build", "g.ron"]).code, 0);
    let path = desk.path("out/g/b.tif");
    std::fs::write(&path, "precious").expect("writes");
    let mut permissions = std::fs::metadata(&path).expect("is there").permissions();
    permissions.set_readonly(true);
    std::fs::set_permissions(&path, permissions).expect("sets");
    let ran = desk.run(&["build", "g.ron"]);
    assert_eq!(ran.code, 5, "{}", ran.stderr);
    assert!(ran.stderr.contains("--overwrite"), "{}", ran.stderr);
    assert_eq!(desk.read("out/g/b.tif"), b"precious");
    assert_eq!(desk.run(&["build", "g.ron", "--overwrite"]).code, 0);
    assert_ne!(desk.read("out/g/b.tif"), b"precious");
}

#[cfg(unix)]
#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let desk = desk();
    let mut child = desk
        .command(&["nodes"])
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("the binary starts");
    drop(child.stdout.take());
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
}

#[cfg(unix)]
#[test]
fn ctrl_c_is_exit_130_and_leaves_no_file() {
    let desk = Desk::new();
    let text = graph(
        r#""a": noise(), "b": droplets(elevation: "a", density_per_km2: 1000000, path_length_m: 100000),"#,
        FILES,
    );
    desk.write("g.ron", text.replace("640", "20480"));
    let child = desk
        .command(&["build", "g.ron", "--samples", "1025", "--json"])
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let mut child = child;
    // Stop it as soon as it says that the long node has begun.
    let stdout = child.stdout.take().expect("it is piped");
    let mut lines = std::io::BufRead::lines(std::io::BufReader::new(stdout));
    let begun = lines.any(|line| line.is_ok_and(|line| line.contains("\"droplets\"")));
    assert!(begun, "the long node never began");
    let id = child.id().to_string();
    let killed = std::process::Command::new("kill").args(["-INT", &id]).status();
    assert!(killed.is_ok_and(|status| status.success()));
    let rest = lines.map_while(Result::ok).collect::<Vec<_>>().join("\n");
    assert!(rest.contains("stopped"), "{rest}");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(ran(output).code, 130);
    assert!(!desk.path("out").exists());
}

#[test]
fn inspect_reads_what_build_has_written() {
    let desk = desk();
    assert_eq!(desk.run(&["build", "g.ron"]).code, 0);
    let ran = desk.run(&["inspect", "out/g/b.tif", "--json"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let found: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!(found["samples"], serde_json::json!([65, 65]));
    assert_eq!(found["cell_m"], 10.0);
    let ran = desk.run(&["inspect", "g.ron"]);
    assert_eq!(ran.code, 5, "a graph is no raster");
}

#[test]
fn drift_is_nothing_for_points_and_a_number_for_slopes() {
    let desk = Desk::new();
    desk.write(
        "d.ron",
        "(format: 1, world: (extent_m: (640, 640), samples: (65, 65)), nodes: {
            \"hill\": radial(elevation_m: 200, radius_m: 300),
            \"steep\": slope_mask(elevation: \"hill\", band_deg: (10, 40)),
            \"scree\": talus(elevation: \"hill\", repose_angle_deg: 20),
        }, outputs: { \"a.tif\": raster(field: \"scree\"), \"b.tif\": raster(field: \"steep\") })",
    );
    let ran = desk.run(&["drift", "d.ron", "--samples", "33,65,129", "--json"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let found: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    let outputs = found["outputs"].as_array().expect("a list");
    let share = |node: &str, run: usize| {
        let output = outputs.iter().find(|output| output["node"] == node).expect("it is there");
        (output["runs"][run]["samples"].as_u64(), output["runs"][run]["share"].as_f64())
    };
    assert_eq!(share("hill", 0), (Some(65), Some(0.0)));
    assert_eq!(share("hill", 1), (Some(33), Some(0.0)));
    let [near, far] = [0, 1].map(|run| share("scree", run).1.expect("a number"));
    assert!(near > 0.0 && near < far && far < 0.5, "{near} {far}");
    let failed = desk.run(&["drift", "d.ron", "--samples", "33,65", "--max", "0.001"]);
    assert_eq!(failed.code, 3, "{}", failed.stderr);
    assert!(failed.stdout.contains("scree.elevation"), "{}", failed.stdout);
    let odd = desk.run(&["drift", "d.ron", "--samples", "40,65"]);
    assert_eq!(odd.code, 2);
    assert!(odd.stderr.contains("share no lattice") && odd.stderr.contains("33"), "{}", odd.stderr);
    assert!(!desk.path("out").exists(), "nothing is written");
}

#[test]
fn inspect_measures_a_real_landscape() {
    let desk = Desk::new();
    let dem = root().join("graphs/data/jacksboro.tif").display().to_string();
    let ran = desk.run(&["inspect", &dem, "--metrics", "--json"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let found: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    let metrics = &found["metrics"];
    let within = |name: &str, low: f64, high: f64| {
        let value = metrics[name].as_f64().expect("a number");
        assert!((low..=high).contains(&value), "{name}: {value}");
    };
    within("relief_m", 762.0, 764.0);
    within("hack_exponent", 0.4, 0.7);
    within("theta_chi", 0.1, 0.7);
    within("spectral_beta", 3.0, 4.5);
    within("anisotropy", 0.0, 0.05);
    let shares = metrics["geomorphon_shares"].as_object().expect("shares");
    let sum: f64 = shares.values().filter_map(Value::as_f64).sum();
    assert!(shares.len() == 10 && (sum - 1.0).abs() < 1e-9, "{shares:?}");
    let text = desk.run(&["inspect", &dem, "--metrics"]).stdout;
    assert!(text.contains("concavity by chi"), "{text}");
    assert!(!desk.run(&["inspect", &dem]).stdout.contains("chi"));
}

#[test]
fn inspect_names_place_and_range_of_a_real_model() {
    let desk = Desk::new();
    let dem = root().join("graphs/data/jacksboro.tif").display().to_string();
    let ran = desk.run(&["inspect", &dem, "--json"]);
    let found: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!(found["samples"], serde_json::json!([193, 193]));
    assert_eq!((&found["cell_m"], &found["crs"]), (&80.0.into(), &"EPSG:32616".into()));
    assert_eq!((&found["z_min_m"], &found["z_max_m"]), (&277.25.into(), &1040.25.into()));

    // Only where the collection of test inputs lies beside the tree.
    let dem = root().join("../shared/dem/bigtujunga.tif");
    if dem.exists() {
        let ran = desk.run(&["inspect", &dem.display().to_string(), "--json"]);
        let found: Value = serde_json::from_str(&ran.stdout).expect("JSON");
        assert_eq!(found["samples"], serde_json::json!([1197, 643]));
        assert_eq!((&found["cell_m"], &found["crs"]), (&30.0.into(), &"EPSG:32611".into()));
        assert_eq!((&found["z_min_m"], &found["z_max_m"]), (&315.0.into(), &2295.0.into()));
        assert_eq!((&found["nodata"], &found["nodata_count"]), (&32767.0.into(), &0.into()));
    } else {
        println!("not here: {}", dem.display());
    }
}

#[test]
fn view_makes_a_picture_of_any_raster() {
    let desk = desk();
    assert_eq!(desk.run(&["build", "g.ron"]).code, 0);
    let ran = desk.run(&["view", "out/g/b.tif", "-o", "seen.png", "--longest", "40"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let picture = desk.read("seen.png");
    assert!(picture.starts_with(b"\x89PNG"));
    // Width and height stand in the header, behind its eight bytes and eight more.
    assert_eq!(&picture[16..24], [0, 0, 0, 40, 0, 0, 0, 40]);
    let ran = desk.run(&["view", "out/g/b.tif", "-o", "side.png", "--oblique", "--longest", "64"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(&desk.read("side.png")[16..24], [0, 0, 0, 64, 0, 0, 0, 36]);
    desk.write("bare.asc.txt", "nothing");
    let ran = desk.run(&["view", "bare.asc.txt", "-o", "x.png"]);
    assert_eq!(ran.code, 5);
    assert!(!desk.path("x.png").exists());
}

#[test]
fn the_manual_lists_every_node_and_prints_its_page() {
    let desk = Desk::new();
    let list = desk.run(&["nodes"]).stdout;
    let all: Value = serde_json::from_str(&desk.run(&["nodes", "--json"]).stdout).expect("JSON");
    let all = all.as_array().expect("a list");
    assert!(all.len() >= 14);
    for node in all {
        let id = node["id"].as_str().expect("a name");
        assert!(list.contains(id), "{id}");
        let page = desk.run(&["nodes", id]);
        assert_eq!(page.code, 0);
        for part in ["outputs", "matter:", "example"] {
            assert!(page.stdout.contains(part), "{id} lacks {part}");
        }
    }
}

#[test]
fn completions_are_printed_for_each_shell() {
    let desk = Desk::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let ran = desk.run(&["completions", shell]);
        assert!(ran.code == 0 && ran.stdout.contains("bajada"), "{shell}");
    }
}
