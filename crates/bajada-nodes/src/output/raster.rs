//! `raster`: a field as a file of heights or codes.

use bajada_formats::{
    Encoding as Stored, FormatError, SidecarSource, clamped_cells, encode_asc, encode_png8,
    encode_png16, encode_r16, encode_r32, encode_tiff_f32, sidecar,
};
use bajada_grid::{Digest, Grid, Stats};
use bajada_node::{
    Accepts, Choice, Complaint, Conserves, EvalCtx, Extension, Gives, InputSpec, Locality, Node,
    NodeError, NodeSpec, OutputSpec, Outputs, Params, Quantity, Value, ValueKind, Wiring,
};

use crate::georeference::georeference_of;

/// The kind of file; set by the end of the output's name.
#[derive(Choice, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Container {
    /// TIFF, with its place on Earth where the world has one.
    Tiff,
    /// Grey PNG.
    Png,
    /// Codes of 16 bits without a header, little endian, north row first.
    R16,
    /// Floats of 32 bits without a header, little endian, north row first.
    R32,
    /// ESRI ASCII grid.
    Asc,
}

/// How a number is stored.
#[derive(Choice, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// The finest that the kind of file takes.
    Auto,
    /// Float of 32 bits: the number itself.
    F32,
    /// Code of 16 bits between the ends of the range.
    U16,
    /// Code of 8 bits between the ends of the range.
    U8,
}

/// Parameters of `raster`.
#[derive(Params)]
pub struct RasterParams {
    /// How a number is stored.
    #[param(default = Encoding::Auto)]
    pub encoding: Encoding,
    /// For codes of elevation and thickness: the values of code 0 and of the
    /// highest code. Left out, the least and the largest value of the field.
    /// Codes of masks always run from 0 to 1.
    #[param(unit = "m", default = none, range = -20_000.0..=20_000.0)]
    pub range_m: Option<[f64; 2]>,
    /// The kind of file; leave it out, the end of the output's name sets it.
    #[param(default = Container::Tiff)]
    pub container: Container,
}

static SPEC: NodeSpec = NodeSpec {
    id: "raster",
    version: 1,
    group: "output",
    title: "a field as a file: TIFF, PNG, r16, r32, ESRI ASCII grid",
    doc: "Floats keep every bit; codes are rounded, and values beyond the range are held at its \
          ends. Row 0 is north, samples are points. A world that has a place on Earth gives it \
          to TIFF and ASCII files. Beside the file lies a description in JSON with its size, \
          cell, range and hash, and the numbers to type into Unreal's and Unity's dialogs.",
    inputs: &[InputSpec::required("field", Accepts::AnyRaster, "What is written.")],
    outputs: &[
        OutputSpec::new("file", Gives::Bytes, "The file."),
        OutputSpec::new("sidecar", Gives::Bytes, "Its description, as JSON."),
    ],
    params: RasterParams::SPECS,
    extensions: &[
        Extension { name: "tif", container: Some("Tiff") },
        Extension { name: "tiff", container: Some("Tiff") },
        Extension { name: "png", container: Some("Png") },
        Extension { name: "r16", container: Some("R16") },
        Extension { name: "r32", container: Some("R32") },
        Extension { name: "asc", container: Some("Asc") },
    ],
    locality: Locality::Global,
    conserves: Conserves::NoGround,
    random: false,
    drift: None,
    bytes_per_sample: 8,
    nanoseconds_per_sample: 20,
    citations: &[],
    example: include_str!("../../../../graphs/nodes/raster.ron"),
};

/// The node.
pub struct RasterFile;

/// How a file of that kind stores such numbers; `None` if it cannot.
fn stored(container: Container, encoding: Encoding) -> Option<Stored> {
    match (container, encoding) {
        (Container::Tiff, Encoding::Auto | Encoding::F32) => Some(Stored::TiffF32),
        (Container::Png, Encoding::Auto | Encoding::U16) => Some(Stored::Png16),
        (Container::Png, Encoding::U8) => Some(Stored::Png8),
        (Container::R16, Encoding::Auto | Encoding::U16) => Some(Stored::R16),
        (Container::R32, Encoding::Auto | Encoding::F32) => Some(Stored::R32),
        (Container::Asc, Encoding::Auto | Encoding::F32) => Some(Stored::Asc),
        _ => None,
    }
}

