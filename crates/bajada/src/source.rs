//! A graph file, read and parsed, with the files that it names.

use std::path::{Path, PathBuf};

use bajada_graph::{Diagnostic, Document, MAX_TEXT_BYTES, parse};
use bajada_plan::AssetIndex;

use crate::assets::probe_assets;
use crate::error::Error;
use crate::files;

/// A graph file as it was found.
#[derive(Debug)]
pub(crate) struct Source {
    pub(crate) path: PathBuf,
    pub(crate) text: String,
    pub(crate) document: Document,
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(crate) assets: AssetIndex,
}

impl Source {
    /// Reads and parses a graph, and probes the files that it names.
    pub(crate) fn open(path: &Path) -> Result<Self, Error> {
        let bytes =
            files::read(path, 8 * MAX_TEXT_BYTES as u64).map_err(|problem| problem.at(path))?;
        let text = String::from_utf8(bytes).map_err(|error| Error::Unreadable {
            path: path.to_owned(),
            why: format!(
                "it is not UTF-8 text (byte {} is not); save it as UTF-8",
                error.utf8_error().valid_up_to()
            ),
        })?;
        let (document, diagnostics) = parse(&text);
        let folder = path.parent().unwrap_or(Path::new("."));
        let assets = probe_assets(&document, folder);
        Ok(Self { path: path.to_owned(), text, document, diagnostics, assets })
    }

    /// The folder that paths in the graph start from.
    pub(crate) fn folder(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new("."))
    }
}
