//! Helpers shared by the tests of the core.
#![cfg_attr(target_arch = "wasm32", allow(dead_code, reason = "some modules are native only"))]

#[cfg(not(target_arch = "wasm32"))]
use faultlab::experiment::presets::preset;
use faultlab::experiment::sampler;
use faultlab::experiment::{CubePointConfig, Experiment, Instance, PointResult, Sweep, Tally};
use faultlab::fault::BlockFaults;
use faultlab::papers::{Item, PaperValue};
use faultlab::random::{Generator, below};
use faultlab::report::answers::Answers;
use faultlab::routing::{self, ALGORITHMS, Algorithm, LocalRouting, Shared, WormRouting};
use faultlab::topology::{Hypercube, Link, Mesh, NodeId};

/// Parses an experiment.
pub(crate) fn experiment(text: &str) -> Experiment {
    text.parse().expect("a valid experiment")
}

/// Returns the text of a preset with the key-value pairs of `changes` replaced.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn preset_text_with(id: &str, changes: &str) -> String {
    let key = |pair: &str| pair.split('=').next().unwrap_or_default().to_owned();
    let text = &preset(id).expect("a preset").experiment;
    let kept = text.split('&').filter(|pair| changes.split('&').all(|change| key(change) != key(pair)));
    kept.chain([changes]).collect::<Vec<_>>().join("&")
}

/// Returns whether this is a thorough run (`cargo xtask test --thorough`), which covers every case.
/// In other runs, tests of many similar cases take a sample. Always false in WebAssembly, which has
/// no environment variables.
pub(crate) fn is_thorough() -> bool {
    std::env::var_os("FAULTLAB_THOROUGH").is_some()
}

/// Returns the point of `text` on its hypercube.
pub(crate) fn point_config(text: &str) -> CubePointConfig {
    CubePointConfig::new(&experiment(text), None).expect("a hypercube")
}

/// Returns the trial of `text` that Watch shows.
pub(crate) fn instance(text: &str) -> Instance {
    Instance::new(&experiment(text), point_config(text))
}

/// Runs the first `trials` trials of the first algorithm of `text`.
pub(crate) fn sample(text: &str, trials: u64) -> Tally {
    let experiment = experiment(text);
    sampler(&experiment, None, &experiment.routing[0]).run(0, trials)
}

/// Returns the local routing of algorithm `id`.
pub(crate) fn local(id: &str) -> &'static dyn LocalRouting {
    let local = ALGORITHMS.iter().find(|algorithm| algorithm.id == id).and_then(Algorithm::local);
    local.expect("a local algorithm")
}

/// Returns the worm routing of algorithm `id`.
pub(crate) fn worm(id: &str) -> &'static dyn WormRouting {
    // Hierarchies are built on demand, so leak them to obtain a static reference.
    let algorithm = Box::leak(Box::new(routing::find(id).expect("an algorithm")));
    algorithm.worm.as_deref().expect("of worms")
}

/// Returns the worm routing of algorithm `id`, shared with a network.
pub(crate) fn shared_worm(id: &str) -> Shared<dyn WormRouting> {
    routing::find(id).expect("an algorithm").worm.clone().expect("of worms")
}

/// Runs every task of `sweep` in turn.
pub(crate) fn run(sweep: &mut Sweep) {
    while let Some(task) = sweep.next_task() {
        let tally =
            Sweep::sampler(sweep.experiment(), task.slot).expect("a slot of the sweep").run(task.first, task.count);
        sweep.submit(task, &tally);
    }
}

/// Runs the sweep of `text`.
pub(crate) fn sweep(text: &str) -> Sweep {
    let mut sweep = Sweep::new(&experiment(text));
    run(&mut sweep);
    sweep
}

/// Runs the sweep of `text` and returns its points.
pub(crate) fn measure(text: &str) -> Vec<PointResult> {
    sweep(text).points().to_vec()
}

/// Asserts that `hits` of `trials` agree with probability `p` within four standard deviations. That
/// fails for a correct result once in 16,000 cases, and all seeds are fixed.
#[track_caller]
pub(crate) fn assert_share(hits: u64, trials: u64, p: f64) {
    let (n, share) = (trials as f64, hits as f64 / trials as f64);
    let sigma = (p * (1.0 - p) / n).sqrt();
    assert!((share - p).abs() <= 4.0 * sigma + 1e-12, "{share} is {:+.1} sigma from {p}", (share - p) / sigma);
}

/// Asserts that two numbers are equal up to `tolerance`.
#[track_caller]
pub(crate) fn assert_close(a: f64, b: f64, tolerance: f64) {
    assert!((a - b).abs() <= tolerance, "{a} is not {b}");
}

/// Returns the cells of a published item from `docs/answers.bin`, or from new sweeps in a thorough
/// run. `answers::` checks that the file belongs to this version and that quick items are
/// reproduced bit by bit.
pub(crate) fn item_cells(item: &Item) -> Vec<PaperValue> {
    if !is_thorough() {
        let answers =
            Answers::from_bytes(include_bytes!("../../docs/answers.bin")).expect("the answers are of this version");
        return answers.get(item).expect("every item has its answer").cells().for_item(item);
    }
    let mut sweeps: Vec<_> = item.experiments(None).iter().map(Sweep::new).collect();
    sweeps.iter_mut().for_each(run);
    item.cells(&sweeps)
}

/// Returns the hypercube of `n` dimensions.
pub(crate) fn cube(n: u8) -> Hypercube {
    Hypercube::new(n).expect("1 to 64 dimensions")
}

/// Returns the mesh of this size.
pub(crate) fn mesh(rows: u16, columns: u16) -> Mesh {
    mesh_with_radices(&[rows, columns])
}

/// Returns the mesh of these radices, highest dimension first.
pub(crate) fn mesh_with_radices(radices: &[u16]) -> Mesh {
    Mesh::from_radices(radices).expect("a size")
}

/// Parses the faults of a mesh or torus, such as `1.2,3.4-4.4`.
pub(crate) fn mesh_faults(mesh: Mesh, text: &str) -> BlockFaults {
    let (mut nodes, mut links) = (Vec::new(), Vec::new());
    for text in text.split(',').filter(|text| !text.is_empty()) {
        match mesh.parse_link(text) {
            Some(link) => links.push(link),
            None => nodes.push(mesh.parse_node(text).expect("a node")),
        }
    }
    BlockFaults::new(mesh, &nodes, &links)
}

/// Samples up to `most` nodes and up to `most` links.
pub(crate) fn sample_raw_faults(mesh: Mesh, most: u32, generator: &mut Generator) -> (Vec<NodeId>, Vec<Link>) {
    let all: Vec<Link> = mesh.iter_links().collect();
    let nodes = (0..below(generator, most + 1)).map(|_| NodeId(u64::from(below(generator, mesh.nodes())))).collect();
    let links = (0..below(generator, most + 1)).map(|_| all[below(generator, all.len() as u32) as usize]).collect();
    (nodes, links)
}

/// Returns the closed faults of a mesh or torus sampled by [`sample_raw_faults`].
pub(crate) fn random_faults(mesh: Mesh, most: u32, generator: &mut Generator) -> BlockFaults {
    let (nodes, links) = sample_raw_faults(mesh, most, generator);
    BlockFaults::new(mesh, &nodes, &links)
}
