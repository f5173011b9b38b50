//! Rules: the reasons why hops are permitted. Each algorithm declares its own rules and their
//! wording.

use std::fmt;

use super::wording;
use super::{UserRouting, VcRequest, WormHeader, WormPosition, WormRouting};
use crate::fault::BlockFaults;
use crate::rich_text::RichText;
use crate::topology::{Link, Mesh, NodeId, Port, set_dimensions};

/// A rule of an algorithm that permits a hop.
///
/// Rules are statics, so that decisions can refer to them at no cost. A rule equals only itself.
pub struct Rule {
    /// The short name, as in exported files.
    pub id: &'static str,
    role: RuleRole,
    words: Explanation,
}

/// The role of a rule, for readers who do not know the algorithm.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RuleRole {
    Normal,
    Detour,
    LastResort,
}

/// The source of a rule's wording.
#[derive(Clone, Copy)]
enum Explanation {
    Hop(fn(&CubeHop<'_>) -> RichText),
    Worm(fn(&WormExplanationContext<'_>) -> RichText),
    /// The sentence with this number in the text of a user-defined routing.
    User(u8),
}

/// Maximum number of rules of a user-defined routing.
pub(super) const MAX_RULES: usize = 64;

/// Rules of user-defined routings by number: rules without detours, then rules for detours.
static USER_RULES: [[Rule; MAX_RULES]; 2] = [user_rules(RuleRole::Normal), user_rules(RuleRole::Detour)];

/// Short names of the rules of user-defined routings.
static USER_RULE_IDS: [&str; MAX_RULES] = [
    "rule-1", "rule-2", "rule-3", "rule-4", "rule-5", "rule-6", "rule-7", "rule-8", "rule-9", "rule-10", "rule-11",
    "rule-12", "rule-13", "rule-14", "rule-15", "rule-16", "rule-17", "rule-18", "rule-19", "rule-20", "rule-21",
    "rule-22", "rule-23", "rule-24", "rule-25", "rule-26", "rule-27", "rule-28", "rule-29", "rule-30", "rule-31",
    "rule-32", "rule-33", "rule-34", "rule-35", "rule-36", "rule-37", "rule-38", "rule-39", "rule-40", "rule-41",
    "rule-42", "rule-43", "rule-44", "rule-45", "rule-46", "rule-47", "rule-48", "rule-49", "rule-50", "rule-51",
    "rule-52", "rule-53", "rule-54", "rule-55", "rule-56", "rule-57", "rule-58", "rule-59", "rule-60", "rule-61",
    "rule-62", "rule-63", "rule-64",
];

const fn user_rules(role: RuleRole) -> [Rule; MAX_RULES] {
    let mut rules = [const { Rule { id: "", role: RuleRole::Normal, words: Explanation::User(0) } }; MAX_RULES];
    let mut number = 0;
    while number < MAX_RULES {
        rules[number] = Rule { id: USER_RULE_IDS[number], role, words: Explanation::User(number as u8) };
        number += 1;
    }
    rules
}

/// Returns rule number `number`, from 0, of a user-defined routing, as a detour or not.
#[inline]
pub(super) const fn user_rule(number: u8, is_detour: bool) -> &'static Rule {
    &USER_RULES[is_detour as usize][number as usize % MAX_RULES]
}

impl Rule {
    /// Creates the rule of a hop across a dimension of a hypercube, for any carrier.
    pub const fn hop(id: &'static str, why: fn(&CubeHop<'_>) -> RichText) -> Self {
        Self { id, role: RuleRole::Normal, words: Explanation::Hop(why) }
    }

    /// Creates the rule of a virtual channel for a worm.
    pub const fn worm(id: &'static str, why: fn(&WormExplanationContext<'_>) -> RichText) -> Self {
        Self { id, role: RuleRole::Normal, words: Explanation::Worm(why) }
    }

    /// Marks the rule as a detour, which faults cause.
    pub const fn detour(self) -> Self {
        Self { role: RuleRole::Detour, ..self }
    }

    /// Marks the rule as the last resort of a worm that must not wait, see
    /// [`super::VcRequests::rank`].
    pub const fn last_resort(self) -> Self {
        Self { role: RuleRole::LastResort, ..self }
    }

    /// Returns whether the rule is a detour: the reason is a fault or that the message was blocked.
    pub fn is_detour(&self) -> bool {
        self.role == RuleRole::Detour
    }

    /// Returns whether a worm applies the rule only when it must not wait for its preferred
    /// channels.
    #[inline]
    pub fn is_last_resort(&self) -> bool {
        self.role == RuleRole::LastResort
    }

    /// Returns the number of the rule in the text of a user-defined routing, from 0; `None` for a
    /// built-in rule.
    pub fn user_rule(&self) -> Option<u8> {
        match self.words {
            Explanation::User(number) => Some(number),
            _ => None,
        }
    }

    /// Returns the reason why the rule permits `hop`; empty for rules that apply only to worms.
    pub fn explain_hop(&self, hop: &CubeHop<'_>) -> RichText {
        match self.words {
            Explanation::Hop(why) => why(hop),
            Explanation::Worm(_) => RichText::default(),
            Explanation::User(number) => sentence(hop.user_routing, number),
        }
    }

    /// Returns the reason why the rule permits a choice of a worm.
    pub fn explain_worm(&self, why: &WormExplanationContext<'_>) -> RichText {
        match self.words {
            Explanation::Hop(words) => words(&why.hop()),
            Explanation::Worm(words) => words(why),
            Explanation::User(number) => sentence(why.routing.user_routing(), number),
        }
    }
}

/// Returns the sentence of rule number `number` in the routing's text.
fn sentence(routing: Option<&dyn UserRouting>, number: u8) -> RichText {
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

/// The carrier that makes a hop. The wording of rules depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carrier {
    /// A single message.
    Message,
    /// A circuit that is being set up.
    Circuit,
    /// The header of a worm.
    Worm,
}

/// A hop across a dimension of a hypercube, with the data for the wording of its rule.
#[derive(Clone, Copy, Debug)]
pub struct CubeHop<'a> {
    /// The carrier.
    pub carrier: Carrier,
    /// The node at which the hop starts.
    pub from: NodeId,
    /// The dimension that the hop crosses.
    pub dim: u8,
    /// Direction of the hop: `true` if the address bit becomes 1.
    pub up: bool,
    /// The wrong bits at the node, as a mask.
    pub wrong: u64,
    /// The wrong bits that faults, or the message's own marks, block.
    pub dead: u64,
    /// The routing, if it is user-defined.
    pub user_routing: Option<&'a dyn UserRouting>,
}

