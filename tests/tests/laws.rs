//! The laws of the house, held against the tree itself.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use bajada_nodes::NODES;
use bajada_tests::{files, root};

/// Which of our crates each may import; the same table as in `crates/README.md`.
const MAY_IMPORT: &[(&str, &[&str])] = &[
    ("bajada-grid", &[]),
    ("bajada-graph", &[]),
    ("bajada-derive", &[]),
    ("bajada-kernels", &["bajada-grid"]),
    ("bajada-node", &["bajada-derive", "bajada-grid"]),
    ("bajada-formats", &["bajada-grid"]),
    ("bajada-nodes", &["bajada-formats", "bajada-grid", "bajada-kernels", "bajada-node"]),
    ("bajada-plan", &["bajada-graph", "bajada-grid", "bajada-node"]),
    ("bajada-exec", &["bajada-grid", "bajada-node", "bajada-plan"]),
    (
        "bajada",
        &[
            "bajada-exec",
            "bajada-formats",
            "bajada-graph",
            "bajada-grid",
            "bajada-kernels",
            "bajada-node",
            "bajada-nodes",
            "bajada-plan",
        ],
    ),
    ("bajada-cli", &["bajada"]),
    ("bajada-testkit", &["bajada-grid"]),
];

/// Crates that touch no file, clock, process or global.
const PURE: &[&str] = &[
    "bajada-grid",
    "bajada-graph",
    "bajada-derive",
    "bajada-kernels",
    "bajada-node",
    "bajada-formats",
    "bajada-nodes",
    "bajada-plan",
];

/// What a pure crate never says.
const IMPURE: &[&str] = &[
    "std::fs",
    "std::env::",
    "std::net",
    "std::process",
    "std::thread",
    "std::time",
    "Instant::",
    "SystemTime",
    "OnceLock",
    "LazyLock",
    "OnceCell",
    "thread_local!",
    "static mut",
    "HashMap",
    "HashSet",
    "par_bridge",
    "find_any",
];

/// Words that the dictionary replaces, and by what. Held on the names of
/// ports and parameters.
const DO_NOT_SAY: &[(&str, &str)] = &[
    ("height", "elevation"),
    ("altitude", "elevation"),
    ("heightmap", "elevation"),
    ("terrain", "elevation or bedrock"),
    ("base", "bedrock"),
    ("soil", "sediment"),
    ("dirt", "sediment"),
    ("regolith", "sediment"),
    ("load", "suspended"),
    ("wear", "erosion"),
    ("delta", "erosion or deposition"),
    ("speed", "flow_velocity"),
    ("flux", "discharge"),
    ("catchment", "drainage_area"),
    ("gradient", "slope"),
    ("threshold", "repose"),
    ("strength", "hardness"),
    ("alpha", "mask"),
    ("weight", "mask"),
    ("spacing", "cell_size"),
    ("resolution", "cell_size"),
    ("bounds", "extent"),
];

/// Names that use such a word in another sense: a picture's sun has a height.
const OTHER_SENSE: &[&str] = &["sun_height_deg"];

fn sources(folder: &str) -> Vec<(String, String)> {
    files(&root().join(folder), "rs")
        .into_iter()
        .map(|path| {
            let name =
                path.strip_prefix(root()).expect("it lies in the tree").display().to_string();
            (name, fs::read_to_string(&path).expect("it is text"))
        })
        .collect()
}

#[test]
fn crates_import_only_what_the_table_allows() {
    let metadata = cargo_metadata::MetadataCommand::new()
        .manifest_path(root().join("Cargo.toml"))
        .no_deps()
        .other_options(["--offline".to_owned()])
        .exec()
        .expect("cargo describes the workspace");
    let table: BTreeMap<&str, &[&str]> = MAY_IMPORT.iter().copied().collect();
    let mut seen = 0;
    for package in &metadata.packages {
        let name = package.name.as_str();
        if name == "bajada-tests" || name == "bajada-benches" {
            continue;
        }
        let allowed = table.get(name).unwrap_or_else(|| panic!("{name} is not in the table"));
        for dependency in &package.dependencies {
            let ours = dependency.name.starts_with("bajada");
            let normal = dependency.kind == cargo_metadata::DependencyKind::Normal;
            if ours && normal {
                assert!(
                    allowed.contains(&dependency.name.as_str()),
                    "{name} imports {}",
                    dependency.name
                );
            }
        }
        seen += 1;
    }
    assert_eq!(seen, MAY_IMPORT.len(), "the table lists crates that are gone");
}

