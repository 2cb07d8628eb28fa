//! Steps in a slope: treads and risers.
//!
//! Pointwise and monotone: elevation is measured in steps, and within each step
//! the way up is bent so that a part of it, the tread, is gentle and the rest,
//! the riser, is steep. Whole steps keep their elevation, so the relief stays.
//! Where a mask is 0 the ground is kept to the bit.

use bajada_grid::{Grid, math, par};

use super::combine::blend;

/// Settings of [`terrace`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TerraceConfig {
    /// Elevation between two treads, m, above 0.
    pub step: f64,
    /// Elevation of one of the treads, m.
    pub offset: f64,
    /// How level the treads are, 0..1: 0 leaves the slope, 1 makes them flat.
    pub sharpness: f64,
}

/// `elevation` with treads and risers.
pub fn terrace(
    elevation: &Grid<f32>,
    mask: Option<&Grid<f32>>,
    config: &TerraceConfig,
) -> Grid<f32> {
    let sharpness = math::clamp(config.sharpness, 0.0, 1.0);
    let stepped = |value: f32| {
        let steps = (f64::from(value) - config.offset) / config.step;
        let whole = steps.floor();
        let part = steps - whole;
        // The fifth-order smoothstep is level at both ends, where the treads
        // meet, and three times as steep as the slope in the riser's middle.
        let riser = part * part * part * (part * (part * 6.0 - 15.0) + 10.0);
        let bent = part + (riser - part) * sharpness;
        (config.offset + (whole + bent) * config.step) as f32
    };
    let mut out = elevation.like(0.0_f32);
    match mask {
        None => par::map(&mut out, |index| stepped(elevation[index])),
        Some(mask) => par::map(&mut out, |index| {
            blend(elevation[index], stepped(elevation[index]), mask[index])
        }),
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use bajada_testkit::terrain::{plane, square};

    const CONFIG: TerraceConfig = TerraceConfig { step: 10.0, offset: 5.0, sharpness: 1.0 };

    #[test]
    fn whole_steps_keep_their_elevation_and_treads_are_level() {
        let slope = plane(square(101, 1.0), -35.0, 1.0, 0.0);
        let stepped = terrace(&slope, None, &CONFIG);
        for x in (0..=100).step_by(10) {
            assert_eq!(stepped.at(x, 0), slope.at(x, 0));
        }
        assert!(stepped.at(1, 0) - stepped.at(0, 0) < 0.1);
        assert!(stepped.at(5, 0) - stepped.at(4, 0) > 1.5);
    }

    #[test]
    fn higher_ground_stays_higher() {
        let slope = plane(square(101, 0.37), -20.0, 1.0, 0.0);
        let stepped = terrace(&slope, None, &CONFIG);
        assert!(stepped.row(0).windows(2).all(|pair| pair[0] <= pair[1]));
    }

    #[test]
    fn no_sharpness_and_no_mask_leave_the_slope() {
        let slope = plane(square(33, 1.0), 0.0, 0.7, 0.2);
        let soft = terrace(&slope, None, &TerraceConfig { sharpness: 0.0, ..CONFIG });
        let differs =
            slope.as_slice().iter().zip(soft.as_slice()).any(|(a, b)| (a - b).abs() > 1e-5);
        assert!(!differs);
        let nowhere = Grid::filled(*slope.domain(), 0.0_f32);
        assert_eq!(terrace(&slope, Some(&nowhere), &CONFIG), slope);
    }
}
