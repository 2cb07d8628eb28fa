//! What the waves do to the ground at the shore.
//!
//! Up to the bench's width from the shore the ground is a ramp: it rises from
//! the plane with the shore's slope on land and falls with the bed's slope under
//! water, beginning one clearance off the plane. From there to [`FADE`] widths
//! it goes over into the old ground. Land that lies below the plane, behind a
//! spillway, is no shore and stays as it is.
//!
//! What the ramps cut and fill does not balance; the deeper bed of the same
//! lake takes the difference. Its depth below the bench is stretched by one
//! factor, so that its forms stay and no step appears. A lake with too little
//! deep bed leaves a rest, which is booked as brought in or exported.

use bajada_grid::{Grid, Ledger, math, par};

use super::distance::Shore;
use super::{Lakes, Surf};
use crate::flow::around;

/// Widths from the shore at which the old ground is reached again.
pub(super) const FADE: f64 = 3.0;

/// Most that the depth of the deep bed is stretched or shrunk by.
const MOST_STRETCH: f64 = 0.5;

/// The ground after the waves.
pub(super) struct Bench {
    pub heights: Grid<f64>,
    /// 1 on the bench, fading to 0 where the ground is the old one.
    pub share: Grid<f64>,
}

/// The share of the ramp at `distance` from the shore.
fn share(surf: &Surf, distance: f64) -> f64 {
    if distance <= surf.width {
        1.0
    } else if distance < FADE * surf.width {
        1.0 - math::smoothstep(surf.width, FADE * surf.width, distance)
    } else {
        0.0
    }
}

/// Cuts and fills the shores of `lakes`.
pub(super) fn bench(before: &Grid<f64>, lakes: &Lakes, shore: &Shore, surf: &Surf) -> Bench {
    let plane = |label: u32| lakes.lakes[label as usize - 1].plane;
    let mut shares = before.like(0.0_f64);
    par::map(&mut shares, |cell| {
        let nearest = shore.lake[cell];
        let is_shore = nearest != 0 && (lakes.labels[cell] != 0 || before[cell] >= plane(nearest));
        if is_shore { share(surf, shore.distance[cell]) } else { 0.0 }
    });
    let mut heights = before.like(0.0_f64);
    par::map(&mut heights, |cell| {
        let here = before[cell];
        if shares[cell] == 0.0 {
            return here;
        }
        let distance = shore.distance[cell];
        let (plane, label) = (plane(shore.lake[cell]), lakes.labels[cell]);
        if label != 0 {
            let ramp = plane - (surf.clearance + surf.bed_slope * distance);
            return math::lerp(here, ramp, shares[cell]);
        }
        let ramp = plane + (surf.clearance + surf.shore_slope * distance);
        let cut = math::lerp(here, ramp, shares[cell]);
        math::max(cut, dam(lakes, surf, cell))
    });
    Bench { heights, share: shares }
}

/// What keeps the lakes beside a dry cell in their beds, m.
fn dam(lakes: &Lakes, surf: &Surf, cell: usize) -> f64 {
    let (x, y) = lakes.labels.domain().column_row(cell);
    around(lakes.labels.domain(), x, y)
        .filter_map(|(_, beside)| lakes.at(beside))
        .fold(f64::NEG_INFINITY, |highest, lake| math::max(highest, lake.plane + surf.clearance))
}

/// Lets the deep bed of each lake balance what its bench moved, and books all
/// of it.
pub(super) fn balance(
    before: &Grid<f64>,
    lakes: &Lakes,
    shore: &Shore,
    surf: &Surf,
    bench: &mut Bench,
) -> Ledger {
    // Deeper than the bench's foot.
    let foot = surf.clearance + surf.bed_slope * surf.width;
    let deep = |heights: &Grid<f64>, cell: usize| {
        lakes.at(cell).map_or(0.0, |lake| math::max(lake.plane - heights[cell] - foot, 0.0))
    };
    let mut raised = vec![0.0_f64; lakes.lakes.len() + 1];
    let mut depth = raised.clone();
    for cell in 0..before.domain().len() {
        if bench.share[cell] > 0.0 {
            raised[shore.lake[cell] as usize] += bench.heights[cell] - before[cell];
        }
        if lakes.labels[cell] != 0 {
            depth[lakes.labels[cell] as usize] += deep(&bench.heights, cell);
        }
    }
    let stretch: Vec<f64> = raised
        .iter()
        .zip(&depth)
        .map(|(&raised, &depth)| {
            // Also where there is no depth at all.
            if raised.abs() >= MOST_STRETCH * depth {
                if raised == 0.0 || depth == 0.0 { 0.0 } else { MOST_STRETCH * raised.signum() }
            } else {
                raised / depth
            }
        })
        .collect();
    let unmoved = bench.heights.clone();
    par::map(&mut bench.heights, |cell| {
        unmoved[cell] - stretch[lakes.labels[cell] as usize] * deep(&unmoved, cell)
    });
    let area = before.domain().cell_area();
    let mut ledger = Ledger::default();
    for ((raised, depth), stretch) in raised.iter().zip(&depth).zip(&stretch) {
        let rest = area * (raised - stretch * depth);
        // A factor that balances leaves no rest but its rounding.
        if stretch.abs() == MOST_STRETCH || *depth == 0.0 {
            ledger.brought_in += math::max(rest, 0.0);
            ledger.exported += math::max(-rest, 0.0);
        }
    }
    let (len, after) = (before.domain().len(), &bench.heights);
    ledger.eroded = area * par::sum(len, |cell| math::max(before[cell] - after[cell], 0.0));
    ledger.deposited = area * par::sum(len, |cell| math::max(after[cell] - before[cell], 0.0));
    ledger
}
