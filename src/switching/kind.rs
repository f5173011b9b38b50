//! The kinds of switching: what an experiment sends through the network.

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
    /// Nothing moves: which pairs of nodes still have a permitted path.
    Pairs,
}

impl Switching {
    /// The kinds and their names in experiment texts.
    pub const ALL: [(Self, &'static str); 4] =
        [(Self::Message, "message"), (Self::Circuit, "circuit"), (Self::Wormhole, "wormhole"), (Self::Pairs, "pairs")];

    /// Whether it is simulated on meshes; the other kinds are on hypercubes.
    pub fn needs_mesh(self) -> bool {
        self == Self::Wormhole
    }

    /// Its name in experiment texts.
    pub fn id(self) -> &'static str {
        Self::ALL.iter().find(|(kind, _)| *kind == self).map_or("", |(_, name)| name)
    }
}
