//! `bajada inspect`

use crate::args;
use crate::exit::Exit;
use crate::print;

pub(crate) fn run(command: &args::Inspect) -> Exit {
    match bajada::inspect(&command.file) {
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
