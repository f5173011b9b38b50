//! The fault models of Gordon & Stout section 1.2.3, and edits by hand on top of them.

use std::fmt;

use crate::topology::{Hypercube, NodeId};

/// How faulty nodes are chosen among the nodes other than source and destination.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FaultModel {
    /// No random faults.
    None,
    /// Model A: each node is faulty with this probability, independently.
    Nodes(f64),
    /// Model B: exactly floor(share * (2^n - 2)) faulty nodes, all such sets equally likely.
    Share(f64),
    /// Model B: exactly this many faulty nodes, all such sets equally likely.
    Count(u64),
}

impl FaultModel {
    /// What [`FaultModel::parse`] accepts.
    pub const ACCEPTED: &'static str = "none; nodes:P, each node faulty with probability P = 0 to 1 (Model A); share:P, exactly floor(P(2^n-2)) faulty nodes \
         (Model B); count:F, exactly F faulty nodes (Model B)";

    /// Reads a model from its text, such as `nodes:0.3`. `None` if it is none.
    pub fn parse(text: &str) -> Option<Self> {
        let share = |text: &str| text.parse().ok().filter(|p| (0.0..=1.0).contains(p));
        match text.split_once(':') {
            None => (text == "none").then_some(Self::None),
            Some(("nodes", p)) => share(p).map(Self::Nodes),
            Some(("share", p)) => share(p).map(Self::Share),
            Some(("count", f)) => f.parse().ok().map(Self::Count),
            Some(_) => None,
        }
    }

    /// The number of faults under Model B; `None` under the other models.
    pub fn count(self, cube: Hypercube) -> Option<u64> {
        match self {
            // The product of two f64 below 2^64 is below 2^64, and the cast rounds down.
            Self::Share(p) => Some(((p * cube.others() as f64) as u64).min(cube.others())),
            Self::Count(f) => Some(f),
            Self::None | Self::Nodes(_) => None,
        }
    }

    /// The fault rate p that a sweep varies; `None` where the model has none.
    pub fn rate(self) -> Option<f64> {
        match self {
            Self::Nodes(p) | Self::Share(p) => Some(p),
            Self::None | Self::Count(_) => None,
        }
    }

    /// The same model at another fault rate.
    pub fn with_rate(self, p: f64) -> Self {
        match self {
            Self::Nodes(_) => Self::Nodes(p),
            Self::Share(_) => Self::Share(p),
            other => other,
        }
    }
}

impl fmt::Display for FaultModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("none"),
            Self::Nodes(p) => write!(f, "nodes:{p}"),
            Self::Share(p) => write!(f, "share:{p}"),
            Self::Count(count) => write!(f, "count:{count}"),
        }
    }
}

/// Which nodes are faulty: a random model, then the nodes broken and mended by hand.
#[derive(Clone, Debug, PartialEq)]
pub struct FaultSpec {
    /// The random part.
    pub model: FaultModel,
    /// Faulty whatever the model draws; ascending, without repeats.
    pub broken: Vec<NodeId>,
    /// Live whatever the model draws; ascending, without repeats, none of them in `broken`.
    pub mended: Vec<NodeId>,
}

impl FaultSpec {
    /// No faults at all.
    pub const NONE: Self = Self { model: FaultModel::None, broken: Vec::new(), mended: Vec::new() };

    /// What hand-made edits say of `node`: faulty, live, or nothing.
    pub fn edit(&self, node: NodeId) -> Option<bool> {
        let listed = |nodes: &[NodeId]| nodes.binary_search(&node).is_ok();
        match (listed(&self.broken), listed(&self.mended)) {
            (true, _) => Some(true),
            (_, true) => Some(false),
            _ => None,
        }
    }

    /// Makes `node` faulty or live by hand.
    pub fn set(&mut self, node: NodeId, faulty: bool) {
        let (into, out_of) =
            if faulty { (&mut self.broken, &mut self.mended) } else { (&mut self.mended, &mut self.broken) };
        out_of.retain(|&other| other != node);
        // Without a random part every node is live anyway: mending needs no mark.
        if (faulty || self.model != FaultModel::None)
            && let Err(place) = into.binary_search(&node)
        {
            into.insert(place, node);
        }
    }
}
