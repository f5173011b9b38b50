//! Routings whose largest channel load is an upper bound on the load factor.
//!
//! The messages over a cut use its wires in any routing, so some wire of the cut carries at least
//! the load divided by the wires. Messages may be divided among several paths.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

use super::LoadProblem;
use super::problem::HalfChannel;

/// Division of a message among the last channels of its shortest paths.
#[derive(Clone, Copy)]
enum Split {
    /// In proportion to the number of shortest paths.
    Even,
    /// The channel that is first in the list of the node, which is dimension-order routing on a
    /// mesh.
    First,
    /// The channel that is last in the list.
    Last,
}

/// Maximum number of channels examined while routes are improved.
const MAX_WORK: usize = 1 << 23;

/// Maximum number of improvements.
const MAX_ROUNDS: usize = 64;

/// Returns the smallest of the largest channel loads of several routings; infinite if a message has
/// no path. Routings are improved until a load reaches `enough`, as far as the work allows. Cost:
/// some times the nodes times the channels.
pub(super) fn smallest_channel_load(problem: &LoadProblem, enough: f64) -> f64 {
    let routed = |split| shortest_path_loads(problem, split);
    let Some(even) = routed(Split::Even) else { return f64::INFINITY };
    let (Some(first), Some(last)) = (routed(Split::First), routed(Split::Last)) else { return f64::INFINITY };
    let both = first.iter().zip(&last).map(|(a, b)| (a + b) / 2.0).collect();
    let mut all = vec![even, first, last, both];
    all.sort_by(|a, b| largest(a).total_cmp(&largest(b)));
    let best = all.swap_remove(0);
    let is_enough = |load: f64| load <= enough * (1.0 + 1e-9);
    if is_enough(largest(&best)) { largest(&best) } else { improve(problem, best, is_enough) }
}

fn largest(loads: &[f64]) -> f64 {
    loads.iter().copied().fold(0.0, f64::max)
}

/// Returns the smallest of the largest channel loads while a growing part of the messages moves to
/// paths that avoid loaded channels.
fn improve(problem: &LoadProblem, mut loads: Vec<f64>, is_enough: impl Fn(f64) -> bool) -> f64 {
    let mut best = largest(&loads);
    let rounds = MAX_WORK / (problem.nodes() * problem.channels()).max(1);
    for round in 0..rounds.min(MAX_ROUNDS) {
        let most = largest(&loads);
        let length = |load: &f64| {
            let share = load / most;
            let square = share * share;
            1 + (1e6 * square * square * square * square) as u64
        };
        let lengths: Vec<u64> = loads.iter().map(length).collect();
        let Some(other) = lightest_path_loads(problem, &lengths) else { return best };
        let step = 2.0 / (round as f64 + 4.0);
        loads.iter_mut().zip(other).for_each(|(load, other)| *load += step * (other - *load));
        best = best.min(largest(&loads));
        if is_enough(best) {
            break;
        }
    }
    best
}

/// Returns the channel loads if all messages take paths with the fewest channels; `None` if a
/// message has no path.
fn shortest_path_loads(problem: &LoadProblem, split: Split) -> Option<Vec<f64>> {
    let mut loads = vec![0.0; problem.channels()];
    for source in 0..problem.nodes() {
        let found = breadth_first(problem, source);
        let mut messages = problem.messages_from(source);
        has_paths(&messages, &found.distances)?;
        // From the most distant node on: messages pass on to the nodes before.
        for &node in found.order.iter().skip(1).rev() {
            let before = |half: &&HalfChannel| found.distances[half.node as usize] + 1 == found.distances[node];
            let mut halves = problem.incoming(node).iter().filter(before);
            let (count, paths) = (messages[node], found.paths[node]);
            let mut pass_on = |half: &HalfChannel, share: f64| {
                loads[half.channel as usize] += share;
                messages[half.node as usize] += share;
            };
            match split {
                Split::Even => {
                    halves.for_each(|half| pass_on(half, count * found.paths[half.node as usize] / paths));
                }
                Split::First => halves.next().into_iter().for_each(|half| pass_on(half, count)),
                Split::Last => halves.next_back().into_iter().for_each(|half| pass_on(half, count)),
            }
        }
    }
    Some(loads)
}

/// Distance of nodes that have no path.
const UNREACHED: u64 = u64::MAX / 2;

/// Returns `Some` if every node that gets messages has a distance.
fn has_paths(messages: &[f64], distances: &[u64]) -> Option<()> {
    // Rounding errors are no messages.
    messages.iter().zip(distances).all(|(&count, &distance)| count <= 1e-12 || distance < UNREACHED).then_some(())
}

/// Shortest paths from a source.
struct ShortestPaths {
    /// Nodes that have a path, by distance; the source is the first.
    order: Vec<usize>,
    /// Number of channels to each node.
    distances: Vec<u64>,
    /// Number of shortest paths to each node.
    paths: Vec<f64>,
}

fn breadth_first(problem: &LoadProblem, source: usize) -> ShortestPaths {
    let nodes = problem.nodes();
    let mut found = ShortestPaths { order: Vec::new(), distances: vec![UNREACHED; nodes], paths: vec![0.0; nodes] };
    (found.distances[source], found.paths[source]) = (0, 1.0);
    let mut rest = VecDeque::from([source]);
    while let Some(node) = rest.pop_front() {
        found.order.push(node);
        for half in problem.outgoing(node) {
            let (next, distance) = (half.node as usize, found.distances[node] + 1);
            if found.distances[next] == UNREACHED {
                found.distances[next] = distance;
                rest.push_back(next);
            }
            if found.distances[next] == distance {
                found.paths[next] += found.paths[node];
            }
        }
    }
    found
}

/// Returns the channel loads if all messages take a path whose channels have the smallest sum of
/// `lengths`, which are positive; `None` if a message has no path.
fn lightest_path_loads(problem: &LoadProblem, lengths: &[u64]) -> Option<Vec<f64>> {
    let nodes = problem.nodes();
    let mut loads = vec![0.0; problem.channels()];
    for source in 0..nodes {
        let (mut distances, mut last): (_, Vec<Option<HalfChannel>>) = (vec![UNREACHED; nodes], vec![None; nodes]);
        let (mut order, mut rest) = (Vec::new(), BinaryHeap::from([Reverse((0, source))]));
        distances[source] = 0;
        while let Some(Reverse((distance, node))) = rest.pop() {
            if distance > distances[node] {
                continue;
            }
            order.push(node);
            for half in problem.outgoing(node) {
                let (next, length) = (half.node as usize, distance + lengths[half.channel as usize]);
                if length < distances[next] {
                    (distances[next], last[next]) = (length, Some(HalfChannel { node: node as u32, ..*half }));
                    rest.push(Reverse((length, next)));
                }
            }
        }
        let mut messages = problem.messages_from(source);
        has_paths(&messages, &distances)?;
        for &node in order.iter().skip(1).rev() {
            if let Some(half) = last[node] {
                loads[half.channel as usize] += messages[node];
                messages[half.node as usize] += messages[node];
            }
        }
    }
    Some(loads)
}
