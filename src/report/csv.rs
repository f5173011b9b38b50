//! Comma-separated values, with what made them in the first lines.

use std::fmt::Write as _;

use super::table::{Table, unit};
use crate::experiment::Sweep;

/// The table: `series,x,outcome,metric,unit,mean,ci95_low,ci95_high,n`.
///
/// Numbers are the shortest that read back to the same bits. Empty: `x` when nothing is varied, `mean` when no message
/// tells, the ends of an interval that is unbounded.
pub fn csv(table: &Table) -> String {
    let mut csv = head(&table.experiment, table.seed, table.version);
    csv.push_str("series,x,outcome,metric,unit,mean,ci95_low,ci95_high,n\n");
    for row in &table.rows {
        let of = |part: fn(&crate::experiment::Estimate) -> f64| field(row.estimate.as_ref().map(part));
        let _ = writeln!(
            csv,
            "{},{},{},{},{},{},{},{},{}",
            row.series,
            field(row.x),
            row.outcome,
            row.metric.id,
            unit(row.metric),
            of(|estimate| estimate.mean),
            of(|estimate| estimate.low),
            of(|estimate| estimate.high),
            row.estimate.map_or(0, |estimate| estimate.n)
        );
    }
    csv
}

/// The histogram of path lengths of delivered messages: `series,x,length,messages`, lengths in hops, those that occur.
pub fn lengths(sweep: &Sweep) -> String {
    let experiment = sweep.experiment();
    let mut csv = head(&experiment.to_string(), experiment.seed, crate::VERSION);
    csv.push_str("series,x,length,messages\n");
    for point in sweep.points() {
        for (length, messages) in point.tally.histogram(point.cell.distance()) {
            let _ = writeln!(csv, "{},{},{length},{messages}", point.algorithm.id, field(point.x));
        }
    }
    csv
}

fn head(experiment: &str, seed: u64, version: &str) -> String {
    format!("# faultlab {version}\n# experiment {experiment}\n# seed {seed}\n")
}

/// A number; nothing for none, or for one that is not finite.
fn field(value: Option<f64>) -> String {
    value.filter(|value| value.is_finite()).map_or(String::new(), |value| value.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::run;
    use crate::report::table::table;

    #[test]
    fn a_small_run_as_csv() {
        // Without faults every message arrives in n hops: the numbers are known beforehand.
        let mut sweep = Sweep::new(&"net=cube:3&trials=100".parse().unwrap());
        run(&mut sweep);
        let csv = csv(&table(&sweep));
        let lines: Vec<_> = csv.lines().collect();
        assert_eq!(lines[1], "# experiment v=1&net=cube:3&trials=100");
        assert_eq!(lines[2], "# seed 1");
        assert_eq!(lines[3], "series,x,outcome,metric,unit,mean,ci95_low,ci95_high,n");
        assert!(lines[4].starts_with("sidetracking,,out-of-budget,success,probability,1,0.963"), "{}", lines[4]);
        assert_eq!(lines[6], "sidetracking,,out-of-budget,length,hops,3,3,3,100");
        assert_eq!(lengths(&sweep).lines().last(), Some("sidetracking,,3,100"));
    }

    #[test]
    fn nothing_measured_is_empty() {
        let sweep = Sweep::new(&"net=cube:3".parse().unwrap());
        let csv = csv(&table(&sweep));
        assert!(csv.lines().skip(4).all(|line| line.ends_with(",,,,0")), "{csv}");
    }
}
