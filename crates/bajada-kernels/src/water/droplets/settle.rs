//! A droplet's last load comes to rest without a spike.
//!
//! Low ground around the place takes a share of the room that it has under a
//! ceiling; if that is not enough, the circle grows. The ceiling is the place
//! where the water stands, or the lowest rim of the circle where that is
//! higher (a hollow fills to its spill), plus a gentle slope times the radius.

use bajada_grid::vectors::wide;

use super::brush::Brush;
use super::patch::Patch;
use super::scale::CEILING;

/// Largest share of its room that a cell takes from one load and circle:
/// ground is smoothed, never leveled to a step.
const MOST_OF_ROOM: f64 = 0.25;

/// How fast the circle grows.
const GROWTH: f64 = 1.5;

/// Gentle slope of a fresh layer, rise over run.
pub(super) const LAYER_SLOPE: f64 = 0.005;

/// Where and how a load comes to rest.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rest {
    /// Cells of the patch.
    pub(super) x: f64,
    pub(super) y: f64,
    /// Radius of the first circle, cells.
    pub(super) radius: f64,
    /// The circle grows no further, cells.
    pub(super) reach: f64,
    /// Rise of a fresh layer over one cell, quanta.
    pub(super) rise: f64,
}

/// Puts `load` (quanta over one cell) down around a place and returns what is
/// left when the circle would pass its reach.
pub(super) fn settle<const VARIED: bool>(
    patch: &mut Patch<'_>,
    brush: &Brush,
    rest: &Rest,
    load: i32,
) -> i32 {
    wide(
        #[inline(always)]
        || put_down::<VARIED>(patch, brush, rest, load),
    )
}

#[inline(always)]
fn put_down<const VARIED: bool>(
    patch: &mut Patch<'_>,
    brush: &Brush,
    rest: &Rest,
    load: i32,
) -> i32 {
    let mut load = load;
    let mut radius = rest.radius;
    let column = (rest.x as usize).min(patch.width - 1);
    let row = (rest.y as usize).min(patch.height - 1);
    let base = patch.bed[row * patch.width + column];
    let above = patch.above(base, rest.x as f32, rest.y as f32) as i32;
    let stand = base.saturating_add(above);
    if radius <= rest.reach {
        // Mostly there is room enough under the brush itself.
        let ceiling = stand.saturating_add((rest.rise * radius) as i32).min(CEILING);
        let share = MOST_OF_ROOM as f32;
        load -= patch.fill::<VARIED>(brush, (rest.x as f32, rest.y as f32), ceiling, share, load);
    }
    while load > 0 && radius <= rest.reach {
        let circle = Circle::new(patch, rest.x, rest.y, radius);
        let rise = (rest.rise * radius) as i32;
        let ceiling = circle.ceiling(patch, stand).saturating_add(rise).min(CEILING);
        let mut room = 0.0;
        circle.each(|index, weight| room += room_at::<VARIED>(patch, index, weight, ceiling));
        let room = f64::from(room);
        if room > 0.0 {
            let fits = f64::from(load) <= MOST_OF_ROOM * room;
            let share = if fits { f64::from(load) / room } else { MOST_OF_ROOM } as f32;
            let mut left = load;
            let (mut roomiest, mut most) = (None, 0.0);
            circle.each(|index, weight| {
                let part = share * room_at::<VARIED>(patch, index, weight, ceiling);
                if part > most {
                    (roomiest, most) = (Some(index), part);
                }
                let part = ((part + 0.5) as i32).min(left);
                patch.bed[index] += part;
                left -= part;
            });
            if let (true, Some(index)) = (fits, roomiest) {
                // What rounding kept back: less than one quantum a cell.
                patch.bed[index] += left;
                left = 0;
            }
            load = left;
        }
        radius *= GROWTH;
    }
    load
}

#[inline(always)]
fn room_at<const VARIED: bool>(patch: &Patch<'_>, index: usize, weight: f32, ceiling: i32) -> f32 {
    let depth = ceiling.wrapping_sub(patch.bed[index]) as f32;
    let depth = if depth > 0.0 { depth } else { 0.0 };
    if VARIED { depth * weight * patch.acceptance[index] } else { depth * weight }
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
    #[inline(always)]
    fn each(&self, mut visit: impl FnMut(usize, f32)) {
        let scale = (1.0 / (self.radius * self.radius)) as f32;
        for row in self.rows.0..self.rows.1 {
            let dy = (row as f64 - self.y) as f32;
            let inside = 1.0 - dy * dy * scale;
            let first = row * self.width;
            for column in self.columns.0..self.columns.1 {
                let dx = column as f32 - self.x as f32;
                let weight = inside - dx * dx * scale;
                if weight > 0.0 {
                    visit(first + column, weight);
                }
            }
        }
    }

    /// The height that the circle may be filled to: `stand`, or its lowest
    /// outer cell where that is higher.
    fn ceiling(&self, patch: &Patch<'_>, stand: i32) -> i32 {
        let mut lowest = i32::MAX;
        // Weights below this belong to the outermost ring of cells.
        let inner = (self.radius - 1.0) / self.radius;
        let ring = (1.0 - inner * inner) as f32;
        self.each(|index, weight| {
            if weight <= ring && patch.bed[index] < lowest {
                lowest = patch.bed[index];
            }
        });
        if lowest < i32::MAX && lowest > stand { lowest } else { stand }
    }
}
