//! Distances against known answers and the slow iteration.

use super::*;
use bajada_grid::{Stream, math};

fn lattice(width: u32, height: u32) -> Grid<f32> {
    Grid::filled(Domain::new(width, height, 2.0, [0.0; 2]).expect("legal"), 0.0)
}

fn from_cell(model: &Grid<f32>, cell: usize, open: impl FnMut(usize, f64) -> bool) -> Grid<f64> {
    let seeds = Seeds { cells: &[(cell, 0.0)], center: Some(cell) };
    distance(&Task::new(), model, &seeds, open).expect("nobody cancels")
}

#[test]
fn what_sees_the_seed_gets_its_straight_distance() {
    let model = lattice(401, 301);
    let found = from_cell(&model, 150 * 401 + 120, |_, _| true);
    for y in 0..301_usize {
        for x in 0..401_usize {
            let (dx, dy) = (2.0 * (x as f64 - 120.0), 2.0 * (y as f64 - 150.0));
            let truth = (dx * dx + dy * dy).sqrt();
            assert!((found.at(x, y) - truth).abs() < 1e-9, "{x} {y}: {} {truth}", found.at(x, y));
        }
    }
}

#[test]
fn behind_a_wall_with_a_gap_the_way_leads_around_the_corner() {
    let side = 401_usize;
    let model = lattice(side as u32, side as u32);
    // A wall at x = 200, open for y in 100..=110.
    let open = |cell: usize, _: f64| {
        let (x, y) = (cell % side, cell / side);
        x != 200 || (100..=110).contains(&y)
    };
    let found = from_cell(&model, 200 * side + 100, open);
    let mut worst: f64 = 0.0;
    for (x, y) in [(220, 200), (300, 300), (390, 250), (260, 390), (202, 390), (390, 20), (300, 5)]
    {
        let leg = |a: [f64; 2], b: [f64; 2]| {
            ((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1])).sqrt()
        };
        let (start, end) = ([100.0, 200.0], [x as f64, y as f64]);
        // Over the last open cell of the gap; the upper edge for the far north.
        let at_wall = start[1] + (end[1] - start[1]) * (200.0 - start[0]) / (end[0] - start[0]);
        let corner = math::clamp(at_wall, 100.0, 110.0);
        let truth = leg(start, [200.0, corner]) + leg([200.0, corner], end);
        let error = found.at(x, y) / 2.0 - truth;
        worst = math::max(worst, error.abs());
        assert!(error.abs() <= 1.5, "{x} {y}: {error} cells");
    }
    println!("worst detour error: {worst:.2} cells");
}

#[test]
fn a_diagonal_wall_one_cell_thick_is_tight() {
    let model = lattice(41, 41);
    let found = from_cell(&model, 0, |cell, _| cell % 41 + cell / 41 != 40);
    assert!(found.at(40, 40).is_infinite() && found.at(39, 0).is_finite());
}

/// The equations of the triangles, repeated over the whole map until nothing
/// changes.
fn iterated(model: &Grid<f32>, seed: usize, closed: &[bool]) -> Vec<f64> {
    let (width, height) = (model.width() as isize, model.height() as isize);
    let (sx, sy) = ((seed as isize % width) as f64, (seed as isize / width) as f64);
    let straight = |x: isize, y: isize| {
        ((x as f64 - sx) * (x as f64 - sx) + (y as f64 - sy) * (y as f64 - sy)).sqrt()
    };
    let mut found = vec![f64::INFINITY; closed.len()];
    found[seed] = 0.0;
    loop {
        let mut changed = false;
        for cell in 0..closed.len() {
            if closed[cell] || cell == seed {
                continue;
            }
            let (x, y) = (cell as isize % width, cell as isize / width);
            let at = |dx: isize, dy: isize| {
                let (nx, ny) = (x + dx, y + dy);
                let on_map = nx >= 0 && ny >= 0 && nx < width && ny < height;
                if on_map { found[(ny * width + nx) as usize] } else { f64::INFINITY }
            };
            let r = straight(x, y);
            let mut best = found[cell];
            for (ax, ay) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
                let a = at(ax, ay);
                if !a.is_finite() {
                    continue;
                }
                best = math::min(best, a + 1.0);
                for sign in [-1, 1] {
                    let (tx, ty) = (ay * sign, ax * sign);
                    let b = at(ax + tx, ay + ty);
                    if !b.is_finite() {
                        continue;
                    }
                    let e = [(sx - x as f64) / r, (sy - y as f64) / r];
                    let across = e[0] * tx as f64 + e[1] * ty as f64;
                    let axis = e[0] * ax as f64 + e[1] * ay as f64;
                    let (ua, ub) =
                        (a - straight(x + ax, y + ay), b - straight(x + ax + tx, y + ay + ty));
                    let q = across + ua - ub;
                    let half = std::f64::consts::FRAC_1_SQRT_2;
                    if q >= half {
                        best = math::min(best, b + std::f64::consts::SQRT_2);
                    } else if q > 0.0 {
                        best = math::min(best, r + ua + (1.0 - q * q).sqrt() - axis);
                    }
                }
            }
            if best < found[cell] - 1e-12 {
                found[cell] = best;
                changed = true;
            }
        }
        if !changed {
            return found;
        }
    }
}

