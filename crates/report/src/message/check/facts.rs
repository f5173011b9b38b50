//! Results of a check on a hypercube as facts: subject, value and meaning. The page and the command
//! line share them.

use super::{MAX_COUNTED, MessageCheck, MessageCheckReport, Permitted};
use crate as report;
use crate::files::table::align_columns;
use crate::wording;
use crate::wording::cut_off::{relabelling, why_cut_off};
use crate::wording::facts::{Fact, fact};
use faultlab_core::rich_text::RichText;
use faultlab_core::routing::Method;
use faultlab_core::theory::{BlockingFault, DeadlockProof, with_ends};
use faultlab_core::topology::Link;
use faultlab_experiment::deadlock::DeadlockVerdict;

fn percent(share: f64) -> String {
    format!("{:.4}%", share * 100.0)
}

/// Returns the facts that hold on the network under every algorithm.
pub(super) fn network(checks: &MessageCheckReport) -> Vec<Fact> {
    let (cube, ends) = (checks.cell.cube, checks.cell.ends);
    let mut facts = Vec::new();
    if let Some(faulty) = faulty(checks) {
        let live = cube.nodes().unwrap_or(0).saturating_sub(faulty);
        facts.push(fact("Faulty nodes", faulty.to_string(), format!("{live} nodes are live")));
    }
    if !checks.faulty_links.is_empty() {
        let meaning = "faulty links between live nodes; the two directions of an edge fail independently";
        facts.push(fact("Faulty one-way links", checks.faulty_links.len().to_string(), meaning));
    }
    facts.push(connectivity(checks));
    if let Some(found) = &checks.connectivity {
        let what = "sets of live nodes that reach each other and no others";
        facts.push(fact("Components of live nodes", found.components.len().to_string(), what));
    }
    facts.extend(checks.embedding.as_ref().map(|found| found.fact(cube.dimension())));
    let (from, to) = (wording::node(cube, ends.from), wording::node(cube, ends.to));
    let what = "the number of bits in which source and destination differ";
    let distance = wording::count(checks.cell.distance(), "hop");
    facts.push(fact(&format!("Distance from {from} to {to}"), distance, what));
    if let Some(found) = &checks.relabelling {
        let (value, meaning) = relabelling(cube, found);
        facts.push(fact("Relabelling", value, meaning));
    }
    facts
}

/// Returns the number of faulty nodes; `None` where they are not counted.
pub(super) fn faulty(checks: &MessageCheckReport) -> Option<u64> {
    let cube = checks.cell.cube;
    let live = checks.connectivity.as_ref().map(|found| found.live);
    let faulty = live.map(|live| cube.nodes().unwrap_or(0).saturating_sub(live));
    faulty.or((cube.dimension() <= MAX_COUNTED).then_some(checks.faulty_nodes.len() as u64))
}

/// Returns whether averages differ by rounding only.
pub(super) fn confirmed(difference: f64) -> bool {
    difference < 1e-12
}

/// Returns whether source and destination are connected.
fn connectivity(checks: &MessageCheckReport) -> Fact {
    let what = if checks.single { "Source and destination" } else { "The selected pair" };
    let faulty = match checks.faulty_ends {
        [true, true] => "the source and the destination are faulty",
        [true, false] => "the source is faulty",
        [false, true] => "the destination is faulty",
        _ => "",
    };
    match (&checks.connectivity, checks.connected) {
        _ if !faulty.is_empty() => fact(what, "faulty", format!("{faulty}: no message is sent")),
        (_, None) => fact(what, "not decided", NOT_EXPLORED),
        (Some(found), Some(true)) => {
            let source = found.around_source;
            let meaning = format!("both are among {source} nodes that reach each other: some algorithm could deliver");
            fact(what, "connected", meaning)
        }
        (Some(found), _) => {
            let (source, destination) = (found.around_source, found.around_destination);
            let meaning =
                format!("the source reaches {source} nodes, the destination {destination}: no algorithm can deliver");
            fact(what, "cut off", meaning)
        }
        (None, Some(true)) => fact(what, "connected", "a live path connects them: some algorithm could deliver"),
        (None, _) => fact(what, "cut off", "no live path connects them: no algorithm can deliver"),
    }
}

