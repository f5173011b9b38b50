//! Exhaustive deadlock search that shares no code with the library's. For every set of channels, it
//! checks whether waiting messages can hold exactly this set and wait for no other channel.

use std::collections::{BTreeSet, HashSet};

use faultlab::fault::BlockFaults;
use faultlab::routing::{WormHeader, WormPosition, WormRouting};
use faultlab::theory::{DeadlockAnalysis, DeadlockProof, ExtendedDependencies, MeshDependencies, worm_deadlocks};
use faultlab::topology::{Mesh, NodeId, Port};

use super::{Clockwise, RandomTable};
use crate::common::{mesh, mesh_with_radices, worm};

/// State of a message: destination, position and header, and the last channel.
type State = (NodeId, NodeId, WormHeader, Option<(Port, u8)>);

/// Bit masks of the channels that a waiting message holds and of those that it may request.
type Message = (u32, u32);

/// Directed links of a network with their classes; the index is the channel number.
struct Channels(Vec<(NodeId, Port, u8)>);

impl Channels {
    fn new(faults: &BlockFaults, classes: u8) -> Self {
        let mesh = faults.mesh();
        let links = mesh.iter_nodes().flat_map(|node| mesh.ports().map(move |port| (node, port)));
        let open = links.filter(|&(node, port)| faults.is_open(node, port));
        Self(open.flat_map(|(node, port)| (0..classes).map(move |class| (node, port, class))).collect())
    }

    fn bit(&self, node: NodeId, port: Port, class: u8) -> u32 {
        1 << self.0.iter().position(|&channel| channel == (node, port, class)).expect("a channel")
    }
}

struct Naive<'a> {
    faults: &'a BlockFaults,
    routing: &'a dyn WormRouting,
    channels: Channels,
}

impl Naive<'_> {
    fn mesh(&self) -> Mesh {
        self.faults.mesh()
    }

    /// Returns the choices of a message: each channel that it may request, with the next state.
    fn next(&self, &(to, here, header, held): &State) -> Vec<(u32, State)> {
        if here == to {
            return Vec::new();
        }
        let came = held.map(|(port, _)| port);
        let choices = self.routing.choices(self.faults, &WormPosition { here, to, input_port: came, header });
        let step = |choice: &faultlab::routing::VcRequest| {
            let there = self.mesh().neighbor(here, choice.port).expect("a neighbour");
            let bit = self.channels.bit(here, choice.port, choice.class);
            (bit, (to, there, choice.header, Some((choice.port, choice.class))))
        };
        choices.iter().map(step).collect()
    }

    /// Returns every waiting message, with each chain of channels that it may hold.
    fn messages(&self) -> BTreeSet<Message> {
        let mut rest: Vec<State> = Vec::new();
        for (from, to) in self.mesh().iter_nodes().flat_map(|from| self.mesh().iter_nodes().map(move |to| (from, to))) {
            if from != to {
                rest.push((to, from, self.routing.initial_header(self.faults, from, to, 0), None));
            }
        }
        let mut known: HashSet<State> = rest.iter().copied().collect();
        let mut found = BTreeSet::new();
        while let Some(state) = rest.pop() {
            for (bit, next) in self.next(&state) {
                // The chain begins with this channel.
                self.chains(bit, &next, &mut found);
                if known.insert(next) {
                    rest.push(next);
                }
            }
        }
        found
    }

    fn chains(&self, held: u32, state: &State, found: &mut BTreeSet<Message>) {
        let next = self.next(state);
        if !next.is_empty() {
            found.insert((held, next.iter().fold(0, |wants, (bit, _)| wants | bit)));
        }
        for (bit, state) in next.iter().filter(|(bit, _)| held & bit == 0) {
            self.chains(held | bit, state, found);
        }
    }

    /// Returns whether messages can hold every channel of some set, one message per channel, and
    /// all wait for channels of the set only.
    fn has_deadlock(&self) -> bool {
        let messages: Vec<_> = self.messages().into_iter().collect();
        (1u32..1 << self.channels.0.len()).any(|set| {
            let inside: Vec<_> = messages.iter().filter(|(held, wants)| (held | wants) & !set == 0).collect();
            can_cover(set, &inside)
        })
    }
}

/// Returns whether disjoint messages hold exactly the channels of `rest`.
fn can_cover(rest: u32, messages: &[&Message]) -> bool {
    let lowest = rest & rest.wrapping_neg();
    let fits = |message: &&&Message| message.0 & lowest != 0 && message.0 & !rest == 0;
    rest == 0 || messages.iter().filter(fits).any(|message| can_cover(rest & !message.0, messages))
}

/// Returns the result of the exhaustive search, and the library's decision.
fn search_and_verdict(faults: &BlockFaults, routing: &dyn WormRouting) -> (bool, DeadlockAnalysis) {
    let channels = Channels::new(faults, routing.vc_classes(faults.mesh()));
    assert!(channels.0.len() <= 16);
    let graph = MeshDependencies::build(faults, routing).expect("a small network").graph().clone();
    let case = worm_deadlocks(faults, routing, &graph, 10_000_000);
    (Naive { faults, routing, channels }.has_deadlock(), case)
}

