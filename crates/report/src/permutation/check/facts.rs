//! Results of a check in words: the lemmas and theorems with their numbers in the thesis.

use super::{ActiveSetResult, PermutationCheck, PermutationChecks, PermutationResult};
use crate as report;
use crate::wording::facts::{BoundCheck, Fact, fact};
use crate::wording::number;
use faultlab_core::fault::Tolerance;
use faultlab_core::routing::oblivious::{Unavailable, kim_shin_guarantee};
use faultlab_core::switching::FlowControl;
use faultlab_core::theory::oblivious::{
    BoundSide, Claim, MAX_OBLIVIOUS_DEPENDENCY_DIMENSION, Premise, Statement, WorstFaultSet, borodin_hopcroft,
    deterministic_congestion, lemma_2_faults, theorem_3_faults,
};
use faultlab_core::topology::{Link, Network, set_dimensions};
use faultlab_core::traffic::Pair;

/// Returns the facts on the cube and its faults under every algorithm.
pub(super) fn network(checks: &PermutationChecks) -> Vec<Fact> {
    let (cube, faults) = (checks.cell.cube, checks.faulty.count());
    let (n, nodes) = (cube.dimension(), cube.mask() + 1);
    let relation = checks.cell.permutation_setting();
    let live = format!("the cube has {nodes} nodes and {n} dimensions; a faulty node disables its {} channels", 2 * n);
    let allowed = format!("{} for A, {} for B", lemma_2_faults(n), theorem_3_faults(n));
    let supposed = "the limits of Lemma 2 and Theorem 2 for A, and of Theorem 3 for B. Below n = 13 Lemma 2 allows \
                    none. Beyond the limit, claims that depend on it are not applicable";
    let demand = relation.demand.to_text(checks.cell.network);
    let demand = if demand.len() > 60 { "a list of messages".to_owned() } else { demand };
    let times = match relation.h {
        1 => "every node that takes part sends and receives at most one message".to_owned(),
        h => format!("an h-relation with h = {h}"),
    };
    let mut facts = vec![
        fact("Faulty nodes F", faults.to_string(), live),
        fact("Faults that the theorems allow", allowed, supposed),
        fact("Messages", demand, times),
    ];
    if checks.faulty.has_faulty_links() {
        let meaning = "one-way links; a bit-fixing path across one is faulty. The thesis considers faulty nodes only, so \
                       its claims that depend on the faults are not applicable";
        facts.push(fact("Faulty links", checks.faulty.link_count().to_string(), meaning));
    }
    if let Tolerance::Share(share) = relation.tolerance {
        let meaning = "the thesis assumes `1/(3n)`, so its claims on Algorithms A and B do not apply";
        facts.push(fact("Tolerance", share.to_string(), meaning));
    }
    facts
}

/// Returns the facts on one algorithm.
pub(super) fn algorithm_facts(checks: &PermutationChecks, check: &PermutationCheck) -> Vec<Fact> {
    let found = match &check.found {
        Ok(found) => found,
        Err(why) => return vec![unavailable(checks, *why)],
    };
    let mut facts = vec![active(checks, found), messages(found)];
    facts.extend(worst_faults(checks, found));
    facts.extend(worst_pair(checks, found));
    facts.extend(found.set.map(|set| premise_fact(checks, set)));
    facts.extend(found.claims.iter().map(|claim| claim_fact(found, claim)));
    facts.extend(worst(found).map(|claim| {
        let meaning = "at most `2^floor((n-1)/2) h` messages cross a channel if each node has `h`; transpose and bit \
                       reversal reach this for even n without faults";
        claim.fact("Bit-fixing's worst congestion", meaning)
    }));
    facts.extend(bad_permutation_fact(checks, found));
    facts.extend(least(found).map(|claim| {
        let meaning = "every node sends h messages to the opposite node, n hops away, so every routing needs `n N h` \
                       hops on `n N` channels. With `h = n` Algorithm B is within a constant factor";
        claim.fact("Corollary 3: least congestion", meaning)
    }));
    if found.messages > 0 {
        facts.push(expectation_fact(found));
    }
    facts.extend(classes(found));
    facts.extend(subcube(checks, found));
    facts.push(graph(checks, check, found));
    facts
}

