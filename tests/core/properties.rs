//! What must hold for any experiment and any text.
#![cfg(not(target_arch = "wasm32"))]

use std::sync::Arc;

use faultlab::experiment::{CubeCell, Experiment, Instance, KINDS, Kind, message, worm};
use faultlab::routing::{ALGORITHMS, Algorithm, Method};
use faultlab::switching::Outcome;
use faultlab::topology::{Network, NodeId};
use proptest::prelude::*;
use proptest::sample::{select, subsequence};

/// Pairs KEY=VALUE of an experiment on an n-cube, most of them valid.
fn pairs() -> impl Strategy<Value = Vec<String>> {
    (1u32..=64).prop_flat_map(|n| {
        let mask = u64::MAX >> (64 - n);
        let node = move || any::<u64>().prop_map(move |word| word & mask);
        let nodes = move || prop::collection::vec(node(), 1..6).prop_map(|nodes| join(&nodes));
        let number = |low: f64, high: f64| (low..=high).prop_map(|x| x.to_string());
        let faults = prop_oneof![
            Just("none".to_owned()),
            number(0.0, 1.0).prop_map(|p| format!("nodes:{p}")),
            number(0.0, 1.0).prop_map(|p| format!("share:{p}")),
            node().prop_map(move |f| format!("count:{}", f.min(mask.saturating_sub(1)))),
        ];
        let sent = ALGORITHMS.iter().filter(|algorithm| algorithm.can(message::KIND.uses).is_ok());
        let ids: Vec<_> = sent.map(|algorithm| &*algorithm.id).collect();
        let routes = subsequence(ids.clone(), 1..=ids.len()).prop_shuffle().prop_map(|ids| ids.join(","));
        let vary = prop_oneof![
            (0.0..0.5, 0.5..=1.0, 2u32..=200).prop_map(|(low, high, count)| format!("p:{low}..{high}:{count}")),
            select(vec!["n:3..9:4", "n:64", "f:0,1,2", "mpl:1,2.5,1000", "p:0,0.25"]).prop_map(str::to_owned),
        ];
        let values: Vec<(&str, BoxedStrategy<String>)> = vec![
            ("faults", faults.boxed()),
            ("break", nodes().boxed()),
            ("mend", nodes().boxed()),
            ("from", node().prop_map(|node| format!("{node:#x}")).boxed()),
            ("to", node().prop_map(|node| format!("{node:#b}")).boxed()),
            ("route", routes.boxed()),
            ("mpl", number(1.0, 1000.0).boxed()),
            ("vary", vary.boxed()),
            ("within", number(0.0001, 0.5).boxed()),
            ("trials", (1u64..=1_000_000_000).prop_map(|x| x.to_string()).boxed()),
            ("seed", any::<u64>().prop_map(|x| x.to_string()).boxed()),
            ("view", select(vec!["watch", "measure", "check", "papers"]).prop_map(str::to_owned).boxed()),
            ("sample", (0u64..=1_000_000_000).prop_map(|x| x.to_string()).boxed()),
            ("layout", select(vec!["layers", "cube", "grid"]).prop_map(str::to_owned).boxed()),
            ("plot", select(vec!["success", "length", "trapped"]).prop_map(str::to_owned).boxed()),
            (
                "chart",
                select(vec!["x:log", "y:log,hide:2", "x:linear,zoom:0.1..0.25,hide:1,hide:7"])
                    .prop_map(str::to_owned)
                    .boxed(),
            ),
        ];
        let some = subsequence((0..values.len()).collect::<Vec<_>>(), 0..=7);
        let pairs = some.prop_flat_map(move |chosen| {
            chosen
                .into_iter()
                .map(|i| {
                    let (key, value) = values[i].clone();
                    value.prop_map(move |value| format!("{key}={value}")).boxed()
                })
                .collect::<Vec<_>>()
        });
        (Just(n), pairs).prop_map(|(n, mut pairs)| {
            pairs.push(format!("net=cube:{n}"));
            pairs
        })
    })
}

fn join(nodes: &[u64]) -> String {
    nodes.iter().map(u64::to_string).collect::<Vec<_>>().join(",")
}

/// The same of worms on a mesh.
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
        let fixed = select(vec!["uniform", "complement", "transpose", "bit-reversal"]).prop_map(str::to_owned);
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
            ("vc", (1u32..=16).prop_map(|vc| vc.to_string()).boxed()),
            ("traffic", prop_oneof![hot, fixed].boxed()),
            ("policy", select(vec!["discard", "queue"]).prop_map(str::to_owned).boxed()),
            ("arbitrate", select(vec!["round-robin", "oldest", "random"]).prop_map(str::to_owned).boxed()),
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

