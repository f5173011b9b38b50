//! Syntax tree of a text of rules. Its [`Display`](std::fmt::Display) is the text in one canonical
//! form.

/// The byte position of an element in the text. All positions compare equal.
#[derive(Clone, Copy, Debug, Default)]
pub struct RulePosition(pub u32);

impl PartialEq for RulePosition {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// A name with its position.
#[derive(Clone, Debug, PartialEq)]
pub struct Name(pub String, pub RulePosition);

/// A parsed routing.
#[derive(Clone, Debug, PartialEq)]
pub struct Tree {
    /// The name in experiment texts.
    pub name: Name,
    /// The networks on which the routing is defined, at least one.
    pub networks: Vec<NetworkKind>,
    /// The number of virtual-channel classes needed on each channel.
    pub classes: u8,
    /// The escape classes, as a mask, for which a message may wait indefinitely (Duato); 0 if it
    /// may wait for all. Channels of other classes are taken only when idle.
    pub escapes: u16,
    /// The states of a header; empty for a single state. The first is the initial state unless
    /// `starts` selects another.
    pub states: Vec<Name>,
    /// The initial states with their conditions, first match first.
    pub starts: Vec<(Name, Condition)>,
    /// The named sets and conditions.
    pub definitions: Vec<(Name, Meaning)>,
    /// The rules, first match first.
    pub rules: Vec<RuleStatement>,
}

/// A kind of network.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetworkKind {
    /// The network family.
    pub family: Family,
    /// The only number of dimensions of meshes and tori; `None` for any.
    pub dimensions: Option<u8>,
}

/// A family of networks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Meshes.
    Mesh,
    /// Tori.
    Torus,
    /// Hypercubes.
    Cube,
}

/// The meaning of a defined name.
#[derive(Clone, Debug, PartialEq)]
pub enum Meaning {
    /// A set of ports.
    Set(Set),
    /// A condition.
    Condition(Condition),
}

/// A rule.
#[derive(Clone, Debug, PartialEq)]
pub struct RuleStatement {
    /// The states in which the rule may fire; empty for all.
    pub states: Vec<Name>,
    /// The condition under which the rule fires.
    pub when: When,
    /// The permitted ports: all of them, each with its class and its next state.
    pub takes: Vec<Permission>,
    /// The reason in words.
    pub sentence: Option<String>,
    /// The position of the rule.
    pub at: RulePosition,
}

/// The condition under which a rule fires.
#[derive(Clone, Debug, PartialEq)]
pub enum When {
    /// An explicit condition.
    Condition(Condition),
    /// No earlier rule fired.
    Otherwise,
    /// Unconditional.
    Always,
}

/// Ports that a message may take.
#[derive(Clone, Debug, PartialEq)]
pub struct Permission {
    /// The ports.
    pub ports: Ports,
    /// The class of virtual channels.
    pub class: u8,
    /// The next state; `None` for the current state.
    pub then: Option<Name>,
}

/// The ports that a rule permits.
#[derive(Clone, Debug, PartialEq)]
pub enum Ports {
    /// No port: the message is lost.
    Nothing,
    /// The next port along the fault ring that the message follows.
    Ring(RulePosition),
    /// The first port onto the fault ring of the region that blocks the lowest of these ports.
    Onto(Way, Set, RulePosition),
    /// Explicit sets, preferred ones first.
    Sets(Vec<Set>),
}

/// A direction around a fault region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// East along the northern side of the region.
    Clockwise,
    /// West along the northern side of the region.
    CounterClockwise,
    /// Either direction.
    Either,
}

/// A set of ports; on hypercubes, of dimensions.
#[derive(Clone, Debug, PartialEq)]
pub enum Set {
    /// A built-in set.
    Atom(Atom, RulePosition),
    /// A set that the text defines.
    Named(Name),
    /// The port along the lowest dimension; of two, the one where coordinates grow.
    Lowest(Box<Set>),
    /// The port along the highest dimension; of two, the one where coordinates grow.
    Highest(Box<Set>),
    /// The complement of a set.
    Not(Box<Set>),
    /// The intersection of two sets.
    And(Box<Set>, Box<Set>),
    /// The union of two sets.
    Or(Box<Set>, Box<Set>),
}

/// A built-in set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Atom {
    /// The ports on shortest paths.
    Minimal,
    /// The minimal dimensions of a hypercube, in which the addresses differ.
    Wrong,
    /// The dimensions of a hypercube in which the addresses agree.
    Right,
    /// All ports.
    All,
    /// The ports that lead over a live link to a live node.
    Live,
    /// The ports whose link or neighbour is faulty or disabled.
    Faulty,
    /// The port straight ahead; empty at the source.
    Ahead,
    /// The port back to the previous node; empty at the source.
    Back,
    /// The ports along which coordinates grow.
    Positive,
    /// The ports along which coordinates shrink.
    Negative,
    /// The ports whose path to the destination's coordinate crosses the wraparound link of their
    /// dimension.
    Wrapping,
    /// The ports to live nodes that are disabled to make a region convex.
    Disabled,
    /// The ports to nodes on a fault ring.
    Ringed,
    /// The ports that a single faulty node or link blocks.
    Single,
    /// A port of the plane by its direction.
    Compass(u8),
    /// A port by dimension and sign.
    Signed(u8),
    /// A dimension of a hypercube.
    Dimension(u8),
    /// The dimensions whose address bit is 0.
    Up,
    /// The dimensions whose address bit is 1.
    Down,
    /// The minimal ports with this many hops left in their dimension, 1 to 3.
    Away(u8),
}

/// A condition.
#[derive(Clone, Debug, PartialEq)]
pub enum Condition {
    /// A condition that is always true.
    Always,
    /// A test of two sets.
    Test(Test, Set, Set),
    /// The message has not left its source.
    AtSource(RulePosition),
    /// The message follows a fault ring.
    Around(RulePosition),
    /// A coordinate is even or odd.
    Parity {
        /// `true` for the coordinate of the destination, `false` for that of the node.
        of_destination: bool,
        /// The dimension.
        dim: u8,
        /// The spelling of the coordinate.
        called: CoordinateName,
        /// `true` for odd, `false` for even.
        odd: bool,
        /// The position in the text.
        at: RulePosition,
    },
    /// A condition that the text defines.
    Named(Name),
    /// The negation of a condition.
    Not(Box<Condition>),
    /// The conjunction of two conditions.
    And(Box<Condition>, Box<Condition>),
    /// The disjunction of two conditions.
    Or(Box<Condition>, Box<Condition>),
}

/// A comparison of two sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Test {
    /// `East is live`: like `some`, for a single port.
    Plain,
    /// The sets have a port in common.
    Some,
    /// The sets have no port in common.
    No,
    /// Each port of the first set is in the second.
    Every,
}

/// The spelling of a coordinate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CoordinateName {
    /// Dimension 0 of a plane.
    Column,
    /// Dimension 1 of a plane.
    Row,
    /// A coordinate by its dimension.
    Coordinate,
}
