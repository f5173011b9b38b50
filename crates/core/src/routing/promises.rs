//! Promises of algorithms about paths and deadlock, for comparison by users.

/// The promises for all messages under any faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Promises {
    /// Every hop leads nearer to the destination, so a message that arrives took a shortest path.
    pub shortest: bool,
    /// Freedom from cyclic waits among messages that occupy channels while they wait for others.
    pub deadlock: DeadlockFreedom,
    /// The algorithm is meant to fail, and shows why other algorithms are designed differently.
    pub is_counter_example: bool,
}

/// The conditions under which messages cannot wait for each other in a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeadlockFreedom {
    /// Under any faults.
    Always,
    /// Under the faults that the proof of the algorithm covers.
    WhereProved,
    /// Never, or only without faults.
    No,
    /// Unknown: a user-defined routing, to be analysed by the checks.
    Unknown,
    /// Not applicable: the algorithm routes single messages, counts routes, or schedules delivery
    /// cycles.
    NotApplicable,
}

impl Promises {
    /// Returns the promises of an algorithm that may make detours.
    pub(super) const fn detours(deadlock: DeadlockFreedom) -> Self {
        Self { shortest: false, deadlock, is_counter_example: false }
    }

    /// Returns the promises of an algorithm that makes no detours.
    pub(super) const fn shortest(deadlock: DeadlockFreedom) -> Self {
        Self { shortest: true, deadlock, is_counter_example: false }
    }

    /// Marks the promises as those of a counterexample.
    pub(super) const fn counter_example(self) -> Self {
        Self { is_counter_example: true, ..self }
    }

    /// Returns a short text for each promise: "shortest paths" and, if messages wait for each
    /// other, "never deadlocks".
    pub fn summary(self, waits: bool) -> impl Iterator<Item = &'static str> {
        let shortest = if self.shortest { "shortest paths" } else { "may make detours" };
        let deadlock = match self.deadlock {
            DeadlockFreedom::Always => Some("never deadlocks"),
            DeadlockFreedom::WhereProved => Some("never deadlocks where its proof holds"),
            DeadlockFreedom::No => Some("can deadlock"),
            DeadlockFreedom::Unknown | DeadlockFreedom::NotApplicable => None,
        };
        std::iter::once(shortest).chain(deadlock.filter(|_| waits))
    }
}
