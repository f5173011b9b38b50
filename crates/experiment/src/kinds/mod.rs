//! List of all kinds of experiments. No other module of this crate names all of them.

mod setting;
mod tally;

pub use setting::Setting;
pub use tally::{KindCounts, Tally};

use super::kind::Kind;
use super::{circuit, delivery, message, pairs, permutation, worm};

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
}
