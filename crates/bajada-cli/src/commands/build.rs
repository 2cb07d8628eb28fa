//! `bajada build`

use std::fmt::Write as _;

use bajada::{
    Build, BuildOptions, BuildReport, Event, LedgerReport, NodeReport, NodeState, Observer,
    Session, Task,
};
use serde_json::json;

use crate::args;
use crate::exit::Exit;
use crate::print;
use crate::progress::Progress;
use crate::signals;

pub(crate) fn run(command: &args::Build) -> Exit {
    let task = Task::new();
    signals::stop_on_signal(&task);
    if command.json && print::data(&format!("{}\n", print::version_record())).is_err() {
        return Exit::Environment;
    }
    let progress = Progress::new(command.quiet || command.json);
    let json_lines = JsonLines;
    let observer: &dyn Observer = if command.json { &json_lines } else { &progress };
    let options = BuildOptions {
        out: command.out.clone(),
        samples: command.samples,
        threads: command.threads.map(usize::from),
        targets: command.target.clone(),
        use_cache: !command.no_cache,
        overwrite: command.overwrite,
        task: task.clone(),
        observer,
    };
    let session = Session::new();
    let build = match progress.during(|| session.build(&command.graph, &options)) {
        Ok(build) => build,
        Err(error) => {
            print::error(&error.to_string());
            return Exit::Environment;
        }
    };
    match finish(command, &build) {
        Ok(()) => exit(&build, &task),
        Err(exit) => exit,
    }
}

fn finish(command: &args::Build, build: &Build) -> Result<(), Exit> {
    if !command.quiet || !build.check.ok() {
        print::diagnostics(&build.check.render(print::style()));
    }
    if let Some(path) = &command.report {
        bajada::write_report(path, &build.report).map_err(|error| {
            print::error(&error.to_string());
            Exit::Environment
        })?;
    }
    if command.json {
        for diagnostic in build.check.to_json() {
            print::data(&format!("{}\n", tagged("diagnostic", &json!(diagnostic))))?;
        }
        print::data(&format!("{}\n", tagged("summary", &json!(build.report))))?;
    } else if build.check.ok() {
        for node in &build.report.nodes {
            if node.state == NodeState::Failed {
                print::error(&format!("`{}` ({}) failed: {}", node.name, node.kind, node.reason));
            }
        }
        if !command.quiet && build.report.ok {
            print::data(&summary(&build.report))?;
        }
    }
    Ok(())
}

fn exit(build: &Build, task: &Task) -> Exit {
    if !build.check.ok() {
        return super::check::exit(&build.check);
    }
    if task.is_cancelled() {
        return if signals::was_terminated() { Exit::Terminated } else { Exit::Interrupted };
    }
    if build.report.ok { Exit::Ok } else { Exit::NodeFailed }
}

/// An object with its type in front.
fn tagged(kind: &str, value: &serde_json::Value) -> serde_json::Value {
    let mut object = json!({ "type": kind });
    if let (Some(object), Some(fields)) = (object.as_object_mut(), value.as_object()) {
        object.extend(fields.clone());
    }
    object
}

/// Tells machines how a build goes, a line for each event.
struct JsonLines;

impl Observer for JsonLines {
    fn notice(&self, event: &Event<'_>) {
        let record = match event {
            Event::Planned { nodes } => json!({ "type": "plan", "nodes": nodes }),
            Event::Started { name, kind, .. } => {
                json!({ "type": "node_started", "name": name, "kind": kind })
            }
            Event::Finished { report } => tagged("node_finished", &json!(report)),
        };
        // The end of the build writes too, and says why it could not.
        let _ = print::data(&format!("{record}\n"));
    }
}

/// The report for a person: where the matter went, and what was made.
fn summary(report: &BuildReport) -> String {
    let mut text = String::new();
    let movers: Vec<(&NodeReport, &LedgerReport)> =
        report.nodes.iter().filter_map(|node| Some((node, node.ledger.as_ref()?))).collect();
    if !movers.is_empty() {
        let _ = writeln!(
            text,
            "\n{:16} {:>11} {:>11} {:>11} {:>11} {:>11} {:>9}",
            "matter, m3", "in", "eroded", "deposited", "out", "shaped", "residual"
        );
        for (node, ledger) in &movers {
            text.push_str(&ledger_line(&node.name, ledger));
        }
        if let Some(ledger) = &report.ledger {
            text.push_str(&ledger_line("the graph", ledger));
        }
    }
    for node in &report.nodes {
        for note in &node.notes {
            let _ = writeln!(text, "\nnote: `{}`: {note}", node.name);
        }
    }
    text.push('\n');
    for output in &report.outputs {
        let [width, height] = output.samples;
        let range = match (output.z_min_m, output.z_max_m) {
            (Some(low), Some(high)) => format!(", {low:.1} to {high:.1}"),
            _ => String::new(),
        };
        let _ = writeln!(
            text,
            "{}  {width} x {height}, {:.3} m cells{range}",
            output.path, output.cell_m
        );
    }
    let _ = writeln!(
        text,
        "{:.2} s, {:.0} MiB of rasters at the peak",
        report.milliseconds / 1e3,
        report.peak_bytes as f64 / f64::from(1 << 20)
    );
    text
}

/// In is what came from outside the map or from another node's supply, out what
/// left over the edge or as a supply.
fn ledger_line(name: &str, ledger: &LedgerReport) -> String {
    format!(
        "{name:16} {:>11.4e} {:>11.4e} {:>11.4e} {:>11.4e} {:>11.4e} {:>9.1e}\n",
        ledger.in_m3 + ledger.taken_up_m3,
        ledger.eroded_m3,
        ledger.deposited_m3,
        ledger.exported_m3 + ledger.handed_on_m3,
        ledger.shaped_m3,
        ledger.residual_relative
    )
}
