//! What decides an experiment with single messages, besides what all kinds share.

/// What decides how single messages are sent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Setting {
    /// The maximum path length, as a multiple of the dimension n; 1 to 1000.
    pub path_limit: f64,
    /// Whether all sets of faulty nodes are gone through, and nothing is drawn.
    pub all_sets: bool,
}

impl Setting {
    /// Five times the dimension; faults are drawn.
    pub const USUAL: Self = Self { path_limit: 5.0, all_sets: false };
}
