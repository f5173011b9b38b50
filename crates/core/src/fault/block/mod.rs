//! Block-fault model of meshes (Boppana & Chalasani section II): faults extended to rectangular
//! regions, each with a fault ring or fault chain around it.

mod closure;
mod cube;
mod gates;
mod labelling;
mod outline;
mod plane;
mod region;
mod ring_position;
mod ring_sharing;
mod sampling;
mod up_down;
mod validation;

pub use cube::CubeSets;
pub use gates::GateTrees;
pub use outline::{Facing, RegionForm};
pub use plane::PlaneFamily;
pub use region::{Orientation, Region, RegionId, RegionKind, Ring};
pub use ring_position::{RingPosition, positions, positions_from_messages, positions_from_printed_table};
pub use ring_sharing::{FormationMessages, RingSharing};
pub(crate) use sampling::{MAX_SETS, MAX_TRIES_PER_FAULT};
pub use sampling::{isolated_counts, sample_isolated};
pub use up_down::{MAX_TABLE_NODES, UpDownTables};
pub use validation::{FaultyBlock, InvalidBlocks, faulty_blocks};

use crate::topology::{Link, Mesh, NodeId, Port, PortMask, iter_ports};

/// The faults of a mesh after block closure, with their regions and rings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockFaults {
    mesh: Mesh,
    /// Form of the regions.
    form: RegionForm,
    /// Mask of the ports with faulty links, by node. The border of the mesh is not a fault.
    down: Vec<PortMask>,
    /// Mask of the ports with live links to live nodes, by node; 0 for faulty nodes.
    open: Vec<PortMask>,
    faulty: Vec<bool>,
    /// Nodes that became faulty in each round of the closure.
    rounds: Vec<Vec<NodeId>>,
    regions: Vec<Region>,
    /// Regions that block channels.
    blocked: region::BlockedChannels,
    /// Region that blocks each channel, by channel number, in two dimensions: a fast path for
    /// frequent queries.
    blocking_by_channel: Vec<Option<RegionId>>,
    /// Nodes that routing without fault chains deactivates, by node; empty if there are none.
    deactivated: Vec<bool>,
    /// Number of the connected component, by node; [`NO_COMPONENT`] for faulty nodes.
    component: Vec<u32>,
    /// Component sizes.
    sizes: Vec<u32>,
    /// Number of the component that is simulated: the first of the largest components, or the one
    /// that [`BlockFaults::other_components`] selects.
    largest_component: u32,
    /// Active sets of a hypercube, for oblivious schemes.
    sets: Option<CubeSets>,
    /// Rectangles around regions of other shapes, and the ways out of their notches; `None` after block
    /// closure.
    gates: Option<std::sync::Arc<GateTrees>>,
    /// Tables of up*/down* paths, computed on demand; `None` inside for large meshes.
    up_down: up_down::OnDemand,
    /// Tie policy on a torus: if true, messages with equal distance in both directions take either
    /// direction.
    splits_ties: bool,
}

/// Numbers of fault rings and fault chains around the regions of a fault set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RingCounts {
    /// Complete rings.
    pub rings: u32,
    /// Chains: the pieces of rings that the border of the mesh cuts.
    pub chains: u32,
    /// Regions without a ring or a chain, because the ring would meet itself around the torus.
    pub without_ring: u32,
}

/// Sentinel of nodes without a component.
const NO_COMPONENT: u32 = u32::MAX;

impl BlockFaults {
    /// Applies block closure to the faulty `nodes` and `links` of `mesh`.
    ///
    /// Closure works in rounds: a live node with faulty links in two dimensions, or without a live
    /// link, becomes faulty too (section II.C). Nodes and links that the mesh does not have are
    /// ignored. Cost: the number of nodes, times the number of rounds.
    pub fn new(mesh: Mesh, nodes: &[NodeId], links: &[Link]) -> Self {
        Self::with_form(mesh, nodes, links, RegionForm::Blocks)
    }

    /// Returns the faulty `nodes` and `links` without closure and regions, for routing that ignores
    /// blocks.
    pub fn unclosed(mesh: Mesh, nodes: &[NodeId], links: &[Link]) -> Self {
        Self::from_parts(mesh, closure::without_closure(mesh, nodes, links), Vec::new(), Vec::new())
    }

