//! Descriptions of unreachable nodes, and of pairs whose permitted paths all meet faults.

use super::{count, node};
use faultlab_core::fault::BlockFaults;
use faultlab_core::routing::{Criterion, LocalRouting as _};
use faultlab_core::theory::{BlockingFault, SearchMethod, Suggestion, with_ends};
use faultlab_core::topology::{Hypercube, NodeId};
use faultlab_core::traffic::Pair;
use faultlab_experiment::{Experiment, PointConfig};

/// Returns a sentence with the number of live nodes outside of the simulated component, if there
/// are any.
pub(crate) fn cut_off(faults: &BlockFaults) -> Option<String> {
    let live = faults.mesh().iter_nodes().filter(|&node| !faults.is_faulty(node)).count();
    let cut = live - faults.members().count();
    let take = if cut == 1 { "does" } else { "do" };
    (cut > 0).then(|| format!("Cut off: {} {take} not take part. ", count(cut as u32, "node")))
}

/// Returns the sentence of [`cut_off`] for `experiment`, if all its runs have the same faults.
pub(crate) fn fixed_cut_off(experiment: &Experiment) -> Option<String> {
    let faults = PointConfig::new(experiment, None).blocks(0).ok().filter(|_| experiment.faults_are_fixed())?;
    cut_off(&faults)
}

/// Returns a relabelling in words: its steps, and its effect.
pub fn relabelling(cube: Hypercube, found: &Suggestion) -> (String, String) {
    let labels = &found.relabelling;
    let mut steps = Vec::new();
    if let Some((a, b)) = labels.exchange {
        steps.push(format!("exchange dimensions {a} and {b}"));
    }
    if labels.flip != 0 {
        steps.push(format!("XOR every label with {}", node(cube, NodeId(labels.flip))));
    }
    if steps.is_empty() {
        steps.push("keep the labels".into());
    }
    let pairs = if found.counts.cut_off == 1 { "pair of live nodes stays" } else { "pairs of live nodes stay" };
    let by = match found.found_by {
        SearchMethod::Procedure => "the paper's procedure for a single fault: no other labels are better",
        SearchMethod::Exhaustion => "no other exchange with the highest dimension and no other XOR is better",
        SearchMethod::Heuristic => "the best of the candidates by Theorems 2, 3 and 5",
    };
    // With one faulty node there are N-1 live nodes.
    let one_node = u128::from(found.counts.live) == u128::from(cube.mask()) * u128::from(cube.mask() - 1);
    let all = with_ends(cube, found.counts.cut_off).filter(|_| one_node);
    let ends = all.map_or(String::new(), |all| format!("; {all} with pairs that have an end at the faulty node"));
    let value = format!("{}, then {}", steps.join(", "), labels.algorithm.name);
    (value, format!("{} {pairs} cut off{ends}; {by}", found.counts.cut_off))
}

/// Returns a fault in words.
pub fn obstacle(cube: Hypercube, obstacle: BlockingFault) -> String {
    match obstacle {
        BlockingFault::Node(at) => format!("node {}", node(cube, at)),
        BlockingFault::Link(link) => format!("link {link}"),
    }
}

/// Returns whether a pair is cut off, in two words, and the reason.
pub fn why_cut_off(
    cube: Hypercube,
    criterion: &Criterion,
    obstacles: Option<&[BlockingFault]>,
) -> (&'static str, String) {
    // A criterion with several initial headers draws one for each message. The pair is cut off if
    // every header's paths are blocked.
    let every = if criterion.initial_header_count() > 1 { "for every header, each" } else { "every" };
    match obstacles {
        None => ("faulty end", "an end is faulty".into()),
        Some([]) => ("not cut off", "a permitted path is live".into()),
        Some([BlockingFault::Node(at)]) => {
            ("cut off", format!("{every} permitted path passes node {}", node(cube, *at)))
        }
        Some([BlockingFault::Link(link)]) => ("cut off", format!("{every} permitted path uses link {link}")),
        Some(several) => {
            let named: Vec<_> = several.iter().take(5).map(|&one| obstacle(cube, one)).collect();
            let more = several.len().saturating_sub(named.len());
            let more = if more > 0 { format!(" or {more} more") } else { String::new() };
            ("cut off", format!("{every} permitted path meets one of {}{more}", named.join(", ")))
        }
    }
}

/// Returns a pair by its node numbers.
pub fn pair(pair: Pair) -> String {
    format!("{} → {}", pair.from, pair.to)
}