/// Returns the fact on the permutation that is bad for a routing without intermediate nodes.
fn bad_permutation_fact(checks: &PermutationChecks, found: &PermutationResult) -> Option<Fact> {
    let bad = found.bad_permutation.as_ref()?;
    let (n, network) = (checks.cell.cube.dimension(), checks.cell.network);
    let listed = |pair: &Pair| format!("{}-{}", network.format_node(pair.from), network.format_node(pair.to));
    let listed: Vec<_> = bad.messages.iter().map(listed).collect();
    let bound = match checks.faulty.count() + checks.faulty.link_count() {
        0 => format!(
            "; Kaklamanis, Krizanc & Tsantilas prove `sqrt(N/2)/n` for every deterministic routing, here {}, and \
             Borodin & Hopcroft the order of `sqrt(N)/n^1.5`, here {:.2}",
            deterministic_congestion(n),
            borodin_hopcroft(n)
        ),
        _ => String::new(),
    };
    let value = report::wording::count(bad.messages.len() as u32, "message");
    let meaning = format!(
        "cross {} in the permutation built from the routing's own paths: traffic={}{bound}",
        bad.link,
        listed.join(",")
    );
    Some(fact("A bad permutation", value, meaning))
}

/// Returns the congestion of the routes in `found`; `None` if no route was counted.
pub(super) fn congestion(found: &PermutationResult) -> Option<f64> {
    (found.paths.delivered() > 0).then(|| found.paths.max_congestion().into())
}

/// Returns the congestion compared with bit-fixing's worst case.
pub(super) fn worst(found: &PermutationResult) -> Option<BoundCheck> {
    let none = Premise::AnyMessage.to_string();
    found.worst_congestion.map(|worst| {
        BoundCheck::new(congestion(found), BoundSide::AtMost, worst).with_premise(found.messages > 0, &none)
    })
}

/// Returns the congestion compared with the lower bound of Corollary 3.
pub(super) fn least(found: &PermutationResult) -> Option<BoundCheck> {
    found.lower_bound.map(|least| BoundCheck::new(congestion(found), BoundSide::AtLeast, least))
}

fn unavailable(checks: &PermutationChecks, why: Unavailable) -> Fact {
    let n = checks.cell.cube.dimension();
    let sure = match why {
        Unavailable::NoSubcube => format!(
            ". Any {} faults leave such a subcube at n = {n} (Kim & Shin, thesis section 2.1); {} are present",
            kim_shin_guarantee(n),
            checks.faulty.count() + checks.faulty.link_count()
        ),
        _ => String::new(),
    };
    fact("Algorithm", "does not apply", format!("{why}{sure}"))
}

fn active(checks: &PermutationChecks, found: &PermutationResult) -> Fact {
    let (n, nodes) = (checks.cell.cube.dimension(), checks.cell.cube.mask() + 1);
    let value = format!("{} of {nodes}, {:.4}%", found.active, 100.0 * found.active as f64 / nodes as f64);
    let Some(set) = found.set else {
        return fact("Nodes that take part", value, "every healthy node may send and receive");
    };
    let (what, paths) = if set.squares {
        ("square of four nodes", u64::from(nodes as u32) / 4)
    } else {
        ("node", u64::from(nodes as u32))
    };
    let rule = format!(
        "a {what} is active if at most {} of the {paths} bit-fixing paths out of it, and of those into it, are faulty",
        set.limit
    );
    let formula = match set.closed_form {
        Some(inactive) => {
            let agrees = if inactive + found.active == nodes { "the count agrees" } else { "the count does NOT agree" };
            let of = if set.squares {
                "and under B four times the number for n-2"
            } else {
                "with the largest H for which `2^H < 3n`"
            };
            format!(". One fault makes `2^(H+1) - 2^max(0,2H-n)` nodes inactive, {of}: {inactive}; {agrees}")
        }
        None => String::new(),
    };
    if found.active == 0 {
        let why = if checks.faulty.count() == 1 {
            format!("n = {n} is so small that a single fault breaks too many paths of every node")
        } else {
            "these faults break too many paths of every node".to_owned()
        };
        return fact(
            "Active nodes |A|",
            value,
            format!("{rule}; {why}. No node sends, so no route is measured{formula}"),
        );
    }
    fact("Active nodes |A|", value, format!("{rule}{formula}"))
}

/// Returns whether the routes were counted.
pub(super) fn is_counted(found: &PermutationResult) -> bool {
    found.paths.delivered() > 0 || !found.paths.undelivered().is_empty() || found.messages == 0
}

