//! The project's sample files, used where they are at hand.

use std::path::{Path, PathBuf};

const SHARED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared");

/// One sample file; says so when it is not there.
pub(crate) fn sample(path: &str) -> Option<Vec<u8>> {
    let found = std::fs::read(Path::new(SHARED).join(path)).ok();
    if found.is_none() {
        println!("skipped: no sample file {path}");
    }
    found
}

/// All files of a folder of samples, sorted by name.
pub(crate) fn samples(folder: &str) -> Vec<(String, Vec<u8>)> {
    let Ok(entries) = std::fs::read_dir(Path::new(SHARED).join(folder)) else {
        println!("skipped: no folder of samples {folder}");
        return Vec::new();
    };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let name = |path: &PathBuf| path.file_name().map(|name| name.to_string_lossy().into_owned());
    paths.iter().filter_map(|path| Some((name(path)?, std::fs::read(path).ok()?))).collect()
}

/// The extension of a file name.
pub(crate) fn extension(name: &str) -> &str {
    name.rsplit_once('.').map_or("", |(_, extension)| extension)
}
