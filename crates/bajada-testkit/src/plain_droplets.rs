//! Slow twin of the droplets: one after the other, over the whole map, with an
//! exact brush. No tiles, no table, no quanta, no ledger.

use bajada_grid::{Grid, Stream, math};

/// The settings that the twin shares with the kernel; lengths in m.
#[derive(Clone, Copy, Debug)]
pub struct PlainDroplets {
    /// Droplets.
    pub droplets: u64,
    /// Water of each, m3.
    pub water: f64,
    /// Capacity factor by slope and speed, and by speed squared; one is 0.
    pub capacities: [f64; 2],
    /// Pull of the ground, m/s2.
    pub gravity: f64,
    /// Speed at the start of the path, m/s.
    pub start_speed: f64,
    /// Lag lengths: inertia, friction, erosion, deposition, evaporation.
    pub lags: [f64; 5],
    /// Longest path.
    pub path: f64,
    /// Share of the path after which water seeps away.
    pub seepage_start: f64,
    /// Radii of the brushes that cut and lay.
    pub radii: [f64; 2],
    /// Step, cells.
    pub step: f64,
    /// Caps on cuts and layers.
    pub caps: [f64; 2],
    /// Slope floor of the capacity.
    pub min_slope: f64,
}

/// Heights after the rain, the volume cut, and the volume laid down on the way
/// (loads that droplets end with are not put down).
pub fn rain(start: &Grid<f32>, with: &PlainDroplets, stream: Stream) -> (Grid<f64>, f64) {
    let mut bed = start.to_f64();
    // No ground is cut below it.
    let lowest = bed.as_slice().iter().fold(f64::INFINITY, |least, cell| math::min(least, *cell));
    let domain = *start.domain();
    let (cell, area) = (domain.cell_size(), domain.cell_area());
    let [east, south] = [(domain.width() - 1) as f64, (domain.height() - 1) as f64];
    let length = with.step * cell;
    let [inertia, friction, cut_lag, lay_lag, dry] = with.lags;
    let steps = (with.path / length + 0.5) as u32;
    let mut cut_volume = 0.0;
    for droplet in 0..with.droplets {
        let mut x = stream.uniform(droplet, 0) * east;
        let mut y = stream.uniform(droplet, 1) * south;
        let (mut hx, mut hy) = (0.0, 0.0);
        let (mut energy, mut load) = (with.start_speed * with.start_speed, 0.0);
        for walked in 0..steps {
            let here = height(&bed, x, y);
            let (gx, gy) = gradient(&bed, x, y);
            let steep = (gx * gx + gy * gy).sqrt();
            if steep == 0.0 {
                break;
            }
            let kept = if walked == 0 { 0.0 } else { math::exp(-length / inertia) };
            (hx, hy) =
                unit(kept * hx - (1.0 - kept) * gx / steep, kept * hy - (1.0 - kept) * gy / steep);
            let fade = math::exp(-2.0 * length / friction);
            let mut next = (x + hx * with.step, y + hy * with.step);
            let inside = |(x, y): (f64, f64)| x >= 0.0 && x <= east && y >= 0.0 && y <= south;
            if !inside(next) {
                break;
            }
            let mut drop = here - height(&bed, next.0, next.1);
            let drive = if friction.is_finite() {
                with.gravity * friction * (1.0 - fade) / length
            } else {
                2.0 * with.gravity
            };
            let mut after = energy * fade + drive * drop;
            if after <= 0.0 {
                (hx, hy) = (-gx / steep, -gy / steep);
                next = (x + hx * with.step, y + hy * with.step);
                if !inside(next) {
                    break;
                }
                drop = here - height(&bed, next.0, next.1);
                after = drive * drop;
                if after <= 0.0 {
                    break;
                }
            }
            let walked = f64::from(walked) + 0.5;
            let share = walked / f64::from(steps);
            let seep = if share > with.seepage_start {
                (1.0 - share) / (1.0 - with.seepage_start)
            } else {
                1.0
            };
            let water = with.water * seep * math::exp(-walked * length / dry);
            let slope = math::max(drop / length, with.min_slope);
            let [by_slope, by_speed] = with.capacities;
            let capacity = (by_slope * slope * after.sqrt() + by_speed * after) * water;
            let missing = capacity / area - load;
            let arrival = math::max(here - drop, lowest);
            let middle = (0.5 * (x + next.0), 0.5 * (y + next.1));
            if drop > 0.0 && missing > 0.0 {
                let amount = missing * (1.0 - math::exp(-length / cut_lag));
                let taken = brush(
                    &mut bed,
                    middle,
                    with.radii[0] / cell,
                    amount,
                    with.caps[0] * drop,
                    arrival,
                    -1.0,
                );
                load += taken;
                cut_volume += taken * area;
            } else if drop > 0.0 {
                let amount = -missing * (1.0 - math::exp(-length / lay_lag));
                load -= brush(
                    &mut bed,
                    middle,
                    with.radii[1] / cell,
                    amount,
                    with.caps[1] * drop,
                    here,
                    1.0,
                );
            } else {
                load -= brush(&mut bed, (x, y), with.radii[1] / cell, load, -drop, arrival, 1.0);
            }
            (x, y) = next;
            energy = after;
        }
    }
    (bed, cut_volume)
}

