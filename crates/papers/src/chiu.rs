//! Chiu, Chalasani & Raghavendra, Flexible, Fault-Tolerant Routing Criteria for Circuit-Switched
//! Hypercubes.

mod claims;
mod examples;
mod figures;
mod partitions;
mod theorems;

use super::{Item, Paper, PaperValue, Verdict, measured};
use faultlab_experiment::crossover;
use faultlab_experiment::crossover::Crossover;
use faultlab_experiment::{Estimate, Sweep};
use faultlab_experiment::{circuit, pairs};

/// Paper of Chiu, Chalasani and Raghavendra.
pub(super) const PAPER: Paper = Paper {
    id: "chiu-chalasani-raghavendra",
    title: "Flexible, Fault-Tolerant Routing Criteria for Circuit-Switched Hypercubes",
    authors: "G.-M. Chiu, S. Chalasani and C. S. Raghavendra",
    kinds: &[&circuit::KIND, &pairs::KIND],
    about: "Worked examples and theorems are checked exactly; figures and claims of the performance study are simulated \
            again. The paper prints few numbers and no intervals. Gains and crossovers come from runs with the same \
            messages. If a network jams for good, no mean exists and none is shown.",
    fine: 0.005,
    fine_words: "four times as precise (±0.5% of the mean)",
};

/// Items in the order of the paper.
pub(super) const ITEMS: &[Item] = &[
    examples::EXAMPLES,
    theorems::THEOREMS,
    figures::FIGURE_4,
    figures::FIGURE_5,
    figures::FIGURE_6,
    figures::FIGURE_7,
    figures::FIGURE_8,
    claims::CLAIMS,
    partitions::PARTITIONS,
];

/// Mean setup time that ends the operational range: ten mean transmission times.
///
/// The paper's wording is "unreasonably large" (section V.B.1). Beyond this setup time, a little
/// more traffic leads to a jam.
const UNREASONABLE: f64 = 10.0;

/// Returns the rates of a sweep.
fn rates(sweep: Option<&Sweep>, text: &str) -> Vec<f64> {
    let parsed = || text.parse::<faultlab_experiment::Experiment>().ok().and_then(|experiment| experiment.vary);
    let vary = sweep.map_or_else(parsed, |sweep| sweep.experiment().vary.clone());
    vary.map(|vary| vary.values()).unwrap_or_default()
}

/// Returns the cell of the percentage of the setup time of `other` that `challenger` saves at
/// `rate`.
fn gain_cell(
    item: &Item,
    sweep: Option<&Sweep>,
    challenger: &str,
    other: &str,
    rate: f64,
) -> (PaperValue, Option<Estimate>) {
    let gain = sweep.and_then(|sweep| crossover::gain(sweep, challenger, other, rate));
    let gain = gain.map(|gain| gain.scaled(100.0, 0.0));
    let mut cell = measured(item, sweep, format!("rate {rate}"), format!("gain of {challenger} %"), gain);
    let jams = |series: &str| sweep.is_some_and(|sweep| crossover::jams_at(sweep, series, rate));
    if let Some(series) = [challenger, other].into_iter().find(|series| jams(series)) {
        cell.remark = format!("{series} jams for good: no mean");
    }
    (cell, gain)
}

/// Returns the cell of the rate at which `challenger` stops being better than `other`.
fn crossing_cell(item: &Item, sweep: Option<&Sweep>, challenger: &str, other: &str) -> (PaperValue, Option<Crossover>) {
    let found = sweep.and_then(|sweep| crossover::crossover(sweep, challenger, other));
    let at = match found {
        Some(Crossover::At(at)) => Some(at),
        _ => None,
    };
    let mut cell = measured(item, sweep, format!("better than {other} up to"), format!("rate, {challenger}"), at);
    cell.remark = match found {
        Some(Crossover::Collapse { from, until }) => {
            format!("better up to at least {from}; jams for good at {until}, before a crossover")
        }
        Some(Crossover::Beyond(last)) => {
            format!("better up to at least {last}, significantly worse at none of these rates")
        }
        Some(Crossover::Never(rate)) => format!("better at none of these rates, worse at {rate}"),
        Some(Crossover::At(_)) | None => String::new(),
    };
    (cell, found)
}

/// Returns the verdict on the claim that a crossover is at most `bound`.
///
/// A collapse at a rate of at most `bound` counts as a crossover.
fn crosses_below(found: Option<Crossover>, bound: f64) -> Verdict {
    match found {
        Some(Crossover::At(at)) => super::verdict::at_most(Some(at), bound),
        Some(Crossover::Collapse { until, .. }) if until <= bound => Verdict::Reproduced,
        Some(Crossover::Never(_)) => Verdict::Reproduced,
        Some(Crossover::Beyond(last)) if last > bound => Verdict::NotReproduced,
        _ => Verdict::Undecided,
    }
}

/// Creates the cell of an exact number.
///
/// `printed` is the number in the paper, or empty. `holds` is true if the paper's claim is
/// confirmed.
fn exact(item: &Item, row: &str, column: &str, value: f64, printed: &str, holds: bool) -> PaperValue {
    let mut cell = measured(
        item,
        None,
        row.to_owned(),
        column.to_owned(),
        Some(Estimate { mean: value, low: value, high: value, n: 1, runs: 1 }),
    );
    if !printed.is_empty() {
        cell.publish(printed);
        cell.verdict = if holds { Verdict::Reproduced } else { Verdict::NotReproduced };
    }
    cell
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::item;

    #[test]
    fn exact_items_are_reproduced() {
        for id in ["chiu-examples", "chiu-theorems"] {
            let cells = item(id).unwrap().cells(&[]);
            assert!(cells.len() > 8);
            // Without cycles, Lemma 2 would say nothing.
            let cycles = cells.iter().find(|cell| cell.row.starts_with("Lemma 2:"));
            assert!(id != "chiu-theorems" || cycles.is_some_and(|cell| cell.measured > Some(0.0)), "{cycles:?}");
            for cell in cells {
                assert!(matches!(cell.verdict, Verdict::Reproduced | Verdict::NoNumber), "{cell:?}");
            }
        }
    }
}
