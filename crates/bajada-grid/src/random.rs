//! Random numbers as a function of what they are for.
//!
//! A [`Stream`] is a key; a number is a hash of (key, item, draw). There is no
//! state to advance, so droplet 7 draws the same numbers whoever runs it first,
//! and a tile draws what the whole map would have drawn there.
//!
//! The hash is two rounds of a 64-bit multiply-xorshift mixer (the finaliser
//! of SplitMix64, Steele, Lea & Flood 2014, with its published constants).

/// A source of random numbers, named by a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stream {
    key: u64,
}

const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

impl Stream {
    /// The stream of a seed. All 64 bits count.
    pub fn new(seed: u64) -> Self {
        Self { key: mix(seed.wrapping_add(GOLDEN)) }
    }

    /// A stream of its own for part `index` of whatever this stream serves.
    pub fn part(self, index: u64) -> Self {
        Self { key: mix(self.key.wrapping_add(mix(index.wrapping_add(GOLDEN)))) }
    }

    /// A stream of its own for a named part.
    pub fn named(self, name: &str) -> Self {
        name.bytes().fold(self.part(name.len() as u64), |stream, byte| stream.part(byte.into()))
    }

    /// 64 random bits for draw `draw` of item `item`.
    pub fn bits(self, item: u64, draw: u64) -> u64 {
        let first = mix(self.key ^ item.wrapping_mul(GOLDEN));
        mix(first.wrapping_add(draw.wrapping_mul(GOLDEN)).wrapping_add(GOLDEN))
    }

    /// A number in 0 (included) to 1 (excluded), with 53 random bits.
    pub fn uniform(self, item: u64, draw: u64) -> f64 {
        (self.bits(item, draw) >> 11) as f64 * (1.0 / 9_007_199_254_740_992.0)
    }

    /// The key itself, to hash or to pass on as a seed.
    pub fn key(self) -> u64 {
        self.key
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_thousand_seeds_give_ten_thousand_streams() {
        let mut keys: Vec<u64> = (0..10_000).map(|seed| Stream::new(seed).bits(0, 0)).collect();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), 10_000);
    }

    #[test]
    fn uniform_numbers_fill_the_unit_interval_evenly() {
        let stream = Stream::new(u64::MAX);
        let mut bins = [0_u32; 16];
        for item in 0..160_000 {
            bins[(stream.uniform(item, 3) * 16.0) as usize] += 1;
        }
        for count in bins {
            assert!((9_500..10_500).contains(&count), "{bins:?}");
        }
    }

    #[test]
    fn neighbouring_items_and_draws_are_unrelated() {
        let stream = Stream::new(8);
        let mut correlation = [0.0_f64; 2];
        for item in 0..100_000 {
            let here = stream.uniform(item, 0) - 0.5;
            correlation[0] += here * (stream.uniform(item + 1, 0) - 0.5);
            correlation[1] += here * (stream.uniform(item, 1) - 0.5);
        }
        for sum in correlation {
            assert!((sum / 100_000.0 * 12.0).abs() < 0.02, "{correlation:?}");
        }
    }

    #[test]
    fn names_and_parts_make_streams_of_their_own() {
        let stream = Stream::new(7);
        let keys = [
            stream.named("a").key(),
            stream.named("b").key(),
            stream.named("ab").key(),
            stream.named("ba").key(),
            stream.part(0).key(),
            stream.part(1).key(),
        ];
        for (index, key) in keys.iter().enumerate() {
            assert!(!keys[..index].contains(key));
        }
    }
}
