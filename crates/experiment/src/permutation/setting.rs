//! What decides whole permutations and batches, besides what all kinds share.

use crate::Cell;
use faultlab_core::fault::Tolerance;
use faultlab_core::traffic::{Demand, Permutation};

/// Which messages are routed together, and who takes part.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// The messages.
    pub demand: Demand,
    /// How many times: h of an h-relation, 1 to [`Setting::MAX_H`].
    pub h: u32,
    /// The tolerance of Algorithms A and B.
    pub tolerance: Tolerance,
}

impl Setting {
    /// The most permutations at once.
    pub const MAX_H: u32 = 64;

    /// A random permutation, with the thesis' tolerance.
    pub const THESIS: Self = Self { demand: Demand::Rule(Permutation::Random), h: 1, tolerance: Tolerance::Thesis };
}

/// The same messages, sent as worms that all start at once.
#[derive(Clone, Debug, PartialEq)]
pub struct BatchSetting {
    /// The messages.
    pub relation: Setting,
    /// Flits of a message, 1 to 256.
    pub length: u16,
}

impl BatchSetting {
    /// As [`Setting::THESIS`], with 8 flits.
    pub const USUAL: Self = Self { relation: Setting::THESIS, length: 8 };
}

static USUAL: Setting = Setting::THESIS;

impl Cell {
    /// What decides its whole permutations; the usual in other experiments.
    pub fn relation(&self) -> &Setting {
        self.setting.permutation().unwrap_or(&USUAL)
    }
}
