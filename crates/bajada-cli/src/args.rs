//! The command line.

use std::path::PathBuf;

use bajada::SamplesOverride;
use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;

/// A terrain compositor: a graph of nodes in a text file becomes heightmaps,
/// masks, pictures and a report.
#[derive(Debug, Parser)]
#[command(name = "bajada", version, max_term_width = 100)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Build a graph: run what is needed and write its files.
    Build(Build),
    /// Check a graph without running it; all mistakes at once.
    Check(Check),
    /// List the node kinds, or print the page of one.
    Nodes(Nodes),
    /// Say how far results depend on the number of samples.
    Drift(Drift),
    /// Say what a raster file holds.
    Inspect(Inspect),
    /// Make a shaded picture of a raster file.
    View(View),
    /// Print a completion script for a shell.
    Completions(Completions),
}

#[derive(Debug, Args)]
pub(crate) struct Build {
    /// The graph (.ron).
    pub(crate) graph: PathBuf,
    /// Folder for the files [default: out/ and the name of the graph]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Samples over the same extent: N on the longer side, or WxH.
    #[arg(long, value_name = "N|WxH", value_parser = samples)]
    pub(crate) samples: Option<SamplesOverride>,
    /// Threads [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// Build only this node, output of a node, or file; may be given again.
    #[arg(long, value_name = "NODE[.PORT]")]
    pub(crate) target: Vec<String>,
    /// Reuse nothing.
    #[arg(long)]
    pub(crate) no_cache: bool,
    /// Replace read-only files too.
    #[arg(long)]
    pub(crate) overwrite: bool,
    /// Print line-delimited JSON instead of text.
    #[arg(long)]
    pub(crate) json: bool,
    /// Write the report to this file, as JSON.
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Option<PathBuf>,
    /// Print nothing but errors.
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Check {
    /// The graph (.ron).
    pub(crate) graph: PathBuf,
    /// Check it with so many samples: N on the longer side, or WxH.
    #[arg(long, value_name = "N|WxH", value_parser = samples)]
    pub(crate) samples: Option<SamplesOverride>,
    /// Print line-delimited JSON instead of text.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Drift {
    /// The graph (.ron).
    pub(crate) graph: PathBuf,
    /// Samples on the longer side of each run; all are held against the most.
    #[arg(long, value_name = "N,N,...", value_delimiter = ',', default_values_t = [257, 513, 1025])]
    pub(crate) samples: Vec<u32>,
    /// Fail (exit code 3) if an output drifts by more than this share.
    #[arg(long, value_name = "SHARE")]
    pub(crate) max: Option<f64>,
    /// Threads [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// Print JSON instead of text.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Nodes {
    /// The kind to print; all kinds are listed if it is left out.
    pub(crate) kind: Option<String>,
    /// Print JSON instead of text.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Inspect {
    /// The raster file.
    pub(crate) file: PathBuf,
    /// Measure the landscape too: slopes, rivers, spectrum, forms.
    #[arg(long)]
    pub(crate) metrics: bool,
    /// Distance of the samples, m, to measure a file that does not state it.
    #[arg(long, value_name = "M", requires = "metrics")]
    pub(crate) cell_m: Option<f64>,
    /// Heights of code 0 and of the highest code, m, to measure a file of codes.
    #[arg(long, value_name = "LOW,HIGH", value_parser = range, requires = "metrics")]
    pub(crate) range_m: Option<[f64; 2]>,
    /// Print JSON instead of text.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct View {
    /// The raster file.
    pub(crate) file: PathBuf,
    /// The picture to write (.png).
    #[arg(short, long, value_name = "PICTURE.png")]
    pub(crate) output: PathBuf,
    /// Distance of the samples, m, for a file that does not state it.
    #[arg(long, value_name = "M")]
    pub(crate) cell_m: Option<f64>,
    /// Heights of code 0 and of the highest code, m, for a file of codes.
    #[arg(long, value_name = "LOW,HIGH", value_parser = range)]
    pub(crate) range_m: Option<[f64; 2]>,
    /// Shrink the picture to so many pixels on its longer side.
    #[arg(long, value_name = "PIXELS", value_parser = clap::value_parser!(u32).range(16..=16384))]
    pub(crate) longest: Option<u32>,
    /// Look from the side, across from the lowest border, instead of from above.
    #[arg(long)]
    pub(crate) oblique: bool,
    /// Replace a read-only picture too.
    #[arg(long)]
    pub(crate) overwrite: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Completions {
    /// The shell.
    pub(crate) shell: Shell,
}

fn samples(text: &str) -> Result<SamplesOverride, String> {
    let count = |text: &str| {
        text.parse::<u32>().ok().filter(|count| *count >= 2).ok_or_else(|| {
            "write a count of 2 or more, such as 513, or two, such as 1025x513".to_owned()
        })
    };
    match text.split_once(['x', 'X']) {
        Some((width, height)) => Ok(SamplesOverride::Both([count(width)?, count(height)?])),
        None => Ok(SamplesOverride::Longer(count(text)?)),
    }
}

fn range(text: &str) -> Result<[f64; 2], String> {
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|value| value.is_finite());
    let (low, high) = text.split_once(',').unwrap_or((text, ""));
    match (number(low), number(high)) {
        (Some(low), Some(high)) if low < high => Ok([low, high]),
        _ => Err("write two heights, the lower first, such as 0,1400".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        use clap::CommandFactory as _;
        Arguments::command().debug_assert();
    }

    #[test]
    fn samples_are_one_count_or_two() {
        assert_eq!(samples("513"), Ok(SamplesOverride::Longer(513)));
        assert_eq!(samples("1025x513"), Ok(SamplesOverride::Both([1025, 513])));
        for wrong in ["", "x", "1", "-5", "5x", "5x1", "nan", "1e3", "99999999999"] {
            assert!(samples(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_range_rises() {
        assert_eq!(range("-5, 20.5"), Ok([-5.0, 20.5]));
        for wrong in ["", "5", "5,5", "9,2", "nan,2", "0,inf"] {
            assert!(range(wrong).is_err(), "{wrong}");
        }
    }
}
