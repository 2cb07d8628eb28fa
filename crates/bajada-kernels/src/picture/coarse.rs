//! The coarse grid that all wide fields live on.
//!
//! What a picture asks about the neighbourhood (how steep, how open to the sky,
//! which way the large form leans) changes slowly. It is worked out on a grid
//! of about 512 nodes a side, whatever the map, and read back bilinearly: its
//! cost does not grow with the map, and a preview has the tones of the full
//! build.

use bajada_grid::{Domain, Grid, par};

/// Cells along the longer side, at most.
const MOST_CELLS: usize = 512;

/// Which samples of a map each node of its coarse grid stands for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Coarse {
    fine: Domain,
    domain: Domain,
    /// Samples from one node to the next.
    pub(super) factor: usize,
}

impl Coarse {
    /// The coarse grid of a map; node `i` sits on sample `i * factor`.
    pub(super) fn new(fine: Domain) -> Self {
        let longest = fine.width().max(fine.height()) - 1;
        let factor = longest.div_ceil(MOST_CELLS).max(1);
        let nodes = |samples: usize| ((samples - 1).div_ceil(factor) + 1) as u32;
        let domain = Domain::new(
            nodes(fine.width()),
            nodes(fine.height()),
            fine.cell_size() * factor as f64,
            fine.origin(),
        )
        .expect("a coarse grid is no larger than its map, and its cells are finite");
        Self { fine, domain, factor }
    }

    /// Where the nodes lie.
    pub(super) fn domain(&self) -> Domain {
        self.domain
    }

    /// A lattice of `height` rows that holds `panes` values for each column of
    /// nodes. A place to keep numbers, not a place in the world.
    pub(super) fn panes(&self, panes: usize, height: usize) -> Domain {
        Domain::new((panes * self.domain.width()) as u32, height as u32, 1.0, [0.0; 2])
            .expect("a few hundred nodes a row")
    }

    /// Means of a map's row around each column of nodes.
    pub(super) fn reduce_row(&self, row: &[f32], means: &mut [f32]) {
        if self.factor == 1 {
            means.copy_from_slice(row);
            return;
        }
        let half = self.factor / 2;
        let last = row.len() - 1;
        for (node, mean) in means.iter_mut().enumerate() {
            let center = node * self.factor;
            let mut sum = 0.0_f64;
            // Only the border nodes need their samples held to the map.
            match center.checked_sub(half).and_then(|first| row.get(first..=center + half)) {
                Some(samples) => {
                    for (&sample, (_, weight)) in samples.iter().zip(self.window()) {
                        sum += weight * f64::from(sample);
                    }
                }
                None => {
                    for (offset, weight) in self.window() {
                        sum += weight * f64::from(row[held(center, offset, last)]);
                    }
                }
            }
            *mean = sum as f32;
        }
    }

    /// Means of rows around each row of nodes.
    pub(super) fn reduce_rows(&self, across: &Grid<f32>, panes: usize) -> Grid<f32> {
        let mut reduced = across.like_on(self.panes(panes, self.domain.height()), 0.0_f32);
        let last = self.fine.height() - 1;
        par::rows(&mut reduced, |node, means| {
            let mut sums = vec![0.0_f64; means.len()];
            for (offset, weight) in self.window() {
                let row = across.row(held(node * self.factor, offset, last));
                for (sum, &value) in sums.iter_mut().zip(row) {
                    *sum += weight * f64::from(value);
                }
            }
            for (mean, sum) in means.iter_mut().zip(sums) {
                *mean = sum as f32;
            }
        });
        reduced
    }

    /// One of several panes that lie side by side, as a field of its own.
    pub(super) fn pane(&self, panes: &Grid<f32>, idx: usize) -> Grid<f32> {
        let width = self.domain.width();
        let mut pane = panes.like_on(self.domain, 0.0_f32);
        par::rows(&mut pane, |y, row| {
            row.copy_from_slice(&panes.row(y)[idx * width..(idx + 1) * width]);
        });
        pane
    }

