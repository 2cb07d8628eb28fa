//! What a node's results depend on, and the key made of it.

use bajada_grid::Digest;
use bajada_node::{NodeSpec, ParamValue, World};

/// Raised when the meaning of a key's parts changes.
const KEY_FORMAT: &str = "bajada action 1";

/// How floats are computed: exact IEEE operations and the pinned maths crate.
/// Another class would be another value here.
const NUMERICS: &str = "ieee754-exact libm-0.2.16";

/// The parts of a key, apart, so that a tool can say which one changed. There
/// is no path, no clock, no node name and no thread count among them.
#[derive(Clone, Debug, PartialEq)]
pub struct KeyParts {
    /// The kind.
    pub kind: &'static str,
    /// The kind's version.
    pub version: u32,
    /// Parameters in the order of the table: name and canonical bytes.
    pub params: Vec<(&'static str, Vec<u8>)>,
    /// Inputs in the order of the table: name and content hash, if linked.
    pub inputs: Vec<(&'static str, Option<Digest>)>,
    /// The world's canonical bytes.
    pub world: Vec<u8>,
    /// Seed of the random stream, for random nodes.
    pub seed: Option<u64>,
}

/// What differs between two keys of one node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// It is another kind now.
    Kind,
    /// The kind has another version now.
    Version,
    /// A parameter has another value.
    Param(&'static str),
    /// An input carries another value, or is linked now, or no longer.
    Input(&'static str),
    /// The world's lattice or place.
    World,
    /// The seed.
    Seed,
}

impl KeyParts {
    /// The parts of a node about to run.
    pub fn new(
        spec: &'static NodeSpec,
        params: &[ParamValue],
        inputs: &[Option<Digest>],
        world: &World,
        seed: Option<u64>,
    ) -> Self {
        let params = spec.params.iter().zip(params);
        Self {
            kind: spec.id,
            version: spec.version,
            params: params.map(|(param, value)| (param.name, value.canonical_bytes())).collect(),
            inputs: spec
                .inputs
                .iter()
                .zip(inputs)
                .map(|(input, hash)| (input.name, *hash))
                .collect(),
            world: world.canonical_bytes(),
            seed,
        }
    }

    /// The key: equal parts, equal key. Every part is preceded by its length,
    /// so that no two lists of parts run together into the same bytes.
    pub fn action(&self) -> Digest {
        let mut hasher = blake3::Hasher::new();
        let mut part = |bytes: &[u8]| {
            hasher.update(&(bytes.len() as u64).to_le_bytes());
            hasher.update(bytes);
        };
        part(KEY_FORMAT.as_bytes());
        part(NUMERICS.as_bytes());
        part(self.kind.as_bytes());
        part(&self.version.to_le_bytes());
        part(&(self.params.len() as u64).to_le_bytes());
        for (name, bytes) in &self.params {
            part(name.as_bytes());
            part(bytes);
        }
        part(&(self.inputs.len() as u64).to_le_bytes());
        for (name, hash) in &self.inputs {
            part(name.as_bytes());
            part(hash.as_ref().map_or(&[], |hash| &hash.0[..]));
        }
        part(&self.world);
        part(&self.seed.map_or(Vec::new(), |seed| seed.to_le_bytes().to_vec()));
        Digest(*hasher.finalize().as_bytes())
    }

    /// What changed from `before` to `self`.
    pub fn changes_since(&self, before: &Self) -> Vec<Change> {
        if self.kind != before.kind {
            return vec![Change::Kind];
        }
        let mut changes = Vec::new();
        if self.version != before.version {
            changes.push(Change::Version);
        }
        let params = self.params.iter().zip(&before.params);
        changes
            .extend(params.filter(|(now, then)| now != then).map(|(now, _)| Change::Param(now.0)));
        let inputs = self.inputs.iter().zip(&before.inputs);
        changes
            .extend(inputs.filter(|(now, then)| now != then).map(|(now, _)| Change::Input(now.0)));
        if self.world != before.world {
            changes.push(Change::World);
        }
        if self.seed != before.seed {
            changes.push(Change::Seed);
        }
        changes
    }
}

impl std::fmt::Display for Change {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Kind => f.write_str("kind changed"),
            Self::Version => f.write_str("node version changed"),
            Self::Param(name) => write!(f, "parameter `{name}` changed"),
            Self::Input(name) => write!(f, "input `{name}` changed"),
            Self::World => f.write_str("world changed"),
            Self::Seed => f.write_str("seed changed"),
        }
    }
}
