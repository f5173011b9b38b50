//! Snapshot test of the reasons of hops: every rule of every algorithm on every supported network,
//! against a stored file.
#![cfg(not(target_arch = "wasm32"))]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use faultlab::experiment::{CubePointConfig, Experiment, Instance};
use faultlab::fault::{BlockFaults, Tolerance};
use faultlab::random::{Generator, Key, below};
use faultlab::report::{message, worm};
use faultlab::routing::{ALGORITHMS, Algorithm, UseCase, WormPosition, WormRouting};
use faultlab::switching::worm_walk;
use faultlab::topology::{Hypercube, Network, NodeId};
use faultlab::traffic::Pair;

/// Networks of two, three and four dimensions, with the number of faulty nodes per fault set.
const NETWORKS: [(&str, u32); 7] = [
    ("mesh:6x6", 3),
    ("mesh:4x4x4", 5),
    ("mesh:3x3x3x3", 6),
    ("torus:6x6", 2),
    ("torus:5x5x5", 3),
    ("cube:3", 1),
    ("cube:4", 4),
];

/// Number of fault sets per network.
const SETS: u64 = 12;
/// Number of walks per fault set.
const WALKS: u64 = 12;

/// Maximum number of stored reasons per rule, each with another wording.
const KEPT: usize = 8;

/// First reasons of each rule, one per wording.
type Reasons = BTreeMap<&'static str, Vec<String>>;

fn keep(reasons: &mut Reasons, id: &'static str, text: String) {
    let kept = reasons.entry(id).or_default();
    // Reasons that differ only in digits have the same wording.
    let wording = |text: &str| text.replace(|letter: char| letter.is_ascii_digit(), "");
    if kept.len() < KEPT && kept.iter().all(|other| wording(other) != wording(&text)) {
        kept.push(text);
    }
}

/// Samples fault set number `set` with `count` nodes; set 0 is empty.
fn faults(network: Network, count: u32, set: u64) -> Option<BlockFaults> {
    let mut generator = Key::from_seed(5).child(set).generator();
    let mesh = network.wormhole_mesh()?;
    let count = if set == 0 { 0 } else { count };
    let nodes: Vec<_> = (0..count).map(|_| NodeId(u64::from(below(&mut generator, mesh.nodes())))).collect();
    match network.cube() {
        Some(cube) => BlockFaults::on_cube(cube, &nodes, &[], Tolerance::Thesis),
        None => Some(BlockFaults::new(mesh, &nodes, &[])),
    }
}

/// Samples two different live nodes.
fn ends(faults: &BlockFaults, generator: &mut Generator) -> Option<Pair> {
    let live: Vec<_> = faults.members().collect();
    let (from, to) = (below(generator, live.len() as u32), below(generator, live.len() as u32));
    (from != to).then(|| Pair { from: live[from as usize], to: live[to as usize] })
}

/// Walks a single worm and stores its reasons.
fn record_walk(
    routing: &dyn WormRouting,
    faults: &BlockFaults,
    ends: Pair,
    generator: &mut Generator,
    reasons: &mut Reasons,
) {
    let mut came = None;
    for hop in worm_walk(routing, faults, ends, generator).0 {
        let at = WormPosition { here: hop.from, to: ends.to, input_port: came, header: hop.before };
        keep(reasons, hop.choice.rule.id, worm::wording::why(routing, faults, &at, &hop.choice).to_string());
        came = Some(hop.choice.port);
    }
}

/// Returns the reasons of an algorithm's worms on a network.
fn worm_reasons(algorithm: &Algorithm, (text, count): (&str, u32)) -> Reasons {
    let network = Network::parse(text).expect("a network");
    let mut reasons = Reasons::new();
    let Some(routing) = algorithm.worm.as_deref().filter(|_| algorithm.check_use_on(UseCase::Worms, network).is_ok())
    else {
        return reasons;
    };
    for faults in (0..SETS).filter_map(|set| faults(network, count, set)) {
        for number in 0..WALKS {
            let mut generator = Key::from_seed(7).child(number).generator();
            if let Some(ends) = ends(&faults, &mut generator) {
                record_walk(routing, &faults, ends, &mut generator, &mut reasons);
            }
        }
    }
    reasons
}

