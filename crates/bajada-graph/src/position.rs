//! From byte offsets to the lines and columns that people and editors count.

use serde::Serialize;

pub(crate) const BOM: char = '\u{feff}';

/// A place in a text: both count from 1, the column in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Position {
    /// The line, 1 for the first.
    pub line: usize,
    /// The character in the line, 1 for the first; a byte order mark is not counted.
    pub column: usize,
}

/// The place of a byte offset. An offset behind the end, or inside a character,
/// counts as the nearest place before it.
pub fn position(text: &str, offset: usize) -> Position {
    LineIndex::new(text).position(offset)
}

/// Where each line of a text starts, found once for any number of questions.
pub(crate) struct LineIndex<'t> {
    text: &'t str,
    starts: Vec<usize>,
}

impl<'t> LineIndex<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        let mut starts = vec![0];
        starts.extend(text.match_indices('\n').map(|(at, _)| at + 1));
        Self { text, starts }
    }

    /// The offset itself, or the nearest one before it that a slice may start at.
    pub(crate) fn clamp(&self, offset: usize) -> usize {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        offset
    }

    /// The line of an offset, counted from 0.
    pub(crate) fn line(&self, offset: usize) -> usize {
        self.starts.partition_point(|start| *start <= offset).saturating_sub(1)
    }

    /// The bytes of a line (counted from 0) without its line break and without a
    /// byte order mark.
    pub(crate) fn range(&self, line: usize) -> std::ops::Range<usize> {
        let mut start = self.starts.get(line).copied().unwrap_or(self.text.len());
        let mut end = self.starts.get(line + 1).map_or(self.text.len(), |next| next - 1);
        if line == 0 && self.text.starts_with(BOM) {
            start = BOM.len_utf8();
        }
        if end > start && line + 1 < self.starts.len() && self.text.as_bytes()[end - 1] == b'\r' {
            end -= 1;
        }
        start..end
    }

    pub(crate) fn position(&self, offset: usize) -> Position {
        let offset = self.clamp(offset);
        let line = self.line(offset);
        let start = self.range(line).start.min(offset);
        Position { line: line + 1, column: self.text[start..offset].chars().count() + 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, offset: usize, line: usize, column: usize) {
        assert_eq!(position(text, offset), Position { line, column });
    }

    #[test]
    fn lines_and_columns_count_from_one() {
        check("", 0, 1, 1);
        check("ab\ncd", 0, 1, 1);
        check("ab\ncd", 2, 1, 3);
        check("ab\ncd", 3, 2, 1);
        check("ab\n", 3, 2, 1);
    }

    #[test]
    fn columns_count_characters_and_not_bytes() {
        check("åß∂x", 7, 1, 4);
        check("å", 1, 1, 1);
    }

    #[test]
    fn a_byte_order_mark_takes_no_column() {
        check("\u{feff}ab", 0, 1, 1);
        check("\u{feff}ab", 3, 1, 1);
        check("\u{feff}ab", 4, 1, 2);
    }

    #[test]
    fn an_offset_behind_the_end_is_the_end() {
        check("ab", 100, 1, 3);
    }

    #[test]
    fn a_carriage_return_belongs_to_the_line_it_ends() {
        check("ab\r\ncd", 4, 2, 1);
        assert_eq!(LineIndex::new("ab\r\ncd").range(0), 0..2);
    }
}
