//! RANDOM': every message draws one of z cycles, and z doubles (Greenberg & Leiserson section 6,
//! Fig. 7).

use std::borrow::Cow;

use rand::Rng as _;

use super::{CycleAlgorithm, CycleProof, CycleRule, CycleScheduler, PAPER, Pending};
use crate::random::Generator;
use crate::routing::{Algorithm, DeadlockFreedom, Method, Promises, cost};

/// Entry of RANDOM' in the list of algorithms.
pub(in crate::routing) const ALGORITHM: Algorithm = Algorithm {
    id: Cow::Borrowed("random-prime"),
    name: Cow::Borrowed("RANDOM'"),
    summary: "Every message draws one of z cycles; z doubles after each pass.",
    guarantee: "O(lambda) cycles with probability 1 - O(1/n) if channels have Omega(lg n) wires (Theorem 11).",
    promises: Promises::shortest(DeadlockFreedom::NotApplicable),
    paper: PAPER,
    cost: cost::fat_tree::CYCLES,
    method: Method::Delivery(CycleAlgorithm {
        uses_constants: false,
        is_random: true,
        proof: CycleProof::Theorem11,
        start: |_, _| Box::new(RandomPrime::new()),
    }),
    dimension: None,
    worm: None,
};

/// Entry of the modified RANDOM' in the list of algorithms.
pub(in crate::routing) const REPEATED: Algorithm = Algorithm {
    id: Cow::Borrowed("random-prime-repeated"),
    name: Cow::Borrowed("modified RANDOM'"),
    summary: "RANDOM' with ceil(lg|M| + lg n) passes before z doubles.",
    guarantee: "O(lambda lg^2 n) cycles with high probability on the second network, whose wires have capacity 1 (section 6).",
    promises: Promises::shortest(DeadlockFreedom::NotApplicable),
    paper: PAPER,
    cost: cost::fat_tree::CYCLES,
    method: Method::Delivery(CycleAlgorithm {
        uses_constants: false,
        is_random: true,
        proof: CycleProof::Section6,
        start: |_, processors| Box::new(RandomPrime::repeated(processors)),
    }),
    dimension: None,
    worm: None,
};

/// The RANDOM' scheduler, at a position in its pseudo-code.
#[derive(Clone, Debug)]
pub struct RandomPrime {
    /// The number of processors n, for ceil(lg(n |M|)) passes; `None` for one pass.
    processors: Option<u32>,
    passes: u64,
    z: u64,
    pass: u64,
    cycle: u64,
    /// The messages in the order of the cycles that they drew.
    order: Vec<u32>,
    /// The start of each cycle's messages in `order`; the last entry is the end.
    starts: Vec<u32>,
    drawn: Vec<u32>,
}

impl RandomPrime {
    /// Maximum z, the maximum number of messages of a set. With 2^24 cycles, a large part of any
    /// set arrives in each pass. Memory grows with z.
    pub const MAX_Z: u64 = 1 << 24;

    /// Creates RANDOM' (Fig. 7).
    pub fn new() -> Self {
        let (order, starts, drawn) = Default::default();
        Self { processors: None, passes: 0, z: 1, pass: 0, cycle: 0, order, starts, drawn }
    }

    /// Creates the modified RANDOM' for a number of processors: ceil(lg|M| + lg n) passes for each
    /// z.
    pub fn repeated(processors: u32) -> Self {
        Self { processors: Some(processors), ..Self::new() }
    }

    /// Begins the next pass: every message draws a cycle.
    fn begin(&mut self, pending: &mut Pending, generator: &mut Generator) {
        if self.passes == 0 {
            // Compute lg of a product, rounded up, without logarithms.
            let product = |n: u32| u64::from(n) * u64::from(pending.count().max(1));
            self.passes =
                self.processors.map_or(1, |n| u64::from(product(n).next_power_of_two().trailing_zeros())).max(1);
        } else if self.pass == self.passes {
            self.z = (2 * self.z).min(Self::MAX_Z);
            self.pass = 0;
        }
        self.pass += 1;
        self.cycle = 0;
        let list = pending.list();
        // z is a power of two, so the highest bits of a word are uniform.
        let shift = 64 - self.z.trailing_zeros();
        let draw = |generator: &mut Generator| generator.next_u64().checked_shr(shift).unwrap_or(0) as u32;
        self.drawn.clear();
        self.drawn.extend(list.iter().map(|_| draw(generator)));
        bucket(list, &self.drawn, self.z as usize, &mut self.order, &mut self.starts);
    }
}

impl Default for RandomPrime {
    fn default() -> Self {
        Self::new()
    }
}

impl CycleScheduler for RandomPrime {
    fn next(&mut self, pending: &mut Pending, generator: &mut Generator, sent: &mut Vec<u32>) -> CycleRule {
        if self.passes == 0 || self.cycle == self.z {
            self.begin(pending, generator);
        }
        let place = self.cycle as usize;
        let [first, end] = [self.starts[place], self.starts[place + 1]];
        sent.extend_from_slice(&self.order[first as usize..end as usize]);
        self.cycle += 1;
        CycleRule::Drawn { cycle: self.cycle, z: self.z, pass: self.pass, of: self.passes }
    }

    fn idle_rest(&self) -> u64 {
        // Before the first pass, no cycles remain.
        if self.pass == 0 { 0 } else { (self.z - self.cycle) + (self.passes - self.pass) * self.z }
    }
}

/// Sorts the messages by their draws below `z` with a counting sort, and stores the start of each
/// value.
fn bucket(list: &[u32], drawn: &[u32], z: usize, order: &mut Vec<u32>, starts: &mut Vec<u32>) {
    starts.clear();
    starts.resize(z + 1, 0);
    drawn.iter().for_each(|&cycle| starts[cycle as usize] += 1);
    let mut end = 0;
    for start in starts.iter_mut() {
        end += *start;
        *start = end;
    }
    // Fill from the end, so that every start reaches its final index and each cycle's messages stay
    // in order.
    order.clear();
    order.resize(list.len(), 0);
    for (&message, &cycle) in list.iter().zip(drawn).rev() {
        let place = &mut starts[cycle as usize];
        *place -= 1;
        order[*place as usize] = message;
    }
}
