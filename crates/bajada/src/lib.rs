//! The façade: open a graph, check it, build it, read what it has made.
//!
//! The crates below are pure; this one touches files. It reads graphs and the
//! rasters they name, and writes outputs staged and renamed. Everything else is
//! a few lines of stringing together.
//!
//! ```no_run
//! use bajada::{BuildOptions, Session};
//!
//! let session = Session::new();
//! let build = session.build("graphs/showcase/noise_range.ron".as_ref(), &BuildOptions::default());
//! println!("{}", build.expect("a readable graph").report.to_json());
//! ```

mod assets;
mod build;
mod drift;
mod error;
mod files;
mod inspect;
mod landscape;
mod manual;
mod report;
mod session;
mod source;
mod view;

pub use bajada_exec::{Event, LedgerReport, NodeReport, NodeState, Observer, Silent};
pub use bajada_graph::{Diagnostic, RenderStyle, Severity, diagnostics_to_json, render};
pub use bajada_grid::Task;
pub use bajada_plan::{CheckOptions, SamplesOverride};
pub use build::{Build, BuildOptions};
pub use drift::{Drift, DriftOptions, OutputDrift, RunDrift};
pub use error::Error;
pub use inspect::{InspectOptions, Inspection, inspect};
pub use landscape::Landscape;
pub use manual::{nearest_kinds, node_json, node_list, node_page};
pub use report::{BuildReport, OutputReport, write_report};
pub use session::{CheckReport, Session, UnknownTarget};
pub use view::{ViewOptions, view};
