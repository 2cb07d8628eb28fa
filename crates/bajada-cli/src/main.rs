//! The `bajada` command: arguments in, exit code out; the façade does the work.
//!
//! Data goes to stdout; progress and diagnostics go to stderr, line by line
//! where that is no terminal. Exit codes are in [`exit`].

mod args;
mod commands;
mod exit;
mod print;
mod progress;
mod signals;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

use clap::Parser as _;

use crate::args::{Arguments, Command};
use crate::exit::Exit;

fn main() -> ExitCode {
    quiet_panics();
    signals::ignore_file_size_limit();
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            // Help and version come this way too, and are no error.
            let code = if error.use_stderr() { Exit::Usage } else { Exit::Ok };
            let _ = error.print();
            return code.into();
        }
    };
    let run = || match &arguments.command {
        Command::Build(command) => commands::build::run(command),
        Command::Check(command) => commands::check::run(command),
        Command::Nodes(command) => commands::nodes::run(command),
        Command::Drift(command) => commands::drift::run(command),
        Command::Inspect(command) => commands::inspect::run(command),
        Command::View(command) => commands::view::run(command),
        Command::Completions(command) => commands::completions::run(command),
    };
    catch_unwind(AssertUnwindSafe(run)).unwrap_or(Exit::Bug).into()
}

/// A panic is our bug: say so in one line, with the backtrace on demand.
fn quiet_panics() {
    std::panic::set_hook(Box::new(|panic| {
        let backtrace = std::env::var_os("BAJADA_BACKTRACE").is_some();
        print::error(&format!("this is a bug in bajada, please report it: {panic}"));
        if backtrace {
            print::error(&std::backtrace::Backtrace::force_capture().to_string());
        }
    }));
}
