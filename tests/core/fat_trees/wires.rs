//! Tests of dead wires.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use faultlab::experiment::{DeliveryTrial, Experiment, PointConfig};
use faultlab::fault::LiveWires;
use faultlab::random::Key;
use faultlab::routing::fat_tree::Greedy;
use faultlab::switching::delivery::{DeliveryConfig, DeliveryOutcome, DeliveryRun, SurvivorPolicy, Undeliverable};
use faultlab::theory::fat_tree::{LoadFactor, deliverable_fraction};
use faultlab::topology::fat_tree::{ChannelLocation, SecondNetwork, TreeChannel};

use super::{list, messages, tree};
use crate::common::{assert_share, experiment, measure};

fn sample_wires(tree: faultlab::topology::fat_tree::FatTree, p: f64, seed: u64) -> LiveWires {
    LiveWires::sample(tree.channels(), p, Key::from_seed(seed)).expect("few wires")
}

/// The exact mean deliverable share of a random permutation, against sampling: 1/n + sum over a of
/// 2^(a-1)/n * prod over h < a of (1 - p^cap(h))^2.
#[test]
fn the_deliverable_share_of_a_random_permutation() {
    for (n, profile, p) in
        [(64, "standard", 0.1), (64, "standard", 0.3), (32, "skinny", 0.05), (64, "volume", 0.2), (16, "doubling", 0.5)]
    {
        let tree = tree(n, profile);
        let shares: Vec<f64> = (0..1000)
            .map(|seed| {
                let live = sample_wires(tree, p, 2 * seed);
                let set = messages(n, "random", 2 * seed + 1);
                set.ends().iter().filter(|ends| live.is_deliverable(ends[0], ends[1])).count() as f64 / n as f64
            })
            .collect();
        let mean = shares.iter().sum::<f64>() / 1000.0;
        let variance = shares.iter().map(|share| (share - mean) * (share - mean)).sum::<f64>() / 999.0;
        let (exact, error) = (deliverable_fraction(tree, p), libm::sqrt(variance / 1000.0));
        assert!((mean - exact).abs() < 3.3 * error, "{profile}, p = {p}: {mean} +- {error}, exact {exact}");
    }
    assert_eq!(deliverable_fraction(tree(64, "standard"), 0.0), 1.0);
    assert_eq!(deliverable_fraction(tree(64, "standard"), 1.0), 1.0 / 64.0);
    // On two processors half of the messages stay at their source; the others need two wires.
    assert!((deliverable_fraction(tree(2, "skinny"), 0.25) - (0.5 + 0.5 * 0.5625)).abs() < 1e-15);
}

#[test]
fn every_wire_is_dead_with_its_probability() {
    let tree = tree(64, "doubling");
    let dead: u64 = (0..20).map(|seed| sample_wires(tree, 0.3, seed).dead_count()).sum();
    assert_share(dead, 20 * tree.wires(), 0.3);
    assert_eq!((sample_wires(tree, 0.0, 1).dead_count(), sample_wires(tree, 1.0, 1).dead_count()), (0, tree.wires()));
    let (few, many) = (sample_wires(tree, 0.1, 1), sample_wires(tree, 0.2, 1));
    assert!(tree.channels().iter().all(|channel| many.capacity(channel) <= few.capacity(channel)), "nested");
    for p in [-0.1, 1.1, f64::NAN] {
        assert_eq!(LiveWires::sample(tree.channels(), p, Key::from_seed(1)), None);
    }
}

#[test]
fn too_many_wires_are_refused_before_they_are_drawn() {
    let huge = tree(1 << 20, "constant:16777216");
    assert_eq!(LiveWires::sample(huge.channels(), 0.1, Key::from_seed(1)), None);
}