#[test]
fn pure_crates_touch_nothing_outside_their_arguments() {
    for name in PURE {
        for (path, text) in sources(&format!("crates/{name}/src")) {
            let code: String = text
                .lines()
                .filter(|line| !line.trim_start().starts_with("//"))
                .collect::<Vec<_>>()
                .join("\n");
            let code = code.split("#[cfg(test)]").next().unwrap_or_default();
            if path.ends_with("tests.rs") {
                continue;
            }
            for word in IMPURE {
                assert!(!code.contains(word), "{path} says `{word}`");
            }
        }
    }
}

#[test]
fn every_module_opens_with_its_promise() {
    for folder in ["crates", "tests", "benches", "plugins"] {
        for (path, text) in sources(folder) {
            if path.contains("/target/") {
                continue;
            }
            assert!(text.starts_with("//!"), "{path} starts without `//!`");
        }
    }
}

#[test]
fn files_stay_readable() {
    let mut long = Vec::new();
    for (path, text) in sources("crates").into_iter().filter(|(path, _)| path.contains("/src/")) {
        let lines = text.lines().count();
        assert!(lines <= 800, "{path} has {lines} lines");
        if lines > 500 {
            long.push(format!("{path} ({lines})"));
        }
    }
    println!(
        "files over 500 lines: {}",
        if long.is_empty() { "none".into() } else { long.join(", ") }
    );
}

#[test]
fn every_node_has_its_siblings() {
    let goldens = fs::read_to_string(root().join("tests/golden/hashes.txt")).unwrap_or_default();
    for node in NODES {
        let spec = node.spec();
        let (id, group) = (spec.id, spec.group);
        let contract = root().join(format!("crates/bajada-nodes/src/{group}/{id}.rs"));
        assert!(contract.exists(), "{id}: no {}", contract.display());
        let example = root().join(format!("graphs/nodes/{id}.ron"));
        let text = fs::read_to_string(&example).unwrap_or_default();
        assert_eq!(text, spec.example, "{id}: its example is not {}", example.display());
        assert!(text.contains(&format!("{id}(")), "{id}: its example does not show it");
        assert!(
            goldens.lines().any(|line| line.starts_with(&format!("node {id}@{} ", spec.version))),
            "{id}: no golden"
        );
    }
    let examples = files(&root().join("graphs/nodes"), "ron");
    assert_eq!(examples.len(), NODES.len(), "an example without a node");
}

#[test]
fn every_node_folder_is_a_group() {
    for (path, _) in sources("crates/bajada-nodes/src") {
        let parts: Vec<&str> = path.split('/').collect();
        if let [.., "src", group, file] = parts[..] {
            let stem = Path::new(file).file_stem().unwrap_or_default().to_string_lossy();
            let known =
                NODES.iter().any(|node| node.spec().group == group && node.spec().id == stem);
            assert!(known || stem == "mod", "{path} is no node of the list");
        }
    }
}

#[test]
fn names_are_those_of_the_dictionary() {
    for node in NODES {
        let spec = node.spec();
        let ports = spec.inputs.iter().map(|input| input.name);
        let ports = ports.chain(spec.outputs.iter().map(|output| output.name));
        for name in ports.chain(spec.params.iter().map(|param| param.name)) {
            let snake =
                name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
            assert!(snake, "{}.{name} is not snake_case", spec.id);
            if OTHER_SENSE.contains(&name) {
                continue;
            }
            for word in name.split('_') {
                if let Some((_, say)) = DO_NOT_SAY.iter().find(|(wrong, _)| *wrong == word) {
                    panic!("{}.{name}: do not say `{word}`, say {say}", spec.id);
                }
            }
        }
    }
}

#[test]
fn the_name_of_a_parameter_ends_in_its_unit() {
    for node in NODES {
        for param in node.spec().params {
            if !matches!(param.unit, "" | "1") {
                let suffix = format!("_{}", param.unit.replace(' ', "_"));
                assert!(param.name.ends_with(&suffix), "{}.{}", node.spec().id, param.name);
            }
        }
    }
}
