//! Tests of Figure 12: six messages wait for each other although each has a live minimal path.
//! f-cube4 as escape resolves the deadlock.

use std::collections::{BTreeMap, BTreeSet};

use faultlab::experiment::presets::preset;
use faultlab::experiment::{Experiment, WormWatch};
use faultlab::fault::BlockFaults;
use faultlab::fault::block::RegionKind;
use faultlab::switching::{HeldChannel, WormMessageView, WormState, WormholeNetwork};
use faultlab::topology::{NodeId, Port};

/// Runs the preset to its end.
fn watched() -> WormWatch {
    let text = &preset("weak-figure-12").expect("the preset").experiment;
    let mut watch = WormWatch::new(&text.parse::<Experiment>().expect("an experiment")).expect("a mesh");
    while watch.work(1 << 16) {}
    watch.seek(u64::MAX);
    while !watch.is_at_target() {
        watch.work(1 << 16);
    }
    watch
}

/// Returns the messages by number.
fn messages(worms: &WormholeNetwork) -> BTreeMap<u64, WormMessageView<'_>> {
    worms.messages().map(|message| (message.number(), message)).collect()
}

/// Returns the ports and classes that a waiting message requests; none if it does not wait.
fn requested_classes(message: &WormMessageView<'_>) -> Vec<(Port, u8)> {
    match message.state() {
        WormState::Waiting(choices) => choices.iter().map(|choice| (choice.port, choice.class)).collect(),
        _ => Vec::new(),
    }
}

/// Returns whether a minimal path of live hops connects the nodes.
fn has_minimal_path(faults: &BlockFaults, from: NodeId, to: NodeId) -> bool {
    let mesh = faults.mesh();
    let closer = |&port: &Port| {
        let next = mesh.neighbor(from, port);
        next.is_some_and(|next| mesh.distance(next, to) < mesh.distance(from, to) && faults.is_open(from, port))
    };
    from == to
        || mesh.ports().filter(closer).any(|port| {
            let next = mesh.neighbor(from, port).expect("a neighbour");
            has_minimal_path(faults, next, to)
        })
}

#[test]
fn link_faults_make_four_rings() {
    let watch = watched();
    let faults = &watch.faults;
    assert_eq!((faults.regions().len(), faults.has_overlapping_rings(), faults.components()), (4, false, 1));
    for region in faults.regions() {
        assert!(region.kind == RegionKind::ROW_LINKS && !faults.is_chain(region));
    }
    assert!(faults.mesh().iter_nodes().all(|node| !faults.is_faulty(node)));
}

/// Preset "weak-figure-12": "Four faulty links block the e-cube hops of four messages, which wait
/// for adaptive channels only; the six messages hold these channels."
#[test]
fn six_messages_deadlock_despite_live_minimal_paths() {
    let watch = watched();
    let network = &watch.networks()[0];
    assert_eq!((&*network.algorithm.id, network.worms().config().virtual_channels), ("weak", 2));
    let (worms, faults) = (network.worms(), &watch.faults);
    let deadlock = worms.outcome().expect("a deadlock");
    assert_eq!((deadlock.messages, worms.in_flight(), worms.delivered()), (6, 6, 0));
    let all = messages(worms);
    let mesh = faults.mesh();
    let mut blocked = 0;
    for (&number, message) in &all {
        assert!(has_minimal_path(faults, message.from(), message.to()), "{number}");
        assert!(has_minimal_path(faults, message.header_node(), message.to()), "{number}");
        let holders: BTreeSet<_> = requested_classes(message)
            .into_iter()
            .map(|(port, class)| HeldChannel {
                channel: mesh.channel(message.header_node(), port),
                virtual_channel: class,
            })
            .map(|wanted| worms.holder(wanted).expect("a holder").number())
            .collect();
        // Each message waits for the next one in the cycle.
        assert!(holders.contains(&((number + 1) % 6)), "{number}: {holders:?}");
        // The e-cube hop is along the row while columns differ.
        let ((_, column), (_, goal)) = (mesh.row_and_column(message.header_node()), mesh.row_and_column(message.to()));
        assert_ne!(column, goal);
        let live = faults.is_open(message.header_node(), Port::along(0, goal > column));
        let escapes = requested_classes(message).iter().any(|&(_, class)| class == 0);
        assert_eq!(live, escapes, "{number}");
        blocked += u32::from(!live);
    }
    assert_eq!((all.len(), blocked), (6, 4));
    // Some held channels are adaptive and others are e-cube channels, as in the figure.
    let classes: BTreeSet<_> = all.values().flat_map(|message| message.holds()).map(|hold| hold.class).collect();
    assert_eq!(classes, BTreeSet::from([0, 1]));
}

#[test]
fn with_f_cube4_to_escape_by_all_six_arrive() {
    let watch = watched();
    let network = &watch.networks()[1];
    assert_eq!((&*network.algorithm.id, network.worms().config().virtual_channels), ("weak-f-cube4", 5));
    assert_eq!((network.worms().delivered(), network.known_outcome()), (6, None));
}

/// f-cube4 delivers all messages for other seeds too.
#[test]
fn f_cube4_escape_delivers_for_all_seeds() {
    let text = &preset("weak-figure-12").expect("the preset").experiment;
    let experiment: Experiment = text.parse().unwrap();
    for seed in 0..300 {
        let mut watch = WormWatch::new(&Experiment { seed, ..experiment.clone() }).unwrap();
        // The simulation runs ahead by some hundred cycles of 64 nodes.
        (0..16).for_each(|_| _ = watch.work(64 * 64));
        watch.seek(300);
        while !watch.is_at_target() {
            watch.work(64 * 64);
        }
        assert_eq!(watch.networks()[1].worms().delivered(), 6, "{seed}");
    }
}
