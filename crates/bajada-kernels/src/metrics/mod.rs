//! What a landscape measures, in the figures by which real ones are described:
//! slopes, hypsometry, the network of its channels, habits of the grid.
//!
//! Every figure is of the cells where `mask` is at least one half, so that a
//! range can be measured without its basin. Figures depend on the cell size as
//! those of real elevation data do: compare at one size.

mod aspect;
mod chi;
mod geomorphons;
mod network;
mod slopes;
mod spectrum;

use bajada_grid::neighbors::{D8, around};
use bajada_grid::{Cancelled, Grid, Task, par};

pub use aspect::fourfold_anisotropy;
pub use geomorphons::{FORMS, geomorphons};
pub use network::{Network, network};
pub use slopes::{Slopes, slopes};
pub use spectrum::spectral_slope;

/// The figures of a landscape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Metrics {
    /// Highest over lowest ground, m.
    pub relief: f64,
    /// Mean height above the lowest ground, as a share of the relief.
    pub hypsometric_integral: f64,
    /// How steep it is.
    pub slopes: Slopes,
    /// How it is drained.
    pub network: Network,
    /// Habit of the slopes to look along the grid: see
    /// [`fourfold_anisotropy`].
    pub anisotropy: f64,
    /// Slope of the power spectrum of the whole map, if it is large enough and
    /// without gaps: see [`spectral_slope`].
    pub spectral_beta: Option<f64>,
    /// Share of each kind of place: see [`geomorphons`].
    pub forms: [f64; 10],
}

/// Measures `elevation` where `mask` is at least one half and no `nodata` lies
/// beside; channels drain more than `channel_area` m2. `None` if that leaves
/// nothing.
///
/// # Errors
///
/// [`Cancelled`] when `task` is called off.
pub fn measure(
    task: &Task,
    elevation: &Grid<f32>,
    mask: Option<&Grid<f32>>,
    nodata: Option<&Grid<bool>>,
    channel_area: f64,
) -> Result<Option<Metrics>, Cancelled> {
    let domain = *elevation.domain();
    let known = |index: usize| {
        let void = |nodata: &Grid<bool>| {
            let (x, y) = domain.column_row(index);
            nodata[index] || around(&domain, x, y, &D8).any(|(_, beside)| nodata[beside])
        };
        !nodata.is_some_and(void)
    };
    let counted = |index: usize| mask.is_none_or(|mask| mask[index] >= 0.5) && known(index);
    let len = domain.len();
    let height = |index: usize| f64::from(elevation[index]);
    let [count, sum] =
        par::sums(len, |index| if counted(index) { [1.0, height(index)] } else { [0.0; 2] });
    if count == 0.0 {
        return Ok(None);
    }
    let of_counted = |sign: f64| {
        par::max(len, f64::NEG_INFINITY, |index| {
            if counted(index) { sign * height(index) } else { f64::NEG_INFINITY }
        })
    };
    let (high, low) = (of_counted(1.0), -of_counted(-1.0));
    let relief = high - low;
    let hypsometric_integral = if relief > 0.0 { (sum / count - low) / relief } else { 0.5 };
    task.check()?;
    let slopes = slopes(elevation, &counted);
    task.check()?;
    let network = network(elevation, &counted, nodata, channel_area);
    task.check()?;
    let anisotropy = fourfold_anisotropy(elevation, &counted);
    task.check()?;
    // Ground without data has no waves.
    let spectral_beta = if nodata.is_none() { spectral_slope(elevation) } else { None };
    task.check()?;
    let forms = geomorphons(elevation, nodata, &counted);
    Ok(Some(Metrics {
        relief,
        hypsometric_integral,
        slopes,
        network,
        anisotropy,
        spectral_beta,
        forms,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use bajada_testkit::terrain;

    #[test]
    fn a_cone_and_a_plane_have_the_figures_of_the_textbook() {
        let domain = terrain::square(201, 10.0);
        let cone = terrain::cone(domain, 1000.0, 0.5);
        let inside = Grid::from_fn(domain, |x, y| {
            let (dx, dy) = (x as f32 - 100.0, y as f32 - 100.0);
            if dx * dx + dy * dy < 95.0 * 95.0 { 1.0 } else { 0.0 }
        });
        let measured = measure(&Task::new(), &cone, Some(&inside), None, 1e4);
        let metrics = measured.expect("nobody cancels").expect("a cone");
        assert!((metrics.relief - 475.0).abs() < 3.0, "{metrics:?}");
        // A cone holds a third of its cylinder.
        assert!((metrics.hypsometric_integral - 1.0 / 3.0).abs() < 0.01, "{metrics:?}");
        let angle = bajada_grid::math::atan_deg(0.5);
        assert!((metrics.slopes.percentiles_deg[2] - angle).abs() < 0.1, "{metrics:?}");
        assert!(metrics.slopes.share_above_35 < 0.001);
        // All directions alike.
        assert!(metrics.anisotropy < 0.01, "{metrics:?}");
        let pyramid = Grid::from_fn(domain, |x, y| {
            let (dx, dy) = ((x as f32 - 100.0).abs(), (y as f32 - 100.0).abs());
            1000.0 - 5.0 * if dx > dy { dx } else { dy }
        });
        assert!(fourfold_anisotropy(&pyramid, &|_| true) > 0.9);
    }

    #[test]
    fn a_mask_of_nothing_has_no_figures() {
        let ground = terrain::hills(terrain::square(9, 10.0), 50.0, 1);
        let nothing = ground.like(0.0_f32);
        assert_eq!(measure(&Task::new(), &ground, Some(&nothing), None, 1e4), Ok(None));
    }
}
