//! How much each fan receives, and where it is taken from.
//!
//! The cut of a cell is at most that of its receiver plus a share of its drop to
//! it: no cut makes a pit, and at the apex nothing is taken. Under that bound a
//! depth grows with the way that the water has come (0 on divides, so that
//! neither side shows a step, the full depth in channels), scaled until the
//! catchment gives what is asked of it. What a fan receives *is* the sum of the
//! cuts.

use bajada_grid::{Grid, Supply, math};

use super::catchment::{Catchments, sums_by_label};
use super::{Ground, Source};
use crate::deposit::apices::Apex;
use crate::flow::{OUT, strides, toward};

/// Most that a cut may add to the cut below, as a share of the drop.
const SHARE_OF_DROP: f64 = 0.5;

/// Way of the water after which half the full depth is taken, m.
const HALF_WAY: f64 = 100.0;

/// Deepest cut, m, and largest volume, m3, that anyone may ask for.
const DEEPEST: f64 = 1e5;
const LARGEST: f64 = 1e18;

/// Tries to find the depth that gives the wanted volume.
const TRIES: usize = 24;

/// What the fans receive.
pub(super) struct Received {
    /// Volume for each apex, m3.
    pub volumes: Vec<f64>,
    /// Thickness taken from each cell, m; none where all comes from elsewhere.
    pub cuts: Option<Grid<f64>>,
    /// From a supply, m3.
    pub taken_up: f64,
    /// Of it, what no fan can take, m3.
    pub unclaimed: f64,
    /// From outside, m3.
    pub brought_in: f64,
}

impl Received {
    /// Takes `cuts` from the ground and gives them to the apices below.
    fn cut(&mut self, catchments: &Catchments, cuts: Grid<f64>, cell_area: f64) {
        let sums = sums_by_label(&catchments.labels, catchments.apices(), |cell| cuts[cell]);
        for (volume, sum) in self.volumes.iter_mut().zip(sums.into_iter().skip(1)) {
            *volume += cell_area * sum;
        }
        self.cuts = Some(cuts);
    }
}

/// Gathers what `sources` give to the fans at `apices`.
pub(super) fn receive(
    ground: &Ground<'_>,
    heights: &Grid<f64>,
    catchments: &Catchments,
    apices: &[Apex],
    sources: &[Source<'_>],
) -> Received {
    let mut received = Received {
        volumes: vec![0.0; apices.len()],
        cuts: None,
        taken_up: 0.0,
        unclaimed: 0.0,
        brought_in: 0.0,
    };
    for source in sources {
        receive_from(&mut received, source, ground, heights, catchments, apices);
    }
    received
}

fn receive_from(
    received: &mut Received,
    source: &Source<'_>,
    ground: &Ground<'_>,
    heights: &Grid<f64>,
    catchments: &Catchments,
    apices: &[Apex],
) {
    let cell_area = heights.domain().cell_area();
    match source {
        Source::Denudation(_) | Source::Loose if received.cuts.is_some() => {}
        Source::Denudation(depth) => {
            let wanted: Vec<f64> = (0..=apices.len())
                .map(|label| {
                    math::clamp(*depth, 0.0, DEEPEST) * catchments.cells(label as u32) as f64
                })
                .collect();
            let cuts = denude(heights, catchments, &wanted);
            received.cut(catchments, cuts, cell_area);
        }
        Source::Loose => {
            if let Some(sediment) = ground.sediment {
                let cuts = Cutter::new(heights, catchments)
                    .cut(|cell| math::max(f64::from(sediment[cell]), 0.0));
                received.cut(catchments, cuts, cell_area);
            }
        }
        Source::Parcels(supply) => hand_out(received, supply, catchments, apices),
        Source::Outside(volume) => {
            let volume = math::clamp(*volume, 0.0, LARGEST);
            let area: f64 = apices.iter().map(|apex| math::max(apex.catchment_area, 1.0)).sum();
            if area > 0.0 {
                for (share, apex) in received.volumes.iter_mut().zip(apices) {
                    let given = volume * math::max(apex.catchment_area, 1.0) / area;
                    *share += given;
                    received.brought_in += given;
                }
            }
        }
    }
}

/// Each parcel to the first apex downstream of it, else to the nearest.
fn hand_out(received: &mut Received, supply: &Supply, catchments: &Catchments, apices: &[Apex]) {
    let domain = *catchments.labels.domain();
    for parcel in supply.parcels() {
        let cell = parcel.index as usize;
        received.taken_up += parcel.volume;
        let label = if cell < domain.len() { catchments.labels[cell] as usize } else { 0 };
        let place = match label {
            0 if cell < domain.len() => nearest(&domain, cell, apices),
            0 => None,
            label => Some(label - 1),
        };
        match place {
            Some(place) => received.volumes[place] += parcel.volume,
            None => received.unclaimed += parcel.volume,
        }
    }
}

fn nearest(domain: &bajada_grid::Domain, cell: usize, apices: &[Apex]) -> Option<usize> {
    let (x, y) = domain.column_row(cell);
    let squared = |apex: &Apex| {
        let (ax, ay) = domain.column_row(apex.cell);
        let (dx, dy) = (ax.abs_diff(x) as u64, ay.abs_diff(y) as u64);
        dx * dx + dy * dy
    };
    (0..apices.len()).min_by_key(|&place| (squared(&apices[place]), place))
}

/// Cells that drain to an apex, from the apices up.
struct Cutter<'a> {
    heights: &'a Grid<f64>,
    labels: &'a Grid<u32>,
    /// A cell, its receiver, and the most that it may be cut deeper, m.
    steps: Vec<(u32, u32, f64)>,
}

