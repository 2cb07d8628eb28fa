//! Raster buffers that are counted and used again.
//!
//! Touching fresh memory can cost more than the node that fills it, so buffers
//! go back to a shelf when they are dropped. A [`Memory`] also counts what is
//! out: each node of a build gets a child, so that the report can print the
//! peak of every node and of the whole build. Grids made without a `Memory`
//! (in tests, or by users of the kernels alone) are plain vectors.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// What can stand in a cell.
pub trait Cell: Copy + Default + PartialEq + Send + Sync + std::fmt::Debug + 'static {
    #[doc(hidden)]
    fn shelf(shelves: &mut Shelves) -> &mut BTreeMap<usize, Vec<Vec<Self>>>;
}

macro_rules! cells {
    ($($field:ident: $type:ty),* $(,)?) => {
        /// Buffers that wait for their next use, by type and length.
        #[doc(hidden)]
        #[derive(Default)]
        pub struct Shelves { $($field: BTreeMap<usize, Vec<Vec<$type>>>),* }
        $(impl Cell for $type {
            fn shelf(shelves: &mut Shelves) -> &mut BTreeMap<usize, Vec<Vec<Self>>> {
                &mut shelves.$field
            }
        })*
    };
}

cells! {
    f32s: f32, f64s: f64, u8s: u8, u16s: u16, u32s: u32, i32s: i32, u64s: u64, i64s: i64,
    bools: bool, eights: [u16; 8],
}

/// A count of raster bytes in use, and the shelf of buffers to reuse.
#[derive(Default)]
pub struct Memory {
    parent: Option<Arc<Memory>>,
    shelves: Mutex<Shelves>,
    used: AtomicU64,
    peak: AtomicU64,
}

impl std::fmt::Debug for Memory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Memory").field("used", &self.used()).field("peak", &self.peak()).finish()
    }
}

impl Memory {
    /// A fresh count with an empty shelf.
    pub fn new() -> Arc<Self> {
        Arc::new(Self::default())
    }

    /// A count of its own on the same shelf: what it counts, `self` counts too.
    pub fn child(self: &Arc<Self>) -> Arc<Self> {
        Arc::new(Self { parent: Some(Arc::clone(self)), ..Self::default() })
    }

    /// Bytes in use now.
    pub fn used(&self) -> u64 {
        self.used.load(Ordering::Relaxed)
    }

    /// Most bytes that were in use at once.
    pub fn peak(&self) -> u64 {
        self.peak.load(Ordering::Relaxed)
    }

    fn chain(&self) -> impl Iterator<Item = &Memory> {
        std::iter::successors(Some(self), |memory| memory.parent.as_deref())
    }

    fn root(&self) -> &Memory {
        self.chain().last().unwrap_or(self)
    }

    fn take<T: Cell>(&self, len: usize, value: T) -> Vec<T> {
        let bytes = (len * size_of::<T>()) as u64;
        for memory in self.chain() {
            let used = memory.used.fetch_add(bytes, Ordering::Relaxed) + bytes;
            memory.peak.fetch_max(used, Ordering::Relaxed);
        }
        let found = {
            let mut shelves = self.root().shelves.lock().unwrap_or_else(PoisonError::into_inner);
            T::shelf(&mut shelves).get_mut(&len).and_then(Vec::pop)
        };
        match found {
            Some(mut values) => {
                values.fill(value);
                values
            }
            None => vec![value; len],
        }
    }

    fn give_back<T: Cell>(&self, values: Vec<T>) {
        let bytes = (values.len() * size_of::<T>()) as u64;
        for memory in self.chain() {
            memory.used.fetch_sub(bytes, Ordering::Relaxed);
        }
        let mut shelves = self.root().shelves.lock().unwrap_or_else(PoisonError::into_inner);
        T::shelf(&mut shelves).entry(values.len()).or_default().push(values);
    }
}

/// A run of cells that goes back to its [`Memory`] when dropped.
pub(crate) struct Buffer<T: Cell> {
    values: Vec<T>,
    memory: Option<Arc<Memory>>,
}

impl<T: Cell> Buffer<T> {
    pub(crate) fn filled(memory: Option<Arc<Memory>>, len: usize, value: T) -> Self {
        let values = match &memory {
            Some(memory) => memory.take(len, value),
            None => vec![value; len],
        };
        Self { values, memory }
    }

    pub(crate) fn from_vec(values: Vec<T>) -> Self {
        Self { values, memory: None }
    }

    pub(crate) fn memory(&self) -> Option<&Arc<Memory>> {
        self.memory.as_ref()
    }

    pub(crate) fn as_slice(&self) -> &[T] {
        &self.values
    }

    pub(crate) fn as_mut_slice(&mut self) -> &mut [T] {
        &mut self.values
    }
}

impl<T: Cell> Clone for Buffer<T> {
    fn clone(&self) -> Self {
        let mut copy = Self::filled(self.memory.clone(), self.values.len(), T::default());
        copy.values.copy_from_slice(&self.values);
        copy
    }
}

impl<T: Cell> Drop for Buffer<T> {
    fn drop(&mut self) {
        if let Some(memory) = &self.memory {
            memory.give_back(std::mem::take(&mut self.values));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_child_counts_for_itself_and_for_its_parent() {
        let build = Memory::new();
        let (a, b) = (build.child(), build.child());
        let first = Buffer::filled(Some(Arc::clone(&a)), 100, 0.0_f32);
        let second = Buffer::filled(Some(Arc::clone(&b)), 10, 0.0_f64);
        assert_eq!((a.used(), b.used(), build.used()), (400, 80, 480));
        drop(first);
        drop(second);
        assert_eq!((a.used(), b.used(), build.used()), (0, 0, 0));
        assert_eq!((a.peak(), b.peak(), build.peak()), (400, 80, 480));
    }

    #[test]
    fn a_used_buffer_comes_back_clean() {
        let build = Memory::new();
        let mut first = Buffer::filled(Some(build.child()), 64, 1.0_f32);
        let place = first.as_slice().as_ptr();
        first.as_mut_slice().fill(9.0);
        drop(first);
        let second = Buffer::filled(Some(build.child()), 64, 2.0_f32);
        assert_eq!(second.as_slice().as_ptr(), place);
        assert!(second.as_slice().iter().all(|&value| value == 2.0));
    }
}
