//! Parameters: declared once, on the fields of a struct.

use std::sync::Arc;

use bajada_grid::Digest;

/// One parameter of a node.
#[derive(Clone, Debug)]
pub struct ParamSpec {
    /// Its name in the graph; it ends in its unit.
    pub name: &'static str,
    /// What it does, in a sentence or two.
    pub doc: &'static str,
    /// Its unit; "1" for a pure number, empty where a unit makes no sense.
    pub unit: &'static str,
    /// What may stand there.
    pub kind: ParamKind,
    /// What stands there if nothing is written; `None` if it must be written.
    pub default: Option<ParamValue>,
}

/// What may stand for a parameter. Both ends of a range are allowed values.
#[derive(Clone, Copy, Debug)]
pub enum ParamKind {
    /// A number.
    Number {
        /// Least.
        low: f64,
        /// Largest.
        high: f64,
    },
    /// A whole number.
    Integer {
        /// Least.
        low: u32,
        /// Largest.
        high: u32,
    },
    /// Two numbers, each in the range.
    Pair {
        /// Least.
        low: f64,
        /// Largest.
        high: f64,
    },
    /// Any number of places, each two numbers in the range: `[(1, 2), (3, 4)]`.
    Points {
        /// Least.
        low: f64,
        /// Largest.
        high: f64,
    },
    /// `true` or `false`.
    Flag,
    /// One of a few names.
    Choice {
        /// The names.
        options: &'static [ChoiceOption],
    },
    /// A file beside the graph: `file("name.tif")`.
    File,
}

/// One option of a choice.
#[derive(Clone, Copy, Debug)]
pub struct ChoiceOption {
    /// Its spelling in the graph.
    pub name: &'static str,
    /// What it means.
    pub doc: &'static str,
}

/// The value of a parameter, checked against its [`ParamSpec`].
#[derive(Clone, Debug, PartialEq)]
pub enum ParamValue {
    /// A number.
    Number(f64),
    /// A whole number.
    Integer(u32),
    /// Two numbers.
    Pair([f64; 2]),
    /// Places.
    Points(Vec<[f64; 2]>),
    /// `true` or `false`.
    Flag(bool),
    /// Place of the chosen name among the options.
    Choice(usize),
    /// A file's content.
    File(Asset),
    /// Nothing was written and the node decides.
    Absent,
}

/// The bytes of a file beside the graph. Its path is not part of it.
#[derive(Clone, Debug)]
pub struct Asset {
    /// Extension in lower case, without the dot; it tells headerless formats.
    pub extension: Arc<str>,
    /// The content.
    pub bytes: Arc<Vec<u8>>,
    /// Hash of the content.
    pub digest: Digest,
}

impl Asset {
    /// The asset of `bytes` from a file with that extension.
    pub fn new(extension: &str, bytes: Vec<u8>) -> Self {
        let digest = Digest::of_bytes(&bytes);
        Self { extension: extension.to_lowercase().into(), bytes: Arc::new(bytes), digest }
    }
}

impl PartialEq for Asset {
    fn eq(&self, other: &Self) -> bool {
        self.extension == other.extension && self.digest == other.digest
    }
}

impl ParamValue {
    /// Canonical bytes for keys: equal bytes, equal effect.
    pub fn canonical_bytes(&self) -> Vec<u8> {
        fn number(value: f64) -> [u8; 8] {
            (value + 0.0).to_bits().to_le_bytes()
        }
        let mut bytes = Vec::new();
        match self {
            Self::Number(value) => {
                bytes.push(1);
                bytes.extend(number(*value));
            }
            Self::Integer(value) => {
                bytes.push(2);
                bytes.extend(value.to_le_bytes());
            }
            Self::Pair([a, b]) => {
                bytes.push(3);
                bytes.extend(number(*a));
                bytes.extend(number(*b));
            }
            Self::Flag(value) => bytes.extend([4, u8::from(*value)]),
            Self::Choice(index) => {
                bytes.push(5);
                bytes.extend((*index as u64).to_le_bytes());
            }
            Self::File(asset) => {
                bytes.push(6);
                bytes.extend((asset.extension.len() as u64).to_le_bytes());
                bytes.extend(asset.extension.as_bytes());
                bytes.extend(asset.digest.0);
            }
            Self::Absent => bytes.push(7),
            Self::Points(points) => {
                bytes.push(8);
                bytes.extend((points.len() as u64).to_le_bytes());
                bytes.extend(points.iter().flatten().flat_map(|value| number(*value)));
            }
        }
        bytes
    }
}

