//! The map in tiles that overlap: each runs several steps on its own.
//!
//! What a tile sees beyond its core is computed twice, and to the same bits, so
//! that tiles need no word of one another until the round is over.

use std::ops::Range;

use bajada_grid::{Cancelled, Task, math, vectors};
use rayon::prelude::*;

use super::fields::Fields;
use super::law::Step;
use super::shear::Blur;
use super::sweep::{Moved, Rows, Sky, measure_room};

/// Steps between two exchanges of the tiles.
pub(super) const STEPS_PER_ROUND: u32 = 8;

/// What a tile sees beyond its core, cells: its edge is wrong by one more at
/// every step, and by two with a pass of slides.
const MARGIN: usize = STEPS_PER_ROUND as usize + 2;

/// Cells along a side of a core. Smaller tiles lie in a nearer cache, and more
/// of them is margin that is computed twice. A constant of the speed, not of the
/// results.
const CORE: usize = 192;

/// Water shallower than this sets no step of time, m.
const COUNTS: f32 = 1e-3;

/// What a round did, summed over cells, in metres of height.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    /// Deepest water, m.
    pub(super) deepest: f32,
    /// Fastest current, m/s.
    pub(super) fastest: f32,
    pub(super) rained: f64,
    pub(super) lost: f64,
    /// Over the north, east, south and west side, what came in the other way
    /// taken off.
    pub(super) water_out: [f64; 4],
    pub(super) suspended_out: [f64; 4],
    pub(super) eroded: f64,
    pub(super) deposited: f64,
}

impl Tally {
    pub(super) fn add(&mut self, other: &Self) {
        self.deepest = math::max(self.deepest, other.deepest);
        self.fastest = math::max(self.fastest, other.fastest);
        self.rained += other.rained;
        self.lost += other.lost;
        self.eroded += other.eroded;
        self.deposited += other.deposited;
        for side in 0..4 {
            self.water_out[side] += other.water_out[side];
            self.suspended_out[side] += other.suspended_out[side];
        }
    }
}

/// A tile: what it answers for and what it sees, in cells of the map.
struct Tile {
    rows: Range<usize>,
    columns: Range<usize>,
    /// North-west cell that it sees: row, column.
    corner: [usize; 2],
    fields: Fields,
    scratch: Rows,
    sky: Sky,
    tally: Tally,
    loaded: bool,
}

/// All tiles of a map.
pub(super) struct Tiles {
    tiles: Vec<Tile>,
    across: usize,
}

impl Tiles {
    pub(super) fn new(map: &Fields) -> Self {
        let cuts = |samples: usize| {
            (0..samples.div_ceil(CORE)).map(move |n| n * CORE..samples.min((n + 1) * CORE))
        };
        let tiles = cuts(map.height)
            .flat_map(|rows| cuts(map.width).map(move |columns| (rows.clone(), columns)))
            .map(|(rows, columns)| Tile::new(map, rows, columns))
            .collect();
        Self { tiles, across: map.width.div_ceil(CORE) }
    }

    /// Has what never changes in the map read again.
    pub(super) fn reload(&mut self) {
        for tile in &mut self.tiles {
            tile.loaded = false;
        }
    }

    /// Runs a round of steps on `map`.
    pub(super) fn round(
        &mut self,
        task: &Task,
        map: &mut Fields,
        step: &Step,
        blur: &mut Blur,
    ) -> Result<Tally, Cancelled> {
        task.check()?;
        if step.carries {
            blur.fill(map, step);
        }
        let seen = &*map;
        self.tiles.par_iter_mut().for_each(|tile| {
            if !task.is_cancelled() {
                vectors::wide(
                    #[inline(always)]
                    || tile.run(seen, step),
                );
            }
        });
        task.check()?;
        let mut tally = Tally::default();
        for tile in &self.tiles {
            tally.add(&tile.tally);
        }
        self.gather(map, step.carries);
        Ok(tally)
    }

    /// Writes the cores back, each row of the map by one task.
    fn gather(&self, map: &mut Fields, carries: bool) {
        let width = map.width;
        let of_row = |y: usize| {
            let first = y / CORE * self.across;
            self.tiles[first..first + self.across].iter()
        };
        macro_rules! gather {
            ($($field:ident),*) => {$(
                map.$field.par_chunks_mut(width).enumerate().for_each(|(y, row)| {
                    for tile in of_row(y) {
                        row[tile.columns.clone()].copy_from_slice(&tile.fields.$field[tile.core(y)]);
                    }
                });
            )*};
        }
        gather!(water, east, south);
        if carries {
            gather!(bed, suspended, loose);
        }
    }
}

