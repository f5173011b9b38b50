//! Coverage near saturation of every metric that has a mean there: single queues are compared with
//! closed forms, meshes with runs a hundred times as long.

use faultlab::experiment::{Estimate, Experiment, Status, Sweep, run, run_on_all_threads};
use faultlab::switching::SetupHistogram;
use rayon::prelude::*;

/// Number of seeds of each point. The standard error of a coverage of 95% is 1.5%.
const SEEDS: u64 = 200;
/// Seed of the measured true values. It differs from the seeds of all intervals.
const TRUTH: u64 = 1_000_003;
/// Loads at which queues are measured, as shares of their capacity.
const LOADS: [f64; 5] = [0.5, 0.8, 0.9, 0.95, 0.975];

/// A point and the true values of its metrics.
struct Point {
    name: String,
    text: String,
    truths: Vec<(&'static str, f64)>,
}

/// Measures the points whose names contain `part`, with both versions of the text, and prints a
/// Markdown table.
pub(crate) fn report(part: &str) {
    println!("| point | metric | truth | covered, v=1 | covered, v=2 | settled | half-width, v=2 |");
    println!("|---|---|---|---|---|---|---|");
    let queues = LOADS.iter().flat_map(|&load| [constant_service(load), exponential_service(load)]);
    let meshes = ["load=0.75&policy=queue", "load=1.2&vc=2"].map(mesh);
    for mut point in queues.chain(meshes).filter(|point| point.name.contains(part)) {
        measure_truths(&mut point);
        let [first, second] = ["1", "2"].map(|version| measure(&point, version));
        for (index, (metric, truth)) in point.truths.iter().enumerate() {
            let [(before, ..), (after, settled, width)] = [&first, &second].map(|found| found.coverage(index, *truth));
            println!(
                "| {} | {metric} | {truth:.5} | {before:.1}% | {after:.1}% | {settled} | {width:.2e} |",
                point.name,
            );
        }
    }
}

/// Estimates of all metrics, by seed.
struct Measured {
    estimates: Vec<Vec<Option<Estimate>>>,
}

impl Measured {
    /// Returns the share of intervals that cover `truth` (in percent), the number of seeds with an
    /// interval, and the mean half-width.
    fn coverage(&self, metric: usize, truth: f64) -> (f64, usize, f64) {
        let found: Vec<_> = self.estimates.iter().filter_map(|seed| seed[metric]).collect();
        let bounded: Vec<_> = found.iter().filter(|found| found.half_width().is_finite()).collect();
        let slack = truth.abs() * 1e-12;
        let covered = bounded.iter().filter(|found| found.low - slack <= truth && truth <= found.high + slack).count();
        let count = bounded.len().max(1) as f64;
        let width = bounded.iter().map(|found| found.half_width()).sum::<f64>() / count;
        (100.0 * covered as f64 / count, bounded.len(), width)
    }
}

fn measure(point: &Point, version: &str) -> Measured {
    let one = |seed| {
        let mut sweep = Sweep::new(&experiment(point, version, seed));
        run(&mut sweep);
        estimates(point, &sweep)
    };
    Measured { estimates: (1..=SEEDS).into_par_iter().map(one).collect() }
}

fn experiment(point: &Point, version: &str, seed: u64) -> Experiment {
    let text = format!("v={version}&{}&seed={seed}", point.text);
    text.parse().unwrap_or_else(|problem| panic!("{text}: {problem}"))
}

/// Returns the estimates of a point's metrics, in the order of its true values.
fn estimates(point: &Point, sweep: &Sweep) -> Vec<Option<Estimate>> {
    let (kind, found) = (sweep.experiment().kind(), &sweep.points()[0]);
    let of = |(id, _): &(&str, f64)| kind.metric(id).and_then(|metric| found.estimate(metric));
    point.truths.iter().map(of).collect()
}

/// Returns a point at which every source is a Geo/D/1 queue. Complement traffic under e-cube shares
/// no channel, and the service time is the message length.
fn constant_service(rho: f64) -> Point {
    const DIMENSIONS: u32 = 3;
    const LENGTH: usize = 16;
    let nodes = f64::from(1 << DIMENSIONS);
    let load = rho * nodes / (2.0 * (nodes - 1.0));
    let alone = f64::from(DIMENSIONS) + LENGTH as f64 - 1.0;
    let mut latencies = SetupHistogram::default();
    for (wait, probability) in waits(rho / LENGTH as f64, LENGTH).into_iter().enumerate() {
        add(&mut latencies, alone + wait as f64, probability);
    }
    let quantile = |share| latencies.quantile(share).unwrap_or(f64::NAN);
    Point {
        name: format!("Geo/D/1, {rho}"),
        text: format!(
            "net=cube:{DIMENSIONS}&switch=wormhole&route=e-cube&traffic=complement&length={LENGTH}&policy=queue&inject=1&load={load}"
        ),
        truths: vec![
            ("utilization", rho),
            ("latency", alone + rho * (LENGTH as f64 - 1.0) / (2.0 * (1.0 - rho))),
            ("latency-median", quantile(0.5)),
            ("latency-95", quantile(0.95)),
            ("throughput", rho),
            ("discarded", 0.0),
            ("lost", 0.0),
            ("hops", f64::from(DIMENSIONS)),
            ("busiest", rho),
        ],
    }
}

/// Returns the distribution of the wait in a Geo/D/1 queue.
///
/// The wait is the work that remains when a message arrives. A message arrives with probability `p`
/// in each cycle and takes `length` cycles. The balance equations give the probabilities one after
/// the other.
fn waits(p: f64, length: usize) -> Vec<f64> {
    let mut chain = vec![1.0, p / (1.0 - p)];
    let mut sum = 1.0 + chain[1];
    // Later probabilities are too small to change a sum in double precision.
    while chain.len() < 4 * length || chain[chain.len() - 1] > 1e-13 * sum {
        let now = chain.len() - 1;
        // The state `now` is reached from the state with one more cycle, or by an arrival.
        let came = match now.checked_sub(length) {
            None => 0.0,
            Some(0) => chain[0] + chain[1],
            Some(left) => chain[left + 1],
        };
        let next = (chain[now] - p * came) / (1.0 - p);
        sum += next;
        chain.push(next);
    }
    // A message arrives after a cycle in which one unit of work was done, if there was any.
    let idle = chain.remove(0);
    chain[0] += idle;
    chain.into_iter().map(|value| value / sum).collect()
}

/// Adds a value with a probability to a histogram, which counts in units of 1e-15.
fn add(histogram: &mut SetupHistogram, value: f64, probability: f64) {
    let mut one = SetupHistogram::default();
    one.add(value);
    one.counts.iter_mut().for_each(|count| *count *= (probability * 1e15) as u64);
    histogram.merge(&one);
}

/// Returns a point on a 1-cube, which is two M/M/1 queues.
fn exponential_service(rho: f64) -> Point {
    Point {
        name: format!("M/M/1, {rho}"),
        text: format!("net=cube:1&switch=circuit&route=e-cube&rate={rho}&within=0.05"),
        truths: vec![
            ("setup", rho / (1.0 - rho)),
            ("setup-95", libm::log(rho / 0.05) / (1.0 - rho)),
            ("throughput", rho),
            ("utilization", rho),
            ("busiest", rho),
            ("backlog", rho * rho / (1.0 - rho)),
            ("refused", 0.0),
        ],
    }
}

/// Returns a point of a mesh under e-cube, whose true values are measured.
fn mesh(keys: &str) -> Point {
    let metrics =
        ["utilization", "latency", "latency-median", "latency-95", "throughput", "discarded", "hops", "busiest"];
    Point {
        name: format!("`{keys}`"),
        text: format!("net=mesh:6x6&switch=wormhole&faults=none&route=e-cube&{keys}"),
        truths: metrics.map(|metric| (metric, f64::NAN)).to_vec(),
    }
}

/// Measures the true values that no closed form gives, by one run with intervals a twentieth as
/// wide.
fn measure_truths(point: &mut Point) {
    if point.truths.iter().all(|(_, truth)| !truth.is_nan()) {
        return;
    }
    let mut long = experiment(point, "2", TRUTH);
    (long.within, long.trials) = (long.within / 20.0, u64::MAX / 4);
    let sweep = run_on_all_threads(Sweep::new(&long));
    assert_eq!(sweep.points()[0].status, Status::Converged, "{}", point.name);
    let found = estimates(point, &sweep);
    for (truth, found) in point.truths.iter_mut().zip(found) {
        truth.1 = found.map_or(f64::NAN, |found| found.mean);
    }
}
