//! Networks of circuits as they are watched: how their links look, their backlog as a chart, their messages in words.

use super::cube::{CubePicture, LinkLook, NodeLook, Spot, Stroke};
use super::figure::{Curve, Figure, Kind};
use super::scene::{Anchor, Role, Scene, Shape};
use super::words;
use crate::experiment::{CircuitWatch, Counts, History, Watched};
use crate::routing::{Header, LocalRouting as _, Position, Rule};
use crate::switching::{CircuitEvent, CircuitMessage, CircuitOutcome, Circuits, LinkState, Refusal};
use crate::topology::{Hypercube, Link, NodeId, dimensions_of};

/// The dashes of a path that waits.
const WAITING: &[f64] = &[4.0, 3.0];

/// What of a network is brought out.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Shown {
    /// The number of the series, for its colour.
    pub series: u8,
    /// The message that is followed.
    pub message: Option<u64>,
    /// Whether everything else stands back.
    pub alone: bool,
    /// What is in focus.
    pub focus: Option<Spot>,
}

/// The message of this number, if it is in the network.
pub fn message(circuits: &Circuits, number: u64) -> Option<CircuitMessage<'_>> {
    circuits.messages().find(|message| message.number() == number)
}

/// The message to follow when none is chosen: of a deadlock one of its circle, else of those that wait the one that was
/// generated first.
pub fn worth_following(circuits: &Circuits) -> Option<u64> {
    match circuits.outcome() {
        Some(CircuitOutcome::Deadlock(deadlock)) => deadlock.cycle.first().map(|first| first.0),
        _ => circuits.messages().filter(|message| !message.transmits()).map(|message| message.number()).min(),
    }
}

/// Draws a network as it stands: circuits that transmit are solid, paths that wait dashed; a bar lies across links
/// that messages wait for, and nodes say how many wait there.
pub fn draw(circuits: &Circuits, picture: &CubePicture<'_>, shown: Shown) -> Scene {
    let mut waiting = vec![0u32; circuits.cube().nodes().map_or(0, |nodes| nodes as usize)];
    for message in circuits.messages().filter(|message| !message.transmits()) {
        waiting[message.here().0 as usize] += 1;
    }
    let cycle: Vec<Link> = match circuits.outcome() {
        Some(CircuitOutcome::Deadlock(deadlock)) => deadlock.cycle.iter().map(|(_, link)| *link).collect(),
        _ => Vec::new(),
    };
    let ends = shown.message.and_then(|number| message(circuits, number)).map(|found| (found.from(), found.to()));
    let live = |node: NodeId| circuits.live().contains(node);
    let link = |link: Link| link_look(circuits, link, shown, &cycle);
    let node = |node: NodeId| {
        if !live(node) {
            return NodeLook::FAULTY;
        }
        let count = waiting.get(node.0 as usize).copied().unwrap_or(0);
        let mut look = NodeLook::IDLE;
        if count > 0 {
            (look.stroke, look.width, look.label) = (Role::Detour, 2.0, count.to_string());
        }
        match ends {
            Some((from, _)) if from == node => (look.stroke, look.width) = (Role::Ink, 3.0),
            Some((_, to)) if to == node => look.ring = Some(Role::Done),
            _ => {}
        }
        if cycle.iter().any(|link| link.from == node) {
            look.ring = Some(Role::Trap);
        }
        look
    };
    let mut scene = picture.draw(link, node);
    for (node, what) in ends.into_iter().flat_map(|(from, to)| [(from, "from"), (to, "to")]) {
        if let Some((x, y)) = picture.at(node) {
            let off = picture.radius() + 14.0;
            let at = (x, if y + off + 6.0 > picture.size.1 { y - off } else { y + off });
            let text = what.to_owned();
            scene.shapes.push(Shape::Text { at, anchor: Anchor::Middle, role: Role::Ink, size: 12.0, text });
        }
    }
    if let Some(spot) = shown.focus {
        scene.shapes.extend(picture.focus(spot, &state(circuits, spot)));
    }
    scene
}

