//! `stream_power`: rivers carve ground that rises.

use bajada_grid::lithology::HARD_REPOSE_DEG;
use bajada_grid::math;
use bajada_kernels::flow::Edge;
use bajada_kernels::flow::stream_power::{self, Ground, StreamPowerConfig, Uplift};
use bajada_node::{
    Accepts, Choice, Conserves, EvalCtx, Gives, InputSpec, Locality, Node, NodeError, NodeSpec,
    OutputSpec, Outputs, Params, Quantity,
};

/// What the map's edge is.
#[derive(Choice)]
pub enum MapEdge {
    /// Base level: it stands still, and water leaves over it.
    Open,
    /// A wall: water leaves only where `uplift` is 0.
    Closed,
}

/// Parameters of `stream_power`.
#[derive(Params)]
pub struct StreamPowerParams {
    /// Highest ground above the mean base level when the time is over; sets
    /// the rate of uplift unless that is written.
    #[param(unit = "m", default = 1000.0, range = 1.0..=9000.0)]
    pub relief_m: f64,
    /// Rate of uplift where `uplift` is 1. Left out, what `relief_m` needs.
    #[param(unit = "m per yr", default = none, range = 0.0..=0.1)]
    pub uplift_m_per_yr: Option<f64>,
    /// Time that the ground rises for. Long, and the valleys forget all of the
    /// start but their plan.
    #[param(unit = "yr", default = 2_050_000.0, range = 1000.0..=100_000_000.0)]
    pub age_yr: f64,
    /// `K` of the stream-power law for the softest ground, in m^(1-2m) per
    /// year. More makes the same relief rise and wear faster.
    #[param(unit = "1", default = 5e-5, range = 1e-8..=0.01)]
    pub erodibility: f64,
    /// `m` of the law: more makes trunk valleys flatter and valley heads
    /// steeper.
    #[param(unit = "1", default = 0.38, range = 0.1..=0.8)]
    pub area_exponent: f64,
    /// `n` of the law: more than 1 evens slopes out, with steeper trunks, and
    /// makes steep rivers cut far faster than gentle ones.
    #[param(unit = "1", default = 1.0, range = 0.5..=3.0)]
    pub slope_exponent: f64,
    /// `G`: how readily rivers lay down what they carry, along their beds and
    /// in lakes. 0 carries all of it off the map; 1 is common; more makes
    /// rivers steeper.
    #[param(unit = "1", default = 0.0, range = 0.0..=3.0)]
    pub deposition: f64,
    /// Creep of the ground between the rivers: more rounds ridges and sets
    /// them farther apart.
    #[param(unit = "m2 per yr", default = 0.025, range = 0.0..=10.0)]
    pub hillslope_m2_per_yr: f64,
    /// Steepest ground that stands; steeper ground slides into the rivers.
    #[param(unit = "deg", default = 34.0, range = 1.0..=80.0)]
    pub repose_angle_deg: f64,
    /// The same for the hardest rock.
    #[param(unit = "deg", default = HARD_REPOSE_DEG, range = 1.0..=89.0)]
    pub rock_repose_angle_deg: f64,
    /// Time that the subsidence takes, the last of the age. In a moment, it
    /// leaves a pedestal along the whole front.
    #[param(unit = "yr", default = 150_000.0, range = 1.0..=100_000_000.0)]
    pub subsidence_yr: f64,
    /// What the map's edge is.
    #[param(default = MapEdge::Open)]
    pub edge: MapEdge,
    /// Width of the margin that is carved around a closed map and cut off, so
    /// that no divide runs along its edge; a quarter of the map at most.
    #[param(unit = "m", default = 384.0, range = 0.0..=10_000.0)]
    pub margin_m: f64,
}

