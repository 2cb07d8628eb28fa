//! What kind of place each cell is: peak, ridge, slope, valley and so on.
//!
//! Model (Jasiewicz & Stepinski 2013): along each of eight directions the highest
//! and the lowest line of sight within a radius are compared; their angles say
//! whether the ground there lies above, below or level with the place. How many
//! of the eight are above and how many below gives one of ten forms.

use bajada_grid::neighbors::{D8, D8_LENGTH};
use bajada_grid::{Grid, math, par};

/// The ten forms, in the order of [`geomorphons`].
pub const FORMS: [&str; 10] =
    ["flat", "peak", "ridge", "shoulder", "spur", "slope", "hollow", "footslope", "valley", "pit"];

/// How far lines of sight reach, cells, and how many degrees count as level.
const RADIUS: usize = 20;
const LEVEL_DEG: f64 = 1.0;

/// Forms by how many directions are below (row) and above (column); 9 is none
/// that can be.
const TABLE: [[u8; 9]; 9] = [
    [0, 0, 0, 7, 7, 8, 8, 8, 9],
    [0, 0, 7, 7, 7, 8, 8, 8, 9],
    [0, 3, 5, 5, 6, 6, 8, 9, 9],
    [3, 3, 5, 5, 5, 6, 9, 9, 9],
    [3, 3, 4, 5, 5, 9, 9, 9, 9],
    [2, 2, 4, 4, 9, 9, 9, 9, 9],
    [2, 2, 2, 9, 9, 9, 9, 9, 9],
    [2, 2, 9, 9, 9, 9, 9, 9, 9],
    [1, 9, 9, 9, 9, 9, 9, 9, 9],
];

/// Share of each of the [`FORMS`] among the counted cells; all 0 if none counts.
/// Lines of sight end at the edge and at `nodata`.
pub fn geomorphons(
    elevation: &Grid<f32>,
    nodata: Option<&Grid<bool>>,
    counted: &(dyn Fn(usize) -> bool + Sync),
) -> [f64; 10] {
    let domain = *elevation.domain();
    let level = math::tan_deg(LEVEL_DEG);
    let form = |index: usize| {
        let (x, y) = domain.column_row(index);
        let here = f64::from(elevation[index]);
        let [mut above, mut below] = [0_usize; 2];
        for ((dx, dy), length) in D8.into_iter().zip(D8_LENGTH) {
            let [mut highest, mut lowest] = [f64::NEG_INFINITY, f64::INFINITY];
            let (mut column, mut row) = (x, y);
            for step in 1..=RADIUS {
                column = column.wrapping_add_signed(dx);
                row = row.wrapping_add_signed(dy);
                if column >= domain.width()
                    || row >= domain.height()
                    || nodata.is_some_and(|nodata| nodata.at(column, row))
                {
                    break;
                }
                let run = step as f64 * length * domain.cell_size();
                let slope = (f64::from(elevation.at(column, row)) - here) / run;
                highest = math::max(highest, slope);
                lowest = math::min(lowest, slope);
            }
            // The side that is further from level decides.
            if highest > level && highest >= -lowest {
                above += 1;
            } else if lowest < -level && -lowest > highest {
                below += 1;
            }
        }
        usize::from(TABLE[below][above])
    };
    let sums = par::sums(domain.len(), |index| {
        let mut counts = [0.0; 10];
        if counted(index) {
            counts[form(index)] = 1.0;
        }
        counts
    });
    let total: f64 = sums.iter().sum();
    if total > 0.0 { sums.map(|count| count / total) } else { sums }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bajada_testkit::terrain;

    fn form_at(ground: &Grid<f32>, x: usize, y: usize) -> &'static str {
        let here = y * ground.width() + x;
        let shares = geomorphons(ground, None, &|index| index == here);
        FORMS[shares.iter().position(|&share| share == 1.0).expect("one cell has one form")]
    }

    #[test]
    fn the_forms_of_the_textbook_are_told_apart() {
        let domain = terrain::square(65, 10.0);
        let middle = |value: fn(f32, f32) -> f32| {
            Grid::from_fn(domain, |x, y| value(x as f32 - 32.0, y as f32 - 32.0))
        };
        let cone = middle(|x, y| -5.0 * (x * x + y * y).sqrt());
        assert_eq!(form_at(&cone, 32, 32), "peak");
        assert_eq!(form_at(&middle(|x, y| 5.0 * (x * x + y * y).sqrt()), 32, 32), "pit");
        assert_eq!(form_at(&middle(|x, _| -5.0 * x.abs()), 32, 32), "ridge");
        assert_eq!(form_at(&middle(|x, _| 5.0 * x.abs()), 32, 32), "valley");
        assert_eq!(form_at(&middle(|x, _| 5.0 * x), 32, 32), "slope");
        assert_eq!(form_at(&middle(|_, _| 3.0), 32, 32), "flat");
        let foot = middle(|x, _| if x > 0.0 { 5.0 * x } else { 0.0 });
        assert_eq!(form_at(&foot, 32, 32), "footslope");
        let shoulder = middle(|x, _| if x > 0.0 { -5.0 * x } else { 0.0 });
        assert_eq!(form_at(&shoulder, 32, 32), "shoulder");
    }

    #[test]
    fn what_lies_beyond_ground_without_data_is_not_seen() {
        let domain = terrain::square(65, 10.0);
        // A plain with an abyss in the east, of which nothing is known.
        let plain = Grid::from_fn(domain, |x, _| if x > 40 { -900.0 } else { 3.0 });
        let nodata = Grid::from_fn(domain, |x, _| x > 40);
        let here = 32 * 65 + 38;
        let flat = |nodata| geomorphons(&plain, nodata, &|index| index == here)[0];
        assert_eq!((flat(None), flat(Some(&nodata))), (0.0, 1.0));
    }

    #[test]
    fn shares_add_up_to_one() {
        let hills = terrain::hills(terrain::square(80, 10.0), 200.0, 1);
        assert!((geomorphons(&hills, None, &|_| true).iter().sum::<f64>() - 1.0).abs() < 1e-12);
        assert_eq!(geomorphons(&hills, None, &|_| false), [0.0; 10]);
    }
}