fn link_look(circuits: &Circuits, link: Link, shown: Shown, cycle: &[Link]) -> LinkLook {
    let (holder, mut stroke) = match circuits.link_state(link) {
        LinkState::Faulty => {
            let alone = circuits.live().contains(link.from) && circuits.live().contains(link.to());
            return if alone { LinkLook::Faulty } else { LinkLook::Absent };
        }
        LinkState::Free => return LinkLook::Free,
        LinkState::Transmitting(number) => (number, Stroke::solid(Role::Series(shown.series))),
        LinkState::Reserved(number) => (number, Stroke { dash: WAITING, ..Stroke::solid(Role::Detour) }),
    };
    let queue = circuits.queue(link);
    stroke.gate = if queue == 0 { 0.0 } else { (0.25 + (queue as f64).sqrt() / 6.0).min(1.0) };
    if cycle.contains(&link) {
        (stroke.role, stroke.width) = (Role::Trap, 1.7);
    } else if shown.message == Some(holder) {
        (stroke.role, stroke.width) = (Role::Ink, 1.6);
    } else if shown.alone {
        stroke.alpha = 0.4;
    }
    LinkLook::Used(stroke)
}

/// What a node or link is doing, in a few words.
pub fn state(circuits: &Circuits, spot: Spot) -> String {
    match spot {
        Spot::Node(node) if !circuits.live().contains(node) => "faulty".into(),
        Spot::Node(node) => {
            match circuits.messages().filter(|message| message.here() == node && !message.transmits()).count() {
                0 => "live".into(),
                count => format!("live, {count} waiting"),
            }
        }
        Spot::Link(link) => {
            let queue = match circuits.queue(link) {
                0 => String::new(),
                count => format!(", {count} waiting for it"),
            };
            match circuits.link_state(link) {
                LinkState::Faulty => "faulty".into(),
                LinkState::Free => "free".into(),
                LinkState::Reserved(number) => format!("held by waiting message {number}{queue}"),
                LinkState::Transmitting(number) => format!("message {number} transmits{queue}"),
            }
        }
    }
}

/// The number of waiting messages over time in each network, with the time it is now.
pub fn backlog(watch: &CircuitWatch) -> Figure {
    let histories: Vec<_> =
        watch.networks().iter().map(|network| (network.algorithm.name, network.history())).collect();
    over_time(&histories, watch.now(), watch.end(), ["time, in mean transmission times", "messages waiting"])
}

/// What was counted over time up to `end` in networks, by name, with the time it is now; under the titles of both axes.
pub(super) fn over_time(histories: &[(&str, &History)], now: f64, end: f64, titles: [&str; 2]) -> Figure {
    let known = |history: &History| history.points().take_while(|point| point.0 <= end.max(1.0)).collect();
    let all: Vec<_> = histories.iter().map(|(name, history)| (*name, known(history))).collect();
    curves_over_time(&all, now, end, titles)
}

/// What was counted, by name: points in time with their counts.
pub(super) type Counted<'a> = (&'a str, Vec<(f64, f64)>);

/// The same of counts at points in time.
pub(super) fn curves_over_time(all: &[Counted<'_>], now: f64, end: f64, [x, y]: [&str; 2]) -> Figure {
    let end = end.max(1.0);
    let curve = |(index, (name, points)): (usize, &Counted<'_>)| Curve {
        name: (*name).to_owned(),
        role: Role::Series(index as u8),
        dash: index,
        points: points.clone(),
        intervals: Vec::new(),
        marks: Vec::new(),
        kind: Kind::Distribution,
    };
    let mut curves: Vec<_> = all.iter().enumerate().map(curve).collect();
    let most = curves.iter().flat_map(|curve| &curve.points).map(|point| point.1).fold(4.0, f64::max) * 1.06;
    curves.push(Curve {
        name: "now".into(),
        role: Role::Ink,
        dash: 0,
        points: vec![(now, 0.0), (now, most)],
        intervals: Vec::new(),
        marks: Vec::new(),
        kind: Kind::ClosedForm,
    });
    Figure {
        x_axis: x.into(),
        y_axis: y.into(),
        x_range: (0.0, end),
        y_range: (0.0, most),
        curves,
        ..Figure::default()
    }
}

/// A reservation: the link that a message took, what it might have taken, and by which rule it did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The link.
    pub link: Link,
    /// The dimensions that the criterion permitted, as a mask; faults may have taken some away.
    pub legal: u64,
    /// The lowest required dimension.
    pub lowest: u8,
    /// Why the link was permitted.
    pub rule: Rule,
}

