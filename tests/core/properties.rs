//! Property tests of experiments and their texts.
#![cfg(not(target_arch = "wasm32"))]

use std::sync::Arc;

use faultlab::experiment::{CubePointConfig, Experiment, Instance, KINDS, Version, message};
use faultlab::routing::{ALGORITHMS, Algorithm, Method};
use faultlab::switching::Outcome;
use faultlab::topology::NodeId;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use proptest::test_runner::RngSeed;

use crate::random_texts::{apply, changes, kind_pairs, worm_pairs};

/// Returns a configuration of `cases` random cases: fixed in regular runs, random under `cargo
/// xtask fuzz`.
fn config(cases: u32) -> ProptestConfig {
    let others = std::env::var_os("FAULTLAB_FUZZ").is_some();
    let rng_seed = if others { RngSeed::Random } else { RngSeed::Fixed(1) };
    ProptestConfig { failure_persistence: None, rng_seed, ..ProptestConfig::with_cases(cases) }
}

/// Returns random `KEY=VALUE` pairs of an experiment on an n-cube, most of them valid.
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
        let sent = ALGORITHMS.iter().filter(|algorithm| algorithm.check_use(message::KIND.use_case).is_ok());
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

/// Parses `text`. Asserts that an error states the accepted values.
fn parse(text: &str) -> Option<Experiment> {
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

proptest! {
    #![proptest_config(config(5000))]

    #[test]
    fn texts_round_trip(pairs in prop_oneof![pairs(), worm_pairs()], order in any::<prop::sample::Index>()) {
        let mut pairs = pairs;
        let middle = order.index(pairs.len());
        pairs.rotate_left(middle);
        if let Some(experiment) = parse(&pairs.join("&")) {
            let text = experiment.to_string();
            prop_assert_eq!(parse(&text), Some(experiment.clone()));
            prop_assert_eq!(parse(&format!("# a comment\n{}", text.replace('&', "\n"))), Some(experiment.clone()));
            prop_assert_eq!(parse(&format!("https://example.org/faultlab/#{text}")), Some(experiment.clone()));
            let encoded = text.replace(':', "%3A").replace(',', "%2c");
            prop_assert_eq!(parse(&encoded), Some(experiment));
        }
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        parse(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn any_value_is_read_or_refused(
        (kind, key) in select(KINDS.to_vec()).prop_flat_map(|kind| {
            (Just(kind), select(kind.all_keys().map(|key| key.name).collect::<Vec<_>>()))
        }),
        value in ".{0,40}",
    ) {
        parse(&format!("switch={}&{key}={value}", kind.id));
    }

    #[test]
    fn texts_of_every_kind_round_trip(pairs in kind_pairs()) {
        let text = pairs.join("&");
        if let Some(experiment) = parse(&text) {
            let written = experiment.to_string();
            prop_assert_eq!(parse(&written), Some(experiment.clone()));
            prop_assert_eq!(experiment.validate(), Ok(()));
            for kind in KINDS {
                let other = experiment.converted_to_kind(kind);
                prop_assert_eq!(other.validate(), Ok(()), "{}", other);
                prop_assert_eq!(parse(&other.to_string()), Some(other));
            }
        }
    }

    #[test]
    fn corrupted_texts_parse_or_fail_cleanly(pairs in prop_oneof![pairs(), worm_pairs(), kind_pairs()], changes in changes()) {
        let text = apply(&pairs.join("&"), &changes);
        if let Some(experiment) = parse(&text) {
            prop_assert_eq!(parse(&experiment.to_string()), Some(experiment));
        }
    }
}

/// Returns random walks on a cube: network, faults, ends, limit.
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
    let cell = CubePointConfig::new(&alone, None).expect("a hypercube");
    let mut instance = Instance::new(&alone, cell);
    let trace = instance.traces.remove(0);
    let (cube, ends, hops) = (instance.cell.cube, instance.cell.ends, trace.hops.len() as u32);
    let mut here = ends.from;
    for (i, hop) in (1..).zip(&trace.hops) {
        prop_assert_eq!(hop.from, here);
        prop_assert_eq!(cube.distance(hop.from, hop.to), 1);
        prop_assert!(cube.contains(hop.to));
        here = hop.to;
        // Only a lost message enters a faulty node, with its last hop.
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
    #![proptest_config(config(1000))]

    #[test]
    fn walks_satisfy_the_invariants(text in walks()) {
        let experiment = parse(&text).unwrap_or_default();
        for algorithm in ALGORITHMS.iter().filter(|algorithm| algorithm.check_use(message::KIND.use_case).is_ok()) {
            if algorithm.method_is_global() && experiment.cube().is_none_or(|cube| cube.dimension() > 14) {
                continue;
            }
            check_walk(&experiment, &Arc::new(algorithm.clone()))?;
        }
    }
}

/// Returns the ends of a range "a number from LOW to HIGH" or "a whole number from LOW to HIGH" in
/// a help text.
fn range(accepted: &str) -> Option<[f64; 2]> {
    let (_, rest) = accepted.split_once("number from ")?;
    let mut words = rest.split([' ', ',', ';']);
    let low = words.next()?.parse().ok()?;
    (words.next()? == "to").then_some(())?;
    Some([low, words.next()?.parse().ok()?])
}

/// The help states exactly the accepted ranges, for every numeric key of every kind and for every
/// parameter of `vary`.
#[test]
fn accepted_ranges_match_help() {
    let mut found = 0;
    for kind in KINDS {
        let network = kind.behavior.default_experiment(Version::LATEST, None).network;
        let with = |pair: String| format!("switch={}&net={network}&{pair}", kind.id);
        for key in kind.all_keys() {
            let accepted = (key.accepted)(&kind.behavior.default_experiment(Version::LATEST, None));
            let Some([low, high]) = range(&accepted) else { continue };
            found += 1;
            let beyond = |value: f64| if value == value.trunc() { value + 1.0 } else { value * 1.1 };
            for value in [low, high] {
                // Large networks of worms have additional limits.
                let text = with(format!("{}={value}", key.name));
                let error = text.parse::<Experiment>().err().map(|error| error.problem).unwrap_or_default();
                assert!(!error.contains("outside"), "{text}: {error}");
            }
            for value in [low - 1e-5, beyond(high)] {
                let text = with(format!("{}={value}", key.name));
                let error = text.parse::<Experiment>().expect_err(&text);
                assert_eq!(error.key, key.name, "{text}: {error}");
            }
        }
        for parameter in kind.parameters {
            let [low, high] = [parameter.low, parameter.high];
            for value in [low - 1.0, high + 1.0] {
                let text = with(format!("vary={}:{value}", parameter.id));
                let error = text.parse::<Experiment>().expect_err(&text);
                assert!(error.problem.contains(&format!("outside {low} to {high}")), "{text}: {error}");
            }
            if parameter.id == "n" {
                assert_eq!(high, f64::from(kind.largest_cube), "{}", kind.id);
            }
        }
    }
    assert!(found > 40, "{found}");
}
