//! Texts for the tests: sequences of words of the graph text, some well formed,
//! some not. Shares nothing with the lexer, the parser or the printer.

// Each test binary takes a part of it.
#![allow(dead_code)]

/// splitmix64: a fixed sequence per seed.
pub(crate) struct Draw(u64);

impl Draw {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    pub(crate) fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    pub(crate) fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }
}

/// How many documents a test draws: a slice by default, all with `BAJADA_FULL=1`.
pub(crate) fn count(slice: u64, full: u64) -> u64 {
    let count = if std::env::var("BAJADA_FULL").is_ok_and(|v| v == "1") { full } else { slice };
    println!("{count} documents");
    count
}

const SPACE: &[&str] = &[
    " ",
    " ",
    "\n",
    "\r\n",
    "\t",
    "  ",
    "\n\n    ",
    "/**/",
    "/* a /* nested */ one */",
    "/* ( [ { \" */",
    "// a line\n",
    "// ünï ∂ 漢\r\n",
    "//\n",
    "\u{b}",
    "\u{c}",
    "\u{85}",
    "\u{2028}",
    "/* *//* / * */",
];

pub(crate) const NUMBERS: &[&str] = &[
    "0",
    "1",
    "33",
    "-7",
    "+12",
    "12_288",
    "0.5",
    "-0.25",
    ".5",
    "1.",
    "1e3",
    "1.5e-9",
    "-2E+2",
    "0xff",
    "0b1010",
    "0o17",
    "18446744073709551615",
    "-9223372036854775808",
    "18446744073709551616",
    "123456789012345678901234567890",
    "0.1",
    "1e40",
    "1e-320",
    "5e-324",
    "-0",
    "-0.0",
    "1_0.2_5",
    "007",
    "340282350000000000000000000000000000000",
    "1.7976931348623157e308",
    "-0x10",
    "+0b1_1",
    "1_e5",
];

const STRINGS: &[&str] = &[
    "\"rain\"",
    "\"rain.deposition\"",
    "\"\"",
    "\"a b\"",
    "\"tab\\t, quote \\\" and \\\\\"",
    "\"\\u{1F3D4}\"",
    "\"\\x41\\n\"",
    "\"ünï 漢\"",
    "r\"raw \\ \"",
    "r#\"raw \" one\"#",
    "r##\"two \"# \"##",
    "\"a\\\n   b\"",
    "\"( [ { // /*\"",
    "r\"over\ntwo lines\"",
    "\"\\u{0}\"",
];

const NAMES: &[&str] = &[
    "kind",
    "Ridged",
    "elevation",
    "true",
    "false",
    "None",
    "a",
    "_x1",
    "r#type",
    "noise",
    "file",
    "Some",
];

const CHARS: &[&str] = &["'a'", "'\\n'", "'\\''", "'漢'", "'\\u{41}'", "'\"'", "' '"];

const JUNK: &[&str] = &[
    "\"open",
    "'",
    "'abc'",
    "\0",
    "\u{1b}[31m",
    "#",
    "#![enable(implicit_some)]",
    "@",
    "/",
    "*/",
    "/* open",
    "NaN",
    "inf",
    "-inf",
    "1e999",
    "1u8",
    "33deg",
    "r#\"open",
    "b\"bytes\"",
    "b'x'",
    "br#\"x\"#",
    "“typed”",
    "\u{feff}",
    "..",
    "1..2",
    "a.b",
    "=",
    ";",
    "=>",
    "\\",
    "\"\\q\"",
    "größe",
    "e\u{301}",
    "\r",
    "::",
    ",,",
    "\"\\u{110000}\"",
    "\"\\",
    "'\\",
    "\u{202e}",
    "-",
    "+",
    "\"\\x\"",
    "r#",
    "r##",
    "²",
    "b'",
    "\"\\u{\"",
];

const PUNCTUATION: &[&str] = &["(", ")", "[", "]", "{", "}", ",", ":"];

/// Any sequence of words: brackets that do not match, junk, everything.
pub(crate) fn noise_text(draw: &mut Draw) -> String {
    let mut text = String::new();
    if draw.one_in(8) {
        text.push('\u{feff}');
    }
    for _ in 0..draw.below(60) {
        let words = match draw.below(12) {
            0 | 1 => SPACE,
            2 => NUMBERS,
            3 => STRINGS,
            4 => NAMES,
            5 => CHARS,
            6 => JUNK,
            _ => PUNCTUATION,
        };
        text.push_str(draw.pick(words));
        if draw.one_in(3) {
            text.push_str(draw.pick(SPACE));
        }
    }
    text
}

/// White space or comments, or nothing.
fn gap(draw: &mut Draw, text: &mut String) {
    while draw.one_in(3) {
        text.push_str(draw.pick(SPACE));
    }
}