impl CubeHop<'_> {
    /// Returns the name of the link: "dimension 3".
    pub(super) fn link_name(&self) -> RichText {
        wording::dimension(Link { from: self.from, dim: self.dim })
    }

    /// Returns the names of selected links out of the node: "dimensions 1, 3 and 4".
    pub(super) fn dimensions(&self, mask: u64) -> RichText {
        wording::dimensions(self.from, mask)
    }

    /// Returns the direction, "up" or "down".
    pub(super) fn way(&self) -> &'static str {
        if self.up { "up" } else { "down" }
    }

    /// Returns the blocked wrong dimensions from the hop's own dimension up, as a mask. An
    /// algorithm that prefers high dimensions has passed over them.
    pub(super) fn passed_over(&self) -> u64 {
        self.dead & (u64::MAX << self.dim)
    }

    /// Returns the wrong bits that are not blocked.
    pub(super) fn live(&self) -> u64 {
        self.wrong & !self.dead
    }
}

/// A virtual channel that a worm may request, with the data for the wording of its rule.
#[derive(Clone, Copy)]
pub struct WormExplanationContext<'a> {
    /// The algorithm.
    pub routing: &'a dyn WormRouting,
    /// The faults.
    pub faults: &'a BlockFaults,
    /// The position of the worm, with its current header.
    pub at: &'a WormPosition,
    /// The requested channel, with the next header.
    pub choice: &'a VcRequest,
}

impl WormExplanationContext<'_> {
    /// Returns the network.
    pub fn mesh(&self) -> Mesh {
        self.faults.mesh()
    }

    /// Returns the next header of the worm.
    pub fn header(&self) -> &WormHeader {
        &self.choice.header
    }

    /// Returns the hop as a hop across a dimension of a hypercube.
    pub fn hop(&self) -> CubeHop<'_> {
        let (here, wrong) = (self.at.here, self.at.here.0 ^ self.at.to.0);
        let open = |dim: &u8| self.faults.is_open(here, Port::along(*dim, here.0 >> dim & 1 == 0));
        let dead = set_dimensions(wrong).filter(|dim| !open(dim)).fold(0u64, |dead, dim| dead | 1 << dim);
        let port = self.choice.port;
        let user_routing = self.routing.user_routing();
        CubeHop { carrier: Carrier::Worm, from: here, dim: port.dim(), up: port.grows(), wrong, dead, user_routing }
    }
}
