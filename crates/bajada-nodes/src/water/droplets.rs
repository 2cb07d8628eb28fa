//! `droplets`: rain carves rills and lays down what it took.

use std::sync::Arc;

use bajada_kernels::water::droplets::{self, CapacityLaw, DropletConfig, Ground};
use bajada_node::{
    Accepts, Choice, Conserves, EvalCtx, Gives, InputSpec, Locality, Node, NodeError, NodeSpec,
    OutputSpec, Outputs, Params, Quantity, Value,
};

/// Where the settings come from.
#[derive(Choice)]
pub enum Preset {
    /// The parameters here, in metres.
    Metric,
    /// The settings of the droplet programs after Beyer and Lague, in cells:
    /// inertia 0.05, capacity 4, erosion and deposition 0.3, evaporation 0.01,
    /// gravity 4, 30 steps, a brush of 3 cells. Of the parameters here only
    /// `density_per_km2` and `rain_time_s` count (one droplet to four cells is
    /// usual), and other samples are another terrain.
    Classic,
}

/// What a droplet can carry, for each m3 of its water.
#[derive(Choice)]
pub enum Carries {
    /// `capacity` times slope times speed in m/s.
    SlopeSpeed,
    /// `capacity` times the square of the speed in m/s, on any slope: rills run
    /// out onto level ground. A tenth of the usual capacity is strong.
    SpeedSquared,
}

/// Parameters of `droplets`.
#[derive(Params)]
pub struct DropletsParams {
    /// Where the settings come from.
    #[param(default = Preset::Metric)]
    pub preset: Preset,
    /// Droplets on each square kilometre. More droplets of the same rain are
    /// smoother and slower, not stronger.
    #[param(unit = "per km2", default = 4000.0, range = 0.0..=1_000_000.0)]
    pub density_per_km2: f64,
    /// Depth of the rain that all droplets together are: the strength.
    #[param(unit = "m", default = 0.6, range = 0.0..=100.0)]
    pub rain_m: f64,
    /// Time that the rain takes; nothing but `discharge` depends on it.
    #[param(unit = "s", default = 86_400.0, range = 1.0..=1e9)]
    pub rain_time_s: f64,
    /// Volume concentration that water of 1 m/s carries down a slope of 1.
    #[param(unit = "1", default = 1.2, range = 0.0..=20.0)]
    pub capacity: f64,
    /// What capacity grows with.
    #[param(default = Carries::SlopeSpeed)]
    pub carries: Carries,
    /// Path over which a droplet forgets its heading: longer runs straighter.
    #[param(unit = "m", default = 20.0, range = 0.0..=10_000.0)]
    pub inertia_length_m: f64,
    /// Path over which friction takes hold: longer runs faster.
    #[param(unit = "m", default = 20.0, range = 0.01..=100_000.0)]
    pub friction_length_m: f64,
    /// Path over which a droplet takes up what it can carry.
    #[param(unit = "m", default = 15.0, range = 0.01..=100_000.0)]
    pub erosion_length_m: f64,
    /// Path over which a droplet lays down what it cannot carry.
    #[param(unit = "m", default = 15.0, range = 0.01..=100_000.0)]
    pub deposition_length_m: f64,
    /// Path over which water evaporates.
    #[param(unit = "m", default = 2500.0, range = 1.0..=10_000_000.0)]
    pub evaporation_length_m: f64,
    /// Longest path of a droplet.
    #[param(unit = "m", default = 500.0, range = 1.0..=1_000_000.0)]
    pub path_length_m: f64,
    /// Radius of the cone that a droplet cuts with; at least 1.5 cells.
    #[param(unit = "m", default = 20.0, range = 0.0..=1000.0)]
    pub brush_radius_m: f64,
    /// Radius of the cone that a droplet lays down with; at least 1.5 cells.
    /// Much narrower than three times the brush, deposits grow dimples.
    #[param(unit = "m", default = 60.0, range = 0.0..=1000.0)]
    pub layer_radius_m: f64,
}

