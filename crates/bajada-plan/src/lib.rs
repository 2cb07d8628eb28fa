//! From a document to a plan: names resolved, quantities agreed, parameters
//! decoded and in range.
//!
//! Everything here is pure. [`check`] takes a parsed document, the registry of
//! kinds and the probed files, and gives a [`Plan`] or the list of everything
//! that is wrong, each with its place. What a cached result depends on is
//! spelled out in [`KeyParts`].

mod arguments;
mod assets;
mod check;
mod cycles;
mod key;
mod kinds;
mod outputs;
mod params;
mod plan;
mod world;

pub use assets::{AssetEntry, AssetIndex, AssetProblem, asset_paths};
pub use check::{CheckOptions, Checked, check};
pub use key::{Change, KeyParts};
pub use outputs::sidecar_path;
pub use plan::{InputLink, Plan, PlanNode, PlanOutput};
pub use world::SamplesOverride;
