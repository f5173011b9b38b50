//! Texts shared by all reports: nodes, lists, numbers, facts.

pub mod cut_off;
pub mod differences;
pub mod facts;
pub mod formula;
pub mod glossary;
pub mod numbers;
pub(crate) mod offered_load;
pub(crate) mod unused_keys;

use self::numbers::fixed;
use faultlab_core::rich_text::{Entity, RichText};
pub use faultlab_core::routing::wording::{channel, count, dimension, dimensions, message, node};
use faultlab_core::topology::{Hypercube, Network, NodeId};
use faultlab_experiment::{Experiment, ParameterRole};

/// Returns the name of a node of any network, as in experiment texts; for a hypercube, the address
/// of the node.
pub fn node_of(network: Network, id: NodeId) -> RichText {
    let name = match network {
        Network::FatTree(_) => id.to_string(),
        Network::Hypercube(cube) => return node(cube, id),
        Network::Mesh(mesh) => mesh.format_node(id),
        Network::Butterfly(butterfly) => butterfly.format_node(id),
    };
    RichText::reference(Entity::Node(id), name)
}

/// Returns a description of a cyclic wait of `messages` messages.
pub(crate) fn cyclic_wait_text(messages: usize) -> String {
    match messages {
        1 => "1 message waits for itself in a circle".into(),
        many => format!("{many} messages wait for each other in a circle"),
    }
}

/// Returns the name of the measured hypercube or butterfly; "Hypercubes" or "Butterflies" if the dimension
/// varies.
pub(crate) fn cube_name(asked: &Experiment) -> String {
    let sizes = asked.vary.as_ref().is_some_and(|vary| matches!(vary.parameter.role, ParameterRole::Size { .. }));
    if let Some(butterfly) = asked.network.butterfly() {
        return if sizes { "Butterflies".to_owned() } else { format!("butterfly of {} levels", butterfly.levels()) };
    }
    match asked.cube().map_or(0, Hypercube::dimension) {
        _ if sizes => "Hypercubes".to_owned(),
        n => format!("{n}-cube"),
    }
}

/// Returns the first `most` of a list, and the number of the others.
pub fn list_first(list: &[impl ToString], most: usize) -> String {
    let more = list.len().saturating_sub(most);
    let first = list[..list.len() - more].iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    if more > 0 { format!("{first} and {more} more") } else { first }
}

/// Joins names to an enumeration: "e-cube, UP and DP".
pub(crate) fn join_names(names: &[&str]) -> String {
    match names {
        [most @ .., last] if !most.is_empty() => [&most.join(", "), " and ", last].concat(),
        _ => names.concat(),
    }
}

/// Returns a number with its significant digits: none after the point if it is whole.
pub(crate) fn number(value: f64) -> String {
    match value.abs() {
        _ if (value - libm::round(value)).abs() < 1e-9 => fixed(value, 0),
        1000.0.. => format!("{value:.1}"),
        10.0.. => format!("{value:.2}"),
        _ => format!("{value:.4}"),
    }
}

/// Splits `text` into lines of at most `width` characters; longer words are not broken.
///
/// Written by hand: the crate `textwrap` would add 5 kB to the page's 830 kB.
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let room = width.saturating_sub(word.chars().count() + 1);
        match lines.last_mut() {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) if line.chars().count() <= room => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_wrapped_between_words() {
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("a self-contained word", 8), ["a", "self-contained", "word"]);
        assert_eq!(wrap("", 8), [""]);
    }
}
