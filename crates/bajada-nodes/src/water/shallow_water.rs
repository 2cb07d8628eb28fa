//! `shallow_water`: rain gathers to running water that carves and lays down.

use bajada_grid::math;
use bajada_kernels::water::shallow_water::{self, Basin, ShallowWaterConfig, Side};
use bajada_node::{
    Accepts, Choice, Conserves, EvalCtx, Gives, InputSpec, Locality, Node, NodeError, NodeSpec,
    OutputSpec, Outputs, Params, Quantity,
};

/// What lies beyond a side of the map.
#[derive(Choice)]
pub enum MapSide {
    /// Water leaves with what it carries. The ground there stands still.
    Outflow,
    /// Nothing passes.
    Wall,
    /// Water that stands at `level_m`. The ground there stands still.
    Fixed,
}

/// Parameters of `shallow_water`.
#[derive(Params)]
pub struct ShallowWaterParams {
    /// How long it rains and water runs.
    #[param(unit = "s", default = 3600.0, range = 0.0..=1_000_000.0)]
    pub time_s: f64,
    /// Rain, where `rain` is 1.
    #[param(unit = "mm per h", default = 400.0, range = 0.0..=1000.0)]
    pub rain_mm_per_h: f64,
    /// What the ground takes in of all water that stands or runs on it.
    #[param(unit = "mm per h", default = 0.0, range = 0.0..=1000.0)]
    pub infiltration_mm_per_h: f64,
    /// What the air takes of it.
    #[param(unit = "mm per h", default = 0.0, range = 0.0..=100.0)]
    pub evaporation_mm_per_h: f64,
    /// Manning's roughness, in s/m^(1/3): 0.03 is a clean channel, 0.05 a stony
    /// one, 0.1 a thicket.
    #[param(unit = "1", default = 0.1, range = 0.001..=1.0)]
    pub manning: f64,
    /// Depth of the softest ground that current cuts in an hour for each pascal
    /// of its shear: the strength. Bare loam has 0.1 to 4; more stands for so
    /// many storms in one.
    #[param(unit = "mm per h pa", default = 60.0, range = 0.0..=100_000.0)]
    pub erodibility_mm_per_h_pa: f64,
    /// Shear that current must exceed to cut: more leaves slopes alone and cuts
    /// only where water has gathered.
    #[param(unit = "pa", default = 100.0, range = 0.0..=10_000.0)]
    pub critical_shear_pa: f64,
    /// How fast grains settle: silt by 2, fine sand by 20. Faster ones come to
    /// rest sooner, and rivers that carry them stay steeper.
    #[param(unit = "mm per s", default = 10.0, range = 0.0..=10_000.0)]
    pub settling_mm_per_s: f64,
    /// Steepest slope that banks keep.
    #[param(unit = "deg", default = 34.0, range = 1.0..=89.0)]
    pub repose_angle_deg: f64,
    /// Width over which banks yield to what a current cuts: channels are about
    /// so wide.
    #[param(unit = "m", default = 100.0, range = 0.0..=1000.0)]
    pub bank_width_m: f64,
    /// What lies beyond the north side.
    #[param(default = MapSide::Outflow)]
    pub north: MapSide,
    /// What lies beyond the east side.
    #[param(default = MapSide::Outflow)]
    pub east: MapSide,
    /// What lies beyond the south side.
    #[param(default = MapSide::Outflow)]
    pub south: MapSide,
    /// What lies beyond the west side.
    #[param(default = MapSide::Outflow)]
    pub west: MapSide,
    /// Elevation of the water beyond sides that are `Fixed`.
    #[param(unit = "m", default = 0.0, range = -20_000.0..=20_000.0)]
    pub level_m: f64,
    /// Where finer maps begin: cells of at most this size carry three quarters
    /// of the time, so that a preview has the valleys of the full build.
    #[param(unit = "m", default = 16.0, range = 0.0..=1000.0)]
    pub coarsest_cell_m: f64,
    /// Most steps on each lattice; a step takes a second or so on cells of 12 m.
    #[param(unit = "1", default = 100_000, range = 8..=10_000_000)]
    pub steps: u32,
}

