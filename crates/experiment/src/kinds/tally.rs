//! Tallies: integer counts and sets of runs, so that merging in any order gives identical bits.

use serde::{Deserialize, Serialize};

use crate::pairs::PairTally;
use crate::{DeliveryTally, MessageTally, PermutationTally, Runs, WormTally};
use faultlab_core::switching::CircuitRun;

/// Results of the trials of one point and one algorithm. The kind decides whether a trial is a
/// message, a run, or a fault set.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Tally {
    /// Number of trials.
    pub trials: u64,
    /// Counts, by kind.
    pub counts: KindCounts,
}

impl Tally {
    /// Adds the trials of `other`, which must be of the same kind.
    pub fn merge(&mut self, other: &Self) {
        self.trials += other.trials;
        self.counts.merge(&other.counts);
    }
}

/// Generates [`KindCounts`] and the accessors of its variants.
macro_rules! counts {
    ($($(#[$doc:meta])* $read:ident, $write:ident: $variant:ident($part:ty);)*) => {
        /// Counts of the trials of one kind.
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
        pub enum KindCounts {
            /// No trials yet.
            #[default]
            Nothing,
            $($(#[$doc])* $variant(Box<$part>),)*
        }

        impl KindCounts {
            /// Adds the counts of `other`. Counts of another kind are ignored.
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
            /// `None` before any trial has been counted, and for other kinds.
            pub fn $read(&self) -> Option<&$part> {
                match &self.counts {
                    KindCounts::$variant(counts) => Some(counts),
                    _ => None,
                }
            }

            /// Returns the counts for modification, and replaces counts of another kind by empty
            /// ones.
            pub(crate) fn $write(&mut self) -> &mut $part {
                if !matches!(self.counts, KindCounts::$variant(_)) {
                    self.counts = KindCounts::$variant(Box::default());
                }
                match &mut self.counts {
                    KindCounts::$variant(counts) => counts,
                    _ => unreachable!("it was made one just now"),
                }
            }
            )*
        }
    };
}

counts! {
    /// Counts of single messages.
    messages, messages_mut: Messages(MessageTally);
    /// Runs of circuits.
    circuits, circuits_mut: Circuits(Runs<CircuitRun>);
    /// Runs of wormhole networks.
    worms, worms_mut: Worms(Runs<WormTally>);
    /// Ordered pairs of live nodes that are cut off, as a ratio to all such pairs, by fault set.
    pairs, pairs_mut: Pairs(PairTally);
    /// Counts of whole permutations, counted or sent as batches.
    relations, relations_mut: Relations(PermutationTally);
    /// Counts of delivery cycles.
    deliveries, deliveries_mut: Deliveries(DeliveryTally);
}
