//! Congestion parameter, Lemma 6, and the constants of Lemma 7's proof.

use std::sync::Arc;

use super::{PAPER, bounded_cell, completed_run, equal, experiment, full, plain, tree, trial};
use crate::{Item, PaperValue, measured, verdict};
use faultlab_core::random::Key;
use faultlab_core::routing::fat_tree::ScheduleConstants;
use faultlab_core::switching::delivery::SurvivorPolicy;
use faultlab_core::theory::fat_tree::{congestion_parameter, lemma_6, random_schedule_cycles};
use faultlab_core::theory::oblivious::BoundSide;
use faultlab_experiment::proportion;

pub(super) const CONSTANTS: Item = Item {
    paper: &PAPER,
    id: "fat-tree-constants",
    title: "Section 4: the congestion parameter, Lemma 6, the constants of Lemma 7",
    about: "The congestion parameter `r` is `4e lg n` if all capacities are 1 and a constant on universal trees. With \
            p-subsets of `p = 1/(r lambda)`, Lemma 6 guarantees that half of the sent messages arrive, even if \
            congested channels lose all. The measured share is 93.8% and more, with a tenth of r still more than \
            half: r is about ten times too conservative. The proof's `k1 = 4r/q` and `k2 = 36r` make RANDOM spend all \
            its time on start-up: on 64 processors everything is sent in the first 6 cycles, for guesses from 0.03 to \
            0.53. The first guess above 1 is tried for 432,786 cycles, and any remaining messages arrive in the first \
            few hundred of them. Lemma 7 leaves the choice of q to the reader to verify; \
            it fails for r below 8.31.",
    charts: false,
    texts: Vec::new,
    compare: computed_once!(item => cells(item).unwrap_or_default()),
};

fn cells(item: &Item) -> Option<Vec<PaperValue>> {
    let mut cells = Vec::new();
    for capacity in ["skinny", "standard", "volume", "doubling"] {
        for n in [64u32, 1 << 20] {
            cells.push(parameter(item, capacity, n)?);
        }
    }
    for (capacity, traffic) in [
        ("standard", "random"),
        ("standard", "all-to-one:5"),
        ("volume", "bit-reversal"),
        ("skinny", "transpose"),
        ("sibling", "random*16"),
    ] {
        cells.extend(share(item, capacity, traffic)?);
    }
    let (row, column) = ("Lemma 7", "r below which its choice of q fails");
    let mut least = plain(item, "net=tree:64", (row, column), least_r(), "an erratum; the standard tree has r = 24.2");
    least.measured = least.measured.map(|r| libm::round(1000.0 * r) / 1000.0);
    cells.push(least);
    for (n, traffic) in [(64, "bit-reversal"), (64, "random*64"), (1024, "bit-reversal")] {
        cells.extend(start_up(item, n, traffic)?);
    }
    Some(cells)
}

/// Returns the cell of the congestion parameter r of a tree, at most 4e lg n.
fn parameter(item: &Item, capacity: &str, n: u32) -> Option<PaperValue> {
    let text = format!("net=tree:{n}&capacity={capacity}");
    let r = congestion_parameter(tree(&experiment(&text)?)?);
    let most = 4.0 * std::f64::consts::E * f64::from(n.ilog2());
    let (row, column) = (format!("{capacity}, n={n}"), "congestion parameter r");
    if capacity == "skinny" {
        let mut cell = equal(item, &full(&text), (&row, column), r, most);
        cell.remark = "claimed: 4e lg n".into();
        return Some(cell);
    }
    let mut cell = bounded_cell(item, &text, (&row, column), r, (BoundSide::AtMost, most));
    cell.remark = "claimed: at most 4e lg n, and a constant".into();
    Some(cell)
}

/// Returns the cells of the share of sent messages that arrive, with the computed r and with a
/// tenth of it.
fn share(item: &Item, capacity: &str, traffic: &str) -> Option<[PaperValue; 2]> {
    let text = format!("net=tree:64&traffic={traffic}&capacity={capacity}&survive=drop-all");
    let (experiment, trial) = (experiment(&text)?, trial(&text)?);
    let r = congestion_parameter(tree(&experiment)?);
    let cell = |careful: f64, column: &str| {
        let key = Key::from_seed(1);
        let found = lemma_6(trial.channels, &trial.messages, r / careful, SurvivorPolicy::DropAll, TRIALS, key).ok()?;
        let share = proportion(found.delivered, found.sent).map(|share| share.scaled(100.0, 0.0));
        let row = format!("Lemma 6, n=64, {capacity}, {traffic}");
        let mut cell = measured(item, None, row, column.to_owned(), share);
        cell.experiment = Arc::new(experiment.clone());
        if careful == 1.0 {
            cell.publish("50");
            cell.verdict = verdict::at_least(share, 50.0);
        }
        cell.remark =
            format!("r = {:.1}; {}", r / careful, if careful == 1.0 { "claimed: at least" } else { "not proved" });
        Some(cell)
    };
    Some([cell(1.0, "delivered if sent %")?, cell(10.0, "delivered if sent %, a tenth of r")?])
}

/// Number of p-subsets from which each share is measured.
const TRIALS: u32 = 4000;

/// Returns the smallest r for which the last inequality of Lemma 7's proof holds, (q^q
/// (1-q)^(1-q))^-1 (1 - 1/8r)^(1-q) <= 2^(-1/12r).
fn least_r() -> f64 {
    let fails = |r: f64| {
        let q = 1.0 / (libm::exp(4.0) * r * libm::log(r));
        let entropy = -(q * libm::log(q) + (1.0 - q) * libm::log(1.0 - q));
        entropy + (1.0 - q) * libm::log(1.0 - 1.0 / (8.0 * r)) > -std::f64::consts::LN_2 / (12.0 * r)
    };
    let (mut low, mut high) = (2.0, 50.0);
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if fails(middle) { low = middle } else { high = middle }
    }
    high
}

/// Returns the cells of RANDOM with the constants of the proof.
fn start_up(item: &Item, n: u32, traffic: &str) -> Option<[PaperValue; 2]> {
    let constants =
        ScheduleConstants::from_proof(congestion_parameter(tree(&experiment(&format!("net=tree:{n}"))?)?)).ok()?;
    let (k1, k2, r) =
        (libm::round(constants.k1()), libm::round(constants.k2()), libm::round(1000.0 * constants.r()) / 1000.0);
    let text = format!("net=tree:{n}&route=random-guess&traffic={traffic}&k1={k1}&k2={k2}&r={r}");
    let (run, lambda) = (completed_run(&text)?, trial(&text)?.load_factor.value());
    let counts = run.counts();
    let row = format!("proof's constants, n={n}, {traffic}");
    let most = random_schedule_cycles(&ScheduleConstants::new(k1, k2, r).ok()?, n, lambda);
    let mut cycles = bounded_cell(
        item,
        &text,
        (&row, "RANDOM, delivery cycles"),
        counts.completion as f64,
        (BoundSide::AtMost, most),
    );
    cycles.remark =
        format!("claimed: at most, with probability 1 - O(1/n); load factor {lambda}, k1 = {k1}, k2 = {k2}");
    let literal = counts.pseudocode_cycles as f64;
    let remark = format!("{:.0} times the load factor", literal / lambda);
    Some([cycles, plain(item, &text, (&row, "RANDOM, cycles of the pseudo-code"), literal, &remark)])
}
