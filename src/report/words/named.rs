//! The nodes that a sentence names, to be shown in the picture beside it.

use std::ops::Range;

use super::node_of;
use crate::topology::{Network, NodeId};

/// Where `text` names nodes of `network`: by all their binary digits, or in hexadecimal, or as `(row,column)`. Numbers alone may mean
/// anything: processors of fat-trees and nodes of the 1- and 2-cube are not found.
pub fn nodes_in(network: Network, text: &str) -> Vec<(Range<usize>, NodeId)> {
    let inside = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '.' | ',');
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(start) = text[from..].find(inside).map(|gap| from + gap) {
        let end = text[start..].find(|letter| !inside(letter)).map_or(text.len(), |length| start + length);
        from = end;
        let word = &text[start..end];
        if network.mesh().is_some() {
            let enclosed = text[..start].ends_with('(') && text[end..].starts_with(')');
            let node = network.parse_node(&word.replace(',', ".")).filter(|_| enclosed);
            found.extend(node.map(|node| (start - 1..end + 1, node)));
        } else if network.cube().is_some_and(|cube| cube.dimension() > 2) {
            let word = word.trim_end_matches(['.', ',']);
            let read = if word.starts_with("0x") { word.to_owned() } else { format!("0b{word}") };
            let node = network.parse_node(&read).filter(|&node| node_of(network, node) == word);
            found.extend(node.map(|node| (start..start + word.len(), node)));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(network: &str, text: &str) -> Vec<(String, u64)> {
        let found = nodes_in(Network::parse(network).unwrap(), text);
        found.into_iter().map(|(range, node)| (text[range].to_owned(), node.0)).collect()
    }

    #[test]
    fn nodes_are_found_as_they_are_written() {
        let of = |name: &str, node| (name.to_owned(), node);
        assert_eq!(names("cube:4", "From 0101 to 1111, not 101, 10111 or 2."), [of("0101", 5), of("1111", 15)]);
        assert_eq!(names("cube:12", "at 0xfff."), [of("0xfff", 4095)]);
        assert_eq!(names("mesh:4x4", "1,2 (1,2)–(3,0) and (4,4), 12%"), [of("(1,2)", 6), of("(3,0)", 12)]);
        assert_eq!(names("mesh:3x3x3", "é(1,0,2)"), [of("(1,0,2)", 11)]);
        assert_eq!(names("tree:16", "3 to 5"), []);
        assert_eq!(names("cube:2", "11 messages"), []);
        assert_eq!(names("cube:4", ""), []);
    }
}
