//! Texts as they may stand in other languages.

/// `text` with what `escape` makes of some of its letters in their places.
fn replaced(text: &str, escape: fn(char) -> Option<&'static str>) -> String {
    let mut written = String::with_capacity(text.len());
    for letter in text.chars() {
        match escape(letter) {
            Some(other) => written.push_str(other),
            None => written.push(letter),
        }
    }
    written
}

/// In HTML, between tags and in attributes.
pub(super) fn html(text: &str) -> String {
    replaced(text, |letter| match letter {
        '&' => Some("&amp;"),
        '<' => Some("&lt;"),
        '>' => Some("&gt;"),
        '"' => Some("&quot;"),
        _ => None,
    })
}

/// In the address of a link, what would end the link where other text is around. Experiments are read alike with and without.
pub(super) fn percent(link: &str) -> String {
    replaced(link, |letter| match letter {
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

/// In Markdown, between the brackets of a link.
pub(super) fn markdown(text: &str) -> String {
    replaced(text, |letter| match letter {
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

/// In LaTeX. In an address hyperref takes these escapes back, also where `\href` is in the argument of another command.
pub(super) fn latex(text: &str) -> String {
    replaced(text, |letter| match letter {
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

/// As one argument of a POSIX shell.
pub(super) fn shell(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}
