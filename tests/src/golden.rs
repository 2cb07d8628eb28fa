//! The list of goldens: `tests/golden/hashes.txt`.
//!
//! A line is a name that carries the versions it depends on, and a hash. With
//! `BAJADA_BLESS=1` new names are added; a known name never gets another hash:
//! whoever changes a node's bits raises its version, and the name changes.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;

use crate::root;

/// Holds `found` (name, hash) against the list. `section` is the part of the
/// list that these names make up: names of it that no longer occur are dropped
/// when blessing.
///
/// # Panics
/// When a hash differs, or a name is not listed and nothing is blessed.
pub fn hold(section: &str, found: &[(String, String)]) {
    let path = root().join("tests/golden/hashes.txt");
    let listed = fs::read_to_string(&path).unwrap_or_default();
    let mut listed: BTreeMap<String, String> = listed
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.rsplit_once(' '))
        .map(|(name, hash)| (name.to_owned(), hash.to_owned()))
        .collect();
    let bless = std::env::var_os("BAJADA_BLESS").is_some();
    let mut wrong = String::new();
    for (name, hash) in found {
        let name = format!("{section} {name}");
        match listed.get(&name) {
            Some(golden) if golden == hash => {}
            Some(golden) => {
                let _ = writeln!(wrong, "{name}: {hash}, not {golden}: raise the version");
            }
            None if bless => {
                listed.insert(name, hash.clone());
            }
            None => {
                let _ = writeln!(wrong, "{name}: not listed; BAJADA_BLESS=1 adds it");
            }
        }
    }
    assert!(wrong.is_empty(), "goldens differ:\n{wrong}");
    let known: Vec<String> = found.iter().map(|(name, _)| format!("{section} {name}")).collect();
    let stale = |name: &String| name.starts_with(&format!("{section} ")) && !known.contains(name);
    if bless {
        listed.retain(|name, _| !stale(name));
        let mut text = String::from("# name (with versions) and hash; see tests/README.md\n");
        for (name, hash) in &listed {
            let _ = writeln!(text, "{name} {hash}");
        }
        fs::write(&path, text).expect("the list of goldens can be written");
    } else {
        let stale: Vec<&String> = listed.keys().filter(|name| stale(name)).collect();
        assert!(stale.is_empty(), "listed but not found: {stale:?}");
    }
}
