//! Descriptions of watched circuit-switched networks: a title, counts side by side, waiting
//! messages over time.

use super::{onset, wording};
use crate::chart::figure::Figure;
use crate::chart::over_time::over_time;
use crate::picture::cube::NetworkElement;
use crate::watch::{LinkUse, Rows};
use faultlab_core::rich;
use faultlab_core::rich_text::RichText;
use faultlab_core::switching::{CircuitNetwork, CircuitOutcome, LinkState, SetupPolicy};
use faultlab_core::topology::Link;
use faultlab_experiment::{CircuitCounts, CircuitWatch, Watched};

/// Returns a one-sentence description of the picture.
pub fn title(watch: &CircuitWatch) -> String {
    let networks = watch.networks().iter();
    match ended_title(networks.map(|network| (&*network.algorithm.name, network.circuits().outcome()))) {
        Some(title) => title,
        None if !holds(watch) && watch.now() == 0.0 => "Messages are about to try their paths".into(),
        None if !holds(watch) => {
            "Messages try their paths, and try again where all permitted links are reserved".into()
        }
        None if watch.now() == 0.0 => "Messages are about to reserve their paths, link by link".into(),
        None => "Messages reserve their paths link by link, and wait for each other".into(),
    }
}

/// Returns the title of networks of which one has ended; `None` if all run. A network is a name and an
/// outcome.
pub(crate) fn ended_title<'a>(networks: impl Iterator<Item = (&'a str, Option<&'a CircuitOutcome>)>) -> Option<String> {
    let (ended, running): (Vec<_>, Vec<_>) = networks.partition(|(_, outcome)| outcome.is_some());
    let &(name, outcome) = ended.first()?;
    Some(match outcome {
        Some(CircuitOutcome::Deadlock(_)) => {
            format!("Deadlock under {name}: messages wait for each other in a circle")
        }
        Some(CircuitOutcome::Unstable { .. }) => {
            let other = match running.as_slice() {
                [(other, _)] => format!("; {other} still delivers the same messages"),
                _ => String::new(),
            };
            format!("Under {name} the network has collapsed{other}")
        }
        _ => format!("Under {name} the network is idle"),
    })
}

/// Returns the mean setup time so far. A deadlocked or collapsed network has no mean: the value would
/// depend on the time at which it is read.
pub(crate) fn mean_setup(counts: &CircuitCounts, outcome: Option<&CircuitOutcome>) -> String {
    counts.mean_setup().filter(|_| outcome.is_none()).map_or("–".to_owned(), |mean| format!("{mean:.3}"))
}

/// Returns whether messages hold their links while they wait.
pub(crate) fn holds(watch: &CircuitWatch) -> bool {
    watch.cell.setting.circuit().is_none_or(|setting| setting.setup == SetupPolicy::Hold)
}

/// Returns the counts as rows: a name, and a value for each network.
pub fn counts(watch: &CircuitWatch) -> Rows {
    let row = |name, value: fn(&Watched) -> String| (name, watch.networks().iter().map(value).collect());
    let mut rows = vec![
        row("Generated", |network| (network.counts().generated + network.counts().refused).to_string()),
        row("Refused", |network| network.counts().refused.to_string()),
        row("Transmitting", |network| transmitting(network).to_string()),
        row("Waiting", |network| network.circuits().backlog().to_string()),
        row("Circuits set up", |network| network.counts().completed.to_string()),
        row("Mean setup time", |network| mean_setup(&network.counts(), network.circuits().outcome())),
    ];
    if !holds(watch) {
        rows.push(row("Attempts per circuit", |network| match network.counts() {
            CircuitCounts { completed: 0, .. } => "–".to_owned(),
            CircuitCounts { completed, attempts, .. } => format!("{:.3}", attempts as f64 / completed as f64),
        }));
    }
    let found: Vec<_> = watch.networks().iter().map(|network| network.circuits().transition()).collect();
    rows.extend(onset::rows(&found));
    rows
}

/// Returns the times at which faults arrive, ascending.
pub(crate) fn onsets(watch: &CircuitWatch) -> &[f64] {
    watch.networks().first().map_or(&[], |network| network.circuits().onsets())
}

/// Returns the number of transmitting messages.
pub(crate) fn transmitting(network: &Watched) -> u64 {
    network.circuits().in_network() - network.circuits().backlog()
}

/// Returns a one-sentence description for users who do not see the network.
pub fn mirror(network: &Watched) -> String {
    let circuits = network.circuits();
    let CircuitCounts { completed, .. } = network.counts();
    format!(
        "{}: {} transmit, {} wait, {completed} circuits were set up. {}",
        network.algorithm.name,
        transmitting(network),
        circuits.backlog(),
        wording::ending(circuits.cube(), circuits.outcome())
    )
}

/// Returns the number of waiting messages over time in each network, with the current time.
pub fn backlog(watch: &CircuitWatch) -> Figure {
    let histories: Vec<_> =
        watch.networks().iter().map(|network| (&*network.algorithm.name, network.timeline.history())).collect();
    over_time(&histories, watch.now(), watch.end(), ["time, in mean transmission times", "messages waiting"])
}

