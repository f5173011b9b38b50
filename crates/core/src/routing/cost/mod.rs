//! Costs of routing algorithms: fault knowledge and tables of a node, header bits of a message,
//! comparisons per hop, virtual channels, and bit times of a delivery cycle.
//!
//! A [`CostRules`] lists the parts of each cost of one algorithm, with a formula and a source.
//! [`Algorithm::routing_cost`] evaluates the rules on a network. A comparison tests one coordinate
//! of the node against the destination (smaller, equal or larger), the status of one link, or one
//! field of the header. Every count is a maximum over nodes and messages.

pub(super) mod fat_tree;
pub(super) mod hypercube;
pub(super) mod mesh;
pub(super) mod network;
pub(super) mod oblivious;
mod part;

use std::borrow::Cow;
use std::fmt;

pub use network::CostNetwork;
pub use part::{CostEntry, CostPart, CostSource};

use super::{Algorithm, UseCase};

/// Fault information that a node needs, from the least to the most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FaultKnowledge {
    /// No information.
    Nothing,
    /// The status of the node's own links.
    OwnLinks,
    /// The status of the node's own links, and the node's position on the fault rings through it.
    Rings,
    /// The status of all nodes or links of the network.
    Network,
}

impl fmt::Display for FaultKnowledge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Nothing => "none",
            Self::OwnLinks => "own links",
            Self::Rings => "own links and the rings through the node",
            Self::Network => "whole network",
        })
    }
}

/// Parts of the costs of one algorithm, as formulas.
#[derive(Clone, Debug)]
pub struct CostRules {
    /// Fault information that a node needs.
    pub knowledge: FaultKnowledge,
    /// Routing state of a node, in bits.
    pub state: Cow<'static, [CostPart]>,
    /// Header of a message, in bits.
    pub header: Cow<'static, [CostPart]>,
    /// Comparisons for a hop, at most.
    pub comparisons: Cow<'static, [CostPart]>,
    /// Bit times of a delivery cycle, see [`RoutingCost::cycle`]; empty unless on fat-trees.
    pub cycle: &'static [CostPart],
    /// Bit times of a delivery cycle with sorting networks, see [`RoutingCost::sorting_cycle`].
    pub sorting_cycle: &'static [CostPart],
}

impl CostRules {
    /// Returns the rules with these parts.
    const fn new(
        knowledge: FaultKnowledge,
        state: &'static [CostPart],
        header: &'static [CostPart],
        comparisons: &'static [CostPart],
    ) -> Self {
        Self {
            knowledge,
            state: Cow::Borrowed(state),
            header: Cow::Borrowed(header),
            comparisons: Cow::Borrowed(comparisons),
            cycle: &[],
            sorting_cycle: &[],
        }
    }

    /// Returns the rules of delivery cycles, for which a node needs neither faults nor state.
    const fn for_delivery_cycles(
        header: &'static [CostPart],
        comparisons: &'static [CostPart],
        cycle: &'static [CostPart],
        sorting_cycle: &'static [CostPart],
    ) -> Self {
        Self {
            knowledge: FaultKnowledge::Nothing,
            state: Cow::Borrowed(&[]),
            header: Cow::Borrowed(header),
            comparisons: Cow::Borrowed(comparisons),
            cycle,
            sorting_cycle,
        }
    }
}

/// Costs of one algorithm on one network.
#[derive(Clone, Debug, PartialEq)]
pub struct RoutingCost {
    /// Fault information that a node needs.
    pub knowledge: FaultKnowledge,
    /// Routing state of a node, in bits, without parts of zero bits.
    pub state: Vec<CostEntry>,
    /// Header of a message, in bits, without parts of zero bits.
    pub header: Vec<CostEntry>,
    /// Comparisons for a hop, at most, without parts of zero comparisons.
    pub comparisons: Vec<CostEntry>,
    /// Bit times of a delivery cycle: a bit passes one level of two-input elements in a bit time,
    /// and the rest of the header follows the leading bit. Concentrators consist of a prefix
    /// circuit and a butterfly. Empty unless on fat-trees.
    pub cycle: Vec<CostEntry>,
    /// Bit times of a delivery cycle with sorting networks as concentrators. Empty unless on
    /// fat-trees, and on the second network, which has no concentrators.
    pub sorting_cycle: Vec<CostEntry>,
    /// Classes of virtual channels that each channel needs; 0 unless worms use them.
    pub classes: u8,
    /// Bits of a destination address relative to the current node, in place of the absolute
    /// address.
    pub relative_address: u128,
}

impl RoutingCost {
    /// Returns the routing state of a node, in bits.
    pub fn state_bits(&self) -> u128 {
        sum(&self.state)
    }

    /// Returns the header of a message, in bits.
    pub fn header_bits(&self) -> u128 {
        sum(&self.header)
    }

    /// Returns the largest number of comparisons for a hop.
    pub fn comparisons_per_hop(&self) -> u128 {
        sum(&self.comparisons)
    }

    /// Returns the bit times of a delivery cycle; `None` unless on fat-trees.
    pub fn cycle_bit_times(&self) -> Option<u128> {
        (!self.cycle.is_empty()).then(|| sum(&self.cycle))
    }

    /// Returns the bit times of a delivery cycle with sorting networks as concentrators; `None`
    /// without concentrators.
    pub fn sorting_cycle_bit_times(&self) -> Option<u128> {
        (!self.sorting_cycle.is_empty()).then(|| sum(&self.sorting_cycle))
    }
}

fn sum(entries: &[CostEntry]) -> u128 {
    entries.iter().fold(0, |sum, entry| sum.saturating_add(entry.amount))
}

impl Algorithm {
    /// Returns the costs of the algorithm on a network; `None` for a bound, which is no routing.
    ///
    /// Circuits on hypercubes and counts of pairs assume that every node knows all faulty links
    /// (Chiu, Chalasani & Raghavendra section IV), in place of the fault knowledge of messages. Cost:
    /// a few steps for each part.
    pub fn routing_cost(&self, at: &CostNetwork, use_case: UseCase) -> Option<RoutingCost> {
        if self.is_bound() {
            return None;
        }
        let rules = &self.cost;
        let evaluate =
            |parts: &[CostPart]| parts.iter().map(|part| part.evaluate(at)).filter(|it| it.amount > 0).collect();
        let knows_all = matches!(use_case, UseCase::Circuits | UseCase::Pairs) && at.network.cube().is_some();
        let (knowledge, state): (_, Vec<CostEntry>) = match knows_all {
            true => (FaultKnowledge::Network, evaluate(&hypercube::known_faults(&rules.state))),
            false => (rules.knowledge, evaluate(&rules.state)),
        };
        let worm = self.worm.as_ref().filter(|_| use_case == UseCase::Worms).zip(at.network.wormhole_mesh());
        Some(RoutingCost {
            knowledge,
            state,
            header: evaluate(&rules.header),
            comparisons: evaluate(&rules.comparisons),
            cycle: evaluate(rules.cycle),
            sorting_cycle: if at.has_concentrators() { evaluate(rules.sorting_cycle) } else { Vec::new() },
            classes: worm.map_or(0, |(worm, mesh)| worm.vc_classes(mesh)),
            relative_address: at.relative_address_bits(),
        })
    }
}
