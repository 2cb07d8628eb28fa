//! A margin around a map whose edge is a wall, carved with it and cut off.
//!
//! A wall raises a divide along itself: without a margin every map would have
//! a dark rim, and gullies that run along its edge.

use std::ops::Range;

use bajada_grid::{Cell, Domain, Grid, Window, math};

use super::{Edge, StreamPowerConfig};

/// The map in the middle of what is simulated.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    /// All that is simulated.
    pub whole: Domain,
    map: Domain,
    margin: usize,
}

impl Frame {
    /// The frame of `map`: its margin is a whole number of cells of a level
    /// that is `doublings` times coarser, and no wider than a quarter of it.
    pub(super) fn new(map: &Domain, config: &StreamPowerConfig, doublings: u32) -> Self {
        let short = math::min(map.width(), map.height()) - 1;
        let coarse = map.cell_size() * f64::from(1_u32 << doublings);
        let wanted = math::clamp((config.margin / coarse).round(), 0.0, 1e6) as usize;
        let most = (short / 4) >> doublings;
        let margin = match config.edge {
            Edge::Wall => math::min(wanted, most) << doublings,
            Edge::Outlet => 0,
        };
        let side = |samples: u32| samples + 2 * margin as u32;
        let [west, north] = map.origin();
        let reach = margin as f64 * map.cell_size();
        let [width, height] = map.samples().map(side);
        let origin = [west - reach, north - reach];
        match Domain::new(width, height, map.cell_size(), origin) {
            Ok(whole) => Self { whole, map: *map, margin },
            // The map is as large as maps may be.
            Err(_) => Self { whole: *map, map: *map, margin: 0 },
        }
    }

    /// `field` with its odd reflection around it: slopes go on over the edge.
    pub(super) fn surround_odd(&self, field: &Grid<f32>) -> Grid<f32> {
        self.surround(field, |edge, mirrored| 2.0 * edge - mirrored)
    }

    /// `field` with its mirror image around it.
    pub(super) fn surround_even(&self, field: &Grid<f32>) -> Grid<f32> {
        self.surround(field, |_, mirrored| mirrored)
    }

    fn surround(&self, field: &Grid<f32>, outside: impl Fn(f32, f32) -> f32) -> Grid<f32> {
        if self.margin == 0 {
            return field.clone();
        }
        let folds = |place: usize, samples: usize| fold(place, self.margin, samples);
        Grid::from_fn(self.whole, |x, y| {
            let (x, y) = (folds(x, self.map.width()), folds(y, self.map.height()));
            let on_row = |row: usize| match x {
                Fold::Inside(x) => field.at(x, row),
                Fold::Outside { edge, mirrored } => {
                    outside(field.at(edge, row), field.at(mirrored, row))
                }
            };
            match y {
                Fold::Inside(y) => on_row(y),
                Fold::Outside { edge, mirrored } => outside(on_row(edge), on_row(mirrored)),
            }
        })
    }

    /// The map's part of a grid on the whole.
    pub(super) fn cut<T: Cell>(&self, grid: &Grid<T>) -> Grid<T> {
        let (x, y) = (self.margin, self.margin);
        let window = Window { x, y, width: self.map.width(), height: self.map.height() };
        grid.crop(window).expect("the map lies inside its frame")
    }

    /// Which cells of a level belong to the map.
    pub(super) fn counted(&self, level: &Grid<f64>) -> Grid<bool> {
        let coarser = level.domain().cell_size() / self.map.cell_size();
        let range = |samples: usize| -> Range<usize> {
            let place = |cells: usize| (cells as f64 / coarser).round() as usize;
            place(self.margin)..place(self.margin + samples - 1) + 1
        };
        let (columns, rows) = (range(self.map.width()), range(self.map.height()));
        let mut counted = level.like(false);
        for y in rows {
            counted.row_mut(y)[columns.clone()].fill(true);
        }
        counted
    }
}

/// Where a place of the whole lies on a side of the map.
enum Fold {
    Inside(usize),
    Outside { edge: usize, mirrored: usize },
}

fn fold(place: usize, margin: usize, samples: usize) -> Fold {
    let last = samples - 1;
    if place < margin {
        Fold::Outside { edge: 0, mirrored: margin - place }
    } else if place - margin <= last {
        Fold::Inside(place - margin)
    } else {
        Fold::Outside { edge: last, mirrored: 2 * last - (place - margin) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bajada_testkit::terrain;

    fn framed(samples: u32, cell_size: f64, doublings: u32) -> Frame {
        let map = terrain::square(samples, cell_size);
        let config = StreamPowerConfig { edge: Edge::Wall, ..Default::default() };
        Frame::new(&map, &config, doublings)
    }

    #[test]
    fn the_margin_is_as_wide_in_metres_at_every_sample_count() {
        let widths = [(1025, 12.0, 2), (513, 24.0, 1), (257, 48.0, 0)];
        for (samples, cell_size, doublings) in widths {
            let frame = framed(samples, cell_size, doublings);
            assert_eq!(frame.whole.origin(), [-384.0; 2], "{samples}");
            assert_eq!(frame.whole.extent(), [12_288.0 + 768.0; 2]);
        }
        assert_eq!(framed(9, 10.0, 0).whole.width(), 9 + 2 * 2);
        assert_eq!(framed(2, 10.0, 0).whole.width(), 2);
    }

    #[test]
    fn a_plane_goes_on_into_the_margin_and_comes_back_whole() {
        let frame = framed(33, 12.0, 1);
        let plane = terrain::plane(frame.map, 100.0, 0.5, -0.25);
        let whole = frame.surround_odd(&plane);
        assert_eq!(whole, terrain::plane(frame.whole, 100.0 - 0.25 * 96.0, 0.5, -0.25));
        assert_eq!(frame.cut(&whole), plane);
        let mirrored = frame.surround_even(&plane);
        assert_eq!(mirrored.at(0, 8), mirrored.at(16, 8));
    }
}
