//! Check of the comments' language (docs/style.md).
//!
//! The first line of an item's documentation stands alone, and comments use no word of the list
//! [`AVOIDED`].

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::layers::rust_files;

/// Folders whose Rust files are checked.
const FOLDERS: [&str; 7] = ["benches", "bindings", "crates", "examples", "src", "tests", "xtask"];

/// Words that cannot begin the documentation of an item: the reader would miss their subject.
const OPENERS: [&str; 24] = [
    "What",
    "Whether",
    "How",
    "Why",
    "Where",
    "Which",
    "Who",
    "Whose",
    "Whoever",
    "The same",
    "That of",
    "Those",
    "These",
    "That",
    "So",
    "Its",
    "Their",
    "It",
    "They",
    "Nobody",
    "Somebody",
    "Of",
    "All of it",
    "All of them",
];

/// Metaphors and unnamed actors, in lower case.
const AVOIDED: [&str; 16] = [
    "nobody",
    "somebody",
    "whoever",
    "one's own",
    "trifle",
    "barren",
    "errand",
    "crew",
    "shelf",
    "foretold",
    "tells apart",
    "told apart",
    "comes to nothing",
    "came to nothing",
    "for want of",
    "goes along",
];

/// Checks every Rust file of the checkout at `top`. The error lists the comments to rewrite.
pub(crate) fn check(top: &Path) -> Result<String> {
    let (mut problems, mut count) = (Vec::new(), 0);
    for folder in FOLDERS {
        for file in rust_files(&top.join(folder))? {
            let text = fs::read_to_string(&file).with_context(|| format!("reading {}", file.display()))?;
            let found = problems_in(&text).into_iter();
            problems.extend(found.map(|(line, problem)| format!("{}:{line}: {problem}", file.display())));
            count += 1;
        }
    }
    if !problems.is_empty() {
        bail!("comments to rewrite, see docs/style.md:\n  {}", problems.join("\n  "));
    }
    Ok(format!("comments of {count} files"))
}

/// Returns the problems of a file's comments with their lines, which count from 1.
fn problems_in(text: &str) -> Vec<(usize, String)> {
    let mut problems = Vec::new();
    let mut is_inside = false;
    for (line, number) in text.lines().map(str::trim_start).zip(1..) {
        let doc = line.strip_prefix("///").or_else(|| line.strip_prefix("//!")).map(str::trim_start);
        if let Some(doc) = doc
            && !is_inside
        {
            let opener = OPENERS.into_iter().find(|opener| begins_with(doc, opener));
            problems.extend(opener.map(|opener| (number, format!("documentation begins with \"{opener}\""))));
        }
        is_inside = doc.is_some();
        // Lines with a quotation are exempt.
        if line.starts_with("//") && !line.contains('"') {
            let lower = line.to_lowercase();
            let word = AVOIDED.into_iter().find(|word| has_word(&lower, word));
            problems.extend(word.map(|word| (number, format!("\"{word}\""))));
        }
    }
    problems
}

fn begins_with(text: &str, word: &str) -> bool {
    text.strip_prefix(word).is_some_and(|rest| !rest.starts_with(is_word))
}

fn has_word(text: &str, word: &str) -> bool {
    text.match_indices(word)
        .any(|(start, _)| !text[..start].ends_with(is_word) && !text[start + word.len()..].starts_with(is_word))
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openers_and_avoided_words_are_found() {
        let text = "//! Whether it is.\n//! How it is.\n\n/// Itself is fine.\n/// The same of others.\nfn a() {}\n// nobody waits\n\
                    let nobody = 1;\n/// Returns whether it is.\n";
        let lines: Vec<_> = problems_in(text).into_iter().map(|(line, _)| line).collect();
        assert_eq!(lines, [1, 7]);
        assert_eq!(problems_in("/// The same of others.").len(), 1);
    }

    #[test]
    fn checkout_follows_the_style() {
        check(&Path::new(env!("CARGO_MANIFEST_DIR")).join("..")).unwrap();
    }
}
