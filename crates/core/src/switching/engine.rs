//! What all engines have in common that move many messages in time.

use std::ops::{Add, Sub};

/// A point in an engine's time, or a span of it: mean transmission times of circuits, whole cycles of worms.
pub trait Moment: Copy + std::fmt::Debug + PartialOrd + Add<Output = Self> + Sub<Output = Self> {
    /// When time begins.
    const START: Self;
    /// Later than anything that happens.
    const NEVER: Self;

    /// The same as a number, for charts.
    fn value(self) -> f64;

    /// The earlier of two.
    fn earlier(self, other: Self) -> Self {
        if other < self { other } else { self }
    }

    /// The later of two.
    fn later(self, other: Self) -> Self {
        if other > self { other } else { self }
    }
}

impl Moment for f64 {
    const START: Self = 0.0;
    const NEVER: Self = Self::INFINITY;

    fn value(self) -> f64 {
        self
    }
}

impl Moment for u64 {
    const START: Self = 0;
    const NEVER: Self = Self::MAX;

    fn value(self) -> f64 {
        self as f64
    }
}

/// Messages that move in time, step by step. A clone goes on as the original does.
pub trait Engine: Clone {
    /// How it counts time.
    type Time: Moment;

    /// The time of the last step; [`Moment::START`] before the first.
    fn now(&self) -> Self::Time;

    /// The time to which the next step brings it. [`Moment::NEVER`] after the end; and where nothing is known to come, so that
    /// only a step finds out that this is the end.
    fn next(&self) -> Self::Time;

    /// Lets the next step happen; nothing happens any more after the end.
    fn step(&mut self);

    /// Whether it has come to an end.
    fn ended(&self) -> bool;

    /// About how many bytes a copy of it takes.
    fn weight(&self) -> u64;

    /// The number that is followed over time: how many messages wait, or are in the network.
    fn gauge(&self) -> u64;
}
