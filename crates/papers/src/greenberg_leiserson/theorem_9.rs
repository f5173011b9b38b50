//! Theorem 9: message sets on which GREEDY takes a factor of lg n too long.

use super::{PAPER, bounded_cell, equal, experiment, full, tree};
use crate::{Item, PaperValue};
use faultlab_core::random::Key;
use faultlab_core::routing::fat_tree::Greedy;
use faultlab_core::switching::delivery::{DeliveryConfig, DeliveryRun, SurvivorPolicy};
use faultlab_core::theory::fat_tree::{BadSet, bad_set, bad_set_cycles, theorem_9_bound};
use faultlab_core::theory::oblivious::BoundSide;
use faultlab_core::topology::fat_tree::FatTree;

pub(super) const THEOREM_9: Item = Item {
    paper: &PAPER,
    id: "fat-tree-theorem9",
    title: "Theorem 9: bad message sets for GREEDY, and the claim's three properties",
    about: "The sets are built as in the proof, for `lambda = 48`. Property 1 fails on the paper's own capacities 1, \
            1, 2, 2, 4, 4, ..: the proof counts messages only at channels of even height; those of odd height, no \
            wider than the ones below, get `4/3 lambda`. On 1, 2, 2, 4, 4, .. all three properties hold. If the first \
            messages survive, GREEDY takes exactly `lambda (1 + lg n/6)` cycles, 80 for 16 processors and 96 for 64: \
            they grow with lg n, four times as fast as proved.",
    charts: false,
    texts: Vec::new,
    compare: computed_once!(item => cells(item).unwrap_or_default()),
};

/// Load factor of the sets.
const LAMBDA: u32 = 48;

/// Number of processors, capacities, and survivor policy.
const SETS: [(u32, &str, SurvivorPolicy); 7] = [
    (16, "standard", SurvivorPolicy::Left),
    (64, "standard", SurvivorPolicy::Left),
    (256, "standard", SurvivorPolicy::Left),
    (16, "sibling", SurvivorPolicy::Left),
    (64, "sibling", SurvivorPolicy::Left),
    (256, "sibling", SurvivorPolicy::Left),
    (64, "sibling", SurvivorPolicy::Alternate),
];

fn cells(item: &Item) -> Option<Vec<PaperValue>> {
    let cells = SETS.iter().map(|&(n, capacity, policy)| properties(item, n, capacity, policy));
    Some(cells.collect::<Option<Vec<_>>>()?.into_iter().flatten().collect())
}

fn properties(item: &Item, n: u32, capacity: &str, policy: SurvivorPolicy) -> Option<[PaperValue; 4]> {
    let text = format!("net=tree:{n}&traffic=bad:{LAMBDA}&capacity={capacity}&survive={policy}");
    let tree = tree(&experiment(&text)?)?;
    let wires = if capacity == "standard" { "1, 1, 2, 2, .." } else { "1, 2, 2, 4, .." };
    let row = format!("capacities {wires} n={n}, {policy}");
    let set = bad_set(tree, LAMBDA, policy, Key::from_seed(1)).ok()?;
    let load_factor = set.load_factor.value();
    let [empty, removing, all] = out_of_the_root(tree, set, policy)?;
    let lambda = f64::from(LAMBDA);
    let load = bounded_cell(item, &text, (&row, "property 1: load factor"), load_factor, (BoundSide::AtMost, lambda));
    let full_root = equal(item, &full(&text), (&row, "property 2: wires idle at the root"), empty, 0.0);
    let bound = theorem_9_bound(n, LAMBDA);
    let after =
        bounded_cell(item, &text, (&row, "property 3: cycles after that"), all - removing, (BoundSide::AtLeast, bound));
    let mut cycles = bounded_cell(item, &text, (&row, "GREEDY, delivery cycles"), all, (BoundSide::AtLeast, bound));
    if policy == SurvivorPolicy::Left {
        cycles.remark = format!("claimed: at least; lambda (1 + lg n/6) is {}", bad_set_cycles(n, LAMBDA));
    }
    Some([load, full_root, after, cycles])
}

/// Returns the number of idle root wires while GREEDY removes lambda sqrt(n)/12 messages, the
/// number of cycles until then, and the number of cycles until all messages have arrived.
fn out_of_the_root(tree: FatTree, set: BadSet, policy: SurvivorPolicy) -> Option<[f64; 3]> {
    let config = DeliveryConfig::new(tree.channels(), policy);
    let mut run = DeliveryRun::new(config, set.messages, Box::new(Greedy), Key::from_seed(1)).ok()?;
    let root = tree.capacity(tree.levels());
    let mut idle = 0;
    while run.outcome().is_none() && run.counts().delivered < LAMBDA * root / 12 {
        let before = run.counts().delivered;
        run.step();
        idle += root - (run.counts().delivered - before);
    }
    let removing = run.cycle();
    run.run_until(super::MOST_CYCLES);
    Some([f64::from(idle), f64::from(removing), run.counts().completion as f64])
}