/// A channel's capacity is its number of live wires; a channel without a live wire cuts off its
/// messages.
#[test]
fn capacity_is_number_of_live_wires() {
    let tree = tree(4, "custom:2,2,2");
    let channel = |down, height, node| {
        tree.channels().channel_at(ChannelLocation { height, node, wire: 0, down }).expect("a channel")
    };
    let (thin, dead) = (channel(false, 1, 0), channel(true, 0, 3));
    let live = LiveWires::with_dead(tree.channels(), &[thin, dead, dead, dead]).expect("channels of the tree");
    assert_eq!((live.dead_count(), live.capacity(thin), live.capacity(dead)), (3, 1, 0));
    assert!(!live.is_deliverable(0, 3) && live.is_deliverable(3, 0) && live.is_deliverable(3, 3));
    let set = list(4, &[(0, 2), (0, 3), (1, 2)]);
    let load = LoadFactor::for_live_wires(&live, set.ends());
    assert_eq!((load.value(), load.channel().map(|place| place.height)), (2.0, Some(1)));
    let run = |undeliverable| {
        let config = DeliveryConfig {
            live: Some(live.clone()),
            undeliverable,
            ..DeliveryConfig::new(tree.channels(), SurvivorPolicy::Alternate)
        };
        let mut run =
            DeliveryRun::new(config, set.clone(), Box::new(Greedy), Key::from_seed(1)).expect("messages of this tree");
        let outcome = run.run_until(100).expect("an end");
        (outcome, run.counts().completion, run.counts().transmissions)
    };
    let delivered = DeliveryOutcome::Delivered { undeliverable: 1 };
    assert_eq!(run(Undeliverable::Known), (delivered, 2, 3));
    assert_eq!(run(Undeliverable::Sent), (delivered, 2, 5));
    assert_eq!(delivered.to_string(), "all messages delivered except 1 that dead wires cut off");
}

/// An undeliverable message may block deliverable ones forever if its source keeps sending it.
#[test]
fn undeliverable_message_can_starve_others() {
    let tree = tree(4, "skinny");
    let dead =
        tree.channels().channel_at(ChannelLocation { height: 0, node: 3, wire: 0, down: true }).expect("a channel");
    let live = LiveWires::with_dead(tree.channels(), &[dead]).expect("a channel of the tree");
    let outcome = |policy| {
        let undeliverable = Undeliverable::Sent;
        let config =
            DeliveryConfig { live: Some(live.clone()), undeliverable, ..DeliveryConfig::new(tree.channels(), policy) };
        let set = list(4, &[(0, 3), (0, 1)]);
        DeliveryRun::new(config, set, Box::new(Greedy), Key::from_seed(1))
            .expect("messages of this tree")
            .run_until(100)
    };
    assert!(matches!(outcome(SurvivorPolicy::Left), Some(DeliveryOutcome::Stuck { left: 2, .. })));
    for policy in [SurvivorPolicy::Alternate, SurvivorPolicy::Random] {
        assert_eq!(outcome(policy), Some(DeliveryOutcome::Delivered { undeliverable: 1 }));
    }
}

/// Returns the trial of `switch=delivery&net=...` that Watch shows.
fn trial(text: &str) -> DeliveryTrial {
    let experiment = experiment(&format!("switch=delivery&{text}"));
    DeliveryTrial::new(&PointConfig::new(&experiment, None), experiment.view.sample).expect("a fat-tree")
}

fn live(text: &str) -> Vec<u32> {
    trial(text).live.expect("dead wires").live().to_vec()
}

/// Channel names in `break` against live wires constructed directly. `u2.1*2` is the up channel
/// from node 1 of height 2, with two dead wires.
#[test]
fn break_text_matches_constructed_wires() {
    let (text, tree) = ("net=tree:16&capacity=doubling&break=d0.7,u2.1*2,d3.0*8", tree(16, "doubling"));
    let channel = |down, height, node| {
        tree.channels().channel_at(ChannelLocation { height, node, wire: 0, down }).expect("a channel")
    };
    let mut dead = vec![channel(true, 0, 7), channel(false, 2, 1), channel(false, 2, 1)];
    dead.extend([channel(true, 3, 0); 8]);
    let made = LiveWires::with_dead(tree.channels(), &dead).expect("channels of the tree");
    let trial = trial(text);
    assert_eq!(trial.live.as_ref(), Some(&made));
    assert_eq!(trial.load_factor, LoadFactor::for_live_wires(&made, trial.messages.ends()));
    // Without `break`, the same messages are sent and no wire is dead.
    let whole = self::trial("net=tree:16&capacity=doubling");
    assert_eq!((whole.live, whole.messages), (None, trial.messages));
    // In the second network individual wires are named.
    let second = self::trial("net=tree2:16&break=u1.3.1,d2.0.2");
    let place = |height, node, wire, down| ChannelLocation { height, node, wire, down };
    let dead: Vec<TreeChannel> = [place(1, 3, 1, false), place(2, 0, 2, true)]
        .map(|place| second.channels.channel_at(place).expect("a wire"))
        .to_vec();
    assert_eq!(second.live, LiveWires::with_dead(second.channels, &dead));
}

