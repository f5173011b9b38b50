//! Results of a check on a hypercube as CSV and JSON.

use super::facts::{NOT_COUNTED, NOT_EXPLORED, NOT_FOLLOWED, deadlock};
use super::{Dependencies, EmbeddingResult, MessageCheck, MessageCheckReport};
use crate as report;
use crate::files::record::{Record, Value};
use faultlab_core::theory::{BlockingFault, PairCounts, SearchMethod, Suggestion, with_ends};
use faultlab_core::topology::{Link, NodeId};
use faultlab_core::traffic::Pair;

/// CSV columns of `check`, which has a line for each algorithm. Lists have blanks between their
/// values. A cycle is the list of its channels, `FROM>TO`; `disjoint` is the number of disjoint
/// paths. `network.name` is the field `name` of `network` in JSON.
pub(super) const COLUMNS: [&str; 34] = [
    "series",
    "acyclic",
    "channels",
    "dependencies",
    "cycle",
    "connected",
    "live",
    "exact_success",
    "exact_length",
    "closed_form",
    "theorem",
    "pairs",
    "cut_off",
    "closed_form_pairs",
    "disjoint",
    "deadlock_free",
    "because",
    "share",
    "closed_form_by",
    "closed_form_with_ends",
    "closed_form_equation",
    "theorem_confirmed",
    "legal_to",
    "obstacles",
    "not_computed",
    "network.nodes",
    "network.faulty",
    "network.live",
    "network.faulty_nodes",
    "network.faulty_links",
    "network.components",
    "network.around_source",
    "network.around_destination",
    "network.distance",
];

/// Returns the records of `check`, one for each algorithm. The JSON line is `{experiment, seed,
/// version, series, acyclic, channels, dependencies, cycle: [{from, to, class}], order: [link],
/// witnesses: [{from, to}], connected, live, exact_success, exact_length, closed_form, theorem,
/// pairs, cut_off, closed_form_pairs, taken, legal: [link], obstacles: [fault], disjoint: [[node]],
/// relabelling: {exchange, flip, route, cut_off, found_by, cut_off_with_ends}, deadlock_free,
/// because, deadlock, share, closed_form_by, closed_form_with_ends, closed_form_equation,
/// theorem_confirmed, legal_to: [node], guarantee, not_computed, network}`.
///
/// Values that cannot be computed are null; `not_computed` has the reason. `because` is the reason
/// why messages that hold channels can deadlock or cannot, or why that is unknown. `closed_form_by`
/// is the theorem that gives the closed form of pairs. `closed_form_with_ends` also counts the
/// pairs that have an end at the only faulty node.
///
/// `network` is `{nodes, faulty, live, faulty_nodes: [node], faulty_links: [link], faulty_ends:
/// [node], components: [size], around_source, around_destination, from, to, distance, embedding:
/// {method, missing, load, dilation, congestion, least_load, least_dilation}}`, the same in every line.
/// Sizes of components count live nodes; `around_source` and `around_destination` are the sizes of the
/// components of the two ends. `embedding` has the map of a healthy cube to the live nodes: its
/// `method` is `identity`, `subcube` of n - `missing` dimensions, or `neighbours`; null without faults
/// and on large cubes.
///
/// `cycle` and `witnesses` are empty when the graph is acyclic, `order` when it is not. A link is
/// written as in experiments: `24_1`.
pub(super) fn records(checks: &MessageCheckReport) -> Vec<Record> {
    checks.algorithms.iter().map(|check| record(checks, check)).collect()
}

fn record(checks: &MessageCheckReport, check: &MessageCheck) -> Record {
    let permitted = check.permitted.as_ref();
    let counts = permitted.and_then(|permitted| permitted.pairs);
    let disjoint = permitted.and_then(|permitted| permitted.disjoint.as_ref());
    let paths =
        |all: &Vec<Vec<NodeId>>| all.iter().map(|path| path.iter().copied().collect::<Value>()).collect::<Value>();
    let number = disjoint.map_or(String::new(), |paths| paths.len().to_string());
    let obstacles = permitted.and_then(|permitted| permitted.obstacles.as_ref());
    let cube = checks.cell.cube;
    let affected = permitted.and_then(|permitted| permitted.affected);
    let at_node = affected.filter(|_| matches!(checks.only, Some(BlockingFault::Node(_))));
    graph(Record::default().with("series", &*check.algorithm.id), check.dependencies.as_ref())
        .with("connected", checks.connected)
        .with("live", checks.connectivity.as_ref().map(|found| found.live))
        .with("exact_success", check.exact_success)
        .with("exact_length", check.exact_length)
        .with("closed_form", check.closed_form.map(|(share, _)| share))
        .with("theorem", check.theorem)
        .with("pairs", counts.map(|counts| counts.live))
        .with("cut_off", counts.map(|counts| counts.cut_off))
        .with("closed_form_pairs", affected.map(|affected| affected.pairs))
        .with("taken", permitted.map(|permitted| &*permitted.chosen_algorithm.id))
        .with("legal", permitted.map(|permitted| permitted.legal.iter().copied().collect::<Value>()))
        .with("obstacles", obstacles.map(|met| met.iter().copied().collect::<Value>()))
        .with_field("disjoint", disjoint.map(paths), number)
        .with("relabelling", permitted.and(checks.relabelling.as_ref()).map(|found| relabelling(checks, found)))
        .with("deadlock_free", check.deadlock.as_ref().and_then(|verdict| verdict.is_free()))
        .with("because", deadlock(checks, check))
        .with(
            "deadlock",
            check.deadlock.as_ref().map(|found| report::deadlock::record(found, checks.experiment.network)),
        )
        .with("share", counts.and_then(PairCounts::share))
        .with("closed_form_by", affected.map(|affected| affected.statement))
        .with("closed_form_with_ends", at_node.and_then(|affected| with_ends(cube, affected.pairs)))
        .with("closed_form_equation", check.closed_form.map(|(_, equation)| equation))
        .with("theorem_confirmed", check.theorem.map(super::facts::confirmed))
        .with("legal_to", permitted.map(|permitted| permitted.legal.iter().map(|link| link.end()).collect::<Value>()))
        .with("guarantee", check.algorithm.guarantee)
        .with("not_computed", not_computed(checks, check))
        .with("network", network(checks))
        .with("cost", report::cost::record_for(&checks.experiment, &check.algorithm))
}

