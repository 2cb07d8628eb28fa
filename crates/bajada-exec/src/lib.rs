//! Runs a plan: what is wanted and not yet known, branches side by side,
//! failures kept to their branch, and a report of everything.
//!
//! A node is a pure function of its key's parts, so where and when it runs
//! cannot show in its result. [`run`] walks the plan with a few worker slots;
//! each has a thread pool of its own that lives as long as the run, so that a
//! node's inner loops never end up waiting inside another node's.

mod cache;
mod chain;
mod observe;
mod report;
mod run;
mod schedule;
mod slot;

pub use cache::{Action, Cache, MemoryCache, NoCache, OutputRecord};
pub use observe::{Event, Observer, Silent};
pub use report::{LedgerReport, NodeReport, NodeState, OutputStats, RunReport};
pub use run::{Run, RunOptions, run};
