//! Descriptions of a watched permutation: a title, counts side by side, the followed message hop by
//! hop.

use super::wording::NodeCounts;
use crate as report;
use crate::chart::figure::Figure;
use crate::chart::over_time::curves_over_time;
use crate::permutation;
use crate::picture::cube::NetworkElement;
use crate::wording::numbers::counted;
use crate::wording::{count, cube_name, cyclic_wait_text};
use faultlab_core::rich;
use faultlab_core::rich_text::RichText;
use faultlab_core::routing::oblivious::ObliviousRoute;
use faultlab_core::switching::BatchOutcome;
use faultlab_core::topology::{Link, NodeId};
use faultlab_experiment::Experiment;
use faultlab_experiment::{
    FollowedMessage, PermutationSeries, PermutationTrial, PermutationWatch, WatchedBatch, WatchedPermutation,
};

/// Iterates over the algorithms that apply, with their runs.
fn applicable_series(
    watch: &PermutationWatch,
) -> impl Iterator<Item = (&PermutationSeries, &PermutationTrial, &WatchedPermutation)> {
    let all = watch.instance.series.iter().zip(&watch.watched);
    all.filter_map(|(series, watched)| Some((series, series.trial.as_ref().ok()?, watched.as_ref()?)))
}

/// Returns a one-sentence description of the picture.
pub fn title(watch: &PermutationWatch) -> String {
    let frozen = |batch: &&WatchedBatch| matches!(batch.outcome, BatchOutcome::Deadlock(_)) && watch.now() >= batch.end;
    let batches = || {
        applicable_series(watch)
            .filter_map(|(series, _, watched)| Some((&*series.algorithm.name, watched.batch.as_ref()?)))
    };
    let names = |frozen_ones: bool| {
        let some =
            batches().filter(|(_, batch)| frozen(batch) == frozen_ones && (frozen_ones || watch.now() >= batch.end));
        some.map(|(name, _)| name).collect::<Vec<_>>()
    };
    if watch.is_batch() {
        let (dead, done) = (names(true), names(false));
        return match (dead.is_empty(), done.is_empty()) {
            (false, false) => format!(
                "Deadlock under {}; all messages arrive under {}",
                report::wording::join_names(&dead),
                report::wording::join_names(&done)
            ),
            (false, true) => format!("Deadlock under {}", report::wording::join_names(&dead)),
            (true, false) if batches().any(|(_, batch)| batch.given_up > 0) => {
                format!("The last message has arrived under {}", report::wording::join_names(&done))
            }
            (true, false) => format!("All messages have arrived under {}", report::wording::join_names(&done)),
            (true, true) => "Messages that all start at once wait for each other's channels".into(),
        };
    }
    let faults = watch.instance.faulty.count() + watch.instance.faulty.link_count();
    let all = watch.instance.cell.cube.mask() + 1;
    let active: Vec<_> = applicable_series(watch)
        .filter(|(_, trial, _)| faults > 0 && trial.routing.active_set().is_some() && trial.active_count() > 0)
        .enumerate()
        .map(|(place, (series, trial, _))| {
            let of = if place == 0 { format!(" of {all} nodes active") } else { String::new() };
            format!("{}{of} under {}", trial.active_count(), series.algorithm.name)
        })
        .collect();
    if !active.is_empty() {
        let leave = if faults == 1 { "leaves" } else { "leave" };
        let active: Vec<_> = active.iter().map(String::as_str).collect();
        return format!("{} {leave} {}", count(faults, "fault"), report::wording::join_names(&active));
    }
    if !watch.has_all_routes() {
        let messages = applicable_series(watch).map(|(_, trial, _)| trial.relation.len()).max().unwrap_or(0);
        return format!("Counting the routes of {}", count(messages, "message"));
    }
    let most: Vec<_> = applicable_series(watch)
        .filter(|(_, trial, _)| !trial.relation.is_empty())
        .enumerate()
        .map(|(place, (series, _, watched))| {
            let most = watched.paths.max_congestion();
            let most = if place == 0 { count(most, "message") } else { most.to_string() };
            format!("{most} under {}", series.algorithm.name)
        })
        .collect();
    let most: Vec<_> = most.iter().map(String::as_str).collect();
    match most.is_empty() {
        true => "The faults leave no destination".into(),
        false => format!("Busiest channel: {}", report::wording::join_names(&most)),
    }
}

/// Returns the description of algorithm number `index`.
pub fn subtitle(watch: &PermutationWatch, index: usize) -> RichText {
    let Some(series) = watch.instance.series.get(index) else { return RichText::default() };
    match (&series.trial, watch.watched.get(index).and_then(Option::as_ref)) {
        (Err(why), _) => permutation::wording::not_applicable(&series.algorithm, *why).into(),
        (_, Some(watched)) => match &watched.batch {
            Some(batch) => permutation::wording::batch_caption(&watch.instance, series, batch.now()).into(),
            None if !watch.has_all_routes() => RichText::default(),
            None => permutation::wording::caption(&watch.instance, series, &watched.paths),
        },
        _ => RichText::default(),
    }
}

