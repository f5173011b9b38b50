//! Files with the state of circuit-switched networks at one time.

use std::borrow::Cow;
use std::fmt::Display;

use serde::Serialize;

use super::onset::ArrivingFaultsRecord;
use super::wording::{decisions, ending};
use crate::files::csv::{line, source_header};
use crate::files::json::{SafeInteger, to_json};
use faultlab_core::VERSION;
use faultlab_core::switching::CircuitMessageView;
use faultlab_core::topology::Link;
use faultlab_experiment::{CircuitWatch, Experiment, Watched};

#[derive(Serialize)]
struct CircuitSnapshotRecord {
    experiment: String,
    seed: SafeInteger,
    version: &'static str,
    time: f64,
    networks: Vec<CircuitNetworkRecord>,
}

#[derive(Serialize)]
struct CircuitNetworkRecord {
    series: Cow<'static, str>,
    generated: u64,
    refused: u64,
    completed: u64,
    waiting: u64,
    transmitting: u64,
    mean_setup: Option<f64>,
    ending: String,
    /// Only if faults arrive while messages move.
    #[serde(skip_serializing_if = "Option::is_none")]
    faults: Option<ArrivingFaultsRecord>,
    messages: Vec<CircuitMessageRecord>,
}

#[derive(Serialize)]
struct CircuitMessageRecord {
    number: u64,
    from: u64,
    to: u64,
    state: &'static str,
    generated: f64,
    since: f64,
    path: Vec<Held>,
    waits: Vec<Wanted>,
    /// Only under backtrack and retry.
    #[serde(skip_serializing_if = "Option::is_none")]
    attempts: Option<u32>,
    /// Only of a message that backs off.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_attempt: Option<f64>,
}

#[derive(Serialize)]
struct Held {
    link: String,
    rule: &'static str,
}

#[derive(Serialize)]
struct Wanted {
    link: String,
    holder: Option<u64>,
}

/// Returns the messages in a network, by number.
fn sorted(network: &Watched) -> Vec<CircuitMessageView<'_>> {
    let mut messages: Vec<_> = network.circuits().messages().collect();
    messages.sort_by_key(CircuitMessageView::number);
    messages
}

fn state(message: &CircuitMessageView<'_>) -> &'static str {
    if message.transmits() { "transmitting" } else { "waiting" }
}

/// Returns `{experiment, seed, version, time, networks: [{series, generated, refused, completed,
/// waiting, transmitting, mean_setup, ending, messages: [{number, from, to, state, generated,
/// since, path: [{link, rule}], waits: [{link, holder}]}]}]}`. Links are written `NODE_DIMENSION`;
/// times count mean transmission times. If faults arrive, a network has `faults: {onsets, torn,
/// retried, restored, lost}`. Under backtrack and retry, messages also have `attempts` and, while
/// they wait, `next_attempt`.
pub fn json(experiment: &Experiment, watch: &CircuitWatch) -> String {
    let message = |network: &Watched, message: &CircuitMessageView<'_>| {
        let circuits = network.circuits();
        let held = decisions(circuits, message).into_iter();
        let holder = |link: Link| circuits.holder(link).map(|holder| holder.number());
        CircuitMessageRecord {
            number: message.number(),
            from: message.from().0,
            to: message.to().0,
            state: state(message),
            generated: message.generated(),
            since: message.since(),
            path: held.map(|held| Held { link: held.link.to_string(), rule: held.rule.id }).collect(),
            waits: message.waits_for().map(|link| Wanted { link: link.to_string(), holder: holder(link) }).collect(),
            attempts: circuits.config().setup.backoff().map(|_| message.attempts()),
            next_attempt: message.blocked_attempt().map(|blocked| blocked.next),
        }
    };
    let network = |network: &Watched| {
        let (circuits, counts) = (network.circuits(), network.counts());
        CircuitNetworkRecord {
            series: network.algorithm.id.clone(),
            generated: counts.generated,
            refused: counts.refused,
            completed: counts.completed,
            waiting: circuits.backlog(),
            transmitting: circuits.in_network() - circuits.backlog(),
            mean_setup: counts.mean_setup(),
            ending: ending(circuits.cube(), circuits.outcome()).to_string(),
            faults: ArrivingFaultsRecord::new(circuits.onsets(), circuits.transition()),
            messages: sorted(network).iter().map(|found| message(network, found)).collect(),
        }
    };
    let snapshot = CircuitSnapshotRecord {
        experiment: experiment.to_string(),
        seed: SafeInteger(experiment.seed),
        version: VERSION,
        time: watch.now(),
        networks: watch.networks().iter().map(network).collect(),
    };
    to_json(&snapshot)
}

/// Returns the messages: `series,time,message,from,to,state,generated,since,path,waits`, with links
/// separated by blanks.
pub fn csv(experiment: &Experiment, watch: &CircuitWatch) -> String {
    let mut csv = source_header([experiment]);
    csv.push_str("series,time,message,from,to,state,generated,since,path,waits\n");
    let links =
        |links: &mut dyn Iterator<Item = Link>| links.map(|link| link.to_string()).collect::<Vec<_>>().join(" ");
    for network in watch.networks() {
        for message in sorted(network) {
            let (path, waits) = (links(&mut message.path()), links(&mut message.waits_for()));
            let fields: [&dyn Display; 10] = [
                &network.algorithm.id,
                &watch.now(),
                &message.number(),
                &message.from(),
                &message.to(),
                &state(&message),
                &message.generated(),
                &message.since(),
                &path,
                &waits,
            ];
            line(&mut csv, &fields);
        }
    }
    csv
}

#[cfg(test)]
mod tests {
    use super::*;
    use faultlab_experiment::CubePointConfig;

    #[test]
    fn files_contain_every_message_and_the_source() {
        let experiment: Experiment = "net=cube:4&route=e-cube,up&switch=circuit&rate=0.4&seed=7".parse().unwrap();
        let mut watch = CircuitWatch::new(&experiment, CubePointConfig::new(&experiment, None).unwrap());
        while watch.work(100_000) {}
        watch.seek(30.0);
        while !watch.is_at_target() {
            watch.work(100);
        }
        let json: serde_json::Value = serde_json::from_str(&json(&experiment, &watch)).unwrap();
        let messages: u64 = watch.networks().iter().map(|network| network.circuits().in_network()).sum();
        let listed = json["networks"].as_array().unwrap();
        assert_eq!(
            listed.iter().map(|network| network["messages"].as_array().unwrap().len() as u64).sum::<u64>(),
            messages
        );
        assert_eq!((&json["seed"], &json["time"]), (&7.into(), &30.0.into()));
        let csv = csv(&experiment, &watch);
        assert!(csv.starts_with("# faultlab") && csv.lines().count() as u64 == messages + 4, "{csv}");
    }
}
