//! Descriptions of circuit-switched networks: states of links and nodes, reasons of reservations,
//! outcomes.

use super::onset;
use crate::picture::cube::NetworkElement;
use crate::wording;
use faultlab_core::rich;
use faultlab_core::rich_text::RichText;
use faultlab_core::routing::UserRouting;
use faultlab_core::routing::{Carrier, CubeHop, Header, Position, Rule};
use faultlab_core::switching::{
    BlockedAttempt, CircuitEvent, CircuitMessageView, CircuitNetwork, CircuitOutcome, Deadlock, LinkState, Refusal,
    SetupPolicy,
};
use faultlab_core::topology::{Hypercube, Link};

/// Returns message number `number`, if it is in the network.
pub fn message(circuits: &CircuitNetwork, number: u64) -> Option<CircuitMessageView<'_>> {
    circuits.messages().find(|message| message.number() == number)
}

/// Returns the message to follow when none is chosen: in a deadlock one of its cyclic wait,
/// otherwise the oldest waiting one.
pub fn default_followed(circuits: &CircuitNetwork) -> Option<u64> {
    match circuits.outcome() {
        Some(CircuitOutcome::Deadlock(deadlock)) => deadlock.cycle.first().map(|first| first.0),
        _ => circuits.messages().filter(|message| !message.transmits()).map(|message| message.number()).min(),
    }
}

