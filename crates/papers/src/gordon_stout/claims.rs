//! Claims in the text of the paper: the conjecture, and other testable claims.

use super::published::TABLE_2;
use crate::PublishedNumber;
use crate::{Item, PaperValue, Verdict, estimate, measured, verdict};
use faultlab_experiment::{Estimate, Sweep};

pub(super) const CONJECTURE: Item = Item {
    paper: &super::PAPER,
    id: "conjecture",
    title: "Conjecture: for fixed p < 1, sidetracking succeeds with probability tending to 1 as n grows",
    about: "Four of five nodes are faulty and paths have at most `10n` hops. The paper stopped at `n = 20`, where \
            there is little evidence for the conjecture; up to `n = 60` the curve climbs towards 1, which supports \
            the conjecture but does not prove it.",
    texts: || vec!["net=cube:8&faults=nodes:0.8&mpl=10&vary=n:8..60:14&view=measure".into()],
    charts: true,
    compare: conjecture,
};

pub(super) const CLAIMS: Item = Item {
    paper: &super::PAPER,
    id: "claims",
    title: "Claims in the text, tested",
    about: "Detours are short, as claimed. Tunnelling is rare for pairs of nodes up to `p = .75`, and for closed sets \
            of any size up to .70; at .8 nearly half of all messages end in a closed set, and from .85 on most do. The \
            claim that backtracking finds a path if there is one holds in the 4-cube and fails from the 5-cube on.",
    texts: || {
        [
            "net=cube:8&faults=nodes:0.5&mpl=3&within=0.005&vary=n:4,6,8,10,12,16,20,32,48,64&view=measure&plot=excess",
            "net=cube:20&faults=nodes:0.5&mpl=20&vary=p:0.5..0.95:10&view=measure&plot=trapped",
            "net=cube:4&faults=nodes:0.5&route=backtracking,global&mpl=50&within=0.001&vary=n:4,5,6&view=measure",
        ]
        .map(str::to_owned)
        .to_vec()
    },
    charts: true,
    compare: |item, sweeps| {
        [short_detours(item, sweeps), tunnelling(item, sweeps), completeness(item, sweeps)].concat()
    },
};

/// Returns the dimensions at which the conjecture is tested.
fn dimensions() -> impl Iterator<Item = u32> {
    (8..=60).step_by(4)
}

fn success(sweeps: &[Sweep], n: u32) -> Option<Estimate> {
    let share = estimate(sweeps, 0, "sidetracking", f64::from(n), "success");
    share.map(|share| share.scaled(100.0, 0.0))
}

fn conjecture(item: &Item, sweeps: &[Sweep]) -> Vec<PaperValue> {
    let cell = |n| measured(item, sweeps.first(), format!("p=.80, n={n}"), "S %".into(), success(sweeps, n));
    let mut cells: Vec<_> = dimensions().map(cell).collect();
    let found: Vec<_> = dimensions().map_while(|n| success(sweeps, n)).collect();
    let mut trend = measured(item, sweeps.first(), "p=.80, n=8 to 60".into(), "S grows with n".into(), None);
    trend.verdict = match found.len() == cells.len() {
        false => Verdict::Undecided,
        true => grow(&found),
    };
    trend.remark = "reproduced: the last value is above the first, and no decrease is significant; a simulation \
            cannot prove a limit"
        .into();
    cells.push(trend);
    cells
}

/// Returns the verdict on the claim that shares grow: the last share is above the first, and no
/// decrease is significant.
fn grow(found: &[Estimate]) -> Verdict {
    let (Some(first), Some(last)) = (found.first(), found.last()) else { return Verdict::Undecided };
    let steps = found.windows(2).map(|pair| verdict::at_least(Some(rise(&pair[0], &pair[1])), 0.0));
    // A change that is not significant does not contradict the claim.
    let down = steps.filter(|verdict| *verdict != Verdict::Undecided).max_by_key(|verdict| *verdict as u8);
    match (down, verdict::at_least(Some(rise(first, last)), 0.0)) {
        (Some(verdict @ (Verdict::Close | Verdict::NotReproduced)), _) | (_, verdict) => verdict,
    }
}

/// Returns the difference `after` minus `before`.
fn rise(before: &Estimate, after: &Estimate) -> Estimate {
    let half_width = (square(before.half_width()) + square(after.half_width())).sqrt();
    let mean = after.mean - before.mean;
    Estimate { mean, low: mean - half_width, high: mean + half_width, ..*after }
}

fn square(value: f64) -> f64 {
    value * value
}

fn short_detours(item: &Item, sweeps: &[Sweep]) -> Vec<PaperValue> {
    let cell = |&n: &u32| {
        let excess = estimate(sweeps, 0, "sidetracking", f64::from(n), "excess");
        let ratio = excess.map(|excess| excess.scaled(1.0, 1.0));
        let mut cell =
            measured(item, sweeps.first(), format!("APL/n <= 5/4 at p=.50, mpl=3: n={n}"), "APL/n".into(), ratio);
        cell.publish("1.25");
        cell.verdict = verdict::at_most(ratio, 1.25);
        cell.remark = if n == 8 { "the closest to the bound" } else { "" }.into();
        cell
    };
    [4, 6, 8, 10, 12, 16, 20, 32, 48, 64].iter().map(cell).collect()
}

/// Percentage of messages up to which an event counts as "rare": one in twenty.
const RARELY: f64 = 5.0;

fn tunnelling(item: &Item, sweeps: &[Sweep]) -> Vec<PaperValue> {
    let cell = |p: PublishedNumber, column: &str, metric: &str| {
        let share = estimate(sweeps, 1, "sidetracking", p.value(), metric).map(|share| share.scaled(100.0, 0.0));
        let row = format!("tunnelling rarely occurs at n=20, mpl=20: p={}", p.0);
        let mut cell = measured(item, sweeps.get(1), row, column.into(), share);
        cell.verdict = verdict::at_most(share, RARELY);
        cell.remark = format!("the paper gives no number; here rarely means at most {RARELY}% of all messages");
        cell
    };
    let both = |p| [cell(p, "between two nodes %", "tunnelling"), cell(p, "in any closed set %", "trapped")];
    TABLE_2.iter().flat_map(|row| both(row.p)).collect()
}

fn completeness(item: &Item, sweeps: &[Sweep]) -> Vec<PaperValue> {
    let cell = |&n: &u32| {
        let share = |series| estimate(sweeps, 2, series, f64::from(n), "success").filter(|share| share.mean > 0.0);
        let found = match (share("backtracking"), share("global")) {
            (Some(found), Some(connected)) => Some(quotient(&found, &connected).scaled(100.0, 0.0)),
            _ => None,
        };
        let row = format!("backtracking finds a path if there is one, p=.50, mpl=50: n={n}");
        let mut cell = measured(item, sweeps.get(2), row, "found %".into(), found);
        cell.publish("100");
        cell.verdict = verdict::exact(found, 100.0);
        cell.remark = "of the messages whose ends are connected".into();
        cell
    };
    [4, 5, 6].iter().map(cell).collect()
}

/// Returns the quotient of two shares.
///
/// The interval is wider than necessary, because it ignores that both have the same fault patterns.
fn quotient(part: &Estimate, whole: &Estimate) -> Estimate {
    let mean = part.mean / whole.mean;
    let relative = square(part.half_width() / part.mean) + square(whole.half_width() / whole.mean);
    let half_width = mean * relative.sqrt();
    Estimate {
        mean,
        low: mean - half_width,
        high: (mean + half_width).min(1.0),
        n: part.n.min(whole.n),
        runs: part.runs.min(whole.runs),
    }
}
