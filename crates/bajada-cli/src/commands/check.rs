//! `bajada check`

use bajada::{CheckOptions, CheckReport, Session};
use serde_json::json;

use crate::args;
use crate::exit::Exit;
use crate::print;

pub(crate) fn run(command: &args::Check) -> Exit {
    let options = CheckOptions { samples: command.samples, targets: Vec::new() };
    let report = match Session::new().check(&command.graph, &options) {
        Ok(report) => report,
        Err(error) => {
            print::error(&error.to_string());
            return Exit::Environment;
        }
    };
    if !command.json {
        print::diagnostics(&report.render(print::style()));
        if report.ok() {
            print::note(&format!("`{}` can be built", report.path));
        }
        return exit(&report);
    }
    let mut text = format!("{}\n", print::version_record());
    for diagnostic in report.to_json() {
        let mut record = json!({ "type": "diagnostic" });
        if let (Some(record), serde_json::Value::Object(fields)) =
            (record.as_object_mut(), json!(diagnostic))
        {
            record.extend(fields);
        }
        text.push_str(&format!("{record}\n"));
    }
    text.push_str(&format!("{}\n", json!({ "type": "summary", "ok": report.ok() })));
    match print::data(&text) {
        Ok(()) => exit(&report),
        Err(exit) => exit,
    }
}

/// The exit code of a check: a wrong graph is not a missing file.
pub(crate) fn exit(report: &CheckReport) -> Exit {
    if report.ok() {
        Exit::Ok
    } else if report.only_files_missing() {
        Exit::Environment
    } else {
        Exit::Usage
    }
}
