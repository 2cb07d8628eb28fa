//! The commands, one file each.

pub(crate) mod build;
pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod drift;
pub(crate) mod inspect;
pub(crate) mod nodes;
pub(crate) mod view;
