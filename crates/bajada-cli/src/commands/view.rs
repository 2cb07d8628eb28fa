//! `bajada view`

use bajada::ViewOptions;

use crate::args;
use crate::exit::Exit;
use crate::print;

pub(crate) fn run(command: &args::View) -> Exit {
    let is_png = command.output.extension().is_some_and(|end| end.eq_ignore_ascii_case("png"));
    if !is_png {
        print::error("a picture is a PNG file: let its name end in `.png`");
        return Exit::Usage;
    }
    let options = ViewOptions {
        cell_m: command.cell_m,
        range_m: command.range_m,
        longest: command.longest,
        oblique: command.oblique,
        overwrite: command.overwrite,
    };
    match bajada::view(&command.file, &command.output, &options) {
        Ok(()) => Exit::Ok,
        Err(error) => {
            print::error(&error.to_string());
            Exit::Environment
        }
    }
}
