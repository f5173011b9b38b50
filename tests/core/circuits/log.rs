//! Observer that logs generated messages and their outcomes.

use faultlab::switching::{CircuitObserver, CompletedCircuit, Refusal};
use faultlab::topology::Link;
use faultlab::traffic::Arrival;

use super::naive::InputMessage;

/// Log of generated messages and their outcomes, by message number.
#[derive(Clone, Default)]
pub(crate) struct Log {
    pub(crate) given: Vec<InputMessage>,
    pub(crate) completed: Vec<Option<f64>>,
    pub(crate) refused: Vec<(u64, u64, Refusal)>,
}

impl Log {
    fn add(&mut self, message: &Arrival) {
        let Arrival { time, source: from, destination: to, duration } = *message;
        self.given.push(InputMessage { time, from: from.0, to: to.0, duration, path: Vec::new() });
        self.completed.push(None);
    }

    pub(crate) fn messages(&self) -> Vec<(u64, u64, u64, u64)> {
        self.given.iter().map(|it| (it.time.to_bits(), it.from, it.to, it.duration.to_bits())).collect()
    }
}

impl CircuitObserver for Log {
    fn generated(&mut self, _: u64, message: &Arrival) {
        self.add(message);
    }

    fn refused(&mut self, _: u64, message: &Arrival, why: Refusal) {
        self.add(message);
        self.refused.push((message.source.0, message.destination.0, why));
    }

    fn reserved(&mut self, number: u64, link: Link, _: f64) {
        self.given[number as usize].path.push((link.from.0, link.dim));
    }

    fn completed(&mut self, circuit: &CompletedCircuit) {
        self.completed[circuit.number as usize] = Some(circuit.time);
    }
}
