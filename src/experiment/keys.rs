//! The keys of an experiment text: one list for reading, writing, errors and help.

use super::value::{Layout, Tab};
use super::{Experiment, LENGTHS, METRICS, Vary};
use crate::fault::FaultModel;
use crate::routing;
use crate::topology::{Network, NodeId};

/// What help says of a key.
#[derive(Clone, Copy, Debug)]
pub struct KeyInfo {
    /// Its name.
    pub name: &'static str,
    /// What it means.
    pub meaning: &'static str,
    /// What values it accepts.
    pub accepted: &'static str,
    /// An example value.
    pub example: &'static str,
    /// Reads a value; the error is what is wrong with it.
    pub(super) read: fn(&mut Experiment, &str) -> Result<(), String>,
    /// Writes the value.
    pub(super) write: fn(&Experiment) -> Option<String>,
}

/// The algorithms' names, for messages.
const ROUTES: &str = "one or several of sidetracking, backtracking, random, deterministic, random-blind, \
     deterministic-blind, global, separated by commas";

const NODE: &str = "a node of the network: a number, or binary after 0b, or hexadecimal after 0x";

/// Every key, in the order in which they are written. The version, `v`, stands before them.
pub const KEYS: &[KeyInfo] = &[
    KeyInfo {
        name: "net",
        meaning: "the network",
        accepted: Network::ACCEPTED,
        example: "cube:20",
        read: |experiment, text| {
            experiment.network = Network::parse(text).ok_or("not a network")?;
            Ok(())
        },
        write: |experiment| Some(experiment.network.to_string()),
    },
    KeyInfo {
        name: "faults",
        meaning: "random faults, drawn anew for every message",
        accepted: FaultModel::ACCEPTED,
        example: "nodes:0.5",
        read: |experiment, text| {
            experiment.faults.model = FaultModel::parse(text).ok_or("not a fault model")?;
            Ok(())
        },
        write: |experiment| Some(experiment.faults.model.to_string()),
    },
    KeyInfo {
        name: "break",
        meaning: "nodes that are faulty in any case",
        accepted: "nodes separated by commas, at most 4096, neither source nor destination, none of them mended",
        example: "3,5,0b110",
        read: |experiment, text| {
            experiment.faults.broken = nodes(experiment, text)?;
            Ok(())
        },
        write: |experiment| join(&experiment.faults.broken),
    },
    KeyInfo {
        name: "mend",
        meaning: "nodes that are live in any case",
        accepted: "nodes separated by commas, at most 4096",
        example: "9",
        read: |experiment, text| {
            experiment.faults.mended = nodes(experiment, text)?;
            Ok(())
        },
        write: |experiment| join(&experiment.faults.mended),
    },
    KeyInfo {
        name: "from",
        meaning: "the source (default: node 0, or the antipode of the destination)",
        accepted: NODE,
        example: "0",
        read: |experiment, text| {
            experiment.from = Some(node(experiment, text)?);
            Ok(())
        },
        write: |experiment| experiment.from.map(|node| node.to_string()),
    },
    KeyInfo {
        name: "to",
        meaning: "the destination (default: the antipode of the source)",
        accepted: NODE,
        example: "0b111111",
        read: |experiment, text| {
            experiment.to = Some(node(experiment, text)?);
            Ok(())
        },
        write: |experiment| experiment.to.map(|node| node.to_string()),
    },
    KeyInfo {
        name: "route",
        meaning: "the routing algorithms to compare",
        accepted: ROUTES,
        example: "sidetracking,backtracking",
        read: |experiment, text| {
            experiment.routing.clear();
            for id in text.split(',') {
                let algorithm = routing::find(id).ok_or_else(|| format!("no algorithm is called {id}"))?;
                if experiment.routing.contains(&algorithm) {
                    return Err(format!("{id} is named twice"));
                }
                experiment.routing.push(algorithm);
            }
            Ok(())
        },
        write: |experiment| Some(experiment.routing.iter().map(|algorithm| algorithm.id).collect::<Vec<_>>().join(",")),
    },
    KeyInfo {
        name: "mpl",
        meaning: "the maximum path length, as a multiple of the dimension n",
        accepted: "a number from 1 to 1000",
        example: "20",
        read: |experiment, text| {
            experiment.path_limit = number(text, 1.0, 1000.0)?;
            Ok(())
        },
        write: |experiment| Some(experiment.path_limit.to_string()),
    },
    KeyInfo {
        name: "vary",
        meaning: "what a sweep varies, and over which values",
        accepted: Vary::ACCEPTED,
        example: "p:0.5..0.95:10",
        read: |experiment, text| {
            experiment.vary = Some(Vary::parse(text)?);
            Ok(())
        },
        write: |experiment| experiment.vary.as_ref().map(Vary::to_string),
    },
    KeyInfo {
        name: "within",
        meaning: "a point stops when the 95% interval of its success probability is this narrow (half-width)",
        accepted: "a number from 0.0001 to 0.5",
        example: "0.001",
        read: |experiment, text| {
            experiment.within = number(text, 0.0001, 0.5)?;
            Ok(())
        },
        write: |experiment| Some(experiment.within.to_string()),
    },
    KeyInfo {
        name: "trials",
        meaning: "a point stops after this many messages in any case",
        accepted: "a whole number from 1 to 1000000000",
        example: "100000",
        read: |experiment, text| {
            experiment.trials = whole(text, 1, 1_000_000_000)?;
            Ok(())
        },
        write: |experiment| Some(experiment.trials.to_string()),
    },
    KeyInfo {
        name: "seed",
        meaning: "the seed of everything random",
        accepted: "a whole number from 0 to 18446744073709551615",
        example: "7",
        read: |experiment, text| {
            experiment.seed = whole(text, 0, u64::MAX)?;
            Ok(())
        },
        write: |experiment| Some(experiment.seed.to_string()),
    },
    KeyInfo {
        name: "view",
        meaning: "which view the page shows",
        accepted: "watch, measure, check or papers",
        example: "measure",
        read: |experiment, text| {
            experiment.view.tab = named(&Tab::ALL, text)?;
            Ok(())
        },
        write: |experiment| name_of(&Tab::ALL, experiment.view.tab),
    },
    KeyInfo {
        name: "sample",
        meaning: "which of the random fault patterns is watched",
        accepted: "a whole number from 0 to 1000000000",
        example: "3",
        read: |experiment, text| {
            experiment.view.sample = whole(text, 0, 1_000_000_000)?;
            Ok(())
        },
        write: |experiment| Some(experiment.view.sample.to_string()),
    },
    KeyInfo {
        name: "layout",
        meaning: "how the network is laid out",
        accepted: "layers, cube or grid",
        example: "grid",
        read: |experiment, text| {
            experiment.view.layout = named(&Layout::ALL, text)?;
            Ok(())
        },
        write: |experiment| name_of(&Layout::ALL, experiment.view.layout),
    },
    KeyInfo {
        name: "plot",
        meaning: "what the chart shows",
        accepted: "success, minimal, length, excess, sigma, tunnelling, trapped, blocked-at-source or lengths (their \
                   distribution)",
        example: "length",
        read: |experiment, text| {
            let metric = METRICS.iter().map(|metric| metric.id).find(|id| *id == text);
            experiment.view.plot = metric.or((text == LENGTHS).then_some(LENGTHS)).ok_or("not a metric")?;
            Ok(())
        },
        write: |experiment| Some(experiment.view.plot.to_owned()),
    },
];