/// Returns the state of a node or link in a few words.
pub fn state(circuits: &CircuitNetwork, spot: NetworkElement) -> String {
    match spot {
        NetworkElement::Node(node) if !circuits.live().contains(node) => "faulty".into(),
        NetworkElement::Node(node) => {
            match circuits.messages().filter(|message| message.path_end() == node && !message.transmits()).count() {
                0 => "live".into(),
                count => format!("live, {count} waiting"),
            }
        }
        NetworkElement::Link(link) => {
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

/// Reservation: the link that a message took, the permitted alternatives, and the rule that
/// permitted the link.
#[derive(Clone, Copy, Debug)]
pub struct Reservation<'a> {
    /// Reserved link.
    pub link: Link,
    /// Dimensions that the routing permitted, as a mask; faults may have removed some.
    pub legal: u64,
    /// Lowest required dimension.
    pub lowest: u8,
    /// Rule that permitted the link.
    pub rule: &'static Rule,
    /// Routing, if it is user-defined.
    pub user_routing: Option<&'a dyn UserRouting>,
}

impl Reservation<'_> {
    /// Returns the line of the user-defined rules that permitted the link.
    pub fn line(&self) -> Option<u32> {
        self.user_routing?.line(self.rule.user_rule()?)
    }
}

/// Returns every reservation of a message so far, starting at its source.
pub fn decisions<'a>(circuits: &'a CircuitNetwork, message: &CircuitMessageView<'_>) -> Vec<Reservation<'a>> {
    let routing = &circuits.config().routing;
    // Messages start with different headers only under routings with more than one first header.
    // These messages keep their headers.
    let mut header = if routing.first_headers() > 1 { message.header() } else { Header::default() };
    let decide = |link: Link| {
        let at = Position { here: link.from, wrong: link.from.0 ^ message.to().0, header };
        let links = circuits.links_of(link.from);
        header = routing.header_after(at, links, link.dim);
        let (legal, rule) = (routing.legal(at, links, |legal| legal), routing.rule(at, links, link.dim));
        Reservation { link, legal, lowest: at.wrong.trailing_zeros() as u8, rule, user_routing: routing.user_routing() }
    };
    message.path().map(decide).collect()
}

/// Returns the reason of a reservation in words.
pub fn reason(decision: &Reservation<'_>) -> RichText {
    let Reservation { link, legal, lowest, rule, user_routing } = *decision;
    // The texts of reservations mention only the lowest required dimension.
    let hop = CubeHop {
        carrier: Carrier::Circuit,
        from: link.from,
        dim: link.dim,
        up: link.is_up(),
        wrong: 1 << link.dim | 1 << lowest,
        dead: 0,
        user_routing,
    };
    let why = rule.explain_hop(&hop);
    if legal.count_ones() > 1 { rich![why, "; permitted: ", wording::dimensions(link.from, legal)] } else { why }
}

/// Returns the links that a waiting message waits for and their holders, the failed attempt of a
/// message that backs off, or the end of a transmission.
pub fn waiting_state(circuits: &CircuitNetwork, message: &CircuitMessageView<'_>) -> RichText {
    if message.transmits() {
        let end = message.since() + message.duration();
        let attempts = match message.attempts() {
            1 => String::new(),
            attempts => format!("after {attempts} attempts, "),
        };
        return rich!["The circuit is complete: ", attempts, "the message transmits until ", format!("{end:.2}."),];
    }
    if let Some(blocked) = message.blocked_attempt() {
        return backing_off(circuits.cube(), message, &blocked);
    }
    if let Some((since, next)) = circuits.torn_since(message.number()).zip(message.next_attempt()) {
        return onset::torn_state(since, next).into();
    }
    let (cube, here) = (circuits.cube(), message.path_end());
    let holder = |link: Link| {
        let who = match circuits.holder(link) {
            Some(holder) if holder.transmits() => {
                let end = holder.since() + holder.duration();
                rich![wording::message(holder.number()), format!(", transmitting until {end:.2}")]
            }
            Some(holder) => {
                rich![wording::message(holder.number()), ", which waits at ", wording::node(cube, holder.path_end())]
            }
            None => "no message".into(),
        };
        let line = match circuits.waiters(link).position(|other| other.number() == message.number()) {
            Some(before) if before > 0 => format!("{before} before it"),
            _ => "first in the queue".into(),
        };
        rich![wording::dimension(link), " (", line, "), held by ", who]
    };
    let held: Vec<_> = message.waits_for().map(holder).collect();
    let first = if held.len() > 1 { "whichever is released first: " } else { "" };
    let since = format!(" since {:.2} for ", message.since());
    rich!["The message has waited at ", wording::node(cube, here), since, first, RichText::join(held, "; "), "."]
}

/// Returns why the last attempt of a message failed, and when the next one begins.
fn backing_off(cube: Hypercube, message: &CircuitMessageView<'_>, blocked: &BlockedAttempt) -> RichText {
    let &BlockedAttempt { node, dims, next } = blocked;
    let links = if dims.count_ones() > 1 {
        "all permitted links were reserved: "
    } else {
        "the only permitted link was reserved: "
    };
    rich![
        format!("Attempt {} ended at ", message.attempts()),
        wording::node(cube, node),
        ", where ",
        links,
        wording::dimensions(node, dims),
        ". The message has released its path and tries again from ",
        wording::node(cube, message.from()),
        format!(" at {next:.2}; it has waited since {:.2}.", message.since())
    ]
}

/// Returns a message in one line: source, destination, state.
pub fn line(cube: Hypercube, message: &CircuitMessageView<'_>) -> RichText {
    let (from, to) = (wording::node(cube, message.from()), wording::node(cube, message.to()));
    if message.transmits() {
        rich![from, " → ", to, ", transmits"]
    } else if let Some(BlockedAttempt { node, next, .. }) = message.blocked_attempt() {
        let attempt = format!(", attempt {} ended at ", message.attempts());
        rich![from, " → ", to, attempt, wording::node(cube, node), format!(", next at {next:.2}")]
    } else if let Some(next) = message.next_attempt() {
        rich![from, " → ", to, format!(", torn down, next at {next:.2}")]
    } else {
        let wanted = message.waits_for().fold(0, |mask, link| mask | 1 << link.dim);
        let here = message.path_end();
        rich![from, " → ", to, ", at ", wording::node(cube, here), " for ", wording::dimensions(here, wanted)]
    }
}

/// Returns an event of `circuits` in words.
pub fn event(circuits: &CircuitNetwork, event: CircuitEvent) -> RichText {
    let cube = circuits.cube();
    match event {
        CircuitEvent::Generated { number, complete: true } => {
            rich![wording::message(number), " sets up its circuit at once"]
        }
        CircuitEvent::Generated { number, complete: false } => {
            let holds = circuits.config().setup == SetupPolicy::Hold;
            rich![wording::message(number), if holds { " has to wait" } else { " fails and will try again" }]
        }
        CircuitEvent::Retried { number, complete: true } => {
            rich![wording::message(number), " tries again and sets up its circuit"]
        }
        CircuitEvent::Retried { number, complete: false } => rich![wording::message(number), " tries again and fails"],
        CircuitEvent::Refused { number, from, to, why } => {
            let why = match why {
                Refusal::FaultyDestination => "its destination is faulty",
                Refusal::CutOff => "faults leave no permitted path",
            };
            let (from, to) = (wording::node(cube, from), wording::node(cube, to));
            rich![wording::message(number), ", ", from, " → ", to, ", is refused: ", why]
        }
        CircuitEvent::Transmitted { number, granted: 0 } => rich![wording::message(number), " is delivered"],
        CircuitEvent::Transmitted { number, granted: 1 } => {
            rich![wording::message(number), " is delivered; one message takes over a link of its path"]
        }
        CircuitEvent::Transmitted { number, granted } => {
            rich![wording::message(number), " is delivered; ", granted, " messages take over its links"]
        }
        CircuitEvent::FaultsArrived { torn, lost } => onset::event(torn, lost).into(),
        CircuitEvent::Ended => "the end".into(),
    }
}

/// Returns the messages of a deadlock's cyclic wait, each with its node, the dimension it waits
/// for, and the holder, which is the next message.
pub fn waits(cube: Hypercube, deadlock: &Deadlock) -> Vec<(u64, RichText)> {
    let holders = deadlock.cycle.iter().cycle().skip(1);
    let wait = |((number, link), (holder, _)): (&(u64, Link), &(u64, Link))| {
        let at = wording::node(cube, link.from);
        (*number, rich!["at ", at, " for ", wording::dimension(*link), ", held by ", wording::message(*holder)])
    };
    deadlock.cycle.iter().zip(holders).map(wait).collect()
}

/// Returns the outcome of a network in one sentence; empty while it runs.
pub fn ending(cube: Hypercube, outcome: Option<&CircuitOutcome>) -> RichText {
    match outcome {
        Some(CircuitOutcome::Deadlock(deadlock)) => {
            let waits = |(number, link): &(u64, Link)| {
                rich![
                    wording::message(*number),
                    " at ",
                    wording::node(cube, link.from),
                    " for ",
                    wording::dimension(*link)
                ]
            };
            let first = deadlock.cycle.first().map_or(0, |first| first.0);
            rich![
                format!("Deadlock at {:.2}: ", deadlock.time),
                RichText::join(deadlock.cycle.iter().map(waits), ", held by "),
                ", held by ",
                if deadlock.cycle.len() > 1 { "" } else { "the same " },
                wording::message(first),
                " again. ",
                wording::count(deadlock.messages as u32, "message"),
                " will never move; other waiting messages may.",
            ]
        }
        _ => undeadlocked_ending(outcome),
    }
}

/// Returns the outcome of a network without a deadlock in one sentence; empty while it runs.
pub(crate) fn undeadlocked_ending(outcome: Option<&CircuitOutcome>) -> RichText {
    match outcome {
        Some(CircuitOutcome::Unstable { since, time, backlog, throughput }) => format!(
            "Collapsed: at {time:.1}, {backlog} messages wait. Since {since:.1}, {throughput:.2} transmissions have \
             ended per unit of time; more messages arrive."
        )
        .into(),
        Some(CircuitOutcome::Idle { time }) => {
            format!("Idle since {time:.2}: no messages are left, and no node sends.").into()
        }
        Some(CircuitOutcome::Deadlock(_)) | None => RichText::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::circuit::tests::watch;
    use faultlab_core::rich_text::Entity;

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
                    let reason = reason(decision);
                    assert!(reason.to_string().contains("legal"));
                    let taken = Some(Entity::Link(decision.link));
                    assert!(reason.spans().iter().any(|span| span.entity == taken), "{reason:?}");
                }
                let words = waiting_state(circuits, &message).to_string();
                assert!(
                    words.contains(if message.transmits() { "transmits until" } else { "held by message" }),
                    "{words}"
                );
            }
        }
    }

    #[test]
    fn deadlock_is_described_as_a_cyclic_wait() {
        let watch = watch("net=cube:3&route=up-dp-mix&switch=circuit&rate=0.6&sample=14", f64::INFINITY);
        let circuits = watch.networks()[0].circuits();
        let told = ending(circuits.cube(), circuits.outcome()).to_string();
        assert!(told.starts_with("Deadlock at") && told.contains("held by message"), "{told}");
    }
}