/// Reason why the exact probabilities of a message are missing.
pub(super) const NOT_FOLLOWED: &str =
    "computed up to n = 10 (n = 5 for algorithms that mark nodes), except for very long path limits";

/// Reason why pairs are not counted.
pub(super) const NOT_COUNTED: &str = "pairs are counted up to n = 12, on the page up to n = 10";

/// Reason why connectivity is not decided.
pub(super) const NOT_EXPLORED: &str = "whole cubes are explored up to n = 20";

/// Returns the facts on one algorithm.
pub(super) fn algorithm_facts(checks: &MessageCheckReport, check: &MessageCheck) -> Vec<Fact> {
    let mut facts = Vec::new();
    if let Some(permitted) = &check.permitted {
        permitted_facts(checks, check, permitted, &mut facts);
    }
    let what = "Probability of arrival on these faults";
    match (check.exact_success, check.exact_length) {
        _ if !checks.single => {}
        (Some(success), Some(length)) => {
            let meaning =
                format!("exact, over the random choices; messages that arrive take {length:.3} hops on average");
            facts.push(fact(what, percent(success), meaning));
        }
        (Some(success), None) => facts.push(fact(what, percent(success), "no message arrives on these faults")),
        (None, _) => {
            facts.push(fact(what, "not computed", NOT_FOLLOWED));
        }
    }
    if let Some((share, equation)) = check.closed_form {
        let meaning = format!("Gordon & Stout, {equation}; the same for the deterministic and the random algorithm");
        facts.push(fact("Probability of arrival over all fault patterns", percent(share), meaning));
    }
    if let Some(difference) = check.theorem {
        let value = if confirmed(difference) { "confirmed" } else { "refuted" };
        let meaning = format!(
            "the theorem of section 2.1, by enumeration: for each number of faults the mean probabilities differ by \
             at most {difference:.1e}"
        );
        facts.push(fact("Deterministic equals random on average", value, meaning));
    }
    facts.push(graph(checks, check));
    facts
}

fn permitted_facts(checks: &MessageCheckReport, check: &MessageCheck, permitted: &Permitted, facts: &mut Vec<Fact>) {
    let (cube, ends) = (checks.cell.cube, checks.cell.ends);
    if matches!(check.algorithm.method, Method::Better(_)) {
        let why = "the routing that cuts fewer pairs off, for the whole network";
        facts.push(fact("Chosen routing", permitted.chosen_algorithm.name.clone(), why));
    }
    let what = "Pairs cut off";
    match (permitted.pairs, permitted.affected) {
        (None, _) => facts.push(fact(what, "not counted", NOT_COUNTED)),
        (Some(counts), affected) => {
            let share = counts.share().map_or(String::new(), |share| format!(", {}", percent(share)));
            let mut meaning = format!("of {} ordered pairs of live nodes{share}; exact", counts.live);
            if let Some(affected) = affected {
                let agrees = if affected.pairs == counts.cut_off { "the same" } else { "NOT the same" };
                meaning += &format!(". The closed form ({}) gives {agrees}: {}", affected.statement, affected.pairs);
                if let Some(BlockingFault::Node(_)) = checks.only {
                    let all = with_ends(cube, affected.pairs).unwrap_or(affected.pairs);
                    meaning += &format!(", or {all} with the 2(N-1) pairs that have an end at the fault");
                }
            }
            facts.push(fact(what, counts.cut_off.to_string(), meaning));
        }
    }
    let (from, to) = (wording::node(cube, ends.from), wording::node(cube, ends.to));
    let pair = format!("From {from} to {to}");
    if permitted.obstacles.is_some() {
        let (value, meaning) = why_cut_off(cube, &permitted.criterion, permitted.obstacles.as_deref());
        facts.push(fact(&pair, value, meaning));
    }
    let legal: Vec<_> = permitted.legal.iter().map(Link::to_string).collect();
    let way = |link: &Link| {
        let way = if link.is_up() { "up" } else { "down" };
        format!("{way} to {}", wording::node(cube, link.end()))
    };
    let ways: Vec<_> = permitted.legal.iter().map(way).collect();
    let meaning = format!(
        "{}; the lowest required dimension first, then the dimensions that the criterion permits before it",
        ways.join(", ")
    );
    facts.push(fact("Links legal at the source", legal.join(", "), meaning));
    if let Some(paths) = &permitted.disjoint {
        let path = |path: &Vec<_>| RichText::join(path.iter().map(|&node| wording::node(cube, node)), " → ");
        let listed: Vec<_> = paths.iter().take(6).map(path).collect();
        let more = paths.len().saturating_sub(listed.len());
        let more = if more > 0 { format!("; and {more} more") } else { String::new() };
        let value = wording::count(paths.len() as u32, "path");
        let meaning = format!("by Theorem 4, ignoring faults: {}{more}", RichText::join(listed, "; "));
        facts.push(fact("Node-disjoint permitted shortest paths", value, meaning));
    }
}

