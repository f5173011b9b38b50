//! Settings of whole permutations and batches.

use crate::PointConfig;
use faultlab_core::fault::Tolerance;
use faultlab_core::switching::FlowControl;
use faultlab_core::traffic::{BatchTraffic, Permutation};

/// Parameters that are specific to whole permutations: the messages, and the rule for active nodes.
#[derive(Clone, Debug, PartialEq)]
pub struct PermutationSetting {
    /// Rule or list that defines the messages.
    pub demand: BatchTraffic,
    /// Number of permutations at once: h of an h-relation, 1 to [`PermutationSetting::MAX_H`].
    pub h: u32,
    /// Tolerance of Algorithms A and B.
    pub tolerance: Tolerance,
}

impl PermutationSetting {
    /// Maximum number of permutations at once.
    pub const MAX_H: u32 = 64;

    /// Random permutation with the thesis' tolerance.
    pub const THESIS: Self =
        Self { demand: BatchTraffic::Rule(Permutation::Random), h: 1, tolerance: Tolerance::Thesis };
}

/// Setting of batches: whole permutations whose messages all start at once.
#[derive(Clone, Debug, PartialEq)]
pub struct BatchSetting {
    /// Messages of the batch, with the rule for active nodes.
    pub relation: PermutationSetting,
    /// Flits per message, 1 to 256.
    pub length: u16,
    /// Flow control of the messages.
    pub flow: FlowControl,
    /// Cycle in which the faults arrive; 0 if they exist before the messages start.
    pub onset: u32,
}

impl BatchSetting {
    /// Largest value of [`BatchSetting::onset`].
    pub const LATEST_ONSET: u32 = 10_000_000;

    /// Default setting: [`PermutationSetting::THESIS`], with worms of 8 flits.
    pub const USUAL: Self =
        Self { relation: PermutationSetting::THESIS, length: 8, flow: FlowControl::Wormhole, onset: 0 };
}

static USUAL: PermutationSetting = PermutationSetting::THESIS;

impl PointConfig {
    /// Returns the setting of whole permutations; the default in other kinds of experiments.
    pub fn permutation_setting(&self) -> &PermutationSetting {
        self.setting.permutation().unwrap_or(&USUAL)
    }
}