impl Node for RasterFile {
    fn spec(&self) -> &'static NodeSpec {
        &SPEC
    }

    fn check(&self, wiring: &Wiring<'_>) -> Result<(), Complaint> {
        let params = RasterParams::read(wiring.params);
        let Some(stored) = stored(params.container, params.encoding) else {
            let hint = match params.encoding {
                Encoding::F32 => "end the output's name in `.tif`, `.r32` or `.asc`",
                Encoding::U8 => "end the output's name in `.png`",
                _ => "end the output's name in `.png` or `.r16`",
            };
            return Err(Complaint {
                about: "encoding",
                message: format!(
                    "a {:?} file does not store {:?}",
                    params.container, params.encoding
                ),
                hint: Some(hint.to_owned()),
            });
        };
        let Some([low, high]) = params.range_m else { return Ok(()) };
        let complain = |message: String, hint: &str| {
            Err(Complaint { about: "range_m", message, hint: Some(hint.to_owned()) })
        };
        if low >= high {
            return complain(
                format!("`range_m` runs from {low} to {high}"),
                "write the lower first",
            );
        }
        if stored.max_code().is_none() {
            return complain(
                "floats need no range".to_owned(),
                "leave `range_m` out, or store codes with `encoding: U16`",
            );
        }
        match wiring.inputs[0] {
            Some(ValueKind::Raster(Quantity::Elevation | Quantity::Thickness)) | None => Ok(()),
            Some(kind) => {
                complain(format!("the field is {kind}, not metres"), "leave `range_m` out")
            }
        }
    }

    fn eval(&self, ctx: &EvalCtx<'_>) -> Result<Outputs, NodeError> {
        let params: RasterParams = ctx.params();
        let field = ctx.raster("field")?;
        let quantity = ctx.quantity("field").unwrap_or(Quantity::Elevation);
        let Some(stored) = stored(params.container, params.encoding) else {
            return Err(NodeError::Broken("the checker let a bad encoding through".to_owned()));
        };
        let stats = Stats::of(field);
        let whole = [f64::from(stats.min), f64::from(stats.max)];
        let range = match (quantity, params.range_m) {
            (Quantity::Mask, _) => [0.0, 1.0],
            (_, Some(range)) => range,
            // A level field still needs a range that is one.
            (_, None) if whole[0] == whole[1] => [whole[0], whole[0] + 1.0],
            (_, None) => whole,
        };
        let georeference = georeference_of(ctx.world());
        let broken = |error: FormatError| NodeError::Broken(error.to_string());
        let bytes = match stored {
            Stored::TiffF32 => encode_tiff_f32(field, georeference.as_ref()),
            Stored::Png16 => encode_png16(field, range),
            Stored::Png8 => encode_png8(field, range),
            Stored::R16 => encode_r16(field, range),
            Stored::R32 => encode_r32(field),
            Stored::Asc => encode_asc(field, georeference.as_ref()),
        }
        .map_err(broken)?;
        let is_code = stored.max_code().is_some();
        let value_hash = Digest::of_grid(quantity.name(), field)
            .map_err(|error| NodeError::Broken(error.to_string()))?;
        let description = sidecar(&SidecarSource {
            // The façade knows the name; it is no part of the value.
            name: "",
            domain: field.domain(),
            encoding: stored,
            z_range_m: if is_code { range } else { whole },
            georeference: georeference.as_ref(),
            value_hash: &value_hash.to_string(),
            file_hash: &Digest::of_bytes(&bytes).to_string(),
            graph_hash: None,
        });
        let mut outputs = ctx
            .outputs()
            .value("file", Value::Bytes(bytes.into()))
            .value("sidecar", Value::Bytes(description.to_json().into_bytes().into()));
        let beyond = if is_code { clamped_cells(field, range) } else { 0 };
        if beyond > 0 {
            outputs = outputs
                .note(format!("{beyond} samples lie beyond the range and are held at its ends"));
        }
        Ok(warn_of_steps(outputs, stored, range, field))
    }
}

/// Codes of a large range make steps on gentle ground: say how high they are.
fn warn_of_steps(outputs: Outputs, stored: Stored, range: [f64; 2], field: &Grid<f32>) -> Outputs {
    let Some(max_code) = stored.max_code() else { return outputs };
    let step = bajada_formats::step_of_codes(max_code, range);
    // A hundredth of a cell is half a degree: coarser steps are seen.
    if step > 0.01 * field.domain().cell_size() {
        outputs
            .note(format!("a code is a step of {step:.3}; `.tif` or `.r32` would keep every bit"))
    } else {
        outputs
    }
}
