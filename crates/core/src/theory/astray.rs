//! The route of a worm that does not arrive: to where it is lost, or into a circle and once round it.

use super::ways::{Fate, NOWHERE, Ways};
use crate::fault::BlockFaults;
use crate::routing::WormRouting;
use crate::topology::NodeId;
use crate::traffic::Pair;

/// The nodes on a way of the message between `ends` to one where faults leave it no way on; `None` if it has no such way. Cost: all
/// states in which messages to its destination can be.
pub fn way_to_loss(faults: &BlockFaults, routing: &dyn WormRouting, ends: Pair) -> Option<Vec<NodeId>> {
    way_to(faults, routing, ends, Fate::Lost).map(|(nodes, _)| nodes)
}

/// The nodes on a way of the message between `ends` into a circle and once round it, and the place in this list from which the circle goes; `None`
/// if it cannot go round. Cost: as [`way_to_loss`].
pub fn way_into_circle(faults: &BlockFaults, routing: &dyn WormRouting, ends: Pair) -> Option<(Vec<NodeId>, usize)> {
    way_to(faults, routing, ends, Fate::Circles)
}

/// From state to state that may come to `fate`, until there is none or one comes again. What may be lost may be so for others it meets too, and
/// then ends where that is.
fn way_to(faults: &BlockFaults, routing: &dyn WormRouting, ends: Pair, fate: Fate) -> Option<(Vec<NodeId>, usize)> {
    let ways = Ways::to(faults, routing, ends.to);
    let fates = ways.fates(|_| true);
    let starts = ways.starts.iter().copied();
    let mut own = starts.map(|start| start as usize).filter(|&start| ways.all[start].here == ends.from);
    let mut state = own.find(|&start| fates[start] == fate)?;
    let (mut nodes, mut met) = (Vec::new(), vec![None; ways.all.len()]);
    loop {
        if let Some(first) = met[state] {
            nodes.push(ways.all[state].here);
            return Some((nodes, first));
        }
        met[state] = Some(nodes.len());
        nodes.push(ways.all[state].here);
        match ways.next(state).iter().find(|&&next| next != NOWHERE && fates[next as usize] == fate) {
            Some(&next) => state = next as usize,
            None => return (fate == Fate::Lost).then_some((nodes, 0)),
        }
    }
}
