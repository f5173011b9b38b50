//! Reading Rust text just far enough to see which names it uses.

/// The code of a file without comments, the contents of strings, and the tests at its end.
pub(crate) fn code_of(text: &str) -> String {
    let text = text.split("\n#[cfg(test)]\nmod ").next().unwrap_or_default();
    let mut code = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let skipped = blank_length(rest);
        if skipped > 0 {
            // A border between the names on both sides.
            code.push(' ');
            rest = &rest[skipped..];
        } else {
            code.push(first);
            rest = &rest[first.len_utf8()..];
        }
    }
    code
}

/// The length of the comment or literal that `text` begins with; zero when it begins with code.
fn blank_length(text: &str) -> usize {
    let end = |closed: Option<usize>| closed.unwrap_or(text.len());
    if text.starts_with("//") {
        return end(text.find('\n'));
    }
    if text.starts_with("/*") {
        return end(text.find("*/").map(|at| at + 2));
    }
    if text.starts_with('"') {
        return end(quoted_length(text));
    }
    if let Some(raw) = text.strip_prefix("r").filter(|raw| raw.starts_with(['"', '#'])) {
        let hashes = raw.len() - raw.trim_start_matches('#').len();
        if raw[hashes..].starts_with('"') {
            let close = format!("\"{}", "#".repeat(hashes));
            let open = 1 + hashes + 1;
            return end(text[open..].find(&close).map(|at| open + at + close.len()));
        }
    }
    ["'\"'", "'\\\"'"].iter().find(|quote| text.starts_with(**quote)).map_or(0, |quote| quote.len())
}

/// The length of the string literal at the start of `text`, both quotes included.
fn quoted_length(text: &str) -> Option<usize> {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return Some(at + 1),
            _ => {}
        }
    }
    None
}

/// The names that follow `root::` anywhere, also in groups such as `crate::{a::B, c::{D, E}}`.
pub(crate) fn first_segments<'a>(code: &'a str, root: &str) -> Vec<&'a str> {
    let mut names = Vec::new();
    for (at, _) in code.match_indices(root) {
        let after = &code[at + root.len()..];
        let whole_word = !code[..at].ends_with(is_name_part);
        let Some(path) = after.trim_start().strip_prefix("::").filter(|_| whole_word) else {
            continue;
        };
        match path.trim_start().strip_prefix('{') {
            Some(group) => names.extend(group_members(group).map(leading_name)),
            None => names.push(leading_name(path)),
        }
    }
    names
}

/// The members of a group whose opening brace is already read.
fn group_members(group: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0_u32;
    let mut ended = false;
    group.split(move |letter| {
        match letter {
            _ if ended => {}
            '{' => depth += 1,
            '}' if depth == 0 => ended = true,
            '}' => depth -= 1,
            ',' => return depth == 0,
            _ => {}
        }
        false
    })
}

fn leading_name(path: &str) -> &str {
    let path = path.trim_start();
    path.split(|letter| !is_name_part(letter)).next().unwrap_or_default()
}

/// Whether `name` stands in the code, not as a part of a longer name; `gloo` also stands for `gloo_timers`.
pub(crate) fn mentions(code: &str, name: &str) -> bool {
    code.match_indices(name).any(|(at, _)| {
        let before = code[..at].chars().next_back();
        let after = code[at + name.len()..].chars().next();
        !before.is_some_and(is_name_part) && (name.ends_with('!') || !after.is_some_and(|c| c.is_ascii_alphanumeric()))
    })
}

fn is_name_part(letter: char) -> bool {
    letter == '_' || letter.is_ascii_alphanumeric()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_read_at_their_first_level() {
        let code = "use crate::{topology::{web, Node}, report::{self, Csv},};\nuse crate::web;";
        assert_eq!(
            first_segments(code, "crate").iter().filter(|name| !name.is_empty()).collect::<Vec<_>>(),
            [&"topology", &"report", &"web"]
        );
        assert!(first_segments("mycrate::web; crate ::x", "crate").eq(&["x"]));
    }

    #[test]
    fn names_are_whole_words() {
        assert!(mentions("use yew::prelude", "yew"));
        assert!(mentions("gloo_timers::x", "gloo"));
        assert!(!mentions("renewal, yewprint", "yew"));
        assert!(!mentions("eprintln!()", "println!"));
    }

    #[test]
    fn comments_strings_and_final_tests_are_no_code() {
        let code = |text: &str| code_of(text).split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(code("a // b\nc /* d\n */ e"), "a c e");
        assert_eq!(code(r##"f("x \" y", r#"z " z"#, '"', 'c')"##), "f( , , , 'c')");
        assert_eq!(code("a\n\n#[cfg(test)]\nmod tests { b }"), "a");
        assert_eq!(code("a \"open"), "a", "an unclosed literal hides the rest");
    }
}
