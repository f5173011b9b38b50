//! Functions by names that stay from one build to the next.

use std::collections::BTreeSet;

use anyhow::{Result, bail};
use walrus::Function;

/// What all functions of this project have in their names, or in those of their types.
const OURS: &str = "faultlab::";

/// Fingerprints of names. The names themselves are 220 kB: they have the types of everything generic in them.
#[derive(Debug, PartialEq)]
pub(crate) struct Listed(BTreeSet<u32>);

impl Listed {
    /// Reads what [`Listed::text`] writes.
    pub(crate) fn read(text: &str) -> Result<Self> {
        let mut listed = BTreeSet::new();
        for word in text.lines().filter(|line| !line.starts_with('#')).flat_map(str::split_whitespace) {
            match u32::from_str_radix(word, 16) {
                Ok(fingerprint) => listed.insert(fingerprint),
                Err(_) => bail!("'{word}' is no fingerprint of eight hexadecimal digits"),
            };
        }
        Ok(Self(listed))
    }

    /// The list of these functions.
    pub(crate) fn of<'f>(functions: impl Iterator<Item = &'f Function>) -> Self {
        Self(functions.filter_map(|function| function.name.as_deref()).map(fingerprint).collect())
    }

    /// Whether the function is listed. One without a name always is.
    pub(crate) fn has(&self, function: &Function) -> bool {
        function.name.as_deref().is_none_or(|name| self.0.contains(&fingerprint(name)))
    }

    /// All of them in order, ten in a line.
    pub(crate) fn text(&self) -> String {
        let mut text = String::from(
            "# Functions that run until the first look at the page is drawn, by fingerprints of their names.\n",
        );
        text.push_str("# `cargo xtask first` writes this file.\n");
        let words: Vec<_> = self.0.iter().map(|fingerprint| format!("{fingerprint:08x}")).collect();
        for line in words.chunks(10) {
            text.push_str(&line.join(" "));
            text.push('\n');
        }
        text
    }
}

/// FNV-1a over what of a name stays.
fn fingerprint(name: &str) -> u32 {
    folded(0x811c_9dc5, &stable(name))
}

/// What of a name is the same in every build of the same sources: not what hangs on versions and places of crates, which are numbers in brackets behind their
/// names, nor what tells functions of one name apart. Of functions that are alike the compiler keeps one, now this, now that: of those that are not ours, the
/// innermost types are left out.
fn stable(name: &str) -> String {
    let end = |digit: char| digit.is_ascii_digit();
    let name = name.strip_suffix(']').and_then(|name| name.trim_end_matches(end).strip_suffix('[')).unwrap_or(name);
    let name = name.trim_end_matches(end).strip_suffix('.').unwrap_or(name);
    let name = without_versions(name);
    if name.contains(OURS) { name } else { without_innermost(&name) }
}

fn without_versions(name: &str) -> String {
    let mut parts = name.split('[');
    let mut kept = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.split_once(']') {
            Some((digits, rest)) if digits.len() > 7 && digits.bytes().all(|one| one.is_ascii_hexdigit()) => {
                kept.push_str(rest);
            }
            _ => kept.extend(["[", part]),
        }
    }
    kept
}

fn without_innermost(name: &str) -> String {
    let mut kept = String::new();
    let mut innermost = None;
    for letter in name.chars() {
        match letter {
            '<' => innermost = Some(kept.len() + 1),
            // The arrow before what a function returns is no bracket.
            '>' if !kept.ends_with('-') => kept.truncate(innermost.take().unwrap_or(kept.len())),
            _ => {}
        }
        kept.push(letter);
    }
    kept
}

fn folded(hash: u32, text: &str) -> u32 {
    text.bytes().fold(hash, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fingerprints_are_those_of_fnv() {
        // Published values of FNV-1a with 32 bits.
        assert_eq!([fingerprint(""), fingerprint("a"), fingerprint("foobar")], [0x811c_9dc5, 0xe40c_292c, 0xbf9c_f968]);
    }

    #[test]
    fn what_tells_functions_of_one_name_apart_does_not_matter() {
        for name in ["core::f", "core::f.1808", "core::f[4]", "core[c5930c85a12de822]::f"] {
            assert_eq!(stable(name), "core::f");
        }
        assert_eq!(stable("faultlab[c5930c85a12de822]::f::<[u8; 8]>"), "faultlab::f::<[u8; 8]>");
    }

    #[test]
    fn innermost_types_do_not_matter_where_none_is_ours() {
        assert_eq!(
            stable("<alloc::vec::Vec<usize>>::reserve"),
            stable("<alloc::vec::Vec<alloc::string::String>>::reserve")
        );
        assert_eq!(stable("a::<fn(u8) -> b::C<u8>>"), "a::<fn(u8) -> b::C<>>");
        assert_ne!(stable("<Vec<faultlab::a::B>>::push"), stable("<Vec<faultlab::a::C>>::push"));
    }

    #[test]
    fn lists_are_read_as_they_are_written() {
        let listed = Listed((0..25).map(|one| one * 0x0765_4321).collect());
        assert_eq!(Listed::read(&listed.text()).unwrap(), listed);
        assert!(Listed::read("0123456z").is_err());
    }
}
