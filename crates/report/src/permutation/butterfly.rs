//! Whole permutations and batches of the rows of a butterfly: the output of `faultlab route`, and
//! checks.

pub(crate) mod check;
mod picture;
pub mod play;

use std::fmt::{Display, Write as _};

use super::files::{Nodes, PermutationHopRecord, PermutationMessageRecord, PermutationRecord};
use crate::document::Document;
use crate::error::ReportError;
use crate::files::csv::{line, source_header};
use crate::files::json::{ResultSource, to_json};
use crate::wording::{count, cyclic_wait_text};
use faultlab_core::routing::Algorithm;
use faultlab_core::routing::oblivious::{ButterflyRoute, NoRoute, ObliviousPhase, thesis_label};
use faultlab_core::switching::{BatchOutcome, BatchRun, ButterflyCongestion};
use faultlab_core::topology::{Link, NodeId};
use faultlab_experiment::Experiment;
use faultlab_experiment::permutation::{ButterflyInstance, ButterflyTrial, followed_message};

/// Messages of every scheme on a butterfly, with the outcome of their batch.
struct ButterflyRoutes {
    experiment: Experiment,
    instance: ButterflyInstance,
    /// Counts of the routes, and the batch after its end, of each scheme.
    results: Vec<(ButterflyCongestion, Option<BatchRun>)>,
}

/// A hop of a route, with its purpose.
struct Hop {
    link: Link,
    to: NodeId,
    phase: ObliviousPhase,
}

/// Returns the message that is followed under each scheme.
///
/// # Errors
/// Returns an error if the network is not a butterfly, or no message has the requested ends.
pub(crate) fn routes(experiment: &Experiment) -> Result<Box<dyn Document>, ReportError> {
    let network = experiment.network;
    let other = || ReportError::UnsupportedNetwork { network, accepted: "butterflies" };
    let instance = ButterflyInstance::new(experiment).ok_or_else(other)?;
    let butterfly = instance.faults.butterfly();
    let is_named = experiment.from.is_some() || experiment.to.is_some();
    let is_missing = |trial: &ButterflyTrial| followed_message(experiment, butterfly, trial).is_none();
    if is_named && instance.series.iter().all(|(_, trial)| is_missing(trial)) {
        return Err(ReportError::no_message(experiment));
    }
    let result = |(_, trial): &(_, ButterflyTrial)| {
        let mut batch = experiment.setting.batch().and_then(|setting| trial.batch(setting));
        if let Some(batch) = &mut batch {
            batch.run_until(u32::MAX);
        }
        (trial.congestion(), batch)
    };
    let results = instance.series.iter().map(result).collect();
    Ok(Box::new(ButterflyRoutes { experiment: experiment.clone(), results, instance }))
}

impl ButterflyRoutes {
    /// Iterates over the schemes with their results.
    fn schemes(&self) -> impl Iterator<Item = Scheme<'_>> {
        self.instance.series.iter().zip(&self.results).map(|((algorithm, trial), (paths, batch))| {
            let number = followed_message(&self.experiment, paths.butterfly(), trial);
            Scheme { algorithm, trial, paths, batch: batch.as_ref(), number }
        })
    }
}

/// One scheme with its results.
#[derive(Clone, Copy)]
struct Scheme<'a> {
    algorithm: &'a Algorithm,
    trial: &'a ButterflyTrial,
    paths: &'a ButterflyCongestion,
    batch: Option<&'a BatchRun>,
    /// Followed message.
    number: Option<u32>,
}

