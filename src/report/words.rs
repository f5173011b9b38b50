//! Decisions and outcomes in words, made only where somebody reads them.

use crate::experiment::{CubeCell, Instance, Trace};
use crate::fault::Faults as _;
use crate::routing::{LocalRouting, Rule};
use crate::switching::Outcome;
use crate::topology::{Hypercube, Link, Network, NodeId, dimensions_of};

/// A node's name: its binary digits up to n = 10, its number in hexadecimal beyond.
pub fn node(cube: Hypercube, node: NodeId) -> String {
    if cube.dimension() <= 10 { cube.label(node) } else { format!("0x{:x}", node.0) }
}

/// The same in any network: in a mesh, its row and column.
pub fn node_of(network: Network, id: NodeId) -> String {
    match network {
        Network::FatTree(_) => id.to_string(),
        Network::Hypercube(cube) => node(cube, id),
        Network::Mesh(mesh) => mesh.label(id),
    }
}

/// A few dimensions, named: "dimensions 1, 3 and 4".
pub fn dimensions(mask: u64) -> String {
    let dims: Vec<_> = dimensions_of(mask).map(|dim| dim.to_string()).collect();
    match dims.as_slice() {
        [] => "no dimension".into(),
        [one] => format!("dimension {one}"),
        [most @ .., last] => format!("dimensions {} and {last}", most.join(", ")),
    }
}

/// Why the message made hop number `number` of `trace` (from 0): the rule, with the faults that made it apply. Nodes
/// that the message has marked by then count as faulty, as they do for it.
pub fn reason(instance: &mut Instance, trace: &Trace, number: usize) -> String {
    let Some(hop) = trace.hops.get(number) else { return String::new() };
    let cell = instance.cell.clone();
    // Only algorithms that mark are searched for marks: the others may have wandered for tens of thousands of hops.
    let marks = trace.algorithm.local().is_some_and(LocalRouting::marks_blocked);
    let before = if marks { &trace.hops[..number] } else { &[] };
    let marked = |node| before.iter().any(|hop| hop.rule == Rule::MarkAndSidetrack && hop.from == node);
    let wrong = hop.from.0 ^ cell.ends.to.0;
    let unusable = |&dim: &u8| {
        let link = Link { from: hop.from, dim };
        instance.faults().is_dead(link) || marked(link.to())
    };
    let faulty = dimensions_of(wrong).filter(unusable).fold(0, |mask, dim| mask | 1 << dim);
    let taken = hop.from.0 ^ hop.to.0;
    // Only what lies above the chosen dimension made the algorithm pass over it.
    let passed_over = faulty & !(taken | (taken - 1));
    in_words(hop.rule, &dimensions(taken), wrong, faulty, passed_over)
}

pub(super) fn in_words(rule: Rule, taken: &str, wrong: u64, faulty: u64, passed_over: u64) -> String {
    let live = wrong & !faulty;
    match rule {
        Rule::HighestWrong => format!("{taken} is the highest wrong bit"),
        Rule::AnyWrong => format!("{taken}, drawn from the wrong bits ({})", dimensions(wrong)),
        Rule::HighestLiveWrong if passed_over == 0 => format!("{taken} is the highest wrong bit"),
        Rule::HighestLiveWrong => {
            format!("{taken} is the highest wrong bit that leads to a live node: not {}", dimensions(passed_over))
        }
        Rule::AnyLiveWrong if wrong.count_ones() == 1 => format!("{taken} is the last wrong bit"),
        Rule::AnyLiveWrong if live.count_ones() == 1 => {
            format!("{taken} is the only wrong bit that leads to a live node")
        }
        Rule::AnyLiveWrong if faulty == 0 => format!("{taken}, drawn from the wrong bits"),
        Rule::AnyLiveWrong => {
            format!("{taken}, drawn from the wrong bits that lead to live nodes ({})", dimensions(live))
        }
        Rule::Sidetrack => {
            format!("blocked: every forward neighbour is faulty ({}); back along {taken}", dimensions(wrong))
        }
        Rule::MarkAndSidetrack => {
            format!("blocked: no forward neighbour is left ({}); mark this node, back along {taken}", dimensions(wrong))
        }
        Rule::ShortestLivePath => format!("{taken}, on a shortest live path"),
        Rule::LowestRequired => format!("{taken} is the lowest required one"),
        Rule::UpTransition => format!("{taken} leads up: legal before the lowest required one, which is not usable"),
        Rule::DownTransition => {
            format!("{taken} leads down: legal before the lowest required one, which is not usable")
        }
        Rule::AnyRequired => format!("{taken} is required: legal in any order, and the lowest is not usable"),
    }
}

/// How the message ended, in one sentence.
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
                count(cell.limit, "hop")
            ),
            Some(nodes) => format!(
                "Caught in a closed set of {} until the path limit of {}.",
                count(nodes.len() as u32, "node"),
                count(cell.limit, "hop")
            ),
            None => format!("Not delivered within the path limit of {}.", count(cell.limit, "hop")),
        },
        Outcome::Disconnected => "No live path leads from source to destination.".into(),
    }
}

/// The first `most` of a list, and how many more there are.
pub fn several(list: &[String], most: usize) -> String {
    let more = list.len().saturating_sub(most);
    let first = list[..list.len() - more].join(", ");
    if more > 0 { format!("{first} and {more} more") } else { first }
}

/// "1 hop", "2 hops".
pub fn count(n: u32, noun: &str) -> String {
    format!("{n} {noun}{}", if n == 1 { "" } else { "s" })
}
