//! Meshes of trees in the second network (Greenberg & Leiserson section 6, footnote 1).

use crate::topology::fat_tree::{ChannelLocation, SecondNetwork, TreeChannels};
use crate::traffic::Placement;

/// Position of the nodes of a mesh of trees in the second network.
///
/// The mesh of trees has s x s leaves; every row and every column of them has a complete binary
/// tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TreesPlacement {
    /// A leaf on each of the n processors, s = sqrt(n). A switch has nodes of four trees.
    Shared,
    /// A leaf on a switch of each group of 16 processors, s = sqrt(n)/4. No two nodes share a
    /// switch, and no two edges a wire.
    Disjoint,
}

/// An embedding of a mesh of trees in the second network, counted node by node and edge by edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreesEmbedding {
    /// Position of the nodes.
    pub placement: TreesPlacement,
    /// Number of leaves in a row, s.
    pub side: u32,
    /// Number of nodes, s^2 + 2s(s - 1).
    pub nodes: u32,
    /// Number of edges, 4s(s - 1).
    pub edges: u32,
    /// Largest number of nodes on one switch or processor.
    pub load: u32,
    /// Largest number of wires on the path of an edge.
    pub dilation: u32,
    /// Largest number of edges on one pair of wires, up and down.
    pub congestion: u32,
}

/// A processor, of height 0, or a switch.
#[derive(Clone, Copy)]
struct Switch {
    height: u8,
    /// Group of processors below the switch, from the left.
    group: u32,
    /// Index among the switches of this height above the group.
    index: u32,
}

/// Node of a tree over a row or a column of leaves.
#[derive(Clone, Copy)]
struct TreeNode {
    is_column: bool,
    /// Index of the row or column.
    line: u32,
    height: u8,
    /// Index among the nodes of this height in the tree.
    position: u32,
}

impl TreesEmbedding {
    /// Embeds the mesh of trees in a network in the plane. Returns `None` for a network in space,
    /// and for fewer than 16 processors under [`TreesPlacement::Disjoint`].
    ///
    /// Leaves are in Z-order. A tree node whose leaves are in one row of a square of 2^h x 2^h
    /// leaves is on a switch above the square; the bits of the row number, from the lowest, choose
    /// the parent at each height. Cost: a step for each node and edge, eight bytes for each wire.
    pub fn new(network: SecondNetwork, placement: TreesPlacement) -> Option<Self> {
        let bottom = placement.bottom();
        let levels = network.levels().checked_sub(bottom).filter(|_| network.dimensions() == 2)?;
        let side = 1u32 << levels;
        let mut counts = Counts::new(network.channels());
        for is_column in [false, true] {
            for (line, height) in (0..side).flat_map(|line| (0..=levels).map(move |height| (line, height))) {
                for position in 0..side >> height {
                    let node = TreeNode { is_column, line, height, position };
                    // A row and a column share a leaf.
                    if height > 0 || !is_column {
                        counts.add_node(placement.image(node))?;
                    }
                    if height < levels {
                        counts.add_edge(&placement.path_up(node))?;
                    }
                }
            }
        }
        Some(counts.embedding(placement, side))
    }
}

impl TreesPlacement {
    /// Returns the number of heights of the network below the trees' leaves, each with its switches
    /// above four groups.
    fn bottom(self) -> u8 {
        match self {
            Self::Shared => 0,
            Self::Disjoint => 2,
        }
    }

    /// Returns the switch, or the processor, with this node.
    fn image(self, node: TreeNode) -> Switch {
        let TreeNode { is_column, line, height, position } = node;
        let (along, across) = (position, line >> height);
        let (row, column) = if is_column { (along, across) } else { (across, along) };
        let group = Placement::ZOrder.processor(0, row, column);
        match self {
            Self::Shared if height == 0 => Switch { height, group, index: 0 },
            // The lowest bit inverts the others, so that the two lines of a switch leave it on
            // different wires.
            Self::Shared => {
                let inverted = if line & 1 == 1 { !line } else { line };
                Switch { height, group, index: reversed(inverted >> 1, height - 1) }
            }
            // The first of the four switches above 4 processors each.
            Self::Disjoint if height == 0 => Switch { height: 1, group: 4 * group, index: 0 },
            // Trees of rows have one half of the switches, trees of columns the other.
            Self::Disjoint => {
                let index = u32::from(is_column) << height | reversed(line, height);
                Switch { height: height + 2, group, index }
            }
        }
    }

    /// Returns the switches on the path from a node to its parent, both included.
    fn path_up(self, node: TreeNode) -> Vec<Switch> {
        let parent = TreeNode { height: node.height + 1, position: node.position / 2, ..node };
        let (from, to) = (self.image(node), self.image(parent));
        // A leaf on a switch of height 1 has its parent at height 3.
        let between = (to.height == from.height + 2).then(|| Switch {
            height: from.height + 1,
            group: from.group / 4,
            index: to.index / 2,
        });
        [Some(from), between, Some(to)].into_iter().flatten().collect()
    }
}

/// Returns the lowest `count` bits of a number, the lowest bit first.
fn reversed(number: u32, count: u8) -> u32 {
    (0..count).fold(0, |bits, bit| bits << 1 | number >> bit & 1)
}

/// Numbers of nodes and edges in each part of the network.
struct Counts {
    channels: TreeChannels,
    /// Nodes on a switch, by half the number of its first wire up.
    nodes: Vec<u32>,
    /// Edges on a pair of wires, by half the number of the wire up.
    on_wires: Vec<u32>,
    edges: u32,
    dilation: usize,
}

impl Counts {
    fn new(channels: TreeChannels) -> Self {
        let table = vec![0; channels.table_size() / 2];
        Self { channels, nodes: table.clone(), on_wires: table, edges: 0, dilation: 0 }
    }

