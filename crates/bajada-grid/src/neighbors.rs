//! The four and the eight cells around a cell, always in the same order.

use crate::domain::Domain;

/// Steps to the four edge neighbours: north, west, east, south (the order of
/// their indices).
pub const D4: [(isize, isize); 4] = [(0, -1), (-1, 0), (1, 0), (0, 1)];

/// Steps to the eight neighbours, in the order of their indices.
pub const D8: [(isize, isize); 8] =
    [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];

/// Length of each step of [`D8`], in cells.
pub const D8_LENGTH: [f64; 8] = [
    std::f64::consts::SQRT_2,
    1.0,
    std::f64::consts::SQRT_2,
    1.0,
    1.0,
    std::f64::consts::SQRT_2,
    1.0,
    std::f64::consts::SQRT_2,
];

/// The cell one step of `steps` away from `(x, y)`, if the map has it.
pub fn step(domain: &Domain, x: usize, y: usize, (dx, dy): (isize, isize)) -> Option<usize> {
    let nx = x.checked_add_signed(dx)?;
    let ny = y.checked_add_signed(dy)?;
    (nx < domain.width() && ny < domain.height()).then(|| domain.index(nx, ny))
}

/// Indices of the neighbours of `(x, y)` along `steps` that lie on the map, in
/// the order of `steps`, each with its position in `steps`.
pub fn around<'a>(
    domain: &'a Domain,
    x: usize,
    y: usize,
    steps: &'a [(isize, isize)],
) -> impl Iterator<Item = (usize, usize)> + 'a {
    steps.iter().enumerate().filter_map(move |(direction, &offset)| {
        step(domain, x, y, offset).map(|index| (direction, index))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_come_in_index_order_and_stay_on_the_map() {
        let domain = Domain::new(3, 3, 1.0, [0.0; 2]).expect("legal");
        let all: Vec<usize> = around(&domain, 1, 1, &D8).map(|(_, index)| index).collect();
        assert_eq!(all, [0, 1, 2, 3, 5, 6, 7, 8]);
        let corner: Vec<usize> = around(&domain, 0, 0, &D4).map(|(_, index)| index).collect();
        assert_eq!(corner, [1, 3]);
    }
}
