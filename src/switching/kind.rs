//! The kinds of switching: what an experiment sends through the network.

/// How messages use the network.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Switching {
    /// One message at a time, hop by hop, alone in the network.
    #[default]
    Message,
    /// Circuits under load: a message reserves its path link by link, holds it while it is transmitted, and others wait.
    Circuit,
    /// Nothing moves: which pairs of nodes still have a permitted path.
    Pairs,
}

impl Switching {
    /// The kinds and their names in experiment texts.
    pub const ALL: [(Self, &'static str); 3] =
        [(Self::Message, "message"), (Self::Circuit, "circuit"), (Self::Pairs, "pairs")];
}
