//! What nodes say about their drift holds, and is not said too cautiously.

use std::path::Path;

use bajada::{DriftOptions, Session};
use bajada_grid::Task;

/// Cells a side of every example, and twice as many.
const SAMPLES: [u32; 2] = [129, 257];

/// A stated drift is at most this many times the measured one, but for a
/// thousandth: a bound that nothing comes near says nothing.
const LOOSEST: f64 = 2.0;

#[test]
fn every_node_drifts_as_far_as_it_says() {
    let session = Session::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../graphs/nodes");
    let mut wrong = Vec::new();
    for node in session.registry().iter() {
        let spec = node.spec();
        let Some(stated) = spec.drift else { continue };
        let options = DriftOptions { samples: SAMPLES.to_vec(), threads: None, task: Task::new() };
        let path = folder.join(format!("{}.ron", spec.id));
        let (check, drift) = session.drift(&path, &options).expect("the example runs");
        assert!(check.ok(), "{}", spec.id);
        let drift = drift.expect("a legal graph drifts by some amount");
        let of = |port: &str| {
            drift.outputs.iter().find(|output| output.kind == spec.id && output.port == port)
        };
        let first = spec.outputs.iter().find_map(|output| of(output.name));
        let output = first.unwrap_or_else(|| panic!("{} gives no numbers", spec.id));
        let [run] = output.runs[..] else { panic!("{}: one coarser run", spec.id) };
        if run.share > stated || stated > LOOSEST * run.share + 1e-3 {
            wrong.push(format!("{} states {stated} and drifts by {:.4}", spec.id, run.share));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
