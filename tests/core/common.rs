//! What the tests of the core share.

#[cfg(not(target_arch = "wasm32"))]
use faultlab::experiment::presets::preset;
use faultlab::experiment::sampler;
use faultlab::experiment::{CubeCell, Experiment, Instance, PointResult, Sweep, Tally};
use faultlab::fault::BlockFaults;
use faultlab::papers::{Item, PaperCell};
use faultlab::random::{Generator, below};
use faultlab::report::answers::Answers;
use faultlab::routing::{self, ALGORITHMS, Algorithm, LocalRouting, Shared, WormRouting};
use faultlab::topology::{Hypercube, Link, Mesh, NodeId};

/// The experiment that `text` stands for.
pub(crate) fn experiment(text: &str) -> Experiment {
    text.parse().expect("a valid experiment")
}

/// The text of a preset with other values for the keys that `changes` names.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn changed(id: &str, changes: &str) -> String {
    let key = |pair: &str| pair.split('=').next().unwrap_or_default().to_owned();
    let text = &preset(id).expect("a preset").experiment;
    let kept = text.split('&').filter(|pair| changes.split('&').all(|change| key(change) != key(pair)));
    kept.chain([changes]).collect::<Vec<_>>().join("&")
}

/// Returns whether `cargo xtask test --thorough` asked for every case. Otherwise tests of many similar cases take some of them.
/// WebAssembly has no variables of the environment: there it is never asked for.
pub(crate) fn is_thorough() -> bool {
    std::env::var_os("FAULTLAB_THOROUGH").is_some()
}

/// The point of `text` on its hypercube.
pub(crate) fn cell(text: &str) -> CubeCell {
    CubeCell::new(&experiment(text), None).expect("a hypercube")
}

/// The trial of `text` that is watched.
pub(crate) fn instance(text: &str) -> Instance {
    Instance::new(&experiment(text), cell(text))
}

/// The first `trials` trials of the one algorithm and point of `text`.
pub(crate) fn sample(text: &str, trials: u64) -> Tally {
    let experiment = experiment(text);
    sampler(&experiment, None, &experiment.routing[0]).run(0, trials)
}

/// The local algorithm called `id`.
pub(crate) fn local(id: &str) -> &'static dyn LocalRouting {
    let local = ALGORITHMS.iter().find(|algorithm| algorithm.id == id).and_then(Algorithm::local);
    local.expect("a local algorithm")
}

/// How the algorithm called `id` decides for worms.
pub(crate) fn worm(id: &str) -> &'static dyn WormRouting {
    // Some are hierarchies, which nobody else keeps.
    let algorithm = Box::leak(Box::new(routing::find(id).expect("an algorithm")));
    algorithm.worm.as_deref().expect("of worms")
}

/// The same for a network, which holds it.
pub(crate) fn shared_worm(id: &str) -> Shared<dyn WormRouting> {
    routing::find(id).expect("an algorithm").worm.clone().expect("of worms")
}

/// Runs every task of `sweep` in turn.
pub(crate) fn run(sweep: &mut Sweep) {
    while let Some(task) = sweep.next_task() {
        let tally =
            Sweep::sampler(sweep.experiment(), task.slot).expect("a slot of the sweep").run(task.first, task.count);
        sweep.finish(task, &tally);
    }
}

/// The finished sweep of `text`.
pub(crate) fn sweep(text: &str) -> Sweep {
    let mut sweep = Sweep::new(&experiment(text));
    run(&mut sweep);
    sweep
}

/// The points of the finished sweep of `text`.
pub(crate) fn measure(text: &str) -> Vec<PointResult> {
    sweep(text).points().to_vec()
}

/// Asserts that `hits` of `trials` agree with probability `p`: within 4 standard deviations, which one in 16,000
/// right answers misses; and the seeds are fixed.
#[track_caller]
pub(crate) fn assert_share(hits: u64, trials: u64, p: f64) {
    let (n, share) = (trials as f64, hits as f64 / trials as f64);
    let sigma = (p * (1.0 - p) / n).sqrt();
    assert!((share - p).abs() <= 4.0 * sigma + 1e-12, "{share} is {:+.1} sigma from {p}", (share - p) / sigma);
}

/// Asserts that two numbers are equal but for rounding.
#[track_caller]
pub(crate) fn assert_close(a: f64, b: f64, tolerance: f64) {
    assert!((a - b).abs() <= tolerance, "{a} is not {b}");
}

/// The cells of a published item as Papers opens with them, from `docs/answers.bin`; in a thorough run its sweeps are run anew.
/// `answers::` holds that the file is of this version and that items which take a second come out to the last bit.
pub(crate) fn finished(item: &Item) -> Vec<PaperCell> {
    if !is_thorough() {
        let answers = Answers::read(include_bytes!("../../docs/answers.bin")).expect("the answers are of this version");
        return answers.of(item).expect("every item has its answer").cells().of(item);
    }
    let mut sweeps: Vec<_> = item.experiments(None).iter().map(Sweep::new).collect();
    sweeps.iter_mut().for_each(run);
    item.cells(&sweeps)
}

/// The hypercube of `n` dimensions.
pub(crate) fn cube(n: u8) -> Hypercube {
    Hypercube::new(n).expect("1 to 64 dimensions")
}

/// The mesh of this size.
pub(crate) fn mesh(rows: u16, columns: u16) -> Mesh {
    mesh_of(&[rows, columns])
}

/// The mesh of these radices, the highest dimension first.
pub(crate) fn mesh_of(radices: &[u16]) -> Mesh {
    Mesh::of(radices).expect("a size")
}

/// The faults of a mesh or torus from a text such as `1.2,3.4-4.4`.
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

/// Up to `most` nodes and up to `most` links anywhere, as drawn.
pub(crate) fn some_faults(mesh: Mesh, most: u32, generator: &mut Generator) -> (Vec<NodeId>, Vec<Link>) {
    let all: Vec<Link> = mesh.all_links().collect();
    let nodes = (0..below(generator, most + 1)).map(|_| NodeId(u64::from(below(generator, mesh.nodes())))).collect();
    let links = (0..below(generator, most + 1)).map(|_| all[below(generator, all.len() as u32) as usize]).collect();
    (nodes, links)
}

/// The faults of a mesh or torus that [`some_faults`] draws.
pub(crate) fn random_faults(mesh: Mesh, most: u32, generator: &mut Generator) -> BlockFaults {
    let (nodes, links) = some_faults(mesh, most, generator);
    BlockFaults::new(mesh, &nodes, &links)
}
