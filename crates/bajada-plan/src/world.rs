//! The lattice of a build: written, taken from a file, or set from outside.

use bajada_graph::{Code, Diagnostic, Document, Expr, Spanned, WorldDecl, nearest};
use bajada_grid::{Domain, DomainError};
use bajada_node::World;

use crate::assets::AssetIndex;

/// Most samples of a world. One f32 raster of it takes 1 GiB.
const MAX_SAMPLES: u64 = 1 << 28;

/// `--samples`: another count over the same extent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SamplesOverride {
    /// So many on the longer side, the shorter one to match.
    Longer(u32),
    /// West to east and north to south.
    Both([u32; 2]),
}

/// The world of `document`, or what is wrong with it.
pub(crate) fn world(
    document: &Document,
    assets: &AssetIndex,
    samples: Option<SamplesOverride>,
) -> Result<World, Diagnostic> {
    let Some(declared) = &document.world else {
        let message = "the graph does not say how large its world is";
        let hint = "write `world: (extent_m: (12288, 12288), samples: (1025, 1025))`";
        return Err(Diagnostic::error(Code::WORLD_MISSING, 0..0, message).with_hint(hint));
    };
    let at = declared.span.clone();
    let base = match &declared.value.from {
        Some(source) => from_file(document, assets, source)?,
        None => World { domain: written(&declared.value, at.clone())?, place: None },
    };
    let wanted = match (samples, &declared.value.samples, &declared.value.from) {
        (Some(wanted), ..) => Some(wanted),
        (None, Some(written), Some(_)) => Some(SamplesOverride::Both(written.value)),
        _ => None,
    };
    let world = match wanted {
        Some(wanted) => resampled(base, wanted).map_err(|error| {
            let from_outside = if samples.is_some() { " (from `--samples`)" } else { "" };
            invalid(at.clone(), &error, from_outside)
        })?,
        None => base,
    };
    check_size(&world, at)?;
    Ok(world)
}

fn check_size(world: &World, at: std::ops::Range<usize>) -> Result<(), Diagnostic> {
    let [width, height] = world.domain.samples();
    if width < 2 || height < 2 {
        let message = format!("a world of {width} x {height} samples has no slope");
        let hint = "take 2 samples or more on each side";
        return Err(Diagnostic::error(Code::WORLD_INVALID, at, message).with_hint(hint));
    }
    let count = u64::from(width) * u64::from(height);
    if count > MAX_SAMPLES {
        let gib = count as f64 * 4.0 / (1 << 30) as f64;
        let message = format!(
            "a world of {width} x {height} samples is too large: one raster takes {gib:.1} GiB"
        );
        let hint = format!("take at most {MAX_SAMPLES} samples, 16384 x 16384");
        return Err(Diagnostic::error(Code::WORLD_TOO_LARGE, at, message).with_hint(hint));
    }
    Ok(())
}

fn written(declared: &WorldDecl, at: std::ops::Range<usize>) -> Result<Domain, Diagnostic> {
    let (Some(extent), Some(samples)) = (&declared.extent_m, &declared.samples) else {
        let message = "a world needs both its extent and its sample count";
        let hint = "write `world: (extent_m: (12288, 12288), samples: (1025, 1025))`";
        return Err(Diagnostic::error(Code::WORLD_INVALID, at, message).with_hint(hint));
    };
    let [easting, northing] = declared.origin_m.as_ref().map_or([0.0, 0.0], |origin| origin.value);
    Domain::over_extent(samples.value, extent.value, [easting, 0.0 - northing])
        .map_err(|error| invalid(at, &error, ""))
}

fn invalid(at: std::ops::Range<usize>, error: &DomainError, suffix: &str) -> Diagnostic {
    let (code, hint) = match error {
        DomainError::NotSquare { width, extent, .. } => {
            let cell = extent[0] / f64::from(width - 1);
            let height = (extent[1] / cell).round() as u64 + 1;
            let hint = format!("with {width} samples west to east, take {height} north to south");
            (Code::WORLD_NOT_SQUARE, hint)
        }
        DomainError::Samples { .. } => {
            (Code::WORLD_INVALID, "take from 2 to 65536 samples on each side".to_owned())
        }
        _ => (Code::WORLD_INVALID, "lengths are metres above 0".to_owned()),
    };
    Diagnostic::error(code, at, format!("{error}{suffix}")).with_hint(hint)
}

/// The lattice of the raster that node `source` imports.
fn from_file(
    document: &Document,
    assets: &AssetIndex,
    source: &Spanned<String>,
) -> Result<World, Diagnostic> {
    let complain = |message: String| {
        Diagnostic::error(Code::WORLD_SOURCE_UNKNOWN, source.span.clone(), message)
    };
    let name = source.value.as_str();
    let Some(node) = document.nodes.iter().find(|node| node.name.value == name) else {
        let near = nearest(name, document.nodes.iter().map(|node| node.name.value.as_str()));
        return Err(complain(format!("there is no node `{name}` to take the world from"))
            .did_you_mean(&near));
    };
    let file = node.arguments.iter().find_map(|argument| match &argument.value.value {
        Expr::File(path) => Some(path),
        _ => None,
    });
    let Some(path) = file else {
        let message = format!("`{name}` reads no file, so the world cannot be taken from it");
        return Err(complain(message).with_hint("name an `import` node"));
    };
    match assets.get(&path.value) {
        Some(Ok(entry)) => entry.lattice.clone().map_err(|why| {
            complain(format!("`{}` does not say where its samples lie: {why}", path.value))
                .with_hint("write the world's `extent_m` and `samples` instead")
        }),
        // The node's own diagnostic names the file; this one says what follows.
        _ => Err(complain(format!("the world is that of `{}`, which cannot be read", path.value))),
    }
}

/// The same extent under another number of samples.
fn resampled(base: World, wanted: SamplesOverride) -> Result<World, DomainError> {
    let extent = base.domain.extent();
    let samples = match wanted {
        SamplesOverride::Both(samples) => samples,
        SamplesOverride::Longer(longer) => {
            let [width, height] = base.domain.samples();
            // In intervals, which scale; samples do not.
            let other = |shorter: u32, longer_now: u32| {
                let share = f64::from(shorter - 1) / f64::from(longer_now - 1);
                (f64::from(longer.saturating_sub(1)) * share).round() as u32 + 1
            };
            if width >= height {
                [longer, other(height, width)]
            } else {
                [other(width, height), longer]
            }
        }
    };
    if samples == base.domain.samples() {
        return Ok(base);
    }
    let domain = Domain::over_extent(samples, extent, base.domain.origin())?;
    Ok(World { domain, ..base })
}
