//! Sharing of rings by links and nodes (Boppana & Chalasani section II.B), and the messages that form
//! rings (section II.C).

use std::collections::BTreeMap;

use super::BlockFaults;
use crate::topology::{Link, NodeId, iter_ports};

/// Largest numbers of rings that share a link and a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RingSharing {
    /// Largest number of regions whose rings have the same link, with the first such link.
    pub link: Option<(u32, Link)>,
    /// Largest number of regions whose rings have the same node, with the first such node.
    pub node: Option<(u32, NodeId)>,
}

/// Status messages between neighbours that form all rings and chains at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FormationMessages {
    /// Number of all messages.
    pub total: u64,
    /// Largest number of messages that a node sends. The paper's bound is 4(n-1).
    pub most_sent: u32,
    /// Largest number of messages that a node receives. The paper's bound is 4n.
    pub most_received: u32,
}

impl BlockFaults {
    /// Counts the rings and chains that share a link or a node. A region counts once, whatever the
    /// number of its rings. Cost: the number of links on all rings.
    ///
    /// The paper's bounds for n dimensions are n for a link and 2n for a node. They hold for the
    /// valid block faults of section VI ([`faulty_blocks`](super::faulty_blocks)). Blocks that lie
    /// on each other's boundary are not valid: in more than two dimensions 2(n-1) of their rings
    /// can share a link, two in every plane through it.
    pub fn ring_sharing(&self) -> RingSharing {
        let (mut links, mut nodes) = (BTreeMap::new(), BTreeMap::new());
        for region in self.regions() {
            let mut on_ring = self.ring_links(region);
            on_ring.sort();
            on_ring.dedup();
            let ends = on_ring.iter().flat_map(|link| [Some(link.from), self.mesh().link_end(*link)]);
            let mut of_ring: Vec<NodeId> = ends.flatten().collect();
            of_ring.sort();
            of_ring.dedup();
            on_ring.into_iter().for_each(|link| *links.entry(link).or_insert(0) += 1);
            of_ring.into_iter().for_each(|node| *nodes.entry(node).or_insert(0) += 1);
        }
        RingSharing { link: first_largest(&links), node: first_largest(&nodes) }
    }

    /// Counts the messages of the formation of rings (Fig. 2): a live node tells its live neighbours in
    /// all other dimensions about each of its faulty links. Cost: the number of nodes.
    pub fn formation_messages(&self) -> FormationMessages {
        let mesh = self.mesh();
        let mut received = vec![0u32; mesh.nodes() as usize];
        let mut found = FormationMessages::default();
        for node in mesh.iter_nodes().filter(|&node| !self.is_faulty(node)) {
            let mut sent = 0;
            for down in iter_ports(self.faulty_ports(node)) {
                for port in iter_ports(self.open_ports(node)).filter(|port| port.dim() != down.dim()) {
                    let neighbor = mesh.neighbor(node, port);
                    sent += 1;
                    neighbor.into_iter().for_each(|neighbor| received[neighbor.0 as usize] += 1);
                }
            }
            found.total += u64::from(sent);
            found.most_sent = found.most_sent.max(sent);
        }
        found.most_received = received.into_iter().max().unwrap_or(0);
        found
    }
}

/// Returns the largest count and the first key that has it.
fn first_largest<K: Copy + Ord>(counts: &BTreeMap<K, u32>) -> Option<(u32, K)> {
    counts.iter().map(|(&key, &count)| (count, key)).max_by_key(|&(count, key)| (count, std::cmp::Reverse(key)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{Key, below};
    use crate::topology::Mesh;

    fn faults(radices: &[u16], nodes: &[u64]) -> BlockFaults {
        let nodes: Vec<_> = nodes.iter().map(|&node| NodeId(node)).collect();
        BlockFaults::new(Mesh::from_radices(radices).unwrap(), &nodes, &[])
    }

    /// Four single faults around the middle of the 5 x 5 mesh share its node, and two side by side a link.
    #[test]
    fn both_bounds_are_attained_in_the_plane() {
        let four = faults(&[5, 5], &[6, 8, 16, 18]).ring_sharing();
        assert_eq!(four.node, Some((4, NodeId(12))));
        assert_eq!(four.link.map(|(count, _)| count), Some(2));
        assert_eq!(faults(&[5, 5], &[]).ring_sharing(), RingSharing::default());
    }

    #[test]
    fn random_faults_of_the_plane_keep_the_bounds() {
        let mut generator = Key::from_seed(9).generator();
        for _ in 0..200 {
            let nodes: Vec<_> = (0..6).map(|_| u64::from(below(&mut generator, 64))).collect();
            let faults = faults(&[8, 8], &nodes);
            let (sharing, messages) = (faults.ring_sharing(), faults.formation_messages());
            assert!(
                sharing.link.is_none_or(|(count, _)| count <= 2) && sharing.node.is_none_or(|(count, _)| count <= 4)
            );
            assert!(messages.most_sent <= 4 && messages.most_received <= 8, "{messages:?}");
        }
    }

    /// If blocks of two planes through a link had rings on it, one would lie on the other's
    /// boundary. So two rings share a link at most, fewer than n = 3, and the paper's bound for
    /// nodes holds too.
    #[test]
    fn valid_blocks_in_three_dimensions_keep_the_bounds() {
        let mesh = Mesh::from_radices(&[5, 5, 5]).unwrap();
        let (mut generator, mut valid, mut most) = (Key::from_seed(11).generator(), 0, 0);
        for _ in 0..4_000 {
            let nodes: Vec<_> = (0..4).map(|_| NodeId(u64::from(below(&mut generator, mesh.nodes())))).collect();
            if crate::fault::block::faulty_blocks(mesh, &nodes, &[]).is_ok() {
                let sharing = BlockFaults::new(mesh, &nodes, &[]).ring_sharing();
                valid += 1;
                most = most.max(sharing.link.map_or(0, |(count, _)| count));
                assert!(sharing.node.is_none_or(|(count, _)| count <= 6), "{nodes:?}");
            }
        }
        assert!(valid > 100 && most == 2, "{valid} {most}");
    }

    /// Without validity a link is on four rings. Two faults are beside one end of the link in
    /// dimension 1, and two beside the other end in dimension 2, on the boundaries of the first.
    #[test]
    fn blocks_on_boundaries_of_others_put_a_link_on_four_rings() {
        let mesh = Mesh::from_radices(&[5, 5, 5]).unwrap();
        let nodes: Vec<_> = ["1.2.2", "3.2.2", "2.1.3", "2.3.3"].map(|node| mesh.parse_node(node).unwrap()).to_vec();
        let found = BlockFaults::new(mesh, &nodes, &[]);
        assert!(found.rounds().is_empty() && crate::fault::block::faulty_blocks(mesh, &nodes, &[]).is_err());
        assert_eq!(found.ring_sharing().link.map(|(count, _)| count), Some(4));
        let messages = found.formation_messages();
        assert!(messages.most_sent <= 8 && messages.most_received <= 12, "{messages:?}");
    }

    /// A single fault in the plane: each of its four neighbours tells two others.
    #[test]
    fn a_single_fault_sends_eight_messages() {
        let found = faults(&[5, 5], &[12]).formation_messages();
        assert_eq!(found, FormationMessages { total: 8, most_sent: 2, most_received: 2 });
    }
}
