//! How far the shore is, near the shore.
//!
//! The distance is that to the nearest of the shore's segments, exact but for
//! rounding. Segments that cannot be the nearest are left out tile by tile, in
//! two steps: with `near` the distance from a tile's center to the nearest
//! segment, none farther than `near` plus the tile's diagonal can be nearest
//! anywhere in it.

use bajada_grid::{Cancelled, Domain, Grid, Task, math};
use rayon::prelude::*;

use super::shoreline::Segment;

/// Distance to the shore and whose shore it is.
pub(super) struct Shore {
    /// m; infinite beyond the reach.
    pub distance: Grid<f64>,
    /// Lake of the nearest shore, the first of several; 0 beyond the reach.
    pub lake: Grid<u32>,
}

/// Cells along the side of the larger tiles; a band of them is one task.
const COARSE: usize = 32;
/// Cells along the side of the smaller tiles.
const FINE: usize = 8;

/// Places of the segments by the coarse tile that they lie in.
struct Buckets {
    across: usize,
    down: usize,
    firsts: Vec<u32>,
    places: Vec<u32>,
}

impl Buckets {
    fn new(domain: &Domain, segments: &[Segment]) -> Self {
        let across = domain.width().div_ceil(COARSE);
        let down = domain.height().div_ceil(COARSE);
        let tile_of = |segment: &Segment| {
            // Both ends lie in one cell of four samples, whose corner this is.
            let [a, b] = segment.ends;
            let [x, y] = [0, 1].map(|axis| math::min(a[axis], b[axis]) as usize / COARSE);
            math::min(y, down - 1) * across + math::min(x, across - 1)
        };
        let mut firsts = vec![0_u32; across * down + 1];
        for segment in segments {
            firsts[tile_of(segment) + 1] += 1;
        }
        for tile in 1..firsts.len() {
            firsts[tile] += firsts[tile - 1];
        }
        let mut next = firsts.clone();
        let mut places = vec![0_u32; segments.len()];
        for (place, segment) in segments.iter().enumerate() {
            let slot = &mut next[tile_of(segment)];
            places[*slot as usize] = place as u32;
            *slot += 1;
        }
        Self { across, down, firsts, places }
    }

    /// Places of the segments in the tiles at most `reach` cells away.
    fn around(&self, tile_x: usize, tile_y: usize, reach: f64, found: &mut Vec<u32>) {
        // One more tile, since a segment may stick out of its own by a cell.
        let tiles = (math::min(reach, 1e6) / COARSE as f64) as usize + 2;
        for y in tile_y.saturating_sub(tiles)..=math::min(tile_y + tiles, self.down - 1) {
            let west = y * self.across + tile_x.saturating_sub(tiles);
            let east = y * self.across + math::min(tile_x + tiles, self.across - 1);
            let [first, end] = [self.firsts[west], self.firsts[east + 1]];
            found.extend(&self.places[first as usize..end as usize]);
        }
    }
}

/// Keeps the segments that may be the nearest, within `reach` cells, of a cell
/// in the square of `side` cells at (x, y).
fn cull(
    segments: &[Segment],
    from: &[u32],
    [x, y]: [usize; 2],
    side: usize,
    reach: f64,
) -> Vec<u32> {
    let half = (side - 1) as f64 / 2.0;
    let center = [x as f64 + half, y as f64 + half];
    let radius = half * std::f64::consts::SQRT_2;
    let distances: Vec<f64> = from
        .iter()
        .map(|&place| segments[place as usize].distance_squared(center).sqrt())
        .collect();
    let near = distances.iter().copied().fold(f64::INFINITY, math::min);
    // A little more than the bound, for the rounding of the roots.
    let bound = math::min(near + radius, reach) + radius + 1e-6;
    let within = |&(_, &distance): &(&u32, &f64)| distance <= bound;
    from.iter().zip(&distances).filter(within).map(|(&place, _)| place).collect()
}

/// The distance to the nearest of `segments` for cells at most `reach` m from
/// it, on the lattice of `like`.
pub(super) fn shore(
    task: &Task,
    like: &Grid<f64>,
    segments: &[Segment],
    reach: f64,
) -> Result<Shore, Cancelled> {
    let domain = *like.domain();
    let (width, cell_size) = (domain.width(), domain.cell_size());
    let reach_cells = reach / cell_size;
    let buckets = Buckets::new(&domain, segments);
    let mut shore = Shore { distance: like.like(f64::INFINITY), lake: like.like(0_u32) };
    let bands = shore.distance.as_mut_slice().par_chunks_mut(COARSE * width);
    let bands = bands.zip(shore.lake.as_mut_slice().par_chunks_mut(COARSE * width));
    bands.enumerate().for_each(|(tile_y, (distances, lakes))| {
        let mut candidates = Vec::new();
        let rows = distances.len() / width;
        for tile_x in 0..buckets.across {
            if task.is_cancelled() {
                return;
            }
            candidates.clear();
            buckets.around(tile_x, tile_y, reach_cells, &mut candidates);
            let corner = [tile_x * COARSE, tile_y * COARSE];
            let coarse = cull(segments, &candidates, corner, COARSE, reach_cells);
            if coarse.is_empty() {
                continue;
            }
            for top in (0..rows).step_by(FINE) {
                for left in (corner[0]..math::min(corner[0] + COARSE, width)).step_by(FINE) {
                    let fine = cull(segments, &coarse, [left, corner[1] + top], FINE, reach_cells);
                    for row in top..math::min(top + FINE, rows) {
                        for x in left..math::min(left + FINE, width) {
                            let point = [x as f64, (corner[1] + row) as f64];
                            let (square, lake) = nearest(segments, &fine, point);
                            let distance = square.sqrt() * cell_size;
                            if distance <= reach {
                                distances[row * width + x] = distance;
                                lakes[row * width + x] = lake;
                            }
                        }
                    }
                }
            }
        }
    });
    task.check()?;
    Ok(shore)
}

/// Square of the distance to the nearest segment, and its lake; ties go to the
/// lesser lake.
#[inline(always)]
fn nearest(segments: &[Segment], from: &[u32], point: [f64; 2]) -> (f64, u32) {
    let mut best = (f64::INFINITY, 0);
    for &place in from {
        let segment = &segments[place as usize];
        let here = (segment.distance_squared(point), segment.lake);
        if here < best {
            best = here;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use bajada_grid::Stream;

    #[test]
    fn leaving_segments_out_changes_no_bit() {
        let domain = Domain::new(101, 75, 2.0, [0.0; 2]).expect("legal");
        let like = Grid::filled(domain, 0.0_f64);
        let stream = Stream::new(8);
        let segments: Vec<Segment> = (0..60)
            .map(|i| {
                let draw = |k| stream.uniform(i, k);
                let corner = [(draw(0) * 100.0).floor(), (draw(1) * 74.0).floor()];
                let end = |k| [corner[0] + draw(k), corner[1] + draw(k + 1)];
                Segment { ends: [end(2), end(4)], lake: 1 + (i % 3) as u32 }
            })
            .collect();
        let all: Vec<u32> = (0..60).collect();
        for reach in [3.0, 40.0, 1000.0] {
            let shore = shore(&Task::new(), &like, &segments, reach).expect("nobody stops it");
            for cell in 0..domain.len() {
                let (x, y) = domain.column_row(cell);
                let (square, lake) = nearest(&segments, &all, [x as f64, y as f64]);
                let distance = square.sqrt() * 2.0;
                let want = if distance <= reach { (distance, lake) } else { (f64::INFINITY, 0) };
                assert_eq!((shore.distance[cell], shore.lake[cell]), want);
            }
        }
    }
}
