//! The directories of a TIFF file, walked without allocating for what they
//! declare.
//!
//! The `tiff` crate multiplies declared sizes without checks and prints to
//! stderr at a limit. So the directory is read here, and that crate sees only
//! single chunks whose size has been checked.

use std::collections::{BTreeMap, BTreeSet};

use crate::bytes::Bytes;
use crate::decode::ByteOrder;
use crate::error::FormatError;

/// `NewSubfileType`.
pub(crate) const NEW_SUBFILE_TYPE: u16 = 254;

/// One entry: type, count, and where its values are.
#[derive(Clone, Copy, Debug)]
struct Entry {
    kind: u16,
    count: u64,
    at: u64,
}

/// The tags of one image.
pub(crate) struct Directory<'a> {
    bytes: Bytes<'a>,
    entries: BTreeMap<u16, Entry>,
    next: u64,
    /// Bytes of the table of entries.
    len: u64,
}

/// What a walk over all directories found.
pub(crate) struct File<'a> {
    /// The first image.
    pub(crate) first: Directory<'a>,
    /// Order of the bytes of every number in the file.
    pub(crate) order: ByteOrder,
    /// Images at full resolution.
    pub(crate) pages: u32,
    /// Number of the directory that holds a transparency mask, from 1.
    pub(crate) mask: Option<usize>,
}

impl<'a> File<'a> {
    /// Reads the first directory and counts the others.
    pub(crate) fn read(data: &'a [u8]) -> Result<Self, FormatError> {
        let order = if data.starts_with(b"MM") { ByteOrder::Big } else { ByteOrder::Little };
        let bytes = Bytes { data, order };
        let ended = || FormatError::damaged("the TIFF header", "the file ends within it");
        let big = bytes.u16(2).ok_or_else(ended)? == 43;
        let start = if big {
            if (bytes.u16(4), bytes.u16(6)) != (Some(8), Some(0)) {
                return Err(FormatError::damaged("the BigTIFF header", "offsets are not 8 bytes"));
            }
            bytes.u64(8).ok_or_else(ended)?
        } else {
            bytes.u32(4).map(u64::from).ok_or_else(ended)?
        };
        let first = Directory::read(bytes, big, start)?;
        let (mut pages, mut mask) = (1, None);
        let mut seen = BTreeSet::from([start]);
        let mut next = first.next;
        // Directories that do not overlap cannot be larger than the file: a
        // bound on the work that a crafted chain can ask for.
        let mut room = (data.len() as u64).saturating_sub(first.len);
        while next != 0 {
            let place = || format!("TIFF directory {}", seen.len() + 1);
            if seen.contains(&next) {
                return Err(FormatError::damaged(place(), "it is its own successor"));
            }
            let directory = Directory::read(bytes, big, next)?;
            room = room
                .checked_sub(directory.len)
                .ok_or_else(|| FormatError::damaged(place(), "it overlaps another"))?;
            seen.insert(next);
            let kind = directory.uint(NEW_SUBFILE_TYPE)?.unwrap_or(0);
            // Bit 0: a smaller copy of another image; bit 2: its mask.
            if kind & 1 == 0 && kind & 4 == 0 {
                pages += 1;
            }
            if kind & 5 == 4 {
                mask = mask.or(Some(seen.len()));
            }
            next = directory.next;
        }
        Ok(Self { first, order, pages, mask })
    }
}

impl<'a> Directory<'a> {
    fn read(bytes: Bytes<'a>, big: bool, start: u64) -> Result<Self, FormatError> {
        let place = || format!("the TIFF directory at byte {start}");
        let ended = || FormatError::damaged(place(), "the file ends before or within it");
        let after = |offset: u64| start.checked_add(offset).ok_or_else(ended);
        let (count, head, size, inline) = match big {
            true => (bytes.u64(start).ok_or_else(ended)?, 8, 20, 8),
            false => (bytes.u16(start).map(u64::from).ok_or_else(ended)?, 2, 12, 4),
        };
        // A directory cannot hold more entries than there are tag numbers.
        if count > 65_536 {
            return Err(FormatError::damaged(place(), format!("{count} tags are too many")));
        }
        let table = after(head)?;
        bytes.slice(table, count * size).ok_or_else(ended)?;
        let mut entries = BTreeMap::new();
        for index in 0..count {
            let at = table + index * size;
            let tag = bytes.u16(at).ok_or_else(ended)?;
            let kind = bytes.u16(at + 2).ok_or_else(ended)?;
            // A type that does not exist yet: the specification says to skip.
            let Some(value_size) = type_size(kind) else { continue };
            let (count, field) = match big {
                true => (bytes.u64(at + 4), at + 12),
                false => (bytes.u32(at + 4).map(u64::from), at + 8),
            };
            let count = count.ok_or_else(ended)?;
            let len = count.checked_mul(value_size);
            let value_at = match len {
                Some(len) if len <= inline => field,
                _ if big => bytes.u64(field).ok_or_else(ended)?,
                _ => bytes.u32(field).map(u64::from).ok_or_else(ended)?,
            };
            entries.insert(tag, Entry { kind, count, at: value_at });
        }
        let end = table + count * size;
        let next = if big { bytes.u64(end) } else { bytes.u32(end).map(u64::from) };
        Ok(Self { bytes, entries, next: next.ok_or_else(ended)?, len: count * size + 1 })
    }

