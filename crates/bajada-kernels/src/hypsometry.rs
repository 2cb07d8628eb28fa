//! How much a hollow holds below a level, and which level a volume reaches.
//!
//! Model: every cell is a column that fills from its floor to its ceiling. The
//! volume below a level is then piecewise linear, with a corner at each floor
//! and each ceiling, and so is its inverse. Both are exact but for the rounding
//! of f64: volumes at the corners are summed with their rounding errors
//! (Neumaier 1974), and a volume that is one of a corner gives the corner's
//! level to the bit. O(n log n) to make, O(log n) to ask.

/// Volume and area below a level, and the level of a volume, of one hollow.
#[derive(Clone, Debug)]
pub struct Hypsometry {
    cell_area: f64,
    /// Levels at which columns begin or end, rising.
    corners: Vec<f64>,
    /// Volume below each corner, m3.
    volumes: Vec<f64>,
    /// Columns that fill between each corner and the next.
    filling: Vec<u32>,
}

/// A sum that keeps what rounding would drop.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Exact {
    sum: f64,
    dropped: f64,
}

impl Exact {
    pub(crate) fn add(&mut self, term: f64) {
        let sum = self.sum + term;
        self.dropped += if self.sum.abs() >= term.abs() {
            (self.sum - sum) + term
        } else {
            (term - sum) + self.sum
        };
        self.sum = sum;
    }

    pub(crate) fn join(&mut self, other: Self) {
        self.add(other.sum);
        self.dropped += other.dropped;
    }

    pub(crate) fn value(self) -> f64 {
        self.sum + self.dropped
    }
}

impl Hypsometry {
    /// A hollow whose cells, of `cell_area` m2 each, have these `floors` and no
    /// end above them.
    pub fn new(floors: impl IntoIterator<Item = f64>, cell_area: f64) -> Self {
        Self::from_turns(floors.into_iter().map(|floor| (floor, 1)).collect(), cell_area)
    }

    /// A hollow of columns between a floor and a ceiling, which is not below it.
    pub fn between(columns: impl IntoIterator<Item = [f64; 2]>, cell_area: f64) -> Self {
        let turns = columns.into_iter().flat_map(|[floor, ceiling]| [(floor, 1), (ceiling, -1)]);
        Self::from_turns(turns.collect(), cell_area)
    }

    /// A turn is a level, and by how much the number of filling columns
    /// changes there.
    fn from_turns(mut turns: Vec<(f64, i32)>, cell_area: f64) -> Self {
        turns.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut made = Self {
            cell_area,
            corners: Vec::with_capacity(turns.len()),
            volumes: Vec::with_capacity(turns.len()),
            filling: Vec::with_capacity(turns.len()),
        };
        let (mut columns, mut depth) = (0_i32, Exact::default());
        for (level, turn) in turns {
            let last = made.corners.last().copied();
            depth.add(f64::from(columns) * (level - last.unwrap_or(level)));
            columns += turn;
            if last == Some(level) {
                made.filling.pop();
            } else {
                made.corners.push(level);
                made.volumes.push(cell_area * depth.value());
            }
            // At one level a ceiling may come before its floor.
            made.filling.push(u32::try_from(columns).unwrap_or(0));
        }
        made
    }

    /// Volume below `level`, m3.
    pub fn volume(&self, level: f64) -> f64 {
        let Some(corner) = self.corners.partition_point(|&corner| corner <= level).checked_sub(1)
        else {
            return 0.0;
        };
        let columns = f64::from(self.filling[corner]);
        self.volumes[corner] + self.cell_area * columns * (level - self.corners[corner])
    }

    /// Area that a surface at `level` has, m2: columns with floor below it and
    /// ceiling not below it.
    pub fn area(&self, level: f64) -> f64 {
        let corner = self.corners.partition_point(|&corner| corner < level).checked_sub(1);
        corner.map_or(0.0, |corner| self.cell_area * f64::from(self.filling[corner]))
    }

    /// The lowest level below which `volume` m3 lie; `None` when there are no
    /// columns or they do not hold so much.
    pub fn level(&self, volume: f64) -> Option<f64> {
        if volume <= 0.0 {
            return self.corners.first().copied();
        }
        let corner = self.volumes.partition_point(|&below| below < volume).checked_sub(1)?;
        if let Some(&next) = self.volumes.get(corner + 1)
            && next == volume
        {
            return Some(self.corners[corner + 1]);
        }
        let columns = f64::from(self.filling[corner]);
        if columns == 0.0 {
            return None;
        }
        let rise = (volume - self.volumes[corner]) / (self.cell_area * columns);
        let level = self.corners[corner] + rise;
        Some(match self.corners.get(corner + 1) {
            Some(&next) if level > next => next,
            _ => level,
        })
    }

