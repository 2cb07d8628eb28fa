//! `import`: real ground from a raster file.

use bajada_formats::{DecodeOptions, Decoded, decode, height_of_code};
use bajada_grid::neighbors::{D8, around};
use bajada_grid::{Domain, Grid, math, par, sample};
use bajada_kernels::shape::blur::{self, BlurConfig};
use bajada_node::{
    Asset, Choice, Complaint, Conserves, EvalCtx, Gives, Locality, Node, NodeError, NodeSpec,
    OutputSpec, Outputs, ParamValue, Params, Quantity, Wiring, World,
};

use crate::georeference::world_of;

/// What to do where the file has no height.
#[derive(Choice)]
pub enum Nodata {
    /// Grow the heights around inward, and say where in the `nodata` mask.
    Fill,
    /// Fail.
    Refuse,
}

/// Parameters of `import`.
#[derive(Params)]
pub struct ImportParams {
    /// The raster file, relative to the graph's folder.
    pub file: Asset,
    /// Heights of code 0 and of the highest code, for files of codes (PNG,
    /// r16). Left out, the numbers in the file are metres.
    #[param(unit = "m", default = none, range = -20_000.0..=20_000.0)]
    pub range_m: Option<[f64; 2]>,
    /// Distance of the samples, with the north-west one at the world's: for a
    /// file that does not state it, or states degrees. Left out, a file without
    /// a place covers the whole world.
    #[param(unit = "m", default = none, range = 0.001..=100_000.0)]
    pub cell_m: Option<f64>,
    /// Which channel of a colour file to read, from 0. Left out, a colour file
    /// is refused.
    #[param(unit = "1", default = none, range = 0..=3)]
    pub channel: Option<u32>,
    /// What to do where the file has no height.
    #[param(default = Nodata::Fill)]
    pub nodata: Nodata,
}

static SPEC: NodeSpec = NodeSpec {
    id: "import",
    version: 1,
    group: "source",
    title: "real ground from a raster file",
    doc: "Reads TIFF, PNG, ESRI ASCII grid, r16, r32 and hgt. A file that states its place and \
          cell size in metres lands there: by its coordinates in a world that has a place, else \
          with its north-west sample at the world's. `world: from(\"this node\")` gives the \
          world the file's own lattice. Heights between samples follow a Catmull-Rom surface \
          through them; a world coarser than the file gets the mean of what each cell covers. \
          Cells without data never become heights: they are filled from around and marked.",
    inputs: &[],
    outputs: &[
        OutputSpec::new("elevation", Gives::Raster(Quantity::Elevation), "The ground."),
        OutputSpec::new(
            "nodata",
            Gives::Raster(Quantity::Mask),
            "1 where the file has no height, or does not reach.",
        ),
    ],
    params: ImportParams::SPECS,
    extensions: &[],
    locality: Locality::Global,
    conserves: Conserves::NoGround,
    random: false,
    drift: Some(0.0),
    bytes_per_sample: 24,
    nanoseconds_per_sample: 60,
    citations: &["Catmull & Rom 1974, A class of local interpolating splines"],
    example: include_str!("../../../../graphs/nodes/import.ron"),
};

/// The node.
pub struct Import;

