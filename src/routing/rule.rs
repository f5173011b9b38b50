//! Why a hop is permitted: rules, which each algorithm declares beside its decisions, with their words.

use std::fmt;

use super::words::dimensions;
use super::{WormAt, WormChoice, WormHeader, WormRouting};
use crate::fault::BlockFaults;
use crate::topology::{Mesh, Port, dimensions_of};

/// The rule of the paper that permits a hop. Rules are statics: decisions carry references to them, which costs nothing, and
/// each is equal to itself only.
pub struct Rule {
    /// Its short name, as in exported files.
    pub id: &'static str,
    role: Role,
    words: Words,
}

/// What a rule means to those who do not know the algorithm.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Way,
    Detour,
    LastResort,
}

/// What puts a rule into words.
#[derive(Clone, Copy)]
enum Words {
    Hop(fn(&CubeHop) -> String),
    Worm(fn(&WormWhy<'_>) -> String),
}

impl Rule {
    /// That of a hop across a dimension of a hypercube, whoever makes it.
    pub const fn hop(id: &'static str, why: fn(&CubeHop) -> String) -> Self {
        Self { id, role: Role::Way, words: Words::Hop(why) }
    }

    /// That of a virtual channel for a worm.
    pub const fn worm(id: &'static str, why: fn(&WormWhy<'_>) -> String) -> Self {
        Self { id, role: Role::Way, words: Words::Worm(why) }
    }

    /// The same where faults are the reason.
    pub const fn detour(self) -> Self {
        Self { role: Role::Detour, ..self }
    }

    /// The same where it is what a worm takes when it must not wait, see [`super::WormChoices::rank`].
    pub const fn last_resort(self) -> Self {
        Self { role: Role::LastResort, ..self }
    }

    /// Whether a fault is the reason, or that the message was blocked.
    pub fn is_detour(&self) -> bool {
        self.role == Role::Detour
    }

    /// Whether it is what a worm takes when it must not wait for what it wants.
    #[inline]
    pub fn is_last_resort(&self) -> bool {
        self.role == Role::LastResort
    }

    /// Why it permits `hop`; empty of rules that are about worms alone.
    pub fn why_hop(&self, hop: &CubeHop) -> String {
        match self.words {
            Words::Hop(why) => why(hop),
            Words::Worm(_) => String::new(),
        }
    }

    /// Why it permits what a worm may ask for.
    pub fn why_worm(&self, why: &WormWhy<'_>) -> String {
        match self.words {
            Words::Hop(words) => words(&why.hop()),
            Words::Worm(words) => words(why),
        }
    }
}

impl PartialEq for Rule {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for Rule {}

impl fmt::Debug for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id)
    }
}

/// Who makes a hop: each has its own way to say the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carrier {
    /// A single message.
    Message,
    /// A circuit that is being set up.
    Circuit,
    /// The header of a worm.
    Worm,
}

/// A hop across a dimension of a hypercube: all that the words of its rule may speak of.
#[derive(Clone, Copy, Debug)]
pub struct CubeHop {
    /// Who makes it.
    pub carrier: Carrier,
    /// The dimension.
    pub dim: u8,
    /// Whether the address bit becomes 1.
    pub up: bool,
    /// The wrong bits at the node, as a mask.
    pub wrong: u64,
    /// Those of them that faults, or the message's own marks, close.
    pub dead: u64,
}

impl CubeHop {
    /// "dimension 3".
    pub(super) fn taken(&self) -> String {
        dimensions(1 << self.dim)
    }

    /// "up" or "down".
    pub(super) fn way(&self) -> &'static str {
        if self.up { "up" } else { "down" }
    }

    /// The closed ones above it: what made an algorithm that takes the highest pass them over.
    pub(super) fn passed_over(&self) -> u64 {
        self.dead & !((1 << self.dim) | ((1 << self.dim) - 1))
    }

    /// The wrong bits that lead on.
    pub(super) fn live(&self) -> u64 {
        self.wrong & !self.dead
    }
}

/// A virtual channel that a worm may ask for: all that the words of its rule may speak of.
#[derive(Clone, Copy)]
pub struct WormWhy<'a> {
    /// The algorithm.
    pub routing: &'a dyn WormRouting,
    /// The faults.
    pub faults: &'a BlockFaults,
    /// Where the worm is, with the header that it has.
    pub at: &'a WormAt,
    /// What it may ask for, with the header that it will have.
    pub choice: &'a WormChoice,
}

impl WormWhy<'_> {
    /// The network.
    pub fn mesh(&self) -> Mesh {
        self.faults.mesh()
    }

    /// The header that it will have.
    pub fn header(&self) -> &WormHeader {
        &self.choice.header
    }

    /// The hop as one across a dimension of a hypercube.
    pub fn hop(&self) -> CubeHop {
        let (here, wrong) = (self.at.here, self.at.here.0 ^ self.at.to.0);
        let open = |dim: &u8| self.faults.is_open(here, Port::along(*dim, here.0 >> dim & 1 == 0));
        let dead = dimensions_of(wrong).filter(|dim| !open(dim)).fold(0u64, |dead, dim| dead | 1 << dim);
        let port = self.choice.port;
        CubeHop { carrier: Carrier::Worm, dim: port.dim(), up: port.grows(), wrong, dead }
    }
}