/// Returns the fact on the worst sets of one, two and three faults, independent of the present
/// faults.
fn worst_faults(checks: &PermutationChecks, found: &PermutationResult) -> Option<Fact> {
    let names = ["one leaves", "two leave", "three leave"];
    let left = |worst: &WorstFaultSet| {
        let name = names.get(worst.nodes.len().saturating_sub(1)).copied().unwrap_or_default();
        format!("{name} {}", worst.active)
    };
    let value: Vec<_> = found.worst_faults.iter().map(left).collect();
    let set = |worst: &WorstFaultSet| {
        let nodes: Vec<_> = worst.nodes.iter().map(|&node| checks.cell.network.format_node(node)).collect();
        format!("{} ({} sets examined)", nodes.join(", "), worst.evaluated_sets)
    };
    let sets: Vec<_> = found.worst_faults.iter().filter(|worst| worst.nodes.len() > 1).map(set).collect();
    let such = if sets.is_empty() { String::new() } else { format!(", such as {}", sets.join(" and ")) };
    let meaning = format!(
        "active nodes under the worst one, two or three faults{such}; exact, because by symmetry sets with node 0 are \
         enough. The present faults are ignored"
    );
    (!value.is_empty()).then(|| fact("Worst faults", value.join(", "), meaning))
}

/// Returns the fact on the pair of nodes that the faults affect most.
fn worst_pair(checks: &PermutationChecks, found: &PermutationResult) -> Option<Fact> {
    let worst = found.worst_pair?;
    let (network, squares) = (checks.cell.network, found.set.is_some_and(|set| set.squares));
    let [from, to] = [worst.from, worst.to].map(|node| network.format_node(node));
    let what = if squares { "intermediate squares" } else { "intermediate nodes" };
    let meaning = format!(
        "of {} ordered pairs of active nodes, this pair has the fewest to choose from; {} pairs have as \
         few",
        worst.pairs, worst.ties
    );
    Some(fact("Most affected pair", format!("{from} to {to}: {} {what}", worst.choice), meaning))
}

fn messages(found: &PermutationResult) -> Fact {
    let what = "Routes of these messages";
    let paths = &found.paths;
    if !is_counted(found) {
        return fact(what, "not counted", NOT_ROUTED);
    }
    let kept = match found.kept_back {
        0 => String::new(),
        some => format!("; {some} more messages are not sent because an end is not active"),
    };
    let lost: u32 = paths.undelivered().values().sum();
    let lost = if lost > 0 { format!("; {lost} without a route") } else { String::new() };
    let Some(length) = paths.mean_length() else {
        return fact(what, "none", format!("there are {} messages{lost}{kept}", found.messages));
    };
    let value = format!("congestion {}", paths.max_congestion());
    let load = match paths.max_load() {
        0 => String::new(),
        load => format!(", load {load}"),
    };
    let meaning = format!(
        "{} routes of {length:.3} hops on average, at most {}{load}, in the run that Watch shows{lost}{kept}",
        paths.delivered(),
        paths.max_length().unwrap_or(0)
    );
    fact(what, value, meaning)
}

/// Returns the fact on the number of faults that the theorem assumes.
fn premise_fact(checks: &PermutationChecks, set: ActiveSetResult) -> Fact {
    let faults = checks.faulty.count();
    let (what, form) = if set.squares {
        ("Theorem 3 assumes", "`N/(12n(n-2)^2)`")
    } else {
        ("Lemma 2 and Theorem 2 assume", "`N/(3n^2(n+2))`")
    };
    let value = format!("F <= {}", set.faults);
    let meaning = if checks.cell.permutation_setting().tolerance != Tolerance::Thesis {
        format!("at most {form} faults and the thesis' tolerance; with another, the claims below are not applicable")
    } else if checks.faulty.has_faulty_links() {
        format!("at most {form} faults, and that links do not fail: claims that depend on it are not applicable")
    } else if faults <= set.faults {
        format!("at most {form} faults, and there are {faults}: the claims below apply")
    } else {
        format!("at most {form} faults, and there are {faults}: claims that depend on it are not applicable")
    };
    fact(what, value, meaning)
}

/// Returns a claim with its number in the thesis.
fn claim_fact(found: &PermutationResult, claim: &Claim) -> Fact {
    let squares = found.set.is_some_and(|set| set.squares);
    let (what, meaning) = statement(claim.statement, squares);
    let theorem_1 = what.starts_with("Theorem 1");
    let of_squares = if squares && theorem_1 {
        "; `n-2`, `N/4` and `4h` replace `n`, `N` and `h` in the cube of squares; outside it the bound is `3h`"
    } else {
        ""
    };
    let claim = BoundCheck::from(claim);
    let unknown = match claim.holds() {
        None => ". Nothing is compared: the value is not computed, or no message has a route",
        Some(_) => "",
    };
    claim.fact(what, &[meaning, of_squares, unknown].concat())
}