impl Scheme<'_> {
    fn name(&self, node: NodeId) -> String {
        self.paths.butterfly().format_node(node)
    }

    fn hops(&self, route: ButterflyRoute) -> Vec<Hop> {
        let (butterfly, levels) = (self.paths.butterfly(), usize::from(self.paths.butterfly().levels()));
        let phase = |place: usize| match route.via {
            None => ObliviousPhase::Direct,
            Some(_) if place < levels => ObliviousPhase::ToIntermediate,
            Some(_) => ObliviousPhase::FromIntermediate,
        };
        let links = route.links(butterfly).enumerate();
        links
            .filter_map(|(place, link)| Some(Hop { to: butterfly.link_end(link)?, link, phase: phase(place) }))
            .collect()
    }

    fn followed(&self) -> Option<(u32, Result<ButterflyRoute, NoRoute>)> {
        self.number.map(|number| (number, self.trial.route(number)))
    }

    fn outcome(&self) -> &'static str {
        match self.batch.map(BatchRun::outcome) {
            None => "counted",
            Some(Some(BatchOutcome::Delivered)) => "delivered",
            Some(Some(BatchOutcome::Deadlock(_))) => "deadlock",
            Some(None) => "running",
        }
    }

    /// Returns the numbers of rows that may send, that do not take part because of faulty paths,
    /// and whose input or output is faulty.
    fn rows(&self) -> [u32; 3] {
        let (routing, all) = (&self.trial.routing, self.paths.butterfly().rows());
        let healthy = (0..all).filter(|&row| routing.faults().has_healthy_ends(row)).count() as u32;
        let active = routing.active_count();
        [active, healthy - active, all - healthy]
    }

    /// Returns the sentence on the messages and their outcome.
    fn ending(&self) -> String {
        let ([active, ..], all) = (self.rows(), self.paths.butterfly().rows());
        let messages = self.trial.relation.len();
        let mut text = format!("{}: {active} of {all} rows are active; ", self.algorithm.name);
        let _ = match (self.batch.map(|batch| (batch, batch.outcome())), self.paths.busiest()) {
            (Some((batch, Some(BatchOutcome::Deadlock(circle)))), _) => {
                write!(text, "deadlocked after {}: {}", count(batch.cycle(), "cycle"), cyclic_wait_text(circle.len()))
            }
            (Some((batch, _)), _) => {
                let arrived = batch.finished().iter().flatten().count();
                write!(text, "{arrived} of {messages} messages have arrived after {}", count(batch.cycle(), "cycle"))
            }
            (None, Some((link, most))) => {
                let to = self.paths.butterfly().link_end(link).map(|to| self.name(to)).unwrap_or_default();
                write!(text, "at most {most} of {} cross one link, ", count(messages, "message"))
                    .and_then(|()| write!(text, "{} → {to}", self.name(link.from)))
            }
            (None, None) => write!(text, "no message crosses any link"),
        };
        let lost = messages - self.paths.delivered();
        if lost > 0 {
            let _ = write!(text, "; {} without a route", count(lost, "message"));
        }
        match self.trial.relation.excluded_count() {
            0 => {}
            kept_back => {
                let _ = write!(text, "; {} not sent, as an end is not active", count(kept_back, "message"));
            }
        }
        text + "."
    }

    /// Returns the sentence on a message's route, or on the reason why it has none.
    fn message(&self, number: u32, route: &Result<ButterflyRoute, NoRoute>) -> String {
        let (butterfly, [from, to]) = (self.paths.butterfly(), self.trial.ends(number));
        let ends = [butterfly.node(from, 0), butterfly.node(to, butterfly.levels())].map(|node| self.name(node));
        let [from, to] = ends;
        match route {
            Ok(route) => {
                let via = route.via.map(|row| format!(" by way of row {row}")).unwrap_or_default();
                let hops = count(route.length(butterfly), "hop");
                format!("Message {number} goes from {from}{via} to {to} in {hops}.")
            }
            Err(why) => format!("Message {number} from {from} to {to} has no route: {}.", self.no_route(*why)),
        }
    }

    fn no_route(&self, why: NoRoute) -> String {
        match why {
            NoRoute::Inactive(_, node) => format!("the row of {} is not active", self.name(node)),
            NoRoute::Faulty(node) => format!("the route meets the faulty node {}", self.name(node)),
            other => other.to_string(),
        }
    }

    fn record(&self, experiment: &Experiment) -> PermutationRecord {
        let ([active, inactive, faulty], paths) = (self.rows(), self.paths);
        let delivered = paths.delivered();
        PermutationRecord {
            made: ResultSource::new(experiment),
            series: self.algorithm.id.clone(),
            outcome: self.outcome(),
            nodes: Nodes { active, inactive, marked: 0, faulty },
            messages: Some(self.trial.relation.len()),
            kept_back: Some(self.trial.relation.excluded_count()),
            delivered: Some(delivered),
            undelivered: paths.undelivered().clone(),
            congestion: Some(paths.max_congestion()),
            busiest: paths.busiest().map(|(link, _)| {
                let to = paths.butterfly().link_end(link).map(|to| self.name(to)).unwrap_or_default();
                format!("{}-{to}", self.name(link.from))
            }),
            load: Some(paths.max_load()),
            mean_length: (delivered > 0).then(|| paths.hops() as f64 / f64::from(delivered)),
            longest: (delivered > 0).then(|| paths.max_length()),
            cycles: self.batch.map(BatchRun::cycle),
            arrived: self.batch.map(|batch| batch.finished().iter().flatten().count() as u32),
            circle: None,
            message: self.followed().map(|(number, route)| self.message_record(number, &route)),
            ending: self.ending(),
        }
    }

    fn message_record(&self, number: u32, route: &Result<ButterflyRoute, NoRoute>) -> PermutationMessageRecord {
        let (butterfly, [from, to]) = (self.paths.butterfly(), self.trial.ends(number));
        let record = |hop: Hop| PermutationHopRecord {
            from: self.name(hop.link.from),
            to: self.name(hop.to),
            phase: hop.phase.id(),
            class: None,
            dimension: butterfly.level(hop.link.from),
            thesis: thesis_label(butterfly.row_cube(), NodeId(butterfly.row(hop.to).into())),
        };
        let route = route.as_ref();
        PermutationMessageRecord {
            number,
            from: self.name(butterfly.node(from, 0)),
            via: route.ok().and_then(|route| route.via).map(|row| row.to_string()),
            to: self.name(butterfly.node(to, butterfly.levels())),
            problem: route.err().map(|why| why.id()),
            hops: route.map(|route| self.hops(*route).into_iter().map(record).collect()).unwrap_or_default(),
        }
    }
}

