//! `talus`: ground that is too steep slides until it rests.

use bajada_grid::lithology::{HARD_REPOSE_DEG, LOOSE_REPOSE_DEG};
use bajada_grid::math;
use bajada_kernels::slope::talus::{self, Slope, TalusConfig};
use bajada_node::{
    Accepts, Complaint, Conserves, EvalCtx, Gives, InputSpec, Locality, Node, NodeError, NodeSpec,
    OutputSpec, Outputs, Params, Quantity, Wiring,
};

/// Parameters of `talus`.
#[derive(Params)]
pub struct TalusParams {
    /// Steepest angle that loose ground (hardness 0) keeps.
    #[param(unit = "deg", default = LOOSE_REPOSE_DEG, range = 1.0..=80.0)]
    pub repose_angle_deg: f64,
    /// Steepest angle that the hardest rock (hardness 1) keeps.
    #[param(unit = "deg", default = HARD_REPOSE_DEG, range = 1.0..=89.0)]
    pub rock_repose_angle_deg: f64,
    /// Scarps lower than this stand, however steep. A scarp is all the ground
    /// that would have to move for one to fall.
    #[param(unit = "m", default = 0.0, range = 0.0..=1000.0)]
    pub cohesion_m: f64,
    /// Volume of debris that a volume of failed rock makes. It needs
    /// `sediment`: without it no rock is told from debris.
    #[param(unit = "1", default = 1.0, range = 1.0..=1.3)]
    pub bulking: f64,
    /// Share of the debris that moves: 1 lets everything come to rest.
    #[param(unit = "1", default = 1.0, range = 0.0..=1.0)]
    pub amount: f64,
    /// Most sweeps over the map; it stops sooner when everything rests.
    #[param(unit = "1", default = 1200, range = 1..=100_000)]
    pub sweeps: u32,
}

static SPEC: NodeSpec = NodeSpec {
    id: "talus",
    version: 4,
    group: "slope",
    title: "ground that is too steep slides until it rests",
    doc: "Finds the ground nearest to the old one that is nowhere steeper than its angle of \
          repose, and moves exactly the debris that it takes: what one cell loses another gets. \
          Loose ground rests at 32 degrees, granite stands at 75; hardness says which. Ground \
          that is nowhere too steep keeps its bits, and so does ground where `mask` is 0. Without \
          `sediment` all ground counts as one loose body. With it, no more slides than lies \
          there, always at `repose_angle_deg`, and hardness is that of the rock below: rock \
          steeper than its own angle becomes debris first, which swells by `bulking`; other rock \
          stands as steep as it is, and debris runs over it. The map's edges are walls.",
    inputs: &[
        InputSpec::required("elevation", Accepts::Raster(Quantity::Elevation), "The ground."),
        InputSpec::optional(
            "sediment",
            Accepts::Raster(Quantity::Thickness),
            "What lies loose on the rock; loose all the way down if left out.",
        ),
        InputSpec::optional(
            "hardness",
            Accepts::Lithology,
            "How hard the ground is or, under `sediment`, its rock. Left out, it is loose everywhere; rock under `sediment` is then as hard as can be.",
        ),
        InputSpec::optional(
            "mask",
            Accepts::Raster(Quantity::Mask),
            "Where ground may move; everywhere if left out.",
        ),
    ],
    outputs: &[
        OutputSpec::new("elevation", Gives::Raster(Quantity::Elevation), "The ground at rest."),
        OutputSpec::new(
            "erosion",
            Gives::Raster(Quantity::Thickness),
            "Thickness that slid away, net.",
        ),
        OutputSpec::new(
            "deposition",
            Gives::Raster(Quantity::Thickness),
            "Thickness of the scree that came to rest, net.",
        ),
        OutputSpec::new(
            "sediment",
            Gives::Raster(Quantity::Thickness),
            "What lies loose after; the deposition if no `sediment` is linked.",
        ),
        OutputSpec::new(
            "debris",
            Gives::Raster(Quantity::Thickness),
            "Debris that left a cell or came to it, whichever is more, spread over the cell: what passes counts once. Times `cell_size` it is the volume that passed per metre of width, so that it is twice as thick on cells half as wide.",
        ),
    ],
    params: TalusParams::SPECS,
    extensions: &[],
    locality: Locality::Global,
    conserves: Conserves::Matter,
    random: false,
    drift: Some(0.05),
    bytes_per_sample: 260,
    nanoseconds_per_sample: 1500,
    citations: &[
        "Prigozhin & Zaltzman 2003, On the approximation of the dynamics of sandpile surfaces",
        "Prigozhin 1996, Variational model of sandpile growth",
        "Beck & Teboulle 2009, A fast iterative shrinkage-thresholding algorithm",
    ],
    example: include_str!("../../../../graphs/nodes/talus.ron"),
};

/// The node.
pub struct Talus;

impl Node for Talus {
    fn spec(&self) -> &'static NodeSpec {
        &SPEC
    }

    fn check(&self, wiring: &Wiring<'_>) -> Result<(), Complaint> {
        let params = TalusParams::read(wiring.params);
        let (loose, rock) = (params.repose_angle_deg, params.rock_repose_angle_deg);
        if rock < loose {
            return Err(Complaint {
                about: "rock_repose_angle_deg",
                message: format!("rock would rest at {rock} degrees and loose ground at {loose}"),
                hint: Some(format!("write `rock_repose_angle_deg: {loose}` or more")),
            });
        }
        Ok(())
    }

    fn eval(&self, ctx: &EvalCtx<'_>) -> Result<Outputs, NodeError> {
        let params: TalusParams = ctx.params();
        let config = TalusConfig {
            repose_loose: math::tan_deg(params.repose_angle_deg),
            repose_hard: math::tan_deg(params.rock_repose_angle_deg),
            sweeps: params.sweeps,
            amount: params.amount,
            cohesion: params.cohesion_m,
            bulking: params.bulking,
            ..TalusConfig::default()
        };
        let elevation = ctx.copy(ctx.raster("elevation")?);
        let hardness = ctx.lithology("hardness").map(|rock| rock.at_surface(&elevation));
        let slope = Slope {
            elevation: &elevation,
            sediment: ctx.optional_raster("sediment"),
            hardness: hardness.as_ref(),
            mask: ctx.optional_raster("mask"),
        };
        let relaxed = talus::relax(ctx.task(), &slope, &config)?;
        let outputs = ctx
            .outputs()
            .raster("elevation", relaxed.elevation)
            .raster("erosion", relaxed.erosion)
            .raster("deposition", relaxed.deposition)
            .raster("sediment", relaxed.sediment)
            .raster("debris", relaxed.debris)
            .ledger(relaxed.ledger);
        Ok(if !relaxed.at_rest {
            outputs.note(format!(
                "after {} sweeps debris still moves, and the steepest ground exceeds its repose by {:.1} %; raise `sweeps`",
                relaxed.sweeps,
                100.0 * relaxed.steepest_excess
            ))
        } else {
            outputs
        })
    }
}
