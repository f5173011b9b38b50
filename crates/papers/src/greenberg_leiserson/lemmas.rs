//! Section 4: Lemmas 3 to 5 and 7, and the constant k2 of the remark after Theorem 8.

use std::sync::Arc;

use super::{PAPER, bounded_cell, equal, experiment, full, plain, tree, trial};
use crate::{Item, PaperValue, measured, verdict};
use faultlab_core::random::{Key, below};
use faultlab_core::routing::fat_tree::ScheduleConstants;
use faultlab_core::theory::fat_tree::{
    bad_cycle_bound, bad_cycles, binomial_tail, congestion_parameter, congestion_probability, lemma_3_bound,
    lemma_4_bound, lemma_5_bound, random_constant_k2, random_failure_bound, subsets_until_halved,
};
use faultlab_core::theory::oblivious::BoundSide;
use faultlab_core::topology::fat_tree::TreeChannels;
use faultlab_experiment::proportion;

pub(super) const LEMMAS: Item = Item {
    paper: &PAPER,
    id: "fat-tree-lemmas",
    title: "Section 4: Lemmas 3 to 5, Lemma 7 with its bad cycles, and `k2 = 12(k+2)r`",
    about: "Each bound is compared with the exact probability, or with p-subsets that are sent. There are no \
            exceptions. The Chernoff bound of Lemma 3 exceeds the exact tail by a factor of e or more. The loop that \
            should halve the load factor with the proof's millions of p-subsets has halved it after fewer than two \
            thousand. `k2 = 12(k+2)r` is the proof's `36r` for `k = 1`.",
    charts: false,
    texts: Vec::new,
    compare: computed_once!(item => cells(item).unwrap_or_default()),
};

/// Message sets on which Lemmas 5 and 7 are checked: capacities and traffic of 64 processors.
const SETS: [(&str, &str); 3] = [("standard", "random*4"), ("volume", "bit-reversal"), ("skinny", "transpose")];

/// Number of runs of the loop of Lemma 7 for each message set.
const LOOPS: u64 = 30;

/// Number of p-subsets in which bad cycles are counted.
const CYCLES: u32 = 4_000;

fn cells(item: &Item) -> Option<Vec<PaperValue>> {
    let mut cells = chernoff(item);
    cells.push(lemma_4(item));
    for (capacity, traffic) in SETS {
        cells.extend(lemma_5(item, capacity, traffic)?);
    }
    for (capacity, traffic) in SETS {
        cells.extend(lemma_7(item, capacity, traffic)?);
    }
    cells.extend(constants(item)?);
    Some(cells)
}

/// Compares Lemma 3 with the exact tail for all s and t up to 60 and 19 probabilities.
fn chernoff(item: &Item) -> Vec<PaperValue> {
    let (mut cases, mut exceptions, mut closest) = (0, 0, 0.0f64);
    for t in 1..=60 {
        for (s, step) in (1..=t).flat_map(|s| (1..20).map(move |step| (s, step))) {
            let p = f64::from(step) / 20.0;
            let (tail, bound) = (binomial_tail(s, t, p), lemma_3_bound(s, t, p));
            cases += 1;
            exceptions += u32::from(tail > bound * (1.0 + 1e-9));
            closest = closest.max(tail / bound);
        }
    }
    let row = "Lemma 3, t = 1 to 60, s = 1 to t, p = .05 to .95";
    let mut wrong = equal(item, &full("net=tree:64"), (row, "exceptions"), f64::from(exceptions), 0.0);
    wrong.remark = format!("{cases} cases");
    let remark = "1/e, for s = t = 1";
    vec![wrong, plain(item, "net=tree:64", (row, "largest exact tail / bound"), closest, remark)]
}

/// Compares Lemma 4 with random distributions over the integers from -8 to 8.
fn lemma_4(item: &Item) -> PaperValue {
    let mut generator = Key::from_seed(4).generator();
    let (mut cases, mut exceptions) = (0, 0);
    for _ in 0..400 {
        let weights: Vec<f64> = (0..17).map(|_| f64::from(below(&mut generator, 8))).collect();
        let total: f64 = weights.iter().sum();
        let values = || weights.iter().zip(-8i32..);
        let Some(b) = values().filter(|(weight, _)| **weight > 0.0).map(|(_, value)| value).max() else { continue };
        let mean = values().map(|(weight, value)| weight * f64::from(value)).sum::<f64>() / total;
        for w in (-8..=8).filter(|&w| f64::from(w) < mean) {
            let chance = values().filter(|&(_, value)| value <= w).map(|(weight, _)| weight).sum::<f64>() / total;
            cases += 1;
            exceptions += u32::from(chance > lemma_4_bound(f64::from(b), mean, f64::from(w)) + 1e-9);
        }
    }
    let at = ("Lemma 4, random distributions", "exceptions");
    let mut cell = equal(item, &full("net=tree:64"), at, f64::from(exceptions), 0.0);
    cell.remark = format!("{cases} cases");
    cell
}

/// Compares Lemma 5 with the exact probability that a channel with the largest load of its height is
/// congested, for p-subsets of Lemma 6 and for ten times as large ones.
fn lemma_5(item: &Item, capacity: &str, traffic: &str) -> Option<Vec<PaperValue>> {
    let text = format!("net=tree:64&traffic={traffic}&capacity={capacity}");
    let (tree, trial) = (tree(&experiment(&text)?)?, trial(&text)?);
    let (r, lambda) = (congestion_parameter(tree), trial.load_factor.value());
    let mut cells = Vec::new();
    for height in 0..tree.levels() {
        let (cap, load) = (tree.capacity(height), largest_load(&trial.channels, trial.messages.ends(), height));
        for (factor, times) in [(1.0, ""), (10.0, ", ten times p")] {
            let p = factor / (r * lambda);
            let (row, column) = (
                format!("Lemma 5, n=64, {capacity}, {traffic}"),
                format!("probability that a channel at height {height} is congested{times}"),
            );
            let bound = lemma_5_bound(cap, lambda, p);
            let found = congestion_probability(cap, load, p);
            let mut cell = bounded_cell(item, &text, (&row, &column), found, (BoundSide::AtMost, bound));
            cell.publish(&format!("{bound:.3e}"));
            cell.remark = format!("claimed: at most; {cap} wires, {load} messages, p = {p:.5}");
            cells.push(cell);
        }
    }
    Some(cells)
}