/// Returns the words for a hop: its purpose, and whether it is straight.
fn hop_words(hop: &Hop) -> String {
    let purpose = super::wording::phase(hop.phase, false);
    let form = if hop.link.dim == 0 { "straight" } else { "cross" };
    format!("{purpose}: {form}")
}

impl Document for ButterflyRoutes {
    fn text(&self) -> String {
        text(&self.experiment, self.schemes())
    }

    fn csv(&self) -> String {
        csv(&self.experiment, self.schemes())
    }

    fn json(&self) -> String {
        json(&self.experiment, self.schemes())
    }
}

/// Returns the schemes as text.
fn text<'a>(experiment: &Experiment, schemes: impl Iterator<Item = Scheme<'a>>) -> String {
    let mut text = format!("{experiment}\n");
    for scheme in schemes {
        let _ = writeln!(text, "\n{}", scheme.algorithm.name);
        if let Some((number, route)) = scheme.followed() {
            let _ = writeln!(text, "{}", scheme.message(number, &route));
            let hops = route.map(|route| scheme.hops(route)).unwrap_or_default();
            let digits = hops.len().to_string().len();
            for (number, hop) in (1u32..).zip(&hops) {
                let [from, to] = [hop.link.from, hop.to].map(|node| scheme.name(node));
                let _ = writeln!(text, "  {number:>digits$}  {from} -> {to}  {}", hop_words(hop));
            }
        }
        let _ = writeln!(text, "{}", scheme.ending());
    }
    text
}

/// Returns the followed messages of the schemes as CSV, a line for each hop.
fn csv<'a>(experiment: &Experiment, schemes: impl Iterator<Item = Scheme<'a>>) -> String {
    let mut text = source_header([experiment]);
    text.push_str("series,outcome,message,hop,from,to,class,phase,dimension,thesis,reason\n");
    for scheme in schemes {
        let (series, outcome, butterfly) = (&scheme.algorithm.id, scheme.outcome(), scheme.paths.butterfly());
        let Some((number, route)) = scheme.followed() else {
            line(&mut text, &[series, &outcome, &"", &"", &"", &"", &"", &"", &"", &"", &scheme.ending()]);
            continue;
        };
        let said = scheme.message(number, &route);
        let hops = route.map(|route| scheme.hops(route)).unwrap_or_default();
        if hops.is_empty() {
            line(&mut text, &[series, &outcome, &number, &"", &"", &"", &"", &"", &"", &"", &said]);
        }
        for (place, hop) in (1u32..).zip(&hops) {
            let label = thesis_label(butterfly.row_cube(), NodeId(butterfly.row(hop.to).into()));
            let [from, to] = [hop.link.from, hop.to].map(|node| scheme.name(node));
            let (level, phase, reason) = (butterfly.level(hop.link.from), hop.phase.id(), hop_words(hop));
            let fields: [&dyn Display; 11] =
                [series, &outcome, &number, &place, &from, &to, &"", &phase, &level, &label, &reason];
            line(&mut text, &fields);
        }
    }
    text
}

/// Returns the schemes as JSON, a line for each.
fn json<'a>(experiment: &Experiment, schemes: impl Iterator<Item = Scheme<'a>>) -> String {
    schemes.map(|scheme| to_json(&scheme.record(experiment)) + "\n").collect()
}
