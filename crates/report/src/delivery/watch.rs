//! Descriptions of watched delivery cycles: a title, counts side by side, a channel or processor,
//! one message cycle by cycle.

use super::channel_loads;
use super::picture::tree_layout::TreeElement;
use crate::chart::figure::Figure;
use crate::chart::over_time::curves_over_time;
use crate::wording::{self, count, join_names};
use faultlab_core::rich;
use faultlab_core::rich_text::{Entity, RichText};
use faultlab_core::routing::fat_tree::CycleRule;
use faultlab_core::switching::delivery::{CycleResult, DeliveryOutcome, DeliveryRun, OfflineSchedule};
use faultlab_core::theory::fat_tree::{BadChoice, BadSet};
use faultlab_core::topology::NodeId;
use faultlab_core::topology::fat_tree::{ChannelLocation, TreeChannels};
use faultlab_core::traffic::MessageSet;
use faultlab_experiment::{DeliveryWatch, Experiment, WatchedDelivery};

/// Maximum number of messages whose off-line schedule is computed during playback.
const MAX_OFFLINE: u32 = 1 << 12;

/// Maximum number of transmissions for which a message's earlier cycles are shown, which requires a
/// replay.
const MAX_REPLAYED_TRANSMISSIONS: u64 = 1 << 18;

/// Returns a one-sentence description of the picture.
pub fn title(watch: &DeliveryWatch) -> String {
    let (now, all) = (watch.now(), watch.trial.messages.len());
    let load = load_factor(watch);
    if watch.series.is_empty() {
        return "No algorithm chooses delivery cycles".into();
    }
    if now == 0 {
        let least = count(watch.trial.load_factor.cycles(), "delivery cycle");
        return format!("{}, load factor {load}: at least {least}", count(all, "message"));
    }
    if now < watch.end() {
        let left = |watched: &WatchedDelivery| undelivered(watched.run());
        // A narrow figure cuts the end of its title, so the sentence begins with what it says.
        return match watch.series.as_slice() {
            [alone] => format!("Cycle {now}: {} of {all} undelivered", left(alone)),
            several => {
                let of = |place| if place == 0 { format!(" of {all} undelivered") } else { String::new() };
                let one = |(place, one)| format!("{}{} under {}", left(one), of(place), one.algorithm.name);
                let said: Vec<_> = several.iter().enumerate().map(one).collect();
                let said: Vec<_> = said.iter().map(String::as_str).collect();
                format!("Cycle {now}: {}", join_names(&said))
            }
        };
    }
    let said: Vec<_> =
        watch.series.iter().enumerate().map(|(place, watched)| outcome_text(watched, place == 0)).collect();
    let said: Vec<_> = said.iter().map(String::as_str).collect();
    format!("{}; the load factor is {load}", join_names(&said))
}

fn have(messages: u32) -> &'static str {
    if messages == 1 { "has" } else { "have" }
}

/// Returns the outcome of one algorithm in a few words; for the first algorithm in more words.
fn outcome_text(watched: &WatchedDelivery, first: bool) -> String {
    let name = &watched.algorithm.name;
    match watched.outcome {
        Some(DeliveryOutcome::Delivered { undeliverable }) => match (first, undeliverable) {
            (true, 0) => format!("{name} delivers all messages in {}", count(completion(watched), "cycle")),
            (true, _) => {
                format!("{name} delivers all messages that can arrive in {}", count(completion(watched), "cycle"))
            }
            (false, _) => format!("{name} in {}", completion(watched)),
        },
        Some(DeliveryOutcome::Stuck { left, .. }) => format!("{name} is stuck with {left} left"),
        _ => format!("{name} has not finished after {}", count(watched.end, "cycle")),
    }
}

/// Returns the cycle in which the last message arrived.
pub(crate) fn completion(watched: &WatchedDelivery) -> u32 {
    let most = watched.arrived.last().copied().unwrap_or(0);
    watched.arrived.iter().position(|&arrived| arrived == most).unwrap_or(0) as u32
}

/// Returns the number of messages that have not arrived.
fn undelivered(run: &DeliveryRun) -> u32 {
    run.messages().len() - run.counts().delivered
}

/// Returns the load factor with as few digits as possible.
pub(crate) fn load_factor(watch: &DeliveryWatch) -> String {
    short_number(watch.trial.load_factor.value())
}