/// Describes both directions of a link: the message that holds each, and the messages that wait.
pub(crate) fn link_use(circuits: &CircuitNetwork, link: Link) -> LinkUse {
    let said = |link: Link| {
        let name = crate::wording::channel(circuits.cube(), link);
        let state = match circuits.link_state(link) {
            LinkState::Faulty => "faulty".into(),
            LinkState::Free => "free".into(),
            LinkState::Transmitting(number) => rich!["held by ", crate::wording::message(number), ", which transmits"],
            LinkState::Reserved(number) => rich!["reserved by ", crate::wording::message(number), ", which waits"],
        };
        let waiting: Vec<_> = circuits.waiters(link).map(|message| crate::wording::message(message.number())).collect();
        let wait = if waiting.is_empty() {
            RichText::default()
        } else {
            rich!["; waiting for it: ", RichText::join(waiting.into_iter(), ", ")]
        };
        rich![name, ": ", state, wait, "."]
    };
    let name = NetworkElement::Link(link).name(circuits.cube());
    let mut capital = name.chars();
    let name = capital.next().map(|first| first.to_uppercase().collect::<String>() + capital.as_str());
    LinkUse { name: name.unwrap_or_default(), uses: vec![said(link), said(link.reverse())], figure: None }
}

#[cfg(test)]
mod tests {
    use crate::circuit::play::CircuitPlay;
    use crate::document::Document as _;
    use crate::watch::{ViewState, Watch as _};

    /// Returns the title, the subtitle, the words beside the first name, and the text description,
    /// at a time.
    fn captions(text: &str, time: f64) -> (CircuitPlay, [String; 4]) {
        let (mut play, shown) = (CircuitPlay::new(&text.parse().unwrap()).unwrap(), ViewState::default());
        while play.work() {}
        play.seek(time);
        while !play.is_ready() {
            play.work();
        }
        let said =
            [play.title(&shown), play.subtitle(&shown).to_string(), play.status(0), play.text_alternative(&shown)];
        (play, said)
    }

    fn count(play: &CircuitPlay, name: &str) -> Vec<String> {
        play.counts().into_iter().find(|row| row.0 == name).map(|row| row.1).unwrap_or_default()
    }

    #[test]
    fn idle_network_is_described_at_time_zero() {
        let (play, [title, read, short, mirror]) = captions("switch=circuit", 0.0);
        assert_eq!(title, "Messages are about to reserve their paths, link by link");
        assert!(read.starts_with("Solid: a transmitting circuit. Dashed: the reserved path of a waiting message."));
        assert_eq!(short, "0 transmit, 0 wait");
        let networks =
            "e-cube: 0 transmit, 0 wait, 0 circuits were set up.  UP: 0 transmit, 0 wait, 0 circuits were set up. ";
        assert_eq!(mirror, format!("At time 0.00. {networks}"));
        assert_eq!(count(&play, "Mean setup time"), ["–", "–"]);
    }

    #[test]
    fn loaded_networks_have_counts_side_by_side() {
        let (play, [title, _, short, _]) = captions("switch=circuit", 10.0);
        assert_eq!(title, "Messages reserve their paths link by link, and wait for each other");
        assert_eq!(short, "7 transmit, 4 wait");
        assert_eq!(count(&play, "Generated"), ["81", "81"]);
        assert_eq!(count(&play, "Waiting"), ["4", "3"]);
        assert_eq!(count(&play, "Circuits set up"), ["77", "78"]);
        assert_eq!(count(&play, "Mean setup time"), ["0.221", "0.179"]);
        assert_eq!(play.time_text().to_string(), "time 10.00 of 1000.00");
        let shown = ViewState { focus: Some((1, 3)), ..ViewState::default() };
        assert!(
            play.text_alternative(&shown).ends_with(" In focus: node 00011, live."),
            "{}",
            play.text_alternative(&shown)
        );
        assert_eq!(play.text_alternative(&ViewState { playing: true, ..shown }), "");
    }

    #[test]
    fn deadlock_and_collapse_are_described() {
        let deadlock = "net=cube:3&route=up-dp-mix&switch=circuit&rate=0.6&sample=14";
        let (play, [title, _, short, mirror]) = captions(deadlock, f64::INFINITY);
        assert_eq!(title, "Deadlock under UP/DP mix: messages wait for each other in a circle");
        assert_eq!(short, "5 transmit, 25 wait");
        let told = "At time 10.93. UP/DP mix: 5 transmit, 25 wait, 52 circuits were set up. Deadlock at 10.93: message 43 at 000 for \
                    dimension 1, held by message 55 at 010 for dimension 0, held by message 64 at 011 for dimension 1, held by \
                    message 46 at 001 for dimension 0, held by message 43 again. 9 messages will never move; other waiting messages may.";
        assert_eq!(mirror, told);
        // The mean would depend on the time of reading.
        assert_eq!((count(&play, "Mean setup time"), play.next(play.now())), (vec!["–".to_owned()], None));

        let (play, [title, _, _, mirror]) = captions("switch=circuit&rate=0.38&sample=49", f64::INFINITY);
        assert_eq!(title, "Under UP the network has collapsed; e-cube still delivers the same messages");
        let told = "UP: 2 transmit, 2049 wait, 3271 circuits were set up. Collapsed: at 433.8, 2049 messages wait. Since 42.1, \
                    7.05 transmissions have ended per unit of time; more messages arrive.";
        assert!(mirror.ends_with(told), "{mirror}");
        assert_eq!(
            (count(&play, "Mean setup time"), play.explained(&ViewState::default())),
            (vec!["0.696".to_owned(), "–".to_owned()], 1)
        );
    }

    #[test]
    fn exports_contain_description_and_source() {
        let (play, _) = captions("switch=circuit", 10.0);
        assert!(play.text().starts_with(
            "Messages reserve their paths link by link, and wait for each other\nAt time 10.00. e-cube: 7"
        ));
        assert!(play.csv().starts_with("# faultlab ") && play.json().contains("\"experiment\""));
    }
}
