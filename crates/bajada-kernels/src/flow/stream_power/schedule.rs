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
    /// Time from the beginning of a step to the end of the run, yr.
    pub(super) fn time_left(&self, step: u64) -> f64 {
        self.left + (f64::from(self.steps) - step as f64) * self.step
    }

    /// Share of the subsidence that falls into a step.
    pub(super) fn fall(&self, step: u64) -> f64 {
        self.fallen_after(step + 1) - self.fallen_after(step)
    }

    /// Share of the subsidence that is over after `steps`.
    pub(super) fn fallen_after(&self, steps: u64) -> f64 {
        let since = steps as f64 * self.step - self.until_subsidence;
        math::clamp(since / self.subsidence_time, 0.0, 1.0)
    }
}

/// Share of the remaining time that each level takes, coarsest first, and its
/// steps as a share of those of the first; the last holds for all that follow.
/// Found by eye (1600, 400 and 48 thousand years of 2 million): the plan needs
/// most of the time, the finest level only settles.
///
/// Shares of the *rest*, and the last level then runs on for what remains: a
/// preview and the full build run the levels that they share in the same steps,
/// and have the same valleys.
const SHARES: [(f64, f64); 3] = [(1600.0 / 2048.0, 1.0), (400.0 / 448.0, 0.5), (0.5, 0.1)];

/// Fewest cells along a side of a level that was made coarser: with less room
/// for valleys its relief says little of that of the next.
const FEWEST: usize = 128;

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
/// which comes twice: for its share, and for what remains.
pub(super) fn plan(domain: &Domain, doublings: u32, config: &StreamPowerConfig) -> Vec<Stage> {
    let subsidence_time = math::clamp(config.subsidence_time, 1e-9, config.duration);
    let mut left = config.duration;
    (0..=doublings + 1)
        .map(|place| {
            let level = math::min(place, doublings);
            let (share, steps) = SHARES[math::min(level as usize, SHARES.len() - 1)];
            let steps = f64::from(config.steps) * steps;
            // What remains, in steps as long as those before.
            let rest = if place > doublings { (1.0 - share) / share } else { 1.0 };
            let steps = math::max((steps * rest).round(), 1.0) as u32;
            let time = if place > doublings { left } else { left * share };
            let until_subsidence = left - subsidence_time;
            left -= time;
            let domain = coarser(domain, doublings - level);
            let step = time / f64::from(steps);
            let fallen = math::clamp(-until_subsidence / subsidence_time, 0.0, 1.0);
            Stage { domain, steps, step, left, fallen, until_subsidence, subsidence_time }
        })
        .collect()
}

/// `domain` with cells twice as large, if it has enough of them.
pub(super) fn twice_as_coarse(domain: &Domain) -> Domain {
    let shorter = math::min(domain.width(), domain.height()) - 1;
    coarser(domain, u32::from(shorter / 2 >= FEWEST))
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
        let [first, second] = [(257, 40, 40_000.0), (513, 20, 20_000.0)];
        let third = (1025, 4, 6_000.0);
        assert_eq!(sides(1025, 12.0), [first, second, third, third]);
        assert_eq!(sides(513, 24.0), [first, second, (513, 2, 24_000.0)]);
        assert_eq!(sides(257, 48.0), [first, (257, 11, 40_727.0)]);
        assert_eq!(sides(2049, 6.0)[..3], [first, second, third]);
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
            assert!((0..40).all(|step| stages[0].fall(step) == 0.0));
        }
    }

    #[test]
    fn small_and_odd_maps_have_a_plan_too() {
        assert_eq!(sides(9, 10.0).len(), 2);
        assert_eq!(sides(100, 20.0)[0].0, 100);
        assert_eq!(sides(300, 20.0)[0].0, 151);
        assert_eq!(sides(1, 1.0).len(), 2);
    }
}
