//! `fan`: alluvial fans where canyons open.

use std::sync::Arc;

use bajada_grid::{Column, Domain, Table, math};
use bajada_kernels::deposit::apices::{self, ApexConfig};
use bajada_kernels::deposit::fan::{
    self, Emplacement, Fan as BuiltFan, FanConfig, FrontConfig, Ground, Source,
};
use bajada_node::{
    Accepts, Choice, Complaint, Conserves, EvalCtx, Gives, InputSpec, Locality, Node, NodeError,
    NodeSpec, OutputSpec, Outputs, Params, Quantity, Value, Wiring,
};

/// What gives way to the volume of a fan.
#[derive(Choice)]
pub enum Apex {
    /// Anchored where there is room below the channel, else aggrading; a note
    /// says which.
    Auto,
    /// The apex stays on the bed of its channel; what does not fit is surplus.
    Anchored,
    /// The apex rises until the volume fits, and the canyon is back-filled.
    Aggrade,
}

/// Parameters of `fan`.
#[derive(Params)]
pub struct FanParams {
    /// Apices by name: metres east and south of the world's corner. Each takes
    /// the largest channel within five cells. Left out, `front` says where; if
    /// that is not linked either, they are found by how valleys open.
    #[param(unit = "m", default = none, range = -1e7..=1e7)]
    pub apices_m: Vec<[f64; 2]>,
    /// Least area that drains through an apex on the `front`.
    #[param(unit = "km2", default = 0.06, range = 0.0..=10_000.0)]
    pub least_area_km2: f64,
    /// Least distance between two apices on the `front`; half as much again
    /// where more than 1 km2 drains through one.
    #[param(unit = "m", default = 220.0, range = 0.0..=100_000.0)]
    pub least_distance_m: f64,
    /// Mean depth taken from all ground that drains to an apex. Where `sediment`
    /// is linked, what lies loose is taken instead.
    #[param(unit = "m", default = 10.0, range = 0.0..=500.0)]
    pub denudation_m: f64,
    /// Volume from outside the map for all fans together, shared by drainage
    /// area.
    #[param(unit = "m3", default = none, range = 0.0..=1e15)]
    pub volume_m3: Option<f64>,
    /// What gives way to the volume.
    #[param(default = Apex::Auto)]
    pub apex: Apex,
    /// Slope at the apex below a drainage area of 1 km2, rise over run.
    #[param(unit = "1", default = 0.12, range = 0.005..=0.3)]
    pub head_slope: f64,
    /// How fast the slope of the head falls with the drainage area: 0 gives all
    /// fans one slope.
    #[param(unit = "1", default = 0.20, range = 0.0..=0.5)]
    pub slope_exponent: f64,
    /// Slope that fans tend to far from the apex, rise over run.
    #[param(unit = "1", default = 0.03, range = 0.0..=0.2)]
    pub toe_slope: f64,
    /// Way over which half of the head's excess of slope is lost, below 1 km2.
    #[param(unit = "m", default = 900.0, range = 10.0..=20_000.0)]
    pub half_length_m: f64,
    /// Flattest an anchored fan may be, as a share of its profile.
    #[param(unit = "1", default = 0.5, range = 0.05..=1.0)]
    pub least_flatness: f64,
    /// Scalloped toes, lobes and braids; 0 is smooth.
    #[param(unit = "1", default = 1.0, range = 0.0..=1.0)]
    pub roughness: f64,
    /// Steepest deposit that is left.
    #[param(unit = "deg", default = 13.5, range = 1.0..=45.0)]
    pub repose_angle_deg: f64,
    /// Share of gravel in what is laid down.
    #[param(unit = "1", default = 0.65, range = 0.0..=1.0)]
    pub gravel: f64,
    /// Share of sand; silt is the rest.
    #[param(unit = "1", default = 0.25, range = 0.0..=1.0)]
    pub sand: f64,
}

