//! The one error of this crate: its variants say who must act, its messages
//! are one lower-case sentence that names the place and the way out.

use thiserror::Error;

/// Why bytes cannot be read, or a raster cannot be written.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum FormatError {
    /// The file is not a raster of a kind that is read here: give another.
    #[error("{found}: {way_out}")]
    WrongFile {
        /// What the bytes turned out to be.
        found: String,
        /// What to give instead.
        way_out: String,
    },
    /// The file breaks its own format: get it again from where it came from.
    #[error("{place}: {problem}; the file is damaged, get or write it again")]
    Damaged {
        /// Tag, chunk, row or line.
        place: String,
        /// What is wrong there.
        problem: String,
    },
    /// The file is sound but uses what is not read here: convert it.
    #[error("{place}: {found} is not supported; {way_out}")]
    Unsupported {
        /// Tag or chunk.
        place: String,
        /// The value that is not read.
        found: String,
        /// How to convert the file.
        way_out: String,
    },
    /// The header asks for more samples than the caller allows.
    #[error(
        "the header declares {width} x {height} samples in {channels} channel(s): \
         the limit is {limit} samples; crop or resample the raster, or raise `max_samples`"
    )]
    TooLarge {
        /// Samples from west to east.
        width: u64,
        /// Samples from north to south.
        height: u64,
        /// Values for each sample.
        channels: u64,
        /// What the caller allows.
        limit: u64,
    },
    /// The file can be read in more than one way: the user must say which.
    #[error("{found}: {way_out}")]
    NeedsChoice {
        /// What leaves the choice open.
        found: String,
        /// The setting to give.
        way_out: String,
    },
    /// A setting of the reader does not fit this file: change the setting.
    #[error("{setting}: {problem}")]
    WrongSetting {
        /// Name of the setting.
        setting: &'static str,
        /// Why it does not fit.
        problem: String,
    },
    /// The raster or its settings cannot be written in this format.
    #[error("{place}: {problem}; {way_out}")]
    CannotWrite {
        /// Cell or setting.
        place: String,
        /// What stands in the way.
        problem: String,
        /// What to do about it.
        way_out: String,
    },
}

impl FormatError {
    pub(crate) fn damaged(place: impl Into<String>, problem: impl Into<String>) -> Self {
        Self::Damaged { place: place.into(), problem: problem.into() }
    }

    pub(crate) fn unsupported(
        place: impl Into<String>,
        found: impl Into<String>,
        way_out: impl Into<String>,
    ) -> Self {
        Self::Unsupported { place: place.into(), found: found.into(), way_out: way_out.into() }
    }

    pub(crate) fn wrong_file(found: impl Into<String>, way_out: impl Into<String>) -> Self {
        Self::WrongFile { found: found.into(), way_out: way_out.into() }
    }

    pub(crate) fn needs_choice(found: impl Into<String>, way_out: impl Into<String>) -> Self {
        Self::NeedsChoice { found: found.into(), way_out: way_out.into() }
    }

    pub(crate) fn wrong_setting(setting: &'static str, problem: impl Into<String>) -> Self {
        Self::WrongSetting { setting, problem: problem.into() }
    }

    pub(crate) fn cannot_write(
        place: impl Into<String>,
        problem: impl Into<String>,
        way_out: impl Into<String>,
    ) -> Self {
        Self::CannotWrite { place: place.into(), problem: problem.into(), way_out: way_out.into() }
    }
}
