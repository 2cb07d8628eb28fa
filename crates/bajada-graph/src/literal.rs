//! What the spelling of a literal stands for: numbers, strings, characters.
//!
//! Each accepts a subset of what the `ron` crate accepts and reads the same
//! value. Refused on purpose: type suffixes (`1u8`), `inf` and `NaN`, and
//! `\x80` and above, which RON reads as raw UTF-8 bytes.

use crate::diagnostic::Span;

/// A number, as it was written and as it counts.
#[derive(Clone, Debug, PartialEq)]
pub struct Number {
    /// The value, rounded to the nearest double; always finite.
    pub value: f64,
    /// The exact value of a number written without point and exponent.
    pub integer: Option<i128>,
    /// The spelling.
    pub text: String,
}

/// Why a spelling is no number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NumberFault {
    Malformed,
    NotFinite,
    TooLarge,
}

/// Reads the whole of `text` as a number.
pub(crate) fn read_number(text: &str) -> Result<Number, NumberFault> {
    let (negative, digits) = match text.as_bytes().first() {
        Some(b'-') => (true, &text[1..]),
        Some(b'+') => (false, &text[1..]),
        _ => (false, text),
    };
    if digits == "inf" || digits == "NaN" {
        return Err(NumberFault::NotFinite);
    }
    let radix = match digits.get(..2) {
        Some("0x") => 16,
        Some("0o") => 8,
        Some("0b") => 2,
        _ => 10,
    };
    let number = |value, integer| Ok(Number { value, integer, text: text.to_owned() });
    let signed = |integer: i128| if negative { -integer } else { integer };
    if radix != 10 {
        let magnitude = read_digits(&digits[2..], radix)?.ok_or(NumberFault::TooLarge)?;
        // The range that RON has for them: those of i64 and u64.
        let integer = signed(magnitude);
        if integer < i128::from(i64::MIN) || integer > i128::from(u64::MAX) {
            return Err(NumberFault::TooLarge);
        }
        return number(integer as f64, Some(integer));
    }
    if digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'_')
        && let Some(magnitude) = read_digits(digits, 10)?
    {
        return number(signed(magnitude) as f64, Some(signed(magnitude)));
    }
    number(read_float(text, digits)?, None)
}

/// Nothing when the value is above the range.
fn read_digits(digits: &str, radix: u32) -> Result<Option<i128>, NumberFault> {
    if digits.is_empty() || digits.starts_with('_') {
        return Err(NumberFault::Malformed);
    }
    let mut value = Some(0_i128);
    for c in digits.chars().filter(|c| *c != '_') {
        let digit = c.to_digit(radix).ok_or(NumberFault::Malformed)?;
        value = value
            .and_then(|value| value.checked_mul(i128::from(radix)))
            .and_then(|value| value.checked_add(i128::from(digit)));
    }
    Ok(value)
}

fn read_float(text: &str, digits: &str) -> Result<f64, NumberFault> {
    let mut plain = String::with_capacity(text.len());
    let mut underscore_may_follow = false;
    for c in text.chars() {
        match c {
            '_' if underscore_may_follow => continue,
            '0'..='9' => underscore_may_follow = true,
            '.' | '+' | '-' | 'e' | 'E' => underscore_may_follow = false,
            _ => return Err(NumberFault::Malformed),
        }
        plain.push(c);
    }
    if !digits.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return Err(NumberFault::Malformed);
    }
    let value: f64 = plain.parse().map_err(|_| NumberFault::Malformed)?;
    if value.is_finite() { Ok(value) } else { Err(NumberFault::TooLarge) }
}

/// One character of a string or character literal.
pub(crate) enum Piece {
    /// Stands for a character.
    Char(char),
    /// A line break after a backslash, with the white space that follows: nothing.
    Continuation,
    /// A backslash and what follows it have no meaning.
    Unknown,
}

/// Reads the escape that `rest` starts with (a backslash first), and says how
/// many bytes it takes.
pub(crate) fn read_escape(rest: &str) -> (Piece, usize) {
    let mut chars = rest.chars();
    chars.next();
    let Some(c) = chars.next() else { return (Piece::Unknown, 1) };
    let plain = match c {
        '\'' | '"' | '\\' => Some(c),
        'n' => Some('\n'),
        'r' => Some('\r'),
        't' => Some('\t'),
        '0' => Some('\0'),
        _ => None,
    };
    if let Some(plain) = plain {
        return (Piece::Char(plain), 2);
    }
    match c {
        'x' => read_code(rest.get(2..4), 4, |code| code < 0x80),
        'u' => {
            // Six digits at most, so that a text of open escapes takes linear time.
            let digits = rest.as_bytes().iter().skip(3).take(7).position(|byte| *byte == b'}');
            match digits.and_then(|digits| rest.get(2..4 + digits)) {
                Some(code) if code.starts_with('{') => {
                    read_code(code.get(1..code.len() - 1), 2 + code.len(), |_| true)
                }
                _ => (Piece::Unknown, 2),
            }
        }
        '\n' | '\r' if c == '\n' || rest[2..].starts_with('\n') => {
            let blank = |c: char| matches!(c, ' ' | '\t' | '\n' | '\r');
            (Piece::Continuation, rest.len() - rest[1..].trim_start_matches(blank).len())
        }
        // A line break ends the string; it is not part of a faulty escape.
        '\n' | '\r' => (Piece::Unknown, 1),
        _ => (Piece::Unknown, 1 + c.len_utf8()),
    }
}

