//! Files with the state of circuit-switched meshes at one time.

use std::borrow::Cow;
use std::fmt::Display;

use serde::Serialize;

use super::wording::{ending, state_id};
use crate::circuit::onset::ArrivingFaultsRecord;
use crate::files::csv::{line, source_header};
use crate::files::json::{SafeInteger, to_json};
use faultlab_core::VERSION;
use faultlab_core::switching::ProbeMessageView;
use faultlab_core::topology::{Mesh, NodeId, Port};
use faultlab_experiment::{Experiment, MeshCircuitWatch, WatchedProbes};

#[derive(Serialize)]
struct MeshSnapshotRecord {
    experiment: String,
    seed: SafeInteger,
    version: &'static str,
    time: f64,
    networks: Vec<MeshNetworkRecord>,
}

#[derive(Serialize)]
struct MeshNetworkRecord {
    series: Cow<'static, str>,
    generated: u64,
    refused: u64,
    completed: u64,
    waiting: u64,
    in_network: u64,
    mean_setup: Option<f64>,
    ending: String,
    /// Only if faults arrive while messages move.
    #[serde(skip_serializing_if = "Option::is_none")]
    faults: Option<ArrivingFaultsRecord>,
    messages: Vec<ProbeRecord>,
}

#[derive(Serialize)]
struct ProbeRecord {
    number: u64,
    from: String,
    to: String,
    state: &'static str,
    generated: f64,
    attempts: u32,
    /// Time of the next event; null while the probe waits for a link.
    next: Option<f64>,
    path: Vec<String>,
}

/// Returns the messages in a network, by number.
fn sorted(network: &WatchedProbes) -> Vec<ProbeMessageView<'_>> {
    let mut messages: Vec<_> = network.circuits().messages().collect();
    messages.sort_by_key(ProbeMessageView::number);
    messages
}

/// Writes a held link as `FROM>TO`.
fn held(mesh: Mesh, (node, port): (NodeId, Port)) -> String {
    let to = mesh.neighbor(node, port).map_or_else(String::new, |next| mesh.format_node(next));
    format!("{}>{to}", mesh.format_node(node))
}

/// Returns `{experiment, seed, version, time, networks: [{series, generated, refused, completed,
/// waiting, in_network, mean_setup, ending, messages: [{number, from, to, state, generated, attempts,
/// next, path: [link]}]}]}`. Links are written `FROM>TO`; times count mean transmission
/// times. If faults arrive, a network has `faults: {onsets, torn, retried, restored, lost}`.
pub(super) fn json(experiment: &Experiment, watch: &MeshCircuitWatch) -> String {
    let mesh = watch.faults.mesh();
    let message = |message: &ProbeMessageView<'_>| ProbeRecord {
        number: message.number(),
        from: mesh.format_node(message.from()),
        to: mesh.format_node(message.to()),
        state: state_id(message.state()),
        generated: message.generated(),
        attempts: message.attempts(),
        next: Some(message.next()).filter(|next| next.is_finite()),
        path: message.path().map(|link| held(mesh, link)).collect(),
    };
    let network = |network: &WatchedProbes| {
        let (circuits, counts) = (network.circuits(), network.counts());
        MeshNetworkRecord {
            series: network.algorithm.id.clone(),
            generated: counts.generated,
            refused: counts.refused,
            completed: counts.completed,
            waiting: circuits.backlog(),
            in_network: circuits.in_network(),
            mean_setup: counts.mean_setup(),
            ending: ending(mesh, circuits.outcome()).to_string(),
            faults: ArrivingFaultsRecord::new(circuits.onsets(), circuits.transition()),
            messages: sorted(network).iter().map(message).collect(),
        }
    };
    to_json(&MeshSnapshotRecord {
        experiment: experiment.to_string(),
        seed: SafeInteger(experiment.seed),
        version: VERSION,
        time: watch.now(),
        networks: watch.networks().iter().map(network).collect(),
    })
}

/// Returns the messages: `series,time,message,from,to,state,generated,attempts,path`, with links
/// separated by blanks.
pub(super) fn csv(experiment: &Experiment, watch: &MeshCircuitWatch) -> String {
    let mesh = watch.faults.mesh();
    let mut csv = source_header([experiment]);
    csv.push_str("series,time,message,from,to,state,generated,attempts,path\n");
    for network in watch.networks() {
        for message in sorted(network) {
            let path: Vec<_> = message.path().map(|link| held(mesh, link)).collect();
            let fields: [&dyn Display; 9] = [
                &network.algorithm.id,
                &watch.now(),
                &message.number(),
                &mesh.format_node(message.from()),
                &mesh.format_node(message.to()),
                &state_id(message.state()),
                &message.generated(),
                &message.attempts(),
                &path.join(" "),
            ];
            line(&mut csv, &fields);
        }
    }
    csv
}