/// Manually broken wires are dead in addition to the sampled ones. A mended channel is intact
/// except for its broken wires.
#[test]
fn manual_and_sampled_dead_wires_add_up() {
    let tree = tree(64, "doubling").channels();
    let place = ChannelLocation { height: 4, node: 2, wire: 0, down: false };
    let channel = tree.channel_at(place).expect("a channel").0 as usize;
    for sample in 0..20 {
        let of = |edits: &str| live(&format!("net=tree:64&capacity=doubling&faults=wires:0.4&sample={sample}{edits}"));
        let drawn = of("");
        let mut before = drawn[channel];
        for count in 1..=16 {
            let broken = of(&format!("&break=u4.2*{count}"));
            let now = broken[channel];
            assert!(now <= before && before - now <= 1 && now <= 16 - count, "{count} of {before}: {now}");
            before = now;
            assert!((0..drawn.len()).all(|other| other == channel || broken[other] == drawn[other]));
        }
        assert_eq!(before, 0);
        assert_eq!(of("&mend=u4.2")[channel], 16);
        assert_eq!(of("&mend=u4.2&break=u4.2*5")[channel], 11);
    }
}

/// All messages, and no others, share the channel out of the left half. It needs as many cycles as
/// the quotient of messages by live wires.
#[test]
fn cycles_equal_messages_per_live_wire() {
    let messages: Vec<_> = (0..16).map(|from| format!("{from}-{}", 16 + from)).collect();
    let traffic = messages.join(",");
    for dead in 0..16u32 {
        let broken = if dead > 0 { format!("&break=u4.0*{dead}") } else { String::new() };
        let text = format!("switch=delivery&net=tree:32&capacity=doubling&route=greedy&traffic={traffic}{broken}");
        let points = measure(&text);
        let metric = |id| experiment(&text).kind().metric(id).expect("a metric");
        let mean = |id| points[0].estimate(metric(id)).expect("a measurement").mean;
        assert_eq!(mean("cycles"), f64::from(16u32.div_ceil(16 - dead)), "{dead} dead");
        assert_eq!(mean("delivered"), 1.0);
    }
    let cut = format!("switch=delivery&net=tree:32&capacity=doubling&route=greedy&traffic={traffic},1-2&break=u4.0*16");
    let metric = experiment(&cut).kind().metric("delivered").expect("a metric");
    assert_eq!(measure(&cut)[0].estimate(metric).map(|share| (share.mean * 17.0).round()), Some(1.0));
}

/// With random messages, the share that broken wires cut off is random, so it has an interval.
#[test]
fn random_messages_with_manual_wires_are_sampled() {
    let text = "switch=delivery&net=tree:16&route=greedy&break=d0.3&trials=400&within=0.001";
    let metric = experiment(text).kind().metric("delivered").expect("a metric");
    let share = measure(text)[0].estimate(metric).expect("a measurement");
    // Processor 3 receives messages only from itself. One of 16 messages is cut off, unless the
    // source is processor 3.
    let exact = 1.0 - 15.0 / 16.0 / 16.0;
    let half = (share.high - share.low) / 2.0;
    assert!(half > 0.0 && (share.mean - exact).abs() < 2.0 * half, "{share:?}, exact {exact}");
}