/// Returns the few words shown beside the name of algorithm number `index`.
pub fn status(watch: &PermutationWatch, index: usize) -> String {
    let Some(series) = watch.instance.series.get(index) else { return String::new() };
    let watched = watch.watched.get(index).and_then(Option::as_ref);
    match watched.map(|watched| (watched.batch.as_ref(), watched)) {
        None => "does not apply".into(),
        Some((Some(batch), _)) if batch.is_deadlocked() => "deadlocked".into(),
        Some((Some(batch), _)) => {
            format!("{} of {} arrived", arrived_text(batch), batch.now().finished().len())
        }
        Some((None, _)) => format!("{} active", NodeCounts::new(&watch.instance, series).active),
    }
}

/// Returns the counts, with the algorithms side by side.
pub fn counts(watch: &PermutationWatch) -> Vec<(&'static str, Vec<String>)> {
    let row = |name, value: fn(&PermutationTrial, &WatchedPermutation) -> String| {
        let of = |(series, watched): (&PermutationSeries, &Option<WatchedPermutation>)| {
            series
                .trial
                .as_ref()
                .ok()
                .zip(watched.as_ref())
                .map_or("–".to_owned(), |(trial, watched)| value(trial, watched))
        };
        (name, watch.instance.series.iter().zip(&watch.watched).map(of).collect())
    };
    let has_all_routes = watch.has_all_routes();
    let routed = |name, value: fn(&PermutationTrial, &WatchedPermutation) -> String| {
        row(name, if has_all_routes { value } else { |_, _| "…".into() })
    };
    let mut rows = vec![
        row("Active nodes", |trial, _| trial.active_count().to_string()),
        row("Messages", |trial, _| trial.relation.len().to_string()),
        row("Not sent", |trial, _| trial.relation.excluded_count().to_string()),
        routed("Without a route", |trial, watched| (trial.relation.len() - watched.paths.delivered()).to_string()),
    ];
    if watch.is_batch() {
        rows.push(row("Arrived", |_, watched| watched.batch.as_ref().map_or(String::new(), arrived_text)));
        rows.push(row("End", |_, watched| watched.batch.as_ref().map_or(String::new(), ending_text)));
    }
    rows.extend([
        routed("Congestion", |_, watched| watched.paths.max_congestion().to_string()),
        routed("Load", |_, watched| match watched.paths.max_load() {
            0 => "–".to_owned(),
            load => load.to_string(),
        }),
        routed("Mean route length", |_, watched| {
            watched.paths.mean_length().map_or("–".to_owned(), |mean| format!("{mean:.2}"))
        }),
        routed("Longest route", |_, watched| {
            watched.paths.max_length().map_or("–".to_owned(), |hops| hops.to_string())
        }),
    ]);
    rows
}

/// Returns the number of messages that have arrived by the current cycle.
fn arrived_text(batch: &WatchedBatch) -> String {
    batch.arrived.get(batch.now().cycle() as usize).copied().unwrap_or(0).to_string()
}

fn ending_text(batch: &WatchedBatch) -> String {
    match batch.outcome {
        BatchOutcome::Delivered => format!("cycle {}", batch.end),
        BatchOutcome::Deadlock(_) => format!("deadlock, cycle {}", batch.end),
    }
}

/// Returns the state of algorithm number `index` as text, for users who do not see the picture.
pub fn mirror(watch: &PermutationWatch, index: usize) -> String {
    format!("{}. {}", title(watch), subtitle(watch, index))
}

/// Describes a node or link under algorithm number `index`.
pub fn describe_element(watch: &PermutationWatch, index: usize, spot: NetworkElement) -> String {
    let node = match spot {
        NetworkElement::Node(node) => node,
        NetworkElement::Link(link) => {
            let state = if watch.instance.faulty.is_link_faulty(link) { ": faulty" } else { "" };
            return format!("{}{state}.", report::wording::channel(watch.instance.cell.cube, link));
        }
    };
    let Some(series) = watch.instance.series.get(index) else { return String::new() };
    let mut said = format!(
        "{} under {}: {}",
        report::wording::node(watch.instance.cell.cube, node),
        series.algorithm.name,
        permutation::wording::node(&watch.instance, series, node)
    );
    if let Some(watched) = watch.watched.get(index).and_then(Option::as_ref)
        && !watch.instance.faulty.contains(node)
    {
        said.push_str("; ");
        said.push_str(&permutation::wording::node_traffic(&watched.paths, node));
    }
    said.push('.');
    said
}

