//! The block-fault model of meshes (Boppana & Chalasani section II): faults closed to rectangular regions, each with a
//! fault ring or fault chain around it.

mod closure;
mod draw;
mod position;
mod region;

pub use draw::{draw_isolated, mix_of};
pub use position::{RingPosition, positions, positions_from_messages, positions_from_printed_table};
pub use region::{Orientation, Region, RegionId, RegionKind, Ring};

use crate::sort;
use crate::topology::{Link, Mesh, NodeId, Port};

/// The faults of a mesh after block closure, with its regions and rings: all that routing asks of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockFaults {
    mesh: Mesh,
    /// For each node, the ports whose links are faulty, as a mask; the mesh's border is no fault.
    down: Vec<u8>,
    /// For each node, the ports over which a message can leave it for a live node, as a mask.
    open: Vec<u8>,
    faulty: Vec<bool>,
    /// The nodes that each round of the closure made faulty.
    rounds: Vec<Vec<NodeId>>,
    regions: Vec<Region>,
    /// For each channel by number, the region that blocks it.
    region_of: Vec<u16>,
    /// For each node, the number of its connected component; faulty nodes have none.
    component: Vec<u16>,
    /// The sizes of the components.
    sizes: Vec<u32>,
    /// The component that is simulated: the first of the largest ones.
    main: u16,
}

/// No region, no component.
const NONE: u16 = u16::MAX;

impl BlockFaults {
    /// The faulty `nodes` and `links` of `mesh` and what they make faulty: a live node with faulty links in both dimensions,
    /// or with no live link, becomes faulty too, round by round (section II.C). Nodes and links that the mesh does not
    /// have are ignored. Cost: the number of nodes, times the rounds.
    pub fn new(mesh: Mesh, nodes: &[NodeId], links: &[Link]) -> Self {
        let closed = closure::close(mesh, nodes, links);
        let (regions, region_of) = region::find(mesh, &closed);
        let open = mesh.all().map(|node| open_ports(mesh, &closed, node)).collect();
        let mut faults = Self {
            mesh,
            down: closed.down,
            open,
            faulty: closed.faulty,
            rounds: closed.rounds,
            regions,
            region_of,
            component: Vec::new(),
            sizes: Vec::new(),
            main: NONE,
        };
        faults.find_components();
        faults
    }

    /// The mesh.
    #[inline]
    pub fn mesh(&self) -> Mesh {
        self.mesh
    }

    /// Whether `node` is faulty, by itself or by closure.
    #[inline]
    pub fn is_faulty(&self, node: NodeId) -> bool {
        self.faulty[node.0 as usize]
    }

    /// Whether nothing is faulty.
    pub fn is_none(&self) -> bool {
        self.regions.is_empty()
    }

    /// The ports of `node` whose links are faulty, as a mask.
    #[inline]
    pub fn down(&self, node: NodeId) -> u8 {
        self.down[node.0 as usize]
    }

    /// The ports of `node` over which it can send to a live node, as a mask; 0 if it is faulty.
    #[inline]
    pub fn open(&self, node: NodeId) -> u8 {
        self.open[node.0 as usize]
    }

    /// Whether `node` can send over `port`.
    #[inline]
    pub fn is_open(&self, node: NodeId, port: Port) -> bool {
        self.open(node) & port.bit() != 0
    }

    /// The nodes that closure made faulty, round by round.
    pub fn rounds(&self) -> &[Vec<NodeId>] {
        &self.rounds
    }

    /// The fault regions.
    pub fn regions(&self) -> &[Region] {
        &self.regions
    }

    /// The region called `id`.
    pub fn region(&self, id: RegionId) -> Option<&Region> {
        self.regions.get(usize::from(id.0))
    }

    /// The region that makes the link at `port` of `node` faulty; `None` if it is not.
    #[inline]
    pub fn blocking(&self, node: NodeId, port: Port) -> Option<RegionId> {
        let region = self.region_of[self.mesh.channel(node, port) as usize];
        (region != NONE).then_some(RegionId(region))
    }

    /// The port from `node` to the next node of the ring of `region`; `None` at the end of a chain, and for nodes that
    /// are not on the ring.
    #[inline]
    pub fn ring_step(&self, region: RegionId, node: NodeId, orientation: Orientation) -> Option<Port> {
        let (row, column) = self.mesh.place(node);
        let port = self.region(region)?.ring.step(row, column, orientation)?;
        self.mesh.neighbor(node, port).map(|_| port)
    }

