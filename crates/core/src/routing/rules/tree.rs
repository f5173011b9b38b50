//! What a text of rules says, as a value; its [`Display`](std::fmt::Display) is the text again, in one canonical form.

/// The byte of the text at which something stands; it makes no difference to what is said.
#[derive(Clone, Copy, Debug, Default)]
pub struct Place(pub u32);

impl PartialEq for Place {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// A name, and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Name(pub String, pub Place);

/// One routing.
#[derive(Clone, Debug, PartialEq)]
pub struct Tree {
    /// Its name in experiment texts.
    pub name: Name,
    /// The networks on which it is defined, at least one.
    pub networks: Vec<On>,
    /// The classes of virtual channels that it needs of a channel.
    pub classes: u8,
    /// The classes for which a message may wait for good, a bit each, while others are taken as they come (Duato); 0 for all.
    pub escapes: u16,
    /// The names of the states of a header, the first one that of the start unless `starts` say otherwise; empty for one.
    pub states: Vec<Name>,
    /// Under which condition a message starts in which state, first match first.
    pub starts: Vec<(Name, Condition)>,
    /// Sets and conditions with names of their own.
    pub definitions: Vec<(Name, Meaning)>,
    /// The rules, first match first.
    pub rules: Vec<Line>,
}

/// A kind of network.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct On {
    /// Which family.
    pub family: Family,
    /// Of meshes and tori, the one number of dimensions; `None` for any.
    pub dimensions: Option<u8>,
}

/// The families of networks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Meshes.
    Mesh,
    /// Tori.
    Torus,
    /// Hypercubes.
    Cube,
}

/// What a name stands for.
#[derive(Clone, Debug, PartialEq)]
pub enum Meaning {
    /// A set of ports.
    Set(Set),
    /// A condition.
    Condition(Condition),
}

/// A rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// The states in which it may fire; empty for all.
    pub states: Vec<Name>,
    /// When it fires.
    pub when: When,
    /// What may be taken then: all of it, each with its class and its next state.
    pub takes: Vec<Take>,
    /// The reason in words.
    pub sentence: Option<String>,
    /// Where it stands.
    pub at: Place,
}

/// When a rule fires.
#[derive(Clone, Debug, PartialEq)]
pub enum When {
    /// Under a condition.
    Condition(Condition),
    /// If none before it did.
    Otherwise,
    /// At any time.
    Always,
}

/// Ports that may be taken.
#[derive(Clone, Debug, PartialEq)]
pub struct Take {
    /// Which.
    pub ports: Ports,
    /// The class of virtual channels.
    pub class: u8,
    /// The state that follows; `None` for the same.
    pub then: Option<Name>,
}

/// Which ports a rule permits.
#[derive(Clone, Debug, PartialEq)]
pub enum Ports {
    /// None: the message is lost.
    Nothing,
    /// On along the fault ring that it follows.
    Ring(Place),
    /// Onto the fault ring of the region that blocks the lowest of these ports.
    Onto(Way, Set, Place),
    /// These, preferred ones first.
    Sets(Vec<Set>),
}

/// The way around a fault region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// East along its northern side.
    Clockwise,
    /// The other way.
    CounterClockwise,
    /// Both are permitted.
    Either,
}

/// A set of ports; on hypercubes, of dimensions.
#[derive(Clone, Debug, PartialEq)]
pub enum Set {
    /// One that has a word.
    Atom(Atom, Place),
    /// One that the text defines.
    Named(Name),
    /// The one along the lowest dimension, where coordinates grow if there are two.
    Lowest(Box<Set>),
    /// The same of the highest dimension.
    Highest(Box<Set>),
    /// All others.
    Not(Box<Set>),
    /// What is in both.
    And(Box<Set>, Box<Set>),
    /// What is in either.
    Or(Box<Set>, Box<Set>),
}

/// The sets that have words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Atom {
    /// Those on shortest paths.
    Minimal,
    /// The same on hypercubes: the dimensions in which the addresses differ.
    Wrong,
    /// The other dimensions of a hypercube.
    Right,
    /// All.
    All,
    /// Those that lead over a live link to a live node.
    Live,
    /// Those whose link or neighbour is faulty or disabled.
    Faulty,
    /// The way it came, straight on; empty at the source.
    Ahead,
    /// The way back; empty at the source.
    Back,
    /// Those along which coordinates grow.
    Positive,
    /// Those along which they shrink.
    Negative,
    /// Those whose way to the destination's coordinate crosses the wraparound link of their dimension.
    Wrapping,
    /// Those to live nodes that are given up to make a region convex.
    Disabled,
    /// Those to nodes on a fault ring.
    Ringed,
    /// Those that a single faulty node or link blocks.
    Single,
    /// A port of the plane by its direction.
    Compass(u8),
    /// A port by dimension and sign.
    Signed(u8),
    /// A dimension of a hypercube.
    Dimension(u8),
    /// Dimensions whose address bit is 0.
    Up,
    /// Dimensions whose address bit is 1.
    Down,
    /// Minimal ports along which so many hops are left, 1 to 3.
    Away(u8),
}

/// A condition.
#[derive(Clone, Debug, PartialEq)]
pub enum Condition {
    /// It holds.
    Always,
    /// A test of two sets.
    Test(Test, Set, Set),
    /// The message has not left its source.
    AtSource(Place),
    /// The message follows a fault ring.
    Around(Place),
    /// A coordinate is even or odd.
    Parity {
        /// Whether it is the destination's.
        of_destination: bool,
        /// The dimension.
        dim: u8,
        /// How it is called.
        called: Called,
        /// Whether it is to be odd.
        odd: bool,
        /// Where it stands.
        at: Place,
    },
    /// One that the text defines.
    Named(Name),
    /// It does not hold.
    Not(Box<Condition>),
    /// Both hold.
    And(Box<Condition>, Box<Condition>),
    /// At least one holds.
    Or(Box<Condition>, Box<Condition>),
}

/// How two sets are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Test {
    /// `East is live`: as `some`, said of a single port.
    Plain,
    /// They have a port in common.
    Some,
    /// They have none.
    No,
    /// Each of the first is in the second.
    Every,
}

/// How a coordinate is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Called {
    /// Dimension 0 of a plane.
    Column,
    /// Dimension 1 of a plane.
    Row,
    /// By its dimension.
    Coordinate,
}
