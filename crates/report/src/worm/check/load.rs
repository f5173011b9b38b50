//! Load factor of the traffic of a check, in words and in files.

use super::WormChecks;
use crate::files::record::{Record, Value};
use crate::wording;
use crate::wording::facts::{Fact, fact};
use crate::wording::unused_keys::unused_buffer;
use crate::worm;
use faultlab_core::fault::BlockFaults;
use faultlab_core::theory::{MAX_LOAD_NODES, MeshLoadFactor};
use faultlab_core::traffic::{Bisection, Pair};
use faultlab_experiment::Experiment;
use faultlab_experiment::worm::Traffic;

/// Maximum number of nodes of a network whose load factor is computed: for the page, and for a
/// thorough check.
const MAX_NODES: [u32; 2] = [256, MAX_LOAD_NODES];

/// Returns the load factor of the experiment's traffic on `faults`: of one message from each node
/// by a pattern, or of the listed messages.
///
/// `None` on networks of more than [`MAX_NODES`] nodes, and without messages.
pub(super) fn load_factor(experiment: &Experiment, faults: &BlockFaults, thorough: bool) -> Option<MeshLoadFactor> {
    if faults.mesh().nodes() > MAX_NODES[usize::from(thorough)] {
        return None;
    }
    match &experiment.setting.worm()?.traffic {
        Traffic::Pattern(pattern) => MeshLoadFactor::from_pattern(faults, pattern),
        Traffic::List(messages) => {
            let pairs = messages.iter().map(|message| Pair { from: message.from, to: message.to });
            MeshLoadFactor::from_messages(faults, pairs)
        }
        Traffic::Schedule(schedule) => {
            let pairs = schedule.messages().iter().map(|message| Pair { from: message.from, to: message.to });
            MeshLoadFactor::from_messages(faults, pairs)
        }
    }
}

/// Returns the fact on the offered load, in both units; `None` for listed messages.
pub(super) fn offered_fact(checks: &WormChecks) -> Option<Fact> {
    let OfferedLoad { share, flits, messages, length, capacity } = OfferedLoad::new(checks)?;
    let number = wording::numbers::plain;
    let meaning = format!(
        "{} flits from each node per cycle, in {} messages of {}. Capacity is the load of uniform traffic that \
         saturates the bisection without faults, {} flits from each node per cycle",
        number(flits),
        number(messages),
        if length == 1.0 { "1 flit".to_owned() } else { format!("{} flits", number(length)) },
        number(capacity)
    );
    Some(fact("Offered load", format!("{} of capacity", number(share)), meaning))
}

/// Returns the fact on a buffer size that has no effect.
pub(super) fn buffer_fact(checks: &WormChecks) -> Option<Fact> {
    unused_buffer(&checks.experiment).map(|why| fact("Buffers", "a whole message", why.trim_end_matches('.')))
}

/// Returns the fact that loads of channels depend on the run, if every run draws a permutation.
pub(super) fn drawn_fact(checks: &WormChecks) -> Option<Fact> {
    let Traffic::Pattern(pattern) = &checks.experiment.setting.worm()?.traffic else { return None };
    pattern.contains_random_permutation().then(|| {
        let meaning = "every run draws another permutation of the live nodes, so that no load factor and no busiest channel \
                       are given: faultlab run measures them";
        fact("Load of channels", "depends on the run", meaning)
    })
}

/// Offered load in all units.
struct OfferedLoad {
    /// Share of the capacity.
    share: f64,
    /// Flits from each node per cycle.
    flits: f64,
    /// Messages from each node per cycle.
    messages: f64,
    /// Mean number of flits per message.
    length: f64,
    /// Flits from each node per cycle that saturate the bisection.
    capacity: f64,
}

impl OfferedLoad {
    /// Returns the offered load of the experiment; `None` for listed messages.
    fn new(checks: &WormChecks) -> Option<Self> {
        let (setting, mesh) = (checks.experiment.setting.worm()?, checks.faults.mesh());
        if setting.traffic.is_finite() {
            return None;
        }
        let (flits, length) = (setting.flit_rate_on(mesh), setting.length.mean());
        let messages = flits / length;
        Some(Self {
            share: setting.load_on(mesh),
            flits,
            messages,
            length,
            capacity: Bisection::new(mesh).saturation_load(),
        })
    }
}

/// Returns the record of the offered load; `None` for listed messages.
pub(super) fn offered_record(checks: &WormChecks) -> Option<Record> {
    let OfferedLoad { share, flits, messages, length, capacity } = OfferedLoad::new(checks)?;
    let record = Record::default().with("share", share).with("flits_per_node", flits);
    Some(record.with("messages_per_node", messages).with("length", length).with("capacity", capacity))
}

/// Returns the fact on the load factor of the traffic.
pub(super) fn fact_on(checks: &WormChecks, load: &MeshLoadFactor) -> Fact {
    let (found, mesh) = (&load.found, checks.faults.mesh());
    let least = wording::number(found.value());
    let (value, why) = match (found.is_exact(), found.all_cuts) {
        (true, true) => (least, "Exact, because all cuts were examined"),
        (true, false) => (least, "Exact, because a routing loads no channel more"),
        (false, _) => (
            format!("{least} to {}", wording::number(found.routed)),
            "The range is from the best cut found to the largest channel load of the best routing found",
        ),
    };
    let side: Vec<_> = load.side().map(|node| worm::wording::node(mesh, node)).collect();
    let is_listed = checks.experiment.setting.worm().is_some_and(|setting| setting.traffic.is_finite());
    let sent = if is_listed { "" } else { ", if each node sends one," };
    let limit = limit(checks, load).map_or_else(String::new, |limit| {
        format!(". No routing carries more than {} flits from each node per cycle", wording::number(limit))
    });
    let from = match side.as_slice() {
        [first, second, third, _, ..] => format!("{} nodes, such as {first}, {second} and {third},", side.len()),
        few => wording::list_first(few, 3),
    };
    let meaning = format!(
        "most messages per channel over a cut: {} messages{sent} must cross the {} from {from} to {}{limit}. {why}",
        wording::number(found.load),
        wording::count(found.wires, "channel"),
        wording::count((load.nodes.len() - side.len()) as u32, "other node")
    );
    fact("Load factor (Greenberg & Leiserson, section 2)", value, meaning)
}

/// Returns the most flits that a routing can carry from each node per cycle; `None` for listed
/// messages, and if no cut limits a node that sends a flit in every cycle.
fn limit(checks: &WormChecks, load: &MeshLoadFactor) -> Option<f64> {
    let is_pattern = checks.experiment.setting.worm().is_some_and(|setting| !setting.traffic.is_finite());
    is_pattern.then(|| 1.0 / load.found.value()).filter(|&limit| limit < 1.0)
}

/// Returns the record of the load factor.
pub(super) fn record(checks: &WormChecks, load: &MeshLoadFactor) -> Record {
    let (found, mesh) = (&load.found, checks.faults.mesh());
    Record::default()
        .with("value", found.value())
        .with("at_most", found.routed)
        .with("exact", found.is_exact())
        .with("messages", found.load)
        .with("wires", found.wires)
        .with("flits_per_node", limit(checks, load))
        .with("other_nodes", load.nodes.len() - found.side.len())
        .with("side", load.side().map(|node| mesh.format_node(node)).collect::<Value>())
}