impl<'a> Cutter<'a> {
    fn new(heights: &'a Grid<f64>, catchments: &'a Catchments) -> Self {
        let strides = strides(heights.domain());
        let labels = &catchments.labels;
        let mut steps = Vec::new();
        for cell in catchments.order.upstream() {
            let direction = catchments.directions[cell];
            if direction == OUT || labels[cell] == 0 {
                continue;
            }
            let receiver = toward(cell, direction, &strides);
            // An apex itself is not cut.
            if labels[receiver] == labels[cell] {
                let drop = math::max(heights[cell] - heights[receiver], 0.0);
                steps.push((cell as u32, receiver as u32, SHARE_OF_DROP * drop));
            }
        }
        Self { heights, labels, steps }
    }

    /// Cuts of at most `most(cell)`.
    fn cut(&self, most: impl Fn(usize) -> f64) -> Grid<f64> {
        let mut cuts = self.heights.like(0.0_f64);
        for &(cell, receiver, deeper) in &self.steps {
            cuts[cell as usize] = math::min(most(cell as usize), cuts[receiver as usize] + deeper);
        }
        cuts
    }

    /// Sums of the cuts by label, m.
    fn sums(&self, cuts: &mut [f64], most: impl Fn(usize, u32) -> f64, sums: &mut [f64]) {
        sums.fill(0.0);
        for &(cell, receiver, deeper) in &self.steps {
            let label = self.labels[cell as usize];
            let cut = math::min(most(cell as usize, label), cuts[receiver as usize] + deeper);
            cuts[cell as usize] = cut;
            sums[label as usize] += cut;
        }
    }
}

/// Cuts that sum up to `wanted` for each label (m, summed over its cells) as
/// nearly as the ground allows.
fn denude(heights: &Grid<f64>, catchments: &Catchments, wanted: &[f64]) -> Grid<f64> {
    let cutter = Cutter::new(heights, catchments);
    let cell_size = heights.domain().cell_size();
    let mut share = heights.like(0.0_f64);
    bajada_grid::par::map(&mut share, |cell| {
        let way = math::max(catchments.area[cell] / cell_size - cell_size, 0.0);
        way / (way + HALF_WAY)
    });
    let mut cuts = heights.like(0.0_f64);
    let mut sums = vec![0.0; wanted.len()];
    // Depths in search: low gives too little, high too much.
    let mut depths: Vec<Search> = wanted.iter().map(|_| Search::default()).collect();
    for (depth, (want, label)) in depths.iter_mut().zip(wanted.iter().zip(0_u32..)) {
        depth.now = 2.0 * want / math::max(catchments.cells(label) as f64, 1.0);
    }
    for _ in 0..TRIES {
        cutter.sums(
            cuts.as_mut_slice(),
            |cell, label| share[cell] * depths[label as usize].now,
            &mut sums,
        );
        let mut settled = true;
        for (label, depth) in depths.iter_mut().enumerate().skip(1) {
            settled &= depth.look(sums[label], wanted[label]);
        }
        if settled {
            break;
        }
    }
    cutter.cut(|cell| share[cell] * depths[cutter.labels[cell] as usize].now)
}

/// A search for the depth that gives a volume.
#[derive(Clone, Copy, Debug, Default)]
struct Search {
    now: f64,
    low: (f64, f64),
    high: Option<(f64, f64)>,
}

impl Search {
    /// Judges what `now` gave, and takes the next guess. Whether it is settled.
    fn look(&mut self, got: f64, wanted: f64) -> bool {
        if (got - wanted).abs() <= 1e-7 * wanted || (got < wanted && self.now >= DEEPEST) {
            return true;
        }
        if got < wanted {
            self.low = (self.now, got);
        } else {
            self.high = Some((self.now, got));
        }
        self.now = match self.high {
            None => self.now * 2.0 + 1e-3,
            Some((high, much)) => {
                let part = (wanted - self.low.1) / (much - self.low.1);
                // Never so near to an end that the other one stays for good.
                math::lerp(self.low.0, high, math::clamp(part, 0.05, 0.95))
            }
        };
        false
    }
}
