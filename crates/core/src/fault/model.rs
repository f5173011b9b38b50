//! Fault models of Gordon & Stout section 1.2.3 and of Boppana & Chalasani section V, and manual
//! overrides on top of them.

use std::fmt;

use super::Adversary;
use crate::topology::fat_tree::ChannelLocation;
use crate::topology::{Link, Network, NodeId};

/// A random model of faults.
///
/// For single messages, source and destination are excluded. On meshes, links fail in both
/// directions, and block closure is applied to the sampled faults.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FaultModel {
    /// No random faults.
    None,
    /// Model A: each node is faulty with this probability, independently.
    Nodes(f64),
    /// Model B: exactly this fraction of the nodes other than source and destination, rounded down,
    /// is faulty; all such sets are equally likely.
    Share(f64),
    /// Model B: exactly this many nodes are faulty; all such sets are equally likely.
    Count(u64),
    /// Link faults: each link is faulty with this probability, independently. On hypercubes, links
    /// are one-way.
    Links(f64),
    /// Exactly this many faulty links, at most [`FaultModel::MAX_LINKS`]; all such sets are equally
    /// likely. On hypercubes, links are one-way.
    LinkCount(u64),
    /// Isolated faults on meshes: nodes and links with separate fault rings, such that about this
    /// fraction of all links is faulty.
    ///
    /// See [`super::block::isolated_counts`] and [`super::block::sample_isolated`].
    Isolated(f64),
    /// Isolated faults on meshes: exactly this many nodes and links, sampled as for
    /// [`FaultModel::Isolated`].
    IsolatedCount(u32, u32),
    /// Adversarial faults on hypercubes: this many nodes, placed around a random centre node.
    Adversarial(Adversary, u32),
    /// Wire faults on fat-trees: each wire is dead with this probability, independently, for the
    /// whole run.
    Wires(f64),
}

impl FaultModel {
    /// Syntax accepted by [`FaultModel::parse`].
    pub const ACCEPTED: &'static str = "none; nodes:P, each node faulty with probability P = 0 to 1 (Model A); \
                                        share:P, exactly floor(PM) of the M nodes other than source and destination \
                                        (Model B); count:F, exactly F faulty nodes (Model B); links:P, each link (on \
                                        cubes: one-way link) faulty with probability P; link-count:F, exactly F faulty \
                                        links, at most 4096; on meshes also isolated:P, nodes and links with separate \
                                        fault rings until a share P of the links is faulty, or isolated:N+L, N nodes \
                                        and L links; on cubes up to n = 20 also F faulty nodes placed by an adversary: \
                                        subcube:F, ball:F, neighbors:F, greedy-a:F and greedy-b:F (the fewest active \
                                        nodes under Algorithm A or B), busiest:F (on the most fault-free paths), funnel:F \
                                        (all traffic of a subcube through one channel); on fat-trees wires:P, each \
                                        wire dead with probability P";

    /// Maximum number of links of [`FaultModel::LinkCount`], which stores them as a list.
    pub const MAX_LINKS: u64 = 4096;

    /// Parses a model such as `nodes:0.3`. Returns `None` if the text is not a model.
    pub fn parse(text: &str) -> Option<Self> {
        let share = |text: &str| text.parse().ok().filter(|p| (0.0..=1.0).contains(p));
        match text.split_once(':') {
            None => (text == "none").then_some(Self::None),
            Some(("nodes", p)) => share(p).map(Self::Nodes),
            Some(("wires", p)) => share(p).map(Self::Wires),
            Some(("share", p)) => share(p).map(Self::Share),
            Some(("count", f)) => f.parse().ok().map(Self::Count),
            Some(("links", p)) => share(p).map(Self::Links),
            Some(("isolated", text)) => match text.split_once('+') {
                None => share(text).map(Self::Isolated),
                Some((nodes, links)) => Some(Self::IsolatedCount(nodes.parse().ok()?, links.parse().ok()?)),
            },
            Some((name, f)) if Adversary::parse(name).is_some_and(|adversary| adversary != Adversary::Random) => {
                Some(Self::Adversarial(Adversary::parse(name)?, f.parse().ok()?))
            }
            Some(("link-count", f)) => f.parse().ok().filter(|&f| f <= Self::MAX_LINKS).map(Self::LinkCount),
            Some(_) => None,
        }
    }

