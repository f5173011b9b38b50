//! Execution of a search in rounds, set by set or on all threads. The result is the same either
//! way.

use super::Candidate;

/// Search that returns rounds of sets and accepts their results.
///
/// The next round depends on the results alone. The caller may evaluate sets in parallel, and stop
/// at any time.
pub trait BatchSearch: Sync {
    /// Result of a set.
    type Found: Send;

    /// Returns the sets to evaluate next; `None` when the search is done. A round is returned again
    /// until [`BatchSearch::finish`] accepts its results.
    fn next_round(&mut self) -> Option<Vec<Candidate>>;

    /// Evaluates a set. A long evaluation calls `alive` repeatedly.
    fn evaluate(&self, candidate: &Candidate, alive: &dyn Fn()) -> Self::Found;

    /// Accepts the results of the sets of the round, in their order.
    fn finish(&mut self, found: Vec<Self::Found>);
}

/// Evaluates every set of `search` in turn.
pub fn run(search: &mut impl BatchSearch) {
    while let Some(round) = search.next_round() {
        let found = round.iter().map(|candidate| search.evaluate(candidate, &|| {})).collect();
        search.finish(found);
    }
}

/// Runs `search` on the threads of the current rayon pool. `goes_on` is called after every round
/// and returns whether to continue.
#[cfg(feature = "threads")]
pub fn run_parallel<S: BatchSearch>(search: &mut S, mut goes_on: impl FnMut(&S) -> bool) {
    use rayon::prelude::*;

    while let Some(round) = search.next_round() {
        let seen = &*search;
        let found = round.par_iter().map(|candidate| seen.evaluate(candidate, &|| {})).collect();
        search.finish(found);
        if !goes_on(search) {
            return;
        }
    }
}
