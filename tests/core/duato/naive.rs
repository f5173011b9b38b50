//! Second enumeration of extended dependencies, by following every journey without states.

use std::collections::{BTreeMap, BTreeSet};

use faultlab::fault::BlockFaults;
use faultlab::routing::{WormHeader, WormPosition, WormRouting};
use faultlab::theory::{ExtendedDependencies, mesh_channel_ends};
use faultlab::topology::{NodeId, Port};

use super::{broken, mesh, random_faults, worm};

/// Node, port and class of a virtual channel.
type Channel = (NodeId, Port, u8);

/// Escape channels that each escape channel depends on.
type Dependencies = BTreeMap<Channel, BTreeSet<Channel>>;

/// Header at a node, with all channels that its message has used.
struct Walk<'r> {
    faults: &'r BlockFaults,
    routing: &'r dyn WormRouting,
    to: NodeId,
    taken: Vec<Channel>,
}

impl Walk<'_> {
    /// Follows all choices from here.
    fn follow_choices(&mut self, here: NodeId, header: WormHeader, found: &mut Dependencies) {
        if here == self.to {
            return;
        }
        let mesh = self.faults.mesh();
        let came = self.taken.last().map(|&(_, port, _)| port);
        let choices = self.routing.choices(self.faults, &WormPosition { here, to: self.to, input_port: came, header });
        for choice in choices.iter() {
            let wanted = (here, choice.port, choice.class);
            let is_escape = |class| self.routing.is_escape(mesh, class);
            // The last escape channel used; all later ones are adaptive.
            let held = self.taken.iter().rev().find(|&&(.., class)| is_escape(class));
            if let (Some(&held), true) = (held, is_escape(choice.class)) {
                found.entry(held).or_default().insert(wanted);
            }
            let next = mesh.neighbor(here, choice.port).expect("a neighbour");
            self.taken.push(wanted);
            self.follow_choices(next, choice.header, found);
            self.taken.pop();
        }
    }
}

/// Returns the extended dependencies over all pairs.
fn journeys(faults: &BlockFaults, routing: &dyn WormRouting) -> Dependencies {
    let mut found = Dependencies::new();
    for from in faults.members() {
        for to in faults.members().filter(|&to| to != from) {
            let header = routing.initial_header(faults, from, to, 0);
            Walk { faults, routing, to, taken: Vec::new() }.follow_choices(from, header, &mut found);
        }
    }
    found
}

/// Returns whether dependencies are cyclic, by removing channels without dependencies until none is
/// left.
fn is_cyclic(mut dependencies: Dependencies) -> bool {
    loop {
        let known = dependencies.len();
        let alive: BTreeSet<_> = dependencies.keys().copied().collect();
        dependencies.retain(|_, wanted| wanted.iter().any(|channel| alive.contains(channel)));
        if dependencies.len() == known {
            return known > 0;
        }
    }
}

/// Returns the extended dependencies and whether they are cyclic, from the library's graph.
fn built(faults: &BlockFaults, routing: &dyn WormRouting) -> (Dependencies, bool) {
    let (mesh, graph) = (faults.mesh(), ExtendedDependencies::build(faults, routing).expect("a small mesh").graph());
    let ends = |channel| mesh_channel_ends(mesh, channel, routing.vc_classes(mesh));
    let mut found = Dependencies::new();
    for held in (0..graph.channels()).map(faultlab::theory::ChannelId) {
        let wanted: BTreeSet<_> = graph.successors(held).into_iter().map(ends).collect();
        if !wanted.is_empty() {
            found.insert(ends(held), wanted);
        }
    }
    (found, graph.acyclic_order().is_err())
}

#[test]
fn extended_dependencies_agree_with_enumerated_journeys() {
    let mut compared = 0;
    for (radices, faulty) in [(&[2, 3][..], 20), (&[3, 3], 20), (&[2, 2, 2], 12)] {
        for number in 0..faulty {
            let faults = if number == 0 { broken(mesh(radices), &[]) } else { random_faults(mesh(radices), 2, number) };
            for id in ["weak", "weak-f-cube4"] {
                // If f-cube4 is not proved to deliver, journeys may be endless.
                if id == "weak-f-cube4" && !worm(id).is_proved(&faults) {
                    continue;
                }
                let (found, cyclic) = built(&faults, worm(id));
                let counted = journeys(&faults, worm(id));
                assert_eq!(found, counted, "{id} {radices:?} {number}");
                assert_eq!(cyclic, is_cyclic(counted), "{id} {radices:?} {number}");
                compared += 1;
            }
        }
    }
    assert!(compared > 60, "{compared}");
}
