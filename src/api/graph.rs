//! Network of an experiment as a graph: nodes and channels, with the faults of one trial.

use crate::experiment::permutation::ButterflyInstance;
use crate::experiment::{CubePointConfig, DeliveryTrial, Experiment, PointConfig};
use crate::fault::Faults as _;
use crate::topology::{Butterfly, Hypercube, Link, Mesh, Network, NodeId};

/// Directed graph of a network: one edge for each channel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NetworkGraph {
    /// Nodes, by ascending address; in fat-trees, processors and then switches.
    pub nodes: Vec<GraphNode>,
    /// Channels. On meshes and hypercubes, each link is two channels; on butterflies, one from the
    /// lower to the higher level.
    pub channels: Vec<GraphChannel>,
}

/// Node of a [`NetworkGraph`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphNode {
    /// Name, as in experiment texts; switches of fat-trees are `HEIGHT.NUMBER`.
    pub name: String,
    /// Coordinates, the highest dimension first; in fat-trees, height and number; in butterflies, row
    /// and level.
    pub coordinates: Vec<u32>,
    /// True if the node is faulty.
    pub is_faulty: bool,
    /// True if the node is fault-free, but disabled as a part of a fault region.
    pub is_disabled: bool,
}

/// Channel of a [`NetworkGraph`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphChannel {
    /// Index of the node that the channel leaves.
    pub from: u32,
    /// Index of the node that the channel enters.
    pub to: u32,
    /// Number of wires; 1 except in fat-trees.
    pub wires: u32,
    /// Number of live wires: 0 if the channel or one of its nodes is faulty.
    pub live_wires: u32,
    /// Direction, as in files of channels.
    pub direction: &'static str,
}

/// Maximum number of channels of a graph.
const MAX_CHANNELS: u64 = 1 << 18;

/// Returns the graph of the network of `experiment` with the faults of the watched trial, number
/// `view.sample`.
///
/// # Errors
/// Returns a sentence if the network has more than 2^18 channels, or if no fault set was found.
pub fn network_graph(experiment: &Experiment) -> Result<NetworkGraph, String> {
    let network = experiment.network;
    let processors = u64::from(network.leaves().map_or(0, |leaves| leaves.processors()));
    let links = match network {
        // Hypercubes count one-way links.
        Network::Hypercube(_) => network.link_count(),
        Network::Mesh(_) => network.link_count().map(|links| 2 * links),
        Network::FatTree(_) => Some(4 * processors),
        Network::Butterfly(butterfly) => Some(u64::from(butterfly.links())),
    };
    if links.is_none_or(|links| links > MAX_CHANNELS) {
        return Err(format!(
            "net={network}: too large for a graph; accepted: networks of up to {MAX_CHANNELS} channels"
        ));
    }
    match network {
        Network::Hypercube(cube) => cube_graph(experiment, cube),
        Network::Mesh(mesh) => mesh_graph(experiment, mesh),
        Network::FatTree(_) => tree_graph(experiment),
        Network::Butterfly(butterfly) => butterfly_graph(experiment, butterfly),
    }
}

fn cube_graph(experiment: &Experiment, cube: Hypercube) -> Result<NetworkGraph, String> {
    let config = CubePointConfig::new(experiment, None).ok_or("net: not a hypercube")?;
    let mut faults = config.fault_pattern(experiment.view.sample);
    let n = cube.dimension();
    let mut graph = NetworkGraph::default();
    for address in 0..=cube.mask() {
        graph.nodes.push(GraphNode {
            name: address.to_string(),
            coordinates: (0..n).rev().map(|dim| (address >> dim & 1) as u32).collect(),
            is_faulty: faults.is_faulty(NodeId(address)),
            is_disabled: false,
        });
    }
    for (from, dim) in (0..=cube.mask()).flat_map(|from| (0..n).map(move |dim| (NodeId(from), dim))) {
        let is_faulty = faults.is_link_faulty(Link { from, dim });
        graph.add_channel(from, cube.neighbor(from, dim), is_faulty, "");
    }
    Ok(graph)
}

fn mesh_graph(experiment: &Experiment, mesh: Mesh) -> Result<NetworkGraph, String> {
    let config = PointConfig::new(experiment, None);
    let trial = experiment.view.sample;
    let bad = |error: &dyn std::fmt::Display| format!("faults={}: {error}", experiment.faults.model);
    let sampled = config.sampled_faults(trial).map_err(|error| bad(&error))?;
    let blocks = config.blocks(trial).map_err(|error| bad(&error))?;
    let mut graph = NetworkGraph::default();
    for node in mesh.iter_nodes() {
        let is_faulty = sampled.nodes.binary_search(&node).is_ok();
        graph.nodes.push(GraphNode {
            name: mesh.format_node(node),
            coordinates: (0..mesh.dimensions()).rev().map(|dim| u32::from(mesh.coordinate(node, dim))).collect(),
            is_faulty,
            is_disabled: blocks.is_faulty_by_closure(node),
        });
    }
    for channel in 0..mesh.channel_table_size() {
        let (from, port) = mesh.channel_ends(channel);
        let Some(to) = mesh.neighbor(from, port) else { continue };
        let link = if port.grows() { Link { from, dim: port.dim() } } else { Link { from: to, dim: port.dim() } };
        graph.add_channel(from, to, sampled.links.binary_search(&link).is_ok(), mesh.port_name(port));
    }
    Ok(graph)
}

