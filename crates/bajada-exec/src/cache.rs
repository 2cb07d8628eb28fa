//! What is already known: results by key, values by content.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use bajada_grid::{Digest, Ledger, Stats};
use bajada_node::Value;
use bajada_plan::KeyParts;

/// The result of a node, without its values.
#[derive(Clone, Debug)]
pub struct Action {
    /// What the key was made of.
    pub parts: KeyParts,
    /// Each output, in the order of the table.
    pub outputs: Vec<OutputRecord>,
    /// The matter account.
    pub ledger: Option<Ledger>,
    /// What the node told the user.
    pub notes: Vec<String>,
}

/// One output of a result.
#[derive(Clone, Copy, Debug)]
pub struct OutputRecord {
    /// Hash of the value.
    pub content: Digest,
    /// Summary of the numbers, for rasters.
    pub stats: Option<Stats>,
}

/// A place where results are kept. It may lose anything at any time; it never
/// gives a wrong value.
pub trait Cache: Send + Sync {
    /// The result under a key.
    fn find(&self, key: &Digest) -> Option<Action>;

    /// A value by its content.
    fn load(&self, content: &Digest) -> Option<Value>;

    /// Keeps a result, its values, and that node `name` had it last.
    fn keep(&self, name: &str, key: Digest, action: &Action, values: &[Value]);

    /// What the key of node `name` was made of the last time it was kept.
    fn last(&self, name: &str) -> Option<KeyParts>;
}

/// Keeps nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoCache;

impl Cache for NoCache {
    fn find(&self, _: &Digest) -> Option<Action> {
        None
    }
    fn load(&self, _: &Digest) -> Option<Value> {
        None
    }
    fn keep(&self, _: &str, _: Digest, _: &Action, _: &[Value]) {}
    fn last(&self, _: &str) -> Option<KeyParts> {
        None
    }
}

/// Keeps results in memory, up to a number of bytes; the ones used longest ago
/// go first.
#[derive(Debug)]
pub struct MemoryCache {
    state: Mutex<State>,
    limit: u64,
}

#[derive(Debug, Default)]
struct State {
    actions: BTreeMap<Digest, Action>,
    values: BTreeMap<Digest, Kept>,
    last: BTreeMap<String, KeyParts>,
    bytes: u64,
    uses: u64,
}

#[derive(Debug)]
struct Kept {
    value: Value,
    bytes: u64,
    last_use: u64,
}

impl MemoryCache {
    /// A cache of at most `limit` bytes of values.
    pub fn new(limit: u64) -> Self {
        Self { state: Mutex::default(), limit }
    }

    fn locked<R>(&self, work: impl FnOnce(&mut State) -> R) -> R {
        work(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

fn size(value: &Value) -> u64 {
    match value {
        Value::Raster(raster) => raster.grid.bytes(),
        Value::Lithology(lithology) => lithology.bytes(),
        Value::Supply(supply) => std::mem::size_of_val(supply.parcels()) as u64,
        Value::Table(table) => {
            8 * (table.rows.iter().map(Vec::len).sum::<usize>() + table.columns.len()) as u64
        }
        Value::Bytes(bytes) => bytes.len() as u64,
    }
}

impl Cache for MemoryCache {
    fn find(&self, key: &Digest) -> Option<Action> {
        self.locked(|state| state.actions.get(key).cloned())
    }

    fn load(&self, content: &Digest) -> Option<Value> {
        self.locked(|state| {
            state.uses += 1;
            let kept = state.values.get_mut(content)?;
            kept.last_use = state.uses;
            Some(kept.value.clone())
        })
    }

    fn keep(&self, name: &str, key: Digest, action: &Action, values: &[Value]) {
        self.locked(|state| {
            state.last.insert(name.to_owned(), action.parts.clone());
            state.actions.insert(key, action.clone());
            for (record, value) in action.outputs.iter().zip(values) {
                state.uses += 1;
                let bytes = size(value);
                let kept = Kept { value: value.clone(), bytes, last_use: state.uses };
                if state.values.insert(record.content, kept).is_none() {
                    state.bytes += bytes;
                }
            }
            while state.bytes > self.limit {
                let oldest = state.values.iter().min_by_key(|(_, kept)| kept.last_use);
                let Some(content) = oldest.map(|(content, _)| *content) else { break };
                if let Some(kept) = state.values.remove(&content) {
                    state.bytes -= kept.bytes;
                }
            }
        });
    }

    fn last(&self, name: &str) -> Option<KeyParts> {
        self.locked(|state| state.last.get(name).cloned())
    }
}
