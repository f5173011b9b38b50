//! Descriptions of decisions and outcomes of single messages, computed on demand.

use crate::wording::{count, node};
use faultlab_core::fault::Faults as _;
use faultlab_core::rich;
use faultlab_core::rich_text::RichText;
use faultlab_core::routing::{Carrier, CubeHop, LocalRouting};
use faultlab_core::switching::Outcome;
use faultlab_core::topology::{Link, set_dimensions};
use faultlab_experiment::{CubePointConfig, Instance, Trace};

/// Returns the reason of hop number `number` of `trace` (from 0): the rule, with the faults that
/// made it apply. Nodes that the message has marked by then count as faulty, as they do for the
/// message.
pub fn reason(instance: &mut Instance, trace: &Trace, number: usize) -> RichText {
    let Some(hop) = trace.hops.get(number) else { return RichText::default() };
    let cell = instance.cell.clone();
    // Only paths of algorithms that mark nodes are searched for marks: other paths may have tens of
    // thousands of hops.
    let marks = trace.algorithm.local().is_some_and(LocalRouting::marks_blocked_nodes);
    let before = if marks { &trace.hops[..number] } else { &[] };
    let marked = |node| before.iter().any(|hop| hop.rule.is_detour() && hop.from == node);
    let wrong = hop.from.0 ^ cell.ends.to.0;
    let unusable = |&dim: &u8| {
        let link = Link { from: hop.from, dim };
        instance.faults().leads_to_no_live_node(link) || marked(link.end())
    };
    let faulty = set_dimensions(wrong).filter(unusable).fold(0, |mask, dim| mask | 1 << dim);
    let taken = hop.from.0 ^ hop.to.0;
    let (dim, up) = (taken.trailing_zeros() as u8, hop.to.0 & taken != 0);
    let user_routing = trace.algorithm.local().and_then(|routing| routing.user_routing());
    hop.rule.explain_hop(&CubeHop {
        carrier: Carrier::Message,
        from: hop.from,
        dim,
        up,
        wrong,
        dead: faulty,
        user_routing,
    })
}

/// Returns the outcome of the message in one sentence.
pub fn ending(cell: &CubePointConfig, trace: &Trace) -> RichText {
    let (hops, distance) = (trace.hops.len() as u32, cell.distance());
    let here = node(cell.cube, trace.at(trace.hops.len(), cell.ends.from));
    match trace.outcome {
        Outcome::Delivered if hops == distance => rich!["Delivered in ", count(hops, "hop"), ", a minimal path."],
        Outcome::Delivered => {
            rich!["Delivered in ", count(hops, "hop"), ", ", hops - distance, " more than a minimal path."]
        }
        Outcome::BlockedAtSource => "Blocked at the source: none of its forward neighbours can be entered.".into(),
        Outcome::Blocked => rich!["Blocked at ", here, " after ", count(hops, "hop"), ": no neighbour may be entered."],
        Outcome::Lost => rich!["Lost at ", here, " after ", count(hops, "hop"), ": it was sent to a faulty node."],
        Outcome::LimitReached => match trace.trap.as_ref().map(|trap| trap.nodes.as_slice()) {
            Some([a, b]) => rich![
                "Tunnelling between ",
                node(cell.cube, *a),
                " and ",
                node(cell.cube, *b),
                " until the path limit of ",
                count(cell.limit(), "hop"),
                "."
            ],
            Some(nodes) => {
                let (nodes, limit) = (count(nodes.len() as u32, "node"), count(cell.limit(), "hop"));
                rich!["Caught in a closed set of ", nodes, " until the path limit of ", limit, "."]
            }
            None => rich!["Not delivered within the path limit of ", count(cell.limit(), "hop"), "."],
        },
        Outcome::Disconnected => "No live path leads from source to destination.".into(),
    }
}
