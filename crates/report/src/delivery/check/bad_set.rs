//! Message set of Theorem 9: the three properties claimed in its proof, measured with GREEDY, and
//! its construction.

use crate::wording::facts::{BoundCheck, Fact, fact};
use faultlab_core::routing::fat_tree::CycleProof;
use faultlab_core::routing::{ALGORITHMS, Algorithm};
use faultlab_core::switching::delivery::SurvivorPolicy;
use faultlab_core::theory::fat_tree::{BadChoice, BadSet, theorem_9_bound};
use faultlab_core::theory::oblivious::{BoundSide, ClaimOutcome};
use faultlab_core::topology::fat_tree::Leaves;
use faultlab_experiment::DeliveryTrial;
use faultlab_experiment::delivery::{DeliveryDemand, DeliverySetting};

/// Premise of the theorems on fat-trees.
pub(super) const ALL_LIVE_PREMISE: &str = "it assumes that all wires are live";

/// Premise of Theorem 9 on switches, under which the theorem gives a constant.
pub(super) const DETERMINISTIC_PREMISE: &str =
    "it assumes deterministic switches; for others the paper has no constant";

/// Bad set with the measurements of GREEDY on it.
#[derive(Clone, Debug)]
pub struct BadSetResult {
    /// Load factor lambda for which the set is built.
    pub lambda: u32,
    /// Message set.
    pub set: BadSet,
    /// Number of wires of the root's channel.
    pub root: u32,
    /// Minimum number of messages per cycle that left by the root, until lambda sqrt(n)/12 messages
    /// had left.
    pub fewest: u32,
    /// Number of cycles of GREEDY after lambda sqrt(n)/12 messages had left; `None` if its run was
    /// not simulated to the end.
    pub later: Option<u64>,
    /// Bound of the theorem on the later cycles.
    pub bound: f64,
    /// True if all wires are live, as the theorem assumes.
    pub intact: bool,
    /// True if the switches are deterministic.
    pub is_deterministic: bool,
}

impl BadSetResult {
    /// Measures the set of `trial`; `None` for other messages. Simulates GREEDY for at most `most`
    /// cycles.
    pub(super) fn measure(leaves: Leaves, setting: &DeliverySetting, trial: &DeliveryTrial, most: u64) -> Option<Self> {
        let DeliveryDemand::BadSet(lambda) = setting.demand else { return None };
        let (set, root) = (trial.bad_set(leaves)?, trial.channels.wires_at(trial.channels.levels()));
        let greedy = ALGORITHMS.iter().find(|&algorithm| is_greedy(algorithm))?;
        let mut run = trial.start(greedy)?;
        let mut fewest = root;
        while run.outcome().is_none() && 12 * u64::from(run.counts().delivered) < u64::from(lambda) * u64::from(root) {
            let before = run.counts().delivered;
            run.step();
            fewest = fewest.min(run.counts().delivered - before);
        }
        let first = u64::from(run.cycle());
        let later = run.run_until(most).map(|_| run.counts().completion.saturating_sub(first));
        let (bound, intact) = (theorem_9_bound(leaves.processors(), lambda), trial.live.is_none());
        let certain = setting.policy != SurvivorPolicy::Random;
        Some(Self { lambda, set, root, fewest, later, bound, intact, is_deterministic: certain })
    }
}

/// Returns whether `algorithm` is the subject of Theorem 9.
fn is_greedy(algorithm: &Algorithm) -> bool {
    algorithm.delivery().is_some_and(|delivery| delivery.proof == CycleProof::Theorem9)
}

/// Returns the three properties, in the order of their numbers.
pub(super) fn properties(found: &BadSetResult) -> [BoundCheck; 3] {
    let (premise_holds, premise) =
        if found.intact { (found.is_deterministic, DETERMINISTIC_PREMISE) } else { (false, ALL_LIVE_PREMISE) };
    let load = BoundCheck::new(found.set.load_factor.value(), BoundSide::AtMost, found.lambda);
    [
        load.with_premise(found.intact, ALL_LIVE_PREMISE),
        BoundCheck::new(f64::from(found.fewest), BoundSide::AtLeast, found.root).with_premise(premise_holds, premise),
        BoundCheck::new(found.later.map(|later| later as f64), BoundSide::AtLeast, found.bound)
            .with_premise(premise_holds, premise),
    ]
}

/// Returns the facts on the properties, and on the choices that built the set.
pub(super) fn facts(found: &BadSetResult) -> Vec<Fact> {
    let [load, root, later] = properties(found);
    let meaning = if load.holds() == Some(ClaimOutcome::No) {
        "the property fails with capacities 1, 1, 2, 2, 4, 4, ..: the paper ignores the channels of odd height, whose \
         load factor is `4 lambda/3`. The property holds with the sibling capacities 1, 2, 2, 4, 4, .."
    } else {
        "at most `lambda`"
    };
    let mut facts = vec![
        load.fact("Theorem 9, property 1: load factor", meaning),
        root.fact(
            "Theorem 9, property 2: the root's channel is full",
            "the fewest messages that leave in a cycle while GREEDY delivers the first `lambda sqrt(n)/12`, compared \
             with the wires out of the root",
        ),
        later.fact(
            "Theorem 9, property 3: later cycles",
            "at least `lambda lg n/24` more cycles, until GREEDY has delivered the rest",
        ),
    ];
    facts.extend(found.set.choices.iter().map(step));
    facts
}

fn step(choice: &BadChoice) -> Fact {
    let processors = |first: u32, size: u32| match size {
        1 => format!("processor {first}"),
        _ => format!("processors {first} to {}", first + size - 1),
    };
    let quarter = choice.size / 4;
    let next = choice.first + u32::from(choice.unfavored) * quarter;
    let [a, b, c, d] = choice.removed;
    let meaning = format!(
        "in {} saturated cycles its quarters sent {a}, {b}, {c} and {d} messages out of the root. The quarter with \
         the fewest becomes the next bad set; the three others are loaded evenly",
        choice.cycles
    );
    let what = format!("Construction on {}", processors(choice.first, choice.size));
    fact(&what, format!("continues with {}", processors(next, quarter)), meaning)
}
