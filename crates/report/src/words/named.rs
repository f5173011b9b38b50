//! Entities of a network that a sentence names: nodes, links, channels of a fat-tree, messages. The
//! picture beside the sentence highlights them.

use std::ops::Range;

use super::node_of;
use faultlab_core::topology::fat_tree::{ChannelPlace, Leaves};
use faultlab_core::topology::{Link, Mesh, Network, NodeId, Port};

/// Entity that a sentence can name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Named {
    /// Node, or processor of a fat-tree.
    Node(NodeId),
    /// Link: of a hypercube one way, of a mesh from the end with the lower coordinate.
    Link(Link),
    /// Channel of a fat-tree.
    Channel(ChannelPlace),
    /// Message, by its number.
    Message(u64),
}

/// Noun before a number; the flag says whether a list of numbers may follow.
#[derive(Clone, Copy)]
enum Noun {
    Message(bool),
    Dimension(bool),
    Processor,
}

impl Noun {
    fn of(word: &str) -> Option<Self> {
        Some(match word {
            "message" | "Message" => Self::Message(false),
            "messages" => Self::Message(true),
            "dimension" => Self::Dimension(false),
            "dimensions" => Self::Dimension(true),
            "processor" | "Processor" => Self::Processor,
            _ => return None,
        })
    }

    fn goes_on(self) -> bool {
        matches!(self, Self::Message(true) | Self::Dimension(true))
    }
}

/// Finds the entities of `network` that `text` names, with their ranges. Nodes are written with all
/// their binary digits, in hexadecimal, or as `(row,column)`, because a bare number is ambiguous.
/// Directions and dimensions name the link out of `here`; without it, out of the last named node.
pub fn named_in(network: Network, text: &str, here: Option<NodeId>) -> Vec<(Range<usize>, Named)> {
    let mut found: Vec<(Range<usize>, Named)> = Vec::new();
    // The noun of the next numbers, and the start of the range of the first one.
    let mut noun = None::<(usize, Noun)>;
    let mut last = None;
    for (start, word) in words(text) {
        let range = start..start + word.len();
        if found.last().is_some_and(|found| start < found.0.end) {
            continue;
        }
        let from = here.or(last);
        if let Some(next) = Noun::of(word) {
            noun = Some((start, next));
        } else if let Some((first, counted)) = noun.filter(|_| word.bytes().all(|byte| byte.is_ascii_digit())) {
            let named = word.parse().ok().and_then(|number| counted_by(network, counted, number, from));
            found.extend(named.map(|named| (first..range.end, named)));
            noun = counted.goes_on().then_some((range.end, counted));
            // The separators of a list are not highlighted.
            noun = noun.and_then(|(end, noun)| Some((end + joint(&text[end..])?, noun)));
        } else if !matches!(word, "and" | "or") {
            noun = None;
            if let Some((range, node)) = node(network, text, range.clone()) {
                last = Some(node);
                match found.last().and_then(|before| joined(network, text, before, range.start, node)) {
                    Some((start, link)) => {
                        found.pop();
                        found.push((start..range.end, Named::Link(link)));
                    }
                    None => found.push((range, Named::Node(node))),
                }
            } else if let Some((range, channel)) = network.leaves().and_then(|leaves| channel(leaves, text, start)) {
                found.push((range, Named::Channel(channel)));
            } else if let Some(link) = network.mesh().zip(from).and_then(|(mesh, from)| direction(mesh, from, word)) {
                found.push((range, Named::Link(link)));
            }
        }
    }
    found
}

/// Iterates over the words of a text: letters and digits, without surrounding commas and full
/// stops.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let inside = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '.' | ',');
    let mut from = 0;
    std::iter::from_fn(move || {
        let start = from + text[from..].find(inside)?;
        from = text[start..].find(|letter| !inside(letter)).map_or(text.len(), |length| start + length);
        let word = text[start..from].trim_start_matches(['.', ',']);
        Some((from - word.len(), word.trim_end_matches(['.', ','])))
    })
}

/// Returns the length of the separator between two numbers of a list.
fn joint(text: &str) -> Option<usize> {
    let joints = [", ", " and ", " or "];
    joints.into_iter().find(|joint| text.starts_with(joint)).map(str::len)
}