fn butterfly_graph(experiment: &Experiment, butterfly: Butterfly) -> Result<NetworkGraph, String> {
    let instance = ButterflyInstance::new(experiment).ok_or("net: not a butterfly")?;
    let mut graph = NetworkGraph::default();
    for node in (0..u64::from(butterfly.nodes())).map(NodeId) {
        graph.nodes.push(GraphNode {
            name: butterfly.format_node(node),
            coordinates: vec![butterfly.row(node), butterfly.level(node).into()],
            is_faulty: instance.faults.contains(node),
            is_disabled: false,
        });
    }
    for from in (0..u64::from(butterfly.nodes())).map(NodeId) {
        for (dim, direction) in [(Butterfly::STRAIGHT, "straight"), (Butterfly::CROSS, "cross")] {
            if let Some(to) = butterfly.link_end(Link { from, dim }) {
                graph.add_channel(from, to, false, direction);
            }
        }
    }
    Ok(graph)
}

fn tree_graph(experiment: &Experiment) -> Result<NetworkGraph, String> {
    let trial = DeliveryTrial::new(&PointConfig::new(experiment, None), experiment.view.sample)
        .ok_or_else(|| format!("{experiment}: this trial has no messages and no wires to show"))?;
    let channels = trial.channels;
    let mut graph = NetworkGraph::default();
    let mut first = Vec::new();
    for height in 0..=channels.levels() {
        first.push(graph.nodes.len() as u32);
        for number in 0..channels.nodes_at(height) {
            let name = if height == 0 { number.to_string() } else { format!("{height}.{number}") };
            let coordinates = vec![u32::from(height), number];
            graph.nodes.push(GraphNode { name, coordinates, is_faulty: false, is_disabled: false });
        }
    }
    for channel in channels.iter() {
        let Some(place) = channels.location(channel) else { continue };
        let height = usize::from(place.height);
        // The channel above the root leads out of the network.
        let (Some(below), Some(above)) = (first.get(height), first.get(height + 1)) else { continue };
        let ends = [below + place.node, above + place.node / channels.children()];
        let [from, to] = if place.down { [ends[1], ends[0]] } else { ends };
        let wires = channels.capacity(place.height);
        let live_wires = trial.live.as_ref().map_or(wires, |live| live.capacity(channel));
        // A bundle of the second network is one channel with several wires. Its wires up and down
        // alternate.
        let mut last = graph.channels.iter_mut().rev().take(2);
        match last.find(|last| (last.from, last.to) == (from, to)) {
            Some(last) => (last.wires, last.live_wires) = (last.wires + wires, last.live_wires + live_wires),
            None => {
                let direction = if place.down { "down" } else { "up" };
                graph.channels.push(GraphChannel { from, to, wires, live_wires, direction });
            }
        }
    }
    Ok(graph)
}

impl NetworkGraph {
    /// Adds a channel of one wire between nodes, whose addresses are their indices.
    fn add_channel(&mut self, from: NodeId, to: NodeId, is_faulty: bool, direction: &'static str) {
        let is_dead =
            |node: NodeId| self.nodes.get(node.0 as usize).is_none_or(|node| node.is_faulty || node.is_disabled);
        let is_live = !is_faulty && !is_dead(from) && !is_dead(to);
        let (from, to) = (from.0 as u32, to.0 as u32);
        self.channels.push(GraphChannel { from, to, wires: 1, live_wires: u32::from(is_live), direction });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(text: &str) -> NetworkGraph {
        network_graph(&text.parse().unwrap()).unwrap()
    }

    /// Closed forms: a cube has n 2^n one-way links, an a x b mesh 2(2ab - a - b) channels, a fat-tree
    /// of n processors 2(2n - 2) channels below its root, and a butterfly (n + 1) 2^n nodes and
    /// n 2^(n + 1) links.
    #[test]
    fn sizes_are_those_of_the_closed_forms() {
        for (text, nodes, channels) in [
            ("net=cube:5", 32, 160),
            ("net=mesh:3x7", 21, 64),
            ("net=torus:4x4", 16, 64),
            ("net=tree:16", 31, 60),
            ("net=butterfly:3&faults=none", 32, 48),
        ] {
            let graph = graph(text);
            assert_eq!((graph.nodes.len(), graph.channels.len()), (nodes, channels), "{text}");
            assert!(graph.channels.iter().all(|channel| channel.live_wires == channel.wires), "{text}");
        }
        // A bundle of height h of the second network in the plane has 2^h wires.
        let second = graph("net=tree2:16");
        assert_eq!(
            second.channels.iter().map(|channel| channel.wires).collect::<Vec<_>>(),
            [[1; 32].as_slice(), &[2; 8]].concat()
        );
        assert!(network_graph(&"net=cube:30".parse().unwrap()).unwrap_err().contains("too large"));
    }

    #[test]
    fn faults_by_hand_and_disabled_nodes_are_marked() {
        // Two diagonal faults make a 2 x 2 block, of which two nodes are disabled.
        let mesh = graph("net=mesh:6x6&faults=none&break=2.2,3.3,0.0-0.1");
        let named = |flag: fn(&GraphNode) -> bool| -> Vec<_> {
            mesh.nodes.iter().filter(|node| flag(node)).map(|node| node.name.as_str()).collect()
        };
        assert_eq!(named(|node| node.is_faulty), ["2.2", "3.3"]);
        assert_eq!(named(|node| node.is_disabled), ["2.3", "3.2"]);
        // The block has 4 inner links and 8 links around it, and one link is faulty: 13 links.
        assert_eq!(mesh.channels.iter().filter(|channel| channel.live_wires == 0).count(), 26);
        let cube = graph("net=cube:4&break=3");
        assert_eq!(cube.channels.iter().filter(|channel| channel.live_wires == 0).count(), 8);
    }
}
