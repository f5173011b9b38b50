//! What the papers prove: closed forms, exact probabilities on small networks, connectivity, dependency graphs.
//!
//! Everything here is an answer without chance, to set beside the simulated one.

mod closed_form;
mod connectivity;
mod decision;
mod dependency;
mod enumerate;
mod fault_sets;

pub use closed_form::{
    blind_bernoulli, blind_counted, inversions, inversions_exact, local_bernoulli, local_bernoulli_by_inversions,
    local_counted, local_limit,
};
pub use connectivity::{Connectivity, MAX_CONNECTIVITY_DIMENSION, connection_by_faults, connectivity};
pub use dependency::{
    ChannelId, Cycle, DependencyGraph, MAX_DEPENDENCY_DIMENSION, hypercube_channel, hypercube_dependencies,
    hypercube_link,
};
pub use enumerate::{
    Arrivals, MAX_EXACT_DIMENSION, MAX_MARKS_DIMENSION, exact_arrivals, exact_success, success_by_faults,
};
pub use fault_sets::{FaultSet, MAX_ENUMERATED_DIMENSION, bernoulli_mixture};
