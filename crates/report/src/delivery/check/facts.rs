//! Results of a check on the network and on the messages, in words.

use super::{DeliveryChecks, Lemma6Result};
use crate::wording::count;
use crate::wording::facts::{BoundCheck, Fact, fact};
use crate::wording::number;
use faultlab_core::fault::{FaultModel, LiveWires};
use faultlab_core::switching::delivery::Undeliverable;
use faultlab_core::theory::fat_tree::{EmbeddedStep, LoadFactor, TreesEmbedding, TreesPlacement, congestion_parameter};
use faultlab_core::theory::oblivious::BoundSide;
use faultlab_core::topology::fat_tree::{ChannelLocation, FatTree, Profile, TreeChannels};
use faultlab_core::traffic::{MessagePattern, Placement};

/// Returns the facts that hold on the network with any messages.
pub(super) fn network(checks: &DeliveryChecks) -> Vec<Fact> {
    let (n, levels) = (checks.leaves.processors(), checks.trial.channels.levels());
    let mut facts = vec![fact("Processors n", n.to_string(), format!("the leaves, below {levels} levels of switches"))];
    match checks.tree {
        Some(tree) => fat_tree(&mut facts, checks, tree),
        None => {
            facts.extend(second_network(checks));
            facts.extend(checks.trees.iter().map(mesh_of_trees));
        }
    }
    dead_wires(&mut facts, checks);
    facts
}

fn fat_tree(facts: &mut Vec<Fact>, checks: &DeliveryChecks, tree: FatTree) {
    let capacities: Vec<_> = tree.capacities().map(|capacity| capacity.to_string()).collect();
    let profile = &checks.setting.profile;
    let meaning = format!(
        "wires in each direction above a node of height 0, 1, .. up to the external channels of the root; \
         profile {}: {}",
        profile.id(),
        rule(profile)
    );
    facts.push(fact("Capacities by height", capacities.join(", "), meaning));
    let meaning = format!("`4n-2`, one up and one down above every node; together they have {} wires", tree.wires());
    facts.push(fact("Channels", tree.channel_count().to_string(), meaning));
    let value = format!("area {}, volume {}", number(tree.area()), number(tree.volume()));
    let meaning = "for layouts in the plane and in space, in units of one processor, with all constants 1: area \
                   `n(1+lg n)^2` if capacities grow by `sqrt(2)`, volume `n(1+lg n)^(3/2)` if they grow by `4^(1/3)`";
    facts.push(fact("Hardware", value, meaning));
    let meaning = format!(
        "the smallest r for which twice the sum of `(e/r)^c` over the capacities `c` below the root is at most 1/2; RANDOM runs \
         here with r = {}. The paper's value is about ten times larger than needed: see Lemma 6 below",
        checks.setting.r.describe(&checks.trial.channels)
    );
    facts.push(fact("Congestion parameter r", format!("{:.3}", congestion_parameter(tree)), meaning));
}

/// Returns a capacity profile in words.
fn rule(profile: &Profile) -> &'static str {
    match profile {
        Profile::Skinny => "a plain binary tree",
        Profile::Doubling => "`2^h`, so that no permutation loads a channel above 1",
        Profile::Standard => "`2^floor(h/2)`, the paper's area-universal tree",
        Profile::Sibling => "`2^ceil(h/2)`, area-universal too; the proof of Theorem 9 holds for it",
        Profile::Sqrt2 => "`2^(h/2)` rounded, area-universal",
        Profile::Volume => "`4^floor(h/3)`, volume-universal",
        Profile::Cbrt4 => "`4^(h/3)` rounded, volume-universal",
        Profile::Constant(_) => "one capacity for all channels",
        Profile::Custom(_) => "user-defined",
    }
}

fn second_network(checks: &DeliveryChecks) -> Option<Fact> {
    let network = checks.leaves.second_network()?;
    let value = format!("{} wires, {} switches", network.wires(), network.switches());
    let (wires, size) = match network.volume() {
        Some(volume) => (
            " in three dimensions: `4^j` wires of capacity 1 each way above a group of `8^j` leaves",
            format!("Volume {} in units of one processor, `n(1+H)^(3/2)`", number(volume)),
        ),
        None => (
            ": `2^j` wires of capacity 1 each way above a group of `4^j` leaves",
            format!("Area {} in units of one processor, `n(1+H)^2`", number(network.area()?)),
        ),
    };
    let meaning = format!(
        "the second universal network (Fig. 8){wires}. {size}, with all constants 1. Each transmission uses random \
         wires, so Lemma 6 and the off-line schedule apply only to fat-trees"
    );
    Some(fact("Hardware", value, meaning))
}

