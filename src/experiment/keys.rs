//! The keys of an experiment text: one list for reading, writing, errors and help.

use super::value::{Layout, Tab};
use super::{Experiment, Metric, RelationSetting, Spread, TreeDemand, Vary, WormSetting};
use crate::fault::{FaultModel, Tolerance};
use crate::routing;
use crate::routing::fat_tree::ScheduleTerms;
use crate::sort;
use crate::switching::delivery::{SurvivorPolicy, Undeliverable};
use crate::switching::{Arbitration, Avail, InjectionPolicy, Switching, Wait};
use crate::topology::fat_tree::Profile;
use crate::topology::{Link, Network, NodeId};
use crate::traffic::{Demand, Pattern};

/// What help says of a key.
#[derive(Clone, Copy, Debug)]
pub struct KeyInfo {
    /// Its name.
    pub name: &'static str,
    /// What it means.
    pub meaning: &'static str,
    /// What values it accepts.
    pub accepted: &'static str,
    /// An example value.
    pub example: &'static str,
    /// Reads a value; the error is what is wrong with it.
    pub(super) read: fn(&mut Experiment, &str) -> Result<(), String>,
    /// Writes the value.
    pub(super) write: fn(&Experiment) -> Option<String>,
}

impl KeyInfo {
    /// What `experiment` says for this key; `None` if nothing.
    pub fn value(&self, experiment: &Experiment) -> Option<String> {
        (self.write)(experiment)
    }
}

/// The algorithms' names, for messages.
const ROUTES: &str = "one or several of sidetracking, backtracking, random, deterministic, random-blind, \
     deterministic-blind, global, e-cube, up, dp, restricted-up, up-or-dp, minimal, up-dp-mix, or a hierarchy such as \
     2e+3f (levels of dimensions, the lowest first, with e for e-cube, f for UP, r for restricted UP, d for DP); of worms on \
     hypercubes the same but random-blind, global and up-or-dp, backtracking up to n = 4; on meshes e-cube, f-cube2, f-cube4, \
     lh2, lh4, lh, weak, weak-f-cube4, f-cube2-either, f-cube1, negative-first, negative-first-minimal, dr-static, dr-dynamic, \
     planar-adaptive; of permutations, batches and worms on hypercubes bit-fixing, valiant-brebner, \
     general, algorithm-a, algorithm-b, kim-shin; of fat-trees greedy, random-guess, random-prime, random-prime-repeated; separated by commas";

/// What a constant of RANDOM may be.
const TERM: &str = "a number from 0.001 to 10000000";

/// Where messages go, by kind.
const TRAFFIC: &str = "of circuits and worms uniform, complement, transpose, bit-reversal, or hot:NODE:SHARE: each \
     message goes to NODE with probability SHARE = 0 to 1; of worms also a list such as 1.1-2.6,3.4-0.0 of messages FROM-TO, which \
     all start in cycle 0, and no others; of permutations and batches \
     random, transpose, bit-reversal, complement, worst (for bit-fixing), or a list such as 0-7,5-3-1 of messages FROM-TO, or \
     FROM-VIA-TO by way of a given node, at most 4096; of fat-trees random, transpose, bit-reversal, complement or worst, and such \
     as random*4; cross; neighbors; all-to-one:D; mesh:z-order or mesh:row-major, and such as mesh:z-order:east; cube, and such as \
     cube:3; bad:L, Theorem 9's bad set for load factor L; or a list such as 0-2,1-3";

/// The metrics' names, for messages.
const PLOTS: &str = "of a message success, minimal, length, excess, sigma, tunnelling, trapped, blocked-at-source or lengths \
     (their distribution); of circuits setup, setup-median, setup-95, throughput, utilization, busiest, backlog, refused, \
     collapse, setups (their distribution) or dimensions (utilization by dimension and direction); of worms utilization, latency, \
     latency-median, latency-95, throughput, discarded, lost, hops, busiest or latencies (their distribution); of \
     permutations congestion, active, load, length, longest, undelivered, kept-back, choice, applies, channels or lengths (the \
     distributions of congestion and of route lengths); of batches deadlock, finish, freeze, arrived or active; of fat-trees cycles, per-load, transmissions, \
     literal, busy, first, delivered, load-factor, offline, unfinished or trade-off (cycles against transmissions, for all values); of pairs cut-off or \
     pairs";

