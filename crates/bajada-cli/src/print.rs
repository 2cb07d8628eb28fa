//! Writing to the terminal without falling over when nobody listens.

use std::io::{self, IsTerminal as _, Write as _};

use bajada::RenderStyle;

use crate::exit::Exit;

/// Writes data to stdout. A reader that has gone (`| head`) is no failure; a
/// full disk is.
pub(crate) fn data(text: &str) -> Result<(), Exit> {
    let mut stdout = anstream::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Ok(()) => Ok(()),
        Err(failed) if failed.kind() == io::ErrorKind::BrokenPipe => Err(Exit::Ok),
        Err(failed) => {
            error(&format!("cannot write to standard output: {failed}"));
            Err(Exit::Environment)
        }
    }
}

/// Writes a line to stderr. There is nobody left to tell if that fails.
pub(crate) fn note(text: &str) {
    let _ = writeln!(anstream::stderr().lock(), "{text}");
}

/// Writes an error to stderr.
pub(crate) fn error(text: &str) {
    note(&format!("error: {text}"));
}

/// Writes rendered diagnostics to stderr.
pub(crate) fn diagnostics(text: &str) {
    let _ = anstream::stderr().lock().write_all(text.as_bytes());
}

/// Colours where they can be seen and are wanted.
pub(crate) fn style() -> RenderStyle {
    let wanted = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    if wanted && io::stderr().is_terminal() { RenderStyle::Ansi } else { RenderStyle::Plain }
}

/// The first line of every stream of JSON.
pub(crate) fn version_record() -> serde_json::Value {
    serde_json::json!({ "type": "version", "bajada": env!("CARGO_PKG_VERSION"), "format": "1.0" })
}
