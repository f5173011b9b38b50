//! Benchmark of the shipped routing rules, as a share of the speed of the equivalent built-in
//! algorithms: `cargo bench --bench rules`.
//!
//! Both algorithms run the same work in turn, and the fastest turn of each counts: other load on
//! the machine can only slow a turn down.

use std::sync::Arc;
use std::time::{Duration, Instant};

use faultlab::experiment::{Experiment, sampler};
use faultlab::fault::block::sample_isolated;
use faultlab::fault::{BlockFaults, FaultModel, FaultSampler, FaultSpec};
use faultlab::random::Key;
use faultlab::routing::rules::{EXAMPLES, RuleText};
use faultlab::routing::{self, Algorithm};
use faultlab::switching::{CircuitConfig, CircuitNetwork, WormholeConfig, WormholeNetwork};
use faultlab::topology::{Hypercube, Mesh, NodeId};

/// Number of turns of each algorithm.
const ROUNDS: u32 = 40;

/// Cases of the flit engine on a 16 x 16 mesh: file, user-defined and built-in name, load, faulty
/// nodes.
const WORMS: &[(&str, &str, &str, f64, u32)] = &[
    ("west-first", "my-west-first", "west-first", 0.3, 0),
    ("west-first", "my-west-first", "west-first", 0.72, 0),
    ("e-cube", "my-e-cube", "e-cube", 0.3, 0),
    ("e-cube", "my-e-cube", "e-cube", 0.72, 0),
    ("odd-even", "my-odd-even", "odd-even", 0.3, 0),
    ("f-cube2", "my-f-cube2", "f-cube2", 0.72, 8),
];

/// Cases of single messages: file, user-defined and built-in name, experiment.
const MESSAGES: &[(&str, &str, &str, &str)] = &[
    ("sidetracking", "my-sidetracking", "sidetracking", "net=cube:20&faults=nodes:0.5"),
    ("up", "my-up", "up", "net=cube:20&faults=nodes:0.2"),
];

/// Cases of circuits on a 6-cube: file, user-defined and built-in name, rate, faulty nodes.
const CIRCUITS: &[(&str, &str, &str, f64, u64)] =
    &[("up", "my-up", "up", 0.2, 0), ("e-cube", "my-e-cube", "e-cube", 0.2, 0), ("up", "my-up", "up", 0.2, 2)];

fn text_of(file: &str) -> &'static str {
    EXAMPLES.iter().find(|example| example.name == file).map_or("", |example| example.text)
}

fn user_algorithm(file: &str, name: &str) -> Option<Arc<Algorithm>> {
    RuleText::parse(text_of(file)).ok()?.find(name).cloned()
}

/// Runs both closures in turn and returns the speed of the first as a share of the speed of the
/// second, by the fastest turn of each.
fn relative_speed(mut turns: [&mut dyn FnMut(); 2]) -> f64 {
    let mut fastest = [Duration::MAX; 2];
    for _ in 0..ROUNDS {
        for (turn, fastest) in turns.iter_mut().zip(&mut fastest) {
            let start = Instant::now();
            turn();
            *fastest = (*fastest).min(start.elapsed());
        }
    }
    fastest[1].as_secs_f64() / fastest[0].as_secs_f64()
}

fn worms(algorithm: &Algorithm, load: f64, nodes: u32) -> Option<WormholeNetwork> {
    let (mesh, key) = (Mesh::new(16, 16)?, Key::from_seed(1));
    let (nodes, links) = sample_isolated(mesh, nodes, 0, &mut key.named("faults").generator())?;
    let config = WormholeConfig { load, ..WormholeConfig::new(algorithm.worm.clone()?) };
    let mut worms = WormholeNetwork::new(config, Arc::new(BlockFaults::new(mesh, &nodes, &links)), key).ok()?;
    (0..5_000).for_each(|_| worms.step(&mut ()));
    Some(worms)
}

fn circuits(algorithm: &Algorithm, rate: f64, nodes: u64) -> Option<CircuitNetwork> {
    let (cube, key) = (Hypercube::new(6)?, Key::from_seed(1));
    let spec = FaultSpec { model: FaultModel::Count(nodes), ..FaultSpec::NONE };
    let mut faults = FaultSampler::new(cube, &spec.into(), [NodeId::NONE; 2], key);
    CircuitNetwork::new(CircuitConfig::new(cube, algorithm.circuits()?, rate), &mut faults, key).ok()
}

fn main() {
    for &(file, name, built_in, rate, nodes) in CIRCUITS {
        let (Some(one), Ok(other)) = (user_algorithm(file, name), routing::find(built_in)) else { continue };
        let (Some(mut one), Some(mut other)) = (circuits(&one, rate, nodes), circuits(&other, rate, nodes)) else {
            continue;
        };
        // No user-defined routing is known to be free of deadlock, so the engine would search for
        // deadlocks. This benchmark does not measure that search.
        one.set_detection(false);
        let turn = |circuits: &mut CircuitNetwork| {
            (0..50_000).for_each(|_| {
                circuits.step(&mut ());
            })
        };
        let share = relative_speed([&mut || turn(&mut one), &mut || turn(&mut other)]);
        println!("circuits in cube:6, {nodes} nodes faulty: {name} at {share:.3} of the speed of {built_in}");
    }
    for &(file, name, built_in, load, nodes) in WORMS {
        let (Some(one), Ok(other)) = (user_algorithm(file, name), routing::find(built_in)) else { continue };
        let (Some(mut one), Some(mut other)) = (worms(&one, load, nodes), worms(&other, load, nodes)) else { continue };
        let turn = |worms: &mut WormholeNetwork| (0..2_000).for_each(|_| worms.step(&mut ()));
        let share = relative_speed([&mut || turn(&mut one), &mut || turn(&mut other)]);
        println!("16x16 load {load} {nodes} nodes faulty: {name} at {share:.3} of the speed of {built_in}");
    }
    for &(file, name, built_in, text) in MESSAGES {
        let with_rules = Experiment::with_rules(text, text_of(file));
        let (Ok(one), Ok(other)) = (with_rules, format!("{text}&route={built_in}").parse::<Experiment>()) else {
            continue;
        };
        let samplers = [&one, &other].map(|experiment| sampler(experiment, None, &experiment.routing[0]));
        let [mut one, mut other] = samplers;
        let share = relative_speed([&mut || drop(one.run(0, 2_000)), &mut || drop(other.run(0, 2_000))]);
        println!("{text}: {name} at {share:.3} of the speed of {built_in}");
    }
}
