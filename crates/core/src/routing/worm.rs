//! Wormhole routing on meshes, tori and hypercubes: the virtual channels that a header may request
//! next, and the reasons.

use std::any::Any;

use super::{Header, Rule, Unsupported, UserRouting};
use crate::fault::BlockFaults;
use crate::fault::block::{Orientation, RegionId};
use crate::random::{Generator, below};
use crate::rich_text::RichText;
use crate::topology::{Mesh, NodeId, Port};

/// Type of a message: the direction in which the message still has to go (Boppana & Chalasani
/// definitions 2 and 4), as a dimension and a sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WormType(Port);

impl WormType {
    /// Type of row messages from West to East; 0+ for affected messages.
    pub const WE: Self = Self(Port::EAST);
    /// Type of row messages from East to West; 0- for affected messages.
    pub const EW: Self = Self(Port::WEST);
    /// Type of column messages from North to South; 1+ for affected messages.
    pub const NS: Self = Self(Port::SOUTH);
    /// Type of column messages from South to North; 1- for affected messages.
    pub const SN: Self = Self(Port::NORTH);

    /// Returns the type of messages in the direction of `port`.
    #[inline]
    pub const fn from_port(port: Port) -> Self {
        Self(port)
    }

    /// Returns the name of the type: WE, EW, NS or SN in the first two dimensions, otherwise as
    /// [`WormType::affected_name`].
    pub fn name(self) -> &'static str {
        ["WE", "EW", "NS", "SN"].get(usize::from(self.number())).copied().unwrap_or(self.affected_name())
    }

    /// Returns the name of the type for an affected message, such as 0+: the dimension and the
    /// sign.
    pub fn affected_name(self) -> &'static str {
        let names = ["0+", "0-", "1+", "1-", "2+", "2-", "3+", "3-", "4+", "4-"];
        names.get(usize::from(self.number())).copied().unwrap_or("more")
    }

    /// Returns the port in the direction of the type.
    #[inline]
    pub const fn port(self) -> Port {
        self.0
    }

    /// Returns the dimension.
    #[inline]
    pub const fn dim(self) -> u8 {
        self.0.dim()
    }

    /// Returns the number of the type in the order 0+, 0-, 1+, 1-, and so on.
    #[inline]
    pub const fn number(self) -> u8 {
        self.0.0 ^ 1
    }
}

/// The routing state of a worm besides its destination. A header has ten bytes, and dependency
/// graphs compare headers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WormHeader {
    /// The message type; for adaptive routing, meaningful only if the message is affected.
    pub message_type: WormType,
    /// The influence of faults: going around a region (f-cube: misrouted), or blocked by faults
    /// once (adaptive: affected).
    pub status: WormStatus,
    /// The orientation around the region, once chosen.
    pub orientation: Option<Orientation>,
    /// The region that the message goes around; present with `orientation`.
    pub region: Option<RegionId>,
    /// Additional state of the algorithm.
    pub memory: AlgorithmState,
}

/// Additional state that a family of algorithms stores in the headers of its messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AlgorithmState {
    /// No additional state.
    Nothing,
    /// Linder-Harden: the virtual network, a choice of directions in all dimensions but the first.
    /// Bit d - 1 is set if coordinates grow in dimension d.
    Network(u8),
    /// Dimension reversal: the number of reversals made.
    Reversals(u8),
    /// Negative-first: the number of hops still needed to pass a fault on the border, at least 1.
    OffBorder(u8),
    /// Weakly adaptive with f-cube4: f-cube4 routes the rest of the journey.
    Committed,
    /// A criterion: the header of messages and circuits under the criterion.
    Criterion(Header),
    /// Backtracking: the marked nodes, one bit for each.
    Marks(u16),
    /// Routing by an intermediate node: the worm is on its way to this node.
    ToIntermediate(u16),
    /// Routing by an intermediate node: the worm has passed the intermediate node.
    FromIntermediate,
    /// Kim & Shin: the part of the route by a healthy subcube, and the subcube.
    BySubcube(SubcubePart, PackedSubcube),
    /// No route: the message is lost at its source.
    NoRoute,
    /// User-defined rules: the number of the current state.
    State(u8),
    /// e-cube and f-cube on tori: the dimensions, as set bits, in which the message shrinks its
    /// coordinate if both ways around are equally long.
    ShrinksAtTies(u8),
    /// O1TURN: the message corrects its column before its row.
    ColumnFirst,
}

/// A part of a route by a healthy subcube.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SubcubePart {
    /// The part before the subcube.
    Approach,
    /// The part inside the subcube.
    Inside,
    /// The part after the subcube.
    Leave,
}

