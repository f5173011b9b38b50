//! Flow control of messages in flits.

/// Flow control: when a message may enter its next channel, and where it waits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FlowControl {
    /// A message follows its header as a worm, and holds its channels while the header waits.
    #[default]
    Wormhole,
    /// The header goes on at once; a message that waits is stored in its node (virtual cut-through).
    CutThrough,
    /// Each node stores the complete message before it forwards it.
    StoreAndForward,
}

impl FlowControl {
    /// Every flow control, in the order in which they are offered.
    pub const ALL: [Self; 3] = [Self::Wormhole, Self::CutThrough, Self::StoreAndForward];

    /// Parses a name in experiment texts; `None` for other texts.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|flow| flow.id() == text)
    }

    /// Returns the name in experiment texts.
    pub fn id(self) -> &'static str {
        match self {
            Self::Wormhole => "wormhole",
            Self::CutThrough => "cut-through",
            Self::StoreAndForward => "store-and-forward",
        }
    }

    /// Returns the name for readers.
    pub fn name(self) -> &'static str {
        match self {
            Self::Wormhole => "wormhole",
            Self::CutThrough => "virtual cut-through",
            Self::StoreAndForward => "store-and-forward",
        }
    }
}