#[test]
fn verdicts_on_random_tables_agree_with_exhaustive_search() {
    let square = BlockFaults::new(mesh_with_radices(&[2, 2]), &[], &[]);
    let cube = BlockFaults::new(Mesh::from_cube(2).expect("a cube"), &[], &[]);
    let oblong = BlockFaults::new(mesh(2, 3), &[], &[]);
    let (mut acyclic, mut closed, mut none, mut deadlocks, mut escapes) = (0, 0, 0, 0, 0);
    for (faults, classes, states, tables) in
        [(&square, 2, 1, 120), (&cube, 2, 2, 120), (&cube, 1, 3, 60), (&oblong, 1, 1, 200), (&oblong, 1, 2, 200)]
    {
        for seed in 0..tables {
            let routing = RandomTable { seed, classes, states, escape: classes > 1 && seed % 4 == 0 };
            let (found, case) = search_and_verdict(faults, &routing);
            assert_eq!(
                found,
                !case.is_free(),
                "{} classes {classes} states {states} seed {seed}: {case:?}",
                faults.mesh()
            );
            match case {
                DeadlockAnalysis::Free(DeadlockProof::Acyclic) => acyclic += 1,
                DeadlockAnalysis::Free(DeadlockProof::NothingHeld) => {
                    closed += 1;
                    escapes += u32::from(ExtendedDependencies::find_escapes(faults, &routing).is_some());
                }
                DeadlockAnalysis::Free(_) => none += 1,
                DeadlockAnalysis::Set(_) => deadlocks += 1,
                DeadlockAnalysis::Undecided(reason) => panic!("{reason:?}"),
            }
        }
    }
    println!(
        "{acyclic} acyclic, {closed} by the fixed point ({escapes} with escape classes), {none} by search, {deadlocks} sets"
    );
    assert!(acyclic > 20 && closed > 20 && deadlocks > 20 && escapes > 0 && closed > escapes);
}

/// The messages of a reported deadlock hold disjoint channels and wait for channels of the set
/// only.
#[test]
fn deadlock_sets_are_closed_and_disjoint() {
    let mut sizes = BTreeSet::new();
    for seed in 0..200 {
        let faults = BlockFaults::new(mesh(3, 3), &[], &[]);
        let routing = RandomTable { seed, classes: 1 + (seed % 2) as u8, states: 2, escape: false };
        let graph = MeshDependencies::build(&faults, &routing).expect("a small network").graph().clone();
        let DeadlockAnalysis::Set(set) = worm_deadlocks(&faults, &routing, &graph, 1_000_000) else { continue };
        let held: Vec<_> = set.messages.iter().flat_map(|message| &message.holds).collect();
        let different: BTreeSet<_> = held.iter().copied().collect();
        assert_eq!(held.len(), different.len(), "{seed}");
        assert!(
            set.messages.iter().flat_map(|message| &message.requests).all(|want| different.contains(want)),
            "{seed}"
        );
        sizes.insert(set.messages.len());
    }
    assert!(sizes.len() > 1, "{sizes:?}");
}

/// Schwiebert & Jayasimha: cycles that can never close, although no set of escape channels meets
/// Duato's condition.
#[test]
fn a_cycle_without_escape_channels_may_never_close() {
    let faults = BlockFaults::new(mesh(2, 2), &[], &[]);
    let (found, case) = search_and_verdict(&faults, &Clockwise { steps_back: true });
    assert_eq!((found, case), (false, DeadlockAnalysis::Free(DeadlockProof::NothingHeld)));
    assert!(
        MeshDependencies::build(&faults, &Clockwise { steps_back: true }).unwrap().graph().acyclic_order().is_err()
    );
    // Without the step back, four messages wait in a ring.
    let (found, case) = search_and_verdict(&faults, &Clockwise { steps_back: false });
    let DeadlockAnalysis::Set(set) = case else { panic!("{case:?}") };
    assert_eq!((found, set.messages.len()), (true, 4));
}

/// Compares built-in algorithms on small networks, Duato's theorem included.
#[test]
fn verdicts_on_algorithms_agree_with_exhaustive_search() {
    let square = BlockFaults::new(mesh_with_radices(&[2, 2]), &[], &[]);
    let cube = BlockFaults::new(Mesh::from_cube(2).expect("a cube"), &[], &[]);
    let oblong = BlockFaults::new(mesh(2, 3), &[], &[]);
    for (faults, id, free) in [
        (&square, "weak", true),
        (&square, "e-cube", true),
        (&oblong, "west-first", true),
        (&oblong, "odd-even", true),
        (&cube, "up", true),
        (&cube, "e-cube", true),
        (&cube, "minimal", false),
    ] {
        let (found, case) = search_and_verdict(faults, worm(id));
        assert_eq!((found, case.is_free()), (!free, free), "{id} on {}", faults.mesh());
    }
}
