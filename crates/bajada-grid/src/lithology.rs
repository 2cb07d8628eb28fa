//! How hard the rock is, at any point of the ground.
//!
//! Hardness runs from 0 (crumbles) to 1 (never yields). It is a function of
//! x, y and z, not a map: layers must be met again as the surface lowers, or
//! there are no mesas. Whoever lowers the surface asks again, with
//! [`Lithology::at_surface`], on whatever lattice it works on.

use std::fmt::Debug;
use std::sync::Arc;

use crate::digest::{Digest, NonFinite};
use crate::grid::Grid;
use crate::math;
use crate::par;
use crate::sample;

/// Angle at which ground of hardness 0 rests, degrees: scree, dry sand.
pub const LOOSE_REPOSE_DEG: f64 = 32.0;

/// Angle at which ground of hardness 1 stands, degrees: sound granite.
pub const HARD_REPOSE_DEG: f64 = 75.0;

/// A body of rock: hardness as a function of the world's x, y and z.
pub trait Rock: Debug + Send + Sync {
    /// Hardness at a point (metres east, metres south, metres up), 0..1. What
    /// depends on the shape of a surface is not in it.
    fn hardness(&self, x: f64, y: f64, z: f64) -> f64;

    /// A number for each sample of `like` that is the same all the way down and
    /// costs more to find than to keep; none if there is none.
    fn columns(&self, _like: &Grid<f32>) -> Option<Grid<f32>> {
        None
    }

    /// Hardness for each sample of the surface `elevation`, on any domain, given
    /// its own `columns` on that domain.
    fn at_surface(&self, elevation: &Grid<f32>, _columns: Option<&Grid<f32>>) -> Grid<f32> {
        let domain = *elevation.domain();
        let mut surface = elevation.like(0.0_f32);
        par::rows(&mut surface, |y, row| {
            let (north, heights) = (domain.world_y(y), elevation.row(y));
            for (x, (cell, &z)) in row.iter_mut().zip(heights).enumerate() {
                *cell = self.hardness(domain.world_x(x), north, f64::from(z)) as f32;
            }
        });
        surface
    }

    /// Hash of everything the hardness depends on.
    fn digest(&self) -> Result<Digest, NonFinite>;

    /// Memory that it keeps, bytes.
    fn bytes(&self) -> u64;
}

/// Hardness as a function of place.
#[derive(Clone, Debug)]
pub enum Lithology {
    /// The same at every depth: hardness 0..1 for each sample.
    Map(Arc<Grid<f32>>),
    /// Another at every depth.
    Rock(Arc<dyn Rock>),
    /// Several in one place, of which the hardest counts.
    Hardest(Hardest),
}

/// Lithologies of which the hardest counts. None of them is such a set itself,
/// however they were put together: a long chain of nodes does not nest.
#[derive(Clone, Debug)]
pub struct Hardest(Vec<Lithology>);

/// What a lithology keeps for each column of ground, part by part.
#[derive(Clone, Debug)]
pub struct Columns(Vec<Option<Grid<f32>>>);

impl Lithology {
    /// Hardness for each sample of the surface `elevation`, 0..1. `elevation`
    /// may have any domain: a map is read at its samples' places in the world,
    /// its edge's value going on outside.
    pub fn at_surface(&self, elevation: &Grid<f32>) -> Grid<f32> {
        self.at_surface_in(elevation, &self.columns(elevation))
    }

    /// The same, given the [`Self::columns`] on the domain of `elevation`: for
    /// who asks again and again while a surface is cut.
    pub fn at_surface_in(&self, elevation: &Grid<f32>, columns: &Columns) -> Grid<f32> {
        let parts = self.parts();
        let mut answers = parts.iter().zip(&columns.0).map(|(part, column)| match (part, column) {
            (Self::Rock(rock), column) => {
                let mut surface = rock.at_surface(elevation, column.as_ref());
                hold(&mut surface);
                surface
            }
            (_, Some(held)) => held.clone(),
            (_, None) => elevation.like(0.0),
        });
        let mut hardest = answers.next().unwrap_or_else(|| elevation.like(0.0_f32));
        for surface in answers {
            par::rows(&mut hardest, |y, row| {
                for (cell, &hardness) in row.iter_mut().zip(surface.row(y)) {
                    *cell = math::max(*cell, hardness);
                }
            });
        }
        hardest
    }

    /// What of the answers at any surface on the domain of `like` does not change
    /// with its height.
    pub fn columns(&self, like: &Grid<f32>) -> Columns {
        let column = |part: &Self| match part {
            Self::Map(map) => {
                let mut surface = sample::onto(map, like);
                hold(&mut surface);
                Some(surface)
            }
            Self::Rock(rock) => rock.columns(like),
            Self::Hardest(_) => None,
        };
        Columns(self.parts().iter().map(column).collect())
    }

    /// Both in one place: the harder of the two counts.
    #[must_use]
    pub fn or_harder(&self, other: &Self) -> Self {
        Self::Hardest(Hardest([self.parts(), other.parts()].concat()))
    }

