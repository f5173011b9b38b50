//! Text form of manual edits, the values of `break` and `mend`.

use crate::Experiment;
use faultlab_core::ParseError;
use faultlab_core::fault::DeadWires;
use faultlab_core::topology::fat_tree::{ChannelLocation, Leaves};
use faultlab_core::topology::{Link, Network, NodeId};

/// Maximum number of elements in `break` or `mend`.
const MAX_EDITS: usize = 4096;

/// Accepted texts on fat-trees.
pub(super) const WIRES: &str = "channels with a dead wire such as u2.3 (up from node 3 of height 2, both from 0) or d2.3 (down \
                                to it), or with K dead wires u2.3*K, separated by commas, at most 4096; in the second network \
                                single wires such as u2.3.1";

/// Splits a text at its commas, and checks the number of parts.
fn parts<'a>(text: &'a str, what: &str) -> Result<std::str::Split<'a, char>, ParseError> {
    match text.split(',').nth(MAX_EDITS) {
        Some(_) => Err(format!("more than {MAX_EDITS} {what}").into()),
        None => Ok(text.split(',')),
    }
}

/// Parses a node.
pub(super) fn node(experiment: &Experiment, text: &str) -> Result<NodeId, ParseError> {
    let network = experiment.network;
    network
        .parse_node(text)
        .ok_or_else(|| format!("{text} is not a node of {network}{}", node_hint(network, text)).into())
}

/// Returns the accepted forms of the nodes of a hypercube or a butterfly, as the end of an error; empty for
/// other networks. A text of binary digits, as in pictures, gets the number that they stand for.
fn node_hint(network: Network, text: &str) -> String {
    if let Network::Butterfly(butterfly) = network {
        let last = butterfly.format_node(network.last_node());
        return format!(": nodes are ROW.LEVEL, from 0.0 to {last}");
    }
    let Network::Hypercube(cube) = network else { return String::new() };
    let last = network.last_node();
    let binary = cube.parse_node(&format!("0b{text}"));
    let meant =
        binary.map_or(String::new(), |node| format!("; for the binary address {text} write {node} or 0b{text}"));
    format!(": nodes are decimal numbers from 0 to {last}{meant}")
}

/// Parses nodes and links, each ascending and without duplicates.
pub(super) fn places(experiment: &Experiment, text: &str) -> Result<(Vec<NodeId>, Vec<Link>), ParseError> {
    let (mut nodes, mut links) = (Vec::new(), Vec::new());
    for text in parts(text, "nodes and links")? {
        if text.contains(['_', '-']) {
            let link = experiment.network.parse_link(text);
            links.push(link.ok_or_else(|| format!("{text} is not a link of {}", experiment.network))?);
        } else {
            nodes.push(node(experiment, text)?);
        }
    }
    nodes.sort();
    nodes.dedup();
    links.sort();
    links.dedup();
    Ok((nodes, links))
}

fn channel(leaves: Leaves, text: &str) -> Result<ChannelLocation, ParseError> {
    let problem = || match text.parse::<u32>() {
        Ok(_) => format!("{text} is a processor, but in fat-trees only wires fail"),
        Err(_) if leaves.is_second() => format!("{text} is not a wire of {leaves}"),
        Err(_) => format!("{text} is not a channel of {leaves}"),
    };
    leaves.parse_channel(text).ok_or_else(|| problem().into())
}

/// Parses channels of a fat-tree, ascending and without duplicates.
pub(super) fn channels(leaves: Leaves, text: &str) -> Result<Vec<ChannelLocation>, ParseError> {
    let mut channels = parts(text, "channels")?.map(|text| channel(leaves, text)).collect::<Result<Vec<_>, _>>()?;
    channels.sort();
    channels.dedup();
    Ok(channels)
}

/// Parses channels of a fat-tree with the numbers of their dead wires, ascending. Capacities are
/// not checked.
pub(super) fn dead_wires(leaves: Leaves, text: &str) -> Result<Vec<DeadWires>, ParseError> {
    let one = |text: &str| {
        let (name, count) = text.split_once('*').unwrap_or((text, "1"));
        let count = count.parse().ok().filter(|&count: &u32| count > 0);
        let count = count.ok_or_else(|| format!("{text} has no number of wires after *"))?;
        Ok::<_, ParseError>(DeadWires { channel: channel(leaves, name)?, count })
    };
    let mut dead = parts(text, "channels")?.map(one).collect::<Result<Vec<_>, _>>()?;
    dead.sort_by_key(|dead| dead.channel);
    match dead.windows(2).find(|pair| pair[0].channel == pair[1].channel) {
        Some(pair) => Err(format!("{} is named twice", leaves.format_channel(pair[0].channel)).into()),
        None => Ok(dead),
    }
}

/// Formats the broken elements.
pub(super) fn broken(experiment: &Experiment) -> Option<String> {
    let faults = &experiment.faults;
    let Some(leaves) = experiment.network.leaves() else {
        return format_nodes_and_links(experiment, &faults.faulty_nodes, &faults.faulty_links);
    };
    let text = |dead: &DeadWires| match (leaves.format_channel(dead.channel), dead.count) {
        (name, 1) => name,
        (name, count) => format!("{name}*{count}"),
    };
    listed(faults.dead_wires.iter().map(text).collect())
}

/// Formats the mended elements.
pub(super) fn mended(experiment: &Experiment) -> Option<String> {
    let faults = &experiment.faults;
    let Some(leaves) = experiment.network.leaves() else {
        return format_nodes_and_links(experiment, &faults.live_nodes, &faults.live_links);
    };
    listed(faults.live_channels.iter().map(|&channel| leaves.format_channel(channel)).collect())
}

fn format_nodes_and_links(experiment: &Experiment, nodes: &[NodeId], links: &[Link]) -> Option<String> {
    let network = experiment.network;
    let nodes = nodes.iter().map(|&node| network.format_node(node));
    listed(nodes.chain(links.iter().map(|&link| network.format_link(link))).collect())
}

fn listed(texts: Vec<String>) -> Option<String> {
    (!texts.is_empty()).then(|| texts.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_nodes_of_hypercubes_get_a_hint_on_decimal_numbers() {
        let refusal = |text: &str| text.parse::<Experiment>().unwrap_err().to_string();
        let binary = refusal("net=cube:4&break=1110");
        let hint = "1110 is not a node of cube:4: nodes are decimal numbers from 0 to 15; for the binary address 1110 \
                    write 14 or 0b1110";
        assert!(binary.contains(hint), "{binary}");
        let large = refusal("net=cube:4&break=16");
        assert!(large.contains("numbers from 0 to 15") && !large.contains("binary"), "{large}");
        let mesh = refusal("net=mesh:4x4&switch=wormhole&break=9.9");
        assert!(mesh.contains("9.9 is not a node of mesh:4x4") && !mesh.contains("decimal"), "{mesh}");
    }
}
