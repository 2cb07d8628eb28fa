//! What the whole-product tests share: a node judged from its table alone, the
//! list of goldens, and where the tree lies.

pub mod golden;
pub mod harness;

use std::path::{Path, PathBuf};

/// The root of the source tree.
pub fn root() -> PathBuf {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    tests.parent().expect("the tests lie in the tree").to_owned()
}

/// Every file under `folder` whose name ends in `.end`, by name.
pub fn files(folder: &Path, end: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        for entry in entries.flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == end) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}
