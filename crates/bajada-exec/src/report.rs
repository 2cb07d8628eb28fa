//! What a run has done, in plain numbers.

use bajada_grid::{Digest, Ledger, Stats};
use serde::Serialize;
use serde::ser::{SerializeMap as _, Serializer};

/// What became of a run.
#[derive(Clone, Debug)]
pub struct RunReport {
    /// Whether everything wanted was made.
    pub ok: bool,
    /// Whether someone pressed stop.
    pub cancelled: bool,
    /// The wanted nodes, in the order of the plan.
    pub nodes: Vec<NodeReport>,
    /// Matter along the elevation chains of the outputs; `None` if no node on
    /// them has a ledger.
    pub ledger: Option<Ledger>,
    /// Wall time, ms.
    pub milliseconds: f64,
    /// Most bytes of rasters in use at once.
    pub peak_bytes: u64,
}

/// What became of a node.
#[derive(Clone, Debug, Serialize)]
pub struct NodeReport {
    /// Its name.
    pub name: String,
    /// Its kind.
    pub kind: &'static str,
    /// Whether it ran.
    pub state: NodeState,
    /// Why it ran, or did not.
    pub reason: String,
    /// Wall time, ms.
    #[serde(rename = "ms")]
    pub milliseconds: f64,
    /// Most bytes of its rasters in use at once.
    pub peak_bytes: u64,
    /// Its matter account, if it has one.
    pub ledger: Option<LedgerReport>,
    /// Its outputs, in the order of its table.
    #[serde(serialize_with = "as_map")]
    pub outputs: Vec<(&'static str, OutputStats)>,
    /// What it told the user.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

fn as_map<S: Serializer>(
    outputs: &[(&'static str, OutputStats)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(outputs.len()))?;
    for (name, stats) in outputs {
        map.serialize_entry(name, stats)?;
    }
    map.end()
}

/// What became of a node, in a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum NodeState {
    /// It was computed.
    Ran,
    /// Its result was known.
    Reused,
    /// Something it reads failed, or the run was stopped before it began.
    Skipped,
    /// It gave no values.
    Failed,
}

/// A matter account in m3, with the names of the report.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct LedgerReport {
    /// Brought in from outside the map.
    pub in_m3: f64,
    /// Taken over from another node's supply.
    pub taken_up_m3: f64,
    /// Taken from the ground.
    pub eroded_m3: f64,
    /// Laid down on the ground.
    pub deposited_m3: f64,
    /// Still carried at the end.
    pub suspended_m3: f64,
    /// Given as a supply to another node.
    pub handed_on_m3: f64,
    /// Carried over the edge, or handed on and not taken up.
    pub exported_m3: f64,
    /// Added or removed without conserving.
    pub shaped_m3: f64,
    /// Added or removed by rounding to f32.
    pub rounding_m3: f64,
    /// |measured change - booked change| over the largest booked term.
    pub residual_relative: f64,
}

impl From<&Ledger> for LedgerReport {
    fn from(ledger: &Ledger) -> Self {
        Self {
            in_m3: ledger.brought_in,
            taken_up_m3: ledger.taken_up,
            eroded_m3: ledger.eroded,
            deposited_m3: ledger.deposited,
            suspended_m3: ledger.suspended,
            handed_on_m3: ledger.handed_on,
            exported_m3: ledger.exported,
            shaped_m3: ledger.shaped,
            rounding_m3: ledger.rounding,
            residual_relative: ledger.residual_relative(),
        }
    }
}

/// Hash and summary of one output; the numbers are absent for files and rock.
#[derive(Clone, Debug, Serialize)]
pub struct OutputStats {
    /// Hash of the value.
    pub hash: String,
    /// Least value.
    pub min: Option<f32>,
    /// Largest value.
    pub max: Option<f32>,
    /// Mean value.
    pub mean: Option<f64>,
    /// Cells that are not finite.
    pub nonfinite: u64,
}

impl OutputStats {
    /// From a hash and a summary.
    pub fn new(content: &Digest, stats: Option<&Stats>) -> Self {
        Self {
            hash: content.to_string(),
            min: stats.map(|stats| stats.min),
            max: stats.map(|stats| stats.max),
            mean: stats.map(|stats| stats.mean),
            nonfinite: stats.map_or(0, |stats| stats.nonfinite),
        }
    }
}
