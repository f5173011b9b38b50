//! What decides an experiment with circuits, besides what all kinds share.

use faultlab_core::switching::{Avail, Wait};
use faultlab_core::traffic::Pattern;

/// What decides the circuits that are set up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Setting {
    /// Messages that each node generates in a unit of time, which is the mean transmission time; 0.0001 to 10.
    pub rate: f64,
    /// Where messages go.
    pub traffic: Pattern,
    /// Which of several free legal links is taken.
    pub avail: Avail,
    /// For which legal links a message waits when none is free.
    pub wait: Wait,
}

impl Setting {
    /// Uniform traffic under the paper's strategies.
    pub const USUAL: Self = Self { rate: 0.3, traffic: Pattern::Uniform, avail: Avail::Lowest, wait: Wait::First };
}
