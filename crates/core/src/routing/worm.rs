//! Wormhole routing on meshes, tori and hypercubes: which virtual channel a header may ask for next, and why.

use super::rules::OwnRouting;
use super::{Header, Misfit, Rule};
use crate::fault::BlockFaults;
use crate::fault::block::{Orientation, RegionId};
use crate::random::{Generator, below};
use crate::rich_text::RichText;
use crate::topology::{Mesh, NodeId, Port};

/// A message's type, the direction in which it still has to go (Boppana & Chalasani definitions 2 and 4): a dimension and a
/// sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WormType(Port);

impl WormType {
    /// A row message from West to East; of affected messages, 0+.
    pub const WE: Self = Self(Port::EAST);
    /// A row message from East to West; of affected messages, 0-.
    pub const EW: Self = Self(Port::WEST);
    /// A column message from North to South; of affected messages, 1+.
    pub const NS: Self = Self(Port::SOUTH);
    /// A column message from South to North; of affected messages, 1-.
    pub const SN: Self = Self(Port::NORTH);

    /// That of messages in the direction of `port`.
    #[inline]
    pub const fn towards(port: Port) -> Self {
        Self(port)
    }

    /// Its name on a plane, WE, EW, NS or SN; beyond, as an affected message.
    pub fn name(self) -> &'static str {
        ["WE", "EW", "NS", "SN"].get(usize::from(self.number())).copied().unwrap_or(self.affected_name())
    }

    /// Its name as an affected message: the dimension and the sign.
    pub fn affected_name(self) -> &'static str {
        let names = ["0+", "0-", "1+", "1-", "2+", "2-", "3+", "3-", "4+", "4-"];
        names.get(usize::from(self.number())).copied().unwrap_or("more")
    }

    /// The port that leads that way.
    #[inline]
    pub const fn port(self) -> Port {
        self.0
    }

    /// The dimension.
    #[inline]
    pub const fn dim(self) -> u8 {
        self.0.dim()
    }

    /// Its number in the order 0+, 0-, 1+, 1-, and so on.
    #[inline]
    pub const fn number(self) -> u8 {
        self.0.0 ^ 1
    }
}

/// What a message carries along besides its destination. Ten bytes, compared in dependency graphs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WormHeader {
    /// Its type; for adaptive routing, meaningful once it is affected.
    pub kind: WormType,
    /// Whether it is on its way around a region (f-cube: misrouted), or has been blocked by faults once (adaptive: affected).
    pub status: WormStatus,
    /// Its way around the region, once it has one.
    pub orientation: Option<Orientation>,
    /// The region it goes around, with `orientation`.
    pub region: Option<RegionId>,
    /// What else the algorithm keeps.
    pub memory: WormMemory,
}

/// What an algorithm keeps in the headers of its messages besides what all have: of each family its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WormMemory {
    /// Nothing.
    Nothing,
    /// Linder-Harden: the virtual network, a choice of directions in all dimensions but the first; bit d - 1 says that coordinates
    /// grow in dimension d.
    Network(u8),
    /// Dimension reversal: the reversals made.
    Reversals(u8),
    /// Negative-first: the hops that are left past a fault on the border, at least 1.
    OffBorder(u8),
    /// Weakly adaptive with f-cube4: it has the rest of the journey.
    Committed,
    /// A criterion: the header of messages and circuits by it.
    Criterion(Header),
    /// Backtracking: the nodes marked, a bit each.
    Marks(u16),
    /// By way of an intermediate node: on its way to this one.
    ToIntermediate(u16),
    /// The same, past it.
    FromIntermediate,
    /// Kim & Shin: where it is on its way by a healthy subcube, and which that is.
    BySubcube(SubcubePart, PackedSubcube),
    /// It has no route: it is lost at its source.
    NoRoute,
    /// Rules of one's own: the number of its state.
    State(u8),
    /// e-cube and f-cube on tori: in the dimensions whose bits are set, coordinates shrink where both ways around are equally long.
    ShrinksAtTies(u8),
}

/// The parts of a way by a healthy subcube.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SubcubePart {
    /// Not yet in it.
    Approach,
    /// In it.
    Inside,
    /// Past it.
    Leave,
}

/// A healthy subcube as a header carries it: its fixed dimensions, four bits each, twice the same if there is one; then the bits
/// there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PackedSubcube(pub(super) u16);

impl WormMemory {
    /// Returns whether a message shrinks its coordinate in dimension `dim` where both ways around a torus are equally long.
    #[inline]
    pub const fn shrinks_at_tie(self, dim: u8) -> bool {
        match self {
            Self::ShrinksAtTies(dims) => dims >> dim & 1 != 0,
            _ => false,
        }
    }

    /// It as a number below 2^22, another one for each.
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
        };
        tag << 18 | value
    }
}

// The flit engine keeps one for each message.
const _: () = assert!(size_of::<WormHeader>() == 10);

impl WormHeader {
    /// The dimension reversals that the message has made, of algorithms that count them; else 0.
    #[inline]
    pub const fn reversals(&self) -> u8 {
        match self.memory {
            WormMemory::Reversals(made) => made,
            _ => 0,
        }
    }

