//! The files that a graph names: read whole, and asked where their samples lie.

use std::path::Path;

use bajada_formats::probe;
use bajada_graph::Document;
use bajada_node::{Asset, World};
use bajada_nodes::georeference::world_of;
use bajada_plan::{AssetEntry, AssetIndex, AssetProblem, asset_paths};

use crate::files::{self, ReadProblem};

/// Largest input file, bytes.
const MAX_ASSET_BYTES: u64 = 4 << 30;

/// Reads every file that `document` names, relative to `folder`.
pub(crate) fn probe_assets(document: &Document, folder: &Path) -> AssetIndex {
    let mut index = AssetIndex::new();
    for path in asset_paths(document) {
        let file = folder.join(&path.value);
        index.entry(path.value).or_insert_with(|| read_asset(&file));
    }
    index
}

fn read_asset(path: &Path) -> Result<AssetEntry, AssetProblem> {
    let bytes = files::read(path, MAX_ASSET_BYTES).map_err(|problem| match problem {
        ReadProblem::Missing => AssetProblem::Missing,
        ReadProblem::Other(why) => AssetProblem::Unreadable(why),
    })?;
    let extension = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    let lattice = lattice(&bytes, &extension);
    Ok(AssetEntry { asset: Asset::new(&extension, bytes), lattice })
}

/// Where the samples of a raster file lie, in metres.
fn lattice(bytes: &[u8], extension: &str) -> Result<World, String> {
    let header = probe(bytes, extension).map_err(|error| error.to_string())?;
    let georeference = header.georeference.ok_or("it states no place and no cell size")?;
    world_of(&georeference, [header.width, header.height])
}