    fn from_parts(
        mesh: Mesh,
        closed: closure::FaultTables,
        regions: Vec<Region>,
        blocked: region::BlockedChannels,
    ) -> Self {
        let open = mesh.iter_nodes().map(|node| open_ports(mesh, &closed, node)).collect();
        let mut faults = Self {
            mesh,
            form: RegionForm::Blocks,
            deactivated: labelling::deactivated_nodes(mesh, &regions),
            down: closed.down,
            open,
            faulty: closed.faulty,
            rounds: closed.rounds,
            regions,
            blocking_by_channel: region::by_channel(mesh, &blocked),
            blocked,
            component: Vec::new(),
            sizes: Vec::new(),
            largest_component: NO_COMPONENT,
            sets: None,
            gates: None,
            up_down: up_down::OnDemand::default(),
            splits_ties: false,
        };
        faults.find_components();
        faults
    }

    /// Returns a copy of the faults that splits ties.
    ///
    /// Messages with equal distance in both directions around a torus then take either direction
    /// with equal probability. Otherwise all such messages take the direction in which coordinates
    /// grow.
    #[must_use]
    pub fn splitting_ties(self) -> Self {
        Self { splits_ties: true, ..self }
    }

    /// Returns whether messages with equal distance in both directions around a torus take either
    /// direction.
    #[inline]
    pub fn splits_ties(&self) -> bool {
        self.splits_ties
    }

    /// Returns the mesh.
    #[inline]
    pub fn mesh(&self) -> Mesh {
        self.mesh
    }

    /// Returns whether `node` is faulty, by itself or by closure.
    #[inline]
    pub fn is_faulty(&self, node: NodeId) -> bool {
        self.faulty[node.0 as usize]
    }

    /// Returns whether there are no faults.
    pub fn is_none(&self) -> bool {
        self.down.iter().all(|&down| down == 0)
    }

    /// Returns the mask of the ports of `node` whose links are faulty.
    #[inline]
    pub fn faulty_ports(&self, node: NodeId) -> PortMask {
        self.down[node.0 as usize]
    }

    /// Returns the mask of the ports over which `node` can send to a live node; 0 if `node` is
    /// faulty.
    #[inline]
    pub fn open_ports(&self, node: NodeId) -> PortMask {
        self.open[node.0 as usize]
    }

    /// Returns whether `node` can send over `port`.
    #[inline]
    pub fn is_open(&self, node: NodeId, port: Port) -> bool {
        self.open_ports(node) & port.bit() != 0
    }

    /// Returns the nodes that closure made faulty, round by round.
    pub fn rounds(&self) -> &[Vec<NodeId>] {
        &self.rounds
    }

    /// Returns whether closure made `node` faulty. Cost: one binary search per round.
    pub fn is_faulty_by_closure(&self, node: NodeId) -> bool {
        self.rounds.iter().any(|round| round.binary_search(&node).is_ok())
    }

    /// Returns whether `node` is live and on the ring of a region, in two dimensions. Cost: the
    /// number of regions.
    pub fn is_ringed(&self, node: NodeId) -> bool {
        let has = |region: &Region| {
            if !region.is_box() {
                let at = self.mesh.row_and_column(node);
                return region.outline(self.mesh).iter().any(|&(position, _)| position == at);
            }
            let ring = region.ring(PlaneFamily::FLAT);
            self.ring_position(&ring, PlaneFamily::FLAT, node).is_some_and(|(row, column)| ring.contains(row, column))
        };
        self.mesh.is_plane() && !self.is_faulty(node) && self.regions.iter().any(has)
    }

    /// Returns the fault regions.
    pub fn regions(&self) -> &[Region] {
        &self.regions
    }

    /// Returns the region with number `id`.
    pub fn region(&self, id: RegionId) -> Option<&Region> {
        self.regions.get(id.index())
    }

    /// Returns the region that messages in `plane` meet at the faulty link at `port` of `node`.
    ///
    /// Returns `None` if the link is not faulty. `port` must lie in `plane`.
    #[inline]
    pub fn blocking(&self, plane: PlaneFamily, node: NodeId, port: Port) -> Option<RegionId> {
        if self.faulty_ports(node) & port.bit() == 0 {
            return None;
        }
        if self.mesh.is_plane() {
            return self.blocking_by_channel[self.mesh.channel(node, port) as usize];
        }
        let find = |beside: u8| {
            let key = region::blocked_key(self.mesh, node, port, beside);
            self.blocked.binary_search_by_key(&key, |&(key, _)| key).ok().map(|index| self.blocked[index].1)
        };
        find(port.dim()).or_else(|| find(plane.other_dimension(port.dim())))
    }