/// Returns the reasons of an algorithm's single messages on a hypercube.
fn message_reasons(algorithm: &Algorithm) -> Reasons {
    let network = Network::Hypercube(Hypercube::new(5).expect("a cube"));
    let mut reasons = Reasons::new();
    if algorithm.check_use_on(UseCase::Messages, network).is_err() {
        return reasons;
    }
    for sample in 0..40 {
        let text = format!("net=cube:5&faults=count:9&route={}&sample={sample}", algorithm.id);
        let experiment: Experiment = text.parse().expect("an experiment");
        let mut instance = Instance::new(&experiment, CubePointConfig::new(&experiment, None).expect("a cube"));
        for trace in instance.traces.clone() {
            for (number, hop) in trace.hops.iter().enumerate() {
                keep(&mut reasons, hop.rule.id, message::wording::reason(&mut instance, &trace, number).to_string());
            }
        }
    }
    reasons
}

/// Returns the file content: a heading per algorithm and network, a line per reason.
fn all() -> String {
    let mut text = String::new();
    let mut write = |algorithm: &Algorithm, on: &str, reasons: Reasons| {
        if !reasons.is_empty() {
            let _ = writeln!(text, "\n{} on {on}", algorithm.id);
        }
        for (id, reason) in reasons.iter().flat_map(|(id, all)| all.iter().map(move |reason| (id, reason))) {
            let _ = writeln!(text, "  {id}: {reason}");
        }
    };
    for algorithm in ALGORITHMS {
        write(algorithm, "cube:5, single messages", message_reasons(algorithm));
        for network in NETWORKS {
            write(algorithm, network.0, worm_reasons(algorithm, network));
        }
    }
    text
}

/// Returns the first line in which the texts differ.
fn difference(kept: &str, found: &str) -> Option<String> {
    let (mut kept, mut found) = (kept.lines(), found.lines());
    let mut number = 0;
    loop {
        number += 1;
        match (kept.next(), found.next()) {
            (None, None) => return None,
            (kept, found) if kept == found => {}
            (kept, found) => {
                return Some(format!(
                    "line {number}\n  kept:  {}\n  found: {}",
                    kept.unwrap_or("-"),
                    found.unwrap_or("-")
                ));
            }
        }
    }
}

#[test]
fn reasons_match_the_snapshot() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/core/snapshots/reasons.txt");
    let found = all();
    if std::env::var_os("FAULTLAB_RENEW").is_some() {
        std::fs::write(&path, &found).expect("a place to write to");
    }
    let kept = std::fs::read_to_string(&path).expect("the file of reasons");
    let differs = difference(&kept, &found);
    assert!(
        differs.is_none(),
        "reasons differ from {}: {}\nIf they are meant to, FAULTLAB_RENEW=1 with the same command writes them; look at every \
         difference.",
        path.display(),
        differs.unwrap_or_default()
    );
}

/// Compass directions, rows and columns are used for two dimensions only.
#[test]
fn higher_dimensions_use_no_compass_names() {
    let planar = ["West", "East", "North", "South", "row", "column", "WE", "EW", "NS", "SN"];
    for algorithm in ALGORITHMS {
        for network in NETWORKS.into_iter().filter(|(text, _)| text.matches('x').count() > 1) {
            for reason in worm_reasons(algorithm, network).into_values().flatten() {
                let mut words = reason.split(|letter: char| !letter.is_ascii_alphanumeric());
                assert!(!words.any(|word| planar.contains(&word)), "{} on {}: {reason}", algorithm.id, network.0);
            }
        }
    }
}

/// In a 3D mesh, the reason for each hop names the directions of its virtual network.
#[test]
fn virtual_networks_have_distinct_names() {
    let lh4 = ALGORITHMS.iter().find(|algorithm| algorithm.id == "lh4").expect("an algorithm");
    let minimal = worm_reasons(lh4, ("mesh:4x4x4", 0)).remove("minimal").expect("minimal hops");
    assert!(minimal.iter().any(|reason| reason.contains(", for 1")), "{minimal:?}");
    assert!(minimal.iter().all(|reason| reason.contains("2+") || reason.contains("2-")), "{minimal:?}");
    let network = |reason: &str| reason.split("virtual network ").nth(1).and_then(|rest| rest.chars().next());
    for (number, ways) in [('0', "1- and 2-"), ('1', "1+ and 2-"), ('2', "1- and 2+"), ('3', "1+ and 2+")] {
        assert!(
            minimal.iter().all(|reason| (network(reason) == Some(number)) == reason.ends_with(ways)),
            "{minimal:?}"
        );
    }
}