fn read_code(digits: Option<&str>, taken: usize, allowed: fn(u32) -> bool) -> (Piece, usize) {
    let read = digits
        .filter(|digits| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_hexdigit()))
        .and_then(|digits| u32::from_str_radix(digits, 16).ok())
        .filter(|code| allowed(*code))
        .and_then(char::from_u32);
    match read {
        Some(c) => (Piece::Char(c), taken),
        None => (Piece::Unknown, 2),
    }
}

/// The bytes of a string or character literal without its quotes.
pub(crate) fn content(literal: &str) -> Span {
    let hashes = literal.strip_prefix('r').map_or(0, |rest| {
        // `r`, then as many hashes on either side.
        1 + rest.bytes().take_while(|byte| *byte == b'#').count()
    });
    let closing = 1 + hashes.saturating_sub(1);
    hashes + 1..literal.len().saturating_sub(closing).max(hashes + 1)
}

/// The text that a closed literal with known escapes stands for.
pub(crate) fn unquote(literal: &str) -> String {
    let content = &literal[content(literal)];
    if literal.starts_with('r') || !content.contains('\\') {
        return content.to_owned();
    }
    let mut text = String::with_capacity(content.len());
    let mut rest = content;
    while let Some(escape) = rest.find('\\') {
        text.push_str(&rest[..escape]);
        let (piece, taken) = read_escape(&rest[escape..]);
        if let Piece::Char(c) = piece {
            text.push(c);
        }
        rest = &rest[escape + taken..];
    }
    text + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, value: f64, integer: Option<i128>) {
        let number = read_number(text).expect("a number");
        assert_eq!(number.value.to_bits(), value.to_bits(), "{text}");
        assert_eq!(number.integer, integer, "{text}");
    }

    #[track_caller]
    fn check_fault(text: &str, fault: NumberFault) {
        assert_eq!(read_number(text).expect_err("a fault"), fault, "{text}");
    }

    #[test]
    fn whole_numbers_are_exact() {
        check("0", 0.0, Some(0));
        check("-0", 0.0, Some(0));
        check("12_288", 12288.0, Some(12288));
        check("+7", 7.0, Some(7));
        check("18446744073709551615", 18446744073709551615.0, Some(u64::MAX.into()));
        check("0xff", 255.0, Some(255));
        check("-0b10_1", -5.0, Some(-5));
        check("0o17", 15.0, Some(15));
    }

    #[test]
    fn a_whole_number_beyond_128_bits_is_a_float() {
        check("1000000000000000000000000000000000000000000", 1e42, None);
    }

    #[test]
    fn floats_round_to_the_nearest_double() {
        check("0.1", 0.1, None);
        check(".5", 0.5, None);
        check("1.", 1.0, None);
        check("1e-9", 1e-9, None);
        check("-1_0.5e+3", -10500.0, None);
        check("1e40", 1e40, None);
        check("-0.0", -0.0, None);
        check("1e-999", 0.0, None);
    }

    #[test]
    fn what_terrain_cannot_be_made_of_is_refused() {
        check_fault("-inf", NumberFault::NotFinite);
        check_fault("+NaN", NumberFault::NotFinite);
        check_fault("1e999", NumberFault::TooLarge);
        check_fault("0x1_0000_0000_0000_0000", NumberFault::TooLarge);
    }

    #[test]
    fn what_is_no_number_is_refused() {
        for text in [
            "-",
            "+",
            ".",
            "..",
            "1..2",
            "1u8",
            "1f32",
            "0x",
            "0xg",
            "0x_1",
            "_1",
            "1._5",
            "1e",
            "1e_5",
            "33deg",
            "--1",
            "+-1",
            "-_1",
            "0b2",
            "1.2.3",
            "1-2",
            "-infinity",
            "0X1F",
        ] {
            check_fault(text, NumberFault::Malformed);
        }
    }

    #[test]
    fn quotes_and_escapes_come_off() {
        assert_eq!(unquote(r#""a\n\u{e5}\x41\"""#), "a\nåA\"");
        assert_eq!(unquote("\"a\\\n   b\""), "ab");
        assert_eq!(unquote("\"a\\\r\n \n b\""), "ab");
        assert_eq!(unquote("r##\"a\\\"#b\"##"), "a\\\"#b");
        assert_eq!(unquote("'x'"), "x");
    }

    #[test]
    fn the_content_lies_between_the_quotes() {
        assert_eq!(content("\"ab\""), 1..3);
        assert_eq!(content("r\"ab\""), 2..4);
        assert_eq!(content("r#\"ab\"#"), 3..5);
    }
}
