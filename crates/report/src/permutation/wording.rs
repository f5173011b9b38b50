//! Descriptions of whole permutations and batches, in the terms of the thesis on deadlock-free
//! randomized routing.

use super::batch_state::{BatchState, Holders, state};
use super::picture::painter::{NodeKind, has_ranks};
use super::picture::subcube_layout::corner_name;
use crate::wording;
use crate::wording::numbers::counted;
use crate::wording::{count, cyclic_wait_text};
use faultlab_core::fault::NodeStatus;
use faultlab_core::rich;
use faultlab_core::rich_text::RichText;
use faultlab_core::routing::Algorithm;
use faultlab_core::routing::oblivious::{
    EdgeRank, Endpoint, NoRoute, ObliviousHop, ObliviousPhase, ObliviousRoute, Unavailable,
};
use faultlab_core::switching::{BatchOutcome, BatchRun, StaticCongestion};
use faultlab_core::topology::{Hypercube, Link, NodeId};
use faultlab_experiment::{BatchIndex, PermutationInstance, PermutationSeries, PermutationTrial};

/// Number of nodes of each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NodeCounts {
    /// Nodes that may send and receive.
    pub active: u32,
    /// Healthy nodes that are inactive because of too many faulty paths.
    pub inactive: u32,
    /// Healthy nodes in a square with a faulty node.
    pub marked: u32,
    /// Faulty nodes.
    pub faulty: u32,
}

impl NodeCounts {
    /// Counts the nodes of a scheme in `instance`. Cost: one query for each node.
    pub fn new(instance: &PermutationInstance, series: &PermutationSeries) -> Self {
        let mut counts = Self::default();
        for node in (0..=instance.cell.cube.mask()).map(NodeId) {
            *match NodeKind::from_node(instance, series, node) {
                NodeKind::Active => &mut counts.active,
                NodeKind::Inactive => &mut counts.inactive,
                NodeKind::Marked => &mut counts.marked,
                NodeKind::Faulty => &mut counts.faulty,
            } += 1;
        }
        counts
    }

    /// Returns the number of all nodes.
    pub fn all(&self) -> u32 {
        self.active + self.inactive + self.marked + self.faulty
    }
}

/// Returns the number of active nodes, and the reasons why the others are inactive: "36 of 64 nodes
/// are active (1 faulty, 27 with too many faulty paths)".
pub fn nodes(counts: &NodeCounts) -> String {
    let many = |number: u32, what: &str| (number > 0).then(|| format!("{number} {what}"));
    let why = [
        many(counts.faulty, "faulty"),
        many(counts.marked, "in squares with faults"),
        many(counts.inactive, "with too many faulty paths"),
    ];
    let why: Vec<_> = why.into_iter().flatten().collect();
    let all = counts.all();
    if why.is_empty() {
        return format!("all {all} nodes are active");
    }
    let are = if counts.active == 1 { "is" } else { "are" };
    format!("{} of {all} nodes {are} active ({})", counts.active, why.join(", "))
}

/// Returns a one-sentence description of a whole permutation under one scheme.
pub fn caption(instance: &PermutationInstance, series: &PermutationSeries, paths: &StaticCongestion) -> RichText {
    let trial = match &series.trial {
        Ok(trial) => trial,
        Err(why) => return not_applicable(&series.algorithm, *why).into(),
    };
    let mut text = rich![series.algorithm.name.clone(), ": ", nodes(&NodeCounts::new(instance, series))];
    let cube = instance.cell.cube;
    match paths.busiest() {
        Some((link, most)) => {
            let messages = count(trial.relation.len(), "message");
            text.push(rich!["; at most ", most, " of ", messages, " cross one channel, "]);
            text.push(wording::channel(cube, link));
            text.push(square_position(trial, link));
        }
        None => text.push("; no message crosses any channel"),
    }
    if let Some(mean) = paths.mean_length() {
        text.push(format!("; routes have {mean:.1} hops on average"));
    }
    text.push(undelivered(paths));
    text.push(excluded_text(trial));
    text.push(".");
    text
}

/// Returns the position of a channel on the square of subcubes; empty for schemes without ranks.
fn square_position(trial: &PermutationTrial, link: Link) -> String {
    if !has_ranks(trial) {
        return String::new();
    }
    let here = corner_name(link.from.0);
    if link.dim < 2 { format!(" (from {here} to {})", corner_name(link.end().0)) } else { format!(" (inside {here})") }
}

