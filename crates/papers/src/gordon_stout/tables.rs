//! Figure 1 and Tables 2 to 4.

use super::published;
use super::published::{ALGORITHMS, DIMENSIONS, LONG_COLUMNS, LongRow, TRIALS};
use crate::{Item, PaperValue, Verdict, estimate, measured, verdict};
use faultlab_core::theory::{local_bernoulli, local_limit};
use faultlab_experiment::{Estimate, Sweep};

pub(super) const FIGURE_1: Item = Item {
    paper: &super::PAPER,
    id: "fig1",
    title: "Figure 1: random routing with local information, the limit of `p_A^2` for large n",
    about: "The figure prints no numbers; its formula, `(1-p^2)(1-p^3)(1-p^4)`..., replaces them. The measured number \
            is the share of messages that random routing delivers in the 64-cube.",
    texts: || vec!["net=cube:64&faults=nodes:0.5&route=random&vary=p:0.05..0.95:19&view=measure".into()],
    charts: true,
    compare: figure_1,
};

pub(super) const TABLE_2: Item = Item {
    paper: &super::PAPER,
    id: "table2",
    title: "Table 2: sidetracking in the 20-cube, paths of at most 20n hops",
    about: "Every column is reproduced. The paper does not mention that from `p = .8` on, nearly every message that \
            leaves its source and fails is caught in a closed set of nodes.",
    texts: || vec![long_text("sidetracking")],
    charts: true,
    compare: |item, sweeps| long_table(item, sweeps, "sidetracking", &published::TABLE_2, |_, _| ""),
};

pub(super) const TABLE_3: Item = Item {
    paper: &super::PAPER,
    id: "table3",
    title: "Table 3: randomized backtracking in the 20-cube, paths of at most 20n hops",
    about: "The table is reproduced up to `p = .75`. No reading of the algorithm that we tried gives the path lengths \
            and deviations at .80 and .85 and the deviation at .90; at .80 they are close. At .95 no message arrives.",
    texts: || vec![long_text("backtracking")],
    charts: true,
    compare: |item, sweeps| long_table(item, sweeps, "backtracking", &published::TABLE_3, remark_3),
};

pub(super) const TABLE_4: Item = Item {
    paper: &super::PAPER,
    id: "table4",
    title: "Table 4: how fast success converges with the dimension, paths of at most 5n hops",
    about: "Every cell is reproduced, but most of the paper's backtracking values at `p = .6` to .8 are slightly high \
            from `n = 10` on, by up to a percentage point.",
    texts: || {
        let text =
            |n| format!("net=cube:{n}&faults=nodes:0.5&route=sidetracking,backtracking&vary=p:0.1..0.9:9&view=measure");
        DIMENSIONS.iter().map(text).collect()
    },
    charts: true,
    compare: table_4,
};

fn long_text(route: &str) -> String {
    format!("net=cube:20&faults=nodes:0.5&route={route}&mpl=20&vary=p:0.5..0.95:10&view=measure")
}

fn percent(estimate: Option<Estimate>) -> Option<Estimate> {
    estimate.map(|estimate| estimate.scaled(100.0, 0.0))
}

fn figure_1(item: &Item, sweeps: &[Sweep]) -> Vec<PaperValue> {
    let cell = |step: u32| {
        let p = f64::from(step) * 5.0 / 100.0;
        let found = percent(estimate(sweeps, 0, "random", p, "success"));
        let limit = 100.0 * local_limit(p);
        let mut cell = measured(item, sweeps.first(), format!("p={p:.2}"), "p_A^2 %".into(), found);
        cell.published = Some(limit);
        cell.printed = format!("{limit:.2}");
        cell.verdict = verdict::exact(found, limit);
        cell
    };
    (1..=19).map(cell).collect()
}

/// Returns the cells of Table 2 or 3; `remark` returns the remark on a cell, by p and column.
fn long_table(
    item: &Item,
    sweeps: &[Sweep],
    series: &str,
    rows: &[LongRow],
    remark: fn(&str, usize) -> &'static str,
) -> Vec<PaperValue> {
    let cell = |row: &LongRow, column: usize| {
        let (heading, metric) = LONG_COLUMNS[column];
        let (printed, arrived) = (row.columns[column], row.columns[1].value() / 100.0 * TRIALS);
        let found = estimate(sweeps, 0, series, row.p.value(), metric);
        let found = if column < 2 { percent(found) } else { found };
        let mut cell = measured(item, sweeps.first(), format!("p={}", row.p.0), heading.into(), found);
        if column >= 2 && arrived == 0.0 {
            cell.remark = "no message arrived in the paper's run, which prints 0.00".into();
            return cell;
        }
        cell.publish(printed.0);
        cell.verdict = match column {
            0 | 1 => verdict::percentage(found, printed),
            _ => verdict::moment(found, printed, arrived),
        };
        cell.remark = match (column, found) {
            (0, _) => format!("exactly {:.2}, by equation (6)", 100.0 * local_bernoulli(20, row.p.value())),
            (_, Some(found)) if cell.verdict == Verdict::Undecided && found.n as f64 > arrived => {
                format!("the paper's value comes from about {arrived:.0} messages, too few to decide")
            }
            (_, Some(found)) if cell.verdict == Verdict::Undecided => {
                format!("only {} messages arrived: more precision is needed", found.n)
            }
            _ if cell.verdict == Verdict::Reproduced && !remark(row.p.0, column).is_empty() => {
                cell.verdict = Verdict::Undecided;
                "agrees only because few messages were sent; with more precision it does not".into()
            }
            _ => remark(row.p.0, column).into(),
        };
        cell
    };
    rows.iter().flat_map(|row| (0..LONG_COLUMNS.len()).map(move |column| cell(row, column))).collect()
}

/// Returns the remark on a cell of Table 3.
fn remark_3(p: &str, column: usize) -> &'static str {
    match (p, column) {
        (".80" | ".85", 1..) => "no reading of the algorithm that we tried gives the printed value",
        (".90", 3) => "no reading of the algorithm that we tried gives the printed deviation",
        _ => "",
    }
}

fn table_4(item: &Item, sweeps: &[Sweep]) -> Vec<PaperValue> {
    let mut cells = Vec::new();
    for row in &published::TABLE_4 {
        for (series, printed) in ALGORITHMS.iter().zip(&row.success) {
            for ((sweep, n), &printed) in DIMENSIONS.iter().enumerate().zip(printed) {
                let found = percent(estimate(sweeps, sweep, series, row.p.value(), "success"));
                let mut cell =
                    measured(item, sweeps.get(sweep), format!("p={}", row.p.0), format!("{series}, n={n}, S %"), found);
                cell.publish(printed.0);
                cell.verdict = verdict::percentage(found, printed);
                if *series == "backtracking" && *n >= 10 && ["0.6", "0.7", "0.8"].contains(&row.p.0) {
                    cell.remark = "one of a group of values that are mostly slightly high in the paper".into();
                }
                cells.push(cell);
            }
        }
    }
    cells
}
