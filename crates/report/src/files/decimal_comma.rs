//! CSV with decimal commas and semicolons, for spreadsheets in languages that write numbers so.

use super::csv::quoted;

/// Columns of numbers that may have decimals. Others may contain nodes of meshes, such as `1.2`.
const NUMBERS: [&str; 11] = [
    "x",
    "mean",
    "ci95_low",
    "ci95_high",
    "utilization",
    "entering",
    "entering_low",
    "entering_high",
    "leaving",
    "leaving_low",
    "leaving_high",
];

/// Returns a CSV file with semicolons between the fields, and with decimal commas in the columns of
/// numbers. Lines before the column headings are not changed.
pub fn with_decimal_comma(csv: &str) -> String {
    let mut converted = String::with_capacity(csv.len());
    let mut headings: Vec<String> = Vec::new();
    let mut rest = csv;
    while !rest.is_empty() {
        if headings.is_empty() && rest.starts_with('#') {
            let end = rest.find('\n').map_or(rest.len(), |end| end + 1);
            converted.push_str(&rest[..end]);
            rest = &rest[end..];
            continue;
        }
        let fields;
        (fields, rest) = next_line(rest);
        let convert = |(column, field): (usize, &String)| {
            let is_number = headings.get(column).is_some_and(|heading| NUMBERS.contains(&heading.as_str()));
            let field = if is_number { field.replacen('.', ",", 1) } else { field.clone() };
            quoted(&field, ';').into_owned()
        };
        converted.push_str(&fields.iter().enumerate().map(convert).collect::<Vec<_>>().join(";"));
        converted.push('\n');
        if headings.is_empty() {
            headings = fields;
        }
    }
    converted
}

/// Splits the first line of a CSV text into its fields, without their quotes. Returns the rest of
/// the text too.
fn next_line(csv: &str) -> (Vec<String>, &str) {
    let (mut fields, mut is_quoted) = (vec![String::new()], false);
    let mut characters = csv.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        let doubled = is_quoted && character == '"' && characters.peek().is_some_and(|next| next.1 == '"');
        match character {
            '\n' if !is_quoted => return (fields, &csv[at + 1..]),
            ',' if !is_quoted => fields.push(String::new()),
            '"' if !doubled => is_quoted = !is_quoted,
            _ => {
                if doubled {
                    characters.next();
                }
                fields.iter_mut().last().into_iter().for_each(|field| field.push(character));
            }
        }
    }
    (fields, "")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::{csv, table};
    use faultlab_experiment::{Sweep, run};

    #[test]
    fn converted_numbers_read_back_to_the_same_bits() {
        let text = "v=2&net=mesh:4x4&switch=wormhole&faults=none&route=e-cube&vary=load:0.1,0.25&length=4&within=0.2";
        let mut sweep = Sweep::new(&text.parse().unwrap());
        run(&mut sweep);
        let table = table::table(&sweep);
        let converted = with_decimal_comma(&csv::csv(&table));
        let mut lines = converted.lines().filter(|line| !line.starts_with('#'));
        assert_eq!(lines.next(), Some("series;x;outcome;metric;unit;mean;ci95_low;ci95_high;n;runs;reason"));
        let mut rows = 0;
        for (line, row) in lines.zip(&table.rows) {
            let fields: Vec<_> = line.split(';').collect();
            let number = |column: usize| fields[column].replace(',', ".").parse::<f64>().ok();
            assert_eq!(number(1), row.x, "{line}");
            assert_eq!(number(5), row.estimate.map(|estimate| estimate.mean), "{line}");
            assert!(!fields[5].contains('.'), "{line}");
            rows += 1;
        }
        assert_eq!(rows, table.rows.len());
    }

    #[test]
    fn only_numbers_change() {
        let csv = "# faultlab 1.0.0\n# experiment v=1&vary=load:0.1,0.2\nseries,from,mean,reason\n\
                   a,1.2,0.5,\"one, \"\"two\"\"; 3.5\"\nb,1.3,1.5e-7,\"two\nlines\"\n";
        let wanted = "# faultlab 1.0.0\n# experiment v=1&vary=load:0.1,0.2\nseries;from;mean;reason\n\
                      a;1.2;0,5;\"one, \"\"two\"\"; 3.5\"\nb;1.3;1,5e-7;\"two\nlines\"\n";
        assert_eq!(with_decimal_comma(csv), wanted);
    }
}