fn undelivered(paths: &StaticCongestion) -> String {
    let missing: u32 = paths.undelivered().values().sum();
    let have = if missing == 1 { "has" } else { "have" };
    if missing == 0 { String::new() } else { format!("; {} {have} no route", count(missing, "message")) }
}

fn excluded_text(trial: &PermutationTrial) -> String {
    match trial.relation.excluded_count() {
        0 => String::new(),
        1 => "; 1 message is not sent, because one of its ends is not active".into(),
        many => format!("; {many} messages are not sent, because one of their ends is not active"),
    }
}

/// Returns a one-sentence description of a batch under one scheme.
pub fn batch_caption(instance: &PermutationInstance, series: &PermutationSeries, batch: &BatchRun) -> String {
    let trial = match &series.trial {
        Ok(trial) => trial,
        Err(why) => return not_applicable(&series.algorithm, *why),
    };
    let (cycles, all) = (count(batch.cycle(), "cycle"), batch.finished().len() as u32);
    let arrived = batch.finished().iter().flatten().count() as u32;
    let mut text = format!("{}: {}; ", series.algorithm.name, nodes(&NodeCounts::new(instance, series)));
    text.push_str(&match batch.outcome() {
        _ if all == 0 => "there is no message to send".to_owned(),
        Some(BatchOutcome::Delivered) if arrived < all => {
            format!("{arrived} of {all} messages have arrived after {cycles}, and the others are given up")
        }
        Some(BatchOutcome::Delivered) if all == 1 => format!("the message has arrived after {cycles}"),
        Some(BatchOutcome::Delivered) => format!("all {all} messages have arrived after {cycles}"),
        Some(BatchOutcome::Deadlock(circle)) => format!(
            "deadlocked after {cycles}: {}, forever, and {arrived} of {all} messages have arrived",
            cyclic_wait_text(circle.len())
        ),
        None => format!("{arrived} of {all} messages have arrived after {cycles}"),
    });
    let missing = trial.relation.len().saturating_sub(all);
    if missing > 0 {
        text.push_str(&format!("; {} not sent for lack of a route", count(missing, "message")));
    }
    text.push_str(&excluded_text(trial));
    text.push('.');
    text.push_str(&transition_text(batch));
    text
}

/// Returns the sentence on faults that arrive while messages move; empty if there are none.
fn transition_text(batch: &BatchRun) -> String {
    let (Some(onset), Some(found)) = (batch.onset(), batch.transition()) else { return String::new() };
    if batch.cycle() < onset {
        return match batch.outcome() {
            Some(_) => format!(" The faults arrive in cycle {onset}, after the last message."),
            None => format!(" The faults arrive in cycle {onset}; until then messages cross them."),
        };
    }
    format!(
        " The faults arrived in cycle {onset}: {} dropped, {} sent again, {} given up.",
        counted(found.cut + found.undrained, "messages"),
        found.resent,
        found.given_up
    )
}

/// Returns the reason why a scheme does not apply.
pub fn not_applicable(algorithm: &Algorithm, why: Unavailable) -> String {
    format!("{} does not apply here: {why}.", algorithm.name)
}

/// Returns a node's status in words, with its counts and their limit.
pub fn node(instance: &PermutationInstance, series: &PermutationSeries, node: NodeId) -> String {
    let set = series.trial.as_ref().ok().and_then(|trial| trial.routing.active_set());
    if instance.faulty.contains(node) {
        return "faulty".into();
    }
    let Some(set) = set else { return "healthy".into() };
    let (paths, limit) = (set.core().cube().mask() + 1, set.limit());
    let what = if set.has_squares() { "its square" } else { "the node" };
    let many = |faulty: u32, way: &str| {
        let are = if limit == 1 { "is" } else { "are" };
        format!("inactive: {faulty} of the {paths} paths {way} {what} are faulty, {limit} {are} tolerated")
    };
    match set.status(node) {
        NodeStatus::Active => "active".into(),
        NodeStatus::Faulty => "faulty".into(),
        NodeStatus::Marked => {
            let square = node.0 & !0b11;
            let is_node = (0..4).any(|corner| instance.faulty.contains(NodeId(square | corner)));
            format!("inactive: {} of its square is faulty", if is_node { "another node" } else { "a link" })
        }
        NodeStatus::TooManyFaultyOut(faulty) => many(faulty, "out of"),
        NodeStatus::TooManyFaultyInto(faulty) => many(faulty, "into"),
    }
}