/// Returns the sentence on deadlocks of messages that hold channels while they wait, without its
/// full stop.
pub(super) fn deadlock(checks: &MessageCheckReport, check: &MessageCheck) -> String {
    match (&check.deadlock, &check.dependencies) {
        (Some(DeadlockVerdict::ProvedFree { by: DeadlockProof::Theorem }), _) => {
            "proved free of deadlock by Theorem 1, in every cube; the graph is built up to n = 8".into()
        }
        (Some(verdict), _) => report::deadlock::sentence(verdict, checks.experiment.network),
        (None, None) if check.algorithm.is_bound() => check.algorithm.guarantee.to_owned(),
        (None, None) => "undecided: the dependency graph is built up to n = 8, for algorithms with local knowledge \
                         and no memory"
            .into(),
        (None, Some(_)) => "undecided: messages hold no channels here. switch=circuit and switch=wormhole decide on \
                            deadlock; a dependency cycle alone is no deadlock"
            .into(),
    }
}

/// Returns the fact on the channel dependency graph, with the verdict that follows from it.
fn graph(checks: &MessageCheckReport, check: &MessageCheck) -> Fact {
    let what = "Channel dependency graph";
    let why = deadlock(checks, check);
    let Some(graph) = &check.dependencies else {
        let value = match &check.deadlock {
            _ if check.algorithm.is_bound() => "none",
            Some(DeadlockVerdict::ProvedFree { by: DeadlockProof::Backtracks }) => "not built",
            Some(DeadlockVerdict::ProvedFree { .. }) => "acyclic",
            _ => "not built",
        };
        return fact(what, value, why);
    };
    let size = format!("{} channels, {} dependencies", graph.channels, graph.dependencies);
    let Some(cycle) = &graph.cycle else {
        let first: Vec<_> = graph.order.iter().take(8).map(Link::to_string).collect();
        let meaning = format!(
            "{size}: {why}. An order in which every dependency points forward begins {}, ... (complete in the JSON)",
            first.join(", ")
        );
        return fact(what, "acyclic", meaning);
    };
    let links: Vec<_> = cycle.iter().map(Link::to_string).collect();
    let read = cycle.first().map(|link| format!(" ({link} leaves node {} along dimension {})", link.from, link.dim));
    let meaning = format!("{size}; a shortest cycle: {}{}. {why}", links.join(", "), read.unwrap_or_default());
    fact(what, "cyclic", meaning)
}

/// Returns the table of the pairs cut off by each algorithm, with a heading; empty if pairs are not
/// counted.
pub(super) fn cut_off_table(checks: &MessageCheckReport) -> String {
    let counted = checks.algorithms.iter().filter_map(|check| Some((check, check.permitted.as_ref()?)));
    let row = |(check, permitted): (&MessageCheck, &Permitted)| {
        let counts = permitted.pairs?;
        let share = counts.share().map_or("-".into(), percent);
        let formula = permitted.affected.map_or("-".into(), |by| format!("{} ({})", by.pairs, by.statement));
        Some(vec![check.algorithm.id.to_string(), counts.cut_off.to_string(), counts.live.to_string(), share, formula])
    };
    let rows: Vec<_> = counted.filter_map(row).collect();
    if rows.is_empty() {
        return String::new();
    }
    let head = ["", "pairs cut off", "of live pairs", "share", "closed form"].map(str::to_owned).to_vec();
    let lines: Vec<_> = std::iter::once(head).chain(rows).collect();
    let lines: String = align_columns(&lines).iter().map(|line| format!("  {line}\n")).collect();
    format!("\nPairs cut off\n{lines}")
}