/// The most nodes in `break` or `mend`.
const MAX_EDITS: usize = 4096;

fn node(experiment: &Experiment, text: &str) -> Result<NodeId, String> {
    experiment.cube().parse_node(text).ok_or_else(|| format!("{text} is no node of {}", experiment.network))
}

fn nodes(experiment: &Experiment, text: &str) -> Result<Vec<NodeId>, String> {
    if text.split(',').nth(MAX_EDITS).is_some() {
        return Err(format!("more than {MAX_EDITS} nodes"));
    }
    let mut nodes: Vec<_> = text.split(',').map(|text| node(experiment, text)).collect::<Result<_, _>>()?;
    nodes.sort_unstable();
    nodes.dedup();
    Ok(nodes)
}

fn join(nodes: &[NodeId]) -> Option<String> {
    (!nodes.is_empty()).then(|| nodes.iter().map(NodeId::to_string).collect::<Vec<_>>().join(","))
}

fn number(text: &str, low: f64, high: f64) -> Result<f64, String> {
    let value: f64 = text.parse().map_err(|_| "not a number".to_owned())?;
    if (low..=high).contains(&value) { Ok(value) } else { Err(format!("outside {low} to {high}")) }
}

fn whole(text: &str, low: u64, high: u64) -> Result<u64, String> {
    let value: u64 = text.parse().map_err(|_| "not a whole number in range".to_owned())?;
    if (low..=high).contains(&value) { Ok(value) } else { Err(format!("outside {low} to {high}")) }
}

fn named<T: Copy>(all: &[(T, &str)], text: &str) -> Result<T, String> {
    all.iter().find(|(_, name)| *name == text).map(|(value, _)| *value).ok_or_else(|| "not one of them".to_owned())
}

fn name_of<T: PartialEq>(all: &[(T, &str)], value: T) -> Option<String> {
    all.iter().find(|(other, _)| *other == value).map(|(_, name)| (*name).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routing::ALGORITHMS;

    #[test]
    fn help_names_every_algorithm_and_metric() {
        for algorithm in ALGORITHMS {
            assert!(ROUTES.contains(algorithm.id), "{}", algorithm.id);
        }
        let plot = KEYS.iter().find(|key| key.name == "plot").map_or("", |key| key.accepted);
        for metric in METRICS {
            assert!(plot.contains(metric.id), "{}", metric.id);
        }
    }
}
