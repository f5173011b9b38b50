//! Tests of deadlock verdicts against an exhaustive search over sets of messages, simulations, and
//! theorems.
#![cfg(not(target_arch = "wasm32"))]

mod brute_force;
mod verdicts;

use faultlab::fault::BlockFaults;
use faultlab::random::mix;
use faultlab::routing::{
    AlgorithmState, Rule, Unsupported, VcRequest, VcRequests, WormHeader, WormPosition, WormRouting, WormStatus,
    WormType,
};
use faultlab::topology::{Mesh, NodeId, Port, iter_ports};

/// Rule of the routings in these tests.
static RULE: Rule = Rule::worm("test", |_| "".into());

/// Returns a plain header with a state.
fn header(state: u8) -> WormHeader {
    WormHeader { status: WormStatus::Normal, memory: AlgorithmState::State(state), ..WormHeader::normal(WormType::WE) }
}

/// Routing with a random table: at each node, for each destination and state, a random nonempty set
/// of minimal channels. With `escape`, class 0 is an escape class in dimension order: it offers
/// only the lowest minimal port, and always does.
#[derive(Clone, Copy)]
struct RandomTable {
    seed: u64,
    classes: u8,
    states: u8,
    escape: bool,
}

impl RandomTable {
    fn word(&self, parts: [u64; 5]) -> u64 {
        parts.into_iter().fold(mix(self.seed), |word, part| mix(word ^ part.wrapping_add(0x51ed_270b)))
    }
}

impl WormRouting for RandomTable {
    fn vc_classes(&self, _: Mesh) -> u8 {
        self.classes
    }

    fn check_network(&self, _: Mesh) -> Result<(), Unsupported> {
        Ok(())
    }

    fn initial_header(&self, _: &BlockFaults, _: NodeId, _: NodeId, _: u32) -> WormHeader {
        header(0)
    }

    fn route_compute(&self, faults: &BlockFaults, at: &WormPosition, choices: &mut VcRequests) {
        let AlgorithmState::State(state) = at.header.memory else { return };
        let minimal = faults.mesh().minimal_ports(at.here, at.to) & faults.open_ports(at.here);
        let all = iter_ports(minimal).flat_map(|port| (0..self.classes).map(move |class| (port, class)));
        let all: Vec<_> = all.collect();
        let drawn =
            |&(port, class): &(Port, u8)| self.word([at.here.0, at.to.0, state.into(), port.0.into(), class.into()]);
        let lowest = all.first().map(|&(port, _)| port);
        let may = |&(port, class): &(Port, u8)| match (self.escape, class) {
            (true, 0) => lowest == Some(port),
            _ => drawn(&(port, class)) % 2 == 0,
        };
        let mut taken: Vec<_> = all.iter().copied().filter(may).collect();
        if taken.is_empty() {
            taken.extend(all.iter().copied().min_by_key(drawn));
        }
        for (port, class) in taken {
            let next = (drawn(&(port, class)) >> 32) as u8 % self.states;
            choices.add(VcRequest { port, class, header: header(next), rule: &RULE });
        }
    }

    fn is_proved(&self, _: &BlockFaults) -> bool {
        false
    }
}

/// Routing on a 2 x 2 mesh with a single class, clockwise between opposite corners. With
/// `steps_back`, messages from corner (0,0) may also step back from (0,1) and go counter-clockwise.
///
/// Every channel is the only one that some pair of neighbours may use. So every set of escape
/// channels contains all channels, which have a cycle: Duato's condition fails for any choice. The
/// cycle never closes, since the message that steps back waits for a channel in which no message
/// waits.
#[derive(Clone, Copy)]
struct Clockwise {
    steps_back: bool,
}

impl WormRouting for Clockwise {
    fn vc_classes(&self, _: Mesh) -> u8 {
        1
    }

    fn check_network(&self, _: Mesh) -> Result<(), Unsupported> {
        Ok(())
    }

    fn initial_header(&self, _: &BlockFaults, _: NodeId, _: NodeId, _: u32) -> WormHeader {
        header(0)
    }

    fn route_compute(&self, faults: &BlockFaults, at: &WormPosition, choices: &mut VcRequests) {
        let mesh = faults.mesh();
        // Nodes (0,0), (0,1), (1,1), (1,0) in clockwise order.
        let clockwise = [(0, Port::EAST), (1, Port::SOUTH), (3, Port::WEST), (2, Port::NORTH)];
        let mut add = |port, state| choices.add(VcRequest { port, class: 0, header: header(state), rule: &RULE });
        if mesh.distance(at.here, at.to) == 1 {
            iter_ports(mesh.minimal_ports(at.here, at.to)).for_each(|port| add(port, 0));
            if self.steps_back && (at.here.0, at.to.0, at.input_port) == (1, 3, Some(Port::EAST)) {
                add(Port::WEST, 1);
            }
        } else if at.header.memory == AlgorithmState::State(1) {
            add(Port::SOUTH, 0);
        } else {
            clockwise.into_iter().filter(|(node, _)| *node == at.here.0).for_each(|(_, port)| add(port, 0));
        }
    }

    fn is_proved(&self, _: &BlockFaults) -> bool {
        false
    }
}