    /// Returns the port from `node` to the next node of the ring of `region` in `plane`.
    ///
    /// Returns `None` at the end of a chain, for nodes that are not on the ring, and for rings that
    /// [meet themselves](BlockFaults::ring_overlaps_itself) around a torus.
    #[inline]
    pub fn ring_step(
        &self,
        region: RegionId,
        plane: PlaneFamily,
        node: NodeId,
        orientation: Orientation,
    ) -> Option<Port> {
        let port = self.ring_port(region, plane, node, orientation)?;
        // An existing link is open or faulty; testing both masks is cheaper than finding the
        // neighbour.
        ((self.open_ports(node) | self.faulty_ports(node)) & port.bit() != 0).then_some(port)
    }

    /// Returns the port from `node` to the next position on the ring of `region` in `plane`, even
    /// if the port leads out of the mesh.
    #[inline]
    pub fn ring_port(
        &self,
        region: RegionId,
        plane: PlaneFamily,
        node: NodeId,
        orientation: Orientation,
    ) -> Option<Port> {
        let ring = self.region(region)?.ring(plane);
        let (row, column) = self.ring_position(&ring, plane, node)?;
        ring.step(row, column, orientation).map(|port| plane.port(port))
    }

    /// Returns the row and column of `node` in the coordinates of `ring` in `plane`; `None` if the
    /// ring meets itself around the torus.
    #[inline]
    fn ring_position(&self, ring: &Ring, plane: PlaneFamily, node: NodeId) -> Option<(i32, i32)> {
        let (row, column) = plane.position(self.mesh, node);
        if !self.mesh.is_torus() {
            return Some((row, column));
        }
        let row = self.to_ring_coordinate(plane.row, row, ring.top, ring.bottom)?;
        Some((row, self.to_ring_coordinate(plane.column, column, ring.left, ring.right)?))
    }

    /// Returns the coordinate `at`, shifted around a torus by multiples of the radix to the first
    /// value from `low` on; `None` if a ring from `low` to `high` meets itself around the torus.
    fn to_ring_coordinate(&self, dim: u8, at: i32, low: i32, high: i32) -> Option<i32> {
        let radix = i32::from(self.mesh.radix(dim));
        match self.mesh.wraps(dim) {
            true if high - low >= radix => None,
            true => Some(low + (at - low).rem_euclid(radix)),
            false => Some(at),
        }
    }

    /// Returns whether the ring of `region` in any plane extends beyond the mesh, so that the
    /// border cuts it into chains.
    pub fn is_chain(&self, region: &Region) -> bool {
        PlaneFamily::all(self.mesh)
            .filter(|&plane| region.meets_plane(plane))
            .any(|plane| self.is_chain_in(region, plane))
    }

    fn is_chain_in(&self, region: &Region, plane: PlaneFamily) -> bool {
        let ring = region.ring(plane);
        let out = |dim: u8, low: i32, high: i32| {
            !self.mesh.wraps(dim) && (low < 0 || high >= i32::from(self.mesh.radix(dim)))
        };
        out(plane.row, ring.top, ring.bottom) || out(plane.column, ring.left, ring.right)
    }

    /// Counts the fault rings and the fault chains around all regions.
    ///
    /// On a plane, a region that touches two opposite borders has two chains. In more dimensions,
    /// each region counts once: as a ring if its rings are complete in every plane, otherwise as a
    /// chain. Cost: the number of positions on all rings.
    pub fn ring_counts(&self) -> RingCounts {
        let mut counts = RingCounts::default();
        for region in &self.regions {
            let planes = || PlaneFamily::all(self.mesh).filter(|&plane| region.meets_plane(plane));
            if planes().any(|plane| self.ring_overlaps_itself(region, plane)) {
                counts.without_ring += 1;
            } else if !self.is_chain(region) {
                counts.rings += 1;
            } else if self.mesh.is_plane() {
                counts.chains += self.chains(region);
            } else {
                counts.chains += 1;
            }
        }
        counts
    }

