//! How a landscape is drained: its channels and their laws.

use bajada_grid::neighbors::D8_LENGTH;
use bajada_grid::{Grid, math};

use super::chi::concavity;
use crate::flow::{Edge, Nodata, Order, Outlets, drainage_cells, fill, flats, receiver, steepest};

/// Figures of the channels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Network {
    /// Hack's exponent `h` in `length ~ area^h`, of the longest way down to
    /// each channel cell; real basins 0.5 to 0.6.
    pub hack: f64,
    /// Concavity: the exponent of `slope ~ area^-theta`, from mean slopes of
    /// bins of area. Cruder than a chi plot, and lower; real 0.2 to 0.6.
    pub theta: f64,
    /// Concavity from chi plots of the largest basins; real ones 0.225 to 0.575,
    /// median 0.425 (Gailleton et al. 2021). None without channels enough.
    pub theta_chi: Option<f64>,
    /// Length of channels over the area that they drain, km/km2.
    pub drainage_density_per_km: f64,
    /// Share of the cells that lie in hollows without a way out.
    pub pit_share: f64,
}

/// Bins of area, eight to a factor of ten.
const BINS_PER_DECADE: f64 = 8.0;

/// Cells that a bin needs to count.
const FEWEST: f64 = 12.0;

/// The network of the counted cells; water leaves over the edge and beside
/// `nodata`, channels drain more than `channel_area` m2. Figures that too few
/// channels leave open are 0.
pub fn network(
    elevation: &Grid<f32>,
    counted: &dyn Fn(usize) -> bool,
    nodata: Option<&Grid<bool>>,
    channel_area: f64,
) -> Network {
    let heights = elevation.to_f64();
    let domain = *heights.domain();
    let outlets = Outlets::new(&heights, Edge::Outlet, nodata, Nodata::Outlet, None);
    let filled = fill(&heights, &outlets);
    let directions = steepest::directions(&filled, &flats::directions(&filled, &outlets));
    let order = Order::of_tree(&directions);
    let cells = drainage_cells(&directions, &order);
    let mut longest = heights.like(0.0_f64);
    let mut bins: Vec<Bin> = Vec::new();
    let (mut length, mut area, mut raised) = (0.0, 0.0, 0.0);
    for cell in order.downstream() {
        if counted(cell) {
            area += domain.cell_area();
            raised += if filled[cell] > heights[cell] { 1.0 } else { 0.0 };
        }
        let Some(down) = receiver(&directions, cell) else { continue };
        let step = D8_LENGTH[usize::from(directions[cell])] * domain.cell_size();
        longest[down] = math::max(longest[down], longest[cell] + step);
        let drained = cells[cell] as f64 * domain.cell_area();
        if !counted(cell) || drained < channel_area {
            continue;
        }
        length += step;
        let place =
            (BINS_PER_DECADE * math::ln(drained / channel_area) / std::f64::consts::LN_10) as usize;
        if bins.len() <= place {
            bins.resize(place + 1, Bin::default());
        }
        bins[place].add(drained, longest[cell], (heights[cell] - heights[down]) / step);
    }
    let drained = |cell: usize| cells[cell] as f64 * domain.cell_area();
    let channel = |cell: usize| counted(cell) && drained(cell) >= channel_area;
    let theta_chi = concavity(&filled, &directions, &order, &drained, &channel);
    let pairs = |value: fn(&Bin) -> f64| -> Vec<[f64; 2]> {
        let enough = bins.iter().filter(|bin| bin.count >= FEWEST && value(bin) > 0.0);
        enough
            .map(|bin| [math::ln(bin.area / bin.count), math::ln(value(bin) / bin.count)])
            .collect()
    };
    let total = area / domain.cell_area();
    Network {
        hack: slope_of(&pairs(|bin| bin.length)),
        theta: -slope_of(&pairs(|bin| bin.slope)),
        theta_chi,
        drainage_density_per_km: if area > 0.0 { 1e3 * length / area } else { 0.0 },
        pit_share: if total > 0.0 { raised / total } else { 0.0 },
    }
}

/// Sums over the channel cells of one range of areas.
#[derive(Clone, Copy, Debug, Default)]
struct Bin {
    count: f64,
    area: f64,
    length: f64,
    slope: f64,
}

impl Bin {
    fn add(&mut self, area: f64, length: f64, slope: f64) {
        self.count += 1.0;
        self.area += area;
        self.length += length;
        self.slope += math::max(slope, 0.0);
    }
}

/// The least-squares slope through points; 0 where they do not say.
pub(super) fn slope_of(points: &[[f64; 2]]) -> f64 {
    let n = points.len() as f64;
    let mut sums = [0.0; 4];
    for [x, y] in points {
        for (sum, term) in sums.iter_mut().zip([*x, *y, x * x, x * y]) {
            *sum += term;
        }
    }
    let [x, y, xx, xy] = sums;
    let spread = n * xx - x * x;
    if spread > 0.0 { (n * xy - x * y) / spread } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bajada_grid::Stream;
    use bajada_testkit::terrain;

    #[test]
    fn a_tilted_plane_drains_straight_down_without_pits() {
        let plane = terrain::plane(terrain::square(101, 10.0), 500.0, 0.0, -0.2);
        let found = network(&plane, &|_| true, None, 1000.0);
        // Each column is a channel from its tenth cell on: length is area.
        assert!((found.hack - 1.0).abs() < 0.05, "{found:?}");
        assert!(found.theta.abs() < 0.01, "{found:?}");
        assert_eq!(found.pit_share, 0.0);
    }

    #[test]
    fn rivers_at_steady_state_have_the_concavity_that_carved_them() {
        use crate::flow::stream_power::{Ground, Routing, StreamPowerConfig, Uplift, carve};
        let rough = terrain::hills(terrain::square(97, 100.0), 5.0, 3);
        let ground = Ground {
            elevation: &rough,
            hardness: None,
            uplift: None,
            subsidence: None,
            rain: None,
        };
        for m in [0.35, 0.5] {
            let config = StreamPowerConfig {
                uplift: Uplift::Rate(1e-3),
                duration: 2e7,
                erodibility: 2e-5,
                area_exponent: m,
                diffusivity: 0.0,
                repose: f64::INFINITY,
                routing: Routing::Steepest,
                coarsest_cell: 0.0,
                steps: 200,
                ..StreamPowerConfig::default()
            };
            let carved = carve(&bajada_grid::Task::new(), &ground, &config, Stream::new(7));
            let carved = carved.expect("nobody cancels");
            let found = network(&carved.elevation, &|_| true, None, 5e4);
            let theta = found.theta_chi.expect("channels enough");
            println!("m {m}: {theta:.3} by chi, {:.3} by slope and area", found.theta);
            assert!((theta - m).abs() <= 0.03, "{theta} {m}");
        }
    }

    #[test]
    fn a_bowl_is_a_pit() {
        let bowl = terrain::cone(terrain::square(41, 10.0), 100.0, -0.2);
        let found = network(&bowl, &|_| true, None, 1000.0);
        assert!(found.pit_share > 0.5, "{found:?}");
    }
}
