//! Files and text of whole permutations and batches: the counts of every scheme, and the followed
//! message.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::{Display, Write as _};

use serde::Serialize;

use super::wording::NodeCounts;
use crate as report;
use crate::files::csv::{line, source_header};
use crate::files::json::{ResultSource, to_json};
use crate::permutation;
use faultlab_core::routing::oblivious::{ObliviousHop, ObliviousRoute, thesis_label};
use faultlab_core::switching::{BatchOutcome, BatchRun, BatchWait, StaticCongestion};
use faultlab_core::topology::Hypercube;
use faultlab_experiment::{
    BatchIndex, Experiment, FollowedMessage, PermutationInstance, PermutationSeries, PermutationTrial,
};

/// Data of one scheme for text and files: its messages are counted, or sent as a batch.
pub struct SchemeView<'a> {
    /// Scheme.
    pub series: &'a PermutationSeries,
    /// Counts of its routes; `None` for a scheme that does not apply.
    pub paths: Option<StaticCongestion>,
    /// Batch at its present cycle; `None` if the messages are only counted.
    pub batch: Option<BatchRun>,
    /// Followed message, if there is one.
    pub followed: Option<FollowedMessage>,
}

/// Computes the views of `instance`. A batch runs to its end, for at most `cycles` cycles.
pub fn views<'a>(experiment: &Experiment, instance: &'a PermutationInstance, cycles: u32) -> Vec<SchemeView<'a>> {
    let setting = experiment.setting.batch();
    let view = |series: &'a PermutationSeries| {
        let trial = series.trial.as_ref().ok();
        let mut batch = trial.and_then(|trial| trial.batch(setting?));
        if let Some(batch) = &mut batch {
            batch.run_until(cycles);
        }
        let followed = trial.and_then(|trial| FollowedMessage::from_experiment(experiment, trial));
        SchemeView { series, paths: trial.and_then(PermutationTrial::paths), batch, followed }
    };
    instance.series.iter().map(view).collect()
}

