//! Tilted, bent layers of rock, cut by whatever surface comes along.
//!
//! # Model
//!
//! A point's place in the pile is its height above a plane that dips by an
//! angle towards an azimuth, measured along the plane's normal, plus a noise of
//! east and south that bends the layers. That place decides the hardness (see
//! `layers.rs`). Two things cover rock: loose ground, where no rule of
//! [`Exposure`] says that rock shows, and a [`Deposit`] as long as the surface
//! has not cut through it. Cover is a product: hardness is that of the layer
//! times how far it shows.
//!
//! # Guarantees
//!
//! - Layers are a function of (config, stream, place in the world): maps of
//!   other sizes, places and cell sizes meet them without a seam, to the bit
//!   where they share points, and their extent has no end.
//! - The same bits for a point and for a surface, on any number of threads.
//!
//! Cost: about 28 ns a sample on one thread; each rule of the exposure adds as
//! much again.
//!
//! # Limits
//!
//! A surface is sampled, not averaged: layers thinner than the drop from one
//! sample to the next come out as chance. The layers stand still in the world;
//! who lets the ground rise asks for them below it.

use std::sync::Arc;

use bajada_grid::{Digest, Grid, NonFinite, Rock, Stream, Task, math, par, sample};

use super::exposure::{Exposure, exposed};
use super::layers::{Layers, Sequence};
use crate::shape::mask::Band;
use crate::source::noise::{self, BandLimit, Fractal, Noise, NoiseConfig};

/// Settings of [`Strata`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StrataConfig {
    /// Mean thickness of a layer, m, above 0.
    pub thickness: f64,
    /// How much thicker or thinner a layer may be, as a share of that, 0..0.95.
    pub variation: f64,
    /// Angle of the layers below the horizontal, degrees, 0..90.
    pub dip_deg: f64,
    /// Direction in which they go down, degrees clockwise from north.
    pub dip_azimuth_deg: f64,
    /// How far the pile is moved up along its normal, m.
    pub offset: f64,
    /// Bound of the bending to either side of the plane, m; a third of it is
    /// the standard deviation.
    pub bend: f64,
    /// Wavelength of the bending, m, above 0.
    pub bend_wavelength: f64,
    /// Way over which one layer changes into the next, m; as far as the
    /// thinnest layer has room for it.
    pub contact: f64,
    /// Hardness of the softest layer, 0..1.
    pub soft: f64,
    /// Hardness of the hardest layer, 0..1.
    pub hard: f64,
    /// Which layer is made of what.
    pub sequence: Sequence,
    /// Where rock shows.
    pub exposure: Exposure,
}

impl Default for StrataConfig {
    /// Found by eye on carved ranges of 1 km relief.
    fn default() -> Self {
        Self {
            thickness: 110.0,
            variation: 0.6,
            dip_deg: 35.0,
            dip_azimuth_deg: 85.0,
            offset: 0.0,
            bend: 60.0,
            bend_wavelength: 2500.0,
            contact: 10.0,
            soft: 0.1,
            hard: 0.6,
            sequence: Sequence::Mixed,
            exposure: Exposure::default(),
        }
    }
}

/// Loose material on the ground. It is there until the surface is cut below it.
#[derive(Clone, Debug)]
pub struct Deposit {
    /// Its upper face, m.
    pub surface: Arc<Grid<f32>>,
    /// How thick it was laid, m; on any domain.
    pub thickness: Arc<Grid<f32>>,
    /// Thickness from which the rock below does not count, m.
    pub full: f64,
}

/// Tilted layers.
#[derive(Clone, Debug)]
pub struct Strata {
    config: StrataConfig,
    stream: Stream,
    layers: Layers,
    /// Metres along the normal for a metre east, south and up.
    normal: [f64; 3],
    bending: NoiseConfig,
    bend: Noise,
    deposit: Option<Deposit>,
}

/// Octaves of the bending: folds and what is wrinkled on them.
const BEND_OCTAVES: u32 = 2;

impl Strata {
    /// The layers of `stream` under `config`, below a deposit if there is one.
    pub fn new(config: &StrataConfig, deposit: Option<Deposit>, stream: Stream) -> Self {
        let layers = Layers::new(
            config.thickness,
            config.variation,
            config.contact,
            [config.soft, config.hard],
            config.sequence,
            stream.named("layers"),
        );
        let dip = math::radians(math::clamp(config.dip_deg, 0.0, 90.0));
        let azimuth = math::radians(config.dip_azimuth_deg);
        let (flat, steep) = (math::cos(dip), math::sin(dip));
        let bending = NoiseConfig {
            fractal: Fractal::Fbm,
            wavelength: config.bend_wavelength,
            amplitude: config.bend,
            octaves: if config.bend > 0.0 { BEND_OCTAVES } else { 0 },
            base: 0.0,
            // Long waves: every cell size carries them, and points keep bits.
            band_limit: BandLimit::Off,
            ..NoiseConfig::default()
        };
        Self {
            config: *config,
            stream,
            layers,
            // `x` runs east and `y` south; the normal leans the way down.
            normal: [steep * math::sin(azimuth), -steep * math::cos(azimuth), flat],
            bend: Noise::new(&bending, stream.named("bend"), 1.0),
            bending,
            deposit,
        }
    }

