//! Every kind of experiment: the only place that names all of them.

mod setting;
mod tally;

pub use setting::Setting;
pub use tally::{Counts, Tally};

use super::kind::Kind;
use super::{circuit, delivery, message, pairs, permutation, worm};

/// Every kind, in the order in which they are offered. The first one is what a text without `switch` stands for.
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
    /// The kind called `id` in experiment texts.
    pub fn find(id: &str) -> Option<&'static Self> {
        KINDS.into_iter().find(|kind| kind.id == id)
    }
}
