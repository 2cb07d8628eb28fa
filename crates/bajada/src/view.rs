//! A shaded picture of a raster file.

use std::path::{Path, PathBuf};

use bajada_formats::{
    DecodeOptions, Decoded, Picture, Sidecar, decode, encode_picture, height_of_code, thumbnail,
};
use bajada_grid::{Domain, Grid, Task, par};
use bajada_kernels::picture::{ObliqueConfig, ReliefConfig, Scene, oblique, relief};

use crate::error::Error;
use crate::files::{self, Overwrite, Staged};
use crate::inspect::metric_cell;

/// Largest file that is looked into, bytes.
const MAX_BYTES: u64 = 4 << 30;

/// How to look at a file.
#[derive(Clone, Copy, Debug, Default)]
pub struct ViewOptions {
    /// Distance of the samples, m, for a file that does not state it.
    pub cell_m: Option<f64>,
    /// Heights of code 0 and of the highest code, m, for a file of codes.
    pub range_m: Option<[f64; 2]>,
    /// Shrinks the picture to so many pixels on its longer side.
    pub longest: Option<u32>,
    /// Whether to look from the side instead of from above.
    pub oblique: bool,
    /// Whether a read-only picture may be replaced.
    pub overwrite: bool,
}

/// Shades the raster at `path` into the PNG `picture`. What the file does not
/// state is read from the description that a build has put beside it; a file
/// without either needs [`ViewOptions::cell_m`].
pub fn view(path: &Path, picture: &Path, options: &ViewOptions) -> Result<(), Error> {
    let unreadable = |why: String| Error::Unreadable { path: path.to_owned(), why };
    if path == picture {
        let why = "it is the file to look at; name another".to_owned();
        return Err(Error::Unwritable { path: picture.to_owned(), why });
    }
    let bytes = files::read(path, MAX_BYTES).map_err(|problem| problem.at(path))?;
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    let decoded = decode(&bytes, &extension, &DecodeOptions::default())
        .map_err(|error| unreadable(error.to_string()))?;
    let described = description_beside(path);
    let grid = heights(&decoded, described.as_ref(), options.cell_m, options.range_m)
        .map_err(unreadable)?;
    // A task that nobody can stop.
    let (task, scene) = (Task::new(), Scene::new(&grid));
    let painted = if options.oblique {
        oblique(&task, &scene, &ObliqueConfig::default()).map(|taken| taken.picture)
    } else {
        relief(&task, &scene, &ReliefConfig::default())
    };
    let painted = painted.map_err(|error| unreadable(error.to_string()))?;
    let painted =
        Picture { width: painted.width as u32, height: painted.height as u32, rgb: painted.rgb };
    let painted = match options.longest {
        Some(longest) if longest < painted.width.max(painted.height) => {
            thumbnail(&painted, longest)
        }
        _ => painted,
    };
    let png = encode_picture(&painted, &[]).map_err(|error| unreadable(error.to_string()))?;
    let overwrite = if options.overwrite { Overwrite::ReadOnly } else { Overwrite::Ordinary };
    let mut staged = Staged::default();
    staged.add(picture, &png, overwrite)?;
    staged.commit()
}

/// The description that a build has put beside a file, if it is one.
pub(crate) fn description_beside(path: &Path) -> Option<Sidecar> {
    let beside = PathBuf::from(bajada_plan::sidecar_path(&path.display().to_string()));
    let text = files::read(&beside, 1 << 20).ok()?;
    serde_json::from_slice(&text).ok()
}

/// The heights of a file, m; `cell_m` and `range_m` go before what it says, and what
/// is `described` beside it comes last.
pub(crate) fn heights(
    decoded: &Decoded,
    described: Option<&Sidecar>,
    cell_m: Option<f64>,
    range_m: Option<[f64; 2]>,
) -> Result<Grid<f32>, String> {
    if decoded.stats.is_all_nodata() {
        return Err("it has no height anywhere".to_owned());
    }
    let header = &decoded.header;
    let cell = cell_m.or_else(|| metric_cell(header)).or(described.map(|it| it.cell_size_m));
    let cell = cell.ok_or("it does not state its cell size in metres; pass `--cell-m`")?;
    let domain = Domain::new(header.width, header.height, cell, [0.0; 2])
        .map_err(|error| error.to_string())?;
    if domain.width() < 2 || domain.height() < 2 {
        return Err("it has fewer than 2 samples on a side".to_owned());
    }
    let mut grid = Grid::filled(domain, decoded.stats.min);
    let range = range_m.or(described.map(|it| [it.z_min_m, it.z_max_m]));
    let valid = |index: usize| decoded.valid.as_ref().is_none_or(|valid| valid[index]);
    match (header.max_code(), range) {
        (Some(max_code), Some(range)) => par::map(&mut grid, |index| {
            height_of_code(f64::from(decoded.values[index]), max_code, range) as f32
        }),
        // Ground without data is shown as the lowest there is.
        _ => par::map(&mut grid, |index| {
            if valid(index) { decoded.values[index] } else { decoded.stats.min }
        }),
    }
    Ok(grid)
}
