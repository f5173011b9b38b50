//! The fault models of Gordon & Stout section 1.2.3 and of Boppana & Chalasani section V, and edits by hand on top of them.

use std::fmt;

use super::Adversary;
use crate::topology::fat_tree::ChannelPlace;
use crate::topology::{Link, Network, NodeId};

/// How faults are chosen: of a single message, among the nodes other than source and destination. On meshes links are faulty in
/// both directions, and what is chosen is closed to blocks afterwards.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FaultModel {
    /// No random faults.
    None,
    /// Model A: each node is faulty with this probability, independently.
    Nodes(f64),
    /// Model B: exactly this share, rounded down, of the nodes but two, all such sets equally likely.
    Share(f64),
    /// Model B: exactly this many faulty nodes, all such sets equally likely.
    Count(u64),
    /// Each one-way link is faulty with this probability, independently.
    Links(f64),
    /// Exactly this many faulty one-way links, all such sets equally likely; at most [`FaultModel::MAX_LINKS`].
    LinkCount(u64),
    /// Meshes: so many nodes and links that about this share of all links is faulty, each with a fault ring of its own, as
    /// [`super::block::mix_of`] and [`super::block::draw_isolated`] say.
    Isolated(f64),
    /// Meshes: exactly so many nodes and links, drawn likewise.
    IsolatedCount(u32, u32),
    /// Cubes: so many nodes, placed by an adversary around a node drawn at random.
    Placed(Adversary, u32),
    /// Fat-trees: each wire is dead with this probability, independently, for the whole run.
    Wires(f64),
}

impl FaultModel {
    /// What [`FaultModel::parse`] accepts.
    pub const ACCEPTED: &'static str = "none; nodes:P, each node faulty with probability P = 0 to 1 (Model A); share:P, exactly floor(PM) of the M nodes \
         besides two (Model B); count:F, exactly F faulty nodes (Model B); links:P, each link (of cubes: one-way link) \
         faulty with probability P; link-count:F, exactly F faulty links, at most 4096; of meshes also isolated:P, nodes and \
         links with fault rings of their own until a share P of the links is faulty, or isolated:N+L, N nodes and L links; of cubes up to n = 20 also F faulty nodes placed to do harm: \
         subcube:F, ball:F, neighbors:F, greedy-a:F and greedy-b:F (the fewest active nodes under Algorithm A or B), busiest:F (on \
         the most live paths), funnel:F (all traffic of a subcube through one channel); of fat-trees wires:P, each wire dead with probability P";

    /// The most links of [`FaultModel::LinkCount`]: they are listed.
    pub const MAX_LINKS: u64 = 4096;

    /// Reads a model from its text, such as `nodes:0.3`. `None` if it is none.
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
                Some(Self::Placed(Adversary::parse(name)?, f.parse().ok()?))
            }
            Some(("link-count", f)) => f.parse().ok().filter(|&f| f <= Self::MAX_LINKS).map(Self::LinkCount),
            Some(_) => None,
        }
    }

    /// The number of faulty nodes under Model B; `None` under the other models.
    pub fn count(self, network: Network) -> Option<u64> {
        match self {
            // The product of two f64 below 2^64 is below 2^64, and the cast rounds down.
            Self::Share(p) => Some(((p * network.others() as f64) as u64).min(network.others())),
            Self::Count(f) => Some(f),
            _ => None,
        }
    }

    /// The fault rate p that a sweep varies; `None` where the model has none.
    pub fn rate(self) -> Option<f64> {
        match self {
            Self::Nodes(p) | Self::Share(p) | Self::Links(p) | Self::Isolated(p) | Self::Wires(p) => Some(p),
            Self::None | Self::Count(_) | Self::LinkCount(_) | Self::IsolatedCount(..) | Self::Placed(..) => None,
        }
    }

    /// The same model at another fault rate.
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

    /// The same model with another number of faults.
    pub fn with_count(self, count: u64) -> Self {
        match self {
            Self::Count(_) => Self::Count(count),
            Self::LinkCount(_) => Self::LinkCount(count),
            Self::Placed(adversary, _) => Self::Placed(adversary, count.min(u64::from(u32::MAX)) as u32),
            other => other,
        }
    }

    /// Whether it breaks links.
    pub fn breaks_links(self) -> bool {
        matches!(self, Self::Links(_) | Self::LinkCount(_) | Self::Isolated(_) | Self::IsolatedCount(..))
    }

    /// The number of faults F that a sweep varies; `None` where the model has none.
    pub fn faults(self) -> Option<u64> {
        match self {
            Self::Count(count) | Self::LinkCount(count) => Some(count),
            Self::Placed(_, count) => Some(u64::from(count)),
            _ => None,
        }
    }

    /// Whether it is defined on meshes only.
    pub fn needs_mesh(self) -> bool {
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
            Self::Placed(adversary, count) => write!(f, "{adversary}:{count}"),
            Self::Wires(p) => write!(f, "wires:{p}"),
        }
    }
}

