//! Tables as comma-separated text (RFC 4180), for spreadsheets and scripts.

use std::fmt::Write as _;

use bajada_grid::Table;

/// `table` as CSV: a line of names, then a line for each row. Numbers are the
/// shortest decimals that read back to the same bits, with a point; names of
/// columns need no quotes, since they are made of letters, digits and `_`.
pub fn encode_csv(table: &Table) -> Vec<u8> {
    let names: Vec<&str> = table.columns.iter().map(|column| column.name).collect();
    let mut text = names.join(",");
    text.push('\n');
    for row in &table.rows {
        for (place, value) in row.iter().enumerate() {
            let comma = if place == 0 { "" } else { "," };
            // Writing to a String cannot fail. Adding 0 makes -0 a 0.
            let _ = write!(text, "{comma}{}", value + 0.0);
        }
        text.push('\n');
    }
    text.into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;
    use bajada_grid::Column;

    #[test]
    fn numbers_read_back_to_the_same_bits() {
        let numbers = [0.1 + 0.2, 1e-300, -123_456_789.25, -0.0, 5.0];
        let columns =
            ["a_m", "b_m", "c_m", "d_m", "e"].map(|name| Column { name, unit: "m" }).to_vec();
        let table = Table { columns, rows: vec![numbers.to_vec()] };
        let text = String::from_utf8(encode_csv(&table)).expect("text");
        let mut lines = text.lines();
        assert_eq!(lines.next(), Some("a_m,b_m,c_m,d_m,e"));
        let read: Vec<f64> =
            lines.next().expect("a row").split(',').map(|n| n.parse().expect("a number")).collect();
        assert_eq!(read, numbers);
        assert_eq!(lines.next(), None);
    }

    #[test]
    fn a_table_without_rows_still_has_its_names() {
        let table = Table { columns: vec![Column { name: "x_m", unit: "m" }], rows: vec![] };
        assert_eq!(encode_csv(&table), b"x_m\n");
    }
}
