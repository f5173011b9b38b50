//! Congestion and route lengths of whole permutations, simulated.

use super::PAPER;
use crate::{Item, PaperValue, Verdict, estimate, measured, verdict};
use faultlab_core::theory::oblivious::{bit_fixing_worst, congestion_whp};
use faultlab_experiment::Sweep;

pub(super) const CONGESTION: Item = Item {
    paper: &PAPER,
    id: "thesis-congestion",
    title: "Congestion and length against n: bit-fixing, Algorithm A, Algorithm B",
    about: "The traffic is random or transpose, without faults. The congestion of randomized routing does not depend \
            on the permutation: it grows by less than half a message per dimension under A and by seven tenths under \
            B. Under transpose the congestion of bit-fixing doubles with every other dimension; A is better from `n = \
            8` on and B from `n = 10` on. The mean lengths are `n` and `n + 2`. The claim is `O(log N)`; the bound is \
            that of the proof, four to five times the measured value.",
    charts: true,
    texts: || {
        [
            "switch=permutation&faults=none&vary=n:6..14:5&view=measure",
            "switch=permutation&faults=none&traffic=transpose&vary=n:6..14:5&view=measure",
        ]
        .map(str::to_owned)
        .to_vec()
    },
    compare: |item, sweeps| {
        let all = (0..2).flat_map(|sweep| DIMENSIONS.map(move |n| (sweep, n)));
        all.flat_map(|(sweep, n)| cells(item, sweeps, sweep, n)).collect()
    },
};

const DIMENSIONS: [u8; 5] = [6, 8, 10, 12, 14];

fn cells(item: &Item, sweeps: &[Sweep], sweep: usize, n: u8) -> Vec<PaperValue> {
    let traffic = ["random", "transpose"][sweep.min(1)];
    let cell = |series: &str, metric: &str, column: &str| {
        let found = estimate(sweeps, sweep, series, f64::from(n), metric);
        let row = format!("{traffic}, n={n}");
        (measured(item, sweeps.get(sweep), row, format!("{series}, {column}"), found), found)
    };
    let mut cells = Vec::new();
    let (mut fixed, found) = cell("bit-fixing", "congestion", "congestion");
    if sweep == 1 {
        fixed.publish(&bit_fixing_worst(n).to_string());
        fixed.verdict = verdict::exact(found, f64::from(bit_fixing_worst(n)));
    }
    cells.push(fixed);
    // Under B the messages form a 4h-relation on the hypercube of n-2 dimensions.
    for (series, bound, length) in
        [("algorithm-a", congestion_whp(n, 1.0), n), ("algorithm-b", congestion_whp(n - 2, 4.0), n + 2)]
    {
        let (mut most, found) = cell(series, "congestion", "congestion");
        most.publish(&format!("{bound:.1}"));
        most.verdict = verdict::at_most(found, bound);
        most.remark = "claimed: at most".into();
        let (mut mean, found) = cell(series, "length", "mean length");
        mean.publish(&length.to_string());
        mean.verdict = if found.is_some() { verdict::exact(found, f64::from(length)) } else { Verdict::Undecided };
        cells.extend([most, mean]);
    }
    cells
}