fn unit(x: f64, y: f64) -> (f64, f64) {
    let length = (x * x + y * y).sqrt();
    (x / length, y / length)
}

fn at(bed: &Grid<f64>, x: isize, y: isize) -> f64 {
    let (right, bottom) = (bed.width() as isize - 1, bed.height() as isize - 1);
    let (cx, cy) = (math::clamp(x, 0, right), math::clamp(y, 0, bottom));
    bed.at(cx as usize, cy as usize)
}

fn mix(bed: &Grid<f64>, x: f64, y: f64, value: impl Fn(isize, isize) -> f64) -> f64 {
    let column = math::min(x as isize, bed.width() as isize - 2);
    let row = math::min(y as isize, bed.height() as isize - 2);
    let (fx, fy) = (x - column as f64, y - row as f64);
    let north = math::lerp(value(column, row), value(column + 1, row), fx);
    let south = math::lerp(value(column, row + 1), value(column + 1, row + 1), fx);
    math::lerp(north, south, fy)
}

fn height(bed: &Grid<f64>, x: f64, y: f64) -> f64 {
    mix(bed, x, y, |x, y| at(bed, x, y))
}

fn gradient(bed: &Grid<f64>, x: f64, y: f64) -> (f64, f64) {
    let east = |x: isize, y: isize| 0.5 * (at(bed, x + 1, y) - at(bed, x - 1, y));
    let south = |x: isize, y: isize| 0.5 * (at(bed, x, y + 1) - at(bed, x, y - 1));
    (mix(bed, x, y, east), mix(bed, x, y, south))
}

fn brush(
    bed: &mut Grid<f64>,
    (x, y): (f64, f64),
    radius: f64,
    amount: f64,
    most: f64,
    limit: f64,
    sign: f64,
) -> f64 {
    let mut cells = Vec::new();
    let (mut sum, mut peak) = (0.0, 0.0);
    let reach = radius as isize + 1;
    for row in y as isize - reach..=y as isize + reach + 1 {
        for column in x as isize - reach..=x as isize + reach + 1 {
            let (dx, dy) = (column as f64 - x, row as f64 - y);
            let weight = 1.0 - (dx * dx + dy * dy).sqrt() / radius;
            if weight > 0.0 {
                sum += weight;
                peak = math::max(peak, weight);
                let inside = (0..bed.width() as isize).contains(&column)
                    && (0..bed.height() as isize).contains(&row);
                if inside {
                    cells.push((column as usize, row as usize, weight));
                }
            }
        }
    }
    let amount = math::min(amount, most * sum / peak);
    let mut moved = 0.0;
    for (column, row, weight) in cells {
        let old = bed.at(column, row);
        let room = math::max(sign * (limit - old), 0.0);
        let part = math::min(amount * weight / sum, room);
        bed.set(column, row, old + sign * part);
        moved += part;
    }
    moved
}
