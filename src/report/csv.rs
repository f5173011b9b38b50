//! Comma-separated values, with what made them in the first lines: `# faultlab VERSION`, then `# experiment TEXT` and
//! `# seed NUMBER` of each experiment.
//!
//! Numbers are the shortest that read back to the same bits. Empty: what does not exist, or cannot be computed.

use std::fmt::{Display, Write as _};

use super::check::Checks;
use super::figure::Figure;
use super::mesh_check::{MeshChannel, MeshChecks};
use super::table::{Table, unit};
use super::words;
use crate::VERSION;
use crate::experiment::papers::PaperCell;
use crate::experiment::{Estimate, Experiment, Instance, PointResult, Sweep};

/// `run`: `series,x,outcome,metric,unit,mean,ci95_low,ci95_high,n`.
///
/// Empty: `x` when nothing is varied, `mean` when no message tells, the ends of an interval that is unbounded.
pub fn csv(table: &Table) -> String {
    let mut csv = head([&table.experiment]);
    csv.push_str("series,x,outcome,metric,unit,mean,ci95_low,ci95_high,n\n");
    for row in &table.rows {
        let of = |part: fn(&Estimate) -> f64| number(row.estimate.as_ref().map(part));
        let (mean, low, high) =
            (of(|estimate| estimate.mean), of(|estimate| estimate.low), of(|estimate| estimate.high));
        let n = row.estimate.map_or(0, |estimate| estimate.n);
        let (x, unit) = (number(row.x), unit(row.metric));
        line(&mut csv, &[&row.series, &x, &row.outcome, &row.metric.id, &unit, &mean, &low, &high, &n]);
    }
    csv
}

/// The histogram of path lengths of delivered messages: `series,x,length,messages`, lengths in hops, those that occur.
pub fn lengths(sweep: &Sweep) -> String {
    let mut csv = head([sweep.experiment()]);
    csv.push_str("series,x,length,messages\n");
    for point in sweep.points() {
        for (length, messages) in lengths_of(point) {
            line(&mut csv, &[&point.algorithm.id, &number(point.x), &length, &messages]);
        }
    }
    csv
}

/// How many messages have so many hops: those delivered, or of whole permutations their routes.
pub(super) fn lengths_of(point: &PointResult) -> Vec<(u32, u64)> {
    let routes = point.route_lengths().into_iter().map(|(length, routes)| (length as u32, routes));
    point.tally.histogram(point.cell.distance()).chain(routes).collect()
}

/// The curves of a chart: `series,x,y,ci95_low,ci95_high`.
pub fn curves(sweep: &Sweep, figure: &Figure) -> String {
    let mut csv = head([sweep.experiment()]);
    csv.push_str("series,x,y,ci95_low,ci95_high\n");
    for curve in &figure.curves {
        for (x, y) in &curve.points {
            let ends = curve.intervals.iter().find(|(at, ..)| at == x);
            let (low, high) = (number(ends.map(|ends| ends.1)), number(ends.map(|ends| ends.2)));
            line(&mut csv, &[&curve.name, x, y, &low, &high]);
        }
    }
    csv
}

/// `route`: `series,outcome,hop,from,to,class,rule,reason`, a line for each hop of each message of `instance`, which is
/// of `experiment`. Hops count from 1; a message that makes none has one line, empty from `hop` on.
pub fn routes(experiment: &Experiment, instance: &mut Instance) -> String {
    let mut csv = head([experiment]);
    csv.push_str("series,outcome,hop,from,to,class,rule,reason\n");
    for trace in instance.traces.clone() {
        let (series, outcome) = (trace.algorithm.id, trace.outcome.id());
        for (made, hop) in trace.hops.iter().enumerate() {
            let reason = words::reason(instance, &trace, made);
            // A single message needs one class of virtual channels only.
            line(&mut csv, &[&series, &outcome, &(made + 1), &hop.from, &hop.to, &0, &hop.rule.id(), &reason]);
        }
        if trace.hops.is_empty() {
            line(&mut csv, &[&series, &outcome, &"", &"", &"", &"", &"", &""]);
        }
    }
    csv
}