    /// Counts a node on a switch; `None` if there is no such switch.
    fn add_node(&mut self, Switch { height, group, index }: Switch) -> Option<()> {
        // A processor has one wire up, a switch two.
        let wire = if height == 0 { index } else { 2 * index };
        let pair = self.pair(height, group, wire)?;
        *self.nodes.get_mut(pair)? += 1;
        Some(())
    }

    /// Counts an edge on its path; `None` if two switches of the path have no wire.
    fn add_edge(&mut self, path: &[Switch]) -> Option<()> {
        for ends in path.windows(2) {
            let (from, to) = (ends[0], ends[1]);
            // A wire leads to the parent with the number of the wire in its channel.
            let is_parent = to.height == from.height + 1 && to.group == from.group / 4;
            let is_wire = is_parent && if from.height == 0 { to.index == 0 } else { to.index / 2 == from.index };
            let pair = self.pair(from.height, from.group, to.index).filter(|_| is_wire)?;
            *self.on_wires.get_mut(pair)? += 1;
        }
        self.edges += 1;
        self.dilation = self.dilation.max(path.len() - 1);
        Some(())
    }

    /// Returns half the number of the wire up.
    fn pair(&self, height: u8, node: u32, wire: u32) -> Option<usize> {
        let place = ChannelLocation { height, node, wire, down: false };
        Some(self.channels.channel_at(place)?.0 as usize / 2)
    }

    fn embedding(self, placement: TreesPlacement, side: u32) -> TreesEmbedding {
        let most = |counts: &[u32]| counts.iter().copied().max().unwrap_or(0);
        TreesEmbedding {
            placement,
            side,
            nodes: self.nodes.iter().sum(),
            edges: self.edges,
            load: most(&self.nodes),
            dilation: self.dilation as u32,
            congestion: most(&self.on_wires),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn embedding(n: u64, placement: TreesPlacement) -> Option<TreesEmbedding> {
        TreesEmbedding::new(SecondNetwork::new(n).unwrap(), placement)
    }

    /// A mesh of trees has s^2 leaves, and s - 1 inner nodes and 2s - 2 edges in each of 2s trees.
    /// With a leaf on each processor and the inner nodes on switches, no embedding has a smaller load
    /// or congestion: there are four inner nodes for each of the n/2 - sqrt(n)/2 switches, and two
    /// edges leave each processor.
    #[test]
    fn all_processors_have_a_leaf_at_the_least_load_and_congestion() {
        for (n, side) in [(4, 2), (16, 4), (64, 8), (256, 16), (4096, 64)] {
            let found = embedding(n, TreesPlacement::Shared).unwrap();
            let (nodes, edges) = (side * side + 2 * side * (side - 1), 2 * side * (2 * side - 2));
            assert_eq!((found.side, found.nodes, found.edges), (side, nodes, edges), "n = {n}");
            assert_eq!((found.load, found.dilation, found.congestion), (4, 1, 2), "n = {n}");
            let inner = u64::from(nodes) - n;
            assert_eq!(inner, 4 * SecondNetwork::new(n).unwrap().switches(), "n = {n}");
        }
    }

    #[test]
    fn disjoint_mesh_of_trees_shares_no_switch_and_no_wire() {
        assert_eq!(embedding(4, TreesPlacement::Disjoint), None);
        for (n, side) in [(64, 2), (256, 4), (4096, 16)] {
            let found = embedding(n, TreesPlacement::Disjoint).unwrap();
            assert_eq!((found.side, found.edges), (side, 4 * side * (side - 1)), "n = {n}");
            assert_eq!((found.load, found.dilation, found.congestion), (1, 2, 1), "n = {n}");
        }
        let space = SecondNetwork::new_in_space(64).unwrap();
        assert_eq!(TreesEmbedding::new(space, TreesPlacement::Shared), None);
    }

    /// Every edge follows wires that messages use one after the other. A message that goes up over
    /// a wire of a switch and over the next wire connects the switch with its parent.
    #[test]
    fn paths_of_edges_follow_wires_of_messages() {
        let channels = SecondNetwork::new(64).unwrap().channels();
        let mut steps = BTreeSet::new();
        for (from, bits) in (0..64).flat_map(|from| (0..8).map(move |bits| (from, bits))) {
            let up = channels.path(from, 63 - from, bits).filter_map(|wire| channels.location(wire));
            let mut switch = (0, from, 0);
            for wire in up.take_while(|place| !place.down) {
                assert_eq!((wire.height, wire.node), (switch.0, switch.1));
                let parent = (wire.height + 1, wire.node / 4, wire.wire);
                steps.insert((switch, parent));
                switch = parent;
            }
        }
        // A wire from every processor, and two from every switch below the root: 2, 1 and 2 levels.
        assert_eq!(steps.len(), 64 + 2 * 16 + 2 * 8);
        for placement in [TreesPlacement::Shared, TreesPlacement::Disjoint] {
            let levels = 3 - placement.bottom();
            for number in 0..2u32 << (2 * levels) {
                let (is_column, line) = (number % 2 == 1, number / 2 % (1 << levels));
                for height in 0..levels {
                    for position in 0..1 << (levels - height) {
                        let node = TreeNode { is_column, line, height, position };
                        let path = placement.path_up(node);
                        let named = |at: &Switch| (at.height, at.group, at.index);
                        assert!(path.windows(2).all(|ends| steps.contains(&(named(&ends[0]), named(&ends[1])))));
                        let parent = TreeNode { height: height + 1, position: position / 2, ..node };
                        let ends = [path[0], path[path.len() - 1]];
                        assert_eq!(ends.map(|at| named(&at)), [node, parent].map(|at| named(&placement.image(at))));
                    }
                }
            }
        }
    }
}
