//! Networks with buffers in the nodes, simulated step by step, and their messages on a fat-tree
//! (Greenberg & Leiserson, Theorem 10).

use super::LoadFactor;
use crate::random::Key;
use crate::routing::fat_tree::{Random, ScheduleConstants};
use crate::switching::delivery::{DeliveryConfig, DeliveryOutcome, DeliveryRun, SurvivorPolicy};
use crate::topology::fat_tree::{FatTree, TreeChannels};
use crate::traffic::{MessageSet, Placement};

/// Network with buffers whose nodes are the processors of a fat-tree.
///
/// In a step every channel, one in each direction of a link, carries a message. Messages that wait
/// stay in the buffers of their node, which are unlimited; the first to arrive is sent first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BufferedNetwork {
    /// Mesh of as many rows as columns, or half as many rows, placed in [`Placement::ZOrder`].
    /// Messages move along the row first.
    Mesh,
    /// Hypercube. Messages correct their address bits in ascending order.
    Hypercube,
}

impl BufferedNetwork {
    /// All networks.
    pub const ALL: [Self; 2] = [Self::Mesh, Self::Hypercube];

    /// Returns the next node of a message on its way to another node, and the number of the
    /// channel, below [`BufferedNetwork::channels`]; `levels` is lg n. `None` at the destination.
    fn next(self, levels: u8, at: u32, to: u32) -> Option<(u32, u32)> {
        if at == to {
            return None;
        }
        match self {
            Self::Hypercube => {
                let dim = (at ^ to).trailing_zeros();
                Some((at ^ 1 << dim, at * u32::from(levels) + dim))
            }
            Self::Mesh => {
                let ([row, column], [goal_row, goal_column]) = (z_order(at), z_order(to));
                let step = |from: u32, to: u32| if to > from { from + 1 } else { from - 1 };
                let (port, row, column) = match (goal_column.cmp(&column), goal_row.cmp(&row)) {
                    (std::cmp::Ordering::Equal, order) => (2 + u32::from(order.is_gt()), step(row, goal_row), column),
                    (order, _) => (u32::from(order.is_gt()), row, step(column, goal_column)),
                };
                Some((Placement::ZOrder.processor(levels, row, column), 4 * at + port))
            }
        }
    }

    /// Returns an upper bound on the numbers of channels.
    fn channels(self, processors: u32) -> usize {
        let ports = match self {
            Self::Mesh => 4,
            Self::Hypercube => processors.max(1).ilog2() as usize,
        };
        processors as usize * ports
    }
}

/// Returns the row and column of a processor in [`Placement::ZOrder`].
fn z_order(processor: u32) -> [u32; 2] {
    let bits = |first: u32| (0..16).fold(0, |bits, bit| bits | (processor >> (2 * bit + first) & 1) << bit);
    [bits(1), bits(0)]
}

/// Delivers messages on a network with buffers. Returns the messages that move in each step, from a
/// node to a neighbour; `None` if more than `most` moves or waits would be simulated, or if
/// messages leave by the root of the tree.
///
/// Cost: a step for each message and each step of the network until it arrives.
pub fn buffered_steps(network: BufferedNetwork, messages: &MessageSet, most: u64) -> Option<Vec<Vec<[u32; 2]>>> {
    let processors = messages.processors();
    let levels = processors.max(1).ilog2() as u8;
    if messages.has_external_messages() {
        return None;
    }
    // Messages in the order in which they came to their node.
    let mut waiting: Vec<[u32; 2]> = messages.ends().iter().copied().filter(|[from, to]| from != to).collect();
    let mut used_in = vec![0u32; network.channels(processors)];
    let (mut steps, mut work) = (Vec::new(), 0);
    while !waiting.is_empty() {
        work += waiting.len() as u64;
        if work > most {
            return None;
        }
        let step = steps.len() as u32 + 1;
        let (mut staying, mut moved, mut moves) = (Vec::new(), Vec::new(), Vec::new());
        for [at, to] in waiting {
            match network.next(levels, at, to) {
                Some((_, channel)) if used_in[channel as usize] == step => staying.push([at, to]),
                Some((next, channel)) => {
                    used_in[channel as usize] = step;
                    moves.push([at, next]);
                    moved.push([next, to]);
                }
                None => {}
            }
        }
        staying.extend(moved.into_iter().filter(|[at, to]| at != to));
        waiting = staying;
        steps.push(moves);
    }
    Some(steps)
}