fn counted_by(network: Network, noun: Noun, number: u64, from: Option<NodeId>) -> Option<Named> {
    match noun {
        Noun::Message(_) => Some(Named::Message(number)),
        Noun::Dimension(_) => {
            let link = Link { from: from?, dim: number.try_into().ok()? };
            network.cube().is_some_and(|cube| link.dim < cube.dimension()).then_some(Named::Link(link))
        }
        Noun::Processor => {
            network.leaves().filter(|leaves| number < leaves.processors().into()).map(|_| Named::Node(NodeId(number)))
        }
    }
}

fn node(network: Network, text: &str, range: Range<usize>) -> Option<(Range<usize>, NodeId)> {
    let word = &text[range.clone()];
    if network.mesh().is_some() {
        let enclosed = text[..range.start].ends_with('(') && text[range.end..].starts_with(')');
        let node = network.parse_node(&word.replace(',', ".")).filter(|_| enclosed);
        return node.map(|node| (range.start - 1..range.end + 1, node));
    }
    network.cube().filter(|cube| cube.dimension() > 2)?;
    let read = if word.starts_with("0x") { word.to_owned() } else { format!("0b{word}") };
    network.parse_node(&read).filter(|&node| node_of(network, node) == word).map(|node| (range, node))
}

/// Returns the link out of a node in a direction of the plane.
fn direction(mesh: Mesh, from: NodeId, word: &str) -> Option<Link> {
    let ports = [Port::WEST, Port::EAST, Port::NORTH, Port::SOUTH];
    let port = ports.into_iter().find(|port| port.name() == word && port.dim() < mesh.dimensions())?;
    let end = mesh.neighbor(from, port)?;
    Some(Link { from: if port.grows() { from } else { end }, dim: port.dim() })
}

/// Parses a channel of a fat-tree at this position of a text: "up channel above processors 0 to 3".
fn channel(leaves: Leaves, text: &str, start: usize) -> Option<(Range<usize>, ChannelPlace)> {
    let rest = &text[start..];
    let arity = if leaves.is_second() { 2 } else { 1 };
    if rest.starts_with("channel out of the root") {
        let root = ChannelPlace { height: leaves.levels() / arity, node: 0, wire: 0, down: false };
        return Some((start..start + "channel out of the root".len(), root));
    }
    let (down, rest) = rest
        .strip_prefix("up channel ")
        .map(|rest| (false, rest))
        .or_else(|| Some((true, rest.strip_prefix("down channel ")?)))?;
    let number = |rest: &'_ str| {
        let end = rest.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(rest.len());
        Some((rest[..end].parse::<u32>().ok()?, end))
    };
    let (first, last, left) = match rest.strip_prefix("above processors ") {
        None => {
            let rest = rest.strip_prefix("of processor ")?;
            let (one, end) = number(rest)?;
            (one, one, &rest[end..])
        }
        Some(rest) => {
            let (first, end) = number(rest)?;
            let rest = rest[end..].strip_prefix(" and ").or(rest[end..].strip_prefix(" to "))?;
            let (last, end) = number(rest)?;
            (first, last, &rest[end..])
        }
    };
    let below = last.checked_sub(first)? + 1;
    let height = (below.trailing_zeros() / u32::from(arity)) as u8;
    Some((start..text.len() - left.len(), ChannelPlace { height, node: first / below, wire: 0, down }))
}

/// Returns the link between a node and the one found before it, and the start of the link's name.
/// The nodes must be neighbours with an arrow or a dash in between. The first and the last node of
/// a block do not form a link.
fn joined(
    network: Network,
    text: &str,
    before: &(Range<usize>, Named),
    start: usize,
    node: NodeId,
) -> Option<(usize, Link)> {
    let (before, Named::Node(other)) = before else { return None };
    let is_way = matches!(&text[before.end..start], " → " | "–") && !text[..before.start].ends_with("block ");
    Some((before.start, between(network, *other, node).filter(|_| is_way)?))
}

