//! Descriptions of watched single messages: the outcome in a sentence, in a word, and in numbers.

use super::picture::state;
use super::wording::ending;
use crate::picture::cube::NetworkElement;
use crate::watch::{Rows, TimelineEvent};
use crate::wording::{count, cube_name, node};
use faultlab_core::rich;
use faultlab_core::rich_text::RichText;
use faultlab_core::switching::Outcome;
use faultlab_experiment::Experiment;
use faultlab_experiment::{Instance, Trace};

/// Returns a one-sentence description of a message after `hops` hops. The outcome is mentioned only
/// at the end.
pub fn title(instance: &Instance, trace: &Trace, hops: usize) -> String {
    let (cell, all) = (&instance.cell, trace.hops.len());
    let place = |at| node(cell.cube, at);
    match hops.checked_sub(1).and_then(|last| trace.hops.get(last)) {
        _ if hops >= all => outcome_text(trace),
        _ if instance.is_cut_off => {
            format!("Destination cut off: no live path leads from {} to {}", place(cell.ends.from), place(cell.ends.to))
        }
        None => format!("A message leaves {} for {}", place(cell.ends.from), place(cell.ends.to)),
        Some(hop) if hop.rule.is_detour() => {
            format!("Blocked at {}, the message steps back to {}", place(hop.from), place(hop.to))
        }
        Some(hop) => {
            let left = (hop.to.0 ^ cell.ends.to.0).count_ones();
            format!("The message is at {}, {} from its destination", place(hop.to), count(left, "hop"))
        }
    }
}

/// Returns the outcomes of all messages in one sentence.
pub fn title_of_all(instance: &Instance) -> String {
    let ends = instance.traces.iter().map(|trace| match trace.outcome {
        Outcome::Delivered => format!("{} arrives in {}", trace.algorithm.name, count(trace.hops.len() as u32, "hop")),
        _ => format!("{} does not arrive ({})", trace.algorithm.name, outcome(trace)),
    });
    ends.collect::<Vec<_>>().join("; ")
}

/// Returns the events at which a message is blocked, and its end if it does not arrive. Times are
/// just before each event, in hops.
pub fn events(instance: &Instance, trace: &Trace) -> Vec<TimelineEvent> {
    let names = instance.traces.len();
    let event = |what: &str, time: usize| TimelineEvent::for_algorithm(names, &trace.algorithm.name, what, time as f64);
    let all = detours(trace);
    let blocked = trace.hops.iter().enumerate().filter(|(_, hop)| hop.rule.is_detour()).zip(1..);
    let blocked = blocked.map(|((made, _), number)| match all {
        1 => event("blocked", made),
        _ => event(&format!("blocked, {number} of {all}"), made),
    });
    let what = match (trace.outcome, &trace.trap) {
        (Outcome::Delivered, _) => None,
        (Outcome::LimitReached, _) if instance.is_cut_off => Some("cut off, path limit"),
        (Outcome::LimitReached, Some(_)) => Some("trapped"),
        (Outcome::LimitReached, None) => Some("path limit"),
        (Outcome::Lost, _) => Some("lost"),
        (Outcome::Blocked | Outcome::BlockedAtSource, _) => Some("dead end"),
        (Outcome::Disconnected, _) => Some("cut off"),
    };
    // Of a message that is blocked again and again, only the first events are listed.
    blocked.take(MOST_EVENTS).chain(what.map(|what| event(what, trace.hops.len()))).collect()
}

/// Sentence on a destination that is cut off, while the message is on its way.
const CUT_OFF: &str = "No algorithm can deliver this message: repair a node or a link, or move an end. ";

/// Maximum number of blocking events listed for a message.
const MOST_EVENTS: usize = 2;

/// Returns the outcome of a message in one sentence.
fn outcome_text(trace: &Trace) -> String {
    let trapped = trace.trap.as_ref().map(|trap| trap.nodes.len());
    match (trace.outcome, detours(trace)) {
        (Outcome::Delivered, 0) => "The message finds a minimal path".to_owned(),
        (Outcome::Delivered, 1) => "Blocked once, the message takes a detour and arrives".to_owned(),
        (Outcome::Delivered, n) => format!("Blocked {n} times, the message still arrives"),
        (Outcome::LimitReached, _) if trapped == Some(2) => {
            "The message tunnels: it alternates between two nodes forever".to_owned()
        }
        (Outcome::LimitReached, _) if trapped.is_some() => "The message is caught in a closed set of nodes".to_owned(),
        (Outcome::LimitReached, _) => "The message reaches its path limit".to_owned(),
        (Outcome::Lost, _) => "The message is lost: it was sent to a faulty node".to_owned(),
        (Outcome::BlockedAtSource, _) => "The source itself is blocked".to_owned(),
        (Outcome::Blocked, _) => "The message reaches a dead end".to_owned(),
        (Outcome::Disconnected, _) => "No live path exists".to_owned(),
    }
}