/// Returns the fact on a mesh of trees in the second network.
fn mesh_of_trees(trees: &TreesEmbedding) -> Fact {
    let TreesEmbedding { placement, side, nodes, edges, load, dilation, congestion } = trees;
    let value = format!("{side} x {side} leaves: load {load}, dilation {dilation}, congestion {congestion}");
    let why = match placement {
        TreesPlacement::Shared => {
            "Every processor has a leaf, and switches have the inner nodes. Then no embedding has a smaller load or \
             congestion: there are four inner nodes for each switch, and two edges at each processor"
        }
        TreesPlacement::Disjoint => {
            "A leaf is on a switch of each group of sixteen processors. No two nodes share a switch, no two edges a wire, \
             and only edges at leaves have two wires"
        }
    };
    let meaning = format!(
        "nodes on a switch, wires on the path of an edge, and edges on a pair of wires, at most, counted over {nodes} \
         nodes and {edges} edges. {why}"
    );
    fact("Mesh of trees (section 6, footnote 1)", value, meaning)
}

/// Returns the number of channels without live wires; on the second network, of dead wires.
pub(super) fn cut_off(live: &LiveWires) -> usize {
    live.channels().iter().filter(|&channel| live.capacity(channel) == 0).count()
}

fn dead_wires(facts: &mut Vec<Fact>, checks: &DeliveryChecks) {
    let Some(live) = &checks.trial.live else { return };
    let channels = &checks.trial.channels;
    let cut = cut_off(live);
    let faults = &checks.experiment.faults;
    let drawn = format!("each wire is dead with probability p = {}", checks.p);
    let how = match (faults.model == FaultModel::None, faults.has_overrides()) {
        (true, _) => "wires are broken by hand".into(),
        (false, true) => drawn + ", except those broken or mended by hand,",
        (false, false) => drawn,
    };
    let meaning = format!("{how} for the whole run, an extension of the paper; {cut} channels have no live wire");
    facts.push(fact("Dead wires", format!("{} of {}", live.dead_count(), channels.wires()), meaning));
    let (messages, some) = (checks.trial.messages.len(), checks.deliverable);
    let share = |share: f64| format!("{:.4}%", share * 100.0);
    let exact = match checks.exact_share() {
        Some(exact) => format!(
            "messages that live wires can deliver; the exact average over random permutations and dead wires is {}, \
             `1/n` + sum over `a` of `2^(a-1)/n` times the product over `h < a` of `(1-p^c)^2`, c = capacity at height `h`",
            share(exact)
        ),
        _ => "messages that live wires can deliver".to_owned(),
    };
    let policy = match checks.setting.undeliverable {
        Undeliverable::Known => "sources know the undeliverable messages and never send them",
        Undeliverable::Sent => "sources keep sending undeliverable messages, which contend for channels",
    };
    let value = format!("{some} of {messages}, {}", share(f64::from(some) / f64::from(messages.max(1))));
    facts.push(fact("Deliverable messages", value, format!("{exact}; {policy}")));
}

/// Returns the facts that hold for the messages under every algorithm.
pub(super) fn messages(checks: &DeliveryChecks) -> Vec<Fact> {
    let (load, n) = (&checks.trial.load_factor, checks.leaves.processors());
    let mut text = checks.setting.demand.to_string();
    if text.len() > 60 {
        text = "a list".to_owned();
    }
    let mut facts = vec![fact("Messages", checks.trial.messages.len().to_string(), text)];
    facts.push(load_factor(&checks.trial.channels, load));
    let meaning = match checks.tree {
        Some(_) => {
            "the load factor, rounded up: every algorithm needs at least as many delivery cycles, and by Lemma 1 \
             no other cut of the tree requires more"
        }
        None => "the load factor, rounded up: every algorithm needs at least as many delivery cycles",
    };
    facts.push(fact("Lower bound (Lemma 1)", count(load.cycles(), "cycle"), meaning));
    facts.extend(super::level_schedule::fact(checks));
    facts.extend(checks.lemma_6.iter().enumerate().map(|(place, found)| lemma_6(checks, place, found)));
    if let Some(detour) = checks.detour {
        let [to, from] = detour.legs.map(|leg| number(leg.value()));
        let value = format!("load factors {to} and {from}");
        let meaning = format!(
            "to random intermediate processors and from them, so the detour takes at least {} instead of {}. On a \
             fat-tree it sends local messages to the root; the paper avoids it",
            count(detour.cycles(), "cycle"),
            detour.direct.cycles()
        );
        facts.push(fact("Valiant's detour, for comparison", value, meaning));
    }
    facts.extend(checks.steps.iter().map(|step| embedded(step, n)));
    facts.extend(super::buffered::facts(checks));
    facts.extend(not_computed(checks).map(|why| fact("Lemma 6, detour, universality", "not all computed", why)));
    facts.extend(checks.bad.iter().flat_map(super::bad_set::facts));
    facts
}

