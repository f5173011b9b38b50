//! Suggestions for misspelled values.

use super::RULES;
use super::key::TextKey;
use crate::Experiment;
use faultlab_core::spelling::{nearest, similar};

/// Maximum length of a value for which a suggestion is searched, in bytes.
const MAX_VALUE: usize = 200;

/// Returns `value` with its misspelled words replaced by words that the key accepts; `None` if the
/// key does not accept the result either.
pub(super) fn similar_value(experiment: &Experiment, key: &TextKey, value: &str) -> Option<String> {
    // The errors of rules have their own suggestions.
    if value.len() > MAX_VALUE || key.name == RULES {
        return None;
    }
    let accepted = (key.accepted)(experiment);
    // A single letter or digit resembles every other one.
    let known: Vec<&str> = words(&accepted).filter(|word| word.len() > 1).collect();
    let is_accepted = |similar: &String| similar != value && (key.read)(&mut experiment.clone(), similar).is_ok();
    // The accepted values are described in prose, so that a word of the description may be wrong as
    // a value, such as "node" for "nodes".
    let one =
        || words(value).find_map(|word| with_one_word_replaced(value, word, &known).into_iter().find(is_accepted));
    with_unknown_words_replaced(value, &known).filter(is_accepted).or_else(one)
}

/// Returns `value` with the words that are not in `known` replaced by the most similar ones, except
/// numbers.
fn with_unknown_words_replaced(value: &str, known: &[&str]) -> Option<String> {
    let mut similar = String::new();
    let mut rest = value;
    for word in words(value) {
        let (before, after) = rest.split_once(word)?;
        similar.push_str(before);
        similar.push_str(if known.contains(&word) { word } else { nearest(word, known).unwrap_or(word) });
        rest = after;
    }
    similar.push_str(rest);
    Some(similar)
}

/// Returns `value` with the first occurrence of `word` replaced by each similar other word of `known`,
/// the most similar first.
fn with_one_word_replaced(value: &str, word: &str, known: &[&str]) -> Vec<String> {
    let others = similar(word, known).into_iter().filter(|other| *other != word);
    others.map(|other| value.replacen(word, other, 1)).collect()
}

/// Returns the words of a text; a word may contain hyphens.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '-').filter(|word| !word.is_empty())
}