/// Networks of every sort, small and large.
const NETWORKS: [&str; 14] = [
    "cube:1",
    "cube:4",
    "cube:9",
    "cube:12",
    "mesh:2x2",
    "mesh:5x9",
    "mesh:3x4x3",
    "mesh:2x2x2x3",
    "torus:4x5",
    "torus:3x3x3",
    "tree:2",
    "tree:64",
    "tree2:16",
    "tree:4096",
];

/// Pairs KEY=VALUE of any kind on any network, most of them valid: of every key what its help gives as an example, or another
/// value.
pub(crate) fn kind_pairs() -> impl Strategy<Value = Vec<String>> {
    let networks = |kind: &Kind| {
        let fits = |text: &&&str| Network::parse(text).is_some_and(kind.fits);
        NETWORKS.iter().filter(fits).copied().collect::<Vec<_>>()
    };
    select(KINDS.to_vec()).prop_flat_map(move |kind| (Just(kind), select(networks(kind)))).prop_flat_map(
        |(kind, net)| {
            let network = Network::parse(net).expect("a network");
            let values: Vec<_> = kind
                .all_keys()
                .filter(|key| !["net", "switch"].contains(&key.name))
                .map(|key| {
                    let others = other_values(kind, network, key.name);
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

/// Values of a key that most experiments of this kind on this network accept.
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
            "count:1",
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
            [0, 1, network.last().0 / 2].map(|node| network.node_text(NodeId(node))).to_vec()
        }
        "route" => ids().collect(),
        "vary" => {
            let experiment = (kind.default)(Some(network));
            kind.parameters.iter().map(|it| format!("{}:{}", it.id, (it.suggest)(&experiment))).collect()
        }
        "traffic" => {
            texts(&["transpose", "complement", "uniform", "random", "worst", "bit-reversal", "0-1,1-0", "0.0-1.1"])
        }
        "plot" => kind
            .metrics
            .iter()
            .map(|metric| metric.id)
            .chain(kind.spreads.iter().map(|it| it.id))
            .map(str::to_owned)
            .collect(),
        "tolerance" => texts(&["thesis", "0", "1"]),
        "vc" => texts(&["own", "1", "32"]),
        "capacity" => texts(&["volume", "doubling"]),
        _ => Vec::new(),
    }
}

/// What `text` is read as; if it is not, the error must say what would be right.
fn read(text: &str) -> Option<Experiment> {
    match text.parse() {
        Ok(experiment) => Some(experiment),
        Err(error) => {
            let error: faultlab::experiment::ExperimentError = error;
            assert!(!error.accepted.is_empty() && !error.problem.is_empty(), "{text}: {error:?}");
            assert!(error.value.chars().count() <= 61 && error.key.chars().count() <= 61);
            None
        }
    }
}

/// One change to a text.
#[derive(Clone, Debug)]
pub(crate) enum Change {
    Drop(usize),
    Repeat(usize),
    Put(usize, char),
    Cut(usize),
}

pub(crate) fn changes() -> impl Strategy<Value = Vec<Change>> {
    let odd = select("&=:.,%#0x9-+e \n\u{e9}\u{1f41f}~nv".chars().collect::<Vec<_>>());
    let change = prop_oneof![
        any::<usize>().prop_map(Change::Drop),
        any::<usize>().prop_map(Change::Repeat),
        (any::<usize>(), odd).prop_map(|(at, char)| Change::Put(at, char)),
        any::<usize>().prop_map(Change::Cut),
    ];
    prop::collection::vec(change, 1..5)
}

pub(crate) fn apply(text: &str, changes: &[Change]) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for change in changes {
        let place = |at: &usize, chars: &[char]| at % chars.len().max(1);
        match change {
            _ if chars.is_empty() => chars.push('v'),
            Change::Drop(at) => drop(chars.remove(place(at, &chars))),
            Change::Repeat(at) => chars.insert(place(at, &chars), chars[place(at, &chars)]),
            Change::Put(at, char) => chars.insert(place(at, &chars), *char),
            Change::Cut(at) => chars.truncate(place(at, &chars)),
        }
    }
    chars.into_iter().collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(5000) })]

    #[test]
    fn reading_what_was_written_changes_nothing(pairs in prop_oneof![pairs(), worm_pairs()], order in any::<prop::sample::Index>()) {
        let mut pairs = pairs;
        let middle = order.index(pairs.len());
        pairs.rotate_left(middle);
        if let Some(experiment) = read(&pairs.join("&")) {
            let text = experiment.to_string();
            prop_assert_eq!(read(&text), Some(experiment.clone()));
            prop_assert_eq!(read(&format!("# a comment\n{}", text.replace('&', "\n"))), Some(experiment.clone()));
            prop_assert_eq!(read(&format!("https://example.org/faultlab/#{text}")), Some(experiment.clone()));
            let encoded = text.replace(':', "%3A").replace(',', "%2c");
            prop_assert_eq!(read(&encoded), Some(experiment));
        }
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        read(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn any_value_is_read_or_refused(
        (kind, key) in select(KINDS.to_vec()).prop_flat_map(|kind| {
            (Just(kind), select(kind.all_keys().map(|key| key.name).collect::<Vec<_>>()))
        }),
        value in ".{0,40}",
    ) {
        read(&format!("switch={}&{key}={value}", kind.id));
    }

    #[test]
    fn texts_of_every_kind_are_read_as_they_are_written(pairs in kind_pairs()) {
        let text = pairs.join("&");
        if let Some(experiment) = read(&text) {
            let written = experiment.to_string();
            prop_assert_eq!(read(&written), Some(experiment.clone()));
            prop_assert_eq!(experiment.validate(), Ok(()));
            for kind in KINDS {
                let other = experiment.switched(kind);
                prop_assert_eq!(other.validate(), Ok(()), "{}", other);
                prop_assert_eq!(read(&other.to_string()), Some(other));
            }
        }
    }

    #[test]
    fn spoiled_texts_are_read_or_refused(pairs in prop_oneof![pairs(), worm_pairs(), kind_pairs()], changes in changes()) {
        let text = apply(&pairs.join("&"), &changes);
        if let Some(experiment) = read(&text) {
            prop_assert_eq!(read(&experiment.to_string()), Some(experiment));
        }
    }
}

/// A walk on a cube: network, faults, ends, limit.
fn walks() -> impl Strategy<Value = String> {
    let faults = prop_oneof![
        (0.0..=1.0).prop_map(|p: f64| format!("nodes:{p}")),
        (0.0..=1.0).prop_map(|p: f64| format!("share:{p}")),
    ];
    (1u32..=64, faults, any::<u64>(), any::<u64>(), 0u32..1000, 1.0..12.0).prop_filter_map(
        "ends coincide",
        |(n, faults, from, to, sample, mpl)| {
            let mask = u64::MAX >> (64 - n);
            let (from, to) = (from & mask, to & mask);
            let text = format!("net=cube:{n}&faults={faults}&from={from}&to={to}&sample={sample}&mpl={mpl}");
            (from != to).then_some(text)
        },
    )
}

fn check_walk(experiment: &Experiment, algorithm: &Arc<Algorithm>) -> Result<(), TestCaseError> {
    let alone = Experiment { routing: vec![algorithm.clone()], ..experiment.clone() };
    let cell = CubeCell::new(&alone, None).expect("a hypercube");
    let mut instance = Instance::new(&alone, cell);
    let trace = instance.traces.remove(0);
    let (cube, ends, hops) = (instance.cell.cube, instance.cell.ends, trace.hops.len() as u32);
    let mut here = ends.from;
    for (i, hop) in (1..).zip(&trace.hops) {
        prop_assert_eq!(hop.from, here);
        prop_assert_eq!(cube.distance(hop.from, hop.to), 1);
        prop_assert!(cube.contains(hop.to));
        here = hop.to;
        // Only a message that is lost enters a faulty node, with its last hop.
        prop_assert_eq!(instance.is_faulty(here), trace.outcome == Outcome::Lost && i == hops);
        prop_assert_eq!(here == ends.to, trace.outcome == Outcome::Delivered && i == hops);
    }
    prop_assert!(hops <= instance.cell.limit());
    prop_assert_eq!(trace.outcome == Outcome::Delivered, here == ends.to);
    prop_assert_eq!((hops + cube.distance(here, ends.to)) % 2, instance.cell.distance() % 2);
    match trace.outcome {
        Outcome::LimitReached => prop_assert!(hops == instance.cell.limit() || algorithm.method_is_global()),
        Outcome::BlockedAtSource => prop_assert_eq!(here, ends.from),
        Outcome::Disconnected => prop_assert!(algorithm.method_is_global()),
        _ => {}
    }
    if algorithm.is_minimal() {
        prop_assert!(hops <= instance.cell.distance());
    }
    for node in trace.trap.iter().flat_map(|trap| &trap.nodes) {
        prop_assert!(!instance.is_faulty(*node) && *node != ends.to);
    }
    prop_assert_eq!(trace.at(0, ends.from), ends.from);
    prop_assert_eq!(trace.at(trace.hops.len(), ends.from), here);
    prop_assert!(!instance.is_faulty(NodeId(ends.from.0)));
    Ok(())
}

trait Global {
    fn method_is_global(&self) -> bool;
}

impl Global for Algorithm {
    fn method_is_global(&self) -> bool {
        matches!(self.method, Method::Global)
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1000) })]

    #[test]
    fn walks_obey_their_rules(text in walks()) {
        let experiment = read(&text).unwrap_or_default();
        for algorithm in ALGORITHMS.iter().filter(|algorithm| algorithm.can(message::KIND.uses).is_ok()) {
            if algorithm.method_is_global() && experiment.cube().is_none_or(|cube| cube.dimension() > 14) {
                continue;
            }
            check_walk(&experiment, &Arc::new(algorithm.clone()))?;
        }
    }
}
