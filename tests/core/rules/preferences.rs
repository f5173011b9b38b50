//! Tests of `before`: a preferred channel is taken if idle, and otherwise requested together with
//! the others.

use std::sync::Arc;

use faultlab::fault::BlockFaults;
use faultlab::random::Key;
use faultlab::routing::VcRequest;
use faultlab::switching::{WormObserver, WormholeConfig, WormholeNetwork, worm_walk};
use faultlab::topology::{NodeId, Port};
use faultlab::traffic::Pair;

use super::{first_routing, generator, worm_routing};
use crate::common::mesh;

const ROWS_FIRST: &str = "routing my-rows on mesh 2 always take minimal and (East or West) before minimal";
const EQUAL: &str = "routing my-any on mesh 2 always take minimal";

/// Counts of row and column hops at nodes where both are minimal.
#[derive(Default)]
struct Turns {
    rows: u64,
    columns: u64,
    to: std::collections::HashMap<u64, NodeId>,
}

struct Watched(Turns, BlockFaults);

impl WormObserver for Watched {
    fn generated(&mut self, message: &faultlab::switching::WormArrival) {
        if let Some(to) = message.to {
            self.0.to.insert(message.number, to);
        }
    }

    fn hop(&mut self, number: u64, from: NodeId, choice: &VcRequest, _: u8) {
        let minimal = self.1.mesh().minimal_ports(from, self.0.to[&number]);
        if minimal.count_ones() == 2 {
            *(if choice.port.dim() == 0 { &mut self.0.rows } else { &mut self.0.columns }) += 1;
        }
    }
}

fn turns(text: &str, load: f64) -> (u64, u64) {
    let faults = BlockFaults::new(mesh(8, 8), &[], &[]);
    let config =
        WormholeConfig { load, virtual_channels: 4, ..WormholeConfig::new(worm_routing(&first_routing(text))) };
    let mut worms = WormholeNetwork::new(config, Arc::new(faults.clone()), Key::from_seed(5)).expect("a network");
    let mut observer = Watched(Turns::default(), faults);
    for _ in 0..3_000 {
        worms.step(&mut observer);
    }
    (observer.0.rows, observer.0.columns)
}

#[test]
fn idle_preferred_channel_is_taken() {
    // At very low load the preferred channel is always idle. Under load, a column hop is better
    // than waiting.
    assert_eq!(turns(ROWS_FIRST, 0.002).1, 0);
    let (rows, columns) = turns(ROWS_FIRST, 1.5);
    assert!(columns > 100 && 2 * rows > 3 * columns, "{rows} {columns}");
    let (rows, columns) = turns(EQUAL, 0.3);
    assert!(rows.abs_diff(columns) < (rows + columns) / 5, "{rows} {columns}");
}

#[test]
fn a_message_alone_takes_what_is_preferred() {
    let faults = BlockFaults::new(mesh(6, 6), &[], &[]);
    let routing = worm_routing(&first_routing(ROWS_FIRST));
    for number in 0..20 {
        let ends = Pair { from: NodeId(0), to: NodeId(35) };
        let (hops, _) = worm_walk(&*routing, &faults, ends, &mut generator(number));
        let ports: Vec<_> = hops.iter().map(|hop| hop.choice.port).collect();
        assert_eq!(ports, [[Port::EAST; 5], [Port::SOUTH; 5]].concat());
        assert!(hops.iter().all(|hop| !hop.is_random));
    }
}