    /// The header of a message of type `kind` which no fault has met, and which remembers `memory`.
    #[inline]
    pub const fn remembering(kind: WormType, memory: WormMemory) -> Self {
        Self { memory, ..Self::normal(kind) }
    }

    /// That of a message of type `kind` which no fault has met.
    pub const fn normal(kind: WormType) -> Self {
        Self { kind, status: WormStatus::Normal, orientation: None, region: None, memory: WormMemory::Nothing }
    }
}

/// Whether faults have a part in a message's way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WormStatus {
    /// They have none.
    Normal,
    /// f-cube: it goes around a region.
    Misrouted,
    /// Adaptive: faults left it no minimal hop once; it stays so for the rest of its journey.
    Affected,
}

/// Where a message is and where it has to go: all that a decision may use besides local faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WormAt {
    /// The node that holds its header.
    pub here: NodeId,
    /// Its destination, another node.
    pub to: NodeId,
    /// The port by which its header left the node before; `None` at its source.
    pub came: Option<Port>,
    /// What it carries along.
    pub header: WormHeader,
}

/// One virtual channel that a message may ask for next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WormChoice {
    /// The port to leave by; its link is live.
    pub port: Port,
    /// The class of virtual channel.
    pub class: u8,
    /// The header when it has left by it.
    pub header: WormHeader,
    /// Why.
    pub rule: &'static Rule,
}

/// In place of the rule of a choice that is none.
static NO_RULE: Rule = Rule::worm("", |_| RichText::default());

/// The virtual channels that a message may ask for at one position. It takes any that is idle and waits for all of them; of
/// several, each cycle, it prefers one at random.
///
/// In this order in memory, so that what is mostly used of it lies in one cache line.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct WormChoices {
    count: u8,
    ranked: bool,
    /// The choices with which one begins to which those before are preferred, a bit each.
    later: u16,
    list: [WormChoice; Self::MOST],
}

impl PartialEq for WormChoices {
    fn eq(&self, other: &Self) -> bool {
        self.later == other.later && self.iter().eq(other.iter())
    }
}

impl Eq for WormChoices {}

impl WormChoices {
    /// The most there are at one position.
    pub const MOST: usize = 12;

    /// No choice: the message can never go on.
    pub const NONE: Self = {
        let header = WormHeader::normal(WormType::WE);
        Self {
            list: [WormChoice { port: Port::EAST, class: 0, header, rule: &NO_RULE }; Self::MOST],
            count: 0,
            ranked: false,
            later: 0,
        }
    };

    /// Takes out all.
    #[inline]
    pub fn clear(&mut self) {
        (self.count, self.ranked, self.later) = (0, false, 0);
    }

    /// Makes it a rule that the message may wait only for messages of more reversals than it has, as their headers count
    /// them (Dally & Aoki's dynamic algorithm). Where none of those that hold what it wants has more, it takes the choice
    /// whose rule is a last resort ([`Rule::is_last_resort`]), which it may have at no other time; if there is none, it
    /// is lost.
    #[inline]
    pub fn rank(&mut self) {
        self.ranked = true;
    }

    /// Whether the message may wait only for messages of more reversals, see [`WormChoices::rank`].
    #[inline]
    pub fn is_ranked(&self) -> bool {
        self.ranked
    }

    /// Makes those that are there already preferred to those that are added from now on: of these the message takes one only
    /// where of those none is idle. It waits for all of them.
    pub fn prefer(&mut self) {
        if self.count > 0 {
            self.later |= 1 << self.count;
        }
    }

    /// Whether some choices are preferred to others, see [`WormChoices::prefer`], or ranked.
    #[inline]
    pub fn is_ordered(&self) -> bool {
        self.ranked || self.later != 0
    }

    /// Whether all choices before number `index` are preferred to it.
    #[inline]
    pub fn is_later(&self, index: usize) -> bool {
        self.later >> (index & 15) & 1 == 1
    }

    /// The number of choices that a message which finds all idle chooses from: those to which none is preferred.
    pub fn preferred(&self) -> usize {
        self.len().min(self.later.trailing_zeros() as usize)
    }

    /// Whether other messages can leave the message nothing to take and nothing to wait for.
    pub fn is_cornered(&self) -> bool {
        self.ranked && self.iter().all(|choice| !choice.rule.is_last_resort())
    }

    /// Adds one; more than [`WormChoices::MOST`] are dropped.
    #[inline]
    pub fn add(&mut self, choice: WormChoice) {
        if let Some(place) = self.list.get_mut(usize::from(self.count)) {
            *place = choice;
            self.count += 1;
        }
    }

    /// The choices, in order.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = &WormChoice> {
        self.list.iter().take(self.len())
    }

    /// The number of choices.
    #[inline]
    pub fn len(&self) -> usize {
        usize::from(self.count)
    }

    /// Whether there is none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Choice number `index`.
    #[inline]
    pub fn get(&self, index: usize) -> Option<WormChoice> {
        if index < self.len() { self.list.get(index).copied() } else { None }
    }
}

