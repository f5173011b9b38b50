//! Figures 13 to 15 and the percentages of section V.

use super::PAPER;
use crate::PublishedNumber;
use crate::{Item, PaperValue, Verdict, estimate, measured, verdict};
use faultlab_experiment::worm;
use faultlab_experiment::{Estimate, PointResult, Sweep};

/// Fault levels of Figures 13 and 14: the name and the key.
const LEVELS: [(&str, &str); 4] = [
    ("fault-free", "&faults=none"),
    ("1% faults", "&faults=isolated:0.01"),
    ("5% faults", "&faults=isolated:0.05"),
    ("10% faults", "&faults=isolated:0.1"),
];

/// Loads of Figures 13 and 14 in the table; the charts have more.
const LOADS: [f64; 5] = [0.2, 0.4, 0.6, 0.8, 1.0];

/// Minimum percentage of the fault-free utilization that counts as the paper's "comparable".
const COMPARABLE: f64 = 95.0;

const SERIES: [&str; 2] = ["f-cube2", "lh2"];

/// "The half-width of the 95% confidence interval of the value is less than 5% of the value"
/// (section V.A).
const PRECISION: f64 = 0.05;

/// Number of fault sets from which each number of Figure 15 is computed.
const SETS: f64 = 10.0;

/// Load of Figure 15.
const PEAK: f64 = 0.9;
/// Fault-free utilization of f-cube2 at the load of Figure 15, with which the paper compares.
const BASE: f64 = 80.0;

pub(super) const FIGURES_13_14: Item = Item {
    paper: &PAPER,
    id: "boppana-fig13-14",
    title: "Figures 13 and 14: utilization and latency against load, f-cube2 and LH2 with 0, 1, 5 and 10% faults",
    about: "Utilization of the bisection is in percent and latency in cycles; every run has new fault sets. The paper \
            prints few numbers for its curves: the peak of f-cube2 without faults, and the shapes. Both are reproduced: \
            without faults f-cube2 is better; with faults LH2 degrades gracefully, but f-cube2 falls behind from 40% \
            load on.",
    charts: true,
    texts: || LEVELS.iter().map(|(_, faults)| text(faults, "vary=load:0.1..1:10&within=0.03")).collect(),
    compare: figures_13_14,
};

pub(super) const FIGURE_15: Item = Item {
    paper: &PAPER,
    id: "boppana-fig15",
    title: "Figure 15 and its percentages: peak performance at 90% load against faults",
    about: "The paper's numbers are means over ten fault sets. With 10% faults the losses of both algorithms are as \
            printed. With 1% faults f-cube2 loses about 15% here, but 21% in the paper. Means of so few sets scatter too \
            widely to confirm or refute that number. Queues around faults grow for thousands of cycles: in the second \
            thousand, f-cube2 looks a tenth better than it is.",
    charts: true,
    texts: || {
        vec![
            text("&faults=none", "vary=load:0.8,0.9,1&within=0.01"),
            text("&faults=isolated:0.01", "load=0.9&vary=p:0.01,0.05,0.1&within=0.02"),
        ]
    },
    compare: figure_15,
};

fn text(faults: &str, rest: &str) -> String {
    format!("net=mesh:16x16&switch=wormhole&route=f-cube2,lh2{faults}&{rest}&view=measure")
}

fn percent(estimate: Option<Estimate>) -> Option<Estimate> {
    estimate.map(|estimate| estimate.scaled(100.0, 0.0))
}

fn figures_13_14(item: &Item, sweeps: &[Sweep]) -> Vec<PaperValue> {
    let mut cells = Vec::new();
    for (number, (level, _)) in LEVELS.iter().enumerate() {
        for load in LOADS {
            for series in SERIES {
                let of = |metric| estimate(sweeps, number, series, load, metric);
                let row = format!("{level}, load {load}");
                let sweep = sweeps.get(number);
                let column = format!("utilization %, {series}");
                cells.push(measured(item, sweep, row.clone(), column, percent(of("utilization"))));
                cells.push(measured(item, sweep, row, format!("latency, {series}"), of("latency")));
            }
        }
    }
    cells.push(peak(item, sweeps));
    // "Comparable to its fault-free performance for up to 60% load", and "substantial decrease
    // starting at 40%".
    cells.push(kept_utilization(item, sweeps, "lh2", |kept| verdict::at_least(kept, COMPARABLE)));
    cells.push(kept_utilization(item, sweeps, "f-cube2", |kept| verdict::at_most(kept, COMPARABLE)));
    cells
}

