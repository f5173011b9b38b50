//! Tests of everything derived from the list of algorithms: the table in `docs/algorithms.md`,
//! supported uses, and errors for unsupported ones.
#![cfg(not(target_arch = "wasm32"))]

use std::path::Path;

use faultlab::experiment::{Experiment, KINDS};
use faultlab::routing::rules::RuleText;
use faultlab::routing::{
    ALGORITHMS, Algorithm, Criterion, Dimensions, Header, Knowledge, LOWEST_REQUIRED, Links, LocalRouting, Method,
    Order, Position, Shared, Tier, Tiers, Unsupported, UseCase, find, suitable,
};
use faultlab::theory::{FaultSet, exact_success, hypercube_dependencies};
use faultlab::topology::{Hypercube, Mesh, Network, NodeId};
use faultlab::traffic::Pair;

use crate::common::worm;

/// Names of the uses in `docs/algorithms.md`, each with an example network.
const USES: [(&str, UseCase, &str); 9] = [
    ("messages", UseCase::Messages, "cube:4"),
    ("circuits", UseCase::Circuits, "cube:4"),
    ("circuits on meshes", UseCase::Circuits, "mesh:6x6"),
    ("pairs", UseCase::Pairs, "cube:4"),
    ("worms on hypercubes", UseCase::Worms, "cube:4"),
    ("on meshes", UseCase::Worms, "mesh:6x6"),
    ("on tori", UseCase::Worms, "torus:6x6"),
    ("permutations", UseCase::Permutations, "cube:4"),
    ("delivery cycles", UseCase::Deliveries, "tree:16"),
];

fn network(text: &str) -> Network {
    Network::parse(text).expect("a network")
}

/// Returns the table row of an algorithm.
fn row(algorithm: &Algorithm) -> String {
    let uses: Vec<_> = USES
        .iter()
        .filter(|(_, what, on)| algorithm.check_use_on(*what, network(on)).is_ok())
        .map(|(name, ..)| if name.starts_with("on ") { format!("worms {name}") } else { (*name).to_owned() })
        .collect();
    format!("| `{}` | {} | {} | {} |", algorithm.id, algorithm.name, uses.join(", "), algorithm.paper)
}

/// The table in `docs/algorithms.md` lists exactly the algorithms, in their order.
#[test]
fn the_book_lists_the_algorithms() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/algorithms.md");
    let text = std::fs::read_to_string(&path).unwrap();
    let head = "| `route` | algorithm | used for | paper |\n|---|---|---|---|\n";
    let start = text.find(head).expect("the table's head") + head.len();
    let table = &text[start..];
    let end = start + table.find("\n\n").map_or(table.len(), |end| end + 1);
    let rows: String = ALGORITHMS.iter().map(|algorithm| row(algorithm) + "\n").collect();
    if std::env::var_os("FAULTLAB_RENEW").is_some() {
        std::fs::write(&path, [&text[..start], &rows, &text[end..]].concat()).unwrap();
        return;
    }
    assert_eq!(
        &text[start..end],
        rows,
        "docs/algorithms.md differs from ALGORITHMS; FAULTLAB_RENEW=1 writes its table"
    );
}

