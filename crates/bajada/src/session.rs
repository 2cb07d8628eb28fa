//! One user at work: the kinds that are known and the results that are kept.

use std::path::Path;

use bajada_exec::MemoryCache;
use bajada_graph::{
    Code, Diagnostic, DiagnosticJson, RenderStyle, Severity, diagnostics_to_json, render,
};
use bajada_node::Registry;
use bajada_plan::{CheckOptions, Checked, check};

use crate::error::Error;
use crate::source::Source;

/// Bytes of values that a session keeps between builds.
const CACHE_BYTES: u64 = 512 << 20;

/// The kinds that graphs may use, and the results of earlier builds.
pub struct Session {
    pub(crate) registry: Registry,
    pub(crate) cache: MemoryCache,
}

impl Default for Session {
    fn default() -> Self {
        Self::new()
    }
}

/// What a check has found.
#[derive(Clone, Debug)]
pub struct CheckReport {
    /// Name of the graph, as it was given.
    pub path: String,
    /// Its text, to show places in.
    pub text: String,
    /// Everything that is wrong or doubtful, by place.
    pub diagnostics: Vec<Diagnostic>,
    /// Targets that name nothing in the graph.
    pub unknown_targets: Vec<UnknownTarget>,
}

/// A target that names nothing.
#[derive(Clone, Debug)]
pub struct UnknownTarget {
    /// As it was given.
    pub name: String,
    /// The names nearest to it.
    pub nearest: Vec<String>,
}

impl CheckReport {
    /// Whether the graph can be built.
    pub fn ok(&self) -> bool {
        let error = |diagnostic: &Diagnostic| diagnostic.severity == Severity::Error;
        self.unknown_targets.is_empty() && !self.diagnostics.iter().any(error)
    }

    /// Whether all that is wrong are files that are not there or not readable:
    /// the graph itself is fine, the machine is not.
    pub fn only_files_missing(&self) -> bool {
        let files = [Code::FILE_MISSING, Code::FILE_UNREADABLE, Code::WORLD_SOURCE_UNKNOWN];
        let mut errors =
            self.diagnostics.iter().filter(|found| found.severity == Severity::Error).peekable();
        let about_files = |code: Code| code == Code::FILE_MISSING || code == Code::FILE_UNREADABLE;
        self.unknown_targets.is_empty()
            && errors.peek().is_some()
            && self.diagnostics.iter().any(|found| about_files(found.code))
            && errors.all(|found| files.contains(&found.code))
    }

    /// The diagnostics for a person.
    pub fn render(&self, style: RenderStyle) -> String {
        let mut text = render(&self.diagnostics, &self.path, &self.text, style);
        for target in &self.unknown_targets {
            text.push_str(&format!("error: the graph has nothing called `{}`", target.name));
            if !target.nearest.is_empty() {
                text.push_str(&format!("; did you mean `{}`?", target.nearest.join("`, `")));
            }
            text.push('\n');
        }
        text
    }

    /// The diagnostics for a machine.
    pub fn to_json(&self) -> Vec<DiagnosticJson> {
        diagnostics_to_json(&self.diagnostics, &self.path, &self.text)
    }
}

impl Session {
    /// A session with the built-in kinds.
    pub fn new() -> Self {
        Self { registry: bajada_nodes::registry(), cache: MemoryCache::new(CACHE_BYTES) }
    }

    /// The kinds that graphs may use.
    pub fn registry(&self) -> &Registry {
        &self.registry
    }

    /// Checks the graph at `path`. Runs nothing.
    pub fn check(&self, path: &Path, options: &CheckOptions) -> Result<CheckReport, Error> {
        let source = Source::open(path)?;
        Ok(self.check_source(&source, options).1)
    }

    pub(crate) fn check_source(
        &self,
        source: &Source,
        options: &CheckOptions,
    ) -> (Checked, CheckReport) {
        let mut checked = check(&source.document, &self.registry, &source.assets, options);
        let mut diagnostics = source.diagnostics.clone();
        diagnostics.append(&mut checked.diagnostics);
        diagnostics.sort_by_key(|found| (found.span().start, found.span().end));
        let unknown_targets = checked
            .unknown_targets
            .iter()
            .map(|(name, nearest)| UnknownTarget { name: name.clone(), nearest: nearest.clone() })
            .collect();
        let report = CheckReport {
            path: source.path.display().to_string(),
            text: source.text.clone(),
            diagnostics,
            unknown_targets,
        };
        (checked, report)
    }
}
