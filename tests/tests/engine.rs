//! The engine: what runs again, what fails alone, what stops.

use std::fs;
use std::path::{Path, PathBuf};

use bajada::{Build, BuildOptions, Event, NodeState, Observer, Session, Task};

struct Desk {
    folder: tempfile::TempDir,
    session: Session,
}

impl Desk {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().expect("a folder"), session: Session::new() }
    }

    fn graph(&self, nodes: &str, outputs: &str) -> PathBuf {
        let path = self.folder.path().join("g.ron");
        let world = "world: (extent_m: (640, 640), samples: (33, 33))";
        let text = format!(
            "(format: 1, seed: 3, {world}, nodes: {{ {nodes} }}, outputs: {{ {outputs} }})"
        );
        fs::write(&path, text).expect("writes");
        path
    }

    fn out(&self) -> PathBuf {
        self.folder.path().join("out")
    }

    fn options(&self) -> BuildOptions<'_> {
        BuildOptions { out: Some(self.out()), threads: Some(2), ..BuildOptions::default() }
    }

    fn build(&self, graph: &Path) -> Build {
        self.session.build(graph, &self.options()).expect("it can be read")
    }
}

/// State and reason of a node.
fn node<'a>(build: &'a Build, name: &str) -> (NodeState, &'a str) {
    let found = build.report.nodes.iter().find(|node| node.name == name);
    let found = found.unwrap_or_else(|| panic!("`{name}` is not in the report"));
    (found.state, &found.reason)
}

const CHAIN: &str = r#"
    "a": noise(wavelength_m: 200, amplitude_m: GAIN),
    "b": blur(field: "a", sigma_m: 30),
    "c": noise(wavelength_m: 100),
    "d": combine(a: "b", b: "c"),
"#;
const OUT: &str = r#""d.tif": raster(field: "d"), "c.tif": raster(field: "c")"#;

#[test]
fn nothing_runs_twice_and_a_change_runs_its_descendants() {
    let desk = Desk::new();
    let first = desk.build(&desk.graph(&CHAIN.replace("GAIN", "50"), OUT));
    assert!(first.report.ok);
    assert_eq!(node(&first, "a"), (NodeState::Ran, "never built"));

    let again = desk.build(&desk.graph(&CHAIN.replace("GAIN", "50"), OUT));
    for name in ["a", "b", "c", "d", "d.tif", "c.tif"] {
        assert_eq!(node(&again, name).0, NodeState::Reused, "{name}");
    }

    let changed = desk.build(&desk.graph(&CHAIN.replace("GAIN", "51"), OUT));
    assert_eq!(node(&changed, "a"), (NodeState::Ran, "parameter `amplitude_m` changed"));
    assert_eq!(node(&changed, "b"), (NodeState::Ran, "input `field` changed"));
    assert_eq!(node(&changed, "d"), (NodeState::Ran, "input `a` changed"));
    for name in ["c", "c.tif"] {
        assert_eq!(node(&changed, name).0, NodeState::Reused, "{name}");
    }
}

#[test]
fn a_change_that_changes_no_value_stops_there() {
    let desk = Desk::new();
    let text = r#""a": constant(elevation_m: 5), "b": blur(field: "a", sigma_m: SIGMA), "c": blur(field: "b"),"#;
    let out = r#""c.tif": raster(field: "c")"#;
    desk.build(&desk.graph(&text.replace("SIGMA", "30"), out));
    let changed = desk.build(&desk.graph(&text.replace("SIGMA", "31"), out));
    assert_eq!(node(&changed, "b"), (NodeState::Ran, "parameter `sigma_m` changed"));
    assert_eq!(node(&changed, "c").0, NodeState::Reused, "level ground stays level ground");
}

