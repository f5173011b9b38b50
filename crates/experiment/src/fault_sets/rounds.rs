//! A search in rounds, run to its end: set by set, or on every thread at hand. What is found is the same either way.

use super::Candidate;

/// A search that hands out rounds of sets and takes what was found of them. What comes next depends on that alone: whoever runs it may do
/// so in parallel, and stop at any time.
pub trait Rounds: Sync {
    /// What is found of a set.
    type Found: Send;

    /// The sets to look at next; `None` when it is done. What was handed out and not taken back by [`Rounds::finish`] is handed out again.
    fn next_round(&mut self) -> Option<Vec<Candidate>>;

    /// Looks at a set; `alive` is called again and again meanwhile, if it takes long.
    fn look(&self, candidate: &Candidate, alive: &dyn Fn()) -> Self::Found;

    /// Takes what was found of the sets of the round, in their order.
    fn finish(&mut self, found: Vec<Self::Found>);
}

/// Looks at every set of `search` in turn.
pub fn run(search: &mut impl Rounds) {
    while let Some(round) = search.next_round() {
        let found = round.iter().map(|candidate| search.look(candidate, &|| {})).collect();
        search.finish(found);
    }
}

/// Runs `search` on the threads of the current rayon pool; `goes_on` sees it after every round, and says whether it does.
#[cfg(feature = "threads")]
pub fn run_parallel<S: Rounds>(search: &mut S, mut goes_on: impl FnMut(&S) -> bool) {
    use rayon::prelude::*;

    while let Some(round) = search.next_round() {
        let seen = &*search;
        let found = round.par_iter().map(|candidate| seen.look(candidate, &|| {})).collect();
        search.finish(found);
        if !goes_on(search) {
            return;
        }
    }
}
