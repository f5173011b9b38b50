//! Measurement of circuit-switched meshes.

use super::snapshot::ProbeState;
use super::{ProbeEvent, ProbeNetwork};
use crate::switching::circuit::{CircuitOutcome, CircuitTransitionCounts, MeasuredCircuits, WaitEnd, WindowObserver};
use crate::topology::{Link, Mesh, Port};

impl MeasuredCircuits for ProbeNetwork {
    fn shape(&self) -> (usize, usize, Option<Mesh>) {
        let mesh = self.mesh();
        (mesh.nodes() as usize, mesh.port_count() as usize, Some(mesh))
    }

    fn live_count(&self) -> u64 {
        self.live().count() as u64
    }

    fn time(&self) -> f64 {
        self.time()
    }

    fn next_time(&self) -> f64 {
        self.next_time()
    }

    fn outcome(&self) -> Option<&CircuitOutcome> {
        self.outcome()
    }

    fn step(&mut self, observer: &mut WindowObserver) -> bool {
        Self::step(self, observer) != ProbeEvent::Ended
    }

    fn reserved_links(&self) -> Vec<Link> {
        let paths = self.messages().flat_map(|message| message.path().collect::<Vec<_>>());
        paths.map(|(from, port)| Link { from, dim: port.0 }).collect()
    }

    fn open_waits(&self) -> Vec<WaitEnd> {
        let wait = self.messages().filter_map(|message| {
            let (node, dims) = match message.state() {
                ProbeState::Waiting(port) => (message.here(), u64::from(port.bit())),
                _ if message.failed_at().is_some() => (message.from(), 0),
                _ => return None,
            };
            Some(WaitEnd { number: message.number(), node, dims, since: message.since() })
        });
        wait.collect()
    }

    fn transition(&self) -> Option<CircuitTransitionCounts> {
        self.transition()
    }

    fn links_by_dimension(&self) -> Vec<[Vec<Link>; 2]> {
        let faults = &self.config().faults;
        let links = |port: Port| {
            let open = faults.mesh().iter_nodes().filter(move |&node| faults.is_open(node, port));
            open.map(move |from| Link { from, dim: port.0 }).collect()
        };
        let ports = |dim: u8| [true, false].map(|grows| links(Port::along(dim, grows)));
        (0..faults.mesh().dimensions()).map(ports).collect()
    }
}