/// Simulation of a network with buffers by a fat-tree under RANDOM.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BufferedSimulation {
    /// Number of processors, n.
    pub processors: u32,
    /// Number of steps t in which the network delivers the messages.
    pub steps: u32,
    /// Number of moves of a message to a neighbour in all steps.
    pub moves: u64,
    /// Load factor of the messages on the fat-tree.
    pub load_factor: LoadFactor,
    /// Largest load factor of the messages of a step.
    pub step_load_factor: LoadFactor,
    /// Delivery cycles of RANDOM for all messages at once, as in the proof of Theorem 10.
    pub cycles: u64,
    /// Delivery cycles of RANDOM if the fat-tree delivers the moves of one step after those of the
    /// step before.
    pub stepwise_cycles: u64,
}

/// Maximum number of moves and waits of a simulated network.
const MAX_MOVES: u64 = 1 << 22;

/// Maximum number of delivery cycles of a message set, and of message visits in all of them.
const MAX_CYCLES: u64 = 1 << 16;

impl BufferedSimulation {
    /// Simulates `network` with `messages` on `tree`. RANDOM has the given constants; at
    /// over-subscribed channels random messages survive.
    ///
    /// Returns `None` if the simulation takes too long, if messages leave by the root, and if no
    /// message moves. Cost: the messages, times the steps and delivery cycles.
    pub fn new(
        network: BufferedNetwork,
        tree: FatTree,
        messages: &MessageSet,
        constants: &ScheduleConstants,
        key: Key,
    ) -> Option<Self> {
        let channels = tree.channels();
        let steps = buffered_steps(network, messages, MAX_MOVES)?;
        let cycles = random_cycles(channels, messages.clone(), constants, key.child(0))?;
        let mut found = Self {
            processors: tree.processors(),
            steps: steps.len() as u32,
            moves: 0,
            load_factor: LoadFactor::new(&channels, messages.ends()),
            step_load_factor: LoadFactor::new(&channels, &[]),
            cycles,
            stepwise_cycles: 0,
        };
        for (number, moves) in (1..).zip(&steps) {
            let pairs: Vec<_> = moves.iter().map(|&[from, to]| (from, to)).collect();
            let messages = MessageSet::from_pairs(tree.processors().into(), &pairs).ok()?;
            found.moves += moves.len() as u64;
            found.step_load_factor = found.step_load_factor.max(LoadFactor::new(&channels, moves));
            found.stepwise_cycles += random_cycles(channels, messages, constants, key.child(number))?;
        }
        (found.steps > 0).then_some(found)
    }

    /// Returns `cycles` in units of Theorem 10, t + lg lg n steps.
    ///
    /// A cycle and a step of the bound both take lg^2 n bit times, which cancel.
    pub fn ratio(&self, cycles: u64) -> f64 {
        cycles as f64 / (f64::from(self.steps) + libm::log2(libm::log2(f64::from(self.processors.max(2)))))
    }
}

