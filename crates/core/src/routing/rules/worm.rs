//! Worm routing by user-defined rules.

use super::RuleRouting;
use super::code::{FiredRule, PermittedPorts, PermittedSet, RuleProgram};
use super::inputs::{Input, InputValues, dimensions_of_ports, lowest_port, port_of};
use super::tree::{Family, Way};
use crate::fault::BlockFaults;
use crate::fault::block::{Facing, Orientation, PlaneFamily, RegionId};
use crate::routing::rule::user_rule;
use crate::routing::worm::{
    AlgorithmState, VcRequest, VcRequests, WormHeader, WormPosition, WormRouting, WormStatus, WormType,
};
use crate::routing::{Unsupported, UserRouting};
use crate::topology::{Mesh, NodeId, Port, PortMask, iter_ports, set_dimensions};

/// The requirement reported for a network that the text of the rules does not name.
const WANTS: &str = "one of the networks named after `on` in its text";

impl WormRouting for RuleRouting {
    fn vc_classes(&self, _mesh: Mesh) -> u8 {
        self.tree.classes
    }

    fn check_network(&self, mesh: Mesh) -> Result<(), Unsupported> {
        let family = match (mesh.is_cube(), mesh.is_torus()) {
            (true, _) => Family::Cube,
            (_, true) => Family::Torus,
            _ => Family::Mesh,
        };
        let is_on = |dimensions: Option<u8>| dimensions.is_none_or(|dimensions| dimensions == mesh.dimensions());
        let fits = self.tree.networks.iter().any(|on| on.family == family && is_on(on.dimensions));
        if fits { Ok(()) } else { Err(Unsupported::NetworkRequirement(WANTS)) }
    }

    fn initial_header(&self, faults: &BlockFaults, from: NodeId, to: NodeId, _number: u32) -> WormHeader {
        let Some(program) = self.program(faults.mesh()).filter(|program| !program.starts.is_empty()) else {
            return header(0);
        };
        let at = WormPosition { here: from, to, input_port: None, header: header(0) };
        header(program.start(&read_inputs(program, faults, &at)))
    }

    fn route_compute(&self, faults: &BlockFaults, at: &WormPosition, choices: &mut VcRequests) {
        let mesh = faults.mesh();
        let AlgorithmState::State(state) = at.header.memory else { return };
        let Some(program) = self.program(mesh) else { return };
        if mesh.is_cube() {
            return self.choose_on_cube(program, faults, state, at, choices);
        }
        let table = self.table(program, mesh.dimensions());
        let Some(fired) = table.fire(program, state, |input| input_value(input, faults, at)) else { return };
        let Some(rule) = program.rules.get(usize::from(fired.rule)) else { return };
        let open = faults.open_ports(at.here);
        if let [PermittedSet { what: PermittedPorts::Ports(_), class, then, .. }] = *rule.permitted_sets.as_slice() {
            // The common case: one set with one class and next state.
            let (header, rule) = (header(then.unwrap_or(state)), self.rule(fired.rule));
            for port in iter_ports(fired.sets[0] as PortMask & open) {
                choices.add(VcRequest { port, class, header, rule });
            }
            return;
        }
        self.each_part(&rule.permitted_sets, &fired, choices, |choices, part, set| {
            let header = header(part.then.unwrap_or(state));
            let choice = VcRequest { port: Port::EAST, class: part.class, header, rule: self.rule(fired.rule) };
            match &part.what {
                PermittedPorts::Ports(_) => {
                    for port in iter_ports(set as PortMask & open) {
                        add_once(choices, VcRequest { port, ..choice });
                    }
                }
                PermittedPorts::Ring => {
                    if let Some((region, way)) = followed_ring(at) {
                        let facing = at.input_port.map_or(Facing::Region(Port::EAST), Facing::Ahead);
                        step(faults, at.here, (region, way, facing), choice, choices);
                    }
                }
                PermittedPorts::Onto(way, _) => {
                    let port = port_of(lowest_port(set));
                    let region = port.and_then(|port| faults.blocking(PlaneFamily::FLAT, at.here, port));
                    let Some((region, port)) = region.zip(port) else { return };
                    for &way in orientations(*way) {
                        step(faults, at.here, (region, way, Facing::Region(port)), choice, choices);
                    }
                }
            }
        });
    }