/// `check`: `series,acyclic,channels,dependencies,cycle,connected,live,exact_success,exact_length,closed_form,theorem,
/// pairs,cut_off,closed_form_pairs,disjoint`, a line for each algorithm; a cycle is its channels, `FROM>TO`, with blanks
/// between, `disjoint` the number of disjoint paths.
pub fn checks(experiment: &Experiment, checks: &Checks) -> String {
    let mut csv = head([experiment]);
    csv.push_str(
        "series,acyclic,channels,dependencies,cycle,connected,live,exact_success,exact_length,closed_form,theorem,pairs,\
         cut_off,closed_form_pairs,disjoint\n",
    );
    for check in &checks.algorithms {
        let graph = check.dependencies.as_ref();
        let cycle = graph.and_then(|graph| graph.cycle.as_ref()).into_iter().flatten();
        let cycle: Vec<_> = cycle.map(|link| format!("{}>{}", link.from, link.to())).collect();
        let permitted = check.permitted.as_ref();
        let counts = permitted.and_then(|permitted| permitted.pairs);
        let fields: [&dyn Display; 15] = [
            &check.algorithm.id,
            &field(graph.map(|graph| graph.cycle.is_none())),
            &field(graph.map(|graph| graph.channels)),
            &field(graph.map(|graph| graph.dependencies)),
            &cycle.join(" "),
            &field(checks.connected),
            &field(checks.connectivity.as_ref().map(|found| found.live)),
            &number(check.exact_success),
            &number(check.exact_length),
            &number(check.closed_form.map(|(share, _)| share)),
            &number(check.theorem),
            &field(counts.map(|counts| counts.live)),
            &field(counts.map(|counts| counts.cut_off)),
            &field(permitted.and_then(|permitted| permitted.affected).map(|affected| affected.pairs)),
            &field(permitted.and_then(|permitted| permitted.disjoint.as_ref()).map(Vec::len)),
        ];
        line(&mut csv, &fields);
    }
    csv
}

/// `check` of worms on a mesh: `series,classes,proved,acyclic,channels,dependencies,cycle,pairs,lost,circling,longest,detour,duato`, a
/// line for each algorithm; `duato` is of weakly adaptive routing; a cycle is its channels, `FROM>TOcCLASS`, with blanks between.
pub fn mesh_checks(experiment: &Experiment, checks: &MeshChecks) -> String {
    let mesh = checks.faults.mesh();
    let mut csv = head([experiment]);
    csv.push_str(
        "series,classes,proved,acyclic,channels,dependencies,cycle,pairs,lost,circling,longest,detour,duato\n",
    );
    let channel = |channel: &MeshChannel| {
        let to = mesh.neighbor(channel.from, channel.port).map(|to| mesh.label(to)).unwrap_or_default();
        format!("{}>{to}c{}", mesh.label(channel.from), channel.class)
    };
    for check in &checks.algorithms {
        let graph = check.graph.as_ref();
        let cycle: Vec<_> = graph.iter().flat_map(|graph| &graph.cycle).map(channel).collect();
        let arrivals = graph.map(|graph| graph.arrivals);
        let duato = check.escape.as_ref().and_then(|escape| escape.found).map(|found| found.holds());
        let fields: [&dyn Display; 13] = [
            &check.algorithm.id,
            &check.classes,
            &check.proved,
            &field(graph.map(|graph| graph.cycle.is_empty())),
            &field(graph.map(|graph| graph.channels)),
            &field(graph.map(|graph| graph.dependencies)),
            &cycle.join(" "),
            &field(arrivals.map(|found| found.pairs)),
            &field(arrivals.map(|found| found.lost)),
            &field(arrivals.map(|found| found.circling)),
            &field(arrivals.map(|found| found.longest)),
            &field(arrivals.map(|found| found.detour)),
            &field(duato),
        ];
        line(&mut csv, &fields);
    }
    csv
}

