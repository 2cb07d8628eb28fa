//! How the relief of a run grows: what a finer twin is steered by.

use bajada_grid::math;

/// Relief above the base level as it will have fallen by the end, at the end of
/// each of [`Course::PARTS`] equal parts of a level's time, m.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Course {
    reliefs: [f64; Self::PARTS],
}

impl Course {
    const PARTS: usize = 8;

    /// The part that ends with this step, if one does.
    pub(super) fn part_after(step: u64, steps: u64) -> Option<usize> {
        let parts = |step: u64| step * Self::PARTS as u64 / steps;
        (parts(step + 1) > parts(step)).then(|| parts(step + 1) as usize - 1)
    }

    pub(super) fn note(&mut self, part: usize, relief: f64) {
        self.reliefs[part] = relief;
    }

    /// Relief at the end.
    pub(super) fn end(&self) -> f64 {
        self.reliefs[Self::PARTS - 1]
    }

    /// The course at an uplift `factor` times as fast.
    pub(super) fn scaled(mut self, factor: f64) -> Self {
        for relief in &mut self.reliefs {
            *relief *= factor;
        }
        self
    }

    /// What a run is to be scaled by that stands at `relief` after `part`: from
    /// the middle on, when the rivers have answered to the uplift, to a part
    /// before the end, so that the end is carved and not scaled.
    pub(super) fn correction(&self, part: usize, relief: f64) -> Option<f64> {
        let answered = (Self::PARTS / 2 - 1..Self::PARTS - 1).contains(&part);
        let due = self.reliefs[part];
        let factor = math::clamp(due / relief, 0.25, 4.0);
        (answered && due > 0.0 && relief > 0.0 && (factor - 1.0).abs() > MISS).then_some(factor)
    }
}

/// Miss of the course that is left alone.
const MISS: f64 = 0.01;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_ends_once_and_the_last_with_the_last_step() {
        for steps in [8, 15, 60, 77] {
            let parts: Vec<usize> =
                (0..steps).filter_map(|step| Course::part_after(step, steps)).collect();
            assert_eq!(parts, (0..8).collect::<Vec<_>>(), "{steps}");
        }
        for steps in 1..20 {
            assert_eq!(Course::part_after(steps - 1, steps), Some(7), "{steps}");
        }
    }

    #[test]
    fn a_run_below_its_course_is_scaled_from_the_middle_on() {
        let mut course = Course::default();
        for part in 0..8 {
            course.note(part, 100.0 * part as f64);
        }
        let course = course.scaled(2.0);
        assert_eq!(course.end(), 1400.0);
        assert_eq!(course.correction(4, 800.0), None);
        assert_eq!(course.correction(4, 640.0), Some(1.25));
        assert_eq!(course.correction(1, 640.0), None);
        assert_eq!(course.correction(7, 640.0), None);
    }
}