static SPEC: NodeSpec = NodeSpec {
    id: "fan",
    version: 1,
    group: "deposit",
    title: "alluvial fans where canyons open",
    doc: "Lays the sediment of each canyon down as a fan: a concave cone in the shortest way from \
          its apex around obstacles, steep below small drainage areas and gentle below large \
          ones. Its volume is exact: what is laid down and the surplus are what it received. \
          Neighbors grow together into a bajada with lows between them. The apex stays on its \
          channel where there is room below, else it rises and the canyon is back-filled. \
          All ground that drains to an apex is lowered by `denudation_m`, most in its channels; \
          where `sediment` is linked, what lies loose is taken instead. What comes by `supply` and \
          from outside (`volume_m3`) is laid down besides. A parcel of supply goes to the apex downstream of it, else to the \
          nearest. The map's edge is a wall to fans.",
    inputs: &[
        InputSpec::required("elevation", Accepts::Raster(Quantity::Elevation), "The ground."),
        InputSpec::optional(
            "front",
            Accepts::Raster(Quantity::Mask),
            "1 on the mountains, 0 in the basin: apices are where channels leave the one for the \
             other. If left out, apices are where valleys open.",
        ),
        InputSpec::optional(
            "sediment",
            Accepts::Raster(Quantity::Thickness),
            "What lies loose on the ground and can be carried.",
        ),
        InputSpec::optional("supply", Accepts::Supply, "What another node handed on."),
        InputSpec::optional(
            "mask",
            Accepts::Raster(Quantity::Mask),
            "Where ground may rise (0.5 and more); everywhere if left out.",
        ),
    ],
    outputs: &[
        OutputSpec::new(
            "elevation",
            Gives::Raster(Quantity::Elevation),
            "The ground with its fans.",
        ),
        OutputSpec::new(
            "deposition",
            Gives::Raster(Quantity::Thickness),
            "Thickness laid down, net.",
        ),
        OutputSpec::new("erosion", Gives::Raster(Quantity::Thickness), "Thickness taken, net."),
        OutputSpec::new(
            "owner",
            Gives::Raster(Quantity::Label),
            "Which fan lies here, in the order of `apices`.",
        ),
        OutputSpec::new(
            "distance",
            Gives::Raster(Quantity::Mask),
            "Way from the apex: 0 there, 1 at the farthest toe.",
        ),
        OutputSpec::new("gravel", Gives::Raster(Quantity::Mask), "Share of gravel."),
        OutputSpec::new("sand", Gives::Raster(Quantity::Mask), "Share of sand."),
        OutputSpec::new("silt", Gives::Raster(Quantity::Mask), "Share of silt."),
        OutputSpec::new("surplus", Gives::Supply, "What the fans had no room for."),
        OutputSpec::new("apices", Gives::Table, "One row for each fan."),
    ],
    params: FanParams::SPECS,
    extensions: &[],
    locality: Locality::Global,
    conserves: Conserves::Matter,
    random: true,
    drift: Some(0.35),
    bytes_per_sample: 180,
    nanoseconds_per_sample: 1000,
    citations: &[
        "Chiu, Chen & Capart 2026, alluvial fans as one curve over the shortest way from the apex",
        "Stock, Schmidt & Miller 2008, Controls on alluvial fan long-profiles",
    ],
    example: include_str!("../../../../graphs/nodes/fan.ron"),
};

/// The node.
pub struct Fan;

