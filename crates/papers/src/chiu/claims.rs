//! Testable statements of section V.

use super::{PAPER, crosses_below, crossing_cell, gain_cell, rates};
use crate::{Item, PaperValue, Verdict, estimate, measured, verdict};
use faultlab_experiment::crossover::{Paired, jams_at, point};
use faultlab_experiment::{Estimate, Sweep};

const UP_TEXTS: [(u8, &str); 3] = [
    (
        3,
        "net=cube:3&switch=circuit&route=e-cube,up,restricted-up&vary=rate:0.2,0.3,0.4,0.45,0.5,0.525,0.55&view=measure",
    ),
    (
        4,
        "net=cube:4&switch=circuit&route=e-cube,up,restricted-up&vary=rate:0.2,0.3,0.35,0.4,0.425,0.45,0.5&view=measure",
    ),
    (
        5,
        "net=cube:5&switch=circuit&route=e-cube,up,restricted-up&vary=rate:0.1,0.2,0.3,0.35,0.375,0.4,0.45&view=measure",
    ),
];

/// Strategies for the 5-cube other than the paper's: description and key. The baseline is the last
/// sweep of [`UP_TEXTS`].
const STRATEGIES: [(&str, &str); 3] = [
    ("AVAIL: any free link", "avail=random"),
    ("AVAIL: highest free link", "avail=highest"),
    ("UNAVAIL: shortest queue", "wait=shortest"),
];

/// Rates at which strategies are compared.
const STRATEGY_RATES: [f64; 3] = [0.1, 0.2, 0.3];

/// Percentage up to which a change counts as "insignificant".
const INSIGNIFICANT: f64 = 5.0;

pub(super) const CLAIMS: Item = Item {
    paper: &PAPER,
    id: "chiu-claims",
    title: "Claims of the performance study, tested",
    about: "As claimed, the range in which UP is better shrinks with the dimension, to below 0.5 in the 5-cube: in \
            the 4-cube and the 5-cube UP jams before it becomes worse. The claims that restricting UP to one \
            non-sequential link helps, and that the choice among free links (AVAIL) is insignificant, are not \
            reproduced.",
    charts: true,
    texts: || {
        let strategy = |(_, key): &(&str, &str)| {
            format!("net=cube:5&switch=circuit&route=e-cube,up&{key}&vary=rate:0.1,0.2,0.3&view=measure")
        };
        let texts = UP_TEXTS.iter().map(|(_, text)| (*text).to_owned());
        texts.chain(STRATEGIES.iter().map(strategy)).collect()
    },
    compare: |item, sweeps| [cutoffs(item, sweeps), restriction(item, sweeps), strategies(item, sweeps)].concat(),
};

fn cutoffs(item: &Item, sweeps: &[Sweep]) -> Vec<PaperValue> {
    let cell = |(number, (n, _)): (usize, &(u8, &str))| {
        let (mut cell, found) = crossing_cell(item, sweeps.get(number), "up", "e-cube");
        cell.row = format!("UP better than e-cube up to, n={n}");
        cell.cell = format!("{} {}", cell.row, cell.column);
        if *n == 5 {
            cell.printed = "< 0.5".into();
            cell.verdict = crosses_below(found, 0.5);
        }
        cell
    };
    UP_TEXTS.iter().enumerate().map(cell).collect()
}

fn restriction(item: &Item, sweeps: &[Sweep]) -> Vec<PaperValue> {
    let mut cells = Vec::new();
    for (number, (n, text)) in UP_TEXTS.iter().enumerate() {
        for rate in rates(sweeps.get(number), text) {
            let (mut cell, gain) = gain_cell(item, sweeps.get(number), "restricted-up", "up", rate);
            cell.row = format!("restricting UP helps, n={n}, rate {rate}");
            cell.column = "gain over UP %".into();
            cell.cell = format!("{} {}", cell.row, cell.column);
            let jams = |series| sweeps.get(number).is_some_and(|sweep| jams_at(sweep, series, rate));
            cell.verdict = match (jams("up"), jams("restricted-up")) {
                (false, false) => verdict::at_least(gain, 0.0),
                (true, true) => {
                    let after =
                        |series| estimate(sweeps, number, series, rate, "collapse").map_or(0.0, |time| time.mean);
                    let (up, restricted) = (after("up"), after("restricted-up"));
                    cell.remark = format!(
                        "both jam for good: UP after a mean time of {up:.0}, restricted UP after {restricted:.0}"
                    );
                    Verdict::NoNumber
                }
                (true, false) => Verdict::Reproduced,
                (false, true) => Verdict::NotReproduced,
            };
            cells.push(cell);
        }
    }
    cells
}

fn strategies(item: &Item, sweeps: &[Sweep]) -> Vec<PaperValue> {
    let mut cells = Vec::new();
    for (number, (words, _)) in STRATEGIES.iter().enumerate() {
        let (base, sweep) = (sweeps.get(UP_TEXTS.len() - 1), sweeps.get(UP_TEXTS.len() + number));
        for rate in STRATEGY_RATES {
            let paired = || Paired::new(point(sweep?, "up", rate)?, point(base?, "up", rate)?);
            // The gain is the saving; the change in setup time is its negative.
            let change = paired().and_then(|paired| paired.gain()).map(|gain| Estimate {
                mean: -100.0 * gain.mean,
                low: -100.0 * gain.high,
                high: -100.0 * gain.low,
                ..gain
            });
            let row = format!("{words}, n=5, rate {rate}");
            let mut cell = measured(item, sweep, row.clone(), "change of setup time %".into(), change);
            cell.verdict = match change {
                Some(change) if change.mean < 0.0 => verdict::at_least(Some(change), -INSIGNIFICANT),
                change => verdict::at_most(change, INSIGNIFICANT),
            };
            cell.remark = format!("here insignificant means at most {INSIGNIFICANT}%");
            cells.push(cell);
            let (mut cell, _) = gain_cell(item, sweep, "up", "e-cube", rate);
            cell.row = row;
            cell.column = "gain over e-cube %".into();
            cell.cell = format!("{} {}", cell.row, cell.column);
            cells.push(cell);
        }
    }
    cells
}
