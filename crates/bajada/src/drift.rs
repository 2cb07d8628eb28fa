//! How far a graph's results depend on the number of its samples.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use bajada_exec::{Action, Cache, NodeState, RunOptions, Silent, run};
use bajada_grid::{Digest, Grid, Task, math, par};
use bajada_node::{Quantity, Value, ValueKind};
use bajada_plan::{CheckOptions, KeyParts, Plan, SamplesOverride};
use serde::Serialize;

use crate::error::Error;
use crate::session::{CheckReport, Session};
use crate::source::Source;

/// What is compared with what.
#[derive(Clone, Debug)]
pub struct DriftOptions {
    /// Samples on the longer side; the finest is what the others are held
    /// against. One less must divide one less of the finest.
    pub samples: Vec<u32>,
    /// Threads; as many as the machine has if not set.
    pub threads: Option<usize>,
    /// The stop button.
    pub task: Task,
}

/// How far results lie apart.
#[derive(Clone, Debug, Serialize)]
pub struct Drift {
    /// Samples on the longer side of the finest run.
    pub finest: u32,
    /// Every raster of numbers of every node that is used.
    pub outputs: Vec<OutputDrift>,
}

/// One raster.
#[derive(Clone, Debug, Serialize)]
pub struct OutputDrift {
    /// Name of the node.
    pub node: String,
    /// Kind of the node.
    pub kind: &'static str,
    /// Name of the output.
    pub port: &'static str,
    /// Unit of its numbers.
    pub unit: &'static str,
    /// Whether it is ground that the node was given: then what the node *changed*
    /// is compared, so that drift from further up does not count again.
    pub change: bool,
    /// What the shares are of: the root mean square of the change in the finest
    /// run, or how far its numbers spread (their standard deviation).
    pub scale: f64,
    /// The ground that was given.
    #[serde(skip)]
    ground: Option<Key>,
    /// Each coarser run.
    pub runs: Vec<RunDrift>,
}

/// One raster of one coarser run, at the samples that it shares with the finest.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct RunDrift {
    /// Samples on the longer side.
    pub samples: u32,
    /// Root mean square of the difference, of changes where those are compared.
    pub rms: f64,
    /// Mean of the difference, coarse less fine.
    pub bias: f64,
    /// The difference as a share of the output's `scale`; 0 where both are 0.
    pub share: f64,
}

impl Session {
    /// Runs the graph at `path` at several numbers of samples, the finest first,
    /// and compares every raster. Nothing is written.
    pub fn drift(
        &self,
        path: &Path,
        options: &DriftOptions,
    ) -> Result<(CheckReport, Option<Drift>), Error> {
        let source = Source::open(path)?;
        let mut samples = options.samples.clone();
        samples.sort_unstable();
        samples.dedup();
        let Some(finest) = samples.pop().filter(|_| !samples.is_empty()) else {
            return Err(Error::Usage("name two numbers of samples or more".to_owned()));
        };
        if let Some(odd) = samples.iter().find(|&&n| n < 2 || !(finest - 1).is_multiple_of(n - 1)) {
            let why = format!(
                "{odd} and {finest} samples share no lattice: {} cells must be a whole multiple \
                 of {}; try {}",
                finest - 1,
                odd.saturating_sub(1),
                (finest - 1) / 2 + 1
            );
            return Err(Error::Usage(why));
        }
        let mut fine = None;
        let mut drift = Drift { finest, outputs: Vec::new() };
        for &samples in [finest].iter().chain(samples.iter().rev()) {
            let longer = Some(SamplesOverride::Longer(samples));
            let wanted = CheckOptions { samples: longer, targets: Vec::new() };
            let (checked, check) = self.check_source(&source, &wanted);
            let Some(plan) = checked.plan.filter(|_| check.ok()) else {
                return Ok((check, None));
            };
            // The nodes themselves: no file is encoded.
            let targets = plan
                .order
                .iter()
                .filter(|&&node| !plan.outputs.iter().any(|output| output.node == node));
            let targets = targets.map(|&node| plan.graph[node].name.clone()).collect();
            let wanted = CheckOptions { samples: longer, targets };
            let Some(plan) = self.check_source(&source, &wanted).0.plan else {
                return Ok((check, None));
            };
            let values = values_of(&plan, options)?;
            match &fine {
                None => {
                    drift.outputs = outputs_of(&plan, &values);
                    fine = Some((check, values));
                }
                Some((_, fine)) => {
                    for output in &mut drift.outputs {
                        if let Some(run) = compared(samples, output, &values, fine) {
                            output.runs.push(run);
                        }
                    }
                }
            }
        }
        let Some((check, _)) = fine else { unreachable!("the finest run comes first") };
        Ok((check, Some(drift)))
    }
}

impl Drift {
    /// The largest share of all.
    pub fn largest(&self) -> f64 {
        let runs = self.outputs.iter().flat_map(|output| &output.runs);
        runs.map(|run| run.share).fold(0.0, math::max)
    }

    /// As JSON text.
    pub fn to_json(&self) -> String {
        // Plain data: there is nothing in it that JSON lacks.
        serde_json::to_string_pretty(self).map_or_else(|e| e.to_string(), |text| text + "\n")
    }

    /// For a person: a line for each output.
    pub fn to_text(&self) -> String {
        let mut text = format!(
            "drift from the run of {} samples: rms as a share of what the node changed (*) or \
             of how far its numbers spread, and bias\n",
            self.finest
        );
        let name = |output: &OutputDrift| {
            let star = if output.change { " *" } else { "" };
            format!("{}.{}{star}", output.node, output.port)
        };
        let width = self.outputs.iter().map(|output| name(output).len()).max().unwrap_or(0);
        for output in &self.outputs {
            text += &format!("  {:width$}", name(output));
            for run in &output.runs {
                text += &format!(
                    "   {:>5}: {:5.1} %, {:+.3e} {}",
                    run.samples,
                    100.0 * run.share,
                    run.bias,
                    output.unit
                );
            }
            text += "\n";
        }
        text
    }
}

