//! What decides delivery cycles, besides what all kinds share.

use crate::switching::delivery::{SurvivorPolicy, Undeliverable};
use crate::topology::fat_tree::{Leaves, Profile};
use crate::traffic::{MessagePattern, Permutation};

/// What decides delivery cycles of a fat-tree.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// The capacities of a fat-tree; the second network has its own.
    pub profile: Profile,
    /// The messages.
    pub demand: DeliveryDemand,
    /// Who survives at an over-subscribed channel.
    pub policy: SurvivorPolicy,
    /// The constants of RANDOM, each 0.001 to 10^7.
    pub k1: f64,
    /// The second one.
    pub k2: f64,
    /// The congestion parameter.
    pub r: f64,
    /// What sources do with messages that dead wires keep from arriving.
    pub undeliverable: Undeliverable,
}

/// Which messages are delivered.
#[derive(Clone, Debug, PartialEq)]
pub enum DeliveryDemand {
    /// By a rule.
    Pattern(MessagePattern),
    /// Theorem 9's bad set for GREEDY, for this load factor.
    BadSet(u32),
    /// These, source and destination.
    List(Vec<(u32, u32)>),
}

impl DeliveryDemand {
    /// What [`DeliveryDemand::parse`] accepts.
    pub(crate) const ACCEPTED: &str = "random, transpose, bit-reversal, complement or worst, and such as random*4; cross; neighbors; \
         all-to-one:D; mesh:z-order or mesh:row-major, and such as mesh:z-order:east; cube, and such as cube:3; bad:L, Theorem 9's bad \
         set for load factor L; or a list such as 0-2,1-3";

    /// Whether the messages are left to chance.
    pub fn is_random(&self) -> bool {
        matches!(self, Self::Pattern(pattern) if pattern.is_random())
    }

    /// The most messages of a list.
    pub const MAX_LISTED: usize = 4096;

    /// Reads it, its processors being those of `leaves`; the error is what is wrong.
    pub(crate) fn parse(leaves: Leaves, text: &str) -> Result<Self, String> {
        if let Some(pattern) = MessagePattern::parse(text) {
            return Ok(Self::Pattern(pattern));
        }
        if let Some(lambda) = text.strip_prefix("bad:") {
            return lambda.parse().map(Self::BadSet).map_err(|_| "no load factor after bad:".into());
        }
        if text.split(',').nth(Self::MAX_LISTED).is_some() {
            return Err(format!("more than {} messages", Self::MAX_LISTED));
        }
        let processor = |text: &str| {
            let found = text.parse().ok().filter(|&number: &u32| number < leaves.processors());
            found.ok_or_else(|| format!("{text} is no processor of {leaves}"))
        };
        let message = |text: &str| {
            let (from, to) =
                text.split_once('-').ok_or("neither a known message set nor a list of messages FROM-TO")?;
            Ok::<_, String>((processor(from)?, processor(to)?))
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
                let texts: Vec<_> = messages.iter().map(|(from, to)| format!("{from}-{to}")).collect();
                f.write_str(&texts.join(","))
            }
        }
    }
}

impl Setting {
    /// A random permutation on the standard tree, survivors at random.
    pub const STANDARD: Self = Self {
        profile: Profile::Standard,
        demand: DeliveryDemand::Pattern(MessagePattern::Permutation(Permutation::Random, 1)),
        policy: SurvivorPolicy::Random,
        k1: 1.0,
        k2: 1.0,
        r: 1.0,
        undeliverable: Undeliverable::Known,
    };
}