impl Node for Import {
    fn spec(&self) -> &'static NodeSpec {
        &SPEC
    }

    fn check(&self, wiring: &Wiring<'_>) -> Result<(), Complaint> {
        let range = SPEC.param_index("range_m").map(|index| &wiring.params[index]);
        if let Some(ParamValue::Pair([low, high])) = range
            && low >= high
        {
            return Err(Complaint {
                about: "range_m",
                message: format!("`range_m` runs from {low} to {high}, which is not upward"),
                hint: Some(format!("write `range_m: ({high}, {low})`")),
            });
        }
        Ok(())
    }

    fn eval(&self, ctx: &EvalCtx<'_>) -> Result<Outputs, NodeError> {
        let params: ImportParams = ctx.params();
        let unusable = |message: String| NodeError::Unusable { about: "file", message };
        let options = DecodeOptions { channel: params.channel, ..DecodeOptions::default() };
        let decoded = decode(&params.file.bytes, &params.file.extension, &options)
            .map_err(|error| unusable(error.to_string()))?;
        if decoded.stats.is_all_nodata() {
            return Err(unusable("it has no height anywhere".to_owned()));
        }
        let missing = decoded.stats.nodata_count + decoded.stats.nonfinite_count;
        if missing > 0 && matches!(params.nodata, Nodata::Refuse) {
            return Err(unusable(format!(
                "{missing} of its cells have no height; write `nodata: Fill` to accept that"
            )));
        }
        let frame = Frame::new(ctx.world(), &decoded, &params).map_err(unusable)?;
        let (source, nodata) = heights(ctx, decoded, &params, frame.domain)?;
        ctx.task().check()?;
        let (elevation, mask) = frame.resample(ctx, source, &nodata)?;
        if mask.as_slice().iter().all(|&share| share >= 1.0) {
            return Err(unusable("it does not reach the world; compare their places".to_owned()));
        }
        let uncovered = mask.as_slice().iter().filter(|&&share| share > 0.0).count();
        let outputs = ctx.outputs().raster("elevation", elevation).raster("nodata", mask);
        Ok(if uncovered > 0 {
            outputs.note(format!("{uncovered} samples have no data and were filled from around"))
        } else {
            outputs
        })
    }
}

/// The file's numbers as heights on its own lattice, every cell filled, and
/// where there was no data.
fn heights(
    ctx: &EvalCtx<'_>,
    decoded: Decoded,
    params: &ImportParams,
    domain: Domain,
) -> Result<(Grid<f32>, Grid<f32>), NodeError> {
    let model = ctx.grid(0_u8);
    let mut elevation = model.like_on(domain, 0.0_f32);
    let mut nodata = model.like_on(domain, 0.0_f32);
    match (params.range_m, decoded.header.max_code()) {
        (Some(range), Some(max_code)) => par::map(&mut elevation, |index| {
            height_of_code(f64::from(decoded.values[index]), max_code, range) as f32
        }),
        (Some(_), None) => {
            return Err(NodeError::Unusable {
                about: "range_m",
                message: "the file holds heights, not codes; leave `range_m` out".to_owned(),
            });
        }
        (None, _) => elevation.as_mut_slice().copy_from_slice(&decoded.values),
    }
    if let Some(valid) = &decoded.valid {
        par::map(&mut nodata, |index| if valid[index] { 0.0 } else { 1.0 });
        fill(&mut elevation, valid.clone());
    }
    Ok((elevation, nodata))
}

/// Grows known heights into unknown cells, ring by ring: each gets the mean of
/// its known neighbours. A ring reads only the ring before.
fn fill(elevation: &mut Grid<f32>, mut known: Vec<bool>) {
    let domain = *elevation.domain();
    let mut rim: Vec<usize> = (0..known.len()).filter(|&index| !known[index]).collect();
    while !rim.is_empty() {
        let mut reached = Vec::new();
        for &index in &rim {
            let (x, y) = domain.column_row(index);
            let (mut sum, mut count) = (0.0, 0.0);
            for (_, neighbor) in around(&domain, x, y, &D8).filter(|(_, at)| known[*at]) {
                sum += f64::from(elevation[neighbor]);
                count += 1.0;
            }
            if count > 0.0 {
                reached.push((index, (sum / count) as f32));
            }
        }
        if reached.is_empty() {
            return;
        }
        for &(index, height) in &reached {
            elevation[index] = height;
            known[index] = true;
        }
        rim.retain(|&index| !known[index]);
    }
}

/// Where the file's samples lie among the world's.
struct Frame {
    /// The file's lattice, in the world's coordinates.
    domain: Domain,
}

