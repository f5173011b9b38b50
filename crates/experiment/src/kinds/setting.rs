//! What decides an experiment besides what all kinds share: the setting of its own kind.

use crate::kind::Kind;
use crate::{circuit, delivery, message, pairs, permutation, worm};

/// What decides an experiment of one kind, besides what all kinds share.
#[derive(Clone, Debug, PartialEq)]
pub enum Setting {
    /// One message at a time.
    Message(message::Setting),
    /// Circuits under load.
    Circuit(circuit::Setting),
    /// Worms under load.
    Worm(worm::Setting),
    /// Whole permutations, counted.
    Permutation(permutation::Setting),
    /// The same as batches of worms.
    Batch(permutation::BatchSetting),
    /// Delivery cycles.
    Delivery(delivery::Setting),
    /// Pairs cut off.
    Pairs,
}

impl Setting {
    /// The kind whose setting it is.
    pub fn kind(&self) -> &'static Kind {
        match self {
            Self::Message(_) => &message::KIND,
            Self::Circuit(_) => &circuit::KIND,
            Self::Worm(_) => &worm::KIND,
            Self::Permutation(_) => &permutation::KIND,
            Self::Batch(_) => &permutation::BATCH,
            Self::Delivery(_) => &delivery::KIND,
            Self::Pairs => &pairs::KIND,
        }
    }
}

/// For each kind the way to its own setting; `None` in the setting of another kind.
macro_rules! settings {
    ($($(#[$doc:meta])* $read:ident, $write:ident: $variant:ident($part:ty);)*) => {
        impl Setting {
            $($(#[$doc])*
            pub fn $read(&self) -> Option<&$part> {
                match self {
                    Self::$variant(setting) => Some(setting),
                    _ => None,
                }
            }

            /// The same, to be changed.
            pub fn $write(&mut self) -> Option<&mut $part> {
                match self {
                    Self::$variant(setting) => Some(setting),
                    _ => None,
                }
            }
            )*
        }
    };
}

settings! {
    /// Of single messages.
    message, message_mut: Message(message::Setting);
    /// Of circuits.
    circuit, circuit_mut: Circuit(circuit::Setting);
    /// Of worms.
    worm, worm_mut: Worm(worm::Setting);
    /// Of batches.
    batch, batch_mut: Batch(permutation::BatchSetting);
    /// Of delivery cycles.
    delivery, delivery_mut: Delivery(delivery::Setting);
}

impl Setting {
    /// Of whole permutations, counted or sent as a batch.
    pub fn permutation(&self) -> Option<&permutation::Setting> {
        match self {
            Self::Permutation(setting) => Some(setting),
            Self::Batch(batch) => Some(&batch.relation),
            _ => None,
        }
    }

    /// The same, to be changed.
    pub fn permutation_mut(&mut self) -> Option<&mut permutation::Setting> {
        match self {
            Self::Permutation(setting) => Some(setting),
            Self::Batch(batch) => Some(&mut batch.relation),
            _ => None,
        }
    }
}

impl Setting {
    /// This setting, with what that of another kind says of the same things: where messages go, and the tolerance of Algorithms A
    /// and B.
    pub(crate) fn with_what_fits(mut self, other: &Self) -> Self {
        if self.kind() == other.kind() {
            return other.clone();
        }
        if let (Some(own), Some(relation)) = (self.permutation_mut(), other.permutation()) {
            *own = relation.clone();
        }
        if let (Some(own), Some(circuits)) = (self.worm_mut(), other.circuit()) {
            own.traffic = worm::Traffic::Pattern(circuits.traffic);
        }
        if let (Some(own), Some(worms)) = (self.circuit_mut(), other.worm())
            && let worm::Traffic::Pattern(pattern) = worms.traffic
        {
            own.traffic = pattern;
        }
        if let (Some(own), Some(relation)) = (self.worm_mut(), other.permutation()) {
            own.tolerance = relation.tolerance;
        }
        if let (Some(own), Some(worms)) = (self.permutation_mut(), other.worm()) {
            own.tolerance = worms.tolerance;
        }
        self
    }
}