/// Returns the traffic of a node, to follow its status: the messages on its channels, and its use
/// as an intermediate node.
pub fn node_traffic(paths: &StaticCongestion, node: NodeId) -> String {
    let n = paths.cube().dimension();
    let most = (0..n).map(|dim| paths.congestion_of(Link { from: node, dim })).max().unwrap_or(0);
    let load = paths.load().get(node.0 as usize).copied().unwrap_or(0);
    let mut text = format!("at most {} on a channel out of the node", count(most, "message"));
    if paths.max_load() > 0 {
        text.push_str(&format!(", intermediate node of {}", count(load, "message")));
    }
    text
}

/// Returns the description of a phase; under Algorithm B with its number.
pub fn phase(phase: ObliviousPhase, squares: bool) -> &'static str {
    use ObliviousPhase as Phase;
    match phase {
        Phase::Direct => "bit-fixing to the destination",
        Phase::Clockwise => "phase 1, clockwise to C00",
        Phase::ToIntermediate if squares => "phase 2, in C00 to the intermediate node",
        Phase::ToIntermediate => "phase 1, to the intermediate node",
        Phase::Crossing => "phase 3, over to C01",
        Phase::FromIntermediate if squares => "phase 4, in C01 to the destination's square",
        Phase::FromIntermediate => "phase 2, from the intermediate node to the destination",
        Phase::CounterClockwise => "phase 5, counter-clockwise to the destination",
        Phase::Approach => "to the healthy subcube",
        Phase::Inside => "bit-fixing in the healthy subcube",
        Phase::Leave => "from the healthy subcube to the destination",
    }
}

/// Returns a channel's rank in the order.
pub fn rank(rank: EdgeRank, ordered: bool) -> String {
    if ordered { format!("rank {}, dimension {}", rank.class, rank.dim) } else { format!("rank {}", rank.class) }
}

/// Returns a hop in words: its phase, and its rank where there is one.
pub fn hop(trial: &PermutationTrial, hop: &ObliviousHop) -> String {
    let phase_words = phase(hop.phase, has_ranks(trial));
    use ObliviousPhase as Phase;
    let ordered = matches!(hop.phase, Phase::Direct | Phase::ToIntermediate | Phase::FromIntermediate | Phase::Inside);
    match hop.rank {
        Some(found) => format!("{phase_words}: {}", rank(found, ordered)),
        None => phase_words.to_owned(),
    }
}

/// Returns the reason why a message has no route.
pub fn no_route(cube: Hypercube, why: NoRoute) -> RichText {
    let name = |end| if end == Endpoint::Source { "source" } else { "destination" };
    let node = |node| wording::node(cube, node);
    match why {
        NoRoute::Inactive(end, at) => rich!["the ", name(end), " ", node(at), " is not active"],
        NoRoute::NoIntermediate => "no intermediate node is valid: every route meets faults or is too long".into(),
        NoRoute::Faulty(at) => rich!["the route meets the faulty node ", node(at)],
        NoRoute::FaultyLink(link) => rich!["the route crosses the faulty link ", wording::channel(cube, link)],
        NoRoute::Enclosed(end, at) => {
            rich!["both ways between the ", name(end), " ", node(at), " and the healthy subcube are faulty"]
        }
    }
}

/// Returns a message's route in one sentence, or the reason why it has none.
pub fn message(trial: &PermutationTrial, number: u32, route: &Result<ObliviousRoute, NoRoute>) -> RichText {
    let cube = trial.routing.cube();
    let (from, to) = trial.relation.ends(number);
    let (from, to) = (wording::node(cube, from), wording::node(cube, to));
    let name = wording::message(number.into()).capitalized();
    match route {
        Ok(route) => {
            let via = route.via().map(|via| rich![" by way of ", wording::node(cube, via)]).unwrap_or_default();
            rich![name, " goes from ", from, via, " to ", to, " in ", count(route.length(), "hop"), "."]
        }
        Err(why) => rich![name, " from ", from, " to ", to, " has no route: ", no_route(cube, *why), "."],
    }
}

/// Returns the reason why `from` sends no message under a scheme.
pub fn no_message_reason(instance: &PermutationInstance, series: &PermutationSeries, from: NodeId) -> String {
    let status = node(instance, series, from);
    format!("{} sends no message: {status}.", wording::node(instance.cell.cube, from))
}