    /// Returns the number of faulty nodes under Model B; `None` for the other models.
    pub fn node_count(self, network: Network) -> Option<u64> {
        match self {
            // The product of two f64 below 2^64 is below 2^64, and the cast rounds down.
            Self::Share(p) => Some(((p * network.inner_node_count() as f64) as u64).min(network.inner_node_count())),
            Self::Count(f) => Some(f),
            _ => None,
        }
    }

    /// Returns the fault rate p that a sweep varies; `None` if the model has no rate.
    pub fn rate(self) -> Option<f64> {
        match self {
            Self::Nodes(p) | Self::Share(p) | Self::Links(p) | Self::Isolated(p) | Self::Wires(p) => Some(p),
            Self::None | Self::Count(_) | Self::LinkCount(_) | Self::IsolatedCount(..) | Self::Adversarial(..) => None,
        }
    }

    /// Returns this model with fault rate `p`; unchanged if the model has no rate.
    pub fn with_rate(self, p: f64) -> Self {
        match self {
            Self::Nodes(_) => Self::Nodes(p),
            Self::Share(_) => Self::Share(p),
            Self::Links(_) => Self::Links(p),
            Self::Isolated(_) => Self::Isolated(p),
            Self::Wires(_) => Self::Wires(p),
            other => other,
        }
    }

    /// Returns this model with `count` faults; unchanged if the model has no number of faults.
    pub fn with_count(self, count: u64) -> Self {
        match self {
            Self::Count(_) => Self::Count(count),
            Self::LinkCount(_) => Self::LinkCount(count),
            Self::Adversarial(adversary, _) => Self::Adversarial(adversary, count.min(u64::from(u32::MAX)) as u32),
            other => other,
        }
    }

    /// Returns whether the model makes links faulty.
    pub fn has_link_faults(self) -> bool {
        matches!(self, Self::Links(_) | Self::LinkCount(_) | Self::Isolated(_) | Self::IsolatedCount(..))
    }

    /// Returns the number of faults F that a sweep varies; `None` if the model has no such number.
    pub fn fault_count(self) -> Option<u64> {
        match self {
            Self::Count(count) | Self::LinkCount(count) => Some(count),
            Self::Adversarial(_, count) => Some(u64::from(count)),
            _ => None,
        }
    }

    /// Returns whether the model is defined on meshes only.
    pub fn requires_mesh(self) -> bool {
        matches!(self, Self::Isolated(_) | Self::IsolatedCount(..))
    }
}

impl fmt::Display for FaultModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("none"),
            Self::Nodes(p) => write!(f, "nodes:{p}"),
            Self::Share(p) => write!(f, "share:{p}"),
            Self::Count(count) => write!(f, "count:{count}"),
            Self::Links(p) => write!(f, "links:{p}"),
            Self::LinkCount(count) => write!(f, "link-count:{count}"),
            Self::Isolated(p) => write!(f, "isolated:{p}"),
            Self::IsolatedCount(nodes, links) => write!(f, "isolated:{nodes}+{links}"),
            Self::Adversarial(adversary, count) => write!(f, "{adversary}:{count}"),
            Self::Wires(p) => write!(f, "wires:{p}"),
        }
    }
}

/// Manual override that makes the first wires of a fat-tree channel dead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeadWires {
    /// The channel; in the second network, a single wire.
    pub channel: ChannelLocation,
    /// Number of dead wires, from 1 to the capacity of the channel.
    pub count: u32,
}

/// Fault specification of an experiment: a random model and manual overrides of nodes, links and
/// wires.
#[derive(Clone, Debug, PartialEq)]
pub struct FaultSpec {
    /// Random model.
    pub model: FaultModel,
    /// Nodes that are always faulty; ascending, without duplicates.
    pub faulty_nodes: Vec<NodeId>,
    /// Nodes that are always live; ascending, without duplicates, disjoint from `faulty_nodes`.
    pub live_nodes: Vec<NodeId>,
    /// Links that are always faulty; ascending, without duplicates.
    pub faulty_links: Vec<Link>,
    /// Links that are always live; ascending, without duplicates, disjoint from `faulty_links`.
    pub live_links: Vec<Link>,
    /// Fat-tree wires that are always dead; ascending by channel, each channel at most once.
    pub dead_wires: Vec<DeadWires>,
    /// Fat-tree channels whose wires are always live, except those in `dead_wires`; ascending,
    /// without duplicates.
    pub live_channels: Vec<ChannelLocation>,
}