const NODE: &str = "a node of the network: of a cube a number, or binary after 0b, or hexadecimal after 0x; of a mesh ROW.COLUMN, both from 0";

/// Every key, in the order in which they are written. The version, `v`, stands before them.
pub const KEYS: &[KeyInfo] = &[
    KeyInfo {
        name: "net",
        meaning: "the network",
        accepted: Network::ACCEPTED,
        example: "cube:20",
        read: |experiment, text| {
            experiment.network = Network::parse(text).ok_or("not a network")?;
            Ok(())
        },
        write: |experiment| Some(experiment.network.to_string()),
    },
    KeyInfo {
        name: "switch",
        meaning: "how messages use the network: one message alone, circuits under load, worms under load; the routes of a \
                  whole permutation, counted, or the same as a batch of worms that all start at once; delivery cycles; or which pairs of nodes still \
                  have a permitted path",
        accepted: "message, circuit, permutation, batch or pairs, on a hypercube; wormhole, on a mesh, or on a hypercube up to n = 10; delivery, on a fat-tree",
        example: "circuit",
        read: |experiment, text| {
            experiment.switching = named(&Switching::ALL, text)?;
            Ok(())
        },
        write: |experiment| name_of(&Switching::ALL, experiment.switching),
    },
    KeyInfo {
        name: "faults",
        meaning: "random faults, drawn anew for every message (of circuits and worms: for every run; of permutations and batches: for every set of messages)",
        accepted: FaultModel::ACCEPTED,
        example: "nodes:0.5",
        read: |experiment, text| {
            experiment.faults.model = FaultModel::parse(text).ok_or("not a fault model")?;
            Ok(())
        },
        write: |experiment| Some(experiment.faults.model.to_string()),
    },
    KeyInfo {
        name: "break",
        meaning: "nodes and links that are faulty in any case",
        accepted: "nodes, and links, separated by commas, at most 4096, none of them mended; of a cube one-way links such as \
                   24_1 (out of node 24 across dimension 1), of a mesh links such as 3.4-4.4, in both directions; of a single \
                   message neither source nor destination",
        example: "3,5,0b110,24_1",
        read: |experiment, text| {
            (experiment.faults.broken, experiment.faults.broken_links) = places(experiment, text)?;
            Ok(())
        },
        write: |experiment| join(experiment, &experiment.faults.broken, &experiment.faults.broken_links),
    },
    KeyInfo {
        name: "mend",
        meaning: "nodes and links that are live in any case, unless faults around them disable them (of meshes: block closure)",
        accepted: "nodes and links separated by commas, at most 4096",
        example: "9",
        read: |experiment, text| {
            (experiment.faults.mended, experiment.faults.mended_links) = places(experiment, text)?;
            Ok(())
        },
        write: |experiment| join(experiment, &experiment.faults.mended, &experiment.faults.mended_links),
    },
    KeyInfo {
        name: "from",
        meaning: "the source (default: node 0, or the node opposite of the destination); of worms, of the one message that is followed",
        accepted: NODE,
        example: "0",
        read: |experiment, text| {
            experiment.from = Some(node(experiment, text)?);
            Ok(())
        },
        write: |experiment| experiment.from.map(|node| experiment.network.node_text(node)),
    },
    KeyInfo {
        name: "to",
        meaning: "the destination (default: the node opposite of the source)",
        accepted: NODE,
        example: "0b111111",
        read: |experiment, text| {
            experiment.to = Some(node(experiment, text)?);
            Ok(())
        },
        write: |experiment| experiment.to.map(|node| experiment.network.node_text(node)),
    },
    KeyInfo {
        name: "route",
        meaning: "the routing algorithms to compare",
        accepted: ROUTES,
        example: "sidetracking,backtracking",
        read: |experiment, text| {
            experiment.routing.clear();
            for id in text.split(',') {
                let algorithm = routing::find(id)?;
                if experiment.routing.contains(&algorithm) {
                    return Err(format!("{id} is named twice"));
                }
                experiment.routing.push(algorithm);
            }
            Ok(())
        },
        write: |experiment| Some(experiment.routing.iter().map(|algorithm| algorithm.id).collect::<Vec<_>>().join(",")),
    },
    KeyInfo {
        name: "mpl",
        meaning: "the maximum path length of a single message, as a multiple of the dimension n",
        accepted: "a number from 1 to 1000",
        example: "20",
        read: |experiment, text| {
            experiment.path_limit = number(text, 1.0, 1000.0)?;
            Ok(())
        },
        write: |experiment| Some(experiment.path_limit.to_string()),
    },
    KeyInfo {
        name: "rate",
        meaning: "circuits: messages that each node generates in a unit of time, the mean transmission time",
        accepted: "a number from 0.0001 to 10",
        example: "0.4",
        read: |experiment, text| {
            experiment.rate = number(text, 0.0001, 10.0)?;
            Ok(())
        },
        write: |experiment| Some(experiment.rate.to_string()),
    },
    KeyInfo {
        name: "traffic",
        meaning: "circuits and worms: where messages go; permutations and batches: which messages are routed together",
        accepted: TRAFFIC,
        example: "transpose",
        read: |experiment, text| {
            if let Some(leaves) = experiment.network.leaves() {
                experiment.tree.demand = TreeDemand::parse(leaves, text)?;
                return Ok(());
            }
            if experiment.switching.is_oblivious() {
                experiment.relation.demand = Demand::parse(experiment.network, text)?;
                return Ok(());
            }
            let pattern = match experiment.mesh() {
                Some(mesh) => Pattern::parse_on(mesh, text),
                None => Pattern::parse(text),
            };
            let none = || format!("not a traffic pattern of {}", experiment.network);
            (experiment.traffic, experiment.relation.demand) = match pattern {
                Some(pattern) => (pattern, RelationSetting::THESIS.demand),
                None if experiment.mesh().is_none() || !text.contains('-') => return Err(none()),
                None => (Pattern::Uniform, listed_worms(experiment.network, text)?),
            };
            Ok(())
        },
        write: |experiment| {
            if experiment.network.leaves().is_some() {
                return Some(experiment.tree.demand.to_string());
            }
            if experiment.switching.is_oblivious() {
                return Some(experiment.relation.demand.text(experiment.network));
            }
            if experiment.listed_worms().is_some() {
                return Some(experiment.relation.demand.text(experiment.network));
            }
            Some(experiment.mesh().map_or(experiment.traffic.to_string(), |mesh| experiment.traffic.text_on(mesh)))
        },
    },
    KeyInfo {
        name: "h",
        meaning: "permutations and batches: how many of them at once, the h of an h-relation",
        accepted: "a whole number from 1 to 64",
        example: "2",
        read: |experiment, text| {
            experiment.relation.h = whole(text, 1, RelationSetting::MAX_H.into())? as u32;
            Ok(())
        },
        write: |experiment| Some(experiment.relation.h.to_string()),
    },
    KeyInfo {
        name: "tolerance",
        meaning: "permutations, batches and worms on hypercubes: which share of the paths out of an active node, and of those into it, may be faulty \
                  under Algorithms A and B",
        accepted: "thesis, which is 1/(3n) under A and 1/(3(n-2)) under B, or a number from 0 to 1",
        example: "0.25",
        read: |experiment, text| {
            experiment.relation.tolerance = match text {
                "thesis" => Tolerance::Thesis,
                _ => Tolerance::Share(number(text, 0.0, 1.0)?),
            };
            Ok(())
        },
        write: |experiment| {
            Some(match experiment.relation.tolerance {
                Tolerance::Thesis => "thesis".to_owned(),
                Tolerance::Share(share) => share.to_string(),
            })
        },
    },
    KeyInfo {
        name: "avail",
        meaning: "circuits: which of several free legal links is taken: the lowest dimension if it is free, else one at random; \
                  always one at random; or the highest",
        accepted: "lowest, random or highest",
        example: "random",
        read: |experiment, text| {
            experiment.avail = Avail::parse(text).ok_or("not one of them")?;
            Ok(())
        },
        write: |experiment| Some(experiment.avail.to_string()),
    },
    KeyInfo {
        name: "wait",
        meaning: "circuits: for which links a message waits when no legal one is free: for the first of them to be released, \
                  or for the one with the shortest queue",
        accepted: "first or shortest",
        example: "shortest",
        read: |experiment, text| {
            experiment.wait = Wait::parse(text).ok_or("not one of them")?;
            Ok(())
        },
        write: |experiment| Some(experiment.wait.to_string()),
    },
    KeyInfo {
        name: "load",
        meaning: "worms: messages that are generated, as a share of what saturates the bisection of the network without faults",
        accepted: "a number from 0 to 4",
        example: "0.9",
        read: |experiment, text| {
            experiment.worms.load = number(text, 0.0, 4.0)?;
            Ok(())
        },
        write: |experiment| Some(experiment.worms.load.to_string()),
    },
    KeyInfo {
        name: "vc",
        meaning: "worms: virtual channels of each channel, one for each class of the routing and the others for whoever comes",
        accepted: "a whole number from 1 to 32, at least the classes of the routing (on hypercubes 1; on meshes e-cube and f-cube1 1, f-cube2 2, the others \
                   more), or own: for each routing just its classes",
        example: "4",
        read: |experiment, text| {
            let own = text == "own";
            experiment.worms.virtual_channels = if own { WormSetting::OWN } else { whole(text, 1, 32)? as u8 };
            Ok(())
        },
        write: |experiment| match experiment.worms.virtual_channels {
            WormSetting::OWN => Some("own".into()),
            channels => Some(channels.to_string()),
        },
    },
    KeyInfo {
        name: "buffer",
        meaning: "worms: flits that the buffer of a virtual channel holds",
        accepted: "a whole number from 1 to 16",
        example: "4",
        read: |experiment, text| {
            experiment.worms.buffer = whole(text, 1, 16)? as u8;
            Ok(())
        },
        write: |experiment| Some(experiment.worms.buffer.to_string()),
    },
    KeyInfo {
        name: "length",
        meaning: "worms and batches: flits of a message",
        accepted: "a whole number from 1 to 256",
        example: "64",
        read: |experiment, text| {
            experiment.worms.length = whole(text, 1, 256)? as u16;
            Ok(())
        },
        write: |experiment| Some(experiment.worms.length.to_string()),
    },
    KeyInfo {
        name: "inject",
        meaning: "worms: messages of a source whose tails may still be there at once, the injection limit",
        accepted: "a whole number from 1 to 64",
        example: "5",
        read: |experiment, text| {
            experiment.worms.injection.limit = whole(text, 1, 64)? as u16;
            Ok(())
        },
        write: |experiment| Some(experiment.worms.injection.limit.to_string()),
    },
    KeyInfo {
        name: "policy",
        meaning: "worms: what becomes of a message that is generated above the injection limit: it is discarded, or queues at its \
                  source",
        accepted: "discard or queue",
        example: "queue",
        read: |experiment, text| {
            experiment.worms.injection.policy = InjectionPolicy::parse(text).ok_or("not one of them")?;
            Ok(())
        },
        write: |experiment| Some(experiment.worms.injection.policy.to_string()),
    },
    KeyInfo {
        name: "arbitrate",
        meaning: "worms: which virtual channel sends a flit where several could: each in turn, that of the oldest message, or one \
                  at random",
        accepted: "round-robin, oldest or random",
        example: "oldest",
        read: |experiment, text| {
            experiment.worms.arbitration = Arbitration::parse(text).ok_or("not one of them")?;
            Ok(())
        },
        write: |experiment| Some(experiment.worms.arbitration.to_string()),
    },
    KeyInfo {
        name: "capacity",
        meaning: "fat-trees: the wires of a channel above a node of height h, counted from the leaves",
        accepted: Profile::ACCEPTED,
        example: "volume",
        read: |experiment, text| {
            experiment.tree.profile = Profile::parse(text).ok_or("not a capacity profile")?;
            Ok(())
        },
        write: |experiment| Some(experiment.tree.profile.to_string()),
    },
    KeyInfo {
        name: "survive",
        meaning: "fat-trees: which messages survive where more come than a channel has wires",
        accepted: SurvivorPolicy::ACCEPTED,
        example: "left",
        read: |experiment, text| {
            experiment.tree.policy = SurvivorPolicy::parse(text).ok_or("not one of them")?;
            Ok(())
        },
        write: |experiment| Some(experiment.tree.policy.to_string()),
    },
    KeyInfo {
        name: "k1",
        meaning: "fat-trees: the constant k1 of RANDOM: the cycles of a guess, for each unit of the guessed load factor",
        accepted: TERM,
        example: "2",
        read: |experiment, text| {
            experiment.tree.k1 = number(text, ScheduleTerms::LEAST, ScheduleTerms::MOST)?;
            Ok(())
        },
        write: |experiment| Some(experiment.tree.k1.to_string()),
    },
    KeyInfo {
        name: "k2",
        meaning: "fat-trees: the constant k2 of RANDOM: the least cycles of a guess, for each unit of lg n",
        accepted: TERM,
        example: "2",
        read: |experiment, text| {
            experiment.tree.k2 = number(text, ScheduleTerms::LEAST, ScheduleTerms::MOST)?;
            Ok(())
        },
        write: |experiment| Some(experiment.tree.k2.to_string()),
    },
    KeyInfo {
        name: "r",
        meaning: "fat-trees: the congestion parameter r of RANDOM: a message is sent with probability 1/(r guess)",
        accepted: TERM,
        example: "2",
        read: |experiment, text| {
            experiment.tree.r = number(text, ScheduleTerms::LEAST, ScheduleTerms::MOST)?;
            Ok(())
        },
        write: |experiment| Some(experiment.tree.r.to_string()),
    },
    KeyInfo {
        name: "undeliverable",
        meaning: "fat-trees: what sources do with messages that dead wires keep from arriving: they know and never send them, or \
                  keep sending them",
        accepted: "known or sent",
        example: "sent",
        read: |experiment, text| {
            experiment.tree.undeliverable = named(&Undeliverable::ALL, text)?;
            Ok(())
        },
        write: |experiment| name_of(&Undeliverable::ALL, experiment.tree.undeliverable),
    },
    KeyInfo {
        name: "vary",
        meaning: "what a sweep varies, and over which values",
        accepted: Vary::ACCEPTED,
        example: "p:0.5..0.95:10",
        read: |experiment, text| {
            experiment.vary = Some(Vary::parse(text)?);
            Ok(())
        },
        write: |experiment| experiment.vary.as_ref().map(Vary::to_string),
    },
    KeyInfo {
        name: "within",
        meaning: "a point stops when its 95% interval is this narrow (half-width): of a probability absolutely, of a mean \
                  setup time, a bisection utilization or a congestion as a share of it",
        accepted: "a number from 0.0001 to 0.5",
        example: "0.001",
        read: |experiment, text| {
            experiment.within = number(text, 0.0001, 0.5)?;
            Ok(())
        },
        write: |experiment| Some(experiment.within.to_string()),
    },
    KeyInfo {
        name: "trials",
        meaning: "a point stops after this many messages (of pairs: fault sets; of permutations and batches: sets of messages) in any \
                  case",
        accepted: "a whole number from 1 to 1000000000",
        example: "100000",
        read: |experiment, text| {
            experiment.trials = whole(text, 1, 1_000_000_000)?;
            Ok(())
        },
        write: |experiment| Some(experiment.trials.to_string()),
    },
    KeyInfo {
        name: "seed",
        meaning: "the seed of everything random",
        accepted: "a whole number from 0 to 18446744073709551615",
        example: "7",
        read: |experiment, text| {
            experiment.seed = whole(text, 0, u64::MAX)?;
            Ok(())
        },
        write: |experiment| Some(experiment.seed.to_string()),
    },
    KeyInfo {
        name: "view",
        meaning: "which view the page shows",
        accepted: "watch, measure, check or papers",
        example: "measure",
        read: |experiment, text| {
            experiment.view.tab = named(&Tab::ALL, text)?;
            Ok(())
        },
        write: |experiment| name_of(&Tab::ALL, experiment.view.tab),
    },
    KeyInfo {
        name: "sample",
        meaning: "which of the random fault patterns is watched",
        accepted: "a whole number from 0 to 1000000000",
        example: "3",
        read: |experiment, text| {
            experiment.view.sample = whole(text, 0, 1_000_000_000)?;
            Ok(())
        },
        write: |experiment| Some(experiment.view.sample.to_string()),
    },
    KeyInfo {
        name: "layout",
        meaning: "how the network is laid out",
        accepted: "layers, cube or grid",
        example: "grid",
        read: |experiment, text| {
            experiment.view.layout = named(&Layout::ALL, text)?;
            Ok(())
        },
        write: |experiment| name_of(&Layout::ALL, experiment.view.layout),
    },
    KeyInfo {
        name: "plot",
        meaning: "what the chart shows",
        accepted: PLOTS,
        example: "length",
        read: |experiment, text| {
            let metric = Metric::all(experiment.switching).map(|metric| metric.id).find(|id| *id == text);
            let spread = Spread::find(experiment.switching, text).map(|spread| spread.id);
            let plot =
                metric.or(spread).ok_or_else(|| format!("not measured of switch={}", experiment.switching.id()))?;
            experiment.view.plot = Some(plot).filter(|plot| *plot != Metric::first(experiment.switching).id);
            Ok(())
        },
        write: |experiment| experiment.view.plot.map(str::to_owned),
    },
];