/// A node and an output of it.
type Key = (String, &'static str);

type Rasters = BTreeMap<Key, Grid<f32>>;

/// Runs `plan` and gives every raster, by node and output.
fn values_of(plan: &Plan, options: &DriftOptions) -> Result<Rasters, Error> {
    let available = std::thread::available_parallelism().map_or(1, usize::from);
    let kept = Kept::default();
    let run_options = RunOptions {
        threads: options.threads.unwrap_or(available),
        cache: &kept,
        task: &options.task,
        observer: &Silent,
    };
    let finished = run(plan, &run_options).map_err(|error| Error::Machine(error.to_string()))?;
    if options.task.is_cancelled() {
        return Err(Error::Stopped);
    }
    if let Some(failed) = finished.report.nodes.iter().find(|n| n.state == NodeState::Failed) {
        let why = format!("`{}` ({}) failed: {}", failed.name, failed.kind, failed.reason);
        return Err(Error::NodeFailed(why));
    }
    let values = kept.values.into_inner().unwrap_or_else(PoisonError::into_inner);
    let mut rasters = Rasters::new();
    for node in plan.graph.node_weights() {
        let ports = node.spec().outputs.iter();
        for (port, value) in ports.zip(values.get(&node.name).into_iter().flatten()) {
            if let Value::Raster(raster) = value {
                rasters.insert((node.name.clone(), port.name), raster.grid.as_ref().clone());
            }
        }
    }
    Ok(rasters)
}

/// The rasters of the finest run and what their shares are of.
fn outputs_of(plan: &Plan, values: &Rasters) -> Vec<OutputDrift> {
    let mut outputs = Vec::new();
    for &index in &plan.order {
        let node = &plan.graph[index];
        for (port, kind) in node.spec().outputs.iter().zip(&node.output_kinds) {
            // Labels are names: their difference says nothing.
            let quantity = match kind {
                ValueKind::Raster(quantity) if *quantity != Quantity::Label => quantity,
                _ => continue,
            };
            let Some(grid) = values.get(&(node.name.clone(), port.name)) else { continue };
            let ground = (*quantity == Quantity::Elevation)
                .then(|| {
                    let place = node.spec().inputs.iter().position(|it| it.name == "elevation")?;
                    let link = node.inputs[place]?;
                    let from = &plan.graph[link.node];
                    Some((from.name.clone(), from.spec().outputs[link.port].name))
                })
                .flatten();
            let len = grid.as_slice().len();
            let scale = match ground.as_ref().and_then(|key| values.get(key)) {
                Some(ground) => rms(len, |i| f64::from(grid[i]) - f64::from(ground[i])),
                None => {
                    let mean = par::sum(len, |i| f64::from(grid[i])) / len as f64;
                    rms(len, |i| f64::from(grid[i]) - mean)
                }
            };
            outputs.push(OutputDrift {
                node: node.name.clone(),
                kind: node.spec().id,
                port: port.name,
                unit: quantity.unit(),
                change: ground.is_some(),
                scale,
                ground,
                runs: Vec::new(),
            });
        }
    }
    outputs
}

fn rms(len: usize, value: impl Fn(usize) -> f64 + Sync) -> f64 {
    (par::sum(len, |index| value(index) * value(index)) / len as f64).sqrt()
}

/// A difference of so little is rounding, whatever it is of.
const ROUNDING: f64 = 1e-12;

fn compared(
    samples: u32,
    output: &OutputDrift,
    coarse: &Rasters,
    fine: &Rasters,
) -> Option<RunDrift> {
    let key = (output.node.clone(), output.port);
    let ground = output.ground.as_ref();
    let coarse_ground = ground.and_then(|key| coarse.get(key));
    let fine_ground = ground.and_then(|key| fine.get(key));
    let (coarse, fine) = (coarse.get(&key)?, fine.get(&key)?);
    let across = (fine.width() - 1) / (coarse.width() - 1).max(1);
    let down = (fine.height() - 1) / (coarse.height() - 1).max(1);
    let value = |grid: &Grid<f32>, ground: Option<&Grid<f32>>, index: usize| {
        f64::from(grid[index]) - ground.map_or(0.0, |ground| f64::from(ground[index]))
    };
    let difference = |index: usize| {
        let (x, y) = coarse.domain().column_row(index);
        let there = fine.domain().index(x * across, y * down);
        value(coarse, coarse_ground, index) - value(fine, fine_ground, there)
    };
    let len = coarse.as_slice().len();
    let rms = rms(len, difference);
    let share = if rms <= ROUNDING { 0.0 } else { rms / output.scale };
    Some(RunDrift { samples, rms, bias: par::sum(len, difference) / len as f64, share })
}

/// Keeps the values of a run by the name of their node, and knows nothing before.
#[derive(Default)]
struct Kept {
    values: Mutex<BTreeMap<String, Vec<Value>>>,
}

impl Cache for Kept {
    fn find(&self, _: &Digest) -> Option<Action> {
        None
    }
    fn load(&self, _: &Digest) -> Option<Value> {
        None
    }
    fn keep(&self, name: &str, _: Digest, _: &Action, values: &[Value]) {
        let mut all = self.values.lock().unwrap_or_else(PoisonError::into_inner);
        all.insert(name.to_owned(), values.to_vec());
    }
    fn last(&self, _: &str) -> Option<KeyParts> {
        None
    }
}
