//! A search run to its end: set by set, or on every thread at hand. What is found is the same either way.

use super::WorstSearch;

/// Measures every set of `search` in turn.
pub fn run(search: &mut WorstSearch) {
    while let Some(round) = search.next_round() {
        let measured: Vec<_> = round.iter().map(|candidate| search.measure(candidate)).collect();
        search.finish(&measured);
    }
}

/// Runs `search` on the threads of the current rayon pool; `on_progress` sees it after every round.
#[cfg(feature = "cli")]
pub fn run_parallel(search: &mut WorstSearch, mut on_progress: impl FnMut(&WorstSearch)) {
    use rayon::prelude::*;

    while let Some(round) = search.next_round() {
        let seen = &*search;
        let measured: Vec<_> = round.par_iter().map(|candidate| seen.measure(candidate)).collect();
        search.finish(&measured);
        on_progress(search);
    }
}