/// The most nodes in `break` or `mend`.
const MAX_EDITS: usize = 4096;

fn node(experiment: &Experiment, text: &str) -> Result<NodeId, String> {
    experiment.network.parse_node(text).ok_or_else(|| format!("{text} is no node of {}", experiment.network))
}

/// Nodes and links, each kind ascending and without repeats.
fn places(experiment: &Experiment, text: &str) -> Result<(Vec<NodeId>, Vec<Link>), String> {
    if text.split(',').nth(MAX_EDITS).is_some() {
        return Err(format!("more than {MAX_EDITS} nodes and links"));
    }
    let (mut nodes, mut links) = (Vec::new(), Vec::new());
    for text in text.split(',') {
        if text.contains(['_', '-']) {
            let link = experiment.network.parse_link(text);
            links.push(link.ok_or_else(|| format!("{text} is no link of {}", experiment.network))?);
        } else {
            nodes.push(node(experiment, text)?);
        }
    }
    sort::set(&mut nodes);
    sort::set(&mut links);
    Ok((nodes, links))
}

fn join(experiment: &Experiment, nodes: &[NodeId], links: &[Link]) -> Option<String> {
    let network = experiment.network;
    let nodes = nodes.iter().map(|&node| network.node_text(node));
    let texts: Vec<_> = nodes.chain(links.iter().map(|&link| network.link_text(link))).collect();
    (!texts.is_empty()).then(|| texts.join(","))
}

