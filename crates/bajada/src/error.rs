//! What stops a command, by who must act.

use std::path::PathBuf;

use thiserror::Error;

/// What stops a command. Mistakes in a graph are no error here: they come as
/// diagnostics.
#[derive(Debug, Error)]
pub enum Error {
    /// A file that the command names cannot be read.
    #[error("cannot read `{}`: {why}", path.display())]
    Unreadable {
        /// Which.
        path: PathBuf,
        /// Why, and the way out.
        why: String,
    },
    /// A file cannot be written. Files that were there are whole.
    #[error("cannot write `{}`: {why}", path.display())]
    Unwritable {
        /// Which.
        path: PathBuf,
        /// Why, and the way out.
        why: String,
    },
    /// The machine gives no threads or no memory.
    #[error("this machine cannot run it: {0}")]
    Machine(String),
    /// What was asked for makes no sense together.
    #[error("{0}")]
    Usage(String),
    /// A node failed where nothing can be said without its result.
    #[error("{0}")]
    NodeFailed(String),
    /// The stop button was pressed.
    #[error("stopped")]
    Stopped,
}
