//! Batches of worms: the frequency of deadlocks under Algorithm A, and their absence under B.

use super::PAPER;
use crate::{Item, PaperValue, estimate, measured, verdict};
use faultlab_experiment::Sweep;

pub(super) const WORMS: Item = Item {
    paper: &PAPER,
    id: "thesis-deadlock",
    title: "Deadlock of a whole permutation against message length",
    about: "All messages of a random permutation start at once, as worms with a buffer of one flit at each channel. \
            The thesis states that Algorithm A can deadlock and that B cannot; it has no numbers. Without faults A \
            deadlocks about once in a hundred permutations of the 6-cube with messages of one flit, once in five with \
            two, nine times in ten with eight; beyond some length nothing changes, since a worm then covers its whole \
            route. In the 8-cube every permutation that was tried deadlocks with four flits.",
    charts: true,
    texts: || {
        [6, 8]
            .map(|n| {
                format!("switch=batch&net=cube:{n}&faults=none&route=algorithm-a,algorithm-b&vary=length:{LENGTHS}&view=measure")
            })
            .to_vec()
    },
    compare: |item, sweeps| (0..2).flat_map(|sweep| cells(item, sweeps, sweep)).collect(),
};

const LENGTHS: &str = "1,2,4,8,16";

fn cells(item: &Item, sweeps: &[Sweep], sweep: usize) -> Vec<PaperValue> {
    let n = [6, 8][sweep.min(1)];
    let cell = |flits: &str, (series, freezes): (&str, bool)| {
        let x = flits.parse().unwrap_or(0.0);
        let found = estimate(sweeps, sweep, series, x, "deadlock").map(|share| share.scaled(100.0, 0.0));
        let row = format!("n={n}, {flits} {}", if flits == "1" { "flit" } else { "flits" });
        let mut cell = measured(item, sweeps.get(sweep), row, format!("{series}, deadlock %"), found);
        if !freezes {
            cell.publish("0");
            cell.verdict = verdict::exact(found, 0.0);
        }
        cell
    };
    LENGTHS
        .split(',')
        .flat_map(|flits| [("algorithm-a", true), ("algorithm-b", false)].map(|series| cell(flits, series)))
        .collect()
}
