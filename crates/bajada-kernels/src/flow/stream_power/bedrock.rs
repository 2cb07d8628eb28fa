//! What the rock at the surface does to rivers and slides.

use bajada_grid::lithology::Columns;
use bajada_grid::{Grid, Lithology, math, par};

use super::StreamPowerConfig;
use super::schedule::Stage;
use crate::rock::erodibility_factor;

/// A number for each cell, or one for all.
#[derive(Clone, Debug)]
pub(super) enum PerCell {
    Same(f64),
    Each(Grid<f32>),
}

impl PerCell {
    #[inline(always)]
    pub(super) fn at(&self, index: usize) -> f64 {
        match self {
            Self::Same(value) => *value,
            Self::Each(values) => f64::from(values[index]),
        }
    }
}

/// The rock at the surface of one level.
#[derive(Clone, Debug)]
pub(super) struct Bedrock<'a> {
    lithology: Option<(&'a Lithology, Columns)>,
    /// `K` times the length of a step over the size of a cell to the power of
    /// `n`.
    pub pull: PerCell,
    /// Largest rise that stands over the width of a cell, m.
    pub rise: PerCell,
    responses: Vec<[f32; 2]>,
    met: bool,
}

/// Steps of the table of responses over hardness 0..1: a hundredth of a percent
/// of the erodibility, a third of a degree.
const TABLE: usize = 1024;

impl<'a> Bedrock<'a> {
    /// The rock of a level whose surface stands at `heights`.
    pub(super) fn new(
        lithology: Option<&'a Lithology>,
        heights: &Grid<f64>,
        config: &StreamPowerConfig,
        stage: &Stage,
    ) -> Self {
        let cell = stage.domain.cell_size();
        let pull = config.erodibility * stage.step / math::pow(cell, config.slope_exponent);
        let loose = math::atan_deg(config.repose);
        let hard = math::max(math::atan_deg(config.repose_hard), loose);
        let response = |place: usize| {
            let hardness = place as f64 / TABLE as f64;
            // Between the angles, not the tangents: those of hard rock are
            // so large that they would win everywhere.
            let angle = math::lerp(loose, hard, hardness);
            [(pull * erodibility_factor(hardness)) as f32, (cell * math::tan_deg(angle)) as f32]
        };
        let responses = match lithology {
            Some(_) => (0..=TABLE).map(response).collect(),
            None => Vec::new(),
        };
        let (pull, rise) = (PerCell::Same(pull), PerCell::Same(cell * config.repose));
        let lithology = lithology.map(|rock| (rock, rock.columns(&heights.to_f32())));
        let mut rock = Self { lithology, pull, rise, responses, met: false };
        rock.meet(heights, |_| 0.0);
        rock
    }

    /// Asks for the rock at the surface `heights`, which is still to rise by
    /// `to_rise`: rock rises with the ground, and lies where the lithology says
    /// when all is over. A map answers the same at every depth and is asked
    /// once.
    pub(super) fn meet(&mut self, heights: &Grid<f64>, to_rise: impl Fn(usize) -> f64 + Sync) {
        let Some((lithology, columns)) = &self.lithology else { return };
        if self.met && !lithology.changes_with_depth() {
            return;
        }
        self.met = true;
        let mut surface = heights.like(0.0_f32);
        par::map(&mut surface, |index| (heights[index] + to_rise(index)) as f32);
        let hardness = lithology.at_surface_in(&surface, columns);
        let responses = &self.responses;
        let place = |index: usize| (hardness[index] * TABLE as f32 + 0.5) as usize;
        let (mut pull, mut rise) = (hardness.like(0.0_f32), hardness.like(0.0_f32));
        par::map(&mut pull, |index| responses[math::min(place(index), TABLE)][0]);
        par::map(&mut rise, |index| responses[math::min(place(index), TABLE)][1]);
        (self.pull, self.rise) = (PerCell::Each(pull), PerCell::Each(rise));
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use bajada_grid::lithology::HARD_REPOSE_DEG;
    use bajada_testkit::terrain;

    use super::*;
    use crate::flow::stream_power::schedule;

    #[test]
    fn granite_does_not_wear_and_stands_at_75_degrees() {
        let domain = terrain::square(33, 10.0);
        let config = StreamPowerConfig::default();
        let stage = schedule::plan(&domain, 0, &config)[0];
        let map = Grid::from_fn(domain, |x, _| if x < 16 { 0.0 } else { 1.0 });
        let lithology = Lithology::Map(Arc::new(map));
        let level = Grid::filled(domain, 0.0_f64);
        let rock = Bedrock::new(Some(&lithology), &level, &config, &stage);
        let bare = Bedrock::new(None, &level, &config, &stage);
        assert_eq!(rock.pull.at(3), f64::from(bare.pull.at(3) as f32));
        assert_eq!(rock.pull.at(20), 0.0);
        assert!((rock.rise.at(3) / bare.rise.at(3) - 1.0).abs() < 1e-6);
        assert!((rock.rise.at(20) / (10.0 * math::tan_deg(HARD_REPOSE_DEG)) - 1.0).abs() < 1e-6);
    }
}
