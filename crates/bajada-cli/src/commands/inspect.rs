//! `bajada inspect`

use crate::args;
use crate::exit::Exit;
use crate::print;

pub(crate) fn run(command: &args::Inspect) -> Exit {
    let options = bajada::InspectOptions {
        metrics: command.metrics,
        cell_m: command.cell_m,
        range_m: command.range_m,
    };
    match bajada::inspect(&command.file, &options) {
        Ok(found) => {
            let text = if command.json { found.to_json() } else { found.to_text() };
            print::data(&text).err().unwrap_or(Exit::Ok)
        }
        Err(error) => {
            print::error(&error.to_string());
            Exit::Environment
        }
    }
}
