//! The files that a graph names, as the façade found them.

use std::collections::BTreeMap;

use bajada_graph::{Document, Expr, Spanned};
use bajada_node::{Asset, World};

/// Why a file cannot be used.
#[derive(Clone, Debug)]
pub enum AssetProblem {
    /// It is not there.
    Missing,
    /// It is there and cannot be read, or must not be: why.
    Unreadable(String),
}

/// A file that was read.
#[derive(Clone, Debug)]
pub struct AssetEntry {
    /// Its content.
    pub asset: Asset,
    /// The lattice of the raster in it, or why it has none.
    pub lattice: Result<World, String>,
}

/// What was found at each path that a graph names.
pub type AssetIndex = BTreeMap<String, Result<AssetEntry, AssetProblem>>;

/// The paths that a document names as `file("...")`, in its order.
pub fn asset_paths(document: &Document) -> Vec<Spanned<String>> {
    let nodes = document.nodes.iter().chain(&document.outputs);
    nodes
        .flat_map(|node| &node.arguments)
        .filter_map(|argument| match &argument.value.value {
            Expr::File(path) => Some(path.clone()),
            _ => None,
        })
        .collect()
}
