//! Heights as whole codes of a range, and back.

use bajada_grid::{Grid, math};

use crate::error::FormatError;

/// The code of each cell: 0 at `range[0]`, `max_code` at `range[1]`, rounded
/// half up, what lies beyond held at the ends.
pub(crate) fn codes(
    grid: &Grid<f32>,
    range: [f64; 2],
    max_code: u32,
) -> Result<impl Iterator<Item = u32> + '_, FormatError> {
    check_range(range)?;
    check_finite(grid)?;
    let [low, high] = range;
    let top = f64::from(max_code);
    let span = high - low;
    Ok(grid.as_slice().iter().map(move |value| {
        let share = math::clamp((f64::from(*value) - low) / span, 0.0, 1.0);
        (share * top + 0.5).floor() as u32
    }))
}

/// The height that a code stands for: `range[0]` at 0, `range[1]` at
/// `max_code`. The inverse of what the encoders write.
pub fn height_of_code(code: f64, max_code: u32, range: [f64; 2]) -> f64 {
    range[0] + (range[1] - range[0]) * (code / f64::from(max_code.max(1)))
}

/// Height between two neighboring codes: what a writer of codes cannot tell
/// apart, and the steps that show on a slope gentler than this over a cell.
pub fn step_of_codes(max_code: u32, range: [f64; 2]) -> f64 {
    (range[1] - range[0]) / f64::from(max_code.max(1))
}

/// How many cells lie outside `range` and would be held at its ends.
pub fn clamped_cells(grid: &Grid<f32>, range: [f64; 2]) -> u64 {
    let outside = |value: &&f32| f64::from(**value) < range[0] || f64::from(**value) > range[1];
    grid.as_slice().iter().filter(outside).count() as u64
}

fn check_range(range: [f64; 2]) -> Result<(), FormatError> {
    let span = range[1] - range[0];
    if span.is_finite() && span > 0.0 {
        return Ok(());
    }
    Err(FormatError::cannot_write(
        "range",
        format!("{} to {} holds no codes", range[0], range[1]),
        "give two finite heights, the lower first",
    ))
}

/// Refuses a raster with a cell that is not a number.
pub(crate) fn check_finite(grid: &Grid<f32>) -> Result<(), FormatError> {
    match grid.as_slice().iter().position(|value| !value.is_finite()) {
        None => Ok(()),
        Some(index) => {
            let (x, y) = grid.domain().column_row(index);
            Err(FormatError::cannot_write(
                format!("column {x} of row {y}"),
                format!("{} is not a height", grid[index]),
                "fill the cells without data first",
            ))
        }
    }
}
