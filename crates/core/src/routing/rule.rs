//! Why a hop is permitted: rules, which each algorithm declares beside its decisions, with their words.

use std::fmt;

use super::rules::{MAX_RULES, OwnRouting};
use super::words;
use super::{WormAt, WormChoice, WormHeader, WormRouting};
use crate::fault::BlockFaults;
use crate::rich_text::RichText;
use crate::topology::{Link, Mesh, NodeId, Port, dimensions_of};

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
    Hop(fn(&CubeHop<'_>) -> RichText),
    Worm(fn(&WormWhy<'_>) -> RichText),
    /// Those of a rule of one's own, by its number: its routing knows them.
    Own(u8),
}

/// The rules of routings of one's own, by their numbers: those that make detours, and the others.
static OWN: [[Rule; MAX_RULES]; 2] = [own_rules(Role::Way), own_rules(Role::Detour)];

/// Their short names.
static OWN_IDS: [&str; MAX_RULES] = [
    "rule-1", "rule-2", "rule-3", "rule-4", "rule-5", "rule-6", "rule-7", "rule-8", "rule-9", "rule-10", "rule-11",
    "rule-12", "rule-13", "rule-14", "rule-15", "rule-16", "rule-17", "rule-18", "rule-19", "rule-20", "rule-21",
    "rule-22", "rule-23", "rule-24", "rule-25", "rule-26", "rule-27", "rule-28", "rule-29", "rule-30", "rule-31",
    "rule-32", "rule-33", "rule-34", "rule-35", "rule-36", "rule-37", "rule-38", "rule-39", "rule-40", "rule-41",
    "rule-42", "rule-43", "rule-44", "rule-45", "rule-46", "rule-47", "rule-48", "rule-49", "rule-50", "rule-51",
    "rule-52", "rule-53", "rule-54", "rule-55", "rule-56", "rule-57", "rule-58", "rule-59", "rule-60", "rule-61",
    "rule-62", "rule-63", "rule-64",
];

const fn own_rules(role: Role) -> [Rule; MAX_RULES] {
    let mut rules = [const { Rule { id: "", role: Role::Way, words: Words::Own(0) } }; MAX_RULES];
    let mut number = 0;
    while number < MAX_RULES {
        rules[number] = Rule { id: OWN_IDS[number], role, words: Words::Own(number as u8) };
        number += 1;
    }
    rules
}

/// Rule number `number` of a routing of one's own, from 0; whether it makes a detour.
#[inline]
pub(super) const fn own_rule(number: u8, is_detour: bool) -> &'static Rule {
    &OWN[is_detour as usize][number as usize % MAX_RULES]
}

impl Rule {
    /// That of a hop across a dimension of a hypercube, whoever makes it.
    pub const fn hop(id: &'static str, why: fn(&CubeHop<'_>) -> RichText) -> Self {
        Self { id, role: Role::Way, words: Words::Hop(why) }
    }

    /// That of a virtual channel for a worm.
    pub const fn worm(id: &'static str, why: fn(&WormWhy<'_>) -> RichText) -> Self {
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

    /// Of a routing of one's own, the number of the rule in its text, from 0.
    pub fn own(&self) -> Option<u8> {
        match self.words {
            Words::Own(number) => Some(number),
            _ => None,
        }
    }

    /// Why it permits `hop`; empty of rules that are about worms alone.
    pub fn why_hop(&self, hop: &CubeHop<'_>) -> RichText {
        match self.words {
            Words::Hop(why) => why(hop),
            Words::Worm(_) => RichText::default(),
            Words::Own(number) => sentence(hop.own, number),
        }
    }

    /// Why it permits what a worm may ask for.
    pub fn why_worm(&self, why: &WormWhy<'_>) -> RichText {
        match self.words {
            Words::Hop(words) => words(&why.hop()),
            Words::Worm(words) => words(why),
            Words::Own(number) => sentence(why.routing.own(), number),
        }
    }
}

/// What the text says of its rule number `number`.
fn sentence(routing: Option<&OwnRouting>, number: u8) -> RichText {
    routing.and_then(|routing| routing.sentence(number)).unwrap_or_default().to_owned().into()
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
pub struct CubeHop<'a> {
    /// Who makes it.
    pub carrier: Carrier,
    /// The node that it leaves.
    pub from: NodeId,
    /// The dimension.
    pub dim: u8,
    /// Whether the address bit becomes 1.
    pub up: bool,
    /// The wrong bits at the node, as a mask.
    pub wrong: u64,
    /// Those of them that faults, or the message's own marks, close.
    pub dead: u64,
    /// The routing, if it is one's own.
    pub own: Option<&'a OwnRouting>,
}

impl CubeHop<'_> {
    /// Name of the link: "dimension 3".
    pub(super) fn taken(&self) -> RichText {
        words::dimension(Link { from: self.from, dim: self.dim })
    }

    /// Names of some of the links out of its node: "dimensions 1, 3 and 4".
    pub(super) fn dimensions(&self, mask: u64) -> RichText {
        words::dimensions(self.from, mask)
    }

    /// "up" or "down".
    pub(super) fn way(&self) -> &'static str {
        if self.up { "up" } else { "down" }
    }

    /// The closed ones above it, which is open itself: what made an algorithm that takes the highest pass them over.
    pub(super) fn passed_over(&self) -> u64 {
        self.dead & (u64::MAX << self.dim)
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
    pub fn hop(&self) -> CubeHop<'_> {
        let (here, wrong) = (self.at.here, self.at.here.0 ^ self.at.to.0);
        let open = |dim: &u8| self.faults.is_open(here, Port::along(*dim, here.0 >> dim & 1 == 0));
        let dead = dimensions_of(wrong).filter(|dim| !open(dim)).fold(0u64, |dead, dim| dead | 1 << dim);
        let port = self.choice.port;
        let own = self.routing.own();
        CubeHop { carrier: Carrier::Worm, from: here, dim: port.dim(), up: port.grows(), wrong, dead, own }
    }
}
