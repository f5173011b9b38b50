//! Average over all fault sets by the partial fault information of a message.
//!
//! A message with information about its neighbours only is affected by few nodes. The state of a
//! node is therefore drawn only when a decision depends on it. The search enumerates the states of
//! knowledge that a message can reach, not the fault sets.

use std::collections::BTreeMap;

use super::{FaultAverageQuery, FaultDistribution};
use crate::routing::{Header, Knowledge, LocalRouting, Position};
use crate::theory::decision::decide;
use crate::theory::enumerate::ArrivalDistribution;
use crate::topology::{Hypercube, NodeId, set_dimensions};
use crate::traffic::Pair;

/// Maximum number of states of knowledge at a time, which exceeds the need of minimal algorithms in
/// a 5-cube.
const MAX_KNOWLEDGE_STATES: usize = 1 << 18;

/// State of knowledge of a message, with its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct FaultKnowledge {
    /// Nodes whose state is decided: bit i for node i.
    known: u32,
    /// Known nodes that are faulty.
    faulty: u32,
    /// Nodes that the message has marked.
    marks: u32,
    here: u32,
    header: Header,
}

/// Distribution of a message between `ends` over its states.
struct KnowledgeDistribution<'a> {
    cube: Hypercube,
    ends: Pair,
    routing: &'a dyn LocalRouting,
    drawn: FaultDistribution,
    /// Nodes whose state is fixed.
    fixed: u32,
    /// Fixed nodes that are faulty.
    always_faulty: u32,
    next: BTreeMap<FaultKnowledge, f64>,
}

/// Returns the arrival probabilities, averaged over the sets `drawn`.
///
/// `None` if more than [`MAX_KNOWLEDGE_STATES`] states occur: for n = 5 and nonminimal algorithms,
/// with a limit of more than 5 hops.
pub(super) fn arrivals_by_knowledge(
    asked: &FaultAverageQuery,
    drawn: FaultDistribution,
    routing: &dyn LocalRouting,
) -> Option<ArrivalDistribution> {
    let FaultAverageQuery { cube, ends, max_hops: limit, .. } = *asked;
    let (fixed, always_faulty) = (asked.fixed(), asked.always_faulty_mask());
    let mut walk = KnowledgeDistribution { cube, ends, routing, drawn, fixed, always_faulty, next: BTreeMap::new() };
    let headers = routing.initial_header_count();
    for header in (0..headers).map(Header) {
        let knowledge =
            FaultKnowledge { known: fixed, faulty: always_faulty, marks: 0, here: ends.from.0 as u32, header };
        walk.add_probability(knowledge, 1.0 / f64::from(headers));
    }
    let mut by_hops = vec![0.0];
    for _ in 0..limit {
        let mut arrived = 0.0;
        for (knowledge, chance) in std::mem::take(&mut walk.next) {
            arrived += walk.branch_on_neighbors(knowledge, chance);
        }
        if walk.next.len() > MAX_KNOWLEDGE_STATES {
            return None;
        }
        by_hops.push(arrived);
    }
    Some(ArrivalDistribution { by_hops })
}

impl KnowledgeDistribution<'_> {
    fn add_probability(&mut self, knowledge: FaultKnowledge, chance: f64) {
        if chance > 0.0 {
            *self.next.entry(knowledge).or_insert(0.0) += chance;
        }
    }

    /// Returns the probability that the next node to be examined is faulty.
    fn risk(&self, knowledge: FaultKnowledge) -> f64 {
        match self.drawn {
            FaultDistribution::Each(p) => p,
            FaultDistribution::Exactly(f) => {
                // Fixed nodes are drawn like the others, without effect.
                let left = f.saturating_sub((knowledge.faulty & !self.always_faulty).count_ones().into());
                let seen = u64::from((knowledge.known & !self.fixed).count_ones());
                let unknown = self.cube.others().saturating_sub(seen);
                left as f64 / unknown.max(1) as f64
            }
        }
    }

    /// Branches on the state of every unknown neighbour, then makes the hop. Returns the
    /// probability of arriving with this hop.
    fn branch_on_neighbors(&mut self, knowledge: FaultKnowledge, chance: f64) -> f64 {
        let around = (0..self.cube.dimension()).fold(0u32, |nodes, dim| nodes | 1 << (knowledge.here ^ 1 << dim));
        let blind = self.routing.knowledge() == Knowledge::Nothing;
        let unknown = if blind { 0 } else { around & !knowledge.known };
        if unknown == 0 {
            return self.advance(knowledge, chance);
        }
        let node = 1 << unknown.trailing_zeros();
        let risk = self.risk(knowledge);
        let known = knowledge.known | node;
        let live = if risk < 1.0 {
            self.branch_on_neighbors(FaultKnowledge { known, ..knowledge }, chance * (1.0 - risk))
        } else {
            0.0
        };
        let faulty = knowledge.faulty | node;
        live + if risk > 0.0 {
            self.branch_on_neighbors(FaultKnowledge { known, faulty, ..knowledge }, chance * risk)
        } else {
            0.0
        }
    }

    /// Makes one hop. Returns the probability of arriving with this hop.
    fn advance(&mut self, knowledge: FaultKnowledge, chance: f64) -> f64 {
        let (cube, here) = (self.cube, NodeId(knowledge.here.into()));
        let at = Position { here, wrong: here.0 ^ self.ends.to.0, header: knowledge.header };
        let avoided = knowledge.faulty | knowledge.marks;
        let Some(decision) = decide(cube, self.routing, at, |link| avoided >> link.end().0 & 1 == 1) else {
            return 0.0;
        };
        if decision.backward && here == self.ends.from {
            return 0.0;
        }
        let marked = decision.backward && self.routing.marks_blocked_nodes();
        let marks = if marked { knowledge.marks | 1 << knowledge.here } else { knowledge.marks };
        let share = chance / f64::from(decision.dims.count_ones());
        let mut arrived = 0.0;
        for dim in set_dimensions(decision.dims) {
            let next = cube.neighbor(here, dim);
            let header = self.routing.header_after_with_links(at, decision.links, dim);
            let (mut knowledge, mut share) =
                (FaultKnowledge { marks, here: next.0 as u32, header, ..knowledge }, share);
            if next == self.ends.to {
                arrived += share;
                continue;
            }
            if knowledge.known >> next.0 & 1 == 0 {
                share *= 1.0 - self.risk(knowledge);
                knowledge.known |= 1 << next.0;
            } else if knowledge.faulty >> next.0 & 1 == 1 {
                continue;
            }
            self.add_probability(knowledge, share);
        }
        arrived
    }
}
