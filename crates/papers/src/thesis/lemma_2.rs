//! Lemma 2: the number of active nodes, and of the intermediate nodes that they can choose from.

use super::{PAPER, bounded, exact, trial};
use crate::{Item, PaperValue};
use faultlab_core::fault::{ActiveSet, FaultyNodes, Tolerance};
use faultlab_core::theory::oblivious::{
    BoundSide, Claim, Premise, Statement, inactive_of_one_fault, lemma_2_faults, smallest_choice,
};
use faultlab_core::topology::{Hypercube, NodeId};
use faultlab_experiment::PermutationTrial;

pub(super) const LEMMA_2: Item = Item {
    paper: &PAPER,
    id: "thesis-lemma2",
    title: "Lemma 2: active nodes, and the smallest set of intermediate nodes",
    about: "At the lemma's limit of `N/(3n^2(n+2))` faults, at most a tenth as many nodes are inactive as it allows, \
            wherever the faults are. Below `n = 13` the limit is no fault at all: a single one makes a number of \
            nodes inactive that is known in closed form, seven of sixteen at `n = 6` and four of a thousand at `n = \
            14`. Far beyond the limit scattered faults do more harm than clustered ones, since they break different \
            paths. The sets of intermediate nodes are those of a sample of pairs, including nodes that send to \
            themselves, whose sets the length cap reduces most.",
    charts: false,
    texts: Vec::new,
    compare: computed_once!(item => cells(item).unwrap_or_default()),
};

/// Golden counts: dimension, scattered faults, active nodes under Algorithm A and under B, counted
/// by other programs.
const GOLDEN: [(u8, u32, u32, u32); 3] = [(6, 1, 36, 16), (8, 1, 225, 144), (10, 2, 900, 672)];

/// Row, dimension, faults, and a flag for checking the sets of intermediate nodes too.
const INSTANCES: [(&str, u8, &str, bool); 11] = [
    ("n=13, 1 fault", 13, "count:1", true),
    ("n=14, 1 fault", 14, "count:1", true),
    ("n=16, 4 random faults", 16, "count:4", true),
    ("n=16, ball of 4", 16, "ball:4", false),
    ("n=16, subcube of 4", 16, "subcube:4", false),
    ("n=16, 4 neighbors of a node", 16, "neighbors:4", false),
    ("n=16, funnel of 4", 16, "funnel:4", false),
    ("n=16, 64 random faults", 16, "count:64", false),
    ("n=16, ball of 64", 16, "ball:64", false),
    ("n=16, 256 random faults", 16, "count:256", false),
    ("n=16, ball of 256", 16, "ball:256", false),
];

fn text(n: u8, faults: &str) -> String {
    format!("switch=permutation&net=cube:{n}&faults={faults}&route=algorithm-a")
}

fn cells(item: &Item) -> Option<Vec<PaperValue>> {
    let mut cells = Vec::new();
    for golden in GOLDEN {
        cells.extend(counted(item, golden)?);
    }
    for n in [6, 8, 10, 12, 14] {
        cells.push(inactive_cell(item, n)?);
    }
    for (row, n, faults, sets) in INSTANCES {
        let text = text(n, faults);
        let trial = trial(&text)?;
        let (most, faults) = (lemma_2_faults(n), trial.routing.faulty().count());
        let few = (faults > most).then_some(Premise::Faults { most, faults });
        let active = claim(n, few, Statement::ActiveNodes, f64::from(trial.routing.active_set()?.count()));
        cells.push(bounded(item, &text, (row, "active nodes"), &active)?);
        if sets {
            let smallest = claim(n, few, Statement::SmallestChoice, sample(&trial)?);
            cells.push(bounded(item, &text, (row, "smallest I_sd of 12 pairs"), &smallest)?);
        }
    }
    Some(cells)
}

/// Creates the claim that `measured` is at least (1-1/n)N.
fn claim(n: u8, fails: Option<Premise>, statement: Statement, measured: f64) -> Claim {
    let bound = (1.0 - 1.0 / f64::from(n)) * f64::from(1u32 << n);
    Claim { statement, unmet_premise: fails, bound, side: BoundSide::AtLeast, measured: Some(measured) }
}

fn counted(item: &Item, (n, count, of_a, of_b): (u8, u32, u32, u32)) -> Option<[PaperValue; 2]> {
    let faulty = FaultyNodes::scattered(Hypercube::new(n)?, count)?;
    let broken: Vec<_> = faulty.iter().map(|node| node.0.to_string()).collect();
    let nodes = broken.join(",");
    let text = format!("switch=permutation&net=cube:{n}&faults=none&break={nodes}&route=algorithm-a,algorithm-b");
    let row = format!("n={n}, faulty {}", broken.join(" and "));
    let cell = |column, set: ActiveSet, expected: u32| {
        let found = set.count();
        let mut cell = exact(item, &text, (&row, column), f64::from(found), &expected.to_string(), found == expected);
        cell.remark = "counted from the definition by another program".into();
        cell
    };
    Some([
        cell("active nodes, A", ActiveSet::algorithm_a(faulty.clone(), Tolerance::Thesis), of_a),
        cell("active nodes, B", ActiveSet::algorithm_b(faulty.clone(), Tolerance::Thesis)?, of_b),
    ])
}

/// Returns the cell of the number of nodes that one fault makes inactive, with its closed form.
fn inactive_cell(item: &Item, n: u8) -> Option<PaperValue> {
    let text = text(n, "count:1");
    let nodes = 1u64 << n;
    let inactive = nodes - u64::from(trial(&text)?.routing.active_set()?.count());
    let expected = inactive_of_one_fault(n);
    let row = format!("n={n}, one fault");
    let mut cell =
        exact(item, &text, (&row, "inactive nodes"), inactive as f64, &expected.to_string(), inactive == expected);
    let share = 100.0 * inactive as f64 / nodes as f64;
    cell.remark = format!("2^(H+1) - 2^max(0, 2H-n), {share:.1}% of all; Lemma 2 allows {:.1}%", 100.0 / f64::from(n));
    Some(cell)
}

/// Returns the smallest I_sd in a sample of pairs of active nodes.
///
/// Each of four sources sends to itself, to the first active node from the opposite node on, and to
/// a node elsewhere.
fn sample(trial: &PermutationTrial) -> Option<f64> {
    let active: Vec<_> = trial.routing.active_set()?.iter().collect();
    let (count, mask) = (active.len(), trial.routing.cube().mask());
    let elsewhere = |place: usize| active[(place * 7 + count / 3) % count];
    let opposite = |node: NodeId| {
        let wanted = NodeId(node.0 ^ mask);
        active.get(active.partition_point(|&other| other < wanted)).copied().unwrap_or(active[count - 1])
    };
    let sources = (0..4).map(|k| k * count / 4);
    let pairs = sources.flat_map(|place| {
        let from = active[place];
        [(from, from), (from, opposite(from)), (from, elsewhere(place))]
    });
    smallest_choice(&*trial.routing, pairs).map(|smallest| smallest as f64)
}