    fn is_escape(&self, _mesh: Mesh, class: u8) -> bool {
        self.tree.escapes == 0 || self.tree.escapes >> (class & 15) & 1 == 1
    }

    fn is_proved(&self, _faults: &BlockFaults) -> bool {
        false
    }

    fn user_routing(&self) -> Option<&dyn UserRouting> {
        Some(self)
    }
}

impl RuleRouting {
    fn choose_on_cube(
        &self,
        program: &RuleProgram,
        faults: &BlockFaults,
        state: u8,
        at: &WormPosition,
        choices: &mut VcRequests,
    ) {
        let seen = read_inputs(program, faults, at);
        let Some(fired) = program.fire(state, &seen) else { return };
        let (wrong, live) = (at.here.0 ^ at.to.0, dimensions_of_ports(faults.open_ports(at.here)));
        let Some(rule) = program.rules.get(usize::from(fired.rule)) else { return };
        self.each_part(&rule.permitted_sets, &fired, choices, |choices, part, set| {
            // A message fails at once if only backward dimensions are left at its source (Gordon &
            // Stout).
            let dims = if set & wrong == 0 && at.input_port.is_none() { 0 } else { set & live };
            for dim in set_dimensions(dims) {
                let port = Port::along(dim, at.here.0 >> dim & 1 == 0);
                let (class, header) = (part.class, header(part.then.unwrap_or(state)));
                add_once(choices, VcRequest { port, class, header, rule: self.rule(fired.rule) });
            }
        });
    }

    /// Adds the parts of the rule that fired, preferred ones first.
    #[inline]
    fn each_part(
        &self,
        parts: &[PermittedSet],
        fired: &FiredRule,
        choices: &mut VcRequests,
        add: impl Fn(&mut VcRequests, &PermittedSet, u64),
    ) {
        let last = parts.iter().map(|part| part.rank).max().unwrap_or(0);
        for rank in 0..=last {
            if rank > 0 {
                choices.prefer();
            }
            for (part, &set) in parts.iter().zip(&fired.sets).filter(|(part, _)| part.rank == rank) {
                add(choices, part, set);
            }
        }
    }

    #[inline]
    pub(super) fn rule(&self, number: u8) -> &'static crate::routing::Rule {
        user_rule(number, self.detours >> (number & 63) & 1 == 1)
    }
}

/// Adds a choice, unless its channel is already present: the first entry counts.
fn add_once(choices: &mut VcRequests, choice: VcRequest) {
    if choices.iter().all(|other| (other.port, other.class) != (choice.port, choice.class)) {
        choices.add(choice);
    }
}

/// Returns the header of a message in `state` that follows no ring.
#[inline]
fn header(state: u8) -> WormHeader {
    WormHeader { memory: AlgorithmState::State(state), ..WormHeader::normal(WormType::WE) }
}

/// Returns the region that a message goes around, and the orientation.
fn followed_ring(at: &WormPosition) -> Option<(RegionId, Orientation)> {
    at.header.region.zip(at.header.orientation).filter(|_| at.header.status == WormStatus::Misrouted)
}

fn orientations(way: Way) -> &'static [Orientation] {
    match way {
        Way::Clockwise => &Orientation::ALL[..1],
        Way::CounterClockwise => &Orientation::ALL[1..],
        Way::Either => &Orientation::ALL,
    }
}

/// Adds the hop along the ring of a region in an orientation or, at the end of a chain, the hop
/// back.
fn step(
    faults: &BlockFaults,
    here: NodeId,
    (region, way, facing): (RegionId, Orientation, Facing),
    choice: VcRequest,
    choices: &mut VcRequests,
) {
    let next = crate::routing::mesh::ring_step(faults, region, PlaneFamily::FLAT, here, way, facing);
    let Some((port, way, _)) = next.filter(|&(port, ..)| faults.is_open(here, port)) else { return };
    let (status, region, orientation) = (WormStatus::Misrouted, Some(region), Some(way));
    let header = WormHeader { status, region, orientation, ..choice.header };
    choices.add(VcRequest { port, header, ..choice });
}

