//! A few rows of numbers with names and units: fan apices, statistics.

use crate::digest::Digest;

/// One column of a [`Table`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// What it holds; the name ends in its unit, as parameters do.
    pub name: &'static str,
    /// Its unit; "1" for a pure number.
    pub unit: &'static str,
}

/// Rows of numbers. Every row has one number for each column.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// What the columns hold.
    pub columns: Vec<Column>,
    /// The rows, in an order that means something: best first, or by place.
    pub rows: Vec<Vec<f64>>,
}

impl Table {
    /// Hash of names, units and numbers.
    pub fn digest(&self) -> Digest {
        let mut bytes = b"table".to_vec();
        for column in &self.columns {
            for text in [column.name, column.unit] {
                bytes.extend((text.len() as u64).to_le_bytes());
                bytes.extend(text.as_bytes());
            }
        }
        for row in &self.rows {
            bytes.extend((row.len() as u64).to_le_bytes());
            // -0 + 0 is +0, as in every other digest.
            bytes.extend(row.iter().flat_map(|value| (value + 0.0).to_bits().to_le_bytes()));
        }
        Digest::of_bytes(&bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_or_a_unit_that_differs_changes_the_digest() {
        let table = |unit, value| Table {
            columns: vec![Column { name: "radius_m", unit }],
            rows: vec![vec![value]],
        };
        assert_eq!(table("m", 0.0).digest(), table("m", -0.0).digest());
        assert_ne!(table("m", 1.0).digest(), table("m", 2.0).digest());
        assert_ne!(table("m", 1.0).digest(), table("1", 1.0).digest());
    }
}
