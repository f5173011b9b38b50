//! Outcomes of single messages in a hypercube with faults, over all pairs and all choices.

use super::decision::decide;
use super::state_space::RouteOutcome;
use super::worm_dependencies::DeliveryOutcomes;
use crate::fault::BlockFaults;
use crate::routing::{Header, LocalRouting, Position};
use crate::topology::{Hypercube, NodeId, Port, set_dimensions};
use crate::traffic::Pair;

/// Outcome of states in which the message travels forever, and initial outcome of every state.
const OPEN: RouteOutcome = RouteOutcome::Livelocks;

/// Returns the outcomes of the messages of `routing` between all connected nodes of a hypercube
/// with `faults`, without a hop limit.
///
/// `None` if the network is not a hypercube. Also `None` for algorithms that mark nodes, since
/// their decisions depend on the message's past. Cost: n 4^n.
pub fn message_arrivals(faults: &BlockFaults, routing: &dyn LocalRouting) -> Option<DeliveryOutcomes> {
    let cube = faults.mesh().cube().filter(|_| !routing.marks_blocked_nodes())?;
    let mut arrivals = DeliveryOutcomes::default();
    for to in faults.members() {
        let outcomes = OutcomeTable::to(cube, faults, routing, to);
        for from in faults.members().filter(|&from| from != to) {
            let starts = (0..routing.initial_header_count()).map(|header| outcomes.outcome(from, Header(header)));
            let worst = starts.max().unwrap_or(OPEN);
            arrivals.count(Pair { from, to }, worst, faults.mesh().distance(from, to));
        }
    }
    Some(arrivals)
}

/// Outcomes of messages to one destination, by node and header.
struct OutcomeTable {
    headers: usize,
    all: Vec<RouteOutcome>,
}

impl OutcomeTable {
    fn to(cube: Hypercube, faults: &BlockFaults, routing: &dyn LocalRouting, to: NodeId) -> Self {
        let headers = usize::from(routing.header_count());
        let states = (cube.mask() as usize + 1) * headers;
        let (mut before, mut open) = (vec![Vec::new(); states], vec![0u32; states]);
        let mut outcomes = Self { headers, all: vec![OPEN; states] };
        let mut ended = Vec::new();
        for node in (0..=cube.mask()).map(NodeId) {
            for header in (0..routing.header_count()).map(Header) {
                let state = outcomes.state_index(node, header);
                if node == to || faults.is_faulty(node) {
                    outcomes.all[state] = if node == to { RouteOutcome::Arrives(0) } else { RouteOutcome::Lost };
                    ended.push(state);
                    continue;
                }
                let at = Position { here: node, wrong: node.0 ^ to.0, header };
                let is_dead = |dim: u8| !faults.is_open(node, Port::along(dim, node.0 >> dim & 1 == 0));
                let dims = decide(cube, routing, at, |link| is_dead(link.dim)).map_or(0, |decision| decision.dims);
                let (hops, lost): (Vec<u8>, Vec<u8>) = set_dimensions(dims).partition(|&dim| !is_dead(dim));
                for dim in &hops {
                    let next = outcomes.state_index(cube.neighbor(node, *dim), routing.header_after(at, *dim));
                    before[next].push(state);
                    open[state] += 1;
                }
                // A routing that does not examine links may send a message over a dead link.
                if hops.is_empty() || !lost.is_empty() {
                    outcomes.all[state] = RouteOutcome::Lost;
                    if hops.is_empty() {
                        ended.push(state);
                    }
                }
            }
        }
        outcomes.spread(ended, &before, open);
        outcomes
    }

    /// Propagates outcomes backward from final states: a state is settled when all of its
    /// successors are settled.
    fn spread(&mut self, mut ended: Vec<usize>, before: &[Vec<usize>], mut open: Vec<u32>) {
        let mut worst: Vec<Option<RouteOutcome>> =
            self.all.iter().map(|&fate| (fate == RouteOutcome::Lost).then_some(fate)).collect();
        while let Some(state) = ended.pop() {
            let here = self.all[state];
            for &earlier in &before[state] {
                let after = match here {
                    RouteOutcome::Arrives(hops) => RouteOutcome::Arrives(hops + 1),
                    fate => fate,
                };
                worst[earlier] = worst[earlier].max(Some(after));
                open[earlier] -= 1;
                if open[earlier] == 0 {
                    self.all[earlier] = worst[earlier].unwrap_or(OPEN);
                    ended.push(earlier);
                }
            }
        }
        // States that were never settled may lead into a livelock cycle, the worst outcome.
        for (fate, open) in self.all.iter_mut().zip(open) {
            if open > 0 {
                *fate = OPEN;
            }
        }
    }

    fn state_index(&self, node: NodeId, header: Header) -> usize {
        node.0 as usize * self.headers + usize::from(header.0)
    }

    fn outcome(&self, node: NodeId, header: Header) -> RouteOutcome {
        self.all[self.state_index(node, header)]
    }
}