/// Returns the number of hops that a message made because it was blocked.
fn detours(trace: &Trace) -> usize {
    trace.hops.iter().filter(|hop| hop.rule.is_detour()).count()
}

/// Returns the outcome of a message in a word or two.
fn outcome(trace: &Trace) -> String {
    trace.outcome.id().replace('-', " ")
}

/// Returns the text beside the algorithm's name: the hops so far, and the outcome once it is
/// reached.
pub fn status(trace: &Trace, hops: usize) -> String {
    match trace.outcome {
        _ if hops < trace.hops.len() => count(hops as u32, "hop"),
        Outcome::Delivered => count(trace.hops.len() as u32, "hop"),
        _ => outcome(trace),
    }
}

/// Returns the algorithm's summary, with the outcome of its message after the last hop.
pub fn subtitle(instance: &Instance, trace: &Trace, hops: usize) -> RichText {
    match hops < trace.hops.len() {
        true if instance.is_cut_off => rich![CUT_OFF, trace.algorithm.summary],
        true => trace.algorithm.summary.into(),
        false => rich![trace.algorithm.summary, " ", ending(&instance.cell, trace)],
    }
}

/// Returns the counts after `hops` hops as rows: a name, and a value for each message.
pub fn counts(instance: &Instance, hops: usize) -> Rows {
    let outcome = |trace: &Trace| match trace.outcome {
        _ if hops < trace.hops.len() && instance.is_cut_off => "destination cut off".into(),
        _ if hops < trace.hops.len() => "on its way".into(),
        Outcome::Delivered => outcome(trace),
        Outcome::LimitReached => "not delivered: path limit reached".into(),
        _ => format!("not delivered: {}", outcome(trace)),
    };
    let blocked = |trace: &Trace| trace.hops.iter().take(hops).filter(|hop| hop.rule.is_detour()).count().to_string();
    let row = |name, value: &dyn Fn(&Trace) -> String| {
        (name, instance.traces.iter().map(|trace| value(trace)).collect::<Vec<_>>())
    };
    vec![
        row("Outcome", &outcome),
        row("Hops", &|trace| trace.hops.len().min(hops).to_string()),
        row("Shortest path", &|_| match instance.is_cut_off {
            true => format!("none; {} without faults", instance.cell.distance()),
            false => instance.cell.distance().to_string(),
        }),
        row("Times blocked", &blocked),
        row("Path limit", &|_| instance.cell.limit().to_string()),
    ]
}

/// Returns the picture as text, for users who do not see the picture. The text states the position
/// while time is paused, the outcome once it is reached, and the element in focus.
pub fn mirror(
    instance: &mut Instance,
    trace: &Trace,
    hop: usize,
    is_paused: bool,
    focus: Option<NetworkElement>,
) -> String {
    let cell = instance.cell.clone();
    let place = || node(cell.cube, trace.at(hop, cell.ends.from));
    let position = is_paused.then(|| format!(" After hop {hop} the message is at {}.", place()));
    let focus = focus.map(|spot| format!(" In focus: {}, {}.", spot.name(cell.cube), state(instance, spot)));
    let ending = (hop >= trace.hops.len()).then(|| format!(" {}", ending(&cell, trace)));
    let cut = (instance.is_cut_off && hop < trace.hops.len()).then(|| " The destination is cut off.".to_owned());
    let said = [cut, position, ending, focus].into_iter().flatten().collect::<String>();
    format!("{}-cube.{said}", cell.cube.dimension())
}

/// Returns the heading above a chart: the measured networks.
pub(crate) fn heading(asked: &Experiment) -> String {
    let limit = asked.setting.message().map_or(0.0, |setting| setting.path_limit);
    format!("{}, paths of at most {limit}n hops", cube_name(asked))
}

#[cfg(test)]
mod tests {
    use crate::message::play::MessagePlay;
    use crate::watch::{ViewState, Watch as _};

    /// Returns the title, the subtitle, the word beside the first name, and the text description,
    /// at the end.
    fn captions(text: &str) -> (MessagePlay, [String; 4]) {
        let (mut play, shown) = (MessagePlay::new(&text.parse().unwrap()).unwrap(), ViewState::default());
        play.seek(f64::INFINITY);
        let said =
            [play.title(&shown), play.subtitle(&shown).to_string(), play.status(0), play.text_alternative(&shown)];
        (play, said)
    }