/// Every reservation of a message so far, from its source on.
pub fn decisions(circuits: &Circuits, message: &CircuitMessage<'_>) -> Vec<Decision> {
    let criterion = circuits.terms().criterion;
    // Messages start with different headers only where they keep them.
    let mut header = if criterion.first_headers() > 1 { message.header() } else { Header::default() };
    let decide = |link: Link| {
        let at = Position { here: link.from, wrong: link.from.0 ^ message.to().0, header };
        header = criterion.header_after(at, link.dim);
        let (low, free) = criterion.legal(at);
        let tiers = criterion.tiers(at);
        let rule = tiers.iter().find(|tier| tier.dimensions.mask(at.wrong, !0) >> link.dim & 1 == 1);
        let rule = rule.map_or(Rule::LowestRequired, |tier| tier.rule);
        Decision { link, legal: low | free, lowest: low.trailing_zeros() as u8, rule }
    };
    message.path().map(decide).collect()
}

/// A reservation in words.
pub fn reason(decision: &Decision) -> String {
    let Decision { link, legal, lowest, rule } = *decision;
    let why = match rule {
        Rule::UpTransition => format!("dimension {} leads up: legal before {lowest}, the lowest required", link.dim),
        Rule::DownTransition => {
            format!("dimension {} leads down: legal before {lowest}, the lowest required", link.dim)
        }
        Rule::AnyRequired => format!("dimension {}: any required one is legal", link.dim),
        _ => format!("dimension {} is the lowest required: always legal", link.dim),
    };
    if legal.count_ones() > 1 { format!("{why}; of {}", words::dimensions(legal)) } else { why }
}

/// What a message that waits is waiting for and who holds that; or until when it transmits.
pub fn standing(circuits: &Circuits, message: &CircuitMessage<'_>) -> String {
    if message.transmits() {
        return format!("Its circuit is complete: it transmits until {:.2}.", message.since() + message.duration());
    }
    let (cube, here) = (circuits.cube(), message.here());
    let holder = |link: Link| {
        let who = match circuits.holder(link) {
            Some(holder) if holder.transmits() => {
                format!("message {}, transmitting until {:.2}", holder.number(), holder.since() + holder.duration())
            }
            Some(holder) => format!("message {}, which waits at {}", holder.number(), words::node(cube, holder.here())),
            None => "nobody".into(),
        };
        let line = match circuits.waiters(link).position(|other| other.number() == message.number()) {
            Some(before) if before > 0 => format!("{before} before it"),
            _ => "next in line".into(),
        };
        format!("dimension {} ({line}), held by {who}", link.dim)
    };
    let held: Vec<_> = message.waits_for().map(holder).collect();
    let first = if held.len() > 1 { "whichever is released first: " } else { "" };
    format!("It waits at {} since {:.2} for {first}{}.", words::node(cube, here), message.since(), held.join("; "))
}

/// A message in one line: from, to, how it stands.
pub fn line(cube: Hypercube, message: &CircuitMessage<'_>) -> String {
    let (from, to) = (words::node(cube, message.from()), words::node(cube, message.to()));
    if message.transmits() {
        format!("{from} → {to}, transmits")
    } else {
        let wanted = message.waits_for().fold(0, |mask, link| mask | 1 << link.dim);
        format!("{from} → {to}, at {} for {}", words::node(cube, message.here()), words::dimensions(wanted))
    }
}

