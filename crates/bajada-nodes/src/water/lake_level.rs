//! `lake_level`: water stands in hollows, and the ground keeps clear of it.

use bajada_kernels::water::lake_level::{LakeLevelConfig, lake_level};
use bajada_kernels::water::lakes::Fill;
use bajada_node::{
    Accepts, Choice, Conserves, EvalCtx, Gives, InputSpec, Locality, Node, NodeError, NodeSpec,
    OutputSpec, Outputs, Params, Quantity,
};

/// What decides how high water stands.
#[derive(Choice)]
pub enum Mode {
    /// Every hollow is full to its lowest pass.
    Spill,
    /// Ground below `level_m` is under water where water cannot run to the
    /// map's edge.
    Level,
    /// All ground below `level_m` is under water: the map's edge is a coast.
    Sea,
    /// `volume_m3` of rain fall evenly on the map, run into the hollows, fill
    /// them and spill into the next.
    Volume,
}

/// Parameters of `lake_level`.
#[derive(Params)]
pub struct LakeLevelParams {
    /// What decides how high water stands.
    #[param(default = Mode::Spill)]
    pub mode: Mode,
    /// The plane of `Level` and `Sea`.
    #[param(unit = "m", default = 0.0, range = -20_000.0..=20_000.0)]
    pub level_m: f64,
    /// The water of `Volume`.
    #[param(unit = "m3", default = 1e6, range = 0.0..=1e15)]
    pub volume_m3: f64,
    /// Smallest lake; none has fewer than six cells.
    #[param(unit = "m2", default = 10_000.0, range = 0.0..=1e12)]
    pub min_area_m2: f64,
    /// Shallowest lake, at its deepest cell.
    #[param(unit = "m", default = 1.0, range = 0.0..=1000.0)]
    pub min_depth_m: f64,
    /// How far the bench reaches on either side of the shore; the ground is the
    /// old one at three times that. 0 makes no bench.
    #[param(unit = "m", default = 15.0, range = 0.0..=500.0)]
    pub shore_width_m: f64,
    /// Slope of the bench on land, rise over run.
    #[param(unit = "1", default = 0.02, range = 0.001..=1.0)]
    pub shore_slope: f64,
    /// Slope of the bench under water, rise over run.
    #[param(unit = "1", default = 0.05, range = 0.001..=1.0)]
    pub bed_slope: f64,
    /// Least distance between ground and a water plane; raised to eight units
    /// of f32 and to two steps of export.
    #[param(unit = "m", default = 0.02, range = 0.001..=10.0)]
    pub clearance_m: f64,
    /// Step between two codes of the file that the ground is meant for: its
    /// range divided by 65535 for a PNG of 16 bits; 0 for floats.
    #[param(unit = "m", default = 0.0, range = 0.0..=10.0)]
    pub export_step_m: f64,
}

static SPEC: NodeSpec = NodeSpec {
    id: "lake_level",
    version: 1,
    group: "water",
    title: "water stands in hollows, and the ground keeps clear of it",
    doc: "Finds which hollows hold water and levels it; a brimful lake stands just under its \
          pass. At the shore the ground becomes a bench that falls toward the water everywhere, \
          along the smooth line where ground and plane meet between the samples. No cell of the \
          map lies nearer to a water plane than `clearance_m`, in f32 and, with `export_step_m`, \
          in the codes of a file too: nothing shimmers. What the bench cuts lies on the deep bed \
          of the same lake; a rest that finds no room there is booked. Two lakes whose planes \
          would be nearer than four clearances share the lower one. Water is not ground: the \
          ledger is that of the ground.",
    inputs: &[
        InputSpec::required("elevation", Accepts::Raster(Quantity::Elevation), "The ground."),
        InputSpec::optional(
            "mask",
            Accepts::Raster(Quantity::Mask),
            "Which lakes: those whose deepest cell has one half or more; all if left out.",
        ),
    ],
    outputs: &[
        OutputSpec::new(
            "elevation",
            Gives::Raster(Quantity::Elevation),
            "The ground; the bed where there is water.",
        ),
        OutputSpec::new("water", Gives::Raster(Quantity::Thickness), "Depth of the water."),
        OutputSpec::new(
            "water_surface",
            Gives::Raster(Quantity::Elevation),
            "The water plane; the ground where it is dry.",
        ),
        OutputSpec::new(
            "lake",
            Gives::Raster(Quantity::Label),
            "Number of the lake, the one with the lowest bed first.",
        ),
        OutputSpec::new(
            "shore",
            Gives::Raster(Quantity::Mask),
            "1 on the bench, fading to 0 where the ground is the old one.",
        ),
    ],
    params: LakeLevelParams::SPECS,
    extensions: &[],
    locality: Locality::Global,
    conserves: Conserves::Matter,
    random: false,
    drift: Some(0.55),
    bytes_per_sample: 76,
    nanoseconds_per_sample: 300,
    citations: &[
        "Barnes, Callaghan & Wickert 2020, Computing water flow through complex landscapes, part 2: finding hierarchies in depressions and morphological segmentations",
        "Barnes, Callaghan & Wickert 2021, Computing water flow through complex landscapes, part 3: fill-spill-merge",
    ],
    example: include_str!("../../../../graphs/nodes/lake_level.ron"),
};

/// The node.
pub struct LakeLevel;

impl Node for LakeLevel {
    fn spec(&self) -> &'static NodeSpec {
        &SPEC
    }

    fn eval(&self, ctx: &EvalCtx<'_>) -> Result<Outputs, NodeError> {
        let params: LakeLevelParams = ctx.params();
        let six_cells = 6.0 * ctx.world().domain.cell_area();
        let min_area = if params.min_area_m2 > six_cells { params.min_area_m2 } else { six_cells };
        let config = LakeLevelConfig {
            fill: match params.mode {
                Mode::Spill => Fill::Spill,
                Mode::Level => Fill::Level(params.level_m),
                Mode::Sea => Fill::Sea(params.level_m),
                Mode::Volume => Fill::Volume(params.volume_m3),
            },
            min_area,
            min_depth: params.min_depth_m,
            shore_width: params.shore_width_m,
            shore_slope: params.shore_slope,
            bed_slope: params.bed_slope,
            clearance: params.clearance_m,
            export_step: params.export_step_m,
        };
        let elevation = ctx.copy(ctx.raster("elevation")?);
        let mask = ctx.optional_raster("mask");
        let leveled = lake_level(ctx.task(), &elevation, mask, &config)?;
        let outputs = ctx
            .outputs()
            .raster("elevation", leveled.elevation)
            .raster("water", leveled.water)
            .raster("water_surface", leveled.water_surface)
            .raster("lake", leveled.lake)
            .raster("shore", leveled.shore)
            .ledger(leveled.ledger);
        let held: f64 = leveled.lakes.iter().map(|lake| lake.volume).sum();
        let poured = format!(
            "{:.3e} m3 stand in {} lakes, {:.3e} m3 ran off the map",
            held,
            leveled.lakes.len(),
            leveled.exported
        );
        Ok(match params.mode {
            _ if leveled.lakes.is_empty() => outputs.note("no hollow holds a lake"),
            Mode::Volume => outputs.note(poured),
            _ => outputs,
        })
    }
}
