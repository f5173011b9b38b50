//! Connectivity of the live nodes, after Erdős & Spencer (section 4).

use crate::{Item, PaperValue, estimate, measured, verdict};
use faultlab_experiment::{Estimate, PointResult, Sweep, proportion};

pub(super) const CONNECTIVITY: Item = Item {
    paper: &super::PAPER,
    id: "connectivity",
    title: "Connectivity of the live nodes around `p = 1/2`, after Erdős and Spencer",
    about: "Below the threshold the live nodes are connected more often as `n` grows, above it less often. At `p = 1/2` \
            an isolated live node is expected with `2^n (1-p) p^n = 1/2` for every `n`, so that the probability tends \
            to `e^(-1/2)`; the `1/e` of the paper is that of faulty edges, as its footnote says. What is cut off are \
            mostly single nodes.",
    texts: || {
        let text = |p| {
            format!(
                "switch=pairs&net=cube:8&route=global&faults=nodes:{p}&vary=n:4,6,8&trials=2000&within=0.0001&view=measure&plot=connected"
            )
        };
        RATES.map(text).to_vec()
    },
    charts: true,
    compare: connectivity,
};

/// Fault rates below, at and above the threshold.
const RATES: [&str; 3] = ["0.4", "0.5", "0.6"];

/// Dimensions of the cubes.
const DIMENSIONS: [u8; 3] = [4, 6, 8];

fn connectivity(item: &Item, sweeps: &[Sweep]) -> Vec<PaperValue> {
    let rows = (0..RATES.len()).flat_map(|sweep| DIMENSIONS.map(|n| (sweep, n)));
    rows.flat_map(|(sweep, n)| {
        let share = |metric| {
            let share = estimate(sweeps, sweep, "global", f64::from(n), metric);
            share.map(|share: Estimate| share.scaled(100.0, 0.0))
        };
        let row = format!("p={}, n={n}", RATES[sweep]);
        let mut connected = measured(item, sweeps.get(sweep), row.clone(), "connected %".into(), share("connected"));
        connected.remark = remark(sweep, n);
        let among = single_nodes_among_disconnected(sweeps, sweep, n);
        let column = "only single nodes cut off, of disconnected sets %";
        let mut single = measured(item, sweeps.get(sweep), row, column.into(), among);
        single.verdict = verdict::at_least(among, 50.0);
        single.remark =
            "\"it is most likely that only singleton nodes are disconnected\": at least half of these sets".into();
        [connected, single]
    })
    .collect()
}

/// Estimates the percentage of the disconnected fault sets that cut off only single nodes.
fn single_nodes_among_disconnected(sweeps: &[Sweep], sweep: usize, n: u8) -> Option<Estimate> {
    let is_here = |point: &&PointResult| point.x == Some(f64::from(n));
    let tally = &sweeps.get(sweep)?.points().iter().find(is_here)?.tally;
    let counts = tally.pairs()?;
    let share = proportion(counts.single_nodes - counts.connected, tally.trials - counts.connected)?;
    Some(share.scaled(100.0, 0.0))
}

/// Returns the limit of the probability, and the exact number of the smallest cube.
fn remark(sweep: usize, n: u8) -> String {
    let limit = ["tends to 100", "tends to 100 e^(-1/2) = 60.65", "tends to 0"].get(sweep).copied().unwrap_or("");
    if sweep == 1 && n == 4 { format!("exactly 56.906, 37,294 of 65,536 sets; {limit}") } else { limit.into() }
}