pub(crate) fn short_number(value: f64) -> String {
    let text = format!("{value:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Returns the actions of algorithm number `index` in the current cycle, and their reason.
pub fn subtitle(watch: &DeliveryWatch, index: usize) -> RichText {
    let Some(watched) = watch.series.get(index) else { return RichText::default() };
    let (name, run) = (&watched.algorithm.name, watched.run());
    if watch.now() == 0 {
        return initial_description(watch);
    }
    if let Some(said) = end(watch, index).filter(|_| channel_loads::has_ended_earlier(watch, index)) {
        return rich![name.clone(), ": ", said];
    }
    let Some(rule) = run.rule() else { return initial_description(watch) };
    let (sent, arrived) = (run.concentrators().sent().len() as u32, run.concentrators().arrived().len() as u32);
    let mut said: RichText =
        format!("{name}, cycle {}: {}. {sent} sent, {arrived} arrived", run.cycle(), reason(rule)).into();
    if let Some((place, most)) = channel_loads::worst(run) {
        let at = channel(&watch.trial.channels, place);
        said.push(rich![", ", sent - arrived, " lost, the most (", most, ") at ", at]);
    }
    said.push(".");
    said
}

/// Returns the description before the first cycle.
fn initial_description(watch: &DeliveryWatch) -> RichText {
    let load = &watch.trial.load_factor;
    match load.channel() {
        None => "No message needs a channel.".into(),
        Some(place) => rich![
            "Before the first cycle: ",
            count(load.load(), "message"),
            " must cross ",
            channel(&watch.trial.channels, place),
            ", which has ",
            count(load.wires(), "wire"),
            ": a load factor of ",
            load_factor(watch),
            "."
        ],
    }
}

/// Returns the reason why a cycle sends its messages.
pub fn reason(rule: CycleRule) -> String {
    match rule {
        CycleRule::All => "all remaining messages are sent".into(),
        CycleRule::Subset { guess, lambda, probability, cycle, of } => format!(
            "TRY-GUESS({}), lambda {}: each is sent with probability {}, cycle {cycle} of {of}",
            short_number(guess),
            short_number(lambda),
            short_number(probability)
        ),
        CycleRule::Rest { guess } => {
            format!("TRY-GUESS({}) ends: all remaining messages are sent", short_number(guess))
        }
        CycleRule::Drawn { cycle, z, pass, of } => {
            let pass = if of > 1 { format!(", pass {pass} of {of}") } else { String::new() };
            format!("messages that drew cycle {cycle} of {z} are sent{pass}")
        }
        CycleRule::Single | CycleRule::Detour { .. } => rule.to_string(),
    }
}

/// Returns the counts, with the algorithms side by side.
pub fn counts(watch: &DeliveryWatch) -> Vec<(&'static str, Vec<String>)> {
    let row = |name, value: &dyn Fn(&WatchedDelivery) -> String| (name, watch.series.iter().map(value).collect());
    let load = load_factor(watch);
    let now = watch.now();
    let sent = |run: &DeliveryRun| if run.cycle() < now || now == 0 { 0 } else { run.concentrators().sent().len() };
    let cut_off = watch.series.iter().any(|watched| watched.run().undeliverable() > 0);
    let mut rows = vec![
        row("Messages", &|watched| watched.run().messages().len().to_string()),
        row("Load factor", &|_| load.clone()),
        row("Sent in this cycle", &|watched| sent(watched.run()).to_string()),
        row("Arrived so far", &|watched| watched.run().counts().delivered.to_string()),
        row(if cut_off { "Last arrived in cycle" } else { "All arrived in cycle" }, &|watched| match watched.outcome {
            Some(DeliveryOutcome::Delivered { .. }) => completion(watched).to_string(),
            Some(DeliveryOutcome::Stuck { .. }) => "never: stuck".into(),
            _ if !watched.is_known() => "…".into(),
            _ => format!("beyond {}", watched.end),
        }),
        row("Cycles of the pseudo-code", &|watched| watched.run().counts().pseudocode_cycles.to_string()),
        row("Cycles with transmissions", &|watched| watched.run().counts().sending_cycles.to_string()),
        row("Transmissions per message", &|watched| short_number(watched.run().transmissions_per_message())),
    ];
    if cut_off {
        rows.push(row("Cut off by dead wires", &|watched| watched.run().undeliverable().to_string()));
    }
    if watch.trial.live.is_none() && watch.trial.channels.wire_bits() == 0 {
        rows.push(row("Off-line schedule", &|watched| offline(watch, watched).unwrap_or("–".into())));
    }
    rows
}

/// Returns the length of the off-line schedule from an algorithm's order; `None` before its end,
/// and if the set is too large.
fn offline(watch: &DeliveryWatch, watched: &WatchedDelivery) -> Option<String> {
    let ended = matches!(watched.run().outcome(), Some(DeliveryOutcome::Delivered { .. }));
    if !ended || watch.trial.messages.len() > MAX_OFFLINE {
        return None;
    }
    let schedule = OfflineSchedule::compact(&watch.trial.channels, &watch.trial.messages, watched.run().arrived())?;
    Some(count(schedule.cycles(), "cycle"))
}

/// Returns the few words shown beside the name of algorithm number `index`.
pub fn status(watch: &DeliveryWatch, index: usize) -> String {
    let Some(watched) = watch.series.get(index) else { return String::new() };
    let (run, all) = (watched.run(), watch.trial.messages.len());
    match watched.outcome {
        Some(DeliveryOutcome::Delivered { .. }) if watched.is_over() && watch.now() > 0 => {
            match arrived_of_all(watched) {
                Some(said) => said,
                None => format!("finished in cycle {}", completion(watched)),
            }
        }
        Some(DeliveryOutcome::Stuck { left, .. }) if watched.is_over() => format!("stuck, {left} left"),
        _ => format!("{} of {all} arrived", run.counts().delivered),
    }
}

/// Returns the final number of arrivals where some messages are cut off, "10 of 16 arrived, 6 cut
/// off"; `None` if no message is cut off.
pub(crate) fn arrived_of_all(watched: &WatchedDelivery) -> Option<String> {
    let (all, cut) = (watched.run().messages().len(), watched.run().undeliverable());
    (cut > 0).then(|| format!("{} of {all} arrived, {cut} cut off", all - cut))
}

/// Returns the state of algorithm number `index` as text, for users who do not see the picture.
pub fn mirror(watch: &DeliveryWatch, index: usize) -> String {
    format!("{}. {}", title(watch), subtitle(watch, index))
}

/// Returns a channel in words: "the up channel above processors 0 to 3".
pub fn channel(channels: &TreeChannels, place: ChannelLocation) -> RichText {
    let way = if place.down { "down" } else { "up" };
    let below = channels.processors() / channels.nodes_at(place.height).max(1);
    let first = place.node * below;
    let name = match below {
        _ if place.height >= channels.levels() => "channel out of the root".into(),
        1 => format!("{way} channel of processor {first}"),
        2 => format!("{way} channel above processors {first} and {}", first + 1),
        _ => format!("{way} channel above processors {first} to {}", first + below - 1),
    };
    rich!["the ", RichText::reference(Entity::Channel(place), name)]
}

/// Describes a channel or processor under algorithm number `index`.
pub fn describe_element(watch: &DeliveryWatch, index: usize, spot: TreeElement) -> String {
    let Some(watched) = watch.series.get(index) else { return String::new() };
    match spot {
        TreeElement::Channel(place) => channel_spot(watch, index, watched.run(), place),
        TreeElement::Processor(processor) => processor_spot(watch, watched, processor),
    }
}

fn channel_spot(watch: &DeliveryWatch, index: usize, run: &DeliveryRun, place: ChannelLocation) -> String {
    let tally = channel_loads::channel(run, place);
    let mut said = channel(&watch.trial.channels, place).capitalized().to_string();
    said.push_str(&format!(": {}", count(tally.wires, "wire")));
    if tally.live < tally.wires {
        said.push_str(&format!(", {} of them live", tally.live));
    }
    if place.height <= watch.trial.channels.levels() {
        let loads = channel_loads::loads(&watch.trial, place.height);
        let load = loads[usize::from(place.down)].get(place.node as usize).copied().unwrap_or(0);
        said.push_str(&format!("; {load} of all messages must cross it"));
    }
    if watch.now() > 0 && !channel_loads::has_ended_earlier(watch, index) {
        let contend = if tally.contenders == 1 { "contends" } else { "contend" };
        said.push_str(&format!("; in this cycle {} {contend}, {} survive", tally.contenders, tally.survivors));
        said.push_str(if tally.survivors == 1 { "s" } else { "" });
        if tally.lost() > 0 {
            said.push_str(&format!(", {} lost", tally.lost()));
        }
    }
    said.push('.');
    said
}

fn processor_spot(watch: &DeliveryWatch, watched: &WatchedDelivery, processor: u32) -> String {
    let bins = channel_loads::bins(watched, 0);
    let Some(bin) = bins.get(processor as usize) else { return String::new() };
    let mut said = format!("Processor {processor} has {} to send", count(bin.sends, "message"));
    if bin.sends > 0 {
        let cut = match bin.cut_off {
            0 => String::new(),
            cut => format!(", {cut} cut off by dead wires"),
        };
        said.push_str(&format!(", {} not arrived yet{cut}", bin.waiting - bin.cut_off));
    }
    said.push_str(&format!("; {} of {} messages to it {} arrived", bin.arrived, bin.receives, have(bin.arrived)));
    if let Some((_, [_, to])) = ends_from(watch, processor) {
        said.push_str(&format!(". Its first message goes {}", target(to)));
    }
    said.push('.');
    said
}

/// Returns the destination of a message in words.
fn target(to: u32) -> RichText {
    if to == MessageSet::OUT { "out of the root".into() } else { rich!["to ", processor_name(to)] }
}

/// Returns the name of a processor: "processor 7".
fn processor_name(number: u32) -> RichText {
    RichText::reference(Entity::Node(NodeId(number.into())), format!("processor {number}"))
}

/// Returns the first message of a processor, with its ends.
fn ends_from(watch: &DeliveryWatch, processor: u32) -> Option<(u32, [u32; 2])> {
    let mut numbered = (0..).zip(watch.trial.messages.ends().iter().copied());
    numbered.find(|(_, [from, _])| *from == processor)
}

/// Returns the number of a processor's first message, which is followed when the user points at the
/// processor.
pub fn first_of(watch: &DeliveryWatch, processor: u32) -> Option<u32> {
    ends_from(watch, processor).map(|(message, _)| message)
}

/// History of one message.
pub struct SentMessage {
    /// Source.
    pub from: u32,
    /// Destination; `None` if the message leaves by the root.
    pub to: Option<u32>,
    /// Destination, route and current state, in a sentence.
    pub summary: RichText,
    /// Cycles in which the message was sent, as far as known, with its result in each.
    pub cycles: Vec<(u32, RichText)>,
}

/// Returns the history of message number `message` under algorithm number `index`, up to now. Cost:
/// the cycles up to now once more, if at most 2^18 messages were sent.
pub fn message_history(watch: &DeliveryWatch, index: usize, message: u32) -> Option<SentMessage> {
    let watched = watch.series.get(index)?;
    let &[from, to] = watch.trial.messages.ends().get(message as usize)?;
    let (channels, run) = (&watch.trial.channels, watched.run());
    let apex = channels.apex(from, to);
    let via = run.via(message);
    let way = match apex {
        _ if via.is_some() => rich!["by way of ", processor_name(via.unwrap_or(from))],
        0 => "it needs no channel".into(),
        _ if apex > channels.levels() => rich!["up ", count(apex.into(), "channel")],
        _ => rich!["up ", count(apex.into(), "channel"), " and down the same number"],
    };
    let now = match run.arrived().get(message as usize) {
        Some(&cycle) if run.is_delivered(message) => format!("arrived in cycle {cycle}"),
        Some(&cycle) if cycle > 0 => format!("at the intermediate processor since cycle {cycle}"),
        _ if watched.is_cut_off(message) => "dead wires cut it off".to_owned(),
        _ => "not arrived yet".to_owned(),
    };
    let name = wording::message(message.into()).capitalized();
    let said = rich![name, " goes from ", processor_name(from), " ", target(to), ": ", way, "; ", now, "."];
    let to = (to != MessageSet::OUT).then_some(to);
    Some(SentMessage { from, to, summary: said, cycles: transmissions(watch, watched, message) })
}

/// Returns the cycles in which a message was sent, with its result in each.
fn transmissions(watch: &DeliveryWatch, watched: &WatchedDelivery, message: u32) -> Vec<(u32, RichText)> {
    let (channels, now) = (&watch.trial.channels, watched.run());
    let mut told = Vec::new();
    let mut tell = |run: &DeliveryRun| {
        if let Some(said) = sending(channels, run, message) {
            told.push((run.cycle(), said));
        }
    };
    let replay =
        watch.trial.start(&watched.algorithm).filter(|_| now.counts().transmissions <= MAX_REPLAYED_TRANSMISSIONS);
    match replay {
        Some(mut run) => {
            while run.cycle() < now.cycle() && run.outcome().is_none() && !run.is_delivered(message) {
                run.step();
                tell(&run);
            }
        }
        None => tell(now),
    }
    told
}

/// Returns the result of a message in the last cycle; `None` if it was not sent.
fn sending(channels: &TreeChannels, run: &DeliveryRun, message: u32) -> Option<RichText> {
    match run.fate(message) {
        CycleResult::NotSent => None,
        CycleResult::Arrived if run.is_delivered(message) => Some("arrived".into()),
        CycleResult::Arrived => Some("reached its intermediate processor".into()),
        CycleResult::Lost(lost) => {
            let place = channel_loads::without_wire(channels, lost)?;
            let network = run.concentrators();
            let (contenders, survivors) = (network.contenders(lost), network.survivors(lost));
            let at = channel(channels, place);
            Some(rich!["lost at ", at, ": ", contenders, " contended, ", survivors, " survived"])
        }
    }
}

/// Returns the outcome of algorithm number `index` in a sentence; `None` if it is beyond the
/// watched cycles.
pub fn ending(watch: &DeliveryWatch, index: usize) -> Option<RichText> {
    end(watch, index).map(RichText::capitalized)
}

/// Returns the outcome in lower case, to follow a name and a colon.
fn end(watch: &DeliveryWatch, index: usize) -> Option<RichText> {
    let watched = watch.series.get(index)?;
    Some(match watched.outcome? {
        DeliveryOutcome::Delivered { undeliverable } => {
            let but = match undeliverable {
                0 => String::new(),
                cut => format!(" but {cut} that dead wires cut off"),
            };
            rich!["all messages", but, " have arrived after ", count(completion(watched), "cycle"), "."]
        }
        DeliveryOutcome::Stuck { left, channel: lost, contenders, capacity } => {
            let at = channel_loads::without_wire(&watch.trial.channels, lost)
                .map_or_else(RichText::default, |place| channel(&watch.trial.channels, place));
            rich![
                "stuck with ",
                count(left, "message"),
                " left: the same messages are sent and lost in every cycle, ",
                contenders,
                " of them at ",
                at,
                ", which has ",
                count(capacity, "live wire"),
                "."
            ]
        }
        DeliveryOutcome::OutOfCycles { left } => rich!["stopped with ", count(left, "message"), " left."],
    })
}

/// Returns the number of arrived messages over the cycles, with the current cycle.
pub fn arrivals(watch: &DeliveryWatch) -> Figure {
    let arrived = |watched: &WatchedDelivery| {
        let points = (0u32..).zip(&watched.arrived).map(|(cycle, &count)| (f64::from(cycle), f64::from(count)));
        points.collect::<Vec<_>>()
    };
    let all: Vec<_> = watch.series.iter().map(|watched| (&*watched.algorithm.name, arrived(watched))).collect();
    curves_over_time(&all, f64::from(watch.now()), f64::from(watch.end()), ["cycle", "arrived"])
}

/// Returns the steps of Theorem 9's construction, in words; empty for other message sets.
pub fn bad_steps(watch: &DeliveryWatch) -> Vec<String> {
    watch.bad.as_ref().map_or_else(Vec::new, |bad| bad.choices.iter().map(|choice| bad_step(bad, *choice)).collect())
}

fn bad_step(bad: &BadSet, choice: BadChoice) -> String {
    let quarter = choice.size / 4;
    let range = |number: u32| match quarter {
        1 => format!("processor {}", choice.first + number),
        _ => format!("processors {} to {}", choice.first + number * quarter, choice.first + (number + 1) * quarter - 1),
    };
    let out: Vec<_> = choice.removed.iter().map(u32::to_string).collect();
    let (first, last) = (choice.first, choice.first + choice.size - 1);
    let given = |number: u32| {
        let inside = choice.first + number * quarter..choice.first + (number + 1) * quarter;
        bad.messages.ends().iter().filter(|[from, _]| inside.contains(from)).count() as u32
    };
    let unfavored = u32::from(choice.unfavored);
    let other = u32::from(unfavored == 0);
    let rest = if quarter == 1 {
        format!("this quarter gets {}, lambda", count(given(unfavored), "message"))
    } else {
        "the next step divides that quarter".to_owned()
    };
    format!(
        "Processors {first} to {last} always have messages to send: in {} of GREEDY their quarters send {} messages \
         out. The fewest come from {}: {rest}. The others get {} each.",
        count(choice.cycles, "cycle"),
        out.join(", "),
        range(unfavored),
        count(given(other), "message")
    )
}

/// Returns the heading above a chart: the measured trees.
pub(crate) fn heading(asked: &Experiment) -> String {
    let profile = asked.setting.delivery().map_or(String::new(), |setting| setting.profile.to_string());
    let trees = match asked.network {
        _ if asked.vary.as_ref().is_some_and(|vary| vary.parameter.id == "leaves") => "Fat-trees".to_owned(),
        network => format!("fat-tree of {} processors", network.last_node().0 + 1),
    };
    format!("{trees}, {profile} capacities")
}

#[cfg(test)]
mod tests {
    use super::*;
    use faultlab_experiment::Experiment;

    fn watch(text: &str) -> DeliveryWatch {
        let experiment: Experiment = format!("switch=delivery&{text}").parse().expect("an experiment");
        DeliveryWatch::new(&experiment).expect("a fat-tree")
    }

    #[test]
    fn greedy_is_described_from_load_factor_to_completion() {
        let mut watch = watch("net=tree:64&survive=left&route=greedy&traffic=bit-reversal");
        assert_eq!(title(&watch), "64 messages, load factor 4: at least 4 delivery cycles");
        assert!(
            subtitle(&watch, 0)
                .to_string()
                .contains("16 messages must cross the up channel above processors 0 to 31, which has 4")
        );
        watch.seek(1);
        assert_eq!(title(&watch), "Cycle 1: 50 of 64 undelivered");
        let mut both = self::watch("net=tree:64&survive=left&route=greedy,random-guess&traffic=bit-reversal");
        both.seek(1);
        assert!(title(&both).starts_with("Cycle 1: 50 of 64 undelivered under GREEDY and "), "{}", title(&both));
        assert!(
            subtitle(&watch, 0)
                .to_string()
                .contains("64 sent, 14 arrived, 50 lost, the most (4) at the up channel above")
        );
        let place = ChannelLocation { height: 1, node: 4, wire: 0, down: false };
        assert_eq!(
            describe_element(&watch, 0, TreeElement::Channel(place)),
            "The up channel above processors 8 and 9: 1 wire; 2 of all messages must cross it; in this cycle 2 contend, 1 \
             survives, 1 lost."
        );
        watch.seek(9);
        assert_eq!(title(&watch), "GREEDY delivers all messages in 7 cycles; the load factor is 4");
        assert_eq!(
            ending(&watch, 0).map(|said| said.to_string()).as_deref(),
            Some("All messages have arrived after 7 cycles.")
        );
        let history = message_history(&watch, 0, 9).expect("message 9");
        assert_eq!((history.cycles.len(), history.cycles[3].1.to_string()), (4, "arrived".to_owned()));
    }

    #[test]
    fn detour_is_described_in_both_phases() {
        let mut watch = watch("net=tree:4&faults=none&route=valiant&traffic=0-1");
        watch.seek(1);
        assert!(
            subtitle(&watch, 0).to_string().contains("to random intermediate processors"),
            "{}",
            subtitle(&watch, 0)
        );
        let first = message_history(&watch, 0, 0).expect("message 0").summary.to_string();
        assert!(first.contains(": by way of processor"), "{first}");
        assert!(first.ends_with("at the intermediate processor since cycle 1."), "{first}");
        watch.seek(2);
        let second = message_history(&watch, 0, 0).expect("message 0");
        assert!(second.summary.to_string().ends_with("arrived in cycle 2."), "{}", second.summary);
        assert_eq!(second.cycles, [(1, "reached its intermediate processor".into()), (2, "arrived".into())]);
        assert_eq!(title(&watch), "Valiant's detour delivers all messages in 2 cycles; the load factor is 1");
    }

    #[test]
    fn drop_all_is_described_as_stuck() {
        let mut watch = watch("net=tree:8&survive=drop-all&route=greedy&traffic=all-to-one:0");
        watch.seek(u32::MAX);
        assert!(title(&watch).starts_with("GREEDY is stuck with 6 left"), "{}", title(&watch));
        assert!(
            ending(&watch, 0)
                .is_some_and(|said| said.to_string().contains("same messages are sent and lost in every cycle"))
        );
    }

    #[test]
    fn bad_set_is_described_step_by_step() {
        let steps = bad_steps(&watch("net=tree:16&survive=left&route=greedy&traffic=bad:48&capacity=sibling"));
        assert_eq!(steps.len(), 2);
        assert!(steps[0].starts_with("Processors 0 to 15 always have messages to send: in 8 cycles"), "{}", steps[0]);
        assert!(
            steps[1].ends_with("this quarter gets 48 messages, lambda. The others get 16 messages each."),
            "{}",
            steps[1]
        );
    }
}
