//! Runs the binary in a folder of its own.

// Each test binary uses a part of it.
#![allow(dead_code, unreachable_pub)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A folder that is gone when dropped, and the binary to run in it.
pub struct Desk {
    folder: tempfile::TempDir,
}

/// What the command did.
pub struct Ran {
    /// Exit code; 128 + n after signal n.
    pub code: i32,
    /// What it printed as data.
    pub stdout: String,
    /// What it printed for a person.
    pub stderr: String,
}

impl Desk {
    /// An empty folder.
    pub fn new() -> Self {
        Self { folder: tempfile::tempdir().expect("a folder for the test") }
    }

    /// A path in the folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Puts a file into the folder.
    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> &Self {
        std::fs::write(self.path(name), content).expect("the folder can be written");
        self
    }

    /// The content of a file in the folder.
    pub fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// The command, about to run in the folder.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bajada"));
        command.args(arguments).current_dir(self.folder.path());
        command
    }

    /// Runs the command to its end.
    pub fn run(&self, arguments: &[&str]) -> Ran {
        ran(self.command(arguments).output().expect("the binary starts"))
    }
}

/// What an ended process did.
pub fn ran(output: Output) -> Ran {
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("output is UTF-8");
    #[cfg(unix)]
    let signal = std::os::unix::process::ExitStatusExt::signal(&output.status);
    #[cfg(not(unix))]
    let signal: Option<i32> = None;
    Ran {
        code: output.status.code().or(signal.map(|signal| 128 + signal)).unwrap_or(-1),
        stdout: text(output.stdout),
        stderr: text(output.stderr),
    }
}

/// The root of the source tree.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A small graph around `nodes` and `outputs`.
pub fn graph(nodes: &str, outputs: &str) -> String {
    format!(
        "(\n  format: 1, seed: 7,\n  world: (extent_m: (640, 640), samples: (65, 65)),\n  \
         nodes: {{\n    {nodes}\n  }},\n  outputs: {{\n    {outputs}\n  }},\n)\n"
    )
}
