//! The façade: open, check, build, report.
