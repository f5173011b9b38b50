//! Routes of a worm that does not arrive: to the node where the worm is lost, or into a livelock
//! cycle and once around the cycle.

use super::state_space::{NO_STATE, RouteOutcome, StateSpace};
use crate::fault::BlockFaults;
use crate::routing::WormRouting;
use crate::topology::NodeId;
use crate::traffic::Pair;

/// Returns the nodes of a route between `ends` that ends where faults leave no output.
///
/// `None` if there is no such route. Cost: all states of messages to the destination.
pub fn route_to_loss(faults: &BlockFaults, routing: &dyn WormRouting, ends: Pair) -> Option<Vec<NodeId>> {
    way_to(faults, routing, ends, RouteOutcome::Lost).map(|(nodes, _)| nodes)
}

/// Returns the nodes of a route between `ends` into a livelock cycle and once around it, with the
/// index where the cycle begins.
///
/// `None` if the message cannot livelock. Cost: as [`route_to_loss`].
pub fn route_into_livelock(
    faults: &BlockFaults,
    routing: &dyn WormRouting,
    ends: Pair,
) -> Option<(Vec<NodeId>, usize)> {
    way_to(faults, routing, ends, RouteOutcome::Livelocks)
}

/// Follows states that may lead to `outcome` until there is no next state or a state repeats.
///
/// A message may be lost where other messages can hold all channels that it may request. The route
/// ends at such a node.
fn way_to(
    faults: &BlockFaults,
    routing: &dyn WormRouting,
    ends: Pair,
    outcome: RouteOutcome,
) -> Option<(Vec<NodeId>, usize)> {
    let ways = StateSpace::to(faults, routing, ends.to);
    let outcomes = ways.outcomes(|_| true);
    let starts = ways.starts.iter().copied();
    let mut own = starts.map(|start| start as usize).filter(|&start| ways.all[start].here == ends.from);
    let mut state = own.find(|&start| outcomes[start] == outcome)?;
    let (mut nodes, mut met) = (Vec::new(), vec![None; ways.all.len()]);
    loop {
        if let Some(first) = met[state] {
            nodes.push(ways.all[state].here);
            return Some((nodes, first));
        }
        met[state] = Some(nodes.len());
        nodes.push(ways.all[state].here);
        match ways.next(state).iter().find(|&&next| next != NO_STATE && outcomes[next as usize] == outcome) {
            Some(&next) => state = next as usize,
            None => return (outcome == RouteOutcome::Lost).then_some((nodes, 0)),
        }
    }
}
