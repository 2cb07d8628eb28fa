//! What currents could cut, spread over the width of their banks.
//!
//! A current one cell wide would cut a slot along the grid: water goes from
//! cell to cell over four faces, and once a slot holds it, it never leaves the
//! axis. Shear is therefore blurred over a width in metres before it cuts. The
//! weights are whole 256ths and the cuts whole quanta, so that sums in f64 are
//! exact, and the same along both axes.

use bajada_grid::math;
use rayon::prelude::*;

use super::fields::Fields;
use super::law::Step;

/// Most that is cut in a step, m: it leaves f64 the bits that exact sums take.
const DEEPEST_CUT: f32 = 0.125;

/// Most cells to each side that the blur reaches.
const REACH: usize = 12;

/// A blur along one axis and then along the other.
#[derive(Clone, Debug)]
pub(super) struct Blur {
    /// Weights of a cell, and of those so far to both sides.
    weights: Vec<f64>,
    raw: Vec<f32>,
    along: Vec<f64>,
}

impl Blur {
    /// A bell with a standard deviation of a quarter of `width`, cells being
    /// `cell_size` m apart.
    pub(super) fn new(width: f64, cell_size: f64, len: usize) -> Self {
        let deviation = math::clamp(0.25 * width / cell_size, 1e-3, 0.5 * REACH as f64);
        let reach = (2.0 * deviation + 0.5) as usize;
        let bell = |cells: usize| {
            let far = cells as f64 / deviation;
            math::exp(-0.5 * far * far)
        };
        let sum: f64 = (1..=reach).map(|cells| 2.0 * bell(cells)).sum::<f64>() + 1.0;
        let whole = |cells: usize| (256.0 * bell(cells) / sum).round() / 256.0;
        let mut weights = vec![0.0];
        weights.extend((1..=reach).map(whole));
        weights[0] = 1.0 - 2.0 * weights.iter().sum::<f64>();
        Self { weights, raw: vec![0.0; len], along: vec![0.0; len] }
    }

    /// Fills what currents could cut in a `step`, m.
    pub(super) fn fill(&mut self, fields: &mut Fields, step: &Step) {
        let (width, height) = (fields.width, fields.height);
        let Self { weights, raw, along } = self;
        let seen = &*fields;
        raw.par_chunks_mut(width).enumerate().skip(1).take(height - 2).for_each(|(y, row)| {
            let span = seen.span(y, &(0..width));
            let upper = seen.span(y - 1, &(0..width));
            let [east, north, south] =
                [&seen.east[span.clone()], &seen.south[upper], &seen.south[span.clone()]];
            let water = &seen.water[span];
            for x in 1..width - 1 {
                // Where a stream turns a corner of the grid, it has its whole
                // discharge: the mean of squares, not the square of means.
                let across = east[x - 1] * east[x - 1] + east[x] * east[x];
                let along = north[x] * north[x] + south[x] * south[x];
                let cut = step.cut(0.5 * (across + along), water[x] as f32);
                row[x] = if cut < DEEPEST_CUT { cut } else { DEEPEST_CUT };
            }
        });
        let raw = &*raw;
        along.par_chunks_mut(width).zip(raw.par_chunks(width)).for_each(|(row, from)| {
            for (to, from) in row.iter_mut().zip(from) {
                *to = weights[0] * f64::from(*from);
            }
            for (far, weight) in weights.iter().enumerate().skip(1) {
                if far >= width {
                    break;
                }
                for (to, from) in row[far..].iter_mut().zip(from) {
                    *to += weight * f64::from(*from);
                }
                for (to, from) in row.iter_mut().zip(&from[far..]) {
                    *to += weight * f64::from(*from);
                }
            }
        });
        let along = &*along;
        fields.cut.par_chunks_mut(width).enumerate().for_each(|(y, row)| {
            let mut sums = vec![0.0_f64; width];
            for (far, weight) in weights.iter().enumerate() {
                let rows = [y.checked_sub(far), Some(y + far).filter(|y| far > 0 && *y < height)];
                for from in rows.into_iter().flatten() {
                    let from = &along[from * width..(from + 1) * width];
                    for (sum, from) in sums.iter_mut().zip(from) {
                        *sum += weight * from;
                    }
                }
            }
            for (cut, sum) in row.iter_mut().zip(sums) {
                *cut = sum as f32;
            }
        });
    }
}