/// A healthy subcube as stored in a header: its fixed dimensions, four bits each, then the address
/// bits in these dimensions. A single fixed dimension is stored twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PackedSubcube(pub(super) u16);

impl AlgorithmState {
    /// Returns whether a message shrinks its coordinate in dimension `dim` if both ways around a
    /// torus are equally long.
    #[inline]
    pub const fn shrinks_at_tie(self, dim: u8) -> bool {
        match self {
            Self::ShrinksAtTies(dims) => dims >> dim & 1 != 0,
            _ => false,
        }
    }

    /// Returns a number below 2^22 that is unique to the state.
    pub fn number(self) -> u32 {
        let (tag, value) = match self {
            Self::Nothing => (0, 0),
            Self::Network(network) => (1, u32::from(network)),
            Self::Reversals(reversals) => (2, u32::from(reversals)),
            Self::OffBorder(hops) => (3, u32::from(hops)),
            Self::Committed => (4, 0),
            Self::Criterion(Header(header)) => (5, u32::from(header)),
            Self::Marks(marks) => (6, u32::from(marks)),
            Self::ToIntermediate(via) => (7, u32::from(via)),
            Self::FromIntermediate => (8, 0),
            Self::BySubcube(part, PackedSubcube(subcube)) => (9, u32::from(subcube) << 2 | part as u32),
            Self::NoRoute => (10, 0),
            Self::State(state) => (11, u32::from(state)),
            Self::ShrinksAtTies(dims) => (12, u32::from(dims)),
            Self::ColumnFirst => (13, 0),
        };
        tag << 18 | value
    }
}

// The size matters because the flit engine stores one header for each message.
const _: () = assert!(size_of::<WormHeader>() == 10);

impl WormHeader {
    /// Returns the dimension reversals that the message has made; 0 for algorithms that do not
    /// count them.
    #[inline]
    pub const fn reversals(&self) -> u8 {
        match self.memory {
            AlgorithmState::Reversals(made) => made,
            _ => 0,
        }
    }

    /// Returns the header of a message of type `kind` that no fault has affected, with the state
    /// `memory`.
    #[inline]
    pub const fn with_memory(kind: WormType, memory: AlgorithmState) -> Self {
        Self { memory, ..Self::normal(kind) }
    }

    /// Returns the header of a message of type `kind` that no fault has affected.
    pub const fn normal(kind: WormType) -> Self {
        Self {
            message_type: kind,
            status: WormStatus::Normal,
            orientation: None,
            region: None,
            memory: AlgorithmState::Nothing,
        }
    }
}

/// Influence of faults on a message's route.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WormStatus {
    /// No influence.
    Normal,
    /// f-cube: the message goes around a region.
    Misrouted,
    /// Adaptive: faults once left the message no minimal hop. The message stays affected for the
    /// rest of its journey.
    Affected,
}

/// A worm's position and destination: the input of a decision besides local faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WormPosition {
    /// The node at which the header of the worm is.
    pub here: NodeId,
    /// The destination, a different node.
    pub to: NodeId,
    /// The port by which the header left the previous node; `None` at the source.
    pub input_port: Option<Port>,
    /// The header of the worm.
    pub header: WormHeader,
}

/// A virtual channel that a message may request next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VcRequest {
    /// The output port, whose link is live.
    pub port: Port,
    /// The class of virtual channel.
    pub class: u8,
    /// The header after the hop.
    pub header: WormHeader,
    /// The rule that permits the request.
    pub rule: &'static Rule,
}

/// Placeholder rule for unused slots.
static NO_RULE: Rule = Rule::worm("", |_| RichText::default());

/// The virtual channels that a message may request at one position.
///
/// The message takes any idle channel of the list and waits for all channels. If several channels
/// are idle, the message prefers a random one in each cycle.
///
/// The field order keeps the most used part in one cache line.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct VcRequests {
    count: u8,
    ranked: bool,
    /// Bit mask of the choices that start a less preferred group: the message prefers all choices
    /// before such an index.
    group_starts: u16,
    list: [VcRequest; Self::MAX],
}

impl PartialEq for VcRequests {
    fn eq(&self, other: &Self) -> bool {
        self.group_starts == other.group_starts && self.iter().eq(other.iter())
    }
}

impl Eq for VcRequests {}

impl VcRequests {
    /// The maximum number of choices at one position.
    pub const MAX: usize = 12;

