//! Files with the utilization of every channel of a mesh: measured over the runs of a sweep, or as
//! the heat map shows it.

use std::collections::BTreeMap;

use crate::files::record::{self, Record, Value};
use faultlab_core::topology::{Mesh, NodeId, Port};
use faultlab_experiment::worm::{ChannelEstimate, NodeEstimate, channel_estimates, node_estimates};
use faultlab_experiment::{Experiment, PointResult, Sweep, WormWatch};

/// Columns of a measured channel.
const MEASURED: [&str; 9] = ["series", "x", "from", "to", "direction", "utilization", "ci95_low", "ci95_high", "runs"];

/// Columns of a channel of the heat map.
const WATCHED: [&str; 6] = ["series", "cycle", "from", "to", "direction", "utilization"];

/// Returns the utilization of every live channel as CSV:
/// `series,x,from,to,direction,utilization,ci95_low,ci95_high,runs`. The ends of an unbounded
/// interval are empty, and a point without a mean has no lines.
pub fn csv(sweep: &Sweep) -> String {
    let lines = sweep.points().iter().flat_map(|point| {
        channels(point).map(|channel| {
            let named = Record::default().with("series", &*point.algorithm.id).with("x", point.x);
            named.merged(channel)
        })
    });
    record::csv(sweep.experiment(), &MEASURED, &lines.collect::<Vec<_>>())
}

/// Returns the same numbers as JSON, a line for each point: `{experiment, seed, version, series, x,
/// outcome, channels: [{from, to, direction, utilization, ci95_low, ci95_high, runs}]}`.
pub fn json(sweep: &Sweep) -> String {
    let point = |point: &PointResult| {
        let named = Record::default().with("series", &*point.algorithm.id).with("x", point.x);
        named.with("outcome", point.status.id()).with("channels", Value::from_iter(channels(point)))
    };
    record::json(sweep.experiment(), sweep.points().iter().map(point).collect())
}

/// Columns of a node.
const NODES: [&str; 9] =
    ["series", "x", "node", "entering", "entering_low", "entering_high", "leaving", "leaving_low", "leaving_high"];

/// Returns the flits per cycle that enter and leave every live node by its channels, as CSV:
/// `series,x,node,entering,entering_low,entering_high,leaving,leaving_low,leaving_high`.
pub fn nodes_csv(sweep: &Sweep) -> String {
    let lines = sweep.points().iter().flat_map(|point| {
        nodes(point).into_iter().map(|node| {
            let named = Record::default().with("series", &*point.algorithm.id).with("x", point.x);
            named.merged(node)
        })
    });
    record::csv(sweep.experiment(), &NODES, &lines.collect::<Vec<_>>())
}

/// Returns the same numbers as JSON, a line for each point: `{experiment, seed, version, series, x,
/// outcome, nodes: [{node, entering, entering_low, entering_high, leaving, leaving_low,
/// leaving_high}]}`.
pub fn nodes_json(sweep: &Sweep) -> String {
    let point = |point: &PointResult| {
        let named = Record::default().with("series", &*point.algorithm.id).with("x", point.x);
        named.with("outcome", point.status.id()).with("nodes", Value::from_iter(nodes(point)))
    };
    record::json(sweep.experiment(), sweep.points().iter().map(point).collect())
}

/// Returns a record for each live node of a point.
fn nodes(point: &PointResult) -> Vec<Record> {
    let Some(mesh) = point.config.network.wormhole_mesh() else { return Vec::new() };
    let record = |found: NodeEstimate| {
        let record = Record::default().with("node", mesh.format_node(found.node));
        let record = record.with("entering", found.entering.mean).with("entering_low", found.entering.low);
        let record = record.with("entering_high", found.entering.high).with("leaving", found.leaving.mean);
        record.with("leaving_low", found.leaving.low).with("leaving_high", found.leaving.high)
    };
    node_estimates(point).into_iter().map(record).collect()
}

