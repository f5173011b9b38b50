//! Setting of experiments with delivery cycles.

use faultlab_core::ParseError;
use faultlab_core::switching::delivery::{SurvivorPolicy, Undeliverable};
use faultlab_core::theory::fat_tree::congestion_parameter_of_channels;
use faultlab_core::topology::fat_tree::{Leaves, Profile, TreeChannels};
use faultlab_core::traffic::{MessagePattern, MessageSet, Permutation};

/// Parameters that are specific to delivery cycles of a fat-tree.
#[derive(Clone, Debug, PartialEq)]
pub struct DeliverySetting {
    /// Capacities of a fat-tree; the second network has its own.
    pub profile: Profile,
    /// Rule or list that defines the messages.
    pub demand: DeliveryDemand,
    /// Rule that selects the surviving messages at an over-subscribed channel.
    pub policy: SurvivorPolicy,
    /// Constant k1 of RANDOM, 0.001 to 10^7.
    pub k1: f64,
    /// Constant k2 of RANDOM, 0.001 to 10^7.
    pub k2: f64,
    /// Congestion parameter r of RANDOM.
    pub r: CongestionParameter,
    /// Number of off-line schedules built for each message set, 1 to 1000. The shortest one counts.
    pub schedules: u32,
    /// Number of loops of TRY-GUESS that are run on each message set, 0 to 1000.
    pub loops: u32,
    /// Behaviour of sources with messages that dead wires make undeliverable.
    pub undeliverable: Undeliverable,
}

/// Congestion parameter r of RANDOM.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CongestionParameter {
    /// Fixed number, 0.001 to 10^7.
    Fixed(f64),
    /// Value that the paper defines for the capacities of the network (section 4). Dead wires do
    /// not change it.
    Computed,
}

impl CongestionParameter {
    /// Text of a computed parameter.
    pub(crate) const COMPUTED: &'static str = "computed";

    /// Returns the value of r on `channels`.
    pub fn value_for(self, channels: &TreeChannels) -> f64 {
        match self {
            Self::Fixed(r) => r,
            Self::Computed => congestion_parameter_of_channels(channels),
        }
    }

    /// Describes the value of r on `channels`, and whether it is computed.
    pub fn describe(self, channels: &TreeChannels) -> String {
        match self {
            Self::Fixed(r) => r.to_string(),
            Self::Computed => format!("{:.3} as computed", self.value_for(channels)),
        }
    }
}

impl std::fmt::Display for CongestionParameter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Fixed(r) => r.fmt(f),
            Self::Computed => f.write_str(Self::COMPUTED),
        }
    }
}

/// Destination, in texts, of a message that leaves by the external channel of the root.
const OUT: &str = "out";

/// Set of messages to deliver.
#[derive(Clone, Debug, PartialEq)]
pub enum DeliveryDemand {
    /// Messages defined by a rule.
    Pattern(MessagePattern),
    /// Theorem 9's bad set for GREEDY, for this load factor.
    BadSet(u32),
    /// Explicit list of sources and destinations. A destination may be [`MessageSet::OUT`].
    List(Vec<(u32, u32)>),
}

impl DeliveryDemand {
    /// Texts that [`DeliveryDemand::parse`] accepts, in words.
    pub(crate) const ACCEPTED: &str = "random, transpose, bit-reversal, complement or worst, also as random*4; cross (random \
                                       bijections between the two halves); half (each to its counterpart in the other half); \
                                       neighbors (each to the previous and the next); ring (each to the next, cyclically); \
                                       one-to-all:S; all-to-one:D; mesh:z-order or mesh:row-major, also as mesh:z-order:east; \
                                       cube, also as cube:3; out (each through the external channel of the root), also as out*4; \
                                       bad:L (Theorem 9's bad set for load factor L); or a list such as 0-2,1-3,5-out";

    /// Returns whether the messages are random.
    pub fn is_random(&self) -> bool {
        matches!(self, Self::Pattern(pattern) if pattern.is_random())
    }

    /// Returns whether some of the messages leave by the external channel of the root.
    pub fn has_external_messages(&self) -> bool {
        match self {
            Self::Pattern(pattern) => pattern.has_external_messages(),
            Self::BadSet(_) => true,
            Self::List(messages) => messages.iter().any(|&(_, to)| to == MessageSet::OUT),
        }
    }

    /// Returns whether the messages are random permutations.
    pub fn is_random_permutation(&self) -> bool {
        matches!(self, Self::Pattern(pattern) if pattern.is_random_permutation())
    }

    /// Maximum number of messages of a list.
    pub const MAX_LISTED: usize = 4096;

    /// Parses a demand whose processors are those of `leaves`.
    pub(crate) fn parse(leaves: Leaves, text: &str) -> Result<Self, ParseError> {
        if let Some(pattern) = MessagePattern::parse(text) {
            return Ok(Self::Pattern(pattern));
        }
        if let Some(lambda) = text.strip_prefix("bad:") {
            return lambda.parse().map(Self::BadSet).map_err(|_| "no load factor after bad:".into());
        }
        if text.split(',').nth(Self::MAX_LISTED).is_some() {
            return Err(format!("more than {} messages", Self::MAX_LISTED).into());
        }
        let processor = |text: &str| {
            let found = text.parse().ok().filter(|&number: &u32| number < leaves.processors());
            found.ok_or_else(|| format!("{text} is not a processor of {leaves}"))
        };
        let message = |text: &str| {
            let (from, to) =
                text.split_once('-').ok_or("neither a known message set nor a list of messages FROM-TO")?;
            Ok::<_, ParseError>((processor(from)?, if to == OUT { MessageSet::OUT } else { processor(to)? }))
        };
        text.split(',').map(message).collect::<Result<_, _>>().map(Self::List)
    }
}

impl std::fmt::Display for DeliveryDemand {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Pattern(pattern) => pattern.fmt(f),
            Self::BadSet(lambda) => write!(f, "bad:{lambda}"),
            Self::List(messages) => {
                let text = |&(from, to): &(u32, u32)| match to {
                    MessageSet::OUT => format!("{from}-{OUT}"),
                    _ => format!("{from}-{to}"),
                };
                f.write_str(&messages.iter().map(text).collect::<Vec<_>>().join(","))
            }
        }
    }
}

impl DeliverySetting {
    /// Random permutation on the standard tree with random survivors.
    pub const STANDARD: Self = Self {
        profile: Profile::Standard,
        demand: DeliveryDemand::Pattern(MessagePattern::Permutation(Permutation::Random, 1)),
        policy: SurvivorPolicy::Random,
        k1: 1.0,
        k2: 1.0,
        r: CongestionParameter::Fixed(1.0),
        schedules: 1,
        loops: 0,
        undeliverable: Undeliverable::Known,
    };
}
