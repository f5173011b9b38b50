//! Words that every kind of answer uses: nodes, lists, numbers, facts.

pub mod cut_off;
pub mod differing;
pub mod facts;
pub mod formula;
pub mod numbers;
pub mod terms;

use self::numbers::fixed;
use faultlab_core::rich_text::{Entity, RichText};
pub use faultlab_core::routing::words::{channel, count, dimension, dimensions, message, node};
use faultlab_core::topology::{Hypercube, Network, NodeId};
use faultlab_experiment::{Experiment, Role};

/// Name of a node of any network, as experiment texts spell it; of a hypercube, its address.
pub fn node_of(network: Network, id: NodeId) -> RichText {
    let name = match network {
        Network::FatTree(_) => id.to_string(),
        Network::Hypercube(cube) => return node(cube, id),
        Network::Mesh(mesh) => mesh.label(id),
    };
    RichText::reference(Entity::Node(id), name)
}

/// Messages of a circle, so many, and what they do.
pub(crate) fn wait_in_a_circle(messages: usize) -> String {
    match messages {
        1 => "1 message waits for itself in a circle".into(),
        many => format!("{many} messages wait for each other in a circle"),
    }
}

/// The hypercube that is measured, or that several are.
pub(crate) fn cube(asked: &Experiment) -> String {
    let sizes = asked.vary.as_ref().is_some_and(|vary| matches!(vary.parameter.role, Role::Size { .. }));
    match asked.cube().map_or(0, Hypercube::dimension) {
        _ if sizes => "Hypercubes".to_owned(),
        n => format!("{n}-cube"),
    }
}

/// The first `most` of a list, and how many more there are.
pub fn several(list: &[impl ToString], most: usize) -> String {
    let more = list.len().saturating_sub(most);
    let first = list[..list.len() - more].iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    if more > 0 { format!("{first} and {more} more") } else { first }
}

/// Names in a row: "e-cube, UP and DP".
pub(crate) fn listed(names: &[&str]) -> String {
    match names {
        [most @ .., last] if !most.is_empty() => [&most.join(", "), " and ", last].concat(),
        _ => names.concat(),
    }
}

/// A number with the digits that mean something: none behind the point if it is whole.
pub(crate) fn number(value: f64) -> String {
    match value.abs() {
        _ if (value - libm::round(value)).abs() < 1e-9 => fixed(value, 0),
        1000.0.. => format!("{value:.1}"),
        10.0.. => format!("{value:.2}"),
        _ => format!("{value:.4}"),
    }
}

/// `text` in lines of at most `width` characters, where its words allow: none is broken.
///
/// By hand: the crate `textwrap` would weigh 5 kB of the page's 830 kB, for these lines.
pub fn wrapped(text: &str, width: usize) -> Vec<String> {
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
        assert_eq!(wrapped("one two three", 7), ["one two", "three"]);
        assert_eq!(wrapped("a self-contained word", 8), ["a", "self-contained", "word"]);
        assert_eq!(wrapped("", 8), [""]);
    }
}
