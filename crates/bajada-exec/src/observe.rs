//! What a run tells while it goes on.

use bajada_grid::Task;

use crate::report::NodeReport;

/// Something that happened.
#[derive(Debug)]
pub enum Event<'a> {
    /// The run begins.
    Planned {
        /// Nodes that are wanted.
        nodes: usize,
    },
    /// A node begins.
    Started {
        /// Its name.
        name: &'a str,
        /// Its kind.
        kind: &'static str,
        /// Its progress.
        task: &'a Task,
    },
    /// A node is done: ran, reused, failed or skipped.
    Finished {
        /// What became of it.
        report: &'a NodeReport,
    },
}

/// Someone who wants to know. Called from worker threads.
pub trait Observer: Sync {
    /// Takes notice.
    fn notice(&self, event: &Event<'_>);
}

/// Someone who does not.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Observer for Silent {
    fn notice(&self, _: &Event<'_>) {}
}
