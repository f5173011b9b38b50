//! Active nodes of a hypercube as a document: text, CSV and JSON. No routes are involved.

use std::fmt::Write as _;

use crate::document::Document;
use crate::files::record::{self, Record};
use crate::files::table::with_interval;
use faultlab_experiment::Experiment;
use faultlab_experiment::activity::{Active, ActiveRule, Activity};

/// Active nodes that the faults of an experiment leave.
#[derive(Clone, Debug)]
pub struct ActiveNodesReport {
    /// Experiment with the faults.
    pub experiment: Experiment,
    /// Numbers of active nodes, by rule.
    pub activity: Activity,
}

const COLUMNS: [&str; 13] = [
    "series",
    "n",
    "nodes",
    "faults",
    "limit",
    "active",
    "share",
    "faulty_paths",
    "supposed",
    "half",
    "half_low",
    "half_high",
    "trials",
];

impl Document for ActiveNodesReport {
    fn text(&self) -> String {
        let Activity { cube, faults, rules } = &self.activity;
        let mut text = format!("{}\n\n{faults} of {} nodes are faulty\n", self.experiment, cube.mask() + 1);
        for one in rules {
            self.lines(one).iter().for_each(|line| {
                let _ = writeln!(text, "{line}");
            });
        }
        text
    }

    fn csv(&self) -> String {
        record::csv(&self.experiment, &COLUMNS, &self.records())
    }

    fn json(&self) -> String {
        record::json(&self.experiment, self.records())
    }
}

impl ActiveNodesReport {
    fn lines(&self, one: &Active) -> Vec<String> {
        let nodes = self.activity.cube.mask() + 1;
        let (name, what, paths) = match one.rule {
            ActiveRule::A => ("Algorithm A", "node", nodes),
            ActiveRule::B => ("Algorithm B", "square of four nodes", nodes / 4),
        };
        let share = 100.0 * f64::from(one.active) / nodes as f64;
        let mut lines = vec![
            format!("\n{name}: {} of {nodes} nodes are active, {share:.4}%", one.active),
            format!(
                "  a {what} is active if at most {} of the {paths} bit-fixing paths out of it, and of those into it, \
                 are faulty",
                one.limit
            ),
            format!(
                "  {} bit-fixing paths are faulty; the theorem allows at most {} faults",
                one.faulty_paths, one.max_faults
            ),
        ];
        lines.extend(one.half.map(|half| {
            let (found, trials) = (with_interval(half), half.n);
            format!(
                "  F50, the number of random faults that leave at most half of all nodes active: {found}, over \
                 {trials} trials"
            )
        }));
        lines
    }

    fn records(&self) -> Vec<Record> {
        self.activity.rules.iter().map(|one| self.record(one)).collect()
    }

    fn record(&self, one: &Active) -> Record {
        let Activity { cube, faults, .. } = &self.activity;
        let nodes = cube.mask() + 1;
        Record::default()
            .with("series", one.rule.id())
            .with("n", cube.dimension())
            .with("nodes", nodes)
            .with("faults", *faults)
            .with("limit", one.limit)
            .with("active", one.active)
            .with("share", f64::from(one.active) / nodes as f64)
            .with("faulty_paths", one.faulty_paths)
            .with("supposed", one.max_faults)
            .with("half", one.half.map(|half| half.mean))
            .with("half_low", one.half.map(|half| half.low))
            .with("half_high", one.half.map(|half| half.high))
            .with("trials", one.half.map(|half| half.n))
    }
}
