//! `bajada completions`

use clap::CommandFactory as _;

use crate::args::{Arguments, Completions};
use crate::exit::Exit;
use crate::print;

pub(crate) fn run(command: &Completions) -> Exit {
    let mut script = Vec::new();
    clap_complete::generate(command.shell, &mut Arguments::command(), "bajada", &mut script);
    print::data(&String::from_utf8_lossy(&script)).err().unwrap_or(Exit::Ok)
}