#[test]
fn break_text_round_trips() {
    for (text, written) in [
        ("net=tree:16&break=u2.3*2,d0.15,u2.3.0", None),
        ("net=tree:16&break=d0.15,u2.3*2", Some("break=d0.15,u2.3*2")),
        ("net=tree:16&break=u2.3*2,d0.15*1,d2.3", Some("break=d0.15,u2.3*2,d2.3")),
        ("net=tree:16&mend=u2.3,u2.3,d1.0&faults=wires:0.1", Some("mend=d1.0,u2.3")),
        ("net=tree:16&break=u2.0&mend=u2.0", Some("break=u2.0&mend=u2.0")),
        ("net=tree2:16&break=u1.3.1,d2.0.3", Some("break=u1.3.1,d2.0.3")),
        ("net=tree:16&break=u4.0*4", Some("break=u4.0*4")),
    ] {
        let read = format!("switch=delivery&{text}").parse::<Experiment>();
        let Some(written) = written else {
            assert!(read.is_err(), "{text}");
            continue;
        };
        let said = read.expect(text).to_string();
        assert!(said.contains(written), "{said}");
        assert_eq!(experiment(&said).to_string(), said);
    }
}

#[test]
fn rejects_invalid_wires() {
    for (text, why) in [
        ("net=tree:16&break=3", "3 is a processor, but in fat-trees only wires fail"),
        ("net=tree:16&break=u9.0", "u9.0 is not a channel of tree:16"),
        ("net=tree:16&break=u2.4", "u2.4 is not a channel of tree:16"),
        ("net=tree:16&break=x2.0", "x2.0 is not a channel of tree:16"),
        ("net=tree:16&break=u2", "u2 is not a channel of tree:16"),
        ("net=tree:16&break=u2.0.0", "u2.0.0 is not a channel of tree:16"),
        ("net=tree2:16&break=u1.0", "u1.0 is not a wire of tree2:16"),
        ("net=tree2:16&break=u1.0.2", "u1.0.2 is not a wire of tree2:16"),
        ("net=tree2:16&break=u1.0.1*2", "u1.0.1 has only 1 wire, so 2 cannot be dead"),
        ("net=tree:16&break=u2.0*3", "u2.0 has only 2 wires, so 3 cannot be dead"),
        ("net=tree:16&capacity=skinny&break=u2.0*2", "u2.0 has only 1 wire, so 2 cannot be dead"),
        ("net=tree:16&break=u2.0*0", "u2.0*0 has no number of wires after *"),
        ("net=tree:16&break=u2.0*99999999999", "has no number of wires after *"),
        ("net=tree:16&break=u2.0,u2.0", "u2.0 is named twice"),
        ("net=tree:16&break=u0.1&mend=u0.1", "all wires of u0.1 are broken, and u0.1 is also mended"),
        ("net=tree:16&mend=u2.9", "u2.9 is not a channel of tree:16"),
        ("net=tree:16&break=u4.0&vary=leaves:8,16", "channel u4.0 does not exist in the network tree:8"),
    ] {
        let error = format!("switch=delivery&{text}").parse::<Experiment>().expect_err(text).to_string();
        assert!(error.contains(why), "{text}: {error}");
    }
    let error = "switch=delivery&net=tree:16&break=3".parse::<Experiment>().expect_err("a processor").to_string();
    assert!(error.contains("u2.3*K") && !error.contains("24_1"), "{error}");
    let many = vec!["u0.1"; 4097].join(",");
    let error = format!("switch=delivery&net=tree:16&mend={many}").parse::<Experiment>().expect_err("too many");
    assert!(error.to_string().contains("more than 4096 channels"));
}

