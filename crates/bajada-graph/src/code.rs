//! Every diagnostic code of the product, in one visible table: the text's, the
//! document's and the plan's. A code keeps its number and its meaning for ever;
//! a retired one leaves a gap.

use std::fmt;

use serde::{Serialize, Serializer};

/// What went wrong, as a number that a search finds and a machine compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Code(u16);

impl Code {
    /// The number after `BJ`.
    pub fn number(self) -> u16 {
        self.0
    }

    /// One line that says what the code stands for.
    pub fn title(self) -> &'static str {
        CODES.iter().find(|(code, _)| *code == self).map_or("unknown code", |(_, title)| title)
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BJ{:04}", self.0)
    }
}

impl Serialize for Code {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

macro_rules! codes {
    ($($name:ident = $number:literal, $title:literal;)*) => {
        impl Code {
            $(#[doc = $title] pub const $name: Self = Self($number);)*
        }

        /// Every code with its title, in the order of the numbers.
        pub const CODES: &[(Code, &str)] = &[$((Code::$name, $title),)*];
    };
}

codes! {
    // The text: limits, words, brackets.
    TEXT_TOO_LARGE = 1, "the text is larger than a graph may be";
    TOO_DEEP = 2, "brackets are nested too deep";
    TOO_MANY_NODES = 3, "the graph has too many nodes";
    TOO_MANY_VALUES = 4, "the graph has too many values";
    TOO_MANY_DIAGNOSTICS = 5, "there are too many mistakes to list";
    EMPTY = 10, "the text holds no graph";
    UNKNOWN_CHARACTER = 11, "a character has no meaning in a graph";
    UNCLOSED_STRING = 12, "a string is not closed";
    UNCLOSED_COMMENT = 13, "a comment is not closed";
    BAD_ESCAPE = 14, "a backslash is followed by something unknown";
    BAD_QUOTES = 15, "text stands in the wrong quotes";
    BAD_NUMBER = 16, "a number cannot be read";
    NOT_A_NUMBER = 17, "NaN and infinity are refused";
    NUMBER_TOO_LARGE = 18, "a number is too large to be held";
    BAD_NAME = 19, "a name has characters that names do not have";
    ATTRIBUTE = 20, "RON attributes and extensions are refused";
    BYTE_STRING = 21, "byte strings are refused";
    MISSING_COMMA = 30, "a comma is missing";
    MISSING_COLON = 31, "a colon is missing";
    MISSING_VALUE = 32, "a value is missing";
    UNCLOSED_BRACKET = 33, "a bracket is not closed";
    STRAY_BRACKET = 34, "a bracket closes nothing";
    WRONG_BRACKET = 35, "a bracket is closed by one of another kind";
    UNEXPECTED = 36, "something stands where it cannot";
    TRAILING_TEXT = 37, "text follows the end of the graph";
    NOT_A_GRAPH = 38, "the text is not one graph in brackets";

    // The document: what the grammar of a graph asks for.
    FORMAT_MISSING = 101, "the graph does not say which format it has";
    FORMAT_UNSUPPORTED = 102, "the graph has a format that this version does not read";
    UNKNOWN_KEY = 103, "a key is not known";
    NOT_YET = 104, "a part of the grammar is not supported yet";
    DUPLICATE = 105, "a name is defined twice";
    BAD_NODE_NAME = 106, "a node's name cannot be linked to";
    KEY_NOT_TEXT = 107, "a key of a map is not text in quotes";
    NODE_NOT_CALL = 108, "a node is not written as a kind with arguments";
    UNNAMED_ARGUMENT = 109, "an argument has no name";
    BAD_LINK = 110, "a string is not a link";
    WRONG_SHAPE = 111, "a value does not have the shape that its key asks for";
    BAD_WRAPPER = 112, "a wrapper such as file(..) does not hold what it must";

    // The plan: what the kinds, the links and the files say.
    UNKNOWN_KIND = 201, "no node kind has this name";
    UNKNOWN_PARAMETER = 202, "the kind has no such argument";
    WRONG_TYPE = 203, "a value has the wrong type";
    OUT_OF_RANGE = 204, "a value is outside its range";
    NOT_FINITE = 205, "a value is not a finite number in the type that its parameter has";
    UNKNOWN_CHOICE = 206, "a parameter has no such choice";
    MISSING_INPUT = 207, "a required input is missing";
    MISSING_PARAMETER = 208, "a required parameter is missing";
    NO_SUCH_NODE = 209, "a link leads to a node that does not exist";
    NO_SUCH_PORT = 210, "a link leads to an output that does not exist";
    QUANTITY_MISMATCH = 211, "a link carries another quantity than its input takes";
    CYCLE = 212, "nodes depend on themselves";
    SUPPLY_USED_TWICE = 213, "matter is consumed more than once";
    UNUSED_NODE = 214, "no output depends on a node";
    DUPLICATE_DEFINITION = 215, "two definitions claim one name";
    WORLD_MISSING = 220, "the graph has no world";
    WORLD_SOURCE_UNKNOWN = 221, "the world is taken from a node that cannot give it";
    WORLD_NOT_SQUARE = 222, "the cells of the world are not square";
    WORLD_TOO_LARGE = 223, "the world is too large";
    WORLD_INVALID = 224, "the world has an extent or a sample count that cannot be";
    FILE_MISSING = 230, "a file does not exist";
    FILE_UNREADABLE = 231, "a file cannot be read";
    ASSET_UNSUPPORTED = 232, "a file holds something that cannot be imported";
    NO_OUTPUTS = 240, "the graph has no outputs";
    OUTPUT_PATH_ESCAPES = 241, "an output's path leaves its folder";
    OUTPUT_PATH_COLLIDES = 242, "two outputs would write one file";
    OUTPUT_EXTENSION_UNKNOWN = 243, "an output's file name has an extension that cannot be written";
    NOT_AN_OUTPUT = 244, "a kind does not make a file";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_rise_and_so_no_number_is_used_twice() {
        assert!(CODES.windows(2).all(|pair| pair[0].0 < pair[1].0));
    }

    #[test]
    fn a_code_prints_as_bj_and_four_digits() {
        assert_eq!(Code::UNKNOWN_KEY.to_string(), "BJ0103");
        assert_eq!(Code::UNKNOWN_KEY.title(), "a key is not known");
    }
}