    /// What all columns hold, m3; infinite when they have no ceilings.
    pub fn capacity(&self) -> f64 {
        match (self.filling.last(), self.volumes.last()) {
            (Some(0), Some(&volume)) => volume,
            (Some(_), _) => f64::INFINITY,
            (None, _) => 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bajada_grid::Stream;

    /// Ring `i` of the cone has the area of one cell, and the mean height of
    /// the cone over it.
    fn cone(slope: f64, cell_area: f64, cells: u32) -> Vec<f64> {
        let radius = |cells: u32| (f64::from(cells) * cell_area / std::f64::consts::PI).sqrt();
        let cube = |r: f64| r * r * r;
        (0..cells)
            .map(|i| {
                let [inner, outer] = [radius(i), radius(i + 1)];
                let over = 2.0 / 3.0 * std::f64::consts::PI * slope;
                over * (cube(outer) - cube(inner)) / cell_area
            })
            .collect()
    }

    #[test]
    fn a_cone_fills_to_the_level_of_the_formula() {
        let (slope, area) = (0.3, 25.0);
        for bottom in [0.0, 8000.0] {
            let heights = cone(slope, area, 40_000).into_iter().map(|height| height + bottom);
            let basin = Hypsometry::new(heights, area);
            for cells in [1_000, 7_777, 39_000] {
                // Where a ring ends, the cells below hold the cone to the bit.
                let level = slope * (f64::from(cells) * area / std::f64::consts::PI).sqrt();
                let volume = std::f64::consts::PI * level * level * level / (3.0 * slope * slope);
                let found = basin.level(volume).expect("an open cone holds all") - bottom;
                assert!((found - level).abs() < 1e-9, "{found} for {level}");
                assert!((basin.volume(bottom + level) / volume - 1.0).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn the_corners_come_back_to_the_bit() {
        let stream = Stream::new(3);
        let floors: Vec<f64> = (0..5000).map(|i| 900.0 + stream.uniform(i, 0)).collect();
        let basin = Hypsometry::new(floors.iter().copied(), 7.3);
        for &floor in &floors {
            assert_eq!(basin.level(basin.volume(floor)), Some(floor));
        }
    }

    #[test]
    fn a_level_holds_the_volume_that_asked_for_it() {
        let stream = Stream::new(5);
        let columns: Vec<[f64; 2]> = (0..3000)
            .map(|i| {
                let floor = stream.uniform(i, 0);
                [floor, floor + stream.uniform(i, 1)]
            })
            .collect();
        let basin = Hypsometry::between(columns.iter().copied(), 4.0);
        for share in [0.001, 0.1, 0.5, 0.99, 1.0] {
            let volume = share * basin.capacity();
            let level = basin.level(volume).expect("they hold so much");
            let held: f64 = columns
                .iter()
                .map(|&[floor, ceiling]| {
                    let top = if level < ceiling { level } else { ceiling };
                    if top > floor { 4.0 * (top - floor) } else { 0.0 }
                })
                .sum();
            assert!((held / volume - 1.0).abs() < 1e-12, "{held} for {volume}");
            assert!((basin.volume(level) / volume - 1.0).abs() < 1e-12);
        }
        assert_eq!(basin.level(1.001 * basin.capacity()), None);
    }

    #[test]
    fn steps_count_only_what_lies_below() {
        let basin = Hypsometry::new([2.0, 1.0, 2.0, 5.0], 10.0);
        let at = |level| (basin.volume(level), basin.area(level));
        assert_eq!(at(0.0), (0.0, 0.0));
        assert_eq!(at(1.0), (0.0, 0.0));
        assert_eq!(at(2.0), (10.0, 10.0));
        assert_eq!(at(3.0), (40.0, 30.0));
        assert_eq!(at(6.0), (140.0, 40.0));
        assert_eq!(
            [0.0, 10.0, 25.0, 100.0].map(|v| basin.level(v)),
            [1.0, 2.0, 2.5, 5.0].map(Some)
        );
        let none = Hypsometry::new([], 10.0);
        assert_eq!((none.level(0.0), none.level(1.0), none.capacity()), (None, None, 0.0));
    }
}