    /// No choice: the message can never continue.
    pub const NONE: Self = {
        let header = WormHeader::normal(WormType::WE);
        Self {
            list: [VcRequest { port: Port::EAST, class: 0, header, rule: &NO_RULE }; Self::MAX],
            count: 0,
            ranked: false,
            group_starts: 0,
        }
    };

    /// Removes all choices.
    #[inline]
    pub fn clear(&mut self) {
        (self.count, self.ranked, self.group_starts) = (0, false, 0);
    }

    /// Restricts waiting: the message may wait only for messages with more dimension reversals than
    /// it has, as their headers count them (Dally & Aoki's dynamic algorithm).
    ///
    /// If no holder of a requested channel has more reversals, the message takes the choice whose
    /// rule is a last resort ([`Rule::is_last_resort`]). The message may take that choice at no
    /// other time. Without a last resort the message is lost.
    #[inline]
    pub fn rank(&mut self) {
        self.ranked = true;
    }

    /// Returns whether the message may wait only for messages with more reversals, see
    /// [`VcRequests::rank`].
    #[inline]
    pub fn is_ranked(&self) -> bool {
        self.ranked
    }

    /// Gives the present choices priority over choices added later. The message takes a later
    /// choice only if no preferred choice is idle, but waits for all choices.
    pub fn prefer(&mut self) {
        if self.count > 0 {
            self.group_starts |= 1 << self.count;
        }
    }

    /// Returns whether the choices are ranked, or some have priority over others, see
    /// [`VcRequests::prefer`].
    #[inline]
    pub fn is_ordered(&self) -> bool {
        self.ranked || self.group_starts != 0
    }

    /// Returns whether the message prefers all choices before number `index` to choice `index`.
    #[inline]
    pub fn is_later(&self, index: usize) -> bool {
        self.group_starts >> (index & 15) & 1 == 1
    }

    /// Returns the number of most preferred choices, among which a message chooses if all are idle.
    pub fn preferred(&self) -> usize {
        self.len().min(self.group_starts.trailing_zeros() as usize)
    }

    /// Returns whether other messages can occupy all choices while the message may wait for none of
    /// them.
    pub fn can_starve(&self) -> bool {
        self.ranked && self.iter().all(|choice| !choice.rule.is_last_resort())
    }

    /// Adds a choice. Choices beyond [`VcRequests::MAX`] are dropped.
    #[inline]
    pub fn add(&mut self, choice: VcRequest) {
        if let Some(place) = self.list.get_mut(usize::from(self.count)) {
            *place = choice;
            self.count += 1;
        }
    }

    /// Returns the choices, in order.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = &VcRequest> {
        self.list.iter().take(self.len())
    }

    /// Returns the number of choices.
    #[inline]
    pub fn len(&self) -> usize {
        usize::from(self.count)
    }

    /// Returns whether there is no choice.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Returns choice number `index`.
    #[inline]
    pub fn get(&self, index: usize) -> Option<VcRequest> {
        if index < self.len() { self.list.get(index).copied() } else { None }
    }
}

/// Checks that `mesh` has no wraparound links, for algorithms that do not support tori.
pub(super) fn check_borders(mesh: Mesh) -> Result<(), Unsupported> {
    if mesh.is_torus() {
        return Err(Unsupported::NetworkRequirement(
            "a mesh without wraparound links: on a torus, messages that all go the same way around could deadlock",
        ));
    }
    Ok(())
}

/// Checks that `mesh` is a plane without wraparound links, for algorithms that require such a
/// plane.
pub(super) fn check_plane(mesh: Mesh) -> Result<(), Unsupported> {
    check_borders(mesh)?;
    if mesh.is_plane() { Ok(()) } else { Err(Unsupported::NetworkRequirement("two dimensions")) }
}

