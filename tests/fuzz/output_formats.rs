//! Validation of output formats: tables, JSON documents and pictures with finite numbers.
#![allow(clippy::panic, reason = "a test that cannot go on has failed")]

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::sync::{LazyLock, Mutex, PoisonError};

use jsonschema::Validator;

/// Checks that CSV has headings and that every row has as many fields. Returns the number of rows.
pub(crate) fn csv(text: &str, of: &str) -> usize {
    let mut rows = text.lines().filter(|line| !line.starts_with('#')).map(fields);
    let headings = rows.next().unwrap_or_else(|| panic!("{of}: no headings\n{text}"));
    let mut count = 0;
    for row in rows {
        assert_eq!(row, headings, "{of}: row {count}\n{text}");
        count += 1;
    }
    count
}

/// Counts the fields of a CSV line; commas inside quotes do not separate fields.
fn fields(line: &str) -> usize {
    let mut quoted = false;
    let ends = line.chars().filter(|&char| {
        quoted ^= char == '"';
        char == ',' && !quoted
    });
    1 + ends.count()
}

/// Checks that a document is valid under the schema `name` in `docs/schemas/`.
pub(crate) fn json(text: &str, name: &'static str, of: &str) {
    static SCHEMAS: LazyLock<Mutex<HashMap<&str, Validator>>> = LazyLock::new(Mutex::default);
    let document = serde_json::from_str(text).unwrap_or_else(|problem| panic!("{of}: {problem}\n{text}"));
    let mut schemas = SCHEMAS.lock().unwrap_or_else(PoisonError::into_inner);
    let schema = schemas.entry(name).or_insert_with(|| schema(name));
    let problems: Vec<_> =
        schema.iter_errors(&document).map(|problem| format!("{problem} at {}", problem.instance_path())).collect();
    assert!(problems.is_empty(), "{of}: {problems:#?}\n{text}");
}

fn schema(name: &str) -> Validator {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("docs/schemas/{name}.json"));
    let text = fs::read_to_string(&file).expect("a schema");
    jsonschema::validator_for(&serde_json::from_str(&text).expect("JSON")).expect("a valid schema")
}

/// Checks that a picture is an XML document with an `svg` root, and that its numbers are finite.
pub(crate) fn svg(text: &str, of: &str) {
    let document = roxmltree::Document::parse(text).unwrap_or_else(|problem| panic!("{of}: {problem}\n{text}"));
    assert_eq!(document.root_element().tag_name().name(), "svg", "{of}: {text}");
    let attributes = document.descendants().flat_map(|node| node.attributes());
    for attribute in attributes.filter(|attribute| attribute.name() != "font-family") {
        let odd = invalid_number(attribute.value()).filter(|odd| !odd.starts_with("-0"));
        assert!(odd.is_none(), "{of}: {}={}", attribute.name(), attribute.value());
    }
}

/// Checks that a text contains no NaN, infinity or negative zero.
pub(crate) fn numbers(text: &str, of: &str) {
    let odd = invalid_number(text);
    assert!(odd.is_none(), "{of}: prints {odd:?}:\n{text}");
}

/// Returns the first NaN, infinity or negative zero of a text.
fn invalid_number(text: &str) -> Option<&str> {
    let words = text.split(|char: char| !(char.is_alphanumeric() || "+-.".contains(char)));
    let is_odd = |word: &&str| {
        let digits = word.strip_prefix('-').unwrap_or(word);
        let is_number = digits.starts_with(|char: char| char.is_ascii_digit());
        digits == "NaN" || digits == "inf" || word.starts_with('-') && is_number && digits.parse() == Ok(0.0)
    };
    words.into_iter().find(is_odd)
}