#[test]
fn one_march_is_what_iteration_comes_to() {
    let mut worst: f64 = 0.0;
    for seed in 0..40 {
        let stream = Stream::new(seed);
        let (width, height) = (9 + seed as usize % 23, 7 + seed as usize % 17);
        let model = lattice(width as u32, height as u32);
        let start = (stream.uniform(1, 1) * (width * height) as f64) as usize;
        let closed: Vec<bool> =
            (0..width * height).map(|i| i != start && stream.uniform(i as u64, 0) < 0.3).collect();
        let slow = iterated(&model, start, &closed);
        let fast = from_cell(&model, start, |cell, _| !closed[cell]);
        for cell in 0..closed.len() {
            assert_eq!(slow[cell].is_finite(), fast[cell].is_finite(), "{seed}: {cell}");
            if slow[cell].is_finite() {
                worst = math::max(worst, (slow[cell] - fast[cell] / 2.0).abs());
            }
        }
    }
    println!("march over iteration: {worst:.4} cells");
    assert!(worst < 0.05, "{worst}");
}

#[test]
fn seeds_start_at_their_own_distance_and_far_ones_wait() {
    let model = lattice(200, 1);
    let seeds = Seeds { cells: &[(0, -6.0), (199, 100.0)], center: None };
    let found = distance(&Task::new(), &model, &seeds, |_, _| true).expect("nobody cancels");
    for x in 0..200 {
        let truth = math::min(2.0 * x as f64 - 6.0, 100.0 + 2.0 * (199.0 - x as f64));
        assert!((found[x] - truth).abs() < 1e-9, "{x}");
    }
}

#[test]
fn ground_closes_by_its_distance() {
    let model = lattice(101, 101);
    let mut march = March::new(&model);
    let seeds = Seeds { cells: &[(50 * 101 + 50, 0.0)], center: Some(50 * 101 + 50) };
    for radius in [60.0, 20.0, 80.0] {
        let count = march
            .run(&Task::new(), &seeds, |_, distance| distance < radius)
            .expect("nobody cancels")
            .len() as f64;
        let truth = std::f64::consts::PI * radius * radius / 4.0;
        assert!((count / truth - 1.0).abs() < 0.05, "{radius}: {count} {truth}");
        assert!(march.distance(0).is_infinite());
    }
}

#[test]
fn small_maps_and_stopped_tasks_are_no_trouble() {
    for (width, height) in [(1, 1), (1, 7), (5, 1), (2, 2)] {
        let model = lattice(width, height);
        let found = from_cell(&model, 0, |_, _| true);
        assert!(found.as_slice().iter().all(|distance| distance.is_finite()));
        let none = Seeds { cells: &[(99, 0.0), (0, f64::NAN)], center: Some(99) };
        let nowhere = distance(&Task::new(), &model, &none, |_, _| true).expect("nobody cancels");
        assert!(nowhere.as_slice().iter().all(|distance| distance.is_infinite()));
    }
    let task = Task::new();
    task.cancel();
    let seeds = Seeds { cells: &[(0, 0.0)], center: Some(0) };
    assert!(distance(&task, &lattice(400, 400), &seeds, |_, _| true).is_err());
}
