//! Who survives where more messages come than a channel has wires.

use crate::names::names;

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
    /// None: what the analysis of RANDOM presumes.
    DropAll,
}

names! {
    SurvivorPolicy {
        Random: "random",
        Left: "left",
        Alternate: "alternate",
        DropAll: "drop-all",
    }
}

impl SurvivorPolicy {
    /// What [`SurvivorPolicy::parse`] accepts.
    pub const ACCEPTED: &'static str = "random, any; left, the first ones; alternate, the first ones in odd cycles, the last ones in even; drop-all, none";

    /// Whether its switches are admissible (section 5): they drop no more than they must, and know only which wires are in
    /// use.
    pub fn is_admissible(self) -> bool {
        self != Self::DropAll
    }

    /// After so many cycles in a row in which all was sent and nothing arrived, nothing ever will; `None` if chance may help.
    pub(super) fn period(self) -> Option<u32> {
        match self {
            Self::Random => None,
            Self::Left | Self::DropAll => Some(1),
            Self::Alternate => Some(2),
        }
    }
}
