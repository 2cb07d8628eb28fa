//! Small maps are enlarged before they are painted: the heights, not the
//! picture, so that light and contour lines are as fine as the pixels.

use std::borrow::Cow;

use bajada_grid::{Domain, Grid, math, sample};

/// Largest side that an automatic scale enlarges to, pixels.
const AUTOMATIC_SIDE: usize = 1300;

/// How far the heights are enlarged.
pub(super) fn scale_of(domain: &Domain, asked: Option<u32>) -> usize {
    let longest = domain.width().max(domain.height());
    let fits = |scale: &usize| (longest - 1) * scale < AUTOMATIC_SIDE;
    match asked {
        Some(scale) => scale.clamp(1, 4) as usize,
        None => (2..=4).rev().find(fits).unwrap_or(1),
    }
}

/// `grid` with `scale - 1` new samples between each two.
pub(super) fn enlarged(grid: &Grid<f32>, scale: usize) -> Cow<'_, Grid<f32>> {
    let samples = |side: usize| ((side - 1) * scale + 1) as u32;
    let from = grid.domain();
    let cell_size = from.cell_size() / scale as f64;
    match Domain::new(samples(from.width()), samples(from.height()), cell_size, from.origin()) {
        Ok(domain) if scale > 1 => Cow::Owned(sample::resize(grid, domain)),
        // A map too large to be enlarged is painted as it is.
        _ => Cow::Borrowed(grid),
    }
}

/// As [`enlarged`], for what is never negative: a cubic swings below 0 beside
/// a shore.
pub(super) fn enlarged_amount(grid: &Grid<f32>, scale: usize) -> Cow<'_, Grid<f32>> {
    match enlarged(grid, scale) {
        Cow::Owned(mut fine) => {
            for cell in fine.as_mut_slice() {
                *cell = math::max(0.0, *cell);
            }
            Cow::Owned(fine)
        }
        same => same,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bajada_testkit::terrain;

    #[test]
    fn enlarging_keeps_the_heights_of_the_samples() {
        let rough = terrain::hills(terrain::square(33, 30.0), 700.0, 2);
        for scale in [2, 3, 4] {
            let fine = enlarged(&rough, scale);
            assert_eq!(fine.width(), 32 * scale + 1);
            assert!((fine.domain().short_side() - rough.domain().short_side()).abs() < 1e-9);
            for y in 0..33 {
                for x in 0..33 {
                    assert_eq!(fine.at(x * scale, y * scale), rough.at(x, y));
                }
            }
        }
        let shore = Grid::from_fn(*rough.domain(), |x, _| if x > 16 { 5.0 } else { 0.0 });
        assert!(enlarged_amount(&shore, 4).as_slice().iter().all(|&depth| depth >= 0.0));
        let scales =
            [257, 326, 434, 650, 651, 1025].map(|side| scale_of(&terrain::square(side, 1.0), None));
        assert_eq!(scales, [4, 3, 3, 2, 1, 1]);
    }
}