/// Ids are unique, and every algorithm has a name, a summary, a guarantee, a paper and a use.
#[test]
fn every_algorithm_has_unique_id_and_texts() {
    for (place, algorithm) in ALGORITHMS.iter().enumerate() {
        assert!(ALGORITHMS.iter().position(|other| other == algorithm) == Some(place), "{} twice", algorithm.id);
        assert_eq!(*faultlab::routing::find(&algorithm.id).unwrap(), *algorithm);
        assert!(algorithm.id.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-'));
        let said = [&*algorithm.name, algorithm.summary, algorithm.guarantee, algorithm.paper];
        assert!(said.iter().all(|text| !text.is_empty()), "{}", algorithm.id);
        let used = USES.iter().any(|(_, what, on)| algorithm.check_use_on(*what, network(on)).is_ok());
        assert!(used, "{} is of no use anywhere", algorithm.id);
    }
}

/// An experiment accepts an algorithm exactly if the algorithm supports its kind and network.
#[test]
fn experiments_take_an_algorithm_where_it_fits() {
    for on in ["cube:2", "cube:4", "cube:6", "mesh:9", "mesh:6x6", "mesh:4x4x4", "torus:6x6", "torus:4x4x4", "tree:16"]
    {
        let network = network(on);
        for kind in KINDS.into_iter().filter(|kind| kind.behavior.fits(network)) {
            let channels = if kind.use_case == UseCase::Worms { "&vc=own" } else { "" };
            let text = |id: &str| format!("switch={}&net={on}&route={id}{channels}", kind.id);
            let taken = ALGORITHMS.iter().filter(|algorithm| text(&algorithm.id).parse::<Experiment>().is_ok());
            let taken: Vec<_> = taken.map(|algorithm| &*algorithm.id).collect();
            assert_eq!(taken, suitable(kind.use_case, network), "{kind:?} {on}");
        }
    }
}

/// The error for an unsupported algorithm lists exactly the algorithms that the kind and network
/// support.
#[test]
fn error_lists_supported_algorithms() {
    for (text, what) in [
        ("switch=circuit&net=cube:4&route=sidetracking", UseCase::Circuits),
        ("switch=circuit&net=cube:4&route=mb-0", UseCase::Circuits),
        ("switch=circuit&net=mesh:4x4&route=up", UseCase::Circuits),
        ("switch=pairs&net=cube:4&route=greedy", UseCase::Pairs),
        ("switch=message&net=cube:4&route=f-cube2", UseCase::Messages),
        ("switch=wormhole&net=mesh:8x8&route=up", UseCase::Worms),
        ("switch=wormhole&net=mesh:4x4x4&route=west-first", UseCase::Worms),
        ("switch=wormhole&net=torus:6x6&route=odd-even", UseCase::Worms),
        ("switch=wormhole&net=cube:5&route=global", UseCase::Worms),
        ("switch=permutation&net=cube:4&route=up", UseCase::Permutations),
        ("switch=delivery&net=tree:16&route=e-cube", UseCase::Deliveries),
        ("switch=wormhole&net=mesh:8x8&route=wset-first", UseCase::Worms),
    ] {
        let error = text.parse::<Experiment>().unwrap_err();
        assert_eq!(error.key, "route", "{text}");
        let on = text.split('&').find_map(|pair| pair.strip_prefix("net=")).unwrap();
        let possible = suitable(what, network(on));
        let listed: Vec<_> = error.accepted.split(';').next().unwrap().split(", ").collect();
        assert_eq!(listed, possible, "{text}: {error}");
    }
}

/// Algorithm properties that closed forms and texts depend on: bounds, highest usable dimension
/// first, minimal while a minimal path is open, minimal only.
#[test]
fn algorithm_properties_are_as_documented() {
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
        ("when some wrong is live take wrong otherwise take right", true),
        ("define there = wrong always take there before right", true),
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

/// For hop-by-hop algorithms, all headers reachable from the initial ones are below the declared
/// number. No built-in algorithm uses the set of live links before it names its permitted hops.
#[test]
fn headers_stay_below_declared_count() {
    let n = 4u8;
    let all = (1u64 << n) - 1;
    let hierarchies = ["2e+2f", "2f+2r", "1r+3d"].map(|id| find(id).unwrap());
    for algorithm in ALGORITHMS.iter().chain(hierarchies.iter().map(|it| &**it)) {
        let Some(local) = algorithm.local() else { continue };
        assert!((1..=local.header_count()).contains(&local.initial_header_count()), "{}", algorithm.id);
        let mut changes = false;
        let mut met = vec![false; 1 << (2 * n + 1)];
        let mut left: Vec<_> =
            (0..local.initial_header_count()).flat_map(|it| (0..=all).map(move |node| (node, Header(it)))).collect();
        while let Some((here, header)) = left.pop() {
            if here == all || std::mem::replace(&mut met[(usize::from(header.0) << n) + here as usize], true) {
                continue;
            }
            let at = Position { here: NodeId(here), wrong: here ^ all, header };
            let tiers_with = |live| local.tiers_with_links(at, Links { all, live });
            assert!((0..=all).all(|live| tiers_with(live) == local.tiers(at)), "{}", algorithm.id);
            for dim in 0..n {
                let next = local.header_after(at, dim);
                assert!(next.0 < local.header_count(), "{}", algorithm.id);
                changes |= next != header;
                left.push((here ^ 1 << dim, next));
            }
        }
        assert!(!local.depends_on_faults(), "{}", algorithm.id);
        // A header never changes on the way, except where a message uses up a permission.
        let restricted = ["restricted-up", "2f+2r", "1r+3d"];
        assert_eq!(changes, restricted.contains(&&*algorithm.id), "{}", algorithm.id);
    }
}

/// The error for an unsupported use names the uses that the algorithm supports.
#[test]
fn unsupported_use_error_names_supported_uses() {
    let fat_trees = Unsupported::OtherUse(&[UseCase::Deliveries]);
    let permutations = Unsupported::OtherUse(&[UseCase::Permutations, UseCase::Worms]);
    for (id, what, why) in [
        ("up-or-dp-per-pair", UseCase::Messages, Unsupported::Bound),
        ("up-or-dp-per-pair", UseCase::Worms, Unsupported::Bound),
        ("up-or-dp-per-pair", UseCase::Permutations, Unsupported::Bound),
        ("greedy", UseCase::Permutations, Unsupported::NotSupported(UseCase::Permutations)),
        ("bit-fixing", UseCase::Deliveries, Unsupported::NotSupported(UseCase::Deliveries)),
        ("f-cube2", UseCase::Permutations, Unsupported::NotSupported(UseCase::Permutations)),
        ("greedy", UseCase::Messages, fat_trees),
        ("valiant", UseCase::Worms, fat_trees),
        ("greedy", UseCase::Pairs, fat_trees),
        ("bit-fixing", UseCase::Messages, permutations),
        ("kim-shin", UseCase::Circuits, permutations),
        ("f-cube2", UseCase::Messages, Unsupported::OtherUse(&[UseCase::Worms])),
        ("up-or-dp", UseCase::Messages, Unsupported::OtherUse(&[UseCase::Pairs])),
        ("up-or-dp", UseCase::Worms, Unsupported::WholeNetwork),
        ("up-or-dp", UseCase::Circuits, Unsupported::NotSupported(UseCase::Circuits)),
        ("mb-0", UseCase::Worms, Unsupported::OtherUse(&[UseCase::Circuits])),
        ("global", UseCase::Worms, Unsupported::GlobalKnowledge),
        ("random-blind", UseCase::Worms, Unsupported::Blind),
        ("random-blind", UseCase::Circuits, Unsupported::NotSupported(UseCase::Circuits)),
    ] {
        assert_eq!(find(id).unwrap().check_use(what), Err(why), "{id} {what:?}");
    }
}

/// The `Debug` text of an algorithm, rule or routing is its name.
#[test]
fn algorithms_and_rules_show_as_their_names() {
    let up = find("up").unwrap();
    assert_eq!(format!("{up:?}"), "up");
    assert_eq!(
        format!("{:?}", up.local().unwrap().tiers(Position { here: NodeId(0), wrong: 1, header: Header(0) })[0].rule),
        "lowest-required"
    );
    let text = RuleText::parse("routing mine on cube always take wrong").unwrap();
    let own = &text.routings()[0];
    assert_eq!(format!("{:?}", own.local().unwrap().user_routing().unwrap()), "mine");
    assert_eq!(format!("{:?}", own.circuits().unwrap()), "mine");
    let criterion = up.criterion().unwrap();
    assert_eq!(format!("{:?}", up.circuits().unwrap()), format!("{criterion:?}"));
}

/// `Criterion::everywhere` returns the free directions of a criterion only if it has a single level,
/// no limit and no mix. Circuits cannot deadlock if no level leaves both directions free and all
/// messages follow the same criterion (Chiu, Chalasani & Raghavendra, Theorem 1 and section V.B).
#[test]
fn criteria_report_free_directions_and_proofs() {
    let criterion = |id: &str| match find(id).unwrap().method {
        Method::Criterion(criterion) | Method::Bound(criterion) => criterion,
        _ => panic!("{id} has no criterion"),
    };
    let everywhere = |id: &str| criterion(id).everywhere();
    assert_eq!(everywhere("e-cube"), Some((0, 0)));
    assert_eq!(everywhere("up"), Some((u64::MAX, 0)));
    assert_eq!(everywhere("dp"), Some((0, u64::MAX)));
    assert_eq!(everywhere("minimal"), Some((u64::MAX, u64::MAX)));
    for id in ["restricted-up", "up-dp-mix", "2f+2f", "2f+2e", "2r+2r", "2f+2r", "4r"] {
        assert_eq!(everywhere(id), None, "{id}");
    }
    let proved = |criterion: Criterion| faultlab::routing::CircuitRouting::from(criterion).is_deadlock_free();
    for id in ["e-cube", "up", "dp", "restricted-up", "2e+3f", "2f+3d", "2d+2f+1d", "1f+1d+1f+1d", "3r+2d", "63f+1d"] {
        assert!(proved(criterion(id)) && criterion(id).is_deadlock_free(), "{id}");
    }
    for id in ["minimal", "up-dp-mix"] {
        assert!(!proved(criterion(id)) && !criterion(id).is_deadlock_free(), "{id}");
    }
    let text = RuleText::parse("routing mine on cube always take lowest wrong").unwrap();
    assert!(!text.routings()[0].circuits().unwrap().is_deadlock_free());
}

/// Algorithms of meshes support up to five dimensions on any network. Others support hypercubes of
/// limited size.
#[test]
fn check_network_limits_dimensions() {
    let check = |id: &str, dimensions: u8| worm(id).check_network(Mesh::from_cube(dimensions).expect("a cube"));
    for id in ["lh", "lh4", "dr-static", "dr-dynamic"] {
        assert_eq!(check(id, 5), Ok(()), "{id}");
        assert!(
            (6..=8).all(
                |n| matches!(check(id, n), Err(Unsupported::NetworkRequirement(wants)) if wants.starts_with("at most five dimensions"))
            ),
            "{id}"
        );
        assert_eq!(worm(id).check_network(Mesh::from_radices(&[3; 5]).unwrap()), Ok(()), "{id}");
    }
    let torus = |id: &str, dimensions| {
        worm(id).check_network(Mesh::from_radices(&vec![4; dimensions]).expect("a mesh").to_torus())
    };
    for id in ["lh2", "lh2-opposite", "lh2-shorter", "dr-static", "dr-dynamic"] {
        assert!(
            matches!(torus(id, 2), Err(Unsupported::NetworkRequirement(wants)) if wants.contains("wraparound")),
            "{id}"
        );
    }
    for id in ["lh", "lh4"] {
        assert!((1..=3).all(|dimensions| torus(id, dimensions).is_ok()), "{id}");
        assert!(
            matches!(torus(id, 4), Err(Unsupported::NetworkRequirement(wants)) if wants.starts_with("at most three")),
            "{id}"
        );
    }
    assert_eq!(check("kim-shin", 1), Err(Unsupported::NetworkRequirement("at least 2 dimensions")));
    assert!((2..=8).all(|n| check("kim-shin", n).is_ok()));
    assert_eq!(check("algorithm-b", 2), Err(Unsupported::NetworkRequirement("at least 3 dimensions")));
    assert_eq!(check("algorithm-b", 3), Ok(()));
}

/// Routing that draws at the source between lowest and highest dimension first. It relies on the
/// trait's defaults: the header never changes, and there are no headers besides the initial ones.
struct LowestOrHighest;

impl LocalRouting for LowestOrHighest {
    fn tiers(&self, at: Position) -> Tiers {
        let lowest = at.wrong & at.wrong.wrapping_neg();
        let dims = if at.header == Header(0) { lowest } else { 1 << at.wrong.ilog2() };
        Tiers::one(Tier { dimensions: Dimensions::Mask(dims), rule: &LOWEST_REQUIRED })
    }

    fn is_uniform(&self) -> bool {
        false
    }

    fn order(&self) -> Order {
        Order::Highest
    }

    fn knowledge(&self) -> Knowledge {
        Knowledge::Neighbors
    }

    fn initial_header_count(&self) -> u8 {
        2
    }
}

#[test]
fn header_drawn_at_source_is_kept() {
    let cube = Hypercube::new(3).unwrap();
    let path = |dims: [u8; 2]| {
        dims.iter()
            .scan(0u64, |node, dim| {
                *node |= 1 << dim;
                Some(*node)
            })
            .collect::<Vec<_>>()
    };
    let (low, high) = (path([0, 1]), path([2, 1]));
    for set in (0..1u64 << 8).filter(|set| set & 0b1000_0001 == 0) {
        let open = |path: &[u64]| f64::from(u8::from(path.iter().all(|node| set >> node & 1 == 0)));
        let ends = Pair { from: NodeId(0), to: NodeId(7) };
        let success = exact_success(cube, ends, &mut FaultSet(set), &LowestOrHighest, 3).unwrap();
        assert_eq!(success, (open(&low) + open(&high)) / 2.0, "{set:b}");
    }
    // Neither order alone has a dependency cycle; both together have one.
    assert!(hypercube_dependencies(cube, &mut FaultSet(0), &LowestOrHighest).unwrap().acyclic_order().is_err());
    assert_eq!((LowestOrHighest.header_count(), LowestOrHighest.depends_on_faults()), (2, false));
    // The routing is random although no hop is: the header is drawn.
    let deterministic = find("deterministic").unwrap();
    let method = Method::Local(Shared::Static(&LowestOrHighest));
    assert!(Algorithm { method, ..(*deterministic).clone() }.is_stochastic() && !deterministic.is_stochastic());
}
