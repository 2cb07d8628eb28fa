//! Coarse to fine: which cells, how many steps, how long.

use bajada_grid::{Domain, math};

use super::StreamPowerConfig;

/// One level of the run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Stage {
    pub domain: Domain,
    pub steps: u32,
    /// Length of a step, yr.
    pub step: f64,
    /// Time that finer levels take after it, yr.
    pub left: f64,
    /// Share of the subsidence that is over when the level begins.
    pub fallen: f64,
    /// Time until the subsidence begins, yr; < 0 if it has begun.
    pub until_subsidence: f64,
    /// Time that all of it takes, yr.
    pub subsidence_time: f64,
}

impl Stage {
    /// The same time in steps `times` as long; the level itself if it has too
    /// few.
    pub(super) fn hurried(&self, times: u32) -> Self {
        if self.steps < 4 * times {
            return *self;
        }
        let steps = self.steps / times;
        let step = self.step * f64::from(self.steps) / f64::from(steps);
        Self { steps, step, ..*self }
    }

    /// Time from the beginning of a step to the end of the run, yr.
    pub(super) fn time_left(&self, step: u64) -> f64 {
        self.left + (f64::from(self.steps) - step as f64) * self.step
    }

    /// Share of the subsidence that falls into a step.
    pub(super) fn fall(&self, step: u64) -> f64 {
        self.share_after(step + 1) - self.share_after(step)
    }

    fn share_after(&self, steps: u64) -> f64 {
        let since = steps as f64 * self.step - self.until_subsidence;
        math::clamp(since / self.subsidence_time, 0.0, 1.0)
    }
}

/// Share of the remaining time that each level takes, coarsest first, and its
/// steps as a share of those of the first; the last holds for all that follow,
/// and the last level takes all that remains. Found by eye (1600, 400 and 48
/// thousand years of 2 million): the plan needs most of the time, the
/// finest level only settles. Shares of the *rest*, so that a preview and the
/// full build run the levels that they share for the same time.
const SHARES: [(f64, f64); 3] = [(1600.0 / 2048.0, 1.0), (400.0 / 448.0, 0.5), (0.5, 0.15)];

/// Fewest cells along a side of a level that was made coarser.
const FEWEST: usize = 16;

/// How many levels are coarser than `domain`.
pub(super) fn doublings(domain: &Domain, config: &StreamPowerConfig) -> u32 {
    let shorter = math::min(domain.width(), domain.height()) - 1;
    let mut doublings = 0;
    while domain.cell_size() * f64::from(2_u32 << doublings) <= config.coarsest_cell
        && shorter >> (doublings + 1) >= FEWEST
    {
        doublings += 1;
    }
    doublings
}

/// The levels from one that is `doublings` times coarser to `domain` itself,
/// which is always the last.
pub(super) fn plan(domain: &Domain, doublings: u32, config: &StreamPowerConfig) -> Vec<Stage> {
    let subsidence_time = math::clamp(config.subsidence_time, 1e-9, config.duration);
    let share = |place: u32| SHARES[math::min(place as usize, SHARES.len() - 1)];
    let mut left = config.duration;
    (0..=doublings)
        .map(|place| {
            let (time, steps) = share(place);
            let steps = math::max((f64::from(config.steps) * steps) as u32, 1);
            let time = if place == doublings { left } else { left * time };
            let until_subsidence = left - subsidence_time;
            left -= time;
            let domain = coarser(domain, doublings - place);
            let step = time / f64::from(steps);
            let fallen = math::clamp(-until_subsidence / subsidence_time, 0.0, 1.0);
            Stage { domain, steps, step, left, fallen, until_subsidence, subsidence_time }
        })
        .collect()
}

/// `domain` with cells 2^`doublings` times as large, or as nearly so as its
/// samples allow.
fn coarser(domain: &Domain, doublings: u32) -> Domain {
    if doublings == 0 {
        return *domain;
    }
    let samples = domain.samples().map(|side| {
        let cells = f64::from(side - 1) / f64::from(1_u32 << doublings);
        cells.round() as u32 + 1
    });
    let cell_size = domain.cell_size() * (domain.width() - 1) as f64 / f64::from(samples[0] - 1);
    Domain::new(samples[0], samples[1], cell_size, domain.origin())
        .expect("a lattice with fewer samples is legal")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sides(samples: u32, cell_size: f64) -> Vec<(usize, u32, f64)> {
        let domain = Domain::new(samples, samples, cell_size, [0.0; 2]).expect("legal");
        let config = StreamPowerConfig { duration: 2.048e6, ..StreamPowerConfig::default() };
        plan(&domain, doublings(&domain, &config), &config)
            .into_iter()
            .map(|stage| (stage.domain.width(), stage.steps, stage.step.round()))
            .collect()
    }

    #[test]
    fn a_range_of_12_km_starts_on_cells_of_48_m() {
        let full = [(257, 80, 20_000.0), (513, 40, 10_000.0), (1025, 12, 4_000.0)];
        assert_eq!(sides(1025, 12.0), full);
        assert_eq!(sides(513, 24.0), [(257, 80, 20_000.0), (513, 40, 11_200.0)]);
        assert_eq!(sides(2049, 6.0)[..2], full[..2]);
        assert_eq!(sides(257, 48.0), [(257, 80, 25_600.0)]);
    }

    #[test]
    fn all_of_the_subsidence_falls_in_the_last_part_of_the_time() {
        let config = StreamPowerConfig { duration: 2.048e6, ..StreamPowerConfig::default() };
        for (samples, cell_size) in [(1025, 12.0), (513, 24.0), (257, 48.0)] {
            let domain = Domain::new(samples, samples, cell_size, [0.0; 2]).expect("legal");
            let stages = plan(&domain, doublings(&domain, &config), &config);
            let mut fallen = 0.0;
            for stage in &stages {
                assert!((stage.fallen - fallen).abs() < 1e-12);
                fallen += (0..u64::from(stage.steps)).map(|step| stage.fall(step)).sum::<f64>();
            }
            assert!((fallen - 1.0).abs() < 1e-12);
            assert!((0..74).all(|step| stages[0].fall(step) == 0.0));
        }
    }

    #[test]
    fn small_and_odd_maps_have_a_plan_too() {
        assert_eq!(sides(9, 10.0).len(), 1);
        assert_eq!(sides(100, 20.0)[0].0, 51);
        assert_eq!(sides(1, 1.0).len(), 1);
    }
}