/// Each click breaks one more wire, until a click restores the channel.
#[test]
fn a_click_breaks_one_wire_more_and_the_last_one_mends() {
    for (text, place, wires) in [
        ("net=tree:64&capacity=doubling", ChannelLocation { height: 3, node: 5, wire: 0, down: true }, 8),
        (
            "net=tree:64&capacity=doubling&faults=wires:0.3",
            ChannelLocation { height: 3, node: 5, wire: 0, down: true },
            8,
        ),
        ("net=tree2:64", ChannelLocation { height: 2, node: 3, wire: 0, down: false }, 4),
        ("net=tree2:64&faults=wires:0.4", ChannelLocation { height: 2, node: 3, wire: 0, down: false }, 4),
    ] {
        let mut now = experiment(&format!("switch=delivery&{text}"));
        let first = now.clone();
        let all = |experiment: &Experiment| {
            let trial = DeliveryTrial::new(&PointConfig::new(experiment, None), 0).expect("a fat-tree");
            let (channels, wires) = (trial.channels, trial.live);
            channels
                .iter()
                .map(move |channel| match &wires {
                    Some(wires) => wires.capacity(channel),
                    None => channels.capacity(channels.location(channel).map_or(0, |place| place.height)),
                })
                .collect::<Vec<_>>()
        };
        let sum = |experiment: &Experiment| all(experiment).iter().sum::<u32>();
        let channels = first
            .network
            .leaves()
            .expect("a tree")
            .channels(&faultlab::topology::fat_tree::Profile::Doubling)
            .expect("fits");
        let here = |experiment: &Experiment| -> u32 {
            let both = channels.iter().zip(all(experiment));
            both.filter(|(channel, _)| {
                channels.location(*channel).map(|it| ChannelLocation { wire: 0, ..it }) == Some(place)
            })
            .map(|(_, live)| live)
            .sum()
        };
        let others = sum(&first) - here(&first);
        while here(&now) > 0 {
            let next = now.with_wire_toggled(place).expect("a channel");
            assert_eq!((here(&next) + 1, sum(&next) - here(&next)), (here(&now), others), "{text}: {next}");
            assert_eq!(next.to_string().parse(), Ok(next.clone()));
            now = next;
        }
        let whole = now.with_wire_toggled(place).expect("a channel");
        assert_eq!((here(&whole), sum(&whole) - here(&whole)), (wires, others), "{text}: {whole}");
        assert_eq!(whole == first, here(&first) == wires, "an edit that is taken back leaves no mark: {whole}");
        let again = whole.with_wire_toggled(place).expect("a channel");
        assert_eq!(here(&again), wires - 1, "{again}");
        assert_eq!(again.to_string().parse(), Ok(again));
    }
    let cube = experiment("net=cube:4");
    assert_eq!(cube.with_wire_toggled(ChannelLocation { height: 0, node: 0, wire: 0, down: false }), None);
}

/// A new size or capacity keeps the existing dead wires.
#[test]
fn resizing_keeps_existing_wires() {
    let text = "switch=delivery&net=tree:16&capacity=custom:1,2,8,8&break=u0.15,u2.0*5,d3.1*8&mend=d0.3";
    let resized = |network: &str| {
        let network = faultlab::topology::Network::parse(network).expect("a network");
        let next = experiment(text).resized(network);
        assert_eq!(next.validate(), Ok(()), "{next}");
        next.to_string()
    };
    assert!(resized("tree:8").contains("&break=u2.0*5&mend=d0.3&"), "{}", resized("tree:8"));
    // The list of capacities does not fit the new size. The standard tree has 2 wires at heights 2
    // and 3.
    assert!(resized("tree:32").contains("&break=u0.15,u2.0*2,d3.1*2&mend=d0.3"), "{}", resized("tree:32"));
    assert!(!resized("tree2:16").contains("break"), "{}", resized("tree2:16"));
}

/// Without dead wires the live load factor equals the load factor. In the second network each wire
/// is a channel, and a dead wire reduces its group's capacity by one.
#[test]
fn load_factor_uses_live_wires() {
    let second = SecondNetwork::new(16).expect("a power of four").channels();
    for channels in [second, tree(16, "doubling").channels(), tree(16, "custom:2,3,5,7,9").channels()] {
        let whole = LiveWires::with_dead(channels, &[]).expect("none are dead");
        for seed in 0..10 {
            let set = messages(16, "random", seed);
            assert_eq!(LoadFactor::for_live_wires(&whole, set.ends()), LoadFactor::new(&channels, set.ends()));
        }
    }
    // Three messages use two wires up from the last quarter. The test breaks one wire, then the
    // other.
    let set = list(16, &[(13, 0), (14, 5), (15, 9)]);
    assert_eq!((LoadFactor::new(&second, set.ends()).value(), LoadFactor::new(&second, set.ends()).cycles()), (1.5, 2));
    for wire in [0, 1] {
        let dead = second.channel_at(ChannelLocation { height: 1, node: 3, wire, down: false }).expect("a channel");
        let live = LiveWires::with_dead(second, &[dead]).expect("a channel of the network");
        let found = LoadFactor::for_live_wires(&live, set.ends());
        assert_eq!((found.load(), found.wires(), found.value()), (3, 1, 3.0), "{wire}");
    }
}
