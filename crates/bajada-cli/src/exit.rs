//! What the exit code says.

use std::process::ExitCode;

/// Why the command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// All is well.
    Ok = 0,
    /// A node failed.
    NodeFailed = 1,
    /// The command line or the graph is wrong; nothing ran.
    Usage = 2,
    /// What was checked does not hold.
    CheckFailed = 3,
    /// The machine: a file that cannot be read or written, no memory.
    Environment = 5,
    /// A bug of ours.
    Bug = 70,
    /// Ctrl-C.
    Interrupted = 130,
    /// Asked to end.
    Terminated = 143,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}
