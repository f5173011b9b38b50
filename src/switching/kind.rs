//! The kinds of switching: what an experiment sends through the network.

use crate::topology::Network;

/// How messages use the network.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Switching {
    /// One message at a time, hop by hop, alone in the network.
    #[default]
    Message,
    /// Circuits under load: a message reserves its path link by link, holds it while it is transmitted, and others wait.
    Circuit,
    /// Worms under load: a message follows its header flit by flit, holds the virtual channels it is in, and others wait.
    Wormhole,
    /// The routes of a whole permutation or h-relation, laid over each other and counted: nothing moves.
    Permutation,
    /// The same messages as worms that all start at once, without virtual channels.
    Batch,
    /// Delivery cycles of a fat-tree: all messages of a cycle start together, and arrive or are lost for this cycle.
    Delivery,
    /// Nothing moves: which pairs of nodes still have a permitted path.
    Pairs,
}

impl Switching {
    /// The kinds and their names in experiment texts.
    pub const ALL: [(Self, &'static str); 7] = [
        (Self::Message, "message"),
        (Self::Circuit, "circuit"),
        (Self::Wormhole, "wormhole"),
        (Self::Permutation, "permutation"),
        (Self::Batch, "batch"),
        (Self::Delivery, "delivery"),
        (Self::Pairs, "pairs"),
    ];

    /// Whether it is simulated on hypercubes alone.
    pub fn needs_cube(self) -> bool {
        !matches!(self, Self::Wormhole | Self::Delivery)
    }

    /// Whether this kind is simulated on such a network.
    pub fn fits(self, network: Network) -> bool {
        match network {
            Network::Hypercube(_) => self != Self::Delivery,
            Network::Mesh(_) => self == Self::Wormhole,
            Network::FatTree(_) => self == Self::Delivery,
        }
    }

    /// Whether it routes whole sets of messages by oblivious schemes.
    pub fn is_oblivious(self) -> bool {
        matches!(self, Self::Permutation | Self::Batch)
    }

    /// Its name in experiment texts.
    pub fn id(self) -> &'static str {
        Self::ALL.iter().find(|(kind, _)| *kind == self).map_or("", |(_, name)| name)
    }
}
