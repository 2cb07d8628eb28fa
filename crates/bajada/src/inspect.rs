//! What a raster file holds, in numbers.

use std::path::Path;

use bajada_formats::{DecodeOptions, Header, PixelIs, decode};
use bajada_grid::{Digest, par};
use serde::Serialize;

use crate::error::Error;
use crate::files;
use crate::landscape::Landscape;

/// Largest file that is looked into, bytes.
const MAX_BYTES: u64 = 4 << 30;

/// What a raster file holds.
#[derive(Clone, Debug, Serialize)]
pub struct Inspection {
    /// The file, as it was named.
    pub path: String,
    /// Its format, as the content shows it.
    pub format: String,
    /// Samples: west to east, north to south.
    pub samples: [u32; 2],
    /// How a sample is stored.
    pub sample_type: String,
    /// Values for each sample.
    pub channels: u32,
    /// Distance of the samples, m; absent where the file does not state it or
    /// not in metres.
    pub cell_m: Option<f64>,
    /// Length of the sides, m.
    pub extent_m: Option<[f64; 2]>,
    /// Coordinate reference system.
    pub crs: Option<String>,
    /// East coordinate of the north-west sample, in the system's unit.
    pub easting: Option<f64>,
    /// North coordinate of the north-west sample, in the system's unit.
    pub northing: Option<f64>,
    /// Whether the file's numbers stand for areas or points.
    pub pixel_is: Option<String>,
    /// Least number.
    pub z_min_m: f32,
    /// Largest number.
    pub z_max_m: f32,
    /// Mean of the numbers.
    pub z_mean_m: f64,
    /// The number that stands for no data, if the file names one.
    pub nodata: Option<f64>,
    /// Samples without data.
    pub nodata_count: u64,
    /// Samples that are NaN or infinite.
    pub nonfinite_count: u64,
    /// Images in the file; the first is read.
    pub pages: u32,
    /// blake3 of the file.
    pub file_hash: String,
    /// What the landscape measures, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metrics: Option<Landscape>,
}

/// How to look into a file.
#[derive(Clone, Copy, Debug, Default)]
pub struct InspectOptions {
    /// Whether to measure the landscape, which takes seconds for a large one.
    pub metrics: bool,
    /// Distance of the samples, m, for a file that does not state it.
    pub cell_m: Option<f64>,
    /// Heights of code 0 and of the highest code, m, for a file of codes.
    pub range_m: Option<[f64; 2]>,
}

/// Reads the raster file at `path`. Colour files are judged by their first
/// channel.
pub fn inspect(path: &Path, options: &InspectOptions) -> Result<Inspection, Error> {
    let bytes = files::read(path, MAX_BYTES).map_err(|problem| problem.at(path))?;
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    let first = DecodeOptions { channel: Some(0), ..DecodeOptions::default() };
    let decoded = decode(&bytes, &extension, &first)
        .map_err(|error| Error::Unreadable { path: path.to_owned(), why: error.to_string() })?;
    let stats = &decoded.stats;
    let valid = |index: usize| decoded.valid.as_ref().is_none_or(|valid| valid[index]);
    let sum = par::sum(decoded.values.len(), |index| {
        if valid(index) { f64::from(decoded.values[index]) } else { 0.0 }
    });
    let metrics = if options.metrics {
        let unreadable = |why: String| Error::Unreadable { path: path.to_owned(), why };
        Some(Landscape::measure(path, &decoded, options).map_err(unreadable)?)
    } else {
        None
    };
    let header = &decoded.header;
    let cell_m = metric_cell(header);
    let georeference = header.georeference.as_ref();
    Ok(Inspection {
        path: path.display().to_string(),
        format: header.format.name().to_owned(),
        samples: [header.width, header.height],
        sample_type: format!("{:?}", header.sample_type).to_lowercase(),
        channels: header.channels,
        cell_m,
        extent_m: cell_m.map(|cell| [header.width, header.height].map(|n| f64::from(n - 1) * cell)),
        crs: georeference.and_then(|at| at.epsg).map(|code| format!("EPSG:{code}")),
        easting: georeference.map(|at| at.easting),
        northing: georeference.map(|at| at.northing),
        pixel_is: georeference.map(|at| {
            match at.pixel_is {
                PixelIs::Area => "area",
                PixelIs::Point => "point",
            }
            .to_owned()
        }),
        z_min_m: stats.min,
        z_max_m: stats.max,
        z_mean_m: if stats.valid_count > 0 { sum / stats.valid_count as f64 } else { 0.0 },
        nodata: header.nodata,
        nodata_count: stats.nodata_count,
        nonfinite_count: stats.nonfinite_count,
        pages: header.pages,
        file_hash: Digest::of_bytes(&bytes).to_string(),
        metrics,
    })
}

/// Distance of the samples in metres, where the file states it and cells are
/// square.
pub(crate) fn metric_cell(header: &Header) -> Option<f64> {
    let georeference = header.georeference.as_ref()?;
    let world = bajada_nodes::georeference::world_of(georeference, [header.width, header.height]);
    world.ok().map(|world| world.domain.cell_size())
}

impl Inspection {
    /// As JSON text.
    pub fn to_json(&self) -> String {
        // Plain data: there is nothing in it that JSON lacks.
        serde_json::to_string_pretty(self).map_or_else(|e| e.to_string(), |text| text + "\n")
    }

    /// For a person.
    pub fn to_text(&self) -> String {
        let [width, height] = self.samples;
        let mut lines = vec![
            format!(
                "{}: {} of {width} x {height} samples ({})",
                self.path, self.format, self.sample_type
            ),
            format!("  range     {} to {}, mean {:.3}", self.z_min_m, self.z_max_m, self.z_mean_m),
        ];
        if let (Some(cell), Some([east, south])) = (self.cell_m, self.extent_m) {
            lines.push(format!("  cell      {cell} m, extent {east} x {south} m"));
        } else {
            lines.push("  cell      not stated in metres".to_owned());
        }
        if let (Some(easting), Some(northing)) = (self.easting, self.northing) {
            let crs = self.crs.as_deref().unwrap_or("unknown system");
            let pixel = self.pixel_is.as_deref().unwrap_or("point");
            lines.push(format!(
                "  place     {crs}, north-west sample at {easting} east, {northing} north; pixels are {pixel}s"
            ));
        }
        if self.channels > 1 {
            lines.push(format!("  channels  {}, the first is shown", self.channels));
        }
        if self.pages > 1 {
            lines.push(format!("  pages     {}, the first is shown", self.pages));
        }
        if let Some(nodata) = self.nodata {
            lines.push(format!("  no data   {nodata}, in {} samples", self.nodata_count));
        }
        if self.nonfinite_count > 0 {
            lines.push(format!("  not finite  {} samples", self.nonfinite_count));
        }
        if let Some(metrics) = &self.metrics {
            lines.extend(metrics.to_lines());
        }
        lines.join("\n") + "\n"
    }
}