    /// Whether a surface that is cut may meet another hardness below.
    pub fn changes_with_depth(&self) -> bool {
        match self {
            Self::Map(_) => false,
            Self::Rock(_) => true,
            Self::Hardest(Hardest(parts)) => parts.iter().any(Self::changes_with_depth),
        }
    }

    fn parts(&self) -> Vec<Self> {
        if let Self::Hardest(Hardest(parts)) = self { parts.clone() } else { vec![self.clone()] }
    }

    /// Hash of everything the hardness depends on.
    pub fn digest(&self) -> Result<Digest, NonFinite> {
        match self {
            Self::Map(map) => Digest::of_grid("lithology map", map),
            Self::Rock(rock) => rock.digest(),
            Self::Hardest(Hardest(parts)) => {
                let mut bytes = b"hardest of lithologies".to_vec();
                for part in parts {
                    bytes.extend(part.digest()?.0);
                }
                Ok(Digest::of_bytes(&bytes))
            }
        }
    }

    /// Memory that it keeps, bytes.
    pub fn bytes(&self) -> u64 {
        match self {
            Self::Map(map) => map.bytes(),
            Self::Rock(rock) => rock.bytes(),
            Self::Hardest(Hardest(parts)) => parts.iter().map(Self::bytes).sum(),
        }
    }
}

/// Holds every cell to 0..1; NaN counts as 0.
fn hold(surface: &mut Grid<f32>) {
    par::rows(surface, |_, row| {
        for cell in row {
            *cell = math::clamp(*cell, 0.0, 1.0);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Domain;

    /// Rock below a height, nothing above.
    #[derive(Debug)]
    struct Below(f64);

    impl Rock for Below {
        fn hardness(&self, _x: f64, _y: f64, z: f64) -> f64 {
            if z < self.0 { 0.75 } else { 0.25 }
        }

        fn digest(&self) -> Result<Digest, NonFinite> {
            Ok(Digest::of_bytes(&self.0.to_le_bytes()))
        }

        fn bytes(&self) -> u64 {
            8
        }
    }

    fn domain(samples: u32, cell_size: f64, origin: [f64; 2]) -> Domain {
        Domain::new(samples, samples, cell_size, origin).expect("legal")
    }

    #[test]
    fn rock_is_met_where_the_surface_has_come_to() {
        let rock = Lithology::Rock(Arc::new(Below(100.0)));
        let ground = Grid::from_fn(domain(3, 1.0, [0.0; 2]), |x, _| [99.0, 100.0, 101.0][x]);
        assert_eq!(rock.at_surface(&ground).row(1), [0.75, 0.25, 0.25]);
    }

    #[test]
    fn a_map_is_read_at_the_places_of_the_surface() {
        let plane = Grid::from_fn(domain(9, 10.0, [50.0, 0.0]), |x, y| (x + y) as f32 / 16.0);
        let map = Lithology::Map(Arc::new(plane));
        let same = map.at_surface(&Grid::filled(domain(9, 10.0, [50.0, 0.0]), 0.0));
        assert_eq!((same.at(0, 0), same.at(8, 8), same.at(3, 1)), (0.0, 1.0, 0.25));
        let coarse = map.at_surface(&Grid::filled(domain(3, 40.0, [50.0, 0.0]), 0.0));
        assert_eq!((coarse.at(1, 1), coarse.at(2, 0)), (0.5, 0.5));
        let beyond = map.at_surface(&Grid::filled(domain(2, 5.0, [125.0, 75.0]), 0.0));
        assert_eq!((beyond.at(0, 0), beyond.at(1, 1)), (0.9375, 1.0));
    }

    #[test]
    fn the_hardest_of_several_counts_however_they_are_put_together() {
        let map =
            |value: f32| Lithology::Map(Arc::new(Grid::filled(domain(2, 1.0, [0.0; 2]), value)));
        let rock = Lithology::Rock(Arc::new(Below(0.0)));
        let all = map(0.5).or_harder(&rock).or_harder(&map(0.1).or_harder(&map(0.2)));
        for (z, hardness) in [(-1.0, 0.75), (1.0, 0.5)] {
            let ground = Grid::filled(domain(2, 1.0, [0.0; 2]), z);
            assert_eq!(all.at_surface(&ground).at(1, 1), hardness);
        }
        assert!(matches!(&all, Lithology::Hardest(Hardest(parts)) if parts.len() == 4));
        assert_eq!(all.bytes(), 3 * 16 + 8);
        assert!(all.changes_with_depth() && !map(0.1).or_harder(&map(0.2)).changes_with_depth());
    }

    #[test]
    fn whatever_changes_the_hardness_changes_the_digest() {
        let map = Lithology::Map(Arc::new(Grid::filled(domain(2, 1.0, [0.0; 2]), 0.5)));
        let rocks = [1.0, 2.0].map(|height| Lithology::Rock(Arc::new(Below(height))));
        let both = map.or_harder(&rocks[0]);
        let digests: Vec<Digest> = [&map, &rocks[0], &rocks[1], &both]
            .map(|lithology| lithology.digest().expect("finite"))
            .to_vec();
        for (index, digest) in digests.iter().enumerate() {
            assert!(!digests[..index].contains(digest));
        }
    }
}