/// A list of `n` entries with commas, the last one perhaps.
fn entries(
    draw: &mut Draw,
    text: &mut String,
    n: usize,
    mut entry: impl FnMut(&mut Draw, &mut String, usize),
) {
    for i in 0..n {
        gap(draw, text);
        entry(draw, text, i);
        gap(draw, text);
        if i + 1 < n || draw.one_in(3) {
            text.push(',');
        }
    }
    gap(draw, text);
}

/// A value in good form. Words that are letters are followed by a space, so
/// that no two run into one.
pub(crate) fn value(draw: &mut Draw, text: &mut String, depth: usize) {
    let n = draw.below(4);
    let inner = |draw: &mut Draw, text: &mut String, _: usize| value(draw, text, depth + 1);
    let named = |draw: &mut Draw, text: &mut String, i: usize| {
        text.push_str(&format!("field_{i}"));
        gap(draw, text);
        text.push(':');
        gap(draw, text);
        value(draw, text, depth + 1);
    };
    match draw.below(if depth > 5 { 8 } else { 13 }) {
        0..=2 => text.push_str(draw.pick(NUMBERS)),
        3 | 4 => text.push_str(draw.pick(STRINGS)),
        5 => text.push_str(draw.pick(CHARS)),
        6 => text.push_str(draw.pick(&["true", "false", "Ridged", "None", "()", "r#type"])),
        7 => text.push_str("file(\"a/b.tif\")"),
        8 => {
            text.push('[');
            entries(draw, text, n, inner);
            text.push(']');
        }
        9 => {
            text.push_str(draw.pick(&["(", "call(", "call ("]));
            entries(draw, text, n, inner);
            text.push(')');
        }
        10 | 11 => {
            text.push_str(draw.pick(&["(", "talus(", "talus /* c */ ("]));
            entries(draw, text, n, named);
            text.push(')');
        }
        _ => {
            text.push('{');
            entries(draw, text, n, |draw, text, i| {
                text.push_str(&format!("\"key {i}\":"));
                gap(draw, text);
                value(draw, text, depth + 1);
            });
            text.push('}');
        }
    }
}

/// A graph in good form: every key, nodes with arguments, outputs.
pub(crate) fn graph_text(draw: &mut Draw) -> String {
    let mut text = String::new();
    if draw.one_in(8) {
        text.push('\u{feff}');
    }
    gap(draw, &mut text);
    text.push('(');
    let mut keys = ["format", "seed", "world", "nodes", "outputs"];
    let turn = draw.below(keys.len());
    keys.rotate_left(turn);
    entries(draw, &mut text, 5, |draw, text, i| {
        text.push_str(keys[i]);
        gap(draw, text);
        text.push(':');
        gap(draw, text);
        match keys[i] {
            "format" => text.push('1'),
            "seed" => text.push_str(draw.pick(&["0", "7", "0xff", "18446744073709551615"])),
            "world" => text.push_str(draw.pick(&[
                "(extent_m: (12288, 1e4), samples: (1025, 1025))",
                "(from: \"dem\", samples: (513, 513), origin_m: (-1, 2.5))",
                "from(\"dem\")",
            ])),
            _ => declarations(draw, text),
        }
    });
    text.push(')');
    gap(draw, &mut text);
    text
}

fn declarations(draw: &mut Draw, text: &mut String) {
    text.push('{');
    let n = draw.below(5);
    entries(draw, text, n, |draw, text, i| {
        text.push_str(&format!("\"name {i}\":"));
        gap(draw, text);
        text.push_str(draw.pick(&["noise(", "talus (", "import /**/ ("]));
        let n = draw.below(4);
        entries(draw, text, n, |draw, text, i| {
            text.push_str(&format!("argument_{i}:"));
            gap(draw, text);
            value(draw, text, 0);
        });
        text.push(')');
    });
    text.push('}');
}

/// A graph in good form with one piece cut out, doubled or replaced.
pub(crate) fn broken_text(draw: &mut Draw) -> String {
    let text = graph_text(draw);
    let mut at = |text: &str| {
        let mut at = draw.below(text.len() + 1);
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    let (a, b) = (at(&text), at(&text));
    let (a, b) = (a.min(b), a.max(b).min(a.min(b) + 12));
    let b = (b..=text.len()).find(|b| text.is_char_boundary(*b)).unwrap_or(text.len());
    let piece = &text[a..b];
    match draw.below(3) {
        0 => format!("{}{}", &text[..a], &text[b..]),
        1 => format!("{}{piece}{}", &text[..b], &text[b..]),
        _ => format!("{}{}{}", &text[..a], draw.pick(JUNK), &text[b..]),
    }
}
