//! Random experiment texts of every kind, valid or with a single change.
#![cfg(not(target_arch = "wasm32"))]

use faultlab::experiment::{Experiment, KINDS, Kind, Version, worm};
use faultlab::routing::ALGORITHMS;
use faultlab::routing::rules::EXAMPLES;
use faultlab::topology::{Network, NodeId};
use proptest::prelude::*;
use proptest::sample::{select, subsequence};

/// Returns random `KEY=VALUE` pairs of worms on two-dimensional meshes, most of them valid.
pub(crate) fn worm_pairs() -> impl Strategy<Value = Vec<String>> {
    (2u32..=64, 2u32..=64).prop_flat_map(|(rows, columns)| {
        let node = move || (0..rows, 0..columns).prop_map(|(row, column)| format!("{row}.{column}"));
        let link = (0..rows, 1..columns).prop_map(|(row, column)| format!("{row}.{column}-{row}.{}", column - 1));
        let places = prop::collection::vec(prop_oneof![node(), link.boxed()], 1..6).prop_map(|places| places.join(","));
        let faults = prop_oneof![
            (0.0..=1.0).prop_map(|p: f64| format!("nodes:{p}")),
            (0.0..=0.2).prop_map(|p: f64| format!("isolated:{p}")),
            (0u32..9, 0u32..9).prop_map(|(nodes, links)| format!("isolated:{nodes}+{links}")),
            (0u32..20).prop_map(|f| format!("link-count:{f}")),
        ];
        let hot = (node(), 0.0..=1.0).prop_map(|(node, share): (_, f64)| format!("hot:{node}:{share}"));
        let hot_spots = (node(), node()).prop_map(|(one, other)| format!("mix:hot:{one}:0.3:2,hot:{other}:0.1:1"));
        let fixed = vec![
            "uniform",
            "complement",
            "transpose",
            "bit-reversal",
            "shuffle",
            "tornado",
            "random-permutation",
            "mix:uniform:3,neighbor:1",
            "matrix:0,1,2,3/1,0,0,0/0,0,0,0/1,1,1,0",
        ];
        let fixed = select(fixed).prop_map(str::to_owned);
        let mesh = Network::parse("mesh:6x6").expect("a mesh");
        let sent = ALGORITHMS.iter().filter(|algorithm| worm::KIND.takes(algorithm, mesh).is_ok());
        let ids: Vec<_> = sent.map(|algorithm| &*algorithm.id).collect();
        let vary = vec!["load:0.1..0.9:9", "k:2,64", "vc:6..16:3", "inject:1,2", "length:1,256", "p:0,0.01", "f:0,3"];
        let values: Vec<(&str, BoxedStrategy<String>)> = vec![
            ("faults", faults.boxed()),
            ("break", places.clone().boxed()),
            ("mend", places.boxed()),
            ("from", node().boxed()),
            ("to", node().boxed()),
            ("route", subsequence(ids.clone(), 1..=ids.len()).prop_map(|ids| ids.join(",")).boxed()),
            ("load", (0.0..=4.0).prop_map(|load: f64| load.to_string()).boxed()),
            ("flit-rate", (0.0..=1.0).prop_map(|rate: f64| rate.to_string()).boxed()),
            (
                "arrivals",
                select(vec!["poisson", "periodic", "bursts:5:15", "bursts:2:3"]).prop_map(str::to_owned).boxed(),
            ),
            ("vc", (1u32..=16).prop_map(|vc| vc.to_string()).boxed()),
            ("length", select(vec!["1", "64", "10:0.9,200:0.1", "1:1,256:2"]).prop_map(str::to_owned).boxed()),
            ("traffic", prop_oneof![hot, hot_spots, fixed].boxed()),
            ("policy", select(vec!["discard", "queue"]).prop_map(str::to_owned).boxed()),
            ("arbitrate", select(vec!["round-robin", "oldest", "random"]).prop_map(str::to_owned).boxed()),
            ("warmup", (0u32..=2_000).prop_map(|cycles| cycles.to_string()).boxed()),
            ("vary", select(vary).prop_map(str::to_owned).boxed()),
            ("plot", select(vec!["latency", "latencies", "busiest"]).prop_map(str::to_owned).boxed()),
        ];
        let some = subsequence((0..values.len()).collect::<Vec<_>>(), 0..=7);
        let pairs = some.prop_flat_map(move |chosen| {
            let pair = |i: usize| {
                let (key, value) = values[i].clone();
                value.prop_map(move |value| format!("{key}={value}")).boxed()
            };
            chosen.into_iter().map(pair).collect::<Vec<_>>()
        });
        (Just((rows, columns)), pairs).prop_map(|((rows, columns), mut pairs)| {
            pairs.extend([format!("net=mesh:{rows}x{columns}"), "switch=wormhole".to_owned()]);
            pairs
        })
    })
}

/// Networks of every family, small and large.
const NETWORKS: [&str; 22] = [
    "cube:1",
    "cube:4",
    "cube:9",
    "cube:12",
    "mesh:2",
    "mesh:4",
    "mesh:2x2",
    "mesh:5x9",
    "mesh:3x4x3",
    "mesh:2x2x2x3",
    "torus:5",
    "torus:3x3",
    "torus:8x8",
    "torus:4x5",
    "torus:3x3x3",
    "torus:2x3x2x3",
    "tree:2",
    "tree:64",
    "tree2:16",
    "tree2-3d:64",
    "tree:4096",
    "butterfly:4",
];

