//! Observer that tracks the state of a circuit network, and checks of the network against it.

use std::collections::{BTreeMap, BTreeSet};

use faultlab::switching::{CircuitNetwork, CircuitObserver, CompletedCircuit, Deadlock, LinkState, Refusal, WaitEnd};
use faultlab::topology::{Link, NodeId};
use faultlab::traffic::Arrival;

/// Observer that records links held, waiting messages in order, and the outcome of every message.
#[derive(Default)]
pub(crate) struct StateObserver {
    held: BTreeMap<Link, u64>,
    queues: BTreeMap<Link, Vec<u64>>,
    granted: Option<u64>,
    setting_up: BTreeSet<u64>,
    transmitting: BTreeSet<u64>,
    pub(crate) gone: u64,
    refused: u64,
}

impl CircuitObserver for StateObserver {
    fn generated(&mut self, number: u64, _: &Arrival) {
        assert!(self.setting_up.insert(number));
    }

    fn refused(&mut self, _: u64, _: &Arrival, _: Refusal) {
        self.refused += 1;
    }

    fn reserved(&mut self, number: u64, link: Link, _: f64) {
        assert_eq!(self.held.insert(link, number), None, "{link} has two owners");
        let queue = self.queues.entry(link).or_default();
        if self.granted.take() == Some(number) {
            assert_eq!(queue.first(), Some(&number), "{link} went to one who came later");
            self.queues.values_mut().for_each(|queue| queue.retain(|&other| other != number));
        } else {
            assert!(queue.is_empty(), "{number} passed by those who wait for {link}");
        }
    }

    fn released(&mut self, link: Link, _: f64) {
        assert!(self.held.remove(&link).is_some());
    }

    fn waiting(&mut self, number: u64, node: NodeId, dims: u64, backlog: u64, _: f64) {
        for dim in (0..16).filter(|dim| dims >> dim & 1 == 1) {
            let link = Link { from: node, dim };
            assert!(self.held.contains_key(&link), "{number} waits for {link}, which is free");
            self.queues.entry(link).or_default().push(number);
        }
        assert!(backlog <= self.setting_up.len() as u64);
    }

    fn granted(&mut self, wait: &WaitEnd, _: f64) {
        self.granted = Some(wait.number);
    }

    fn completed(&mut self, circuit: &CompletedCircuit) {
        let number = circuit.number;
        assert!(circuit.generated <= circuit.time && circuit.attempts > 0);
        assert!(self.setting_up.remove(&number) && self.transmitting.insert(number));
    }

    fn transmitted(&mut self, number: u64, _: f64) {
        assert!(self.transmitting.remove(&number));
        self.gone += 1;
    }
}

/// Compares the recorded state with the network's accessors.
pub(crate) fn assert_state(state: &StateObserver, circuits: &CircuitNetwork) {
    let in_network = (state.setting_up.len() + state.transmitting.len()) as u64;
    assert_eq!(circuits.generated(), state.refused + state.gone + in_network);
    assert_eq!((circuits.in_network(), circuits.backlog()), (in_network, state.setting_up.len() as u64));
    let cube = circuits.cube();
    let mut paths = BTreeMap::new();
    for message in circuits.messages() {
        let mut here = message.from();
        for link in message.path() {
            assert_eq!(link.from, here);
            here = link.end();
            assert_eq!(paths.insert(link, message.number()), None);
        }
        assert_eq!(message.path_end(), here);
        assert_eq!(message.transmits(), state.transmitting.contains(&message.number()));
        let backs_off = message.blocked_attempt().is_some();
        assert_eq!(message.transmits(), message.waits_for().next().is_none() && !backs_off);
    }
    assert_eq!(paths, state.held);
    for from in (0..=cube.mask()).map(NodeId) {
        for dim in 0..cube.dimension() {
            let link = Link { from, dim };
            let waiters: Vec<_> = circuits.waiters(link).map(|message| message.number()).collect();
            assert_eq!(&waiters, state.queues.get(&link).unwrap_or(&Vec::new()));
            assert_eq!(circuits.queue(link), waiters.len() as u64);
            let state = match state.held.get(&link) {
                None if !circuits.is_live(link) => LinkState::Faulty,
                None => LinkState::Free,
                Some(&number) if state.transmitting.contains(&number) => LinkState::Transmitting(number),
                Some(&number) => LinkState::Reserved(number),
            };
            assert_eq!(circuits.link_state(link), state);
        }
    }
}

/// Verifies a deadlock against the network.
pub(crate) fn assert_deadlock(deadlock: &Deadlock, circuits: &CircuitNetwork) {
    let messages: BTreeMap<u64, _> = circuits.messages().map(|message| (message.number(), message)).collect();
    let holder = |link| circuits.holder(link).expect("a holder").number();
    let knot: BTreeSet<u64> = deadlock.knot.iter().map(|it| it.number).collect();
    for wanting in &deadlock.knot {
        let message = &messages[&wanting.number];
        let wants: Vec<_> = message.waits_for().map(|link| (link, holder(link))).collect();
        assert!(!wants.is_empty() && message.path().next().is_some());
        assert_eq!(wants, wanting.wants);
        assert!(wants.iter().all(|(_, by)| *by != wanting.number && knot.contains(by)), "the knot is open");
    }
    assert!(deadlock.cycle.len() >= 2);
    for (place, &(number, link)) in deadlock.cycle.iter().enumerate() {
        assert!(knot.contains(&number) && messages[&number].waits_for().any(|other| other == link));
        assert_eq!(holder(link), deadlock.cycle[(place + 1) % deadlock.cycle.len()].0);
    }
    let last = knot.iter().map(|number| messages[number].since()).fold(0.0, f64::max);
    assert_eq!((deadlock.time, deadlock.time), (last, circuits.time()), "it is seen as it comes about");
    // Greatest fixed point of Definition 1.
    let mut dead: BTreeSet<u64> = messages.values().filter(|it| !it.transmits()).map(|it| it.number()).collect();
    loop {
        let stuck = |number: &u64| messages[number].waits_for().all(|link| dead.contains(&holder(link)));
        let next: BTreeSet<u64> = dead.iter().copied().filter(stuck).collect();
        if next == dead {
            break;
        }
        dead = next;
    }
    assert_eq!(deadlock.messages, dead.len() as u64);
    assert!(dead.is_superset(&knot));
}