static SPEC: NodeSpec = NodeSpec {
    id: "shallow_water",
    version: 1,
    group: "water",
    title: "rain gathers to running water that carves and lays down",
    doc: "Rain runs off as shallow water with depth, speed and friction, fills hollows, spills \
          and gathers to streams. Where it shears the ground hard enough it cuts, and it carries \
          what it cut until that settles: channels upstream, fans and deltas where it slows. \
          Every quantity is physical and steps of time are chosen by the node. `sediment` lies \
          loose on the rock and is cut first; hardness slows the cutting of the rock, layer by \
          layer where it changes with depth. Ground where `mask` is 0 and along open sides keeps \
          its bits. What water carries over the map's edge is exported, what it still carries at \
          the end is `suspended`. Streams of one or two cells prefer the axes of the lattice: more \
          rain, rougher ground or wider banks make them wider. Cells of a preview and of a full build share their plan if \
          the sides have an odd number of samples.",
    inputs: &[
        InputSpec::required("elevation", Accepts::Raster(Quantity::Elevation), "The ground."),
        InputSpec::optional(
            "water",
            Accepts::Raster(Quantity::Thickness),
            "Depth of water at the start; dry if left out.",
        ),
        InputSpec::optional(
            "sediment",
            Accepts::Raster(Quantity::Thickness),
            "What lies loose on the rock; bare rock if left out.",
        ),
        InputSpec::optional(
            "hardness",
            Accepts::Lithology,
            "How hard the rock is; the softest everywhere if left out.",
        ),
        InputSpec::optional(
            "rain",
            Accepts::Raster(Quantity::Mask),
            "Where it rains, as a share of `rain_mm_per_h`; everywhere if left out.",
        ),
        InputSpec::optional(
            "mask",
            Accepts::Raster(Quantity::Mask),
            "Where the ground may change; everywhere if left out. Water runs regardless.",
        ),
    ],
    outputs: &[
        OutputSpec::new(
            "elevation",
            Gives::Raster(Quantity::Elevation),
            "The ground when the time is over.",
        ),
        OutputSpec::new("water", Gives::Raster(Quantity::Thickness), "Depth of the water then."),
        OutputSpec::new(
            "flow_velocity",
            Gives::Raster(Quantity::Velocity),
            "Speed of the water then.",
        ),
        OutputSpec::new(
            "suspended",
            Gives::Raster(Quantity::Thickness),
            "What the water still carries, as thickness over the cell.",
        ),
        OutputSpec::new("erosion", Gives::Raster(Quantity::Thickness), "Thickness removed, net."),
        OutputSpec::new(
            "deposition",
            Gives::Raster(Quantity::Thickness),
            "Thickness laid down, net.",
        ),
        OutputSpec::new("sediment", Gives::Raster(Quantity::Thickness), "What lies loose after."),
        OutputSpec::new(
            "discharge",
            Gives::Raster(Quantity::Discharge),
            "Water through the cell when the time is over.",
        ),
    ],
    params: ShallowWaterParams::SPECS,
    extensions: &[],
    locality: Locality::Global,
    conserves: Conserves::Matter,
    random: false,
    drift: Some(0.08),
    bytes_per_sample: 250,
    nanoseconds_per_sample: 60_000,
    citations: &[
        "Bates, Horritt & Fewtrell 2010, A simple inertial formulation of the shallow water equations for efficient two-dimensional flood inundation modelling",
        "de Almeida & Bates 2013, Applicability of the local inertial approximation of the shallow water equations to flood modeling",
        "Grant 1997, Critical flow constrains flow hydraulics in mobile-bed streams",
    ],
    example: include_str!("../../../../graphs/nodes/shallow_water.ron"),
};

/// The node.
pub struct ShallowWater;

/// Millimetres an hour as metres a second.
const MM_PER_H: f64 = 1.0 / 3.6e6;

impl Node for ShallowWater {
    fn spec(&self) -> &'static NodeSpec {
        &SPEC
    }

    fn eval(&self, ctx: &EvalCtx<'_>) -> Result<Outputs, NodeError> {
        let params: ShallowWaterParams = ctx.params();
        let side = |side: &MapSide| match side {
            MapSide::Outflow => Side::Outflow,
            MapSide::Wall => Side::Wall,
            MapSide::Fixed => Side::Fixed(params.level_m),
        };
        let config = ShallowWaterConfig {
            duration: params.time_s,
            rain: params.rain_mm_per_h * MM_PER_H,
            infiltration: params.infiltration_mm_per_h * MM_PER_H,
            evaporation: params.evaporation_mm_per_h * MM_PER_H,
            manning: params.manning,
            erodibility: params.erodibility_mm_per_h_pa * MM_PER_H,
            critical_shear: params.critical_shear_pa,
            settling: params.settling_mm_per_s * 1e-3,
            repose: math::tan_deg(params.repose_angle_deg),
            bank_width: params.bank_width_m,
            sides: [&params.north, &params.east, &params.south, &params.west].map(side),
            coarsest_cell: params.coarsest_cell_m,
            steps: params.steps,
            ..ShallowWaterConfig::default()
        };
        let elevation = ctx.copy(ctx.raster("elevation")?);
        let basin = Basin {
            elevation: &elevation,
            water: ctx.optional_raster("water"),
            sediment: ctx.optional_raster("sediment"),
            hardness: ctx.lithology("hardness"),
            rain: ctx.optional_raster("rain"),
            mask: ctx.optional_raster("mask"),
        };
        let washed = shallow_water::wash(ctx.task(), &basin, &config)?;
        let outputs = ctx
            .outputs()
            .raster("elevation", washed.elevation)
            .raster("water", washed.water)
            .raster("flow_velocity", washed.flow_velocity)
            .raster("suspended", washed.suspended)
            .raster("erosion", washed.erosion)
            .raster("deposition", washed.deposition)
            .raster("sediment", washed.sediment)
            .raster("discharge", washed.discharge)
            .ledger(washed.ledger);
        Ok(if washed.time_left > 0.0 {
            outputs.note(format!(
                "{} steps did not suffice: {:.0} s are missing; raise `steps`, or look for water so deep that its waves force short ones",
                washed.steps, washed.time_left
            ))
        } else {
            outputs
        })
    }
}
