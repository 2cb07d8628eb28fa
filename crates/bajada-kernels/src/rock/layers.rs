//! Layers without an end: how hard the rock is along one axis.
//!
//! Model: boundary `k` lies at `k` thicknesses, moved by a hashed amount of at
//! most half the variation to either side, so that layers are between
//! `1 - variation` and `1 + variation` thicknesses thick and any of them can be
//! found without counting from a first one. What a layer is made of is hashed
//! from its number too. Across a boundary the hardness changes over the width
//! of the contact, smoothly.
//!
//! Guarantees: a function of (config, stream, place) alone: no table, no
//! period, no first layer. Hardness lies within `soft ..= hard`.

use bajada_grid::{Stream, math};

/// Which layer is made of what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sequence {
    /// Anything between soft and hard, by chance.
    #[default]
    Mixed,
    /// Soft and hard by turns: ledges and caps. The layer that begins at 0 is
    /// soft.
    Alternating,
}

/// A pile of layers along one axis.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layers {
    /// Mean thickness, m.
    thickness: f64,
    /// Over the mean thickness: how much a layer may be thicker or thinner.
    variation: f64,
    /// Half the width of a contact over the mean thickness.
    half_contact: f64,
    soft: f64,
    hard: f64,
    sequence: Sequence,
    stream: Stream,
}

/// A layer and what lies next to it. Places are in mean thicknesses.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layer {
    bottom: f64,
    top: f64,
    below: f64,
    own: f64,
    above: f64,
}

/// Thinnest layer that is told from its neighbors, m: the axis of a world of
/// 10^7 m then still has numbers below 2^53 for all of them.
const THINNEST: f64 = 1e-3;

/// Largest variation: layers of no thickness would leave no room for contacts.
const MOST_VARIATION: f64 = 0.95;

impl Layers {
    /// Settings out of range are held to it.
    pub(super) fn new(
        thickness: f64,
        variation: f64,
        contact: f64,
        [soft, hard]: [f64; 2],
        sequence: Sequence,
        stream: Stream,
    ) -> Self {
        let thickness = math::clamp(thickness, THINNEST, 1e9);
        let variation = math::clamp(variation, 0.0, MOST_VARIATION);
        // Contacts meet in the middle of the thinnest layer at most.
        let half_contact = math::clamp(0.5 * contact / thickness, 0.0, 0.5 * (1.0 - variation));
        let (soft, hard) = (math::clamp(soft, 0.0, 1.0), math::clamp(hard, 0.0, 1.0));
        Self { thickness, variation, half_contact, soft, hard, sequence, stream }
    }

    /// Hardness at a place of the axis, m. `found` is any layer found before:
    /// neighbors mostly lie in one, and finding it again costs three hashes.
    #[inline(always)]
    pub(super) fn hardness(&self, place: f64, found: &mut Layer) -> f64 {
        let place = place / self.thickness;
        if !(place >= found.bottom && place < found.top) {
            *found = self.find(place);
        }
        let Layer { bottom, top, below, own, above } = *found;
        let half = self.half_contact;
        if place < bottom + half {
            let share = math::smoothstep(bottom - half, bottom + half, place);
            below * (1.0 - share) + own * share
        } else if place > top - half {
            let share = math::smoothstep(top - half, top + half, place);
            own * (1.0 - share) + above * share
        } else {
            own
        }
    }

    /// The layer around a place of the axis, in mean thicknesses.
    pub(super) fn find(&self, place: f64) -> Layer {
        let mut number = place.floor() as i64;
        if place < self.bottom(number) {
            number = number.wrapping_sub(1);
        } else if place >= self.bottom(number.wrapping_add(1)) {
            number = number.wrapping_add(1);
        }
        let (before, after) = (number.wrapping_sub(1), number.wrapping_add(1));
        Layer {
            bottom: self.bottom(number),
            top: self.bottom(after),
            below: self.stuff(before),
            own: self.stuff(number),
            above: self.stuff(after),
        }
    }

    /// Where layer `number` begins, in mean thicknesses.
    fn bottom(&self, number: i64) -> f64 {
        let moved = half(self.bits(number) >> 32) - 0.5;
        number as f64 + self.variation * moved
    }

