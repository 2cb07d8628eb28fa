//! Reading numbers out of a byte slice without ever leaving it.

use crate::decode::ByteOrder;

/// A byte slice with an order.
#[derive(Clone, Copy)]
pub(crate) struct Bytes<'a> {
    pub(crate) data: &'a [u8],
    pub(crate) order: ByteOrder,
}

impl<'a> Bytes<'a> {
    /// `len` bytes from `at`; `None` unless all of them are there.
    pub(crate) fn slice(&self, at: u64, len: u64) -> Option<&'a [u8]> {
        let start = usize::try_from(at).ok()?;
        let end = start.checked_add(usize::try_from(len).ok()?)?;
        self.data.get(start..end)
    }

    fn array<const N: usize>(&self, at: u64) -> Option<[u8; N]> {
        let mut bytes: [u8; N] = self.slice(at, N as u64)?.try_into().ok()?;
        if self.order == ByteOrder::Big {
            bytes.reverse();
        }
        Some(bytes)
    }

    pub(crate) fn u16(&self, at: u64) -> Option<u16> {
        self.array(at).map(u16::from_le_bytes)
    }

    pub(crate) fn u32(&self, at: u64) -> Option<u32> {
        self.array(at).map(u32::from_le_bytes)
    }

    pub(crate) fn u64(&self, at: u64) -> Option<u64> {
        self.array(at).map(u64::from_le_bytes)
    }

    pub(crate) fn f64(&self, at: u64) -> Option<f64> {
        self.array(at).map(f64::from_le_bytes)
    }
}
