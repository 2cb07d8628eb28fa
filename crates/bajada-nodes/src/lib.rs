//! The built-in nodes: each a table, its parameters, and a few lines from
//! inputs to a kernel to outputs.
//!
//! A node lives in the folder of its group, in a file of its name. [`NODES`]
//! is the one list of them all.

pub mod deposit;
pub mod flow;
pub mod georeference;
pub mod mask;
pub mod output;
pub mod rock;
pub mod scene;
pub mod shape;
pub mod slope;
pub mod source;
pub mod water;

use bajada_node::{Node, Registry};

/// Every built-in node.
pub const NODES: &[&dyn Node] = &[
    &deposit::basin_fill::BasinFill,
    &deposit::fan::Fan,
    &flow::depressions::Depressions,
    &flow::flow::Flow,
    &flow::stream_power::StreamPower,
    &flow::watershed::Watershed,
    &mask::elevation_mask::ElevationMask,
    &mask::slope_mask::SlopeMask,
    &output::oblique::Oblique,
    &output::raster::RasterFile,
    &output::relief::Relief,
    &output::table::TableFile,
    &rock::hardness_mask::HardnessMask,
    &rock::strata::Strata,
    &shape::blur::Blur,
    &shape::combine::Combine,
    &shape::erosion_filter::ErosionFilter,
    &shape::remap::Remap,
    &shape::terrace::Terrace,
    &slope::talus::Talus,
    &source::constant::Constant,
    &source::front::Front,
    &source::import::Import,
    &source::noise::Noise,
    &source::noise_rs::NoiseRs,
    &source::radial::Radial,
    &water::droplets::Droplets,
    &water::lake_level::LakeLevel,
    &water::shallow_water::ShallowWater,
];

/// The built-in nodes as a registry.
pub fn registry() -> Registry {
    Registry::new(NODES).expect("the names in NODES differ, which a test holds")
}

#[cfg(test)]
mod tests {
    #[test]
    fn no_two_nodes_share_a_name() {
        assert_eq!(super::registry().iter().count(), super::NODES.len());
    }
}