    /// Whether the ring of `region` sticks out of the mesh, so that it is a chain with two ends.
    pub fn is_chain(&self, region: &Region) -> bool {
        let ring = &region.ring;
        let (rows, columns) = (i32::from(self.mesh.rows()), i32::from(self.mesh.columns()));
        ring.top < 0 || ring.left < 0 || ring.bottom >= rows || ring.right >= columns
    }

    /// The nodes of the ring of `region` in the mesh, clockwise from its north-western corner or, of a chain, from the
    /// end from which clockwise leads along it.
    pub fn ring_nodes(&self, region: &Region) -> Vec<NodeId> {
        let around = region.ring.places();
        let inside: Vec<_> = around.iter().map(|&(row, column)| self.mesh.node(row, column)).collect();
        // A chain begins behind a gap.
        let gap = inside.iter().position(Option::is_none).unwrap_or(0);
        (0..inside.len()).filter_map(|step| inside[(gap + step) % inside.len()]).collect()
    }

    /// The links that the rings of two or more regions share, each once: where rings overlap (section II.B).
    pub fn shared_links(&self) -> Vec<Link> {
        let mut links: Vec<_> = self.regions.iter().flat_map(|region| self.ring_links(region)).collect();
        sort::ascending(&mut links);
        let mut shared: Vec<_> = links.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]).collect();
        shared.dedup();
        shared
    }

    /// The links of the ring or chain of `region`.
    pub fn ring_links(&self, region: &Region) -> Vec<Link> {
        region.ring.links(self.mesh)
    }

    /// Whether every region is a single node or link, with a whole ring that shares no link with another: the faults of
    /// section V, which f-cube2 and LH2 take in either orientation.
    pub fn are_isolated(&self) -> bool {
        self.regions.iter().all(|region| region.is_single() && !self.is_chain(region)) && !self.overlap()
    }

    /// Whether rings share a link.
    pub fn overlap(&self) -> bool {
        !self.shared_links().is_empty()
    }

    /// The number of live connected components.
    pub fn components(&self) -> usize {
        self.sizes.len()
    }

    /// Whether `node` is live and in the largest component: it sends and receives.
    #[inline]
    pub fn takes_part(&self, node: NodeId) -> bool {
        self.component[node.0 as usize] == self.main && self.main != NONE
    }

    /// Whether the live nodes `a` and `b` are connected.
    pub fn connects(&self, a: NodeId, b: NodeId) -> bool {
        let (a, b) = (self.component[a.0 as usize], self.component[b.0 as usize]);
        a == b && a != NONE
    }

    /// The nodes that [take part](BlockFaults::takes_part), ascending.
    pub fn members(&self) -> impl Iterator<Item = NodeId> {
        self.mesh.all().filter(|&node| self.takes_part(node))
    }

    fn find_components(&mut self) {
        self.component = vec![NONE; self.faulty.len()];
        for start in self.mesh.all() {
            if self.is_faulty(start) || self.component[start.0 as usize] != NONE {
                continue;
            }
            let number = self.sizes.len() as u16;
            let mut rest = vec![start];
            self.component[start.0 as usize] = number;
            let mut size = 0;
            while let Some(node) = rest.pop() {
                size += 1;
                for next in self.neighbors(node) {
                    if self.component[next.0 as usize] == NONE {
                        self.component[next.0 as usize] = number;
                        rest.push(next);
                    }
                }
            }
            self.sizes.push(size);
        }
        let largest = self.sizes.iter().max();
        self.main = largest.and_then(|most| self.sizes.iter().position(|size| size == most)).map_or(NONE, |n| n as u16);
    }

    /// The live nodes that `node` can send to.
    pub fn neighbors(&self, node: NodeId) -> Vec<NodeId> {
        let open = Port::ALL.into_iter().filter(|&port| self.is_open(node, port));
        open.filter_map(|port| self.mesh.neighbor(node, port)).collect()
    }
}

fn open_ports(mesh: Mesh, closed: &closure::Closed, node: NodeId) -> u8 {
    if closed.faulty[node.0 as usize] {
        return 0;
    }
    let inside = Port::ALL.into_iter().filter(|&port| mesh.neighbor(node, port).is_some());
    // The link to a faulty node is itself down.
    inside.fold(0, |ports, port| ports | port.bit()) & !closed.down[node.0 as usize]
}
