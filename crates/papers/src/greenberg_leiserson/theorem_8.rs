//! Theorem 8: RANDOM's cycles over the load factor, and the constants of section 7's open question.

use super::PAPER;
use crate::{Item, PaperValue, estimate, measured, verdict};
use faultlab_experiment::Sweep;

pub(super) const THEOREM_8: Item = Item {
    paper: &PAPER,
    id: "fat-tree-theorem8",
    title: "Theorem 8 and section 7: cycles over the load factor, and good constants",
    about: "Messages form random permutations; `k1 = k2 = 1`. No algorithm takes fewer cycles than the load factor. \
            GREEDY comes closer to it than RANDOM at every measured n, and from `n = 64` on closer as n grows: on \
            permutations the lg n of Theorem 9 does not appear. RANDOM takes 1.2 to 2.5 times the load factor, \
            depending on how well a guess fits (beyond these sweeps, at `n = 16,384`, 2.6 times). It saves \
            transmissions: nearly half of them from `n = 1024` on. Section 7 asks for good constants. With a small r \
            RANDOM approaches GREEDY; with a large r it takes longer, beyond `r = 2` without any saving on 64 \
            processors. The computed `r = 24.2` costs more than twenty times the cycles of GREEDY.",
    charts: true,
    texts: || {
        [
            "switch=delivery&vary=leaves:16,64,256,1024,4096&view=measure&plot=per-load",
            "switch=delivery&capacity=volume&vary=leaves:16,64,256,1024&view=measure&plot=per-load",
            "switch=delivery&vary=r:0.25,0.5,1,2,4,8,16,24.218&view=measure&plot=transmissions",
        ]
        .map(str::to_owned)
        .to_vec()
    },
    compare: |item, sweeps| {
        let grown = [("standard", 0, 5), ("volume", 1, 4)];
        let grown = grown.into_iter().flat_map(|(name, sweep, values)| {
            [16, 64, 256, 1024, 4096]
                .into_iter()
                .take(values)
                .flat_map(move |n| cells(item, sweeps, sweep, &format!("{name}, n={n}"), f64::from(n)))
        });
        let constants = [0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 24.218];
        let constants =
            constants.into_iter().flat_map(|r| cells(item, sweeps, 2, &format!("standard, n=64, r={r}"), r));
        grown.chain(constants).collect()
    },
};

const SERIES: [(&str, &str); 2] = [("greedy", "GREEDY"), ("random-guess", "RANDOM")];

/// Returns the cells of the cycles over the load factor, and of the transmissions.
fn cells(item: &Item, sweeps: &[Sweep], sweep: usize, row: &str, x: f64) -> Vec<PaperValue> {
    let of = |(series, name): (&str, &str)| {
        let cell = |metric: &str, column: &str| {
            let found = estimate(sweeps, sweep, series, x, metric);
            (measured(item, sweeps.get(sweep), row.to_owned(), format!("{name}, {column}"), found), found)
        };
        let (mut cycles, found) = cell("per-load", "cycles / load factor");
        cycles.publish("1");
        cycles.verdict = verdict::at_least(found, 1.0);
        cycles.remark = "claimed: at least".into();
        [cycles, cell("transmissions", "transmissions per message").0]
    };
    // GREEDY has no r.
    let series = if sweep == 2 { &SERIES[1..] } else { &SERIES[..] };
    series.iter().copied().flat_map(of).collect()
}
