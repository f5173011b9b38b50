//! Who survives where more messages come than a channel has wires.

use std::fmt;

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

impl SurvivorPolicy {
    /// What [`SurvivorPolicy::parse`] accepts.
    pub const ACCEPTED: &'static str = "random, any; left, the first ones; alternate, the first ones in odd cycles, the last ones in even; drop-all, none";

    /// All of them, in the order in which they are offered.
    pub const ALL: [Self; 4] = [Self::Random, Self::Left, Self::Alternate, Self::DropAll];

    /// Reads one from its text. `None` if it is none.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|policy| policy.id() == text)
    }

    /// Its name in texts.
    pub fn id(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::Left => "left",
            Self::Alternate => "alternate",
            Self::DropAll => "drop-all",
        }
    }

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

impl fmt::Display for SurvivorPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}
