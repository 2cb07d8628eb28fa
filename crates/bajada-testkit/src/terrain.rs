//! Terrains whose right answer is known, or whose bits must never move.

use bajada_grid::{Domain, Grid, Stream};

/// A lattice for tests: `side` x `side` samples, `cell_size` metres apart.
pub fn square(side: u32, cell_size: f64) -> Domain {
    Domain::new(side, side, cell_size, [0.0; 2]).expect("a legal test lattice")
}

/// A plane of height `base` at the origin that rises by `slope_x` per metre
/// east and `slope_y` per metre south.
pub fn plane(domain: Domain, base: f64, slope_x: f64, slope_y: f64) -> Grid<f32> {
    let cell = domain.cell_size();
    Grid::from_fn(domain, |x, y| {
        (base + slope_x * x as f64 * cell + slope_y * y as f64 * cell) as f32
    })
}

/// A cone with its top in the middle of the map: `height` metres high, falling
/// by `slope` per metre down to zero.
pub fn cone(domain: Domain, height: f64, slope: f64) -> Grid<f32> {
    let [ex, ey] = domain.extent();
    let cell = domain.cell_size();
    Grid::from_fn(domain, |x, y| {
        let (dx, dy) = (x as f64 * cell - ex / 2.0, y as f64 * cell - ey / 2.0);
        let z = height - slope * (dx * dx + dy * dy).sqrt();
        (if z > 0.0 { z } else { 0.0 }) as f32
    })
}

/// Rough hills: value noise of five octaves on integer lattices, `relief`
/// metres high. Shares no code with the product's noise, so that goldens that
/// start from it move only with the node under test.
pub fn hills(domain: Domain, relief: f64, seed: u64) -> Grid<f32> {
    let stream = Stream::new(seed);
    let wavelength = domain.short_side() / 2.5;
    Grid::from_fn(domain, |x, y| {
        let (px, py) = (x as f64 * domain.cell_size(), y as f64 * domain.cell_size());
        let mut sum = 0.0;
        let (mut share, mut scale) = (0.5, 1.0);
        for octave in 0..5 {
            sum += share
                * value_noise(
                    stream.part(octave),
                    px / wavelength * scale,
                    py / wavelength * scale,
                );
            share *= 0.5;
            scale *= 2.0;
        }
        (relief * sum) as f32
    })
}

fn value_noise(stream: Stream, x: f64, y: f64) -> f64 {
    let (cell_x, cell_y) = (x as u64, y as u64);
    let fade = |t: f64| t * t * (3.0 - 2.0 * t);
    let (fx, fy) = (fade(x - cell_x as f64), fade(y - cell_y as f64));
    let corner = |dx: u64, dy: u64| stream.uniform(cell_x + dx, cell_y + dy);
    let north = corner(0, 0) + (corner(1, 0) - corner(0, 0)) * fx;
    let south = corner(0, 1) + (corner(1, 1) - corner(0, 1)) * fx;
    north + (south - north) * fy
}