/// Returns the reason why results are missing that the check has for other message sets.
pub(super) fn not_computed(checks: &DeliveryChecks) -> Option<&'static str> {
    let detour = checks.detour.is_none() && !checks.trial.messages.has_external_messages();
    let steps = checks.tree.is_some() && checks.steps.is_empty();
    let why =
        if checks.trial.live.is_some() { "they assume that all wires are live" } else { "the network is too large" };
    (detour || steps).then_some(why)
}

fn load_factor(channels: &TreeChannels, load: &LoadFactor) -> Fact {
    let Some(channel) = load.channel() else {
        return fact("Load factor lambda", "0", "no message needs a channel");
    };
    let (messages, wires) = (count(load.load(), "message"), count(load.wires(), "wire"));
    let meaning = format!("{messages} must cross {}, which has {wires}", channel_in_words(channels, channel));
    fact("Load factor lambda", number(load.value()), meaning)
}

/// Returns the position of a channel in words.
pub(super) fn channel_in_words(channels: &TreeChannels, place: ChannelLocation) -> String {
    let ChannelLocation { height, node, down, .. } = place;
    let way = if down { "down to" } else { "up from" };
    if height == channels.levels() {
        return format!("the external channel {}", if down { "into the root" } else { "out of the root" });
    }
    if height == 0 {
        return format!("the channel {way} processor {node}");
    }
    let size = channels.processors() / channels.nodes_at(height);
    let first = node * size;
    format!("the channel {way} the node of height {height} over processors {first} to {}", first + size - 1)
}

/// Returns the share of a subset that arrives, compared with the bound of Lemma 6.
pub(super) fn arriving(checks: &DeliveryChecks, found: &Lemma6Result) -> BoundCheck {
    let claim = BoundCheck::new(found.measured.share(), BoundSide::AtLeast, found.bound);
    let claim = claim.with_premise(found.bound > 0.0, "it assumes a larger r, for which its bound is positive");
    if checks.trial.load_factor.load() > 0 { claim } else { claim.with_premise(false, LOAD_PREMISE) }
}

/// Premise of every bound derived from the load factor.
pub(super) const LOAD_PREMISE: &str = "it assumes lambda > 0, but no message needs a channel";

fn lemma_6(checks: &DeliveryChecks, place: usize, found: &Lemma6Result) -> Fact {
    let whose = if place == 0 { "the experiment's r" } else { "the congestion parameter" };
    let meaning = format!(
        "the share of sent messages that arrive, each sent with probability `1/(r lambda)` = {}, if over-subscribed \
         channels lose all messages; {} were sent in {} cycles. The bound is that for the longest paths",
        number(found.measured.probability),
        found.measured.sent,
        found.trials
    );
    arriving(checks, found).fact(&format!("Lemma 6 at r = {:.4}, {whose}", found.r), &meaning)
}

fn embedded(step: &EmbeddedStep, n: u32) -> Fact {
    let (what, remark) = match step.pattern {
        MessagePattern::MeshStep(Placement::ZOrder, _) => (
            "Universality: a mesh in Z-order",
            "Subtrees are squares of the mesh: the load factor is at most 6 on an area-universal tree, for every n",
        ),
        MessagePattern::MeshStep(Placement::RowMajor, _) => {
            ("Universality: a mesh row by row", "In this placement of the mesh the load factor grows with n")
        }
        _ => ("Universality: a hypercube", "A hypercube needs more area than the tree, so the load factor is higher"),
    };
    let load = &step.load_factor;
    let meaning = format!(
        "one step sends a message over every link in each direction and takes at least {}. {remark}. {} links cross \
         the bisection, for n = {n}",
        count(load.cycles(), "cycle"),
        step.bisection
    );
    fact(what, format!("load factor {}", number(load.value())), meaning)
}