/// Checks that `mesh` has no wraparound links, for algorithms that never route around a torus.
pub(super) fn check_borders(mesh: Mesh) -> Result<(), Misfit> {
    if mesh.is_torus() {
        return Err(Misfit::Wants(
            "a mesh without wraparound links: around a torus messages that all go on one way would wait in a circle",
        ));
    }
    Ok(())
}

/// Checks that `mesh` is a plane without wraparound links, for algorithms that are defined there.
pub(super) fn check_plane(mesh: Mesh) -> Result<(), Misfit> {
    check_borders(mesh)?;
    if mesh.is_plane() { Ok(()) } else { Err(Misfit::Wants("two dimensions")) }
}

/// A wormhole routing algorithm whose decisions are local.
///
/// [`choose`](WormRouting::choose) is the whole decision, a pure function: the flit engine, the dependency graph, the
/// single message and the words on the page all call it.
///
/// One of one's own, e-cube on meshes, whose dependencies have no circle:
///
/// ```
/// use faultlab_core::fault::BlockFaults;
/// use faultlab_core::routing::{
///     Misfit, Rule, WormAt, WormChoice, WormChoices, WormHeader, WormRouting, WormType,
/// };
/// use faultlab_core::theory::MeshDependencies;
/// use faultlab_core::topology::{Mesh, NodeId, ports_of};
///
/// static LOWEST: Rule = Rule::worm("lowest", |_| "the lowest dimension in which it is not there yet".into());
///
/// struct DimensionOrder;
///
/// impl WormRouting for DimensionOrder {
///     fn classes(&self, _mesh: Mesh) -> u8 {
///         1
///     }
///
///     fn check_network(&self, _mesh: Mesh) -> Result<(), Misfit> {
///         Ok(())
///     }
///
///     fn start(&self, _faults: &BlockFaults, _from: NodeId, _to: NodeId, _number: u32) -> WormHeader {
///         WormHeader::normal(WormType::WE)
///     }
///
///     fn choose(&self, faults: &BlockFaults, at: &WormAt, choices: &mut WormChoices) {
///         let minimal = faults.mesh().minimal_ports(at.here, at.to);
///         let lowest = ports_of(minimal).min_by_key(|port| port.dim());
///         for port in lowest.filter(|&port| faults.is_open(at.here, port)) {
///             choices.add(WormChoice { port, class: 0, header: at.header, rule: &LOWEST });
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
pub trait WormRouting: Send + Sync {
    /// The classes of virtual channels that it needs on every channel of `mesh`.
    fn classes(&self, mesh: Mesh) -> u8;

    /// Checks that the algorithm runs on `mesh`.
    ///
    /// # Errors
    /// Returns [`Misfit::Wants`], with what the algorithm wants of a network, if it does not run
    /// on this one.
    fn check_network(&self, mesh: Mesh) -> Result<(), Misfit>;

    /// The number of headers that a message may start with, at least 1, all equally likely; the source draws one.
    fn start_count(&self, _faults: &BlockFaults, _from: NodeId, _to: NodeId) -> u32 {
        1
    }

    /// Header number `number` of those that a message may start with.
    fn start(&self, faults: &BlockFaults, from: NodeId, to: NodeId, number: u32) -> WormHeader;

    /// Draws one of these headers.
    #[inline]
    fn draw(&self, faults: &BlockFaults, from: NodeId, to: NodeId, generator: &mut Generator) -> WormHeader {
        let count = self.start_count(faults, from, to);
        let number = if count > 1 { below(generator, count) } else { 0 };
        self.start(faults, from, to, number)
    }

    /// Adds the virtual channels that a message at `at` may ask for to `choices`, which are empty; none if faults leave it no
    /// way on. Cost: constant.
    fn choose(&self, faults: &BlockFaults, at: &WormAt, choices: &mut WormChoices);

    /// The virtual channels that a message at `at` may ask for, see [`WormRouting::choose`].
    fn choices(&self, faults: &BlockFaults, at: &WormAt) -> WormChoices {
        let mut choices = WormChoices::NONE;
        self.choose(faults, at, &mut choices);
        choices
    }

    /// Whether a message may wait for good for channels of `class`. Of weakly adaptive routing (Duato) only for those of the
    /// escape classes: it is their dependencies that must not close a circle.
    fn is_escape(&self, _mesh: Mesh, _class: u8) -> bool {
        true
    }

    /// Whether messages wait for those of more reversals only, see [`WormChoices::rank`]: circles of channels then do no harm.
    fn is_ranked(&self) -> bool {
        false
    }

    /// Whether the paper proves that it cannot deadlock on `faults`, and that it delivers every message; of f-cube on tori,
    /// which are not in the paper, whether that is claimed here.
    fn is_proved(&self, faults: &BlockFaults) -> bool;

    /// The routing of one's own that it is; `None` of built-in ones.
    fn own(&self) -> Option<&OwnRouting> {
        None
    }
}
