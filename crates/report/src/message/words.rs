//! Descriptions of decisions and outcomes of single messages, computed on demand.

use crate::words::{count, node};
use faultlab_core::fault::Faults as _;
use faultlab_core::routing::{Carrier, CubeHop, LocalRouting};
use faultlab_core::switching::Outcome;
use faultlab_core::topology::{Link, dimensions_of};
use faultlab_experiment::{CubeCell, Instance, Trace};

/// Returns the reason of hop number `number` of `trace` (from 0): the rule, with the faults that
/// made it apply. Nodes that the message has marked by then count as faulty, as they do for the
/// message.
pub fn reason(instance: &mut Instance, trace: &Trace, number: usize) -> String {
    let Some(hop) = trace.hops.get(number) else { return String::new() };
    let cell = instance.cell.clone();
    // Only algorithms that mark are searched for marks: paths of the others may have tens of
    // thousands of hops.
    let marks = trace.algorithm.local().is_some_and(LocalRouting::marks_blocked);
    let before = if marks { &trace.hops[..number] } else { &[] };
    let marked = |node| before.iter().any(|hop| hop.rule.is_detour() && hop.from == node);
    let wrong = hop.from.0 ^ cell.ends.to.0;
    let unusable = |&dim: &u8| {
        let link = Link { from: hop.from, dim };
        instance.faults().is_dead(link) || marked(link.to())
    };
    let faulty = dimensions_of(wrong).filter(unusable).fold(0, |mask, dim| mask | 1 << dim);
    let taken = hop.from.0 ^ hop.to.0;
    let (dim, up) = (taken.trailing_zeros() as u8, hop.to.0 & taken != 0);
    let own = trace.algorithm.local().and_then(LocalRouting::own);
    hop.rule.why_hop(&CubeHop { carrier: Carrier::Message, dim, up, wrong, dead: faulty, own })
}

/// Returns the outcome of the message in one sentence.
pub fn ending(cell: &CubeCell, trace: &Trace) -> String {
    let (hops, distance) = (trace.hops.len() as u32, cell.distance());
    let here = node(cell.cube, trace.at(trace.hops.len(), cell.ends.from));
    match trace.outcome {
        Outcome::Delivered if hops == distance => format!("Delivered in {}, a minimal path.", count(hops, "hop")),
        Outcome::Delivered => {
            format!("Delivered in {}, {} more than a minimal path.", count(hops, "hop"), hops - distance)
        }
        Outcome::BlockedAtSource => "Blocked at the source: none of its forward neighbours can be entered.".into(),
        Outcome::Blocked => format!("Blocked at {here} after {}: no neighbour it may enter.", count(hops, "hop")),
        Outcome::Lost => format!("Lost at {here} after {}: it was sent to a faulty node.", count(hops, "hop")),
        Outcome::LimitReached => match trace.trap.as_ref().map(|trap| trap.nodes.as_slice()) {
            Some([a, b]) => format!(
                "Tunnelling between {} and {} until the path limit of {}.",
                node(cell.cube, *a),
                node(cell.cube, *b),
                count(cell.limit(), "hop")
            ),
            Some(nodes) => format!(
                "Caught in a closed set of {} until the path limit of {}.",
                count(nodes.len() as u32, "node"),
                count(cell.limit(), "hop")
            ),
            None => format!("Not delivered within the path limit of {}.", count(cell.limit(), "hop")),
        },
        Outcome::Disconnected => "No live path leads from source to destination.".into(),
    }
}
