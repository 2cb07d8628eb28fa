//! The report of a build, in the shape that other programs read.

use std::path::Path;

use bajada_exec::{LedgerReport, NodeReport, RunReport};
use serde::Serialize;

use crate::error::Error;
use crate::files::{Overwrite, Staged};

/// What became of a build. Its JSON is the file that `--report` writes; fields
/// are added, never renamed.
#[derive(Clone, Debug, Serialize)]
pub struct BuildReport {
    /// Whether everything wanted was made.
    pub ok: bool,
    /// The wanted nodes, each after what it reads.
    pub nodes: Vec<NodeReport>,
    /// The files that were made.
    pub outputs: Vec<OutputReport>,
    /// Matter along the elevation chains of the outputs.
    pub ledger: Option<LedgerReport>,
    /// Wall time of the nodes, ms.
    #[serde(rename = "ms")]
    pub milliseconds: f64,
    /// Most bytes of rasters in use at once.
    pub peak_bytes: u64,
    /// Whether someone pressed stop.
    #[serde(skip)]
    pub cancelled: bool,
}

/// A file that was made.
#[derive(Clone, Debug, Serialize)]
pub struct OutputReport {
    /// Where it is.
    pub path: String,
    /// Hash of the field that it shows.
    pub hash: String,
    /// blake3 of its bytes.
    pub file_hash: String,
    /// Samples of the world: west to east, north to south.
    pub samples: [u32; 2],
    /// Their distance, m.
    pub cell_m: f64,
    /// Least value of the field.
    pub z_min_m: Option<f32>,
    /// Largest value of the field.
    pub z_max_m: Option<f32>,
}

impl BuildReport {
    /// The report of a build that the check stopped.
    pub(crate) fn nothing_ran() -> Self {
        Self {
            ok: false,
            nodes: Vec::new(),
            outputs: Vec::new(),
            ledger: None,
            milliseconds: 0.0,
            peak_bytes: 0,
            cancelled: false,
        }
    }

    pub(crate) fn new(run: &RunReport, outputs: Vec<OutputReport>) -> Self {
        Self {
            ok: run.ok,
            nodes: run.nodes.clone(),
            outputs,
            ledger: run.ledger.as_ref().map(LedgerReport::from),
            milliseconds: run.milliseconds,
            peak_bytes: run.peak_bytes,
            cancelled: run.cancelled,
        }
    }

    /// The report as JSON text.
    pub fn to_json(&self) -> String {
        // Plain data with text keys: there is nothing in it that JSON lacks.
        serde_json::to_string_pretty(self).unwrap_or_else(|error| error.to_string())
    }
}

/// Writes a report as a file that appears whole.
pub fn write_report(path: &Path, report: &BuildReport) -> Result<(), Error> {
    let mut staged = Staged::default();
    staged.add(path, format!("{}\n", report.to_json()).as_bytes(), Overwrite::Ordinary)?;
    staged.commit()
}