/// Returns a record for each live channel of a point.
fn channels(point: &PointResult) -> impl Iterator<Item = Record> {
    let mesh = point.config.network.wormhole_mesh();
    let record = move |channel: ChannelEstimate| {
        let ChannelEstimate { from, to, port, utilization } = channel;
        let ends = mesh.map_or_else(Record::default, |mesh| ends(mesh, from, to, port));
        ends.with("utilization", utilization.mean)
            .with("ci95_low", utilization.low)
            .with("ci95_high", utilization.high)
            .with("runs", utilization.runs)
    };
    channel_estimates(point).into_iter().map(record)
}

fn ends(mesh: Mesh, from: NodeId, to: NodeId, port: Port) -> Record {
    let [from, to] = [from, to].map(|node| mesh.format_node(node));
    Record::default().with("from", from).with("to", to).with("direction", mesh.port_name(port))
}

/// Returns the experiment with the `count` busiest nodes of a point as faults by hand, a text for
/// each point; points without a mean have none.
///
/// Gordon & Stout (section 4): hot spots may be considered faults. A node is as busy as the
/// channels into it and out of it together. Of equally busy nodes the first ones count.
pub fn hot_spot_texts(sweep: &Sweep, count: usize) -> String {
    let text = |point: &PointResult| {
        let mut flits = BTreeMap::new();
        for channel in channel_estimates(point) {
            for node in [channel.from, channel.to] {
                *flits.entry(node).or_insert(0.0) += channel.utilization.mean;
            }
        }
        let mut nodes: Vec<(NodeId, f64)> = flits.into_iter().collect();
        nodes.sort_by(|a, b| b.1.total_cmp(&a.1));
        let mut experiment = Experiment { routing: vec![point.algorithm.clone()], ..sweep.experiment().clone() };
        nodes.iter().take(count).for_each(|&(node, _)| experiment.faults.set_node(node, true));
        (!nodes.is_empty()).then(|| format!("{experiment}\n"))
    };
    sweep.points().iter().filter_map(text).collect()
}

/// Returns the heat map as CSV: `series,cycle,from,to,direction,utilization`, the share of the
/// cycles so far in which a flit crossed the channel, for every live channel.
pub fn watched_csv(experiment: &Experiment, watch: &WormWatch) -> String {
    let mut lines = Vec::new();
    for (name, channels) in watched(watch) {
        let named = |channel| Record::default().with("series", &*name).with("cycle", watch.now()).merged(channel);
        lines.extend(channels.into_iter().map(named));
    }
    record::csv(experiment, &WATCHED, &lines)
}

/// Returns the heat map as JSON, a line for each algorithm: `{experiment, seed, version, series,
/// cycle, channels: [{from, to, direction, utilization}]}`.
pub fn watched_json(experiment: &Experiment, watch: &WormWatch) -> String {
    let line = |(name, channels): (String, Vec<Record>)| {
        let named = Record::default().with("series", name).with("cycle", watch.now());
        named.with("channels", Value::from_iter(channels))
    };
    record::json(experiment, watched(watch).map(line).collect())
}