/// Returns the link from one node to another, if they are neighbours.
fn between(network: Network, a: NodeId, b: NodeId) -> Option<Link> {
    let Some(mesh) = network.mesh() else {
        let differs = network.cube().map(|_| a.0 ^ b.0).filter(|bits| bits.is_power_of_two())?;
        return Some(Link { from: a, dim: differs.trailing_zeros() as u8 });
    };
    let up = |from, to| {
        (0..mesh.dimensions()).map(move |dim| Link { from, dim }).find(|&link| mesh.link_end(link) == Some(to))
    };
    up(a, b).or_else(|| up(b, a))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::delivery::watch::channel as channel_words;
    use faultlab_core::topology::fat_tree::Profile;

    fn names(network: &str, text: &str, here: Option<u64>) -> Vec<(String, Named)> {
        let found = named_in(Network::parse(network).unwrap(), text, here.map(NodeId));
        found.into_iter().map(|(range, named)| (text[range].to_owned(), named)).collect()
    }

    fn of(name: &str, named: Named) -> (String, Named) {
        (name.to_owned(), named)
    }

    fn node(name: &str, node: u64) -> (String, Named) {
        of(name, Named::Node(NodeId(node)))
    }

    fn link(name: &str, from: u64, dim: u8) -> (String, Named) {
        of(name, Named::Link(Link { from: NodeId(from), dim }))
    }

    fn message(name: &str, number: u64) -> (String, Named) {
        of(name, Named::Message(number))
    }

    #[test]
    fn nodes_are_found_as_they_are_written() {
        let names = |network, text| names(network, text, None);
        assert_eq!(names("cube:4", "From 0101 to 1111, not 101, 10111 or 2."), [node("0101", 5), node("1111", 15)]);
        assert_eq!(names("cube:12", "at 0xfff."), [node("0xfff", 4095)]);
        assert_eq!(names("mesh:4x4", "1,2 (1,2)–(3,0) and (4,4), 12%"), [node("(1,2)", 6), node("(3,0)", 12)]);
        assert_eq!(names("mesh:3x3x3", "é(1,0,2)"), [node("(1,0,2)", 11)]);
        assert_eq!(names("tree:16", "3 to 5, processor 7, processor 16"), [node("processor 7", 7)]);
        assert_eq!(names("cube:2", "11 messages"), []);
        assert_eq!(names("cube:4", ""), []);
    }

    #[test]
    fn links_are_found_by_their_ends_dimensions_and_directions() {
        assert_eq!(
            names("cube:4", "0101 → 0111, 0101 → 1010", None),
            [link("0101 → 0111", 5, 1), node("0101", 5), node("1010", 10)]
        );
        let said = "at 0001 for dimension 3, held by 12; dimensions 0, 2 and 9";
        let found = [node("0001", 1), link("dimension 3", 1, 3), link("dimensions 0", 1, 0), link("2", 1, 2)];
        assert_eq!(names("cube:4", said, None), found);
        // A sentence about one place names the links of that place, whatever else it names.
        assert_eq!(names("cube:4", "waits at 0001 for dimension 3", Some(8))[1], link("dimension 3", 8, 3));
        assert_eq!(names("cube:4", "dimension 2", None), []);
        let mesh = "link (1,2)–(1,3), the block (0,0)–(0,1), at (1,1) for West, (1,2)–(0,2)";
        let found =
            [link("(1,2)–(1,3)", 6, 0), node("(0,0)", 0), node("(0,1)", 1), node("(1,1)", 5), link("West", 4, 0)];
        assert_eq!(names("mesh:4x4", mesh, None)[..5], found);
        assert_eq!(names("mesh:4x4", mesh, None)[5], link("(1,2)–(0,2)", 2, 1));
    }

    #[test]
    fn messages_are_found_one_and_several() {
        let said = "Message 7 waits; messages 12, 9 and 30 wait; 5 messages, of 64 messages 0";
        let found = [
            message("Message 7", 7),
            message("messages 12", 12),
            message("9", 9),
            message("30", 30),
            message("messages 0", 0),
        ];
        assert_eq!(names("tree:16", said, None), found);
        assert_eq!(
            names("cube:3", "message 101, 010 → 111", None),
            [message("message 101", 101), node("010", 2), node("111", 7)]
        );
    }

    #[test]
    fn every_channel_of_a_tree_is_found_by_its_words() {
        for text in ["tree:16", "tree2:16"] {
            let leaves = Network::parse(text).unwrap().leaves().unwrap();
            let channels = leaves.channels(&Profile::Doubling).unwrap();
            for place in channels.all().filter_map(|channel| channels.place(channel)).filter(|place| place.wire == 0) {
                let said = format!("lost at {}: 3 contended", channel_words(&channels, place));
                let Named::Channel(found) = names(text, &said, None)[0].1 else { panic!("{said}") };
                // The channel of the root leads out, and has one name.
                let root = found.height >= channels.levels();
                assert_eq!(
                    (found.height, found.node, found.down || root),
                    (place.height, place.node, place.down || root),
                    "{said}"
                );
            }
        }
    }
}