impl Node for Fan {
    fn spec(&self) -> &'static NodeSpec {
        &SPEC
    }

    fn check(&self, wiring: &Wiring<'_>) -> Result<(), Complaint> {
        let params = FanParams::read(wiring.params);
        let silt = 1.0 - params.gravel - params.sand;
        if silt < -1e-9 {
            return Err(Complaint {
                about: "sand",
                message: format!(
                    "gravel and sand together are {} of the deposit",
                    params.gravel + params.sand
                ),
                hint: Some(format!("write `sand: {}` or less", 1.0 - params.gravel)),
            });
        }
        Ok(())
    }

    fn eval(&self, ctx: &EvalCtx<'_>) -> Result<Outputs, NodeError> {
        let params: FanParams = ctx.params();
        let elevation = ctx.copy(ctx.raster("elevation")?);
        let front = FrontConfig {
            least_area: params.least_area_km2 * 1e6,
            spacing: params.least_distance_m,
            large_spacing: params.least_distance_m * 1.6,
        };
        let apices = match ctx.optional_raster("front") {
            _ if !params.apices_m.is_empty() => fan::at_points(&elevation, &params.apices_m),
            Some(mask) => fan::along_front(&elevation, mask, &front),
            None => apices::find(ctx.task(), &elevation, &ApexConfig::default())?,
        };
        let config = FanConfig {
            emplacement: match params.apex {
                Apex::Auto => Emplacement::Auto,
                Apex::Anchored => Emplacement::Anchored,
                Apex::Aggrade => Emplacement::Aggrade,
            },
            head_slope: params.head_slope,
            slope_exponent: params.slope_exponent,
            toe_slope: params.toe_slope,
            half_length: params.half_length_m,
            least_flatness: params.least_flatness,
            roughness: params.roughness,
            repose: math::tan_deg(params.repose_angle_deg),
            gravel: params.gravel,
            sand: params.sand,
            ..FanConfig::default()
        };
        let ground = Ground {
            elevation: &elevation,
            sediment: ctx.optional_raster("sediment"),
            mask: ctx.optional_raster("mask"),
        };
        let mut sources = vec![match ground.sediment {
            Some(_) => Source::Loose,
            None => Source::Denudation(params.denudation_m),
        }];
        sources.extend(ctx.supply("supply").map(Source::Parcels));
        sources.extend(params.volume_m3.map(Source::Outside));
        let built = fan::build(ctx.task(), &ground, &apices, &sources, &config, ctx.stream())?;
        let apices = table(&built.fans, elevation.domain());
        let outputs = ctx
            .outputs()
            .raster("elevation", built.elevation)
            .raster("deposition", built.deposition)
            .raster("erosion", built.erosion)
            .raster("owner", built.owner)
            .raster("distance", built.distance)
            .raster("gravel", built.gravel)
            .raster("sand", built.sand)
            .raster("silt", built.silt)
            .value("surplus", Value::Supply(Arc::new(built.surplus)))
            .value("apices", Value::Table(Arc::new(apices)))
            .ledger(built.ledger);
        let missing = params.apices_m.len().saturating_sub(built.fans.len());
        let outputs = if missing > 0 {
            outputs.note(format!("{missing} of `apices_m` lie off the map or share a channel"))
        } else {
            outputs
        };
        Ok(built.notes.into_iter().fold(outputs, |outputs, note| outputs.note(note)))
    }
}

/// The fans as rows.
fn table(fans: &[BuiltFan], domain: &Domain) -> Table {
    const COLUMNS: [(&str, &str); 13] = [
        ("x_m", "m"),
        ("y_m", "m"),
        ("elevation_m", "m"),
        ("drainage_area_m2", "m2"),
        ("supply_m3", "m3"),
        ("deposited_m3", "m3"),
        ("surplus_m3", "m3"),
        ("area_m2", "m2"),
        ("radius_m", "m"),
        ("head_slope", "1"),
        ("middle_slope", "1"),
        ("toe_slope", "1"),
        ("anchored", "1"),
    ];
    let row = |fan: &BuiltFan| {
        let (x, y) = domain.column_row(fan.cell);
        let [head, middle, toe] = fan.slopes;
        vec![
            domain.world_x(x),
            domain.world_y(y),
            fan.elevation,
            fan.catchment_area,
            fan.supply,
            fan.deposited,
            fan.surplus,
            fan.area,
            fan.radius,
            head,
            middle,
            toe,
            f64::from(u8::from(fan.anchored)),
        ]
    };
    Table {
        columns: COLUMNS.map(|(name, unit)| Column { name, unit }).to_vec(),
        rows: fans.iter().map(row).collect(),
    }
}