    /// What layer `number` is made of.
    fn stuff(&self, number: i64) -> f64 {
        let share = match self.sequence {
            Sequence::Mixed => half(self.bits(number) & u64::from(u32::MAX)),
            Sequence::Alternating => (number & 1) as f64,
        };
        self.soft * (1.0 - share) + self.hard * share
    }

    fn bits(&self, number: i64) -> u64 {
        self.stream.bits(number as u64, 0)
    }
}

/// 32 bits as a number in 0..1.
fn half(bits: u64) -> f64 {
    bits as f64 * (1.0 / 4_294_967_296.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layers(variation: f64, contact: f64, sequence: Sequence) -> Layers {
        Layers::new(10.0, variation, contact, [0.2, 0.9], sequence, Stream::new(4))
    }

    fn asked(layers: &Layers, place: f64) -> f64 {
        layers.hardness(place, &mut layers.find(0.0))
    }

    #[test]
    fn layers_that_alternate_are_soft_and_hard_by_turns() {
        let layers = layers(0.0, 0.0, Sequence::Alternating);
        for (place, hardness) in [(0.0, 0.2), (9.99, 0.2), (10.0, 0.9), (-0.01, 0.9), (-15.0, 0.2)]
        {
            assert_eq!(asked(&layers, place), hardness, "{place}");
        }
    }

    #[test]
    fn a_contact_is_a_smooth_way_from_one_layer_to_the_next() {
        let layers = layers(0.0, 4.0, Sequence::Alternating);
        for (place, hardness) in [(8.0, 0.2), (10.0, 0.55), (12.0, 0.9), (15.0, 0.9), (20.0, 0.55)]
        {
            assert!((asked(&layers, place) - hardness).abs() < 1e-12, "{place}");
        }
        for step in 0..40_000 {
            let place = f64::from(step - 20_000) * 0.01;
            let rise = asked(&layers, place + 0.01) - asked(&layers, place);
            // A cubic is 1.5 times as steep as the straight line at most.
            assert!(rise.abs() <= 1.5 * 0.7 * 0.01 / 4.0 + 1e-12, "{place}: {rise}");
        }
    }

    #[test]
    fn layers_are_as_thick_as_the_variation_allows_and_fill_the_axis() {
        let layers = layers(0.6, 0.0, Sequence::Mixed);
        let (mut thinnest, mut thickest, mut place) = (10.0_f64, 0.0_f64, 0.0);
        for _ in 0..10_000 {
            let layer = layers.find(place);
            assert!(layer.bottom <= place && place < layer.top, "{place} {layer:?}");
            thinnest = math::min(thinnest, layer.top - layer.bottom);
            thickest = math::max(thickest, layer.top - layer.bottom);
            place = layer.top;
        }
        assert!((thinnest - 0.4).abs() < 0.05 && (thickest - 1.6).abs() < 0.05);
        assert!((place / 10_000.0 - 1.0).abs() < 0.001, "{place}");
    }

    #[test]
    fn what_was_found_before_does_not_matter() {
        let layers = layers(0.9, 3.0, Sequence::Mixed);
        let mut found = layers.find(7.0);
        for step in 0..10_000_u32 {
            let place = f64::from(step.wrapping_mul(2_654_435_761) % 10_000) * 0.37 - 1000.0;
            let again = layers.hardness(place, &mut found);
            assert_eq!(again.to_bits(), asked(&layers, place).to_bits());
        }
    }

    #[test]
    fn no_setting_and_no_place_leaves_the_range() {
        let wild = [0.0, -1.0, 1e-300, 0.5, 1.0, 1e300, f64::INFINITY, f64::NAN];
        for thickness in wild {
            for variation in wild {
                for contact in wild {
                    let ends = [0.25, 0.75];
                    let stream = Stream::new(1);
                    let layers =
                        Layers::new(thickness, variation, contact, ends, Sequence::Mixed, stream);
                    for place in [0.0, -1e300, 1e300, f64::NAN, f64::NEG_INFINITY, 17.0] {
                        assert!((0.25..=0.75).contains(&asked(&layers, place)));
                    }
                }
            }
        }
    }
}