/// Returns the name of a claim in the thesis, and the claim in words.
fn statement(statement: Statement, squares: bool) -> (&'static str, &'static str) {
    match (statement, squares) {
        (Statement::FaultyPaths, false) => ("Lemma 1: faulty bit-fixing paths", "at most `(n+2)NF/2`"),
        (Statement::FaultyPaths, true) => {
            ("Lemma 1: faulty bit-fixing paths", "at most `(m+2)MF/2`, in the cube of `M` squares, `m = n-2`")
        }
        (Statement::ActiveNodes, false) => ("Lemma 2, part 1: active nodes", "at least `(1-1/n)N`"),
        (Statement::ActiveNodes, true) => {
            ("Theorem 3: active nodes", "at least `(1-1/(n-2))N`: Lemma 2, part 1, in the cube of squares")
        }
        (Statement::SmallestChoice, false) => {
            ("Lemma 2, part 2: intermediate nodes", "every message has at least `(1-1/n)N` to choose from")
        }
        (Statement::SmallestChoice, true) => (
            "Lemma 2, part 2: intermediate squares",
            "every message has at least `(1-1/(n-2))N/4` to choose from, in the cube of squares",
        ),
        (Statement::ExpectedCongestion, _) => (
            "Theorem 1, part 1: expected congestion",
            "at most `N h/I` on every channel, where `I` is the smallest number of intermediate nodes of a message",
        ),
        (Statement::Congestion, _) => (
            "Theorem 1, part 2: congestion",
            "at most `ln(4N^2 n) + e^2 N h/I` on every channel, with probability at least `1 - 1/(4N)`",
        ),
        (Statement::ExpectedLoad, _) => ("Theorem 1, part 3: expected load", "at most `N h/I` on every node"),
        (Statement::Load, _) => (
            "Theorem 1, part 4: load",
            "at most `ln(8N^2) + e^2 N h/I` on every node, with probability at least `1 - 1/(8N)`",
        ),
        (Statement::TheoremCongestion, false) => {
            ("Theorem 2, part 1: expected congestion", "at most `h/(1-1/n)` on every channel, `(1+o(1))h`")
        }
        (Statement::TheoremCongestion, true) => (
            "Theorem 3, part 3: expected congestion",
            "at most `4h/(1-1/(n-2))` on every channel, `(4+o(1))h`; for `h = 1` this is Corollary 4",
        ),
        (Statement::Length, false) => {
            ("Theorem 2, part 5: longest route", "at most `n + sqrt(2n ln 6n)` hops, rounded down")
        }
        (Statement::Length, true) => (
            "Theorem 3, part 2: longest route",
            "at most `m + sqrt(2m ln 6m)` hops between squares, `m = n-2`, and 7 other hops",
        ),
    }
}

/// Reason why no expectation is computed.
pub(super) const NOT_EXPECTED: &str = "computed if messages times nodes are at most 2^24 (n = 12 for a permutation), \
                                       on the page 2^20 (n = 10), and no intermediate nodes are given";

/// Reason why routes are not counted.
pub(super) const NOT_ROUTED: &str = "too many routes for the page; `faultlab check` counts them";

fn expectation_fact(found: &PermutationResult) -> Fact {
    let what = "Exact expected congestion";
    let Some(expected) = found.expected else {
        return fact(what, "not computed", NOT_EXPECTED);
    };
    let length = expected.length.map_or(String::new(), |length| format!("; mean route length {length:.4} hops"));
    let meaning = format!(
        "on the busiest channel, over all choices of intermediate nodes{length}; the congestion of this run is {}",
        found.paths.max_congestion()
    );
    fact(what, number(expected.congestion), meaning)
}

/// Returns the subcubes between or in which the channels of a class of figure 3-7 lie.
pub(super) fn class_subcubes(class: u8) -> &'static str {
    const PLACES: [&str; 9] =
        ["01 to 11", "11 to 10", "10 to 00", "inside 00", "00 to 01", "inside 01", "01 to 00", "00 to 10", "10 to 11"];
    usize::from(class).checked_sub(1).and_then(|place| PLACES.get(place)).copied().unwrap_or_default()
}

/// Returns the fact that compares the classes of figure 3-7.
fn classes(found: &PermutationResult) -> Option<Fact> {
    let line = |class: &super::ClassResult| {
        let place = class_subcubes(class.class);
        let expected = class.expected.map_or(String::new(), |expected| format!(" expected {}", number(expected)));
        format!(
            "class {} ({place}){expected}, without faults {}, in this run {}",
            class.class,
            number(class.closed_form),
            class.measured
        )
    };
    let lines: Vec<_> = found.classes.iter().map(line).collect();
    let most = found.classes.iter().filter_map(|class| class.expected).fold(0.0, f64::max);
    let value = match found.expected {
        Some(_) => format!("{} against 4h = {}", number(most), 4 * found.h),
        None => format!("4h = {}", 4 * found.h),
    };
    let meaning = format!("the largest congestion in each class of figure 3-7: {}", lines.join("; "));
    (!lines.is_empty()).then(|| fact("Expected congestion by class", value, meaning))
}