    /// Returns the positions of the ring or outline of `region` in `plane`, clockwise, including those
    /// outside of the mesh.
    fn ring_positions(&self, region: &Region, plane: PlaneFamily) -> Vec<(i32, i32)> {
        if region.is_box() {
            return region.ring(plane).positions();
        }
        region.outline(self.mesh).into_iter().map(|(at, _)| at).collect()
    }

    /// Counts the pieces into which the borders of a plane mesh cut the ring of `region`.
    fn chains(&self, region: &Region) -> u32 {
        let places = self.ring_positions(region, PlaneFamily::FLAT);
        let is_inside = |&(row, column): &(i32, i32)| {
            let inside = |dim: u8, at: i32| self.mesh.wraps(dim) || (0..i32::from(self.mesh.radix(dim))).contains(&at);
            inside(PlaneFamily::FLAT.row, row) && inside(PlaneFamily::FLAT.column, column)
        };
        let inside: Vec<_> = places.iter().map(is_inside).collect();
        let before = inside.iter().cycle().skip(inside.len().saturating_sub(1));
        inside.iter().zip(before).filter(|&(&here, &before)| here && !before).count() as u32
    }

    /// Returns the nodes of the ring of `region` in the `plane` through `base`, clockwise.
    ///
    /// A ring starts at its north-western corner, a chain at the end from which the clockwise
    /// direction follows it. The result is empty if the ring would [meet
    /// itself](BlockFaults::ring_overlaps_itself).
    pub fn ring_nodes(&self, region: &Region, plane: PlaneFamily, base: NodeId) -> Vec<NodeId> {
        if self.ring_overlaps_itself(region, plane) {
            return Vec::new();
        }
        let around = self.ring_positions(region, plane);
        let inside: Vec<_> = around.iter().map(|&(row, column)| plane.node(self.mesh, base, row, column)).collect();
        // A chain begins after a gap.
        let gap = inside.iter().position(Option::is_none).unwrap_or(0);
        (0..inside.len()).filter_map(|step| inside[(gap + step) % inside.len()]).collect()
    }

    /// Returns the links of overlapping rings (section II.B): the links that two or more regions'
    /// rings share, without duplicates.
    pub fn shared_links(&self) -> Vec<Link> {
        self.links_shared_by(self.regions.iter())
    }