/// Returns the delivery cycles of RANDOM, until the last message arrives.
fn random_cycles(channels: TreeChannels, messages: MessageSet, constants: &ScheduleConstants, key: Key) -> Option<u64> {
    let scheduler = Box::new(Random::new(*constants, channels.processors()));
    let config = DeliveryConfig::new(channels, SurvivorPolicy::Random);
    let mut run = DeliveryRun::new(config, messages, scheduler, key).ok()?;
    let outcome = run.run_until(MAX_CYCLES);
    matches!(outcome, Some(DeliveryOutcome::Delivered { .. })).then(|| run.counts().completion)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::fat_tree::Profile;
    use crate::traffic::{MessagePattern, NamedPermutation, Permutation};

    const MOST: u64 = 1 << 22;

    fn messages(n: u64, text: &str, seed: u64) -> MessageSet {
        let pattern = MessagePattern::parse(text).expect("a pattern");
        MessageSet::new(n, pattern, Key::from_seed(seed)).expect("messages")
    }

    fn distance(network: BufferedNetwork, [from, to]: [u32; 2]) -> u32 {
        let ([row, column], [other_row, other_column]) = (z_order(from), z_order(to));
        match network {
            BufferedNetwork::Mesh => row.abs_diff(other_row) + column.abs_diff(other_column),
            BufferedNetwork::Hypercube => (from ^ to).count_ones(),
        }
    }

    /// Every move leads to a neighbour, no channel carries two messages in a step, and the moves
    /// are as many as the hops of shortest paths.
    #[test]
    fn steps_are_moves_on_free_channels_along_shortest_paths() {
        for (network, n) in BufferedNetwork::ALL.into_iter().flat_map(|network| [(network, 32), (network, 64)]) {
            for (text, seed) in [("random*3", 1), ("random", 2), ("all-to-one:5", 3), ("complement", 4)] {
                let messages = messages(n, text, seed);
                let steps = buffered_steps(network, &messages, MOST).expect("steps");
                let lengths = messages.ends().iter().map(|&ends| distance(network, ends));
                let (longest, hops) = (lengths.clone().max().expect("messages"), lengths.map(u64::from).sum::<u64>());
                assert_eq!(steps.iter().map(|moves| moves.len() as u64).sum::<u64>(), hops, "{network:?} {n} {text}");
                assert!(steps.len() as u32 >= longest);
                for moves in &steps {
                    let mut sorted = moves.clone();
                    sorted.sort();
                    sorted.dedup();
                    assert_eq!(sorted.len(), moves.len(), "{network:?} {n} {text}: a channel carries two messages");
                    assert!(moves.iter().all(|&ends| distance(network, ends) == 1), "{moves:?}");
                }
                // As many messages come to each node as leave it, except for sources and destinations.
                let mut balance = vec![0i64; n as usize];
                for [from, to] in steps.iter().flatten() {
                    balance[*from as usize] -= 1;
                    balance[*to as usize] += 1;
                }
                for [from, to] in messages.ends() {
                    balance[*from as usize] += 1;
                    balance[*to as usize] -= 1;
                }
                assert!(balance.iter().all(|&rest| rest == 0));
            }
        }
    }

    /// Closed forms: the complement on a hypercube never waits, because bits are corrected in one
    /// order, so t = lg n. Of the messages to a corner of a k x k mesh, k^2 - k arrive over the
    /// channel along the column, which never waits.
    #[test]
    fn numbers_of_steps_match_closed_forms() {
        let steps = |network, n, text| buffered_steps(network, &messages(n, text, 1), MOST).expect("steps").len();
        for (n, levels) in [(8, 3), (64, 6), (256, 8)] {
            assert_eq!(steps(BufferedNetwork::Hypercube, n, "complement"), levels);
        }
        assert_eq!(steps(BufferedNetwork::Mesh, 2, "one-to-all:0"), 1);
        for (n, side) in [(16, 4), (64, 8), (256, 16)] {
            assert_eq!(steps(BufferedNetwork::Mesh, n, "all-to-one:0"), side * side - side);
        }
        assert_eq!(buffered_steps(BufferedNetwork::Mesh, &messages(64, "random", 1), 10), None);
        assert_eq!(buffered_steps(BufferedNetwork::Mesh, &messages(64, "out", 1), MOST), None);
    }

    /// The proof of Theorem 10: a message that crosses a channel of the fat-tree crosses it in some
    /// step, so the load factor is at most t times that of the worst step, which is at most that of
    /// all links.
    #[test]
    fn load_factors_are_bounded_by_those_of_the_steps() {
        let constants = ScheduleConstants::new(1.0, 1.0, 1.0).expect("constants");
        for (network, whole) in [(BufferedNetwork::Mesh, "mesh:z-order"), (BufferedNetwork::Hypercube, "cube")] {
            for (profile, n) in [(Profile::Volume, 64), (Profile::Standard, 256), (Profile::Doubling, 32)] {
                let tree = FatTree::new(n, &profile).expect("a tree");
                let all = LoadFactor::new(&tree.channels(), messages(n, whole, 1).ends()).value();
                for (text, seed) in [("random", 5), ("random*4", 6), ("transpose", 7)] {
                    let (set, key) = (messages(n, text, seed), Key::from_seed(seed));
                    let found = BufferedSimulation::new(network, tree, &set, &constants, key).expect("a simulation");
                    let (load, step) = (found.load_factor.value(), found.step_load_factor.value());
                    assert!(step <= all && load <= f64::from(found.steps) * step, "{network:?} {n} {text}");
                    assert!(found.cycles >= found.load_factor.cycles().into());
                    assert!(found.stepwise_cycles >= found.steps.into());
                    assert!(found.ratio(found.cycles) > 0.0);
                }
            }
        }
    }

    #[test]
    fn sets_without_moves_have_no_simulation() {
        let tree = FatTree::new(16, &Profile::Standard).expect("a tree");
        let constants = ScheduleConstants::new(1.0, 1.0, 1.0).expect("constants");
        let still = MessageSet::from_pairs(16, &[(3, 3)]).expect("messages");
        let key = Key::from_seed(1);
        assert_eq!(BufferedSimulation::new(BufferedNetwork::Mesh, tree, &still, &constants, key), None);
        let permutation = MessagePattern::Permutation(Permutation::Named(NamedPermutation::Complement), 1);
        let set = MessageSet::new(16, permutation, key).expect("messages");
        assert!(BufferedSimulation::new(BufferedNetwork::Mesh, tree, &set, &constants, key).is_some());
    }
}
