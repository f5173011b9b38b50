//! What follows from the list of algorithms: README's table, which can be used for what, and what is said of a wrong one.
#![cfg(not(target_arch = "wasm32"))]

use std::path::Path;

use faultlab::experiment::{Experiment, KINDS};
use faultlab::routing::rules::RuleText;
use faultlab::routing::{ALGORITHMS, Algorithm, Use, suitable};
use faultlab::topology::Network;

/// What README calls the uses, with a network for each.
const USES: [(&str, Use, &str); 8] = [
    ("messages", Use::Messages, "cube:4"),
    ("circuits", Use::Circuits, "cube:4"),
    ("pairs", Use::Pairs, "cube:4"),
    ("worms on hypercubes", Use::Worms, "cube:4"),
    ("on meshes", Use::Worms, "mesh:6x6"),
    ("on tori", Use::Worms, "torus:6x6"),
    ("permutations", Use::Permutations, "cube:4"),
    ("delivery cycles", Use::Deliveries, "tree:16"),
];

fn network(text: &str) -> Network {
    Network::parse(text).expect("a network")
}

/// An algorithm's line of the table.
fn row(algorithm: &Algorithm) -> String {
    let uses: Vec<_> = USES
        .iter()
        .filter(|(_, what, on)| algorithm.fits(*what, network(on)).is_ok())
        .map(|(name, ..)| if name.starts_with("on ") { format!("worms {name}") } else { (*name).to_owned() })
        .collect();
    format!("| `{}` | {} | {} | {} |", algorithm.id, algorithm.name, uses.join(", "), algorithm.paper)
}

/// README's table has a line for each algorithm, in their order, and no other.
#[test]
fn readme_lists_the_algorithms() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let readme = std::fs::read_to_string(&path).unwrap();
    let head = "| `route` | algorithm | used for | paper |\n|---|---|---|---|\n";
    let start = readme.find(head).expect("the table's head") + head.len();
    let end = start + readme[start - 1..].find("\n\n").expect("the table's end");
    let rows: String = ALGORITHMS.iter().map(|algorithm| row(algorithm) + "\n").collect();
    if std::env::var_os("FAULTLAB_RENEW").is_some() {
        std::fs::write(&path, [&readme[..start], &rows, &readme[end..]].concat()).unwrap();
        return;
    }
    assert_eq!(&readme[start..end], rows, "README's table is not that of ALGORITHMS; FAULTLAB_RENEW=1 writes it");
}

/// Ids are names: of each there is one, found by it; and all say what they are, when they deliver and where they come from.
#[test]
fn every_algorithm_says_what_it_is() {
    for (place, algorithm) in ALGORITHMS.iter().enumerate() {
        assert!(ALGORITHMS.iter().position(|other| other == algorithm) == Some(place), "{} twice", algorithm.id);
        assert_eq!(*faultlab::routing::find(&algorithm.id).unwrap(), *algorithm);
        assert!(algorithm.id.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-'));
        let said = [&*algorithm.name, algorithm.summary, algorithm.guarantee, algorithm.paper];
        assert!(said.iter().all(|text| !text.is_empty()), "{}", algorithm.id);
        let used = USES.iter().any(|(_, what, on)| algorithm.fits(*what, network(on)).is_ok());
        assert!(used, "{} is of no use anywhere", algorithm.id);
    }
}

/// Experiments take an algorithm exactly where it says that it can be used.
#[test]
fn experiments_take_an_algorithm_where_it_fits() {
    for on in ["cube:2", "cube:4", "cube:6", "mesh:9", "mesh:6x6", "mesh:4x4x4", "torus:6x6", "torus:4x4x4", "tree:16"]
    {
        let network = network(on);
        for kind in KINDS.into_iter().filter(|kind| (kind.fits)(network)) {
            let channels = if kind.uses == Use::Worms { "&vc=own" } else { "" };
            let text = |id: &str| format!("switch={}&net={on}&route={id}{channels}", kind.id);
            let taken = ALGORITHMS.iter().filter(|algorithm| text(&algorithm.id).parse::<Experiment>().is_ok());
            let taken: Vec<_> = taken.map(|algorithm| &*algorithm.id).collect();
            assert_eq!(taken, suitable(kind.uses, network), "{kind:?} {on}");
        }
    }
}

/// A wrong algorithm is answered with those that are possible for that kind on that network, and no others.
#[test]
fn a_wrong_algorithm_is_answered_with_those_that_are_possible() {
    for (text, what) in [
        ("switch=circuit&net=cube:4&route=sidetracking", Use::Circuits),
        ("switch=pairs&net=cube:4&route=greedy", Use::Pairs),
        ("switch=message&net=cube:4&route=f-cube2", Use::Messages),
        ("switch=wormhole&net=mesh:8x8&route=up", Use::Worms),
        ("switch=wormhole&net=mesh:4x4x4&route=west-first", Use::Worms),
        ("switch=wormhole&net=torus:6x6&route=odd-even", Use::Worms),
        ("switch=wormhole&net=cube:5&route=global", Use::Worms),
        ("switch=permutation&net=cube:4&route=up", Use::Permutations),
        ("switch=delivery&net=tree:16&route=e-cube", Use::Deliveries),
        ("switch=wormhole&net=mesh:8x8&route=wset-first", Use::Worms),
    ] {
        let error = text.parse::<Experiment>().unwrap_err();
        assert_eq!(error.key, "route", "{text}");
        let on = text.split('&').find_map(|pair| pair.strip_prefix("net=")).unwrap();
        let possible = suitable(what, network(on));
        let listed: Vec<_> = error.accepted.split(';').next().unwrap().split(", ").collect();
        assert_eq!(listed, possible, "{text}: {error}");
    }
}

/// What closed forms and words ask of an algorithm: who bounds, who takes the highest usable dimension, who never leaves a minimal path while one is
/// open, and who takes no other.
#[test]
fn closed_forms_are_told_of_those_that_they_are_about() {
    let ids = |is: fn(&Algorithm) -> bool| -> Vec<&str> {
        ALGORITHMS.iter().filter(|algorithm| is(algorithm)).map(|algorithm| &*algorithm.id).collect()
    };
    assert_eq!(ids(Algorithm::is_bound), ["up-or-dp-per-pair"]);
    assert_eq!(ids(Algorithm::is_highest_usable_first), ["deterministic"]);
    let minimal = ids(Algorithm::is_minimal);
    assert_eq!(minimal, ["random", "deterministic", "random-blind", "deterministic-blind"]);
    let exhausting = ids(Algorithm::exhausts_minimal_paths);
    assert!(minimal.iter().chain(&["sidetracking", "backtracking", "minimal"]).all(|id| exhausting.contains(id)));
    assert!(!["e-cube", "up", "dp", "restricted-up", "up-dp-mix", "global"].iter().any(|id| exhausting.contains(id)));
    for (rules, exhausts) in [
        ("always take wrong", true),
        ("always take wrong before right", true),
        ("always take right", false),
        ("always take right before wrong", false),
        ("when every wrong is live take wrong otherwise take lowest wrong", false),
    ] {
        let text = RuleText::parse(&format!("routing mine on cube {rules}")).expect("rules");
        let own = &text.routings()[0];
        assert_eq!(own.exhausts_minimal_paths(), exhausts, "{rules}");
        assert_eq!(own.is_minimal(), rules == "always take wrong", "{rules}");
    }
}