    /// Whether the tag is there.
    pub(crate) fn has(&self, tag: u16) -> bool {
        self.entries.contains_key(&tag)
    }

    /// First value of a tag of unsigned integers.
    pub(crate) fn uint(&self, tag: u16) -> Result<Option<u64>, FormatError> {
        let Some(entry) = self.entries.get(&tag).copied() else {
            return Ok(None);
        };
        self.uint_at(tag, entry, 0).map(Some)
    }

    /// All values of a tag of unsigned integers, refused beyond `most`.
    pub(crate) fn uints(&self, tag: u16, most: u64) -> Result<Option<Vec<u64>>, FormatError> {
        let Some(entry) = self.entries.get(&tag).copied() else {
            return Ok(None);
        };
        self.check_count(tag, entry, most)?;
        (0..entry.count)
            .map(|index| self.uint_at(tag, entry, index))
            .collect::<Result<_, _>>()
            .map(Some)
    }

    /// Values of a tag of doubles, refused beyond `most`.
    pub(crate) fn doubles(&self, tag: u16, most: u64) -> Result<Option<Vec<f64>>, FormatError> {
        let Some(entry) = self.entries.get(&tag).copied() else {
            return Ok(None);
        };
        self.check_count(tag, entry, most)?;
        let read = |index| match entry.kind {
            12 => self.bytes.f64(entry.at + 8 * index),
            _ => None,
        };
        (0..entry.count)
            .map(|index| read(index).ok_or_else(|| wrong_type(tag, entry, "doubles")))
            .collect::<Result<_, _>>()
            .map(Some)
    }

    /// Text of a tag, up to its first NUL.
    pub(crate) fn ascii(&self, tag: u16, most: u64) -> Result<Option<String>, FormatError> {
        let Some(entry) = self.entries.get(&tag).copied() else {
            return Ok(None);
        };
        self.check_count(tag, entry, most)?;
        let bytes = match entry.kind {
            2 => self.bytes.slice(entry.at, entry.count),
            _ => None,
        };
        let bytes = bytes.ok_or_else(|| wrong_type(tag, entry, "text"))?;
        let text = bytes.split(|byte| *byte == 0).next().unwrap_or_default();
        Ok(Some(String::from_utf8_lossy(text).trim().to_owned()))
    }

    /// That the values of a tag lie inside the file and are at most `most`.
    fn check_count(&self, tag: u16, entry: Entry, most: u64) -> Result<(), FormatError> {
        let len = entry.count.saturating_mul(type_size(entry.kind).unwrap_or(1));
        if entry.count > most || self.bytes.slice(entry.at, len).is_none() {
            return Err(FormatError::damaged(
                format!("tag {tag}"),
                format!("its {} values are too many or lie outside the file", entry.count),
            ));
        }
        Ok(())
    }

    fn uint_at(&self, tag: u16, entry: Entry, index: u64) -> Result<u64, FormatError> {
        let size = type_size(entry.kind).unwrap_or(1);
        let at = index.checked_mul(size).and_then(|offset| entry.at.checked_add(offset));
        let value = match (at, entry.kind) {
            _ if index >= entry.count => None,
            (Some(at), 1) => self.bytes.slice(at, 1).map(|byte| u64::from(byte[0])),
            (Some(at), 3) => self.bytes.u16(at).map(u64::from),
            (Some(at), 4 | 13) => self.bytes.u32(at).map(u64::from),
            (Some(at), 16 | 18) => self.bytes.u64(at),
            _ => None,
        };
        value.ok_or_else(|| wrong_type(tag, entry, "unsigned integers"))
    }
}

fn wrong_type(tag: u16, entry: Entry, wanted: &str) -> FormatError {
    FormatError::damaged(
        format!("tag {tag}"),
        format!(
            "{} values of type {} where {wanted} inside the file belong",
            entry.count, entry.kind
        ),
    )
}

/// Bytes of one value of a field type; `None` for types that do not exist.
fn type_size(kind: u16) -> Option<u64> {
    match kind {
        1 | 2 | 6 | 7 => Some(1),
        3 | 8 => Some(2),
        4 | 9 | 11 | 13 => Some(4),
        5 | 10 | 12 | 16 | 17 | 18 => Some(8),
        _ => None,
    }
}
