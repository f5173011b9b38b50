//! What algorithms promise of the ways and the waiting of their messages, to be told apart by those who choose among them.

/// What is promised of all messages, whatever is faulty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Promises {
    /// Whether every hop leads nearer to the destination, so that a message that arrives took a shortest path.
    pub shortest: bool,
    /// Whether messages that hold channels while they wait for others may wait in a circle.
    pub deadlock: DeadlockFreedom,
    /// Whether it is there to fail, and to show why others are as they are.
    pub is_counter_example: bool,
}

/// Where messages cannot wait for each other in a circle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeadlockFreedom {
    /// Whatever is faulty.
    Always,
    /// On the faults that its proof covers.
    WhereProved,
    /// Not even without faults, or only while nothing is faulty.
    No,
    /// Nobody knows: a routing of one's own, of which the checks say what holds.
    Unknown,
    /// Nothing waits: messages are alone, routes are counted, or whole delivery cycles are chosen.
    NothingWaits,
}

impl Promises {
    /// Of messages that may make detours.
    pub(super) const fn detours(deadlock: DeadlockFreedom) -> Self {
        Self { shortest: false, deadlock, is_counter_example: false }
    }

    /// Of messages that make none.
    pub(super) const fn shortest(deadlock: DeadlockFreedom) -> Self {
        Self { shortest: true, deadlock, is_counter_example: false }
    }

    /// The same of an algorithm that is there to fail.
    pub(super) const fn counter_example(self) -> Self {
        Self { is_counter_example: true, ..self }
    }

    /// In a few words each: "shortest paths", where messages wait for each other also "never deadlocks".
    pub fn words(self, waits: bool) -> impl Iterator<Item = &'static str> {
        let shortest = if self.shortest { "shortest paths" } else { "may make detours" };
        let deadlock = match self.deadlock {
            DeadlockFreedom::Always => Some("never deadlocks"),
            DeadlockFreedom::WhereProved => Some("never deadlocks where its proof holds"),
            DeadlockFreedom::No => Some("can deadlock"),
            DeadlockFreedom::Unknown | DeadlockFreedom::NothingWaits => None,
        };
        std::iter::once(shortest).chain(deadlock.filter(|_| waits))
    }
}