/// Returns the caption and the followed message, for users who do not see the picture.
pub fn mirror(
    instance: &PermutationInstance,
    series: &PermutationSeries,
    paths: &StaticCongestion,
    number: Option<u32>,
) -> String {
    let mut text = caption(instance, series, paths).to_string();
    if let (Ok(trial), Some(number)) = (&series.trial, number) {
        text.push(' ');
        text.push_str(&message(trial, number, &trial.route(number)).to_string());
    }
    text
}

/// Returns the caption and the followed message of a batch at a cycle, for users who do not see the
/// picture.
pub fn batch_mirror(
    instance: &PermutationInstance,
    series: &PermutationSeries,
    batch: &BatchRun,
    numbers: &BatchIndex,
    number: Option<u32>,
) -> String {
    let mut text = batch_caption(instance, series, batch);
    if let Some(circle) = batch.outcome().and_then(|outcome| wait_cycle(instance.cell.cube, numbers, outcome)) {
        text.push_str(" The cyclic wait: ");
        text.push_str(&circle);
        text.push('.');
    }
    if let (Ok(trial), Some(number)) = (&series.trial, number) {
        text.push(' ');
        text.push_str(&batch_message(trial, batch, numbers, number).to_string());
    }
    text
}

/// Returns the state of message `number` of a batch, in one sentence.
pub fn batch_message(trial: &PermutationTrial, batch: &BatchRun, numbers: &BatchIndex, number: u32) -> RichText {
    let cube = trial.routing.cube();
    let Some((place, route)) =
        numbers.batch_index(number).and_then(|place| Some((place, numbers.route(trial, batch, place)?)))
    else {
        return message(trial, number, &trial.route(number));
    };
    let name = wording::message(number.into()).capitalized();
    match state(batch, place, &route) {
        BatchState::GivenUp => rich![name, " is given up: an end is faulty, or no route avoids the faults."],
        BatchState::Arrived(cycle) => rich![name, " arrived after ", count(cycle, "cycle"), "."],
        BatchState::Arriving => rich![name, " is arriving at ", wording::node(cube, route.to()), "."],
        BatchState::OnTheWay(made, wants) => {
            let here = wording::node(cube, wants.from);
            let hops = count(route.length(), "hop");
            if made == 0 && batch.is_entering(place) {
                return rich![name, " was dropped; its source ", here, " waits before it sends it again."];
            }
            if batch.is_entering(place) {
                return rich![name, " is entering ", here, " on its hop ", made, " of ", hops, "."];
            }
            let holder = Holders::new(cube, batch).holder(wants).and_then(|holder| numbers.number(holder));
            let asks = match holder {
                Some(holder) => {
                    let holder = wording::message(holder.into());
                    rich!["waits for ", wording::channel(cube, wants), ", which ", holder, " holds"]
                }
                None => rich!["requests ", wording::channel(cube, wants)],
            };
            rich![name, " is at ", here, " after ", made, " of ", hops, " and ", asks, "."]
        }
    }
}

/// Returns the cyclic wait of a deadlock: "0 waits for 1 (00 → 10), 1 waits for 0 (11 →
/// 01)".
pub fn wait_cycle(cube: Hypercube, numbers: &BatchIndex, outcome: &BatchOutcome) -> Option<String> {
    let BatchOutcome::Deadlock(circle) = outcome else { return None };
    let name = |message: u32| numbers.number(message).unwrap_or(message);
    let next = circle.iter().cycle().skip(1);
    let waits = circle.iter().zip(next).map(|(wait, holder)| {
        format!("{} waits for {} ({})", name(wait.message), name(holder.message), wording::channel(cube, wait.wants))
    });
    let waits: Vec<_> = waits.collect();
    Some(wording::list_first(&waits, 8))
}

#[cfg(test)]
mod tests {
    use super::*;
    use faultlab_experiment::Experiment;

    fn instance(text: &str) -> PermutationInstance {
        let text = ["faults=nodes:0&", text].concat();
        PermutationInstance::new(&text.parse::<Experiment>().expect("an experiment")).expect("a cube")
    }