/// An event, in words.
pub fn event(cube: Hypercube, event: CircuitEvent) -> String {
    match event {
        CircuitEvent::Generated { number, complete: true } => format!("message {number} sets up its circuit at once"),
        CircuitEvent::Generated { number, complete: false } => format!("message {number} has to wait"),
        CircuitEvent::Refused { number, from, to, why } => {
            let why = match why {
                Refusal::FaultyDestination => "its destination is faulty",
                Refusal::CutOff => "faults leave no permitted path",
            };
            let (from, to) = (words::node(cube, from), words::node(cube, to));
            format!("message {number}, {from} → {to}, is refused: {why}")
        }
        CircuitEvent::Transmitted { number, granted: 0 } => format!("message {number} is through"),
        CircuitEvent::Transmitted { number, granted: 1 } => {
            format!("message {number} is through; one takes over a link of it")
        }
        CircuitEvent::Transmitted { number, granted } => {
            format!("message {number} is through; {granted} take over its links")
        }
        CircuitEvent::Ended => "the end".into(),
    }
}

/// How a network came or will come to an end, in one sentence; empty while it runs.
pub fn ending(cube: Hypercube, outcome: Option<&CircuitOutcome>) -> String {
    match outcome {
        Some(CircuitOutcome::Deadlock(deadlock)) => {
            let waits = |(number, link): &(u64, Link)| {
                format!("message {number} at {} for dimension {}", words::node(cube, link.from), link.dim)
            };
            let cycle: Vec<_> = deadlock.cycle.iter().map(waits).collect();
            let first = deadlock.cycle.first().map_or(0, |first| first.0);
            format!(
                "Deadlock at {:.2}: {}, held by {}message {first} again. {} will never move.",
                deadlock.time,
                cycle.join(", held by "),
                if cycle.len() > 1 { "" } else { "the same " },
                words::count(deadlock.messages as u32, "message"),
            )
        }
        Some(CircuitOutcome::Unstable { time, backlog }) => {
            format!("Collapsed: at {time:.1}, {backlog} messages wait, and more come than the network can carry.")
        }
        Some(CircuitOutcome::Silent { time }) => format!("Nothing moves since {time:.2}, and nobody sends."),
        None => String::new(),
    }
}

/// One sentence for those who do not see the network.
pub fn mirror(network: &Watched) -> String {
    let circuits = network.circuits();
    let (waiting, all) = (circuits.backlog(), circuits.in_network());
    let Counts { completed, .. } = network.counts();
    let ending = ending(circuits.cube(), circuits.outcome());
    format!(
        "{}: {} transmit, {waiting} wait, {completed} circuits were set up. {ending}",
        network.algorithm.name,
        all - waiting
    )
}

/// For cubes too large to draw, the share of the links of each dimension and direction that are reserved, and the number
/// of messages that wait for them: dimension, up or not, share, waiting.
pub fn by_dimension(circuits: &Circuits) -> Vec<(u8, bool, f64, u64)> {
    let cube = circuits.cube();
    let mut rows = Vec::new();
    let half = cube.nodes().unwrap_or(2) as f64 / 2.0;
    let mut sums = vec![[(0u64, 0u64); 2]; usize::from(cube.dimension())];
    for message in circuits.messages() {
        for link in message.path() {
            sums[usize::from(link.dim)][usize::from(link.is_up())].0 += 1;
        }
        for link in message.waits_for() {
            sums[usize::from(link.dim)][usize::from(link.is_up())].1 += 1;
        }
    }
    for dim in dimensions_of(cube.mask()) {
        for up in [true, false] {
            let (held, waiting) = sums[usize::from(dim)][usize::from(up)];
            rows.push((dim, up, held as f64 / half, waiting));
        }
    }
    rows
}

