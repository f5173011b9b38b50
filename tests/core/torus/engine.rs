//! Tests of worms on tori, flit by flit.

use std::collections::BTreeSet;
use std::sync::Arc;

use faultlab::fault::BlockFaults;
use faultlab::random::Key;
use faultlab::switching::{WormArrival, WormDelivery, WormObserver, WormholeConfig, WormholeNetwork};

use super::{faults, torus};
use crate::common::shared_worm;

/// Log of generated and delivered messages.
#[derive(Default)]
struct Log {
    generated: Vec<WormArrival>,
    delivered: Vec<WormDelivery>,
    discarded: BTreeSet<u64>,
}

impl WormObserver for Log {
    fn generated(&mut self, message: &WormArrival) {
        self.generated.push(*message);
    }

    fn discarded(&mut self, message: &WormArrival) {
        self.discarded.insert(message.number);
    }

    fn delivered(&mut self, message: &WormDelivery) {
        self.delivered.push(*message);
    }
}

fn network(id: &str, faults: BlockFaults, load: f64, length: u16) -> WormholeNetwork {
    let config = WormholeConfig { load, length: length.into(), ..WormholeConfig::new(shared_worm(id)) };
    WormholeNetwork::new(config, Arc::new(faults), Key::from_seed(3)).expect("a network")
}

#[test]
fn a_message_alone_takes_the_shortest_way_around() {
    for (radices, length) in [
        (&[8][..], 20),
        (&[4, 5], 20),
        (&[2, 7], 3),
        (&[3, 4, 3], 1),
        (&[3, 3, 3], 4),
        (&[3, 5], 6),
        (&[3, 3, 3, 3], 7),
    ] {
        for id in ["e-cube", "f-cube4"] {
            let start = network(id, faults(torus(radices), ""), 0.0, length);
            let mesh = start.mesh();
            for (from, to) in mesh.iter_nodes().step_by(3).flat_map(|from| mesh.iter_nodes().map(move |to| (from, to)))
            {
                if from == to {
                    continue;
                }
                let (mut worms, mut log) = (start.clone(), Log::default());
                worms.offer(from, to).expect("room");
                while worms.in_flight() > 0 {
                    worms.step(&mut log);
                }
                let wanted = (mesh.distance(from, to), u64::from(mesh.distance(from, to)) + u64::from(length) - 1);
                assert_eq!((log.delivered[0].hops, log.delivered[0].latency()), wanted, "{id} {mesh}");
            }
        }
    }
}

#[test]
fn at_light_load_all_messages_arrive() {
    for (id, radices, text) in [
        ("e-cube", &[8, 8][..], ""),
        ("e-cube", &[16], ""),
        ("e-cube", &[4, 4, 4], ""),
        ("f-cube4", &[8, 8], "0.0,7.7,3.3,4.4-4.5"),
        ("f-cube2", &[8, 8], "0.0,7.7,4.4"),
        ("f-cube4", &[4, 4, 4], "0.0.0,2.1.3,3.3.0"),
    ] {
        let mut worms = network(id, faults(torus(radices), text), 0.1, 20);
        let mut log = Log::default();
        for cycle in 0..6_000u64 {
            worms.step(&mut log);
            if cycle == 5_000 {
                assert!(log.generated.len() > 200, "{id}: {}", log.generated.len());
            }
        }
        assert_eq!((worms.lost(), worms.outcome().is_none()), (0, true), "{id}");
        assert_eq!(worms.generated(), worms.delivered() + worms.discarded() + worms.in_flight());
        assert_eq!(worms.generated(), log.generated.len() as u64);
        // Every message older than the oldest one in flight has arrived or was discarded at its
        // source.
        let arrived: BTreeSet<_> = log.delivered.iter().map(|it| it.number).collect();
        let late = worms.messages().map(|message| message.number()).min().unwrap_or(u64::MAX);
        let ended = |number| arrived.contains(&number) || log.discarded.contains(&number);
        assert!(log.generated.iter().all(|it| it.number >= late || ended(it.number)), "{id}");
        assert_eq!((arrived.len() as u64, log.discarded.len() as u64), (worms.delivered(), worms.discarded()), "{id}");
        assert!(worms.discarded() * 100 < worms.generated());
        assert!(worms.messages().all(|it| it.number() as usize > log.generated.len() * 9 / 10), "{id}: somebody waits");
        // Flits are conserved: each one is at the source, in a buffer, or consumed.
        for message in worms.messages() {
            let inside: u16 = message.holds().iter().map(|hold| hold.flits).sum();
            assert_eq!(message.at_source() + inside + message.consumed(), 20);
        }
        assert_eq!(worms.carried().iter().sum::<u64>(), worms.flit_hops());
        let moved: u64 = log.delivered.iter().map(|it| u64::from(it.hops) * 20).sum();
        assert!(moved <= worms.flit_hops() && worms.flit_hops() < moved + moved / 10, "{id}: {moved}");
    }
}
