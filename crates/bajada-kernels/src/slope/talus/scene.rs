//! What lies ready to slide: the start, its loose layer, and what stands.

use std::borrow::Cow;

use bajada_grid::{Cancelled, Grid, Task, math, par};

use super::rock::{envelope, scarps};
use super::{Slope, TalusConfig, repose};

/// The ground after its rock has failed and before anything slides.
pub(super) struct Scene<'a> {
    /// m.
    pub(super) start: Cow<'a, Grid<f32>>,
    /// What makes the loose ground steeper; none where only rock is hard.
    pub(super) hardness: Option<&'a Grid<f32>>,
    pub(super) mask: Option<&'a Grid<f32>>,
    /// Thickness that may slide, m; none if all may.
    pub(super) loose: Option<Grid<f64>>,
    /// Thickness of the rock that failed, m, as rock; none if there is none.
    pub(super) failed: Option<Grid<f64>>,
    /// What the scarp that a cell is part of rises above its repose, m; none if
    /// no scarp stands by cohesion.
    pub(super) scarp: Option<Grid<f32>>,
}

impl<'a> Scene<'a> {
    pub(super) fn new(
        task: &Task,
        ground: &Slope<'a>,
        config: &TalusConfig,
    ) -> Result<Self, Cancelled> {
        let elevation = ground.elevation;
        let mut scene = Self {
            start: Cow::Borrowed(elevation),
            hardness: ground.hardness,
            mask: ground.mask,
            loose: None,
            failed: None,
            scarp: None,
        };
        if let Some(sediment) = ground.sediment {
            scene.hardness = None;
            let failed = failed(task, ground, sediment, config)?;
            let bulking = math::max(1.0, config.bulking);
            let mut loose = elevation.like(0.0_f64);
            par::map(&mut loose, |index| {
                math::max(f64::from(sediment[index]), 0.0) + bulking * failed[index]
            });
            if bulking > 1.0 {
                let start = scene.start.to_mut();
                par::map(start, |index| {
                    let gained = (bulking - 1.0) * failed[index];
                    (f64::from(elevation[index]) + gained) as f32
                });
            }
            (scene.loose, scene.failed) = (Some(loose), Some(failed));
        }
        if config.cohesion > 0.0 {
            let rises = rises(elevation, |index| match scene.hardness {
                Some(hardness) => repose(config, f64::from(hardness[index])),
                None => config.repose_loose,
            });
            scene.scarp = Some(scarps(task, &scene.start.to_f64(), &rises)?);
        }
        Ok(scene)
    }
}

/// What a cell rises above its neighbors at a repose, m.
fn rises(elevation: &Grid<f32>, repose_at: impl Fn(usize) -> f64 + Sync) -> Grid<f64> {
    let mut rises = elevation.like(0.0_f64);
    let cell = elevation.domain().cell_size();
    par::map(&mut rises, |index| math::max(cell * repose_at(index), 1e-6));
    rises
}

/// Thickness of the rock under `sediment` that stands steeper than it can.
fn failed(
    task: &Task,
    ground: &Slope<'_>,
    sediment: &Grid<f32>,
    config: &TalusConfig,
) -> Result<Grid<f64>, Cancelled> {
    let elevation = ground.elevation;
    let mut rock = elevation.like(0.0_f64);
    par::map(&mut rock, |index| {
        f64::from(elevation[index]) - math::max(f64::from(sediment[index]), 0.0)
    });
    let mask_at = |index: usize| {
        ground.mask.map_or(1.0, |mask| math::clamp(f64::from(mask[index]), 0.0, 1.0))
    };
    let rises = rises(elevation, |index| match ground.hardness {
        _ if mask_at(index) == 0.0 => f64::INFINITY,
        Some(hardness) => repose(config, f64::from(hardness[index])),
        None => config.repose_hard,
    });
    let standing = envelope(task, &rock, &rises, math::max(config.tolerance, 1e-6))?;
    let mut failed = elevation.like(0.0_f64);
    par::map(&mut failed, |index| mask_at(index) * (rock[index] - standing[index]));
    Ok(failed)
}
