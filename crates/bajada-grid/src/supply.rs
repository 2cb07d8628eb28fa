//! Matter on its way from one node to the next.
//!
//! A [`Supply`] was taken from the ground and is not laid down yet: what
//! droplets carry out of their mask, what a fan has no room for. It has one
//! consumer at most; what nobody takes up counts as exported.

use crate::digest::Digest;
use crate::par;

/// Some matter at a cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parcel {
    /// The cell.
    pub index: u32,
    /// How much, bulk m3, > 0.
    pub volume: f64,
}

/// Matter taken from the ground and not laid down, by cell.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Supply {
    parcels: Vec<Parcel>,
}

impl Supply {
    /// The supply of `parcels` in any order: they are sorted by cell, those of
    /// one cell are added up in the order given, and empty ones are dropped.
    pub fn new(mut parcels: Vec<Parcel>) -> Self {
        parcels.retain(|parcel| parcel.volume > 0.0);
        parcels.sort_by_key(|parcel| parcel.index);
        parcels.dedup_by(|next, kept| {
            let same = next.index == kept.index;
            if same {
                kept.volume += next.volume;
            }
            same
        });
        Self { parcels }
    }

    /// The parcels by rising cell, one for each cell that has any.
    pub fn parcels(&self) -> &[Parcel] {
        &self.parcels
    }

    /// All of it, m3.
    pub fn volume(&self) -> f64 {
        par::sum(self.parcels.len(), |place| self.parcels[place].volume)
    }

    /// Hash of the parcels.
    pub fn digest(&self) -> Digest {
        let mut bytes = b"supply".to_vec();
        for parcel in &self.parcels {
            bytes.extend(parcel.index.to_le_bytes());
            bytes.extend(parcel.volume.to_bits().to_le_bytes());
        }
        Digest::of_bytes(&bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parcels_of_one_cell_are_one_parcel_and_empty_ones_none() {
        let parcel = |index, volume| Parcel { index, volume };
        let parcels = vec![parcel(9, 1.0), parcel(2, 4.0), parcel(5, 0.0), parcel(9, 2.0)];
        let supply = Supply::new(parcels);
        assert_eq!(supply.parcels(), [parcel(2, 4.0), parcel(9, 3.0)]);
        assert_eq!(supply.volume(), 7.0);
        assert_ne!(supply.digest(), Supply::default().digest());
    }
}
