//! A build: check, run, write.

use std::fs;
use std::path::{Path, PathBuf};

use bajada_exec::{Cache, NoCache, Observer, Run, RunOptions, Silent, run};
use bajada_formats::Sidecar;
use bajada_grid::{Digest, Task};
use bajada_node::Value;
use bajada_plan::{CheckOptions, Plan, PlanOutput, SamplesOverride, sidecar_path};
use serde_json::json;

use crate::error::Error;
use crate::files::{Overwrite, Staged};
use crate::report::{BuildReport, OutputReport};
use crate::session::{CheckReport, Session};
use crate::source::Source;

/// Name of the list of files and their hashes that stands beside the outputs.
const MANIFEST: &str = "bajada.manifest.json";

/// The output of an encoder that describes its file.
const SIDECAR: &str = "sidecar";

/// How to build.
pub struct BuildOptions<'a> {
    /// Where the files go; `out/<name of the graph>` if not set.
    pub out: Option<PathBuf>,
    /// Another number of samples over the same extent.
    pub samples: Option<SamplesOverride>,
    /// Threads; as many as the machine has if not set.
    pub threads: Option<usize>,
    /// Build only these nodes or outputs.
    pub targets: Vec<String>,
    /// Whether results of earlier builds may serve.
    pub use_cache: bool,
    /// Whether read-only files may be replaced.
    pub overwrite: bool,
    /// The stop button.
    pub task: Task,
    /// Who wants to know how it goes.
    pub observer: &'a dyn Observer,
}

impl Default for BuildOptions<'_> {
    fn default() -> Self {
        Self {
            out: None,
            samples: None,
            threads: None,
            targets: Vec::new(),
            use_cache: true,
            overwrite: false,
            task: Task::new(),
            observer: &Silent,
        }
    }
}

/// What became of a build.
#[derive(Debug)]
pub struct Build {
    /// What the check found; if that is not ok, nothing ran.
    pub check: CheckReport,
    /// What ran and what was made.
    pub report: BuildReport,
    /// Where the files are.
    pub out: PathBuf,
}

impl Session {
    /// Builds the graph at `path`. Files appear all together at the end, or
    /// not at all: after a failed node the files of the last build stand.
    pub fn build(&self, path: &Path, options: &BuildOptions<'_>) -> Result<Build, Error> {
        let source = Source::open(path)?;
        let check_options =
            CheckOptions { samples: options.samples, targets: options.targets.clone() };
        let (checked, check) = self.check_source(&source, &check_options);
        let out = options
            .out
            .clone()
            .unwrap_or_else(|| Path::new("out").join(source.path.file_stem().unwrap_or_default()));
        let plan = match checked.plan {
            Some(plan) if check.ok() => plan,
            _ => return Ok(Build { check, report: BuildReport::nothing_ran(), out }),
        };
        refuse_inputs(&source, &plan, &out)?;

        let available = std::thread::available_parallelism().map_or(1, usize::from);
        let cache: &dyn Cache = if options.use_cache { &self.cache } else { &NoCache };
        let run_options = RunOptions {
            threads: options.threads.unwrap_or(available),
            cache,
            task: &options.task,
            observer: options.observer,
        };
        let finished =
            run(&plan, &run_options).map_err(|error| Error::Machine(error.to_string()))?;
        let outputs = if finished.report.ok && !options.task.is_cancelled() {
            write(&plan, &finished, &out, options.overwrite)?
        } else {
            Vec::new()
        };
        let report = BuildReport::new(&finished.report, outputs);
        Ok(Build { check, report, out })
    }
}

/// An output must never land on the graph or on a file that it reads.
fn refuse_inputs(source: &Source, plan: &Plan, out: &Path) -> Result<(), Error> {
    let inputs = source.assets.keys().map(|path| source.folder().join(path));
    let inputs: Vec<PathBuf> = inputs
        .chain([source.path.clone()])
        .filter_map(|path| fs::canonicalize(path).ok())
        .collect();
    for output in &plan.outputs {
        let target = out.join(&output.path);
        if fs::canonicalize(&target).is_ok_and(|found| inputs.contains(&found)) {
            let why = "the graph reads that file; name another output or folder".to_owned();
            return Err(Error::Unwritable { path: target, why });
        }
    }
    Ok(())
}

fn write(
    plan: &Plan,
    finished: &Run,
    out: &Path,
    read_only_too: bool,
) -> Result<Vec<OutputReport>, Error> {
    let overwrite = if read_only_too { Overwrite::ReadOnly } else { Overwrite::Ordinary };
    let mut staged = Staged::default();
    let mut reports = Vec::new();
    let mut manifest = serde_json::Map::new();
    for (output, values) in plan.outputs.iter().zip(&finished.outputs) {
        let spec = plan.graph[output.node].spec();
        let ports = spec.outputs.iter().zip(values.iter().flatten());
        for (port, value) in ports {
            let Value::Bytes(bytes) = value else { continue };
            if port.name == SIDECAR {
                let path = sidecar_path(&output.path);
                let text = named(bytes, &output.path);
                staged.add(&out.join(&path), &text, overwrite)?;
                manifest.insert(path, json!(Digest::of_bytes(&text).to_string()));
                continue;
            }
            let file_hash = Digest::of_bytes(bytes).to_string();
            staged.add(&out.join(&output.path), bytes, overwrite)?;
            manifest.insert(output.path.clone(), json!(file_hash));
            reports.push(output_report(plan, finished, output, out, file_hash));
        }
    }
    if !manifest.is_empty() {
        let text = format!("{:#}\n", json!({ "manifest": 1, "blake3": manifest }));
        staged.add(&out.join(MANIFEST), text.as_bytes(), overwrite)?;
    }
    staged.commit()?;
    Ok(reports)
}

/// A description with the name of its file in it, which no node knows.
fn named(description: &[u8], path: &str) -> Vec<u8> {
    let Ok(mut sidecar) = serde_json::from_slice::<Sidecar>(description) else {
        return description.to_vec();
    };
    sidecar.file = path.rsplit('/').next().unwrap_or(path).to_owned();
    sidecar.to_json().into_bytes()
}

/// What the report says of an output: the field that it shows is the first
/// input of its encoder.
fn output_report(
    plan: &Plan,
    finished: &Run,
    output: &PlanOutput,
    out: &Path,
    file_hash: String,
) -> OutputReport {
    let field = plan.graph[output.node].inputs.iter().flatten().next();
    let record = field.and_then(|link| {
        finished.actions[link.node.index()].as_ref()?.outputs.get(link.port).copied()
    });
    let stats = record.and_then(|record| record.stats);
    OutputReport {
        path: out.join(&output.path).display().to_string(),
        hash: record.map_or_else(String::new, |record| record.content.to_string()),
        file_hash,
        samples: plan.world.domain.samples(),
        cell_m: plan.world.domain.cell_size(),
        z_min_m: stats.map(|stats| stats.min),
        z_max_m: stats.map(|stats| stats.max),
    }
}