    /// Place along the normal for a height of `z`, from the part that is
    /// shared down a column and from the bending there.
    fn place(&self, x: f64, y: f64, z: f64, bend: f32) -> f64 {
        let [east, south, up] = self.normal;
        east * x + south * y + up * z + f64::from(bend) - self.config.offset
    }

    fn numbers(&self) -> Vec<f64> {
        // Taken apart by name, so that a setting that is added must come here.
        let StrataConfig {
            thickness,
            variation,
            dip_deg,
            dip_azimuth_deg,
            offset,
            bend,
            bend_wavelength,
            contact,
            soft,
            hard,
            sequence,
            exposure,
        } = self.config;
        let Exposure { steep_deg, ridge, elevation, scale } = exposure;
        let plain = [thickness, variation, dip_deg, dip_azimuth_deg, offset];
        let more = [bend, bend_wavelength, contact, soft, hard];
        let order = f64::from(u8::from(sequence == Sequence::Alternating));
        let mut numbers = [plain, more].concat();
        numbers.extend([order, scale]);
        let rules = [
            steep_deg.map(|ends| ends.to_vec()),
            ridge.map(|full| vec![full]),
            elevation.map(|Band { low, high, falloff }| vec![low, high, falloff]),
            self.deposit.as_ref().map(|deposit| vec![deposit.full]),
        ];
        for rule in rules {
            let rule = rule.unwrap_or_default();
            numbers.push(rule.len() as f64);
            numbers.extend(rule);
        }
        numbers
    }
}

impl Deposit {
    /// Share of the rock's hardness that is left at a height of `z`.
    fn bared(&self, surface: f64, thickness: f64, z: f64) -> f64 {
        let left = math::clamp(thickness - math::max(surface - z, 0.0), 0.0, self.full);
        if left > 0.0 { 1.0 - left / self.full } else { 1.0 }
    }
}

impl Rock for Strata {
    fn hardness(&self, x: f64, y: f64, z: f64) -> f64 {
        let place = self.place(x, y, z, self.bend.value(x, y));
        let hardness = self.layers.hardness(place, &mut self.layers.find(0.0));
        self.deposit.as_ref().map_or(hardness, |deposit| {
            let surface = sample::at_world(&deposit.surface, x, y);
            hardness * deposit.bared(surface, sample::at_world(&deposit.thickness, x, y), z)
        })
    }

    /// The bending.
    fn columns(&self, like: &Grid<f32>) -> Option<Grid<f32>> {
        let mut bend = like.like(0.0_f32);
        if self.bending.octaves > 0 {
            let stream = self.stream.named("bend");
            // A task of its own cannot be called off.
            let _ = noise::fill(&Task::new(), &mut bend, &self.bending, stream);
        }
        Some(bend)
    }

    fn at_surface(&self, elevation: &Grid<f32>, columns: Option<&Grid<f32>>) -> Grid<f32> {
        let domain = *elevation.domain();
        let mut hardness = match columns {
            Some(bend) => bend.clone(),
            None => self.columns(elevation).unwrap_or_else(|| elevation.like(0.0)),
        };
        par::rows(&mut hardness, |y, row| {
            let (south, heights) = (domain.world_y(y), elevation.row(y));
            let mut found = self.layers.find(0.0);
            for (x, (cell, &z)) in row.iter_mut().zip(heights).enumerate() {
                let place = self.place(domain.world_x(x), south, f64::from(z), *cell);
                *cell = self.layers.hardness(place, &mut found) as f32;
            }
        });
        let mut cover = |shown: &(dyn Fn(usize) -> f64 + Sync)| {
            par::rows(&mut hardness, |y, row| {
                let first = y * row.len();
                for (x, cell) in row.iter_mut().enumerate() {
                    *cell = (f64::from(*cell) * shown(first + x)) as f32;
                }
            });
        };
        if let Some(exposed) = exposed(elevation, &self.config.exposure) {
            cover(&|index| f64::from(exposed[index]));
        }
        if let Some(deposit) = &self.deposit {
            let surface = sample::onto(&deposit.surface, elevation);
            let thickness = sample::onto(&deposit.thickness, elevation);
            cover(&|index| {
                let (surface, thickness) = (surface[index], thickness[index]);
                deposit.bared(surface.into(), thickness.into(), elevation[index].into())
            });
        }
        hardness
    }

    fn digest(&self) -> Result<Digest, NonFinite> {
        let mut bytes = b"strata".to_vec();
        bytes.extend(self.stream.key().to_le_bytes());
        bytes.extend(self.numbers().iter().flat_map(|number| (number + 0.0).to_le_bytes()));
        if let Some(deposit) = &self.deposit {
            bytes.extend(Digest::of_grid("surface", &deposit.surface)?.0);
            bytes.extend(Digest::of_grid("thickness", &deposit.thickness)?.0);
        }
        Ok(Digest::of_bytes(&bytes))
    }

    fn bytes(&self) -> u64 {
        let deposit = self.deposit.as_ref();
        deposit.map_or(0, |deposit| deposit.surface.bytes() + deposit.thickness.bytes())
            + size_of::<Self>() as u64
    }
}

#[cfg(test)]
mod tests;