    #[test]
    fn caption_describes_a_permutation_in_one_sentence() {
        let instance = instance("net=cube:6&break=5&route=algorithm-b,bit-fixing,kim-shin&switch=permutation");
        let [b, fixing, _] = &instance.series[..] else { panic!("three schemes") };
        let told = |series: &PermutationSeries| {
            caption(&instance, series, &series.trial.as_ref().expect("it applies").paths().expect("small")).to_string()
        };
        let text = told(b);
        assert!(
            text.starts_with(
                "Algorithm B: 16 of 64 nodes are active (1 faulty, 3 in squares with faults, 44 with too many faulty \
                 paths); at most 4 of 16 "
            ) && text.contains(" messages cross one channel, 101000 → 101010 (from C00 to C01); routes have 8.2")
                && text.ends_with(" hops on average."),
            "{text}"
        );
        assert!(told(fixing).ends_with("; 1 message has no route."), "{}", told(fixing));
        assert!(nodes(&NodeCounts { active: 8, ..NodeCounts::default() }) == "all 8 nodes are active");
    }

    #[test]
    fn inactive_nodes_give_the_reason() {
        let instance = instance("net=cube:8&break=5&route=algorithm-a,algorithm-b,bit-fixing&switch=permutation");
        let [a, b, fixing] = &instance.series[..] else { panic!("three schemes") };
        let told = |series, number| node(&instance, series, NodeId(number));
        assert_eq!([told(a, 5), told(fixing, 4), told(a, 0x3f)], ["faulty", "healthy", "active"]);
        assert_eq!(told(b, 4), "inactive: another node of its square is faulty");
        // All paths from 4 lead through 5 except paths that keep the lowest bit of 4: half of 256;
        // 10 = 256/24 are tolerated.
        assert_eq!(told(a, 4), "inactive: 128 of the 256 paths out of the node are faulty, 10 are tolerated");
        // The square of 0 is 0, the square of 5 is 1; half of 64 paths are faulty, and 3 = 64/18
        // are tolerated.
        assert_eq!(told(b, 0), "inactive: 32 of the 64 paths out of its square are faulty, 3 are tolerated");
        assert_eq!(no_message_reason(&instance, a, NodeId(5)), "00000101 sends no message: faulty.");
    }

    #[test]
    fn hops_are_described_with_phase_and_rank() {
        let instance = instance("net=cube:6&route=algorithm-b,valiant-brebner&switch=permutation&traffic=26-20-39");
        let told = |series: &PermutationSeries| -> Vec<String> {
            let trial = series.trial.as_ref().expect("it applies");
            trial.route(0).expect("no faults").hops().map(|found| hop(trial, &found)).collect()
        };
        // Example of the thesis: s = 010110, d = 111001 and i = 001010.
        let b = told(&instance.series[0]);
        assert_eq!((b.len(), b[0].as_str()), (11, "phase 1, clockwise to C00: rank 1"));
        assert!(b.iter().any(|text| text == "phase 3, over to C01: rank 5"), "{b:?}");
        assert!(b.iter().any(|text| text.starts_with("phase 2, in C00 to the intermediate node: rank 4, dimension ")));
        assert_eq!(told(&instance.series[1])[0], "phase 1, to the intermediate node");
    }

    #[test]
    fn batch_description_has_outcome_and_message_state() {
        let instance =
            instance("net=cube:2&route=valiant-brebner,algorithm-b&switch=batch&length=2&traffic=0-3-2,3-0-1");
        let [series, b] = &instance.series[..] else { panic!("two schemes") };
        let trial = series.trial.as_ref().unwrap();
        let (numbers, mut batch) =
            (BatchIndex::from_trial(trial), trial.batch(instance.cell.setting.batch().unwrap()).unwrap());
        assert_eq!(
            batch_message(trial, &batch, &numbers, 0).to_string(),
            "Message 0 is at 00 after 0 of 3 hops and requests 00 → 01."
        );
        batch.run_until(100);
        let text = batch_mirror(&instance, series, &batch, &numbers, Some(0));
        let expected = "Valiant & Brebner: all 4 nodes are active; deadlocked after 3 cycles: 2 messages wait for \
                        each other in a circle, forever, and 0 of 2 messages have arrived. The cyclic wait: 0 waits \
                        for 1 (11 → 10), 1 waits for 0 (00 → 01). Message 0 is at 11 after 2 of 3 hops and waits \
                        for 11 → 10, which message 1 holds.";
        assert_eq!(text, expected);
        let why = b.trial.as_ref().err().copied().unwrap();
        assert_eq!(
            not_applicable(&b.algorithm, why),
            "Algorithm B does not apply here: it needs a cube of at least 3 dimensions."
        );
    }
}
