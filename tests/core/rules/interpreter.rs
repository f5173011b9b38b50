//! Reference interpreter that evaluates rules on the syntax tree, without compilation.

use std::collections::BTreeSet;

use faultlab::fault::BlockFaults;
use faultlab::fault::block::{Orientation, PlaneFamily, RegionId};
use faultlab::routing::rules::tree::{
    Atom, Condition, Meaning, Name, Ports, RuleStatement, Set, Test, Tree, Way, When,
};
use faultlab::routing::{AlgorithmState, WormPosition, WormStatus};
use faultlab::topology::{Mesh, Port};

/// Choice: port, class, state, region with direction around it, rule, and rank, which counts the
/// preferred sets before it.
pub(super) type Choice = (Port, u8, u8, Option<(RegionId, Orientation)>, u8, u8);

/// Syntax tree with the position at which it is evaluated.
pub(super) struct Evaluation<'a> {
    pub(super) tree: &'a Tree,
    pub(super) faults: &'a BlockFaults,
    pub(super) at: &'a WormPosition,
}

/// Set of ports of a mesh, or of dimensions of a hypercube, by number.
pub(super) type Members = BTreeSet<u8>;

impl Evaluation<'_> {
    fn mesh(&self) -> Mesh {
        self.faults.mesh()
    }

    fn is_cube(&self) -> bool {
        self.mesh().is_cube()
    }

    fn all(&self) -> Members {
        if self.is_cube() {
            (0..self.mesh().dimensions()).collect()
        } else {
            (0..2 * self.mesh().dimensions()).collect()
        }
    }

    /// Returns the port of a member.
    fn port(&self, member: u8) -> Port {
        if self.is_cube() { Port::along(member, self.at.here.0 >> member & 1 == 0) } else { Port(member) }
    }

    fn those(&self, is: impl Fn(Port) -> bool) -> Members {
        self.all().into_iter().filter(|&member| is(self.port(member))).collect()
    }

    fn is_minimal(&self, port: Port) -> bool {
        let (mesh, to) = (self.mesh(), self.at.to);
        // In a mesh of radix two the border has no neighbour; in a hypercube one port of each
        // dimension has one.
        mesh.neighbor(self.at.here, port).is_some_and(|next| mesh.distance(next, to) < mesh.distance(self.at.here, to))
    }

    fn hops_left(&self, port: Port) -> u16 {
        let (mesh, dim) = (self.mesh(), port.dim());
        mesh.offset(dim, mesh.coordinate(self.at.here, dim), mesh.coordinate(self.at.to, dim)).0
    }

    fn atom(&self, atom: Atom) -> Members {
        let (mesh, here, faults) = (self.mesh(), self.at.here, self.faults);
        let neighbor = |port| mesh.neighbor(here, port);
        let came = self.at.input_port;
        match atom {
            Atom::Minimal | Atom::Wrong => self.those(|port| self.is_minimal(port)),
            Atom::Right => self.those(|port| !self.is_minimal(port)),
            Atom::All => self.all(),
            Atom::Live => self.those(|port| faults.is_open(here, port)),
            Atom::Faulty => self.those(|port| neighbor(port).is_some() && !faults.is_open(here, port)),
            Atom::Ahead => self.those(|port| came == Some(port)),
            Atom::Back => self.those(|port| came.is_some_and(|came| came.opposite() == port)),
            Atom::Positive => self.those(Port::grows),
            Atom::Negative => self.those(|port| !port.grows()),
            Atom::Wrapping => self.those(|port| {
                let (at, to) = (mesh.coordinate(here, port.dim()), mesh.coordinate(self.at.to, port.dim()));
                mesh.wraps(port.dim()) && at != to && (port.grows() == (at > to))
            }),
            Atom::Disabled => self.those(|port| {
                neighbor(port).is_some_and(|next| faults.rounds().iter().flatten().any(|&it| it == next))
            }),
            Atom::Ringed => self.those(|port| {
                let rings =
                    faults.regions().iter().flat_map(|region| faults.ring_nodes(region, PlaneFamily::FLAT, here));
                neighbor(port).is_some_and(|next| !faults.is_faulty(next) && rings.into_iter().any(|node| node == next))
            }),
            Atom::Single => self.those(|port| {
                let region = faults.blocking(PlaneFamily::FLAT, here, port).and_then(|id| faults.region(id));
                region.is_some_and(|region| region.nodes.len() + region.links.len() == 1)
            }),
            Atom::Compass(port) | Atom::Signed(port) => [port].into(),
            Atom::Dimension(dim) => self.all().into_iter().filter(|&it| it == dim).collect(),
            Atom::Up => self.those(Port::grows),
            Atom::Down => self.those(|port| !port.grows()),
            Atom::Away(hops) => self.those(|port| self.is_minimal(port) && self.hops_left(port) == u16::from(hops)),
        }
    }

    fn meaning(&self, name: &Name) -> &Meaning {
        &self.tree.definitions.iter().find(|(other, _)| other == name).expect("a definition").1
    }

    fn set(&self, set: &Set) -> Members {
        let extreme = |set: Members, dim: Option<u8>| match (self.is_cube(), dim) {
            (_, None) => Members::new(),
            (true, Some(dim)) => [dim].into(),
            (false, Some(dim)) => [if set.contains(&(2 * dim + 1)) { 2 * dim + 1 } else { 2 * dim }].into(),
        };
        let dim = |member: &u8| if self.is_cube() { *member } else { member / 2 };
        match set {
            Set::Atom(atom, _) => self.atom(*atom),
            Set::Named(name) => match self.meaning(name) {
                Meaning::Set(set) => self.set(set),
                Meaning::Condition(_) => unreachable!("no set"),
            },
            Set::Lowest(set) => {
                let set = self.set(set);
                let lowest = set.iter().map(dim).min();
                extreme(set, lowest)
            }
            Set::Highest(set) => {
                let set = self.set(set);
                let highest = set.iter().map(dim).max();
                extreme(set, highest)
            }
            Set::Not(set) => &self.all() - &self.set(set),
            Set::And(a, b) => &self.set(a) & &self.set(b),
            Set::Or(a, b) => &self.set(a) | &self.set(b),
        }
    }

    fn followed(&self) -> Option<(RegionId, Orientation)> {
        let header = &self.at.header;
        header.region.zip(header.orientation).filter(|_| header.status == WormStatus::Misrouted)
    }

    pub(super) fn holds(&self, condition: &Condition) -> bool {
        match condition {
            Condition::Always => true,
            Condition::Test(test, a, b) => {
                let (a, b) = (self.set(a), self.set(b));
                match test {
                    Test::Plain | Test::Some => !a.is_disjoint(&b),
                    Test::No => a.is_disjoint(&b),
                    Test::Every => a.is_subset(&b),
                }
            }
            Condition::AtSource(_) => self.at.input_port.is_none(),
            Condition::Around(_) => self.followed().is_some(),
            Condition::Parity { of_destination, dim, odd, .. } => {
                let node = if *of_destination { self.at.to } else { self.at.here };
                // A dimension beyond the mesh's dimensions counts as coordinate 0.
                let at = if *dim < self.mesh().dimensions() { self.mesh().coordinate(node, *dim) } else { 0 };
                (at % 2 == 1) == *odd
            }
            Condition::Named(name) => match self.meaning(name) {
                Meaning::Condition(condition) => self.holds(condition),
                Meaning::Set(_) => unreachable!("no condition"),
            },
            Condition::Not(condition) => !self.holds(condition),
            Condition::And(a, b) => self.holds(a) && self.holds(b),
            Condition::Or(a, b) => self.holds(a) || self.holds(b),
        }
    }

    fn number(&self, name: &Name) -> u8 {
        self.tree.states.iter().position(|state| state == name).expect("a state") as u8
    }

    /// Returns the start state of a message.
    pub(super) fn start(&self) -> u8 {
        let first = self.tree.starts.iter().find(|(_, condition)| self.holds(condition));
        first.map_or(0, |(state, _)| self.number(state))
    }

    /// Returns the sets of the rule that fires, in written order, each with the state after its
    /// hop.
    pub(super) fn parts(&self) -> Vec<(Members, u8)> {
        let AlgorithmState::State(state) = self.at.header.memory else { unreachable!("another header") };
        let Some(line) = self.tree.rules.iter().find(|line| self.fires(line, state)) else { return Vec::new() };
        let parts = line.takes.iter().flat_map(|take| {
            let next = take.then.as_ref().map_or(state, |name| self.number(name));
            let Ports::Sets(sets) = &take.ports else { return Vec::new() };
            sets.iter().map(|set| (self.set(set), next)).collect()
        });
        parts.collect()
    }

    fn fires(&self, line: &RuleStatement, state: u8) -> bool {
        let in_state = line.states.is_empty() || line.states.iter().any(|name| self.number(name) == state);
        in_state && !matches!(&line.when, When::Condition(condition) if !self.holds(condition))
    }

    /// Returns all choices of the message, in order.
    pub(super) fn choices(&self) -> Vec<Choice> {
        let AlgorithmState::State(state) = self.at.header.memory else { unreachable!("another header") };
        let Some(rule) = self.tree.rules.iter().position(|line| self.fires(line, state)) else { return Vec::new() };
        let mut found = Vec::new();
        for take in &self.tree.rules[rule].takes {
            let next = take.then.as_ref().map_or(state, |name| self.number(name));
            let mut add = |port, around, rank| found.push((port, take.class, next, around, rule as u8, rank));
            let mut around = |region: RegionId, way: Orientation| {
                let step =
                    |way| self.faults.ring_step(region, PlaneFamily::FLAT, self.at.here, way).map(|port| (port, way));
                let step = step(way).or_else(|| step(way.reversed()));
                if let Some((port, way)) = step.filter(|&(port, _)| self.faults.is_open(self.at.here, port)) {
                    add(port, Some((region, way)), 0);
                }
            };
            match &take.ports {
                Ports::Nothing => {}
                Ports::Ring(_) => {
                    if let Some((region, way)) = self.followed() {
                        around(region, way);
                    }
                }
                Ports::Onto(way, set, _) => {
                    let lowest = self.set(&Set::Lowest(Box::new(set.clone()))).first().copied();
                    let region =
                        lowest.and_then(|port| self.faults.blocking(PlaneFamily::FLAT, self.at.here, Port(port)));
                    let ways: &[Orientation] = match way {
                        Way::Clockwise => &[Orientation::Clockwise],
                        Way::CounterClockwise => &[Orientation::CounterClockwise],
                        Way::Either => &[Orientation::Clockwise, Orientation::CounterClockwise],
                    };
                    for &way in ways {
                        region.into_iter().for_each(|region| around(region, way));
                    }
                }
                Ports::Sets(sets) => {
                    for (rank, set) in (0..).zip(sets) {
                        let members = self.set(set);
                        let leads_back = members.iter().all(|&member| !self.is_minimal(self.port(member)));
                        if self.is_cube() && leads_back && self.at.input_port.is_none() {
                            continue;
                        }
                        let ports = members.into_iter().map(|member| self.port(member));
                        ports
                            .filter(|&port| self.faults.is_open(self.at.here, port))
                            .for_each(|port| add(port, None, rank));
                    }
                }
            }
        }
        // The sort is stable: within a rank the written order stays.
        found.sort_by_key(|&(.., rank)| rank);
        // A channel that is named twice counts at its first position.
        let mut named = BTreeSet::new();
        found.retain(|&(port, class, _, around, ..)| named.insert((port, class)) || around.is_some());
        found.truncate(faultlab::routing::VcRequests::MAX);
        found
    }
}
