//! Analytic results of the papers: closed forms, exact probabilities, connectivity, disconnected
//! pairs, relabellings, disjoint paths and dependency graphs.
//!
//! All results are exact, for comparison with simulations.

mod affected;
mod all_sets;
mod astray;
mod channel_loads;
mod circuits;
mod closed_form;
mod connectivity;
mod deadlock;
mod decision;
mod dependency;
mod disjoint;
mod duato;
mod enumerate;
pub mod fat_tree;
mod fault_sets;
mod messages;
pub mod oblivious;
mod obstacles;
mod pairs;
mod relabel;
mod turns;
mod wait_sets;
mod ways;
mod worms;

pub use affected::{
    Affected, FreeLinks, affected_by_link, affected_by_node, down_link_under_up, link_under_dp, link_under_ecube,
    node_under_dp, node_under_ecube, node_under_up, transit_under_dp, transit_under_ecube, transit_under_up,
    up_link_under_up, with_ends,
};
pub use all_sets::{
    AveragesByFaultCount, FaultAverageQuery, FaultDistribution, FaultSetEnumeration, MAX_ALL_SETS_DIMENSION,
};
pub use astray::{way_into_circle, way_to_loss};
pub use channel_loads::{MAX_LOAD_NODES, expected_channel_loads};
pub use circuits::circuit_dependencies;
pub use closed_form::{
    blind_bernoulli, blind_counted, inversions, inversions_exact, local_bernoulli, local_bernoulli_by_inversions,
    local_counted, local_limit,
};
pub use connectivity::{Connectivity, MAX_CONNECTIVITY_DIMENSION, connection_by_faults, connectivity};
pub use deadlock::{DeadlockAnalysis, DeadlockProof, UndecidedReason, circuit_deadlocks, worm_deadlocks};
pub use dependency::{
    ChannelCycle, ChannelId, DependencyGraph, MAX_DEPENDENCY_DIMENSION, hypercube_channel, hypercube_dependencies,
    hypercube_link, hypercube_witnesses,
};
pub use disjoint::{disjoint_count, disjoint_paths, is_permitted};
pub use duato::{
    EscapeViolation, ExtendedDependencies, MAX_DUATO_NODES, MAX_ESCAPE_SEARCH_CLASSES, MAX_ESCAPE_SEARCH_NODES,
};
pub use enumerate::{
    ArrivalDistribution, MAX_EXACT_DIMENSION, MAX_MARKS_DIMENSION, exact_arrivals, exact_success, success_by_faults,
};
pub use fault_sets::{FaultSet, MAX_ENUMERATED_DIMENSION, bernoulli_mixture};
pub use messages::message_arrivals;
pub use obstacles::{BlockingFault, blocking_faults};
pub use pairs::{CutOff, MAX_COUNTED_DIMENSION, MAX_CUT_OFF_DIMENSION, PairCounter, PairCounts, cut_off};
pub use relabel::{Relabelled, Relabelling, SearchMethod, Suggestion, relabelled_cut_off, suggest_relabelling};
pub use turns::{TURNS, Turn, toggle_turn, turns};
pub use wait_sets::{DeadlockSet, MAX_WAIT_STATES, SetSearchResult, WaitGraph, WaitingMessage};
pub use worms::{
    DeliveryOutcomes, MAX_DEPENDENCY_NODES, MeshDependencies, mesh_channel, mesh_channel_ends, mesh_witnesses,
};