/// The first wires of a channel of a fat-tree, dead by hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeadWires {
    /// The channel; of the second network a single wire.
    pub channel: ChannelPlace,
    /// How many of its wires are dead, from 1 to its capacity.
    pub count: u32,
}

/// Which nodes, links and wires are faulty: a random model, then what is broken and mended by hand.
#[derive(Clone, Debug, PartialEq)]
pub struct FaultSpec {
    /// The random part.
    pub model: FaultModel,
    /// Faulty whatever the model draws; ascending, without repeats.
    pub broken: Vec<NodeId>,
    /// Live whatever the model draws; ascending, without repeats, none of them in `broken`.
    pub mended: Vec<NodeId>,
    /// Links that are faulty whatever the model draws; ascending, without repeats.
    pub broken_links: Vec<Link>,
    /// Links that are live whatever the model draws; ascending, without repeats, none of them in `broken_links`.
    pub mended_links: Vec<Link>,
    /// Fat-trees: wires that are dead whatever the model draws; ascending by channel, each channel once.
    pub broken_wires: Vec<DeadWires>,
    /// Fat-trees: channels whose other wires are live whatever the model draws; ascending, without repeats.
    pub mended_channels: Vec<ChannelPlace>,
}

impl FaultSpec {
    /// No faults at all.
    pub const NONE: Self = Self {
        model: FaultModel::None,
        broken: Vec::new(),
        mended: Vec::new(),
        broken_links: Vec::new(),
        mended_links: Vec::new(),
        broken_wires: Vec::new(),
        mended_channels: Vec::new(),
    };

    /// Whether anything was broken or mended by hand.
    pub fn has_edits(&self) -> bool {
        let nodes = !(self.broken.is_empty() && self.mended.is_empty());
        let wires = !(self.broken_wires.is_empty() && self.mended_channels.is_empty());
        nodes || wires || !(self.broken_links.is_empty() && self.mended_links.is_empty())
    }

    /// Whether a link can be faulty though both its nodes are live.
    pub fn any_link_faults(&self) -> bool {
        self.model.breaks_links() || !self.broken_links.is_empty()
    }

    /// Whether nothing can be faulty.
    pub fn is_none(&self) -> bool {
        let by_hand = !(self.broken.is_empty() && self.broken_links.is_empty() && self.broken_wires.is_empty());
        self.model == FaultModel::None && !by_hand
    }

    /// What hand-made edits say of `node`: faulty, live, or nothing.
    pub fn edit(&self, node: NodeId) -> Option<bool> {
        edit(&self.broken, &self.mended, &node)
    }

    /// What hand-made edits say of `link`: faulty, live, or nothing.
    pub fn link_edit(&self, link: Link) -> Option<bool> {
        edit(&self.broken_links, &self.mended_links, &link)
    }

    /// What hand-made edits say of a channel of a fat-tree: how many of its wires are dead, from the first, and whether all others
    /// are live.
    pub fn wires_edit(&self, channel: ChannelPlace) -> (u32, bool) {
        let dead = self.broken_wires.binary_search_by_key(&channel, |dead| dead.channel);
        let dead = dead.map_or(0, |place| self.broken_wires[place].count);
        (dead, self.mended_channels.binary_search(&channel).is_ok())
    }

    /// Has hand-made edits say so of a channel of a fat-tree.
    pub fn set_wires(&mut self, channel: ChannelPlace, (dead, mended): (u32, bool)) {
        self.broken_wires.retain(|other| other.channel != channel);
        self.mended_channels.retain(|&other| other != channel);
        if dead > 0 {
            let place = self.broken_wires.partition_point(|other| other.channel < channel);
            self.broken_wires.insert(place, DeadWires { channel, count: dead });
        }
        if mended {
            let place = self.mended_channels.partition_point(|&other| other < channel);
            self.mended_channels.insert(place, channel);
        }
    }

    /// Makes `node` faulty or live by hand.
    pub fn set(&mut self, node: NodeId, faulty: bool) {
        // Without a random part every node is live anyway: mending needs no mark.
        let mark = faulty || self.model != FaultModel::None;
        set(&mut self.broken, &mut self.mended, node, faulty, mark);
    }

    /// Makes `link` faulty or live by hand.
    pub fn set_link(&mut self, link: Link, faulty: bool) {
        let mark = faulty || self.model.breaks_links();
        set(&mut self.broken_links, &mut self.mended_links, link, faulty, mark);
    }
}

fn edit<T: Ord>(broken: &[T], mended: &[T], item: &T) -> Option<bool> {
    match (broken.binary_search(item), mended.binary_search(item)) {
        (Ok(_), _) => Some(true),
        (_, Ok(_)) => Some(false),
        _ => None,
    }
}

fn set<T: Ord>(broken: &mut Vec<T>, mended: &mut Vec<T>, item: T, faulty: bool, mark: bool) {
    let (into, out_of) = if faulty { (broken, mended) } else { (mended, broken) };
    out_of.retain(|other| *other != item);
    if mark && let Err(place) = into.binary_search(&item) {
        into.insert(place, item);
    }
}