impl FaultSpec {
    /// Specification without any faults.
    pub const NONE: Self = Self {
        model: FaultModel::None,
        faulty_nodes: Vec::new(),
        live_nodes: Vec::new(),
        faulty_links: Vec::new(),
        live_links: Vec::new(),
        dead_wires: Vec::new(),
        live_channels: Vec::new(),
    };

    /// Returns whether there are manual overrides.
    pub fn has_overrides(&self) -> bool {
        let nodes = !(self.faulty_nodes.is_empty() && self.live_nodes.is_empty());
        let wires = !(self.dead_wires.is_empty() && self.live_channels.is_empty());
        nodes || wires || !(self.faulty_links.is_empty() && self.live_links.is_empty())
    }

    /// Returns whether a link between two live nodes can be faulty.
    pub fn can_have_link_faults(&self) -> bool {
        self.model.has_link_faults() || !self.faulty_links.is_empty()
    }

    /// Returns whether no node, link or wire can be faulty.
    pub fn is_empty(&self) -> bool {
        let by_hand = !(self.faulty_nodes.is_empty() && self.faulty_links.is_empty() && self.dead_wires.is_empty());
        self.model == FaultModel::None && !by_hand
    }

    /// Returns the manual override of `node`: faulty (`true`), live (`false`), or `None`.
    pub fn node_override(&self, node: NodeId) -> Option<bool> {
        lookup_override(&self.faulty_nodes, &self.live_nodes, &node)
    }

    /// Returns the manual override of `link`: faulty (`true`), live (`false`), or `None`.
    pub fn link_override(&self, link: Link) -> Option<bool> {
        lookup_override(&self.faulty_links, &self.live_links, &link)
    }

    /// Returns the manual overrides of a fat-tree channel: the number of dead wires, counted from
    /// the first, and whether all other wires are live.
    pub fn wires_override(&self, channel: ChannelLocation) -> (u32, bool) {
        let dead = self.dead_wires.binary_search_by_key(&channel, |dead| dead.channel);
        let dead = dead.map_or(0, |place| self.dead_wires[place].count);
        (dead, self.live_channels.binary_search(&channel).is_ok())
    }

    /// Sets the manual overrides of a fat-tree channel: its first `dead` wires are dead, and all
    /// others are live if `others_live`. See [`FaultSpec::wires_override`].
    pub fn set_wires(&mut self, channel: ChannelLocation, dead: u32, others_live: bool) {
        self.dead_wires.retain(|other| other.channel != channel);
        self.live_channels.retain(|&other| other != channel);
        if dead > 0 {
            let place = self.dead_wires.partition_point(|other| other.channel < channel);
            self.dead_wires.insert(place, DeadWires { channel, count: dead });
        }
        if others_live {
            let place = self.live_channels.partition_point(|&other| other < channel);
            self.live_channels.insert(place, channel);
        }
    }

    /// Makes `node` faulty or live by a manual override.
    pub fn set_node(&mut self, node: NodeId, faulty: bool) {
        // Without a random model, every node is live by default and needs no override.
        let mark = faulty || self.model != FaultModel::None;
        set(&mut self.faulty_nodes, &mut self.live_nodes, node, faulty, mark);
    }

    /// Makes `link` faulty or live by a manual override.
    pub fn set_link(&mut self, link: Link, faulty: bool) {
        let mark = faulty || self.model.has_link_faults();
        set(&mut self.faulty_links, &mut self.live_links, link, faulty, mark);
    }
}

fn lookup_override<T: Ord>(faulty_items: &[T], live_items: &[T], item: &T) -> Option<bool> {
    match (faulty_items.binary_search(item), live_items.binary_search(item)) {
        (Ok(_), _) => Some(true),
        (_, Ok(_)) => Some(false),
        _ => None,
    }
}

fn set<T: Ord>(faulty_items: &mut Vec<T>, live_items: &mut Vec<T>, item: T, faulty: bool, mark: bool) {
    let (into, out_of) = if faulty { (faulty_items, live_items) } else { (live_items, faulty_items) };
    out_of.retain(|other| *other != item);
    if mark && let Err(place) = into.binary_search(&item) {
        into.insert(place, item);
    }
}
