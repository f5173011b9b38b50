//! Tokens of a text of rules, the input of the grammar.

use super::error::PositionedError;

/// A word, number, sign or sentence, with its position in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token<'t> {
    /// The source text; a sentence includes its opening quotation mark.
    pub(super) text: &'t str,
    /// The position of the first byte of the token.
    pub(super) at: u32,
}

/// Returns whether a character may be part of a word: `my-west-first`, `0+`, `12`.
fn is_of_word(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || matches!(letter, '-' | '+' | '_')
}

/// Splits `text` into tokens. `#` starts a comment. A sentence must end on its line.
pub(super) fn tokens(text: &str) -> Result<Vec<Token<'_>>, PositionedError> {
    let mut tokens = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        let at = (text.len() - rest.len()) as u32;
        let Some(first) = rest.chars().next() else { return Ok(tokens) };
        let length = match first {
            '#' => {
                rest = &rest[rest.find('\n').unwrap_or(rest.len())..];
                continue;
            }
            '"' => {
                let end = rest[1..].find(['"', '\n']).filter(|end| rest.as_bytes()[end + 1] == b'"');
                let Some(end) = end else {
                    let accepted = "a closing quotation mark on the same line";
                    return Err(PositionedError::new(at, "the sentence does not end", accepted));
                };
                tokens.push(Token { text: &rest[..=end], at });
                rest = &rest[end + 2..];
                continue;
            }
            '(' | ')' | ',' | '=' => 1,
            letter if is_of_word(letter) => rest.find(|letter| !is_of_word(letter)).unwrap_or(rest.len()),
            letter => {
                let accepted = "words, numbers, a sentence in quotation marks, ( ) , = and # before a comment";
                return Err(PositionedError::new(at, format!("{} is not accepted", letter), accepted));
            }
        };
        tokens.push(Token { text: &rest[..length], at });
        rest = &rest[length..];
    }
}