/// Returns the cell of an algorithm's utilization with 10% faults at 60% load, in percent of its
/// fault-free utilization.
fn kept_utilization(item: &Item, sweeps: &[Sweep], series: &str, judge: fn(Option<Estimate>) -> Verdict) -> PaperValue {
    let at = |level| estimate(sweeps, level, series, 0.6, "utilization");
    let kept = at(3).zip(at(0)).map(|(faulty, free)| percentage_below(faulty, free));
    let kept =
        kept.map(|less| Estimate { mean: 100.0 - less.mean, low: 100.0 - less.high, high: 100.0 - less.low, ..less });
    let row = "10% faults, as a share of fault-free, load 0.6".into();
    let mut cell = measured(item, sweeps.get(3), row, format!("utilization %, {series}"), kept);
    cell.verdict = judge(kept);
    cell.remark = format!("here comparable means at least {COMPARABLE}%");
    cell
}

/// Returns the cell of "peak utilization 82%" (section V.A), for f-cube2 without faults.
fn peak(item: &Item, sweeps: &[Sweep]) -> PaperValue {
    let all = LOADS.iter().filter_map(|&load| percent(estimate(sweeps, 0, "f-cube2", load, "utilization")));
    let most = all.reduce(|a, b| if b.mean > a.mean { b } else { a });
    let mut cell = measured(item, sweeps.first(), "fault-free, peak".into(), "utilization %, f-cube2".into(), most);
    cell.publish("82");
    cell.verdict = verdict::compare_with_interval(most, PublishedNumber("82"), PRECISION);
    cell
}

/// Printed utilizations without faults, and losses in percent of [`BASE`] with 1 and 10% faults.
const PRINTED: [(&str, &str, [&str; 2]); 2] = [("f-cube2", "80", ["21", "34"]), ("lh2", "78", ["6", "20"])];

fn figure_15(item: &Item, sweeps: &[Sweep]) -> Vec<PaperValue> {
    let mut cells = Vec::new();
    for (series, free, losses) in PRINTED {
        let found = percent(estimate(sweeps, 0, series, PEAK, "utilization"));
        let mut cell = measured(item, sweeps.first(), "fault-free".into(), format!("utilization %, {series}"), found);
        cell.publish(free);
        cell.verdict = verdict::compare_with_interval(found, PublishedNumber(free), PRECISION);
        cells.push(cell);
        for (share, row, loss) in
            [(0.01, "1% faults", losses[0]), (0.05, "5% faults", ""), (0.1, "10% faults", losses[1])]
        {
            let found = percent(estimate(sweeps, 1, series, share, "utilization"));
            let lost = found.map(loss_of);
            let mut cell = measured(item, sweeps.get(1), row.into(), format!("loss of utilization %, {series}"), lost);
            if !loss.is_empty() {
                cell.publish(loss);
                let times = sets(sweeps, series, share) as f64 / SETS;
                cell.verdict = verdict::compare_samples(lost, PublishedNumber(loss), times);
                if let Some(lost) = lost.filter(|_| cell.verdict == Verdict::Undecided) {
                    let scatter = verdict::sample_half_width(&lost, times);
                    cell.remark =
                        format!("means of ten fault sets differ from this by up to {scatter:.1}: too few to decide");
                }
            }
            cells.push(measured(item, sweeps.get(1), row.into(), format!("utilization %, {series}"), found));
            cells.push(cell);
        }
    }
    cells.extend([(0.01, "1% faults"), (0.05, "5% faults"), (0.1, "10% faults")].map(|(share, row)| {
        let of = |series| estimate(sweeps, 1, series, share, "latency");
        let less = of("lh2").zip(of("f-cube2")).map(|(ours, theirs)| percentage_below(ours, theirs));
        let mut cell = measured(item, sweeps.get(1), row.into(), "latency of LH2 below f-cube2's, %".into(), less);
        cell.printed = "18-22".into();
        cell.verdict = verdict::between(less, 18.0, 22.0);
        cell
    }));
    cells
}

/// Converts a utilization to the loss in percent of [`BASE`].
fn loss_of(found: Estimate) -> Estimate {
    let loss = |utilization: f64| 100.0 * (1.0 - utilization / BASE);
    Estimate { mean: loss(found.mean), low: loss(found.high), high: loss(found.low), ..found }
}

/// Returns the percentage by which `a` is less than `b`.
///
/// The estimates are treated as independent, which widens the interval.
fn percentage_below(a: Estimate, b: Estimate) -> Estimate {
    let ratio = a.mean / b.mean;
    let relative = |estimate: &Estimate| estimate.half_width() / estimate.mean;
    let (first, second) = (relative(&a), relative(&b));
    let half = 100.0 * ratio * (first * first + second * second).sqrt();
    let mean = 100.0 * (1.0 - ratio);
    Estimate { mean, low: mean - half, high: mean + half, n: a.n.min(b.n), runs: a.runs.min(b.runs) }
}

/// Returns the number of fault sets of the measured point of `series` at `share`.
fn sets(sweeps: &[Sweep], series: &str, share: f64) -> usize {
    let here = |point: &&PointResult| point.algorithm.id == series && point.x.is_some_and(|x| (x - share).abs() < 1e-9);
    let point = sweeps.get(1).and_then(|sweep| sweep.points().iter().find(here));
    point.map_or(0, |point| worm::counted_runs(&point.tally))
}
