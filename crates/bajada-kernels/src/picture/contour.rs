//! Contour lines on gentle ground: the bowed lines of a fan.
//!
//! Lines follow the smoothed surface (on integer data the raw one gives lace)
//! and fade where they would say nothing: on dead level ground, on slopes, on
//! the small flats of mountain crests, and where they would run together.

use bajada_grid::{Domain, math};

use super::color::Fade;

/// Which contour lines are drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Contour {
    /// Lines at a round interval that suits the extent: 10 m on 12 km.
    Auto,
    /// None.
    Off,
    /// Lines this many metres apart; 0 and less draw none.
    Every(f64),
}

impl Contour {
    /// The interval in metres for a map; 0 = no lines.
    pub(super) fn interval(self, short_side: f64) -> f64 {
        match self {
            Self::Off => 0.0,
            Self::Every(interval) if interval > 0.0 && interval.is_finite() => interval,
            Self::Every(_) => 0.0,
            // A fan's flank of 4 degrees then has a line about every ninetieth
            // of the short side.
            Self::Auto => round_up(0.95 * 0.07 * short_side / 90.0),
        }
    }
}

/// The smallest of 1, 2, 5, 10, 20 ... (and 0.5, 0.2 ...) that is no smaller
/// than `target`.
fn round_up(target: f64) -> f64 {
    // Powers of ten up to 22 are exact in f64 and so are the quotients' roundings:
    // 0.2 comes out as the number that is written 0.2.
    let (mut power, mut divisor) = (1.0_f64, 1.0_f64);
    while power * 5.0 < target && power < 1e22 {
        power *= 10.0;
    }
    while power == 1.0 && 0.5 / divisor >= target && divisor < 1e22 {
        divisor *= 10.0;
    }
    let steps = [1.0, 2.0, 5.0, 10.0].map(|step| step * power / divisor);
    let smaller = steps.iter().copied().find(|&step| step >= target);
    smaller.unwrap_or(10.0 * power / divisor)
}

/// Lines on level ground say nothing and wander; on slopes the light says more.
const STEEP_ENOUGH: Fade = Fade::new(0.004, 0.010);
const TOO_STEEP: Fade = Fade::new(0.12, 0.16);
/// Without this every rounded crest and valley floor is scribbled over.
const WIDE_ENOUGH: Fade = Fade::new(0.65, 0.92);
/// Pixels between two lines: closer ones fade out.
const FAR_APART: Fade = Fade::new(3.0, 6.0);

/// A line and how it is drawn.
struct Pen {
    width: f32,
    alpha: f32,
}

const LINE: Pen = Pen { width: 0.6, alpha: 0.28 };
/// Every fifth line, so that heights can be counted.
const FIFTH: Pen = Pen { width: 0.9, alpha: 0.42 };

/// Contour lines of one picture.
#[derive(Clone, Debug)]
pub(super) struct Contours {
    interval: f64,
    /// Height of the smoothed surface's zero, m.
    base: f64,
    cell: f32,
    /// Thickness of a line of one pixel, in samples.
    thickness: f32,
}

impl Contours {
    /// Lines `interval` metres apart on a surface that is given above `base`.
    /// `thickness` is that of a line of one pixel, in samples.
    pub(super) fn new(interval: f64, base: f64, domain: &Domain, thickness: f32) -> Self {
        Self { interval, base, cell: domain.cell_size() as f32, thickness }
    }

    /// How much ink a cell gets, 0..1. `smooth` is the smoothed surface above
    /// the base, `slope` its steepness, `gentle` the share of gentle ground
    /// nearby.
    #[inline]
    pub(super) fn ink(&self, smooth: f32, slope: f32, gentle: f32) -> f32 {
        let wanted = STEEP_ENOUGH.at(slope) * (1.0 - TOO_STEEP.at(slope)) * WIDE_ENOUGH.at(gentle);
        if wanted <= 0.0 || self.interval <= 0.0 {
            return 0.0;
        }
        // In f64: a height of 8000 m with lines every 0.1 m needs it.
        let height = f64::from(smooth) + self.base;
        let number = (height / self.interval + 0.5).floor();
        let off_line = (height - number * self.interval).abs() as f32;
        let rise = slope * self.cell;
        let pen = if (number as i64).rem_euclid(5) == 0 { &FIFTH } else { &LINE };
        let reach = pen.width * self.thickness + 0.5 - off_line / rise;
        let cover = math::clamp(reach, 0.0, 1.0);
        let apart = FAR_APART.at(self.interval as f32 / (rise * self.thickness));
        wanted * cover * apart * pen.alpha
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bajada_testkit::terrain;

    #[test]
    fn an_automatic_interval_is_round_and_suits_the_extent() {
        let cases = [
            (12_000.0, 10.0),
            (19_260.0, 20.0),
            (1.0, 0.001),
            (10.0, 0.01),
            (120.0, 0.1),
            (200.0, 0.2),
            (1300.0, 1.0),
            (1400.0, 2.0),
            (6.0e7, 50_000.0),
        ];
        for (short_side, interval) in cases {
            assert_eq!(Contour::Auto.interval(short_side), interval, "{short_side} m");
        }
        assert_eq!(Contour::Off.interval(12_000.0), 0.0);
        assert_eq!(Contour::Every(7.5).interval(12_000.0), 7.5);
        assert_eq!(Contour::Every(-1.0).interval(12_000.0), 0.0);
        assert_eq!(Contour::Every(f64::NAN).interval(12_000.0), 0.0);
    }

    #[test]
    fn lines_fall_on_multiples_of_the_interval() {
        let domain = terrain::square(257, 10.0);
        let base = 123.4;
        let lines = Contours::new(10.0, base, &domain, 1.0);
        for step in 0..2000 {
            let height = -100.0 + 0.1 * f64::from(step);
            let ink = lines.ink((height - base) as f32, 0.05, 1.0);
            let off = (height / 10.0 - (height / 10.0 + 0.5).floor()).abs() * 10.0;
            // A line of 0.6 samples, half a sample more for its soft edge.
            if off < 0.05 {
                assert!(ink > 0.2, "no line at {height}");
            }
            if off > (0.9 + 0.5) * 0.5 + 0.01 {
                assert_eq!(ink, 0.0, "a line at {height}");
            }
        }
        let fifth = lines.ink((100.0 - base) as f32, 0.05, 1.0);
        let other = lines.ink((110.0 - base) as f32, 0.05, 1.0);
        assert!((fifth - 0.42).abs() < 1e-6 && (other - 0.28).abs() < 1e-6);
    }

    #[test]
    fn level_steep_and_narrow_ground_has_no_lines() {
        let lines = Contours::new(10.0, 0.0, &terrain::square(257, 10.0), 1.0);
        assert_eq!(lines.ink(0.0, 0.0, 1.0), 0.0);
        assert_eq!(lines.ink(0.0, 0.2, 1.0), 0.0);
        assert_eq!(lines.ink(0.0, 0.05, 0.5), 0.0);
        assert!(lines.ink(0.0, 0.05, 1.0) > 0.0);
    }
}