/// `papers`: `paper,item,cell,published,measured,ci95_low,ci95_high,verdict,remark,experiment`.
pub fn papers(cells: &[PaperCell]) -> String {
    let mut csv = head(cells.iter().map(|cell| &*cell.experiment));
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

/// The first lines of every file: what made the numbers; each experiment once.
pub(super) fn head<'a>(experiments: impl IntoIterator<Item = &'a Experiment>) -> String {
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

/// Adds a line. Fields that would not read back as one are quoted, as RFC 4180 says.
pub(super) fn line(csv: &mut String, fields: &[&dyn Display]) {
    let mut before = "";
    for field in fields {
        let text = field.to_string();
        csv.push_str(before);
        if text.contains([',', '"', '\n']) {
            let _ = write!(csv, "\"{}\"", text.replace('"', "\"\""));
        } else {
            csv.push_str(&text);
        }
        before = ",";
    }
    csv.push('\n');
}

/// A value; nothing for none.
pub(super) fn field(value: Option<impl ToString>) -> String {
    value.map_or(String::new(), |value| value.to_string())
}

/// A number; nothing for none, or for one that is not finite.
pub(super) fn number(value: Option<f64>) -> String {
    field(value.filter(|value| value.is_finite()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::{CubeCell, run};
    use crate::report::check;
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

    fn cell(experiment: &Experiment) -> CubeCell {
        CubeCell::new(experiment, None).unwrap()
    }

    #[test]
    fn nothing_measured_is_empty() {
        let sweep = Sweep::new(&"net=cube:3".parse().unwrap());
        let csv = csv(&table(&sweep));
        assert!(csv.lines().skip(4).all(|line| line.ends_with(",,,,0")), "{csv}");
    }

    #[test]
    fn a_message_that_makes_no_hop_has_its_line() {
        let experiment: Experiment = "net=cube:2&break=1,2&route=random,deterministic-blind&seed=3".parse().unwrap();
        let csv = routes(&experiment, &mut Instance::new(&experiment, cell(&experiment)));
        let lines: Vec<_> = csv.lines().skip(2).collect();
        assert_eq!(lines[0], "# seed 3");
        assert_eq!(lines[2], "random,blocked-at-source,,,,,,");
        assert_eq!(lines[3], "deterministic-blind,lost,1,0,2,0,highest-wrong,dimension 1 is the highest wrong bit");
        assert_eq!(lines.len(), 4);
    }

    #[test]
    fn a_check_without_a_graph_is_empty_there() {
        let experiment: Experiment = "net=cube:2&route=deterministic,random,global".parse().unwrap();
        let found = check::checks(&experiment, cell(&experiment), true);
        let csv = checks(&experiment, &found);
        let lines: Vec<_> = csv.lines().skip(4).collect();
        assert_eq!(lines[0], "deterministic,true,8,4,,true,4,1,2,,0,,,,");
        assert!(lines[1].starts_with("random,false,8,8,") && lines[1].contains('>'), "{}", lines[1]);
        assert_eq!(lines[2], "global,,,,,true,4,,,,,,,,");
    }

    #[test]
    fn fields_read_back_as_one() {
        let mut csv = String::new();
        line(&mut csv, &[&"a, \"b\"", &1, &""]);
        assert_eq!(csv, "\"a, \"\"b\"\"\",1,\n");
    }

    #[test]
    fn a_table_of_several_experiments_names_each_once() {
        let cells = crate::experiment::papers::item("table4").map(|item| item.cells(&[])).unwrap();
        let csv = papers(&cells);
        assert_eq!(csv.lines().filter(|line| line.starts_with("# experiment ")).count(), 4);
        let first = csv.lines().find(|line| line.starts_with("gordon-stout,")).unwrap();
        let start = "gordon-stout,table4,\"p=0.1 sidetracking, n=5, S %\",99.9,,,,undecided,,\"v=1&net=cube:5&";
        assert!(first.starts_with(start), "{first}");
    }
}