static SPEC: NodeSpec = NodeSpec {
    id: "droplets",
    version: 5,
    group: "water",
    title: "rain carves rills and lays down what it took",
    doc: "Droplets run down the ground with inertia and friction, take up what their speed lets \
          them carry and lay down the rest where they slow. Every length is in metres, so a \
          preview shows the rills of the full build. Hardness slows the cutting, layer by layer \
          where it changes with depth. Where `mask` is 0 the ground keeps its bits, and what \
          droplets carry there is the `supply`; what they carry over the map's edge is exported. \
          All other matter that is cut comes to rest on the map.",
    inputs: &[
        InputSpec::required("elevation", Accepts::Raster(Quantity::Elevation), "The ground."),
        InputSpec::optional(
            "hardness",
            Accepts::Lithology,
            "How hard it is; loose everywhere if left out.",
        ),
        InputSpec::optional(
            "mask",
            Accepts::Raster(Quantity::Mask),
            "Where it rains and the ground may change; everywhere if left out.",
        ),
    ],
    outputs: &[
        OutputSpec::new(
            "elevation",
            Gives::Raster(Quantity::Elevation),
            "The ground after the rain.",
        ),
        OutputSpec::new("erosion", Gives::Raster(Quantity::Thickness), "Thickness removed, net."),
        OutputSpec::new(
            "deposition",
            Gives::Raster(Quantity::Thickness),
            "Thickness laid down, net.",
        ),
        OutputSpec::new(
            "discharge",
            Gives::Raster(Quantity::Discharge),
            "Water through the cell, averaged over the time that the rain takes.",
        ),
        OutputSpec::new(
            "flow_velocity",
            Gives::Raster(Quantity::Velocity),
            "Mean velocity of that water.",
        ),
        OutputSpec::new(
            "supply",
            Gives::Supply,
            "What was carried to ground where `mask` is 0, for a node that lays it down.",
        ),
    ],
    params: DropletsParams::SPECS,
    extensions: &[],
    locality: Locality::Global,
    conserves: Conserves::Matter,
    random: true,
    drift: Some(0.4),
    bytes_per_sample: 60,
    nanoseconds_per_sample: 1500,
    citations: &["Beyer 2015, Implementation of a method for hydraulic erosion"],
    example: include_str!("../../../../graphs/nodes/droplets.ron"),
};

/// The node.
pub struct Droplets;

impl Node for Droplets {
    fn spec(&self) -> &'static NodeSpec {
        &SPEC
    }

    fn eval(&self, ctx: &EvalCtx<'_>) -> Result<Outputs, NodeError> {
        let params: DropletsParams = ctx.params();
        let config = DropletConfig {
            density: params.density_per_km2 * 1e-6,
            rain_depth: params.rain_m,
            capacity_law: match params.carries {
                Carries::SlopeSpeed => CapacityLaw::SlopeSpeed,
                Carries::SpeedSquared => CapacityLaw::SpeedSquared,
            },
            capacity_factor: params.capacity,
            inertia_length: params.inertia_length_m,
            friction_length: params.friction_length_m,
            erosion_length: params.erosion_length_m,
            deposition_length: params.deposition_length_m,
            evaporation_length: params.evaporation_length_m,
            path_length: params.path_length_m,
            brush_radius: params.brush_radius_m,
            layer_radius: params.layer_radius_m,
            ..DropletConfig::default()
        };
        let elevation = ctx.copy(ctx.raster("elevation")?);
        let config = match params.preset {
            Preset::Metric => config,
            Preset::Classic => config.classic(elevation.domain().cell_size()),
        };
        let ground = Ground {
            elevation: &elevation,
            hardness: ctx.lithology("hardness"),
            mask: ctx.optional_raster("mask"),
        };
        let eroded = droplets::erode(ctx.task(), &ground, &config, ctx.stream())?;
        let mut discharge = eroded.discharge;
        for volume in discharge.as_mut_slice() {
            *volume /= params.rain_time_s as f32;
        }
        Ok(ctx
            .outputs()
            .raster("elevation", eroded.elevation)
            .raster("erosion", eroded.erosion)
            .raster("deposition", eroded.deposition)
            .raster("discharge", discharge)
            .raster("flow_velocity", eroded.flow_velocity)
            .value("supply", Value::Supply(Arc::new(eroded.supply)))
            .ledger(eroded.ledger))
    }
}
