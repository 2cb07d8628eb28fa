//! `bajada drift`

use bajada::{DriftOptions, Error, Session, Task};

use crate::args;
use crate::exit::Exit;
use crate::print;
use crate::signals;

pub(crate) fn run(command: &args::Drift) -> Exit {
    let task = Task::new();
    signals::stop_on_signal(&task);
    let options = DriftOptions {
        samples: command.samples.clone(),
        threads: command.threads.map(usize::from),
        task,
    };
    let (check, drift) = match Session::new().drift(&command.graph, &options) {
        Ok(found) => found,
        Err(error) => {
            print::error(&error.to_string());
            return match error {
                Error::Usage(_) => Exit::Usage,
                Error::NodeFailed(_) => Exit::NodeFailed,
                Error::Stopped if signals::was_terminated() => Exit::Terminated,
                Error::Stopped => Exit::Interrupted,
                _ => Exit::Environment,
            };
        }
    };
    print::diagnostics(&check.render(print::style()));
    let Some(drift) = drift else { return super::check::exit(&check) };
    let text = if command.json { drift.to_json() } else { drift.to_text() };
    if let Err(exit) = print::data(&text) {
        return exit;
    }
    match command.max {
        Some(max) if drift.largest() > max => {
            print::error(&format!(
                "the largest drift is {:.1} %, more than {:.1} %",
                100.0 * drift.largest(),
                100.0 * max
            ));
            Exit::CheckFailed
        }
        _ => Exit::Ok,
    }
}
