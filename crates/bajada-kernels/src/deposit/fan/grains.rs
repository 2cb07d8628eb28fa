//! Gravel, sand and silt: what a fan received, sorted on the way.
//!
//! Gravel hardly thins out over most of the way and then ends abruptly (Stock et
//! al. 2008); silt lies at the toe. Both transitions are logistic in the
//! relative distance; their places are those at which each class has exactly its
//! share of the fan's volume.

use bajada_grid::{Grid, math, par};

use super::{Fan, FanConfig, Layer};

/// Width of a transition, as a share of the radius.
const ABRUPTNESS: f64 = 0.035;

/// What the deposit is made of.
pub(super) struct Sorting {
    pub distance: Grid<f32>,
    pub gravel: Grid<f32>,
    pub sand: Grid<f32>,
    pub silt: Grid<f32>,
}

/// Share that has not been dropped yet beyond a transition at `place`.
fn before(relative: f64, place: f64) -> f64 {
    1.0 / (1.0 + math::exp((relative - place) / ABRUPTNESS))
}

/// Place of the transition before which `share` of the volume lies; `held` sums
/// the volume before a place, `all` is the whole.
fn transition(held: impl Fn(f64) -> f64, all: f64, share: f64) -> f64 {
    // Far enough that nothing, or everything, lies before it.
    let (mut low, mut high) = (-40.0 * ABRUPTNESS, 1.0 + 40.0 * ABRUPTNESS);
    for _ in 0..60 {
        let middle = low + (high - low) / 2.0;
        if held(middle) < share * all {
            low = middle;
        } else {
            high = middle;
        }
    }
    low + (high - low) / 2.0
}

/// Transitions from gravel to sand and from sand to silt of each fan, as shares
/// of its radius.
pub(super) fn transitions(
    layer: &Layer,
    fans: &[Fan],
    ways: &Grid<f64>,
    config: &FanConfig,
) -> Vec<[f64; 2]> {
    let gravel = math::clamp(config.gravel, 0.0, 1.0);
    let sand = math::clamp(config.sand, 0.0, 1.0 - gravel);
    fans.iter()
        .zip(1..)
        .map(|(fan, label)| {
            let all = layer.sum(label, |cell| layer.thickness[cell]);
            let held = |place: f64| {
                let term = |cell: usize| {
                    layer.thickness[cell] * before(relative(ways[cell], fan.radius), place)
                };
                layer.sum(label, term)
            };
            [transition(held, all, gravel), transition(held, all, gravel + sand)]
        })
        .collect()
}

fn relative(way: f64, radius: f64) -> f64 {
    if radius > 0.0 { math::clamp(way / radius, 0.0, 1.0) } else { 0.0 }
}

/// Shares of gravel, sand and silt at a relative distance.
pub(super) fn shares(relative: f64, [gravel, sand]: [f64; 2]) -> [f64; 3] {
    let (coarse, medium) = (before(relative, gravel), before(relative, sand));
    [coarse, math::max(medium - coarse, 0.0), 1.0 - medium]
}

/// Sorts the deposit.
pub(super) fn sort(
    layer: &Layer,
    fans: &[Fan],
    ways: &Grid<f64>,
    heights: &Grid<f64>,
    config: &FanConfig,
) -> Sorting {
    let places = transitions(layer, fans, ways, config);
    let at = |cell: usize| {
        let label = layer.owner[cell] as usize;
        let place = label.checked_sub(1)?;
        let relative = relative(ways[cell], fans[place].radius);
        Some((relative, shares(relative, places[place])))
    };
    let field = |value: &(dyn Fn(f64, [f64; 3]) -> f64 + Sync)| {
        let mut grid = heights.like(0.0_f32);
        par::map(&mut grid, |cell| at(cell).map_or(0.0, |(way, mix)| value(way, mix) as f32));
        grid
    };
    Sorting {
        distance: field(&|way, _| way),
        gravel: field(&|_, mix| mix[0]),
        sand: field(&|_, mix| mix[1]),
        silt: field(&|_, mix| mix[2]),
    }
}
