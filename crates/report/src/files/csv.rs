//! Comma-separated values. The first lines state the source: `# faultlab VERSION`, then `#
//! experiment TEXT` and `# seed NUMBER` of each experiment.
//!
//! Numbers are the shortest that read back to the same bits. A field is empty if its value does not
//! exist or cannot be computed.

use std::borrow::Cow;
use std::fmt::{Display, Write as _};

use super::table::SweepTable;
use crate::chart::figure::{CurveStyle, Figure};
use crate::error::ReportError;
use faultlab_core::VERSION;
use faultlab_experiment::{DistributionKind, Estimate, Experiment, KINDS, PointResult, Sweep};
use faultlab_papers::PaperValue;

/// Returns the results of `run`:
/// `series,x,outcome,metric,unit,mean,ci95_low,ci95_high,n,runs,reason`. `runs` is the number of
/// independent trials from which the interval is computed; `reason` is the reason for the outcome.
///
/// Empty fields: `x` without a sweep; `mean` without a message that contributes; the ends of an
/// unbounded interval, as with one trial, and the ends of an exact number.
pub fn csv(table: &SweepTable) -> String {
    let mut csv = source_header([&table.experiment]);
    csv.push_str("series,x,outcome,metric,unit,mean,ci95_low,ci95_high,n,runs,reason\n");
    for row in &table.rows {
        let of = |part: fn(&Estimate) -> f64| number(row.estimate.as_ref().map(part));
        let end = |part: fn(&Estimate) -> f64| {
            number(row.estimate.as_ref().filter(|estimate| !estimate.is_exact()).map(part))
        };
        let (mean, low, high) =
            (of(|estimate| estimate.mean), end(|estimate| estimate.low), end(|estimate| estimate.high));
        let [n, runs] = row.estimate.map_or([0; 2], |estimate| [estimate.n, estimate.runs]);
        let (x, unit) = (number(row.x), row.metric.unit);
        let (outcome, reason) = (row.outcome.id(), &row.reason);
        line(&mut csv, &[&row.series, &x, &outcome, &row.metric.id, &unit, &mean, &low, &high, &n, &runs, &reason]);
    }
    csv
}

/// Returns the histogram of path lengths of delivered messages: `series,x,length,messages`. Lengths
/// are in hops; only lengths that occur are listed.
pub fn lengths(sweep: &Sweep) -> String {
    let mut csv = source_header([sweep.experiment()]);
    csv.push_str("series,x,length,messages\n");
    for point in sweep.points() {
        for (length, messages) in lengths_of(point) {
            line(&mut csv, &[&point.algorithm.id, &number(point.x), &length, &messages]);
        }
    }
    csv
}

/// Checks that experiments of `kind` count path lengths.
///
/// # Errors
/// Returns [`ReportError::LengthsNotCounted`] if experiments of `kind` do not count them.
pub fn check_kind_lengths(kind: &faultlab_experiment::Kind) -> Result<(), ReportError> {
    let counts = |kind: &faultlab_experiment::Kind| {
        let is_count = |shape| matches!(shape, DistributionKind::Arrivals(_) | DistributionKind::Routes(_));
        kind.spreads.iter().any(|spread| is_count(spread.shape))
    };
    if counts(kind) {
        return Ok(());
    }
    let accepted = KINDS.iter().filter(|kind| counts(kind)).map(|kind| kind.id).collect();
    Err(ReportError::LengthsNotCounted { kind: kind.id, accepted })
}

/// Checks that a sweep has a histogram of path lengths to print.
///
/// # Errors
/// Returns the reason if its kind counts no path lengths, or if no message has arrived.
pub fn check_lengths(sweep: &Sweep) -> Result<(), ReportError> {
    check_kind_lengths(sweep.experiment().kind())?;
    if sweep.points().iter().any(|point| !point.lengths().is_empty()) {
        return Ok(());
    }
    let reason = sweep.points().first().map_or(Cow::default(), PointResult::reason).into_owned();
    Err(ReportError::NoLengths { experiment: sweep.experiment().to_string(), reason })
}

/// Returns the number of messages by number of hops: delivered messages, or the routes of whole
/// permutations.
pub(crate) fn lengths_of(point: &PointResult) -> Vec<(u32, u64)> {
    point.lengths().into_iter().map(|(length, messages)| (length as u32, messages)).collect()
}

/// Returns the curves of a chart: `series,x,y,ci95_low,ci95_high`.
pub fn curves(sweep: &Sweep, figure: &Figure) -> String {
    let mut csv = source_header([sweep.experiment()]);
    csv.push_str("series,x,y,ci95_low,ci95_high\n");
    for curve in &figure.curves {
        for (x, y) in &curve.points {
            let ends = curve.intervals.iter().find(|(at, ..)| at == x);
            let (low, high) = (number(ends.map(|ends| ends.1)), number(ends.map(|ends| ends.2)));
            // The ends of a band are not an interval: their distance is the share.
            match ends.filter(|_| curve.kind == CurveStyle::Band) {
                Some((_, below, above)) => line(&mut csv, &[&curve.name, x, &(above - below), &"", &""]),
                None => line(&mut csv, &[&curve.name, x, y, &low, &high]),
            }
        }
    }
    csv
}

