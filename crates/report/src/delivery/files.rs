//! Files and text of delivery cycles: the algorithms' cycles, the state of every message, the load
//! of every channel.

use std::borrow::Cow;
use std::fmt::{Display, Write as _};

use serde::Serialize;

use super::{channel_loads, watch};
use crate::files::csv::{field_or_empty, line, source_header};
use crate::files::json::{ResultSource, to_json};
use faultlab_core::switching::delivery::{CycleResult, DeliveryOutcome, DeliveryRun};
use faultlab_core::topology::fat_tree::ChannelLocation;
use faultlab_core::traffic::MessageSet;
use faultlab_experiment::{DeliveryWatch, Experiment, WatchedDelivery};

/// Cycle of an algorithm.
#[derive(Serialize)]
pub struct CycleRow {
    /// Number of the cycle, from 1.
    pub cycle: u32,
    /// Rule that selected the messages sent.
    pub rule: String,
    /// Number of messages sent.
    pub sent: u32,
    /// Number of messages that arrived in the cycle.
    pub arrived: u32,
    /// Number of messages that were lost in the cycle.
    pub lost: u32,
    /// Channel that lost the most messages, in words.
    pub most_lost_at: Option<String>,
}

/// Returns the cycles of every algorithm of `watch`, and leaves `watch` at its end. Cost: all runs
/// are repeated.
pub fn cycles(watch: &mut DeliveryWatch) -> Vec<Vec<CycleRow>> {
    let mut rows: Vec<Vec<CycleRow>> = watch.series.iter().map(|_| Vec::new()).collect();
    for cycle in 1..=watch.end() {
        watch.seek(cycle);
        for (rows, watched) in rows.iter_mut().zip(&watch.series) {
            let run = watched.run();
            if let Some(rule) = run.rule().filter(|_| run.cycle() == cycle) {
                let network = run.concentrators();
                let (sent, arrived) = (network.sent().len() as u32, network.arrived().len() as u32);
                let most_lost_at =
                    channel_loads::worst(run).map(|(at, _)| watch::channel(network.channels(), at).to_string());
                let (rule, lost) = (watch::reason(rule), sent - arrived);
                rows.push(CycleRow { cycle, rule, sent, arrived, lost, most_lost_at });
            }
        }
    }
    rows
}

/// Returns the identifier of a run's outcome.
fn outcome(watched: &WatchedDelivery) -> &'static str {
    match watched.outcome {
        Some(DeliveryOutcome::Delivered { undeliverable: 0 }) => "delivered",
        Some(DeliveryOutcome::Delivered { .. }) => "delivered-but-cut-off",
        Some(DeliveryOutcome::Stuck { .. }) => "stuck",
        _ => "running",
    }
}

/// Returns the cycle in which all messages have arrived; `None` if some message never arrives.
fn completion(watched: &WatchedDelivery) -> Option<u32> {
    matches!(watched.outcome, Some(DeliveryOutcome::Delivered { .. })).then(|| watch::completion(watched))
}

#[derive(Serialize)]
struct DeliveryRecord<'a> {
    #[serde(flatten)]
    made: ResultSource,
    series: Cow<'static, str>,
    outcome: &'static str,
    messages: u32,
    load_factor: f64,
    load: u32,
    wires: u32,
    delivered: u32,
    undeliverable: u32,
    completion: Option<u32>,
    literal: u64,
    busy: u64,
    transmissions: u64,
    arrived: &'a [u32],
    cycles: &'a [CycleRow],
}

/// Returns the JSON of the runs, as far as `watch` has come: a line `{experiment, seed, version,
/// series, outcome, messages, load_factor, load, wires, delivered, undeliverable, completion,
/// literal, busy, transmissions, arrived, cycles: [{cycle, rule, sent, arrived, lost,
/// most_lost_at}]}` for each algorithm.
///
/// `load` and `wires` describe the channel that attains the load factor. `arrived` is the number of
/// messages that have arrived after each cycle. If cycles were not requested, `rows` and the list
/// of cycles are empty.
pub fn json(experiment: &Experiment, watch: &DeliveryWatch, rows: &[Vec<CycleRow>]) -> String {
    let told = |(index, watched): (usize, &WatchedDelivery)| {
        let (run, load) = (watched.run(), &watch.trial.load_factor);
        let counts = run.counts();
        let told = DeliveryRecord {
            made: ResultSource::new(experiment),
            series: watched.algorithm.id.clone(),
            outcome: outcome(watched),
            messages: run.messages().len(),
            load_factor: load.value(),
            load: load.load(),
            wires: load.wires(),
            delivered: counts.delivered,
            undeliverable: run.undeliverable(),
            completion: completion(watched),
            literal: counts.pseudocode_cycles,
            busy: counts.sending_cycles,
            transmissions: counts.transmissions,
            arrived: &watched.arrived,
            cycles: rows.get(index).map_or(&[], Vec::as_slice),
        };
        to_json(&told) + "\n"
    };
    watch.series.iter().enumerate().map(told).collect()
}