/// Returns the largest number of messages that cross a channel of `height`.
fn largest_load(channels: &TreeChannels, ends: &[[u32; 2]], height: u8) -> u32 {
    let mut loads = vec![0u32; channels.table_size()];
    for &[from, to] in ends {
        channels.path(from, to, 0).for_each(|channel| loads[channel.0 as usize] += 1);
    }
    let here = channels.iter().filter(|&channel| channels.location(channel).is_some_and(|at| at.height == height));
    here.map(|channel| loads[channel.0 as usize]).max().unwrap_or(0)
}

/// Runs the loop of Lemma 7 with the constants of its proof, and counts bad cycles.
fn lemma_7(item: &Item, capacity: &str, traffic: &str) -> Option<Vec<PaperValue>> {
    let text = format!("net=tree:64&traffic={traffic}&capacity={capacity}&survive=drop-all");
    let (experiment, trial) = (experiment(&text)?, trial(&text)?);
    let (r, lambda) = (congestion_parameter(tree(&experiment)?), trial.load_factor.value());
    let constants = ScheduleConstants::from_proof(r).ok()?;
    let most = libm::ceil((constants.k1() * lambda).max(constants.k2() * 6.0)) as u32;
    let halved = |number| {
        let key = Key::from_seed(7).child(number);
        subsets_until_halved(trial.channels, &trial.messages, r, most, key).ok()?
    };
    let all: Vec<Option<u32>> = (0..LOOPS).map(halved).collect();
    let failed = all.iter().filter(|halved| halved.is_none()).count();
    let longest = all.iter().flatten().copied().max()?;
    let row = format!("Lemma 7, n=64, {capacity}, {traffic}");
    let mut fails = equal(item, &full(&text), (&row, "loops that do not halve the load factor"), failed as f64, 0.0);
    fails.remark = format!("claimed: with probability O(1/n^2); of {LOOPS} loops, load factor {lambda}, r = {r:.1}");
    let at = (&*row, "p-subsets until it is halved, the most");
    let mut subsets = bounded_cell(item, &text, at, f64::from(longest), (BoundSide::AtMost, f64::from(most)));
    subsets.remark = format!("claimed: at most max(k1 lambda, k2 lg n); of {LOOPS} loops");
    let found = bad_cycles(trial.channels, &trial.messages, r, CYCLES, Key::from_seed(8)).ok()?;
    let share = proportion(found.bad, found.cycles).map(|share| share.scaled(100.0, 0.0));
    let bound = 100.0 * bad_cycle_bound(r);
    let mut bad = measured(item, None, row, "bad cycles %".into(), share);
    bad.experiment = Arc::new(experiment);
    bad.publish(&format!("{bound:.2}"));
    bad.verdict = verdict::at_most(share, bound);
    bad.remark = format!("claimed: at most 1 - 1/(8r-1); of {CYCLES} p-subsets, for the channel with the largest load");
    Some(vec![fails, subsets, bad])
}

/// Compares k2 = 12(k+2)r with Lemma 7, and the probability that it leaves with 1/n^k.
fn constants(item: &Item) -> Option<Vec<PaperValue>> {
    let r = congestion_parameter(tree(&experiment("net=tree:64")?)?);
    let proof = ScheduleConstants::from_proof(r).ok()?;
    let mut cells = vec![equal(
        item,
        &full("net=tree:64"),
        ("k2 = 12(k+2)r, standard, n=64, k=1", "k2"),
        random_constant_k2(1, r),
        proof.k2(),
    )];
    for n in [64u32, 1024, 16384] {
        let guess = f64::from(n) * f64::from(n);
        let value = f64::from(n) * random_failure_bound(n, 1, guess);
        let row = format!("k2 = 12(k+2)r, k=1, n={n}");
        let at = (&*row, "n^k times the failure probability");
        let mut cell = bounded_cell(item, &format!("net=tree:{n}"), at, value, (BoundSide::AtMost, 1.0));
        cell.remark = "claimed: O(1); a guess of n^2; the product is the same for every k".into();
        cells.push(cell);
    }
    Some(cells)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text of the item: "halved it after fewer than two thousand".
    #[test]
    fn loops_halve_the_load_factor_within_2000_subsets() {
        let cells = LEMMAS.cells(&[]);
        let longest: Vec<_> =
            cells.iter().filter(|cell| cell.column.ends_with("until it is halved, the most")).collect();
        assert_eq!(longest.len(), SETS.len());
        assert!(longest.iter().all(|cell| cell.measured.is_some_and(|subsets| subsets < 2000.0)), "{longest:?}");
    }

    /// The failure probability for k is n^-k times a number that does not depend on k.
    #[test]
    fn failure_bound_falls_by_n_for_each_k() {
        for n in [64u32, 1024, 16384] {
            let scaled = |k| libm::pow(f64::from(n), f64::from(k)) * random_failure_bound(n, k, 4096.0);
            assert!([2, 3].iter().all(|&k| (scaled(k) / scaled(1) - 1.0).abs() < 1e-12), "{n}");
        }
    }
}