impl Tile {
    fn new(map: &Fields, rows: Range<usize>, columns: Range<usize>) -> Self {
        let corner = [rows.start.saturating_sub(MARGIN), columns.start.saturating_sub(MARGIN)];
        let height = map.height.min(rows.end + MARGIN) - corner[0];
        let width = map.width.min(columns.end + MARGIN) - corner[1];
        Self {
            rows,
            columns,
            corner,
            fields: Fields::new(width, height),
            scratch: Rows::new(width),
            sky: Sky {
                gain: vec![0.0; width * height],
                lost: vec![0.0; width * height],
                room: vec![0.0; width * height],
            },
            tally: Tally::default(),
            loaded: false,
        }
    }

    /// Cells of the core in row `y` of the map.
    fn core(&self, y: usize) -> Range<usize> {
        let column = self.corner[1];
        let columns = self.columns.start - column..self.columns.end - column;
        self.fields.span(y - self.corner[0], &columns)
    }

    #[inline(always)]
    fn run(&mut self, map: &Fields, step: &Step) {
        self.fields.load(map, self.corner, !self.loaded);
        self.loaded = true;
        for (gain, rain) in self.sky.gain.iter_mut().zip(&self.fields.rain) {
            *gain = step.quantum.nearest(f64::from(*rain) * step.time);
        }
        self.sky.lost.fill(0.0);
        let mut tally = Tally::default();
        if step.carries {
            self.scratch.slide(&mut self.fields, step);
            measure_room(&self.fields, &mut self.sky.room);
        }
        let [row, column] = self.corner;
        let rows = self.rows.start - row..self.rows.end - row;
        let columns = self.columns.start - column..self.columns.end - column;
        // The faces of the map's own edges.
        let last = [map.height - 2 - row, map.width - 2 - column];
        for _ in 0..STEPS_PER_ROUND {
            let out = |moved: &Moved, at: &Range<usize>, sign: f64| {
                let sum = |row: &[f32]| {
                    sign * row[at.clone()].iter().map(|moved| f64::from(*moved)).sum::<f64>()
                };
                [sum(&moved.water), sum(&moved.suspended)]
            };
            self.scratch.step(&mut self.fields, step, &mut self.sky, |y, south, east| {
                let mut book = |side: usize, [water, suspended]: [f64; 2]| {
                    tally.water_out[side] += water;
                    tally.suspended_out[side] += suspended;
                };
                let Some(east) = east else {
                    if row == 0 && y == 0 && rows.contains(&0) {
                        book(0, out(south, &columns, -1.0));
                    }
                    if y == last[0] && rows.contains(&y) {
                        book(2, out(south, &columns, 1.0));
                    }
                    return;
                };
                if !rows.contains(&y) {
                    return;
                }
                if column == 0 && columns.contains(&0) {
                    book(3, out(east, &(0..1), -1.0));
                }
                if columns.contains(&last[1]) {
                    book(1, out(east, &(last[1]..last[1] + 1), 1.0));
                }
            });
        }
        self.tally = tally;
        self.count(map);
    }

    /// Sums up what the round did to the core.
    fn count(&mut self, map: &Fields) {
        let Self { fields, tally, sky, .. } = self;
        for y in self.rows.clone() {
            let column = self.corner[1];
            let columns = self.columns.start - column..self.columns.end - column;
            let here = fields.span(y - self.corner[0], &columns);
            let before = &map.bed[map.span(y, &self.columns)];
            let sums = &mut [0.0; 4];
            for (bed, before) in fields.bed[here.clone()].iter().zip(before) {
                let rise = bed - before;
                sums[0] += math::max(-rise, 0.0);
                sums[1] += math::max(rise, 0.0);
            }
            for (gain, lost) in sky.gain[here.clone()].iter().zip(&sky.lost[here.clone()]) {
                sums[2] += gain;
                sums[3] += lost;
            }
            tally.eroded += sums[0];
            tally.deposited += sums[1];
            tally.rained += sums[2] * f64::from(STEPS_PER_ROUND);
            tally.lost += sums[3];
            for index in here {
                let water = fields.water[index] as f32;
                if water <= COUNTS {
                    continue;
                }
                tally.deepest = math::max(tally.deepest, water);
                // What stands in ghosts makes waves, but runs nowhere.
                if y > 0 && index % fields.width > 0 {
                    let along = math::max(fields.east[index - 1].abs(), fields.east[index].abs());
                    let north = fields.south[index - fields.width].abs();
                    let flows = math::max(along, math::max(north, fields.south[index].abs()));
                    tally.fastest = math::max(tally.fastest, flows / water);
                }
            }
        }
    }
}