/// Returns the CSV of the cycles: `series,cycle,rule,sent,arrived,lost,most_lost_at`, a line for
/// each cycle of each algorithm. An algorithm without cycles has one line.
pub fn cycles_csv(experiment: &Experiment, watch: &DeliveryWatch, rows: &[Vec<CycleRow>]) -> String {
    let mut text = source_header([experiment]);
    text.push_str("series,cycle,rule,sent,arrived,lost,most_lost_at\n");
    for (watched, rows) in watch.series.iter().zip(rows) {
        if rows.is_empty() {
            // Without messages to send there is one line, with an empty cycle.
            line(&mut text, &[&watched.algorithm.id, &"", &"", &0, &0, &0, &""]);
        }
        for row in rows {
            let at = field_or_empty(row.most_lost_at.as_ref());
            let fields: [&dyn Display; 7] =
                [&watched.algorithm.id, &row.cycle, &row.rule, &row.sent, &row.arrived, &row.lost, &at];
            line(&mut text, &fields);
        }
    }
    text
}

/// Returns the CSV of the messages: `series,message,from,to,arrived,now`. `to` is `out` if the
/// message leaves by the root. `arrived` is the cycle of arrival, empty before the message arrives.
/// `now` is its result in the watched cycle.
pub fn messages_csv(experiment: &Experiment, watch: &DeliveryWatch) -> String {
    let mut text = source_header([experiment]);
    text.push_str("series,message,from,to,arrived,now\n");
    for watched in &watch.series {
        let run = watched.run();
        for ((message, [from, to]), &arrived) in (0u32..).zip(watch.trial.messages.ends()).zip(run.arrived()) {
            let to = field_or_empty(Some(to).filter(|&&to| to != MessageSet::OUT));
            let to = if to.is_empty() { "out".to_owned() } else { to };
            let now = match run.fate(message) {
                CycleResult::NotSent => "",
                CycleResult::Arrived => "arrived",
                CycleResult::Lost(_) => "lost",
            };
            let arrived = field_or_empty(Some(arrived).filter(|_| run.is_delivered(message)));
            line(&mut text, &[&watched.algorithm.id, &message, from, &to, &arrived, &now]);
        }
    }
    text
}

/// Returns the CSV of the channels in the watched cycle:
/// `series,cycle,height,node,direction,wires,live,load,contenders,survivors`. `load` is the number
/// of messages of the whole set that must cross the channel. On the second network, each line is a
/// channel with all its wires.
pub fn channels_csv(experiment: &Experiment, watch: &DeliveryWatch) -> String {
    let mut text = source_header([experiment]);
    text.push_str("series,cycle,height,node,direction,wires,live,load,contenders,survivors\n");
    let channels = &watch.trial.channels;
    for height in 0..channels.levels() + u8::from(watch.trial.messages.has_external_messages()) {
        let loads = channel_loads::loads(&watch.trial, height);
        for watched in &watch.series {
            for (down, loads) in [false, true].into_iter().zip(&loads) {
                for (node, &load) in (0..).zip(loads) {
                    let place = ChannelLocation { height, node, wire: 0, down };
                    channel_line(&mut text, watched, place, load);
                }
            }
        }
    }
    text
}

fn channel_line(text: &mut String, watched: &WatchedDelivery, place: ChannelLocation, load: u32) {
    let run: &DeliveryRun = watched.run();
    let tally = channel_loads::channel(run, place);
    let way = if place.down { "down" } else { "up" };
    let fields: [&dyn Display; 10] = [
        &watched.algorithm.id,
        &run.cycle(),
        &place.height,
        &place.node,
        &way,
        &tally.wires,
        &tally.live,
        &load,
        &tally.contenders,
        &tally.survivors,
    ];
    line(text, &fields);
}

/// Returns the runs as text: for every algorithm its cycles, the followed message, and the outcome.
pub fn text(experiment: &Experiment, watch: &DeliveryWatch, rows: &[Vec<CycleRow>], followed: Option<u32>) -> String {
    let mut text = format!("{experiment}\n{}.\n", watch::title(watch));
    for (index, (watched, rows)) in watch.series.iter().zip(rows).enumerate() {
        let _ = writeln!(text, "\n{}", watched.algorithm.name);
        if let Some(history) = followed.and_then(|message| watch::message_history(watch, index, message)) {
            let _ = writeln!(text, "{}", history.summary);
            for (cycle, said) in history.cycles {
                let _ = writeln!(text, "  cycle {cycle}: {said}");
            }
        }
        let _ = writeln!(text, "  cycle   sent arrived   lost");
        for row in rows.iter().filter(|row| row.sent > 0) {
            let CycleRow { cycle, sent, arrived, lost, rule, .. } = row;
            let _ = writeln!(text, "{cycle:>7}{sent:>7}{arrived:>8}{lost:>7}  {rule}");
        }
        let idle = rows.iter().filter(|row| row.sent == 0).count();
        if idle > 0 {
            let _ = writeln!(text, "  {} in which nothing was sent", crate::wording::count(idle as u32, "more cycle"));
        }
        let ending = watch::ending(watch, index);
        let _ =
            writeln!(text, "{}", ending.unwrap_or_else(|| format!("Not finished after cycle {}.", watched.end).into()));
    }
    let mut row = |name: &str, values: Vec<String>| {
        let values: String = values.iter().map(|value| format!("{value:>16}")).collect();
        let _ = writeln!(text, "{name:<26}{values}");
    };
    row("", watch.series.iter().map(|watched| watched.algorithm.name.to_string()).collect());
    for (name, values) in watch::counts(watch).into_iter().filter(|(name, _)| *name != "Sent in this cycle") {
        row(name, values);
    }
    text
}
