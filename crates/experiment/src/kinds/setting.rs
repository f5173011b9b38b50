//! Settings of the kinds of experiments: the parameters that not all kinds share.

use crate::kind::Kind;
use crate::{circuit, delivery, message, pairs, permutation, worm};

/// Setting of an experiment: the parameters that are specific to its kind.
#[derive(Clone, Debug, PartialEq)]
pub enum Setting {
    /// Single messages.
    Message(message::MessageSetting),
    /// Circuits under load.
    Circuit(circuit::CircuitSetting),
    /// Wormhole switching under load.
    Worm(worm::WormSetting),
    /// Whole permutations, counted.
    Permutation(permutation::PermutationSetting),
    /// Whole permutations, sent as batches of worms.
    Batch(permutation::BatchSetting),
    /// Delivery cycles.
    Delivery(delivery::DeliverySetting),
    /// Pairs cut off.
    Pairs,
}

impl Setting {
    /// Returns the kind of this setting.
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

/// Generates the accessors of the settings; each returns `None` for the setting of another kind.
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

            /// Returns the setting for modification; `None` for other kinds.
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
    /// Returns the setting of single messages; `None` for other kinds.
    message, message_mut: Message(message::MessageSetting);
    /// Returns the setting of circuits; `None` for other kinds.
    circuit, circuit_mut: Circuit(circuit::CircuitSetting);
    /// Returns the setting of wormhole switching; `None` for other kinds.
    worm, worm_mut: Worm(worm::WormSetting);
    /// Returns the setting of batches; `None` for other kinds.
    batch, batch_mut: Batch(permutation::BatchSetting);
    /// Returns the setting of delivery cycles; `None` for other kinds.
    delivery, delivery_mut: Delivery(delivery::DeliverySetting);
}

impl Setting {
    /// Returns the setting of whole permutations, counted or sent as a batch; `None` for other
    /// kinds.
    pub fn permutation(&self) -> Option<&permutation::PermutationSetting> {
        match self {
            Self::Permutation(setting) => Some(setting),
            Self::Batch(batch) => Some(&batch.relation),
            _ => None,
        }
    }

    /// Returns the setting of whole permutations for modification; `None` for other kinds.
    pub fn permutation_mut(&mut self) -> Option<&mut permutation::PermutationSetting> {
        match self {
            Self::Permutation(setting) => Some(setting),
            Self::Batch(batch) => Some(&mut batch.relation),
            _ => None,
        }
    }
}

impl Setting {
    /// Returns this setting with the values that it has in common with another kind's setting.
    ///
    /// The common values are the traffic pattern and the tolerance of Algorithms A and B. A setting
    /// of the same kind is copied completely.
    pub(crate) fn with_shared_values(mut self, other: &Self) -> Self {
        if self.kind() == other.kind() {
            return other.clone();
        }
        if let (Some(own), Some(relation)) = (self.permutation_mut(), other.permutation()) {
            *own = relation.clone();
        }
        if let (Some(own), Some(circuits)) = (self.worm_mut(), other.circuit()) {
            own.traffic = worm::Traffic::Pattern(circuits.traffic.clone());
        }
        if let (Some(own), Some(worms)) = (self.circuit_mut(), other.worm())
            && let worm::Traffic::Pattern(pattern) = &worms.traffic
        {
            own.traffic = pattern.clone();
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
