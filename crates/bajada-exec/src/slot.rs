//! One node, from its inputs to its result.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use bajada_grid::{Digest, Memory, Stats, Stream, Task};
use bajada_node::{EvalCtx, EvalInputs, Finished, NodeError, Value, World};
use bajada_plan::{KeyParts, PlanNode};

use crate::cache::{Action, OutputRecord};

/// A node that gave its values.
pub(crate) struct Evaluated {
    pub(crate) action: Action,
    pub(crate) values: Vec<Value>,
}

/// Computes a node. Runs inside the slot's pool.
pub(crate) fn evaluate(
    node: &PlanNode,
    world: &World,
    inputs: &[Option<Value>],
    parts: KeyParts,
    memory: &Arc<Memory>,
    task: &Task,
) -> Result<Evaluated, NodeError> {
    let ctx = EvalCtx::new(EvalInputs {
        spec: node.spec(),
        world,
        params: &node.params,
        inputs,
        stream: Stream::new(node.seed.unwrap_or(0)),
        memory,
        task,
    });
    // A panic in a kernel is a bug, but other branches must not pay for it.
    let finished = catch_unwind(AssertUnwindSafe(|| node.node.eval(&ctx)?.finish()))
        .unwrap_or_else(|panic| Err(NodeError::Broken(panic_text(panic.as_ref()))))?;
    task.check()?;
    record(node, world, finished, parts)
}

/// Holds the result against the node's promise, and hashes it.
fn record(
    node: &PlanNode,
    world: &World,
    finished: Finished,
    parts: KeyParts,
) -> Result<Evaluated, NodeError> {
    let Finished { values, ledger, notes } = finished;
    let mut outputs = Vec::with_capacity(values.len());
    let promised = node.spec().outputs.iter().zip(&node.output_kinds);
    for ((output, kind), value) in promised.zip(&values) {
        let broken = |why: String| NodeError::Broken(format!("`{}`: {why}", output.name));
        if value.kind() != *kind {
            return Err(broken(format!("it gave {}, not {kind}", value.kind())));
        }
        let grid = value.as_raster().map(|raster| &raster.grid);
        if grid.is_some_and(|grid| *grid.domain() != world.domain) {
            return Err(broken("it has another lattice than the world".to_owned()));
        }
        let content: Digest = value.digest().map_err(|error| broken(error.to_string()))?;
        outputs.push(OutputRecord { content, stats: grid.map(|grid| Stats::of(grid)) });
    }
    Ok(Evaluated { action: Action { parts, outputs, ledger, notes }, values })
}

fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    format!("it panicked: {}", text.unwrap_or("no message"))
}