impl Frame {
    fn new(world: &World, decoded: &Decoded, params: &ImportParams) -> Result<Self, String> {
        let samples = [decoded.header.width, decoded.header.height];
        if samples.contains(&1) {
            return Err("it is a line of samples, which is no ground".to_owned());
        }
        let origin = world.domain.origin();
        let at_corner = |cell| Domain::new(samples[0], samples[1], cell, origin);
        if let Some(cell) = params.cell_m {
            return at_corner(cell).map(|domain| Self { domain }).map_err(|e| e.to_string());
        }
        if let Some(georeference) = &decoded.header.georeference {
            let own = world_of(georeference, samples)
                .map_err(|why| format!("{why}, or write `cell_m`"))?;
            let epsg = (own.place.and_then(|own| own.epsg), world.place.and_then(|at| at.epsg));
            if let (Some(own), Some(worlds)) = epsg
                && own != worlds
            {
                return Err(format!("it is in EPSG:{own} but the world is in EPSG:{worlds}"));
            }
            let domain = match world.place {
                Some(_) => own.domain,
                None => at_corner(own.domain.cell_size()).map_err(|error| error.to_string())?,
            };
            return Ok(Self { domain });
        }
        let extent = world.domain.extent();
        let domain = Domain::over_extent(samples, extent, origin).map_err(|error| {
            format!(
                "it does not state its cell size, and over the whole world {error}; write `cell_m`"
            )
        })?;
        Ok(Self { domain })
    }

    fn resample(
        &self,
        ctx: &EvalCtx<'_>,
        source: Grid<f32>,
        nodata: &Grid<f32>,
    ) -> Result<(Grid<f32>, Grid<f32>), NodeError> {
        let world = ctx.world().domain;
        let ratio = world.cell_size() / self.domain.cell_size();
        // Below the file's own resolution, detail would alias: blur it away by
        // the deviation of a box as wide as the world's cell.
        let source = if ratio > 1.5 {
            let sigma = world.cell_size() * 0.288_675_134_594_812_9;
            blur::blur(ctx.task(), &source, None, &BlurConfig { sigma })?
        } else {
            source
        };
        let [east, south] = self.domain.origin();
        let column = |x: usize| (world.world_x(x) - east) / self.domain.cell_size();
        let row = |y: usize| (world.world_y(y) - south) / self.domain.cell_size();
        // Half a cell of slack: a sample stands for the cell around it.
        let inside = |at: f64, count: usize| at >= -0.5 && at <= count as f64 - 0.5;
        let mut elevation = ctx.grid(0.0_f32);
        let mut mask = ctx.grid(0.0_f32);
        par::rows2(&mut elevation, &mut mask, |y, heights, shares| {
            let row = row(y);
            for (x, (height, share)) in heights.iter_mut().zip(shares).enumerate() {
                let column = column(x);
                *height = sample::cubic(&source, column, row) as f32;
                let covered = inside(column, source.width()) && inside(row, source.height());
                *share = if covered {
                    math::clamp(sample::bilinear(nodata, column, row), 0.0, 1.0) as f32
                } else {
                    1.0
                };
            }
        });
        Ok((elevation, mask))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holes_are_filled_from_their_rim() {
        let domain = Domain::new(5, 5, 1.0, [0.0; 2]).expect("legal");
        let mut ground = Grid::from_fn(domain, |x, _| x as f32);
        let mut known = vec![true; 25];
        for index in [12, 13] {
            ground[index] = 0.0;
            known[index] = false;
        }
        fill(&mut ground, known);
        // Each has seven known neighbours, and neither sees the other's filling.
        assert!((ground[12] - 13.0 / 7.0).abs() < 1e-6, "{}", ground[12]);
        assert!((ground[13] - 22.0 / 7.0).abs() < 1e-6, "{}", ground[13]);
    }

    #[test]
    fn nothing_known_stays_and_does_not_hang() {
        let domain = Domain::new(3, 3, 1.0, [0.0; 2]).expect("legal");
        let mut ground = Grid::filled(domain, 7.0_f32);
        fill(&mut ground, vec![false; 9]);
        assert_eq!(ground.as_slice(), [7.0; 9]);
    }
}
