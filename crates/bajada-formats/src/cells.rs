//! Turning stored samples into heights, a mask and counts: the one place that
//! decides what is "no data".

use crate::error::FormatError;
use crate::header::{Header, SampleType};

/// A raster read from bytes.
#[derive(Clone, Debug, PartialEq)]
pub struct Decoded {
    /// What the file says about itself; `nodata` is the value in force.
    pub header: Header,
    /// `width * height` finite values, row 0 first; cells without data hold 0.
    pub values: Vec<f32>,
    /// Which cells have data; `None` when all have.
    pub valid: Option<Vec<bool>>,
    /// Range and counts.
    pub stats: RasterStats,
}

/// Range of the cells that have data, and counts of those that have not.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RasterStats {
    /// Least value of a cell with data; 0 when there is none.
    pub min: f32,
    /// Greatest value of a cell with data; 0 when there is none.
    pub max: f32,
    /// Cells with data.
    pub valid_count: u64,
    /// Cells that hold the no-data value.
    pub nodata_count: u64,
    /// Cells that held NaN, an infinity or a value beyond f32.
    pub nonfinite_count: u64,
}

impl RasterStats {
    /// Whether no cell has data, so that there is nothing to work on.
    pub fn is_all_nodata(&self) -> bool {
        self.valid_count == 0
    }
}

/// A raster being filled.
pub(crate) struct Cells {
    header: Header,
    width: usize,
    values: Vec<f32>,
    valid: Option<Vec<bool>>,
    nodata: Option<f64>,
    stats: RasterStats,
}

impl Cells {
    /// Room for the raster that `header` describes. The caller has checked its
    /// size against the limit.
    pub(crate) fn new(header: Header) -> Self {
        let len = header.width as usize * header.height as usize;
        // In a raster of f32 the value that marks no data was rounded, too.
        let nodata = match header.sample_type {
            SampleType::F32 => header.nodata.map(|value| f64::from(value as f32)),
            _ => header.nodata,
        };
        Self {
            width: header.width as usize,
            values: vec![0.0; len],
            valid: None,
            nodata,
            stats: RasterStats::default(),
            header,
        }
    }

    /// Puts samples in row `y` from column `x` on; what would leave the raster
    /// is dropped.
    pub(crate) fn put_row(&mut self, x: usize, y: usize, samples: impl Iterator<Item = f64>) {
        let start = y * self.width + x;
        let room = self.width.saturating_sub(x);
        if y >= self.header.height as usize {
            return;
        }
        for (index, sample) in (start..start + room).zip(samples) {
            let value = sample as f32;
            if !value.is_finite() {
                self.stats.nonfinite_count += 1;
                self.clear(index);
            } else if self.nodata == Some(sample) {
                self.stats.nodata_count += 1;
                self.clear(index);
            } else {
                self.values[index] = value;
            }
        }
    }

    /// Marks `len` cells of row `y` from column `x` on as without data.
    pub(crate) fn clear_row(&mut self, x: usize, y: usize, len: usize) {
        for column in x..self.width.min(x.saturating_add(len)) {
            self.stats.nodata_count += 1;
            self.clear(y * self.width + column);
        }
    }

    fn clear(&mut self, index: usize) {
        let len = self.values.len();
        self.valid.get_or_insert_with(|| vec![true; len])[index] = false;
    }

    /// The raster, with its range.
    pub(crate) fn finish(self) -> Decoded {
        let Self { header, values, valid, mut stats, .. } = self;
        let mut range: Option<[f32; 2]> = None;
        let mut take = |value: f32| {
            stats.valid_count += 1;
            range = Some(match range {
                None => [value, value],
                Some([low, high]) => {
                    [if value < low { value } else { low }, if value > high { value } else { high }]
                }
            });
        };
        match &valid {
            None => values.iter().for_each(|value| take(*value)),
            Some(valid) => values
                .iter()
                .zip(valid)
                .filter(|(_, valid)| **valid)
                .for_each(|(value, _)| take(*value)),
        }
        [stats.min, stats.max] = range.unwrap_or_default();
        Decoded { header, values, valid, stats }
    }
}

/// Refuses a raster of more values than `limit`, or of none.
pub(crate) fn check_size(
    place: &str,
    width: u64,
    height: u64,
    channels: u64,
    limit: u64,
) -> Result<(), FormatError> {
    if width == 0 || height == 0 || channels == 0 {
        return Err(FormatError::damaged(
            place,
            format!("{width} x {height} samples in {channels} channel(s) are no raster"),
        ));
    }
    // 2^40 values keep every later product of sizes far from overflow.
    let limit = limit.min(1 << 40);
    let total = width.checked_mul(height).and_then(|area| area.checked_mul(channels));
    let sides_fit = width <= u64::from(u32::MAX) && height <= u64::from(u32::MAX);
    match total {
        Some(total) if total <= limit && sides_fit => Ok(()),
        _ => Err(FormatError::TooLarge { width, height, channels, limit }),
    }
}
