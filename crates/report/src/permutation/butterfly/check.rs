//! Checks of permutations of the rows of a butterfly: its paths, its active rows, and the
//! congestion of the routes.

use std::sync::Arc;

use crate::check_report::{self, CheckReport};
use crate::check_verdict::{CheckVerdict, Clause, VerdictMark};
use crate::cost;
use crate::document::Document;
use crate::error::ReportError;
use crate::files::bound_rows::{BoundRow, ROW};
use crate::files::record::{self, Record, Value};
use crate::wording::facts::{BoundCheck, Fact, fact};
use faultlab_core::routing::Algorithm;
use faultlab_core::routing::oblivious::ButterflyScheme;
use faultlab_core::switching::ButterflyCongestion;
use faultlab_core::theory::oblivious::{BoundSide, bit_fixing_worst};
use faultlab_experiment::Experiment;
use faultlab_experiment::permutation::{ButterflyInstance, ButterflyTrial};

/// Results on one butterfly with its faults.
struct ButterflyChecks {
    experiment: Experiment,
    instance: ButterflyInstance,
    /// Counts of the routes of each algorithm.
    paths: Vec<ButterflyCongestion>,
}

/// Claim or number on one algorithm, as a fact and as a row of the files.
struct Item {
    id: &'static str,
    what: &'static str,
    meaning: String,
    value: Result<BoundCheck, f64>,
}

/// Checks every algorithm of `experiment` on the faults of the sample shown in *Watch*. Cost: the
/// routes of all messages.
///
/// # Errors
/// Returns an error if the network is not a butterfly.
pub(crate) fn check_experiment(experiment: &Experiment) -> Result<Box<dyn CheckReport>, ReportError> {
    let other = || ReportError::UnsupportedNetwork { network: experiment.network, accepted: "butterflies" };
    let instance = ButterflyInstance::new(experiment).ok_or_else(other)?;
    let paths = instance.series.iter().map(|(_, trial)| trial.congestion()).collect();
    Ok(Box::new(ButterflyChecks { experiment: experiment.clone(), instance, paths }))
}

impl ButterflyChecks {
    /// Returns the numbers of the network, each with its name in files, its name in texts and its
    /// meaning.
    fn network(&self) -> [(&'static str, &'static str, f64, &'static str); 5] {
        let butterfly = self.instance.faults.butterfly();
        let nodes = "rows times levels of nodes: `(n+1) 2^n`";
        let links = "two from each node to the next level: `n 2^(n+1)`";
        [
            ("levels", "Levels of links n", butterfly.levels().into(), "nodes have levels 0 to n"),
            ("rows", "Rows N", butterfly.rows().into(), "`2^n`; each sends at its input and receives at its output"),
            ("nodes", "Nodes", butterfly.nodes().into(), nodes),
            ("links", "Links", butterfly.links().into(), links),
            ("faulty-nodes", "Faulty nodes F", self.instance.faults.count().into(), "of any level"),
        ]
    }

    fn item(id: &'static str, what: &'static str, value: f64, meaning: impl Into<String>) -> Item {
        Item { id, what, meaning: meaning.into(), value: Err(value) }
    }

    /// Returns the claims and numbers on algorithm number `number`.
    fn items(&self, number: usize) -> Vec<Item> {
        let Some(((_, trial), paths)) = self.instance.series.get(number).zip(self.paths.get(number)) else {
            return Vec::new();
        };
        let (butterfly, faults) = (trial.routing.butterfly(), &self.instance.faults);
        let rows = f64::from(butterfly.rows());
        let broken: f64 = (0..butterfly.rows()).map(|row| f64::from(trial.routing.faulty_paths(row)[0])).sum();
        let bound = BoundCheck::new(broken, BoundSide::AtMost, f64::from(faults.count()) * rows);
        let mut items = vec![
            Item {
                id: "faulty-paths",
                what: "Faulty paths",
                meaning: "of the `N^2` paths from an input to an output; each faulty node breaks N, so at most `F N`"
                    .into(),
                value: Ok(bound),
            },
            Self::item("active", "Active rows", trial.routing.active_count().into(), "rows that may send and receive"),
        ];
        if let Some(limit) = trial.routing.limit() {
            let meaning = "the most paths out of an active row's input, and into its output, that may be faulty";
            items.push(Self::item("faulty-paths-limit", "Tolerated faulty paths", limit.into(), meaning));
        }
        items.push(Self::item("messages", "Messages", trial.relation.len().into(), "between active rows"));
        items.push(Self::item("routes", "Routes", paths.delivered().into(), "messages that have a route"));
        items.push(Self::item("drawn-length", "Hops", paths.max_length().into(), "of every route"));
        items.push(congestion(self.experiment.setting.permutation().map_or(1, |setting| setting.h), trial, paths));
        if paths.max_load() > 0 {
            let meaning = "the most messages by way of the same row";
            items.push(Self::item("drawn-load", "Load", paths.max_load().into(), meaning));
        }
        items
    }

    /// Returns whether worms on the routes cannot deadlock, if that is known, and the reason.
    fn deadlock(trial: &ButterflyTrial) -> (Option<bool>, &'static str) {
        match trial.routing.scheme() {
            ButterflyScheme::Direct => (Some(true), "every route takes links of ascending levels"),
            _ => (None, "a route returns from the last level to the first; no verdict on deadlock is computed"),
        }
    }

    fn rows(&self, number: usize) -> Vec<BoundRow> {
        let row = |item: Item| match item.value {
            Ok(bound) => BoundRow::bounded(item.id, bound),
            Err(value) => BoundRow::measured(item.id, value),
        };
        self.items(number).into_iter().map(row).collect()
    }

    fn network_rows(&self) -> Vec<BoundRow> {
        self.network().into_iter().map(|(id, _, value, _)| BoundRow::measured(id, value)).collect()
    }

    fn line(&self, number: usize, algorithm: &Arc<Algorithm>, trial: &ButterflyTrial) -> Record {
        let butterfly = self.instance.faults.butterfly();
        let faulty: Value = self.instance.faults.iter().map(|node| butterfly.format_node(node)).collect();
        let (free, because) = Self::deadlock(trial);
        let none = || Vec::<String>::new().into_iter().collect::<Value>();
        Record::default()
            .with("series", &*algorithm.id)
            .with("unavailable", None::<String>)
            .with("rows", self.rows(number).into_iter().collect::<Value>())
            .with("acyclic", free)
            .with("cycle", none())
            .with("order", none())
            .with("witnesses", none())
            .with("deadlock_free", free)
            .with("because", because)
            .with("deadlock", None::<String>)
            .with("subcube", None::<String>)
            .with("faulty_nodes", faulty)
            .with("network", self.network_rows().into_iter().collect::<Value>())
            .with("cost", cost::record_for(&self.experiment, algorithm))
    }
}

/// Returns the congestion; for the only paths, compared with the bound on every permutation.
fn congestion(h: u32, trial: &ButterflyTrial, paths: &ButterflyCongestion) -> Item {
    let (id, what, most) = ("drawn-congestion", "Congestion", f64::from(paths.max_congestion()));
    let meaning = "the most messages that cross one link";
    if trial.routing.scheme() != ButterflyScheme::Direct {
        return ButterflyChecks::item(id, what, most, meaning);
    }
    let bound = f64::from(h * bit_fixing_worst(trial.routing.butterfly().levels()));
    let meaning = format!(
        "{meaning}: a link of level l is on paths from `2^l` inputs and to `2^(n-l-1)` outputs, so at most \
         `2^floor((n-1)/2) h`"
    );
    Item { id, what, meaning, value: Ok(BoundCheck::new(most, BoundSide::AtMost, bound)) }
}

impl Document for ButterflyChecks {
    fn text(&self) -> String {
        check_report::render_text(self, &self.experiment, "")
    }