    /// Returns title, short text and outcome without the algorithm's summary.
    fn describe_end(text: &str) -> [String; 3] {
        let (_, [title, subtitle, short, mirror]) = captions(text);
        // The ending follows the size of the cube and the position of the message.
        let ending = mirror.splitn(3, ". ").nth(2).unwrap();
        assert!(subtitle.ends_with(ending), "{subtitle}");
        [title, short, ending.to_owned()]
    }

    #[test]
    fn delivered_message_is_described_with_counts() {
        let (play, said) = captions("faults=nodes:0.3&sample=11");
        let ending = "Delivered in 8 hops, 2 more than a minimal path.";
        let summary = "Corrects a wrong bit at random among those that lead to a live node; when there is none, goes back to a live \
                       neighbour at random.";
        let mirror = format!("6-cube. After hop 8 the message is at 111111. {ending}");
        let title = "Blocked once, the message takes a detour and arrives";
        assert_eq!(said, [title, &format!("{summary} {ending}"), "8 hops", &mirror]);
        let counts: Vec<_> = play.counts().into_iter().map(|(name, values)| format!("{name}: {}", values[0])).collect();
        assert_eq!(counts, ["Outcome: delivered", "Hops: 8", "Shortest path: 6", "Times blocked: 1", "Path limit: 30"]);
        // While the message moves, its position is not read out.
        let shown = ViewState { playing: true, focus: Some((0, 3)), ..ViewState::default() };
        assert_eq!(play.text_alternative(&shown), format!("6-cube. {ending} In focus: node 000011, live."));
    }

    #[test]
    fn every_outcome_is_described() {
        let told =
            |text: &str, title: &str, short: &str, ending: &str| assert_eq!(describe_end(text), [title, short, ending]);
        told("faults=none", "The message finds a minimal path", "6 hops", "Delivered in 6 hops, a minimal path.");
        let around = "faults=none&break=1,2,4,8,16,32";
        let blocked = "Blocked at the source: none of its forward neighbours can be entered.";
        told(around, "The source itself is blocked", "blocked at source", blocked);
        let before = "faults=none&break=62,61,59,55,47,31&route=deterministic";
        let blocked = "Blocked at 111100 after 4 hops: no neighbour may be entered.";
        told(before, "The message reaches a dead end", "blocked", blocked);
        let tunnel = "net=cube:3&faults=none&break=1,2,5,6";
        let bounces = "Tunnelling between 100 and 000 until the path limit of 15 hops.";
        told(tunnel, "The message tunnels: it alternates between two nodes forever", "limit reached", bounces);
        let blind = "faults=none&break=56&route=deterministic-blind";
        let lost = "Lost at 111000 after 3 hops: it was sent to a faulty node.";
        told(blind, "The message is lost: it was sent to a faulty node", "lost", lost);
        let (around, cut) =
            ("faults=none&break=1,2,4,8,16,32&route=global", "No live path leads from source to destination.");
        told(around, "No live path exists", "disconnected", cut);
        let caught = "Caught in a closed set of 35 nodes until the path limit of 30 hops.";
        let around = "faults=none&break=62,61,59,55,47,31";
        told(around, "The message is caught in a closed set of nodes", "limit reached", caught);
    }

    #[test]
    fn cut_off_destination_is_named_at_once() {
        let cut = MessagePlay::new(&"faults=none&break=62,61,59,55,47,31".parse().unwrap()).unwrap();
        let shown = ViewState::default();
        assert_eq!(cut.title(&shown), "Destination cut off: no live path leads from 000000 to 111111");
        assert!(cut.subtitle(&shown).to_string().starts_with("No algorithm can deliver this message"));
        assert!(cut.text_alternative(&shown).contains("The destination is cut off."));
        let open = MessagePlay::new(&"faults=none&break=62,61,59,55,47".parse().unwrap()).unwrap();
        assert!(!open.title(&shown).contains("cut off") && !open.text_alternative(&shown).contains("cut off"));
    }

    #[test]
    fn edit_restarts_playback_where_paths_diverge() {
        let (mut before, _) = captions("faults=none&route=deterministic");
        let mut after = |text: &str| {
            MessagePlay::new(&text.parse().unwrap()).unwrap().begin(Some(&mut before), &mut ViewState::default())
        };
        assert_eq!(after("faults=none&route=deterministic"), 6.0);
        assert_eq!(after("faults=none&break=56&route=deterministic"), 2.0);
        assert_eq!(after("net=cube:5&faults=none&route=deterministic"), 0.0);
    }
}