/// Returns the outcome of batch number `index` in words; for a scheme that does not apply, the
/// reason.
pub fn ending(watch: &PermutationWatch, index: usize) -> Option<String> {
    let series = watch.instance.series.get(index)?;
    if let Err(why) = series.trial {
        return Some(permutation::wording::not_applicable(&series.algorithm, why));
    }
    let batch = watch.watched.get(index)?.as_ref()?.batch.as_ref()?;
    let end = count(batch.end, "cycle");
    Some(match &batch.outcome {
        BatchOutcome::Delivered => match batch.given_up {
            0 => format!("All messages have arrived after {end}."),
            many => format!("The last message has arrived after {end}; {} given up.", counted(many, "messages")),
        },
        BatchOutcome::Deadlock(cyclic_wait) => format!(
            "Deadlocked after {end}: {}; all other messages that have not arrived wait behind them.",
            cyclic_wait_text(cyclic_wait.len())
        ),
    })
}

/// Returns the cyclic wait in which batch number `index` deadlocks: for each message its number,
/// and the channel it waits for.
pub fn cyclic_wait(watch: &PermutationWatch, index: usize) -> Vec<(u64, RichText)> {
    let found = || {
        let trial = watch.instance.series.get(index)?.trial.as_ref().ok()?;
        let batch = watch.watched.get(index)?.as_ref()?.batch.as_ref()?;
        Some((trial, batch))
    };
    let Some((trial, batch)) = found() else { return Vec::new() };
    let BatchOutcome::Deadlock(cyclic_wait) = &batch.outcome else { return Vec::new() };
    let name = |message: u32| batch.numbers.number(message).unwrap_or(message);
    let next = cyclic_wait.iter().cycle().skip(1);
    let waits = cyclic_wait.iter().zip(next).map(|(wait, holder)| {
        let wants = report::wording::channel(trial.routing.cube(), wait.wants);
        let holder = report::wording::message(name(holder.message).into());
        (name(wait.message).into(), rich!["waits for ", wants, ", which ", holder, " holds"])
    });
    waits.collect()
}

/// History of the followed message.
pub struct RoutedMessage {
    /// Source.
    pub from: NodeId,
    /// Route, or the reason why there is none; in a batch, also the current state.
    pub summary: RichText,
    /// Hops, each with its phase and rank.
    pub hops: Vec<(Link, String)>,
}

/// Returns the history of the message that is followed under algorithm number `index`, if there is
/// one.
pub fn message_history(watch: &PermutationWatch, index: usize) -> Option<RoutedMessage> {
    let trial = watch.instance.series.get(index)?.trial.as_ref().ok()?;
    let watched = watch.watched.get(index)?.as_ref()?;
    let followed = watched.followed.as_ref()?;
    let current = watched.batch.as_ref().map(|batch| batch.with_current_route(trial, followed));
    let FollowedMessage { number, from, route, .. } = current.as_ref().unwrap_or(followed);
    let mut said = permutation::wording::message(trial, *number, route);
    if let Some(batch) = &watched.batch
        && route.is_ok()
    {
        said.push(" ");
        said.push(permutation::wording::batch_message(trial, batch.now(), &batch.numbers, *number));
    }
    let hops = |route: &ObliviousRoute| {
        let hops: Vec<_> = route.hops().collect();
        hops.iter().map(|hop| (hop.link, permutation::wording::hop(trial, hop))).collect()
    };
    Some(RoutedMessage { from: *from, summary: said, hops: route.as_ref().map(hops).unwrap_or_default() })
}

/// Returns the number of arrived messages over time, with the current cycle.
pub fn arrivals(watch: &PermutationWatch) -> Figure {
    let arrived = |watched: &WatchedPermutation| {
        let counts = watched.batch.as_ref().map_or(&[][..], |batch| &batch.arrived);
        let points = (0u32..).zip(counts).map(|(cycle, &count)| (f64::from(cycle), f64::from(count)));
        points.collect::<Vec<_>>()
    };
    let all: Vec<_> =
        applicable_series(watch).map(|(series, _, watched)| (&*series.algorithm.name, arrived(watched))).collect();
    curves_over_time(&all, f64::from(watch.now()), f64::from(watch.end()), ["cycle", "arrived"])
}

/// Returns the heading above a chart: the measured batches.
pub(crate) fn heading(asked: &Experiment) -> String {
    let length = asked.setting.batch().map_or(0, |batch| batch.length);
    // A varied length is shown on the axis.
    let varied = asked.points().iter().any(|point| point.setting.batch().is_some_and(|batch| batch.length != length));
    let flits = if varied { String::new() } else { format!(" of {length} flits") };
    let flow = asked.setting.batch().map_or("", |batch| batch.flow.name());
    format!("{}, messages{flits}, all at once, {flow}", cube_name(asked))
}
