//! Messages of different lengths: closed forms of single messages, shares and accepted flits.

use std::collections::BTreeMap;

use faultlab::switching::{FlowControl, Injection, InjectionPolicy, WormholeConfig};
use faultlab::traffic::{Bisection, MessageLengths};

use super::log::Log;
use super::{config, intact, measure, network};

fn lengths(text: &str) -> MessageLengths {
    MessageLengths::parse(text).expect("lengths")
}

/// Closed forms for each length of a mixture: hops + length - 1, and hops * length with
/// store-and-forward.
#[test]
fn each_length_alone_takes_its_time() {
    for flow in FlowControl::ALL {
        let length = lengths("1:1,2:1,10:1,200:1,255:1");
        let config = WormholeConfig { load: 0.0, length, flow, ..config("e-cube") };
        let mut worms = network(config, &intact(4, 5), 1);
        let mut seen = BTreeMap::new();
        for index in 0..40 {
            let mesh = worms.mesh();
            let (from, to) = (mesh.iter_nodes().nth(index % 20), mesh.iter_nodes().nth((7 * index + 9) % 20));
            if from != to {
                worms.offer(from.expect("a node"), to.expect("a node")).expect("a message");
            }
            let mut log = Log::default();
            while worms.in_flight() > 0 {
                worms.step(&mut log);
            }
            for message in log.delivered {
                let (hops, length) = (u64::from(message.hops), u64::from(message.length));
                let wanted = if flow == FlowControl::StoreAndForward { hops * length } else { hops + length - 1 };
                assert_eq!(message.latency(), wanted, "{flow:?} {length}");
                *seen.entry(message.length).or_insert(0) += 1;
            }
        }
        assert_eq!(seen.keys().copied().collect::<Vec<u16>>(), [1, 2, 10, 200, 255], "{flow:?}");
    }
}

/// The load counts flits: at low load the network accepts the offered flits, and the messages have
/// the shares of their lengths.
#[test]
fn low_load_is_accepted_whatever_the_lengths() {
    let (load, faults) = (0.2, intact(8, 8));
    for (text, mean, mean_square) in
        [("10:1,200:1", 105.0, 20_050.0), ("10:0.9,200:0.1", 29.0, 4_090.0), ("1:1,4:1", 2.5, 8.5)]
    {
        let length = lengths(text);
        assert!((length.mean() - mean).abs() < 1e-9);
        let injection = Injection { limit: 3, policy: InjectionPolicy::Queue };
        let run = measure(WormholeConfig { load, length, injection, ..config("e-cube") }, &faults, 3, 20_000);
        let (cycles, nodes) = (run.cycles as f64, run.nodes as f64);
        let wanted = load * Bisection::new(faults.mesh()).saturation_load();
        // Every node generates messages at geometric intervals, so that their number in a run is
        // nearly Poisson; the variance of the flits is the number times the mean square length.
        let deviation = (wanted / mean * cycles * nodes * mean_square).sqrt() / (cycles * nodes);
        assert!((run.offered() - wanted).abs() < 4.0 * deviation, "{text}: {} not {wanted}", run.offered());
        assert!((run.throughput() - wanted).abs() < 4.0 * deviation, "{text}: {} not {wanted}", run.throughput());
        assert_eq!(run.flits.iter().sum::<u64>(), run.flit_hops);
        assert_eq!((run.discarded, run.lost), (0, 0), "{text}");
    }
}

/// Lengths do not depend on the routing, and have the shares of their weights.
#[test]
fn messages_have_the_shares_of_their_lengths() {
    let generated = |id: &str| {
        let length = lengths("10:3,200:1");
        let mut worms = network(WormholeConfig { load: 0.5, length, ..config(id) }, &intact(8, 8), 2);
        let mut log = Log::default();
        (0..20_000).for_each(|_| worms.step(&mut log));
        log.generated
    };
    let messages = generated("e-cube");
    assert_eq!(messages, generated("f-cube4"));
    let (count, long) = (messages.len() as f64, messages.iter().filter(|message| message.length == 200).count());
    let deviation = (count * 0.25 * 0.75).sqrt();
    assert!(count > 5_000.0 && (long as f64 - count / 4.0).abs() < 4.0 * deviation, "{long} of {count}");
}