    /// Returns the links that the rings of two or more of some regions share, without duplicates.
    pub fn links_shared_by<'a>(&self, regions: impl Iterator<Item = &'a Region>) -> Vec<Link> {
        let of = |region: &Region| {
            let mut links = self.ring_links(region);
            links.sort();
            links.dedup();
            links
        };
        let mut links: Vec<_> = regions.flat_map(of).collect();
        links.sort();
        let mut shared: Vec<_> = links.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]).collect();
        shared.dedup();
        shared
    }

    /// Returns the links of the rings and chains of `region`, in every plane in which messages meet
    /// the region.
    pub fn ring_links(&self, region: &Region) -> Vec<Link> {
        if !region.is_box() {
            let link = |((row, column), port)| self.mesh.link(self.mesh.node(row, column)?, port);
            return region.outline(self.mesh).into_iter().filter_map(link).collect();
        }
        let mut links = Vec::new();
        for plane in PlaneFamily::all(self.mesh).filter(|&plane| !self.ring_overlaps_itself(region, plane)) {
            let ring = region.ring(plane);
            for base in region.plane_bases(self.mesh, plane) {
                links.extend(ring.links(self.mesh, plane, base));
            }
        }
        links
    }

    /// Returns whether every region is a single node or link with a complete ring, and no two rings
    /// share a link.
    ///
    /// Section V samples such faults. f-cube2 and LH2 may use either orientation around them.
    pub fn are_isolated(&self) -> bool {
        self.regions.iter().all(|region| region.is_single() && !self.is_chain(region)) && !self.has_overlapping_rings()
    }

    /// Returns whether faults cut no plane of the families `planes`.
    ///
    /// In every plane, the live nodes must be connected, and no whole row or column may be faulty.
    /// On a torus, no region may be [impassable](BlockFaults::is_impassable) in a plane. Routing in
    /// the planes requires connected planes in more than two dimensions (section VI, condition 3)
    /// and on tori. Cost: the number of nodes, for each family.
    pub fn are_planes_connected(&self, planes: &[PlaneFamily]) -> bool {
        planes.iter().all(|&plane| self.is_plane_connected(plane))
            && (!self.mesh.is_torus()
                || !self.regions.iter().any(|region| planes.iter().any(|&plane| self.is_impassable(region, plane))))
    }

    /// Returns whether messages in `plane` cannot go around `region`: the region spans a dimension,
    /// or its ring [meets itself](BlockFaults::ring_overlaps_itself).
    pub fn is_impassable(&self, region: &Region, plane: PlaneFamily) -> bool {
        let ring = region.ring(plane);
        let spans = |dim: u8, low: i32, high: i32| low < 0 && high >= i32::from(self.mesh.radix(dim));
        let spans = || spans(plane.column, ring.left, ring.right) || spans(plane.row, ring.top, ring.bottom);
        region.meets_plane(plane) && (self.ring_overlaps_itself(region, plane) || spans())
    }

    /// Returns whether `region` leaves fewer than two lines of nodes beside it around a torus in
    /// `plane`, and therefore has no ring.
    pub fn ring_overlaps_itself(&self, region: &Region, plane: PlaneFamily) -> bool {
        let ring = region.ring(plane);
        let beyond =
            |dim: u8, low: i32, high: i32| self.mesh.wraps(dim) && high - low >= i32::from(self.mesh.radix(dim));
        beyond(plane.column, ring.left, ring.right) || beyond(plane.row, ring.top, ring.bottom)
    }

    /// Returns whether no plane of the family is disconnected or has a faulty row or column.
    fn is_plane_connected(&self, plane: PlaneFamily) -> bool {
        let mut seen = vec![false; self.faulty.len()];
        let is_first =
            |node: NodeId| self.mesh.coordinate(node, plane.column) == 0 && self.mesh.coordinate(node, plane.row) == 0;
        self.mesh.iter_nodes().filter(|&node| is_first(node)).all(|base| {
            let (rows, columns) = (self.mesh.radix(plane.row), self.mesh.radix(plane.column));
            let at = |row, column| {
                self.mesh.with_coordinate(self.mesh.with_coordinate(base, plane.row, row), plane.column, column)
            };
            let row_is_dead = |row| (0..columns).all(|column| self.is_faulty(at(row, column)));
            let column_is_dead = |column| (0..rows).all(|row| self.is_faulty(at(row, column)));
            if (0..rows).any(row_is_dead) || (0..columns).any(column_is_dead) {
                return false;
            }
            let nodes = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
            let live: Vec<_> =
                nodes.map(|(row, column)| at(row, column)).filter(|&node| !self.is_faulty(node)).collect();
            let Some(&first) = live.first() else { return true };
            let mut rest = vec![first];
            seen[first.0 as usize] = true;
            while let Some(node) = rest.pop() {
                for port in self.mesh.ports().filter(|&port| plane.contains_port(port) && self.is_open(node, port)) {
                    let Some(next) = self.mesh.neighbor(node, port) else { continue };
                    if !std::mem::replace(&mut seen[next.0 as usize], true) {
                        rest.push(next);
                    }
                }
            }
            live.iter().all(|node| seen[node.0 as usize])
        })
    }

    /// Returns whether rings share a link.
    pub fn has_overlapping_rings(&self) -> bool {
        !self.shared_links().is_empty()
    }

    /// Returns the number of connected components of live nodes.
    pub fn components(&self) -> usize {
        self.sizes.len()
    }

    /// Returns whether `node` is live and in the largest component, so that it sends and receives.
    #[inline]
    pub fn is_member(&self, node: NodeId) -> bool {
        self.component[node.0 as usize] == self.largest_component && self.largest_component != NO_COMPONENT
    }

    /// Returns whether routing without fault chains deactivates `node`, live or not.
    ///
    /// Such routing labels rows and columns at the border faulty until no region touches the border
    /// of the remaining box (Chien & Kim). All nodes outside this box are deactivated.
    #[inline]
    pub fn is_deactivated(&self, node: NodeId) -> bool {
        self.deactivated.get(node.0 as usize).is_some_and(|&is_given_up| is_given_up)
    }

    /// Returns the number of live nodes that routing without fault chains deactivates.
    pub fn deactivated_count(&self) -> usize {
        self.mesh.iter_nodes().filter(|&node| self.is_deactivated(node) && !self.is_faulty(node)).count()
    }

    /// Returns whether the live nodes `a` and `b` are connected.
    pub fn are_connected(&self, a: NodeId, b: NodeId) -> bool {
        let (a, b) = (self.component[a.0 as usize], self.component[b.0 as usize]);
        a == b && a != NO_COMPONENT
    }

    /// Returns the nodes that [take part](BlockFaults::is_member), ascending.
    pub fn members(&self) -> impl Iterator<Item = NodeId> {
        self.mesh.iter_nodes().filter(|&node| self.is_member(node))
    }

    /// Returns these faults once for each other component of at least two live nodes, with the nodes
    /// of that component [taking part](BlockFaults::is_member); in the order of their first nodes.
    ///
    /// If faults disconnect the network, the paper applies its algorithms to each component
    /// (Boppana & Chalasani, section II.A). Cost: a copy of the faults for each item taken.
    pub fn other_components(&self) -> impl Iterator<Item = Self> {
        self.other_component_numbers().map(|number| Self { largest_component: number, ..self.clone() })
    }

    /// Returns whether no component is larger than the one that takes part.
    pub fn simulates_largest(&self) -> bool {
        self.sizes.get(self.largest_component as usize) == self.sizes.iter().max()
    }

    /// Returns these faults with the nodes of the component of this rank by size [taking
    /// part](BlockFaults::is_member): 1 for the largest; of equal ones, those with lower nodes come first.
    /// No node takes part if there are fewer components.
    #[must_use]
    pub fn with_component(self, rank: u16) -> Self {
        let mut numbers: Vec<u32> = (0..self.sizes.len() as u32).collect();
        numbers.sort_by_key(|&number| std::cmp::Reverse(self.sizes[number as usize]));
        let number = numbers.get(usize::from(rank.max(1)) - 1).copied();
        Self { largest_component: number.unwrap_or(NO_COMPONENT), ..self }
    }

    /// Returns these faults with the nodes of the component of `node` taking part.
    #[must_use]
    pub fn with_component_of(self, node: NodeId) -> Self {
        Self { largest_component: self.component[node.0 as usize], ..self }
    }

    /// Returns the number of components that [`BlockFaults::other_components`] returns.
    pub fn other_component_count(&self) -> usize {
        self.other_component_numbers().count()
    }

    fn other_component_numbers(&self) -> impl Iterator<Item = u32> {
        let sizes = (0..).zip(&self.sizes);
        sizes.filter(|&(number, &size)| number != self.largest_component && size > 1).map(|(number, _)| number)
    }

    fn find_components(&mut self) {
        let mut component = vec![NO_COMPONENT; self.faulty.len()];
        for start in self.mesh.iter_nodes() {
            if self.is_faulty(start) || component[start.0 as usize] != NO_COMPONENT {
                continue;
            }
            let number = self.sizes.len() as u32;
            let mut rest = vec![start];
            component[start.0 as usize] = number;
            let mut size = 0;
            while let Some(node) = rest.pop() {
                size += 1;
                for next in self.neighbors(node) {
                    if component[next.0 as usize] == NO_COMPONENT {
                        component[next.0 as usize] = number;
                        rest.push(next);
                    }
                }
            }
            self.sizes.push(size);
        }
        self.component = component;
        self.choose_largest_component();
    }

    fn choose_largest_component(&mut self) {
        let largest = self.sizes.iter().max();
        self.largest_component =
            largest.and_then(|most| self.sizes.iter().position(|size| size == most)).map_or(NO_COMPONENT, |n| n as u32);
    }

    /// Returns the live nodes that `node` can send to.
    pub fn neighbors(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        iter_ports(self.open_ports(node)).filter_map(move |port| self.mesh.neighbor(node, port))
    }
}

fn open_ports(mesh: Mesh, closed: &closure::FaultTables, node: NodeId) -> PortMask {
    if closed.faulty[node.0 as usize] {
        return 0;
    }
    let inside = mesh.ports().filter(|&port| mesh.neighbor(node, port).is_some());
    // `down` includes the links to faulty nodes.
    inside.fold(0, |ports, port| ports | port.bit()) & !closed.down[node.0 as usize]
}
