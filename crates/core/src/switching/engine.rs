//! The interface shared by the engines that simulate many messages over time.

use std::ops::{Add, Sub};

/// A point in simulated time, or a time span.
///
/// The unit is the mean transmission time for circuits and the cycle for worms.
pub trait SimTime: Copy + std::fmt::Debug + PartialOrd + Add<Output = Self> + Sub<Output = Self> {
    /// The start of a simulation.
    const START: Self;
    /// A time later than every event.
    const NEVER: Self;

    /// Returns the time as a number, for charts.
    fn as_f64(self) -> f64;

    /// Returns the earlier of two times.
    fn min(self, other: Self) -> Self {
        if other < self { other } else { self }
    }

    /// Returns the later of two times.
    fn later(self, other: Self) -> Self {
        if other > self { other } else { self }
    }
}

impl SimTime for f64 {
    const START: Self = 0.0;
    const NEVER: Self = Self::INFINITY;

    fn as_f64(self) -> f64 {
        self
    }
}

impl SimTime for u64 {
    const START: Self = 0;
    const NEVER: Self = Self::MAX;

    fn as_f64(self) -> f64 {
        self as f64
    }
}

/// A simulation of messages that advances step by step.
///
/// A clone continues exactly as the original.
pub trait Engine: Clone {
    /// The engine's unit of time.
    type Time: SimTime;

    /// Returns the time of the last step, [`SimTime::START`] before the first.
    fn current_time(&self) -> Self::Time;

    /// Returns the time to which the next step advances.
    ///
    /// The result is [`SimTime::NEVER`] after the end, and also if no event is left. The next step
    /// then ends the simulation.
    fn next_time(&self) -> Self::Time;

    /// Executes the next step. Has no effect after the end.
    fn step(&mut self);

    /// Returns whether the simulation has ended.
    fn has_ended(&self) -> bool;

    /// Returns the approximate size of a copy, in bytes.
    fn size_bytes(&self) -> u64;

    /// Returns the number of messages to plot over time, such as the waiting messages.
    fn gauge_value(&self) -> u64;
}