/// A struct of parameters; made by `#[derive(Params)]`.
pub trait Params: Sized {
    /// The parameters, in the order of the fields.
    const SPECS: &'static [ParamSpec];
    /// The struct from checked values, one for each of `SPECS`, in order.
    fn read(values: &[ParamValue]) -> Self;
}

/// An enum whose variants are options; made by `#[derive(Choice)]`.
pub trait Choice: Sized {
    /// The options, in the order of the variants.
    const OPTIONS: &'static [ChoiceOption];
    /// The variant at a place in `OPTIONS`.
    fn from_index(index: usize) -> Self;
}

/// A type that a parameter can have. The checker has made sure that the value
/// is of the declared kind, so reading cannot fail.
pub trait FromParam {
    /// The value as that type.
    fn from_param(value: &ParamValue) -> Self;
}

const CHECKED: &str = "the checker lets only values of the declared kind through";

macro_rules! from_param {
    ($($type:ty: $variant:ident),*) => {$(
        impl FromParam for $type {
            fn from_param(value: &ParamValue) -> Self {
                if let ParamValue::$variant(inner) = value {
                    inner.clone()
                } else {
                    unreachable!("{CHECKED}")
                }
            }
        }
    )*};
}

from_param!(f64: Number, u32: Integer, [f64; 2]: Pair, Vec<[f64; 2]>: Points, bool: Flag, Asset: File);

impl<T: FromParam> FromParam for Option<T> {
    fn from_param(value: &ParamValue) -> Self {
        (*value != ParamValue::Absent).then(|| T::from_param(value))
    }
}

impl<T: Choice> FromParam for T {
    fn from_param(value: &ParamValue) -> Self {
        if let ParamValue::Choice(index) = value {
            T::from_index(*index)
        } else {
            unreachable!("{CHECKED}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Choice, Params};

    #[derive(Choice, Debug, PartialEq)]
    enum Kind {
        /// First.
        Plain,
        /// Second.
        Fancy,
    }

    #[derive(Params)]
    struct Example {
        /// How wide.
        #[param(unit = "m", default = 12.5, range = 0.0..=100.0)]
        width_m: f64,
        /// How many.
        #[param(unit = "1", default = 3, range = 1..=9)]
        count: u32,
        /// Which.
        #[param(default = Kind::Fancy)]
        kind: Kind,
        /// Where.
        #[param(unit = "m", default = none, range = 0.0..=1e6)]
        places_m: Vec<[f64; 2]>,
        /// Decided by the node unless it is written.
        #[param(unit = "m", default = none, range = 0.0..=1.0)]
        step_m: Option<f64>,
    }

    #[test]
    fn a_declaration_is_the_table_and_reads_its_own_defaults() {
        let names: Vec<_> = Example::SPECS.iter().map(|spec| (spec.name, spec.unit)).collect();
        let expected =
            [("width_m", "m"), ("count", "1"), ("kind", ""), ("places_m", "m"), ("step_m", "m")];
        assert_eq!(names, expected);
        let defaults: Vec<_> =
            Example::SPECS.iter().map(|spec| spec.default.clone().expect("a default")).collect();
        let example = Example::read(&defaults);
        assert_eq!((example.width_m, example.count, example.kind), (12.5, 3, Kind::Fancy));
        assert_eq!((example.places_m.len(), example.step_m), (0, None));
    }

    #[test]
    fn both_zeros_make_one_key() {
        let bytes = |value: f64| ParamValue::Number(value).canonical_bytes();
        assert_eq!(bytes(0.0), bytes(-0.0));
        assert_ne!(bytes(0.0), ParamValue::Absent.canonical_bytes());
    }
}
