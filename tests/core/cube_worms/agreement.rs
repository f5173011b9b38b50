//! Tests of worms against the batch engine, which has one-flit buffers and no virtual channels.

use std::sync::Arc;

use faultlab::random::Key;
use faultlab::routing::Shared;
use faultlab::routing::oblivious::{BitFixing, ObliviousRouting as _};
use faultlab::switching::{BatchRun, FlowControl, WormholeConfig, WormholeNetwork};
use faultlab::topology::NodeId;

use super::{cube, faults, worm};

#[test]
fn messages_that_share_no_channel_take_as_long_in_a_batch() {
    // Under e-cube no two messages of complement traffic request the same channel.
    let n = 4;
    let none = Arc::new(faults(n, &[], &[]));
    for length in [1, 5] {
        let config = WormholeConfig {
            load: 0.0,
            length: length.into(),
            virtual_channels: 1,
            ..WormholeConfig::new(Shared::Static(worm("e-cube")))
        };
        let mut worms = WormholeNetwork::new(config, none.clone(), Key::from_seed(1)).unwrap();
        let scheme = BitFixing::new(none.cube_sets().unwrap().faulty().clone());
        let ends: Vec<_> = (0..1u64 << n).map(|node| (NodeId(node), cube(n).antipode(NodeId(node)))).collect();
        let routes: Vec<_> = ends.iter().map(|&(from, to)| scheme.route_via(from, to, None).unwrap()).collect();
        let mut batch = BatchRun::new(cube(n), &routes, FlowControl::Wormhole, length, Key::from_seed(1)).unwrap();
        ends.iter().for_each(|&(from, to)| assert!(worms.offer(from, to).is_some()));
        while worms.in_flight() > 0 {
            worms.step(&mut ());
        }
        batch.run_until(1000);
        assert_eq!(batch.finished().iter().copied().max().unwrap().map(u64::from), Some(worms.cycle()));
        assert_eq!(worms.cycle(), u64::from(n) + u64::from(length) - 1);
    }
}

#[test]
fn overload_deadlocks_exactly_the_cyclic_routings() {
    // With a single virtual channel and heavy load, routings with acyclic dependencies do not
    // deadlock; Algorithm A and unrestricted minimal routing do.
    let none = Arc::new(faults(4, &[], &[]));
    for (id, deadlocks) in [
        ("e-cube", false),
        ("up", false),
        ("dp", false),
        ("algorithm-b", false),
        ("kim-shin", false),
        ("minimal", true),
        ("valiant-brebner", true),
        ("algorithm-a", true),
    ] {
        let config = WormholeConfig { load: 2.0, virtual_channels: 1, ..WormholeConfig::new(Shared::Static(worm(id))) };
        let mut worms = WormholeNetwork::new(config, none.clone(), Key::from_seed(3)).unwrap();
        (0..20_000).for_each(|_| worms.step(&mut ()));
        assert_eq!(worms.outcome().is_some(), deadlocks, "{id}");
        assert!(worms.delivered() > 0 && worms.lost() == 0);
    }
}
