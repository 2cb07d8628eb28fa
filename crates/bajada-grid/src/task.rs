//! The thread of control that a kernel shares with whoever runs it.
//!
//! A kernel that may take longer than a few milliseconds gets a [`Task`],
//! asks it now and then whether to stop, and tells it how far it has come.
//! Neither changes a result: a stopped kernel returns [`Cancelled`] and no
//! values at all.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use thiserror::Error;

/// The work was called off; nothing was produced.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("cancelled")]
pub struct Cancelled;

/// A stop button and a progress count.
#[derive(Clone, Debug, Default)]
pub struct Task {
    stop: Arc<AtomicBool>,
    progress: Arc<Progress>,
}

#[derive(Debug, Default)]
struct Progress {
    done: AtomicU64,
    total: AtomicU64,
}

impl Task {
    /// A task that nobody has stopped.
    pub fn new() -> Self {
        Self::default()
    }

    /// A task with a progress of its own under the same stop button.
    pub fn part(&self) -> Self {
        Self { stop: Arc::clone(&self.stop), progress: Arc::default() }
    }

    /// Presses the stop button of this task and of every part of it.
    pub fn cancel(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Whether the button was pressed.
    pub fn is_cancelled(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Goes on, or stops: `task.check()?` at least every 50 ms of work.
    pub fn check(&self) -> Result<(), Cancelled> {
        if self.is_cancelled() { Err(Cancelled) } else { Ok(()) }
    }

    /// How many steps there will be.
    pub fn set_total(&self, steps: u64) {
        self.progress.total.store(steps, Ordering::Relaxed);
    }

    /// Counts `steps` more as done.
    pub fn advance(&self, steps: u64) {
        self.progress.done.fetch_add(steps, Ordering::Relaxed);
    }

    /// Share done, 0..1; 0 while the total is unknown.
    pub fn fraction(&self) -> f64 {
        let total = self.progress.total.load(Ordering::Relaxed);
        let done = self.progress.done.load(Ordering::Relaxed).min(total);
        if total == 0 { 0.0 } else { done as f64 / total as f64 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stopping_the_whole_stops_its_parts() {
        let build = Task::new();
        let node = build.part();
        node.set_total(4);
        node.advance(1);
        assert_eq!((node.check(), node.fraction(), build.fraction()), (Ok(()), 0.25, 0.0));
        build.cancel();
        assert_eq!(node.check(), Err(Cancelled));
    }
}