/// Returns the reasons why values are null that other experiments have.
fn not_computed(checks: &MessageCheckReport, check: &MessageCheck) -> Option<String> {
    let criterion = check.permitted.is_some();
    let counted = check.permitted.as_ref().is_some_and(|permitted| permitted.pairs.is_some());
    let reasons = [
        (checks.connected.is_none(), NOT_EXPLORED),
        (checks.single && check.exact_success.is_none(), NOT_FOLLOWED),
        (criterion && !counted, NOT_COUNTED),
    ];
    let why: Vec<_> = reasons.into_iter().filter(|(not, _)| *not).map(|(_, why)| why).collect();
    (!why.is_empty()).then(|| why.join("; "))
}

/// Returns the record of the network.
fn network(checks: &MessageCheckReport) -> Record {
    let (cube, ends, found) = (checks.cell.cube, checks.cell.ends, checks.connectivity.as_ref());
    let faulty = super::facts::faulty(checks);
    let known = super::is_countable(cube);
    let both = [ends.from, ends.to].into_iter().zip(checks.faulty_ends);
    Record::default()
        .with("nodes", cube.nodes())
        .with("faulty", faulty)
        .with("live", faulty.zip(cube.nodes()).map(|(faulty, nodes)| nodes.saturating_sub(faulty)))
        .with("faulty_nodes", known.then(|| checks.faulty_nodes.iter().copied().collect::<Value>()))
        .with("faulty_links", known.then(|| checks.faulty_links.iter().copied().collect::<Value>()))
        .with("faulty_ends", both.filter(|(_, faulty)| *faulty).map(|(end, _)| end).collect::<Value>())
        .with("components", found.map(|found| found.components.iter().copied().collect::<Value>()))
        .with("around_source", found.map(|found| found.around_source))
        .with("around_destination", found.map(|found| found.around_destination))
        .with("from", ends.from)
        .with("to", ends.to)
        .with("distance", checks.cell.distance())
        .with("embedding", checks.embedding.as_ref().map(EmbeddingResult::record))
}

/// Adds the fields of the dependency graph.
fn graph(record: Record, graph: Option<&Dependencies>) -> Record {
    let cycle = graph.and_then(|graph| graph.cycle.as_deref()).unwrap_or_default();
    let short: Vec<_> = cycle.iter().map(|link| format!("{}>{}", link.from, link.end())).collect();
    let channel = |link: &Link| Record::default().with("from", link.from).with("to", link.end()).with("class", 0u8);
    let ends = |pair: &Pair| Record::default().with("from", pair.from).with("to", pair.to);
    record
        .with("acyclic", graph.map(|graph| graph.cycle.is_none()))
        .with("channels", graph.map(|graph| graph.channels))
        .with("dependencies", graph.map(|graph| graph.dependencies))
        .with_field("cycle", graph.map(|_| cycle.iter().map(channel).collect::<Value>()), short.join(" "))
        .with("order", graph.map(|graph| graph.order.iter().copied().collect::<Value>()))
        .with("witnesses", graph.map(|graph| graph.witnesses.iter().map(ends).collect::<Value>()))
}

fn relabelling(checks: &MessageCheckReport, found: &Suggestion) -> Record {
    let (labels, cut_off) = (&found.relabelling, found.counts.cut_off);
    let by = match found.found_by {
        SearchMethod::Procedure => "procedure",
        SearchMethod::Exhaustion => "exhaustion",
        SearchMethod::Heuristic => "heuristic",
    };
    let node = matches!(checks.only, Some(BlockingFault::Node(_)));
    let exchange = labels.exchange.map(|(a, b)| [a, b].into_iter().collect::<Value>());
    Record::default()
        .with("exchange", exchange)
        .with("flip", labels.flip.to_string())
        .with("route", &*labels.algorithm.id)
        .with("cut_off", cut_off)
        .with("found_by", by)
        .with("cut_off_with_ends", with_ends(checks.cell.cube, cut_off).filter(|_| node))
}

impl From<BlockingFault> for Value {
    fn from(obstacle: BlockingFault) -> Self {
        match obstacle {
            BlockingFault::Node(node) => node.into(),
            BlockingFault::Link(link) => link.into(),
        }
    }
}