/// Returns the name of each watched algorithm with a record for each live channel.
fn watched(watch: &WormWatch) -> impl Iterator<Item = (String, Vec<Record>)> + '_ {
    let mesh = watch.faults.mesh();
    watch.networks().iter().map(move |network| {
        let shares = (0..).zip(network.channel_utilization());
        let channel = |(channel, share): (u32, f64)| {
            let (from, port) = mesh.channel_ends(channel);
            let to = mesh.neighbor(from, port).filter(|_| watch.faults.is_open(from, port))?;
            Some(ends(mesh, from, to, port).with("utilization", share))
        };
        (network.algorithm.id.to_string(), shares.filter_map(channel).collect())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use faultlab_experiment::run;
    use faultlab_experiment::worm::check_channels;

    const TEXT: &str = "v=2&net=mesh:4x4&switch=wormhole&faults=none&route=e-cube,west-first&load=0.2&within=0.1";

    #[test]
    fn every_live_channel_of_every_point_is_listed_with_its_interval() {
        let mut sweep = Sweep::new(&TEXT.parse().unwrap());
        run(&mut sweep);
        let csv = csv(&sweep);
        let lines: Vec<_> = csv.lines().filter(|line| !line.starts_with('#')).collect();
        // A 4x4 mesh has 24 links, each with a channel in either direction.
        assert_eq!((lines[0], lines.len()), (MEASURED.join(",").as_str(), 1 + 2 * 48));
        let share = |line: &str, column: usize| line.split(',').nth(column).unwrap().parse::<f64>().unwrap();
        for line in &lines[1..] {
            let [mean, low, high] = [5, 6, 7].map(|column| share(line, column));
            assert!(0.0 < mean && mean < 1.0 && low < mean && mean < high, "{line}");
        }
        let busiest = |from: &str| lines.iter().find(|line| line.starts_with(from)).map(|line| share(line, 5));
        // Uniform traffic loads the middle of a row more than its ends.
        assert!(busiest("e-cube,,1.1,1.2,") > busiest("e-cube,,1.0,1.1,"), "{csv}");
        let json = json(&sweep);
        let first: serde_json::Value = serde_json::from_str(json.lines().next().unwrap()).unwrap();
        assert_eq!((json.lines().count(), first["channels"].as_array().unwrap().len()), (2, 48));
        assert_eq!(first["channels"][0]["direction"], "East");
    }

    /// Every flit that leaves a node enters another one, and crosses one channel.
    #[test]
    fn flits_of_nodes_add_up_to_those_of_channels() {
        let mut sweep = Sweep::new(&format!("{TEXT}&break=1.1-1.2,3.3").parse().unwrap());
        run(&mut sweep);
        let point = &sweep.points()[0];
        let crossing: f64 = channel_estimates(point).iter().map(|channel| channel.utilization.mean).sum();
        let sum = |of: fn(&NodeEstimate) -> f64| node_estimates(point).iter().map(of).sum::<f64>();
        let (entering, leaving) = (sum(|node| node.entering.mean), sum(|node| node.leaving.mean));
        assert!(
            (entering - crossing).abs() < 1e-9 && (leaving - crossing).abs() < 1e-9,
            "{entering} {leaving} {crossing}"
        );
        let csv = nodes_csv(&sweep);
        assert_eq!(csv.lines().filter(|line| line.starts_with("e-cube,")).count(), 15);
        let json: serde_json::Value = serde_json::from_str(nodes_json(&sweep).lines().next().unwrap()).unwrap();
        assert_eq!(json["nodes"][0]["node"], "0.0");
    }

    /// Uniform traffic loads the four middle nodes of a 4 x 4 mesh most.
    #[test]
    fn hot_spots_become_faults_of_the_next_experiment() {
        let mut sweep = Sweep::new(&TEXT.parse().unwrap());
        run(&mut sweep);
        let texts = hot_spot_texts(&sweep, 4);
        let lines: Vec<_> = texts.lines().collect();
        assert_eq!(lines.len(), 2, "{texts}");
        for (line, route) in lines.iter().zip(["e-cube", "west-first"]) {
            assert!(line.contains("&break=1.1,1.2,2.1,2.2"), "{line}");
            let next: Experiment = line.parse().unwrap();
            assert_eq!(next.routing.iter().map(|algorithm| &*algorithm.id).collect::<Vec<_>>(), [route]);
        }
    }

    #[test]
    fn dead_channels_are_left_out_and_missing_counts_have_a_reason() {
        let watched = format!("{TEXT}&break=1.1-1.2").parse::<Experiment>().unwrap();
        let watch = WormWatch::new(&watched).unwrap();
        assert_eq!(watched_csv(&watched, &watch).lines().filter(|line| line.starts_with("e-cube,0,")).count(), 46);
        assert_eq!(watched_json(&watched, &watch).lines().count(), 2);
        let why = |text: &str| check_channels(&text.parse().unwrap()).unwrap_err();
        assert!(why("net=cube:4").contains("accepted: switch=wormhole"));
        assert!(why(&TEXT.replace("v=2", "v=1")).contains("add v=2"));
        assert!(why(&TEXT.replace("faults=none", "faults=nodes:0.1")).contains("break="));
        assert_eq!(check_channels(&watched), Ok(()));
    }
}