    fn csv(&self) -> String {
        let network = self.network_rows().into_iter().map(|row| row.into_record("network"));
        let series = self.instance.series.iter().enumerate();
        let lines = series.flat_map(|(number, (algorithm, _))| {
            self.rows(number).into_iter().map(|row| row.into_record(&algorithm.id)).collect::<Vec<_>>()
        });
        record::csv(&self.experiment, &ROW, &network.chain(lines).collect::<Vec<_>>())
    }

    fn json(&self) -> String {
        let series = self.instance.series.iter().enumerate();
        let lines = series.map(|(number, (algorithm, trial))| self.line(number, algorithm, trial));
        record::json(&self.experiment, lines.collect())
    }
}

impl CheckReport for ButterflyChecks {
    fn experiment(&self) -> &Experiment {
        &self.experiment
    }

    fn ground(&self) -> &'static str {
        ", on the paths and routes of this butterfly"
    }

    fn network_facts(&self) -> Vec<Fact> {
        let number = |value: f64| crate::wording::number(value);
        self.network().into_iter().map(|(_, what, value, meaning)| fact(what, number(value), meaning)).collect()
    }

    fn names(&self) -> Vec<&str> {
        self.instance.series.iter().map(|(algorithm, _)| &*algorithm.name).collect()
    }

    fn verdict(&self, number: usize) -> CheckVerdict {
        let Some((algorithm, trial)) = self.instance.series.get(number) else {
            return CheckVerdict::from_clauses([]);
        };
        let (name, active) = (&algorithm.name, trial.routing.active_count());
        let rows = trial.routing.butterfly().rows();
        let part: Clause = match active {
            0 => (VerdictMark::Fails, format!("{name} sends nothing, because no row is active")),
            _ => (VerdictMark::Holds, format!("{name} lets {active} of {rows} rows take part")),
        };
        let deadlock: Clause = match Self::deadlock(trial) {
            (Some(true), _) => (VerdictMark::Holds, format!("{name} is proved free of deadlock")),
            _ => (VerdictMark::Partly, format!("{name} is not checked for deadlock")),
        };
        CheckVerdict::from_clauses([part, deadlock])
    }

    fn facts(&self, number: usize) -> Vec<Fact> {
        let text = |item: Item| match item.value {
            Ok(bound) => bound.fact(item.what, &item.meaning),
            Err(value) => fact(item.what, crate::wording::number(value), item.meaning),
        };
        let mut facts: Vec<_> = self.items(number).into_iter().map(text).collect();
        if let Some((_, trial)) = self.instance.series.get(number) {
            let (free, because) = Self::deadlock(trial);
            let value = if free == Some(true) { "free" } else { "not computed" };
            facts.push(fact("Deadlock of worms", value, because));
        }
        facts
    }
}
