//! What a landscape measures, as a file says it.

use std::collections::BTreeMap;
use std::path::Path;

use bajada_formats::Decoded;
use bajada_grid::{Grid, Task, par};
use bajada_kernels::metrics::{FORMS, Metrics, measure};
use serde::Serialize;

use crate::inspect::InspectOptions;
use crate::view::{description_beside, heights};

/// Area from which water has cut a channel, m2.
const CHANNEL_AREA: f64 = 1e5;

/// The figures by which real landscapes are described. They depend on the cell
/// size: compare at one.
#[derive(Clone, Debug, Serialize)]
pub struct Landscape {
    /// Distance of the samples that were measured, m.
    pub cell_m: f64,
    /// Highest over lowest ground, m.
    pub relief_m: f64,
    /// Mean height above the lowest ground, as a share of the relief.
    pub hypsometric_integral: f64,
    /// Angles that 5, 25, 50, 75 and 95 % of the ground stay below.
    pub slope_percentiles_deg: [f64; 5],
    /// Share of the ground steeper than 35 degrees.
    pub share_above_35_deg: f64,
    /// Exponent of river length over drainage area; real basins 0.5 to 0.6.
    pub hack_exponent: f64,
    /// Concavity of rivers by chi; real ones 0.225 to 0.575, median 0.425.
    pub theta_chi: Option<f64>,
    /// Length of channels (draining 0.1 km2 or more) over area.
    pub drainage_density_per_km: f64,
    /// Share of the cells in hollows without a way out.
    pub pit_share: f64,
    /// Slope of the power spectrum; fractional Brownian ground has 2 H + 2.
    pub spectral_beta: Option<f64>,
    /// Habit of the slopes to look along the grid, 0 to 1; above 0.05 it shows.
    pub anisotropy: f64,
    /// Share of each of the ten geomorphons.
    pub geomorphon_shares: BTreeMap<&'static str, f64>,
}

impl Landscape {
    pub(crate) fn measure(
        path: &Path,
        decoded: &Decoded,
        options: &InspectOptions,
    ) -> Result<Self, String> {
        let described = description_beside(path);
        let ground = heights(decoded, described.as_ref(), options.cell_m, options.range_m)?;
        let nodata = decoded.valid.as_ref().map(|valid| {
            let mut nodata = ground.like(false);
            par::map(&mut nodata, |index| !valid[index]);
            nodata
        });
        let nodata = nodata.filter(|nodata: &Grid<bool>| nodata.as_slice().contains(&true));
        let metrics = measure(&Task::new(), &ground, None, nodata.as_ref(), CHANNEL_AREA);
        // Nobody can call the task off.
        let metrics = metrics.ok().flatten().ok_or("it has no ground to measure")?;
        Ok(Self::new(ground.domain().cell_size(), &metrics))
    }

    fn new(cell_m: f64, metrics: &Metrics) -> Self {
        Self {
            cell_m,
            relief_m: metrics.relief,
            hypsometric_integral: metrics.hypsometric_integral,
            slope_percentiles_deg: metrics.slopes.percentiles_deg,
            share_above_35_deg: metrics.slopes.share_above_35,
            hack_exponent: metrics.network.hack,
            theta_chi: metrics.network.theta_chi,
            drainage_density_per_km: metrics.network.drainage_density_per_km,
            pit_share: metrics.network.pit_share,
            spectral_beta: metrics.spectral_beta,
            anisotropy: metrics.anisotropy,
            geomorphon_shares: FORMS.into_iter().zip(metrics.forms).collect(),
        }
    }

    /// For a person.
    pub(crate) fn to_lines(&self) -> Vec<String> {
        let or_none = |value: Option<f64>| {
            value.map_or_else(|| "too little ground".to_owned(), |value| format!("{value:.3}"))
        };
        let angles = self.slope_percentiles_deg.map(|angle| format!("{angle:.1}")).join(" / ");
        let mut shares: Vec<(&str, f64)> =
            self.geomorphon_shares.iter().map(|(&form, &share)| (form, share)).collect();
        shares.sort_by(|a, b| b.1.total_cmp(&a.1));
        let forms = shares.iter().map(|(form, share)| format!("{form} {:.1} %", 100.0 * share));
        vec![
            format!("  measured at {} m", self.cell_m),
            format!(
                "    relief       {:.1} m, hypsometric integral {:.3}",
                self.relief_m, self.hypsometric_integral
            ),
            format!(
                "    slopes       {angles} degrees at 5 / 25 / 50 / 75 / 95 %, {:.1} % above 35",
                100.0 * self.share_above_35_deg
            ),
            format!(
                "    rivers       Hack {:.3}, concavity by chi {}, {:.2} km per km2",
                self.hack_exponent,
                or_none(self.theta_chi),
                self.drainage_density_per_km
            ),
            format!("    hollows      {:.2} % of the cells", 100.0 * self.pit_share),
            format!("    spectrum     beta {}", or_none(self.spectral_beta)),
            format!("    along grid   {:.3} (above 0.05 it shows)", self.anisotropy),
            format!("    forms        {}", forms.collect::<Vec<_>>().join(", ")),
        ]
    }
}