/// Draws [`by_dimension`] as bars: up-links to the right, down-links to the left.
pub fn draw_bars(circuits: &Circuits, size: (f64, f64), series: u8) -> Scene {
    let rows = by_dimension(circuits);
    let step = (size.1 - 40.0) / f64::from(circuits.cube().dimension()).max(1.0);
    let (middle, reach) = (size.0 / 2.0, size.0 / 2.0 - 40.0);
    let mut shapes = Vec::new();
    let mut text =
        |at, anchor, text: String| shapes.push(Shape::Text { at, anchor, role: Role::Soft, size: 12.0, text });
    text((middle - 20.0, 12.0), Anchor::End, "down-links reserved".into());
    text((middle + 20.0, 12.0), Anchor::Start, "up-links reserved".into());
    for (dim, up, share, waiting) in rows {
        let y = 34.0 + step * f64::from(dim) + step * 0.4;
        let side = if up { 1.0 } else { -1.0 };
        let (start, end) = (middle + side * 18.0, middle + side * (18.0 + (reach - 18.0) * share.clamp(0.0, 1.0)));
        let ends = [(start, y), (end, y)];
        shapes.push(Shape::Line { ends, role: Role::Series(series), width: step * 0.45, alpha: 1.0 });
        if up {
            let text = dim.to_string();
            shapes.push(Shape::Text { at: (middle, y), anchor: Anchor::Middle, role: Role::Ink, size: 13.0, text });
        }
        let anchor = if up { Anchor::Start } else { Anchor::End };
        let text = format!("{:.0}%, {waiting} wait", share * 100.0);
        let at = (end + side * 8.0, y);
        let room = reach * (1.0 - share) > 80.0;
        let (at, anchor) = if room { (at, anchor) } else { ((start, y + step * 0.42), anchor) };
        shapes.push(Shape::Text { at, anchor, role: Role::Soft, size: 11.0, text });
    }
    Scene { size, shapes }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::CubeCell;

    fn watch(text: &str, time: f64) -> CircuitWatch {
        let experiment = text.parse().unwrap();
        let mut watch = CircuitWatch::new(&experiment, CubeCell::new(&experiment, None).unwrap());
        while watch.work(100_000) {}
        watch.seek(time);
        while !watch.is_there() {
            watch.work(1000);
        }
        watch
    }

    #[test]
    fn decisions_explain_every_reserved_link() {
        for route in ["e-cube", "up", "dp", "restricted-up", "minimal", "up-dp-mix", "2e+3f"] {
            let watch = watch(&format!("net=cube:5&route={route}&switch=circuit&rate=0.35"), 25.0);
            let circuits = watch.networks()[0].circuits();
            assert!(circuits.in_network() > 5);
            for message in circuits.messages() {
                let decisions = decisions(circuits, &message);
                assert!(decisions.iter().map(|decision| decision.link).eq(message.path()));
                for decision in &decisions {
                    assert!(decision.legal >> decision.link.dim & 1 == 1, "{route}: {decision:?}");
                    assert!(reason(decision).contains("legal"));
                }
                let words = standing(circuits, &message);
                assert!(
                    words.contains(if message.transmits() { "transmits until" } else { "held by message" }),
                    "{words}"
                );
            }
        }
    }

    #[test]
    fn a_deadlock_is_told_as_a_circle() {
        let watch = watch("net=cube:3&route=up-dp-mix&switch=circuit&rate=0.6&sample=14", f64::INFINITY);
        let circuits = watch.networks()[0].circuits();
        let told = ending(circuits.cube(), circuits.outcome());
        assert!(told.starts_with("Deadlock at") && told.contains("held by message"), "{told}");
    }

    #[test]
    fn shares_by_dimension_and_direction_are_shares() {
        let watch = watch("net=cube:6&route=up&switch=circuit", 20.0);
        let rows = by_dimension(watch.networks()[0].circuits());
        assert_eq!(rows.len(), 12);
        assert!(rows.iter().all(|row| (0.0..=1.0).contains(&row.2)) && rows.iter().any(|row| row.2 > 0.0));
    }
}
