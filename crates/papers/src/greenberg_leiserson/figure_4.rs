//! Figure 4: the delivery cycles of RANDOM, row by row.

use super::PAPER;
use crate::{Item, PaperValue, digits, estimate, measured, verdict};
use faultlab_core::routing::fat_tree::ScheduleConstants;
use faultlab_core::theory::fat_tree::{figure_4_cycles, random_schedule_cycles};
use faultlab_experiment::Sweep;

pub(super) const FIGURE_4: Item = Item {
    paper: &PAPER,
    id: "fat-tree-figure4",
    title: "Figure 4: the delivery cycles of RANDOM by load factor",
    about: "Message sets have a fixed load factor in each of the four rows, with `k1 = k2 = 2` and `r = 1`. The mean is \
            compared with the end of the first call of TRY-GUESS whose guess is large enough, which the proof counts. \
            RANDOM finishes well before that. Smaller constants do not always suffice: with `k1 = k2 = 1`, eight \
            permutations on 16 processors take 23.6 cycles, but the call ends with cycle 23. The remark has the \
            expression in the O of Figure 4, and the measured multiple of it, which should not grow with n and does \
            not.",
    charts: true,
    texts: || {
        let text = |(_, text, _): &FigureRow| {
            format!("switch=delivery&{text}&k1=2&k2=2&trials=400&vary=leaves:16,64,256&view=measure")
        };
        ROWS.iter().map(text).collect()
    },
    compare: |item, sweeps| {
        let all = (0..ROWS.len()).flat_map(|row| PROCESSORS.map(move |n| (row, n)));
        all.map(|(row, n)| cell(item, sweeps, row, n)).collect()
    },
};

const PROCESSORS: [u32; 3] = [16, 64, 256];

/// Row of the figure: name, messages as keys of an experiment text, and load factor by n, the same
/// in every trial.
type FigureRow = (&'static str, &'static str, fn(u32) -> f64);

const ROWS: [FigureRow; 5] = [
    ("row 1, a permutation, doubling", "traffic=random&capacity=doubling", |_| 1.0),
    ("row 2, two permutations, doubling", "traffic=random*2&capacity=doubling", |_| 2.0),
    ("row 3, eight permutations, doubling", "traffic=random*8&capacity=doubling", |_| 8.0),
    ("rows 2 and 3, bit-reversal, standard", "traffic=bit-reversal", |n| f64::from(n.isqrt()) / 2.0),
    ("row 4, all to one processor, standard", "traffic=all-to-one:5", |n| f64::from(n - 1)),
];

fn cell(item: &Item, sweeps: &[Sweep], row: usize, n: u32) -> PaperValue {
    let (name, _, load_factor) = ROWS[row];
    let lambda = load_factor(n);
    let found = estimate(sweeps, row, "random-guess", f64::from(n), "cycles");
    let mut cell = measured(item, sweeps.get(row), format!("{name}, n={n}"), "RANDOM, delivery cycles".into(), found);
    let most = ScheduleConstants::new(2.0, 2.0, 1.0)
        .map_or(f64::NAN, |constants| random_schedule_cycles(&constants, n, lambda));
    cell.publish(&digits(most));
    cell.verdict = verdict::at_most(found, most);
    let growth = figure_4_cycles(n, lambda);
    cell.remark = format!("claimed: at most; load factor {lambda}, in the O: {growth:.1}");
    if let Some(found) = found {
        cell.remark.push_str(&format!(", measured {:.2} times that", found.mean / growth));
    }
    cell
}
