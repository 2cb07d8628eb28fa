//! How a build is going: bars on a terminal, a line for each node elsewhere.

use std::io::IsTerminal as _;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use bajada::{Event, NodeReport, NodeState, Observer, Task};
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};

use crate::print;

/// How often the bars move.
const TICK: Duration = Duration::from_millis(100);

/// Steps of a bar.
const STEPS: u64 = 1000;

/// Shows a build on stderr.
pub(crate) struct Progress {
    bars: MultiProgress,
    running: Mutex<Vec<(String, Task, ProgressBar)>>,
    mode: Mode,
}

#[derive(Clone, Copy, PartialEq)]
enum Mode {
    Bars,
    Lines,
    Silent,
}

impl Progress {
    /// Bars on a terminal, lines elsewhere, nothing when `silent`.
    pub(crate) fn new(silent: bool) -> Self {
        let mode = match (silent, std::io::stderr().is_terminal()) {
            (true, _) => Mode::Silent,
            (false, true) => Mode::Bars,
            (false, false) => Mode::Lines,
        };
        Self { bars: MultiProgress::new(), running: Mutex::default(), mode }
    }

    /// Runs `work` while the bars move.
    pub(crate) fn during<R>(&self, work: impl FnOnce() -> R) -> R {
        if self.mode != Mode::Bars {
            return work();
        }
        let (done, wait) = std::sync::mpsc::channel::<()>();
        std::thread::scope(|scope| {
            scope.spawn(move || {
                let timeout = std::sync::mpsc::RecvTimeoutError::Timeout;
                while wait.recv_timeout(TICK) == Err(timeout) {
                    self.tick();
                }
            });
            let result = work();
            drop(done);
            result
        })
    }

    fn tick(&self) {
        let running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        for (_, task, bar) in running.iter() {
            bar.set_position((task.fraction() * STEPS as f64) as u64);
        }
    }

    fn started(&self, name: &str, kind: &str, task: &Task) {
        if self.mode != Mode::Bars {
            return;
        }
        let style = ProgressStyle::with_template("  {msg:32} {bar:30} {elapsed}")
            .unwrap_or_else(|_| ProgressStyle::default_bar());
        let bar = self.bars.add(ProgressBar::new(STEPS).with_style(style));
        bar.set_message(format!("{name} ({kind})"));
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        running.push((name.to_owned(), task.clone(), bar));
    }

    fn finished(&self, report: &NodeReport) {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(place) = running.iter().position(|(name, ..)| *name == report.name) {
            running.remove(place).2.finish_and_clear();
        }
        drop(running);
        match self.mode {
            Mode::Silent => {}
            Mode::Bars => {
                let _ = self.bars.println(line(report));
            }
            Mode::Lines => print::note(&line(report)),
        }
    }
}

impl Observer for Progress {
    fn notice(&self, event: &Event<'_>) {
        match event {
            Event::Planned { .. } => {}
            Event::Started { name, kind, task } => self.started(name, kind, task),
            Event::Finished { report } => self.finished(report),
        }
    }
}

fn line(report: &NodeReport) -> String {
    let state = match report.state {
        NodeState::Ran => "ran",
        NodeState::Reused => "reused",
        NodeState::Skipped => "skipped",
        NodeState::Failed => "FAILED",
    };
    let name = format!("{} ({})", report.name, report.kind);
    format!("  {state:8} {name:32} {:>8.0} ms  {}", report.milliseconds, report.reason)
}
