//! Reader of comma-separated values, as in RFC 4180.

/// Maximum number of cells in a record, which limits the memory for them; the last cell contains the
/// remainder of a longer record.
const MAX_CELLS: usize = 1000;

/// Returns the records of a text, each with the number of its first line, counted from 1. Empty
/// lines, and lines that begin with `#`, are left out; cells have no blanks around them.
pub(super) fn records(text: &str, separator: char) -> impl Iterator<Item = (usize, Vec<String>)> {
    let mut rest = text;
    let mut next_line = 1;
    std::iter::from_fn(move || {
        while !rest.is_empty() {
            let (cells, length) = record(rest, separator);
            let (read, after) = rest.split_at(length);
            let line = next_line;
            next_line += read.matches('\n').count();
            rest = after;
            if !read.trim().is_empty() && !read.starts_with('#') {
                return Some((line, cells));
            }
        }
        None
    })
}

/// Returns the cells of the first record of `text`, and its length in bytes with its line break. A
/// quoted cell may contain separators, line breaks and doubled quotes.
fn record(text: &str, separator: char) -> (Vec<String>, usize) {
    let is_comment = text.starts_with('#');
    let (mut cells, mut cell) = (Vec::new(), String::new());
    let (mut is_quoted, mut is_after_quote) = (false, false);
    let mut length = text.len();
    for (at, letter) in text.char_indices() {
        match letter {
            '"' if is_quoted => (is_quoted, is_after_quote) = (false, true),
            '"' if is_after_quote => {
                cell.push('"');
                (is_quoted, is_after_quote) = (true, false);
            }
            '"' if cell.trim().is_empty() && !is_comment => is_quoted = true,
            '\n' if !is_quoted => {
                length = at + 1;
                break;
            }
            letter if letter == separator && !is_quoted && cells.len() + 1 < MAX_CELLS => {
                cells.push(std::mem::take(&mut cell).trim().to_owned());
                is_after_quote = false;
            }
            letter => cell.push(letter),
        }
    }
    cells.push(cell.trim().to_owned());
    (cells, length)
}

#[cfg(test)]
mod tests {
    use super::{MAX_CELLS, records};

    #[test]
    fn records_unquote_cells_and_count_lines() {
        let text = "# a \"comment\n a , \"b, \"\"c\"\"\nd\" \r\n\n1,,\"\"";
        let read: Vec<_> = records(text, ',').collect();
        assert_eq!(read[0], (2, vec!["a".to_owned(), "b, \"c\"\nd".to_owned()]));
        assert_eq!(read[1], (5, vec!["1".to_owned(), String::new(), String::new()]));
        assert_eq!(read.len(), 2);
        let long: Vec<_> = records(&",".repeat(2000), ',').map(|(_, cells)| cells.len()).collect();
        assert_eq!(long, [MAX_CELLS]);
    }
}
