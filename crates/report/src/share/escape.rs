//! Escaping of texts for other languages.

/// Returns `text` with the characters replaced for which `escape` returns a replacement.
fn escape_with(text: &str, escape: fn(char) -> Option<&'static str>) -> String {
    let mut written = String::with_capacity(text.len());
    for letter in text.chars() {
        match escape(letter) {
            Some(other) => written.push_str(other),
            None => written.push(letter),
        }
    }
    written
}

/// Escapes a text for HTML, between tags and in attributes.
pub(super) fn html(text: &str) -> String {
    escape_with(text, |letter| match letter {
        '&' => Some("&amp;"),
        '<' => Some("&lt;"),
        '>' => Some("&gt;"),
        '"' => Some("&quot;"),
        _ => None,
    })
}

/// Percent-encodes the characters of a link that would end the link inside other text. Experiments
/// are parsed alike with and without the encoding.
pub(super) fn percent(link: &str) -> String {
    escape_with(link, |letter| match letter {
        ' ' => Some("%20"),
        '"' => Some("%22"),
        '$' => Some("%24"),
        '(' => Some("%28"),
        ')' => Some("%29"),
        '<' => Some("%3C"),
        '>' => Some("%3E"),
        '\\' => Some("%5C"),
        '^' => Some("%5E"),
        '{' => Some("%7B"),
        '}' => Some("%7D"),
        '`' => Some("%60"),
        '~' => Some("%7E"),
        _ => None,
    })
}

/// Escapes a text for Markdown, between the brackets of a link.
pub(super) fn markdown(text: &str) -> String {
    escape_with(text, |letter| match letter {
        '\\' => Some("\\\\"),
        '[' => Some("\\["),
        ']' => Some("\\]"),
        '*' => Some("\\*"),
        '_' => Some("\\_"),
        '`' => Some("\\`"),
        '<' => Some("\\<"),
        '\n' => Some(" "),
        _ => None,
    })
}

/// Escapes a text for LaTeX. In an address hyperref reverts these escapes, also where `\href` is in
/// the argument of another command.
pub(super) fn latex(text: &str) -> String {
    escape_with(text, |letter| match letter {
        '\\' => Some("\\textbackslash{}"),
        '{' => Some("\\{"),
        '}' => Some("\\}"),
        '%' => Some("\\%"),
        '#' => Some("\\#"),
        '&' => Some("\\&"),
        '_' => Some("\\_"),
        '$' => Some("\\$"),
        '~' => Some("\\textasciitilde{}"),
        '^' => Some("\\textasciicircum{}"),
        _ => None,
    })
}

/// Quotes a text as one argument of a POSIX shell.
pub(super) fn shell(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}
