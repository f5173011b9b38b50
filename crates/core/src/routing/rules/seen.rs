//! What rules can look at where a message is, as numbers.

use crate::routing::{Links, Position};
use crate::topology::{Port, Ports};

/// One of the things that rules look at. Sets of ports, or on hypercubes of dimensions, are masks; of parities bit d is about
/// dimension d.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Input {
    /// All that the network has.
    All,
    /// Those on shortest paths.
    Minimal,
    /// Those over which a live node can be reached.
    Live,
    /// Those that faults close.
    Faulty,
    /// Those to nodes given up to make a region convex.
    Disabled,
    /// Those to nodes on a ring.
    Ringed,
    /// Those that a single fault closes.
    Single,
    /// Those whose way crosses a wraparound link.
    Wrapping,
    /// Minimal ones with one hop left,
    Away1,
    /// two,
    Away2,
    /// three.
    Away3,
    /// Coordinates that are odd, here,
    Odd,
    /// and of the destination.
    GoalOdd,
    /// Address bits that are 0.
    Up,
    /// The port, or dimension, by which the message came, plus 1; 0 at its source.
    Came,
    /// 1 while it follows a ring.
    Around,
}

impl Input {
    pub(super) const COUNT: usize = 16;

    pub(super) const ALL: [Self; Self::COUNT] = [
        Self::All,
        Self::Minimal,
        Self::Live,
        Self::Faulty,
        Self::Disabled,
        Self::Ringed,
        Self::Single,
        Self::Wrapping,
        Self::Away1,
        Self::Away2,
        Self::Away3,
        Self::Odd,
        Self::GoalOdd,
        Self::Up,
        Self::Came,
        Self::Around,
    ];
}

/// Whoever can be asked what rules see.
pub(super) trait See {
    /// The number that this input is.
    fn get(&self, input: Input) -> u64;
}

/// What rules see, by [`Input`]; only what they look at is filled in.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen(pub(super) [u64; Input::COUNT]);

impl Seen {
    pub(super) const NOTHING: Self = Self([0; Input::COUNT]);

    /// All that `seen` sees.
    pub(super) fn of(seen: &impl See) -> Self {
        Self(Input::ALL.map(|input| seen.get(input)))
    }

    #[inline]
    pub(super) fn set(&mut self, input: Input, value: u64) {
        self.0[input as usize] = value;
    }
}

impl See for Seen {
    #[inline]
    fn get(&self, input: Input) -> u64 {
        self.0[input as usize]
    }
}

/// What a message at a node of a hypercube sees.
#[derive(Clone, Copy, Debug)]
pub(super) struct SeenOnCube {
    pub(super) at: Position,
    pub(super) links: Links,
    /// The dimension by which it came, plus 1; 0 at its source.
    pub(super) came: u8,
}

impl See for SeenOnCube {
    #[inline]
    fn get(&self, input: Input) -> u64 {
        match input {
            Input::Minimal => self.at.wrong,
            Input::Up => self.links.all & !self.at.here.0,
            Input::Live => self.links.live,
            Input::Faulty => self.links.all & !self.links.live,
            Input::All => self.links.all,
            Input::Came => self.came.into(),
            _ => 0,
        }
    }
}

/// The ports of each dimension along which coordinates grow.
pub(super) const POSITIVE: u64 = 0xaaaa_aaaa_aaaa_aaaa;

/// Of a set of ports the one along the lowest dimension; of two, where coordinates grow.
#[inline]
pub(super) const fn lowest_port(ports: u64) -> u64 {
    if ports == 0 {
        return 0;
    }
    let pair = 3 << (ports.trailing_zeros() & !1);
    let both = ports & pair;
    if both & POSITIVE != 0 { both & POSITIVE } else { both }
}

/// The same of the highest dimension.
#[inline]
pub(super) const fn highest_port(ports: u64) -> u64 {
    if ports == 0 {
        return 0;
    }
    let both = ports & 3 << ((63 - ports.leading_zeros()) & !1);
    if both & POSITIVE != 0 { both & POSITIVE } else { both }
}

/// The first port of a mask, if there is one.
pub(super) fn port_of(mask: u64) -> Option<Port> {
    (mask != 0).then(|| Port(mask.trailing_zeros() as u8))
}

/// Of the ports of a hypercube's node, over which dimensions they lead.
#[inline]
pub(super) fn dimensions_of_ports(ports: Ports) -> u64 {
    // Of each pair one leads out of the node: both to the lower place, then the even places together.
    let mut dims = (ports | ports >> 1) & 0x5555_5555;
    dims = (dims | dims >> 1) & 0x3333_3333;
    dims = (dims | dims >> 2) & 0x0f0f_0f0f;
    dims = (dims | dims >> 4) & 0x00ff_00ff;
    u64::from((dims | dims >> 8) & 0xffff)
}
