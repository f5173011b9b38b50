//! Numeric inputs of rules at the position of a message.

use crate::routing::{Links, Position};
use crate::topology::{Port, PortMask};

/// An input of rules. Port sets, or dimension sets on hypercubes, are masks. In parity inputs bit d
/// refers to dimension d.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Input {
    /// All ports of the network.
    All,
    /// Ports on shortest paths.
    Minimal,
    /// Ports that lead to a live node.
    Live,
    /// Ports that faults block.
    Faulty,
    /// Ports to nodes that are disabled to make a region convex.
    Disabled,
    /// Ports to nodes on a ring.
    Ringed,
    /// Ports that a single fault blocks.
    Single,
    /// Ports whose path to the destination's coordinate crosses a wraparound link.
    Wrapping,
    /// Minimal ports with one hop left in their dimension.
    Away1,
    /// Minimal ports with two hops left in their dimension.
    Away2,
    /// Minimal ports with three hops left in their dimension.
    Away3,
    /// Dimensions in which the coordinate of the node is odd.
    Odd,
    /// Dimensions in which the coordinate of the destination is odd.
    GoalOdd,
    /// Address bits that are 0.
    Up,
    /// The port, or dimension, by which the message arrived, plus 1; 0 at the source.
    Arrival,
    /// 1 while the message follows a ring, otherwise 0.
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
        Self::Arrival,
        Self::Around,
    ];
}

/// A source of input values for rules.
pub(super) trait InputSource {
    /// Returns the value of `input`.
    fn get(&self, input: Input) -> u64;
}

/// Input values by [`Input`]; only inputs that the rules read are filled in.
#[derive(Clone, Copy, Debug)]
pub(super) struct InputValues(pub(super) [u64; Input::COUNT]);

impl InputValues {
    pub(super) const NOTHING: Self = Self([0; Input::COUNT]);

    /// Copies all input values of `seen`.
    pub(super) fn from_inputs(seen: &impl InputSource) -> Self {
        Self(Input::ALL.map(|input| seen.get(input)))
    }

    #[inline]
    pub(super) fn set(&mut self, input: Input, value: u64) {
        self.0[input as usize] = value;
    }
}

impl InputSource for InputValues {
    #[inline]
    fn get(&self, input: Input) -> u64 {
        self.0[input as usize]
    }
}

/// Inputs of a message at a node of a hypercube.
#[derive(Clone, Copy, Debug)]
pub(super) struct CubeInputs {
    pub(super) at: Position,
    pub(super) links: Links,
    /// The dimension by which the message arrived, plus 1; 0 at the source.
    pub(super) arrival: u8,
}

impl InputSource for CubeInputs {
    #[inline]
    fn get(&self, input: Input) -> u64 {
        match input {
            Input::Minimal => self.at.wrong,
            Input::Up => self.links.all & !self.at.here.0,
            Input::Live => self.links.live,
            Input::Faulty => self.links.all & !self.links.live,
            Input::All => self.links.all,
            Input::Arrival => self.arrival.into(),
            _ => 0,
        }
    }
}

/// The ports of each dimension along which coordinates grow.
pub(super) const POSITIVE: u64 = 0xaaaa_aaaa_aaaa_aaaa;

/// Returns the port of the lowest dimension in a set; if both ports are present, the one along
/// which coordinates grow.
#[inline]
pub(super) const fn lowest_port(ports: u64) -> u64 {
    if ports == 0 {
        return 0;
    }
    let pair = 3 << (ports.trailing_zeros() & !1);
    let both = ports & pair;
    if both & POSITIVE != 0 { both & POSITIVE } else { both }
}

/// Returns the port of the highest dimension in a set; if both ports are present, the one along
/// which coordinates grow.
#[inline]
pub(super) const fn highest_port(ports: u64) -> u64 {
    if ports == 0 {
        return 0;
    }
    let both = ports & 3 << ((63 - ports.leading_zeros()) & !1);
    if both & POSITIVE != 0 { both & POSITIVE } else { both }
}

/// Returns the first port of a mask, if there is one.
pub(super) fn port_of(mask: u64) -> Option<Port> {
    (mask != 0).then(|| Port(mask.trailing_zeros() as u8))
}

/// Returns the dimensions that the ports of a hypercube's node cross, as a mask.
#[inline]
pub(super) fn dimensions_of_ports(ports: PortMask) -> u64 {
    // One port of each pair leads out of the node. Fold each pair into its even bit, then compact
    // the even bits.
    let mut dims = (ports | ports >> 1) & 0x5555_5555;
    dims = (dims | dims >> 1) & 0x3333_3333;
    dims = (dims | dims >> 2) & 0x0f0f_0f0f;
    dims = (dims | dims >> 4) & 0x00ff_00ff;
    u64::from((dims | dims >> 8) & 0xffff)
}
