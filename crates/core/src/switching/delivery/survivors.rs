//! Who survives where more messages come than a channel has wires.

use crate::names;

/// Who survives at an over-subscribed channel. The order of its contenders is that of the wires they come on: left child
/// before right, on the way down those from the parent before those from the sibling; at a leaf, the order of their numbers.
/// In the second network, where two parents lead down to a wire, those that turned higher come first, then by number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SurvivorPolicy {
    /// As many as there are wires, every such set equally likely.
    #[default]
    Random,
    /// The first ones.
    Left,
    /// The first ones in odd cycles, the last ones in even cycles.
    Alternate,
    /// None.
    DropAll,
    /// None, and those lost at other channels count too: a channel is congested if more of the messages that are sent must
    /// pass it than it has wires, and every message that must pass a congested channel is lost. Who is lost is fixed by
    /// the set that is sent, before any of it moves.
    ///
    /// It is what the analysis of RANDOM says: it defines congestion by the load of the whole p-subset, and has a message
    /// arrive if all channels of its path are uncongested (section 4, before Lemma 5, and the proof of Lemma 6). What
    /// arrives under it arrives under every other rule.
    DropFixed,
}

names! {
    SurvivorPolicy {
        Random: "random",
        Left: "left",
        Alternate: "alternate",
        DropAll: "drop-all",
        DropFixed: "drop-fixed",
    }
}

impl SurvivorPolicy {
    /// What [`SurvivorPolicy::parse`] accepts.
    pub const ACCEPTED: &'static str = "random, any; left, the first ones; alternate, the first ones in odd cycles, the last ones in even; drop-all, none; drop-fixed, none, those lost elsewhere counted too, as \
         the analysis of RANDOM has it";

    /// Whether an over-subscribed channel loses all.
    pub fn drops_all(self) -> bool {
        matches!(self, Self::DropAll | Self::DropFixed)
    }

    /// Whether its switches are admissible (section 5): they drop no more than they must, and know only which wires are in
    /// use.
    pub fn is_admissible(self) -> bool {
        !self.drops_all()
    }

    /// After so many cycles in a row in which all was sent and nothing arrived, nothing ever will; `None` if chance may help.
    pub(super) fn period(self) -> Option<u32> {
        match self {
            Self::Random => None,
            Self::Left | Self::DropAll | Self::DropFixed => Some(1),
            Self::Alternate => Some(2),
        }
    }
}