#[test]
fn a_comment_an_order_or_a_written_default_runs_nothing() {
    let desk = Desk::new();
    let plain = r#""a": constant(elevation_m: 5), "b": blur(field: "a", sigma_m: 30),"#;
    let other = "/* moved */ \"b\": blur(sigma_m: 3e1, field: \"a\"),\n\"a\": constant(elevation_m: 5.0), // same\n";
    let out = r#""b.tif": raster(field: "b", encoding: Auto)"#;
    desk.build(&desk.graph(plain, r#""b.tif": raster(field: "b")"#));
    let again = desk.build(&desk.graph(other, out));
    for name in ["a", "b", "b.tif"] {
        assert_eq!(node(&again, name).0, NodeState::Reused, "{name}");
    }
}

#[test]
fn a_name_is_in_no_key_unless_the_node_is_random() {
    let desk = Desk::new();
    let out = r#""b.tif": raster(field: "LAST")"#;
    let text = r#""hills": noise(STREAM), "LAST": blur(field: "hills"),"#;
    let named = |text: &str, stream: &str, last: &str| {
        (text.replace("STREAM", stream).replace("LAST", last), out.replace("LAST", last))
    };
    let (nodes, outputs) = named(text, "", "smooth");
    desk.build(&desk.graph(&nodes, &outputs));
    let (nodes, outputs) = named(text, "", "soft");
    let renamed = desk.build(&desk.graph(&nodes, &outputs));
    assert_eq!(node(&renamed, "soft").0, NodeState::Reused);
    // The noise has its stream from its name, unless the stream is pinned.
    let moved = text.replace("hills", "knolls");
    let (nodes, outputs) = named(&moved, "", "soft");
    assert_eq!(node(&desk.build(&desk.graph(&nodes, &outputs)), "knolls").0, NodeState::Ran);
    let (nodes, outputs) = named(&moved, "stream: text(\"hills\")", "soft");
    assert_eq!(node(&desk.build(&desk.graph(&nodes, &outputs)), "knolls").0, NodeState::Reused);
}

#[test]
fn inserting_a_node_changes_no_other_nodes_noise() {
    let desk = Desk::new();
    let hash = |build: &Build| {
        let node = build.report.nodes.iter().find(|node| node.name == "a").expect("it ran");
        node.outputs[0].1.hash.clone()
    };
    let out = r#""a.tif": raster(field: "a")"#;
    let alone = hash(&desk.build(&desk.graph(r#""a": noise(),"#, out)));
    let nodes = r#""z": noise(), "a": noise(), "b": noise(),"#;
    let outputs = r#""z.tif": raster(field: "z"), "a.tif": raster(field: "a")"#;
    assert_eq!(alone, hash(&desk.build(&desk.graph(nodes, outputs))));
}

#[test]
fn a_failure_stays_on_its_branch_and_is_not_remembered() {
    let desk = Desk::new();
    fs::write(desk.folder.path().join("bad.tif"), b"II*\0 no tiff").expect("writes");
    let nodes = r#"
        "bad": import(file: file("bad.tif")),
        "after": blur(field: "bad"),
        "good": noise(),
    "#;
    let outputs = r#""bad.tif": raster(field: "after"), "good.tif": raster(field: "good")"#;
    let graph = desk.graph(nodes, outputs);
    for _ in 0..2 {
        let build = desk.build(&graph);
        assert!(!build.report.ok);
        assert_eq!(node(&build, "bad").0, NodeState::Failed);
        assert_eq!(node(&build, "after"), (NodeState::Skipped, "`bad` gave nothing"));
        assert!(matches!(node(&build, "good").0, NodeState::Ran | NodeState::Reused));
        assert!(!desk.out().exists(), "a failed build writes nothing");
    }
}

#[test]
fn a_failed_build_leaves_the_files_of_the_last() {
    let desk = Desk::new();
    let out = r#""a.tif": raster(field: "a")"#;
    desk.build(&desk.graph(r#""a": noise(),"#, out));
    let before = fs::read(desk.out().join("a.tif")).expect("it was made");
    fs::write(desk.folder.path().join("bad.tif"), b"II*\0 no tiff").expect("writes");
    let failed = desk.build(&desk.graph(r#""a": import(file: file("bad.tif")),"#, out));
    assert!(!failed.report.ok);
    assert_eq!(before, fs::read(desk.out().join("a.tif")).expect("it is still there"));
}

#[test]
fn only_what_is_wanted_runs() {
    let desk = Desk::new();
    let graph = desk.graph(&CHAIN.replace("GAIN", "50"), OUT);
    let options = BuildOptions { targets: vec!["b".to_owned()], ..desk.options() };
    let build = desk.session.build(&graph, &options).expect("it can be read");
    let names: Vec<&str> = build.report.nodes.iter().map(|node| node.name.as_str()).collect();
    assert_eq!(names, ["a", "b"]);
    assert!(build.report.ok && build.report.outputs.is_empty());

    let options = BuildOptions { targets: vec!["c.tif".to_owned()], ..desk.options() };
    let build = desk.session.build(&graph, &options).expect("it can be read");
    assert_eq!(build.report.outputs.len(), 1);

    let options = BuildOptions { targets: vec!["bb".to_owned()], ..desk.options() };
    let build = desk.session.build(&graph, &options).expect("it can be read");
    assert!(!build.check.ok());
    assert_eq!(build.check.unknown_targets[0].name, "bb");
}

/// Presses stop when the first node begins.
struct StopAtOnce(Task);

impl Observer for StopAtOnce {
    fn notice(&self, event: &Event<'_>) {
        if matches!(event, Event::Started { .. }) {
            self.0.cancel();
        }
    }
}

#[test]
fn a_stopped_build_writes_nothing_and_says_so() {
    let desk = Desk::new();
    let graph = desk.graph(&CHAIN.replace("GAIN", "50"), OUT);
    let task = Task::new();
    let stop = StopAtOnce(task.clone());
    let options = BuildOptions { task, observer: &stop, ..desk.options() };
    let build = desk.session.build(&graph, &options).expect("it can be read");
    assert!(build.report.cancelled && !build.report.ok);
    assert!(!desk.out().exists());
    assert_eq!(node(&build, "d").0, NodeState::Skipped);
}

#[test]
fn unchanged_files_are_not_written_again() {
    let desk = Desk::new();
    let graph = desk.graph(&CHAIN.replace("GAIN", "50"), OUT);
    desk.build(&graph);
    let path = desk.out().join("d.tif");
    let before = fs::metadata(&path).expect("it is there").modified().expect("a time");
    let options = BuildOptions { use_cache: false, ..desk.options() };
    desk.session.build(&graph, &options).expect("it can be read");
    assert_eq!(before, fs::metadata(&path).expect("it is there").modified().expect("a time"));
}

#[test]
fn an_output_never_lands_on_an_input() {
    let desk = Desk::new();
    let world = r#"(format: 1, world: from("a"), nodes: { "a": import(file: file("a.tif")) }, outputs: { "a.tif": raster(field: "a") })"#;
    let source = bajada_tests::root().join("graphs/data/jacksboro.tif");
    fs::copy(source, desk.folder.path().join("a.tif")).expect("copies");
    let graph = desk.folder.path().join("g.ron");
    fs::write(&graph, world).expect("writes");
    let before = fs::read(desk.folder.path().join("a.tif")).expect("reads");
    let options = BuildOptions { out: Some(desk.folder.path().to_owned()), ..desk.options() };
    let refused = desk.session.build(&graph, &options).expect_err("it is refused");
    assert!(refused.to_string().contains("the graph reads that file"), "{refused}");
    assert_eq!(before, fs::read(desk.folder.path().join("a.tif")).expect("reads"));
}

#[test]
fn memory_is_counted_and_handed_back() {
    let desk = Desk::new();
    let build = desk.build(&desk.graph(&CHAIN.replace("GAIN", "50"), OUT));
    let raster = 33 * 33 * 4;
    assert!(build.report.peak_bytes >= 2 * raster);
    let blur = build.report.nodes.iter().find(|node| node.name == "b").expect("it ran");
    assert!(blur.peak_bytes >= raster, "{}", blur.peak_bytes);
}
