//! What a number of trials came to: counts of their own kind, so that tallies merge in any order to the same bits.

use serde::{Deserialize, Serialize};

use crate::{DeliveryTally, MessageTally, PermutationTally, RatioTally, Runs, WormTally};
use faultlab_core::switching::CircuitRun;

/// What the trials of one point and one algorithm came to: a message, a run of circuits or worms, a fault set with a whole
/// permutation or without, by its kind.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Tally {
    /// Trials made.
    pub trials: u64,
    /// What they came to, by kind.
    pub counts: Counts,
}

impl Tally {
    /// Adds what the trials of `other`, of the same kind, came to.
    pub fn merge(&mut self, other: &Self) {
        self.trials += other.trials;
        self.counts.merge(&other.counts);
    }
}

/// What trials came to, of one kind.
macro_rules! counts {
    ($($(#[$doc:meta])* $read:ident, $write:ident: $variant:ident($part:ty);)*) => {
        /// What the trials of one kind came to.
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
        pub enum Counts {
            /// Nothing yet.
            #[default]
            Nothing,
            $($(#[$doc])* $variant(Box<$part>),)*
        }

        impl Counts {
            /// Adds those of `other`, which are of the same kind; what is of another says nothing here.
            pub(crate) fn merge(&mut self, other: &Self) {
                match (&mut *self, other) {
                    (_, Self::Nothing) => {}
                    (Self::Nothing, _) => self.clone_from(other),
                    $((Self::$variant(counts), Self::$variant(more)) => counts.merge(more),)*
                    _ => {}
                }
            }
        }

        impl Tally {
            $($(#[$doc])*
            /// `None` before any trial has been counted, and of other kinds.
            pub fn $read(&self) -> Option<&$part> {
                match &self.counts {
                    Counts::$variant(counts) => Some(counts),
                    _ => None,
                }
            }

            /// The same, to be counted on; what is of another kind gives way.
            pub(crate) fn $write(&mut self) -> &mut $part {
                if !matches!(self.counts, Counts::$variant(_)) {
                    self.counts = Counts::$variant(Box::default());
                }
                match &mut self.counts {
                    Counts::$variant(counts) => counts,
                    _ => unreachable!("it was made one just now"),
                }
            }
            )*
        }
    };
}

counts! {
    /// Single messages.
    messages, messages_mut: Messages(MessageTally);
    /// Runs of circuits.
    circuits, circuits_mut: Circuits(Runs<CircuitRun>);
    /// Runs of worms.
    worms, worms_mut: Worms(Runs<WormTally>);
    /// Ordered pairs of live nodes that are cut off, of all such pairs, by fault sets.
    pairs, pairs_mut: Pairs(RatioTally);
    /// Whole permutations, counted or sent as batches.
    relations, relations_mut: Relations(PermutationTally);
    /// Delivery cycles.
    deliveries, deliveries_mut: Deliveries(DeliveryTally);
}