    /// Offsets and weights of a node's mean. An even factor has a sample half
    /// way between two nodes: both take half of it.
    fn window(&self) -> impl Iterator<Item = (isize, f64)> + use<> {
        let (factor, half) = (self.factor, (self.factor / 2) as isize);
        let share = 1.0 / factor as f64;
        (-half..=half).map(move |offset| {
            let shared = factor % 2 == 0 && offset.abs() == half;
            (offset, if shared { 0.5 * share } else { share })
        })
    }
}

fn held(place: usize, offset: isize, last: usize) -> usize {
    place.saturating_add_signed(offset).min(last)
}

/// Values that a node carries.
pub(super) const LANES: usize = 8;

/// Eight wide fields, read back along one row of the map.
#[derive(Debug, Default)]
pub(super) struct WideRow {
    nodes: Vec<[f32; LANES]>,
}

impl WideRow {
    /// Sets the nodes to what `lanes` ([`LANES`] values a node) holds at row
    /// `y` of the map.
    pub(super) fn read(&mut self, coarse: &Coarse, lanes: &Grid<f32>, y: usize) {
        let node = y / coarse.factor;
        let t = (y % coarse.factor) as f32 / coarse.factor as f32;
        let north = lanes.row(node).as_chunks::<LANES>().0;
        let south = lanes.row((node + 1).min(lanes.height() - 1)).as_chunks::<LANES>().0;
        self.nodes.clear();
        self.nodes.extend(north.iter().zip(south).map(|(a, b)| between(a, b, t)));
        // One more node, so that the last sample has a neighbour to be mixed
        // with (by nothing).
        self.nodes.extend(self.nodes.last().copied());
    }

    /// The fields at the share `t` of the way from `node` to the next.
    #[inline]
    pub(super) fn at(&self, node: usize, t: f32) -> [f32; LANES] {
        between(&self.nodes[node], &self.nodes[node + 1], t)
    }
}

#[inline]
fn between(a: &[f32; LANES], b: &[f32; LANES], t: f32) -> [f32; LANES] {
    std::array::from_fn(|lane| a[lane] + (b[lane] - a[lane]) * t)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn domain(width: u32, height: u32) -> Domain {
        Domain::new(width, height, 3.0, [0.0; 2]).expect("legal")
    }

    #[test]
    fn a_preview_and_its_full_build_share_their_nodes() {
        let (preview, full) = (Coarse::new(domain(513, 257)), Coarse::new(domain(1025, 513)));
        assert_eq!((preview.factor, full.factor), (1, 2));
        assert_eq!(preview.domain().samples(), full.domain().samples());
        let odd = Coarse::new(domain(1538, 600));
        assert_eq!((odd.factor, odd.domain().width(), odd.domain().height()), (4, 386, 151));
    }

    #[test]
    fn a_straight_line_is_averaged_and_read_back_as_itself() {
        for width in [513, 1025, 1500, 2049, 2600] {
            let coarse = Coarse::new(domain(width, 2));
            let row: Vec<f32> = (0..width).map(|x| 0.5 * x as f32).collect();
            let mut means = vec![0.0; coarse.domain().width()];
            coarse.reduce_row(&row, &mut means);
            // The border nodes see held edges and are left out.
            let inner = means.len() - 2;
            for (node, &mean) in means.iter().enumerate().take(inner).skip(1) {
                assert_eq!(mean, 0.5 * (node * coarse.factor) as f32, "{width}");
            }
        }
    }

    #[test]
    fn lanes_are_mixed_between_their_nodes() {
        let coarse = Coarse::new(domain(1025, 1025));
        let mut lanes = Grid::filled(coarse.panes(LANES, 513), 0.0_f32);
        for y in 0..513 {
            for (idx, cell) in lanes.row_mut(y).iter_mut().enumerate() {
                *cell = (10 * y + idx / LANES) as f32;
            }
        }
        let mut row = WideRow::default();
        row.read(&coarse, &lanes, 7);
        assert_eq!(row.at(4, 0.5), [39.5; LANES]);
        row.read(&coarse, &lanes, 1024);
        assert_eq!(row.at(512, 0.0), [5632.0; LANES]);
    }
}
