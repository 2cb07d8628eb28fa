//! One column of samples: what each line of sight meets.
//!
//! The ground along the column's line is walked once, from near to far. The
//! lines of sight are sorted by their rise, and whatever the ground has risen
//! over stays hidden, so only the lowest line that is still free needs to be
//! looked at: a column costs its steps plus its rows.

use bajada_grid::math;

use super::super::color::{Linear, hex, linear, mix};
use super::FINE;
use super::air::Air;
use super::camera::{Camera, Line};
use super::texture::{Patch, Texture};

/// Rows of samples from the top: sky, then ground, then the cut wall.
#[derive(Debug, Default)]
pub(super) struct Column {
    rows: usize,
    /// Where the ground begins, from the top.
    sky_end: usize,
    /// Where the wall begins.
    ground_end: usize,
    /// Depths of the ground, from the lowest row upward, m.
    depths: Vec<f32>,
}

/// Longest step, in cells: no sample of the ground is stepped over.
const STEP_CELLS: f64 = 0.7;
/// Longest step, in depths: finer than a row of a large picture.
const STEP_DEPTHS: f64 = 0.0007;

impl Column {
    /// Finds what the column's `rows` lines of sight meet.
    pub(super) fn sweep(&mut self, texture: &Texture, camera: &Camera, line: &Line, rows: usize) {
        self.depths.clear();
        (self.rows, self.sky_end, self.ground_end) = (rows, rows, rows);
        let Some(span) = line.span else { return };
        let above_eye =
            |depth: f64| texture.surface_at(line.place(camera, depth)) - camera.eye_height;
        let cell_step = STEP_CELLS * camera.cell / texture.scale / (1.0 + line.u * line.u).sqrt();
        let mut free = rows;
        let (mut depth, mut height) = (span.near, above_eye(span.near));
        // What looks under the edge of the map sees the wall; under the eye's
        // own feet there is ground.
        while free > 0 && camera.rise(free - 1, rows) < height / depth {
            free -= 1;
            if !span.from_outside {
                self.depths.push(depth as f32);
            }
        }
        self.ground_end = if span.from_outside { free } else { rows };
        while free > 0 && depth < span.far {
            let step = math::max(cell_step, STEP_DEPTHS * depth);
            let next = math::min(depth + step, span.far);
            let next_height = above_eye(next);
            let slope = (next_height - height) / (next - depth);
            let rise = next_height / next;
            while free > 0 && camera.rise(free - 1, rows) < rise {
                free -= 1;
                let sight = camera.rise(free, rows);
                let crossing = (height - slope * depth) / (sight - slope);
                self.depths.push(math::clamp(crossing, depth, next) as f32);
            }
            (depth, height) = (next, next_height);
        }
        self.sky_end = free;
    }

    /// Adds the column's light to the sums of its pixels.
    pub(super) fn add_to(
        &self,
        sums: &mut [Linear],
        texture: &Texture,
        camera: &Camera,
        air: &Air,
        line: &Line,
    ) {
        let pale = air.pale(line.u);
        let mirrored = air.mirrored(pale);
        let wall = linear(hex(0x6f_67_5c)).map(|channel| 0.6 * channel);
        for row in 0..self.rows {
            let rise = camera.rise(row, self.rows);
            // Length of the line of sight per depth.
            let slant = (1.0 + line.u * line.u + rise * rise).sqrt();
            let color = if row < self.sky_end {
                air.sky(rise, pale)
            } else {
                let (color, depth) = if row < self.ground_end {
                    let depth = f64::from(self.depths[self.ground_end - 1 - row]);
                    let patch = texture.patch(line.place(camera, depth));
                    (seen(texture, &patch, mirrored, rise / slant), depth)
                } else {
                    (wall, line.span.map_or(0.0, |span| span.near))
                };
                air.veil(color, pale, depth * slant, camera.eye_height + rise * depth)
            };
            let sum = &mut sums[row / FINE];
            *sum = std::array::from_fn(|i| sum[i] + color[i]);
        }
    }
}

/// Lit ground, or water with the sky in it. `sine` is that of the line of
/// sight's angle above the level; negative downward.
#[inline]
fn seen(texture: &Texture, patch: &Patch, mirrored: Linear, sine: f64) -> Linear {
    let color = texture.color(patch);
    let depth = texture.water(patch);
    if depth <= 0.0 {
        return color;
    }
    // Fresnel's law as Schlick writes it, held below a perfect mirror: there
    // are ripples on every lake.
    let grazing = math::clamp(1.0 + sine, 0.0, 1.0) as f32;
    let squared = grazing * grazing;
    let share = 0.03 + 0.75 * squared * squared * grazing;
    mix(color, mirrored, share * math::min(1.0, depth / 0.3))
}
