//! Settings of whole permutations and batches.

use crate::PointConfig;
use faultlab_core::fault::Tolerance;
use faultlab_core::traffic::{BatchTraffic, Permutation};

/// Parameters that are specific to whole permutations: the messages, and the rule for active nodes.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// Messages.
    pub demand: BatchTraffic,
    /// Number of permutations at once: h of an h-relation, 1 to [`Setting::MAX_H`].
    pub h: u32,
    /// Tolerance of Algorithms A and B.
    pub tolerance: Tolerance,
}

impl Setting {
    /// Maximum number of permutations at once.
    pub const MAX_H: u32 = 64;

    /// Random permutation with the thesis' tolerance.
    pub const THESIS: Self =
        Self { demand: BatchTraffic::Rule(Permutation::Random), h: 1, tolerance: Tolerance::Thesis };
}

/// Setting of batches: whole permutations, sent as worms that all start at once.
#[derive(Clone, Debug, PartialEq)]
pub struct BatchSetting {
    /// Messages.
    pub relation: Setting,
    /// Flits per message, 1 to 256.
    pub length: u16,
}

impl BatchSetting {
    /// Default setting: [`Setting::THESIS`], with 8 flits.
    pub const USUAL: Self = Self { relation: Setting::THESIS, length: 8 };
}

static USUAL: Setting = Setting::THESIS;

impl PointConfig {
    /// Returns the setting of whole permutations; the default in other kinds of experiments.
    pub fn relation(&self) -> &Setting {
        self.setting.permutation().unwrap_or(&USUAL)
    }
}
