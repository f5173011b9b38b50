//! Files with the state of meshes with worms at one cycle.

use std::borrow::Cow;
use std::fmt::Display;

use serde::Serialize;

use super::wording;
use crate::files::csv::{line, source_header};
use crate::files::json::{ResultSource, to_json};
use crate::files::trace;
use crate::files::trace::TraceRow;
use faultlab_core::switching::WormState;
use faultlab_experiment::{Experiment, MessageHistory, WatchedHop, WatchedWorms, WormWatch};

#[derive(Serialize)]
struct WormSnapshotRecord {
    #[serde(flatten)]
    made: ResultSource,
    cycle: u64,
    networks: Vec<WormNetworkRecord>,
}

#[derive(Serialize)]
struct WormNetworkRecord {
    series: Cow<'static, str>,
    generated: u64,
    discarded: u64,
    lost: u64,
    delivered: u64,
    mean_latency: Option<f64>,
    utilization: f64,
    deadlock: Vec<u64>,
    messages: Vec<WormMessageRecord>,
}

#[derive(Serialize)]
struct WormMessageRecord {
    number: u64,
    from: String,
    to: String,
    generated: u64,
    state: &'static str,
    hops: Vec<WormHopRecord>,
}

#[derive(Serialize)]
struct WormHopRecord {
    cycle: u64,
    from: String,
    port: &'static str,
    rule: &'static str,
    class: u8,
    virtual_channel: u8,
}

/// Returns `{experiment, seed, version, cycle, networks: [{series, generated, discarded, lost,
/// delivered, mean_latency, utilization, deadlock: [number], messages: [{number, from, to,
/// generated, state, hops: [{cycle, from, port, rule, class, virtual_channel}]}]}]}`. Nodes are
/// written `ROW.COLUMN`, on hypercubes as numbers.
pub fn json(experiment: &Experiment, watch: &WormWatch) -> String {
    let networks = watch.networks().iter().map(network).collect();
    to_json(&WormSnapshotRecord { made: ResultSource::new(experiment), cycle: watch.now(), networks })
}

fn network(network: &WatchedWorms) -> WormNetworkRecord {
    let worms = network.worms();
    WormNetworkRecord {
        series: network.algorithm.id.clone(),
        generated: worms.generated(),
        discarded: worms.discarded(),
        lost: worms.lost(),
        delivered: worms.delivered(),
        mean_latency: network.mean_latency(),
        utilization: network.utilization(),
        deadlock: worms.outcome().map_or(Vec::new(), |found| found.cycle.iter().map(|wait| wait.number).collect()),
        messages: network.journeys().iter().map(|journey| message(network, journey)).collect(),
    }
}

fn message(network: &WatchedWorms, journey: &MessageHistory) -> WormMessageRecord {
    let mesh = network.worms().mesh();
    let hop = |hop: &WatchedHop| WormHopRecord {
        cycle: hop.cycle,
        from: mesh.format_node(hop.from),
        port: mesh.port_name(hop.choice.port),
        rule: hop.choice.rule.id,
        class: hop.choice.class,
        virtual_channel: hop.virtual_channel,
    };
    WormMessageRecord {
        number: journey.number,
        from: mesh.format_node(journey.from),
        to: mesh.format_node(journey.to),
        generated: journey.generated,
        state: state(network, journey),
        hops: journey.hops.iter().map(hop).collect(),
    }
}

fn state(network: &WatchedWorms, journey: &MessageHistory) -> &'static str {
    match network.worms().message(journey.number).map(|message| message.state()) {
        Some(WormState::Queued) => "queued",
        Some(WormState::Waiting(_)) => "waiting",
        Some(WormState::Moving) => "moving",
        _ => "consumed",
    }
}

/// Returns the messages: `series,cycle,message,from,to,state,generated,hops,detours,route`, with
/// the nodes of the route separated by blanks.
pub fn csv(experiment: &Experiment, watch: &WormWatch) -> String {
    let mut csv = source_header([experiment]);
    csv.push_str("series,cycle,message,from,to,state,generated,hops,detours,route\n");
    let mesh = watch.faults.mesh();
    for network in watch.networks() {
        for journey in network.journeys() {
            let route: Vec<_> = journey.hops.iter().map(|hop| mesh.format_node(hop.from)).collect();
            let fields: [&dyn Display; 10] = [
                &network.algorithm.id,
                &watch.now(),
                &journey.number,
                &mesh.format_node(journey.from),
                &mesh.format_node(journey.to),
                &state(network, journey),
                &journey.generated,
                &journey.hops.len(),
                &journey.detours(),
                &route.join(" "),
            ];
            line(&mut csv, &fields);
        }
    }
    csv
}

/// Returns the hops of a message.
pub(crate) fn trace_csv(experiment: &Experiment, network: &WatchedWorms, journey: &MessageHistory) -> String {
    let (mesh, routing, faults) = (network.worms().mesh(), network.routing(), network.worms().faults());
    let row = |(place, hop): (usize, &WatchedHop)| TraceRow {
        time: hop.cycle.to_string(),
        from: mesh.format_node(hop.from),
        to: mesh.neighbor(hop.from, hop.choice.port).map(|to| mesh.format_node(to)).unwrap_or_default(),
        channel: hop.virtual_channel.to_string(),
        class: hop.choice.class.to_string(),
        reason: wording::reason(routing, faults, journey, place),
    };
    let rows: Vec<_> = journey.hops.iter().enumerate().map(row).collect();
    trace::csv(experiment, &network.algorithm.id, &journey.number, &rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_contain_every_message_and_the_source() {
        let experiment: Experiment = "net=mesh:6x6&faults=none&break=2.2&switch=wormhole&seed=7".parse().unwrap();
        let mut watch = WormWatch::new(&experiment).unwrap();
        while watch.work(1_000_000) {}
        watch.seek(300);
        while !watch.is_at_target() {
            watch.work(1000);
        }
        let json: serde_json::Value = serde_json::from_str(&json(&experiment, &watch)).unwrap();
        let messages: usize = watch.networks().iter().map(|network| network.journeys().len()).sum();
        let networks = json["networks"].as_array().unwrap();
        let listed = |network: &serde_json::Value| network["messages"].as_array().unwrap().len();
        assert_eq!(networks.iter().map(listed).sum::<usize>(), messages);
        assert_eq!((&json["seed"], &json["cycle"]), (&7.into(), &300.into()));
        let csv = csv(&experiment, &watch);
        assert!(csv.starts_with("# faultlab") && csv.lines().count() == messages + 4, "{csv}");
        let network = &watch.networks()[0];
        let journey = network.journeys().iter().max_by_key(|journey| journey.hops.len()).unwrap();
        let trace = trace_csv(&experiment, network, journey);
        assert_eq!(trace.lines().count(), journey.hops.len() + 4, "{trace}");
        let last = journey.hops.last().unwrap();
        assert!(trace.lines().last().unwrap().starts_with(&format!(
            "{},{},{},{},",
            network.algorithm.id,
            journey.number,
            journey.hops.len(),
            last.cycle
        )));
        assert!(messages > 20 && csv.contains("f-cube2,300,") && csv.contains("lh2,300,"));
    }
}