/// A wormhole routing algorithm whose decisions are local.
///
/// [`WormRouting::route_compute`] makes the whole decision. It is a pure function, which the flit
/// engine, the dependency graph, the single message and the texts of the page all call.
///
/// This example implements e-cube on meshes, whose dependencies are acyclic:
///
/// ```
/// use faultlab_core::fault::BlockFaults;
/// use faultlab_core::routing::{
///     Unsupported, Rule, WormPosition, VcRequest, VcRequests, WormHeader, WormRouting, WormType,
/// };
/// use faultlab_core::theory::MeshDependencies;
/// use faultlab_core::topology::{Mesh, NodeId, iter_ports};
///
/// static LOWEST: Rule = Rule::worm("lowest", |_| "the lowest dimension in which hops are left".into());
///
/// struct DimensionOrder;
///
/// impl WormRouting for DimensionOrder {
///     fn vc_classes(&self, _mesh: Mesh) -> u8 {
///         1
///     }
///
///     fn check_network(&self, _mesh: Mesh) -> Result<(), Unsupported> {
///         Ok(())
///     }
///
///     fn initial_header(&self, _: &BlockFaults, _from: NodeId, _to: NodeId, _number: u32) -> WormHeader {
///         WormHeader::normal(WormType::WE)
///     }
///
///     fn route_compute(&self, faults: &BlockFaults, at: &WormPosition, choices: &mut VcRequests) {
///         let minimal = faults.mesh().minimal_ports(at.here, at.to);
///         let lowest = iter_ports(minimal).min_by_key(|port| port.dim());
///         for port in lowest.filter(|&port| faults.is_open(at.here, port)) {
///             choices.add(VcRequest { port, class: 0, header: at.header, rule: &LOWEST });
///         }
///     }
///
///     fn is_proved(&self, faults: &BlockFaults) -> bool {
///         faults.is_none()
///     }
/// }
///
/// let faults = BlockFaults::new(Mesh::new(4, 4).expect("a mesh"), &[], &[]);
/// let all = MeshDependencies::build(&faults, &DimensionOrder).expect("a small mesh");
/// assert!(all.graph().acyclic_order().is_ok());
/// assert_eq!((all.arrivals().pairs, all.arrivals().lost), (16 * 15, 0));
/// ```
pub trait WormRouting: Any + Send + Sync {
    /// Returns the number of virtual-channel classes needed on every channel of `mesh`.
    fn vc_classes(&self, mesh: Mesh) -> u8;

    /// Checks that the algorithm runs on `mesh`.
    ///
    /// # Errors
    /// Returns [`Unsupported::NetworkRequirement`], with the requirement on the network, if the
    /// algorithm does not run on `mesh`.
    fn check_network(&self, mesh: Mesh) -> Result<(), Unsupported>;

    /// Returns the number of possible initial headers of a message, at least 1, all equally likely.
    /// The source draws one of them.
    fn initial_header_count(&self, _faults: &BlockFaults, _from: NodeId, _to: NodeId) -> u32 {
        1
    }

    /// Returns initial header number `number`.
    fn initial_header(&self, faults: &BlockFaults, from: NodeId, to: NodeId, number: u32) -> WormHeader;

    /// Draws an initial header.
    #[inline]
    fn draw_initial_header(
        &self,
        faults: &BlockFaults,
        from: NodeId,
        to: NodeId,
        generator: &mut Generator,
    ) -> WormHeader {
        let count = self.initial_header_count(faults, from, to);
        let number = if count > 1 { below(generator, count) } else { 0 };
        self.initial_header(faults, from, to, number)
    }

    /// Adds the virtual channels that a message at `at` may request to the empty `choices`; none if
    /// faults leave no route. Cost: constant.
    fn route_compute(&self, faults: &BlockFaults, at: &WormPosition, choices: &mut VcRequests);

    /// Returns the virtual channels that a message at `at` may request, see
    /// [`WormRouting::route_compute`].
    fn choices(&self, faults: &BlockFaults, at: &WormPosition) -> VcRequests {
        let mut choices = VcRequests::NONE;
        self.route_compute(faults, at, &mut choices);
        choices
    }

    /// Returns whether a message may wait indefinitely for channels of `class`.
    ///
    /// In weakly adaptive routing (Duato) only the escape classes qualify. Their dependencies must
    /// be acyclic.
    fn is_escape(&self, _mesh: Mesh, _class: u8) -> bool {
        true
    }

    /// Returns whether messages wait only for messages with more reversals, see
    /// [`VcRequests::rank`]. Cyclic channel dependencies are then harmless.
    fn is_ranked(&self) -> bool {
        false
    }

    /// Returns the faults around whose regions messages are routed: `faults`, or the rectangles in
    /// which their regions are inscribed. Pictures draw the rings of the result.
    fn routed_faults<'a>(&self, faults: &'a BlockFaults) -> &'a BlockFaults {
        faults
    }

    /// Returns whether delivery of every message without deadlock on `faults` is claimed: by the
    /// paper of the algorithm, or by Faultlab for routing around faults on tori, `weak-compact` and
    /// `weak-f-cube2`, which no paper proves.
    fn is_proved(&self, faults: &BlockFaults) -> bool;

    /// Returns the user-defined routing, or `None` for a built-in algorithm.
    fn user_routing(&self) -> Option<&dyn UserRouting> {
        None
    }
}