static SPEC: NodeSpec = NodeSpec {
    id: "stream_power",
    version: 4,
    group: "flow",
    title: "rivers carve ground that rises",
    doc: "The ground rises while rivers cut down by the stream-power law, ridges creep and steep \
          ground slides: valleys branch like trees, divides sharpen. The plan is made on cells \
          of about 50 m and refined, so a preview has the valleys of the full build. The input \
          decides where valleys come to lie, no more. Base level is the map's open edge \
          and all ground where `uplift` is 0: it keeps its bits, or falls by its `subsidence`; what is taken leaves over it and is \
          booked as exported, uplift as brought in and subsidence as shaped. Rivers lay down what \
          `deposition` asks for, and fill lakes with it; without it they carry all away.",
    inputs: &[
        InputSpec::required(
            "elevation",
            Accepts::Raster(Quantity::Elevation),
            "The ground at the start.",
        ),
        InputSpec::optional(
            "hardness",
            Accepts::Lithology,
            "How hard it is, asked for at the depth reached; the softest everywhere if left out.",
        ),
        InputSpec::optional(
            "uplift",
            Accepts::Raster(Quantity::Mask),
            "Share of the uplift; 1 everywhere if left out.",
        ),
        InputSpec::optional(
            "subsidence",
            Accepts::Raster(Quantity::Thickness),
            "How far the ground falls by the end; nowhere if left out.",
        ),
        InputSpec::optional(
            "rain",
            Accepts::Raster(Quantity::Mask),
            "How much it rains, as a share of the wettest place; only its ratio to the mean counts. The same everywhere if left out.",
        ),
    ],
    outputs: &[
        OutputSpec::new(
            "elevation",
            Gives::Raster(Quantity::Elevation),
            "The ground when its time is over.",
        ),
        OutputSpec::new(
            "erosion",
            Gives::Raster(Quantity::Thickness),
            "Thickness removed since the start, uplifted ground included.",
        ),
        OutputSpec::new(
            "deposition",
            Gives::Raster(Quantity::Thickness),
            "Thickness that creep and rivers laid down, net.",
        ),
        OutputSpec::new(
            "drainage_area",
            Gives::Raster(Quantity::Area),
            "Ground upstream of each cell, itself included.",
        ),
    ],
    params: StreamPowerParams::SPECS,
    extensions: &[],
    locality: Locality::Global,
    conserves: Conserves::Matter,
    random: true,
    drift: Some(0.14),
    bytes_per_sample: 190,
    nanoseconds_per_sample: 4500,
    citations: &[
        "Yuan et al. 2019, A new efficient method to solve the stream power law model taking into account sediment deposition",
        "Braun & Willett 2013, A very efficient O(n), implicit and parallel method to solve the stream power equation",
        "Cordonnier, Bovy & Braun 2019, A versatile, linear complexity algorithm for flow routing in topographies with depressions",
    ],
    example: include_str!("../../../../graphs/nodes/stream_power.ron"),
};

/// The node.
pub struct StreamPower;

impl Node for StreamPower {
    fn spec(&self) -> &'static NodeSpec {
        &SPEC
    }

    fn eval(&self, ctx: &EvalCtx<'_>) -> Result<Outputs, NodeError> {
        let params: StreamPowerParams = ctx.params();
        let config = StreamPowerConfig {
            uplift: match params.uplift_m_per_yr {
                Some(rate) => Uplift::Rate(rate),
                None => Uplift::Relief(params.relief_m),
            },
            duration: params.age_yr,
            erodibility: params.erodibility,
            area_exponent: params.area_exponent,
            slope_exponent: params.slope_exponent,
            deposition: params.deposition,
            diffusivity: params.hillslope_m2_per_yr,
            repose: math::tan_deg(params.repose_angle_deg),
            repose_hard: math::tan_deg(params.rock_repose_angle_deg),
            margin: params.margin_m,
            subsidence_time: params.subsidence_yr,
            edge: match params.edge {
                MapEdge::Open => Edge::Outlet,
                MapEdge::Closed => Edge::Wall,
            },
            ..StreamPowerConfig::default()
        };
        let elevation = ctx.copy(ctx.raster("elevation")?);
        let ground = Ground {
            elevation: &elevation,
            hardness: ctx.lithology("hardness"),
            uplift: ctx.optional_raster("uplift"),
            subsidence: ctx.optional_raster("subsidence"),
            rain: ctx.optional_raster("rain"),
        };
        let carved = stream_power::carve(ctx.task(), &ground, &config, ctx.stream())?;
        let outputs = ctx
            .outputs()
            .raster("elevation", carved.elevation)
            .raster("erosion", carved.erosion)
            .raster("deposition", carved.deposition)
            .raster("drainage_area", carved.drainage_area)
            .ledger(carved.ledger);
        let missed = (carved.relief / params.relief_m - 1.0).abs() > 0.1;
        Ok(if params.uplift_m_per_yr.is_none() && missed {
            outputs.note(format!(
                "the relief came out at {:.0} m with an uplift of {:.2e} m a year; change `age_yr`, `erodibility` or `repose_angle_deg`",
                carved.relief, carved.rate
            ))
        } else {
            outputs
        })
    }
}
