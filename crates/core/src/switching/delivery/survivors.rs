//! Selection of survivors at a channel with more messages than wires.

use crate::names;

/// Selection of survivors at an over-subscribed channel.
///
/// The contenders are in the order of their incoming wires: the left child before the right one; on
/// the way down, the parent before the sibling; at a leaf, by message number. In the second
/// network, two parents lead down to a wire: messages that turned higher come first, and messages
/// that turned at the same height are ordered by number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SurvivorPolicy {
    /// A random set of as many contenders as there are wires; every such set is equally likely.
    #[default]
    Random,
    /// The first contenders.
    Left,
    /// The first contenders in odd cycles, the last ones in even cycles.
    Alternate,
    /// No survivors.
    DropAll,
    /// No survivors. Messages lost at other channels also count as contenders.
    ///
    /// A channel is congested if more of the sent messages must pass it than it has wires. Every
    /// message that must pass a congested channel is lost. The set of sent messages thus determines
    /// the losses before any message moves.
    ///
    /// The policy is the model in the analysis of RANDOM, which defines congestion by the load of
    /// the whole p-subset. In that model, a message arrives if all channels of its path are
    /// uncongested (section 4, before Lemma 5, and the proof of Lemma 6). A message that arrives
    /// under this policy arrives under every other policy.
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
    /// Values that [`SurvivorPolicy::parse`] accepts, with explanations.
    pub const ACCEPTED: &'static str = "random (any messages), left (the first), alternate (the first in odd cycles, \
                                        the last in even cycles), drop-all (none), drop-fixed (none, also counting \
                                        messages lost elsewhere, as in the analysis of RANDOM)";

    /// Returns whether an over-subscribed channel loses all its messages.
    pub fn drops_all(self) -> bool {
        matches!(self, Self::DropAll | Self::DropFixed)
    }

    /// Returns whether the switches of this policy are admissible (section 5).
    ///
    /// Admissible switches drop no more messages than necessary. Their decisions depend only on
    /// which wires are in use.
    pub fn is_admissible(self) -> bool {
        !self.drops_all()
    }

    /// Returns the number of consecutive cycles without arrivals after which no message will ever
    /// arrive.
    ///
    /// All pending messages must be sent in these cycles. `None` if the selection is random.
    pub(super) fn stuck_after(self) -> Option<u32> {
        match self {
            Self::Random => None,
            Self::Left | Self::DropAll | Self::DropFixed => Some(1),
            Self::Alternate => Some(2),
        }
    }
}
