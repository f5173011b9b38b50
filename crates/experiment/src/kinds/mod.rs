//! List of all kinds of experiments. No other module of this crate names all of them.

mod setting;
mod tally;

pub use setting::Setting;
pub use tally::{KindCounts, Tally};

use super::kind::Kind;
use super::version::Version;
use super::{circuit, delivery, message, pairs, permutation, worm};
use faultlab_core::topology::Network;

/// Every kind, in the order in which they are offered. The first one is that of a text without
/// `switch`.
pub static KINDS: [&Kind; 7] = [
    &message::KIND,
    &circuit::KIND,
    &worm::KIND,
    &permutation::KIND,
    &permutation::BATCH,
    &delivery::KIND,
    &pairs::KIND,
];

impl Kind {
    /// Returns the kind called `id` in experiment texts.
    pub fn find(id: &str) -> Option<&'static Self> {
        KINDS.into_iter().find(|kind| kind.id == id)
    }

    /// Returns the kind of a text that names only the network: the first one whose own default is a
    /// network of this type, else the first one that runs on it. A mesh is that of worms, although
    /// circuits also run on meshes.
    pub fn usual_on(network: Network) -> Option<&'static Self> {
        let is_default = |kind: &Self| {
            let default = kind.behavior.default_experiment(Version::V1, None).network;
            std::mem::discriminant(&default) == std::mem::discriminant(&network)
        };
        let fitting = || KINDS.into_iter().filter(|kind| kind.behavior.fits(network));
        fitting().find(|kind| is_default(kind)).or_else(|| fitting().next())
    }
}