/// Returns the identifier of a scheme's outcome in exported files.
fn outcome(view: &SchemeView<'_>) -> &'static str {
    match (&view.series.trial, &view.batch) {
        (Err(_), _) => "not-applicable",
        (Ok(_), None) => "counted",
        (Ok(_), Some(batch)) => match batch.outcome() {
            Some(BatchOutcome::Delivered) => "delivered",
            Some(BatchOutcome::Deadlock(_)) => "deadlock",
            None => "running",
        },
    }
}

/// Returns the JSON of `route` for permutations and batches: a line `{experiment, seed, version,
/// series, outcome, nodes: {active, inactive, marked, faulty}, messages, kept_back, delivered,
/// undelivered: {reason: messages}, congestion, busiest, load, mean_length, longest, cycles,
/// arrived, circle: [{message, wants}], message: {number, from, via, to, problem, hops: [{from, to,
/// phase, class, dimension, thesis}]}, ending}` for each scheme. Missing values are null.
///
/// Nodes are decimal numbers in strings. Channels are written as in experiments: `24_1`. `thesis`
/// is the node that a hop leads to as x1 x2 .. xn. `circle` is the cyclic wait of a deadlock.
pub fn json(experiment: &Experiment, instance: &PermutationInstance, views: &[SchemeView<'_>]) -> String {
    views.iter().map(|view| to_json(&scheme_record(experiment, instance, view)) + "\n").collect()
}

#[derive(Serialize)]
pub(super) struct PermutationRecord {
    #[serde(flatten)]
    pub(super) made: ResultSource,
    pub(super) series: Cow<'static, str>,
    pub(super) outcome: &'static str,
    pub(super) nodes: Nodes,
    pub(super) messages: Option<u32>,
    pub(super) kept_back: Option<u32>,
    pub(super) delivered: Option<u32>,
    pub(super) undelivered: BTreeMap<&'static str, u32>,
    pub(super) congestion: Option<u32>,
    pub(super) busiest: Option<String>,
    pub(super) load: Option<u32>,
    pub(super) mean_length: Option<f64>,
    pub(super) longest: Option<u32>,
    pub(super) cycles: Option<u32>,
    pub(super) arrived: Option<u32>,
    pub(super) circle: Option<Vec<Wait>>,
    pub(super) message: Option<PermutationMessageRecord>,
    pub(super) ending: String,
}

#[derive(Serialize)]
pub(super) struct Nodes {
    pub(super) active: u32,
    pub(super) inactive: u32,
    pub(super) marked: u32,
    pub(super) faulty: u32,
}

#[derive(Serialize)]
pub(super) struct Wait {
    message: u32,
    wants: String,
}

#[derive(Serialize)]
pub(super) struct PermutationMessageRecord {
    pub(super) number: u32,
    pub(super) from: String,
    pub(super) via: Option<String>,
    pub(super) to: String,
    pub(super) problem: Option<&'static str>,
    pub(super) hops: Vec<PermutationHopRecord>,
}

#[derive(Serialize)]
pub(super) struct PermutationHopRecord {
    pub(super) from: String,
    pub(super) to: String,
    pub(super) phase: &'static str,
    pub(super) class: Option<u8>,
    pub(super) dimension: u8,
    pub(super) thesis: String,
}

fn scheme_record(experiment: &Experiment, instance: &PermutationInstance, view: &SchemeView<'_>) -> PermutationRecord {
    let (trial, paths, batch) = (view.series.trial.as_ref().ok(), view.paths.as_ref(), view.batch.as_ref());
    let counts = NodeCounts::new(instance, view.series);
    let NodeCounts { active, inactive, marked, faulty } = counts;
    PermutationRecord {
        made: ResultSource::new(experiment),
        series: view.series.algorithm.id.clone(),
        outcome: outcome(view),
        nodes: Nodes { active, inactive, marked, faulty },
        messages: trial.map(|trial| trial.relation.len()),
        kept_back: trial.map(|trial| trial.relation.excluded_count()),
        delivered: paths.map(StaticCongestion::delivered),
        undelivered: paths.map(|paths| paths.undelivered().clone()).unwrap_or_default(),
        congestion: paths.map(StaticCongestion::max_congestion),
        busiest: paths.and_then(StaticCongestion::busiest).map(|(link, _)| link.to_string()),
        load: paths.map(StaticCongestion::max_load),
        mean_length: paths.and_then(StaticCongestion::mean_length),
        longest: paths.and_then(StaticCongestion::max_length),
        cycles: batch.map(BatchRun::cycle),
        arrived: batch.map(|batch| batch.finished().iter().flatten().count() as u32),
        circle: wait_cycle(view),
        message: view.followed.as_ref().map(|found| message(instance.cell.cube, found)),
        ending: ending(instance, view),
    }
}

fn wait_cycle(view: &SchemeView<'_>) -> Option<Vec<Wait>> {
    let (trial, Some(BatchOutcome::Deadlock(circle))) =
        (view.series.trial.as_ref().ok()?, view.batch.as_ref()?.outcome())
    else {
        return None;
    };
    let numbers = BatchIndex::from_trial(trial);
    let wait = |wait: &BatchWait| Wait {
        message: numbers.number(wait.message).unwrap_or(wait.message),
        wants: wait.wants.to_string(),
    };
    Some(circle.iter().map(wait).collect())
}

fn message(cube: Hypercube, found: &FollowedMessage) -> PermutationMessageRecord {
    let route = found.route.as_ref();
    let hop = |hop: ObliviousHop| PermutationHopRecord {
        from: hop.link.from.to_string(),
        to: hop.link.end().to_string(),
        phase: hop.phase.id(),
        class: hop.rank.map(|rank| rank.class),
        dimension: hop.link.dim,
        thesis: thesis_label(cube, hop.link.end()),
    };
    PermutationMessageRecord {
        number: found.number,
        from: found.from.to_string(),
        via: route.ok().and_then(ObliviousRoute::via).map(|via| via.to_string()),
        to: found.to.to_string(),
        problem: route.err().map(|why| why.id()),
        hops: route.map(|route| route.hops().map(hop).collect()).unwrap_or_default(),
    }
}

/// Returns the sentence on the outcome.
fn ending(instance: &PermutationInstance, view: &SchemeView<'_>) -> String {
    match (&view.batch, &view.paths) {
        (Some(batch), _) => permutation::wording::batch_caption(instance, view.series, batch),
        (None, Some(paths)) => permutation::wording::caption(instance, view.series, paths).to_string(),
        (None, None) => match &view.series.trial {
            Err(why) => permutation::wording::not_applicable(&view.series.algorithm, *why),
            Ok(_) => String::new(),
        },
    }
}

/// Returns the reason why no message is followed, where the experiment names a source.
fn no_message_reason(experiment: &Experiment, instance: &PermutationInstance, view: &SchemeView<'_>) -> Option<String> {
    let from = experiment.from.filter(|_| view.series.trial.is_ok() && view.followed.is_none())?;
    let sends = |trial: &PermutationTrial| trial.relation.iter().any(|(node, _)| node == from);
    if view.series.trial.as_ref().is_ok_and(sends) {
        return Some(format!(
            "{} sends its message to another destination.",
            report::wording::node(instance.cell.cube, from)
        ));
    }
    Some(permutation::wording::no_message_reason(instance, view.series, from))
}

/// Returns the CSV of `route` for permutations and batches:
/// `series,outcome,message,hop,from,to,class,phase,dimension,thesis,reason`, a line for each hop of
/// the message that is followed under each scheme. Hops count from 1. A message without hops has
/// one line, empty from `hop` on, with the reason.
pub fn csv(experiment: &Experiment, instance: &PermutationInstance, views: &[SchemeView<'_>]) -> String {
    let mut text = source_header([experiment]);
    text.push_str("series,outcome,message,hop,from,to,class,phase,dimension,thesis,reason\n");
    for view in views {
        let (series, outcome) = (&view.series.algorithm.id, outcome(view));
        let (Some(found), Ok(trial)) = (&view.followed, &view.series.trial) else {
            let reason = no_message_reason(experiment, instance, view).unwrap_or_else(|| ending(instance, view));
            line(&mut text, &[&series, &outcome, &"", &"", &"", &"", &"", &"", &"", &"", &reason]);
            continue;
        };
        let hops: Vec<_> = found.route.iter().flat_map(ObliviousRoute::hops).collect();
        if hops.is_empty() {
            let reason = permutation::wording::message(trial, found.number, &found.route);
            line(&mut text, &[&series, &outcome, &found.number, &"", &"", &"", &"", &"", &"", &"", &reason]);
        }
        for (number, hop) in (1u32..).zip(&hops) {
            let class = hop.rank.map_or(String::new(), |rank| rank.class.to_string());
            let fields: [&dyn Display; 11] = [
                &series,
                &outcome,
                &found.number,
                &number,
                &hop.link.from,
                &hop.link.end(),
                &class,
                &hop.phase.id(),
                &hop.link.dim,
                &thesis_label(instance.cell.cube, hop.link.end()),
                &permutation::wording::hop(trial, hop),
            ];
            line(&mut text, &fields);
        }
    }
    text
}

/// Returns the CSV of the congestion: `series,from,to,dimension,messages`, a line for each channel
/// that any message crosses.
pub fn congestion_csv(experiment: &Experiment, views: &[SchemeView<'_>]) -> String {
    let mut text = source_header([experiment]);
    text.push_str("series,from,to,dimension,messages\n");
    for view in views {
        let channels = view.paths.iter().flat_map(StaticCongestion::channels);
        for (link, count) in channels.filter(|&(_, count)| count > 0) {
            line(&mut text, &[&view.series.algorithm.id, &link.from, &link.end(), &link.dim, &count]);
        }
    }
    text
}

/// Returns the text: the followed message of every scheme, hop by hop, and the outcome.
pub fn text(experiment: &Experiment, instance: &PermutationInstance, views: &[SchemeView<'_>]) -> String {
    let mut text = format!("{experiment}\n");
    for view in views {
        let _ = writeln!(text, "\n{}", view.series.algorithm.name);
        if let Some(why) = no_message_reason(experiment, instance, view) {
            let _ = writeln!(text, "{why}");
        }
        if let (Some(found), Ok(trial)) = (&view.followed, &view.series.trial) {
            let _ = writeln!(text, "{}", permutation::wording::message(trial, found.number, &found.route));
            let hops: Vec<_> = found.route.iter().flat_map(ObliviousRoute::hops).collect();
            let digits = hops.len().to_string().len();
            for (number, hop) in (1u32..).zip(&hops) {
                let [from, to] =
                    [hop.link.from, hop.link.end()].map(|node| report::wording::node(instance.cell.cube, node));
                let reason = permutation::wording::hop(trial, hop);
                let _ = writeln!(text, "  {number:>digits$}  {from} -> {to}  {reason}");
            }
        }
        let _ = writeln!(text, "{}", ending(instance, view));
        if let (Ok(trial), Some(found)) = (&view.series.trial, view.batch.as_ref().and_then(BatchRun::outcome))
            && let Some(circle) =
                permutation::wording::wait_cycle(instance.cell.cube, &BatchIndex::from_trial(trial), found)
        {
            let _ = writeln!(text, "The cyclic wait: {circle}.");
        }
    }
    text
}
