//! Setting of single-message experiments.

/// Parameters that are specific to single-message experiments.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MessageSetting {
    /// Maximum path length, as a multiple of the dimension n; 1 to 1000.
    pub path_limit: f64,
    /// Enumeration of all sets of faulty nodes instead of sampling.
    pub all_sets: bool,
}

impl MessageSetting {
    /// Default setting: at most five times the dimension, with sampled faults.
    pub const USUAL: Self = Self { path_limit: 5.0, all_sets: false };
}
