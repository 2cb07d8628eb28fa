//! `basin_fill`: sediment fills hollows, with a floor that drains.

use bajada_kernels::deposit::basin_fill::{BasinFillConfig, Outside, basin_fill};
use bajada_node::{
    Accepts, Choice, Conserves, EvalCtx, Gives, InputSpec, Locality, Node, NodeError, NodeSpec,
    OutputSpec, Outputs, Params, Quantity,
};

/// How much sediment comes from outside the map.
#[derive(Choice)]
pub enum Mode {
    /// `volume_m3`, evenly from all ground.
    Volume,
    /// As much as fills every hollow to its lowest pass.
    Spill,
    /// As much as fills hollows to `level_m`.
    Level,
}

/// Parameters of `basin_fill`.
#[derive(Params)]
pub struct BasinFillParams {
    /// How much sediment comes from outside the map, beside the supply.
    #[param(default = Mode::Volume)]
    pub mode: Mode,
    /// The sediment of `Volume`. Left out, none where `supply` is linked, else
    /// a layer of 0.1 m over the whole map.
    #[param(unit = "m3", default = none, range = 0.0..=1e15)]
    pub volume_m3: Option<f64>,
    /// The level of `Level`; ground from which water runs to the map's edge
    /// stays as it is.
    #[param(unit = "m", default = 0.0, range = -20_000.0..=20_000.0)]
    pub level_m: f64,
    /// Slope of the floor toward its sump; playas have 0.0001 to 0.001, and 0
    /// is level.
    #[param(unit = "1", default = 0.0003, range = 0.0..=0.01)]
    pub floor_slope: f64,
}

static SPEC: NodeSpec = NodeSpec {
    id: "basin_fill",
    version: 1,
    group: "deposit",
    title: "sediment fills hollows, with a floor that drains",
    doc: "Takes up a supply where its parcels lie, or sediment from outside the map, lets it run \
          together like water and lays it down in the hollows: a full one spills into the next, \
          and what finds no hollow is booked as exported. The floor of a hollow rises gently from \
          its lowest cell, so that a playa still drains to its sump; the volume is that of a \
          level fill. Nothing is cut, and ground outside the floors keeps its bits.",
    inputs: &[
        InputSpec::required("elevation", Accepts::Raster(Quantity::Elevation), "The ground."),
        InputSpec::optional("supply", Accepts::Supply, "Sediment to take up, all of it."),
    ],
    outputs: &[
        OutputSpec::new(
            "elevation",
            Gives::Raster(Quantity::Elevation),
            "The ground with its hollows filled.",
        ),
        OutputSpec::new("deposition", Gives::Raster(Quantity::Thickness), "Thickness laid down."),
        OutputSpec::new(
            "playa",
            Gives::Raster(Quantity::Mask),
            "1 at a floor's sump, falling to 0 at its rim by share of its area; 0 elsewhere.",
        ),
    ],
    params: BasinFillParams::SPECS,
    extensions: &[],
    locality: Locality::Global,
    conserves: Conserves::Matter,
    random: false,
    drift: Some(0.13),
    bytes_per_sample: 52,
    nanoseconds_per_sample: 400,
    citations: &[
        "Barnes, Callaghan & Wickert 2021, Computing water flow through complex landscapes, part 3: fill-spill-merge",
    ],
    example: include_str!("../../../../graphs/nodes/basin_fill.ron"),
};

/// The node.
pub struct BasinFill;

impl Node for BasinFill {
    fn spec(&self) -> &'static NodeSpec {
        &SPEC
    }

    fn eval(&self, ctx: &EvalCtx<'_>) -> Result<Outputs, NodeError> {
        let params: BasinFillParams = ctx.params();
        let supply = ctx.supply("supply");
        let domain = &ctx.world().domain;
        let layer = 0.1 * domain.cell_area() * domain.len() as f64;
        let config = BasinFillConfig {
            outside: match params.mode {
                Mode::Volume => Outside::Volume(match (params.volume_m3, supply) {
                    (Some(volume), _) => volume,
                    (None, Some(_)) => 0.0,
                    (None, None) => layer,
                }),
                Mode::Spill => Outside::Spill,
                Mode::Level => Outside::Level(params.level_m),
            },
            floor_slope: params.floor_slope,
        };
        let elevation = ctx.copy(ctx.raster("elevation")?);
        let filled = basin_fill(ctx.task(), &elevation, supply, &config)?;
        let (ledger, given) = (filled.ledger, filled.ledger.brought_in + filled.ledger.taken_up);
        let outputs = ctx
            .outputs()
            .raster("elevation", filled.elevation)
            .raster("deposition", filled.deposition)
            .raster("playa", filled.playa)
            .ledger(ledger);
        Ok(if ledger.exported > 0.5 * given {
            outputs.note(format!(
                "{:.0} % of the sediment found no hollow and left the map",
                100.0 * ledger.exported / given
            ))
        } else {
            outputs
        })
    }
}