/// Returns the results of `papers`:
/// `paper,item,cell,published,measured,ci95_low,ci95_high,verdict,remark,experiment`.
pub fn papers(cells: &[PaperValue]) -> String {
    let mut csv = source_header(cells.iter().map(|cell| &*cell.experiment));
    csv.push_str("paper,item,cell,published,measured,ci95_low,ci95_high,verdict,remark,experiment\n");
    for cell in cells {
        let [low, high] = [0, 1].map(|end| number(cell.ci95.map(|ends| ends[end])));
        let (published, measured) = (number(cell.published), number(cell.measured));
        let (verdict, made) = (cell.verdict.id(), &cell.experiment);
        let fields: [&dyn Display; 10] =
            [&cell.paper, &cell.item, &cell.cell, &published, &measured, &low, &high, &verdict, &cell.remark, made];
        line(&mut csv, &fields);
    }
    csv
}

/// Returns the first lines of every file: the version, and each experiment once.
pub(crate) fn source_header<'a>(experiments: impl IntoIterator<Item = &'a Experiment>) -> String {
    let mut head = format!("# faultlab {VERSION}\n");
    let mut named = Vec::new();
    for experiment in experiments {
        if !named.contains(&experiment) {
            named.push(experiment);
            let _ = writeln!(head, "# experiment {experiment}\n# seed {}", experiment.seed);
        }
    }
    head
}

/// Appends a line. Fields with a comma, quote or line break are quoted, as in RFC 4180.
pub(crate) fn line(csv: &mut String, fields: &[&dyn Display]) {
    let mut before = "";
    for field in fields {
        let text = match field.to_string() {
            // Only numbers can be written as negative zero.
            zero if zero == "-0" => "0".into(),
            text => text,
        };
        csv.push_str(before);
        csv.push_str(&quoted(&text, ','));
        before = ",";
    }
    csv.push('\n');
}

/// Returns a field, quoted if it contains the separator, a quote or a line break.
pub(crate) fn quoted(field: &str, separator: char) -> Cow<'_, str> {
    match field.contains([separator, '"', '\n']) {
        true => format!("\"{}\"", field.replace('"', "\"\"")).into(),
        false => field.into(),
    }
}

/// Returns a value as text; empty for `None`.
pub(crate) fn field_or_empty(value: Option<impl ToString>) -> String {
    value.map_or(String::new(), |value| value.to_string())
}

/// Returns a number as text; empty for `None` and for non-finite numbers.
pub(crate) fn number(value: Option<f64>) -> String {
    field_or_empty(value.filter(|value| value.is_finite()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::table::table;
    use faultlab_experiment::run;

    #[test]
    fn small_run_has_the_expected_lines() {
        // Without faults every message arrives in n hops, so the numbers are known in advance.
        let mut sweep = Sweep::new(&"net=cube:3&trials=100".parse().unwrap());
        run(&mut sweep);
        let csv = csv(&table(&sweep));
        let lines: Vec<_> = csv.lines().collect();
        assert_eq!(lines[1], "# experiment v=1&net=cube:3&trials=100");
        assert_eq!(lines[2], "# seed 1");
        assert_eq!(lines[3], "series,x,outcome,metric,unit,mean,ci95_low,ci95_high,n,runs,reason");
        assert!(lines[4].starts_with("sidetracking,,out-of-budget,success,probability,1,0.963"), "{}", lines[4]);
        // 100 messages do not exclude that one in 27 takes a longer path.
        assert!(lines[6].starts_with("sidetracking,,out-of-budget,length,hops,3,2.8"), "{}", lines[6]);
        assert_eq!(lengths(&sweep).lines().last(), Some("sidetracking,,3,100"));
    }

    #[test]
    fn unmeasured_values_are_empty_fields() {
        let sweep = Sweep::new(&"net=cube:3".parse().unwrap());
        let csv = csv(&table(&sweep));
        assert!(csv.lines().skip(4).all(|line| line.contains(",,,,0,0,")), "{csv}");
    }

    #[test]
    fn fields_with_separators_are_quoted() {
        let mut csv = String::new();
        line(&mut csv, &[&"a, \"b\"", &1, &""]);
        assert_eq!(csv, "\"a, \"\"b\"\"\",1,\n");
    }

    #[test]
    fn line_writes_negative_zero_without_its_sign() {
        let mut csv = String::new();
        line(&mut csv, &[&-0.0, &number(Some(-0.0)), &-0.5, &number(Some(f64::NAN))]);
        assert_eq!(csv, "0,0,-0.5,\n");
    }

    #[test]
    fn papers_header_names_each_experiment_once() {
        let cells = faultlab_papers::item("table4").map(|item| item.cells(&[])).unwrap();
        let csv = papers(&cells);
        assert_eq!(csv.lines().filter(|line| line.starts_with("# experiment ")).count(), 4);
        let first = csv.lines().find(|line| line.starts_with("gordon-stout,")).unwrap();
        let start = "gordon-stout,table4,\"p=0.1 sidetracking, n=5, S %\",99.9,,,,undecided,,\"v=1&net=cube:5&";
        assert!(first.starts_with(start), "{first}");
    }
}
