//! A droplet's last load comes to rest without a spike.
//!
//! Low ground around the place takes a share of the room that it has under a
//! ceiling; if that is not enough, the circle grows. The ceiling is the place
//! where the water stands, or the lowest rim of the circle where that is
//! higher (a hollow fills to its spill), plus a gentle slope times the radius.

use super::patch::Patch;

/// Largest share of its room that a cell takes from one load and circle:
/// ground is smoothed, never leveled to a step.
const MOST_OF_ROOM: f64 = 0.25;

/// How fast the circle grows.
const GROWTH: f64 = 1.5;

/// Gentle slope of a fresh layer, rise over run.
const LAYER_SLOPE: f64 = 0.005;

/// Puts `load` (m over one cell) down around (x, y) and returns what is left
/// when the circle, grown from `radius` cells, would pass `reach`.
pub(super) fn settle<const VARIED: bool>(
    patch: &mut Patch<'_>,
    (x, y): (f64, f64),
    mut load: f64,
    cell_size: f64,
    radius: f64,
    reach: f64,
) -> f64 {
    let stand = patch.elevation(x, y);
    let mut radius = radius;
    while load > 0.0 && radius <= reach {
        let circle = Circle::new(patch, x, y, radius);
        let ceiling = circle.ceiling(patch, stand) + LAYER_SLOPE * cell_size * radius;
        let mut room = 0.0;
        circle.each(|index, weight| room += room_at::<VARIED>(patch, index, weight, ceiling));
        if room > 0.0 {
            let fits = load <= MOST_OF_ROOM * room;
            let share = if fits { load / room } else { MOST_OF_ROOM };
            let mut left = load;
            let (mut roomiest, mut most) = (None, 0.0);
            circle.each(|index, weight| {
                let part = share * room_at::<VARIED>(patch, index, weight, ceiling);
                if part > most {
                    (roomiest, most) = (Some(index), part);
                }
                let part = patch.quantum.nearest(part);
                let part = if part < left { part } else { left };
                patch.bed[index] += part;
                left -= part;
            });
            if let (true, Some(index)) = (fits, roomiest) {
                // What rounding kept back: less than one quantum a cell.
                patch.bed[index] += left;
                left = 0.0;
            }
            load = left;
        }
        radius *= GROWTH;
    }
    load
}

#[inline(always)]
fn room_at<const VARIED: bool>(patch: &Patch<'_>, index: usize, weight: f64, ceiling: f64) -> f64 {
    let depth = ceiling - patch.bed[index];
    let depth = if depth > 0.0 { depth } else { 0.0 };
    if VARIED { depth * weight * f64::from(patch.acceptance[index]) } else { depth * weight }
}

/// The cells within a radius of a place.
struct Circle {
    columns: (usize, usize),
    rows: (usize, usize),
    x: f64,
    y: f64,
    radius: f64,
    width: usize,
}

impl Circle {
    fn new(patch: &Patch<'_>, x: f64, y: f64, radius: f64) -> Self {
        let part = |middle: f64, samples: usize| {
            let first = if middle > radius { (middle - radius) as usize } else { 0 };
            (first, samples.min((middle + radius) as usize + 1))
        };
        let (columns, rows) = (part(x, patch.width), part(y, patch.height));
        Self { columns, rows, x, y, radius, width: patch.width }
    }

    /// Hands out every cell with its weight: 1 in the middle, 0 at the rim.
    fn each(&self, mut visit: impl FnMut(usize, f64)) {
        let scale = 1.0 / (self.radius * self.radius);
        for row in self.rows.0..self.rows.1 {
            let dy = row as f64 - self.y;
            for column in self.columns.0..self.columns.1 {
                let dx = column as f64 - self.x;
                let weight = 1.0 - (dx * dx + dy * dy) * scale;
                if weight > 0.0 {
                    visit(row * self.width + column, weight);
                }
            }
        }
    }

    /// The height that the circle may be filled to: `stand`, or its lowest
    /// outer cell where that is higher.
    fn ceiling(&self, patch: &Patch<'_>, stand: f64) -> f64 {
        let mut lowest = f64::INFINITY;
        // Weights below this belong to the outermost ring of cells.
        let inner = (self.radius - 1.0) / self.radius;
        let ring = 1.0 - inner * inner;
        self.each(|index, weight| {
            if weight <= ring && patch.bed[index] < lowest {
                lowest = patch.bed[index];
            }
        });
        if lowest.is_finite() && lowest > stand { lowest } else { stand }
    }
}