/// Returns the fact on the healthy subcube of Kim & Shin's scheme, and its guarantee.
fn subcube(checks: &PermutationChecks, found: &PermutationResult) -> Option<Fact> {
    let subcube = found.subcube?;
    let (n, faults) = (checks.cell.cube.dimension(), checks.faulty.count());
    let bits = set_dimensions(subcube.fixed).map(|dim| format!("bit {dim} = {}", subcube.value >> dim & 1));
    let sure = kim_shin_guarantee(n);
    let promise = if faults <= sure { "within this guarantee" } else { "beyond this guarantee" };
    let (fewer, why) = match subcube.fixed.count_ones() {
        1 => (1, "every fault has the opposite bit"),
        _ => (2, "no bit is the same in all faults, so none has n-1"),
    };
    let meaning = format!(
        "the largest subcube without a fault has n-{fewer} dimensions: {why}. Any {sure} faults leave one of n-2 \
         dimensions; the number of faults, {faults}, is {promise}"
    );
    Some(fact("Healthy subcube", bits.collect::<Vec<_>>().join(", "), meaning))
}

/// Returns whether worms on the routes of `found` are deadlock-free, `None` if undecided, and the
/// reason.
pub(super) fn deadlock(
    checks: &PermutationChecks,
    check: &PermutationCheck,
    found: &PermutationResult,
) -> (Option<bool>, String) {
    let order = match (found.classes.is_empty(), found.ascends) {
        (false, _) => "figure 3-7 orders the channels: ",
        (true, Some(_)) => "the algorithm orders its channels: ",
        _ => "",
    };
    if checks.experiment.setting.batch().is_some_and(|batch| batch.flow != FlowControl::Wormhole) {
        return (Some(true), "a message waits in a node and holds no channel, so no cyclic wait can form".into());
    }
    let limit = MAX_OBLIVIOUS_DEPENDENCY_DIMENSION;
    let ranked = check.algorithm.oblivious().is_some_and(|scheme| scheme.deadlock_free);
    match (&found.graph, found.ascends) {
        (None, Some(true)) => (
            Some(true),
            format!("{order}every route above ascends, as required; the graph itself is built up to n = {limit}"),
        ),
        (None, Some(false)) => (None, format!("{order}a route above does NOT ascend")),
        (None, None) if ranked => {
            (Some(true), format!("proved for every network; the graph is built up to n = {limit}"))
        }
        (None, None) => (None, format!("undecided: the graph is built up to n = {limit}")),
        _ if found.active == 0 => (Some(true), "no node is active: there is no route".into()),
        (Some(graph), _) if !graph.cycle.is_empty() => {
            let network = Network::Hypercube(checks.cell.cube);
            (found.deadlock.is_free(), report::deadlock::sentence(&found.deadlock, network))
        }
        (_, Some(false)) => (
            Some(true),
            format!(
                "{order}a route above does not ascend, but the dependency graph has no cycle: proved free of deadlock"
            ),
        ),
        (_, Some(true)) => (Some(true), format!("{order}every route above ascends: proved free of deadlock")),
        (_, None) => (Some(true), "proved free of deadlock".into()),
    }
}

/// Returns the fact on the channel dependency graph, with the verdict on deadlock.
fn graph(checks: &PermutationChecks, check: &PermutationCheck, found: &PermutationResult) -> Fact {
    let what = "Channel dependency graph";
    let (free, why) = deadlock(checks, check, found);
    let Some(graph) = found.graph.as_ref().filter(|_| found.active > 0) else {
        let value = match free {
            _ if found.graph.is_some() => "empty",
            Some(true) => "acyclic, by ranks",
            None if found.ascends == Some(false) => "order violated",
            _ => "not built",
        };
        return fact(what, value, why);
    };
    let size = format!("{} channels, {} dependencies, over all possible routes", graph.channels, graph.dependencies);
    if graph.cycle.is_empty() {
        return fact(what, "acyclic", format!("{size}; {why}"));
    }
    let links: Vec<_> = graph.cycle.iter().map(Link::to_string).collect();
    fact(what, "cyclic", format!("{size}; a shortest cycle: {}. {why}", links.join(", ")))
}