/// Returns all input values that a program reads.
fn read_inputs(program: &RuleProgram, faults: &BlockFaults, at: &WormPosition) -> InputValues {
    let (mut seen, mesh) = (InputValues::NOTHING, faults.mesh());
    for input in Input::ALL.into_iter().filter(|&input| program.reads(input)) {
        seen.set(
            input,
            if mesh.is_cube() { cube_input_value(input, faults, at) } else { input_value(input, faults, at) },
        );
    }
    let all = if mesh.is_cube() { u64::from(mesh.nodes()) - 1 } else { (1 << mesh.port_count()) - 1 };
    seen.set(Input::All, all);
    seen
}

/// Returns the value of one input on a mesh or torus.
#[inline]
fn input_value(input: Input, faults: &BlockFaults, at: &WormPosition) -> u64 {
    match input {
        Input::Minimal => u64::from(faults.mesh().minimal_ports(at.here, at.to)),
        Input::Live => u64::from(faults.open_ports(at.here)),
        Input::Faulty => u64::from(faults.faulty_ports(at.here)),
        Input::Arrival => at.input_port.map_or(0, |port| u64::from(port.0) + 1),
        Input::Around => u64::from(followed_ring(at).is_some()),
        _ => rare_input_value(input, faults, at),
    }
}

/// Returns the value of an input that is rarely read.
#[inline(never)]
fn rare_input_value(input: Input, faults: &BlockFaults, at: &WormPosition) -> u64 {
    let mesh = faults.mesh();
    let ports = |is: &dyn Fn(Port) -> bool| {
        mesh.ports().filter(|&port| is(port)).fold(0, |ports, port| ports | u64::from(port.bit()))
    };
    let coordinates = |port: Port| (mesh.coordinate(at.here, port.dim()), mesh.coordinate(at.to, port.dim()));
    let odd = |node| (0..mesh.dimensions()).fold(0, |odd, dim| odd | u64::from(mesh.coordinate(node, dim) % 2) << dim);
    let away = |hops: u16| {
        let along = |dim: u8| mesh.offset(dim, mesh.coordinate(at.here, dim), mesh.coordinate(at.to, dim));
        let dims = (0..mesh.dimensions()).map(|dim| (dim, along(dim))).filter(|&(_, (left, _))| left == hops);
        dims.fold(0, |ports, (dim, (_, [down, up]))| ports | (u64::from(down) | u64::from(up) << 1) << (2 * dim))
    };
    match input {
        Input::Odd => odd(at.here),
        Input::GoalOdd => odd(at.to),
        Input::Away1 => away(1),
        Input::Away2 => away(2),
        Input::Away3 => away(3),
        Input::Wrapping => ports(&|port| {
            let (here, to) = coordinates(port);
            mesh.wraps(port.dim()) && if port.grows() { here > to } else { here < to }
        }),
        Input::Disabled => {
            ports(&|port| mesh.neighbor(at.here, port).is_some_and(|node| faults.is_faulty_by_closure(node)))
        }
        Input::Ringed => ports(&|port| mesh.neighbor(at.here, port).is_some_and(|node| faults.is_ringed(node))),
        Input::Single => ports(&|port| {
            let region = faults.blocking(PlaneFamily::FLAT, at.here, port).and_then(|id| faults.region(id));
            region.is_some_and(|region| region.is_single())
        }),
        _ => 0,
    }
}

/// Returns the value of one input on a hypercube.
fn cube_input_value(input: Input, faults: &BlockFaults, at: &WormPosition) -> u64 {
    let all = u64::from(faults.mesh().nodes()) - 1;
    let live = || dimensions_of_ports(faults.open_ports(at.here));
    match input {
        Input::Minimal => at.here.0 ^ at.to.0,
        Input::Live => live(),
        Input::Faulty => all & !live(),
        Input::Up => all & !at.here.0,
        Input::Arrival => at.input_port.map_or(0, |port| u64::from(port.dim()) + 1),
        _ => 0,
    }
}