fn number(text: &str, low: f64, high: f64) -> Result<f64, String> {
    let value: f64 = text.parse().map_err(|_| "not a number".to_owned())?;
    if (low..=high).contains(&value) { Ok(value) } else { Err(format!("outside {low} to {high}")) }
}

/// Worms that are given one by one.
fn listed_worms(network: Network, text: &str) -> Result<Demand, String> {
    match Demand::parse(network, text)? {
        Demand::List(messages)
            if messages.iter().any(|message| message.via.is_some() || message.from == message.to) =>
        {
            Err("worms go FROM one node TO another".into())
        }
        Demand::Rule(_) => Err(format!("not a traffic pattern of {network}")),
        list => Ok(list),
    }
}

fn whole(text: &str, low: u64, high: u64) -> Result<u64, String> {
    let value: u64 = text.parse().map_err(|_| "not a whole number in range".to_owned())?;
    if (low..=high).contains(&value) { Ok(value) } else { Err(format!("outside {low} to {high}")) }
}

fn named<T: Copy>(all: &[(T, &str)], text: &str) -> Result<T, String> {
    all.iter().find(|(_, name)| *name == text).map(|(value, _)| *value).ok_or_else(|| "not one of them".to_owned())
}

fn name_of<T: PartialEq>(all: &[(T, &str)], value: T) -> Option<String> {
    all.iter().find(|(other, _)| *other == value).map(|(_, name)| (*name).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fault::Adversary;
    use crate::routing::ALGORITHMS;
    use crate::traffic::Permutation;

    #[test]
    fn help_names_every_permutation_and_adversary() {
        for permutation in Permutation::ALL {
            assert!(TRAFFIC.contains(permutation.id()), "{permutation}");
        }
        for adversary in Adversary::ALL.into_iter().filter(|&adversary| adversary != Adversary::Random) {
            assert!(FaultModel::ACCEPTED.contains(&format!("{adversary}:F")), "{adversary}");
        }
    }

    #[test]
    fn help_names_every_algorithm_and_metric() {
        for algorithm in ALGORITHMS {
            assert!(ROUTES.contains(algorithm.id), "{}", algorithm.id);
        }
        for metric in super::super::METRICS {
            assert!(PLOTS.contains(metric.id), "{}", metric.id);
        }
        for spread in super::super::SPREADS {
            assert!(PLOTS.contains(spread.id), "{}", spread.id);
        }
    }

    #[test]
    fn worms_can_be_listed_and_have_their_own_channels() {
        let text = "v=1&net=mesh:4x5&switch=wormhole&route=weak&traffic=0.0-3.4,1.2-0.0&vc=own";
        let experiment: Experiment = text.parse().unwrap();
        assert_eq!(experiment.to_string(), text);
        assert_eq!(experiment.listed_worms().map(<[_]>::len), Some(2));
        // A pattern takes the place of a list.
        let drawn: Experiment = "net=mesh:4x4&switch=wormhole&traffic=bit-reversal".parse().unwrap();
        assert_eq!((drawn.listed_worms(), drawn.traffic), (None, Pattern::BitReversal));
        for wrong in ["0.0-0.0", "0.0-1.1-2.2", "0.0-9.9", "0.0", "0.0-", "worst"] {
            let text = format!("net=mesh:4x4&switch=wormhole&traffic={wrong}");
            let error = text.parse::<Experiment>().unwrap_err().to_string();
            assert!(error.contains("traffic") && error.contains(wrong), "{error}");
        }
        // Moved to a mesh that lacks a node, the list gives way.
        let smaller = experiment.resized(Network::parse("mesh:3x3").unwrap());
        assert_eq!(smaller.listed_worms(), None);
    }
}
