//! Section 6: RANDOM' on fat channels, the second network, off-line schedules.

use super::PAPER;
use crate::{Item, PaperValue, digits, estimate, measured, verdict};
use faultlab_experiment::Sweep;

pub(super) const SECTION_6: Item = Item {
    paper: &PAPER,
    id: "fat-tree-section6",
    title: "Theorem 11 and section 6: RANDOM', the second network, off-line schedules",
    about: "Theorem 11: with channels of 16 wires, `lg n` and more, RANDOM' takes 1.8 to 2 times the load factor; the \
            proof allows 18 to 31 times. The second network, with wires of capacity 1 and no concentrators, takes 1.8 \
            to 2.2 times the load factor; the proof's `O(lg^2 n)` allows hundreds and thousands of times. Off-line \
            schedules packed in the order in which messages arrived take 22% more than the load factor at `n = 16` \
            and 11% more at `n = 256`, about half of RANDOM's cycles there. Theorem 10 has no number: it is Theorem 8 \
            with the load factor of another network's step.",
    charts: true,
    texts: || {
        [
            "traffic=random*16&capacity=constant:16&route=random-prime",
            "net=tree2:64&route=random-prime-repeated",
            "traffic=bit-reversal",
        ]
        .map(|text| format!("switch=delivery&{text}&vary=leaves:16,64,256&trials=400&view=measure&plot=per-load"))
        .to_vec()
    },
    compare: |item, sweeps| {
        let all = (0..3).flat_map(|sweep| [16u32, 64, 256].map(move |n| (sweep, n)));
        all.map(|(sweep, n)| match sweep {
            0 => theorem_11(item, sweeps, n),
            1 => second(item, sweeps, n),
            _ => offline(item, sweeps, n),
        })
        .collect()
    },
};

fn at_most(
    item: &Item,
    sweeps: &[Sweep],
    (sweep, series): (usize, &str),
    row: String,
    n: u32,
    most: f64,
) -> PaperValue {
    let found = estimate(sweeps, sweep, series, f64::from(n), "per-load");
    let mut cell = measured(item, sweeps.get(sweep), row, "cycles / load factor".into(), found);
    cell.publish(&digits(most));
    cell.verdict = verdict::at_most(found, most);
    cell
}

/// Returns the cell of Theorem 11.
///
/// With capacities of a lg n and a load factor of at most n, all messages have arrived when z first
/// exceeds e 2^(3/a) lambda. The passes up to that pass take less than twice its cycles, and z
/// exceeds the limit by at most a factor of 2.
fn theorem_11(item: &Item, sweeps: &[Sweep], n: u32) -> PaperValue {
    let a = 16.0 / f64::from(n.ilog2());
    let most = 4.0 * std::f64::consts::E * libm::exp2(3.0 / a);
    let row = format!("Theorem 11, RANDOM', 16 permutations, 16 wires, n={n}");
    let mut cell = at_most(item, sweeps, (0, "random-prime"), row, n, most);
    cell.remark = "claimed: O(1); the proof gives at most 4e 2^(3/a), a = 16/lg n".into();
    cell
}

/// Returns the cell of the second network.
///
/// All messages have arrived when z reaches r lambda, with r = 2e lg n for paths of lg n wires.
/// With 2 lg n passes for each z up to twice that value, there are at most 16 e lg^2 n lambda
/// cycles.
fn second(item: &Item, sweeps: &[Sweep], n: u32) -> PaperValue {
    let lg_n = f64::from(n.ilog2());
    let row = format!("second network, modified RANDOM', a permutation, n={n}");
    let most = 16.0 * std::f64::consts::E * lg_n * lg_n;
    let mut cell = at_most(item, sweeps, (1, "random-prime-repeated"), row, n, most);
    cell.remark = "claimed: O(lg^2 n); the proof gives at most 16e lg^2 n".into();
    cell
}

fn offline(item: &Item, sweeps: &[Sweep], n: u32) -> PaperValue {
    let (x, lambda) = (f64::from(n), f64::from(n.isqrt()) / 2.0);
    let found = estimate(sweeps, 2, "random-guess", x, "offline");
    let row = format!("off-line, bit-reversal, n={n}");
    let mut cell = measured(item, sweeps.get(2), row, "delivery cycles".into(), found);
    cell.publish(&digits(lambda));
    cell.verdict = verdict::at_least(found, lambda);
    cell.remark = "claimed: at least, and at most those of RANDOM".into();
    if let Some(random) = estimate(sweeps, 2, "random-guess", x, "cycles") {
        cell.remark.push_str(&format!(", here {:.1}", random.mean));
    }
    cell
}
