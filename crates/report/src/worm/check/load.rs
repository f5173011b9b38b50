//! Load factor of the traffic of a check, in words and in files.

use super::WormChecks;
use crate::files::record::{Record, Value};
use crate::wording;
use crate::wording::facts::{Fact, fact};
use crate::worm;
use faultlab_core::fault::BlockFaults;
use faultlab_core::theory::MeshLoadFactor;
use faultlab_core::traffic::Pair;
use faultlab_experiment::Experiment;
use faultlab_experiment::worm::Traffic;

/// Returns the load factor of the experiment's traffic on `faults`: of one message from each node by a
/// pattern, or of the listed messages.
///
/// `None` on networks of more than [`faultlab_core::theory::MAX_LOAD_NODES`] nodes, and without
/// messages.
pub(super) fn load_factor(experiment: &Experiment, faults: &BlockFaults) -> Option<MeshLoadFactor> {
    match &experiment.setting.worm()?.traffic {
        Traffic::Pattern(pattern) => MeshLoadFactor::from_pattern(faults, *pattern),
        Traffic::List(messages) => {
            let pairs = messages.iter().map(|message| Pair { from: message.from, to: message.to });
            MeshLoadFactor::from_messages(faults, pairs)
        }
    }
}

/// Returns the fact on the load factor of the traffic.
pub(super) fn fact_on(checks: &WormChecks, load: &MeshLoadFactor) -> Fact {
    let (found, mesh) = (&load.found, checks.faults.mesh());
    let least = wording::number(found.value());
    let (value, why) = match (found.is_exact(), found.all_cuts) {
        (true, true) => (least, "exact, because all cuts were examined"),
        (true, false) => (least, "exact, because a routing loads no channel more"),
        (false, _) => (
            format!("{least} to {}", wording::number(found.routed)),
            "at least that of the best cut found, at most the largest channel load of the best routing found",
        ),
    };
    let side: Vec<_> = load.side().map(|node| worm::wording::node(mesh, node)).collect();
    let cut = format!(
        "{} messages must cross the cut from {} to the other {}, which has {}",
        wording::number(found.load),
        wording::list_first(&side, 4),
        wording::count((load.nodes.len() - side.len()) as u32, "node"),
        wording::count(found.wires, "channel")
    );
    let limit = match checks.experiment.setting.worm().is_some_and(|setting| setting.traffic.listed().is_some()) {
        true => "so a channel carries at least as many messages under every routing".to_owned(),
        false => format!(
            "if each node sends one, so no routing delivers more than {} flits per node and cycle",
            wording::number(1.0 / found.value())
        ),
    };
    fact("Load factor (Greenberg & Leiserson, section 2)", value, format!("{cut}, {limit}; {why}"))
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
        .with("side", load.side().map(|node| mesh.format_node(node)).collect::<Value>())
}