/// Returns random `KEY=VALUE` pairs of any kind on any network, most of them valid. A value is the
/// example in the key's help or another one.
pub(crate) fn kind_pairs() -> impl Strategy<Value = Vec<String>> {
    let networks = |kind: &Kind| {
        let fits = |text: &&&str| Network::parse(text).is_some_and(|network| kind.behavior.fits(network));
        NETWORKS.iter().filter(fits).copied().collect::<Vec<_>>()
    };
    select(KINDS.to_vec()).prop_flat_map(move |kind| (Just(kind), select(networks(kind)))).prop_flat_map(
        |(kind, net)| {
            let network = Network::parse(net).expect("a network");
            let values: Vec<_> = kind
                .all_keys()
                .filter(|key| !["net", "switch"].contains(&key.name))
                .map(|key| (key, other_values(kind, network, key.name)))
                // The example of `rules` is for hypercubes.
                .filter(|(key, others)| key.name != "rules" || !others.is_empty())
                .map(|(key, others)| {
                    let example = Just(key.example.to_owned());
                    let value = if others.is_empty() {
                        example.boxed()
                    } else {
                        prop_oneof![1 => example, 4 => select(others)].boxed()
                    };
                    (key.name, value)
                })
                .collect();
            let some = subsequence(values, 0..=7);
            some.prop_flat_map(|chosen| {
                chosen
                    .into_iter()
                    .map(|(key, value)| value.prop_map(move |value| format!("{key}={value}")))
                    .collect::<Vec<_>>()
            })
            .prop_map(move |mut pairs| {
                pairs.extend([format!("net={net}"), format!("switch={}", kind.id)]);
                pairs
            })
        },
    )
}

/// Returns values of a key that most experiments of this kind on this network accept.
fn other_values(kind: &Kind, network: Network, key: &str) -> Vec<String> {
    let texts = |values: &[&str]| values.iter().map(|value| (*value).to_owned()).collect();
    let ids = || {
        ALGORITHMS
            .iter()
            .filter(|algorithm| kind.takes(algorithm, network).is_ok())
            .map(|algorithm| algorithm.id.to_string())
    };
    match key {
        "faults" => texts(&[
            "none",
            "nodes:0.1",
            "nodes:0.4",
            "count:1",
            "count:3",
            "links:0.05",
            "link-count:2",
            "isolated:0.02",
            "wires:0.2",
            "ball:1",
        ]),
        "break" if network.leaves().is_some_and(|leaves| leaves.is_second()) => texts(&["u0.1.0", "d1.0.1,u1.1.0"]),
        "break" if network.leaves().is_some() => texts(&["u0.1", "d0.0,u1.0", "u2.1*2"]),
        "mend" if network.leaves().is_some() => texts(&["u0.0", "d1.1", "u2.0,u2.1", "d0.1.0"]),
        "break" | "mend" | "from" | "to" => {
            [0, 1, network.last_node().0 / 2].map(|node| network.format_node(NodeId(node))).to_vec()
        }
        "route" => ids().collect(),
        "vary" => {
            let experiment = kind.behavior.default_experiment(Version::LATEST, Some(network));
            kind.parameters.iter().map(|it| format!("{}:{}", it.id, (it.suggested_values)(&experiment))).collect()
        }
        "traffic" => texts(&[
            "transpose",
            "complement",
            "uniform",
            "random",
            "worst",
            "bit-reversal",
            "butterfly",
            "tornado",
            "mix:uniform:1,rotation:1",
            "0-1,1-0",
            "0.0-1.1",
        ]),
        "plot" => kind
            .metrics
            .iter()
            .map(|metric| metric.id)
            .chain(kind.spreads.iter().map(|it| it.id))
            .map(str::to_owned)
            .collect(),
        "rules" => EXAMPLES.iter().filter_map(|example| rules_value(kind, network, example.text)).collect(),
        "tolerance" => texts(&["thesis", "0", "1"]),
        "vc" => texts(&["own", "1", "32"]),
        "capacity" => texts(&["volume", "doubling"]),
        _ => Vec::new(),
    }
}

/// Returns a rule text as the value of `rules`, if experiments of this kind on this network accept
/// it.
fn rules_value(kind: &Kind, network: Network, rules: &str) -> Option<String> {
    let text = format!("net={network}&switch={}", kind.id);
    let experiment = Experiment::with_rules(&text, rules).ok()?.to_string();
    experiment.split('&').find_map(|pair| pair.strip_prefix("rules=")).map(str::to_owned)
}

/// Change to a text.
#[derive(Clone, Debug)]
pub(crate) enum TextEdit {
    Drop(usize),
    Repeat(usize),
    Put(usize, char),
    Cut(usize),
}

pub(crate) fn changes() -> impl Strategy<Value = Vec<TextEdit>> {
    let odd = select("&=:.,%#0x9-+e \n\u{e9}\u{1f41f}~nv".chars().collect::<Vec<_>>());
    let change = prop_oneof![
        any::<usize>().prop_map(TextEdit::Drop),
        any::<usize>().prop_map(TextEdit::Repeat),
        (any::<usize>(), odd).prop_map(|(at, char)| TextEdit::Put(at, char)),
        any::<usize>().prop_map(TextEdit::Cut),
    ];
    prop::collection::vec(change, 1..5)
}

pub(crate) fn apply(text: &str, changes: &[TextEdit]) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for change in changes {
        let place = |at: &usize, chars: &[char]| at % chars.len().max(1);
        match change {
            _ if chars.is_empty() => chars.push('v'),
            TextEdit::Drop(at) => drop(chars.remove(place(at, &chars))),
            TextEdit::Repeat(at) => chars.insert(place(at, &chars), chars[place(at, &chars)]),
            TextEdit::Put(at, char) => chars.insert(place(at, &chars), *char),
            TextEdit::Cut(at) => chars.truncate(place(at, &chars)),
        }
    }
    chars.into_iter().collect()
}
